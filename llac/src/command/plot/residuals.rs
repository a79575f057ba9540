use call_report::{Axis, Figure, Kinds, Reference, ReferenceLine, Series, histogram, normal_plot};

use super::PlotKind;
use crate::command::known_names::unknown;
use crate::command::question::Question;
use crate::command::subject::SubjectKind;
use crate::command::units;
use crate::error::code;
use crate::{Error, Picture, Session};

/// What the model does not explain, in percent of the measured time.
pub fn picture(
    session: &mut Session,
    question: &Question,
    kind: PlotKind,
    bins: Option<usize>,
) -> Result<Picture, Error> {
    let subject = question.one()?;
    let (SubjectKind::Fitted(forecaster), Some(found)) = (&subject.kind, &subject.found) else {
        if let Some(loaded) = &subject.loaded {
            let message = crate::loaded_model::no_samples(&loaded.name);
            return Err(Error::at(code::NO_SAMPLES, question.end.clone(), message)
                .help("load its samples, and draw the residuals of those"));
        }
        let message = format!("residuals are those of a fit, and `{}` is none", subject.label());
        return Err(Error::at(code::NO_FORMULA, question.end.clone(), message)
            .help("name an experiment with a formula"));
    };
    let model = forecaster.model();
    let residuals = session.judgement(found, model)?.residuals;
    let percent: Vec<f64> = residuals.iter().map(|residual| 100.0 * residual.relative).collect();
    let title = format!("{}: residuals", found.name);
    let axis = Axis::linear("residual (%)");
    let notes = vec![format!("{} = {}", found.name, model.formula())];
    match kind {
        PlotKind::Histogram => {
            return Ok(Picture::Figure(Figure { notes, ..histogram(&title, axis, &percent, bins) }));
        }
        PlotKind::Normal => {
            return Ok(Picture::Figure(Figure { notes, ..normal_plot(&title, axis, &percent) }));
        }
        _ => {}
    }
    let variables = subject.predictor().variables();
    let variable = match question.words.first() {
        None => None,
        Some(word) => Some(
            variables
                .iter()
                .position(|name| *name == word.text)
                .ok_or_else(|| unknown(&[subject], &word.text, word.span.clone()))?,
        ),
    };
    let place = |residual: &call_model::Residual| {
        variable.map_or(residual.predicted_s, |variable| residual.point[variable])
    };
    let x = match variable {
        None => Axis::quantity(&format!("fitted {}", units::noun(model.unit())), &units::shown(model.unit())),
        Some(variable) => Axis::new(&variables[variable]),
    };
    let points = residuals.iter().zip(&percent).map(|(residual, percent)| (place(residual), *percent));
    let borders = variable.map_or(Vec::new(), |variable| model.borders().swap_remove(variable));
    Ok(Picture::Figure(Figure {
        title,
        x,
        y: axis,
        series: vec![Series { label: found.name.clone(), points: points.collect(), ..Series::default() }],
        references: vec![Reference { label: String::new(), line: ReferenceLine::Horizontal(0.0) }],
        borders: borders.into_iter().map(Into::into).collect(),
        kinds: Kinds { points: "(measured - fitted) / measured".to_owned(), ..Kinds::default() },
        notes,
        ..Figure::default()
    }))
}
