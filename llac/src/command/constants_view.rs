//! How models, their constants and intervals are shown.

use std::ops::Bound;

use call_model::{Judgement, Model, Segment};
use call_report::{Column, TableCell, number};
use call_trace::Unit;

use super::{CommandArguments, units};
use crate::{CommandOutcome, Error, Markup, Message, Session, Style};

/// Columns for the name of a constant, its value and its standard error.
pub fn constant_columns(title: &str, unit: &Unit) -> [Column; 3] {
    [
        Column::left(title).key("constant"),
        units::constant_column("value", unit),
        Column::significant("standard error", 2).key(units::key("standard_error", unit)),
    ]
}

/// Name, value and standard error of a segment.
pub fn segment_cells(name: &str, segment: &Segment) -> Vec<TableCell> {
    let error = if !segment.determined {
        TableCell::Missing("undetermined")
    } else if segment.bounded {
        TableCell::Missing("at its bound")
    } else {
        TableCell::number_or(segment.standard_error, "unknown")
    };
    vec![name.into(), segment.value.into(), error]
}

/// The range of a variable as an interval.
pub fn interval(range: &call_model::Range) -> String {
    let lower =
        if range.lower_included { Bound::Included(range.lower) } else { Bound::Excluded(range.lower) };
    number::interval(lower, Bound::Included(range.upper))
}

/// Shows the models of the experiments that are named, or of all, with what they are warned of.
pub fn judged(
    session: &mut Session,
    arguments: &CommandArguments,
    report: impl Fn(&mut Markup, &str, &Model, &Judgement),
) -> Result<CommandOutcome, Error> {
    let mut outcome = CommandOutcome::default();
    for found in session.with_formula(arguments, &mut outcome)? {
        let model = session.model(found.experiment())?;
        let judgement = session.judgement(&found, &model)?;
        let warnings = &judgement.warnings;
        outcome.warnings.extend(warnings.iter().map(|warning| Message::of_model(&found.name, warning)));
        let name = model.formula().experiment();
        let formula = format!(" = {}", model.formula());
        let mut markup = Markup::new();
        markup.fragments([(Style::Name, name.to_owned()), (Style::Plain, formula)]);
        report(&mut markup, &found.name, &model, &judgement);
        outcome.value.append(markup);
    }
    Ok(outcome)
}
