use crate::Measurements;
use crate::evidence::{NoiseBelief, WeightedValues};
use crate::families::Families;
use crate::finding::{FoundFormulas, SourceVerdict};
use crate::fitted::Fitted;
use crate::forward::OCCAMS_WINDOW;
use crate::grid::ShapeGrid;
use crate::laws::under_root_law;

/// So many models are kept. Of four points dozens are plausible, and what the last of them say widens the interval.
const MOST_MODELS: usize = 64;

/// So many of the best are tried under both noise laws.
const BOTH_LAWS: usize = 16;

/// The odds that what the source says of the terms holds for the times, before they are seen: a cache or a data-dependent cost of an
/// operation can be otherwise.
const SOURCE_HOLDS: f64 = 20.0;

/// Values less than this share of the largest one are as good as 0.
const NOTHING: f64 = 1e-12;

/// Finds formulas, one set of measurements after the other. What only depends on the points is kept for the next set, so that
/// experiments that were measured at the same points share it.
#[derive(Debug, Clone, Default)]
pub struct FormulaFinder {
    grid: Option<ShapeGrid>,
}

impl FormulaFinder {
    /// A finder.
    pub fn new() -> FormulaFinder {
        FormulaFinder::default()
    }

    /// The formulas that explain the measurements, each with its probability. The same measurements give the same formulas.
    pub fn find(&mut self, measurements: &Measurements) -> FoundFormulas {
        self.search(measurements, false)
    }

    /// The same where constants may be negative, as surfaces and halos want (`a*cbrt(N) - b`). The value of a model stays positive, where
    /// there are measurements and where the variables are larger.
    pub(crate) fn find_signed(&mut self, measurements: &Measurements) -> FoundFormulas {
        self.search(measurements, true)
    }

    /// What the source allows, unless the measurements say clearly that it is otherwise.
    fn search(&mut self, measurements: &Measurements, signed: bool) -> FoundFormulas {
        let limited = self.search_within(measurements, signed);
        if measurements.source.is_none() {
            return limited;
        }
        let free = Measurements { source: None, ..measurements.clone() };
        let mut free = self.search_within(&free, signed);
        if free.log_evidence - limited.log_evidence < SOURCE_HOLDS.ln() {
            return FoundFormulas { source: SourceVerdict::Followed, ..limited };
        }
        free.source = SourceVerdict::Contradicted;
        free
    }

    fn search_within(&mut self, measurements: &Measurements, signed: bool) -> FoundFormulas {
        let (mut values, unit) = prepare(measurements);
        values.signed = signed;
        let mut finding = FoundFormulas::nothing(measurements, unit, values.noise);
        if values.weights.is_empty() {
            return finding;
        }
        let grid = match self.grid.take() {
            Some(grid) if grid.is_of(measurements) => grid,
            _ => ShapeGrid::new(measurements),
        };
        let mut families = Families::new(&grid, &values);
        families.whole();
        families.without_disturbed();
        families.last_interval();
        let mut models = families.models;
        models.sort_by(|left, right| right.log_weight.total_cmp(&left.log_weight));
        if !signed {
            let root = values.under_root_law();
            let twins: Vec<Fitted> = models
                .iter()
                .take(BOTH_LAWS)
                .filter_map(|model| under_root_law(&grid, &root, model))
                .collect();
            models.extend(twins);
        }
        models.sort_by(|left, right| right.log_weight.total_cmp(&left.log_weight));
        let best = models.first().map_or(0.0, |model| model.log_weight);
        models.retain(|model| model.log_weight > best - OCCAMS_WINDOW);
        models.truncate(MOST_MODELS);
        let total: f64 = models.iter().map(|model| (model.log_weight - best).exp()).sum();
        for model in &mut models {
            model.weight = (model.log_weight - best).exp() / total;
        }
        let all: Vec<usize> = (0..measurements.len()).collect();
        finding.levels = (0..grid.variables()).map(|variable| grid.levels(variable, &all)).collect();
        finding.models = models;
        finding.log_evidence = best + total.ln();
        finding.typical = values.typical();
        self.grid = Some(grid);
        finding
    }
}

/// The values in units of the largest one, which is the second result, with the sign that most of them have; and relative weights: timings span decades, and their noise grows
/// with them. A 0 weighs as the smallest value that is none. Without a value beside 0 there are no weights.
pub(crate) fn prepare(measurements: &Measurements) -> (WeightedValues, f64) {
    let signs = |value: &f64| if *value == 0.0 { 0.0 } else { value.signum() };
    let sign = if measurements.values.iter().map(signs).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let largest = measurements.values.iter().map(|value| sign * value).fold(0.0, f64::max);
    let unit = if largest > 0.0 { sign * largest } else { sign };
    let values: Vec<f64> = measurements.values.iter().map(|value| without_rounding(value / unit)).collect();
    let smallest = values.iter().copied().filter(|value| *value > NOTHING).fold(f64::INFINITY, f64::min);
    let weights = if smallest.is_finite() {
        values.iter().map(|value| 1.0 / value.abs().max(smallest)).collect()
    } else {
        Vec::new()
    };
    let noise = NoiseBelief::new(measurements.pure_error);
    (WeightedValues { values, weights, noise, signed: false, source: measurements.source.clone() }, unit)
}

/// Without the last bits, in which a change of the unit shows: seconds and milliseconds give the same formulas.
fn without_rounding(value: f64) -> f64 {
    const LAST: u64 = 1 << 14;
    f64::from_bits((value.to_bits() + LAST / 2) & !(LAST - 1))
}

/// Finds the formulas of one set of measurements.
pub fn find(measurements: &Measurements) -> FoundFormulas {
    FormulaFinder::new().find(measurements)
}
