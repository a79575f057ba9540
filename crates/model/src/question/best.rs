use argmin::core::{CostFunction, Error as ArgminError, Executor};
use argmin::solver::brent::BrentOpt;

use super::grid::Grid;
use super::line::Line;
use super::{NoAnswer, Numbers, Span};
use crate::Forecast;

/// What is to be small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// The time.
    Time,
    /// The variable times the time: what processors cost.
    ProcessorSeconds,
}

/// The values that a variable may have.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// These.
    List(Vec<f64>),
    /// All whole numbers of a range.
    Whole(Span),
    /// The first number, and each times the factor up to the last: 1, 2, 4, 8 with factor 2.
    Factor {
        /// Where to start, and where to end.
        span: Span,
        /// More than 1.
        factor: f64,
    },
    /// All numbers of a range.
    Real(Span),
}

/// One value with what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Costed {
    /// The value of the variable.
    pub value: f64,
    /// Seconds, or processor-seconds.
    pub cost: f64,
    /// The predicted time.
    pub forecast: Forecast,
}

/// The cheapest value of a variable.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// The value; the first of equals.
    pub best: Costed,
    /// Whether it is the smallest or the largest value that was allowed, so that others might be better still.
    pub is_end: bool,
    /// From which to which value the predicted cost is at most a tenth more: what is worth knowing about a flat minimum. Values
    /// between them can be dearer if the model jumps.
    pub nearly: Span,
}

/// The cheapest of several values, of which nothing but the costs need be known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cheapest {
    /// The position of the value; the first of equals.
    pub index: usize,
    /// Whether it is the first or the last of several.
    pub is_end: bool,
    /// From which to which value the cost is at most a tenth more.
    pub nearly: Span,
}

/// The cheapest of values, which ascend; a cost that is not finite is none. `None` if there is no cost.
pub fn cheapest(values: &[f64], costs: &[f64]) -> Option<Cheapest> {
    let finite = || values.iter().zip(costs).enumerate().filter(|(_, (_, cost))| cost.is_finite());
    let (index, (_, least)) = finite().min_by(|(_, (_, one)), (_, (_, other))| one.total_cmp(other))?;
    let nearly = || finite().filter(|(_, (_, cost))| **cost <= NEARLY * least).map(|(_, (value, _))| *value);
    Some(Cheapest {
        index,
        is_end: values.len() > 1 && (index == 0 || index == values.len() - 1),
        nearly: Span { lowest: nearly().next()?, highest: nearly().next_back()? },
    })
}

/// More values than this are not tried one by one.
const MOST_VALUES: f64 = 1e6;

/// A cost of a tenth more is nearly the best.
const NEARLY: f64 = 1.1;

/// The value along the line with the smallest predicted time or processor-seconds. Lists and
/// whole numbers are all tried; among real numbers the best of a grid is refined by Brent's method. Values without a positive
/// predicted time are passed over.
///
/// # Errors
/// An empty choice or too many values; no value with a positive predicted time.
pub fn best(line: &Line, choice: &Choice, objective: Objective, level: f64) -> Result<Best, NoAnswer> {
    let cost = |value: f64| {
        let time_s = line.time_s(&[value]);
        let cost = match objective {
            Objective::Time => time_s,
            Objective::ProcessorSeconds => value * time_s,
        };
        if time_s > 0.0 && cost.is_finite() { cost } else { f64::INFINITY }
    };
    let values = values(choice, line)?;
    let costs: Vec<f64> = values.iter().map(|value| cost(*value)).collect();
    let Cheapest { index, is_end, nearly } = cheapest(&values, &costs).ok_or(NoAnswer::NoTime)?;
    let value = match choice {
        Choice::Real(_) => refined(&values, index, cost),
        _ => values[index],
    };
    Ok(Best {
        best: Costed { value, cost: cost(value), forecast: line.forecast(&[value], level) },
        is_end,
        nearly,
    })
}

/// The values to try, ascending.
fn values(choice: &Choice, line: &Line) -> Result<Vec<f64>, NoAnswer> {
    let limit = |count: f64| if count > MOST_VALUES { Err(NoAnswer::TooMany { count }) } else { Ok(()) };
    let (values, span) = match choice {
        Choice::List(list) => {
            let mut values: Vec<f64> = list.iter().copied().filter(|value| value.is_finite()).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            if values.is_empty() {
                return Err(NoAnswer::NoValues);
            }
            let span = Span { lowest: values[0], highest: values[values.len() - 1] };
            (values, span)
        }
        Choice::Whole(span) => {
            let (first, last) = (span.lowest.ceil(), span.highest.floor());
            let count = last - first + 1.0;
            limit(count)?;
            // A count that is negative, or none, becomes 0.
            ((0..count as u32).map(|step| first + f64::from(step)).collect(), *span)
        }
        Choice::Factor { span, factor } => {
            let mut values = Vec::new();
            let mut value = span.lowest;
            while value <= span.highest && value.is_finite() && value > 0.0 {
                limit(values.len() as f64)?;
                values.push(value);
                // A factor of 1 or less would never arrive.
                if factor.is_nan() || value * factor <= value {
                    break;
                }
                value *= factor;
            }
            (values, *span)
        }
        Choice::Real(span) => {
            (Grid::new(*span, &line.borders(*span, |value| vec![value]), Numbers::Real)?.values, *span)
        }
    };
    if values.is_empty() {
        return Err(NoAnswer::EmptyRange { lowest: span.lowest, highest: span.highest });
    }
    Ok(values)
}

struct Cost<F>(F);

impl<F: Fn(f64) -> f64> CostFunction for Cost<F> {
    type Param = f64;
    type Output = f64;

    fn cost(&self, value: &f64) -> Result<f64, ArgminError> {
        Ok((self.0)(*value))
    }
}

/// The best value between the neighbours of the best one of a grid. Where the model jumps Brent's method may fail, and the grid's
/// value stays: a jump's better side is in the grid.
fn refined(values: &[f64], index: usize, cost: impl Fn(f64) -> f64) -> f64 {
    let known = values[index];
    let (low, high) = (values[index.saturating_sub(1)], values[(index + 1).min(values.len() - 1)]);
    if low >= high {
        return known;
    }
    let run = Executor::new(Cost(&cost), BrentOpt::new(low, high))
        .configure(|state| state.max_iters(100))
        .timer(false)
        .run();
    let found = run.ok().and_then(|result| result.state.best_param).unwrap_or(known);
    if (low..=high).contains(&found) && cost(found) < cost(known) { found } else { known }
}
