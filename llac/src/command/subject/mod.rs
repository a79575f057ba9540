//! What questions are about: from names and machines in a command line to predictors.

mod measured;
mod model;
mod program;

use std::ops::Range;
use std::sync::Arc;

use call_bsp::obsp::{InOut, Network};
use call_bsp::program::ProgramModel;
use call_bsp::replay::ReplayedRun;
use call_machine::CarriedModel;
use call_model::{Forecaster, Predictor, Remark};
use call_search::AveragedFormulas;

use crate::Error;
use crate::error::code;
use crate::found::SessionExperiment;
use crate::loaded_model::LoadedModel;
use crate::words::Word;
pub use measured::UnfittedSamples;
pub use model::{of_experiment, of_loaded};
pub use program::{of_program, of_run};

/// Something that predicts, with what it was made of.
pub struct Subject {
    /// The machine that `on` names for it.
    pub machine: Option<String>,
    /// The experiment whose samples it is about.
    pub found: Option<SessionExperiment>,
    /// The model from a file that it is, or that predicts what a program does.
    pub loaded: Option<Arc<LoadedModel>>,
    pub kind: SubjectKind,
    /// What there is to say whatever is asked.
    pub remarks: Vec<Remark>,
}

/// How it predicts.
pub enum SubjectKind {
    Fitted(Arc<Forecaster>),
    Averaged(Arc<AveragedFormulas>),
    Carried(Box<CarriedModel>),
    Program(Box<ProgramModel>),
    Replayed(Box<ReplayedRun>),
    /// Only what was measured is looked at.
    Unfitted(UnfittedSamples),
}

impl Subject {
    fn new(kind: SubjectKind) -> Subject {
        Subject { machine: None, found: None, loaded: None, kind, remarks: Vec::new() }
    }

    pub fn predictor(&self) -> &dyn Predictor {
        match &self.kind {
            SubjectKind::Fitted(forecaster) => forecaster.as_ref(),
            SubjectKind::Averaged(averaged) => averaged.as_ref(),
            SubjectKind::Carried(carried) => carried.as_ref(),
            SubjectKind::Program(program) => program.as_ref(),
            SubjectKind::Replayed(replayed) => replayed.as_ref(),
            SubjectKind::Unfitted(measured) => measured,
        }
    }

    /// What people call it, on the machine that it is for.
    pub fn label(&self) -> String {
        match &self.machine {
            None => self.predictor().name().to_owned(),
            Some(machine) => format!("{} on {machine}", self.predictor().name()),
        }
    }

    /// Of a message: what has variables.
    pub fn noun(&self) -> String {
        match &self.kind {
            SubjectKind::Fitted(_) | SubjectKind::Carried(_) => "the formula".to_owned(),
            SubjectKind::Averaged(_) | SubjectKind::Unfitted(_) => {
                format!("what was measured of `{}`", self.predictor().name())
            }
            SubjectKind::Program(_) | SubjectKind::Replayed(_) => format!("`{}`", self.predictor().name()),
        }
    }
}

/// `on MACHINE… scale CONSTANT=RESOURCE…`, and options beside variables.
#[derive(Default)]
pub struct TargetSetting {
    pub on: Option<Word>,
    /// Several of them joined by commas or one behind the other.
    pub machines: Vec<Word>,
    pub scale: Option<Word>,
    pub scales: Vec<Word>,
    /// `g=… L=…` without `costs`, of programs.
    pub network: Option<Network>,
    /// The operation `@`, if it is given.
    pub in_out: Option<InOut>,
    /// `misses=SET…`, of experiments.
    pub misses: Option<Word>,
}

impl TargetSetting {
    fn no_scale(&self) -> Result<(), Error> {
        match &self.scale {
            None => Ok(()),
            Some(scale) => Err(scale.error(code::NOT_APPLICABLE, "`scale` is for experiments with a formula").help(
                "of a program, computing is carried to a machine by s, communicating by g and L: leave it out",
            )),
        }
    }
}

/// What predicts for experiments without a formula.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formulas {
    /// All that were found, together.
    Found,
    /// None: only what was measured is looked at. So it is over a variable that a given formula lacks.
    Given(Option<String>),
}

/// g and L of a machine, and in words.
pub fn given_twice(on: &Word) -> Error {
    on.error(code::GIVEN_TWICE, "g and L are those of the machine, and given, too")
        .help("leave out `g=… L=…` or `on MACHINE`")
}

/// An error if subjects that one answer is about differ in their units: their numbers would stand in one column.
pub fn check_same(subjects: &[Subject], end: &Range<usize>) -> Result<(), Error> {
    let differ = |pair: &&[Subject]| pair[0].predictor().unit() != pair[1].predictor().unit();
    let Some([one, other]) = subjects.windows(2).find(differ) else { return Ok(()) };
    let [one, other] = [one, other].map(Subject::predictor);
    let said = |of: &dyn Predictor| format!("`{}` is in {}", of.name(), of.unit());
    Err(Error::at(
        code::UNITS_DIFFER,
        end.clone(),
        format!("{}, and {}: they have no common unit", said(one), said(other)),
    )
    .help("name those of one unit, and ask for the others by themselves"))
}

/// An error if a predictor tells no times: speed-ups and costs of processors are made of those.
pub fn check_time(what: &str, subjects: &[Subject], end: &Range<usize>) -> Result<(), Error> {
    let other = subjects.iter().map(Subject::predictor).find(|predictor| !predictor.unit().is_time());
    other.map_or(Ok(()), |predictor| {
        let (name, unit) = (predictor.name(), predictor.unit());
        Err(Error::at(
            code::NOT_APPLICABLE,
            end.clone(),
            format!("{what} of times, and `{name}` is measured in {unit}"),
        )
        .help(format!("`predict {name} P=1:64:2` tells how it grows")))
    })
}
