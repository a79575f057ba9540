//! The blocks of a file: a walk through its functions, and one through their outermost loops.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use call_grammar::is_reserved;
use lang_c::ast::FunctionDefinition;
use lang_c::span::Span;

use super::block::{BlockCounts, BlockKind, BlockMaker};
use super::guarded::{read_under_condition, without_unset};
use super::number::ExecutionCounts;
use super::outermost::outermost_loops;
use super::program::{CountedProgram, ParsedFunction};
use super::unset::unset_before;
use super::walk::summary::{FunctionSummaries, Summary};
use crate::c::parse::beside;

/// A function that was walked through.
struct WalkedFunction {
    function: usize,
    found: Arc<Summary>,
    /// It and others that were walked through since the last one.
    newly_found: Vec<(usize, Arc<Summary>)>,
}

/// A function or loop that was walked through.
struct WalkedBlock<'p> {
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

/// The blocks of the main file. One thread walks through the functions in the order of the file, as they tell of others that they call; a
/// second one walks through their loops and makes blocks of what is found.
pub fn blocks(program: &CountedProgram) -> Vec<BlockCounts> {
    let next = AtomicUsize::new(0);
    let parse = || while program.parse_next(&next) {};
    let (sender, receiver) = mpsc::channel::<WalkedFunction>();
    let receiver = Mutex::new(receiver);
    let (mut found, ()) = beside(
        || {
            parse();
            made(program, &receiver.lock().unwrap_or_else(PoisonError::into_inner))
        },
        || {
            parse();
            walk(program, &sender);
            drop(sender);
        },
    );
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

/// Walks through the functions of the main file and hands each over.
fn walk(program: &CountedProgram, walked: &mpsc::Sender<WalkedFunction>) {
    let summaries = FunctionSummaries::new(program);
    for function in 0..program.len() {
        if definition_of(program, function).is_none() {
            continue;
        }
        let Some(found) = summaries.of(function) else { continue };
        let newly_found = summaries.newly_found();
        // Those who take them end when there are no more.
        walked.send(WalkedFunction { function, found, newly_found }).ok();
    }
}

/// A function of the main file that is understood.
fn definition_of<'p>(
    program: &'p CountedProgram,
    function: usize,
) -> Option<(&'p ParsedFunction, &'p FunctionDefinition)> {
    let parsed = program.is_of_main_file(function).then(|| program.parsed(function).ok())??;
    Some((parsed, parsed.definition()?))
}

/// The blocks of functions, in their order. What loops call is known then, as far as the functions around them do call it.
fn made(program: &CountedProgram, functions: &mpsc::Receiver<WalkedFunction>) -> Vec<BlockCounts> {
    let (summaries, numbers) = (FunctionSummaries::new(program), ExecutionCounts::default());
    let mut made = Vec::new();
    for WalkedFunction { function, found, newly_found } in functions {
        summaries.learn(newly_found);
        let Some((parsed, definition)) = definition_of(program, function) else { continue };
        let whole = WalkedBlock {
            kind: BlockKind::Function,
            name: program.name(function).to_owned(),
            span: definition.statement.span,
            function,
            parsed,
            addresses: HashSet::new(),
            unset: BTreeSet::new(),
            found,
        };
        let loops = loops(&summaries, (function, parsed), definition);
        made.extend([whole].into_iter().chain(loops).map(|its| its.block(program, &numbers)));
    }
    made
}

/// The outermost loops of a function, walked through.
fn loops<'p>(
    summaries: &FunctionSummaries<'p>,
    (function, parsed): (usize, &'p ParsedFunction),
    definition: &'p FunctionDefinition,
) -> Vec<WalkedBlock<'p>> {
    let program = summaries.program;
    let loops = outermost_loops(&definition.statement);
    if loops.is_empty() {
        return Vec::new();
    }
    let mut unset_before = unset_before(&definition.statement);
    let effects = summaries.changes.effects(function);
    let mut found = Vec::with_capacity(loops.len());
    for statement in loops {
        // What a `case` or `goto` enters behind its begin cannot be measured.
        if effects.enters(statement.span.start) {
            continue;
        }
        let mut walk = summaries.walked_through(function, parsed, statement);
        walk.forbid_recursion();
        let (_, line) = program.place(parsed.original(statement.span.start));
        let span = statement.span;
        let unset = unset_before.remove(&span.start).unwrap_or_default();
        found.push(WalkedBlock {
            kind: BlockKind::Loop,
            name: format!("{}_{line}", program.name(function)),
            span,
            function,
            parsed,
            addresses: walk.addresses_around(),
            unset: read_under_condition(statement, unset),
            found: Arc::new(Summary::of_loop(walk.found)),
        });
    }
    found
}

impl<'p> WalkedBlock<'p> {
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
