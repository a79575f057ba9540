use call_model::question::{SmallestSize, isoefficiency};
use call_report::{Column, Table, TableCell, number};

use super::forecast_view::{common_name, subject_cells, subject_columns};
use super::question::{Question, SubjectCount, no_answer, numbers, reach};
use super::subject;
use super::values;
use super::{Command, CommandArguments};
use crate::error::code;
use crate::{AnswerStatus, CommandOutcome, Completion, Error, Markup, Session, Style};
use call_model::PROCESSORS;

pub const ISOEFFICIENCY: Command = Command {
    name: "isoefficiency",
    usage: "isoefficiency [EXPERIMENT | PROGRAM] EFFICIENCY SIZE[=FROM..TO] P=VALUES [base=COUNT] [VARIABLE=VALUE…] [on MACHINE…]",
    summary: "find sizes that keep an efficiency",
    details: "`isoefficiency f 0.8 N P=1:64:2`: for each number of processors the smallest N at which T(1) / (P T(P)) is at \
        least 0.8. The base is that of `speedup`: where all samples have more than one processor the fewest of them, B T(B) / (P T(P)), and `base=1` \
        chooses. Without a range sizes from 1 on are tried, also those below the samples; `N=1000..1e7` tries these only. Whatever `predict` takes can be asked.",
    completions: &[
        Completion::ExperimentOrProgram,
        Completion::Nothing,
        Completion::Variable,
        Completion::Value,
    ],
    run,
    ..Command::QUESTION
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut question = Question::of(session, arguments, SubjectCount::One)?;
    let word = question.next_word("the efficiency", ISOEFFICIENCY.usage)?;
    let efficiency = values::number(&word.text)
        .ok_or_else(|| word.error(code::WRONG_VALUE, "an efficiency is a number such as 0.8"))?;
    let (size, range) = question.take_asked("the variable of the size", ISOEFFICIENCY.usage)?;
    let base = question.take_base()?;
    question.nothing_left()?;
    subject::check_time("an efficiency is", &question.subjects, &question.end)?;
    let processors = question.take_given(PROCESSORS)?;
    let name = size.name.as_str();
    let mut columns = subject_columns(&question.subjects);
    columns.extend([
        Column::right(PROCESSORS),
        Column::significant(name, 6),
        Column::significant("efficiency", 3),
        Column::seconds("predicted"),
        Column::left("remark"),
    ]);
    let mut table = Table::new(columns).named("isoefficiency").about(common_name(&question.subjects));
    let mut markup = Markup::new();
    let mut forecasts = Vec::new();
    for subject in &question.subjects {
        let slice = question.slice(subject, &[&processors, &size])?;
        let range = range.unwrap_or_else(|| reach(subject.predictor(), name));
        let sizes = (range, numbers(subject, name));
        let answer = isoefficiency(&slice, &processors.values, base, efficiency, sizes, session.level())
            .map_err(no_answer)?;
        if answer.base != 1.0 {
            let base = number::exact(answer.base);
            let machine = subject.machine.as_ref().map_or(String::new(), |machine| format!(" of {machine}"));
            let text = format!(
                "compared with {base} processors{machine}: efficiencies are {base} T({base}) / (P T(P))"
            );
            markup.line(Style::Plain, text);
        }
        for entry in answer.sizes {
            let mut cells = subject_cells(&question.subjects, subject);
            cells.push(entry.processors.into());
            match entry.size {
                Ok(SmallestSize { size, efficiency, forecast, is_start }) => {
                    let time_s = forecast.prediction.time_s;
                    let remark = if is_start { "the smallest tried" } else { "" };
                    cells.extend([TableCell::from(size), efficiency.into(), time_s.into(), remark.into()]);
                    forecasts.push(forecast);
                }
                Err(reason) => {
                    cells.extend([const { TableCell::Missing("none") }; 3]);
                    cells.push(reason.to_string().into());
                }
            }
            table.row(cells);
        }
    }
    markup.table(table);
    let answer = if forecasts.is_empty() { AnswerStatus::No } else { AnswerStatus::Given };
    let mut outcome = CommandOutcome { answer, ..CommandOutcome::of(markup) };
    question.tell(&mut outcome, &forecasts);
    Ok(outcome)
}
