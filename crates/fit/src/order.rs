//! Sorting rows of columns.

use std::cmp::Ordering;

/// Order of two rows by one column after the other. The columns hold numbers, not NaN; 0 and -0 are equal.
fn compare<C: AsRef<[f64]>>(columns: &[C], a: usize, b: usize) -> Ordering {
    columns
        .iter()
        .map(|column| {
            let (x, y) = (column.as_ref()[a], column.as_ref()[b]);
            x.partial_cmp(&y).unwrap_or(Ordering::Equal)
        })
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Sorts row indices; equal rows keep their order.
pub(crate) fn sort_rows<C: AsRef<[f64]>>(rows: &mut [usize], columns: &[C]) {
    rows.sort_by(|&a, &b| compare(columns, a, b));
}

/// Splits sorted row indices into runs of equal rows.
pub(crate) fn runs<'r, C: AsRef<[f64]>>(
    rows: &'r [usize],
    columns: &'r [C],
) -> impl Iterator<Item = &'r [usize]> {
    rows.chunk_by(|&a, &b| compare(columns, a, b).is_eq())
}
