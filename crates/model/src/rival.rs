use call_fit::Fit;
use call_grammar::Expression;

use crate::Model;
use crate::candidate::Candidate;
use crate::information::information;
use crate::mixture::Component;
use crate::noise::quadratic;
use crate::sampled::Sampled;

/// What formulas with one more term may claim together before the samples have spoken; the rest is the formula's, as its author has
/// thought about the program.
const RIVALS_CLAIM: f64 = 0.2;

/// The formula with one more term, fitted to the samples of a cell.
#[derive(Debug, Clone)]
pub(crate) struct Rival {
    basis: Expression,
    fit: Fit,
    /// How probable it is, among all rivals and the formula itself.
    pub(crate) probability: f64,
}

impl Rival {
    /// What it says about a measurement at a point where the formula's own terms have these values; nothing where it is not finite.
    /// No time is below zero: a rival that says so is wrong there.
    pub(crate) fn opinion(
        &self,
        point: &[f64],
        basis: &[f64],
        scale: impl Fn(f64) -> f64,
    ) -> Option<Component> {
        let mut basis = basis.to_vec();
        basis.push(self.basis.evaluate(point));
        let time_s: f64 = basis.iter().zip(&self.fit.coefficients).map(|(basis, value)| basis * value).sum();
        let of_constants = quadratic(&self.fit.covariance, &basis).max(0.0);
        let of_noise = (self.fit.residual_standard_error * scale(time_s)).powi(2);
        let deviation_s = (of_constants + of_noise).sqrt();
        let freedom = (self.fit.samples_used - self.fit.rank) as f64;
        (time_s.is_finite() && deviation_s.is_finite()).then_some(Component {
            probability: self.probability,
            time_s: time_s.max(0.0),
            deviation_s,
            freedom,
        })
    }
}

/// Less probable formulas change no interval.
const NEGLIGIBLE: f64 = 1e-6;

/// The samples of the other cells, and what the model makes of them.
#[derive(Debug, Clone)]
pub(crate) struct Elsewhere {
    rows: Vec<usize>,
    residual_sum: f64,
    parameters: usize,
}

impl Elsewhere {
    pub(crate) fn than(cell: usize, model: &Model, sampled: &Sampled) -> Elsewhere {
        let rows: Vec<usize> = (0..sampled.len()).filter(|row| sampled.cell[*row] != cell).collect();
        let others = model.cells().iter().enumerate().filter(|(index, _)| *index != cell);
        Elsewhere {
            residual_sum: rows.iter().map(|row| sampled.scaled_residual(*row).powi(2)).sum(),
            rows,
            // A border each beside the constants.
            parameters: others.map(|(_, cell)| cell.fit.rank + 1).sum(),
        }
    }
}

/// The rivals of the formula in a cell: one more term there, or one more term everywhere and no cells at all. How probable a rival
/// is follows from the Bayesian information criterion of all samples: exp(-BIC / 2) times what it could claim before (Raftery
/// 1995). Rivals that are out of the question are left out.
pub(crate) fn rivals_of(
    candidates: &[Candidate],
    sampled: &Sampled,
    rows: &[usize],
    elsewhere: &Elsewhere,
) -> Vec<Rival> {
    let Some(plain) = sampled.fit(rows, &[]) else { return Vec::new() };
    let mut all: Vec<usize> = rows.iter().chain(&elsewhere.rows).copied().collect();
    all.sort_unstable();
    let rounding = sampled.rounding(&all);
    let evidence =
        |residual_sum: f64, parameters: usize| information(all.len(), residual_sum.max(rounding), parameters);
    let here = |fit: &Fit| {
        evidence(fit.residual_sum_of_squares + elsewhere.residual_sum, fit.rank + elsewhere.parameters)
    };
    let own = here(&plain);
    let mut rivals: Vec<(Rival, f64)> = Vec::new();
    for candidate in candidates {
        let column: Vec<f64> =
            (0..sampled.len()).map(|row| candidate.basis.evaluate(&sampled.point(row))).collect();
        let mut add = |fit: Option<Fit>, rank: usize, evidence: &dyn Fn(&Fit) -> f64| {
            let Some(fit) = fit.filter(|fit| fit.rank > rank && fit.samples_dropped == 0) else { return };
            let evidence = evidence(&fit);
            if evidence < f64::MAX && fit.samples_used > fit.rank {
                rivals.push((Rival { basis: candidate.basis.clone(), fit, probability: 0.0 }, evidence));
            }
        };
        add(sampled.fit(rows, &[&column]), plain.rank, &here);
        if !elsewhere.rows.is_empty() {
            let everywhere = |fit: &Fit| evidence(fit.residual_sum_of_squares, fit.rank);
            add(sampled.fit(&all, &[&column]), plain.rank, &everywhere);
        }
    }
    // Relative to the best, so that no exponential overflows.
    let best = rivals.iter().map(|(_, evidence)| *evidence).fold(own, f64::min);
    let claim = RIVALS_CLAIM / rivals.len() as f64;
    let weight = |evidence: f64, claim: f64| claim * ((best - evidence) / 2.0).exp();
    let total = weight(own, 1.0 - RIVALS_CLAIM)
        + rivals.iter().map(|(_, evidence)| weight(*evidence, claim)).sum::<f64>();
    let probable = rivals.into_iter().map(|(rival, evidence)| {
        let probability = weight(evidence, claim) / total;
        Rival { probability, ..rival }
    });
    probable.filter(|rival| rival.probability > NEGLIGIBLE).collect()
}
