use call_model::Forecaster;
use call_model::question::isoefficiency;
use call_report::{Cell, Column, Table};

use super::points::{Given, PROCESSORS, given, number};
use super::predict::warnings;
use super::question::{line, no_answer, numbers, ranged, reach, take};
use super::sources::beyond_own_table;
use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session};

pub struct Isoefficiency;

impl Command for Isoefficiency {
    fn name(&self) -> &'static str {
        "isoefficiency"
    }

    fn usage(&self) -> &'static str {
        "isoefficiency [EXPERIMENT] EFFICIENCY SIZE[=FROM..TO] P=VALUES"
    }

    fn summary(&self) -> &'static str {
        "find sizes that keep an efficiency"
    }

    fn details(&self) -> &'static str {
        "`isoefficiency f 0.8 N P=1:64:2`: for each number of processors the smallest N at which T(1) / (P T(P)) is at \
         least 0.8."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::Nothing, Completion::Variable, Completion::Value]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let (found, place) = session.first_experiment(arguments)?;
        let word = arguments.required(place, "the efficiency", self.usage())?;
        let efficiency = number(&word.text)
            .ok_or_else(|| Error::at(word.span.clone(), "an efficiency is a number such as 0.8"))?;
        let size = arguments.required(place + 1, "the variable of the size", self.usage())?;
        let (size, range) = ranged(size)?;
        let name = size.name.as_str();
        let mut given = given(&arguments.words()[place + 2..])?;
        let processors = take(&mut given, PROCESSORS, arguments)?;
        let model = session.model(found.experiment())?;
        let forecaster =
            Forecaster::new(&model, &session.prepared(found.experiment())).map_err(super::model_error)?;
        let range = range.unwrap_or_else(|| reach(&found, name));
        let sizes = (range, numbers(found.experiment().samples.column(name)));
        let line = line(&forecaster, &found, &[&processors, &size], &given, arguments.end())?;
        let answer =
            isoefficiency(&line, [PROCESSORS, name], &processors.values, efficiency, sizes, session.level())
                .map_err(no_answer)?;
        let mut table = Table::new([
            Column::right(PROCESSORS),
            Column::significant(name, 6),
            Column::significant("efficiency", 3),
            Column::seconds("predicted"),
            Column::left("remark"),
        ])
        .named("isoefficiency");
        for entry in &answer.sizes {
            let processors = Cell::from(entry.processors);
            match &entry.size {
                Ok((size, efficiency, forecast)) => {
                    let time_s = forecast.prediction.time_s;
                    table.row([processors, (*size).into(), (*efficiency).into(), time_s.into(), "".into()])
                }
                Err(reason) => {
                    let none = Cell::Missing("none");
                    table.row([processors, none.clone(), none.clone(), none, reason.to_string().into()])
                }
            };
        }
        let mut markup = Markup::new();
        markup.table(table);
        let mut outcome = Outcome::of(markup);
        let forecasts = answer.sizes.iter().filter_map(|entry| entry.size.as_ref().ok());
        outcome.warnings = warnings(forecasts.map(|(_, _, forecast)| forecast));
        let named: Vec<&Given> = given.iter().chain([&size, &processors]).collect();
        // Efficiency compares with one processor.
        outcome.warnings.extend(beyond_own_table(&model, &found, &named, &[1.0]));
        Ok(outcome)
    }
}
