use std::sync::Arc;

use call_grammar::suggest;
use call_model::obsp::{Evaluation, InOut, bsp_cost_s, evaluate};
use call_model::program::Instance;

use crate::command::points::{Given, combinations, given, missing_value};
use crate::programs::{FittedCosts, LoadedProgram};
use crate::words::Word;
use crate::{Error, Session};

/// What is asked of a program: `N=… P=… [g=… L=…] [relation=max]`.
pub struct Request {
    pub program: Arc<LoadedProgram>,
    pub costs: FittedCosts,
    pub in_out: InOut,
    /// Values of the program's variables, then of P.
    pub points: Vec<Vec<f64>>,
}

/// A program at a point.
pub struct Evaluated {
    pub instance: Instance,
    pub evaluation: Evaluation,
    pub total_s: f64,
    pub bsp_s: f64,
}

/// Beyond, a processor's number has no place in the arithmetic.
const MOST_PROCESSORS: f64 = 1e9;

impl Request {
    /// What the words behind the name of a program ask for; `end` is where a missing word would stand.
    pub fn of(
        session: &mut Session,
        program: Arc<LoadedProgram>,
        words: &[Word],
        end: std::ops::Range<usize>,
    ) -> Result<Request, Error> {
        let (options, values): (Vec<Word>, Vec<Word>) = words.iter().cloned().partition(|word| {
            let name = word.text.split_once('=').map_or("", |(name, _)| name);
            ["g", "L", "relation"].contains(&name)
                && !program.program.parameters().iter().any(|known| known == name)
        });
        let mut costs = FittedCosts::of(session, &program.program)?;
        let (network, in_out) = options_of(&options)?;
        if let Some((g_s_per_byte, latency_s)) = network {
            costs = costs.with_network(g_s_per_byte, latency_s);
        }
        let points = points(&program, &values, end)?;
        Ok(Request { program, costs, in_out, points })
    }

    /// The names of the values of a point.
    pub fn variables(&self) -> Vec<&str> {
        self.program.program.parameters().iter().map(String::as_str).chain(["P"]).collect()
    }

    /// The program at a point.
    pub fn evaluate(&self, point: &[f64]) -> Result<Evaluated, Error> {
        evaluated(&self.program, &self.costs, self.in_out, point)
    }
}

/// A program at a point: values of its variables, then P.
pub fn evaluated(
    program: &LoadedProgram,
    costs: &FittedCosts,
    in_out: InOut,
    point: &[f64],
) -> Result<Evaluated, Error> {
    let parameters = program.program.parameters();
    let processors = point.get(parameters.len()).copied().unwrap_or(1.0);
    if processors.fract() != 0.0 || !(1.0..=MOST_PROCESSORS).contains(&processors) {
        return Err(Error::new(format!("P = {processors} is no number of processors"))
            .help("P is a whole number from 1 to 1e9"));
    }
    let arguments: Vec<(String, f64)> = parameters.iter().cloned().zip(point.iter().copied()).collect();
    let mut instance = program.instance(&arguments, processors as u32, costs, in_out)?;
    let profiles = &mut instance.profiles;
    let start_s = profiles.same(0.0);
    let evaluation =
        evaluate(profiles, &instance.task, start_s, in_out).map_err(|error| Error::new(error.to_string()))?;
    let total_s = evaluation.total_s(profiles);
    let bsp_s = bsp_cost_s(profiles, &instance.task, in_out);
    Ok(Evaluated { instance, evaluation, total_s, bsp_s })
}

/// g and L, both or none, and the operation `@`.
fn options_of(words: &[Word]) -> Result<(Option<(f64, f64)>, InOut), Error> {
    let mut in_out = InOut::default();
    let mut numbers = [None, None];
    for word in words {
        let (name, text) = word.text.split_once('=').unwrap_or((&word.text, ""));
        if name == "relation" {
            in_out = match text {
                "max" => InOut::Maximum,
                "sum" => InOut::Sum,
                _ => {
                    return Err(Error::at(word.span.clone(), format!("there is no h-relation `{text}`"))
                        .help("`relation=max` or `relation=sum` of bytes in and out"));
                }
            };
            continue;
        }
        let value = crate::command::points::number(text).filter(|value| *value >= 0.0).ok_or_else(|| {
            Error::at(word.span.clone(), format!("`{text}` is no cost"))
                .help("g is in seconds a byte, L in seconds: `g=1e-9 L=2e-6`")
        })?;
        numbers[usize::from(name == "L")] = Some(value);
    }
    match (numbers, words.first()) {
        ([Some(g), Some(latency)], _) => Ok((Some((g, latency)), in_out)),
        ([None, None], _) => Ok((None, in_out)),
        (_, first) => {
            let span = first.map_or(0..0, |word| word.span.clone());
            Err(Error::at(span, "g and L belong together")
                .help("`g=1e-9 L=2e-6`, in seconds a byte and seconds"))
        }
    }
}

fn points(
    program: &LoadedProgram,
    words: &[Word],
    end: std::ops::Range<usize>,
) -> Result<Vec<Vec<f64>>, Error> {
    let given = given(words)?;
    let names: Vec<&str> = program.program.parameters().iter().map(String::as_str).chain(["P"]).collect();
    if let Some(unknown) = given.iter().find(|one| !names.contains(&one.name.as_str())) {
        let message = format!("`{}` has no variable `{}`", program.program.name(), unknown.name);
        return Err(Error::at(unknown.span.clone(), message).suggesting(
            suggest(&unknown.name, names.iter().copied()),
            format!("it has {}", names.join(", ")),
        ));
    }
    let ordered: Vec<&Given> = names
        .iter()
        .map(|name| {
            given.iter().find(|one| one.name == *name).ok_or_else(|| missing_value(name, end.clone()))
        })
        .collect::<Result<_, _>>()?;
    combinations(&ordered)
}
