use std::collections::BTreeMap;

use call_grammar::Quantity;
use call_trace::{ArrayAccess, LoopAround, SourceCounts, SourceTerm};

use crate::Lacking;

/// What the statements of a term do at one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
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

impl Workload {
    /// Those of some terms of the counts, each where `value` gives the variables.
    ///
    /// # Errors
    /// What is not known of one of them.
    pub fn at<'a>(
        counts: &SourceCounts,
        terms: impl IntoIterator<Item = &'a SourceTerm>,
        value: &dyn Fn(&str) -> Option<f64>,
    ) -> Result<Vec<Workload>, Unguessable> {
        let what: Vec<String> = counts.unknown.iter().chain(&counts.uncounted).cloned().collect();
        if !what.is_empty() {
            return Err(Unguessable::NotCounted { what });
        }
        let workloads: Vec<Workload> =
            terms.into_iter().map(|term| of_term(term, value)).collect::<Result<_, _>>()?;
        let does_nothing = |its: &Workload| its.operations.is_empty() && its.streams.is_empty();
        match &workloads[..] {
            [] => Err(Unguessable::NoStatements),
            all if all.iter().all(does_nothing) => Err(Unguessable::NoWork),
            _ => Ok(workloads),
        }
    }
}

fn of_term(term: &SourceTerm, value: &dyn Fn(&str) -> Option<f64>) -> Result<Workload, Unguessable> {
    let times = number(&term.basis, value)?;
    let scaled =
        |all: &BTreeMap<String, f64>| all.iter().map(|(kind, its)| (kind.clone(), its * times)).collect();
    Ok(Workload {
        operations: scaled(&term.operations),
        chained: scaled(&term.chained),
        streams: term
            .accesses
            .iter()
            .map(|access| stream(access, term, times, value))
            .collect::<Result<_, _>>()?,
    })
}

fn stream(
    access: &ArrayAccess,
    term: &SourceTerm,
    times: f64,
    value: &dyn Fn(&str) -> Option<f64>,
) -> Result<Stream, Unguessable> {
    let unknown = || Unguessable::Elements { array: access.array.clone() };
    let is_single = term.growth.as_ref().is_some_and(|growth| growth.is_empty());
    if access.loops.is_empty() && !is_single {
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
