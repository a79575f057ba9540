//! What the marks mean: a column on the right for several series with short names, rows below the plot otherwise.

use super::canvas::Place;
use super::data::Data;
use super::text;

pub(super) const FONT_SIZE: f64 = 13.5;
/// From one row to the next.
pub(super) const ROW: f64 = 21.0;
/// From the start of an entry to its text.
pub(super) const MARK_WIDTH: f64 = 36.0;
/// Between entries of a row.
const GAP: f64 = 24.0;
const LONGEST_IN_COLUMN: f64 = 150.0;
const LONGEST_IN_ROW: f64 = 420.0;
const MOST_ROWS: usize = 4;

/// What stands before the text of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Series { index: usize, has_points: bool, has_curve: bool },
    AnyPoint,
    AnyCurve,
    None,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) mark: Mark,
    pub(super) text: String,
    /// The middle of the left side, relative to the upper left corner of the legend.
    pub(super) place: Place,
}

impl Entry {
    fn new(mark: Mark, text: &str, room: f64) -> Entry {
        Entry { mark, text: text::shortened(&text::allowed(text), FONT_SIZE, room), place: (0.0, 0.0) }
    }

    fn width(&self) -> f64 {
        MARK_WIDTH + text::width(&self.text, FONT_SIZE)
    }
}

/// Entries with their places.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Legend {
    pub(super) entries: Vec<Entry>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Whether the legend stands on the right.
pub(super) fn is_column(data: &Data) -> bool {
    let is_short = |label: &str| text::width(label, FONT_SIZE) <= LONGEST_IN_COLUMN;
    data.series.len() > 2 && data.series.iter().all(|series| is_short(&series.label))
}

/// A legend of one column.
pub(super) fn column(data: &Data, room: f64) -> Legend {
    let kinds = kinds(data, LONGEST_IN_COLUMN);
    let kinds_height = if kinds.is_empty() { 0.0 } else { (kinds.len() as f64 + 0.5) * ROW };
    let most = (((room - kinds_height) / ROW) as usize).max(1);
    let mut entries = series(data, most, LONGEST_IN_COLUMN);
    for (index, entry) in entries.iter_mut().enumerate() {
        entry.place.1 = (index as f64 + 0.5) * ROW;
    }
    let start = (entries.len() as f64 + 0.5) * ROW;
    entries.extend(kinds.into_iter().enumerate().map(|(index, mut entry)| {
        entry.place.1 = start + (index as f64 + 0.5) * ROW;
        entry
    }));
    let width = entries.iter().map(Entry::width).fold(0.0, f64::max);
    let height = entries.last().map_or(0.0, |last| last.place.1 + ROW / 2.0);
    Legend { entries, width, height }
}

/// A legend of rows that are filled one after another.
pub(super) fn rows(data: &Data, room: f64) -> Legend {
    let mut most = data.series.len();
    loop {
        let mut entries = series(data, most, LONGEST_IN_ROW);
        entries.extend(kinds(data, LONGEST_IN_ROW));
        let rows = fill_rows(&mut entries, room);
        if rows <= MOST_ROWS || most <= 1 {
            let width = entries.iter().map(|entry| entry.place.0 + entry.width()).fold(0.0, f64::max);
            return Legend { entries, width, height: rows as f64 * ROW };
        }
        most -= 1;
    }
}

/// Gives the entries their places and returns the number of rows.
fn fill_rows(entries: &mut [Entry], room: f64) -> usize {
    let (mut rows, mut x) = (usize::from(!entries.is_empty()), 0.0);
    for entry in entries {
        if x > 0.0 && x + entry.width() > room {
            rows += 1;
            x = 0.0;
        }
        entry.place = (x, (rows as f64 - 0.5) * ROW);
        x += entry.width() + GAP;
    }
    rows
}

/// The series, at most so many entries; the last one counts what is left out.
fn series(data: &Data, most: usize, room: f64) -> Vec<Entry> {
    // A single series without a name needs no entry.
    if data.series.len() == 1 && data.series[0].label.trim().is_empty() {
        return Vec::new();
    }
    let shown = if data.series.len() <= most { data.series.len() } else { most - 1 };
    let mut entries: Vec<Entry> = data.series[..shown]
        .iter()
        .enumerate()
        .map(|(index, series)| {
            let (has_points, has_curve) = (!series.points.is_empty(), !series.curve.is_empty());
            Entry::new(Mark::Series { index, has_points, has_curve }, &series.label, room)
        })
        .collect();
    if shown < data.series.len() {
        entries.push(Entry::new(Mark::None, &format!("and {} more", data.series.len() - shown), room));
    }
    entries
}

/// Where there are both points and curves, what they are.
fn kinds(data: &Data, room: f64) -> Vec<Entry> {
    let has_points = data.series.iter().any(|series| !series.points.is_empty());
    let has_curves = data.series.iter().any(|series| !series.curve.is_empty());
    if has_points && has_curves {
        vec![Entry::new(Mark::AnyPoint, "measured", room), Entry::new(Mark::AnyCurve, "fitted", room)]
    } else {
        Vec::new()
    }
}
