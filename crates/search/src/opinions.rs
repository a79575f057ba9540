use call_fit::median;

use crate::continuation::Continuation;
use crate::finding::WIDEST;
use crate::fitted::NoiseLaw;
use crate::mixture::weighted_quantile;
use crate::{Combined, Finding, FormulaFinder, Measurements, Setting};

/// The settings of which the kernels of a program choose together. Ten, with each sign and each noise law, choose no better.
pub(crate) const SETTINGS: [Setting; 3] = [
    Setting::USUAL,
    Setting { signed: true, noise: NoiseLaw::Relative },
    Setting { signed: true, noise: NoiseLaw::Root },
];

/// A number for each setting.
pub(crate) type PerSetting = [f64; SETTINGS.len()];

/// What is found for one experiment under each setting, and how its last step goes on.
#[derive(Debug, Clone)]
pub(crate) struct Opinions {
    pub findings: [Finding; SETTINGS.len()],
    continuation: Continuation,
}

/// The opinions about a point: logarithms of multiples of the unit of the findings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said {
    /// Their median: of the setting that the siblings choose, the usual one (which counts twice), the signed one and the continuation.
    pub center: f64,
    /// The half width of an interval of 90 % before it is calibrated: how far the opinions are apart, and how far off the usual one
    /// thinks to be, both having a say.
    pub width: f64,
}

/// So far apart opinions are reckoned to be at least: that they agree may be chance.
const LEAST_SPREAD: f64 = 0.05;

impl Opinions {
    pub fn new(finder: &mut FormulaFinder, measurements: &Measurements) -> Opinions {
        let findings = SETTINGS.map(|setting| finder.find_with(measurements, setting));
        let usual = &findings[0];
        let continuation = Continuation::new(measurements, &usual.levels, usual.unit);
        Opinions { findings, continuation }
    }

    /// What the usual setting says alone.
    pub fn usual(&self, point: &[f64]) -> Combined {
        self.findings[0].predict(point, LEVEL)
    }

    /// What they say beside `usual`; none where that setting has nothing to say.
    pub fn at(&self, point: &[f64], usual: &Combined, weights: &PerSetting) -> Option<Said> {
        let values: [Option<f64>; SETTINGS.len()] =
            std::array::from_fn(|setting| self.findings[setting].log_value(point));
        let chosen = values
            .iter()
            .zip(weights)
            .filter_map(|(value, weight)| Some((value.as_ref().copied()?, *weight)));
        let chosen = weighted_quantile(chosen.collect(), 0.5)?;
        let opinions = [Some(chosen), values[0], values[0], values[1], self.continuation.log_value(point)];
        let mut opinions: Vec<f64> = opinions.into_iter().flatten().collect();
        let half_width = ((usual.high / usual.low).ln().abs() / 2.0).min(WIDEST);
        let mean = opinions.iter().sum::<f64>() / opinions.len() as f64;
        let spread = opinions.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / opinions.len() as f64;
        let width = (half_width * (LEAST_SPREAD * LEAST_SPREAD + spread).sqrt()).sqrt();
        let center = median(&mut opinions);
        (values[0].is_some() && width.is_finite()).then_some(Said { center, width })
    }
}

/// The probability of the intervals that are calibrated.
pub(crate) const LEVEL: f64 = 0.9;
