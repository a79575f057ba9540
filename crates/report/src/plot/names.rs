//! Names around the plot: above it those of borders and, nearer to it, of stretches of the horizontal axis; beside it those of
//! curves.

use super::canvas::CanvasPoint;
use super::data::VerticalLine;
use super::font::Font;
use super::geometry::{Rect, are_apart};
use super::legend::{Key, LegendEntry};
use super::page::{CELL, PicturePage};
use super::text::TextLine;
use super::{Content, Scene, ticks};

/// A vertical line. Where there is no room, it has no label.
pub(super) struct PlacedBorder {
    pub(super) x: f64,
    pub(super) label: Option<PlacedLabel>,
    /// Stretches of the vertical axis; infinite ends are those of the plot.
    pub(super) parts: Vec<(f64, f64)>,
}

pub(super) struct PlacedLabel {
    /// The middle.
    pub(super) x: f64,
    pub(super) line: TextLine,
}

/// A stretch of the horizontal axis with a name.
pub(super) struct NamedStretch {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) label: String,
}

/// Between texts and the plot.
fn gap(page: &PicturePage) -> f64 {
    if page.is_pixels() { 3.0 } else { 0.0 }
}

/// The height of a line of names of stretches. The first label of the vertical axis may reach above the plot.
pub(super) fn span_line(page: &PicturePage) -> f64 {
    page.border_line + gap(page)
}

/// The line of borders that stands on `bottom` is their first, the one above it the second.
pub(super) fn borders(
    page: &PicturePage,
    scene: &Scene,
    x_place: impl Fn(f64) -> f64,
    bottom: f64,
    lines: usize,
) -> Vec<PlacedBorder> {
    let mut borders: Vec<_> =
        scene.borders.iter().filter(|border| scene.x.range.contains(border.x)).collect();
    borders.sort_by(|a, b| a.x.total_cmp(&b.x));
    borders.dedup();
    // The right end of the last label of each line, from the plot upwards.
    let mut ends = vec![f64::NEG_INFINITY; lines];
    let border = |border: &VerticalLine| {
        let x = x_place(border.x);
        let half = page.text_width(&border.label, Font::Border) / 2.0;
        // Near an edge of the page it moves inwards.
        let middle = x.min(page.width - half - page.edge / 2.0).max(half);
        let line = ends.iter().position(|end| end + page.x_tick_gap / 2.0 <= middle - half);
        let label = line.filter(|_| !border.label.is_empty()).map(|line| {
            ends[line] = middle + half;
            let y = bottom - gap(page) - (line as f64 + 0.5) * page.border_line;
            PlacedLabel { x: middle, line: TextLine { text: border.label.clone(), y } }
        });
        PlacedBorder { x, label, parts: border.parts.clone() }
    };
    borders.into_iter().map(border).collect()
}

/// The names of stretches in their middles: all of them, or every second, and so on, and those that are as wide as their names,
/// behind what they are.
pub(super) fn spans(
    page: &PicturePage,
    scene: &Scene,
    x_place: impl Fn(f64) -> f64,
    top: f64,
) -> Vec<PlacedLabel> {
    let place = |span: &NamedStretch| (x_place(span.low), x_place(span.high));
    let width = |text: &str| page.text_width(text, Font::Border);
    let fits = |span: &NamedStretch, text: &str, gap: f64| {
        let (left, right) = place(span);
        width(text) + gap <= right - left
    };
    let line =
        |text: &str| TextLine { text: text.to_owned(), y: top - 2.0 * gap(page) - 0.5 * page.border_line };
    let label = |span: &NamedStretch, text: &str| {
        let (left, right) = place(span);
        PlacedLabel { x: f64::midpoint(left, right), line: line(text) }
    };
    let full = |span: &NamedStretch| format!("{} {}", scene.spans_are, span.label).trim().to_owned();
    if scene.spans.iter().all(|span| fits(span, &full(span), page.x_tick_gap / 2.0)) {
        return scene.spans.iter().map(|span| label(span, &full(span))).collect();
    }
    let end = page.edge + width(&scene.spans_are);
    let every = |stride: usize| -> Vec<PlacedLabel> {
        // Counted from 1: the 10th, the 20th and so on.
        let is_shown = |(index, span): &(usize, &NamedStretch)| {
            (index + 1).is_multiple_of(stride) || fits(span, &span.label, page.x_tick_gap)
        };
        let shown = scene.spans.iter().enumerate().filter(is_shown);
        shown.map(|(_, span)| label(span, &span.label)).collect()
    };
    let are_apart = |labels: &[PlacedLabel]| {
        are_apart(labels.iter().map(|label| (label.x, width(&label.line.text))), page.x_tick_gap)
    };
    let mut labels = ticks::round_strides().map(every).find(|labels| are_apart(labels)).unwrap_or_default();
    if !scene.spans_are.is_empty() {
        let is_free =
            |label: &PlacedLabel| label.x - width(&label.line.text) / 2.0 > end + page.x_tick_gap / 2.0;
        labels.retain(is_free);
        labels.push(PlacedLabel { x: f64::midpoint(page.edge, end), line: line(&scene.spans_are) });
    }
    labels
}

/// A curve that ends farther from the right, as a part of the width, is not joined with its name.
const FARTHEST: f64 = 0.2;

/// An entry of the legend at its own place on the page.
pub(super) struct CurveName {
    pub(super) entry: LegendEntry,
    /// Where its curve ends, if the two are to be joined.
    pub(super) end: Option<CanvasPoint>,
}

/// The names that stand beside the plot, none upon the other and each as near to its curve as the others let it.
pub(super) fn names(page: &PicturePage, scene: &Scene, plot: &Rect) -> Vec<CurveName> {
    let Content::Series { series, .. } = &scene.content else { return Vec::new() };
    let place = |value: (f64, f64)| {
        let x = plot.left + scene.x.range.place(value.0) * (plot.right - plot.left);
        (x, plot.bottom - scene.y.range.place(value.1) * (plot.bottom - plot.top))
    };
    let last = |series: &super::drawable::Drawable| {
        let all = series.curve.iter().flatten().chain(&series.points).map(|point| place(*point));
        all.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((plot.right, plot.top))
    };
    let mut names: Vec<(LegendEntry, CanvasPoint)> =
        scene.key.series.iter().cloned().zip(series.iter().map(last)).collect();
    names.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let line = page.legend_line;
    let wanted: Vec<f64> = names.iter().map(|(_, end)| end.1.clamp(plot.top, plot.bottom)).collect();
    let heights = apart(&wanted, line, plot.top + line / 2.0, plot.bottom - line / 2.0);
    let named = |((mut entry, end), y): ((LegendEntry, CanvasPoint), f64)| {
        let y = if page.is_pixels() { y } else { ((y / CELL.1).floor() + 0.5) * CELL.1 };
        entry.place = (plot.right + page.column_gap, y);
        let is_near = plot.contains(end) && end.0 >= plot.right - FARTHEST * (plot.right - plot.left);
        CurveName { entry, end: Some(end).filter(|_| is_near && page.is_pixels()) }
    };
    names.into_iter().zip(heights).map(named).collect()
}

/// Whether all names have room beside a plot of this height.
pub(super) fn have_room(page: &PicturePage, key: &Key, height: f64) -> bool {
    /// Of the page.
    const WIDEST: f64 = 0.2;
    let lines = key.series.len() as f64;
    lines > 1.0 && lines * page.legend_line <= height && key.has_names_within(page, WIDEST * page.width)
}

/// The nearest heights, in the sense of least squares, to ascending ones with so much room between neighbours.
fn apart(wanted: &[f64], room: f64, lowest: f64, highest: f64) -> Vec<f64> {
    // Without the room it is an isotonic regression: blocks of neighbours that would come too near share their mean.
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for (index, wanted) in wanted.iter().enumerate() {
        let mut block = (wanted - index as f64 * room, 1);
        while let Some(before) = blocks.pop_if(|before| before.0 > block.0) {
            let count = before.1 + block.1;
            block = ((before.0 * before.1 as f64 + block.0 * block.1 as f64) / count as f64, count);
        }
        blocks.push(block);
    }
    let highest = (highest - wanted.len().saturating_sub(1) as f64 * room).max(lowest);
    let means = blocks.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    means.enumerate().map(|(index, mean)| mean.clamp(lowest, highest) + index as f64 * room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_near_as_they_can() {
        assert_eq!(apart(&[10.0, 50.0, 90.0], 20.0, 0.0, 100.0), [10.0, 50.0, 90.0]);
        // Around their mean of 50.
        assert_eq!(apart(&[49.0, 50.0, 51.0], 20.0, 0.0, 100.0), [30.0, 50.0, 70.0]);
        assert_eq!(apart(&[1.0, 2.0, 60.0], 20.0, 0.0, 100.0), [0.0, 20.0, 60.0]);
        assert_eq!(apart(&[95.0, 99.0], 20.0, 0.0, 100.0), [80.0, 100.0]);
        assert_eq!(apart(&[], 20.0, 0.0, 100.0), Vec::<f64>::new());
    }
}
