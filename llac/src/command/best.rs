use call_model::Forecaster;
use call_model::question::{Choice, Objective, best};
use call_report::{Cell, Column, Table, number};

use super::points::{Given, given};
use super::predict::{interval_cells, interval_columns, warnings};
use super::question::{line, no_answer};
use super::sources::beyond_own_table;
use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Best;

impl Command for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn usage(&self) -> &'static str {
        "best [EXPERIMENT] [time | cost] VARIABLE=VALUES VARIABLE=VALUE…"
    }

    fn summary(&self) -> &'static str {
        "find the value with the least time or cost"
    }

    fn details(&self) -> &'static str {
        "`best f P=1:1024:2 N=65536`: the number of processors with the shortest predicted time; with `cost` the one \
         with the fewest processor-seconds, P times the time. The variable in question is the one with several \
         values. It also says within which values the result is at most a tenth worse."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::Value]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let (found, mut place) = session.first_experiment(arguments)?;
        let objective = match arguments.words().get(place).map(|word| word.text.as_str()) {
            Some("time") => Some(Objective::Time),
            Some("cost") => Some(Objective::ProcessorSeconds),
            _ => None,
        };
        place += usize::from(objective.is_some());
        let objective = objective.unwrap_or(Objective::Time);
        let mut given = given(&arguments.words()[place..])?;
        let Some(position) = given.iter().position(|one| one.values.len() > 1) else {
            return Err(Error::at(arguments.end(), "no variable has several values to choose from")
                .help("for example `P=1:64:2`"));
        };
        let asked = given.remove(position);
        let model = session.model(found.experiment())?;
        let forecaster =
            Forecaster::new(&model, &session.prepared(found.experiment())).map_err(super::model_error)?;
        let line = line(&forecaster, &found, &[&asked], &given, arguments.end())?;
        let choice = Choice::List(asked.values.clone());
        let answer = best(&line, &choice, objective, session.level()).map_err(no_answer)?;
        let name = &asked.name;
        let (cost, title) = match objective {
            Objective::Time => (number::seconds(answer.best.cost), "time"),
            Objective::ProcessorSeconds => (number::seconds(answer.best.cost), "cost"),
        };
        let mut markup = Markup::new();
        markup.fragments([
            (Style::Plain, format!("the least {title}, {cost}, with {name} = ")),
            (Style::Strong, number::significant(answer.best.value, 6)),
            (
                Style::Plain,
                format!(
                    "; at most a tenth more from {} to {}",
                    number::exact(answer.nearly.lowest),
                    number::exact(answer.nearly.highest)
                ),
            ),
        ]);
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
            outcome
                .warnings
                .push("this is the end of what was asked for: others may be better still".to_owned());
        }
        outcome.warnings.extend(warnings(std::iter::once(&answer.best.forecast)));
        let asked = asked.with(vec![answer.best.value]);
        let named: Vec<&Given> = given.iter().chain([&asked]).collect();
        outcome.warnings.extend(beyond_own_table(&model, &found, &named, &[]));
        Ok(outcome)
    }
}
