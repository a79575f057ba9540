//! Loops whose iterations the threads of a team share: each of `P` threads runs its part of them.

use std::collections::{BTreeMap, BTreeSet};

use call_compiler::{
    BlockCounts, BlockKind, CodeLine, CountedPart, CountedTerm, LineRemark, Monomial, PROCESSORS, Polynomial,
};

use super::callers::{CalledFunctions, Callers};
use super::comments;
use super::outermost_lines::OutermostLines;
use super::processor_names::ProcessorNames;
use super::regions::{Regions, ThreadSharing};

/// Divides by the number of processors what stands in loops that threads share, and tells what they may share and is not divided. A block
/// that lies inside of such a loop runs in one thread.
pub fn divide(source: &str, blocks: &mut [BlockCounts]) {
    let code = comments::blanked(source);
    let Some(per_processor) = Polynomial::name(PROCESSORS)
        .inverse()
        .and_then(|its| its.single().map(|(monomial, _)| monomial.clone()))
    else {
        return;
    };
    let regions = Regions::of(&code);
    if regions.is_empty() {
        return;
    }
    let counted = blocks.to_vec();
    let names = ProcessorNames::of(&code, &counted);
    let callers = Callers::new(&code, &regions, &counted);
    let no_loops = OutermostLines::default();
    let loops = regions.outermost(ThreadSharing::Shared).unwrap_or(&no_loops);
    for (block, counted) in blocks.iter_mut().zip(&counted).filter(|(block, _)| block.begin.file.is_none()) {
        let (begin, end) = (block.begin.line, block.end.line);
        if loops.around(&(begin.saturating_sub(1)..=end)).is_some() {
            continue;
        }
        let is_whole = block.kind == BlockKind::Loop && loops.begins_in(begin);
        let mut functions: BTreeMap<&CodeLine, BTreeSet<Option<&str>>> = BTreeMap::new();
        for statement in &counted.statements {
            functions.entry(&statement.place).or_default().insert(statement.function.as_deref());
        }
        let called = callers.called(counted);
        let team = Team { block: counted, regions: &regions, called, loops, is_whole, functions };
        let terms: Vec<CountedTerm> =
            counted.terms.iter().flat_map(|term| team.divided(term, &per_processor)).collect();
        let remarks: BTreeSet<LineRemark> = match names.seen_from(counted).filter(|_| terms != counted.terms)
        {
            Some(line) => {
                let why = format!("`{PROCESSORS}` is a name of the program there");
                [LineRemark { place: CodeLine { file: None, line }, why }].into()
            }
            None => {
                block.terms = terms;
                block.divided_if = counted.terms.iter().flat_map(|term| team.conditions(term)).collect();
                counted.terms.iter().flat_map(|term| team.undivided(term)).collect()
            }
        };
        block.undivided = remarks.into_iter().collect();
    }
}

/// How the threads of a team run a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TeamExecution {
    Divided,
    OneAtATime,
    Each,
}

/// A block that threads run, with the loops that they share.
struct Team<'a> {
    block: &'a BlockCounts,
    regions: &'a Regions,
    called: CalledFunctions<'a>,
    /// Those that threads share and that lie in no other one: a team within a team has one thread, if nobody says otherwise.
    loops: &'a OutermostLines,
    is_whole: bool,
    /// The functions whose statements stand in each line; `None` is that of the block.
    functions: BTreeMap<&'a CodeLine, BTreeSet<Option<&'a str>>>,
}

impl Team<'_> {
    fn share(&self, line: &CodeLine) -> TeamExecution {
        let functions = self.functions.get(line).into_iter().flatten();
        functions.map(|function| self.share_of(line, *function)).max().unwrap_or(TeamExecution::Each)
    }

    fn share_of(&self, line: &CodeLine, function: Option<&str>) -> TeamExecution {
        let is_in = |kind: ThreadSharing| line.file.is_none() && self.regions.is_in(kind, line.line);
        let is_called_shared =
            |name| self.called.shared.contains(name) && !self.called.elsewhere.contains(name);
        // A team of its own within another one.
        let is_alone =
            is_in(ThreadSharing::OwnTeam) && function.is_some_and(|name| self.called.in_team.contains(name));
        let is_shared = self.is_whole
            || is_in(ThreadSharing::Shared) && !is_alone
            || function.is_some_and(is_called_shared);
        // Also where each thread does all of it.
        if is_in(ThreadSharing::OneAtATime) && !is_alone
            || function.is_some_and(|name| self.called.one_at_a_time.contains(name))
        {
            TeamExecution::OneAtATime
        } else if is_shared {
            TeamExecution::Divided
        } else {
            TeamExecution::Each
        }
    }

    /// The term divided, as far as threads share it.
    fn divided(&self, term: &CountedTerm, per_processor: &Monomial) -> Vec<CountedTerm> {
        if term.basis == Monomial::default() {
            return vec![term.clone()];
        }
        let part = |is_in: &dyn Fn(&CodeLine) -> bool| {
            let mut part = term.clone();
            part.statements.retain(|line| is_in(line));
            Some(part).filter(|its| !its.statements.is_empty())
        };
        let is_divided =
            |line: &CodeLine| self.share(line) == TeamExecution::Divided && !self.is_begin(term, line);
        let divided = part(&is_divided).map(|mut part| {
            part.basis = part.basis.times(per_processor);
            part.told = part.told.times(per_processor);
            part
        });
        let whole = part(&|line| !is_divided(line));
        divided.into_iter().chain(whole).collect()
    }

    /// Whether a line belongs to a function that is called in shared loops and elsewhere.
    fn is_called_both_ways(&self, line: &CodeLine) -> bool {
        self.share(line) == TeamExecution::Each
            && self.functions.get(line).into_iter().flatten().flatten().any(|name| {
                self.called.shared.contains(name)
                    && self.called.elsewhere.contains(name)
                    && !self.called.one_at_a_time.contains(name)
            })
    }

    /// What of a term threads may share, or run one after another.
    fn undivided(&self, term: &CountedTerm) -> Vec<LineRemark> {
        remarks(term, |line| match self.share(line) {
            TeamExecution::OneAtATime => Some("run by one thread at a time"),
            TeamExecution::Each if self.is_called_both_ways(line) => {
                Some("called in loops that threads share, and elsewhere")
            }
            TeamExecution::Each => self.handed_out(line),
            TeamExecution::Divided => None,
        })
    }

    /// What must hold for a term to be divided: a loop is shared by the team that comes to it, which may be of one thread or of less than `P`.
    fn conditions(&self, term: &CountedTerm) -> Vec<LineRemark> {
        let is_in = |kind: ThreadSharing, line: &CodeLine| self.regions.is_in(kind, line.line);
        let is_orphaned = |line: &CodeLine| {
            let mut functions = self.functions.get(line).into_iter().flatten();
            is_in(ThreadSharing::Shared, line)
                && !is_in(ThreadSharing::Team, line)
                && !is_in(ThreadSharing::OwnTeam, line)
                && functions.any(|function| {
                    function.is_none_or(|name| {
                        !self.called.in_team.contains(name) && !self.called.shared.contains(name)
                    })
                })
        };
        let is_divided = |line: &CodeLine| {
            line.file.is_none() && self.share(line) == TeamExecution::Divided && !self.is_begin(term, line)
        };
        remarks(term, |line| match self.regions.condition(line.line) {
            _ if !is_divided(line) => None,
            Some(condition) => Some(condition),
            None => is_orphaned(line).then_some("a team runs it, which is not seen"),
        })
    }

    /// Why any thread may run what stands in a line, itself or as a part of a function that it calls.
    fn handed_out(&self, line: &CodeLine) -> Option<&'static str> {
        let own = line.file.is_none().then(|| self.regions.handed_out(line.line)).flatten();
        own.or_else(|| {
            let mut functions = self.functions.get(line).into_iter().flatten().flatten();
            functions.find_map(|name| self.called.handed_out.get(name).copied())
        })
    }

    /// Whether a line is that of a shared loop which begins so often as the term says, where each thread does all of that.
    fn is_begin(&self, term: &CountedTerm, line: &CodeLine) -> bool {
        let is_shared_loop = || line.file.is_none() && self.loops.begins_in(line.line);
        let is_begin = |function: Option<&str>| {
            !function.is_some_and(|name| {
                self.called.shared.contains(name) && !self.called.elsewhere.contains(name)
            })
        };
        let begin = || {
            self.block.statements.iter().any(|statement| {
                statement.part == CountedPart::LoopEntry
                    && statement.place == *line
                    && is_begin(statement.function.as_deref())
            })
        };
        is_shared_loop() && term.begins.contains(line) && begin()
    }
}

/// What there is to say of the lines of a term; of what runs once nothing.
fn remarks(term: &CountedTerm, why: impl Fn(&CodeLine) -> Option<&'static str>) -> Vec<LineRemark> {
    if term.basis == Monomial::default() {
        return Vec::new();
    }
    let told = term.statements.iter().filter_map(|line| Some((line, why(line)?)));
    told.map(|(line, why)| LineRemark { place: line.clone(), why: why.to_owned() }).collect()
}
