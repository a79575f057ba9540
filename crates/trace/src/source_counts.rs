use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{LineRange, SourceLine};

/// How often the statements of an experiment run, as the translator found it in the source: the key `source_counts` of traces.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SourceCounts {
    /// The terms that the number of statements is made of, the slowest growing first; none where something is not known.
    pub terms: Vec<SourceTerm>,
    /// What the numbers are worth.
    pub quality: CountQuality,
    /// The constants whose statements the user has named, in the directive or later: [`SourceStatement::constant`] says which they are.
    pub given: BTreeSet<u32>,
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
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SourceTerm {
    /// As a formula writes it.
    pub basis: String,
    /// For each variable the powers of it and of its logarithm; `None` if the term is no product of such.
    pub growth: Option<BTreeMap<String, (f64, u32)>>,
    /// The statements, by lines.
    pub statements: Vec<SourceStatement>,
}

/// The statements of a line that run as often as their term, under the same conditions.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SourceStatement {
    /// Where they begin.
    #[serde(flatten)]
    pub place: SourceLine,
    /// How the line begins, where the translator had its file.
    pub text: Option<String>,
    /// Conditions on values of variables, such as `n >= 32`: they run so often only where all of these hold, else never.
    #[serde(rename = "where")]
    pub conditions: Vec<String>,
    /// The constant that the user puts them behind.
    pub constant: Option<u32>,
    /// Whether conditions within their expressions, as `c ? a : b`, decide about some of what they do: it is so much at most.
    pub at_most: bool,
    /// What they do by kind, such as `float-add`, as multiples of the basis.
    pub operations: BTreeMap<String, f64>,
    /// Those of them that need the result of their own in the iteration before, as sums do.
    pub chained: BTreeMap<String, f64>,
    /// The elements of arrays that they read and write.
    pub accesses: Vec<ArrayAccess>,
}

/// What statements read and write of an array.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
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
    /// The loops around within the experiment, the innermost first; empty where it is not known how often they run.
    pub loops: Vec<LoopAround>,
}

/// A loop around an access.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
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

impl SourceTerm {
    /// The lines of its statements, as people write them.
    pub fn lines(&self) -> Vec<String> {
        SourceLine::ranges(self.statements.iter().map(|statement| &statement.place))
    }
}

impl SourceCounts {
    /// The lines that have statements.
    pub fn lines(&self) -> BTreeSet<&SourceLine> {
        self.terms.iter().flat_map(|term| &term.statements).map(|statement| &statement.place).collect()
    }

    /// Puts the statements of these lines, and no others, behind a constant. Each of them is taken from the constant that had it.
    pub fn give(&mut self, constant: u32, lines: &[LineRange]) {
        self.give_back(constant);
        self.given.insert(constant);
        for statement in self.terms.iter_mut().flat_map(|term| &mut term.statements) {
            if lines.iter().any(|range| range.contains(&statement.place)) {
                statement.constant = Some(constant);
            }
        }
    }

    /// Lets the source say again which statements are behind a constant.
    pub fn give_back(&mut self, constant: u32) {
        self.given.remove(&constant);
        let statements = self.terms.iter_mut().flat_map(|term| &mut term.statements);
        statements.filter(|its| its.constant == Some(constant)).for_each(|its| its.constant = None);
    }

    /// Lets the source say it of all constants; whether the user had said something.
    pub fn give_all_back(&mut self) -> bool {
        let given = std::mem::take(&mut self.given);
        given.iter().for_each(|constant| self.give_back(*constant));
        !given.is_empty()
    }

    /// The same with those statements only for which `is_meant` is true, and terms that have such.
    pub fn only(&self, is_meant: impl Fn(&SourceStatement) -> bool) -> SourceCounts {
        let terms = self.terms.iter().filter_map(|term| {
            let statements: Vec<SourceStatement> =
                term.statements.iter().filter(|its| is_meant(its)).cloned().collect();
            (!statements.is_empty() || term.statements.is_empty())
                .then(|| SourceTerm { statements, ..term.clone() })
        });
        SourceCounts { terms: terms.collect(), ..self.clone() }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_behind_one_constant() {
        let statement =
            |line| SourceStatement { place: SourceLine { file: None, line }, ..SourceStatement::default() };
        let term = SourceTerm {
            statements: vec![statement(3), statement(4), statement(9)],
            ..SourceTerm::default()
        };
        let mut counts = SourceCounts { terms: vec![term], ..SourceCounts::default() };
        let untouched = counts.clone();
        let range = |first, last| LineRange { file: None, first, last };
        let constants = |counts: &SourceCounts| -> Vec<Option<u32>> {
            counts.terms[0].statements.iter().map(|statement| statement.constant).collect()
        };
        counts.give(1, &[range(3, 4)]);
        assert_eq!(constants(&counts), [Some(1), Some(1), None]);
        counts.give(0, &[range(4, 4), range(9, 9)]);
        assert_eq!(constants(&counts), [Some(1), Some(0), Some(0)]);
        counts.give(1, &[]);
        assert_eq!((constants(&counts), counts.given.len()), (vec![None, Some(0), Some(0)], 2));
        assert!(counts.give_all_back() && !counts.give_all_back());
        assert_eq!(counts, untouched);
        let other = LineRange { file: Some("a.h".to_owned()), first: 1, last: 99 };
        counts.give(1, &[other]);
        assert_eq!(constants(&counts), [None, None, None]);
    }
}
