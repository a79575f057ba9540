//! What can be drawn of categories: bars and boxes beside their names.

use super::axis::DrawnAxis;
use super::axis_range::{self, AxisRange, is_drawable};
use super::font::Font;
use super::legend::Key;
use super::page::PicturePage;
use super::scales::are_wide;
use super::ticks::{Tick, Ticks};
use super::{Content, Scene, WIDTH, text};
use crate::{Axis, Category, CategoryChart, CategoryValue, Error};

/// A row in pixels, and a name above its bar.
const ROW: f64 = 28.0;
/// Names that take more of the width stand above their bars.
const WIDEST_NAME: f64 = 0.4;

pub(super) fn scene(chart: &CategoryChart) -> Result<Scene<'_>, Error> {
    let drawable: Vec<&Category> = chart.rows.iter().filter(|row| is_finite(row)).collect();
    if drawable.is_empty() {
        return Err(Error::Empty { title: chart.title.clone() });
    }
    let range = range(chart, &drawable)?;
    let mut y =
        DrawnAxis::new("", AxisRange { low: drawable.len() as f64, high: 0.0, is_logarithmic: false });
    y.names = drawable.iter().map(|row| text::harmless(row.label.trim())).collect();
    Ok(Scene {
        title: chart.title.clone(),
        notes: chart.notes.clone(),
        size: match chart.size {
            Some(_) => super::size(chart.size, &chart.title)?,
            None => (WIDTH, height(chart)),
        },
        x: DrawnAxis::new(&chart.value.label, range),
        y,
        borders: Vec::new(),
        spans: Vec::new(),
        spans_are: String::new(),
        key: Key::default(),
        content: Content::Categories(drawable),
    })
}

/// The height of a page of the usual width.
pub(crate) fn height(chart: &CategoryChart) -> f64 {
    const REST: f64 = 130.0;
    const NOTE: f64 = 18.0;
    const MOST: f64 = 2.0 * WIDTH;
    let page = PicturePage::pixels(WIDTH, MOST);
    let names: Vec<String> = chart.rows.iter().map(|row| row.label.clone()).collect();
    let row = if are_above(&page, &names) { ROW + page.tick_line } else { ROW };
    let height = REST + row * chart.rows.len() as f64 + NOTE * chart.notes.len() as f64;
    height.clamp(225.0, MOST)
}

/// Whether names stand above their bars, as they are too long to stand beside them.
fn are_above(page: &PicturePage, names: &[String]) -> bool {
    names.iter().any(|name| page.text_width(name, Font::Tick) > WIDEST_NAME * page.width)
}

/// The places of the rows, from the upper to the lower end of the plot.
pub(super) struct Slots {
    pub(super) count: usize,
    /// Categories that have one; the last slot tells how many have none.
    pub(super) shown: usize,
    /// Whether names stand above their bars.
    pub(super) are_above: bool,
}

impl Slots {
    /// For other pictures there are none.
    pub(super) fn new(page: &PicturePage, scene: &Scene, room: f64) -> Slots {
        let Content::Categories(rows) = &scene.content else {
            return Slots { count: 0, shown: 0, are_above: false };
        };
        let line = if page.is_pixels() { page.tick_line + 5.0 } else { page.tick_line };
        let are_above = are_above(page, &scene.y.names);
        let height = if are_above { 2.0 * line } else { line };
        let most = ((room / height) as usize).max(1);
        let (count, shown) = if rows.len() <= most { (rows.len(), rows.len()) } else { (most, most - 1) };
        Slots { count, shown, are_above }
    }

    /// The values of the vertical axis, a whole one for each slot.
    pub(super) fn range(&self, other: AxisRange) -> AxisRange {
        if self.count == 0 {
            other
        } else {
            AxisRange { low: self.count as f64, high: 0.0, is_logarithmic: false }
        }
    }

    /// The names beside the slots.
    pub(super) fn ticks(&self, names: &[String]) -> Ticks {
        if self.are_above {
            return Ticks::default();
        }
        let tick = |(index, label): (usize, String)| Tick { value: index as f64 + 0.5, label };
        let labels = names.iter().take(self.shown).cloned().chain(self.rest(names.len()));
        Ticks { labelled: labels.enumerate().map(tick).collect(), small: Vec::new() }
    }

    /// What stands for the categories without slots.
    pub(super) fn rest(&self, count: usize) -> Option<String> {
        (self.shown < count).then(|| format!("and {} more", count - self.shown))
    }

    /// How many lines of characters are not needed for slots that are equally high.
    pub(super) fn spare_lines(&self, lines: usize) -> usize {
        let (least, highest) = if self.are_above { (2, 3) } else { (1, 2) };
        lines.saturating_sub(self.count * (lines / self.count.max(1)).clamp(least, highest))
    }
}

fn ends(row: &Category) -> (f64, f64) {
    match &row.shows {
        CategoryValue::Bar { value, interval, .. } => {
            let (low, high) = interval.unwrap_or((*value, *value));
            (low.min(*value), high.max(*value))
        }
        CategoryValue::Box(distribution) => distribution.ends(),
    }
}

fn is_finite(row: &Category) -> bool {
    let (low, high) = ends(row);
    is_drawable(low, false) && is_drawable(high, false)
}

fn range(chart: &CategoryChart, rows: &[&Category]) -> Result<AxisRange, Error> {
    /// Of the width, for a character behind a bar, and at most.
    const CHARACTER: f64 = 0.017;
    const MOST_TEXT: f64 = 0.45;
    let values: Vec<f64> = rows.iter().flat_map(|row| [ends(row).0, ends(row).1]).collect();
    let texts = rows.iter().filter_map(|row| match &row.shows {
        CategoryValue::Bar { text, .. } => Some(text.chars().count()),
        CategoryValue::Box(_) => None,
    });
    let Some(longest) = texts.max() else {
        let is_log = chart.value.scale.is_logarithmic(|| are_wide(&values, &values));
        let limits = axis_range::wanted_ends(&chart.value, &chart.title, is_log)?;
        if !values.iter().all(|value| is_drawable(*value, is_log)) {
            return Err(Error::NotPositive { title: chart.title.clone(), axis: chart.value.label.clone() });
        }
        let inside = values.into_iter().filter(|value| limits.contains(value));
        return AxisRange::of_x(inside, is_log).between(&chart.value, &chart.title);
    };
    let axis = Axis { from: None, ..chart.value.clone() };
    axis_range::wanted_ends(&axis, &chart.title, false)?;
    let mut range = AxisRange::exact(values.into_iter().chain([0.0]), false);
    let text = (CHARACTER * (longest + 2) as f64).min(MOST_TEXT);
    range.high += (range.high - range.low.max(0.0)) * text / (1.0 - text);
    range.between(&axis, &chart.title)
}
