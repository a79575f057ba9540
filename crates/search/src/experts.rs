use call_fit::median;

use crate::backtest::Backtest;
use crate::continuation::Continuation;
use crate::finding::WIDEST;
use crate::mixture::weighted_quantile;
use crate::{Combined, FormulaFinder, FoundFormulas, Measurements};

/// How many experts there are: the usual formulas, the continuation of the nearest step, and the median of both and the signed formulas.
/// More settings of the search (other noise laws) as experts of their own predict no better.
pub(crate) const COUNT: usize = 3;

/// A number for each expert.
pub(crate) type PerExpert = [f64; COUNT];

/// Ways to predict one experiment, none of which is right for all (a mixture of experts).
#[derive(Debug, Clone)]
pub(crate) struct Experts {
    pub usual: FoundFormulas,
    signed: FoundFormulas,
    continuation: Continuation,
}

/// What weighted experts predict at a point: logarithms of multiples of the unit of the findings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExpertsPrediction {
    /// Their weighted median.
    pub center: f64,
    /// The half width of an interval of 90 % before it is calibrated: how far off what the experts are made of is, and how far off
    /// the usual one thinks to be, both having a say.
    pub width: f64,
}

/// So far apart experts are reckoned to be at least: that they agree may be chance.
const LEAST_SPREAD: f64 = 0.05;

impl Experts {
    pub fn new(finder: &mut FormulaFinder, measurements: &Measurements) -> Experts {
        let usual = finder.find(measurements);
        let continuation = Continuation::new(measurements, &usual.levels, usual.unit);
        Experts { usual, signed: finder.find_signed(measurements), continuation }
    }

    /// What the usual formulas say alone of what is folded as the measurements are, which backtests are measured by.
    pub fn usual(&self, point: &[f64]) -> Combined {
        self.usual.predict_folded(point, LEVEL)
    }

    /// What each predicts at a point, and what they are made of; logarithms, where there are any.
    pub fn about(&self, point: &[f64]) -> ([Option<f64>; COUNT], Vec<f64>) {
        let [usual, continued] = [self.usual.log_value(point), self.continuation.log_value(point)];
        let mut parts: Vec<f64> =
            [usual, self.signed.log_value(point), continued].into_iter().flatten().collect();
        let middle = (!parts.is_empty()).then(|| median(&mut parts));
        ([usual, continued, middle], parts)
    }

    /// What they predict together beside `usual`; none where that predicts nothing.
    pub fn at(&self, point: &[f64], usual: &Combined, weights: &PerExpert) -> Option<ExpertsPrediction> {
        let (values, parts) = self.about(point);
        values[0]?;
        let weighted = values.iter().zip(weights).filter_map(|(value, weight)| Some(((*value)?, *weight)));
        let center = weighted_quantile(weighted.collect(), 0.5)?;
        let half_width = ((usual.high / usual.low).ln().abs() / 2.0).min(WIDEST);
        let spread = parts.iter().map(|value| (value - center).powi(2)).sum::<f64>() / parts.len() as f64;
        let width = (half_width * (LEAST_SPREAD * LEAST_SPREAD + spread).sqrt()).sqrt();
        width.is_finite().then_some(ExpertsPrediction { center, width })
    }

    /// The points that a backtest of these experts tests, with the logarithms of what was measured there.
    pub fn truths<'a>(&self, backtest: &'a Backtest) -> impl Iterator<Item = (&'a [f64], f64)> {
        let unit = self.usual.unit;
        let truths = backtest.tested.iter().map(move |(point, value)| (&point[..], (value / unit).ln()));
        truths.filter(|(_, truth)| truth.is_finite())
    }
}

/// The probability of the intervals that are calibrated.
pub(crate) const LEVEL: f64 = 0.9;
