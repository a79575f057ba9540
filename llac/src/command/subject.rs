//! What questions are about: from names and machines in a command line to predictors.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use call_bsp::obsp::{InOut, Network};
use call_bsp::program::{Experiments, ProgramFile, ProgramModel, TargetMachine};
use call_bsp::recording::RecordedRun;
use call_bsp::replay::ReplayedRun;
use call_grammar::{Quantity, suggest};
use call_machine::{CarriedModel, CarryError, Machine, NUMBERS, Resource, Scale, numbers_in};
use call_model::{Definition, Definitions, Failure, Forecast, Forecaster, Model, Predictor, Remark};
use call_search::AveragedFormulas;
use call_trace::Unit;

use super::no_formula;
use super::request::Formulas;
use crate::data::Step;
use crate::experiments::Found;
use crate::loaded_model::{LoadedModel, Source};
use crate::words::Word;
use crate::{Error, Session};

/// Something that predicts, with what it was made of.
pub struct Subject {
    /// The machine that `on` names for it.
    pub machine: Option<String>,
    /// The experiment whose samples it is about.
    pub found: Option<Found>,
    /// The model from a file that it is, or that predicts what a program does.
    pub loaded: Option<Arc<LoadedModel>>,
    pub kind: Kind,
    /// What there is to say whatever is asked.
    pub remarks: Vec<Remark>,
}

/// How it predicts.
pub enum Kind {
    Fitted(Arc<Forecaster>),
    Averaged(Arc<AveragedFormulas>),
    Carried(Box<CarriedModel>),
    Program(Box<ProgramModel>),
    Replayed(Box<ReplayedRun>),
    /// Only what was measured is looked at.
    Unfitted(Measured),
}

/// Samples over the variables that vary, which predict nothing.
pub struct Measured {
    name: String,
    unit: Unit,
    variables: Vec<String>,
    definitions: Definitions,
}

impl Measured {
    /// Over the variables of the samples that vary, and that of an axis.
    fn of(session: &mut Session, found: &Found, axis: Option<&str>) -> Measured {
        let prepared = session.prepared(found.experiment());
        let ranges = prepared.ranges();
        let varies = |name: &&String| {
            axis == Some(name.as_str()) || ranges.get(*name).is_some_and(|range| range.lowest < range.highest)
        };
        // What is computed from others says nothing new.
        let lets = let_definitions(found);
        let own = |name: &&String| axis == Some(name.as_str()) || lets.source(name).is_none();
        let variables = prepared.samples().names.iter().filter(varies).filter(own).cloned().collect();
        let unit = prepared.unit().clone();
        Measured { name: found.name.clone(), unit, variables, definitions: Definitions::default() }
    }
}

impl Predictor for Measured {
    fn name(&self) -> &str {
        &self.name
    }

    fn variables(&self) -> &[String] {
        &self.variables
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn unit(&self) -> &Unit {
        &self.unit
    }

    fn time_s(&self, _point: &[f64]) -> Result<f64, Failure> {
        Ok(f64::NAN)
    }

    fn forecast(&self, _point: &[f64], _level: f64) -> Result<Forecast, Failure> {
        Err(Failure::new(format!("`{}` has no formula", self.name)).help(no_formula(&self.name)))
    }
}

impl Subject {
    fn new(kind: Kind) -> Subject {
        Subject { machine: None, found: None, loaded: None, kind, remarks: Vec::new() }
    }

    pub fn predictor(&self) -> &dyn Predictor {
        match &self.kind {
            Kind::Fitted(forecaster) => forecaster.as_ref(),
            Kind::Averaged(averaged) => averaged.as_ref(),
            Kind::Carried(carried) => carried.as_ref(),
            Kind::Program(program) => program.as_ref(),
            Kind::Replayed(replayed) => replayed.as_ref(),
            Kind::Unfitted(measured) => measured,
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
            Kind::Fitted(_) | Kind::Carried(_) => "the formula".to_owned(),
            Kind::Averaged(_) | Kind::Unfitted(_) => {
                format!("what was measured of `{}`", self.predictor().name())
            }
            Kind::Program(_) | Kind::Replayed(_) => format!("`{}`", self.predictor().name()),
        }
    }
}

/// `on MACHINE… scale CONSTANT=RESOURCE…`, and options beside variables.
#[derive(Default)]
pub struct Setting {
    pub on: Option<Word>,
    /// Several of them joined by commas or one behind the other.
    pub machines: Vec<Word>,
    pub scale: Option<Word>,
    pub scales: Vec<Word>,
    /// `g=… L=…` without `costs`, of programs.
    pub network: Option<Network>,
    /// The operation `@`.
    pub in_out: InOut,
}

impl Setting {
    fn no_scale(&self) -> Result<(), Error> {
        match &self.scale {
            None => Ok(()),
            Some(scale) => Err(Error::at(scale.span.clone(), "`scale` is for experiments with a formula").help(
                "of a program, computing is carried to a machine by s, communicating by g and L: leave it out",
            )),
        }
    }
}

/// What is known of the variables of an experiment: `let`, the last definition of a name first, and behind that the machine in use,
/// as far as the samples do not have its numbers themselves.
pub fn definitions(found: &Found) -> Definitions {
    let of_machine = found.set().machine().into_iter().flat_map(call_machine::definitions);
    let is_own = |definition: &Definition| !found.was_loaded_with(definition.name());
    of_machine.filter(is_own).fold(let_definitions(found), Definitions::or)
}

fn let_definitions(found: &Found) -> Definitions {
    let mut all: Vec<Definition> = found
        .set()
        .steps()
        .filter_map(|step| match step {
            Step::Let { name, quantity } => Some(Definition::of_quantity(name, quantity)),
            _ => None,
        })
        .collect();
    all.reverse();
    all.into_iter().collect()
}

const ANOTHER_MACHINE: &str = "choose another machine, or measure this one";

/// Subjects of an experiment: one, or one for each machine.
pub fn of_experiment(
    session: &mut Session,
    found: &Found,
    setting: &Setting,
    has_value: &dyn Fn(&str) -> bool,
    formulas: &Formulas,
) -> Result<Vec<Subject>, Error> {
    let Some(on) = &setting.on else {
        let kind = match (formulas, &found.experiment().formula) {
            (Formulas::Found, None) => Kind::Averaged(session.averaged(found)?),
            (Formulas::Given(_), None) => Kind::Unfitted(Measured::of(session, found, None)),
            (formulas, Some(_)) => {
                let forecaster = session.forecaster(found)?;
                let axis = match formulas {
                    Formulas::Given(axis) => axis.as_deref(),
                    Formulas::Found => None,
                };
                let is_measured = |axis: &&str| found.experiment().samples.column(axis).is_some();
                let reachable = forecaster.definitions().reachable(forecaster.variables());
                match axis.filter(|axis| is_measured(axis) && !reachable.contains(axis)) {
                    Some(axis) => Kind::Unfitted(Measured::of(session, found, Some(axis))),
                    None => Kind::Fitted(Arc::clone(&forecaster)),
                }
            }
        };
        return Ok(vec![Subject { found: Some(found.clone()), ..Subject::new(kind) }]);
    };
    if found.experiment().formula.is_none() {
        let message =
            format!("`{}` has no formula, of which terms could be carried to a machine", found.name);
        return Err(Error::at(on.span.clone(), message).help(no_formula(&found.name)));
    }
    let here = measured_on(found.set().machine().cloned(), on)?;
    let machines = session.machines_on(on, &setting.machines)?;
    let origin = Origin {
        forecaster: session.forecaster(found)?,
        here,
        lets: let_definitions(found),
        own: NUMBERS.into_iter().filter(|number| found.was_loaded_with(number)).collect(),
    };
    let mut subjects = carried(&origin, on, &machines, setting, has_value)?;
    subjects.iter_mut().for_each(|subject| subject.found = Some(found.clone()));
    Ok(subjects)
}

/// Subjects of a model from a file: one, or one for each machine.
pub fn of_loaded(
    session: &Session,
    loaded: &Arc<LoadedModel>,
    setting: &Setting,
    has_value: &dyn Fn(&str) -> bool,
) -> Result<Vec<Subject>, Error> {
    let forecaster = loaded.forecaster(session);
    let mut subjects = match &setting.on {
        None => vec![Subject::new(Kind::Fitted(forecaster))],
        Some(on) => {
            let origin = Origin {
                forecaster,
                here: measured_on(loaded.here(session), on)?,
                lets: loaded.lets(),
                own: NUMBERS.into_iter().filter(|number| loaded.was_measured_with(number)).collect(),
            };
            carried(&origin, on, &session.machines_on(on, &setting.machines)?, setting, has_value)?
        }
    };
    subjects.iter_mut().for_each(|subject| subject.loaded = Some(Arc::clone(loaded)));
    Ok(subjects)
}

/// A model, and what is known of where it is from.
struct Origin {
    forecaster: Arc<Forecaster>,
    /// Where it was measured.
    here: Arc<Machine>,
    lets: Definitions,
    /// Those of g and L that its samples had themselves.
    own: Vec<&'static str>,
}

fn measured_on(here: Option<Arc<Machine>>, on: &Word) -> Result<Arc<Machine>, Error> {
    here.ok_or_else(|| {
        Error::at(on.span.clone(), "it was not said on which machine these times were measured")
            .help("`machine use NAME` says it; `machine list` lists machines")
    })
}

/// A model on other machines.
fn carried(
    origin: &Origin,
    on: &Word,
    machines: &[(Arc<Machine>, &Word)],
    setting: &Setting,
    has_value: &dyn Fn(&str) -> bool,
) -> Result<Vec<Subject>, Error> {
    let (forecaster, here) = (&origin.forecaster, &origin.here);
    let numbers = numbers(origin, has_value);
    let all: Vec<&Machine> =
        machines.iter().map(|(machine, _)| machine.as_ref()).chain([here.as_ref()]).collect();
    let scales = scales(forecaster.model(), &setting.scales, &all, &numbers)?;
    let own = numbers.iter().filter(|name| origin.own.contains(name));
    let remarks: Vec<Remark> =
        own.map(|name| Remark::TakenFromMachine { variable: (*name).to_owned() }).collect();
    let carried = |(there, word): &(Arc<Machine>, &Word)| {
        let forecaster = forecaster.as_ref().clone();
        CarriedModel::new(forecaster, [here, there], &origin.lets, numbers.clone(), scales.clone())
            .map(|carried| Subject {
                machine: Some(there.name.clone()),
                remarks: remarks.clone(),
                ..Subject::new(Kind::Carried(Box::new(carried)))
            })
            .map_err(|error| {
                let (span, cure) = match error {
                    CarryError::NoTable { is_here: true, .. } => (&on.span, ANOTHER_MACHINE),
                    CarryError::NoTable { is_here: false, .. } => (&word.span, ANOTHER_MACHINE),
                    CarryError::NoTime { .. } => (&on.span, "leave out `on MACHINE`"),
                };
                Error::at(span.clone(), error.to_string()).coded(error.code()).help(cure)
            })
    };
    machines.iter().map(carried).collect()
}

/// Those of g and L that the formula has from the machine: not if `let` defines them, or the samples have them and a value is given.
fn numbers(origin: &Origin, has_value: &dyn Fn(&str) -> bool) -> Vec<&'static str> {
    let is_variable = |number: &str| origin.forecaster.variables().iter().any(|name| name == number);
    let is_given = |number: &'static str| origin.own.contains(&number) && has_value(number);
    NUMBERS
        .into_iter()
        .filter(|number| is_variable(number) && origin.lets.source(number).is_none() && !is_given(number))
        .collect()
}

/// For each term of the formula what it is scaled by: what the words say, else g and L where they stand in it, else s. None of all if
/// there are no words.
fn scales(
    model: &Model,
    words: &[Word],
    machines: &[&Machine],
    numbers: &[&'static str],
) -> Result<Vec<Scale>, Error> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let terms = model.formula().terms();
    let names: Vec<String> = terms
        .iter()
        .map(|term| format!("{}[{}]", model.formula().experiment(), term.coefficient.0))
        .collect();
    let mut asked: BTreeMap<usize, Scale> = BTreeMap::new();
    for word in words {
        let fail = |message: String| Error::at(word.span.clone(), message);
        let Some((constant, resource)) = word.text.split_once('=') else {
            return Err(fail("expected CONSTANT=RESOURCE".to_owned()).help(
                "for example `f[1]=memory`; resources are s, g, L, memory, memory(BYTES), operations and levels",
            ));
        };
        let Some(place) = names.iter().position(|name| name == constant) else {
            return Err(fail(format!("there is no constant `{constant}`"))
                .help(format!("the constants are {}", names.join(", "))));
        };
        if !numbers_in(model, numbers, &terms[place].basis).is_empty() {
            let message = "g or L stands in this term, so that its constant is kept";
            return Err(fail(message.to_owned()).help("scale terms without them"));
        }
        if asked.insert(place, scale(model, word, resource, machines)?).is_some() {
            return Err(fail(format!("`{constant}` is scaled twice")));
        }
    }
    let scale = |(place, term): (usize, &call_grammar::Term)| {
        asked.remove(&place).unwrap_or_else(|| match numbers_in(model, numbers, &term.basis).is_empty() {
            true => Scale::By(Resource::Computation),
            false => Scale::Kept,
        })
    };
    Ok(terms.iter().enumerate().map(scale).collect())
}

fn scale(model: &Model, word: &Word, resource: &str, machines: &[&Machine]) -> Result<Scale, Error> {
    if let Some(resource) = Resource::named(resource, machines) {
        return Ok(Scale::By(resource));
    }
    let fail = |message: String| Error::at(word.span.clone(), message);
    let Some(bytes) = resource.strip_prefix("memory(").and_then(|rest| rest.strip_suffix(')')) else {
        let near = suggest(resource, Resource::names(machines));
        let all = format!("there are {}", Resource::names(machines).join(", "));
        return Err(fail(format!("neither machine has `{resource}`")).suggesting(near, all));
    };
    let quantity = Quantity::parse(bytes).map_err(|errors| {
        let why = errors.first().map_or(String::new(), |error| error.diagnostic().message);
        fail(format!("`{bytes}` is no size: {why}"))
    })?;
    let known: Vec<&str> = model.formula().variables().iter().map(|variable| variable.name()).collect();
    match quantity.variables().iter().find(|variable| !known.contains(&variable.name())) {
        None => Ok(Scale::WorkingSet(quantity)),
        Some(unknown) => Err(fail(format!("the formula has no variable `{}`", unknown.name()))
            .help(format!("its variables are {}", known.join(", ")))),
    }
}

/// Subjects of a program: one, or one for each machine.
pub fn of_program(
    session: &mut Session,
    file: &Arc<ProgramFile>,
    setting: &Setting,
) -> Result<Vec<Subject>, Error> {
    setting.no_scale()?;
    let experiments = Arc::new(experiments_of(session, file)?);
    let here = TargetMachine::Here(here_of_program(session, file)?);
    let model =
        |target| ProgramModel::new(Arc::clone(file), Arc::clone(&experiments), target, setting.in_out);
    let found = file.program().predicts().and_then(|name| session.find(name));
    let loaded = file.program().predicts().and_then(|name| session.loaded_model(name));
    let subject = |target, machine| Subject {
        machine,
        found: found.clone(),
        loaded: loaded.clone(),
        ..Subject::new(Kind::Program(Box::new(model(target))))
    };
    match (&setting.on, setting.network) {
        (None, None) => Ok(vec![subject(here, None)]),
        (None, Some(network)) => Ok(vec![subject(TargetMachine::Given(network), None)]),
        (Some(on), Some(_)) => Err(given_twice(on)),
        (Some(on), None) => session
            .machines_on(on, &setting.machines)?
            .into_iter()
            .map(|(machine, word)| {
                let target = here.on(&machine, &experiments).map_err(|failure| {
                    let error = Error::at(word.span.clone(), failure.message);
                    error.help(failure.help.unwrap_or_default())
                })?;
                Ok(subject(target, Some(machine.name.clone())))
            })
            .collect(),
    }
}

/// What a program uses that has a formula.
fn source(session: &Session, name: &str) -> Option<Source> {
    match session.find(name) {
        Some(found) => found.experiment().formula.is_some().then_some(Source::Samples(found)),
        None => session.loaded_model(name).map(Source::File),
    }
}

/// The machine that all of what a program uses was measured on, else the one in use.
fn here_of_program(session: &Session, file: &ProgramFile) -> Result<Option<Arc<Machine>>, Error> {
    let in_use = session.state().data().machine().cloned();
    let mut known: Option<(&str, Arc<Machine>)> = None;
    for name in file.program().names() {
        let machine = match source(session, name) {
            Some(Source::Samples(_)) => in_use.clone(),
            Some(Source::File(loaded)) => loaded.here(session),
            None => None,
        };
        match (machine, &known) {
            (Some(machine), None) => known = Some((name, machine)),
            (Some(machine), Some((other, first))) if machine != *first => {
                let message = format!(
                    "`{other}` was measured on {}, and `{name}` on {}: a program takes parts of one machine",
                    first.name, machine.name
                );
                return Err(Error::new(message).help("use models and samples of the same machine"));
            }
            _ => {}
        }
    }
    Ok(known.map(|(_, machine)| machine).or(in_use))
}

/// g and L of a machine, and in words.
pub fn given_twice(on: &Word) -> Error {
    Error::at(on.span.clone(), "g and L are those of the machine, and given, too")
        .help("leave out `g=… L=…` or `on MACHINE`")
}

/// The experiments that a program uses, which are fitted now if they were not before.
fn experiments_of(session: &mut Session, file: &ProgramFile) -> Result<Experiments, Error> {
    let mut experiments = Experiments::default();
    for name in file.program().names() {
        let forecaster = match source(session, name) {
            None => continue,
            Some(Source::Samples(found)) => session.forecaster(&found)?,
            Some(Source::File(loaded)) => loaded.forecaster(session),
        };
        experiments.forecasters.insert(name.to_owned(), forecaster);
    }
    experiments.known.extend(session.loaded_models().map(|loaded| loaded.name.clone()));
    for experiment in session.state().data().experiments() {
        match experiment.formula {
            Some(_) => experiments.known.push(experiment.name.clone()),
            None => drop(experiments.cures.insert(experiment.name.clone(), no_formula(&experiment.name))),
        }
    }
    Ok(experiments)
}

/// Subjects of a recorded run: one, or one for each machine.
pub fn of_run(session: &Session, run: RecordedRun, setting: &Setting) -> Result<Vec<Subject>, Error> {
    setting.no_scale()?;
    let run = Rc::new(run);
    let machines = match &setting.on {
        None => vec![(None, None)],
        Some(on) => session
            .machines_on(on, &setting.machines)?
            .into_iter()
            .map(|(machine, word)| (Some(machine), Some(word)))
            .collect(),
    };
    let subject = |(machine, word): (Option<Arc<Machine>>, Option<&Word>)| {
        let replayed = ReplayedRun::new(Rc::clone(&run), super::REPLAY, setting.in_out, machine.as_ref())
            .map_err(|failure| match word {
                None => Error::from(failure),
                Some(word) => {
                    Error::at(word.span.clone(), failure.message).help(failure.help.unwrap_or_default())
                }
            })?;
        let machine = machine.map(|machine| machine.name.clone());
        Ok(Subject { machine, ..Subject::new(Kind::Replayed(Box::new(replayed))) })
    };
    machines.into_iter().map(subject).collect()
}
