//! Terms of formulas: what numbers of statements grow as, with the statements behind each.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::rc::Rc;

use call_counting::{Atom, Count, Monomial, Number, Polynomial, is_dominated, leading_terms};

use super::around::{CountedPart, StatementId};
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
    /// The same as formulas tell it: `(n + 1)*m` where all that is counted has this factor, which matters where `n` is small.
    pub told: Monomial,
    /// The statements that run so often, up to a factor.
    pub statements: Vec<CodeLine>,
    /// Those of them that are begins of loops.
    pub begins: Vec<CodeLine>,
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
    let applied: HashMap<*const ExecutionCount, Polynomial> =
        different.into_iter().map(|(times, count)| (times, sizes.applied(&count.times))).collect();
    let leading: HashMap<*const ExecutionCount, Vec<(Monomial, Number)>> = applied
        .iter()
        .map(|(times, count)| {
            let leading = leading_terms(count).into_iter();
            (*times, leading.map(|(monomial, factor)| (without_sizes(&monomial), factor)).collect())
        })
        .collect();
    let mut behind: BTreeMap<Monomial, Vec<(StatementId, Number)>> = BTreeMap::new();
    behind.entry(Monomial::default()).or_default();
    let mut counts_of: BTreeMap<Monomial, Vec<&Polynomial>> = BTreeMap::new();
    for (id, times) in statements {
        for (monomial, factor) in leading.get(&Rc::as_ptr(times)).into_iter().flatten() {
            let monomial = with_processors(id, monomial.clone());
            counts_of.entry(monomial.clone()).or_default().extend(applied.get(&Rc::as_ptr(times)));
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
        let begins = factors.iter().filter(|(id, _)| id.part == CountedPart::LoopEntry);
        let begins: BTreeSet<CodeLine> = begins.map(|(id, _)| line(id.offset)).collect();
        let counts = counts_of.get(monomial).map(Vec::as_slice).unwrap_or_default();
        let (basis, told) = (monomial.clone(), with_offsets(monomial, counts));
        CountedTerm {
            basis,
            told,
            statements: lines.into_iter().collect(),
            begins: begins.into_iter().collect(),
            factors,
        }
    };
    // The constant stays: each block takes some time whatever its parameters are.
    let surplus = monomials.len().saturating_sub(MOST_TERMS);
    let left_out = monomials.drain(1..=surplus).map(term).collect();
    (monomials.into_iter().map(term).collect(), left_out)
}

/// The basis of a term with the factors that all of the counts behind it have: `(n + 1)*m` for `n*m + m`.
fn with_offsets(basis: &Monomial, counts: &[&Polynomial]) -> Monomial {
    let mut told = Monomial::default();
    for (atom, power) in basis.0.iter() {
        let mut offsets = counts.iter().map(|count| offset(count, atom));
        let first = offsets.next().flatten().filter(|_| *power == 1 && basis.0.len() > 1);
        let atom = match first.filter(|first| offsets.all(|its| its == Some(*first))) {
            None => atom.clone(),
            Some(offset) => {
                let text = atom.to_string();
                let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
                Atom::name(&format!("({} + {offset})", inside.unwrap_or(&text)))
            }
        };
        told.0.add(atom, *power, |own, its| Some(own + its));
    }
    told
}

/// 1 where a count is a product with `n + 1`; none where that is not more than `n`.
fn offset(count: &Polynomial, atom: &Atom) -> Option<i64> {
    if !matches!(atom, Atom::Name(_) | Atom::Element { .. }) {
        return None;
    }
    let (factor, rest) = count.linear_in(atom)?;
    let (first, coefficient) = factor.terms().next()?;
    let (_, of_rest) = rest.terms().find(|(monomial, _)| *monomial == first)?;
    let ratio = of_rest * &coefficient.inverse()?;
    (ratio.is_positive() && rest == factor.scaled(&ratio)).then(|| ratio.integer())?
}

/// The size of a type is a constant.
fn without_sizes(monomial: &Monomial) -> Monomial {
    let is_size = |atom: &Atom| matches!(atom, Atom::Name(name) if name.starts_with("sizeof"));
    Monomial(monomial.0.only(|atom| !is_size(atom)))
}
