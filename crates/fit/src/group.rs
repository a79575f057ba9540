//! Repetitions: samples at the same point.

use crate::distinct::Distinct;
use crate::order::ascending;

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
    group_repetitions(variables, observed.iter().map(std::slice::from_ref))
}

/// Gathers samples that are given as rows of `variables`, each with all that was observed there. Different rows may be one point.
///
/// [`Grouped::group_of`] has one entry for each row. Observations that are not finite are left out.
pub fn group_repetitions<'a>(
    variables: &[&[f64]],
    observed: impl Iterator<Item = &'a [f64]> + Clone,
) -> Grouped {
    let numbered = Numbered::of(variables, observed.clone());
    let firsts = numbered.firsts;
    let at = |column: &&[f64]| firsts.iter().map(|&first| column[first]).collect();
    let points: Vec<Vec<f64>> = variables.iter().map(at).collect();
    let points: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    let order = if points.is_empty() { (0..firsts.len()).collect() } else { ascending(&points) };
    let mut place = vec![0; order.len()];
    for (point, &number) in order.iter().enumerate() {
        place[number] = point;
    }

    let count = order.len();
    let at = |column: &&[f64]| order.iter().map(|&number| column[number]).collect();
    let mut grouped = Grouped {
        variables: points.iter().map(at).collect(),
        mean: vec![0.0; count],
        count: vec![0; count],
        min: vec![f64::INFINITY; count],
        max: vec![f64::NEG_INFINITY; count],
        within_sum_of_squares: vec![0.0; count],
        group_of: numbered.numbers.into_iter().map(|number| number.map(|number| place[number])).collect(),
    };
    let members = || {
        let known = observed.clone().zip(&grouped.group_of).filter_map(|(all, point)| Some((all, (*point)?)));
        known.flat_map(|(all, point)| {
            all.iter().filter(|value| value.is_finite()).map(move |value| (*value, point))
        })
    };
    // The distances to the first value are 0 when all are equal, and their sum does not overflow.
    let mut first = vec![f64::NAN; count];
    for (value, point) in members() {
        if grouped.count[point] == 0 {
            first[point] = value;
        }
        grouped.count[point] += 1;
        grouped.min[point] = grouped.min[point].min(value);
        grouped.max[point] = grouped.max[point].max(value);
    }
    let mut shift = vec![0.0; count];
    for (value, point) in members() {
        shift[point] += (value - first[point]) / grouped.count[point] as f64;
    }
    for (mean, (first, shift)) in grouped.mean.iter_mut().zip(first.iter().zip(&shift)) {
        *mean = first + shift;
    }
    for (value, point) in members() {
        let gap = value - grouped.mean[point];
        grouped.within_sum_of_squares[point] += gap * gap;
    }
    grouped
}

/// The points of rows, in the order in which they are met first.
struct Numbered {
    /// None for rows whose variables are not finite, or without a finite observation.
    numbers: Vec<Option<usize>>,
    /// A row of each point.
    firsts: Vec<usize>,
}

impl Numbered {
    fn of<'a>(variables: &[&[f64]], observed: impl Iterator<Item = &'a [f64]>) -> Numbered {
        let known = |column: &&[f64], row: usize| column.get(row).is_some_and(|value| value.is_finite());
        let is_known = |row: usize| variables.iter().all(|column| known(column, row));
        let mut distinct = Distinct::new(variables);
        let numbers = observed.enumerate().map(|(row, all)| {
            (is_known(row) && all.iter().any(|value| value.is_finite())).then(|| distinct.number(row))
        });
        Numbered { numbers: numbers.collect(), firsts: distinct.firsts() }
    }
}

/// For each row the mean of the observations at its point; NaN for rows that [`group()`] leaves out.
pub(crate) fn means_at_points(variables: &[&[f64]], observed: &[f64]) -> Vec<f64> {
    let Numbered { numbers, firsts } = Numbered::of(variables, observed.iter().map(std::slice::from_ref));
    if firsts.len() == observed.len() {
        return observed.to_vec();
    }
    let mut counts = vec![0_usize; firsts.len()];
    for number in numbers.iter().flatten() {
        counts[*number] += 1;
    }
    let mut shifts = vec![0.0; firsts.len()];
    for (value, number) in observed.iter().zip(&numbers) {
        if let Some(number) = *number {
            shifts[number] += (value - observed[firsts[number]]) / counts[number] as f64;
        }
    }
    let mean = |number: usize| observed[firsts[number]] + shifts[number];
    numbers.into_iter().map(|number| number.map_or(f64::NAN, mean)).collect()
}
