//! The blocks of a file, functions and outermost loops, with how often their statements run.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use call_counting::{Assumption, Atom, Count, Monomial, Number, Polynomial, Quality, is_dominated};
use call_grammar::is_reserved;
use lang_c::span::Span;

use super::addresses::Addresses;
use super::around::{CountedPart, StatementGroup, StatementId, Uncounted};
use super::communication::is_communication;
use super::guarded::{GuardedTerm, read_under_condition, without_unset};
use super::library::leaves_names;
use super::names::names_of_basis;
use super::number::{ExecutionCount, ExecutionCounts};
use super::outermost::outermost_loops;
use super::program::{CountedProgram, ParsedFunction};
use super::term::{CodeLine, CountedTerm, LineRemark, terms};
use super::unset::unset_before;
use super::value::UnknownReason;
use super::walk::summary::{FunctionSummaries, Summary};
use crate::c::parse::beside;

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// The body of a function.
    Function,
    /// A loop that lies in no other one.
    Loop,
}

/// How often a statement runs in one execution of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementCount {
    /// Where the statement begins.
    pub place: CodeLine,
    /// The function that it stands in, if that is not the block's.
    pub function: Option<String>,
    /// What of it is counted.
    pub part: CountedPart,
    /// The number, of values that expressions of C have when the block begins. `None`: it is not known.
    pub times: Option<Arc<Polynomial>>,
    /// What the number is worth.
    pub quality: Quality,
    /// Where it holds, as inequalities of C.
    pub assumptions: Arc<[String]>,
    /// Why it is not exact, or not known.
    pub because: Arc<[LineRemark]>,
}

/// A block with a proposal for its directive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockCounts {
    /// Function or loop.
    pub kind: BlockKind,
    /// A name for the experiment.
    pub name: String,
    /// The parameters of its function, in their order.
    pub parameters: Vec<String>,
    /// Where it begins: its brace, or the first word of the loop.
    pub begin: CodeLine,
    /// Where it ends.
    pub end: CodeLine,
    /// The statements, by line; those of functions that are called come last.
    pub statements: Vec<StatementCount>,
    /// Those of their assumptions that are no assumptions of the whole: of which no two hold at once, as the statements run in different
    /// cases, and conditions under which some of them run only.
    pub cases: BTreeSet<String>,
    /// The terms of the formula, the slowest growing first. Empty: there is none.
    pub terms: Vec<CountedTerm>,
    /// Terms that no constant was left for; none of them grows faster than those of the formula.
    pub left_out: Vec<CountedTerm>,
    /// Terms that need variables which may have no value where the block begins.
    pub guarded: Vec<GuardedTerm>,
    /// Why there is no formula.
    pub unknown: Vec<LineRemark>,
    /// What takes time and is not counted: functions that are defined elsewhere.
    pub uncounted: Vec<LineRemark>,
    /// Names in the formula, and of variables that count loops, that these functions are taken not to change: what is behind pointers, and
    /// variables of the file.
    pub taken_as_unchanged: Vec<String>,
    /// What the threads of a team run together and no term divides by their number: one at a time, or as tasks. Empty as it is counted.
    pub undivided: Vec<LineRemark>,
    /// What must hold for terms that are divided by that number. Empty as it is counted.
    pub divided_if: Vec<LineRemark>,
    /// Whether `P` is the number of processors, and no name of the program.
    pub(crate) knows_processors: bool,
    /// Variables that may have no value where the block begins, as it reads them under a condition only.
    pub(crate) unset: BTreeSet<String>,
    /// Arrays that the counts read and that the file declares with their elements.
    pub(crate) arrays: BTreeSet<String>,
}

/// A function or loop that was walked through.
struct Walked<'p> {
    kind: BlockKind,
    name: String,
    span: Span,
    function: usize,
    parsed: &'p ParsedFunction,
    /// What the function declares around it that is no number.
    addresses: HashSet<String>,
    /// What it declares and may have no value where the block begins, as that reads it under a condition only.
    unset: BTreeSet<String>,
    found: Arc<Summary>,
}

/// The blocks of the main file. One thread walks through them in the order of the file, as functions tell of others that they call; a second
/// one makes blocks of what it finds.
pub fn blocks(program: &CountedProgram) -> Vec<BlockCounts> {
    let next = AtomicUsize::new(0);
    let parse = || while program.parse_next(&next) {};
    let (sender, receiver) = mpsc::channel::<(usize, Walked)>();
    let receiver = Mutex::new(receiver);
    let make = || {
        let numbers = ExecutionCounts::default();
        let taken = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
        let made =
            std::iter::from_fn(|| taken().map(|(place, walked)| (place, walked.block(program, &numbers))));
        made.collect::<Vec<(usize, BlockCounts)>>()
    };
    let (mut made, others) = beside(
        || {
            parse();
            make()
        },
        || {
            parse();
            walk(program, sender);
            make()
        },
    );
    made.extend(others);
    made.sort_unstable_by_key(|(place, _)| *place);
    let mut found: Vec<BlockCounts> = made.into_iter().map(|(_, block)| block).collect();
    let mut names: BTreeMap<String, u32> = BTreeMap::new();
    for block in &mut found {
        if is_reserved(&block.name) {
            block.name.push('_');
        }
        // Of several loops in a line the second one gets another name.
        let count = names.entry(block.name.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            block.name = format!("{}_{count}", block.name);
        }
    }
    found
}

/// Walks through the functions of the main file and their outermost loops, and hands each over with its place among them.
fn walk<'p>(program: &'p CountedProgram<'p>, walked: mpsc::Sender<(usize, Walked<'p>)>) {
    let summaries = FunctionSummaries::new(program);
    let mut place = 0;
    let mut hand_over = |block: Walked<'p>| {
        // Those who take them end when there are no more.
        walked.send((place, block)).ok();
        place += 1;
    };
    for function in 0..program.len() {
        if !program.is_of_main_file(function) {
            continue;
        }
        let Ok(parsed) = program.parsed(function) else { continue };
        let Some(definition) = parsed.definition() else { continue };
        let Some(found) = summaries.of(function) else { continue };
        let (span, name) = (definition.statement.span, program.name(function).to_owned());
        let (addresses, unset) = (HashSet::new(), BTreeSet::new());
        hand_over(Walked {
            kind: BlockKind::Function,
            name,
            span,
            function,
            parsed,
            addresses,
            unset,
            found,
        });
        let mut unset_before = unset_before(&definition.statement);
        let effects = summaries.changes.effects(function);
        for statement in outermost_loops(&definition.statement) {
            // What a `case` or `goto` enters behind its begin cannot be measured.
            if effects.enters(statement.span.start) {
                continue;
            }
            let mut walk = summaries.walked_through(function, parsed, statement);
            walk.forbid_recursion();
            let (_, line) = program.place(parsed.original(statement.span.start));
            let name = format!("{}_{line}", program.name(function));
            let addresses = walk.addresses_around();
            let found = Arc::new(Summary::of_loop(walk.found));
            let span = statement.span;
            let unset = unset_before.remove(&span.start).unwrap_or_default();
            let unset = read_under_condition(statement, unset);
            hand_over(Walked {
                kind: BlockKind::Loop,
                name,
                span,
                function,
                parsed,
                addresses,
                unset,
                found,
            });
        }
    }
}

impl<'p> Walked<'p> {
    fn block(self, program: &'p CountedProgram<'p>, numbers: &ExecutionCounts) -> BlockCounts {
        let maker = BlockMaker::new(program, numbers, (self.function, self.parsed), self.addresses);
        let times = maker.times(&self.found.groups);
        let block = maker.block(self.kind, &self.name, self.span, (&times, &self.found.uncounted));
        if self.unset.is_empty() {
            return block;
        }
        let (terms, guarded) = without_unset(block.terms, &self.unset);
        BlockCounts { terms, guarded, unset: self.unset, ..block }
    }
}

/// What is said of a number, for all statements that have it.
struct Told {
    times: Option<Arc<Polynomial>>,
    quality: Quality,
    assumptions: Arc<[String]>,
    /// `None`: it is another one for each statement.
    because: Option<Arc<[LineRemark]>>,
}

/// Makes blocks of what was found in parts of a function.
pub struct BlockMaker<'a, 'p> {
    program: &'p CountedProgram<'p>,
    numbers: &'a ExecutionCounts,
    function: usize,
    parsed: &'p ParsedFunction,
    addresses: Addresses<'p>,
    /// What else the counts are to be told in.
    names: Vec<(Atom, Polynomial)>,
    /// Whether messages are counted, too.
    tells_communication: bool,
}

impl<'a, 'p> BlockMaker<'a, 'p> {
    pub fn new(
        program: &'p CountedProgram<'p>,
        numbers: &'a ExecutionCounts,
        (function, parsed): (usize, &'p ParsedFunction),
        addresses: HashSet<String>,
    ) -> BlockMaker<'a, 'p> {
        let addresses = Addresses::new(program, parsed, addresses);
        let (names, tells_communication) = (Vec::new(), true);
        BlockMaker { program, numbers, function, parsed, addresses, names, tells_communication }
    }

    /// The same with values in the place of names, and with what the computer does itself alone.
    pub fn in_terms_of(self, names: Vec<(Atom, Polynomial)>) -> BlockMaker<'a, 'p> {
        BlockMaker { names, tells_communication: false, ..self }
    }

    fn line(&self, offset: usize) -> CodeLine {
        let (file, line) = self.program.place(offset);
        CodeLine { file: file.map(str::to_owned), line }
    }

    /// What is said of a statement; of itself, where no other place is to blame.
    fn remark(&self, reason: &UnknownReason, id: &StatementId) -> LineRemark {
        let offset = if reason.offset == 0 { id.offset } else { reason.offset };
        LineRemark { place: self.line(offset), why: reason.why.to_string() }
    }

    /// How often each of the statements runs.
    pub fn times(&self, groups: &[StatementGroup]) -> BTreeMap<StatementId, Rc<ExecutionCount>> {
        self.times_by_case(groups, |_| 0)
    }

    /// How often each of the statements runs under each of the conditions on parameters that are around it, and these, by their numbers.
    pub fn cases(
        &self,
        groups: &[StatementGroup],
    ) -> (BTreeMap<StatementId, Rc<ExecutionCount>>, Vec<BTreeSet<Assumption>>) {
        let mut cases: Vec<BTreeSet<Assumption>> = vec![BTreeSet::new()];
        let times = self.times_by_case(groups, |times| {
            let Some(conditions) = times.count.as_ref().map(|count| &count.conditions) else { return 0 };
            cases.iter().position(|known| known == conditions).unwrap_or_else(|| {
                cases.push(conditions.clone());
                cases.len() - 1
            })
        });
        (times, cases)
    }

    fn times_by_case(
        &self,
        groups: &[StatementGroup],
        mut case: impl FnMut(&ExecutionCount) -> usize,
    ) -> BTreeMap<StatementId, Rc<ExecutionCount>> {
        let mut all: BTreeMap<StatementId, Rc<ExecutionCount>> = BTreeMap::new();
        let mut of_addresses = HashMap::new();
        for group in groups {
            let around = self.addresses.left_out_of(&group.around, &mut of_addresses);
            let times = self.numbers.times(&around);
            let case = case(&times);
            for (statement, factor) in &group.statements {
                match all.entry(StatementId { case, ..*statement }) {
                    Entry::Occupied(mut known) => {
                        let sum = known.get().and(&times, *factor, self.numbers);
                        known.insert(Rc::new(sum));
                    }
                    Entry::Vacant(new) if *factor == 1 => _ = new.insert(times.clone()),
                    Entry::Vacant(new) => {
                        _ = new.insert(Rc::new(ExecutionCount::none().and(&times, *factor, self.numbers)))
                    }
                }
            }
        }
        // Most statements share their number with others.
        let mut told: HashMap<*const ExecutionCount, [Rc<ExecutionCount>; 2]> = HashMap::new();
        for times in all.values_mut() {
            let known = told.entry(Rc::as_ptr(times));
            let [_, its] = known.or_insert_with(|| [times.clone(), self.told(times)]);
            *times = its.clone();
        }
        all
    }

    /// A number in the names that are wanted.
    fn told(&self, times: &Rc<ExecutionCount>) -> Rc<ExecutionCount> {
        let mut times = times.clone();
        if let Some(count) = times.count.as_ref().filter(|_| !self.names.is_empty()) {
            let told = self
                .names
                .iter()
                .fold(count.times.clone(), |its, (name, value)| its.substituted(name, value).unwrap_or(its));
            let count = Some(Count { times: told, ..count.clone() });
            times = Rc::new(ExecutionCount { count, reasons: times.reasons.clone() });
        }
        self.addresses.forgotten_in(times)
    }

    /// A block of some statements, and what takes time in it and is not counted.
    pub fn block(
        &self,
        kind: BlockKind,
        name: &str,
        span: Span,
        (all, uncounted): (&BTreeMap<StatementId, Rc<ExecutionCount>>, &[Uncounted]),
    ) -> BlockCounts {
        let begin = self.line(self.parsed.original(span.start));
        let is_told = |id: &StatementId, times: &ExecutionCount| match is_communication(id) {
            true => self.tells_communication && times.count.is_some(),
            false => true,
        };
        // In their order already, but for those of functions that are called.
        let mut each: Vec<(&StatementId, &Rc<ExecutionCount>)> =
            all.iter().filter(|(id, times)| is_told(id, times)).collect();
        each.sort_by_key(|(id, _)| id.function != self.function);
        let (terms, left_out, unknown) = match self.terms(&each) {
            Ok((terms, left_out)) => (terms, left_out, Vec::new()),
            Err(unknown) => (Vec::new(), Vec::new(), unknown),
        };
        let mut told = HashMap::new();
        let statements = each.iter().map(|(id, times)| self.statement(id, times, &mut told)).collect();
        let taken_as_unchanged = self.taken_as_unchanged(uncounted, &terms);
        let communication: HashSet<usize> =
            each.iter().filter(|(id, _)| is_communication(id)).map(|(id, _)| id.offset).collect();
        let uncounted: BTreeSet<LineRemark> = uncounted
            .iter()
            .filter(|its| !its.what.starts_with('`') || !communication.contains(&its.offset))
            .map(|its| LineRemark { place: self.line(its.offset), why: its.what.clone() })
            .collect();
        let end = self.line(self.parsed.end(span).saturating_sub(1));
        let parameters = self.parsed.parameters(self.program);
        let mut met = HashSet::new();
        let different = all.values().filter(|times| met.insert(Rc::as_ptr(times)));
        let counts: Vec<&Polynomial> =
            different.filter_map(|its| its.count.as_ref()).map(|count| &count.times).collect();
        BlockCounts {
            kind,
            name: name.to_owned(),
            parameters: parameters.iter().map(|its| its.name.clone()).collect(),
            begin,
            end,
            statements,
            cases: cases(each.iter().filter_map(|(_, times)| times.count.as_ref())),
            terms,
            left_out,
            guarded: Vec::new(),
            unknown,
            uncounted: uncounted.into_iter().collect(),
            taken_as_unchanged,
            undivided: Vec::new(),
            divided_if: Vec::new(),
            knows_processors: !self.program.has_word_of_processors(),
            unset: BTreeSet::new(),
            arrays: self.addresses.arrays_in(counts.iter().copied()),
        }
    }

    fn taken_as_unchanged(&self, uncounted: &[Uncounted], terms: &[CountedTerm]) -> Vec<String> {
        let is_harmless = |its: &Uncounted| !its.is_elsewhere || leaves_names(its.what.trim_matches('`'));
        if uncounted.iter().all(is_harmless) {
            return Vec::new();
        }
        let counters = uncounted.iter().filter(|its| !is_harmless(its)).flat_map(|its| its.counters.clone());
        let of_terms = terms.iter().flat_map(|term| names_of_basis(&term.basis));
        let names: BTreeSet<String> = of_terms.chain(counters).collect();
        self.addresses.in_reach(&names).cloned().collect()
    }

    fn statement(
        &self,
        id: &StatementId,
        times: &Rc<ExecutionCount>,
        told: &mut HashMap<*const ExecutionCount, Told>,
    ) -> StatementCount {
        let function = (id.function != self.function).then(|| self.program.name(id.function).to_owned());
        let remarks =
            || times.reasons.iter().map(|reason| self.remark(reason, id)).collect::<Arc<[LineRemark]>>();
        let its = told.entry(Rc::as_ptr(times)).or_insert_with(|| {
            let count = times.count.as_ref();
            let assumptions = count.into_iter().flat_map(|count| &count.assumptions);
            Told {
                times: count.map(|count| Arc::new(count.times.clone())),
                quality: count.map_or(Quality::AtMost, |count| count.quality),
                assumptions: assumptions.map(ToString::to_string).collect(),
                because: (!times.has_reason_without_place()).then(remarks),
            }
        });
        StatementCount {
            place: self.line(id.offset),
            function,
            part: id.part,
            times: its.times.clone(),
            quality: its.quality,
            assumptions: its.assumptions.clone(),
            because: its.because.clone().unwrap_or_else(remarks),
        }
    }

    /// What keeps the number of one of these statements from being known.
    fn unknown(&self, statements: &[(&StatementId, &Rc<ExecutionCount>)]) -> BTreeSet<LineRemark> {
        let mut unknown = BTreeSet::new();
        let mut told: HashSet<*const ExecutionCount> = HashSet::new();
        for (id, times) in statements {
            if times.count.is_none() && (told.insert(Rc::as_ptr(times)) || times.has_reason_without_place()) {
                unknown.extend(times.reasons.iter().map(|reason| self.remark(reason, id)));
            }
        }
        unknown
    }

    /// The terms of a formula for these statements and those that it has no constant for, or what keeps it from being known.
    fn terms(
        &self,
        statements: &[(&StatementId, &Rc<ExecutionCount>)],
    ) -> Result<(Vec<CountedTerm>, Vec<CountedTerm>), Vec<LineRemark>> {
        let unknown = self.unknown(statements);
        if !unknown.is_empty() {
            return Err(unknown.into_iter().collect());
        }
        Ok(terms(statements, |offset| self.line(offset)))
    }
}

/// The assumptions that exclude others, and the conditions of a part of what grows: where one is not so, the rest runs still.
fn cases<'a>(counts: impl Iterator<Item = &'a Count>) -> BTreeSet<String> {
    let mut met = HashSet::new();
    let counts: Vec<&Count> = counts.filter(|count| met.insert(std::ptr::from_ref(*count))).collect();
    let all: BTreeSet<&Assumption> = counts.iter().flat_map(|count| &count.assumptions).collect();
    let runs = || counts.iter().filter(|count| !count.times.is_zero());
    let grows = |count: &&&Count| count.times.constant().is_none();
    let has_growing = runs().any(|count| grows(&count));
    let told: BTreeSet<&BTreeSet<Assumption>> =
        runs().filter(|count| !has_growing || grows(count)).map(|count| &count.assumptions).collect();
    // Two exclude each other whose sum is a number below 0.
    let parts = |its: &Polynomial| {
        let constant = its.constant_term();
        (its - &Polynomial::from(constant.clone()), constant)
    };
    let mut least: BTreeMap<Polynomial, Number> = BTreeMap::new();
    for (rest, constant) in all.iter().map(|its| parts(&its.0)) {
        let known = least.entry(rest).or_insert_with(|| constant.clone());
        *known = constant.min(known.clone());
    }
    let is_excluded = |one: &Assumption| {
        let (rest, constant) = parts(&-&one.0);
        least.get(&rest).is_some_and(|other| *other < constant)
    };
    let follows = |one: &Assumption, other: &Assumption| {
        (&one.0 - &other.0).constant().is_some_and(|rest| !rest.is_negative())
    };
    let conditions: BTreeSet<&Assumption> = counts.iter().flat_map(|count| &count.conditions).collect();
    let is_of_all = |one: &Assumption| {
        told.iter().all(|its| its.contains(one) || its.iter().any(|other| follows(one, other)))
    };
    let is_case = |one: &&&Assumption| (is_excluded(one) || conditions.contains(*one)) && !is_of_all(one);
    all.iter().filter(is_case).map(ToString::to_string).collect()
}

impl BlockCounts {
    /// The formula of the proposal; `None` where something is not known.
    pub fn formula(&self) -> Option<String> {
        let name = &self.name;
        let term = |(number, term): (usize, &CountedTerm)| match &term.told {
            basis if basis.0.is_empty() => format!("{name}[{number}]"),
            basis => format!("{name}[{number}]*{basis}"),
        };
        let terms: Vec<String> = self.terms.iter().enumerate().map(term).collect();
        (!terms.is_empty()).then(|| terms.join(" + "))
    }

    /// The terms that no other one outgrows.
    pub fn fastest(&self) -> Vec<&Monomial> {
        let is_outgrown = |term: &&CountedTerm| {
            self.terms
                .iter()
                .any(|other| other.basis != term.basis && is_dominated(&term.basis, &other.basis))
        };
        self.terms.iter().filter(|term| !is_outgrown(term)).map(|term| &term.basis).collect()
    }

    /// The directive that begins the experiment.
    pub fn directive(&self) -> String {
        let name = &self.name;
        match (self.formula(), self.variables()) {
            (Some(formula), _) => format!("#pragma cll {name} {formula}"),
            (None, names) if names.is_empty() => format!("#pragma cll {name}"),
            (None, names) => format!("#pragma cll {name} variables {}", names.join(", ")),
        }
    }
}
