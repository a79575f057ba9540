use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::backtest::{Backtest, held_back};
use crate::experts::{Experts, LEVEL, PerExpert};
use crate::mixture::{Component, quantile, weighted_quantile};
use crate::shares::{plausibility, shares, weights};
use crate::{Combined, FormulaFinder, FoundFormulas, Measurements};

/// Experiments of one program, which are found together: how well each expert predicts their largest measured values from the smaller
/// ones says which one they follow, and how wide their intervals have to be.
#[derive(Debug)]
pub struct Siblings {
    members: Vec<Measurements>,
    experts: Vec<Experts>,
    calibrations: Mutex<BTreeMap<HoldOut, Arc<Calibration>>>,
}

/// Some variables, and how many of their largest values are held back to learn about such predictions.
type HoldOut = (Vec<String>, Vec<usize>);

/// What the backtests of a program say.
#[derive(Debug)]
struct Calibration {
    /// Of the experts, for each of the experiments.
    weights: Vec<PerExpert>,
    /// Factor of the half widths on the logarithmic scale.
    widening: f64,
}

/// What the experts predict of what was held back of an experiment.
type Tried = Vec<(Backtest, Experts)>;

/// The factor that is believed in before a backtest, and the number of kernels that this belief weighs as. A backtest has fewer points
/// to learn from than the prediction, so it exaggerates: half of its logarithm is believed.
const USUAL_WIDENING: f64 = 1.5;
const USUAL_KERNELS: f64 = 10.0;

/// How many half widths off the belief expects kernels to be, in units of the usual widening, with their shares.
const BELIEF: [(f64, f64); 4] = [(0.0, 0.4), (0.5, 0.4), (1.0, 0.15), (2.0, 0.05)];

impl Siblings {
    /// The experiments of a program. Those with the same variables inform each other.
    pub fn new(members: Vec<Measurements>) -> Siblings {
        let find = |finder: &mut FormulaFinder, member| Experts::new(finder, member);
        let experts = members.par_iter().map_init(FormulaFinder::new, find).collect();
        Siblings { members, experts, calibrations: Mutex::default() }
    }

    /// How many experiments there are.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// What is found for an experiment alone.
    pub fn finding(&self, member: usize) -> &FoundFormulas {
        &self.experts[member].usual
    }

    /// Predicts the value of an experiment at a point with an interval of the given probability, as [`FoundFormulas::predict`] does for one
    /// experiment alone.
    pub fn predict(&self, member: usize, point: &[f64], probability: f64) -> Combined {
        let finding = self.finding(member);
        let alone = || finding.predict(point, probability);
        if self.is_alone(member, point) {
            return alone();
        }
        let usual = self.experts[member].usual(point);
        let calibration =
            self.calibration(self.members[member].variables(), held_back(&finding.levels, point));
        let together = self.experts[member].at(point, &usual, &calibration.weights[member]);
        let Some(together) = together else { return alone() };
        // Other probabilities stand to this one as those of the experiment alone do.
        let ratio = || {
            let asked = finding.predict_folded(point, probability);
            let ratio = (asked.high / asked.low).ln() / (usual.high / usual.low).ln();
            if ratio.is_finite() { ratio.abs() } else { 1.0 }
        };
        let folded = calibration.widening * together.width * if probability == LEVEL { 1.0 } else { ratio() };
        let reach = folded.hypot(reach_of_normal(finding.measurements.single_variance, probability));
        finding.in_unit(
            together.center.exp(),
            (together.center - reach).exp(),
            (together.center + reach).exp(),
        )
    }

    /// Whether what is found for an experiment alone predicts a point. The last step goes on upwards; within the data the experiment alone knows
    /// most.
    pub(crate) fn is_alone(&self, member: usize, point: &[f64]) -> bool {
        let finding = self.finding(member);
        let is_below =
            || finding.levels.iter().zip(point).any(|(levels, value)| levels.first() > Some(value));
        point.len() < finding.levels.len()
            || finding.levels.is_empty()
            || finding.is_exact()
            || is_below()
            || self.members[member].reach(point)
    }

    fn calibration(&self, variables: &[String], held_back: Vec<usize>) -> Arc<Calibration> {
        let key = (variables.to_vec(), held_back);
        let known = self.calibrations.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            let made = Arc::new(self.calibrate(variables, &key.1));
            self.calibrations.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&made));
            made
        })
    }

    /// Experiments with other variables have no backtests.
    fn calibrate(&self, variables: &[String], held_back: &[usize]) -> Calibration {
        let try_out = |finder: &mut FormulaFinder, member: &Measurements| -> Tried {
            let same = member.variables() == variables;
            let backtests = if same { Backtest::all(member, held_back) } else { Vec::new() };
            let with_experts = |backtest: Backtest| {
                let experts = Experts::new(finder, &backtest.kept);
                (backtest, experts)
            };
            backtests.into_iter().map(with_experts).collect()
        };
        let tried: Vec<Tried> = self.members.par_iter().map_init(FormulaFinder::new, try_out).collect();
        let plausibilities: Vec<PerExpert> = tried.iter().map(|tried| plausibility(tried)).collect();
        let shares = shares(&plausibilities);
        let weights: Vec<PerExpert> = plausibilities.iter().map(|own| weights(&shares, own)).collect();
        let widening = widening(&tried, &weights);
        Calibration { weights, widening }
    }
}

/// So far about their center are numbers with that variance with the given probability.
fn reach_of_normal(variance: f64, probability: f64) -> f64 {
    // Of the least and the largest probability a quantile would be infinite.
    let share = (1.0 + probability.clamp(0.0, 1.0 - 1e-9)) / 2.0;
    let normal = Component { weight: 1.0, center: 0.0, scale: variance.sqrt(), freedom: usize::MAX };
    if variance > 0.0 { quantile(&[normal], share) } else { 0.0 }
}

/// The factor of the half widths that 90 % of the kernels need, drawn towards the usual one.
fn widening(tried: &[Tried], weights: &[PerExpert]) -> f64 {
    let mut needed: Vec<(f64, f64)> =
        BELIEF.iter().map(|(off, share)| (off * USUAL_WIDENING, share * USUAL_KERNELS)).collect();
    for (tried, weights) in tried.iter().zip(weights) {
        let points: usize = tried.iter().map(|(backtest, _)| backtest.tested.len()).sum();
        for (backtest, experts) in tried {
            for (point, truth) in experts.truths(backtest) {
                if let Some(together) = experts.at(point, &experts.usual(point), weights) {
                    needed.push(((together.center - truth).abs() / together.width, 1.0 / points as f64));
                }
            }
        }
    }
    let quantile = weighted_quantile(needed, LEVEL).unwrap_or(USUAL_WIDENING);
    (USUAL_WIDENING * quantile.clamp(USUAL_WIDENING / MOST, USUAL_WIDENING * MOST)).sqrt()
}

/// A widening by more than this factor says no more.
const MOST: f64 = 100.0;
