use std::sync::Arc;

use call_grammar::{Formula, Span};
use call_trace::Unit;

use crate::digits::exact;
use crate::{Definitions, Forecast, Gap, SampledRange};

/// The unit of predictors that know of times alone.
static SECONDS: Unit = Unit::Seconds;

/// Whatever predicts times, or another response with a unit of its own: a fitted model, the formulas that were found for an experiment, a model carried to another machine, a
/// program of supersteps, the replay of a recorded run. Each question is asked once, of this.
///
/// A predictor has variables. A user gives values to them, or to names that they are computed from ([`Definitions`]): a [`Slice`]
/// makes points of those.
///
/// [`Slice`]: crate::Slice
pub trait Predictor {
    /// What people call it.
    fn name(&self) -> &str;

    /// The names of the first values of a point, in their order.
    fn variables(&self) -> &[String];

    /// What variables are computed from that have no values.
    fn definitions(&self) -> &Definitions;

    /// A point: a value for each variable, and behind them what else this predictor computes from the names with values.
    fn point(&self, known: &dyn Fn(&str) -> Option<f64>) -> Vec<f64> {
        self.variables().iter().map(|name| self.definitions().resolve(name, known)).collect()
    }

    /// Whether a variable has the value of a machine that samples were not measured on, whatever value these have: g and L, and what is computed from
    /// them.
    fn is_of_another_machine(&self, _name: &str) -> bool {
        false
    }

    /// The unit of what it predicts: of all that is called a time here, whose names end in `_s`.
    fn unit(&self) -> &Unit {
        &SECONDS
    }

    /// The time at a point; no number where the formula has none.
    ///
    /// # Errors
    /// If a program cannot be evaluated there.
    fn time_s(&self, point: &[f64]) -> Result<f64, NoPrediction>;

    /// The time at a point with an interval that holds a share `level` of measurements, its terms, and typed remarks.
    ///
    /// # Errors
    /// If there is no finite time.
    fn forecast(&self, point: &[f64], level: f64) -> Result<Forecast, NoPrediction>;

    /// Whether two points are predicted in one way. Otherwise their times differ by more than what a time grows by between them.
    fn is_continuous(&self, _from: &[f64], _to: &[f64]) -> bool {
        true
    }

    /// Where the times may jump: for positions in a point the last values before.
    fn borders(&self) -> Vec<(usize, Vec<f64>)> {
        Vec::new()
    }

    /// The gaps between samples in which an interval ends, nobody knows where: the forecast there has the intervals of both sides, and
    /// may jump at the end of the gap.
    fn gaps(&self) -> Vec<Gap> {
        Vec::new()
    }

    /// Where a variable, or what it is computed from, was sampled.
    fn sampled(&self, _name: &str) -> Option<SampledRange> {
        None
    }

    /// How many values a question looks at one by one, as the times may jump or turn between any two; 0 where they are smooth.
    fn single_values(&self) -> usize {
        let is_smooth =
            self.formula().is_none_or(Formula::is_smooth) && self.definitions().are_smooth(self.variables());
        if is_smooth { 0 } else { 1_000_000 }
    }

    /// The formula, if it is one.
    fn formula(&self) -> Option<&Formula> {
        None
    }
}

/// Why there is no prediction at a point.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct NoPrediction {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The place in the text of a program.
    pub place: Option<SourcePlace>,
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// Name of the file.
    pub path: String,
    /// The whole text.
    pub text: Arc<str>,
    /// What is meant.
    pub span: Span,
}

impl NoPrediction {
    /// A failure that is about no text.
    pub fn new(message: impl Into<String>) -> NoPrediction {
        NoPrediction { message: message.into(), help: None, place: None }
    }

    /// The same with its cure.
    pub fn help(self, help: impl Into<String>) -> NoPrediction {
        NoPrediction { help: Some(help.into()), ..self }
    }

    /// There is no finite time at a point; `what` has none.
    pub fn not_finite(what: &str, name: &str, variables: &[String], point: &[f64]) -> NoPrediction {
        let values =
            variables.iter().zip(point).map(|(variable, value)| format!("{variable}={}", exact(*value)));
        let place = values.collect::<Vec<_>>().join(", ");
        NoPrediction::new(format!("{what} has no finite value at {name}({place})")).help(
            "choose a point where the formula holds: not one where it divides by 0 or takes the logarithm of 0",
        )
    }
}

impl Forecast {
    /// The forecast itself, unless its time is not finite; the formula tells which term is not.
    ///
    /// # Errors
    /// The term without a finite value.
    pub fn finite(self, predictor: &dyn Predictor, point: &[f64]) -> Result<Forecast, NoPrediction> {
        if self.prediction.time_s.is_finite() {
            return Ok(self);
        }
        let term = self.prediction.shares.iter().find(|share| !share.time_s.is_finite());
        let what = match (term, predictor.formula()) {
            (Some(term), Some(formula)) => {
                format!("the term of {}[{}]", formula.experiment(), term.coefficient.0)
            }
            (None, Some(_)) => "the sum of the terms".to_owned(),
            _ => "the prediction".to_owned(),
        };
        Err(NoPrediction::not_finite(&what, predictor.name(), predictor.variables(), point))
    }
}
