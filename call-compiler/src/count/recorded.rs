//! What a directive may record: values that a block reads whenever it runs. A pointer that it follows under a condition only may be none else.

use std::collections::{BTreeMap, BTreeSet};

use super::block::{BlockCounts, StatementCount};
use super::communication::PROCESSORS;
use super::names::{is_behind_pointer, names_in, names_of_basis};
use super::place::{last_name, names_of as words_of};
use super::term::LineRemark;

/// Where there is no formula, no more variables than this are recorded.
const MOST_VARIABLES: usize = 6;

impl BlockCounts {
    /// What the known numbers depend on where others are unknown, so that there is no formula: those of the most statements first.
    pub fn variables(&self) -> Vec<String> {
        if !self.terms.is_empty() {
            return Vec::new();
        }
        let followed = self.followed();
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        let is_recorded_anyway = |name: &String| self.knows_processors && name == PROCESSORS;
        let names = self.statements.iter().flat_map(names_of);
        for name in
            names.filter(|name| self.why_unreadable(name, &followed).is_none() && !is_recorded_anyway(name))
        {
            *found.entry(name).or_insert(0) += 1;
        }
        let mut names: Vec<(String, usize)> = found.into_iter().collect();
        names.sort_by_key(|(_, statements)| std::cmp::Reverse(*statements));
        names.into_iter().take(MOST_VARIABLES).map(|(name, _)| name).collect()
    }

    /// What the formula has behind a pointer that the block follows under a condition only, such as `start[n]` where it is that `k >= 2`,
    /// or a variable that it reads so and that may have no value before; and what it may be else.
    pub fn read_under_condition(&self) -> Option<(String, &'static str)> {
        let followed = self.followed();
        let names: BTreeSet<String> =
            self.terms.iter().flat_map(|term| names_of_basis(&term.basis)).collect();
        names.into_iter().find_map(|name| self.why_unreadable(&name, &followed).map(|why| (name, why)))
    }

    fn why_unreadable(&self, name: &str, followed: &BTreeSet<String>) -> Option<&'static str> {
        if words_of(name).any(|word| self.unset.contains(word)) {
            return Some("which may have no value else");
        }
        let pointer = pointer_of(name);
        if !is_behind_pointer(name) || followed.contains(pointer) {
            return None;
        }
        match self.arrays.contains(pointer) {
            true => (!has_constant_index(name)).then_some("whose index may be outside of the array else"),
            false => Some("whose pointer may be none else"),
        }
    }

    /// The pointers that are followed whenever the block runs.
    fn followed(&self) -> BTreeSet<String> {
        let always = |statement: &StatementCount| {
            let names = names_of(statement).into_iter().filter(|name| is_behind_pointer(name));
            let pointers = names.map(|name| pointer_of(&name).to_owned());
            pointers.filter(|pointer| is_unconditional(statement, pointer)).collect::<Vec<_>>()
        };
        self.statements.iter().flat_map(always).collect()
    }
}

/// Whether what has to hold for the number speaks of the pointer itself, of sizes behind it, which are read then; or of ranges that may be
/// empty, such as `high >= low`. Where it depends on whether the pointer points to anything, nobody knows.
fn is_unconditional(statement: &StatementCount, pointer: &str) -> bool {
    let is_asked_for = |remark: &LineRemark| {
        remark.why.match_indices(pointer).any(|(at, _)| {
            let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
            let (before, behind) = (&remark.why[..at], &remark.why[at + pointer.len()..]);
            !before.ends_with(|last: char| is_part(last) || matches!(last, '>' | '.'))
                && !behind.starts_with(|next: char| is_part(next) || matches!(next, '-' | '[' | '.'))
        })
    };
    if statement.because.iter().any(is_asked_for) {
        return false;
    }
    let is_harmless = |assumption: &String| {
        let words: Vec<&str> = words_of(assumption).collect();
        let is_constant =
            |word: &&str| *word != "0" && word.starts_with(|first: char| first.is_ascii_digit());
        words.contains(&last_name(pointer)) || !words.iter().any(is_constant)
    };
    statement.assumptions.iter().all(is_harmless)
}

/// What has to point to something where a path is read: `g->edge` of `g->edge->n`, `start` of `start[n]`.
fn pointer_of(path: &str) -> &str {
    let path = path.trim_start_matches(['*', '(']);
    let end = path.find('[').or_else(|| path.rfind("->"));
    path[..end.unwrap_or(path.len())].trim_end_matches(')')
}

/// `start[0]`, and not `start[n]`.
fn has_constant_index(path: &str) -> bool {
    let index = path.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    index.is_some_and(|(index, _)| index.chars().all(|its| its.is_ascii_digit()))
}

/// The variables that the number of a statement depends on.
fn names_of(statement: &StatementCount) -> BTreeSet<String> {
    statement.times.iter().flat_map(|times| names_in(times)).collect()
}
