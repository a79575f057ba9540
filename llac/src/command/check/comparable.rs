//! Whether the constants of two model files mean the same.

use call_grammar::Formula;
use call_model::ModelFile;
use call_trace::{Experiment, WALL_TIME};

use crate::Error;
use crate::command::set::of_samples;
use crate::error::code;
use crate::words::Word;

/// What the constants of a model mean otherwise than those of the baseline, or where they hold.
pub fn difference(baseline: &ModelFile, new: &ModelFile) -> Option<String> {
    let (old, model) = (baseline.forecaster.model(), new.forecaster.model());
    let in_words = |definitions: Vec<String>| match definitions.is_empty() {
        true => "no `let`".to_owned(),
        false => format!("`let {}`", definitions.join(", ")),
    };
    if !has_same_places(old.formula(), model.formula()) {
        return Some("another formula than the baseline".to_owned());
    }
    let (before, after) = (baseline.definitions_in_use(), new.definitions_in_use());
    if before != after {
        let (before, after) = (in_words(before), in_words(after));
        return Some(format!("{after}, and the baseline {before}: their constants mean something else"));
    }
    if model.unit().is_time() && baseline.response != new.response {
        let [before, after] = [baseline, new].map(|file| time_of(file.response.as_deref()));
        return Some(format!("{after} as its time, and the baseline {before}"));
    }
    let (before, after) = (of_samples(old.settings()), of_samples(model.settings()));
    if let Some((before, after)) = before.iter().zip(&after).find(|(before, after)| before != after) {
        return Some(format!("constants by `set {after}`, and the baseline by `set {before}`"));
    }
    let has_same_intervals = model.segmentation().splits == old.segmentation().splits
        && model.segmentation().sets == old.segmentation().sets;
    (!has_same_intervals).then(|| "other intervals than the baseline".to_owned())
}

/// Whether two formulas say the same, however they are spelt, with their terms and variables in the same places.
fn has_same_places(one: &Formula, other: &Formula) -> bool {
    let constants = |of: &Formula| of.terms().iter().map(|term| term.coefficient).collect::<Vec<_>>();
    let variables = |of: &Formula| of.variables().iter().map(|its| its.name().to_owned()).collect::<Vec<_>>();
    one.in_order().to_string() == other.in_order().to_string()
        && constants(one) == constants(other)
        && variables(one) == variables(other)
}

/// What stands for the time: a counter, or the time itself.
fn time_of(response: Option<&str>) -> String {
    response.map_or("the time from begin to end".to_owned(), |counter| format!("`{counter}`"))
}

/// # Errors
/// If new samples are times of another clock than those of the baseline.
pub fn check_response(baseline: &ModelFile, experiment: &Experiment, word: &Word) -> Result<(), Error> {
    let (old, new) = (baseline.response.as_deref(), experiment.observable.as_deref());
    if !experiment.unit.is_time() || old == new {
        return Ok(());
    }
    let message =
        format!("the time of the new runs is {}, and that of the baseline {}", time_of(new), time_of(old));
    let response = old.unwrap_or(WALL_TIME);
    Err(word
        .error(code::UNITS_DIFFER, message)
        .help(format!("`time={response}` reads what the baseline has; or save the baseline anew")))
}
