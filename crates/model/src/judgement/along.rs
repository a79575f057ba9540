//! Borders that run along what two variables make together, as along N/P where the part of one processor leaves its cache.

use call_fit::FitSamples;

use super::JudgedCase;
use super::substitution::Substitute;
use crate::Warning;
use crate::accuracy::rms_relative;
use crate::model::segmentation_by;

/// What borders may run along: the variable that it replaces and another one make it.
const OF_TWO: [Substitute; 2] = [("{u}/{v}", |u, v| u / v), ("{u}*{v}", |u, v| u * v)];

/// More samples take too long for a question that nobody asked.
const MOST_SAMPLES: usize = 2000;

/// Errors have to become smaller by this factor.
const MUCH_MORE_ACCURATE: f64 = 3.0;

/// The quotient or product along which no more intervals than there are make a formula accurate that is not.
pub(super) fn warning(case: &JudgedCase) -> Option<Warning> {
    let (model, sampled) = (case.model, case.sampled);
    let before = rms_relative(&sampled.measured_s, &sampled.predicted_s);
    let is_divided = model.cells().len() > 1;
    if !is_divided || before <= model.settings.thresholds.error || sampled.len() > MOST_SAMPLES {
        return None;
    }
    let names: Vec<&str> = model.formula.variables().iter().map(|variable| variable.name()).collect();
    let pairs = (0..names.len()).flat_map(|u| (0..names.len()).map(move |v| (u, v))).filter(|(u, v)| u != v);
    let kinds = pairs.flat_map(|pair| OF_TWO.map(|kind| (pair, kind)));
    let found = kinds.filter_map(|((u, v), (text, value))| {
        let values = sampled.variables[u].iter().zip(&sampled.variables[v]);
        let replaced: Vec<f64> = values.map(|(u, v)| value(*u, *v)).collect();
        let mut columns: Vec<&[f64]> = sampled.variables.iter().map(Vec::as_slice).collect();
        columns[u] = &replaced;
        let samples = FitSamples {
            basis: sampled.basis.iter().map(Vec::as_slice).collect(),
            observed: &sampled.measured_s,
            weights: &sampled.weights,
        };
        let found = segmentation_by(model.weighting.0, &samples, &columns, &model.settings.options(None));
        let cells = found.ok()?.cells;
        let squares =
            cells.iter().map(|cell| cell.samples.len() as f64 * cell.fit.rms_relative_error.powi(2));
        let error = (squares.sum::<f64>() / sampled.len() as f64).sqrt();
        let expression = text.replace("{u}", names[u]).replace("{v}", names[v]);
        (cells.len() <= model.cells().len() && error * MUCH_MORE_ACCURATE < before).then_some((
            error,
            expression,
            cells.len(),
        ))
    });
    let (error, expression, cells) = found.min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(Warning::BordersAlong { expression, cells, error, before })
}
