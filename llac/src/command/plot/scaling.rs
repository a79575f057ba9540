use call_model::Forecaster;
use call_model::question::Fixed;
use call_report::{Axis, Figure, Kinds, Line, Reference, Scale, Series};

use super::{Kind, Request, combinations, distinct, label};
use crate::command::speedup::{PROCESSORS, speedup};
use crate::command::{Arguments, model_error, points};
use crate::{Error, Picture, Session};

/// Speed-up or efficiency over the number of processors.
pub fn picture(session: &mut Session, request: &Request, arguments: &Arguments) -> Result<Picture, Error> {
    let found = request.one()?;
    let model = session.model(found.experiment())?;
    let prepared = session.prepared(found.experiment());
    let samples = prepared.samples();
    let names = points::variables(&model);
    let Some(axis) = names.iter().position(|name| *name == PROCESSORS) else {
        return Err(Error::at(arguments.end(), format!("the formula does not depend on {PROCESSORS}")));
    };
    let column = samples.column(PROCESSORS).unwrap_or_default();
    let processors = distinct(request.values_of(PROCESSORS).unwrap_or(column));
    let forecaster = Forecaster::new(&model, &prepared).map_err(model_error)?;
    let is_efficiency = request.kind == Kind::Efficiency;
    let sampled = super::sampled_range(&model, axis);
    let mut series = Vec::new();
    for others in combinations(&model, samples, &[axis], request) {
        let fixed: Vec<Fixed> = names
            .iter()
            .zip(&others)
            .filter(|(name, _)| **name != PROCESSORS)
            .map(|(name, value)| (*name, *value))
            .collect();
        let answer = speedup(&forecaster, &fixed, &processors, session.level())?;
        let value = |row: &call_model::question::ScalingRow| {
            (row.processors, if is_efficiency { row.efficiency } else { row.speedup })
        };
        let text = label(&model, &[axis], &others);
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
        true => ("efficiency", Line::Horizontal(1.0), "efficiency"),
        false => ("speed-up", Line::Proportional(1.0), "speed-up"),
    };
    let by = names.iter().find(|name| **name != PROCESSORS).copied().unwrap_or_default();
    Ok(Picture::Figure(Figure {
        title: format!("{}: predicted {title}", found.name),
        x: Axis { label: PROCESSORS.to_owned(), scale: Scale::Automatic },
        y: Axis { label: of.to_owned(), scale: if is_efficiency { Scale::Linear } else { Scale::Automatic } },
        series,
        by: Axis { label: by.to_owned(), scale: Scale::Automatic },
        references: vec![Reference { label: "ideal".to_owned(), line }],
        kinds: Kinds { points: "predicted".to_owned(), curve: "between".to_owned(), ..Kinds::default() },
        notes: vec![format!("{} = {}", found.name, model.formula())],
        ..Figure::default()
    }))
}
