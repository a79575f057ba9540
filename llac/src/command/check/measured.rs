//! The runs of both sides: those of the baseline from its file, new ones from traces, model files or the session.

use std::sync::Arc;

use call_check::{MeasuredRun, MovedBorder, moved_borders};
use call_grammar::{Formula, counted};
use call_model::{Model, ModelFile, Prepared, RunFacts};
use call_trace::{Experiment, LineRange, Run};
use serde_json::json;

use super::circumstances;
use super::columns::{CommonProcessors, check_columns, check_processors, has_lost_processors, is_processors};
use super::comparable::{check_response, difference};
use super::same_runs::{once, without_old};
use super::wanted::CheckWords;
use crate::command::CommandArguments;
use crate::command::between_intervals::between_intervals;
use crate::command::compare::{chosen, read_data, with_steps};
use crate::command::model_file::{FittedRuns, numbers, original_of, rounds};
use crate::command::moved_borders::{in_words, without_between};
use crate::data::{DataSet, SampleChange};
use crate::error::code;
use crate::loaded_model::LoadedModel;
use crate::reading::{ReadingOptions, is_option};
use crate::words::Word;
use crate::{CommandOutcome, Error, Message, Session};

/// The model that a word names: in a file, or loaded from one.
pub fn baseline(session: &Session, word: &Word) -> Result<Arc<LoadedModel>, Error> {
    if let Some(loaded) = session.loaded_model(&word.text) {
        return Ok(loaded);
    }
    let wrong = |error: Error| error.with_span(word.span.clone());
    let files = session.files(word)?;
    let [path] = &files[..] else {
        return Err(
            word.error(code::UNEXPECTED_WORD, format!("{} files are no single baseline", files.len()))
        );
    };
    let file = session.model_in(path).map_err(wrong)?;
    let file = file.ok_or_else(|| {
        word.error(code::NO_SAMPLES, format!("{path} is no model file"))
            .help("the baseline stands first: `load` the samples of several runs and `save model f into f.model.json`")
    })?;
    LoadedModel::new(path, file, None).map(Arc::new).map_err(wrong)
}

/// The runs of a model file; all of them as one where it does not tell them apart.
pub fn runs_of_file(file: &ModelFile) -> Vec<MeasuredRun> {
    fitted(&facts_of_file(file))
}

/// The same with what else is known of them.
fn facts_of_file(file: &ModelFile) -> Vec<RunFacts> {
    let mut runs = in_order(file.runs.clone());
    runs.retain(|facts| facts.fit.is_some());
    if runs.is_empty() {
        let facts = file.runs.first().cloned().unwrap_or_default();
        runs.push(RunFacts { fit: Some(file.forecaster.model().as_one_run()), ..facts });
    }
    runs
}

fn fitted(runs: &[RunFacts]) -> Vec<MeasuredRun> {
    runs.iter().filter_map(|facts| Some(measured(facts, facts.fit.clone()?))).collect()
}

/// By their dates if all have one: runs that follow each other are alike.
fn in_order(mut runs: Vec<RunFacts>) -> Vec<RunFacts> {
    if runs.iter().all(|run| run.facts.contains_key("date")) {
        runs.sort_by(|a, b| a.facts.get("date").cmp(&b.facts.get("date")));
    }
    runs
}

fn measured(facts: &RunFacts, fit: call_model::RunFit) -> MeasuredRun {
    let name = facts.files.first().cloned().unwrap_or_default();
    MeasuredRun { name, machine: facts.facts.get("machine").cloned().unwrap_or_default(), fit }
}

/// What was measured anew.
pub struct Measured {
    pub runs: Vec<MeasuredRun>,
    /// All samples together, prepared as those of the baseline were; none of models.
    pub prepared: Option<Prepared>,
    /// The source file that the traces name, and the lines of the experiment.
    pub source: String,
    pub lines: Vec<LineRange>,
    /// What is to be said of points where the clock showed no time; what was lost there nobody knows.
    pub lost: Option<String>,
}

impl Measured {
    pub fn of(
        session: &Session,
        baseline: &LoadedModel,
        words: &CheckWords,
        arguments: &CommandArguments,
        outcome: &mut CommandOutcome,
    ) -> Result<Measured, Error> {
        let (fixed, others): (Vec<Word>, Vec<Word>) = words.new.iter().cloned().partition(is_processors);
        let (options, files): (Vec<Word>, Vec<Word>) = others.into_iter().partition(is_option);
        let response = baseline.file.response.as_deref();
        let options = ReadingOptions::of(&options)?.or_response(response);
        let fixed = CommonProcessors::of(&fixed)?;
        let Some(first) = files.first() else {
            return Err(words
                .baseline
                .error(code::MISSING_WORD, "what was measured anew is missing behind this"));
        };
        if let Some(models) = models(session, &files)? {
            return Measured::of_models(baseline, first, &models, outcome);
        }
        let (set, name) = match (&files[..], session.find(&first.text)) {
            ([_], Some(found)) => {
                let set = DataSet::of(found.experiment().clone());
                ((set, found.runs().to_vec()), found.experiment().name.clone())
            }
            _ => {
                // What is written otherwise is another one, even alone.
                let mut names = session.state().data().names().clone();
                if let Some(original) = original_of(&baseline.file) {
                    names = names.with_experiment(&baseline.name, original);
                }
                let mut data = read_data(session, names, (&files, &options), outcome)?;
                fixed.set(&mut data);
                let set = DataSet::default().with_loaded(data)?;
                let runs = set.loaded().runs.clone();
                ((set, runs), baseline.name.clone())
            }
        };
        let (set, runs) = set;
        let formula = baseline.model().formula().clone().renamed(&name);
        tell_other_formula(&set, &formula, outcome);
        let text = Some(formula.to_string());
        let steps = baseline.steps(session.machine_in_use());
        let unit = baseline.model().unit();
        let mut experiment = with_steps(set, text, steps.iter(), unit, &name, first)?;
        check_response(&baseline.file, &experiment, first)?;
        check_columns(baseline.model(), &experiment, first)?;
        if fixed.0.is_none() && has_lost_processors(baseline.model(), &experiment) {
            check_processors(session, &files, &options, &runs)?;
        }
        if let Some(condition) = arguments.condition() {
            experiment = chosen(experiment, SampleChange::Where(condition.clone()))?;
        }
        Measured::of_samples(baseline, &experiment, &runs, first, outcome)
    }

    fn of_samples(
        baseline: &LoadedModel,
        experiment: &Experiment,
        runs: &[Run],
        word: &Word,
        outcome: &mut CommandOutcome,
    ) -> Result<Measured, Error> {
        let model = baseline.model();
        let all = experiment;
        let moved = moved_without_cost(model, &model.settings().prepare(all));
        let experiment = &without_between(all, &moved);
        if !moved.is_empty() {
            let text = format!(
                "the border of intervals at {} now: the points between both places, which take no longer, are left out of the constants",
                in_words(&moved)
            );
            outcome.notes.push(Message::new("between-intervals", text).about(&baseline.name));
        }
        let FittedRuns { runs: found, together, left_out } = rounds(model, experiment, runs);
        outcome.warnings.extend(left_out.into_iter().map(|(run, error)| {
            Message::new("left-out", format!("{run} is left out: {error}")).about(&baseline.name)
        }));
        if together > 1 {
            let text = format!(
                "no run alone determines all constants, so runs of different points count as one: {}, the first of {together} runs",
                counted(found.len(), "round")
            );
            outcome.notes.push(Message::new("rounds", text).about(&baseline.name));
        }
        if found.is_empty() {
            let message = format!("there are no samples of `{}` to be checked", baseline.name);
            return Err(word.error(code::NO_SAMPLES, message));
        }
        let found = without_old(found, &facts_of_file(&baseline.file), baseline, word, outcome)?;
        circumstances::compare(&facts_of_file(&baseline.file), &found, &baseline.name, outcome);
        let prepared = model.settings().prepare(all);
        let points = model.between_intervals(&prepared).unwrap_or_default();
        outcome.warnings.extend(between_intervals(
            model,
            &points,
            "the new runs",
            "the baseline",
            "; measure sizes that the baseline has, or a new baseline with these",
        ));
        Ok(Measured {
            runs: once(fitted(&in_order(found)), model.unit(), "new runs", outcome),
            prepared: Some(prepared),
            source: runs.last().map_or(String::new(), |run| run.header.source.clone()),
            lines: all.lines.clone(),
            lost: lost(model, all),
        })
    }

    /// Models of new runs: comparable where constants mean the same and the intervals are those of the baseline.
    fn of_models(
        baseline: &LoadedModel,
        word: &Word,
        models: &[ModelFile],
        outcome: &mut CommandOutcome,
    ) -> Result<Measured, Error> {
        let model = baseline.model();
        for file in models {
            let other = file.forecaster.model();
            if other.unit() != model.unit() {
                return Err(word.error(
                    code::UNITS_DIFFER,
                    format!("this model is in {}, and the baseline in {}", other.unit(), model.unit()),
                ));
            }
            if let Some(what) = difference(&baseline.file, file) {
                return Err(word
                    .error(code::NOT_APPLICABLE, format!("this model has {what}"))
                    .help("check the traces themselves: formula, intervals and settings of the baseline are then those of the new runs, too"));
            }
        }
        let found = models.iter().flat_map(facts_of_file).collect();
        let found = without_old(found, &facts_of_file(&baseline.file), baseline, word, outcome)?;
        circumstances::compare(&facts_of_file(&baseline.file), &found, &baseline.name, outcome);
        Ok(Measured {
            runs: once(fitted(&found), model.unit(), "new runs", outcome),
            prepared: None,
            source: String::new(),
            lines: Vec::new(),
            lost: None,
        })
    }
}

/// The variables that had several values when a model was fitted, and have one now.
pub fn unvaried(model: &Model, new: &Prepared) -> Vec<String> {
    let variables = model.formula().variables().iter().zip(model.ranges());
    let varied = variables.filter(|(_, range)| range.lowest < range.highest);
    let has_one = |name: &&str| {
        let column = new.samples().column(name);
        column.is_some_and(|column| column.windows(2).all(|pair| pair[0] == pair[1]))
    };
    varied.map(|(variable, _)| variable.name()).filter(has_one).map(str::to_owned).collect()
}

/// The borders that moved so that what lies between both places takes no longer. Where it does, constants shall alarm.
fn moved_without_cost(model: &Model, new: &Prepared) -> Vec<MovedBorder> {
    if !model.unit().is_time() || model.borders().iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let Ok(own) = Model::fit(new) else { return Vec::new() };
    let mut moved = moved_borders(model, &own, new);
    moved.retain(|border| border.is_no_slower(model, new));
    moved
}

/// Points at which a run has no time that the clock told from 0.
fn lost(model: &Model, experiment: &Experiment) -> Option<String> {
    let samples = [&experiment.samples, &experiment.summaries.points];
    let is_lost = |samples: &&call_trace::Samples| samples.time_s.iter().any(|time_s| *time_s <= 0.0);
    if !experiment.unit.is_time() || !samples.iter().any(is_lost) {
        return None;
    }
    let mut places: Vec<String> = Vec::new();
    let mut count = 0;
    for run in numbers(experiment) {
        let prepared = model.settings().prepare(&experiment.of_runs(&[run]));
        count += prepared.below_resolution().len();
        places.extend(prepared.below_resolution().iter().cloned());
    }
    places.sort();
    places.dedup();
    let first = places.first()?;
    let more = match places.len() - 1 {
        0 => String::new(),
        more => format!(" and {}", counted(more, "other point")),
    };
    Some(format!(
        "{} of the new runs left out, where the clock shows a time of 0, at {first}{more}: what became of those cannot be told",
        counted(count, "point")
    ))
}

/// The source may have another formula by now; constants are compared by that of the baseline.
fn tell_other_formula(set: &DataSet, formula: &Formula, outcome: &mut CommandOutcome) {
    let name = formula.experiment();
    let own = set.experiments().iter().find(|known| known.name == name);
    let own = own.and_then(|known| Formula::parse(name, known.formula.as_deref()?).ok());
    if let Some(own) = own.filter(|own| own.to_string() != formula.to_string()) {
        let text = format!(
            "the new runs have the formula `{own}`, and are compared by that of the baseline, `{formula}`: save a new baseline where the change is meant"
        );
        let fields = json!({ "formula": own.to_string(), "older": formula.to_string() });
        outcome.warnings.push(Message::new("formula-changed", text).about(name).with(fields));
    }
}

/// The models in files, if all files are such.
fn models(session: &Session, words: &[Word]) -> Result<Option<Vec<ModelFile>>, Error> {
    let mut models = Vec::new();
    let mut others = 0;
    for word in words.iter().filter(|word| session.find(&word.text).is_none()) {
        for path in session.files(word)? {
            match session.model_in(&path).map_err(|error| error.with_span(word.span.clone()))? {
                Some(file) => models.push(file),
                None => others += 1,
            }
        }
    }
    match (models.is_empty(), others) {
        (true, _) => Ok(None),
        (false, 0) => Ok(Some(models)),
        (false, _) => Err(words[0].error(
            code::NOT_APPLICABLE,
            "these files are models and samples: check the ones and the others apart",
        )),
    }
}
