//! How samples are fitted and divided.

use crate::robust::deviation;

/// The two thresholds of the paper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// "Error threshold": a cell whose [rms relative error](crate::Fit::rms_relative_error) is larger is split if
    /// possible. Without unit; 0.05 is 5 %.
    pub error: f64,
    /// "Number of intervals threshold": at most this many cells, at least 1. The paper doubts a formula from four
    /// intervals of a variable on, so that the default of 8 leaves room for two variables.
    pub intervals: usize,
}

impl Default for Thresholds {
    /// 5 %, at most 8 cells.
    fn default() -> Self {
        Thresholds { error: 0.05, intervals: 8 }
    }
}

/// How the intervals are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The recursion of the paper, then borders moved to their best places, borders of noise removed, and constants
    /// shared by the cells in which they do not differ.
    #[default]
    Refined,
    /// The recursion as the paper tells it: split at the best place until the errors are under one threshold or the
    /// number of intervals is at the other. Nothing is moved, removed or shared.
    Paper,
}

/// Whether constants may be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sign {
    /// Not negative where the data ask for it: see [`SignReason`](crate::SignReason).
    #[default]
    Automatic,
    /// They may: a constant that is negative beyond doubt says something about the formula.
    Free,
    /// They may not: costs are not negative.
    NonNegative,
}

/// How much a residual counts, by its size u in units of the scale of the noise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Loss {
    /// u^2: least squares.
    #[default]
    Squares,
    /// u^2 up to u = 1.345, growing linearly beyond (Huber 1964): outliers pull with limited force.
    Huber,
    /// 2 (sqrt(1 + u^2) - 1), smooth between the square and the linear part.
    SoftL1,
}

/// Scatter of repetitions that were folded into samples before the fit, so that it cannot see them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PureError {
    /// Variance of a sample of weight 1, in seconds squared.
    pub variance: f64,
    /// Degrees of freedom: repetitions less points; of minima one a point.
    pub freedom: usize,
}

impl PureError {
    /// That of medians: for each sample its weight and the times whose median it is. Outliers hardly move a median, and so do not count
    /// here: the scale is the median of the distances of all times from a middle one of their sample, within 8 % of the standard
    /// deviation of normal times. A median of m such times varies more than their mean, by pi/2 for many, by nothing for one. None
    /// without repetitions, and where most of them are equal, as short times by a coarse clock are.
    pub fn of_medians<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>) -> Option<PureError> {
        let (mut distances, mut freedom) = (Vec::new(), 0);
        let mut ordered = Vec::new();
        let mut points = 0;
        for (weight, times) in samples.filter(|(_, times)| times.len() > 1) {
            ordered.clear();
            ordered.extend_from_slice(times);
            let (shorter, middle, longer) =
                ordered.select_nth_unstable_by((times.len() - 1) / 2, f64::total_cmp);
            // Of two, the distance is that of two times of which neither is in the middle.
            let together = if times.len() == 2 { 2.0 } else { 1.0 };
            let root = (weight / (together * times.len() as f64)).sqrt();
            distances.extend(shorter.iter().chain(&*longer).map(|time| root * (time - *middle)));
            freedom += times.len() - 1;
            points += 1;
        }
        let repetitions = 1.0 + freedom as f64 / points as f64;
        let many = std::f64::consts::FRAC_PI_2;
        let factor = many * repetitions / (repetitions + many - 1.0);
        let variance = factor * deviation(&distances).powi(2);
        (variance > 0.0 && variance.is_finite()).then_some(PureError { variance, freedom })
    }

    /// That of minima: for each sample its weight and the times whose shortest it is. What tells how much a minimum varies is how far the
    /// second shortest time lies above it, however far the others scatter: without it that one would be the shortest. The variance is
    /// that of the jackknife, ((m - 1)/m)² times the square of this gap for m times. Each sample with repetitions is one degree of
    /// freedom. None without repetitions.
    pub fn of_minima<'a>(samples: impl Iterator<Item = (f64, &'a [f64])>) -> Option<PureError> {
        let squares: Vec<f64> =
            samples.filter_map(|(weight, times)| Some(weight * gap(times)?.powi(2))).collect();
        let freedom = squares.len();
        let variance = squares.iter().sum::<f64>() / freedom as f64;
        variance.is_finite().then_some(PureError { variance, freedom })
    }
}

/// How far the second shortest of m times lies above the shortest, times (m - 1)/m; NaN counts as longest.
fn gap(times: &[f64]) -> Option<f64> {
    let (mut shortest, mut second) = (f64::INFINITY, f64::INFINITY);
    for time in times {
        if *time < shortest {
            (shortest, second) = (*time, shortest);
        } else if *time < second {
            second = *time;
        }
    }
    (second < f64::INFINITY).then_some((second - shortest) * (1.0 - 1.0 / times.len() as f64))
}

/// All that [`segment`](crate::segment()) can be told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// When the recursion stops.
    pub thresholds: Thresholds,
    /// How intervals are found.
    pub method: Method,
    /// Whether constants may be negative.
    pub sign: Sign,
    /// How much outliers count.
    pub loss: Loss,
    /// Whether a constant may have one value in several cells: each constant then has its own set aleph. Without it
    /// every cell has values of its own for all constants.
    pub sharing: bool,
    /// Scatter of repetitions that the samples no longer show.
    pub pure_error: Option<PureError>,
}

impl Default for Options {
    /// Refined intervals, sign chosen by the data, least squares, constants shared.
    fn default() -> Self {
        Options {
            thresholds: Thresholds::default(),
            method: Method::default(),
            sign: Sign::default(),
            loss: Loss::default(),
            sharing: true,
            pure_error: None,
        }
    }
}

impl From<Thresholds> for Options {
    fn from(thresholds: Thresholds) -> Self {
        Options { thresholds, ..Options::default() }
    }
}
