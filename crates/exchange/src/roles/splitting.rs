//! Text columns that tell apart what else would be repetitions of a point.

use std::collections::HashMap;

use super::{UnassignedColumns, is_own, reason};
use crate::ReadOptions;
use crate::column::{ColumnValues, FileColumn, Texts};
use crate::heading::{is_remark, is_repetition};

/// More names than this are no kinds of something.
const MOST_NAMES: usize = 16;

impl UnassignedColumns {
    /// The positions of text columns, behind those that name experiments already, whose values differ among rows that are the same point
    /// otherwise: other solvers, compilers or machines.
    pub(super) fn splitting(
        &mut self,
        named: &[usize],
        response: usize,
        options: &ReadOptions,
    ) -> Vec<usize> {
        let is_free =
            |at: &usize| *at != response && !named.contains(at) && Some(*at) != self.units_position();
        let free: Vec<usize> = (0..self.names.len()).filter(is_free).collect();
        for at in &free {
            if let Some(column) = &mut self.columns[*at] {
                column.numbers_of_names();
            }
        }
        let is_variable = |column: &FileColumn, at: usize| {
            reason(column, self.times[at].as_ref(), &self.results, options).is_none()
        };
        let kinds = |at: usize| {
            let column = self.columns[at].as_ref().filter(|column| is_variable(column, at))?;
            let ColumnValues::Texts(texts) = &column.values else { return None };
            let is_kind = are_kinds(texts) && !is_remark(&column.name) && !is_own(&column.name);
            (is_kind && !is_repetition(&column.name) && !options.keep.contains(&column.name)).then_some(texts)
        };
        let candidates: Vec<usize> = free.iter().copied().filter(|at| kinds(*at).is_some()).collect();
        if candidates.is_empty() {
            return Vec::new();
        }
        let mut points = RowPoints::default();
        for at in named {
            if let Some(FileColumn { values: ColumnValues::Texts(texts), .. }) = &self.columns[*at] {
                points.tell_apart(texts.numbers.iter().map(|text| u64::from(*text)));
            }
        }
        for at in free {
            if let Some(column) = self.columns[at].as_ref().filter(|column| is_variable(column, at))
                && let ColumnValues::Numbers(values) | ColumnValues::Seconds(values) = &column.values
            {
                points.tell_apart(values.iter().map(|value| value.to_bits()));
            }
        }
        let mut found = Vec::new();
        for at in candidates {
            if let Some(texts) = kinds(at).filter(|texts| points.are_parted(numbers(texts))) {
                points.tell_apart(texts.numbers.iter().map(|text| u64::from(*text)));
                found.push(at);
            }
        }
        found
    }
}

/// Whether texts are few and come up again; dates are none.
fn are_kinds(texts: &Texts) -> bool {
    let mut names = texts.distinct.iter().filter(|text| !text.is_empty());
    let count = names.clone().count();
    let is_moment = |text: &String| {
        text.starts_with(|c: char| c.is_ascii_digit())
            && text.matches(['-', '/', ':']).count() >= 2
            && text.chars().all(|c| !c.is_alphabetic() || matches!(c, 'T' | 'Z'))
    };
    (2..=MOST_NAMES).contains(&count) && count * 2 <= texts.numbers.len() && !names.all(is_moment)
}

/// The numbers of texts that are not empty.
fn numbers(texts: &Texts) -> impl Iterator<Item = Option<u64>> {
    texts.numbers.iter().map(|text| (*text != 0).then_some(u64::from(*text)))
}

/// The number of the point of each row.
#[derive(Default)]
pub(super) struct RowPoints {
    of_row: Vec<u32>,
}

impl RowPoints {
    /// Rows of other values are other points.
    pub(super) fn tell_apart(&mut self, values: impl Iterator<Item = u64>) {
        let mut known: HashMap<(u32, u64), u32> = HashMap::new();
        let before = std::mem::take(&mut self.of_row);
        for (row, value) in values.enumerate() {
            let next = known.len() as u32;
            let point = before.get(row).copied().unwrap_or(0);
            self.of_row.push(*known.entry((point, value)).or_insert(next));
        }
    }

    /// Whether rows of a point have different values; those that are none aside.
    pub(super) fn are_parted(&self, values: impl Iterator<Item = Option<u64>>) -> bool {
        let mut first: HashMap<u32, u64> = HashMap::new();
        let mut rows = values.enumerate().filter_map(|(row, value)| Some((row, value?)));
        rows.any(|(row, value)| {
            let point = self.of_row.get(row).copied().unwrap_or(0);
            *first.entry(point).or_insert(value) != value
        })
    }

    /// Whether some rows are the same point.
    pub(super) fn has_repetitions(&self) -> bool {
        self.of_row.iter().max().is_some_and(|last| (*last as usize) + 1 < self.of_row.len())
    }
}

/// Whether one of some columns says the values of another one, and not because each of its own is another.
pub(super) fn is_determined<'a>(values: &[f64], by: impl Iterator<Item = &'a [f64]>) -> bool {
    let bits = |values: &'_ [f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    let of = bits(values);
    by.map(bits).any(|other| {
        let mut points = RowPoints::default();
        points.tell_apart(other.into_iter());
        points.has_repetitions() && !points.are_parted(of.iter().copied().map(Some))
    })
}
