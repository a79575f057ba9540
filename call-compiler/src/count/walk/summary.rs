//! What the functions of a program do, each walked through once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use super::super::around::{Around, Group, Part, StatementId, Surroundings, Uncounted};
use super::super::change::{Called, Finder};
use super::super::number::Numbers;
use super::super::place::{Place, root_of, rooted};
use super::super::program::Program;
use super::super::value::Reason;
use super::{Walk, recursion};

/// The functions of a program that were walked through.
pub struct Summaries<'p> {
    pub program: &'p Program<'p>,
    pub numbers: Numbers,
    known: RefCell<HashMap<usize, Rc<Summary>>>,
    in_progress: RefCell<Vec<usize>>,
    /// Functions that were called by others while they were walked through.
    called_again: RefCell<BTreeSet<usize>>,
    changes: RefCell<HashMap<usize, Rc<BTreeSet<Place>>>>,
}

/// What a function does, in terms of its parameters and of what it reads beside them.
pub struct Summary {
    pub parameters: Vec<String>,
    pub groups: Vec<Group>,
    pub uncounted: Vec<Uncounted>,
}

/// A function with more statements, those of the functions that it calls included, is not followed from where it is called.
const MOST_STATEMENTS: usize = 64;

impl Summary {
    /// The statements whose number is known; none of a function that is too large.
    pub fn known(&self) -> impl Iterator<Item = &Group> {
        let is_small = self.size() <= MOST_STATEMENTS;
        self.groups.iter().filter(move |group| is_small && !is_unknown(&group.around))
    }

    /// A statement whose number is not known, and why, for a call at an offset.
    pub fn unknown(&self, offset: usize) -> Option<(StatementId, Reason)> {
        let first = |group: &Group| group.statements.keys().next().copied();
        if self.size() > MOST_STATEMENTS {
            let why = "a function is called that has more statements than are told apart";
            return Some((self.groups.iter().find_map(first)?, Reason::new(offset, why)));
        }
        let group = self.groups.iter().find(|group| is_unknown(&group.around))?;
        let reason = group.around.iter().find_map(|around| match &**around {
            Around::Unknown(reason) => Some(reason.clone()),
            _ => None,
        })?;
        Some((first(group)?, reason))
    }

    fn size(&self) -> usize {
        self.groups.iter().map(|group| group.statements.len()).sum()
    }
}

fn is_unknown(around: &[Rc<Around>]) -> bool {
    around.iter().any(|around| matches!(**around, Around::Unknown(_)))
}

impl<'p> Summaries<'p> {
    pub fn new(program: &'p Program<'p>) -> Summaries<'p> {
        Summaries {
            program,
            numbers: Numbers::default(),
            known: RefCell::default(),
            in_progress: RefCell::default(),
            called_again: RefCell::default(),
            changes: RefCell::default(),
        }
    }

    /// The summary of a function; `None` while it is being made.
    pub fn of(&self, function: usize) -> Option<Rc<Summary>> {
        if let Some(known) = self.known.borrow().get(&function) {
            return Some(known.clone());
        }
        if self.in_progress.borrow().contains(&function) {
            self.called_again.borrow_mut().insert(function);
            return None;
        }
        self.in_progress.borrow_mut().push(function);
        let summary = Rc::new(self.walked(function));
        self.in_progress.borrow_mut().pop();
        self.known.borrow_mut().insert(function, summary.clone());
        Some(summary)
    }

    fn walked(&self, function: usize) -> Summary {
        let unknown = |why: &str| {
            let around: Surroundings =
                [Around::Unknown(Reason::new(self.program.offset(function), why)).into()].into();
            let statement =
                StatementId { function, offset: self.program.offset(function), part: Part::Whole };
            let statements = BTreeMap::from([(statement, 1)]);
            Summary {
                parameters: Vec::new(),
                groups: vec![Group { around, statements }],
                uncounted: Vec::new(),
            }
        };
        if self.in_progress.borrow().len() > 64 {
            return unknown("functions call each other too deep");
        }
        let Ok(parsed) = self.program.parsed(function) else {
            return unknown("this function is no C that is understood");
        };
        let Some(definition) = parsed.definition() else { return unknown("this is no function") };
        let mut walk = Walk::new(self, function, parsed);
        walk.block(&definition.statement);
        let parameters: Vec<String> =
            parsed.parameters(self.program).iter().map(|parameter| parameter.name.clone()).collect();
        let recursion = std::mem::take(&mut walk.recursion);
        let mut groups = std::mem::take(&mut walk.found.groups);
        let is_called_again = self.called_again.borrow().contains(&function);
        if let Some(offset) = recursion.of_others.or(is_called_again.then(|| self.program.offset(function))) {
            let why = "functions that call each other";
            groups
                .iter_mut()
                .for_each(|group| group.around = [Around::Unknown(Reason::new(offset, why)).into()].into());
        } else if !recursion.calls.is_empty() {
            recursion::solve(&self.numbers, &recursion, &parameters, &mut groups);
        }
        Summary { parameters, groups, uncounted: walk.found.uncounted }
    }

    /// What a function changes outside of itself, with its own parameters as names.
    fn changes(&self, function: usize) -> Rc<BTreeSet<Place>> {
        if let Some(known) = self.changes.borrow().get(&function) {
            return known.clone();
        }
        self.changes.borrow_mut().insert(function, Rc::default());
        let mut found = BTreeSet::new();
        if let Ok(parsed) = self.program.parsed(function)
            && let Some(definition) = parsed.definition()
        {
            let effects = Finder::statement(&definition.statement);
            let parameters: Vec<String> =
                parsed.parameters(self.program).iter().map(|its| its.name.clone()).collect();
            let mut places: Vec<Place> = effects.changes.iter().map(|change| change.place.clone()).collect();
            places.extend(effects.calls.iter().flat_map(|called| self.changes_of(called)));
            // A new value of a parameter is the function's own affair.
            let is_seen_outside = |place: &Place| match place {
                Place::Path(path) => !effects.declared.contains(place.root()) && !parameters.contains(path),
                Place::Elements(_) => !effects.declared.contains(place.root()),
                Place::Anything => false,
            };
            found.extend(places.into_iter().filter(is_seen_outside));
        }
        let found = Rc::new(found);
        self.changes.borrow_mut().insert(function, found.clone());
        found
    }

    /// What a call changes, in terms of who calls.
    pub fn changes_of(&self, called: &Called) -> Vec<Place> {
        let Some(function) = self.program.find(&called.name) else { return Vec::new() };
        let Ok(parsed) = self.program.parsed(function) else { return Vec::new() };
        let parameters = parsed.parameters(self.program);
        let in_terms_of_caller = |path: &String| {
            let position = parameters.iter().position(|its| its.name == root_of(path));
            match position {
                Some(position) => {
                    let argument = called.arguments.get(position)?.as_ref()?;
                    Some(rooted(path, argument))
                }
                None => Some(path.clone()),
            }
        };
        let place = |key: &Place| match key {
            Place::Path(path) => in_terms_of_caller(path).map(Place::Path),
            Place::Elements(path) => {
                let path = in_terms_of_caller(path)?;
                // What a pointer to a variable points to is that variable.
                Some(match path.strip_prefix('&') {
                    Some(variable) => Place::Path(variable.to_owned()),
                    None => Place::Elements(path),
                })
            }
            Place::Anything => None,
        };
        self.changes(function).iter().filter_map(place).collect()
    }
}
