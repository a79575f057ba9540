use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::backtest::Backtest;
use crate::mixture::weighted_quantile;
use crate::opinions::{LEVEL, Opinions, PerSetting, SETTINGS};
use crate::{Combined, Finding, FormulaFinder, Measurements};

/// Experiments of one program, which are found together: how well each setting of the search predicts their largest measured values
/// from the smaller ones says which setting suits the program, and how wide its intervals have to be.
#[derive(Debug)]
pub struct Siblings {
    members: Vec<Measurements>,
    opinions: Vec<Opinions>,
    calibrations: Mutex<BTreeMap<Task, Calibration>>,
}

/// Some variables, and which of them go beyond their largest value.
type Task = (Vec<String>, Vec<bool>);

/// What the backtests of a program say.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Calibration {
    /// Of the settings.
    weights: PerSetting,
    /// Factor of the half widths on the logarithmic scale.
    widening: f64,
}

/// Errors of this size (differences of logarithms) are half as plausible as none: the scale of a Cauchy distribution of errors, which
/// lets no single kernel decide.
const SCALE: f64 = 0.1;

/// Kernels of a program err alike, so each tells less than an independent one would: the logarithm of the plausibility counts for so much.
const TEMPER: f64 = 0.3;

/// Logarithms are at most so far off: beyond, nothing gets worse.
const FARTHEST: f64 = 5.0;

/// The factor that is believed in before a backtest, and the number of kernels that this belief weighs as. A backtest has fewer points
/// to learn from than the prediction, so it exaggerates: half of its logarithm is believed.
const USUAL_WIDENING: f64 = 1.5;
const USUAL_KERNELS: f64 = 10.0;

/// How many half widths off the belief expects kernels to be, in units of the usual widening, with their shares.
const BELIEF: [(f64, f64); 4] = [(0.0, 0.4), (0.5, 0.4), (1.0, 0.15), (2.0, 0.05)];

impl Siblings {
    /// The experiments of a program. Those with the same variables inform each other.
    pub fn new(members: Vec<Measurements>) -> Siblings {
        let find = |finder: &mut FormulaFinder, member| Opinions::new(finder, member);
        let opinions = members.par_iter().map_init(FormulaFinder::new, find).collect();
        Siblings { members, opinions, calibrations: Mutex::default() }
    }

    /// How many experiments there are.
    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// What is found for an experiment alone.
    pub fn finding(&self, member: usize) -> &Finding {
        &self.opinions[member].findings[0]
    }

    /// Predicts the value of an experiment at a point with an interval of the given probability, as [`Finding::predict`] does for one
    /// experiment alone.
    pub fn predict(&self, member: usize, point: &[f64], probability: f64) -> Combined {
        let finding = self.finding(member);
        let usual = self.opinions[member].usual(point);
        let alone = if probability == LEVEL { usual } else { finding.predict(point, probability) };
        if point.len() < finding.levels.len() || finding.levels.is_empty() {
            return alone;
        }
        let is_beyond =
            |(levels, value): (&Vec<f64>, &f64)| levels.last().is_none_or(|largest| value > largest);
        let goes_beyond: Vec<bool> = finding.levels.iter().zip(point).map(is_beyond).collect();
        // The last step goes on upwards; within the data the experiment alone knows most.
        let is_below = finding.levels.iter().zip(point).any(|(levels, value)| levels.first() > Some(value));
        if is_below || self.members[member].reach(point) {
            return alone;
        }
        let calibration = self.calibration(self.members[member].variables(), goes_beyond);
        let said = self.opinions[member].at(point, &usual, &calibration.weights);
        let Some(said) = said else { return alone };
        // Other probabilities stand to this one as those of the experiment alone do.
        let ratio = (alone.high / alone.low).ln() / (usual.high / usual.low).ln();
        let ratio = if ratio.is_finite() { ratio.abs() } else { 1.0 };
        let reach = calibration.widening * said.width * if probability == LEVEL { 1.0 } else { ratio };
        finding.in_unit(said.center.exp(), (said.center - reach).exp(), (said.center + reach).exp())
    }

    fn calibration(&self, variables: &[String], goes_beyond: Vec<bool>) -> Calibration {
        let key = (variables.to_vec(), goes_beyond);
        let known = self.calibrations.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        known.unwrap_or_else(|| {
            let made = self.calibrate(variables, &key.1);
            self.calibrations.lock().unwrap_or_else(PoisonError::into_inner).insert(key, made);
            made
        })
    }

    fn calibrate(&self, variables: &[String], goes_beyond: &[bool]) -> Calibration {
        let same = self.members.par_iter().filter(|member| member.variables() == variables);
        let find = |finder: &mut FormulaFinder, backtest: Backtest| {
            let opinions = Opinions::new(finder, &backtest.kept);
            (backtest, opinions)
        };
        let backtests = same.filter_map(|member| Backtest::new(member, goes_beyond));
        let tried: Vec<(Backtest, Opinions)> = backtests.map_init(FormulaFinder::new, find).collect();
        let weights = weights(&tried);
        Calibration { weights, widening: widening(&tried, &weights) }
    }
}

/// The plausibility of each setting: the tempered product over the kernels of that of its errors, of a kernel's their mean.
fn weights(tried: &[(Backtest, Opinions)]) -> PerSetting {
    let mut losses: PerSetting = [0.0; SETTINGS.len()];
    for (backtest, opinions) in tried {
        for (setting, loss) in losses.iter_mut().enumerate() {
            let finding = &opinions.findings[setting];
            let error = |(point, value): &(Vec<f64>, f64)| {
                let said = finding.log_value(point).unwrap_or(f64::NAN);
                // What has no logarithm is as far off as can be.
                Some((said - (value / finding.unit).ln()).abs())
                    .filter(|off| *off <= FARTHEST)
                    .unwrap_or(FARTHEST)
            };
            let losses = backtest.tested.iter().map(|tested| (1.0 + (error(tested) / SCALE).powi(2)).ln());
            *loss += losses.sum::<f64>() / backtest.tested.len() as f64;
        }
    }
    let least = losses.iter().copied().fold(f64::INFINITY, f64::min);
    losses.map(|loss| (TEMPER * (least - loss)).exp())
}

/// The factor of the half widths that 90 % of the kernels need, drawn towards the usual one.
fn widening(tried: &[(Backtest, Opinions)], weights: &PerSetting) -> f64 {
    let mut needed: Vec<(f64, f64)> =
        BELIEF.iter().map(|(off, share)| (off * USUAL_WIDENING, share * USUAL_KERNELS)).collect();
    for (backtest, opinions) in tried {
        let unit = opinions.findings[0].unit;
        for (point, value) in backtest.tested.iter().filter(|(_, value)| value / unit > 0.0) {
            if let Some(said) = opinions.at(point, &opinions.usual(point), weights) {
                let off = (said.center - (value / unit).ln()).abs() / said.width;
                needed.push((off, 1.0 / backtest.tested.len() as f64));
            }
        }
    }
    let quantile = weighted_quantile(needed, LEVEL).unwrap_or(USUAL_WIDENING);
    (USUAL_WIDENING * quantile.clamp(USUAL_WIDENING / MOST, USUAL_WIDENING * MOST)).sqrt()
}

/// A widening by more than this factor says no more.
const MOST: f64 = 100.0;
