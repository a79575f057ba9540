//! Questions to predictors that are asked backwards: which size, how many processors, from where on.
//!
//! Times jump at the borders of their cells, so each search walks along the pieces between borders, on a grid of a few hundred
//! values each, and refines between two of its values. What happens between two values of the grid and is over before the
//! next is not seen: where formulas have functions that jump or turn, up to a million whole numbers are looked at one by one, and it is
//! told where there are more.

mod best;
mod crossing;
mod extreme;
mod grid;
mod isoefficiency;
mod root;
mod scaling;
mod slice;
mod straight;

pub use best::{Best, Objective, best};
pub use crossing::{Crossing, Crossings, crossings};
pub use extreme::{Extreme, ExtremeEnd, Limit, extreme, largest};
pub use grid::ValueRange;
pub use isoefficiency::{Isoefficiency, SizeNeeded, SmallestSize, isoefficiency};
pub use root::NumberDomain;
pub use scaling::{Scaling, ScalingRow, scaling, speedup};
pub use slice::Slice;
pub use straight::{StraightPiece, StraightPieces, Tangent, straight_pieces, tangent_by_chords};

use crate::NoPrediction;
use crate::digits::exact;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoAnswer {
    #[error("the limit of {limit_s} s is not finite")]
    Limit { limit_s: f64 },
    #[error("the range from {} to {} holds no value to try", exact(*lowest), exact(*highest))]
    EmptyRange { lowest: f64, highest: f64 },
    #[error("the list holds no finite value to try")]
    NoValues,
    #[error(
        "already {variable} = {} takes {time_s:.3e} s, more than {limit_s:.3e} s, and nothing up to {} takes less",
        exact(*value),
        exact(*highest)
    )]
    TooLong { variable: String, value: f64, time_s: f64, limit_s: f64, highest: f64 },
    #[error(
        "{variable} = {} gives {reached:.3e}, less than {limit:.3e}, and nothing up to {} gives as much",
        exact(*value),
        exact(*highest)
    )]
    TooLittle { variable: String, value: f64, reached: f64, limit: f64, highest: f64 },
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
    #[error(transparent)]
    Failed(#[from] NoPrediction),
}

impl NoAnswer {
    /// Whether the question was asked in vain: "no" is the answer, rather than that something is wrong with the question.
    pub fn is_no(&self) -> bool {
        use NoAnswer::{Alike, NotReached, TooLittle, TooLong};
        matches!(self, TooLong { .. } | TooLittle { .. } | Alike { .. } | NotReached { .. })
    }
}
