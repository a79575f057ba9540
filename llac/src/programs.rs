//! Model programs of a session, and the costs that its experiments give them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use call_model::obsp::InOut;
use call_model::program::{Costs, Instance, Program, ProgramError, What};
use call_model::{Model, Prediction};
use call_report::number;

use crate::{Error, Session};

/// A model program with its text, which errors show.
#[derive(Debug, PartialEq)]
pub struct LoadedProgram {
    path: String,
    text: String,
    pub program: Program,
}

impl LoadedProgram {
    /// Parses a file.
    pub fn parse(path: &str, text: String) -> Result<LoadedProgram, Error> {
        match Program::parse(&text) {
            Ok(program) => Ok(LoadedProgram { path: path.to_owned(), text, program }),
            Err(error) => Err(described(path, &text, &error)),
        }
    }

    /// The file that it is from.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The program with its arguments on a number of processors.
    pub fn instance(
        &self,
        arguments: &[(String, f64)],
        processors: u32,
        costs: &FittedCosts,
        in_out: InOut,
    ) -> Result<Instance, Error> {
        let instance = self.program.instance(arguments, processors, costs, in_out);
        instance.map_err(|error| described(&self.path, &self.text, &error))
    }
}

/// An error in a file: its place, the line underlined, the cure.
fn described(path: &str, text: &str, error: &ProgramError) -> Error {
    let start = error.span.start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or("");
    let number = text[..start].matches('\n').count() + 1;
    let end = error.span.end.clamp(start, line_start + line.len().max(start - line_start));
    let width = text[start..end].chars().count().max(1);
    let before = text[line_start..start].chars().count();
    let line = line.replace(char::is_control, " ");
    let excerpt = format!("  | {line}\n  | {}{}", " ".repeat(before), "^".repeat(width));
    let described = Error::new(format!("{path}:{number}: {}\n{excerpt}", error.message));
    match &error.help {
        Some(help) => described.help(help),
        None => described,
    }
}

/// Times of the experiments of a session, with what was strange about them.
pub struct FittedCosts {
    models: BTreeMap<String, Arc<Model>>,
    /// g in seconds a byte and L in seconds.
    network: Option<(f64, f64)>,
    remarks: RefCell<Remarks>,
}

#[derive(Default)]
struct Remarks {
    /// The largest factor by which a variable of an experiment leaves the samples, and its value there.
    beyond: BTreeMap<(String, String), (f64, f64)>,
    /// A point of each experiment whose predicted time is negative.
    negative: BTreeMap<String, Vec<f64>>,
}

impl FittedCosts {
    /// The costs of a program's experiments, which are fitted now if they were not before.
    pub fn of(session: &mut Session, program: &Program) -> Result<FittedCosts, Error> {
        let mut models = BTreeMap::new();
        for name in program.names() {
            let found = session.find(name).filter(|found| found.experiment().formula.is_some());
            if let Some(found) = found {
                models.insert(name.to_owned(), session.model(found.experiment())?);
            }
        }
        Ok(FittedCosts { models, network: None, remarks: RefCell::default() })
    }

    /// With g and L for communication without costs of its own.
    pub fn with_network(self, g_s_per_byte: f64, latency_s: f64) -> FittedCosts {
        FittedCosts { network: Some((g_s_per_byte, latency_s)), ..self }
    }

    /// What the user should know of the times that were asked for.
    pub fn warnings(&self) -> Vec<String> {
        let remarks = self.remarks.borrow();
        let beyond = remarks.beyond.iter().map(|((experiment, variable), (factor, value))| {
            let times = number::significant(*factor, 3);
            let value = number::exact(*value);
            format!("{experiment}: {variable} = {value} extrapolates {times} times")
        });
        let negative = remarks.negative.iter().map(|(experiment, point)| {
            let values: Vec<String> = point.iter().map(|value| number::exact(*value)).collect();
            format!("{experiment}({}) is negative: 0 is taken", values.join(", "))
        });
        beyond.chain(negative).collect()
    }

    fn note(&self, experiment: &str, point: &[f64], prediction: &Prediction) {
        let mut remarks = self.remarks.borrow_mut();
        for beyond in &prediction.beyond {
            let key = (experiment.to_owned(), beyond.variable.clone());
            let known = remarks.beyond.entry(key).or_insert((0.0, 0.0));
            if beyond.factor() > known.0 {
                *known = (beyond.factor(), beyond.value);
            }
        }
        if prediction.time_s < 0.0 {
            remarks.negative.entry(experiment.to_owned()).or_insert_with(|| point.to_vec());
        }
    }
}

impl Costs for FittedCosts {
    fn variables(&self, experiment: &str) -> Option<Vec<String>> {
        let model = self.models.get(experiment)?;
        Some(model.formula().variables().iter().map(|variable| variable.name().to_owned()).collect())
    }

    fn value(&self, experiment: &str, what: What, point: &[f64]) -> f64 {
        let Some(model) = self.models.get(experiment) else { return f64::NAN };
        let prediction = model.predict(point);
        self.note(experiment, point, &prediction);
        match what.constant {
            // A time that is not a number stays one.
            None if prediction.time_s < 0.0 => 0.0,
            None => prediction.time_s,
            Some(index) => {
                let terms = model.formula().terms();
                let term = terms.iter().position(|term| term.coefficient.0 == index);
                term.map_or(f64::NAN, |term| model.cells()[prediction.cell].fit.coefficients[term])
            }
        }
    }

    fn experiments(&self) -> Vec<String> {
        self.models.keys().cloned().collect()
    }

    fn network(&self, _processors: u32) -> Option<(f64, f64)> {
        self.network
    }
}
