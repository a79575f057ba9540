use call_model::Forecaster;
use call_model::question::crossings;
use call_report::number::exact;
use call_report::{Cell, Column, Table};

use super::points::{Given, given};
use super::predict::warnings;
use super::question::{lines, no_answer, ranged};
use super::sources::beyond_own_table;
use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Crossover;

impl Command for Crossover {
    fn name(&self) -> &'static str {
        "crossover"
    }

    fn usage(&self) -> &'static str {
        "crossover EXPERIMENT EXPERIMENT VARIABLE=FROM..TO [VARIABLE=VALUE…]"
    }

    fn summary(&self) -> &'static str {
        "find where another one becomes faster"
    }

    fn details(&self) -> &'static str {
        "`crossover bubble merge n=1..1e6`: all sizes at which the two predictions change places. Variables that only \
         one of them has need a value as well."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::Experiment, Completion::Value]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let first = session.experiment(arguments.required(0, "an experiment", self.usage())?)?;
        let second = session.experiment(arguments.required(1, "another experiment", self.usage())?)?;
        let word = arguments.required(2, "the variable with its range", self.usage())?;
        let (asked, Some(range)) = ranged(word)? else {
            return Err(Error::at(word.span.clone(), format!("`{}` is no variable with a range", word.text))
                .help("write `N=1..1e6`"));
        };
        let given = given(&arguments.words()[3..])?;
        let models = [session.model(first.experiment())?, session.model(second.experiment())?];
        let mut of = |model, found: &crate::experiments::Found| {
            Forecaster::new(model, &session.prepared(found.experiment())).map_err(super::model_error)
        };
        let forecasters = [of(&models[0], &first)?, of(&models[1], &second)?];
        let name = asked.name.as_str();
        let [one, other] = &forecasters;
        let models = [(one, &first), (other, &second)];
        let [line, other] = lines(models, &[&asked], &given, arguments.end())?;
        let answer = crossings([&line, &other], range, session.level()).map_err(no_answer)?;
        let mut markup = Markup::new();
        let at_start = if answer.first_is_faster_at_start { &first.name } else { &second.name };
        if answer.crossings.is_empty() {
            markup.line(
                Style::Plain,
                format!(
                    "{at_start} is faster everywhere from {} to {}",
                    exact(range.lowest),
                    exact(range.highest)
                ),
            );
            return Ok(Outcome::of(markup));
        }
        markup.line(Style::Plain, format!("at {name} = {} {at_start} is faster", exact(range.lowest)));
        let mut table = Table::new([
            Column::significant(name, 6),
            Column::code("faster above"),
            Column::seconds(first.name.as_str()),
            Column::seconds(second.name.as_str()),
            Column::left("remark"),
        ])
        .named("crossings");
        for crossing in &answer.crossings {
            let above = if crossing.first_is_faster_above { &first.name } else { &second.name };
            table.row([
                Cell::from(crossing.value),
                above.as_str().into(),
                crossing.forecasts[0].prediction.time_s.into(),
                crossing.forecasts[1].prediction.time_s.into(),
                if crossing.is_jump { "a jump between intervals" } else { "" }.into(),
            ]);
        }
        markup.table(table);
        let mut outcome = Outcome::of(markup);
        outcome.warnings = warnings(answer.crossings.iter().flat_map(|crossing| &crossing.forecasts));
        let asked = asked.with(answer.crossings.iter().map(|crossing| crossing.value).collect());
        let named: Vec<&Given> = given.iter().chain([&asked]).collect();
        let beyond =
            models.map(|(forecaster, found)| beyond_own_table(forecaster.model(), found, &named, &[]));
        // Both may be of the same machine.
        let mut beyond = beyond.concat();
        beyond.dedup();
        outcome.warnings.extend(beyond);
        Ok(outcome)
    }
}
