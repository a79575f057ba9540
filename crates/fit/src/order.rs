//! The order of rows of columns.

use std::cmp::Ordering;

use rayon::prelude::*;

/// Order of two rows by one column after the other. 0 and -0 are equal, NaN is larger than any number.
pub(crate) fn compare(columns: &[&[f64]], a: usize, b: usize) -> Ordering {
    let order = |column: &&[f64]| (column[a] + 0.0).total_cmp(&(column[b] + 0.0));
    columns.iter().map(order).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Whether no row is smaller than the one before.
pub(crate) fn is_ascending(columns: &[&[f64]]) -> bool {
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
    fn rows_are_ordered_by_one_column_after_the_other() {
        let (a, b, c) = ([1.0; 5], [2.0, -0.0, 2.0, f64::NAN, 0.0], [5.0, 1.0, 4.0, 0.0, 1.0]);
        assert_eq!(ascending(&[&a, &b, &c]), [1, 4, 2, 0, 3]);
        assert_eq!(ascending(&[&a]), [0, 1, 2, 3, 4]);
        assert_eq!(ascending(&[&c[..0]]), [0usize; 0]);
        assert!(is_ascending(&[&a, &[1.0, 1.0, 2.0, 3.0, f64::NAN]]) && !is_ascending(&[&b]));
    }
}
