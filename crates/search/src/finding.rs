use crate::Measurements;
use crate::beyond::LawChange;
use crate::departure::Departure;
use crate::evidence::NoiseBelief;
use crate::families::{DISTURBANCE, disturbance_rate};
use crate::fitted::Fitted;
use crate::mixture::{Component, median, quantile};

/// The formulas that explain some measurements, the most plausible first.
#[derive(Debug, Clone)]
pub struct FoundFormulas {
    pub(crate) measurements: Measurements,
    pub(crate) models: Vec<Fitted>,
    /// The values of each variable that were measured.
    pub(crate) levels: Vec<Vec<f64>>,
    /// What the values of the models are multiples of: the largest measured one, with the sign that most of them have.
    pub(crate) unit: f64,
    pub(crate) noise: NoiseBelief,
    /// The value at which the noise laws agree.
    pub(crate) typical: f64,
    /// The logarithm of how plausible the measurements are, all models together.
    pub(crate) log_evidence: f64,
    pub(crate) source: SourceVerdict,
}

/// What became of what the source says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SourceVerdict {
    /// It says nothing.
    #[default]
    Silent,
    /// Only terms that it allows were candidates.
    Followed,
    /// The measurements are much more plausible with others, which were taken.
    Contradicted,
}

/// Parts of a prediction with less weight are left out.
const LEAST_WEIGHT: f64 = 1e-3;

/// The value is predicted by the parts with at least this share of the weight of the most plausible one (Occam's window of Madigan and
/// Raftery, JASA 1994). The many less plausible ones tell how far off it may be, but on which side they lie is chance.
const WINDOW_OF_VALUE: f64 = 0.05;

/// The value lies within so much of the middle of the mixture of all models.
const MIDDLE: f64 = 0.9;

/// Bounds are at most so far from the value, as a difference of logarithms: a factor of a million says that nothing is known as well as
/// infinity does, which points beside each other would meet by chance.
pub(crate) const WIDEST: f64 = 13.815_510_557_964_274;

/// What all plausible models together say about a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combined {
    /// The value that half of the more plausible models, by their weights, are below; has the sign of most of the measurements. NaN if no model
    /// has a value there, or if there were no measurements.
    pub value: f64,
    /// Lower end of the interval that holds a new measurement (folded as those of the data, or a single one: [`Measurements::for_single`])
    /// with the given probability: noise,
    /// disturbances, uncertainty of the constants, of the formula, of values of a variable that were not measured, and beyond the data
    /// the chance that another law holds there.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl FoundFormulas {
    pub(crate) fn nothing(measurements: &Measurements, unit: f64, noise: NoiseBelief) -> FoundFormulas {
        FoundFormulas {
            measurements: measurements.clone(),
            models: Vec::new(),
            levels: Vec::new(),
            unit,
            noise,
            typical: 1.0,
            log_evidence: f64::NEG_INFINITY,
            source: SourceVerdict::Silent,
        }
    }

    /// What became of what the source says about the terms.
    pub fn source(&self) -> SourceVerdict {
        self.source
    }

    /// What was measured, with repetitions folded.
    pub fn measurements(&self) -> &Measurements {
        &self.measurements
    }

    /// The logarithm of how plausible the measurements are, all models together. It tells which of two numbers that were measured at the same
    /// points, with relative noise each, has the plainer law.
    pub fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// Predicts the value at a point (one number for each variable, in their order) with an interval of the given probability, such
    /// as 0.9.
    pub fn predict(&self, point: &[f64], probability: f64) -> Combined {
        self.predict_with(point, probability, self.measurements.single_variance)
    }

    /// The same for a new measurement that is folded as those of the data are.
    pub(crate) fn predict_folded(&self, point: &[f64], probability: f64) -> Combined {
        self.predict_with(point, probability, 0.0)
    }

    fn predict_with(&self, point: &[f64], probability: f64, single_variance: f64) -> Combined {
        let nothing = |value: f64| Combined { value, low: value, high: value };
        if point.len() < self.levels.len() {
            return nothing(f64::NAN);
        }
        if self.models.is_empty() {
            return nothing(if self.measurements.is_empty() { f64::NAN } else { 0.0 });
        }
        let Some((center, components)) = self.mixture(point, single_variance) else {
            return nothing(f64::NAN);
        };
        let probability = probability.clamp(0.0, 1.0);
        let bound = |share: f64| quantile(&components, share);
        // Of a probability near 0 the interval may lie beside the value, which is no median of the mixture.
        let low = bound((1.0 - probability) / 2.0).min(center).max(center - WIDEST);
        let high = bound((1.0 + probability) / 2.0).max(center).min(center + WIDEST);
        self.in_unit(center.exp(), low.exp(), high.exp())
    }

    /// The logarithm of the value, and what its errors are distributed as. The value is that of the likely models, and within the
    /// middle of what all of them say.
    fn mixture(&self, point: &[f64], single_variance: f64) -> Option<(f64, Vec<Component>)> {
        let components = self.components(point, single_variance);
        if components.is_empty() {
            return None;
        }
        let center = likely_center(&components);
        let components = self.with_surprises(components, center, point);
        let [low, high] = [1.0 - MIDDLE, 1.0 + MIDDLE].map(|twice| quantile(&components, twice / 2.0));
        Some((center.min(high).max(low), components))
    }

    /// The logarithm of the value of [`FoundFormulas::predict`], in the finding's unit.
    pub(crate) fn log_value(&self, point: &[f64]) -> Option<f64> {
        if self.models.is_empty() || point.len() < self.levels.len() {
            return None;
        }
        self.mixture(point, 0.0).map(|(center, _)| center)
    }

    /// Whether the values are more likely exact than noisy: counts, or made by a formula, which then holds beyond them.
    pub(crate) fn is_exact(&self) -> bool {
        self.models.iter().map(|model| model.weight * (1.0 - model.noisy)).sum::<f64>() > 0.5
    }

    /// Positive multiples of the finding's unit as values.
    pub(crate) fn in_unit(&self, value: f64, low: f64, high: f64) -> Combined {
        let (low, high) = if self.unit < 0.0 { (high, low) } else { (low, high) };
        Combined { value: self.unit * value, low: self.unit * low, high: self.unit * high }
    }

    /// The variance of the noise at a value, relative to the value, in units of that at a typical value. Beyond the largest measured
    /// value it falls no further: longer runs meet disturbances that shorter ones did not show.
    pub(crate) fn noise_at(&self, model: &Fitted, value: f64) -> f64 {
        model.law.variance(self.typical, value.min(1.0))
    }

    /// What the models say about a point on the logarithmic scale, as noise of timings is relative and times are positive; by that variance
    /// a measurement scatters more than those of the data.
    fn components(&self, point: &[f64], single_variance: f64) -> Vec<Component> {
        let is_new: Vec<bool> =
            self.levels.iter().zip(point).map(|(levels, value)| !levels.contains(value)).collect();
        let mut components: Vec<Component> = Vec::with_capacity(2 * self.models.len());
        let likely_pieces = self.models.iter().flat_map(|model| {
            let pieces = model.likely_pieces(point, &self.levels).into_iter();
            pieces.map(move |(likely, piece)| (model, likely, piece))
        });
        for (model, likely, piece) in likely_pieces {
            let spread = piece.predict(point, &is_new);
            if !(spread.value > 0.0 && spread.value.is_finite() && spread.constants.is_finite()) {
                continue;
            }
            let departure = Departure::of(model, &self.measurements, self.unit, point).unwrap_or_default();
            for (share, prior) in [(model.noisy, 1usize), (1.0 - model.noisy, 0)] {
                let freedom = (model.freedom + prior).max(1);
                let variance = (model.squares + prior as f64 * self.noise.usual) / freedom as f64;
                let law = self.noise_at(model, spread.value);
                let variance = variance.max(self.noise.floor).max(f64::EPSILON) * (law + spread.constants);
                let total = variance + spread.effects + single_variance * law;
                // Welch and Satterthwaite: the freedom of a sum of variances. Repetitions are many: what single ones add is known.
                let shares = (variance / total).powi(2) / freedom as f64
                    + (spread.effects / total).powi(2) / spread.effects_freedom as f64;
                let usual = Component {
                    weight: model.weight * likely * share * (1.0 - departure.probability),
                    center: spread.value.ln(),
                    scale: total.sqrt(),
                    freedom: (1.0 / shares).round().max(1.0) as usize,
                };
                components.push(usual);
                components.push(Component {
                    weight: model.weight * likely * share * departure.probability,
                    center: usual.center + departure.shift,
                    scale: total.sqrt().hypot(departure.uncertainty),
                    ..usual
                });
            }
        }
        // Less moves no bound of an interval that is worth a look.
        components.retain(|part| part.weight > LEAST_WEIGHT);
        let total: f64 = components.iter().map(|part| part.weight).sum();
        components.iter_mut().for_each(|part| part.weight /= total);
        components
    }

    /// A new measurement may be disturbed as those of the data may have been, and beyond the data another law may hold.
    fn with_surprises(&self, mut components: Vec<Component>, center: f64, point: &[f64]) -> Vec<Component> {
        let change = LawChange::at(point, &self.levels, &self.models);
        let found: f64 = self.models.iter().map(|model| model.weight * model.disturbed.len() as f64).sum();
        let rate = disturbance_rate(found, self.measurements.len());
        for (probability, scale) in [(change.probability, change.reach), (rate, DISTURBANCE.ln())] {
            if probability > 0.0 && scale > 0.0 {
                components.iter_mut().for_each(|part| part.weight *= 1.0 - probability);
                components.push(Component { weight: probability, center, scale, freedom: 0 });
            }
        }
        components
    }
}

/// The weighted median of the centers of the more plausible parts.
fn likely_center(components: &[Component]) -> f64 {
    let most = components.iter().map(|part| part.weight).fold(0.0, f64::max);
    let likely = components.iter().filter(|part| part.weight >= WINDOW_OF_VALUE * most);
    median(&likely.copied().collect::<Vec<Component>>())
}
