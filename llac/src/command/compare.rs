use std::sync::Arc;

use call_model::{Check, Forecaster};
use call_report::{Cell, Column, Table, number};
use call_trace::{Dataset, Experiment};

use super::predict::interval_columns;
use super::program::BottomUp;
use super::{Arguments, Clauses, Command};
use crate::data::{DataSet, Step};
use crate::experiments::Found;
use crate::reading::{Options, Remarks, is_option};
use crate::words::Word;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Compare;

impl Command for Compare {
    fn name(&self) -> &'static str {
        "compare"
    }

    fn usage(&self) -> &'static str {
        "compare [EXPERIMENT] [FILE… | EXPERIMENT]"
    }

    fn summary(&self) -> &'static str {
        "predictions beside measured times"
    }

    fn details(&self) -> &'static str {
        "With FILEs, or with another experiment, their samples are set beside what the model predicts, and do \
         not become part of the data; without, the samples of the fit. The error is (measured - predicted) / \
         measured. Repetitions are put together as `set repetitions` says. A condition at the end chooses \
         what is compared; the model is that of all samples."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment, Completion::File]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Own
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let (found, place) = session.first_experiment(arguments)?;
        let mut outcome = Outcome::default();
        let model = session.model(found.experiment())?;
        let prepared = session.prepared(found.experiment());
        let measured = match (&arguments.words()[place..], arguments.condition()) {
            ([], None) => Arc::clone(&prepared),
            (words, condition) => {
                let mut measured = measured(session, &found, words, &mut outcome)?;
                if let Some(condition) = condition {
                    measured = chosen(measured, Step::Where(condition.clone()))?;
                }
                Arc::new(session.settings().prepare(&measured))
            }
        };
        let forecaster = Forecaster::new(&model, &prepared).map_err(super::model_error)?;
        let check = forecaster.compare(&measured, session.level()).map_err(super::model_error)?;
        if check.rows.is_empty() {
            return Err(Error::new("there are no samples to compare with"));
        }
        let variables = super::points::variables(&model);
        let points: Vec<&[f64]> = check.rows.iter().map(|row| row.comparison.point.as_slice()).collect();
        let bottom_up =
            super::program::bottom_up(session, &found.name, &variables, &points, &mut outcome.notes)?;
        let is_measured = |name: &str| crate::data::parameter(name).is_none();
        let mut columns: Vec<Column> =
            variables.iter().map(|name| super::points::column(name, is_measured(name))).collect();
        columns.push(Column::seconds("measured"));
        columns.extend(interval_columns(check.level));
        columns.push(Column::percent("error"));
        if let Some(bottom_up) = &bottom_up {
            let name = bottom_up.program.program.name();
            columns.push(Column::seconds(format!("by {name}")).key("bottom_up_s"));
            columns.push(Column::percent("its error").key("bottom_up_error_percent"));
            outcome.warnings.extend(bottom_up.warnings.iter().cloned());
        }
        outcome.value = table(columns, &check, bottom_up.as_ref());
        Ok(outcome)
    }
}

/// The samples that words mean: of another experiment, of files, or those of the fit.
fn measured(
    session: &Session,
    found: &Found,
    words: &[Word],
    outcome: &mut Outcome,
) -> Result<Experiment, Error> {
    let [first, ..] = words else { return Ok(found.experiment().clone()) };
    if let ([_], Some(other)) = (words, session.find(&first.text)) {
        return defined(DataSet::of(other.experiment().clone()), found, &other.experiment().name, first);
    }
    let (options, words): (Vec<Word>, Vec<Word>) = words.iter().cloned().partition(is_option);
    let options = Options::of(&options)?;
    let (mut data, mut remarks) = (Dataset::default(), Remarks::default());
    for word in &words {
        for path in session.files(word)? {
            session.add(&mut data, &path, word, &options, &mut remarks)?;
        }
    }
    remarks.tell(outcome);
    let set = DataSet::default().with_loaded(data).map_err(Error::new)?;
    defined(set, found, &found.experiment().name, first)
}

/// An experiment of a set, with the variables that `let` has defined for the one that is fitted.
fn defined(mut set: DataSet, found: &Found, name: &str, word: &Word) -> Result<Experiment, Error> {
    // The formula tells which numbers of a machine the samples need.
    let formula = found.experiment().formula.clone();
    if let Some(formula) = formula.filter(|_| set.experiments().iter().any(|known| known.name == name)) {
        let step = Step::Formula { experiment: name.to_owned(), formula };
        set = set.with_step(step).map_err(Error::new)?;
    }
    for step in found.set().steps().filter(|step| matches!(step, Step::Let { .. } | Step::Machine(_))) {
        set = set.with_step(step.clone()).map_err(Error::new)?;
    }
    let fail = |text: String| Error::at(word.span.clone(), text);
    let measured = set.experiments().iter().find(|experiment| experiment.name == name);
    let measured = measured.ok_or_else(|| fail(format!("these files have no experiment `{name}`")))?;
    let (unit, fitted) = (&measured.unit, &found.experiment().unit);
    if unit != fitted {
        return Err(fail(format!("`{name}` is measured in {unit} here, and what was fitted in {fitted}")));
    }
    Ok(measured.clone())
}

/// The samples that a step leaves.
fn chosen(experiment: Experiment, step: Step) -> Result<Experiment, Error> {
    let set = DataSet::of(experiment).with_step(step).map_err(Error::new)?;
    set.experiments().first().cloned().ok_or_else(|| Error::new("no samples are left"))
}

fn table(columns: Vec<Column>, check: &Check, bottom_up: Option<&BottomUp>) -> Markup {
    let mut table = Table::new(columns).named("comparison");
    let mut errors_percent = Vec::new();
    for (index, row) in check.rows.iter().enumerate() {
        let comparison = &row.comparison;
        let mut cells: Vec<Cell> = comparison.point.iter().map(|value| Cell::from(*value)).collect();
        cells.extend(
            [comparison.measured_s, comparison.predicted_s, row.lower_s, row.upper_s].map(Cell::from),
        );
        cells.push(comparison.error_percent.into());
        if let Some(bottom_up) = bottom_up {
            let time_s = bottom_up.times_s[index];
            let error_percent = 100.0 * (comparison.measured_s - time_s) / comparison.measured_s;
            cells.extend([time_s, error_percent].map(Cell::from));
            errors_percent.push(error_percent.abs());
        }
        table.row(cells);
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup.line(
        Style::Plain,
        format!(
            "  largest error {} %, mean {} %, SMAPE {} %; {} of {} measurements within their intervals",
            number::percent(check.worst_percent),
            number::percent(check.mean_percent),
            number::percent(check.smape_percent),
            check.inside,
            check.rows.len(),
        ),
    );
    if let Some(bottom_up) = bottom_up {
        let largest = errors_percent.iter().copied().fold(0.0, f64::max);
        let mean = errors_percent.iter().sum::<f64>() / errors_percent.len() as f64;
        markup.line(
            Style::Plain,
            format!(
                "  by {}: largest error {} %, mean {} %",
                bottom_up.program.program.name(),
                number::percent(largest),
                number::percent(mean)
            ),
        );
    }
    markup
}
