use super::JudgedCase;
use crate::Warning;

/// With more variables there are too many corners.
const MOST_VARIABLES: usize = 10;

/// Tells the most negative prediction at the samples, and at the corners of each cell within what was sampled. A corner where a term
/// has a value that no sample comes near is none that was sampled: `hi - lo` of the least `hi` and the largest `lo`.
pub(super) fn warning(case: &JudgedCase) -> Option<Warning> {
    let model = case.model;
    let sampled = case.sampled;
    let mut lowest = (0..sampled.len())
        .min_by(|a, b| sampled.predicted_s[*a].total_cmp(&sampled.predicted_s[*b]))
        .map(|row| (sampled.predicted_s[row], sampled.point(row)))?;
    let terms: Vec<(f64, f64)> = sampled.basis.iter().map(|column| range(column)).collect();
    let is_sampled = |point: &[f64]| {
        model.formula.terms().iter().zip(&terms).all(|(term, (lowest, highest))| {
            let value = term.basis.evaluate(point);
            let rounding = 1e-9 * lowest.abs().max(highest.abs());
            (lowest - rounding..=highest + rounding).contains(&value)
        })
    };
    for cell in model.cells() {
        let ends: Vec<(f64, f64)> = cell
            .intervals
            .iter()
            .zip(&model.ranges)
            .map(|(interval, range)| (interval.lower.max(range.lowest), interval.upper.min(range.highest)))
            .collect();
        if ends.len() > MOST_VARIABLES || ends.iter().any(|(lower, upper)| lower > upper) {
            continue;
        }
        for corner in 0..1usize << ends.len() {
            let end = |(index, (lower, upper)): (usize, &(f64, f64))| {
                if corner >> index & 1 == 1 { *upper } else { *lower }
            };
            let point: Vec<f64> = ends.iter().enumerate().map(end).collect();
            if !is_sampled(&point) {
                continue;
            }
            let time_s = model.predict(&point).time_s;
            // The formula may have no value there, as with 1/P where P = 0 was left out.
            if time_s.is_finite() && time_s < lowest.0 {
                lowest = (time_s, point);
            }
        }
    }
    let (time_s, point) = lowest;
    // Exact times of 0 leave rounding.
    let largest = sampled.measured_s.iter().copied().fold(0.0, f64::max);
    if time_s.is_nan() || time_s >= -1e-12 * largest {
        return None;
    }
    let names = model.formula.variables().iter().map(|variable| variable.name().to_owned());
    let unit = model.unit().clone();
    Some(Warning::NegativePrediction { time_s, unit, point: names.zip(point).collect() })
}

fn range(column: &[f64]) -> (f64, f64) {
    column.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lowest, highest), value| {
        (lowest.min(*value), highest.max(*value))
    })
}
