use call_model::question::{ValueRange, largest};
use call_report::number::exact;
use call_report::{Column, Table, TableCell, number};

use super::forecast_view::{Intervals, common_name, machine_prefix, subject_cells, subject_columns};
use super::question::{Count, Question, no, numbers, reach};
use super::values::response;
use super::{Arguments, Command, units};
use crate::error::code;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};

pub const LARGEST: Command = Command {
    name: "largest",
    usage: "largest [EXPERIMENT | PROGRAM | replay] VARIABLE[=FROM..TO] TIME [VARIABLE=VALUE…] [on MACHINE…]",
    summary: "find the largest size within a time",
    details: "`largest f N 1s P=16`: the largest N whose predicted time is at most a second, and the largest one whose \
        whole interval is. Times are 1s, 20ms, 5us, 2min, 1h. Without a range the search goes up to a million \
        times the largest sampled value. A variable whose samples are whole numbers gets one, and so does one of a \
        program. Whatever `predict` takes can be asked.",
    completions: &[
        Completion::ExperimentOrProgram,
        Completion::Variable,
        Completion::Nothing,
        Completion::Value,
    ],
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
    let mut question = Question::of(session, arguments, Count::One)?;
    let (asked, range) = question.take_asked("the variable", LARGEST.usage)?;
    let unit = question.unit();
    let limit_s =
        response(&question.next_word(&format!("the {}", units::noun(&unit)), LARGEST.usage)?, &unit)?;
    question.nothing_left()?;
    let (name, level) = (asked.name.as_str(), session.level());
    let mut markup = Markup::new();
    let mut outcome = CommandOutcome::default();
    let mut answers = Vec::new();
    for subject in &question.subjects {
        let slice = question.slice(subject, &[&asked])?;
        let span = range.unwrap_or_else(|| {
            let reach = reach(subject.predictor(), name);
            ValueRange { lowest: reach.lowest.min(1.0), ..reach }
        });
        let numbers = numbers(subject, name);
        let answer = match largest(&slice, limit_s, numbers, span, level) {
            Ok(answer) => answer,
            Err(error) => return no(error),
        };
        if answer.is_end && range.is_none() {
            let (value, time_s) = (exact(answer.value), answer.forecast.prediction.time_s);
            let message = format!("even {name} = {value} takes only {}", units::shown(&unit).text(time_s));
            return Err(Error::at(code::NO_ANSWER, asked.span.clone(), message)
                .help(format!("give a range if more may be the answer: `{name}=FROM..TO`")));
        }
        let machine = subject.machine.as_ref().map_or(String::new(), |machine| format!(" on {machine}"));
        markup.fragments([
            (
                Style::Plain,
                format!("the largest {name} within {}{machine}: ", units::shown(&unit).text(limit_s)),
            ),
            (Style::Strong, number::significant(answer.value, 6)),
        ]);
        let prefix = machine_prefix(&subject.machine);
        if answer.is_end {
            let text = format!("{prefix}this is the end of the range: a larger {name} may do as well");
            outcome.warnings.push(Message::new("end-of-range", text));
        }
        if let Some(longer) = answer.longer_from {
            let longer_or_more = if unit.is_time() { "longer" } else { "more" };
            let text =
                format!("{prefix}some smaller {name} take {longer_or_more}, from {} on", exact(longer));
            outcome.warnings.push(
                Message::new("not-monotone", text)
                    .with(serde_json::json!({ "variable": name, "longer_from": longer })),
            );
        }
        answers.push((subject, answer));
    }
    let forecasts = || answers.iter().map(|(_, answer)| &answer.forecast);
    let intervals = Intervals::of(level, question.unit(), forecasts());
    let mut columns = subject_columns(&question.subjects);
    columns.push(Column::right(name));
    columns.extend(intervals.columns());
    columns.push(Column::significant("surely within", 6));
    let mut table = Table::new(columns).named("largest").about(common_name(&question.subjects));
    for (subject, answer) in &answers {
        let mut row = subject_cells(&question.subjects, subject);
        row.push(answer.value.into());
        row.extend(intervals.cells(&answer.forecast));
        row.push(answer.safe.map_or(TableCell::Missing("none"), TableCell::from));
        table.row(row);
    }
    markup.table(table);
    outcome.value = markup;
    question.tell(&mut outcome, forecasts());
    Ok(outcome)
}
