use std::sync::Arc;

use call_model::obsp::InOut;

use super::request::evaluated;
use crate::programs::{FittedCosts, LoadedProgram};
use crate::{Error, Session};

/// What a program makes of the parts' constants, beside the fit of the whole.
pub struct BottomUp {
    pub program: Arc<LoadedProgram>,
    /// For each point.
    pub times_s: Vec<f64>,
    pub warnings: Vec<String>,
}

/// The times of an experiment as the program predicts that was written for it; `None` if there is no such program. A point has a value
/// for each of `variables`.
pub fn bottom_up(
    session: &mut Session,
    experiment: &str,
    variables: &[&str],
    points: &[&[f64]],
) -> Result<Option<BottomUp>, Error> {
    let name = experiment.rsplit('.').next().unwrap_or(experiment);
    let is_for = |loaded: &&Arc<LoadedProgram>| loaded.program.predicts() == Some(name);
    let Some(program) = session.state().programs().find(is_for).cloned() else { return Ok(None) };
    let parameters = program.program.parameters();
    let place = |parameter: &str| {
        variables.iter().position(|variable| *variable == parameter).ok_or_else(|| {
            Error::new(format!(
                "the program `{}` needs `{parameter}`, which the formula of `{name}` does not have",
                program.program.name()
            ))
            .help("a term with it, such as one over log(P), gives the formula that variable; or `undo` the program")
        })
    };
    let places: Vec<usize> =
        parameters.iter().map(String::as_str).chain(["P"]).map(place).collect::<Result<_, _>>()?;
    let costs = FittedCosts::of(session, &program.program)?;
    let time_s = |point: &&[f64]| {
        let values: Vec<f64> = places.iter().map(|&place| point[place]).collect();
        Ok(evaluated(&program, &costs, InOut::default(), &values)?.total_s)
    };
    let times_s = points.iter().map(time_s).collect::<Result<_, Error>>()?;
    let warnings = costs.warnings();
    Ok(Some(BottomUp { program, times_s, warnings }))
}
