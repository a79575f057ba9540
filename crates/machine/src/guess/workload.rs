use std::collections::BTreeMap;

use call_grammar::Quantity;
use call_model::{Portion, StatementConditions, StatementSet};
use call_trace::{ArrayAccess, LoopAround, SourceCounts, SourceStatement, SourceTerm};

use super::counted::CountedMisses;
use crate::Lacking;

/// What the statements of a term do at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// Which of the statements run there, by their places in the term.
    pub running: Vec<usize>,
    /// Operations by kind, as traces name them.
    pub operations: BTreeMap<String, f64>,
    /// Those that wait for their own of the iteration before.
    pub chained: BTreeMap<String, f64>,
    /// What is read and written.
    pub streams: Vec<Stream>,
}

/// Accesses of one array in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Stream {
    /// The array, as C names it.
    pub array: String,
    /// How many elements are read in all.
    pub loads: f64,
    /// How many are written.
    pub stores: f64,
    /// Size of an element.
    pub element_bytes: f64,
    /// The loops around, the innermost first; none if a single element is meant.
    pub loops: Vec<LoopAt>,
}

/// A loop around accesses.
#[derive(Debug, Clone, PartialEq)]
pub struct LoopAt {
    /// Where it begins.
    pub line: String,
    /// How many iterations it has each time that it begins.
    pub iterations: f64,
    /// From one of them to the next; infinite where it is only known to be another row.
    pub stride_bytes: f64,
}

/// Why the time of a term cannot be guessed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Unguessable {
    #[error("no statements are known that run so often")]
    NoStatements,
    #[error("its statements run once")]
    RunsOnce,
    #[error("its statements do nothing that is counted")]
    NoWork,
    #[error("not all that runs is counted: {}", what.join("; "))]
    NotCounted { what: Vec<String> },
    #[error("it is not known which elements of `{array}` are reached")]
    Elements { array: String },
    #[error("the counts depend on `{name}`, which has no value here")]
    NoValue { name: String },
    #[error("`{text}` of the counts is no formula with a value here")]
    NoNumber { text: String },
    #[error("{0}")]
    Lacking(#[from] Lacking),
}

/// What becomes of accesses that data lead about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Irregular {
    /// Nothing can be guessed.
    Refused,
    /// Each is taken for another line, where it was counted how many lines caches really miss.
    Apart,
}

impl Irregular {
    /// Counts of all caches make up for what is not known.
    pub fn with(counted: Option<&CountedMisses>) -> Irregular {
        match counted.is_some_and(CountedMisses::is_of_all_caches) {
            true => Irregular::Apart,
            false => Irregular::Refused,
        }
    }
}

/// The statements behind a constant: what they do, as formulas of the variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Statements(Vec<StatementsOfTerm>);

/// Those that run as often as a term of the source, up to a factor: the term with no others.
#[derive(Debug, Clone, PartialEq)]
struct StatementsOfTerm(SourceTerm);

impl Statements {
    /// Those of a set of statements among the counts of their block.
    ///
    /// # Errors
    /// Why nothing can be said of what they take.
    pub fn of(set: &StatementSet, counts: &SourceCounts) -> Result<Statements, Unguessable> {
        let what: Vec<String> = counts.unknown.iter().chain(&counts.uncounted).cloned().collect();
        let terms: Vec<StatementsOfTerm> = set.portions.iter().map(StatementsOfTerm::of).collect();
        match &terms[..] {
            _ if !what.is_empty() => Err(Unguessable::NotCounted { what }),
            [] => Err(Unguessable::NoStatements),
            all if all.iter().all(StatementsOfTerm::run_once) => Err(Unguessable::RunsOnce),
            all if all.iter().all(StatementsOfTerm::do_nothing) => Err(Unguessable::NoWork),
            _ => Ok(Statements(terms)),
        }
    }

    /// What they do where `value` gives the variables, for each term of which some run there.
    ///
    /// # Errors
    /// What is not known there.
    pub fn at(
        &self,
        irregular: Irregular,
        value: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<Vec<Workload>, Unguessable> {
        self.0.iter().filter_map(|its| its.at(irregular, value).transpose()).collect()
    }
}

impl StatementsOfTerm {
    fn of(portion: &Portion) -> StatementsOfTerm {
        let statements = portion.statements.iter().map(|&its| its.clone()).collect();
        StatementsOfTerm(SourceTerm { statements, ..portion.term.clone() })
    }

    fn run_once(&self) -> bool {
        self.0.growth.as_ref().is_some_and(|growth| growth.is_empty())
    }

    fn do_nothing(&self) -> bool {
        self.0.statements.iter().all(|its| its.operations.is_empty() && its.accesses.is_empty())
    }

    fn at(
        &self,
        irregular: Irregular,
        value: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<Option<Workload>, Unguessable> {
        // Sizes are whole; one between two of them stands for the larger one, as borders belong to the interval below.
        let whole = |name: &str| value(name).map(|value| (value * (1.0 - 1e-9)).ceil());
        let runs = |its: &SourceStatement| StatementConditions::of(&its.conditions).may_hold(&whole);
        let Some(portion) = Portion::of(&self.0, runs) else { return Ok(None) };
        let all = self.0.statements.iter().enumerate();
        let running = all.filter(|(_, its)| runs(its)).map(|(place, _)| place).collect();
        let times = number(&self.0.basis, value)?;
        let scaled = |all: BTreeMap<&str, f64>| {
            all.into_iter().map(|(kind, its)| (kind.to_owned(), its * times)).collect()
        };
        let accesses = portion.accesses();
        let streams = accesses.iter().map(|access| match stream(access, self.run_once(), times, value) {
            Err(Unguessable::Elements { .. }) if irregular == Irregular::Apart => Ok(apart(access, times)),
            stream => stream,
        });
        Ok(Some(Workload {
            running,
            operations: scaled(portion.operations()),
            chained: scaled(portion.chained()),
            streams: streams.collect::<Result<_, _>>()?,
        }))
    }
}

fn stream(
    access: &ArrayAccess,
    run_once: bool,
    times: f64,
    value: &dyn Fn(&str) -> Option<f64>,
) -> Result<Stream, Unguessable> {
    let unknown = || Unguessable::Elements { array: access.array.clone() };
    if access.loops.is_empty() && !run_once {
        return Err(unknown());
    }
    let element_bytes = f64::from(access.bytes.ok_or_else(unknown)?);
    let at = |its: &LoopAround| {
        let stride = match &*its.stride {
            "row" => f64::INFINITY,
            "irregular" | "unknown" => return Err(unknown()),
            elements => number(elements, value)?.abs() * element_bytes,
        };
        let iterations = number(&its.iterations, value)?.max(1.0);
        Ok(LoopAt { line: its.line.clone(), iterations, stride_bytes: stride })
    };
    Ok(Stream {
        array: access.array.clone(),
        loads: access.loads * times,
        stores: access.stores * times,
        element_bytes,
        loops: access.loops.iter().map(at).collect::<Result<_, _>>()?,
    })
}

/// Each access another line, far from the last.
fn apart(access: &ArrayAccess, times: f64) -> Stream {
    let (loads, stores) = (access.loads * times, access.stores * times);
    let line = access.loops.first().map_or(String::new(), |its| its.line.clone());
    let around = LoopAt { line, iterations: loads + stores, stride_bytes: f64::INFINITY };
    let element_bytes = access.bytes.map_or(8.0, f64::from);
    Stream { array: access.array.clone(), loads, stores, element_bytes, loops: vec![around] }
}

fn number(text: &str, value: &dyn Fn(&str) -> Option<f64>) -> Result<f64, Unguessable> {
    let no_number = || Unguessable::NoNumber { text: text.to_owned() };
    let quantity = Quantity::parse(text).map_err(|_| no_number())?;
    let inputs = quantity.variables().iter().map(|variable| {
        let name = variable.name();
        value(name).ok_or_else(|| Unguessable::NoValue { name: name.to_owned() })
    });
    let number = quantity.evaluate(&inputs.collect::<Result<Vec<f64>, _>>()?);
    if number.is_finite() { Ok(number) } else { Err(no_number()) }
}

impl Stream {
    /// How far apart the elements of neighbouring iterations are.
    pub fn innermost_stride_bytes(&self) -> f64 {
        self.loops.first().map_or(0.0, |innermost| innermost.stride_bytes)
    }

    /// How many iterations there are in all.
    pub fn iterations(&self) -> f64 {
        self.loops.iter().map(|its| its.iterations).product()
    }
}
