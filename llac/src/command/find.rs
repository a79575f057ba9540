use call_report::{Cell, Column, Table, number};
use call_search::{Finding, FoundModel, Measurements, find};
use call_trace::Unit;

use super::fit::constant_columns;
use super::points::{Given, missing_value};
use super::{Arguments, Clauses, Command};
use crate::experiments::Found;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Find;

/// Formulas that are shown.
const SHOWN: usize = 8;

impl Command for Find {
    fn name(&self) -> &'static str {
        "find"
    }

    fn usage(&self) -> &'static str {
        "find [EXPERIMENT…]"
    }

    fn summary(&self) -> &'static str {
        "find a formula for the times"
    }

    fn details(&self) -> &'static str {
        "Sums of a few terms with non-negative constants, built of powers, logarithms and products of the variables, ranked by \
         how probable the samples make them; a constant is a rival like the others. `held-out` is the error for the \
         largest values, predicted from the smaller ones. `formula f = …` takes one over, or put it into the \
         directive. `predict` needs no formula: without one it uses all plausible ones together."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Experiment]
    }

    fn clauses(&self) -> Clauses {
        Clauses::Samples
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        let mut outcome = Outcome::default();
        for found in session.experiments_or_all(arguments)? {
            let finding = finding(session, &found)?;
            let name = &found.experiment().name;
            let ranked = finding.ranked(name);
            let mut markup = Markup::new();
            let Some(best) = ranked.first() else {
                return Err(Error::new(format!("no formula explains the samples of `{}`", found.name)));
            };
            markup.fragments([
                (Style::Name, found.name.clone()),
                (Style::Plain, format!(" = {}", best.formula.text)),
            ]);
            markup.table(constants(best, &found.experiment().unit).about(&found.name));
            markup.table(table(&ranked).about(&found.name));
            if ranked.len() > SHOWN {
                markup.line(Style::Plain, format!("  … {} more", ranked.len() - SHOWN));
            }
            outcome.value.append(markup);
        }
        Ok(outcome)
    }
}

/// The plausible formulas of an experiment's samples, over the variables that vary.
pub fn finding(session: &mut Session, found: &Found) -> Result<Finding, Error> {
    finding_over(session, found, |_| true)
}

/// The same over those of them that are chosen.
pub fn finding_over(
    session: &mut Session,
    found: &Found,
    is_chosen: impl Fn(&str) -> bool,
) -> Result<Finding, Error> {
    let prepared = session.prepared(found.experiment());
    let samples = prepared.samples();
    if samples.is_empty() {
        return Err(Error::new(format!("experiment `{}` has no samples", found.name)));
    }
    let varies = |column: &&Vec<f64>| column.windows(2).any(|pair| pair[0] != pair[1]);
    let varying =
        samples.names.iter().zip(&samples.columns).filter(|(name, column)| is_chosen(name) && varies(column));
    let (names, columns): (Vec<String>, Vec<&[f64]>) =
        varying.map(|(name, column)| (name.clone(), column.as_slice())).unzip();
    Ok(find(&Measurements::new(&names, &columns, &samples.time_s)))
}

/// The point that values of the finding's variables make; a step beyond the samples if there are none.
pub fn target(finding: &Finding, arguments: &Arguments, place: usize) -> Result<Vec<f64>, Error> {
    let words = &arguments.words()[place..];
    if words.is_empty() {
        return Ok(finding.beyond());
    }
    let names = finding.measurements().variables();
    let mut values: Vec<Option<f64>> = vec![None; names.len()];
    for word in words {
        let one = Given::of(word)?;
        let Some(position) = names.iter().position(|name| *name == one.name) else {
            let near = call_grammar::suggest(&one.name, names.iter().map(String::as_str));
            let message = format!("the times do not vary with `{}`", one.name);
            return Err(
                Error::at(one.span, message).suggesting(near, format!("they vary with {}", names.join(", ")))
            );
        };
        let [value] = one.values[..] else {
            return Err(Error::at(one.span, "advice is for a single point"));
        };
        if values[position].replace(value).is_some() {
            return Err(Error::at(one.span, format!("`{}` is given twice", one.name)));
        }
    }
    let value =
        |(value, name): (Option<f64>, &String)| value.ok_or_else(|| missing_value(name, arguments.end()));
    values.into_iter().zip(names).map(value).collect()
}

fn constants(model: &FoundModel, unit: &Unit) -> Table {
    let mut table = Table::new(constant_columns("constant", unit)).named("constants");
    let experiment = model.formula.text.split('[').next().unwrap_or_default();
    for (index, (value, error)) in
        model.formula.constants.iter().zip(&model.formula.standard_errors).enumerate()
    {
        let name = format!("{experiment}[{index}]");
        table.row([Cell::from(name), (*value).into(), Cell::number_or(*error, "unknown")]);
    }
    table
}

fn table(ranked: &[FoundModel]) -> Table {
    let mut columns = vec![
        Column::percent("probability"),
        Column::percent("error"),
        Column::percent("held-out"),
        Column::code("formula"),
    ];
    let has_intervals = ranked.iter().take(SHOWN).any(|model| model.interval.is_some());
    columns.extend(has_intervals.then(|| Column::code("where")));
    let mut table = Table::new(columns).named("formulas");
    for model in ranked.iter().take(SHOWN) {
        let place = match &model.interval {
            None => String::new(),
            Some(interval) => format!("{} >= {}", interval.variable, number::significant(interval.from, 6)),
        };
        let mut row = vec![
            Cell::from(100.0 * model.probability),
            (100.0 * model.relative_error).into(),
            model.held_out_error.map_or(Cell::Missing("unknown"), |error| Cell::from(100.0 * error)),
            model.formula.text.as_str().into(),
        ];
        row.extend(has_intervals.then(|| Cell::from(place)));
        table.row(row);
    }
    table
}
