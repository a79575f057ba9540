use call_report::{CategoryChart, RankedValue};

use super::is_point;
use crate::command::question::Question;
use crate::command::units;
use crate::{CommandOutcome, Error, Picture, Session};

/// Whether several subjects are asked for at one point, where no curve can be.
pub fn is_ranking(question: &Question) -> bool {
    question.subjects.len() > 1
        && is_point(question)
        && !question.given.is_empty()
        && question.subjects.iter().all(|subject| {
            let predictor = subject.predictor();
            let given = question.names();
            (subject.found.is_some() || subject.loaded.is_some())
                && predictor.definitions().needed(predictor.variables(), &given).is_ok()
        })
}

/// What experiments take at a point, the longest first.
pub fn picture(
    session: &mut Session,
    question: &Question,
    outcome: &mut CommandOutcome,
) -> Result<Picture, Error> {
    let rows = question.forecasts(session.level())?;
    question.tell(outcome, rows.iter().map(|row| &row.forecast));
    let labels: Vec<String> = rows.iter().map(|row| row.subject.label()).collect();
    let values: Vec<RankedValue> = rows
        .iter()
        .zip(&labels)
        .map(|(row, label)| {
            let interval = (row.forecast.lower_s, row.forecast.upper_s);
            let is_known = interval.0.is_finite() && interval.1.is_finite();
            RankedValue {
                label,
                value: row.forecast.prediction.time_s.max(0.0),
                interval: is_known.then_some(interval),
            }
        })
        .collect();
    let at: Vec<String> = question
        .given
        .iter()
        .map(|one| format!("{} = {}", one.name, call_report::number::short(one.values[0])))
        .collect();
    let unit = question.unit();
    let noun = units::noun(&unit);
    let title = format!("predicted {noun}s at {}", at.join(", "));
    Ok(Picture::Categories(CategoryChart::ranked(&title, noun, &units::shown(&unit), &values)))
}
