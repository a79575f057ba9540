//! Experiments ranked by what they take at a target point.

use call_report::{Column, Table, TableCell};

use call_trace::Experiment;

use super::forecast_view::Intervals;
use super::nesting::Nesting;
use super::question::{ForecastRow, Question};
use crate::{Message, Session};

/// Whether forecasts are those of several experiments at one point.
pub fn is_ranking(question: &Question, rows: &[ForecastRow]) -> bool {
    let names = |row: &ForecastRow| row.subject.predictor().name().to_owned();
    rows.len() > 1
        && rows.len() == question.subjects.len()
        && rows.windows(2).all(|pair| names(&pair[0]) != names(&pair[1]))
}

/// The longest first, with the share of the sum, and by what power the time grows with each given variable there. The sum is that of the
/// experiments that run inside no other one.
pub fn table(question: &Question, rows: &[ForecastRow], nesting: &Nesting) -> Table {
    let mut order: Vec<&ForecastRow> = rows.iter().collect();
    order.sort_by(|one, other| other.forecast.prediction.time_s.total_cmp(&one.forecast.prediction.time_s));
    let outermost = rows.iter().zip(&nesting.is_inside).filter(|(_, is_inside)| !**is_inside);
    let total_s: f64 = outermost.map(|(row, _)| row.forecast.prediction.time_s.max(0.0)).sum();
    let level = rows.first().map_or(0.9, |row| row.forecast.level);
    let mut columns = vec![Column::code("experiment")];
    let intervals = Intervals::of(level, question.unit(), rows.iter().map(|row| &row.forecast));
    columns.extend(intervals.columns());
    columns.push(Column::percent("share"));
    columns.extend(
        question.given.iter().map(|given| Column::significant(format!("grows with {}", given.name), 2)),
    );
    let mut table = Table::new(columns).named("ranking");
    for row in order {
        let mut cells = vec![TableCell::from(row.subject.label())];
        cells.extend(intervals.cells(&row.forecast));
        cells.push((100.0 * row.forecast.prediction.time_s / total_s).into());
        cells.extend(question.given.iter().map(|given| growth(question, row, &given.name)));
        table.row(cells);
    }
    table
}

/// That a run executes some of the experiments far more often than others: the shares are of one execution each.
pub fn executions(session: &Session, rows: &[ForecastRow]) -> Option<Message> {
    const ALIKE: u64 = 2;
    let data = session.state().data();
    // In tables of others rows may be anything.
    if data.runs().iter().any(|run| run.header.clock.is_empty()) {
        return None;
    }
    let executions = |experiment: &Experiment| {
        experiment.samples.executions().saturating_add(experiment.summaries.points.executions())
    };
    let known = |row: &ForecastRow| {
        let label = row.subject.label();
        let experiment = data.experiments().iter().find(|experiment| experiment.name == label)?;
        Some((executions(experiment), label))
    };
    let (least, most) = (rows.iter().filter_map(known).min()?, rows.iter().filter_map(known).max()?);
    (most.0 / ALIKE >= least.0).then(|| {
        let text = format!(
            "shares are those of one execution each: the runs executed {} {} times, {} {}",
            most.1, most.0, least.1, least.0
        );
        Message::new("executions-differ", text)
    })
}

/// The power of a variable that the time grows with at the point: d log(time) / d log(variable), from a tenth more, or from a tenth less where
/// a tenth more is predicted in another way.
fn growth(question: &Question, row: &ForecastRow, name: &str) -> TableCell {
    const STEP: f64 = 1.1;
    let none = TableCell::Missing("none");
    let predictor = row.subject.predictor();
    let point = |factor: f64| {
        let known = |asked: &str| {
            let given = question.given.iter().find(|one| one.name == asked)?;
            given.values.first().map(|value| if asked == name { value * factor } else { *value })
        };
        predictor.point(&known)
    };
    let [here, more] = [point(1.0), point(STEP)];
    let (other, step) =
        if predictor.is_continuous(&here, &more) { (more, STEP) } else { (point(1.0 / STEP), 1.0 / STEP) };
    let time_s = |point: &[f64]| predictor.time_s(point).unwrap_or(f64::NAN);
    let power = (time_s(&other) / time_s(&here)).ln() / step.ln();
    if power.is_finite() { TableCell::from(if power.abs() < 1e-9 { 0.0 } else { power }) } else { none }
}
