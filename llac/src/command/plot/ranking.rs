use call_report::{CategoryChart, RankedValue};

use super::is_point;
use crate::command::request::Request;
use crate::command::units;
use crate::{Error, Outcome, Picture, Session};

/// Whether several subjects are asked for at one point, where no curve can be.
pub fn is_ranking(request: &Request) -> bool {
    request.subjects.len() > 1
        && is_point(request)
        && !request.given.is_empty()
        && request.subjects.iter().all(|subject| {
            let predictor = subject.predictor();
            let given = request.names();
            (subject.found.is_some() || subject.loaded.is_some())
                && predictor.definitions().needed(predictor.variables(), &given).is_ok()
        })
}

/// What experiments take at a point, the longest first.
pub fn picture(session: &mut Session, request: &Request, outcome: &mut Outcome) -> Result<Picture, Error> {
    let rows = request.forecasts(session.level())?;
    request.tell(outcome, rows.iter().map(|row| &row.forecast));
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
    let at: Vec<String> = request
        .given
        .iter()
        .map(|one| format!("{} = {}", one.name, call_report::number::short(one.values[0])))
        .collect();
    let unit = request.unit();
    let noun = units::noun(&unit);
    let title = format!("predicted {noun}s at {}", at.join(", "));
    Ok(Picture::Categories(CategoryChart::ranked(&title, noun, &units::shown(&unit), &values)))
}
