use call_model::question::isoefficiency;
use call_report::{Cell, Column, Table};

use super::forecast_view::{common_name, subject_cells, subject_columns};
use super::points::PROCESSORS;
use super::request::{Count, Request, no_answer, numbers, reach};
use super::subject;
use super::values::number;
use super::{Arguments, Clauses, Command};
use crate::{Answer, Completion, Error, Markup, Outcome, Session};

pub struct Isoefficiency;

impl Command for Isoefficiency {
    fn name(&self) -> &'static str {
        "isoefficiency"
    }

    fn usage(&self) -> &'static str {
        "isoefficiency [EXPERIMENT | PROGRAM] EFFICIENCY SIZE[=FROM..TO] P=VALUES [VARIABLE=VALUE…] [on MACHINE…]"
    }

    fn summary(&self) -> &'static str {
        "find sizes that keep an efficiency"
    }

    fn details(&self) -> &'static str {
        "`isoefficiency f 0.8 N P=1:64:2`: for each number of processors the smallest N at which T(1) / (P T(P)) is at \
         least 0.8. Whatever `predict` takes can be asked."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::ExperimentOrProgram, Completion::Nothing, Completion::Variable, Completion::Value]
    }

    fn completion_behind(&self, word: &str) -> Option<Completion> {
        (word == "on").then_some(Completion::Machine)
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let mut request = Request::of(session, arguments, Count::One)?;
        let word = request.next_word("the efficiency", self.usage())?;
        let efficiency = number(&word.text)
            .ok_or_else(|| Error::at(word.span.clone(), "an efficiency is a number such as 0.8"))?;
        let (size, range) = request.take_asked("the variable of the size", self.usage())?;
        request.nothing_left()?;
        subject::check_time("an efficiency is", &request.subjects, &request.end)?;
        let processors = request.take_given(PROCESSORS)?;
        let name = size.name.as_str();
        let mut columns = subject_columns(&request.subjects);
        columns.extend([
            Column::right(PROCESSORS),
            Column::significant(name, 6),
            Column::significant("efficiency", 3),
            Column::seconds("predicted"),
            Column::left("remark"),
        ]);
        let mut table = Table::new(columns).named("isoefficiency").about(common_name(&request.subjects));
        let mut forecasts = Vec::new();
        for subject in &request.subjects {
            let slice = request.slice(subject, &[&processors, &size])?;
            let range = range.unwrap_or_else(|| reach(subject.predictor(), name));
            let sizes = (range, numbers(subject, name));
            let answer = isoefficiency(&slice, &processors.values, efficiency, sizes, session.level())
                .map_err(no_answer)?;
            for entry in answer.sizes {
                let mut cells = subject_cells(&request.subjects, subject);
                cells.push(entry.processors.into());
                match entry.size {
                    Ok((size, efficiency, forecast)) => {
                        let time_s = forecast.prediction.time_s;
                        cells.extend([Cell::from(size), efficiency.into(), time_s.into(), "".into()]);
                        forecasts.push(forecast);
                    }
                    Err(reason) => {
                        cells.extend([const { Cell::Missing("none") }; 3]);
                        cells.push(reason.to_string().into());
                    }
                }
                table.row(cells);
            }
        }
        let mut markup = Markup::new();
        markup.table(table);
        let answer = if forecasts.is_empty() { Answer::No } else { Answer::Given };
        let mut outcome = Outcome { answer, ..Outcome::of(markup) };
        request.tell(&mut outcome, &forecasts);
        Ok(outcome)
    }
}
