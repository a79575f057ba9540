use call_model::{Model, Prediction};
use call_report::{Cell, Column, Table, number};

use super::points::points;
use super::{Arguments, Clauses, Command};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Predict;

impl Command for Predict {
    fn name(&self) -> &'static str {
        "predict"
    }

    fn usage(&self) -> &'static str {
        "predict [EXPERIMENT] VARIABLE=VALUE…"
    }

    fn summary(&self) -> &'static str {
        "predict times"
    }

    fn details(&self) -> &'static str {
        "Every variable of the formula needs a value. `N=1024,4096` and `P=1:32:2` (1, 2, 4, … 32) give a \
         table. A single prediction also shows what each term contributes. The standard error is that of \
         the constants; the scatter of single runs comes on top."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::Value]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let (found, place) = session.first_experiment(arguments)?;
        let model = session.model(found.experiment())?;
        let points = points(&arguments.words()[place..], arguments.end(), &model, found.set())?;
        let predictions: Vec<(Vec<f64>, Prediction)> =
            points.into_iter().map(|point| (point.clone(), model.predict(&point))).collect();
        let mut outcome = Outcome::of(match &predictions[..] {
            [(point, prediction)] => single(&model, point, prediction),
            _ => table(&model, &predictions),
        });
        outcome.warnings = warnings(&predictions);
        Ok(outcome)
    }
}

fn single(model: &Model, point: &[f64], prediction: &Prediction) -> Markup {
    let mut markup = Markup::new();
    let experiment = model.formula().experiment();
    let values: Vec<String> = model
        .formula()
        .variables()
        .iter()
        .zip(point)
        .map(|(variable, value)| format!("{}={value}", variable.name()))
        .collect();
    markup.fragments([
        (Style::Name, format!("{experiment}({})", values.join(", "))),
        (Style::Plain, " = ".to_owned()),
        (Style::Strong, number::seconds(prediction.time_s)),
        (Style::Plain, uncertainty(prediction)),
    ]);
    let mut table =
        Table::new([Column::left("term"), Column::seconds("time"), Column::percent("share")]).named("terms");
    for share in &prediction.shares {
        table.row([
            Cell::from(format!("{experiment}[{}]", share.coefficient.0)),
            share.time_s.into(),
            (100.0 * share.time_s / prediction.time_s).into(),
        ]);
    }
    markup.table(table);
    markup
}

fn uncertainty(prediction: &Prediction) -> String {
    if prediction.standard_error_s.is_finite() {
        format!(" ± {}", number::seconds(prediction.standard_error_s))
    } else {
        String::new()
    }
}

fn table(model: &Model, predictions: &[(Vec<f64>, Prediction)]) -> Markup {
    let variables = model.formula().variables().iter().map(|variable| Column::right(variable.name()));
    let mut columns: Vec<Column> = variables.collect();
    columns.extend([Column::seconds("predicted"), Column::seconds("standard error")]);
    let mut table = Table::new(columns).named("predictions");
    for (point, prediction) in predictions {
        let mut cells: Vec<Cell> = point.iter().map(|value| Cell::from(*value)).collect();
        cells.push(prediction.time_s.into());
        cells.push(Cell::number_or(prediction.standard_error_s, "unknown"));
        table.row(cells);
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup
}

/// One warning for each variable that leaves the samples, and one for negative times.
fn warnings(predictions: &[(Vec<f64>, Prediction)]) -> Vec<String> {
    let mut outside: Vec<(&str, Vec<String>, String)> = Vec::new();
    for beyond in predictions.iter().flat_map(|(_, prediction)| &prediction.beyond) {
        let value = beyond.value.to_string();
        match outside.iter_mut().find(|(variable, _, _)| *variable == beyond.variable) {
            Some((_, values, _)) if values.contains(&value) => {}
            Some((_, values, _)) => values.push(value),
            None => {
                let sampled = format!("{} to {}", beyond.lowest, beyond.highest);
                outside.push((&beyond.variable, vec![value], sampled));
            }
        }
    }
    let mut warnings: Vec<String> = outside
        .into_iter()
        .map(|(variable, values, sampled)| {
            format!("{variable} = {} extrapolates: the samples have {sampled}", values.join(", "))
        })
        .collect();
    if predictions.iter().any(|(_, prediction)| prediction.time_s < 0.0) {
        warnings.push(
            "a predicted time is negative: the formula or the samples do not reach this far".to_owned(),
        );
    }
    warnings
}
