//! Least squares with constants that are not negative.
//!
//! The active-set method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23), on the triangle that
//! is left of the rows: constants at the bound 0 are active, the others passive. A constant becomes passive where that
//! lowers the residual sum, and active again where the passive ones would need a negative value. Each passive set is
//! solved by reflections, never by normal equations.

use crate::lanes::dot;
use crate::reduced::Reduced;
use crate::spectrum::norm;

/// A gradient of this many units of rounding, relative to observations and column, is zero.
const UNITS: f64 = 64.0;

/// Indices, ascending, of the terms with positive coefficients in the minimum over coefficients >= 0.
pub(crate) fn passive_terms(reduced: &Reduced) -> Vec<usize> {
    let terms = reduced.terms;
    let columns: Vec<Vec<f64>> =
        (0..terms).map(|j| (0..terms).map(|i| reduced.triangle[i * terms + j]).collect()).collect();
    let norms: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    let zero = UNITS * terms as f64 * f64::EPSILON * norm(&reduced.image);
    let mut passive: Vec<usize> = Vec::new();
    let mut values = vec![0.0; terms];
    // Every round lowers the residual sum, so that no passive set comes back; the limit is for rounding alone.
    for _ in 0..10 * terms + 10 {
        let mut rest = reduced.image.clone();
        for &j in &passive {
            for (rest, entry) in rest.iter_mut().zip(&columns[j]) {
                *rest -= values[j] * entry;
            }
        }
        let gradient = |j: usize| if norms[j] > 0.0 { dot(&columns[j], &rest) / norms[j] } else { 0.0 };
        let mut candidates: Vec<(usize, f64)> = (0..terms)
            .filter(|j| !passive.contains(j))
            .map(|j| (j, gradient(j)))
            .filter(|(_, slope)| *slope > zero)
            .collect();
        candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
        // A term that depends on the passive ones gets no positive value in spite of its gradient, which is rounding.
        let entered = candidates.iter().find_map(|&(j, _)| {
            let mut wider = passive.clone();
            wider.push(j);
            wider.sort_unstable();
            let solved = solve(reduced, &wider)?;
            let is_positive = wider.iter().zip(&solved).any(|(&term, &value)| term == j && value > 0.0);
            is_positive.then_some((wider, solved))
        });
        let Some((wider, solved)) = entered else { break };
        passive = wider;
        let mut solved = Some(solved);
        while let Some(wanted) = solved.take() {
            if wanted.iter().all(|value| *value > 0.0) {
                for (&j, value) in passive.iter().zip(wanted) {
                    values[j] = value;
                }
                break;
            }
            // As far towards the wanted values as all stay at least 0; whatever reaches 0 is active again.
            let steps = passive.iter().zip(&wanted).filter(|(_, value)| **value <= 0.0);
            let step = steps.map(|(&j, value)| values[j] / (values[j] - value)).fold(1.0, f64::min);
            let mut left = Vec::new();
            for (&j, &value) in passive.iter().zip(&wanted) {
                let moved = values[j] + step * (value - values[j]);
                let reaches = value <= 0.0 && values[j] / (values[j] - value) <= step;
                values[j] = if reaches { 0.0 } else { moved.max(0.0) };
                if values[j] > 0.0 {
                    left.push(j);
                }
            }
            passive = left;
            solved = solve(reduced, &passive);
        }
    }
    passive
}

/// Coefficients of some terms alone, in the units of the triangle; None if they depend on each other.
fn solve(reduced: &Reduced, terms: &[usize]) -> Option<Vec<f64>> {
    let part = reduced.restrict(terms);
    let count = terms.len();
    let mut values = vec![0.0; count];
    for i in (0..count).rev() {
        let column: Vec<f64> = (0..=i).map(|row| part.triangle[row * count + i]).collect();
        if column[i].abs() <= UNITS * f64::EPSILON * norm(&column) {
            return None;
        }
        let known: f64 = (i + 1..count).map(|j| part.triangle[i * count + j] * values[j]).sum();
        values[i] = (part.image[i] - known) / column[i];
    }
    Some(values)
}
