//! Which functions of a file run where threads share what they do, and which run elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use call_compiler::{BlockCounts, BlockKind};

use super::main_body::directive_word;
use super::processors::is_word;
use super::regions::{Lines, ThreadSharing};

type FunctionNames<'a> = BTreeSet<&'a str>;

/// The functions of a file, and what each names in which regions.
pub struct Callers<'a> {
    lines: Vec<&'a str>,
    regions: &'a [(ThreadSharing, Lines)],
    names: FunctionNames<'a>,
    named: BTreeMap<&'a str, Named<'a>>,
}

/// The functions that some lines name.
#[derive(Default)]
struct Named<'a> {
    /// In loops that threads share.
    shared: FunctionNames<'a>,
    /// Where one thread runs at a time.
    one_at_a_time: FunctionNames<'a>,
    elsewhere: FunctionNames<'a>,
    /// Of those the ones in teams.
    in_team: FunctionNames<'a>,
    /// Where any thread may run them, with why.
    handed_out: BTreeMap<&'a str, &'static str>,
}

/// The functions that a block calls, directly or not.
pub struct CalledFunctions<'a> {
    /// From loops that threads share.
    pub shared: FunctionNames<'a>,
    /// Where one thread runs at a time.
    pub one_at_a_time: FunctionNames<'a>,
    pub elsewhere: FunctionNames<'a>,
    /// From within teams.
    pub in_team: FunctionNames<'a>,
    /// Where any thread may run them, with why.
    pub handed_out: BTreeMap<&'a str, &'static str>,
}

impl<'a> Callers<'a> {
    /// `code` has no comments.
    pub fn new(
        code: &'a str,
        regions: &'a [(ThreadSharing, Lines)],
        blocks: &'a [BlockCounts],
    ) -> Callers<'a> {
        let own =
            || blocks.iter().filter(|block| block.kind == BlockKind::Function && block.begin.file.is_none());
        let others =
            blocks.iter().flat_map(|block| &block.statements).filter_map(|its| its.function.as_deref());
        let names = own().map(|block| block.name.as_str()).chain(others).collect();
        let mut callers = Callers { lines: code.lines().collect(), regions, names, named: BTreeMap::new() };
        callers.named = own().map(|block| (block.name.as_str(), callers.named_in(block))).collect();
        callers
    }

    pub fn is_in(&self, kind: ThreadSharing, line: u32) -> bool {
        self.regions.iter().any(|(its, lines)| *its == kind && lines.contains(&line))
    }

    /// Why what stands in a line may be done by any thread.
    pub fn handed_out(&self, line: u32) -> Option<&'static str> {
        self.regions.iter().find_map(|(kind, lines)| match kind {
            ThreadSharing::HandedOut(why) if lines.contains(&line) => Some(*why),
            _ => None,
        })
    }

    /// What must hold for threads to share what stands in a line.
    pub fn condition(&self, line: u32) -> Option<&'static str> {
        self.regions.iter().find_map(|(kind, lines)| match kind {
            ThreadSharing::Conditional(what) if lines.contains(&line) => Some(*what),
            _ => None,
        })
    }

    fn named_in(&self, block: &BlockCounts) -> Named<'a> {
        let mut named = Named::default();
        for number in block.begin.line..=block.end.line {
            let line = self.lines.get(number as usize - 1).copied().unwrap_or_default();
            // Words of a pragma may be names of functions, too.
            let line = if directive_word(line.trim()) == "pragma" { "" } else { line };
            let words = line.split(|character| !is_word(character)).filter(|word| self.names.contains(word));
            if self.is_in(ThreadSharing::Team, number) {
                named.in_team.extend(words.clone());
            }
            if let Some(why) = self.handed_out(number) {
                named.handed_out.extend(words.clone().map(|word| (word, why)));
            }
            if self.is_in(ThreadSharing::OneAtATime, number) {
                named.one_at_a_time.extend(words);
            } else if self.is_in(ThreadSharing::Shared, number) {
                named.shared.extend(words);
            } else {
                named.elsewhere.extend(words);
            }
        }
        named
    }

    /// These functions and all that they call, or only those that they call elsewhere than in regions.
    fn reached(&self, from: impl IntoIterator<Item = &'a str>, is_everywhere: bool) -> FunctionNames<'a> {
        let mut found = FunctionNames::new();
        let mut open: Vec<&str> = from.into_iter().collect();
        while let Some(name) = open.pop() {
            if found.insert(name)
                && let Some(named) = self.named.get(name)
            {
                open.extend(&named.elsewhere);
                if is_everywhere {
                    open.extend(named.shared.iter().chain(&named.one_at_a_time));
                }
            }
        }
        found
    }

    /// What a block calls where.
    pub fn called(&self, block: &BlockCounts) -> CalledFunctions<'a> {
        let own = self.named_in(block);
        let named = own.shared.iter().chain(&own.one_at_a_time).chain(&own.elsewhere).copied();
        let reached = self.reached(named, true);
        let inside: Vec<&Named> =
            std::iter::once(&own).chain(reached.iter().filter_map(|its| self.named.get(its))).collect();
        let shared = inside.iter().flat_map(|its| its.shared.iter().copied());
        let one_at_a_time = inside.iter().flat_map(|its| its.one_at_a_time.iter().copied());
        let in_team = inside.iter().flat_map(|its| its.in_team.iter().copied());
        let handed_out = inside
            .iter()
            .flat_map(|its| &its.handed_out)
            .flat_map(|(name, why)| self.reached([*name], true).into_iter().map(|reached| (reached, *why)));
        CalledFunctions {
            in_team: self.reached(in_team, true),
            handed_out: handed_out.collect(),
            shared: self.reached(shared, true),
            one_at_a_time: self.reached(one_at_a_time, true),
            elsewhere: self.reached(own.elsewhere.iter().copied(), false),
        }
    }
}
