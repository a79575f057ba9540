use call_model::question::speedup;
use call_report::{Cell, Column, Table, number};

use super::forecast_view::{Intervals, common_name, subject_cells, subject_columns};
use super::points::PROCESSORS;
use super::request::{Count, Request, no_answer};
use super::speedups::measured_speedups;
use super::subject;
use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Speedup;

impl Command for Speedup {
    fn name(&self) -> &'static str {
        "speedup"
    }

    fn usage(&self) -> &'static str {
        "speedup [EXPERIMENT | PROGRAM] P=VALUES [VARIABLE=VALUE…] [on MACHINE…]"
    }

    fn summary(&self) -> &'static str {
        "tell speed-up and efficiency"
    }

    fn details(&self) -> &'static str {
        "`speedup f P=1:64:2 N=65536`: T(1) / T(P), and that over P. Where the formula says nothing about one processor, the \
         smallest number of the list is the base. Where samples have the point, what was measured stands beside it. \
         `plot speedup` draws it. Whatever `predict` takes can be asked, also `on MACHINE`."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::ExperimentOrProgram, Completion::Value]
    }

    fn completion_behind(&self, word: &str) -> Option<Completion> {
        (word == "on").then_some(Completion::Machine)
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let mut request = Request::of(session, arguments, Count::One)?;
        request.nothing_left()?;
        subject::check_time("a speed-up is", &request.subjects, &request.end)?;
        let processors = request.take_given(PROCESSORS)?;
        let level = session.level();
        let mut markup = Markup::new();
        let mut answers = Vec::new();
        for subject in &request.subjects {
            let slice = request.slice(subject, &[&processors])?;
            let answer = speedup(&slice, &processors.values, level).map_err(no_answer)?;
            let plural = if answer.base == 1.0 { "" } else { "s" };
            let machine = subject.machine.as_ref().map_or(String::new(), |machine| format!(" of {machine}"));
            markup.line(
                Style::Plain,
                format!(
                    "compared with {} on {} processor{plural}{machine}",
                    number::seconds(answer.base_forecast.prediction.time_s),
                    number::exact(answer.base)
                ),
            );
            let given: Vec<(&str, f64)> =
                request.given.iter().map(|one| (one.name.as_str(), one.values[0])).collect();
            let measured = subject.found.as_ref().filter(|_| subject.machine.is_none());
            let measured = measured.map(|found| session.prepared(found.experiment()));
            let measured = measured.map(|prepared| measured_speedups(&prepared, &given, answer.base));
            answers.push((subject, answer, measured.unwrap_or_default()));
        }
        let has_measured = answers.iter().any(|(_, _, measured)| !measured.is_empty());
        let mut columns = subject_columns(&request.subjects);
        columns.push(Column::right(PROCESSORS));
        let intervals = Intervals::of(
            level,
            request.unit(),
            answers.iter().flat_map(|(_, answer, _)| &answer.rows).map(|row| &row.forecast),
        );
        columns.extend(intervals.columns());
        let measured =
            |key: &str| has_measured.then(|| Column::significant("measured", 4).key(key.to_owned()));
        columns.push(Column::significant("speed-up", 4).key("speedup"));
        columns.extend(measured("measured_speedup"));
        columns.push(Column::significant("efficiency", 3));
        columns.extend(measured("measured_efficiency"));
        let mut table = Table::new(columns).named("speedup").about(common_name(&request.subjects));
        for (subject, answer, measured) in &answers {
            for row in &answer.rows {
                let mut cells = subject_cells(&request.subjects, subject);
                cells.push(row.processors.into());
                cells.extend(intervals.cells(&row.forecast));
                let known = measured.iter().find(|(processors, _)| *processors == row.processors);
                let measured = known.map_or(f64::NAN, |(_, speedup)| *speedup);
                for (predicted, measured) in
                    [(row.speedup, measured), (row.efficiency, measured / row.processors)]
                {
                    cells.push(Cell::number_or(predicted, "none"));
                    cells.extend(has_measured.then(|| Cell::number_or(measured, "")));
                }
                table.row(cells);
            }
        }
        markup.table(table);
        let mut outcome = Outcome::of(markup);
        let forecasts = answers.iter().flat_map(|(_, answer, _)| {
            answer.rows.iter().map(|row| &row.forecast).chain([&answer.base_forecast])
        });
        request.tell(&mut outcome, forecasts);
        Ok(outcome)
    }
}
