use call_model::Forecaster;
use call_model::question::{Line, Scaling, scaling};
use call_report::{Cell, Column, Table, number};

use super::points::{Given, PROCESSORS, given};
use super::predict::{check_finite, interval_cells, interval_columns, warnings};
use super::question::{line, no_answer, take};
use super::sources::beyond_own_table;
use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Speedup;

impl Command for Speedup {
    fn name(&self) -> &'static str {
        "speedup"
    }

    fn usage(&self) -> &'static str {
        "speedup [EXPERIMENT | PROGRAM] P=VALUES [VARIABLE=VALUE…]"
    }

    fn summary(&self) -> &'static str {
        "tell speed-up and efficiency"
    }

    fn details(&self) -> &'static str {
        "`speedup f P=1:64:2 N=65536`: T(1) / T(P), and that over P. Where the formula says nothing about one processor, the \
         smallest number of the list is the base. `plot speedup` draws it. Of a PROGRAM as `predict` evaluates it, also `on MACHINE`."
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
        if let Some(program) = super::program::named(session, arguments) {
            return super::program::speedup(session, program, arguments);
        }
        let (found, place) = session.first_experiment(arguments)?;
        let mut given = given(&arguments.words()[place..])?;
        let processors = take(&mut given, PROCESSORS, arguments)?;
        let model = session.model(found.experiment())?;
        let forecaster =
            Forecaster::new(&model, &session.prepared(found.experiment())).map_err(super::model_error)?;
        let level = session.level();
        let line = line(&forecaster, &found, &[&processors], &given, arguments.end())?;
        let answer = speedup(&line, &processors.values, level)?;
        for row in &answer.rows {
            check_finite(&found.name, &[PROCESSORS], &[row.processors], &row.forecast.prediction)?;
        }
        let mut columns = vec![Column::right(PROCESSORS)];
        columns.extend(interval_columns(level));
        columns.extend([
            Column::significant("speed-up", 4).key("speedup"),
            Column::significant("efficiency", 3),
        ]);
        let mut table = Table::new(columns).named("speedup");
        for row in &answer.rows {
            let mut cells = vec![Cell::from(row.processors)];
            cells.extend(interval_cells(&row.forecast));
            cells.extend([row.speedup, row.efficiency].map(|value| Cell::number_or(value, "none")));
            table.row(cells);
        }
        let mut markup = Markup::new();
        let base_s = answer.base_forecast.prediction.time_s;
        markup.line(Style::Plain, compared_with(base_s, answer.base, None));
        markup.table(table);
        let mut outcome = Outcome::of(markup);
        let forecasts = answer.rows.iter().map(|row| &row.forecast);
        outcome.warnings = warnings(forecasts.chain([&answer.base_forecast]));
        let named: Vec<&Given> = given.iter().chain([&processors]).collect();
        outcome.warnings.extend(beyond_own_table(&model, &found, &named, &[answer.base]));
        Ok(outcome)
    }
}

/// What speed-ups are compared with.
pub fn compared_with(base_s: f64, base: f64, machine: Option<&str>) -> String {
    let plural = if base == 1.0 { "" } else { "s" };
    let of_machine = machine.map_or(String::new(), |machine| format!(" of {machine}"));
    format!(
        "compared with {} on {} processor{plural}{of_machine}",
        number::seconds(base_s),
        number::exact(base)
    )
}

/// Compared with one processor or, where the model says nothing about one, with the smallest number.
pub fn speedup(line: &Line, processors: &[f64], level: f64) -> Result<Scaling, Error> {
    let of_base = |base| scaling(line, PROCESSORS, processors, base, level);
    let smallest = processors.iter().copied().fold(f64::INFINITY, f64::min);
    of_base(1.0).or_else(|_| of_base(smallest)).map_err(no_answer)
}
