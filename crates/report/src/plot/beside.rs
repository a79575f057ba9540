//! Names beside the right ends of their curves.

use super::canvas::Place;
use super::clip::Rect;
use super::legend::{Entry, Key};
use super::page::{CELL, Page};
use super::{Content, Scene};

/// A curve that ends farther from the right, as a part of the width, is not joined with its name.
const FARTHEST: f64 = 0.2;

/// An entry of the legend at its own place on the page.
pub(super) struct Name {
    pub(super) entry: Entry,
    /// Where its curve ends, if the two are to be joined.
    pub(super) end: Option<Place>,
}

/// The names that stand beside the plot, none upon the other and each as near to its curve as the others let it.
pub(super) fn names(page: &Page, scene: &Scene, plot: &Rect) -> Vec<Name> {
    let Content::Series { series, .. } = &scene.content else { return Vec::new() };
    let place = |value: (f64, f64)| {
        let x = plot.left + scene.x.range.place(value.0) * (plot.right - plot.left);
        (x, plot.bottom - scene.y.range.place(value.1) * (plot.bottom - plot.top))
    };
    let last = |series: &super::data::Drawable| {
        let all = series.curve.iter().flatten().chain(&series.points).map(|point| place(*point));
        all.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((plot.right, plot.top))
    };
    let mut names: Vec<(Entry, Place)> =
        scene.key.series.iter().cloned().zip(series.iter().map(last)).collect();
    names.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let line = page.legend_line;
    let wanted: Vec<f64> = names.iter().map(|(_, end)| end.1.clamp(plot.top, plot.bottom)).collect();
    let heights = apart(&wanted, line, plot.top + line / 2.0, plot.bottom - line / 2.0);
    let named = |((mut entry, end), y): ((Entry, Place), f64)| {
        let y = if page.is_pixels() { y } else { ((y / CELL.1).floor() + 0.5) * CELL.1 };
        entry.place = (plot.right + page.column_gap, y);
        let is_near = plot.contains(end) && end.0 >= plot.right - FARTHEST * (plot.right - plot.left);
        Name { entry, end: Some(end).filter(|_| is_near && page.is_pixels()) }
    };
    names.into_iter().zip(heights).map(named).collect()
}

/// Whether all names have room beside a plot of this height.
pub(super) fn have_room(page: &Page, key: &Key, height: f64) -> bool {
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
