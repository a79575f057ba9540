use std::collections::BTreeMap;

use serde::Deserialize;

/// How often the statements of an experiment run, as the translator found it in the source: the key `source_counts` of traces.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct SourceCounts {
    /// The terms that the number of statements is made of, the slowest growing first; none where something is not known.
    pub terms: Vec<SourceTerm>,
    /// What the numbers are worth.
    pub quality: CountQuality,
    /// Values of C that the terms depend on and no measurement takes along.
    pub unrecorded: Vec<String>,
    /// Variables of the experiment of which it is not known what they have to do with the terms.
    pub unseen: Vec<String>,
    /// Why there are no terms, with lines.
    pub unknown: Vec<String>,
    /// What takes time and is not counted, with lines: functions that are defined elsewhere.
    pub uncounted: Vec<String>,
}

/// A term, and the statements that run so often, up to a factor.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct SourceTerm {
    /// As a formula writes it.
    pub basis: String,
    /// For each variable the powers of it and of its logarithm; `None` if the term is no product of such.
    pub growth: Option<BTreeMap<String, (f64, u32)>>,
    /// Lines of the source, `34-36`, or of other files, `solver.h:7-12`.
    pub lines: Vec<String>,
    /// What they do by kind, such as `float-add`, as multiples of the basis.
    pub operations: BTreeMap<String, f64>,
    /// Those of them that need the result of their own in the iteration before, as sums do.
    pub chained: BTreeMap<String, f64>,
    /// The elements of arrays that they read and write.
    pub accesses: Vec<ArrayAccess>,
}

/// What statements read and write of an array.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct ArrayAccess {
    /// The array, as C names it.
    pub array: String,
    /// Size of an element in bytes, where it is known.
    pub bytes: Option<u32>,
    /// Reads, as multiples of the basis.
    pub loads: f64,
    /// Writes likewise.
    pub stores: f64,
    /// From one iteration of the innermost loop to the next: elements, as a formula writes them, `row`, `irregular` or `unknown`.
    pub stride: String,
    /// How many elements are reached, as a formula writes how it grows; `None` where that is not known.
    pub footprint: Option<String>,
    /// The loops around within the experiment, the innermost first; empty where it is not known how often they run, and in
    /// functions that are called.
    pub loops: Vec<LoopAround>,
}

/// A loop around an access.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct LoopAround {
    /// Where it begins, `36` or `solver.h:7`.
    pub line: String,
    /// How many iterations it has each time that it begins, as a formula writes how it grows.
    pub iterations: String,
    /// From one of them to the next, as that of accesses.
    pub stride: String,
}

/// What counts are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountQuality {
    /// They are the numbers of times.
    Exact,
    /// They grow as the numbers do.
    Rounded,
    /// They are as large as the numbers can be: data decide.
    #[default]
    AtMost,
}

impl SourceCounts {
    /// Whether the terms say how all that is counted grows with the variables of the experiment: nothing else decides it, and nothing is
    /// unknown.
    pub fn are_complete(&self) -> bool {
        !self.terms.is_empty()
            && self.unrecorded.is_empty()
            && self.unseen.is_empty()
            && self.unknown.is_empty()
            && self.uncounted.is_empty()
            && self.terms.iter().all(|term| term.growth.is_some())
    }
}
