use call_model::Forecaster;
use call_model::question::{Span, largest};
use call_report::number::exact;
use call_report::{Cell, Column, Table, number};

use super::points::{Given, given};
use super::predict::{interval_cells, interval_columns, warnings};
use super::question::{line, no_answer, numbers, ranged, reach, seconds};
use super::sources::beyond_own_table;
use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Largest;

impl Command for Largest {
    fn name(&self) -> &'static str {
        "largest"
    }

    fn usage(&self) -> &'static str {
        "largest [EXPERIMENT] VARIABLE[=FROM..TO] TIME [VARIABLE=VALUE…]"
    }

    fn summary(&self) -> &'static str {
        "find the largest size within a time"
    }

    fn details(&self) -> &'static str {
        "`largest f N 1s P=16`: the largest N whose predicted time is at most a second, and the largest one whose \
         whole interval is. Times are 1s, 20ms, 5us, 2min, 1h. Without a range the search goes up to a million \
         times the largest sampled value. A variable whose samples are whole numbers gets one."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::Variable, Completion::Nothing, Completion::Value]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let (found, place) = session.first_experiment(arguments)?;
        let variable = arguments.required(place, "the variable", self.usage())?;
        let limit = arguments.required(place + 1, "the time", self.usage())?;
        let (asked, range) = ranged(variable)?;
        let name = asked.name.as_str();
        let limit_s = seconds(limit)?;
        let given = given(&arguments.words()[place + 2..])?;
        let model = session.model(found.experiment())?;
        let forecaster =
            Forecaster::new(&model, &session.prepared(found.experiment())).map_err(super::model_error)?;
        let numbers = numbers(found.experiment().samples.column(name));
        let line = line(&forecaster, &found, &[&asked], &given, arguments.end())?;
        let span = range.unwrap_or_else(|| {
            let reach = reach(&found, name);
            Span { lowest: reach.lowest.min(1.0), ..reach }
        });
        let answer = largest(&line, name, limit_s, numbers, span, session.level()).map_err(no_answer)?;
        if answer.is_end && range.is_none() {
            let (value, time_s) = (exact(answer.value), answer.forecast.prediction.time_s);
            let message = format!("even {name} = {value} takes only {}", number::seconds(time_s));
            return Err(Error::at(variable.span.clone(), message)
                .help(format!("give a range if more may be the answer: `{name}=FROM..TO`")));
        }
        let mut markup = Markup::new();
        markup.fragments([
            (Style::Plain, format!("the largest {name} within {}: ", number::seconds(limit_s))),
            (Style::Strong, number::significant(answer.value, 6)),
        ]);
        let mut columns = vec![Column::right(name)];
        columns.extend(interval_columns(session.level()));
        columns.push(Column::significant("surely within", 6));
        let mut table = Table::new(columns).named("largest");
        let mut row = vec![Cell::from(answer.value)];
        row.extend(interval_cells(&answer.forecast));
        row.push(answer.safe.map_or(Cell::Missing("none"), Cell::from));
        table.row(row);
        markup.table(table);
        let mut outcome = Outcome::of(markup);
        if answer.is_end {
            outcome.warnings.push(format!("this is the end of the range: a larger {name} may do as well"));
        }
        if let Some(longer) = answer.longer_from {
            outcome.warnings.push(format!("some smaller {name} take longer, from {} on", exact(longer)));
        }
        outcome.warnings.extend(warnings(std::iter::once(&answer.forecast)));
        let asked = asked.with(vec![answer.value]);
        let named: Vec<&Given> = given.iter().chain([&asked]).collect();
        outcome.warnings.extend(beyond_own_table(&model, &found, &named, &[]));
        Ok(outcome)
    }
}
