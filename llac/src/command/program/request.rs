use std::collections::BTreeMap;
use std::sync::Arc;

use call_bsp::obsp::{Evaluation, InOut, Network, bsp_cost_s, evaluate};
use call_bsp::program::Instance;
use call_grammar::suggest;

use crate::command::network::{cost, relation};
use crate::command::points::{
    Given, PROCESSORS, check_new, check_processors, combinations, expected_value, given, is_value,
    missing_value,
};
use crate::programs::{ExperimentCosts, LoadedProgram, Place};
use crate::words::Word;
use crate::{Error, Outcome, Session};

/// What is asked of a program: `N=… P=… [g=… L=…] [relation=max] [on MACHINE,…]`.
pub struct Request {
    pub program: Arc<LoadedProgram>,
    /// The places where it is to run: names of machines, none where it was measured.
    pub places: Vec<(Option<String>, ExperimentCosts)>,
    pub in_out: InOut,
    /// Values of the program's variables, then of P.
    pub points: Vec<Vec<f64>>,
}

/// A program at a point.
pub struct Evaluated {
    pub instance: Instance,
    pub evaluation: Evaluation,
    pub total_s: f64,
    in_out: InOut,
}

impl Evaluated {
    /// The plain BSP cost of the same task.
    pub fn bsp_s(&mut self) -> f64 {
        bsp_cost_s(&mut self.instance.profiles, &self.instance.task, self.in_out)
    }
}

impl Request {
    /// What the words behind the name of a program ask for; `end` is where a missing word would stand.
    pub fn of(
        session: &mut Session,
        program: Arc<LoadedProgram>,
        words: &[Word],
        end: std::ops::Range<usize>,
    ) -> Result<Request, Error> {
        if let Some(scale) = words.iter().find(|word| word.text == "scale") {
            return Err(Error::at(scale.span.clone(), "`scale` is for experiments").help(
                "of a program, computing is carried to a machine by s, communicating by g and L: leave it out",
            ));
        }
        let (valued, words): (Vec<Word>, Vec<Word>) = words.iter().cloned().partition(is_value);
        let on = words.iter().position(|word| word.text == "on").unwrap_or(words.len());
        let (others, machines) = words.split_at(on);
        if let Some(other) = others.first() {
            return Err(expected_value(other));
        }
        let (options, values): (Vec<Word>, Vec<Word>) = valued.into_iter().partition(|word| {
            let name = word.text.split_once('=').map_or("", |(name, _)| name);
            ["g", "L", "relation"].contains(&name)
                && !program.program.parameters().iter().any(|known| known == name)
        });
        let here = ExperimentCosts::of(session, &program.program)?;
        let (network, in_out) = options_of(&options)?;
        let places = match (machines, network) {
            ([], None) => vec![(None, here)],
            ([], Some((g_s_per_byte, latency_s))) => {
                vec![(None, here.at(Place::Given(Network { g_s_per_byte, latency_s })))]
            }
            ([on, ..], Some(_)) => {
                return Err(Error::at(on.span.clone(), "g and L are those of the machine, and given, too")
                    .help("leave out `g=… L=…` or `on MACHINE`"));
            }
            ([on, machines @ ..], None) => session
                .machines_on(on, machines)?
                .iter()
                .map(|(machine, _)| Ok((Some(machine.name.clone()), here.on(machine)?)))
                .collect::<Result<_, Error>>()?,
        };
        let points = points(&program, &values, end)?;
        Ok(Request { program, places, in_out, points })
    }

    /// The names of the values of a point.
    pub fn variables(&self) -> Vec<&str> {
        self.program.program.parameters().iter().map(String::as_str).chain([PROCESSORS]).collect()
    }

    /// Tells what is remarkable about the costs; each place has the same to say of the samples.
    pub fn remark(&self, outcome: &mut Outcome) {
        outcome.notes.extend(self.places.iter().flat_map(|(_, costs)| costs.notes()));
        outcome.warnings.extend(self.places.iter().flat_map(|(_, costs)| costs.warnings()));
        outcome.warnings.sort();
        outcome.warnings.dedup();
    }

    /// The program at a point and place.
    pub fn evaluate(&self, costs: &ExperimentCosts, point: &[f64]) -> Result<Evaluated, Error> {
        evaluated(&self.program, costs, self.in_out, point)
    }

    /// Whether constants of experiments are in the costs, whose standard errors are known.
    pub fn is_fitted(&self) -> bool {
        self.places.iter().any(|(_, costs)| costs.raised().next().is_some())
    }

    /// Standard deviation of a total time from the uncertainty of the constants: those of one experiment err together, those of
    /// different ones do not.
    pub fn constants_s(&self, costs: &ExperimentCosts, point: &[f64], total_s: f64) -> Result<f64, Error> {
        let mut variance = 0.0;
        for raised in costs.raised() {
            variance += (self.evaluate(&raised, point)?.total_s - total_s).powi(2);
        }
        // What rounding leaves is no uncertainty.
        Ok(if variance.sqrt() > 1e-12 * total_s { variance.sqrt() } else { 0.0 })
    }
}

/// A program at a point: values of its variables, then P.
pub fn evaluated(
    program: &LoadedProgram,
    costs: &ExperimentCosts,
    in_out: InOut,
    point: &[f64],
) -> Result<Evaluated, Error> {
    let parameters = program.program.parameters();
    let processors = point.get(parameters.len()).copied().unwrap_or(1.0);
    check_processors(processors, Error::new)?;
    let arguments: Vec<(String, f64)> = parameters.iter().cloned().zip(point.iter().copied()).collect();
    let mut instance = program.instance(&arguments, processors as u32, costs, in_out)?;
    let profiles = &mut instance.profiles;
    let start_s = profiles.same(0.0);
    let evaluation =
        evaluate(profiles, &instance.task, start_s, in_out).map_err(|error| program.without_times(&error))?;
    let total_s = evaluation.total_s(profiles);
    Ok(Evaluated { instance, evaluation, total_s, in_out })
}

/// g and L, both or none, and the operation `@`.
fn options_of(words: &[Word]) -> Result<(Option<(f64, f64)>, InOut), Error> {
    let mut options: BTreeMap<&str, (&Word, &str)> = BTreeMap::new();
    for word in words {
        let (name, text) = word.text.split_once('=').unwrap_or((&word.text, ""));
        check_new(options.keys().copied(), name, word.span.clone())?;
        options.insert(name, (word, text));
    }
    let in_out = match options.get("relation") {
        Some((word, text)) => relation(word, text)?,
        None => InOut::default(),
    };
    let number =
        |name: &str| options.get(name).map(|(word, text)| Ok((cost(word, text)?, *word))).transpose();
    match (number("g")?, number("L")?) {
        (Some((g, _)), Some((latency, _))) => Ok((Some((g, latency)), in_out)),
        (None, None) => Ok((None, in_out)),
        (Some((_, word)), None) | (None, Some((_, word))) => {
            Err(Error::at(word.span.clone(), "g and L belong together")
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
    let names: Vec<&str> =
        program.program.parameters().iter().map(String::as_str).chain([PROCESSORS]).collect();
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
