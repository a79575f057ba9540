//! A straight line through runs that follow each other, as sure as the model of [`Difference`] allows: runs are alike for some time, nobody knows how long.

use crate::difference::{
    CORRELATIONS, DifferenceGivenCorrelation, ROUNDING, hidden_by_rounding, independent_most,
    variance_between,
};
use crate::{Difference, RunValue};

/// What a line has at its first run, and how much more it has at the last one; none if there are too few runs.
pub(crate) fn along_line(runs: &[RunValue], same_design: bool) -> Option<Difference> {
    let is_known = runs.iter().all(|run| run.value.is_finite());
    if runs.len() < 4 || !is_known {
        return None;
    }
    let freedom = runs.len() - 2;
    let way = |index: usize| index as f64 / (runs.len() - 1) as f64;
    let plain = Line::through(runs, way, |_| 1.0, 0.0);
    let left =
        |(index, run): (usize, &RunValue)| RunValue { value: run.value - plain.at(way(index)), ..*run };
    let left: Vec<RunValue> = runs.iter().enumerate().map(left).collect();
    let between = if same_design { None } else { variance_between(&left, &[]) };
    let deviation = |run: &RunValue| between.map_or(1.0, |between| (between + run.variance.max(0.0)).sqrt());
    let least = if between.is_some() { 1.0 } else { 0.0 };
    let size: f64 = runs.iter().map(|run| (run.value / deviation(run)).powi(2)).sum();
    // Both ends are rounded.
    let hidden = 2.0 * hidden_by_rounding(runs, plain.squares / freedom as f64);
    let part = |&correlation: &f64| {
        let line = Line::through(runs, way, deviation, correlation);
        let squares = line.squares.max(ROUNDING.powi(2) * size);
        let likelihood = independent_most(correlation).ln()
            - 0.5 * (line.log_determinant + line.information.ln())
            - 0.5 * freedom as f64 * squares.ln();
        let variance = (squares / freedom as f64).max(least);
        let scale = (variance * line.variance_of_slope + hidden).sqrt();
        let of_line = DifferenceGivenCorrelation {
            probability: 0.0,
            before: line.start,
            change: line.slope,
            scale,
            scale_after: scale,
            freedom,
        };
        (likelihood, of_line)
    };
    Some(Difference::mixed(&CORRELATIONS.iter().map(part).collect::<Vec<_>>()))
}

/// The squares of runs about the straight line through them, as far as they are all equally good.
pub(crate) fn squares_about_line(runs: &[RunValue]) -> f64 {
    Line::through(runs, |index| index as f64 / (runs.len() - 1) as f64, |_| 1.0, 0.0).squares
}

/// Generalised least squares.
struct Line {
    start: f64,
    slope: f64,
    squares: f64,
    /// The determinant of what both have of information.
    information: f64,
    variance_of_slope: f64,
    log_determinant: f64,
}

impl Line {
    fn through(
        runs: &[RunValue],
        way: impl Fn(usize) -> f64,
        deviation: impl Fn(&RunValue) -> f64,
        correlation: f64,
    ) -> Line {
        let shrink = (1.0 - correlation * correlation).sqrt();
        let mut rows: Vec<[f64; 3]> = Vec::with_capacity(runs.len());
        let mut last: Option<[f64; 3]> = None;
        for (index, run) in runs.iter().enumerate() {
            let one = 1.0 / deviation(run);
            let row = [one, way(index) * one, run.value * one];
            rows.push(match last {
                None => row,
                Some(last) => [0, 1, 2].map(|column| (row[column] - correlation * last[column]) / shrink),
            });
            last = Some(row);
        }
        let product = |one: usize, other: usize| rows.iter().map(|row| row[one] * row[other]).sum::<f64>();
        // The second column freed from the first, and the values from both.
        let ones = product(0, 0);
        let shift = product(0, 1) / ones;
        rows.iter_mut().for_each(|row| row[1] -= shift * row[0]);
        let product = |one: usize, other: usize| rows.iter().map(|row| row[one] * row[other]).sum::<f64>();
        let along = product(1, 1);
        let (slope, level) = (product(1, 2) / along, product(0, 2) / ones);
        let squares = rows.iter().map(|row| (row[2] - level * row[0] - slope * row[1]).powi(2)).sum();
        Line {
            start: level - shift * slope,
            slope,
            squares,
            information: ones * along,
            variance_of_slope: 1.0 / along,
            log_determinant: 2.0 * (runs.len() - 1) as f64 * shrink.ln(),
        }
    }

    fn at(&self, way: f64) -> f64 {
        self.start + way * self.slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_runs_give_the_line_of_least_squares() {
        let values = [1.0, 2.2, 2.9, 4.1, 4.8, 6.0];
        let runs: Vec<RunValue> =
            values.iter().map(|&value| RunValue { value, variance: 0.0, rounding: 0.0 }).collect();
        // By hand: slope 17/17.5 a run about 3.5, and squares 16.6 - 17²/17.5 with 4 degrees of freedom.
        let line = Line::through(&runs, |index| index as f64 / 5.0, |_| 1.0, 0.0);
        assert!((line.slope - 5.0 * 17.0 / 17.5).abs() < 1e-9, "{}", line.slope);
        assert!((line.start - (3.5 - 2.5 * 17.0 / 17.5)).abs() < 1e-9, "{}", line.start);
        assert!((line.squares - 0.085_714_3).abs() < 1e-6, "{}", line.squares);
        assert!(along_line(&runs, true).unwrap().chance() < 1e-3);
        assert!(along_line(&runs[..3], true).is_none());
    }
}
