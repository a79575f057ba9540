//! How constants and their intervals are shown.

use std::ops::Bound;

use call_model::Segment;
use call_report::{Column, TableCell, number};
use call_trace::Unit;

use super::units;

/// Columns for the name of a constant, its value and its standard error.
pub fn constant_columns(title: &str, unit: &Unit) -> [Column; 3] {
    [
        Column::left(title).key("constant"),
        units::constant_column("value", unit),
        Column::significant("standard error", 2).key(units::key("standard_error", unit)),
    ]
}

/// Name, value and standard error of a segment.
pub fn segment_cells(name: &str, segment: &Segment) -> Vec<TableCell> {
    let error = if !segment.determined {
        TableCell::Missing("undetermined")
    } else if segment.bounded {
        TableCell::Missing("at its bound")
    } else {
        TableCell::number_or(segment.standard_error, "unknown")
    };
    vec![name.into(), segment.value.into(), error]
}

/// The range of a variable as an interval.
pub fn interval(range: &call_model::Range) -> String {
    let lower =
        if range.lower_included { Bound::Included(range.lower) } else { Bound::Excluded(range.lower) };
    number::interval(lower, Bound::Included(range.upper))
}
