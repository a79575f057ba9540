use call_report::{Axis, Figure, Kinds, Reference, ReferenceLine, Series, histogram, normal_plot};

use super::{Kind, Request};
use crate::command::judge::judgement;
use crate::{Error, Picture, Session};

/// What the model does not explain, in percent of the measured time.
pub fn picture(session: &mut Session, request: &Request) -> Result<Picture, Error> {
    let found = request.one()?;
    let model = session.model(found.experiment())?;
    let residuals = judgement(session, found, &model)?.residuals;
    let percent: Vec<f64> = residuals.iter().map(|residual| 100.0 * residual.relative).collect();
    let title = format!("{}: residuals", found.name);
    let axis = Axis::linear("residual (%)");
    let notes = vec![format!("{} = {}", found.name, model.formula())];
    match request.kind {
        Kind::Histogram => {
            return Ok(Picture::Figure(Figure { notes, ..histogram(&title, axis, &percent, None) }));
        }
        Kind::Normal => return Ok(Picture::Figure(Figure { notes, ..normal_plot(&title, axis, &percent) })),
        _ => {}
    }
    let variable = match request.axes.first() {
        Some(word) => Some(crate::command::sources::variable(&model, found, word)?),
        None => None,
    };
    let place = |residual: &call_model::Residual| {
        variable.map_or(residual.predicted_s, |variable| residual.point[variable])
    };
    let label = match variable {
        Some(variable) => crate::command::points::variables(&model)[variable].to_owned(),
        None => "fitted time (s)".to_owned(),
    };
    let points = residuals.iter().zip(&percent).map(|(residual, percent)| (place(residual), *percent));
    let borders = variable.map_or(Vec::new(), |variable| super::borders(&model, variable));
    Ok(Picture::Figure(Figure {
        title,
        x: Axis::new(label),
        y: axis,
        series: vec![Series { label: found.name.clone(), points: points.collect(), ..Series::default() }],
        references: vec![Reference { label: String::new(), line: ReferenceLine::Horizontal(0.0) }],
        borders: borders.into_iter().map(Into::into).collect(),
        kinds: Kinds { points: "(measured - fitted) / measured".to_owned(), ..Kinds::default() },
        notes,
        ..Figure::default()
    }))
}
