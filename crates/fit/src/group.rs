//! Repetitions: samples at the same point.

use crate::order::{runs, sort_rows};

/// Samples gathered by the point at which they were taken.
///
/// All columns have one entry a point, and the points are sorted by the first variable, then by the second, and so
/// on. The spread of the repetitions about their mean is the pure error: it does not depend on any model, so a
/// model whose residual variance is much larger lacks a term, or needs more intervals.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouped {
    /// One column for each variable: its value at each point.
    pub variables: Vec<Vec<f64>>,
    /// Mean of the observations at each point, in seconds.
    pub mean: Vec<f64>,
    /// Number of samples at each point, at least 1.
    pub count: Vec<usize>,
    /// Smallest observation at each point, in seconds.
    pub min: Vec<f64>,
    /// Largest observation at each point, in seconds.
    pub max: Vec<f64>,
    /// Sum of (observed - mean)^2 at each point, in seconds squared; 0 for a single sample.
    pub within_sum_of_squares: Vec<f64>,
    /// For each sample the index of its point; None for samples whose observation or variables are not finite.
    pub group_of: Vec<Option<usize>>,
}

impl Grouped {
    /// Number of distinct points.
    pub fn len(&self) -> usize {
        self.mean.len()
    }

    /// Whether no sample could be placed.
    pub fn is_empty(&self) -> bool {
        self.mean.is_empty()
    }

    /// Pure error: the sum of squares within the points, in seconds squared, and its degrees of freedom (samples
    /// minus points). Their ratio estimates the variance of one observation without any model.
    pub fn pure_error(&self) -> (f64, usize) {
        (self.within_sum_of_squares.iter().sum(), self.count.iter().sum::<usize>() - self.len())
    }
}

/// Gathers n samples by their distinct points.
///
/// `variables` are columns of n entries; without any, all samples share one point. A sample is left out
/// ([`Grouped::group_of`] is None) if its observation or one of its variables is not finite, or missing because a
/// column is shorter than `observed`.
///
/// # Example
///
/// ```
/// let grouped = call_fit::group(&[&[8.0, 4.0, 8.0]], &[5.0, 2.0, 7.0]);
/// assert_eq!(grouped.variables, [[4.0, 8.0]]);
/// assert_eq!(grouped.mean, [2.0, 6.0]);
/// assert_eq!(grouped.count, [1, 2]);
/// assert_eq!(grouped.pure_error(), (2.0, 1));
/// ```
pub fn group(variables: &[&[f64]], observed: &[f64]) -> Grouped {
    let known = |column: &[f64], row: usize| column.get(row).is_some_and(|value| value.is_finite());
    let mut rows: Vec<usize> = (0..observed.len())
        .filter(|&row| known(observed, row) && variables.iter().all(|column| known(column, row)))
        .collect();
    sort_rows(&mut rows, variables);

    let mut grouped = Grouped {
        variables: vec![Vec::new(); variables.len()],
        mean: Vec::new(),
        count: Vec::new(),
        min: Vec::new(),
        max: Vec::new(),
        within_sum_of_squares: Vec::new(),
        group_of: vec![None; observed.len()],
    };
    for (point, members) in runs(&rows, variables).enumerate() {
        let values = || members.iter().map(|&row| observed[row]);
        // The mean of the distances to the first value is exact when all are equal, and does not overflow.
        let first = observed[members[0]];
        let mean = first + values().map(|value| (value - first) / members.len() as f64).sum::<f64>();
        for (column, source) in grouped.variables.iter_mut().zip(variables) {
            column.push(source[members[0]]);
        }
        grouped.mean.push(mean);
        grouped.count.push(members.len());
        grouped.min.push(values().fold(f64::INFINITY, f64::min));
        grouped.max.push(values().fold(f64::NEG_INFINITY, f64::max));
        grouped.within_sum_of_squares.push(values().map(|value| (value - mean) * (value - mean)).sum());
        for &row in members {
            grouped.group_of[row] = Some(point);
        }
    }
    grouped
}
