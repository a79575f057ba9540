use call_model::question::speedup;
use call_report::{Column, Table, TableCell, number};

use super::forecast_view::{Intervals, common_name, subject_cells, subject_columns};
use super::question::{Question, SubjectCount, no_answer};
use super::speedups::{base_text, measured_speedups};
use super::subject;
use super::{Command, CommandArguments};
use crate::{CommandOutcome, Error, Markup, Session, Style};
use call_model::PROCESSORS;

pub const SPEEDUP: Command = Command {
    name: "speedup",
    usage: "speedup [EXPERIMENT | PROGRAM] P=VALUES [base=COUNT] [VARIABLE=VALUE…] [on MACHINE…]",
    summary: "tell speed-up and efficiency",
    details: "`speedup f P=1:64:2 N=65536`: T(1) / T(P), and that over P. Where all samples have more than one processor, the fewest of them are the base, \
        B T(B) / T(P), and where the formula says nothing about one, the smallest number of the list; `base=1` or `base=64` \
        chooses. Where samples have the point, what was measured stands beside it. \
        `plot speedup` draws it. Whatever `predict` takes can be asked, also `on MACHINE`.",
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut question = Question::of(session, arguments, SubjectCount::One)?;
    let base = question.take_base()?;
    question.nothing_left()?;
    subject::check_time("a speed-up is", &question.subjects, &question.end)?;
    let processors = question.take_given(PROCESSORS)?;
    let level = session.level();
    let mut markup = Markup::new();
    let mut answers = Vec::new();
    for subject in &question.subjects {
        let slice = question.slice(subject, &[&processors])?;
        let answer = speedup(&slice, &processors.values, base, level).map_err(no_answer)?;
        let machine = subject.machine.as_ref().map_or(String::new(), |machine| format!(" of {machine}"));
        markup.line(
            Style::Plain,
            format!(
                "compared with {} on {}",
                number::seconds(answer.base_forecast.prediction.time_s),
                base_text(&answer, &machine)
            ),
        );
        let given: Vec<(&str, f64)> =
            question.given.iter().map(|one| (one.name.as_str(), one.values[0])).collect();
        let measured = subject.found.as_ref().filter(|_| subject.machine.is_none());
        let measured = measured.map(|found| session.prepared(found.experiment()));
        let measured = measured.map(|prepared| measured_speedups(&prepared, &given, answer.base));
        answers.push((subject, answer, measured.unwrap_or_default()));
    }
    let has_measured = answers.iter().any(|(_, _, measured)| !measured.is_empty());
    let mut columns = subject_columns(&question.subjects);
    columns.push(Column::right(PROCESSORS));
    let intervals = Intervals::of(
        level,
        question.unit(),
        answers.iter().flat_map(|(_, answer, _)| &answer.rows).map(|row| &row.forecast),
    );
    columns.extend(intervals.columns());
    let measured = |key: &str| has_measured.then(|| Column::significant("measured", 4).key(key.to_owned()));
    columns.push(Column::significant("speed-up", 4).key("speedup"));
    columns.extend(measured("measured_speedup"));
    columns.push(Column::significant("efficiency", 3));
    columns.extend(measured("measured_efficiency"));
    let mut table = Table::new(columns).named("speedup").about(common_name(&question.subjects));
    for (subject, answer, measured) in &answers {
        for row in &answer.rows {
            let mut cells = subject_cells(&question.subjects, subject);
            cells.push(row.processors.into());
            cells.extend(intervals.cells(&row.forecast));
            let known = measured.iter().find(|(processors, _)| *processors == row.processors);
            let measured = known.map_or(f64::NAN, |(_, speedup)| *speedup);
            for (predicted, measured) in
                [(row.speedup, measured), (row.efficiency, measured / row.processors)]
            {
                cells.push(TableCell::number_or(predicted, "none"));
                cells.extend(has_measured.then(|| TableCell::number_or(measured, "")));
            }
            table.row(cells);
        }
    }
    markup.table(table);
    let mut outcome = CommandOutcome::of(markup);
    let forecasts = answers.iter().flat_map(|(_, answer, _)| {
        answer.rows.iter().map(|row| &row.forecast).chain([&answer.base_forecast])
    });
    question.tell(&mut outcome, forecasts);
    Ok(outcome)
}
