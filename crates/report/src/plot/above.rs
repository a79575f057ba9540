//! What stands above the plot: the names of borders and, nearer to it, of stretches of the horizontal axis.

use super::Scene;
use super::layout::{TextLine, are_apart};
use super::page::{Font, Page};

/// A vertical line. Where there is no room, it has no label.
pub(super) struct Border {
    pub(super) x: f64,
    pub(super) label: Option<Label>,
}

pub(super) struct Label {
    /// The middle.
    pub(super) x: f64,
    pub(super) line: TextLine,
}

/// A stretch of the horizontal axis with a name.
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) label: String,
}

/// Between texts and the plot.
fn gap(page: &Page) -> f64 {
    if page.is_pixels() { 3.0 } else { 0.0 }
}

/// The height of a line of names of stretches. The first label of the vertical axis may reach above the plot.
pub(super) fn span_line(page: &Page) -> f64 {
    page.border_line + gap(page)
}

/// The line of borders that stands on `bottom` is their first, the one above it the second.
pub(super) fn borders(
    page: &Page,
    scene: &Scene,
    x_place: impl Fn(f64) -> f64,
    bottom: f64,
    lines: usize,
) -> Vec<Border> {
    let mut borders: Vec<_> =
        scene.borders.iter().filter(|border| scene.x.range.contains(border.value)).collect();
    borders.sort_by(|a, b| a.value.total_cmp(&b.value));
    borders.dedup();
    // The right end of the last label of each line, from the plot upwards.
    let mut ends = vec![f64::NEG_INFINITY; lines];
    let border = |border: &super::ticks::Tick| {
        let x = x_place(border.value);
        let half = page.text_width(&border.label, Font::Border) / 2.0;
        // Near an edge of the page it moves inwards.
        let middle = x.min(page.width - half - page.edge / 2.0).max(half);
        let line = ends.iter().position(|end| end + page.x_tick_gap / 2.0 <= middle - half);
        let label = line.filter(|_| !border.label.is_empty()).map(|line| {
            ends[line] = middle + half;
            let y = bottom - gap(page) - (line as f64 + 0.5) * page.border_line;
            Label { x: middle, line: TextLine { text: border.label.clone(), y } }
        });
        Border { x, label }
    };
    borders.into_iter().map(border).collect()
}

/// The names of stretches in their middles: all of them, or every second, and so on, and those that are as wide as their names,
/// behind what they are.
pub(super) fn spans(page: &Page, scene: &Scene, x_place: impl Fn(f64) -> f64, top: f64) -> Vec<Label> {
    let place = |span: &Span| (x_place(span.low), x_place(span.high));
    let width = |text: &str| page.text_width(text, Font::Border);
    let fits = |span: &Span, text: &str, gap: f64| {
        let (left, right) = place(span);
        width(text) + gap <= right - left
    };
    let line =
        |text: &str| TextLine { text: text.to_owned(), y: top - 2.0 * gap(page) - 0.5 * page.border_line };
    let label = |span: &Span, text: &str| {
        let (left, right) = place(span);
        Label { x: f64::midpoint(left, right), line: line(text) }
    };
    let full = |span: &Span| format!("{} {}", scene.spans_are, span.label).trim().to_owned();
    if scene.spans.iter().all(|span| fits(span, &full(span), page.x_tick_gap / 2.0)) {
        return scene.spans.iter().map(|span| label(span, &full(span))).collect();
    }
    let end = page.edge + width(&scene.spans_are);
    let every = |stride: usize| -> Vec<Label> {
        // Counted from 1: the 10th, the 20th and so on.
        let is_shown = |(index, span): &(usize, &Span)| {
            (index + 1).is_multiple_of(stride) || fits(span, &span.label, page.x_tick_gap)
        };
        let shown = scene.spans.iter().enumerate().filter(is_shown);
        shown.map(|(_, span)| label(span, &span.label)).collect()
    };
    let are_apart = |labels: &[Label]| {
        are_apart(labels.iter().map(|label| (label.x, width(&label.line.text))), page.x_tick_gap)
    };
    let strides = (0..19).flat_map(|exponent| [1, 2, 5].map(|digit| digit * 10_usize.pow(exponent)));
    let mut labels = strides.map(every).find(|labels| are_apart(labels)).unwrap_or_default();
    if !scene.spans_are.is_empty() {
        let is_free = |label: &Label| label.x - width(&label.line.text) / 2.0 > end + page.x_tick_gap / 2.0;
        labels.retain(is_free);
        labels.push(Label { x: f64::midpoint(page.edge, end), line: line(&scene.spans_are) });
    }
    labels
}
