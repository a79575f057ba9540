//! What is reported of several files at once.

use std::fmt;

use crate::note::Note;

/// Something that is to be reported of a file, or of several.
#[derive(Debug, Clone, PartialEq)]
pub struct OfFiles<T> {
    /// The names of the files, in their order; at least one.
    pub files: Vec<String>,
    /// What is to be reported of each.
    pub reported: T,
}

impl<T: fmt::Display> fmt::Display for OfFiles<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Of so many files, the names are reported.
        const FEW: usize = 3;
        match self.files.len() {
            ..=FEW => write!(out, "{}", self.files.join(", "))?,
            many => write!(out, "{many} files")?,
        }
        write!(out, ": {}", self.reported)
    }
}

/// Puts together what is the same of several files. They stand in the order in which they came up first.
pub fn grouped<T: PartialEq>(reported: impl IntoIterator<Item = (String, T)>) -> Vec<OfFiles<T>> {
    let mut groups: Vec<OfFiles<T>> = Vec::new();
    for (file, reported) in reported {
        match groups.iter_mut().find(|group| group.reported == reported) {
            Some(group) => group.files.push(file),
            None => groups.push(OfFiles { files: vec![file], reported }),
        }
    }
    groups
}

/// The notes of several files, each reported once. Notes that differ only in where something stands and how often are one: of rows that
/// were left out it says how many there are in all, and where the first one of the first file stands.
pub fn grouped_notes(notes: impl IntoIterator<Item = (String, Note)>) -> Vec<OfFiles<Note>> {
    let mut groups: Vec<OfFiles<Note>> = Vec::new();
    for (file, note) in notes {
        if let Some(group) =
            groups.iter_mut().find_map(|group| group.reported.takes(&note).then_some(&mut group.files))
        {
            group.push(file);
        } else {
            groups.push(OfFiles { files: vec![file], reported: note });
        }
    }
    groups
}

impl Note {
    /// Whether the note of another file says the same; then this one says it of both.
    fn takes(&mut self, other: &Note) -> bool {
        match (self, other) {
            (
                Note::Rows { count, reason, .. },
                Note::Rows { count: other_count, reason: other_reason, .. },
            ) if reason == other_reason => {
                *count += other_count;
                true
            }
            (this, other) => this == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlaceInText, RowReason};
    use call_trace::Unit;

    #[test]
    fn notes_of_many_files_are_told_once() {
        let time = || Note::Response { column: "t".to_owned(), unit: Unit::Milliseconds, is_assumed: false };
        let rows =
            |count, line| Note::Rows { count, first: PlaceInText::Line(line), reason: RowReason::NoTime };
        let notes = (0..64).flat_map(|number: u64| {
            let file = || format!("{number}.csv");
            [(file(), time()), (file(), rows(2, number))]
        });
        let text = |notes: Vec<OfFiles<Note>>| notes.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut reported = text(grouped_notes(notes));
        assert_eq!(
            reported,
            [
                "64 files: the times are `t`, in milliseconds",
                "64 files: left out: 128 rows, the first at line 0 (no finite time)"
            ]
        );
        let others = Note::Rows { count: 1, first: PlaceInText::Line(9), reason: RowReason::NoValue };
        reported = text(grouped_notes(
            [("a", time()), ("b", others), ("c", time())].map(|(a, b)| (a.to_owned(), b)),
        ));
        assert_eq!(
            reported,
            [
                "a, c: the times are `t`, in milliseconds",
                "b: left out: 1 row, the first at line 9 (a variable without a finite value)"
            ]
        );
    }
}
