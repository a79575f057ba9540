use crate::Samples;

/// A measured part of a program with its samples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Complexity formula in canonical form, if the directive has one.
    pub formula: Option<String>,
    /// Where its blocks stand.
    pub lines: Vec<LineRange>,
    /// Its measurements.
    pub samples: Samples,
}

/// First and last line of a block, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LineRange {
    /// Where the block stands, if not in [`Header::source`](crate::Header::source).
    pub file: Option<String>,
    pub first: u32,
    pub last: u32,
}
