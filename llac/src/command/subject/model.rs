use std::collections::BTreeMap;
use std::sync::Arc;

use call_grammar::{Quantity, suggest};
use call_machine::guess::CountedMisses;
use call_machine::{CarriedModel, CarryError, Machine, NUMBERS, Resource, TermScale, numbers_in};
use call_model::{Definitions, Forecaster, Model, Predictor, Remark};
use call_trace::SourceCounts;

use super::super::counted_misses::all_counted_misses;
use super::{Formulas, Subject, SubjectKind, TargetSetting, UnfittedSamples};
use crate::error::{code, no_formula};
use crate::found::SessionExperiment;
use crate::loaded_model::LoadedModel;
use crate::words::Word;
use crate::{Error, Session};

const ANOTHER_MACHINE: &str = "choose another machine, or measure this one";

/// Subjects of an experiment: one, or one for each machine.
pub fn of_experiment(
    session: &mut Session,
    found: &SessionExperiment,
    setting: &TargetSetting,
    has_value: &dyn Fn(&str) -> bool,
    formulas: &Formulas,
) -> Result<Vec<Subject>, Error> {
    let Some(on) = &setting.on else {
        if let Some(word) = &setting.misses {
            let text = "counted misses say what constants are on a machine, and none is named";
            return Err(word.error(code::MISSING_WORD, text).help("`on MACHINE misses=SET`"));
        }
        let kind = match (formulas, &found.experiment().formula) {
            (Formulas::Found, None) => SubjectKind::Averaged(session.averaged(found)?),
            (Formulas::Given(_), None) => SubjectKind::Unfitted(UnfittedSamples::of(session, found, None)),
            (formulas, Some(_)) => {
                let forecaster = session.forecaster(found)?;
                let axis = match formulas {
                    Formulas::Given(axis) => axis.as_deref(),
                    Formulas::Found => None,
                };
                let is_measured = |axis: &&str| found.experiment().samples.column(axis).is_some();
                let reachable = forecaster.definitions().reachable(forecaster.variables());
                match axis.filter(|axis| is_measured(axis) && !reachable.contains(axis)) {
                    Some(axis) => SubjectKind::Unfitted(UnfittedSamples::of(session, found, Some(axis))),
                    None => SubjectKind::Fitted(Arc::clone(&forecaster)),
                }
            }
        };
        return Ok(vec![Subject { found: Some(found.clone()), ..Subject::new(kind) }]);
    };
    if found.experiment().formula.is_none() {
        let message =
            format!("`{}` has no formula, of which terms could be carried to a machine", found.name);
        return Err(on.error(code::NO_FORMULA, message).help(no_formula(&found.name)));
    }
    let here = measured_on(found.set().machine().cloned(), on)?;
    let machines = session.machines_on(on, &setting.machines)?;
    let forecaster = session.forecaster(found)?;
    let counts = session.source_counts(found, forecaster.model().formula());
    let misses = match &setting.misses {
        None => Vec::new(),
        Some(word) => {
            no_scale_beside_misses(setting)?;
            let here = all_counted_misses(session, word, found, &here)?;
            let on_both = |(there, _): &(Arc<Machine>, &Word)| {
                Ok([here.clone(), all_counted_misses(session, word, found, there)?])
            };
            machines.iter().map(on_both).collect::<Result<_, Error>>()?
        }
    };
    let origin = CarriedFrom {
        counts,
        misses,
        forecaster,
        here,
        lets: found.lets(),
        own: NUMBERS.into_iter().filter(|number| found.was_loaded_with(number)).collect(),
    };
    let mut subjects = carried(&origin, on, &machines, setting, has_value)?;
    setting.misses.iter().try_for_each(|word| misses_are_used(&subjects, word, found))?;
    subjects.iter_mut().for_each(|subject| subject.found = Some(found.clone()));
    Ok(subjects)
}

/// Subjects of a model from a file: one, or one for each machine.
pub fn of_loaded(
    session: &Session,
    loaded: &Arc<LoadedModel>,
    setting: &TargetSetting,
    has_value: &dyn Fn(&str) -> bool,
) -> Result<Vec<Subject>, Error> {
    let forecaster = loaded.forecaster(session.machine_in_use());
    let mut subjects = match &setting.on {
        None => vec![Subject::new(SubjectKind::Fitted(forecaster))],
        Some(on) => {
            let origin = CarriedFrom {
                forecaster,
                here: measured_on(loaded.here(session.machine_in_use()), on)?,
                lets: loaded.lets(),
                own: NUMBERS.into_iter().filter(|number| loaded.was_measured_with(number)).collect(),
                counts: None,
                misses: Vec::new(),
            };
            carried(&origin, on, &session.machines_on(on, &setting.machines)?, setting, has_value)?
        }
    };
    subjects.iter_mut().for_each(|subject| subject.loaded = Some(Arc::clone(loaded)));
    Ok(subjects)
}

/// A model, and what is known of where it is from.
struct CarriedFrom {
    forecaster: Arc<Forecaster>,
    /// Where it was measured.
    here: Arc<Machine>,
    lets: Definitions,
    /// Those of g and L that its samples had themselves.
    own: Vec<&'static str>,
    /// What its statements do, where traces say it.
    counts: Option<SourceCounts>,
    /// What the caches here and on each of the machines miss, if that was counted.
    misses: Vec<[CountedMisses; 2]>,
}

fn no_scale_beside_misses(setting: &TargetSetting) -> Result<(), Error> {
    let Some(scale) = &setting.scale else { return Ok(()) };
    let text = "`scale` and counted misses both say how constants are carried";
    Err(scale.error(code::NOT_APPLICABLE, text).help("leave one of them out"))
}

/// An error if counted misses would change nothing.
fn misses_are_used(subjects: &[Subject], word: &Word, found: &SessionExperiment) -> Result<(), Error> {
    let is_used = |subject: &Subject| match &subject.kind {
        SubjectKind::Carried(carried) => carried.is_by_statements(),
        _ => false,
    };
    if subjects.iter().all(is_used) {
        return Ok(());
    }
    let text = format!("the traces of `{}` do not say what the statements behind its formula do", found.name);
    let cure = "translate it with this `call`, in one block, and run it again; `set source on` if it is off";
    Err(word.error(code::NO_ANSWER, text).help(cure))
}

fn measured_on(here: Option<Arc<Machine>>, on: &Word) -> Result<Arc<Machine>, Error> {
    here.ok_or_else(|| {
        on.error(code::NO_MACHINE, "it was not said on which machine these times were measured")
            .help("`machine use NAME` says it; `machine list` lists machines")
    })
}

/// A model on other machines.
fn carried(
    origin: &CarriedFrom,
    on: &Word,
    machines: &[(Arc<Machine>, &Word)],
    setting: &TargetSetting,
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
    let carried = |(place, (there, word)): (usize, &(Arc<Machine>, &Word))| {
        let forecaster = forecaster.as_ref().clone();
        CarriedModel::new(forecaster, [here, there], &origin.lets, numbers.clone(), scales.clone())
            .map(|carried| match &origin.counts {
                Some(counts) if setting.scales.is_empty() => carried.with_statements(counts),
                _ => carried,
            })
            .map(|carried| match origin.misses.get(place) {
                Some(misses) => carried.with_misses(misses.clone()),
                None => carried,
            })
            .map(|carried| Subject {
                machine: Some(there.name.clone()),
                remarks: remarks.clone(),
                ..Subject::new(SubjectKind::Carried(Box::new(carried)))
            })
            .map_err(|error| {
                let (span, cure) = match error {
                    CarryError::NoTable { is_here: true, .. } => (&on.span, ANOTHER_MACHINE),
                    CarryError::NoTable { is_here: false, .. } => (&word.span, ANOTHER_MACHINE),
                    CarryError::NoTime { .. } => (&on.span, "leave out `on MACHINE`"),
                };
                Error::at(error.code(), span.clone(), error.to_string()).help(cure)
            })
    };
    machines.iter().enumerate().map(carried).collect()
}

/// Those of g and L that the formula has from the machine: not if `let` defines them, or the samples have them and a value is given.
fn numbers(origin: &CarriedFrom, has_value: &dyn Fn(&str) -> bool) -> Vec<&'static str> {
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
) -> Result<Vec<TermScale>, Error> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let terms = model.formula().terms();
    let names: Vec<String> = terms
        .iter()
        .map(|term| format!("{}[{}]", model.formula().experiment(), term.coefficient.0))
        .collect();
    let mut asked: BTreeMap<usize, TermScale> = BTreeMap::new();
    for word in words {
        let Some((constant, resource)) = word.assignment() else {
            return Err(word.error(code::UNEXPECTED_WORD, "expected CONSTANT=RESOURCE").help(
                "for example `f[1]=memory`; resources are s, g, L, memory, memory(BYTES), operations and levels",
            ));
        };
        let Some(place) = names.iter().position(|name| name == constant) else {
            return Err(word
                .error(code::UNKNOWN_CONSTANT, format!("there is no constant `{constant}`"))
                .help(format!("the constants are {}", names.join(", "))));
        };
        if !numbers_in(model, numbers, &terms[place].basis).is_empty() {
            let message = "g or L stands in this term, so that its constant is kept";
            return Err(word
                .error(code::NOT_APPLICABLE, message.to_owned())
                .help("scale terms without them"));
        }
        if asked.insert(place, scale(model, word, resource, machines)?).is_some() {
            return Err(word.error(code::GIVEN_TWICE, format!("`{constant}` is scaled twice")));
        }
    }
    let scale = |(place, term): (usize, &call_grammar::Term)| {
        asked.remove(&place).unwrap_or_else(|| match numbers_in(model, numbers, &term.basis).is_empty() {
            true => TermScale::By(Resource::Computation),
            false => TermScale::Kept,
        })
    };
    Ok(terms.iter().enumerate().map(scale).collect())
}

fn scale(model: &Model, word: &Word, resource: &str, machines: &[&Machine]) -> Result<TermScale, Error> {
    if let Some(resource) = Resource::named(resource, machines) {
        return Ok(TermScale::By(resource));
    }
    let Some(bytes) = resource.strip_prefix("memory(").and_then(|rest| rest.strip_suffix(')')) else {
        let near = suggest(resource, Resource::names(machines));
        let all = format!("there are {}", Resource::names(machines).join(", "));
        return Err(word
            .error(code::UNKNOWN_RESOURCE, format!("neither machine has `{resource}`"))
            .suggesting(near, all));
    };
    let quantity = Quantity::parse(bytes).map_err(|errors| {
        let why = errors.first().map_or(String::new(), |error| error.diagnostic().message);
        word.error(code::WRONG_VALUE, format!("`{bytes}` is no size: {why}"))
    })?;
    let known: Vec<&str> = model.formula().variables().iter().map(|variable| variable.name()).collect();
    match quantity.variables().iter().find(|variable| !known.contains(&variable.name())) {
        None => Ok(TermScale::WorkingSet(quantity)),
        Some(unknown) => Err(word
            .error(code::UNKNOWN_VARIABLE, format!("the formula has no variable `{}`", unknown.name()))
            .help(format!("its variables are {}", known.join(", ")))),
    }
}
