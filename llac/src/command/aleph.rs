use std::sync::Arc;

use call_grammar::CoefficientId;
use call_model::Model;
use call_report::{Column, Table, TableCell};

use super::constants_view::{constant_columns, interval, segment_cells};
use super::{Arguments, Command};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session};

pub const ALEPH: Command = Command {
    name: "aleph",
    usage: "aleph [EXPERIMENT | CONSTANT…]",
    summary: "show the ℵ sets of constants",
    details: "`aleph f` shows all constants of f, `aleph f[2]` only that one. Values are in seconds. A border \
        belongs to the lower interval.",
    completions: &[Completion::Constant],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
    let mut outcome = CommandOutcome::default();
    if arguments.words().is_empty() {
        for loaded in session.loaded_models() {
            let all: Vec<CoefficientId> =
                loaded.model().formula().terms().iter().map(|term| term.coefficient).collect();
            outcome.value.append(sets(&loaded.name, loaded.model(), &all));
        }
        if session.state().data().experiments().is_empty() && !outcome.value.blocks().is_empty() {
            return Ok(outcome);
        }
        for found in session.with_formula(arguments, &mut outcome)? {
            let model = session.model(found.experiment())?;
            let all: Vec<CoefficientId> =
                model.formula().terms().iter().map(|term| term.coefficient).collect();
            outcome.value.append(sets(&found.name, &model, &all));
        }
    }
    // Constants of one formula stand in one table.
    let mut asked: Vec<(String, Arc<Model>, Vec<CoefficientId>)> = Vec::new();
    for word in arguments.words() {
        let (experiment, coefficient) = constant(session, word)?;
        let model = session.model_named(&experiment)?;
        let all = model.formula().terms().iter().map(|term| term.coefficient);
        let wanted: Vec<CoefficientId> =
            all.filter(|id| coefficient.is_none_or(|wanted| wanted == *id)).collect();
        if wanted.is_empty() {
            return Err(word
                .error(code::UNKNOWN_CONSTANT, format!("the formula has no constant `{}`", word.text))
                .help(format!("{} = {}", experiment.text, model.formula())));
        }
        match asked.iter_mut().find(|(name, ..)| *name == experiment.text) {
            Some((.., known)) => known.extend(wanted),
            None => asked.push((experiment.text, model, wanted)),
        }
    }
    for (name, model, wanted) in asked {
        outcome.value.append(sets(&name, &model, &wanted));
    }
    Ok(outcome)
}

/// `f` or `f[2]`.
pub fn constant(session: &Session, word: &Word) -> Result<(Word, Option<CoefficientId>), Error> {
    let Some((name, rest)) = word.text.rsplit_once('[').filter(|_| session.find(&word.text).is_none()) else {
        return Ok((word.clone(), None));
    };
    let index = rest.strip_suffix(']').and_then(|index| index.parse().ok()).ok_or_else(|| {
        word.error(code::WRONG_VALUE, format!("`{}` is not a constant", word.text))
            .help("constants are written `f[2]`")
    })?;
    let span = word.span.start..word.span.start + name.len();
    Ok((Word { text: name.to_owned(), span }, Some(CoefficientId(index))))
}

fn sets(subject: &str, model: &Model, coefficients: &[CoefficientId]) -> Markup {
    let variables = model.formula().variables();
    let mut columns = constant_columns("ℵ", model.unit()).to_vec();
    columns.extend(variables.iter().map(|variable| Column::code(format!("{} in", variable.name()))));
    let mut table = Table::new(columns).named(model.formula().experiment()).about(subject);
    for aleph in coefficients.iter().filter_map(|coefficient| model.aleph(*coefficient)) {
        let name = format!("{}[{}]", model.formula().experiment(), aleph.coefficient.0);
        for segment in &aleph.segments {
            let mut row = segment_cells(&name, segment);
            row.extend(segment.ranges.iter().map(|range| TableCell::from(interval(range))));
            table.row(row);
        }
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup
}
