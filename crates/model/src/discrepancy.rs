use crate::candidate::CandidateTerm;
use crate::mixture::MixtureComponent;
use crate::noise::quadratic;
use crate::rival::{OtherCells, Rival, rivals_of};
use crate::sampled::Sampled;
use crate::student::student_reach;
use crate::{Model, Weighting};

/// Fewer values of a variable show nothing about how the times go on.
const LEAST_VALUES: usize = 6;

/// Errors beyond the samples are noise unless they are improbable at this level.
const LEVEL: f64 = 0.9;

/// How a variable was sampled in a cell, and how wrong formula and rivals turned out to be beyond a part of the samples.
///
/// The upper quarter of the variable's values is predicted from the rest, by the formula and its rivals as a forecast does. Errors
/// that noise and constants explain mean nothing; larger ones show that none of the formulas is right. What is missing is taken
/// to be a curvature of the time in the variable, both as logarithms: with samples on a width of 1, a curve's error at a distance
/// d is proportional to d (1 + d).
#[derive(Debug, Clone)]
pub(crate) struct Discrepancy {
    pub(crate) variable: usize,
    pub(crate) is_logarithmic: bool,
    pub(crate) lowest: f64,
    pub(crate) highest: f64,
    /// Standard deviation over d (1 + d), as a share of the time with relative weights, in seconds with absolute ones.
    pub(crate) growth: f64,
}

/// One entry for each variable that the samples of a cell say this about.
pub(crate) fn discrepancies(
    model: &Model,
    candidates: &[CandidateTerm],
    sampled: &Sampled,
    rows: &[usize],
    other_cells: &OtherCells,
) -> Vec<Discrepancy> {
    (0..sampled.variables.len())
        .filter_map(|variable| Discrepancy::of(model, candidates, sampled, rows, other_cells, variable))
        .collect()
}

impl Discrepancy {
    fn of(
        model: &Model,
        candidates: &[CandidateTerm],
        sampled: &Sampled,
        rows: &[usize],
        other_cells: &OtherCells,
        variable: usize,
    ) -> Option<Discrepancy> {
        let values = sampled.values(variable, rows);
        if values.len() < LEAST_VALUES {
            return None;
        }
        let kept_to = values[values.len() - 1 - values.len() / 4];
        let (kept, held): (Vec<usize>, Vec<usize>) =
            rows.iter().partition(|row| sampled.variables[variable][**row] <= kept_to);
        let is_logarithmic = values[0] > 0.0;
        let of_kept =
            Discrepancy { variable, is_logarithmic, lowest: values[0], highest: kept_to, growth: f64::NAN };
        let growth = of_kept.growth(model, candidates, sampled, &kept, &held, other_cells)?;
        Some(Discrepancy { highest: *values.last()?, growth, ..of_kept })
    }

    fn growth(
        &self,
        model: &Model,
        candidates: &[CandidateTerm],
        sampled: &Sampled,
        kept: &[usize],
        held: &[usize],
        other_cells: &OtherCells,
    ) -> Option<f64> {
        let fit = sampled.fit(kept, &[])?;
        let freedom = fit.samples_used.checked_sub(fit.rank).filter(|freedom| *freedom > 0)? as f64;
        let rivals = rivals_of(candidates, sampled, kept, other_cells);
        let is_relative = model.weighting().0 != Weighting::Absolute;
        let (mut errors, mut expected, mut distances) = (0.0, 0.0, 0.0);
        for &row in held {
            let basis: Vec<f64> = sampled.basis.iter().map(|column| column[row]).collect();
            let point = sampled.point(row);
            let time_s: f64 = basis.iter().zip(&fit.coefficients).map(|(basis, value)| basis * value).sum();
            let scale = |time_s: f64| if is_relative { time_s } else { 1.0 };
            let variance = quadratic(&fit.covariance, &basis).max(0.0)
                + (fit.residual_standard_error * scale(time_s)).powi(2);
            let own = MixtureComponent {
                probability: own_probability(&rivals),
                time_s,
                deviation_s: variance.sqrt(),
                freedom,
            };
            let mut components = vec![own];
            components.extend(rivals.iter().filter_map(|rival| rival.component(&point, &basis, scale)));
            let (mean_s, variance) = moments(&components);
            let unit = scale(mean_s).powi(2);
            errors += (sampled.measured_s[row] - mean_s).powi(2) / unit;
            expected += variance / unit;
            distances += self.distance_factor(&point).powi(2);
        }
        let is_noise = errors <= expected * student_reach(LEVEL, freedom).powi(2);
        let growth = if is_noise { 0.0 } else { ((errors - expected) / distances).sqrt() };
        growth.is_finite().then_some(growth)
    }

    /// d (1 + d), with d the distance of a point from the samples in their own width.
    fn distance_factor(&self, point: &[f64]) -> f64 {
        let place = |value: f64| if self.is_logarithmic { value.ln() } else { value };
        let (low, high, here) = (place(self.lowest), place(self.highest), place(point[self.variable]));
        let distance = (here - high).max(low - here).max(0.0) / (high - low);
        distance * (1.0 + distance)
    }

    /// Standard deviation at a point: as a share of the time with relative weights, in seconds with absolute ones.
    pub(crate) fn deviation(&self, point: &[f64]) -> f64 {
        // 0 times an infinite distance is not 0.
        if self.growth == 0.0 { 0.0 } else { self.growth * self.distance_factor(point) }
    }
}

/// What the rivals leave to the formula.
pub(crate) fn own_probability(rivals: &[Rival]) -> f64 {
    (1.0 - rivals.iter().map(|rival| rival.probability).sum::<f64>()).max(0.0)
}

/// Mean and variance of a mixture.
fn moments(components: &[MixtureComponent]) -> (f64, f64) {
    let total: f64 = components.iter().map(|component| component.probability).sum();
    let share = |component: &MixtureComponent| component.probability / total;
    let mean: f64 = components.iter().map(|component| share(component) * component.time_s).sum();
    let variance = components
        .iter()
        .map(|one| share(one) * (one.deviation_s.powi(2) + (one.time_s - mean).powi(2)))
        .sum();
    (mean, variance)
}
