//! The statements between the directives of an experiment, counted in terms of the values that its measurements take along.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use call_counting::{Assumption, Atom, Polynomial, Quality, growth};
use lang_c::span::Span;

use super::access_loops::AccessLoops;
use super::around::{CountedPart, StatementId};
use super::block::{BlockCounts, BlockKind, BlockMaker};
use super::call_sites::CallSites;
use super::communication::PROCESSORS;
use super::footprint::{AccessLoop, footprint};
use super::given_arrays::{GivenArrays, GivenToArrays};
use super::number::{ExecutionCount, ExecutionCounts};
use super::operations::work;
use super::program::CountedProgram;
use super::region::{MeasuredRegion, found};
use super::term::{CodeLine, CountedTerm, LineRemark};
use super::value::Environment;
use super::walk::summary::FunctionSummaries;
use super::work::{AccessStride, ElementAccess, LoopAround, OperationKind, StatementWork};
use crate::preprocessed::Preprocessed;

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
    let mut works = Works {
        summaries,
        function,
        times: &times,
        cases: &cases,
        known: HashMap::new(),
        given: GivenArrays::default(),
        sites: CallSites::default(),
    };
    works.given = works.given();
    Some(in_variables(&block, region, &names, &mut works))
}

impl CountedAccess {
    /// Whether another access reaches the same elements in the same way.
    fn is_like(&self, other: &CountedAccess) -> bool {
        let way = |its: &CountedAccess| CountedAccess { loads: 0.0, stores: 0.0, ..its.clone() };
        way(self) == way(other)
    }
}

/// What the statements of a line do, as multiples of the basis of their term.
#[derive(Default)]
struct LineWork {
    is_at_most: bool,
    operations: BTreeMap<OperationKind, f64>,
    chained: BTreeMap<OperationKind, f64>,
    accesses: Vec<CountedAccess>,
}

/// What the statements of each function do.
struct Works<'a, 'p> {
    summaries: &'a FunctionSummaries<'p>,
    /// That of the experiment.
    function: usize,
    times: &'a BTreeMap<StatementId, Rc<ExecutionCount>>,
    /// The conditions under which they run, by numbers.
    cases: &'a [BTreeSet<Assumption>],
    known: HashMap<usize, HashMap<usize, StatementWork>>,
    given: GivenArrays,
    sites: CallSites,
}

impl Works<'_, '_> {
    /// What the calls in the experiment give to parameters.
    fn given(&mut self) -> GivenArrays {
        let program = self.summaries.program;
        let reached: BTreeSet<StatementId> = self.times.keys().copied().collect();
        let functions: BTreeSet<usize> = reached.iter().map(|id| id.function).collect();
        let own: BTreeSet<usize> =
            reached.iter().filter(|id| id.function == self.function).map(|id| id.offset).collect();
        let main = self.function;
        let loops = reached.iter().filter(|id| id.part == CountedPart::LoopEntry);
        let loops: BTreeSet<(usize, usize)> = loops.map(|id| (id.function, id.offset)).collect();
        let mut given = GivenToArrays::new(main);
        let mut sites = CallSites::default();
        for function in functions {
            let is_reached = |offset: &usize| function != main || own.contains(offset);
            for (_, work) in self.of_function(function).iter().filter(|(offset, _)| is_reached(offset)) {
                let is_in_loop = work.loops.iter().any(|its| loops.contains(&(function, its.offset)));
                given.take(program, function, work, is_in_loop);
                sites.take(program, function, work);
            }
        }
        self.sites = sites;
        given.find(program)
    }

    /// The statements of a term by lines and conditions, in the names that counts are told in.
    fn of(
        &mut self,
        term: &CountedTerm,
        in_variables: &dyn Fn(Polynomial) -> Polynomial,
    ) -> Vec<ExperimentStatement> {
        let mut by_line: BTreeMap<(CodeLine, usize), Vec<(StatementId, f64)>> = BTreeMap::new();
        for (id, factor) in &term.factors {
            by_line.entry((self.place(id), id.case)).or_default().push((*id, factor.to_f64()));
        }
        let statement = |((place, case), ids): ((CodeLine, usize), Vec<(StatementId, f64)>)| {
            let LineWork { is_at_most, operations, chained, accesses } = self.of_line(&ids, in_variables);
            let conditions = self.cases[case].iter().map(|its| Assumption(in_variables(its.0.clone())));
            ExperimentStatement {
                place,
                conditions: conditions.map(|its| its.to_string()).collect(),
                constant: None,
                do_at_most: is_at_most,
                operations,
                chained,
                accesses,
            }
        };
        by_line.into_iter().map(statement).collect()
    }

    fn place(&self, id: &StatementId) -> CodeLine {
        let (file, line) = self.summaries.program.place(id.offset);
        CodeLine { file: file.map(str::to_owned), line }
    }

    /// What the statements of a line do, each so often as its factor says.
    fn of_line(
        &mut self,
        ids: &[(StatementId, f64)],
        in_variables: &dyn Fn(Polynomial) -> Polynomial,
    ) -> LineWork {
        let mut told = LineWork::default();
        for (id, factor) in ids.iter().filter(|(id, _)| id.part == CountedPart::Whole) {
            let Some(work) = self.work(id) else { continue };
            told.is_at_most |= work.is_at_most;
            for (all, its) in [(&mut told.operations, &work.operations), (&mut told.chained, &work.chained)] {
                for (operation, count) in its {
                    *all.entry(*operation).or_insert(0.0) += factor * f64::from(*count);
                }
            }
            for access in &work.accesses {
                let own = self.access(id, &work.loops, access, in_variables);
                let known = match told.accesses.iter_mut().find(|known| known.is_like(&own)) {
                    Some(known) => known,
                    None => {
                        told.accesses.push(own);
                        let last = told.accesses.len() - 1;
                        &mut told.accesses[last]
                    }
                };
                *(if access.is_store { &mut known.stores } else { &mut known.loads }) += factor;
            }
        }
        told
    }

    /// An access of a statement, which is not counted yet.
    fn access(
        &self,
        id: &StatementId,
        around: &[LoopAround],
        access: &ElementAccess,
        in_variables: &dyn Fn(Polynomial) -> Polynomial,
    ) -> CountedAccess {
        let in_names = |stride: &AccessStride| match stride {
            AccessStride::Elements(its) => AccessStride::Elements(in_variables(its.clone())),
            other => other.clone(),
        };
        let places = AccessLoops {
            program: self.summaries.program,
            function: self.function,
            times: self.times,
            given: &self.given,
            sites: &self.sites,
        };
        let iterations = places.around(id, around, access);
        let loops = iterations.iter().flatten().rev().map(|(offset, its)| EnclosingLoop {
            line: self.line(*offset),
            iterations: in_variables(its.iterations.clone()).to_string(),
            stride: in_names(&its.stride),
        });
        let footprint = || {
            let loops: Vec<&AccessLoop> = iterations.as_ref()?.iter().map(|(_, its)| its).collect();
            footprint(access, &loops).filter(|_| self.given.is_one_part(id.function, &access.array))
        };
        CountedAccess {
            array: self.given.name(id.function, &access.array),
            bytes: access.bytes,
            loads: 0.0,
            stores: 0.0,
            stride: in_names(&places.told(id.function, &access.stride())),
            footprint: footprint().map(|its| in_variables(its).to_string()),
            loops: loops.collect(),
        }
    }

    fn line(&self, offset: usize) -> CodeLine {
        let (file, line) = self.summaries.program.place(offset);
        CodeLine { file: file.map(str::to_owned), line }
    }

    fn work(&mut self, id: &StatementId) -> Option<StatementWork> {
        self.of_function(id.function).get(&id.offset).cloned()
    }

    /// The work of all statements of a function, by their places.
    fn of_function(&mut self, function: usize) -> &HashMap<usize, StatementWork> {
        let summaries = self.summaries;
        self.known.entry(function).or_insert_with(|| {
            let Ok(parsed) = summaries.program.parsed(function) else { return HashMap::new() };
            summaries.watched(function, parsed, |mut walk| {
                work(summaries.program, parsed, &mut |expression| walk.peek(expression))
            })
        })
    }
}

/// Values of names that no measurement takes along, where they follow from some that are taken along.
fn in_recorded_names(environment: &Environment, region: &MeasuredRegion) -> Vec<(Atom, Polynomial)> {
    let is_recorded = |name: &str| region.variables.iter().any(|(_, expression)| expression == name);
    // A number that the source has once may be another one in the next version.
    let follows = |value: &Polynomial| {
        let atoms = value.atoms();
        !value.has_index()
            && atoms.iter().any(|atom| matches!(atom, Atom::Name(_)))
            && atoms.into_iter().all(|atom| match atom {
                Atom::Name(name) => is_recorded(name) && environment.get(name) == Ok(Polynomial::name(name)),
                Atom::Element { .. } => false,
                _ => true,
            })
    };
    let told = environment.known().filter(|(name, value)| !is_recorded(name) && follows(value));
    told.map(|(name, value)| (Atom::name(&name), value.clone())).collect()
}

/// What counts have functions of.
const FUNCTIONS: [&str; 7] = ["min", "max", "floor", "log2", "sqrt", "cbrt", "pow"];

/// Tells the counts in the variables of the formula.
fn in_variables(
    block: &BlockCounts,
    region: &MeasuredRegion,
    names: &[(Atom, Polynomial)],
    works: &mut Works,
) -> ExperimentCounts {
    let variable = |text: &str| {
        let text = without_brackets(text);
        region.variables.iter().find(|(_, expression)| *expression == text).map(|(variable, _)| variable)
    };
    let named = |atom: &Atom| Some(Polynomial::name(variable(&atom.to_string())?));
    // Both ends of a difference such as `(hi - lo)`, with each of which it grows.
    let ends = |name: &str| {
        let (high, low) = name.strip_prefix('(')?.strip_suffix(')')?.split_once(" - ")?;
        Some([variable(high)?, variable(low)?])
    };
    let in_variables = |its: Polynomial| {
        let replaced =
            names.iter().fold(its, |its, (name, value)| its.substituted(name, value).unwrap_or(its));
        replaced.mapped(&named).unwrap_or(replaced)
    };
    // All that stands in a difference such as `(min(n, hi) - lo)`.
    let are_recorded = |name: &str| {
        let words = name.split([' ', '(', ')', ',', '*', '/']).filter(|word| {
            word.starts_with(|first: char| first.is_alphabetic() || first == '_') && !FUNCTIONS.contains(word)
        });
        name.starts_with('(') && words.into_iter().all(|word| variable(word).is_some())
    };
    let is_name = |atom: &&Atom| matches!(atom, Atom::Name(_) | Atom::Element { .. });
    let is_variable = |atom: &&Atom| {
        let is_number_of_processors = block.knows_processors && **atom == Atom::name(PROCESSORS);
        is_number_of_processors || region.variables.iter().any(|(its, _)| Atom::name(its) == **atom)
    };
    let mut unrecorded = BTreeSet::new();
    let mut terms = Vec::new();
    // A condition on what nobody takes along is one on data.
    let is_open = |case: &usize| {
        let polynomials = works.cases[*case].iter().map(|its| in_variables(its.0.clone()));
        let of_data =
            |its: Polynomial| its.atoms().into_iter().any(|atom| is_name(&atom) && !is_variable(&atom));
        polynomials.into_iter().any(of_data)
    };
    let numbers: BTreeSet<usize> =
        block.terms.iter().flat_map(|term| &term.factors).map(|(id, _)| id.case).collect();
    let is_at_most = numbers.iter().any(is_open);
    for term in &block.terms {
        let basis = in_variables(Polynomial::from(term.basis.clone()));
        let others = basis.atoms().into_iter().filter(|atom| is_name(atom) && !is_variable(atom));
        let others = others.map(ToString::to_string).filter(|name| !are_recorded(name));
        unrecorded.extend(others);
        let growth = basis.single().and_then(|(monomial, _)| growth(monomial));
        let growth = growth.and_then(|growth| {
            let mut along: BTreeMap<String, (f64, u32)> = BTreeMap::new();
            for (name, (power, logarithms)) in growth {
                let names = if name.starts_with('(') { ends(&name)?.to_vec() } else { vec![&name] };
                for name in names {
                    let its = along.entry(name.clone()).or_default();
                    *its = (its.0 + power, its.1 + logarithms);
                }
            }
            Some(along)
        });
        terms.push(ExperimentTerm {
            basis: basis.to_string(),
            growth,
            statements: works.of(term, &in_variables),
        });
    }
    let known = block.statements.iter().filter(|statement| statement.times.is_some());
    ExperimentCounts {
        terms,
        quality: if is_at_most {
            Quality::AtMost
        } else {
            known.map(|statement| statement.quality).max().unwrap_or(Quality::Exact)
        },
        given: BTreeSet::new(),
        unrecorded: unrecorded.into_iter().collect(),
        unseen: region.unseen.clone(),
        unknown: block.unknown.clone(),
        uncounted: block.uncounted.clone(),
    }
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

/// An expression without blanks and without brackets around it.
pub fn without_brackets(text: &str) -> String {
    let text: String = text.split_whitespace().collect();
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inside {
        Some(inside) if !inside.contains(['(', ')']) => inside.to_owned(),
        _ => text,
    }
}
