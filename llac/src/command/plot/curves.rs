use std::sync::Arc;

use call_model::{Forecaster, Model, Prepared};
use call_report::{Axis, Figure, Kinds, Series, number};

use super::measured::Measured;
use super::space::Space;
use super::{Request, along, distinct};
use crate::command::model_error;
use crate::experiments::Found;
use crate::{Error, Picture, Session};

const POINTS_OF_A_CURVE: usize = 200;
/// Bands are smooth.
const POINTS_OF_A_BAND: usize = 60;
/// More bands would hide each other.
const MOST_BANDS: usize = 3;

/// An experiment with what is drawn of it.
struct Drawn<'a> {
    found: &'a Found,
    model: &'a Model,
    prepared: &'a Prepared,
    space: Space<'a>,
    axis: usize,
    combinations: Vec<Vec<f64>>,
}

/// Measured times and fitted curves over one variable.
pub fn picture(session: &mut Session, request: &Request) -> Result<Picture, Error> {
    let mut fitted: Vec<(&Found, Arc<Model>, Arc<Prepared>)> = Vec::new();
    for found in &request.experiments {
        fitted.push((found, session.model(found.experiment())?, session.prepared(found.experiment())));
    }
    let models: Vec<(&Model, &Found)> = fitted.iter().map(|(found, model, _)| (&**model, *found)).collect();
    request.check_known(&models)?;
    let mut drawn = Vec::new();
    for (found, model, prepared) in &fitted {
        let space = Space::of(found, model, prepared, request)?;
        let axis = space.axis(request.axes.first(), &[], request)?;
        let combinations = space.combinations(&[axis], request);
        drawn.push(Drawn { found, model, prepared, space, axis, combinations });
    }
    let curves: usize = drawn.iter().map(|drawn| drawn.combinations.len()).sum();
    let level = (curves <= MOST_BANDS).then(|| session.level());
    let several = drawn.len() > 1;
    let mut series = Vec::new();
    let mut borders = Vec::new();
    for drawn in &drawn {
        series.extend(all_series(drawn, request, level, several)?);
        borders.extend(drawn.space.borders(drawn.axis));
    }
    let Some(first) = drawn.first() else { return Err(Error::new("there is nothing to draw")) };
    let names: Vec<&str> = drawn.iter().map(|drawn| drawn.found.name.as_str()).collect();
    let (variables, _) = first.space.columns();
    let others = first.space.others(&[first.axis]);
    let formulas = drawn.iter().map(|drawn| format!("{} = {}", drawn.found.name, drawn.model.formula()));
    Ok(Picture::Figure(Figure {
        title: format!("{}: measured and fitted", names.join(", ")),
        x: Axis::new(&variables[first.axis]),
        y: Axis::new("time"),
        series,
        by: Axis::new(others.first().copied().unwrap_or_default()),
        borders: distinct(&borders).into_iter().map(Into::into).collect(),
        kinds: Kinds { band: band_name(session.level()), ..Kinds::default() },
        notes: formulas.collect(),
        ..Figure::default()
    }))
}

pub fn band_name(level: f64) -> String {
    format!("{} % interval", number::significant(100.0 * level, 4))
}

fn all_series(
    drawn: &Drawn,
    request: &Request,
    level: Option<f64>,
    several: bool,
) -> Result<Vec<Series>, Error> {
    let Drawn { found, model, prepared, space, axis, combinations } = drawn;
    let (names, _) = space.columns();
    let forecaster = match level {
        Some(level) => Some((Forecaster::new(model, prepared).map_err(model_error)?, level)),
        None => None,
    };
    let measured = Measured::of_each(combinations, names, *axis, prepared);
    let sampled = space.sampled(*axis);
    let (lowest, highest) = request.range(&names[*axis], sampled);
    let series = combinations.iter().zip(measured).map(|(others, measured)| {
        let at = |x: f64| {
            let mut point = others.clone();
            point[*axis] = x;
            space.point(&point)
        };
        let label = space.label(&[*axis], others);
        let label = match (label.is_empty(), several) {
            (true, _) => found.name.clone(),
            (false, true) => format!("{}, {label}", found.name),
            (false, false) => label,
        };
        let band = forecaster.iter().flat_map(|(forecaster, level)| {
            along(lowest, highest, POINTS_OF_A_BAND).map(move |x| {
                let forecast = forecaster.forecast(&at(x), *level);
                (x, forecast.lower_s, forecast.upper_s)
            })
        });
        Series {
            label,
            value: (names.len() == 2 && !several).then(|| others[1 - *axis]),
            spread: measured.spread,
            points: measured.points,
            curve: curve(model, along(lowest, highest, POINTS_OF_A_CURVE), at),
            band: band.collect(),
            sampled: Some(sampled),
            ..Series::default()
        }
    });
    Ok(series.collect())
}

/// Predicted times; where another cell begins, the line is interrupted.
fn curve(
    model: &Model,
    places: impl Iterator<Item = f64>,
    point: impl Fn(f64) -> Vec<f64>,
) -> Vec<(f64, f64)> {
    let mut curve: Vec<(f64, f64)> = Vec::new();
    let mut cell = None;
    for x in places {
        let prediction = model.predict(&point(x));
        if cell.is_some_and(|cell| cell != prediction.cell) {
            curve.push((x, f64::NAN));
        }
        cell = Some(prediction.cell);
        curve.push((x, prediction.time_s));
    }
    curve
}
