use call_model::Forecaster;
use call_model::question::{Choice, Objective, Span, best};
use call_report::{Cell, Column, Table, number};

use super::points::{Given, given};
use super::predict::{interval_cells, interval_columns, warnings};
use super::question::{line, no_answer};
use super::sources::beyond_own_table;
use super::{Arguments, Clauses, Command};
use crate::words::Word;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Best;

impl Command for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn usage(&self) -> &'static str {
        "best [EXPERIMENT | PROGRAM] [time | cost] VARIABLE=VALUES VARIABLE=VALUE…"
    }

    fn summary(&self) -> &'static str {
        "find the value with the least time or cost"
    }

    fn details(&self) -> &'static str {
        "`best f P=1:1024:2 N=65536`: the number of processors with the shortest predicted time; with `cost` the one \
         with the fewest processor-seconds, P times the time. The variable in question is the one with several \
         values. It also says within which values the result is at most a tenth worse. Of a PROGRAM as `predict` \
         evaluates it, also `on MACHINE`."
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
            return super::program::best(session, program, arguments);
        }
        let (found, place) = session.first_experiment(arguments)?;
        let (objective, words) = objective(&arguments.words()[place..]);
        let mut given = given(words)?;
        let Some(position) = given.iter().position(|one| one.values.len() > 1) else {
            return Err(no_values(arguments));
        };
        let asked = given.remove(position);
        let model = session.model(found.experiment())?;
        let forecaster =
            Forecaster::new(&model, &session.prepared(found.experiment())).map_err(super::model_error)?;
        let line = line(&forecaster, &found, &[&asked], &given, arguments.end())?;
        let choice = Choice::List(asked.values.clone());
        let answer = best(&line, &choice, objective, session.level()).map_err(no_answer)?;
        let name = &asked.name;
        let mut markup = Markup::new();
        headline(&mut markup, objective, answer.best.cost, (name, answer.best.value), answer.nearly);
        let mut columns = vec![Column::right(name.as_str())];
        columns.extend(interval_columns(session.level()));
        columns.push(Column::seconds("cost"));
        let mut table = Table::new(columns).named("best");
        let mut row = vec![Cell::from(answer.best.value)];
        row.extend(interval_cells(&answer.best.forecast));
        row.push(answer.best.cost.into());
        table.row(row);
        markup.table(table);
        let mut outcome = Outcome::of(markup);
        if answer.is_end {
            outcome.warnings.push(AT_END.to_owned());
        }
        outcome.warnings.extend(warnings(std::iter::once(&answer.best.forecast)));
        let asked = asked.with(vec![answer.best.value]);
        let named: Vec<&Given> = given.iter().chain([&asked]).collect();
        outcome.warnings.extend(beyond_own_table(&model, &found, &named, &[]));
        Ok(outcome)
    }
}

/// The warning of an answer that is the first or the last value.
pub const AT_END: &str = "this is the end of what was asked for: others may be better still";

/// What is to be small, and the words behind it.
pub fn objective(words: &[Word]) -> (Objective, &[Word]) {
    match words {
        [first, rest @ ..] if first.text == "time" => (Objective::Time, rest),
        [first, rest @ ..] if first.text == "cost" => (Objective::ProcessorSeconds, rest),
        words => (Objective::Time, words),
    }
}

/// The error where there is nothing to choose from.
pub fn no_values(arguments: &Arguments) -> Error {
    Error::at(arguments.end(), "no variable has several values to choose from").help("for example `P=1:64:2`")
}

/// The main result.
pub fn headline(
    markup: &mut Markup,
    objective: Objective,
    cost: f64,
    (name, value): (&str, f64),
    nearly: Span,
) {
    let title = if objective == Objective::Time { "time" } else { "cost" };
    let (lowest, highest) = (number::exact(nearly.lowest), number::exact(nearly.highest));
    markup.fragments([
        (Style::Plain, format!("the least {title}, {}, with {name} = ", number::seconds(cost))),
        (Style::Strong, number::significant(value, 6)),
        (Style::Plain, format!("; at most a tenth more from {lowest} to {highest}")),
    ]);
}
