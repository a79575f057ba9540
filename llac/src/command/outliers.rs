use std::collections::BTreeSet;

use call_model::{OutlyingSample, outliers};
use call_report::{Column, Table, TableCell};

use super::values::number;
use super::{Command, CommandArguments, units};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

/// Standard deviations that a measurement may be away; of normal ones 1 in 2,000 is further.
const BOUND: f64 = 3.5;

pub const OUTLIERS: Command = Command {
    name: "outliers",
    usage: "outliers [EXPERIMENT] [DEVIATIONS]",
    summary: "list samples that do not belong",
    details: "Samples more than 3.5 (or DEVIATIONS) standard deviations away from a robust fit of the formula, with the numbers \
        that `drop` takes. `drop f outliers` leaves them all out until `restore`.",
    completions: &[Completion::Experiment, Completion::Nothing],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let (found, place) = session.first_experiment(arguments)?;
    arguments.at_most(place + 1, OUTLIERS.usage)?;
    let bound = match arguments.words().get(place) {
        None => BOUND,
        Some(word) => number(&word.text).filter(|bound| *bound > 0.0).ok_or_else(|| {
            word.error(code::WRONG_VALUE, format!("`{}` is no number of deviations", word.text))
        })?,
    };
    let all = of(session, &found, bound)?;
    let mut markup = Markup::new();
    if all.is_empty() {
        markup.line(Style::Plain, format!("no sample of {} is that far away", found.name));
        return Ok(CommandOutcome::of(markup));
    }
    let experiment = found.experiment();
    let formula = experiment.formula.as_deref().unwrap_or_default();
    let names = call_grammar::Formula::parse(&experiment.name, formula).map_or(Vec::new(), |formula| {
        formula.variables().iter().map(|variable| variable.name().to_owned()).collect::<Vec<_>>()
    });
    let mut columns = vec![Column::right("sample")];
    columns.extend(names.into_iter().map(Column::right));
    columns.extend([
        units::column("measured", &experiment.unit),
        units::column("expected", &experiment.unit),
        Column::significant("deviations", 3),
    ]);
    let mut table = Table::new(columns).named("outliers").about(&found.name);
    for outlier in &all {
        let mut row = vec![TableCell::from(found.number(outlier.row))];
        row.extend(outlier.point.iter().map(|value| TableCell::from(*value)));
        row.extend([outlier.time_s, outlier.expected_s, outlier.deviations].map(TableCell::from));
        table.row(row);
    }
    markup.table(table);
    markup.line(
        Style::Plain,
        format!(
            "  {} of {} samples; `drop {} outliers` leaves them out",
            all.len(),
            experiment.samples.len(),
            found.name
        ),
    );
    Ok(CommandOutcome::of(markup))
}

fn of(session: &mut Session, found: &SessionExperiment, bound: f64) -> Result<Vec<OutlyingSample>, Error> {
    Ok(outliers(&session.prepared_for_outliers(found.experiment()), bound)?)
}

/// The numbers of an experiment's outliers.
pub fn numbers(session: &mut Session, found: &SessionExperiment) -> Result<BTreeSet<usize>, Error> {
    Ok(of(session, found, BOUND)?.iter().map(|outlier| found.number(outlier.row)).collect())
}
