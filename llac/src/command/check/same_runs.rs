//! Runs that are there twice, or on both sides.

use call_check::MeasuredRun;
use call_grammar::counted;
use call_model::RunFacts;
use call_trace::Unit;
use serde_json::json;

use crate::error::code;
use crate::loaded_model::LoadedModel;
use crate::words::Word;
use crate::{CommandOutcome, Error, Message};

/// The same without runs that are there twice: copies of files, or a model beside another one of the same runs. Times are never the same again to the last
/// digit; counts may be.
pub fn once(runs: Vec<MeasuredRun>, unit: &Unit, of: &str, outcome: &mut CommandOutcome) -> Vec<MeasuredRun> {
    if !unit.is_time() {
        return runs;
    }
    let mut kept: Vec<MeasuredRun> = Vec::new();
    let mut again: Vec<String> = Vec::new();
    for run in runs {
        match kept.iter().any(|known| run.fit.is_same_run(&known.fit)) {
            true => again.push(run.name),
            false => kept.push(run),
        }
    }
    if let Some(first) = again.first() {
        let text = format!(
            "{} of the {of}, the first {first}, {} the same measurements as others, and {} once",
            counted(again.len(), "run"),
            if again.len() == 1 { "has" } else { "have" },
            if again.len() == 1 { "counts" } else { "count" },
        );
        outcome.warnings.push(Message::new("same-run", text).with(json!({ "files": again })));
    }
    kept
}

/// The new runs without those of the baseline itself, which are no news. Simulated times are the same to the last digit in each run: other dates tell that
/// they are others.
///
/// # Errors
/// If all are.
pub fn without_old(
    new: Vec<RunFacts>,
    old: &[RunFacts],
    baseline: &LoadedModel,
    word: &Word,
    outcome: &mut CommandOutcome,
) -> Result<Vec<RunFacts>, Error> {
    let are_times = baseline.model().unit().is_time();
    let is_old = |run: &RunFacts| are_times && old.iter().any(|known| is_same(run, known));
    let (own, new): (Vec<RunFacts>, Vec<RunFacts>) = new.into_iter().partition(is_old);
    if own.is_empty() {
        return Ok(new);
    }
    if new.is_empty() {
        let message = "the new runs are those of the baseline itself";
        return Err(word
            .error(code::NO_SAMPLES, message)
            .help("name the files of runs that were made since"));
    }
    let files: Vec<&String> = own.iter().filter_map(|run| run.files.first()).collect();
    // Models may not tell it.
    let first = files.first().map_or_else(String::new, |first| format!(", the first {first},"));
    let text = format!(
        "{} of the new runs{first} {} of the baseline itself, and left out: they tell nothing new",
        own.len(),
        if own.len() == 1 { "is one" } else { "are" },
    );
    let message = Message::new("same-run", text).about(&baseline.name);
    outcome.warnings.push(message.with(json!({ "files": files })));
    Ok(new)
}

fn is_same(one: &RunFacts, other: &RunFacts) -> bool {
    let has_same_date = match (one.facts.get("date"), other.facts.get("date")) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    };
    let fits = one.fit.as_ref().zip(other.fit.as_ref());
    has_same_date && fits.is_some_and(|(one, other)| one.is_same_run(other))
}
