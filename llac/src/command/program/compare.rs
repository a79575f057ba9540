use std::sync::Arc;

use call_bsp::obsp::InOut;

use super::request::evaluated;
use crate::programs::{ExperimentCosts, LoadedProgram};
use crate::{Error, Session};

/// What a program makes of the parts' constants, beside the fit of the whole.
pub struct BottomUp {
    pub program: Arc<LoadedProgram>,
    /// For each point.
    pub times_s: Vec<f64>,
    pub warnings: Vec<String>,
}

/// The times of an experiment as the program predicts that was written for it; `None` if there is no such program, or the formula
/// lacks one of its variables, which is noted. A point has a value
/// for each of `variables`.
pub fn bottom_up(
    session: &mut Session,
    experiment: &str,
    variables: &[&str],
    points: &[&[f64]],
    notes: &mut Vec<String>,
) -> Result<Option<BottomUp>, Error> {
    let name = experiment.rsplit('.').next().unwrap_or(experiment);
    let is_for = |loaded: &&Arc<LoadedProgram>| loaded.program.predicts() == Some(name);
    let Some(program) = session.state().programs().find(is_for).cloned() else { return Ok(None) };
    let needed = program.program.parameters().iter().map(String::as_str).chain(["P"]);
    let place = |parameter: &str| {
        variables.iter().position(|variable| *variable == parameter).ok_or_else(|| parameter.to_owned())
    };
    let places: Vec<usize> = match needed.map(place).collect() {
        Ok(places) => places,
        Err(missing) => {
            notes.push(format!(
                "the program `{}` is left out: it needs `{missing}`, which the formula of `{name}` does not have",
                program.program.name()
            ));
            return Ok(None);
        }
    };
    let costs = ExperimentCosts::of(session, &program.program)?;
    let time_s = |point: &&[f64]| {
        let values: Vec<f64> = places.iter().map(|&place| point[place]).collect();
        Ok(evaluated(&program, &costs, InOut::default(), &values)?.total_s)
    };
    let times_s = points.iter().map(time_s).collect::<Result<_, Error>>()?;
    let warnings = costs.warnings();
    Ok(Some(BottomUp { program, times_s, warnings }))
}
