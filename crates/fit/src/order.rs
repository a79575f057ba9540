//! The order of rows of columns.

use std::cmp::Ordering;

/// Order of two rows by one column after the other. The columns hold numbers, not NaN; 0 and -0 are equal.
pub(crate) fn compare(columns: &[&[f64]], a: usize, b: usize) -> Ordering {
    columns
        .iter()
        .map(|column| column[a].partial_cmp(&column[b]).unwrap_or(Ordering::Equal))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
