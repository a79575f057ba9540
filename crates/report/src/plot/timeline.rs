//! What can be drawn of a superstep diagram.

use std::collections::BTreeMap;

use super::axis::DrawnAxis;
use super::axis_range::{AxisRange, is_drawable};
use super::data::VerticalLine;
use super::font::Font;
use super::legend::{Key, LegendEntry, Symbol};
use super::names::NamedStretch;
use super::page::PicturePage;
use super::ticks::{self, Tick, Ticks};
use super::{Content, Scene, WIDTH, text};
use crate::timeline::{ProcessorRow, TimelineActivity, TimelineBar};
use crate::{Error, Timeline};

/// From so many bars or rows on, not all have places of their own,
const MANY_BARS: usize = 300;
const MANY_ROWS: usize = 60;
/// nor have bars of such a part of a pixel; less is what rounding leaves.
const NARROW: std::ops::Range<f64> = 0.01..1.0;
/// What is left free behind the end, as a part of the time.
const MARGIN: f64 = 0.015;

/// The times at which a superstep takes place.
#[derive(Debug, Clone, Copy)]
pub(super) struct SuperstepSpan {
    pub(super) number: usize,
    /// How many processors take part.
    pub(super) rows: usize,
    /// Means over the processors.
    pub(super) start_s: f64,
    pub(super) end_s: f64,
}

pub(super) fn scene(timeline: &Timeline) -> Result<Scene<'_>, Error> {
    check(timeline)?;
    let label = if timeline.axis.trim().is_empty() { "time (s)" } else { &timeline.axis };
    let range = range(timeline)?;
    let rows = timeline.rows.len() as f64;
    // From top to bottom.
    let mut y = DrawnAxis::new("processors", AxisRange { low: rows, high: 0.0, is_logarithmic: false });
    y.names = timeline.rows.iter().enumerate().map(|(index, row)| name(index, row)).collect();
    let supersteps = supersteps(timeline);
    let borders =
        timeline.marks.iter().map(|mark| VerticalLine::new(mark.time_s, text::harmless(&mark.label)));
    Ok(Scene {
        title: timeline.title.clone(),
        notes: timeline.notes.clone(),
        size: (WIDTH, height(timeline)),
        x: DrawnAxis::new(label, range),
        y,
        borders: borders.collect(),
        spans: spans(timeline, &supersteps),
        spans_are: if has_names(timeline, &supersteps) { "" } else { "superstep" }.into(),
        key: key(timeline, (range.high - range.low) / WIDTH),
        content: Content::Timeline { timeline, supersteps },
    })
}

/// The height of a page of the usual width.
pub(crate) fn height(timeline: &Timeline) -> f64 {
    const REST: f64 = 190.0;
    const ROW: f64 = 52.0;
    const NOTE: f64 = 18.0;
    let height = REST + ROW * timeline.rows.len() as f64 + NOTE * timeline.notes.len() as f64;
    height.clamp(260.0, WIDTH / 1.5)
}

pub(super) fn superstep_name(timeline: &Timeline, number: usize) -> String {
    let name = timeline.supersteps.get(number).map(|name| text::harmless(name.trim()));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| number.saturating_add(1).to_string())
}

fn name(index: usize, row: &ProcessorRow) -> String {
    if row.label.trim().is_empty() { format!("P{index}") } else { text::harmless(row.label.trim()) }
}

fn supersteps(timeline: &Timeline) -> Vec<SuperstepSpan> {
    let mut supersteps: BTreeMap<usize, SuperstepSpan> = BTreeMap::new();
    for row in &timeline.rows {
        let mut of_row: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for bars in row.bars.chunk_by(|a, b| a.superstep == b.superstep) {
            let (start_s, end_s) = (bars[0].start_s, bars[bars.len() - 1].end_s);
            of_row.entry(bars[0].superstep).and_modify(|span| span.1 = end_s).or_insert((start_s, end_s));
        }
        for (number, (start_s, end_s)) in of_row {
            let none = SuperstepSpan { number, rows: 0, start_s: 0.0, end_s: 0.0 };
            let superstep = supersteps.entry(number).or_insert(none);
            superstep.rows += 1;
            let part = 1.0 / superstep.rows as f64;
            superstep.start_s += part * (start_s - superstep.start_s);
            superstep.end_s += part * (end_s - superstep.end_s);
        }
    }
    supersteps.into_values().collect()
}

/// Names of the supersteps of the whole machine.
fn spans(timeline: &Timeline, supersteps: &[SuperstepSpan]) -> Vec<NamedStretch> {
    let mut whole: Vec<&SuperstepSpan> =
        supersteps.iter().filter(|superstep| superstep.rows == timeline.rows.len()).collect();
    whole.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    let span = |superstep: &&SuperstepSpan| {
        let label = superstep_name(timeline, superstep.number);
        NamedStretch { low: superstep.start_s, high: superstep.end_s, label }
    };
    whole.iter().map(span).collect()
}

/// Whether a superstep of the whole machine has a name that is no number.
fn has_names(timeline: &Timeline, supersteps: &[SuperstepSpan]) -> bool {
    let mut whole = supersteps.iter().filter(|superstep| superstep.rows == timeline.rows.len());
    whole.any(|superstep| superstep_name(timeline, superstep.number).parse::<u64>().is_err())
}

/// What the bars mean where a pixel is so long.
fn key(timeline: &Timeline, pixel_s: f64) -> Key {
    let activities = [
        (TimelineActivity::Computing, "computing"),
        (TimelineActivity::Waiting, "waiting"),
        (TimelineActivity::Communicating, "communicating"),
    ];
    let bars = || timeline.rows.iter().flat_map(|row| &row.bars);
    let is_there = |activity: TimelineActivity| bars().any(|bar| bar.activity == activity);
    let entries = activities.into_iter().filter(|(activity, _)| is_there(*activity));
    let mut kinds: Vec<LegendEntry> =
        entries.map(|(activity, text)| LegendEntry::new(Symbol::Activity(activity), text)).collect();
    if !timeline.parts.is_empty() {
        kinds.push(LegendEntry::new(Symbol::Part, "part of the machine"));
    }
    if !timeline.chain.is_empty() {
        kinds.push(LegendEntry::new(Symbol::Chain, "critical chain"));
    }
    let is_crowded = timeline.rows.len() > MANY_ROWS
        || timeline.rows.iter().any(|row| row.bars.len() > MANY_BARS)
        || bars().any(|bar| NARROW.contains(&((bar.end_s - bar.start_s) / pixel_s)));
    if is_crowded {
        kinds.push(LegendEntry::new(Symbol::Shares, "shares, where bars are narrow"));
    }
    Key { kinds, ..Key::default() }
}

fn range(timeline: &Timeline) -> Result<AxisRange, Error> {
    let bars = || timeline.rows.iter().flat_map(|row| &row.bars);
    if !bars().any(|bar| bar.start_s < bar.end_s) {
        return Err(Error::NoBars { title: timeline.title.clone() });
    }
    let others = timeline.parts.iter().flat_map(|part| [part.start_s, part.end_s]);
    let others = others.chain(timeline.marks.iter().map(|mark| mark.time_s));
    let others = others.chain(timeline.chain.iter().flat_map(|stretch| [stretch.start_s, stretch.end_s]));
    let all = || bars().flat_map(|bar| [bar.start_s, bar.end_s]);
    let mut range = AxisRange::exact(all().chain(others), false);
    // Time begins at zero, unless zero is far away.
    if range.low > 0.0 && range.low < range.high / 3.0 {
        range.low = 0.0;
    }
    range.high += MARGIN * (range.high - range.low);
    Ok(range)
}

fn check(timeline: &Timeline) -> Result<(), Error> {
    let error = |place: String, trouble: &'static str| {
        Err(Error::Times { title: timeline.title.clone(), place, trouble })
    };
    for (index, row) in timeline.rows.iter().enumerate() {
        let place = |number: usize, bar: &TimelineBar| {
            format!("bar {} of `{}`, {} to {} s,", number + 1, name(index, row), bar.start_s, bar.end_s)
        };
        let mut before = f64::NEG_INFINITY;
        for (number, bar) in row.bars.iter().enumerate() {
            if let Some(trouble) = trouble(bar.start_s, bar.end_s) {
                return error(place(number, bar), trouble);
            }
            // Sums may be rounded.
            let slack = 1e-9 * bar.end_s.abs().max(before.abs());
            if bar.start_s < before - slack {
                return error(place(number, bar), "begins before the one in front of it has ended");
            }
            before = bar.end_s;
        }
    }
    let count = timeline.rows.len();
    for part in &timeline.parts {
        let place = format!("the part `{}`", text::harmless(&part.label));
        if let Some(trouble) = trouble(part.start_s, part.end_s) {
            return error(place, trouble);
        }
        if part.rows.is_empty() || part.rows.end > count {
            return error(place, "has rows that are not there");
        }
    }
    for (number, stretch) in timeline.chain.iter().enumerate() {
        let place = format!("stretch {} of the critical chain", number + 1);
        if let Some(trouble) = trouble(stretch.start_s, stretch.end_s) {
            return error(place, trouble);
        }
        if stretch.row >= count {
            return error(place, "has a row that is not there");
        }
    }
    for mark in &timeline.marks {
        if !is_drawable(mark.time_s, false) {
            return error(format!("the mark `{}`", text::harmless(&mark.label)), "stands at no finite time");
        }
    }
    Ok(())
}

fn trouble(start_s: f64, end_s: f64) -> Option<&'static str> {
    if !is_drawable(start_s, false) || !is_drawable(end_s, false) {
        Some("has an end that is no finite time")
    } else if end_s < start_s {
        Some("ends before it begins")
    } else {
        None
    }
}

/// How many rows of a diagram are drawn as one, and what the vertical axis is called.
pub(super) fn shared_rows(page: &PicturePage, scene: &Scene, room: f64) -> (usize, String) {
    let Content::Timeline { timeline, .. } = &scene.content else { return (1, scene.y.label.clone()) };
    match rows_of_strip(page, room, timeline.rows.len()) {
        1 => (1, scene.y.label.clone()),
        several => (several, format!("{}, {several} in a row", scene.y.label)),
    }
}

/// How many processors share a row where there is so much room for all.
fn rows_of_strip(page: &PicturePage, room: f64, rows: usize) -> usize {
    const THINNEST: f64 = 6.0;
    let thinnest = if page.is_pixels() { THINNEST } else { page.tick_line };
    let most = ((room / thinnest) as usize).max(1);
    strides(rows).find(|stride| rows.div_ceil(*stride) <= most).unwrap_or(rows)
}

/// The names of all rows, or every second, and so on. Of those that share a row it is the first.
pub(super) fn row_ticks(
    page: &PicturePage,
    names: &[String],
    shared: usize,
    place: impl Fn(f64) -> f64,
) -> Ticks {
    /// Of the page.
    const WIDEST_NAME: f64 = 0.4;
    let tick = |(index, name): (usize, &String)| {
        let label = text::shortened(page, name, Font::Tick, page.width * WIDEST_NAME);
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
pub(super) fn spare_lines(timeline: &Timeline, lines: usize, rows_of_strip: usize) -> usize {
    const HIGHEST: usize = 5;
    let rows = timeline.rows.len().div_ceil(rows_of_strip);
    lines.saturating_sub(rows * (lines / rows).clamp(1, HIGHEST))
}

/// Round numbers; powers of two for such a number of rows.
fn strides(rows: usize) -> Box<dyn Iterator<Item = usize>> {
    if rows.is_power_of_two() {
        Box::new((0..usize::BITS).map(|exponent| 1 << exponent))
    } else {
        Box::new(ticks::round_strides())
    }
}
