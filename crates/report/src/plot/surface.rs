//! What can be drawn of a surface: its values as places of the colour scale.

use std::ops::RangeInclusive;

use super::axis::DrawnAxis;
use super::axis_range::{self, AxisRange, is_drawable};
use super::data;
use super::legend::{ColourBar, Key, LegendEntry, Symbol};
use super::palette::{self, Rgb};
use super::scales::{are_wide, grow_by_factors};
use super::ticks::{self, Tick};
use super::{Content, Scene};
use crate::{Axis, AxisScale, Error, Surface};

/// The values of a grid as places of the colour scale.
pub(super) struct SurfaceValues {
    pub(super) columns: Vec<f64>,
    pub(super) rows: Vec<f64>,
    /// From 0 to 1, a row after the other; NaN where there is none.
    pub(super) places: Vec<f64>,
    /// Levels between bands, with their places from 0 to 1.
    pub(super) levels: Vec<(f64, Tick)>,
    /// Measured points with their places on the colour scale.
    pub(super) points: Vec<((f64, f64), f64)>,
}

impl SurfaceValues {
    /// The colours of the bands, from below the first level to above the last.
    pub(super) fn colours(&self) -> Vec<Rgb> {
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
    let surface = &between(surface)?;
    let measured = || surface.points.iter().filter(|point| is_drawable(point.2, false));
    let numbers = surface.values.iter().copied().chain(measured().map(|point| point.2));
    let mut value = DrawnAxis::new(
        &surface.value.label,
        range(surface, &surface.value, numbers, false)?.between(&surface.value, &surface.title)?,
    );
    value.kind.most = MOST_LEVELS;
    let x_values = surface.columns.iter().copied().chain(measured().map(|point| point.0));
    let y_values = surface.rows.iter().copied().chain(measured().map(|point| point.1));
    let x = range(surface, &surface.x, x_values, true)?;
    let y = range(surface, &surface.y, y_values, true)?;
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
    let ticks = ticks::choose(&value.range, &value.kind, |ticks| ticks.len() <= MOST_LEVELS);
    let level = |tick: &Tick| (value.range.place(tick.value), tick.clone());
    let place = |number: &f64| {
        if is_drawable(*number, value.range.is_logarithmic) { value.range.place(*number) } else { f64::NAN }
    };
    let values = SurfaceValues {
        columns: surface.columns.clone(),
        rows: surface.rows.clone(),
        places: surface.values.iter().map(place).collect(),
        levels: ticks.labelled.iter().map(level).collect(),
        points,
    };
    let ends = values.ends();
    let steps = ends.windows(2).zip(values.colours()).map(|(pair, colour)| (pair[0], pair[1], colour));
    let bar = ColourBar::new(&value.label, steps.collect(), &ticks, |number| value.range.place(number));
    let kinds = if surface.points_label.trim().is_empty() || values.points.is_empty() {
        Vec::new()
    } else {
        vec![LegendEntry::new(Symbol::Ring, &surface.points_label)]
    };
    Ok(Scene {
        title: surface.title.clone(),
        notes: surface.notes.clone(),
        size: super::size(surface.size, &surface.title)?,
        x: DrawnAxis::of_variable(&surface.x.label, x, values.points.iter().map(|point| point.0.0)),
        y: DrawnAxis::of_variable(&surface.y.label, y, values.points.iter().map(|point| point.0.1)),
        borders: data::borders(&surface.borders, &[]),
        spans: Vec::new(),
        spans_are: String::new(),
        key: Key { kinds, bar: Some(bar), ..Key::default() },
        content: Content::Surface(values),
    })
}

/// The part of the surface between the ends of its axes that are asked for.
fn between(surface: &Surface) -> Result<Surface, Error> {
    let ends =
        |axis: &Axis| axis_range::wanted_ends(axis, &surface.title, axis.scale == AxisScale::Logarithmic);
    let (x, y) = (ends(&surface.x)?, ends(&surface.y)?);
    ends(&surface.value)?;
    let inside = |axis: &Axis, places: &[f64], ends: &RangeInclusive<f64>| {
        let inside: Vec<f64> = places.iter().copied().filter(|place| ends.contains(place)).collect();
        let outside = Error::Outside { title: surface.title.clone(), axis: axis.label.clone() };
        if inside.len() > 1 { Ok(inside) } else { Err(outside) }
    };
    let columns = inside(&surface.x, &surface.columns, &x)?;
    let rows = inside(&surface.y, &surface.rows, &y)?;
    let shown =
        surface.values.chunks(surface.columns.len()).zip(&surface.rows).filter(|(_, row)| y.contains(row));
    let values = shown.flat_map(|(values, _)| {
        let shown = values.iter().zip(&surface.columns).filter(|(_, column)| x.contains(column));
        shown.map(|(value, _)| *value)
    });
    let is_inside = |point: &&(f64, f64, f64)| x.contains(&point.0) && y.contains(&point.1);
    let points = surface.points.iter().filter(is_inside).copied().collect();
    Ok(Surface { columns, rows, values: values.collect(), points, ..surface.clone() })
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

/// The range of what can be drawn of these values, which may be chosen ones that grow by factors.
fn range(
    surface: &Surface,
    axis: &Axis,
    values: impl Iterator<Item = f64>,
    may_grow: bool,
) -> Result<AxisRange, Error> {
    let finite: Vec<f64> = values.filter(|value| is_drawable(*value, false)).collect();
    if finite.is_empty() {
        return Err(Error::Empty { title: surface.title.clone() });
    }
    let is_log =
        axis.scale.is_logarithmic(|| are_wide(&finite, &finite) || may_grow && grow_by_factors(&finite));
    let mut drawable = finite.into_iter().filter(|value| is_drawable(*value, is_log)).peekable();
    if drawable.peek().is_none() {
        return Err(Error::NotPositive { title: surface.title.clone(), axis: axis.label.clone() });
    }
    Ok(AxisRange::exact(drawable, is_log))
}
