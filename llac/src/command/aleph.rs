use std::sync::Arc;

use call_grammar::CoefficientId;
use call_model::Model;
use call_report::{Column, Table, TableCell};

use super::constants_view::{constant_columns, interval, segment_cells};
use super::guessed_sets::GuessedSets;
use super::{Command, CommandArguments};
use crate::error::code;
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session};

pub const ALEPH: Command = Command {
    name: "aleph",
    usage: "aleph [EXPERIMENT | CONSTANT…] [on MACHINE… [VARIABLE=FROM..TO] [VARIABLE=VALUE…] [misses=SET…]]",
    summary: "show the ℵ sets of constants, or guess those of a machine",
    details: "`aleph f` shows all constants of f, `aleph f[2]` only that one. Values are in seconds. A border \
        belongs to the lower interval. With `on MACHINE` they are guessed, without any measurement there, from what the statements \
        behind each constant do (`upsilon`) and what that costs on the machine: borders are where loops stop to fit into a cache. \
        `misses=SET` takes what its caches miss from traces of `call run --misses`, which also makes up for elements that data choose. \
        Where `machine use` says where the samples are from, `carried` is the measured constant times the guess there over the \
        guess here.",
    completions: &[Completion::Constant, Completion::Machine],
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut outcome = CommandOutcome::default();
    if let Some(guessed) = GuessedSets::of(session, arguments.words())? {
        return on_machines(session, arguments, &guessed);
    }
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
    for (name, model, wanted) in constants_of(session, arguments.words())? {
        outcome.value.append(sets(&name.text, &model, &wanted));
    }
    Ok(outcome)
}

fn on_machines(
    session: &mut Session,
    arguments: &CommandArguments,
    guessed: &GuessedSets,
) -> Result<CommandOutcome, Error> {
    let mut outcome = CommandOutcome::default();
    let mut asked = Vec::new();
    for (name, model, wanted) in constants_of(session, &guessed.words)? {
        asked.push((session.experiment(&name)?, model, wanted));
    }
    if guessed.words.is_empty() {
        let has_both = |found: &SessionExperiment| {
            found.experiment().formula.is_some() && found.experiment().source_counts.is_some()
        };
        for found in session.all_experiments(arguments)?.into_iter().filter(has_both) {
            let model = session.model(found.experiment())?;
            let all = model.formula().terms().iter().map(|term| term.coefficient).collect();
            asked.push((found, model, all));
        }
    }
    for (found, _, wanted) in asked {
        guessed.show(session, &found, &wanted, &mut outcome)?;
    }
    if outcome.value.blocks().is_empty() {
        let text = "no experiment has a formula and counts of its source";
        return Err(Error::new(code::NO_ANSWER, text.to_owned())
            .help("translate the program with this `call`, and run it again"));
    }
    Ok(outcome)
}

/// The word of an experiment, its model, and those of its constants that are meant.
type NamedConstants = (Word, Arc<Model>, Vec<CoefficientId>);

/// Experiments with the constants of theirs that words name; those of one formula stand in one table.
fn constants_of(session: &mut Session, words: &[Word]) -> Result<Vec<NamedConstants>, Error> {
    let mut asked: Vec<NamedConstants> = Vec::new();
    for word in words {
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
        match asked.iter_mut().find(|(name, ..)| name.text == experiment.text) {
            Some((.., known)) => known.extend(wanted),
            None => asked.push((experiment, model, wanted)),
        }
    }
    Ok(asked)
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
    Ok((Word::bare(name, span), Some(CoefficientId(index))))
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
