//! What the functions of a program do, each walked through once.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use call_counting::{Atom, Polynomial};
use fixedbitset::FixedBitSet;
use lang_c::ast::Statement;
use lang_c::span::Node;

use super::super::around::{
    Around, CountedPart, FoundStatements, StatementGroup, StatementId, Surroundings, Uncounted,
};
use super::super::called::ChangesOfCalls;
use super::super::communication::is_communication;
use super::super::names::NamesRead;
use super::super::number::ExecutionCounts;
use super::super::program::{CountedProgram, ParsedFunction};
use super::super::value::{BlockVariable, UnknownReason};
use super::super::watch::Watch;
use super::returned::returned_as;
use super::{CountingWalk, recursion};

/// Variables that a function declares.
pub type Locals = Rc<HashMap<String, BlockVariable>>;

/// The functions of a program that were walked through.
pub struct FunctionSummaries<'p> {
    pub program: &'p CountedProgram<'p>,
    pub numbers: ExecutionCounts,
    known: RefCell<HashMap<usize, Arc<Summary>>>,
    in_progress: RefCell<Vec<usize>>,
    /// Functions that were called by others while they were walked through.
    called_again: RefCell<BTreeSet<usize>>,
    pub changes: ChangesOfCalls<'p>,
    /// The names in the texts of functions.
    names: RefCell<HashMap<usize, Rc<NamesRead>>>,
    /// What the function declares whose loops are walked through.
    locals: RefCell<Option<(usize, Locals)>>,
}

/// What a function does, in terms of its parameters and of what it reads beside them.
pub struct Summary {
    pub parameters: Vec<String>,
    pub groups: Vec<StatementGroup>,
    pub uncounted: Vec<Uncounted>,
    /// What it returns, if that is known.
    pub returned: Option<Polynomial>,
    /// Functions that it calls of whose statements some are not told.
    pub partly_told: FixedBitSet,
    /// The names in the numbers that are handed over to those who call.
    names: NamesRead,
}

/// Of a function with more statements, those of the functions that it calls included, one for each number is told to those who call.
const MOST_STATEMENTS: usize = 64;

/// So many times a function is walked through before all changes are kept.
const MOST_WALKS: usize = 16;

impl Summary {
    /// Of a loop, which nobody calls.
    pub fn of_loop(found: FoundStatements) -> Summary {
        Summary {
            parameters: Vec::new(),
            groups: found.groups,
            uncounted: found.uncounted,
            returned: None,
            partly_told: found.partly_told,
            names: NamesRead::default(),
        }
    }

    fn new(parameters: Vec<String>, found: FoundStatements, returned: Option<Polynomial>) -> Summary {
        let mut summary = Summary { parameters, returned, ..Summary::of_loop(found) };
        let mut names = NamesRead::default();
        let parts = summary.known().flat_map(|group| group.around.iter());
        let numbers = parts.flat_map(|part| part.polynomials()).chain(&summary.returned);
        for atom in numbers.flat_map(Polynomial::atoms) {
            match atom {
                Atom::Name(path) | Atom::Element { array: path, .. } => names.insert_path(path),
                _ => {}
            }
        }
        summary.names = names;
        summary
    }

    /// The statements whose number is known.
    pub fn known(&self) -> impl Iterator<Item = &StatementGroup> {
        self.groups.iter().filter(|group| !is_unknown(&group.around))
    }

    /// What those who call are told of statements with the same surroundings: one that stands for all where there are many.
    pub fn told<'g>(&self, group: &'g StatementGroup) -> Cow<'g, BTreeMap<StatementId, u64>> {
        if !self.is_large() {
            return Cow::Borrowed(&group.statements);
        }
        let (calls, others): (BTreeMap<StatementId, u64>, BTreeMap<StatementId, u64>) =
            group.statements.iter().partition(|(its, _)| is_communication(its));
        let first = others.into_iter().next().map(|(its, times)| (its.representative(), times));
        Cow::Owned(calls.into_iter().chain(first).collect())
    }

    /// Whether those who call are told some of its statements only.
    pub fn is_large(&self) -> bool {
        self.groups.iter().map(|group| group.statements.len()).sum::<usize>() > MOST_STATEMENTS
    }

    /// A statement whose number is not known, and why.
    pub fn unknown(&self) -> Option<(StatementId, UnknownReason)> {
        // How much is sent is not counted then, and no more.
        let first =
            |group: &StatementGroup| group.statements.keys().find(|its| !is_communication(its)).copied();
        let group = self.groups.iter().find(|its| is_unknown(&its.around) && first(its).is_some())?;
        let reason = group.around.iter().find_map(|around| match &**around {
            Around::Unknown(reason) => Some(reason.clone()),
            _ => None,
        })?;
        Some((first(group)?, reason))
    }

    /// All statements of which it is not told to those who call how often they run.
    fn untold(&self) -> impl Iterator<Item = &StatementId> {
        let untold = self.groups.iter().filter(|group| is_unknown(&group.around));
        untold.flat_map(|group| group.statements.keys())
    }
}

fn is_unknown(around: &[Arc<Around>]) -> bool {
    around.iter().any(|around| matches!(**around, Around::Unknown(_)))
}

impl CountingWalk<'_, '_> {
    /// Statements that run in other calls, too, where nobody knows how often, are unknown as a whole; where it is not told, they only stand for
    /// others.
    pub fn end(&mut self) {
        self.found.tell_partly(is_communication);
        let hidden = std::mem::take(&mut self.hidden);
        if hidden.is_empty() {
            return;
        }
        let known = self.found.groups.iter().filter(|group| !is_unknown(&group.around));
        let known: BTreeSet<StatementId> = known.flat_map(|group| group.statements.keys().copied()).collect();
        for (summary, reason) in hidden {
            let around: Surroundings = [Around::Unknown(reason).into()].into();
            for statement in summary.untold().filter(|its| known.contains(its)) {
                self.found.add(around.clone(), *statement, 1);
            }
        }
    }
}

impl<'p> FunctionSummaries<'p> {
    pub fn new(program: &'p CountedProgram<'p>) -> FunctionSummaries<'p> {
        FunctionSummaries {
            program,
            numbers: ExecutionCounts::default(),
            known: RefCell::default(),
            in_progress: RefCell::default(),
            called_again: RefCell::default(),
            changes: ChangesOfCalls::new(program),
            names: RefCell::default(),
            locals: RefCell::default(),
        }
    }

    /// The summary of a function; `None` while it is being made.
    pub fn of(&self, function: usize) -> Option<Arc<Summary>> {
        if let Some(known) = self.known.borrow().get(&function) {
            return Some(known.clone());
        }
        if self.in_progress.borrow().contains(&function) {
            self.called_again.borrow_mut().insert(function);
            return None;
        }
        self.in_progress.borrow_mut().push(function);
        let summary = Arc::new(self.walked(function));
        self.in_progress.borrow_mut().pop();
        self.known.borrow_mut().insert(function, summary.clone());
        Some(summary)
    }

    fn walked(&self, function: usize) -> Summary {
        let unknown = |why: &str| {
            let around: Surroundings =
                [Around::Unknown(UnknownReason::new(self.program.offset(function), why)).into()].into();
            let statement = StatementId::new(function, self.program.offset(function), CountedPart::Whole);
            let statements = BTreeMap::from([(statement, 1)]);
            let found = FoundStatements {
                groups: vec![StatementGroup { around, statements }],
                ..FoundStatements::default()
            };
            Summary::new(Vec::new(), found, None)
        };
        if self.in_progress.borrow().len() > 64 {
            return unknown("functions call each other too deep");
        }
        let Ok(parsed) = self.program.parsed(function) else {
            return unknown("this function is no C that is understood");
        };
        let Some(definition) = parsed.definition() else { return unknown("this is no function") };
        let mut walk = self.walked_through(function, parsed, &definition.statement);
        let parameters: Vec<String> =
            parsed.parameters(self.program).iter().map(|parameter| parameter.name.clone()).collect();
        let mut recursion = std::mem::take(&mut walk.recursion);
        recursion.end();
        let mut found = std::mem::take(&mut walk.found);
        let groups = &mut found.groups;
        let returned = std::mem::take(&mut walk.returned).value();
        let returned = returned.and_then(|its| returned_as(its, (definition, parsed), self.program));
        let is_called_again = self.called_again.borrow().contains(&function);
        if let Some(offset) = recursion.of_others.or(is_called_again.then(|| self.program.offset(function))) {
            let why = "functions that call each other";
            groups.iter_mut().for_each(|group| {
                group.around = [Around::Unknown(UnknownReason::new(offset, why)).into()].into()
            });
        } else if !recursion.calls.is_empty() {
            recursion::solve(&self.numbers, &recursion, &parameters, groups);
        }
        let returned = returned.filter(|_| recursion.calls.is_empty() && !is_called_again);
        Summary::new(parameters, found, returned)
    }

    /// A walk through a statement of a function.
    pub fn walked_through(
        &self,
        function: usize,
        parsed: &'p ParsedFunction,
        statement: &'p Node<Statement>,
    ) -> CountingWalk<'p, '_> {
        self.watched(function, parsed, |mut walk| {
            walk.block(statement);
            walk.end();
            walk
        })
    }

    /// What a walk finds in a function. Changes by calls that nothing seems to read are dropped; where something does read one, it begins
    /// anew.
    pub fn watched<'s, T>(
        &'s self,
        function: usize,
        parsed: &'p ParsedFunction,
        mut find: impl FnMut(CountingWalk<'p, 's>) -> T,
    ) -> T {
        // What functions read that are called is known when they have been walked through: each time more of them have been.
        let mut missed = NamesRead::default();
        for _ in 0..MOST_WALKS {
            let mut read = self.names_read(function);
            read.extend(&missed);
            let watch = Watch::new(read, self.changes.places.clone());
            let mut walk = CountingWalk::new(self, function, parsed);
            walk.environment.keep_only(watch.clone());
            let found = find(walk);
            if !watch.is_missed() {
                return found;
            }
            missed.extend(&watch.missed());
        }
        find(CountingWalk::new(self, function, parsed))
    }

    /// The variables that a function declares, found once for all of its loops.
    pub fn locals(&self, function: usize, find: impl FnOnce() -> HashMap<String, BlockVariable>) -> Locals {
        let mut known = self.locals.borrow_mut();
        match &*known {
            Some((its, locals)) if *its == function => locals.clone(),
            _ => known.insert((function, Rc::new(find()))).1.clone(),
        }
    }

    /// The names that a function reads, as far as is known: those of its text, and of the numbers of functions that it calls.
    fn names_read(&self, function: usize) -> NamesRead {
        let own = self.names.borrow().get(&function).cloned();
        let own = own.unwrap_or_else(|| {
            let own = Rc::new(self.program.names_in(function));
            self.names.borrow_mut().insert(function, own.clone());
            own
        });
        let mut read = NamesRead::clone(&own);
        let known = self.known.borrow();
        for called in &self.changes.effects(function).calls {
            let callee = self.changes.find(called).and_then(|callee| known.get(&callee));
            callee.into_iter().for_each(|callee| read.extend(&callee.names));
        }
        read
    }
}
