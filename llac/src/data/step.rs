use std::collections::BTreeSet;
use std::sync::Arc;

use call_grammar::{Quantity, listed, suggest};
use call_machine::Machine;
use call_trace::{Experiment, LineRange, Run, Samples, SourceCounts};

use super::columns::{column, column_names, set_column};
use super::condition::evaluate;
use super::{SampleCondition, SampleView};
use crate::Error;
use crate::error::code;

/// A change of the samples of a data set. What was loaded stays as it is.
#[derive(Debug, Clone)]
pub enum SampleChange {
    /// Samples that do not fulfil the condition are left out, of experiments that have its variables.
    Where(SampleCondition),
    /// Experiments that have its variables get a variable of this name.
    Let { name: String, quantity: Quantity },
    /// An experiment gets a formula.
    Formula { experiment: String, formula: String },
    /// A constant of an experiment has the statements of these lines behind it; `None`: those that the source says.
    Upsilon { experiment: String, constant: u32, lines: Option<Vec<LineRange>> },
    /// An experiment loses the samples with these numbers.
    Drop { experiment: String, numbers: BTreeSet<usize> },
    /// All was measured on this machine: formulas get its g and L where the samples have none.
    Machine(Arc<Machine>),
    /// A further experiment has the samples of these, each with the runs that its samples count in.
    Merge { name: String, parts: Vec<(Vec<Run>, Experiment)> },
}

impl SampleChange {
    /// Does it.
    pub fn apply(&self, view: &mut SampleView) -> Result<(), Error> {
        match self {
            SampleChange::Where(condition) => choose(condition, view),
            SampleChange::Let { name, quantity } => define(name, quantity, view),
            SampleChange::Formula { experiment, formula } => {
                let (experiment, _) = view.find(experiment)?;
                if experiment.formula.as_ref() != Some(formula) {
                    // They were those of other constants.
                    experiment.source_counts.as_mut().map(SourceCounts::give_all_back);
                }
                experiment.formula = Some(formula.clone());
                Ok(())
            }
            SampleChange::Upsilon { experiment, constant, lines } => {
                let (experiment, _) = view.find(experiment)?;
                match (&mut experiment.source_counts, lines) {
                    (Some(counts), Some(lines)) => counts.give(*constant, lines),
                    (Some(counts), None) => counts.give_back(*constant),
                    (None, _) => {}
                }
                Ok(())
            }
            SampleChange::Machine(_) => Ok(()),
            SampleChange::Drop { experiment, numbers } => {
                let (experiment, known) = view.find(experiment)?;
                keep(experiment, known, &|_, number| !numbers.contains(&number));
                Ok(())
            }
            SampleChange::Merge { name, parts } => {
                for (runs, part) in parts {
                    let first = u32::try_from(view.runs.len()).unwrap_or(u32::MAX);
                    view.runs.extend(runs.iter().cloned());
                    let mut part = part.clone();
                    for run in part.samples.run.iter_mut().chain(&mut part.summaries.points.run) {
                        *run = run.saturating_add(first);
                    }
                    view.append(name, part)?;
                }
                Ok(())
            }
        }
    }
}

/// Keeps the samples for which `is_kept` is true of index and number.
fn keep(experiment: &mut Experiment, numbers: &mut Vec<usize>, is_kept: &dyn Fn(usize, usize) -> bool) {
    experiment.samples = experiment.samples.select(|index| is_kept(index, numbers[index]));
    let chosen = numbers.iter().enumerate().filter(|(index, number)| is_kept(*index, **number));
    *numbers = chosen.map(|(_, number)| *number).collect();
}

fn choose(condition: &SampleCondition, view: &mut SampleView) -> Result<(), Error> {
    let names = condition.variables();
    check(view, &names)?;
    for (experiment, numbers) in view.experiments.iter_mut().zip(&mut view.numbers) {
        if !has_all(&experiment.samples, &names) {
            continue;
        }
        let rows = rows(condition, &experiment.samples)?;
        let summaries = rows_of_summaries(condition, experiment)?;
        keep(experiment, numbers, &|index, _| rows[index]);
        experiment.summaries = experiment.summaries.select(|index| summaries[index]);
    }
    Ok(())
}

fn rows(condition: &SampleCondition, samples: &Samples) -> Result<Vec<bool>, Error> {
    condition.rows(samples.len(), &|name| column(samples, name))
}

fn rows_of_summaries(condition: &SampleCondition, experiment: &Experiment) -> Result<Vec<bool>, Error> {
    if experiment.summaries.is_empty() {
        Ok(Vec::new())
    } else {
        rows(condition, &experiment.summaries.points)
    }
}

fn define(name: &str, quantity: &Quantity, view: &mut SampleView) -> Result<(), Error> {
    let names: Vec<&str> = quantity.variables().iter().map(|variable| variable.name()).collect();
    check(view, &names)?;
    for experiment in &mut view.experiments {
        if !has_all(&experiment.samples, &names) {
            continue;
        }
        for samples in [&mut experiment.samples, &mut experiment.summaries.points] {
            if samples.names.is_empty() {
                continue;
            }
            let values = evaluate(quantity, samples.len(), &|name| column(samples, name))?;
            set_column(samples, name, values);
        }
    }
    Ok(())
}

fn has_all(samples: &Samples, names: &[&str]) -> bool {
    names.iter().all(|name| column(samples, name).is_some())
}

/// Whether an experiment has all these names.
fn check(view: &SampleView, names: &[&str]) -> Result<(), Error> {
    if view.experiments.is_empty() || view.experiments.iter().any(|known| has_all(&known.samples, names)) {
        return Ok(());
    }
    let known: BTreeSet<&str> =
        view.experiments.iter().flat_map(|experiment| column_names(&experiment.samples)).collect();
    let Some(unknown) = names.iter().find(|name| !known.contains(*name)) else {
        let message = format!("no experiment has all of {}", names.join(", "));
        return Err(Error::new(code::UNKNOWN_VARIABLE, message));
    };
    let names: Vec<String> = known.iter().map(|&name| name.to_owned()).collect();
    Err(Error::new(code::UNKNOWN_VARIABLE, format!("no experiment has a variable `{unknown}`"))
        .suggesting(suggest(unknown, known), format!("there are {}", listed(&names))))
}
