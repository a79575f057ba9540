//! Where everything stands.

use super::canvas::{HEIGHT, Place, WIDTH};
use super::data::Data;
use super::legend::{self, Legend};
use super::text;
use super::tick_label::Unit;
use super::ticks::{self, Kind, Tick, Ticks};
use crate::{Figure, number};

/// Around everything.
pub(super) const EDGE: f64 = 20.0;
pub(super) const TITLE_SIZE: f64 = 19.0;
pub(super) const NOTE_SIZE: f64 = 13.0;
pub(super) const TICK_SIZE: f64 = 13.5;
pub(super) const LABEL_SIZE: f64 = 15.0;
pub(super) const BORDER_SIZE: f64 = 12.0;
/// Length of ticks.
pub(super) const TICK: f64 = 5.0;
/// Between the plot and a legend on the right.
const COLUMN_GAP: f64 = 18.0;
/// Between ticks and their labels.
pub(super) const TICK_GAP: f64 = 5.0;

const TITLE_LINE: f64 = 25.0;
const NOTE_LINE: f64 = 18.0;
const BORDER_LINE: f64 = 16.0;
const MOST_TITLE_LINES: usize = 2;
const MOST_NOTE_LINES: usize = 6;
const MOST_BORDER_LINES: usize = 2;

/// A text with the middle of its line.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) y: f64,
}

/// A border of intervals. Where there is no room, it has no label.
pub(super) struct Border {
    pub(super) x: f64,
    pub(super) label: Option<Line>,
}

pub(super) struct Layout {
    pub(super) title: Vec<Line>,
    pub(super) notes: Vec<Line>,
    /// The plot itself.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
    pub(super) x_label: String,
    pub(super) y_label: String,
    /// Middles of the lines of the labels.
    pub(super) x_label_y: f64,
    pub(super) y_label_x: f64,
    pub(super) x_ticks: Ticks,
    pub(super) y_ticks: Ticks,
    pub(super) borders: Vec<Border>,
    pub(super) legend: Legend,
    pub(super) legend_at: Place,
}

impl Layout {
    pub(super) fn new(figure: &Figure, data: &Data) -> Layout {
        let has_borders = figure.borders.iter().any(|border| data.x.contains(*border));
        let with_lines = |lines| Layout::with_border_lines(figure, data, lines);
        let mut layout = with_lines(usize::from(has_borders));
        if layout.borders.iter().any(|border| border.label.is_none()) {
            layout = with_lines(MOST_BORDER_LINES);
        }
        layout
    }

    fn with_border_lines(figure: &Figure, data: &Data, border_lines: usize) -> Layout {
        let room = WIDTH - 2.0 * EDGE;
        let (title, notes, heading_end) = heading(figure, room);
        let top = heading_end + 12.0 + border_lines as f64 * BORDER_LINE;

        let is_column = legend::is_column(data);
        let rows = if is_column { Legend::default() } else { legend::rows(data, room) };
        let rows_height = if rows.entries.is_empty() { 0.0 } else { rows.height + 8.0 };
        let x_label_y = HEIGHT - EDGE - rows_height - LABEL_SIZE / 2.0;
        let bottom = x_label_y - LABEL_SIZE / 2.0 - 10.0 - TICK_SIZE - TICK_GAP - TICK;

        let (y_label, y_unit) = label_and_unit(&figure.y.label);
        let y_kind = Kind { unit: y_unit, is_whole: false, is_binary: false };
        let y_place = |value: f64| bottom - data.y.place(value) * (bottom - top);
        let y_ticks = ticks::choose(&data.y, y_kind, |ticks| {
            are_apart(ticks.iter().map(|tick| (y_place(tick.value), TICK_SIZE)), 8.0)
        });
        let widest = y_ticks.labelled.iter().map(tick_width).fold(0.0, f64::max);
        let y_label_width = if y_label.is_empty() { 0.0 } else { LABEL_SIZE + 8.0 };
        let left = EDGE - 4.0 + y_label_width + widest + TICK_GAP + TICK;

        let legend = if is_column { legend::column(data, bottom - top) } else { rows };
        let right = WIDTH - EDGE - if is_column { legend.width + COLUMN_GAP } else { 8.0 };
        let legend_at = if is_column {
            (right + COLUMN_GAP, top)
        } else {
            (left.min(WIDTH - EDGE - legend.width), HEIGHT - EDGE + 6.0 - legend.height)
        };

        let (x_label, x_unit) = label_and_unit(&figure.x.label);
        let x_kind = Kind { unit: x_unit, is_whole: data.has_whole_x, is_binary: data.has_binary_x };
        let x_place = |value: f64| left + data.x.place(value) * (right - left);
        let x_ticks = ticks::choose(&data.x, x_kind, |ticks| {
            are_apart(ticks.iter().map(|tick| (x_place(tick.value), tick_width(tick))), 14.0)
        });
        Layout {
            borders: borders(figure, data, x_place, top, border_lines),
            x_label: text::shortened(&text::allowed(x_label), LABEL_SIZE, right - left),
            y_label: text::shortened(&text::allowed(y_label), LABEL_SIZE, bottom - top),
            y_label_x: EDGE + LABEL_SIZE / 2.0 - 4.0,
            title,
            notes,
            left,
            right,
            top,
            bottom,
            x_label_y,
            x_ticks,
            y_ticks,
            legend,
            legend_at,
        }
    }
}

/// Title and notes, and where they end.
fn heading(figure: &Figure, room: f64) -> (Vec<Line>, Vec<Line>, f64) {
    let mut y = EDGE - 2.0;
    let title = text::wrapped(&text::allowed(&figure.title), TITLE_SIZE, room, MOST_TITLE_LINES);
    let title = stacked(title, TITLE_LINE, &mut y);
    let wrapped = |note: &String| text::wrapped(&text::allowed(note), NOTE_SIZE, room, MOST_NOTE_LINES);
    let notes = figure.notes.iter().flat_map(wrapped).take(MOST_NOTE_LINES).collect();
    (title, stacked(notes, NOTE_LINE, &mut y), y)
}

/// Lines one below the other from `y` on, which moves below the last one.
fn stacked(texts: Vec<String>, line: f64, y: &mut f64) -> Vec<Line> {
    let place = |text: String| {
        *y += line;
        Line { text, y: *y - line / 2.0 }
    };
    texts.into_iter().map(place).collect()
}

/// The label without its unit, if the ticks show it.
fn label_and_unit(label: &str) -> (&str, Unit) {
    let label = label.trim();
    let stripped = label.strip_suffix("(s)").or_else(|| label.strip_suffix("[s]"));
    match stripped {
        Some(rest) => (rest.trim_end(), Unit::Seconds),
        None if label.eq_ignore_ascii_case("time") => (label, Unit::Seconds),
        None => (label, Unit::None),
    }
}

fn tick_width(tick: &Tick) -> f64 {
    text::width(&tick.label, TICK_SIZE)
}

/// Whether things of these middles and sizes, in ascending or descending order, have a gap between each other.
fn are_apart(things: impl Iterator<Item = (f64, f64)>, gap: f64) -> bool {
    let things: Vec<(f64, f64)> = things.collect();
    things.windows(2).all(|pair| (pair[1].0 - pair[0].0).abs() >= (pair[0].1 + pair[1].1) / 2.0 + gap)
}

fn borders(
    figure: &Figure,
    data: &Data,
    x_place: impl Fn(f64) -> f64,
    top: f64,
    lines: usize,
) -> Vec<Border> {
    const GAP: f64 = 8.0;
    const DIGITS: usize = 6;
    let mut values: Vec<f64> =
        figure.borders.iter().copied().filter(|border| data.x.contains(*border)).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    // The right end of the last label of each line, from the plot upwards.
    let mut ends = vec![f64::NEG_INFINITY; lines];
    let border = |value: f64| {
        let x = x_place(value);
        let text = number::significant(value, DIGITS);
        let half = text::width(&text, BORDER_SIZE) / 2.0;
        let line = ends.iter().position(|end| end + GAP <= x - half);
        let label = line.map(|line| {
            ends[line] = x + half;
            Line { text, y: top - 3.0 - (line as f64 + 0.5) * BORDER_LINE }
        });
        Border { x, label }
    };
    values.into_iter().map(border).collect()
}
