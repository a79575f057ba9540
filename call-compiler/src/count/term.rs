//! Terms of formulas: what numbers of statements grow as, with the statements behind each.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use call_counting::{Atom, Count, Monomial, Number, Polynomial, is_dominated, leading_terms};

use super::around::StatementId;
use super::communication::with_processors;
use super::difference::Sizes;
use super::number::ExecutionCount;

/// A file and a line; no file for the one that was asked about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CodeLine {
    /// The path as the preprocessor has it.
    pub file: Option<String>,
    /// From 1.
    pub line: u32,
}

impl CodeLine {
    /// As in a sentence: `line 12`, of other files `solver.h:7`.
    pub fn in_words(&self) -> String {
        if self.file.is_none() { format!("line {self}") } else { self.to_string() }
    }
}

impl fmt::Display for CodeLine {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.file.iter().try_for_each(|file| write!(out, "{file}:"))?;
        write!(out, "{}", self.line)
    }
}

/// Something that is to be said of a line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineRemark {
    /// The line.
    pub place: CodeLine,
    /// In words.
    pub why: String,
}

impl fmt::Display for LineRemark {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{}: {}", self.place.in_words(), self.why)
    }
}

/// A term of a formula, with the statements behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedTerm {
    /// The expression that the constant is a factor of.
    pub basis: Monomial,
    /// The statements that run so often, up to a factor.
    pub statements: Vec<CodeLine>,
    /// The same with their factors.
    pub(crate) factors: Vec<(StatementId, Number)>,
}

/// A proposal has no more terms than this: the fastest growing ones.
const MOST_TERMS: usize = 6;

/// The terms of a formula for these statements, the slowest growing first, and those that it has no constant for. `line` tells the places of offsets.
pub fn terms(
    statements: &[(&StatementId, &Rc<ExecutionCount>)],
    line: impl Fn(usize) -> CodeLine,
) -> (Vec<CountedTerm>, Vec<CountedTerm>) {
    let different: HashMap<*const ExecutionCount, &Count> =
        statements.iter().filter_map(|(_, times)| Some((Rc::as_ptr(times), times.count.as_ref()?))).collect();
    let counts: Vec<Polynomial> = different.values().map(|count| count.times.clone()).collect();
    let sizes = Sizes::of(&counts);
    let leading: HashMap<*const ExecutionCount, Vec<(Monomial, Number)>> = different
        .into_iter()
        .map(|(times, count)| {
            let leading = leading_terms(&sizes.applied(&count.times)).into_iter();
            (times, leading.map(|(monomial, factor)| (without_sizes(&monomial), factor)).collect())
        })
        .collect();
    let mut behind: BTreeMap<Monomial, Vec<(StatementId, Number)>> = BTreeMap::new();
    behind.entry(Monomial::default()).or_default();
    for (id, times) in statements {
        for (monomial, factor) in leading.get(&Rc::as_ptr(times)).into_iter().flatten() {
            let monomial = with_processors(id, monomial.clone());
            behind.entry(monomial).or_default().push((**id, factor.clone()));
        }
    }
    let mut monomials: Vec<&Monomial> = behind.keys().collect();
    let rank = |monomial: &&Monomial| {
        let outgrown = behind.keys().filter(|other| is_dominated(other, monomial)).count();
        (!monomial.0.is_empty(), outgrown, monomial.to_string())
    };
    monomials.sort_by_key(rank);
    let term = |monomial: &Monomial| {
        let factors = behind[monomial].clone();
        let lines: BTreeSet<CodeLine> = factors.iter().map(|(id, _)| line(id.offset)).collect();
        CountedTerm { basis: monomial.clone(), statements: lines.into_iter().collect(), factors }
    };
    // The constant stays: each block takes some time whatever its parameters are.
    let surplus = monomials.len().saturating_sub(MOST_TERMS);
    let left_out = monomials.drain(1..=surplus).map(term).collect();
    (monomials.into_iter().map(term).collect(), left_out)
}

/// The size of a type is a constant.
fn without_sizes(monomial: &Monomial) -> Monomial {
    let is_size = |atom: &Atom| matches!(atom, Atom::Name(name) if name.starts_with("sizeof"));
    Monomial(monomial.0.only(|atom| !is_size(atom)))
}
