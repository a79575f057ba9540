//! Where everything stands.

use super::axis_range::AxisRange;
use super::canvas::CanvasPoint;
use super::categories::Slots;
use super::font::Font;
use super::geometry::{Rect, are_apart};
use super::legend::{ColourBar, Legend};
use super::names::{self, CurveName, PlacedBorder, PlacedLabel};
use super::page::{CELL, PicturePage};
use super::text::{self, TextLine};
use super::ticks::{self, Tick, Ticks};
use super::{Content, Scene, timeline};

const MOST_TITLE_LINES: usize = 2;
/// Title and notes take at most this part of the page.
const MOST_HEADING: f64 = 0.3;
const MOST_NOTE_LINES: usize = 6;
const MOST_BORDER_LINES: usize = 2;
const MOST_MARK_LINES: usize = 4;
const MOST_LABEL_LINES: usize = 3;
/// From line to line of a label that runs upwards, in pixels.
const LABEL_PITCH: f64 = 18.0;

/// A colour bar with its place.
pub(super) struct PlacedColourBar {
    pub(super) label: TextLine,
    pub(super) rect: Rect,
    pub(super) steps: ColourBar,
    pub(super) ticks: Vec<TextLine>,
}

pub(super) struct Layout {
    pub(super) title: Vec<TextLine>,
    pub(super) notes: Vec<TextLine>,
    /// The plot itself.
    pub(super) plot: Rect,
    pub(super) x_label: TextLine,
    /// Lines that run upwards in pictures of pixels, with their middles.
    pub(super) y_label: Vec<(String, CanvasPoint)>,
    pub(super) x_ticks: Ticks,
    pub(super) y_ticks: Ticks,
    pub(super) borders: Vec<PlacedBorder>,
    pub(super) spans: Vec<PlacedLabel>,
    /// How many values of the vertical axis share a row of a diagram.
    pub(super) rows_of_strip: usize,
    pub(super) slots: Slots,
    pub(super) legend: Legend,
    pub(super) legend_at: CanvasPoint,
    /// Names of series that are not in the legend.
    pub(super) names: Vec<CurveName>,
    pub(super) bar: Option<PlacedColourBar>,
    /// The ends of axes of dots are in the middle of dots.
    inset: f64,
    /// How far lines of borders reach beyond what they belong to.
    around: f64,
    y_inset: f64,
    x: AxisRange,
    y: AxisRange,
}

impl Layout {
    pub(super) fn new(page: &PicturePage, scene: &Scene) -> Layout {
        let has_borders = scene.borders.iter().any(|border| scene.x.range.contains(border.x));
        let mut layout = Layout::with_border_lines(page, scene, usize::from(has_borders));
        let is_diagram = matches!(scene.content, Content::Timeline { .. });
        for lines in 2..=if is_diagram { MOST_MARK_LINES } else { MOST_BORDER_LINES } {
            if page.is_pixels() && layout.borders.iter().any(|border| border.label.is_none()) {
                layout = Layout::with_border_lines(page, scene, lines);
            }
        }
        layout
    }

    pub(super) fn x_place(&self, value: f64) -> f64 {
        let room = self.plot.right - self.plot.left - 2.0 * self.inset;
        self.plot.left + self.inset + self.x.place(value) * room
    }

    pub(super) fn y_place(&self, value: f64) -> f64 {
        let room = self.plot.bottom - self.plot.top - 2.0 * self.y_inset;
        self.plot.bottom - self.y_inset - self.y.place(value) * room
    }

    pub(super) fn place(&self, point: (f64, f64)) -> CanvasPoint {
        (self.x_place(point.0), self.y_place(point.1))
    }

    /// The pieces of the lines of borders, from above to below: around what they belong to.
    pub(super) fn border_lines(&self) -> Vec<[CanvasPoint; 2]> {
        let line = |x: f64, &(low, high): &(f64, f64)| {
            let top = if high.is_finite() { self.y_place(high) - self.around } else { self.plot.top };
            let bottom = if low.is_finite() { self.y_place(low) + self.around } else { self.plot.bottom };
            [(x, top.max(self.plot.top)), (x, bottom.min(self.plot.bottom))]
        };
        let mut lines: Vec<[CanvasPoint; 2]> = Vec::new();
        for border in &self.borders {
            let mut own: Vec<[CanvasPoint; 2]> =
                border.parts.iter().map(|part| line(border.x, part)).collect();
            own.retain(|[top, bottom]| top.1 < bottom.1);
            own.sort_by(|a, b| a[0].1.total_cmp(&b[0].1));
            for line in own {
                match lines.last_mut().filter(|last| last[0].0 == border.x && last[1].1 >= line[0].1) {
                    Some(last) => last[1].1 = last[1].1.max(line[1].1),
                    None => lines.push(line),
                }
            }
        }
        lines
    }

    /// The value at a place from 0, left, to 1, right.
    pub(super) fn x_value(&self, place: f64) -> f64 {
        self.x.value(place)
    }

    fn with_border_lines(page: &PicturePage, scene: &Scene, border_lines: usize) -> Layout {
        let room = page.width - 2.0 * page.edge;
        let (title, notes, heading_end) = heading(page, scene, room);
        let is_rising = page.is_pixels();
        let label_lines =
            |room: f64| text::wrapped(page, &scene.y.label, Font::Label, room, MOST_LABEL_LINES);
        let label_above =
            if is_rising { 0.0 } else { label_lines(page.width).len() as f64 * page.label_line };
        let span_line = if scene.spans.is_empty() { 0.0 } else { names::span_line(page) };
        let top =
            heading_end + page.heading_gap + label_above + border_lines as f64 * page.border_line + span_line;

        // From the bottom up, first without a legend.
        let x_label_line = if scene.x.label.is_empty() { 0.0 } else { page.label_line + page.label_gap };
        let lower_end = page.height - page.edge - page.foot;
        let below = |legend: &Legend| {
            let rows = if legend.entries.is_empty() { 0.0 } else { legend.height + page.rows_gap };
            lower_end - rows
        };
        let axis = page.tick + page.tick_gap;
        let axis = if is_rising { axis } else { CELL.1 };
        let bottom_of = |end: f64| (end - x_label_line - page.tick_line - axis).max(top + page.tick_line);
        let of_kinds = scene.key.of_kinds().rows(page, room);
        let is_at_curves =
            scene.key.is_at_curves && names::have_room(page, &scene.key, bottom_of(below(&of_kinds)) - top);
        let is_column = !is_at_curves && scene.key.is_column(page, bottom_of(lower_end) - top);
        let rows = match () {
            () if is_at_curves => of_kinds,
            () if is_column => Legend::default(),
            () => scene.key.rows(page, room),
        };
        let end = below(&rows);
        let bottom = bottom_of(end);

        let slots = Slots::new(page, scene, bottom - top);
        let y_range = slots.range(scene.y.range);
        let (rows_of_strip, y_label) = timeline::shared_rows(page, scene, bottom - top);
        let y_label_room = if is_rising { bottom - top } else { page.width };
        let y_label = text::wrapped(page, &y_label, Font::Label, y_label_room, MOST_LABEL_LINES);
        let y_ticks = y_ticks(page, scene, &slots, (top, bottom));
        let widest = y_ticks.labelled.iter().map(|tick| tick_width(page, tick)).fold(0.0, f64::max);
        let label_width = match y_label.len() {
            lines if is_rising && lines > 0 => lines as f64 * LABEL_PITCH + 5.0,
            _ => 0.0,
        };
        let left = (page.edge + label_width + widest + page.tick_gap + page.tick).min(page.width / 2.0);

        let legend = if is_column { scene.key.column(page, bottom - top) } else { rows };
        let bar = scene.key.bar.as_ref().filter(|_| !is_column && !is_at_curves);
        let bar_width = bar.map_or(0.0, |bar| bar_width(page, bar));
        let names_width = scene.key.series.iter().map(|entry| entry.width(page)).fold(0.0, f64::max);
        let beside = match () {
            () if is_at_curves => names_width,
            () if is_column => legend.width,
            () => bar_width,
        };
        let beside =
            if beside > 0.0 { beside + page.column_gap } else { 8.0 * f64::from(u8::from(is_rising)) };
        let right = (page.width - page.edge - beside).max(left + CELL.0);
        let legend_at = if is_column {
            (right + page.column_gap, top)
        } else {
            (left.min(page.width - page.edge - legend.width).max(page.edge), lower_end - legend.height)
        };
        let plot = Rect { left, right, top, bottom };

        let x_place = |value: f64| left + scene.x.range.place(value) * (right - left);
        let y_label_at = |line: usize| {
            if is_rising {
                (page.edge + page.label_line / 2.0 - 4.0 + line as f64 * LABEL_PITCH, (top + bottom) / 2.0)
            } else {
                (0.0, heading_end + page.heading_gap + (line as f64 + 0.5) * page.label_line)
            }
        };
        let inset = if page.is_pixels() { 0.0 } else { 0.5 };
        Layout {
            borders: names::borders(page, scene, x_place, top - span_line, border_lines),
            spans: names::spans(page, scene, x_place, top),
            x_label: TextLine {
                text: text::shortened(page, &scene.x.label, Font::Label, right - left),
                y: end - page.label_line / 2.0,
            },
            y_label: y_label.into_iter().enumerate().map(|(index, line)| (line, y_label_at(index))).collect(),
            rows_of_strip,
            slots,
            title,
            notes,
            bar: bar.map(|bar| placed_bar(page, bar, &plot)),
            names: if is_at_curves { names::names(page, scene, &plot) } else { Vec::new() },
            plot,
            x_ticks: x_ticks(page, scene, x_place),
            y_ticks,
            legend,
            legend_at,
            inset,
            around: page.border_line,
            // Rows are whole lines.
            y_inset: if scene.y.names.is_empty() { inset } else { 0.0 },
            x: scene.x.range,
            y: y_range,
        }
    }
}

fn x_ticks(page: &PicturePage, scene: &Scene, place: impl Fn(f64) -> f64) -> Ticks {
    let mut ticks = ticks::choose(&scene.x.range, &scene.x.kind, |ticks| {
        let places = ticks.iter().map(|tick| (place(tick.value), tick_width(page, tick)));
        are_apart(places, page.x_tick_gap)
    });
    // The last label may not have room before the edge; in pictures of characters it moves.
    let reaches_out = |tick: &&mut Tick| place(tick.value) + tick_width(page, tick) / 2.0 > page.width;
    if let Some(last) = ticks.labelled.last_mut().filter(reaches_out).filter(|_| page.is_pixels()) {
        last.label.clear();
    }
    ticks
}

fn y_ticks(page: &PicturePage, scene: &Scene, slots: &Slots, (top, bottom): (f64, f64)) -> Ticks {
    if let Content::Categories(_) = scene.content {
        return slots.ticks(&scene.y.names);
    }
    let place = |value: f64| bottom - scene.y.range.place(value) * (bottom - top);
    if !scene.y.names.is_empty() {
        let shared = timeline::shared_rows(page, scene, bottom - top).0;
        return timeline::row_ticks(page, &scene.y.names, shared, place);
    }
    ticks::choose(&scene.y.range, &scene.y.kind, |ticks| {
        are_apart(ticks.iter().map(|tick| (place(tick.value), page.tick_line)), page.y_tick_gap)
    })
}

/// Title and notes, and where they end.
fn heading(page: &PicturePage, scene: &Scene, room: f64) -> (Vec<TextLine>, Vec<TextLine>, f64) {
    let mut y = if page.is_pixels() { page.edge - 4.0 } else { 0.0 };
    let lines = |line: f64, y: f64| ((page.height * MOST_HEADING - y) / line).max(0.0) as usize;
    let most = lines(page.title_line, 2.0 * page.title_line).clamp(1, MOST_TITLE_LINES);
    let title = text::wrapped(page, &text::harmless(&scene.title), Font::Title, room, most);
    let title = stacked(title, page.title_line, &mut y);
    // The plot takes precedence over the notes.
    let most = lines(page.note_line, y);
    let wrapped =
        |note: &String| text::wrapped(page, &text::harmless(note), Font::Note, room, MOST_NOTE_LINES);
    let notes = scene.notes.iter().flat_map(wrapped).take(most.min(MOST_NOTE_LINES)).collect();
    (title, stacked(notes, page.note_line, &mut y), y)
}

/// Lines one below the other from `y` on, which moves below the last one.
fn stacked(texts: Vec<String>, line: f64, y: &mut f64) -> Vec<TextLine> {
    let place = |text: String| {
        *y += line;
        TextLine { text, y: *y - line / 2.0 }
    };
    texts.into_iter().map(place).collect()
}

fn tick_width(page: &PicturePage, tick: &Tick) -> f64 {
    page.text_width(&tick.label, Font::Tick)
}

fn bar_width(page: &PicturePage, bar: &ColourBar) -> f64 {
    let widest = bar.ticks.iter().map(|(_, label)| page.text_width(label, Font::Tick)).fold(0.0, f64::max);
    let label = page.text_width(&bar.label, Font::Legend).min(page.width / 6.0);
    (page.bar + page.tick.max(CELL.0) + widest).max(label)
}

fn placed_bar(page: &PicturePage, bar: &ColourBar, plot: &Rect) -> PlacedColourBar {
    let left = plot.right + page.column_gap;
    let label_line = if bar.label.is_empty() { 0.0 } else { page.legend_line };
    let top = plot.top + label_line;
    let rect = Rect { left, right: left + page.bar, top, bottom: plot.bottom.max(top + page.tick_line) };
    let y_place = |place: f64| rect.bottom - place * (rect.bottom - rect.top);
    // Every tick, or every second, and so on, until they have room.
    let every = |stride: usize| -> Vec<TextLine> {
        let ticks = bar.ticks.iter().step_by(stride);
        ticks.map(|(place, label)| TextLine { text: label.clone(), y: y_place(*place) }).collect()
    };
    let has_room = |ticks: &[TextLine]| are_apart(ticks.iter().map(|tick| (tick.y, page.tick_line)), 0.0);
    let ticks = (1..=bar.ticks.len().max(1)).map(every).find(|ticks| has_room(ticks)).unwrap_or_default();
    let label = TextLine {
        text: text::shortened(page, &bar.label, Font::Legend, bar_width(page, bar)),
        y: plot.top + label_line / 2.0 - if page.is_pixels() { 4.0 } else { 0.0 },
    };
    PlacedColourBar { label, rect, steps: bar.clone(), ticks }
}
