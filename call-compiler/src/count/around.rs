//! What surrounds statements, and the statements with the same surroundings.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use call_counting::{Level, Polynomial};
use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;

use super::value::UnknownReason;

/// What surrounds a statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Around {
    Loop(Level),
    /// In one of these cases; in each, all of these are not negative. The condition is told where it cannot be counted.
    Cases(Vec<Vec<Polynomial>>, UnknownReason),
    /// The same of a parameter that has one certain value there, which may choose between ways, such as a mode: where that is not known it may
    /// have it.
    Choice(Vec<Vec<Polynomial>>, UnknownReason),
    /// What is not negative here in any case.
    Fact(Polynomial),
    /// What must not be negative for the loops to be right.
    Assumed(Polynomial),
    /// The same of what was before: a loop that has ended, and whose variable stands where it left it.
    Since(Polynomial),
    /// The order of growth only is right.
    Rounded,
    /// It runs at most so often.
    Doubt(UnknownReason),
    /// Nobody knows how often.
    Unknown(UnknownReason),
}

impl Around {
    pub fn polynomials(&self) -> Vec<&Polynomial> {
        match self {
            Around::Loop(level) => level.polynomials(),
            Around::Cases(cases, _) | Around::Choice(cases, _) => cases.iter().flatten().collect(),
            Around::Fact(positive) | Around::Assumed(positive) | Around::Since(positive) => vec![positive],
            Around::Rounded | Around::Doubt(_) | Around::Unknown(_) => Vec::new(),
        }
    }
}

/// All that surrounds a statement, from the outermost one on. Most of it is the same for many.
pub type Surroundings = Arc<[Arc<Around>]>;

/// A statement of a function, by its place in the preprocessed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId {
    pub function: usize,
    pub offset: usize,
    pub part: CountedPart,
    /// Which one of the conditions under which it runs, where these are told apart; else 0.
    pub case: usize,
}

/// What of a statement is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountedPart {
    /// The statement.
    Whole,
    /// A loop, each time that it begins.
    LoopEntry,
    /// The work of this function of the C library, which it calls.
    Library(&'static str),
    /// One for all that have its surroundings in a function that is called: the others are not told.
    Representative,
}

/// Statements with the same surroundings, and how often each comes up in them.
pub struct StatementGroup {
    pub around: Surroundings,
    pub statements: BTreeMap<StatementId, u64>,
}

/// What is not counted though it takes time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uncounted {
    pub offset: usize,
    pub what: String,
    /// Whether that is done elsewhere, where nobody knows what changes.
    pub is_elsewhere: bool,
    /// The variables of the loops around: they count as they do only if it does not change them.
    pub counters: Vec<String>,
}

/// The statements of a block with all that they call.
#[derive(Default)]
pub struct FoundStatements {
    pub groups: Vec<StatementGroup>,
    /// Where those that are told apart stand among them.
    pub(super) positions: HashMap<Surroundings, usize, FixedState>,
    /// How many of them are of functions that are called.
    pub(super) called: usize,
    pub uncounted: Vec<Uncounted>,
    /// Functions that are called of whose statements some are not told.
    pub partly_told: FixedBitSet,
}

impl StatementId {
    pub fn new(function: usize, offset: usize, part: CountedPart) -> StatementId {
        StatementId { function, offset, part, case: 0 }
    }

    pub fn representative(self) -> StatementId {
        StatementId { part: CountedPart::Representative, ..self }
    }
}

/// More different surroundings than this are not told apart.
const MOST_GROUPS: usize = 1024;

/// The same of functions that are called: each call of one has as many as that one, and so on.
const MOST_CALLED_GROUPS: usize = 256;

impl FoundStatements {
    pub fn add(&mut self, around: Surroundings, statement: StatementId, times: u64) {
        self.add_with(around, (statement, times), |found| found.positions.len() < MOST_GROUPS);
    }

    /// The same for a statement of a function that is called.
    pub fn add_called(&mut self, around: Surroundings, statement: StatementId, times: u64) {
        let groups = self.groups.len();
        self.add_with(around, (statement, times), |found| found.called < MOST_CALLED_GROUPS);
        self.called += self.groups.len() - groups;
    }

    fn add_with(
        &mut self,
        around: Surroundings,
        (statement, times): (StatementId, u64),
        has_room: impl FnOnce(&FoundStatements) -> bool,
    ) {
        let position = self.position(&around).unwrap_or_else(|| {
            let position = self.groups.len();
            let around = if has_room(self) {
                self.positions.insert(around.clone(), position);
                around
            } else {
                // Those beyond are never the same.
                let why = "more different loops are called than are told apart";
                [Around::Unknown(UnknownReason::new(statement.offset, why)).into()].into()
            };
            self.groups.push(StatementGroup { around, statements: BTreeMap::new() });
            position
        });
        *self.groups[position].statements.entry(statement).or_insert(0) += times;
    }

    /// Where statements with these surroundings stand. Most have those of the statement before.
    fn position(&self, around: &Surroundings) -> Option<usize> {
        match self.groups.last() {
            Some(last) if Arc::ptr_eq(&last.around, around) => Some(self.groups.len() - 1),
            _ => self.positions.get(around).copied(),
        }
    }

    /// Statements of functions of which some are not told may run more often than is known: they stand for what has their surroundings.
    pub fn tell_partly(&mut self, is_always_told: impl Fn(&StatementId) -> bool) {
        let is_partly_told = |its: &StatementId| {
            its.part != CountedPart::Representative
                && self.partly_told.contains(its.function)
                && !is_always_told(its)
        };
        for group in &mut self.groups {
            if group.statements.keys().any(is_partly_told) {
                let mut statements: BTreeMap<StatementId, u64> = BTreeMap::new();
                for (id, times) in std::mem::take(&mut group.statements) {
                    let id = if is_partly_told(&id) { id.representative() } else { id };
                    *statements.entry(id).or_insert(0) += times;
                }
                group.statements = statements;
            }
        }
    }
}

/// Each of some cases together with each of others.
pub fn each_with_each(cases: &[Vec<Polynomial>], others: &[Vec<Polynomial>]) -> Vec<Vec<Polynomial>> {
    cases.iter().flat_map(|own| others.iter().map(move |its| [&own[..], its].concat())).collect()
}
