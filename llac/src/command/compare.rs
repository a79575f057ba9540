use call_model::Comparison;
use call_report::{Column, Table, number};
use call_trace::Dataset;

use super::{Arguments, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Compare;

impl Command for Compare {
    fn name(&self) -> &'static str {
        "compare"
    }

    fn usage(&self) -> &'static str {
        "compare EXPERIMENT [FILE…]"
    }

    fn summary(&self) -> &'static str {
        "predictions beside measured times"
    }

    fn details(&self) -> &'static str {
        "With FILEs their samples are measured against the model and do not become part of the data; \
         without, the samples of the fit. The error is (measured - predicted) / measured. Repetitions are \
         put together as `set repetitions` says."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::File]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let name = arguments.required(0, "the name of an experiment", self.usage())?;
        let mut outcome = Outcome::default();
        let files = &arguments.words()[1..];
        let measured = if files.is_empty() {
            session.experiment(name)?.clone()
        } else {
            let mut data = Dataset::default();
            for word in files {
                for path in session.files(word)? {
                    outcome.warnings.extend(session.add(&mut data, &path, word)?);
                }
            }
            let found = data.experiments.into_iter().find(|experiment| experiment.name == name.text);
            let Some(experiment) = found else {
                return Err(Error::at(
                    name.span.clone(),
                    format!("these files have no experiment `{}`", name.text),
                ));
            };
            experiment
        };
        let model = session.model(name)?;
        let rows =
            model.compare(&measured).map_err(|error| Error::at(name.span.clone(), error.to_string()))?;
        let mut columns: Vec<Column> =
            model.formula().variables().iter().map(|variable| Column::right(variable.name())).collect();
        columns.extend([Column::right("measured"), Column::right("predicted"), Column::right("error %")]);
        outcome.value = table(columns, &rows);
        Ok(outcome)
    }
}

fn table(columns: Vec<Column>, rows: &[Comparison]) -> Markup {
    let mut table = Table::new(columns);
    for row in rows {
        let mut cells: Vec<String> = row.point.iter().map(f64::to_string).collect();
        cells.push(number::seconds(row.measured_s));
        cells.push(number::seconds(row.predicted_s));
        cells.push(number::percent(row.error_percent));
        table.row(cells);
    }
    let mut markup = Markup::new();
    markup.table(table);
    let worst = rows.iter().map(|row| row.error_percent.abs()).fold(0.0, f64::max);
    markup.line(Style::Plain, format!("  largest error {} %", number::percent(worst)));
    markup
}
