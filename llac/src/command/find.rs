use call_grammar::listed;
use call_report::{Column, Table, TableCell, number};
use call_search::{FoundFormulas, FoundModel, SourceVerdict};
use call_trace::Unit;

use super::constants_view::constant_columns;
use super::{Command, CommandArguments};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::remarks::left_out;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session, Style};

/// Formulas that are shown.
const SHOWN: usize = 8;

pub const FIND: Command = Command {
    name: "find",
    usage: "find [EXPERIMENT…]",
    summary: "find a formula for the measurements",
    details: "Sums of a few terms with non-negative constants, built of powers, logarithms and products of the variables, ranked by \
        how probable the samples make them; a constant is a rival like the others. Where the translator counted how often \
        statements run, terms grow no faster than those counts, unless the samples clearly say so (`set source`). `held-out` is the error for the \
        largest values, predicted from the smaller ones; `without` names points that a formula leaves out as disturbed. `formula f = …` takes one over, or put it into the \
        directive. `predict` needs no formula: without one it uses all plausible ones together.",
    completions: &[Completion::Experiment],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut outcome = CommandOutcome::default();
    for found in session.experiments_or_all(arguments)? {
        let finding = session.finding(&found)?;
        let name = &found.experiment().name;
        let ranked = finding.ranked(name);
        let mut markup = Markup::new();
        let Some(best) = ranked.first() else {
            return Err(Error::new(
                code::NO_ANSWER,
                format!("no formula explains the samples of `{}`", found.name),
            ));
        };
        let place = place(best);
        let place = if place.is_empty() { place } else { format!(" where {place}") };
        markup.fragments([
            (Style::Name, found.name.clone()),
            (Style::Plain, format!(" = {}{place}", best.formula.text)),
        ]);
        markup.table(constants(best, &found.experiment().unit).about(&found.name));
        markup.table(table(&ranked, finding.measurements().variables()).about(&found.name));
        if ranked.len() > SHOWN {
            markup.line(Style::Plain, format!("  … {} more", ranked.len() - SHOWN));
        }
        outcome.notes.extend(about_source(&found, finding.source()));
        outcome.notes.extend(about_reciprocal(&found, &finding));
        for one in finding.left_out() {
            outcome.warnings.push(left_out(&one.point, one.factor).about(&found.name));
        }
        outcome.value.append(markup);
    }
    Ok(outcome)
}

/// A rate is predicted by the formula of its reciprocal where that is much more plausible: Amdahl's law is a sum of terms of times.
fn about_reciprocal(found: &SessionExperiment, finding: &FoundFormulas) -> Option<Message> {
    let experiment = found.experiment();
    let formula =
        experiment.unit.is_rate().then(|| finding.likelier_reciprocal(&experiment.name)).flatten()?;
    let text = format!("1/({formula}) is much more plausible for this rate, and `predict` takes it");
    Some(Message::new("reciprocal", text).about(&found.name))
}

/// What became of what the source says.
fn about_source(found: &SessionExperiment, verdict: SourceVerdict) -> Option<Message> {
    let counts = found.experiment().source_counts.as_ref()?;
    let bases: Vec<&str> = counts.terms.iter().map(|term| term.basis.as_str()).collect();
    let bases = listed(&bases);
    let message = match verdict {
        SourceVerdict::Silent => return None,
        SourceVerdict::Followed => Message::new(
            "source",
            format!(
                "statements run as often as {bases}, so terms that grow faster were not tried; `set source off` tries all"
            ),
        ),
        SourceVerdict::Contradicted => Message::new(
            "source-contradicted",
            format!(
                "the samples follow no terms that grow as {bases}, so often statements run: operations become slower with \
                 the size, as by caches, or it is not those statements that take the time"
            ),
        ),
    };
    Some(message.about(&found.name))
}

fn constants(model: &FoundModel, unit: &Unit) -> Table {
    let mut table = Table::new(constant_columns("constant", unit)).named("constants");
    let experiment = model.formula.text.split('[').next().unwrap_or_default();
    for (index, (value, error)) in
        model.formula.constants.iter().zip(&model.formula.standard_errors).enumerate()
    {
        let name = format!("{experiment}[{index}]");
        table.row([TableCell::from(name), (*value).into(), TableCell::number_or(*error, "unknown")]);
    }
    table
}

/// The interval in which the formula holds; nothing for everywhere.
fn place(model: &FoundModel) -> String {
    let interval = model.interval.as_ref();
    interval
        .map_or_else(String::new, |its| format!("{} >= {}", its.variable, number::significant(its.from, 6)))
}

/// The points that a formula leaves out; of many, the first.
fn without(model: &FoundModel, variables: &[String]) -> String {
    const FEW: usize = 2;
    let value = |(name, value): (&String, &f64)| format!("{name}={}", number::significant(*value, 6));
    let point = |point: &Vec<f64>| variables.iter().zip(point).map(value).collect::<Vec<_>>().join(" ");
    let named: Vec<String> = model.disturbed.iter().take(FEW).map(point).collect();
    match model.disturbed.len().saturating_sub(FEW) {
        0 => named.join("; "),
        more => format!("{}; {more} more", named.join("; ")),
    }
}

fn table(ranked: &[FoundModel], variables: &[String]) -> Table {
    let mut columns = vec![
        Column::percent("probability"),
        Column::percent("error"),
        Column::percent("held-out"),
        Column::code("formula"),
    ];
    let has_intervals = ranked.iter().take(SHOWN).any(|model| model.interval.is_some());
    columns.extend(has_intervals.then(|| Column::code("where")));
    let leaves_out = ranked.iter().take(SHOWN).any(|model| !model.disturbed.is_empty());
    columns.extend(leaves_out.then(|| Column::code("without")));
    let mut table = Table::new(columns).named("formulas");
    for model in ranked.iter().take(SHOWN) {
        let mut row = vec![
            TableCell::from(100.0 * model.probability),
            (100.0 * model.relative_error).into(),
            model
                .held_out_error
                .map_or(TableCell::Missing("unknown"), |error| TableCell::from(100.0 * error)),
            model.formula.text.as_str().into(),
        ];
        row.extend(has_intervals.then(|| TableCell::from(place(model))));
        row.extend(leaves_out.then(|| TableCell::from(without(model, variables))));
        table.row(row);
    }
    table
}
