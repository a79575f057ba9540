//! Samples at equal points: how they are found, and their means.

use std::cmp::Ordering;

use hashbrown::HashTable;
use rayon::prelude::*;

use crate::scatter::deviation_about_median;

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
    /// Sum of (observed - mean)^2 at each point, in seconds squared; 0 for a single sample.
    pub within_sum_of_squares: Vec<f64>,
    /// For each sample the index of its point; None for samples whose observation or variables are not finite.
    pub group_of: Vec<Option<usize>>,
}

impl Grouped {
    /// Number of distinct points.
    pub(crate) fn len(&self) -> usize {
        self.mean.len()
    }

    /// For each point its samples by index, ascending.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.len()];
        for (sample, group) in self.group_of.iter().enumerate() {
            if let Some(group) = *group {
                members[group].push(sample);
            }
        }
        members
    }

    /// For each sample the mean at its point; NaN for those that have none.
    pub(crate) fn mean_of_each(&self) -> Vec<f64> {
        self.group_of.iter().map(|group| group.map_or(f64::NAN, |group| self.mean[group])).collect()
    }

    /// The point of each row of columns with the same variables; None if there was no sample, or it is not finite.
    pub(crate) fn points_of(&self, variables: &[&[f64]]) -> Vec<Option<usize>> {
        let rows = variables.first().map_or(0, |column| column.len());
        let own = &self.variables;
        let both: Vec<Vec<f64>> =
            own.iter().zip(variables).map(|(own, others)| [own.as_slice(), others].concat()).collect();
        let both: Vec<&[f64]> = both.iter().map(Vec::as_slice).collect();
        // The points are distinct, so that they are numbered by their positions.
        let mut distinct = Distinct::new(&both);
        let numbers: Vec<usize> = (0..self.len() + rows).map(|row| distinct.number(row)).collect();
        numbers[self.len()..].iter().map(|&number| (number < self.len()).then_some(number)).collect()
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
/// assert_eq!(grouped.within_sum_of_squares, [0.0, 2.0]);
/// assert_eq!(grouped.members(), [vec![1], vec![0, 2]]);
/// ```
pub fn group(variables: &[&[f64]], observed: &[f64]) -> Grouped {
    group_repetitions(variables, observed.iter().map(std::slice::from_ref))
}

/// Gathers samples that are given as rows of `variables`, which are columns, each with all that was observed there. Different rows may
/// be one point.
///
/// [`Grouped::group_of`] has one entry for each row. Observations that are not finite are left out.
pub fn group_repetitions<'a>(variables: &[&[f64]], observed: impl Iterator<Item = &'a [f64]>) -> Grouped {
    grouped(variables, observed, |all, moments| {
        all.iter().copied().filter(|value| value.is_finite()).for_each(|value| moments.add(value, 1.0));
    })
}

/// The same where the median or the minimum of each row will be fitted, which outliers do not move: nor do they move the sum of squares of a row
/// of so many that most such rows have one.
pub fn group_without_outliers<'a>(
    variables: &[&[f64]],
    observed: impl Iterator<Item = &'a [f64]>,
) -> Grouped {
    grouped(variables, observed, |all, moments| {
        all.iter().copied().filter(|value| value.is_finite()).for_each(|value| moments.add(value, 1.0));
        if let Some(deviation) = deviation_about_median(all) {
            let freedom = moments.count as f64 - 1.0;
            moments.sum_of_squares = moments.sum_of_squares.min(freedom * deviation * deviation);
        }
    })
}

/// The same of rows of which only this is known: how often was observed there, the mean, and the sum of squares about it.
pub fn group_moments(variables: &[&[f64]], count: &[u64], mean: &[f64], sum_of_squares: &[f64]) -> Grouped {
    let rows = count.iter().zip(mean).zip(sum_of_squares);
    let rows = rows.map(|((count, mean), sum_of_squares)| WeightedMoments {
        count: usize::try_from(*count).unwrap_or(usize::MAX),
        weight: *count as f64,
        mean: *mean,
        sum_of_squares: *sum_of_squares,
    });
    grouped(variables, rows, |row, moments| {
        if row.count > 0 && row.mean.is_finite() {
            moments.add_all(&row);
        }
    })
}

/// `add` adds to the moments of a point what was observed in a row.
fn grouped<T>(
    variables: &[&[f64]],
    observed: impl Iterator<Item = T>,
    add: impl Fn(T, &mut WeightedMoments),
) -> Grouped {
    let known = |column: &&[f64], row: usize| column.get(row).is_some_and(|value| value.is_finite());
    let mut distinct = Distinct::new(variables);
    let mut moments: Vec<WeightedMoments> = Vec::new();
    let mut place = |(row, all): (usize, T)| {
        let mut own = WeightedMoments::default();
        let is_located = variables.iter().all(|column| known(column, row));
        add(all, &mut own);
        let number = (is_located && own.count > 0).then(|| distinct.number(row))?;
        match moments.get_mut(number) {
            Some(known) => known.add_all(&own),
            None => moments.push(own),
        }
        Some(number)
    };
    let numbers: Vec<Option<usize>> = observed.enumerate().map(&mut place).collect();
    let firsts = distinct.firsts;
    let at = |column: &&[f64]| firsts.iter().map(|&first| column[first]).collect();
    let points: Vec<Vec<f64>> = variables.iter().map(at).collect();
    let points: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    let order = if points.is_empty() { (0..firsts.len()).collect() } else { ascending(&points) };
    let mut position = vec![0; order.len()];
    for (point, &number) in order.iter().enumerate() {
        position[number] = point;
    }
    let at = |column: &&[f64]| order.iter().map(|&number| column[number]).collect();
    Grouped {
        variables: points.iter().map(at).collect(),
        mean: order.iter().map(|&number| moments[number].mean).collect(),
        count: order.iter().map(|&number| moments[number].count).collect(),
        within_sum_of_squares: order.iter().map(|&number| moments[number].sum_of_squares).collect(),
        group_of: numbers.into_iter().map(|number| number.map(|number| position[number])).collect(),
    }
}

/// Weighted mean of values and their weighted sum of squares about it, one value after the other (West 1979). Of equal
/// values the sum is 0.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WeightedMoments {
    pub(crate) count: usize,
    pub(crate) weight: f64,
    pub(crate) mean: f64,
    pub(crate) sum_of_squares: f64,
}

impl WeightedMoments {
    pub(crate) fn add(&mut self, value: f64, weight: f64) {
        self.count += 1;
        self.weight += weight;
        let gap = value - self.mean;
        self.mean += gap * (weight / self.weight);
        self.sum_of_squares += weight * gap * (value - self.mean);
    }

    /// Adds all that others are of (Chan, Golub and LeVeque 1983, equation 2.1). Of equal values the sum stays 0.
    fn add_all(&mut self, others: &WeightedMoments) {
        if others.count == 1 {
            return self.add(others.mean, others.weight);
        }
        let weight = self.weight + others.weight;
        let gap = others.mean - self.mean;
        self.sum_of_squares += others.sum_of_squares + gap * gap * (self.weight * others.weight / weight);
        self.mean += gap * (others.weight / weight);
        self.count = self.count.saturating_add(others.count);
        self.weight = weight;
    }
}

/// Numbers the rows of some columns, equal rows alike, in the order in which they are met first. The columns hold
/// numbers, not NaN; 0 and -0 are equal.
pub(crate) struct Distinct<'a> {
    columns: &'a [&'a [f64]],
    /// Hash and number of each row that differs from those before it.
    table: HashTable<(u64, usize)>,
    /// The first row of each number.
    pub(crate) firsts: Vec<usize>,
    last: Option<(usize, usize)>,
    /// Whether the rows ascend, so that one that differs from the last is new.
    is_ascending: bool,
}

impl<'a> Distinct<'a> {
    pub(crate) fn new(columns: &'a [&'a [f64]]) -> Self {
        let is_ascending = is_ascending(columns);
        Distinct { columns, table: HashTable::new(), firsts: Vec::new(), last: None, is_ascending }
    }

    /// The number of a row, asked for in ascending order; the next free one for a row that was not met before.
    pub(crate) fn number(&mut self, row: usize) -> usize {
        let equal = |a: usize, b: usize| self.columns.iter().all(|column| column[a] == column[b]);
        if let Some((last, number)) = self.last
            && equal(last, row)
        {
            return number;
        }
        let mut number = self.firsts.len();
        if !self.is_ascending {
            let hash = hash(self.columns, row);
            let is_same = |(known, number): &(u64, usize)| *known == hash && equal(self.firsts[*number], row);
            let entry = self.table.entry(hash, is_same, |(hash, _)| *hash);
            number = entry.or_insert((hash, number)).get().1;
        }
        if number == self.firsts.len() {
            self.firsts.push(row);
        }
        self.last = Some((row, number));
        number
    }
}

/// The halves of long products, put together (as wyhash and others do it).
fn hash(columns: &[&[f64]], row: usize) -> u64 {
    // Digits of the fractional part of pi: odd numbers without a pattern.
    const KEYS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345];
    columns.iter().fold(0, |hash, column| {
        let word = (column[row] + 0.0).to_bits();
        let product = u128::from(hash ^ KEYS[0]) * u128::from(word ^ KEYS[1]);
        (product >> 64) as u64 ^ product as u64
    })
}

/// Order of two rows by one column after the other. 0 and -0 are equal, NaN is larger than any number.
fn compare(columns: &[&[f64]], a: usize, b: usize) -> Ordering {
    let order = |column: &&[f64]| (column[a] + 0.0).total_cmp(&(column[b] + 0.0));
    columns.iter().map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether no row is smaller than the one before.
fn is_ascending(columns: &[&[f64]]) -> bool {
    let rows = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    (1..rows).all(|row| compare(columns, row - 1, row).is_le())
}

/// The rows of some columns of equal length in ascending order: by the first column, then by the second, and so on. Equal rows keep
/// their order; NaN is larger than any number.
pub fn ascending(columns: &[&[f64]]) -> Vec<usize> {
    let rows = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    // A column that is the same everywhere decides nothing.
    let varies = |column: &&&[f64]| column.iter().any(|value| value.to_bits() != column[0].to_bits());
    let varying: Vec<&[f64]> = columns.iter().filter(varies).copied().collect();
    if is_ascending(&varying) {
        return (0..rows).collect();
    }
    let Some((first, others)) = varying.split_first() else { return (0..rows).collect() };
    // The values of the first column stand beside the rows, or each comparison would look for them.
    let mut keyed: Vec<(f64, usize)> = first.iter().map(|value| value + 0.0).zip(0..rows).collect();
    keyed.par_sort_unstable_by(|a, b| {
        a.0.total_cmp(&b.0).then_with(|| compare(others, a.1, b.1)).then(a.1.cmp(&b.1))
    });
    keyed.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_have_one_number() {
        let ascending: [&[f64]; 1] = [&[1.0, 1.0, 3.0, 4.0, 4.0]];
        let mut distinct = Distinct::new(&ascending);
        assert_eq!([0, 1, 3, 4].map(|row| distinct.number(row)), [0, 0, 1, 1]);

        let (a, b) = ([1.0, 0.0, 1.0, -0.0, 2.0], [5.0, 7.0, 5.0, 7.0, 5.0]);
        let columns: [&[f64]; 2] = [&a, &b];
        let mut distinct = Distinct::new(&columns);
        let numbers: Vec<usize> = (0..5).map(|row| distinct.number(row)).collect();
        assert_eq!(numbers, [0, 1, 0, 1, 2]);
        assert_eq!(distinct.firsts, [0, 1, 4]);
    }

    #[test]
    fn many_rows_are_told_apart() {
        let column: Vec<f64> = (0..20_000).map(|i| f64::from(i % 10_000) * 0.1).collect();
        let columns: [&[f64]; 1] = [&column];
        let mut distinct = Distinct::new(&columns);
        for row in 0..column.len() {
            assert_eq!(distinct.number(row), row % 10_000);
        }
    }

    #[test]
    fn without_columns_all_rows_are_equal() {
        let mut distinct = Distinct::new(&[]);
        assert_eq!((distinct.number(3), distinct.number(9)), (0, 0));
        assert_eq!(group(&[], &[1.0, f64::NAN, 3.0]).members(), [[0, 2]]);
    }

    #[test]
    fn rows_are_ordered_by_one_column_after_the_other() {
        let (a, b, c) = ([1.0; 5], [2.0, -0.0, 2.0, f64::NAN, 0.0], [5.0, 1.0, 4.0, 0.0, 1.0]);
        assert_eq!(ascending(&[&a, &b, &c]), [1, 4, 2, 0, 3]);
        assert_eq!(ascending(&[&a]), [0, 1, 2, 3, 4]);
        assert_eq!(ascending(&[&c[..0]]), [0usize; 0]);
        assert!(is_ascending(&[&a, &[1.0, 1.0, 2.0, 3.0, f64::NAN]]) && !is_ascending(&[&b]));
    }
}
