use call_model::Forecaster;
use call_model::question::Line as Along;
use call_report::{Axis, Figure, Kinds, Reference, ReferenceLine, Series};

use super::space::Space;
use super::{Kind, Request, distinct};
use crate::command::points::PROCESSORS;
use crate::command::speedup::speedup;
use crate::command::{Arguments, model_error};
use crate::{Error, Picture, Session};

/// Speed-up or efficiency over the number of processors.
pub fn picture(session: &mut Session, request: &Request, arguments: &Arguments) -> Result<Picture, Error> {
    let found = request.one()?;
    let model = session.model(found.experiment())?;
    let prepared = session.prepared(found.experiment());
    request.check_known(&[(&model, found)])?;
    let space = Space::of(found, &model, &prepared, request)?;
    let (names, columns) = space.columns();
    let Some(axis) = names.iter().position(|name| name == PROCESSORS) else {
        return Err(Error::at(arguments.end(), format!("the formula does not depend on {PROCESSORS}")));
    };
    let processors = distinct(request.values_of(PROCESSORS).unwrap_or(columns[axis]));
    let forecaster = Forecaster::new(&model, &prepared).map_err(model_error)?;
    let is_efficiency = request.kind == Kind::Efficiency;
    let sampled = space.sampled(axis);
    let mut series = Vec::new();
    for others in space.combinations(&[axis], request) {
        let line = Along::new(&forecaster, |processors| {
            let mut point = others.clone();
            point[axis] = processors[0];
            space.point(&point)
        });
        let answer = speedup(&line, &processors, session.level())?;
        let value = |row: &call_model::question::ScalingRow| {
            (row.processors, if is_efficiency { row.efficiency } else { row.speedup })
        };
        let text = space.label(&[axis], &others);
        series.push(Series {
            label: if text.is_empty() { found.name.clone() } else { text },
            value: (others.len() == 2).then(|| others[1 - axis]),
            points: answer.rows.iter().map(value).collect(),
            curve: answer.rows.iter().map(value).collect(),
            sampled: Some(sampled),
            ..Series::default()
        });
    }
    let (title, line, of) = match is_efficiency {
        true => ("efficiency", ReferenceLine::Horizontal(1.0), "efficiency"),
        false => ("speed-up", ReferenceLine::Proportional(1.0), "speed-up"),
    };
    let by = space.others(&[axis]).first().copied().unwrap_or_default();
    Ok(Picture::Figure(Figure {
        title: format!("{}: predicted {title}", found.name),
        x: Axis::new(PROCESSORS),
        y: if is_efficiency { Axis::linear(of) } else { Axis::new(of) },
        series,
        by: Axis::new(by),
        references: vec![Reference { label: "ideal".to_owned(), line }],
        kinds: Kinds { points: "predicted".to_owned(), curve: "between".to_owned(), ..Kinds::default() },
        notes: vec![format!("{} = {}", found.name, model.formula())],
        ..Figure::default()
    }))
}
