//! The statements between the directives of an experiment, counted in terms of the values that its measurements take along.

mod variables;
mod works;

use std::collections::{BTreeMap, BTreeSet};

use call_counting::Quality;
use lang_c::span::Span;

use super::block::{BlockKind, BlockMaker};
use super::number::ExecutionCounts;
use super::program::CountedProgram;
use super::region::{MeasuredRegion, found};
use super::term::{CodeLine, LineRemark};
use super::walk::summary::FunctionSummaries;
use super::work::{AccessStride, OperationKind};
use crate::preprocessed::Preprocessed;
pub use variables::without_brackets;
use variables::{in_recorded_names, in_variables};
use works::Works;

/// How often the statements of an experiment run.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentCounts {
    /// The terms of a formula, the slowest growing first; empty where something is not known.
    pub terms: Vec<ExperimentTerm>,
    /// What the numbers are worth.
    pub quality: Quality,
    /// The constants whose statements the directive names.
    pub given: BTreeSet<u32>,
    /// What they depend on and no measurement takes along.
    pub unrecorded: Vec<String>,
    /// Variables of the formula of which it is not known what they have to do with the counts: macros, and those that are taken at the end.
    pub unseen: Vec<String>,
    /// Why there are no terms.
    pub unknown: Vec<LineRemark>,
    /// What takes time and is not counted.
    pub uncounted: Vec<LineRemark>,
}

/// A term with the statements that run so often, up to a factor.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentTerm {
    /// As a formula writes it.
    pub basis: String,
    /// For each variable the powers of it and of its logarithm; `None` if it is no product of such.
    pub growth: Option<BTreeMap<String, (f64, u32)>>,
    /// The statements, by lines.
    pub statements: Vec<ExperimentStatement>,
}

/// The statements of a line that run as often as their term.
#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentStatement {
    /// Where they begin.
    pub place: CodeLine,
    /// Under which conditions on values of variables they run, as formulas write them: so often only where all of these hold, else never.
    pub conditions: Vec<String>,
    /// The constant that the directive puts them behind.
    pub constant: Option<u32>,
    /// Whether conditions within their expressions decide about some of what they do: it is so much at most.
    pub do_at_most: bool,
    /// What they do together, a multiple of the basis.
    pub operations: BTreeMap<OperationKind, f64>,
    /// Those of them that need the result of their own in the iteration before.
    pub chained: BTreeMap<OperationKind, f64>,
    /// The elements of arrays that they read and write.
    pub accesses: Vec<CountedAccess>,
}

/// What statements read and write of an array.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedAccess {
    /// The array, as C names it.
    pub array: String,
    /// Size of an element, where it is known.
    pub bytes: Option<u32>,
    /// Reads, a multiple of the basis.
    pub loads: f64,
    /// Writes likewise.
    pub stores: f64,
    /// From one iteration of the innermost loop to the next.
    pub stride: AccessStride,
    /// How many elements they reach, where that is known.
    pub footprint: Option<String>,
    /// The loops around them, the innermost first; empty where it is not known how often these run.
    pub loops: Vec<EnclosingLoop>,
}

/// A loop around an access.
#[derive(Debug, Clone, PartialEq)]
pub struct EnclosingLoop {
    /// Where it begins.
    pub line: CodeLine,
    /// How many iterations it has each time that it begins, as a formula writes it.
    pub iterations: String,
    /// From one of them to the next.
    pub stride: AccessStride,
}

/// Functions with more tokens are not counted: a translation shall not wait for what is a convenience.
const MOST_TOKENS: usize = 20_000;

/// A file whose experiments are counted.
pub fn program(preprocessed: &Preprocessed) -> CountedProgram<'_> {
    CountedProgram::new(preprocessed).without_longer(MOST_TOKENS)
}

/// The counts of each experiment; `None` where its statements are not understood as C.
pub fn experiments(program: &CountedProgram, regions: &[MeasuredRegion]) -> Vec<Option<ExperimentCounts>> {
    let summaries = FunctionSummaries::new(program);
    let numbers = ExecutionCounts::with_all_conditions();
    regions.iter().map(|region| counted(&summaries, &numbers, region)).collect()
}

fn counted(
    summaries: &FunctionSummaries,
    numbers: &ExecutionCounts,
    region: &MeasuredRegion,
) -> Option<ExperimentCounts> {
    let program = summaries.program;
    let function = program.function_at(region.begin)?;
    let parsed = program.parsed(function).ok()?;
    let found = found(parsed, region)?;
    let (first, last) = (found.items.first()?, found.items.last()?);
    let mut walk = summaries.watched(function, parsed, |mut walk| {
        walk.items(found.items);
        walk.end();
        walk
    });
    walk.forbid_recursion();
    let names = match region.variables.is_empty() {
        true => Vec::new(),
        false => summaries.watched(function, parsed, |mut before| {
            before.begin(false, None);
            let recorded = region.variables.iter().map(|(_, expression)| expression.clone());
            before.environment.keep_as_symbols(recorded);
            found.before.iter().for_each(|items| _ = before.one_after_another(items));
            in_recorded_names(&before.environment, region)
        }),
    };
    let span = Span::span(first.span.start, last.span.end);
    let maker = BlockMaker::new(program, numbers, (function, parsed), walk.addresses_around());
    let maker = maker.in_terms_of(names.clone());
    let (times, cases) = maker.cases(&walk.found.groups);
    let block = maker.block(BlockKind::Loop, &region.name, span, (&times, &walk.found.uncounted));
    let mut works = Works::new(summaries, function, &times, &cases);
    Some(in_variables(&block, region, &names, &mut works))
}

impl ExperimentCounts {
    /// The lines that have statements.
    pub fn lines(&self) -> BTreeSet<&CodeLine> {
        self.terms.iter().flat_map(|term| &term.statements).map(|statement| &statement.place).collect()
    }

    /// Puts the statements of some lines, and no others, behind a constant.
    pub fn give(&mut self, constant: u32, is_meant: impl Fn(&CodeLine) -> bool) {
        self.given.insert(constant);
        let statements = self.terms.iter_mut().flat_map(|term| &mut term.statements);
        statements.filter(|its| is_meant(&its.place)).for_each(|its| its.constant = Some(constant));
    }
}
