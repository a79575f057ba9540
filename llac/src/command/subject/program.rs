use std::rc::Rc;
use std::sync::Arc;

use call_bsp::obsp::InOut;
use call_bsp::program::{Experiments, ProgramFile, ProgramModel, TargetMachine};
use call_bsp::recording::RecordedRun;
use call_bsp::replay::ReplayedRun;
use call_machine::Machine;

use super::{Subject, SubjectKind, TargetSetting, given_twice};
use crate::error::{code, no_formula};
use crate::models::ModelSource;
use crate::words::Word;
use crate::{Error, Session};

/// Subjects of a program: one, or one for each machine.
pub fn of_program(
    session: &mut Session,
    file: &Arc<ProgramFile>,
    setting: &TargetSetting,
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
        ..Subject::new(SubjectKind::Program(Box::new(model(target))))
    };
    match (&setting.on, setting.network) {
        (None, None) => Ok(vec![subject(here, None)]),
        (None, Some(network)) => Ok(vec![subject(TargetMachine::Given(network), None)]),
        (Some(on), Some(_)) => Err(given_twice(on)),
        (Some(on), None) => session
            .machines_on(on, &setting.machines)?
            .into_iter()
            .map(|(machine, word)| {
                let target = here
                    .on(&machine, &experiments)
                    .map_err(|failure| Error::from(failure).with_span(word.span.clone()))?;
                Ok(subject(target, Some(machine.name.clone())))
            })
            .collect(),
    }
}

/// What a program uses that has a formula.
fn source(session: &Session, name: &str) -> Option<ModelSource> {
    match session.find(name) {
        Some(found) => found.experiment().formula.is_some().then_some(ModelSource::Samples(found)),
        None => session.loaded_model(name).map(ModelSource::File),
    }
}

/// The machine that all of what a program uses was measured on, else the one in use.
fn here_of_program(session: &Session, file: &ProgramFile) -> Result<Option<Arc<Machine>>, Error> {
    let in_use = session.machine_in_use().cloned();
    let mut known: Option<(&str, Arc<Machine>)> = None;
    for name in file.program().names() {
        let machine = match source(session, name) {
            Some(ModelSource::Samples(_)) => in_use.clone(),
            Some(ModelSource::File(loaded)) => loaded.here(session.machine_in_use()),
            None => None,
        };
        match (machine, &known) {
            (Some(machine), None) => known = Some((name, machine)),
            (Some(machine), Some((other, first))) if machine != *first => {
                let message = format!(
                    "`{other}` was measured on {}, and `{name}` on {}: a program takes parts of one machine",
                    first.name, machine.name
                );
                return Err(Error::new(code::UNITS_DIFFER, message)
                    .help("use models and samples of the same machine"));
            }
            _ => {}
        }
    }
    Ok(known.map(|(_, machine)| machine).or(in_use))
}

/// The experiments that a program uses, which are fitted now if they were not before.
fn experiments_of(session: &mut Session, file: &ProgramFile) -> Result<Experiments, Error> {
    let mut experiments = Experiments::default();
    for name in file.program().names() {
        let forecaster = match source(session, name) {
            None => continue,
            Some(ModelSource::Samples(found)) => session.forecaster(&found)?,
            Some(ModelSource::File(loaded)) => loaded.forecaster(session.machine_in_use()),
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
pub fn of_run(
    session: &Session,
    run: RecordedRun,
    name: &str,
    setting: &TargetSetting,
) -> Result<Vec<Subject>, Error> {
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
        let measured = if machine.is_some() { InOut::OF_MACHINES } else { InOut::default() };
        let in_out = setting.in_out.unwrap_or(measured);
        let replayed = ReplayedRun::new(Rc::clone(&run), name, in_out, machine.as_ref()).map_err(
            |failure| match word {
                None => Error::from(failure),
                Some(word) => Error::from(failure).with_span(word.span.clone()),
            },
        )?;
        let machine = machine.map(|machine| machine.name.clone());
        Ok(Subject { machine, ..Subject::new(SubjectKind::Replayed(Box::new(replayed))) })
    };
    machines.into_iter().map(subject).collect()
}
