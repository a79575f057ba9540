use call_grammar::Formula;

use crate::Measurements;
use crate::finding::FoundFormulas;
use crate::pattern::{beyond, candidates};

/// So many of the models vote: the rest has little weight.
const VOTERS: usize = 12;

/// Three outcomes of a measurement that a model expects, in standard deviations, and their weights (Gauss and Hermite).
const OUTCOMES: [(f64, f64); 3] = [(-1.732_050_808, 1.0 / 6.0), (0.0, 2.0 / 3.0), (1.732_050_808, 1.0 / 6.0)];

/// A measurement to take, and what it buys.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// Where to measure, one number for each variable.
    pub point: Vec<f64>,
    /// The predicted value there: what it costs if the values are times.
    pub cost: f64,
    /// What is expected to be left of the uncertainty, as a factor: of the width of the prediction's interval at the target
    /// ([`FoundFormulas::advise`]), or of the volume of the confidence region of the constants ([`advise_formula`]).
    pub left: f64,
}

/// One model's view of a candidate and the target, on the logarithmic scale.
pub(crate) struct Voter {
    pub(crate) weight: f64,
    pub(crate) at_target: f64,
    pub(crate) variance_at_target: f64,
    pub(crate) at_candidate: f64,
    pub(crate) variance_at_candidate: f64,
    pub(crate) covariance: f64,
}

impl FoundFormulas {
    /// A point one step beyond the measured ones in every variable, in their pattern: what is usually asked for.
    pub fn beyond(&self) -> Vec<f64> {
        beyond(&self.levels)
    }

    /// Which point to measure next for a narrower prediction at the target. Candidates continue the pattern of the measured values. A
    /// measurement narrows the prediction as it tells the plausible models apart and as it fixes their constants. In order of cost;
    /// a candidate that costs more than another and buys less is left out. Empty if no model has a value at the target.
    pub fn advise(&self, target: &[f64]) -> Vec<Advice> {
        if target.len() < self.levels.len() {
            return Vec::new();
        }
        let advice = candidates(&self.measurements, &self.levels).into_iter().filter_map(|point| {
            let left = expected_left(&self.voters(&point, target))?;
            let cost = self.predict(&point, 0.5).value.abs();
            Some(Advice { point, cost, left })
        });
        worth_it(advice.collect())
    }

    fn voters(&self, point: &[f64], target: &[f64]) -> Vec<Voter> {
        let is_new = |point: &[f64]| -> Vec<bool> {
            self.levels.iter().zip(point).map(|(levels, value)| !levels.contains(value)).collect()
        };
        let (new_point, new_target) = (is_new(point), is_new(target));
        let mut voters = Vec::new();
        for model in self.models.iter().take(VOTERS) {
            let noise = model.noise(self.noise.usual).max(self.noise.floor).max(f64::EPSILON);
            let (here, there) = (model.piece(point), model.piece(target));
            let (candidate, goal) = (here.predict(point, &new_point), there.predict(target, &new_target));
            if !(candidate.value > 0.0 && goal.value > 0.0 && (candidate.value * goal.value).is_finite()) {
                continue;
            }
            let ((_, left), (_, right)) = (here.value(point), there.value(target));
            let product: f64 = left.iter().zip(&right).map(|(left, right)| left * right).sum();
            let law = |value: f64| self.noise_at(model, value);
            let is_one_piece = std::ptr::eq(here, there);
            voters.push(Voter {
                weight: model.weight,
                at_target: goal.value.ln(),
                variance_at_target: noise * (law(goal.value) + goal.constants) + goal.effects,
                at_candidate: candidate.value.ln(),
                variance_at_candidate: noise * (law(candidate.value) + candidate.constants)
                    + candidate.effects,
                covariance: if is_one_piece { noise * product / (candidate.value * goal.value) } else { 0.0 },
            });
        }
        voters
    }
}

/// The expected factor of the standard deviation at the target by a measurement at the candidate.
pub(crate) fn expected_left(voters: &[Voter]) -> Option<f64> {
    let now = deviation(voters.iter().map(|voter| (voter.weight, voter.at_target, voter.variance_at_target)));
    let total: f64 = voters.iter().map(|voter| voter.weight).sum();
    let mut after = 0.0;
    for truth in voters {
        for (outcome, share) in OUTCOMES {
            let value = truth.at_candidate + outcome * truth.variance_at_candidate.sqrt();
            let learnt = voters.iter().map(|voter| {
                let offset = (value - voter.at_candidate).powi(2) / voter.variance_at_candidate;
                let weight = voter.weight * (-offset / 2.0).exp() / voter.variance_at_candidate.sqrt();
                let explained = voter.covariance * voter.covariance / voter.variance_at_candidate;
                (weight, voter.at_target, voter.variance_at_target - explained)
            });
            after += truth.weight / total * share * deviation(learnt);
        }
    }
    let left = after / now;
    left.is_finite().then_some(left)
}

/// Standard deviation of a mixture of (weight, mean, variance).
fn deviation(parts: impl Iterator<Item = (f64, f64, f64)> + Clone) -> f64 {
    let total: f64 = parts.clone().map(|(weight, ..)| weight).sum();
    let mean: f64 = parts.clone().map(|(weight, mean, _)| weight * mean).sum::<f64>() / total;
    let square: f64 = parts.map(|(weight, part, variance)| weight * (variance + (part - mean).powi(2))).sum();
    (square / total).max(0.0).sqrt()
}

/// Which point to measure next to know the constants of a given formula better (D-optimal design): each by how much it makes the
/// volume of their confidence region smaller, with errors that grow as the predicted value to the power `exponent`: 1 where they are
/// relative, 0 where all have one size. `constants` are in the order of the terms; they give the costs.
/// In order of cost; a candidate that costs more than another and buys less is left out. `variables` gives the values of the formula's
/// variables for those of the measurements. Empty if the constants are not one for each term.
pub fn advise_formula(
    formula: &Formula,
    constants: &[f64],
    exponent: f64,
    measurements: &Measurements,
    variables: impl Fn(&[f64]) -> Vec<f64>,
) -> Vec<Advice> {
    if constants.len() != formula.terms().len() {
        return Vec::new();
    }
    let row = |point: &[f64]| -> (f64, Vec<f64>) {
        let values = variables(point);
        let terms: Vec<f64> = formula.terms().iter().map(|term| term.basis.evaluate(&values)).collect();
        let cost: f64 = terms.iter().zip(constants).map(|(term, constant)| term * constant).sum();
        let error = cost.abs().powf(exponent);
        (cost.abs(), terms.iter().map(|term| term / error).collect())
    };
    let is_usable =
        |(cost, terms): &(f64, Vec<f64>)| *cost > 0.0 && terms.iter().all(|term| term.is_finite());
    let measured: Vec<Vec<f64>> = (0..measurements.len())
        .map(|index| row(&measurements.point(index)))
        .filter(is_usable)
        .map(|(_, terms)| terms)
        .collect();
    let levels: Vec<Vec<f64>> = measurements.points.iter().map(|column| distinct(column)).collect();
    let directions = Directions::new(&measured, constants.len());
    let advice = candidates(measurements, &levels).into_iter().filter_map(|point| {
        let (cost, terms) = Some(row(&point)).filter(is_usable)?;
        Some(Advice { left: 1.0 / (1.0 + directions.leverage(&terms)).sqrt(), point, cost })
    });
    worth_it(advice.collect())
}

pub(crate) fn distinct(column: &[f64]) -> Vec<f64> {
    let mut levels = column.to_vec();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    levels
}

/// The triangle of a design: its columns scaled to the largest entry 1, reduced by Householder reflections.
struct Directions {
    scale: Vec<f64>,
    triangle: nalgebra::DMatrix<f64>,
}

/// A direction that no measurement determines counts as known to within this factor of the values: any measurement of it buys much,
/// but not infinitely much.
const UNKNOWN: f64 = 1e6;

impl Directions {
    fn new(rows: &[Vec<f64>], count: usize) -> Directions {
        let largest = |term: usize| rows.iter().map(|row| row[term].abs()).fold(0.0, f64::max);
        let scale: Vec<f64> =
            (0..count).map(largest).map(|size| if size > 0.0 { size } else { 1.0 }).collect();
        let entry = |row: usize, term: usize| match rows.get(row) {
            Some(row) => row[term] / scale[term],
            None => f64::from(u8::from(row - rows.len() == term)) / UNKNOWN,
        };
        let design = nalgebra::DMatrix::from_fn(rows.len() + count, count, entry);
        Directions { triangle: design.qr().r(), scale }
    }

    /// |R⁻ᵀ row|², the variance of the value in units of the noise.
    fn leverage(&self, row: &[f64]) -> f64 {
        let scaled = row.iter().zip(&self.scale).map(|(term, scale)| term / scale);
        let scaled = nalgebra::DVector::from_iterator(self.scale.len(), scaled);
        self.triangle.tr_solve_upper_triangular(&scaled).map_or(0.0, |solution| solution.norm_squared())
    }
}

/// In order of cost, each buying more than all that cost less.
pub(crate) fn worth_it(mut advice: Vec<Advice>) -> Vec<Advice> {
    advice.sort_by(|left, right| left.cost.total_cmp(&right.cost).then(left.left.total_cmp(&right.left)));
    let mut best = 1.0;
    advice.retain(|advice| {
        let buys = advice.left < best;
        if buys {
            best = advice.left;
        }
        buys
    });
    advice
}
