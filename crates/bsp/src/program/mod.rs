//! Model programs: the structure of a parallel program, with fitted experiments as its costs, in a small notation.
//!
//! ```
//! use call_bsp::program::Program;
//!
//! let program = Program::parse("program ring(N) { compute 1e-9*N; exchange 8*N with (pid + 1) % P; compute 2e-9*N }").unwrap();
//! assert_eq!(program.parameters(), ["N"]);
//! ```
//!
//! [`Program::instance`] runs the notation, not the program: for given arguments and a number of processors it makes the
//! [`Task`](crate::obsp::Task) that [`evaluate`](crate::obsp::evaluate) gives times. The costs of experiments come from a [`CostModel`].
//!
//! # Grammar
//!
//! ```ebnf
#![doc = include_str!("program.ebnf")]
//! ```
//!
//! All processors execute the same statements. `P` is the number of processors of the machine in use and `pid` the number of the
//! processor in it; `part` is the number of the part that a partition has made. A condition on `pid` may hold statements of a single
//! processor only: `compute`, `send`, assignments. A name is a variable, or else the time of the experiment of that name at the
//! variables in scope; `E(n = N/2)` gives variables other values, and `E[0]` is a constant, with the value that holds there. `h` in
//! `costs` is the h-relation in bytes; without `costs` a communication takes g h + L of the machine.
mod error;

mod syntax;
mod token;

mod parse;

mod varying;

mod scope;

mod control;
mod instance;
mod superstep;

mod experiment_costs;
mod model;

use std::collections::BTreeSet;
use std::sync::Arc;

use call_grammar::Span;

pub use error::ProgramError;
pub use experiment_costs::{Experiments, TargetMachine};
pub use instance::Instance;
pub use model::{Evaluated, ProgramFile, ProgramModel};
use syntax::Procedure;
pub use varying::ExperimentQuery;

use crate::obsp::Network;

/// A model program.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    procedures: Arc<[Procedure]>,
    main: usize,
    predicts: Option<String>,
    centres: Arc<[CostCentre]>,
}

/// A cost centre: a statement that takes time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostCentre {
    /// The statement as it is written, on one line.
    pub text: String,
    /// Its line in the program, from 1.
    pub line: usize,
    /// Its place in the text, in bytes.
    pub span: Span,
}

/// Where the times of experiments come from.
pub trait CostModel {
    /// The names of the variables of an experiment's formula; `None` if there is no such experiment.
    fn variables(&self, experiment: &str) -> Option<Vec<String>>;

    /// Its time in seconds, or the value of a constant, at a point: one number for each of its variables. Not a number if there is no
    /// such constant.
    fn value(&self, experiment: &str, what: ExperimentQuery, point: &[f64]) -> f64;

    /// What is to be done before an experiment, which is known, has times; `None` if it is not known.
    fn cure(&self, _experiment: &str) -> Option<String> {
        None
    }

    /// The unit of an experiment that is measured in no time, and so is no cost.
    fn other_unit(&self, _experiment: &str) -> Option<String> {
        None
    }

    /// The names of all experiments, for suggestions.
    fn experiments(&self) -> Vec<String>;

    /// The value of a variable of an experiment that is a number of the machine, g or L, for so many processors; `None` if it is another variable.
    fn machine_number(&self, _experiment: &str, _variable: &str, _processors: u32) -> Option<f64> {
        None
    }

    /// g and L of a machine of so many processors; `None` if no machine is known.
    fn network(&self, processors: u32) -> Option<Network>;
}

/// Of a network alone no experiments are known.
impl CostModel for Network {
    fn variables(&self, _experiment: &str) -> Option<Vec<String>> {
        None
    }

    fn value(&self, _experiment: &str, _what: ExperimentQuery, _point: &[f64]) -> f64 {
        f64::NAN
    }

    fn experiments(&self) -> Vec<String> {
        Vec::new()
    }

    fn network(&self, _processors: u32) -> Option<Network> {
        Some(*self)
    }
}

impl Program {
    /// Parses the text of a program.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn parse(text: &str) -> Result<Program, ProgramError> {
        parse::parse(text)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.procedures[self.main].name
    }

    /// The names of the variables that it takes.
    pub fn parameters(&self) -> &[String] {
        &self.procedures[self.main].parameters
    }

    /// The experiment around the whole program, whose measured times it predicts.
    pub fn predicts(&self) -> Option<&str> {
        self.predicts.as_deref()
    }

    /// The names in its expressions: variables and experiments.
    pub fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        let mut found = |name| {
            names.insert(name);
        };
        for procedure in self.procedures.iter() {
            procedure.body.expressions(&mut |expression| expression.names(&mut found));
        }
        names
    }

    /// The statements that take time, by the numbers that tasks call them.
    pub fn centres(&self) -> &[CostCentre] {
        &self.centres
    }
}
