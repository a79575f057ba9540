use call_fit::median;

use crate::backtest::Backtest;
use crate::continuation::Continuation;
use crate::finding::WIDEST;
use crate::mixture::weighted_quantile;
use crate::{Combined, Finding, FormulaFinder, Measurements};

/// How many opinions there are: the usual formulas, the continuation of the nearest step, and the median of both and the signed formulas.
/// More settings of the search (other noise laws) as opinions of their own predict no better.
pub(crate) const COUNT: usize = 3;

/// A number for each opinion.
pub(crate) type PerOpinion = [f64; COUNT];

/// What is thought about one experiment.
#[derive(Debug, Clone)]
pub(crate) struct Opinions {
    pub usual: Finding,
    signed: Finding,
    continuation: Continuation,
}

/// What weighted opinions say about a point: logarithms of multiples of the unit of the findings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said {
    /// Their weighted median.
    pub center: f64,
    /// The half width of an interval of 90 % before it is calibrated: how far off what the opinions are made of is, and how far off
    /// the usual one thinks to be, both having a say.
    pub width: f64,
}

/// So far apart opinions are reckoned to be at least: that they agree may be chance.
const LEAST_SPREAD: f64 = 0.05;

impl Opinions {
    pub fn new(finder: &mut FormulaFinder, measurements: &Measurements) -> Opinions {
        let usual = finder.find(measurements);
        let continuation = Continuation::new(measurements, &usual.levels, usual.unit);
        Opinions { usual, signed: finder.find_signed(measurements), continuation }
    }

    /// What the usual formulas say alone.
    pub fn usual(&self, point: &[f64]) -> Combined {
        self.usual.predict(point, LEVEL)
    }

    /// The opinions about a point, and what they are made of; logarithms, where there are any.
    pub fn about(&self, point: &[f64]) -> ([Option<f64>; COUNT], Vec<f64>) {
        let [usual, continued] = [self.usual.log_value(point), self.continuation.log_value(point)];
        let mut parts: Vec<f64> =
            [usual, self.signed.log_value(point), continued].into_iter().flatten().collect();
        let middle = (!parts.is_empty()).then(|| median(&mut parts));
        ([usual, continued, middle], parts)
    }

    /// What they say together beside `usual`; none where that has nothing to say.
    pub fn at(&self, point: &[f64], usual: &Combined, weights: &PerOpinion) -> Option<Said> {
        let (values, parts) = self.about(point);
        values[0]?;
        let weighted = values.iter().zip(weights).filter_map(|(value, weight)| Some(((*value)?, *weight)));
        let center = weighted_quantile(weighted.collect(), 0.5)?;
        let half_width = ((usual.high / usual.low).ln().abs() / 2.0).min(WIDEST);
        let spread = parts.iter().map(|value| (value - center).powi(2)).sum::<f64>() / parts.len() as f64;
        let width = (half_width * (LEAST_SPREAD * LEAST_SPREAD + spread).sqrt()).sqrt();
        width.is_finite().then_some(Said { center, width })
    }

    /// The points that a backtest of these opinions tests, with the logarithms of what was measured there.
    pub fn truths<'a>(&self, backtest: &'a Backtest) -> impl Iterator<Item = (&'a [f64], f64)> {
        let unit = self.usual.unit;
        let truths = backtest.tested.iter().map(move |(point, value)| (&point[..], (value / unit).ln()));
        truths.filter(|(_, truth)| truth.is_finite())
    }
}

/// The probability of the intervals that are calibrated.
pub(crate) const LEVEL: f64 = 0.9;
