use std::collections::BTreeSet;
use std::fmt;

use crate::column::{Column, ColumnKind, TableCell};
use crate::number::one_line;

/// What stands between two columns.
const GAP: &str = "  ";
/// A column of texts is not made narrower than this.
const NARROWEST: usize = 8;

/// A table: columns with a kind of quantity each, rows of values. It can be had as aligned text, CSV, LaTeX and JSON.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    name: String,
    subject: String,
    /// What the subject is, if no experiment.
    kind: Option<&'static str>,
    columns: Vec<Column>,
    rows: Vec<Vec<TableCell>>,
    /// What people see in its place.
    shown: Option<Box<Table>>,
    is_main: bool,
}

impl Table {
    /// A table without rows.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table { columns: columns.into_iter().collect(), ..Table::default() }
    }

    /// The same table with a name, by which machines find it.
    pub fn named(self, name: impl Into<String>) -> Table {
        Table { name: name.into(), ..self }
    }

    /// The same table, which speaks of this experiment.
    pub fn about(self, subject: impl Into<String>) -> Table {
        Table { subject: subject.into(), kind: None, ..self }
    }

    /// The same table, which speaks of something else than an experiment: of this `machine`, for instance.
    pub fn about_the(self, kind: &'static str, name: impl Into<String>) -> Table {
        Table { subject: name.into(), kind: Some(kind), ..self }
    }

    /// The same table for programs; people see another one, in which a cell tells several numbers.
    pub fn shown_as(self, shown: Table) -> Table {
        Table { shown: Some(Box::new(shown)), ..self }
    }

    /// What people see of it.
    pub(crate) fn for_people(&self) -> &Table {
        self.shown.as_deref().unwrap_or(self)
    }

    /// The same table, of which people are shown so many rows; programs get all.
    pub fn showing(self, rows: usize) -> Table {
        let shown = Table { rows: self.rows.iter().take(rows).cloned().collect(), ..self.clone() };
        self.shown_as(shown)
    }

    /// The same table, the one of its result for those who can have but one.
    pub fn main(self) -> Table {
        Table { is_main: true, ..self }
    }

    /// Whether it is the one of its result for those who can have but one.
    pub fn is_main(&self) -> bool {
        self.is_main
    }

    /// What the subject is, the key of it for machines: `experiment`, if nothing else was said.
    pub fn subject_kind(&self) -> &'static str {
        self.kind.unwrap_or("experiment")
    }

    /// Appends a row. Missing cells are empty; cells beyond the last column get columns of texts without titles.
    pub fn row<T: Into<TableCell>>(&mut self, cells: impl IntoIterator<Item = T>) -> &mut Table {
        let cells: Vec<TableCell> = cells.into_iter().map(Into::into).collect();
        while self.columns.len() < cells.len() {
            self.columns.push(Column::left(""));
        }
        self.rows.push(cells);
        self
    }

    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The experiment that it speaks of; empty if it is none or several.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// The keys of its columns.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.key.as_str())
    }

    /// The titles of its columns.
    pub fn titles(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.title.as_str())
    }

    /// Its rows; short ones lack their last cells.
    pub fn rows(&self) -> &[Vec<TableCell>] {
        &self.rows
    }

    /// A row as texts, rounded as the columns say.
    pub fn texts(&self, row: &[TableCell]) -> Vec<String> {
        row.iter().zip(&self.columns).map(|(cell, column)| one_line(cell.text(&column.kind))).collect()
    }

    /// Whether the texts of a column stand at its left side.
    pub(crate) fn is_left(&self, column: usize) -> bool {
        let is_text = |column: &Column| matches!(column.kind, ColumnKind::Text | ColumnKind::Code);
        self.columns.get(column).is_none_or(is_text)
    }

    /// Whether the texts of a column may be shortened.
    fn may_be_cut(&self, column: usize) -> bool {
        self.columns.get(column).is_none_or(|column| column.kind == ColumnKind::Text)
    }

    /// The table in lines of at most `width` characters, if that can be had by shortening texts: numbers are never cut, and lines become longer
    /// where rows that differ would look the same.
    pub fn render(&self, width: usize) -> String {
        if let Some(shown) = &self.shown {
            return shown.render(width);
        }
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| self.texts(row)).collect();
        let (widths, cuts) = self.layout(&rows, width);
        let mut text = String::new();
        if self.columns.iter().any(|column| !column.title.is_empty()) {
            let titles: Vec<&str> = self.columns.iter().map(|column| column.title.as_str()).collect();
            let rules: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
            let ends = vec![Truncation::End; widths.len()];
            self.push_line(&mut text, &titles, &widths, &ends);
            self.push_line(&mut text, &rules, &widths, &ends);
        }
        for row in &rows {
            self.push_line(&mut text, row, &widths, &cuts);
        }
        text
    }

    /// The widths of the columns, and how their texts are shortened.
    fn layout(&self, rows: &[Vec<String>], width: usize) -> (Vec<usize>, Vec<Truncation>) {
        let mut room = width;
        loop {
            let widths = self.fitted_widths(rows, room);
            let cuts: Vec<Truncation> =
                widths.iter().enumerate().map(|(index, width)| cut(rows, index, *width)).collect();
            let shown = |row: &Vec<String>| -> Vec<String> {
                let cells = row.iter().zip(&widths).zip(&cuts);
                cells.map(|((cell, width), cut)| shortened(cell, *width, *cut)).collect()
            };
            let is_cut =
                rows.iter().any(|row| row.iter().zip(&widths).any(|(cell, width)| length(cell) > *width));
            if !is_cut || self.different(rows.iter().map(shown)) == self.different(rows.iter().cloned()) {
                return (widths, cuts);
            }
            room += room / 8 + 1;
        }
    }

    /// How many rows there are that differ in their texts.
    fn different(&self, rows: impl Iterator<Item = Vec<String>>) -> usize {
        let texts = |row: Vec<String>| -> Vec<String> {
            row.into_iter()
                .enumerate()
                .filter(|(index, _)| self.is_left(*index))
                .map(|(_, cell)| cell)
                .collect()
        };
        rows.map(texts).collect::<BTreeSet<_>>().len()
    }

    fn push_line(&self, text: &mut String, cells: &[impl AsRef<str>], widths: &[usize], cuts: &[Truncation]) {
        let start = text.len();
        for (index, (&width, &cut)) in widths.iter().zip(cuts).enumerate() {
            let cell = shortened(cells.get(index).map_or("", AsRef::as_ref), width, cut);
            let blanks = " ".repeat(width.saturating_sub(length(&cell)));
            let gap = if index == 0 { "" } else { GAP };
            let parts = if self.is_left(index) { [gap, &cell, &blanks] } else { [gap, &blanks, &cell] };
            parts.iter().for_each(|part| text.push_str(part));
        }
        text.truncate(start + text[start..].trim_end().len());
        text.push('\n');
    }

    fn fitted_widths(&self, rows: &[Vec<String>], width: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|column| length(&column.title)).collect();
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(length(cell));
            }
        }
        let gaps = GAP.len() * widths.len().saturating_sub(1);
        let mut excess = (widths.iter().sum::<usize>() + gaps).saturating_sub(width);
        // The widest texts give first.
        while excess > 0 {
            let texts = || widths.iter().enumerate().filter(|(index, _)| self.may_be_cut(*index));
            let Some((widest, most)) =
                texts().map(|(index, width)| (index, *width)).max_by_key(|(_, width)| *width)
            else {
                break;
            };
            if most <= NARROWEST {
                break;
            }
            let next = texts().map(|(_, width)| *width).filter(|width| *width < most).max().unwrap_or(0);
            let step = excess.min(most - next.max(NARROWEST));
            widths[widest] -= step;
            excess -= step;
        }
        widths
    }
}

impl fmt::Display for Table {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.render(usize::MAX))
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// What is left out of a text that is too long.
#[derive(Debug, Clone, Copy)]
enum Truncation {
    Beginning,
    Middle,
    End,
}

/// The way that leaves most texts of a column different. Of equally good ones that which leaves the middle out, where texts end with a line of a
/// program, else the end: names of traces differ by what stands there.
fn cut(rows: &[Vec<String>], column: usize, width: usize) -> Truncation {
    let texts = || rows.iter().filter_map(|row| row.get(column));
    let mut long = texts().filter(|text| length(text) > width).peekable();
    if long.peek().is_none() {
        return Truncation::End;
    }
    let order = match long.any(|text| ends_with_line(text)) {
        true => [Truncation::Middle, Truncation::End, Truncation::Beginning],
        false => [Truncation::End, Truncation::Beginning, Truncation::Middle],
    };
    let left =
        |cut: Truncation| texts().map(|text| shortened(text, width, cut)).collect::<BTreeSet<_>>().len();
    // Of equal ones the last, which is the first here.
    order.into_iter().rev().max_by_key(|cut| left(*cut)).unwrap_or(Truncation::End)
}

/// `heat.c:80`, `heat.c line 80`, or with the star of a footnote.
fn ends_with_line(text: &str) -> bool {
    let text = text.trim_end_matches([' ', '*']);
    let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && (rest.ends_with(':') || rest.ends_with("line "))
}

fn shortened(text: &str, width: usize, cut: Truncation) -> String {
    let length = length(text);
    if length <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let first = match cut {
        Truncation::Beginning => 0,
        // More of the end, as lines stand there.
        Truncation::Middle => room / 3,
        Truncation::End => room,
    };
    let last = text.chars().skip(length - (room - first));
    text.chars().take(first).chain(['…']).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn alephs() -> Table {
        let mut table =
            Table::new([Column::left("constant"), Column::right("value"), Column::left("interval of N")]);
        table.row(["f[0]", "11.77 s", "[1024, 65536]"]).row(["f[10]", "123.5 µs", "(65536, ∞)"]).row(["ℵ"]);
        table
    }

    #[test]
    fn columns_are_aligned_under_a_rule() {
        let expected = "\
constant     value  interval of N
────────  ────────  ─────────────
f[0]       11.77 s  [1024, 65536]
f[10]     123.5 µs  (65536, ∞)
ℵ
";
        assert_eq!(alephs().to_string(), expected);
    }

    #[test]
    fn texts_are_shortened_and_numbers_are_not() {
        let expected = "\
constant     value  interva…
────────  ────────  ────────
f[0]       11.77 s  [1024, …
f[10]     123.5 µs  (65536,…
ℵ
";
        assert_eq!(alephs().render(28), expected);
        assert_eq!(alephs().render(0), expected);
        assert_eq!(alephs().render(33), alephs().to_string());
        assert_eq!(alephs().render(32).lines().nth(2), Some("f[0]       11.77 s  [1024, 6553…"));
    }

    #[test]
    fn texts_that_differ_at_their_ends_keep_these() {
        let mut table = Table::new([Column::left("trace"), Column::right("P")]);
        table.row(["heat.call.10.dat", "2"]).row(["heat.call.11.dat", "4"]);
        assert_eq!(table.render(11), "trace     P\n────────  ─\n….10.dat  2\n….11.dat  4\n");
    }

    #[test]
    fn texts_that_end_with_a_line_keep_it_and_their_beginning() {
        let mut table = Table::new([Column::left("step"), Column::right("P")]);
        table.row(["before omp_end_parallel solve.c:69 *", "2"]).row(["in solve", "4"]);
        let shown = table.render(25);
        assert_eq!(shown.lines().nth(2), Some("before …l solve.c:69 *  2"), "{shown}");
    }

    #[test]
    fn rows_that_differ_never_look_the_same() {
        let mut table = Table::new([Column::left("called in"), Column::right("P")]);
        table.row(["main/solve/left/exchange/wait", "2"]).row(["main/solve/right/exchange/wait", "2"]);
        for width in [0, 8, 12, 20, 28] {
            let shown = table.render(width);
            let rows: Vec<&str> = shown.lines().skip(2).collect();
            assert_ne!(rows[0], rows[1], "{width}: {shown}");
        }
        // Numbers tell no rows apart that have one name.
        let mut same = Table::new([Column::left("called in"), Column::right("P")]);
        same.row(["main/solve/left/exchange/wait", "2"]).row(["main/solve/left/exchange/wait", "4"]);
        assert!(same.render(12).contains('…'));
    }

    #[test]
    fn rows_may_be_short_long_or_of_several_lines() {
        let mut table = Table::new([Column::right("P")]);
        table.row(Vec::<String>::new()).row(["16", "a\nb"]);
        assert_eq!(table.to_string(), " P\n──  ───\n\n16  a b\n");
    }

    #[test]
    fn people_may_be_shown_some_rows() {
        let shown = alephs().showing(1);
        assert_eq!(shown.to_string().lines().count(), 3);
        assert_eq!(shown.rows().len(), 3);
    }

    #[test]
    fn without_titles_there_is_no_rule() {
        let mut table = Table::new([]);
        assert_eq!(table.to_string(), "");
        table.row(["a", "b"]);
        assert_eq!(table.to_string(), "a  b\n");
        assert_eq!(Table::new([Column::left("N"), Column::right("P")]).to_string(), "N  P\n─  ─\n");
    }

    proptest! {
        #[test]
        fn rendering_never_panics(rows in vec(vec("\\PC{0,20}", 0..5), 0..5), width in 0..60_usize) {
            let mut table = Table::new([Column::left("a"), Column::right("ℵ")]);
            for row in &rows {
                table.row(row.iter().map(String::as_str));
            }
            prop_assert_eq!(table.render(width).lines().count(), rows.len() + 2);
        }
    }
}
