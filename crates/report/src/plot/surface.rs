//! What can be drawn of a surface.

use super::data::are_wide;
use super::legend::{Bar, Entry, Key, Mark};
use super::palette::{self, Colour};
use super::range::{Range, is_drawable};
use super::ticks::{self, Tick};
use super::view::View;
use super::{Content, Scene};
use crate::{Axis, Error, Scale, Surface};

/// The values of a grid as places of the colour scale.
pub(super) struct Values {
    pub(super) columns: Vec<f64>,
    pub(super) rows: Vec<f64>,
    /// From 0 to 1, a row after the other; NaN where there is none.
    pub(super) places: Vec<f64>,
    /// Levels between bands, with their places from 0 to 1.
    pub(super) levels: Vec<(f64, Tick)>,
    /// Measured points with their places on the colour scale.
    pub(super) points: Vec<((f64, f64), f64)>,
}

impl Values {
    /// The colours of the bands, from below the first level to above the last.
    pub(super) fn colours(&self) -> Vec<Colour> {
        let ends = self.ends();
        ends.windows(2).map(|pair| palette::on_scale(f64::midpoint(pair[0], pair[1]))).collect()
    }

    /// The places at which bands begin and end.
    fn ends(&self) -> Vec<f64> {
        [0.0].into_iter().chain(self.levels.iter().map(|level| level.0)).chain([1.0]).collect()
    }

    /// The band in which a place is.
    pub(super) fn band(&self, place: f64) -> usize {
        self.levels.iter().filter(|level| level.0 <= place).count()
    }
}

pub(super) fn scene(surface: &Surface) -> Result<Scene<'static>, Error> {
    const MOST_LEVELS: usize = 11;
    check_grid(surface)?;
    let measured = || surface.points.iter().filter(|point| is_drawable(point.2, false));
    let numbers = surface.values.iter().copied().chain(measured().map(|point| point.2));
    let mut value = View::new(&surface.value.label, range(surface, &surface.value, numbers)?);
    value.kind.most = MOST_LEVELS;
    let x_values = surface.columns.iter().copied().chain(measured().map(|point| point.0));
    let y_values = surface.rows.iter().copied().chain(measured().map(|point| point.1));
    let x = range(surface, &surface.x, x_values)?;
    let y = range(surface, &surface.y, y_values)?;
    let grid = [(&surface.x, x, &surface.columns), (&surface.y, y, &surface.rows)];
    for (axis, range, places) in grid {
        if places.iter().any(|place| !is_drawable(*place, range.is_logarithmic)) {
            return Err(Error::NotPositive { title: surface.title.clone(), axis: axis.label.clone() });
        }
    }
    let can_draw = |point: &&(f64, f64, f64)| {
        is_drawable(point.0, x.is_logarithmic)
            && is_drawable(point.1, y.is_logarithmic)
            && is_drawable(point.2, value.range.is_logarithmic)
    };
    let points: Vec<((f64, f64), f64)> = surface
        .points
        .iter()
        .filter(can_draw)
        .map(|point| ((point.0, point.1), value.range.place(point.2)))
        .collect();
    let ticks = ticks::choose(&value.range, value.kind, |ticks| ticks.len() <= MOST_LEVELS);
    let level = |tick: &Tick| (value.range.place(tick.value), tick.clone());
    let place = |number: &f64| {
        if is_drawable(*number, value.range.is_logarithmic) { value.range.place(*number) } else { f64::NAN }
    };
    let values = Values {
        columns: surface.columns.clone(),
        rows: surface.rows.clone(),
        places: surface.values.iter().map(place).collect(),
        levels: ticks.labelled.iter().map(level).collect(),
        points,
    };
    let ends = values.ends();
    let steps = ends.windows(2).zip(values.colours()).map(|(pair, colour)| (pair[0], pair[1], colour));
    let bar = Bar::new(&value.label, steps.collect(), &ticks, |number| value.range.place(number));
    let kinds = if surface.points_label.trim().is_empty() || values.points.is_empty() {
        Vec::new()
    } else {
        vec![Entry::new(Mark::Ring, &surface.points_label)]
    };
    Ok(Scene {
        title: surface.title.clone(),
        notes: surface.notes.clone(),
        height: super::HEIGHT,
        x: View::of_variable(&surface.x.label, x, values.points.iter().map(|point| point.0.0)),
        y: View::of_variable(&surface.y.label, y, values.points.iter().map(|point| point.0.1)),
        borders: super::numbers(&surface.borders),
        spans: Vec::new(),
        spans_are: String::new(),
        key: Key { kinds, bar: Some(bar), ..Key::default() },
        content: Content::Surface(values),
    })
}

fn check_grid(surface: &Surface) -> Result<(), Error> {
    let (columns, rows) = (surface.columns.len(), surface.rows.len());
    let is_ascending = |places: &[f64]| {
        places.iter().all(|place| is_drawable(*place, false))
            && places.windows(2).all(|pair| pair[0] < pair[1])
    };
    let is_grid = columns > 1
        && rows > 1
        && columns.checked_mul(rows) == Some(surface.values.len())
        && is_ascending(&surface.columns)
        && is_ascending(&surface.rows);
    let error = || Error::Grid { title: surface.title.clone(), columns, rows, values: surface.values.len() };
    if is_grid { Ok(()) } else { Err(error()) }
}

/// The range of what can be drawn of these values.
fn range(surface: &Surface, axis: &Axis, values: impl Iterator<Item = f64>) -> Result<Range, Error> {
    let finite: Vec<f64> = values.filter(|value| is_drawable(*value, false)).collect();
    if finite.is_empty() {
        return Err(Error::Empty { title: surface.title.clone() });
    }
    let is_log = match axis.scale {
        Scale::Linear => false,
        Scale::Logarithmic => true,
        Scale::Automatic => are_wide(&finite, &finite),
    };
    let mut drawable = finite.into_iter().filter(|value| is_drawable(*value, is_log)).peekable();
    if drawable.peek().is_none() {
        return Err(Error::NotPositive { title: surface.title.clone(), axis: axis.label.clone() });
    }
    Ok(Range::exact(drawable, is_log))
}
