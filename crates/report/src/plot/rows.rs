//! How the rows of a diagram share the height of the plot.

use super::page::{CELL, Font, Page};
use super::text;
use super::ticks::{Tick, Ticks};
use super::{Content, Scene};

/// How many rows of a diagram are drawn as one, and what the vertical axis is called.
pub(super) fn shared(page: &Page, scene: &Scene, room: f64) -> (usize, String) {
    let Content::Timeline { timeline, .. } = &scene.content else { return (1, scene.y.label.clone()) };
    match rows_of_strip(page, room, timeline.rows.len()) {
        1 => (1, scene.y.label.clone()),
        several => (several, format!("{}, {several} in a row", scene.y.label)),
    }
}

/// How many processors share a row where there is so much room for all.
fn rows_of_strip(page: &Page, room: f64, rows: usize) -> usize {
    const THINNEST: f64 = 6.0;
    let thinnest = if page.is_pixels() { THINNEST } else { page.tick_line };
    let most = ((room / thinnest) as usize).max(1);
    strides(rows).find(|stride| rows.div_ceil(*stride) <= most).unwrap_or(rows)
}

/// The names of all rows, or every second, and so on. Of those that share a row it is the first.
pub(super) fn ticks(page: &Page, names: &[String], shared: usize, place: impl Fn(f64) -> f64) -> Ticks {
    let tick = |(index, name): (usize, &String)| {
        let label = text::shortened(page, name, Font::Tick, page.width / 5.0);
        let end = (index + shared).min(names.len());
        Tick { value: f64::midpoint(index as f64, end as f64), label }
    };
    let are_apart = |ticks: &[Tick]| {
        let room = (place(ticks[1].value) - place(ticks[0].value)).abs();
        room >= page.tick_line
    };
    let every = |stride: usize| -> Vec<Tick> { names.iter().enumerate().step_by(stride).map(tick).collect() };
    let labelled = strides(names.len())
        .filter(|stride| stride.is_multiple_of(shared))
        .map(every)
        .find(|ticks| ticks.len() < 2 || are_apart(ticks));
    Ticks { labelled: labelled.unwrap_or_default(), small: Vec::new() }
}

/// How many lines of characters are not needed for rows that are equally high.
pub(super) fn spare_lines(scene: &Scene, room: f64, rows_of_strip: usize) -> usize {
    const HIGHEST: usize = 5;
    let Content::Timeline { timeline, .. } = &scene.content else { return 0 };
    let lines = (room / CELL.1).round() as usize;
    let rows = timeline.rows.len().div_ceil(rows_of_strip);
    lines.saturating_sub(rows * (lines / rows).clamp(1, HIGHEST))
}

/// Round numbers; powers of two for such a number of rows.
fn strides(rows: usize) -> Box<dyn Iterator<Item = usize>> {
    if rows.is_power_of_two() {
        Box::new((0..usize::BITS).map(|exponent| 1 << exponent))
    } else {
        Box::new((0..19).flat_map(|exponent| [1, 2, 5].map(|digit| digit * 10_usize.pow(exponent))))
    }
}
