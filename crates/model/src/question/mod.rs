//! Questions to models that are asked backwards: which size, how many processors, from where on.
//!
//! Models jump at the borders of their cells, so each search walks along the pieces between borders, on a grid of a few hundred
//! values each, and refines between two of its values. What happens between two values of the grid and is over before the
//! next is not seen.

mod best;
mod crossing;
mod grid;
mod isoefficiency;
mod largest;
mod line;
mod scaling;

pub use best::{Best, Choice, Costed, Objective, best};
pub use crossing::{Crossing, Crossings, crossings};
pub use grid::{Numbers, Span};
pub use isoefficiency::{Isoefficiency, SizeNeeded, isoefficiency};
pub use largest::{Largest, largest};
pub use scaling::{Scaling, ScalingRow, scaling};

use crate::digits::exact;

/// A variable and its value.
pub type Fixed<'a> = (&'a str, f64);

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoAnswer {
    #[error("the formula has no variable `{name}`{}", hint(suggestion.as_deref(), known))]
    UnknownVariable { name: String, suggestion: Option<String>, known: Vec<String> },
    #[error("a value is needed for {}", quoted(names))]
    MissingValues { names: Vec<String> },
    #[error("`{name}` has two values, or one although it is what the question looks for")]
    GivenTwice { name: String },
    #[error("the value {value} of `{name}` is not finite")]
    NotFinite { name: String, value: f64 },
    #[error("the range from {} to {} holds no value to try", exact(*lowest), exact(*highest))]
    EmptyRange { lowest: f64, highest: f64 },
    #[error("the list holds no finite value to try")]
    NoValues,
    #[error("{} values are too many to try: give a narrower range, or a factor", exact(*count))]
    TooMany { count: f64 },
    #[error(
        "already {variable} = {} takes {time_s:.3e} s, more than {limit_s:.3e} s, and nothing up to {} takes less",
        exact(*value),
        exact(*highest)
    )]
    TooLong { variable: String, value: f64, time_s: f64, limit_s: f64, highest: f64 },
    #[error(
        "even {variable} = {} takes only {time_s:.3e} s, less than {limit_s:.3e} s: give a range if it may be the answer",
        exact(*value)
    )]
    NoLimit { variable: String, value: f64, time_s: f64, limit_s: f64 },
    #[error("the model predicts no positive time for any of the values: its formula does not hold there")]
    NoTime,
    #[error("`{name}` must be positive")]
    NotPositive { name: String },
    #[error("the two models predict the same times everywhere from {} to {}", exact(*lowest), exact(*highest))]
    Alike { lowest: f64, highest: f64 },
    #[error("an efficiency is above 0 and at most 1, not {}", exact(*efficiency))]
    Efficiency { efficiency: f64 },
    #[error("up to {variable} = {} the efficiency is {reached:.3} at most", exact(*value))]
    NotReached { variable: String, value: f64, reached: f64 },
}

fn hint(suggestion: Option<&str>, known: &[String]) -> String {
    match suggestion {
        Some(suggestion) => format!(": did you mean `{suggestion}`?"),
        None if known.is_empty() => ": it has none at all".to_owned(),
        None => format!(": it has {}", quoted(known)),
    }
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
