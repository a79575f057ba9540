//! What the statements of an experiment do: operations, and the elements of arrays that they reach.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use call_counting::{Assumption, Polynomial};

use super::super::access_loops::AccessLoops;
use super::super::around::{CountedPart, StatementId};
use super::super::call_sites::CallSites;
use super::super::footprint::{AccessLoop, footprint};
use super::super::given_arrays::{GivenArrays, GivenToArrays};
use super::super::number::ExecutionCount;
use super::super::operations::work;
use super::super::term::{CodeLine, CountedTerm};
use super::super::walk::summary::FunctionSummaries;
use super::super::work::{AccessStride, ElementAccess, LoopAround, OperationKind, StatementWork};
use super::{CountedAccess, EnclosingLoop, ExperimentStatement};

/// What the statements of each function do.
pub struct Works<'a, 'p> {
    summaries: &'a FunctionSummaries<'p>,
    /// That of the experiment.
    function: usize,
    times: &'a BTreeMap<StatementId, Rc<ExecutionCount>>,
    /// The conditions under which they run, by numbers.
    pub cases: &'a [BTreeSet<Assumption>],
    known: HashMap<usize, HashMap<usize, StatementWork>>,
    given: GivenArrays,
    sites: CallSites,
}

impl<'a, 'p> Works<'a, 'p> {
    pub fn new(
        summaries: &'a FunctionSummaries<'p>,
        function: usize,
        times: &'a BTreeMap<StatementId, Rc<ExecutionCount>>,
        cases: &'a [BTreeSet<Assumption>],
    ) -> Works<'a, 'p> {
        let (known, given, sites) = (HashMap::new(), GivenArrays::default(), CallSites::default());
        let mut works = Works { summaries, function, times, cases, known, given, sites };
        works.given = works.given();
        works
    }
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
    pub fn of(
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

/// What the statements of a line do, as multiples of the basis of their term.
#[derive(Default)]
struct LineWork {
    is_at_most: bool,
    operations: BTreeMap<OperationKind, f64>,
    chained: BTreeMap<OperationKind, f64>,
    accesses: Vec<CountedAccess>,
}

impl CountedAccess {
    /// Whether another access reaches the same elements in the same way.
    fn is_like(&self, other: &CountedAccess) -> bool {
        let way = |its: &CountedAccess| CountedAccess { loads: 0.0, stores: 0.0, ..its.clone() };
        way(self) == way(other)
    }
}
