use call_fit::Fit;
use rayon::prelude::*;

use crate::Model;
use crate::candidate::CandidateTerm;
use crate::information::information;
use crate::mixture::MixtureComponent;
use crate::noise::quadratic;
use crate::sampled::Sampled;

/// Prior probability of all formulas with one more term together; the rest is the formula's, as its author has thought about the
/// program.
const PRIOR_OF_RIVALS: f64 = 0.2;

/// The formula with one more term, fitted to the samples of a cell.
#[derive(Debug, Clone)]
pub(crate) struct Rival {
    /// Its further term.
    pub(crate) term: CandidateTerm,
    /// How probable it is, among all rivals and the formula itself.
    pub(crate) probability: f64,
    /// Those of the formula's terms, and of the further one.
    pub(crate) constants: Vec<f64>,
    pub(crate) covariance: Vec<f64>,
    pub(crate) residual_standard_error: f64,
    pub(crate) freedom: f64,
}

impl Rival {
    fn new(term: &CandidateTerm, fit: Fit) -> Rival {
        Rival {
            term: term.clone(),
            probability: 0.0,
            freedom: (fit.samples_used - fit.rank) as f64,
            residual_standard_error: fit.residual_standard_error,
            constants: fit.coefficients,
            covariance: fit.covariance,
        }
    }

    /// What it predicts of a measurement at a point where the formula's own terms have these values; nothing where it is not finite.
    /// Nor where it predicts no positive time: there it is wrong for certain.
    pub(crate) fn component(
        &self,
        point: &[f64],
        basis: &[f64],
        scale: impl Fn(f64) -> f64,
    ) -> Option<MixtureComponent> {
        let mut basis = basis.to_vec();
        basis.push(self.term.basis.evaluate(point));
        let time_s: f64 = basis.iter().zip(&self.constants).map(|(basis, value)| basis * value).sum();
        let of_constants = quadratic(&self.covariance, &basis).max(0.0);
        let of_noise = (self.residual_standard_error * scale(time_s)).powi(2);
        let deviation_s = (of_constants + of_noise).sqrt();
        let freedom = self.freedom;
        (time_s > 0.0 && time_s.is_finite() && deviation_s.is_finite()).then_some(MixtureComponent {
            probability: self.probability,
            time_s,
            deviation_s,
            freedom,
        })
    }
}

/// Less probable formulas change no interval.
const NEGLIGIBLE: f64 = 1e-6;

/// The samples of the other cells, and what the model makes of them.
#[derive(Debug, Clone)]
pub(crate) struct OtherCells {
    rows: Vec<usize>,
    residual_sum: f64,
    parameters: usize,
}

impl OtherCells {
    pub(crate) fn of_model_without(cell: usize, model: &Model, sampled: &Sampled) -> OtherCells {
        let rows: Vec<usize> = (0..sampled.len()).filter(|row| sampled.cell[*row] != cell).collect();
        let others = model.cells().iter().enumerate().filter(|(index, _)| *index != cell);
        OtherCells {
            residual_sum: rows.iter().map(|row| sampled.scaled_residual(*row).powi(2)).sum(),
            rows,
            // A border each beside the constants.
            parameters: others.map(|(_, cell)| cell.fit.rank + 1).sum(),
        }
    }
}

/// The rivals of the formula in a cell: one more term there, or one more term everywhere and no cells at all. How probable a rival
/// is follows from how the samples change the claims. Rivals that are out of the question are left out.
pub(crate) fn rivals_of(
    candidates: &[CandidateTerm],
    sampled: &Sampled,
    rows: &[usize],
    other_cells: &OtherCells,
) -> Vec<Rival> {
    let Some(plain) = sampled.fit(rows, &[]) else { return Vec::new() };
    let mut all: Vec<usize> = rows.iter().chain(&other_cells.rows).copied().collect();
    all.sort_unstable();
    let rounding = sampled.rounding(&all);
    let own_sum = (plain.residual_sum_of_squares + other_cells.residual_sum).max(rounding);
    let own_parameters = plain.rank + other_cells.parameters;
    let is_rival =
        |fit: &Fit| fit.rank > plain.rank && fit.samples_dropped == 0 && fit.samples_used > fit.rank;
    let here = |fit: &Fit| {
        let sum = (fit.residual_sum_of_squares + other_cells.residual_sum).max(rounding);
        support_of_term(all.len(), own_parameters, sum / own_sum)
    };
    let everywhere = |fit: &Fit| {
        let sum = fit.residual_sum_of_squares.max(rounding);
        let own = information(all.len(), own_sum, own_parameters);
        (own - information(all.len(), sum, fit.rank)) / 2.0
    };
    let of_candidate = |candidate: &CandidateTerm| {
        let column = sampled.column(&candidate.basis);
        let rival = |fit: Option<Fit>, support: &dyn Fn(&Fit) -> f64| {
            let fit = fit.filter(is_rival)?;
            let support = support(&fit);
            (support > f64::NEG_INFINITY).then(|| (Rival::new(candidate, fit), support))
        };
        let one_term = rival(sampled.fit(rows, &[&column]), &here);
        let no_cells =
            (!other_cells.rows.is_empty()).then(|| rival(sampled.fit(&all, &[&column]), &everywhere));
        [one_term, no_cells.flatten()]
    };
    let found: Vec<[Option<(Rival, f64)>; 2]> = candidates.par_iter().map(of_candidate).collect();
    let rivals: Vec<(Rival, f64)> = found.into_iter().flatten().flatten().collect();
    // Relative to the best, so that no exponential overflows.
    let best = rivals.iter().map(|(_, support)| *support).fold(0.0, f64::max);
    let prior = PRIOR_OF_RIVALS / rivals.len() as f64;
    let weight = |support: f64, prior: f64| prior * (support - best).exp();
    let total = weight(0.0, 1.0 - PRIOR_OF_RIVALS)
        + rivals.iter().map(|(_, support)| weight(*support, prior)).sum::<f64>();
    let probable = rivals.into_iter().map(|(rival, support)| {
        let probability = weight(support, prior) / total;
        Rival { probability, ..rival }
    });
    probable.filter(|rival| rival.probability > NEGLIGIBLE).collect()
}

/// Logarithm of the factor by which samples change the odds of one more term, which leaves a share `left` of the residual sum: the
/// Bayes factor under Zellner's prior with the weight of one sample,
/// (1 + n)^((n - k - 1) / 2) / (1 + n left)^((n - k) / 2)
/// (Liang et al., Journal of the American Statistical Association 103, 2008, equation 6, with the k parameters in place of
/// the mean). For many samples it is that of the Bayesian information criterion; for few it stays near 1, as it should.
fn support_of_term(samples: usize, parameters: usize, left: f64) -> f64 {
    let (n, freedom) = (samples as f64, samples.saturating_sub(parameters) as f64);
    ((freedom - 1.0) * n.ln_1p() - freedom * (n * left).ln_1p()) / 2.0
}
