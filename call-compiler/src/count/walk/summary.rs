//! What the functions of a program do, each walked through once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::super::around::{Around, Group, Part, StatementId, Surroundings, Uncounted};
use super::super::change::{Called, Effects, Finder};
use super::super::number::Numbers;
use super::super::place::{Place, member_of, root_of, rooted};
use super::super::program::{Parsed, Program};
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
    effects: RefCell<HashMap<usize, Rc<Effects<'p>>>>,
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

/// A function that calls itself with a member of its parameter would change members without end: behind this many arrows only the last
/// name is kept, with which it stands for all members of that name.
const MOST_ARROWS: usize = 3;

fn shortened(place: Place) -> Place {
    let short = |path: String| match (path.matches('>').count() > MOST_ARROWS, member_of(&path)) {
        (true, Some(member)) => format!("*->{member}"),
        _ => path,
    };
    match place {
        Place::Path(path) => Place::Path(short(path)),
        Place::Elements(path) => Place::Elements(short(path)),
        Place::Anything => Place::Anything,
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
            effects: RefCell::default(),
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
        self.find_changes(function);
        self.changes.borrow().get(&function).cloned().unwrap_or_default()
    }

    /// Finds what a function and all that it calls change. Those that call each other are gone through until nothing is added.
    fn find_changes(&self, function: usize) {
        let mut order = Vec::new();
        self.callees_first(function, &mut BTreeSet::new(), &mut order);
        let mut callers: HashMap<usize, BTreeSet<usize>> = HashMap::new();
        for function in &order {
            let effects = self.effects(*function);
            let callees = effects.calls.iter().filter_map(|called| self.program.find(&called.name));
            callees.for_each(|callee| _ = callers.entry(callee).or_default().insert(*function));
        }
        let mut outdated: HashSet<usize> = order.iter().copied().collect();
        while !outdated.is_empty() {
            for function in &order {
                if !outdated.remove(function) {
                    continue;
                }
                let found = self.changes_found(*function);
                let mut changes = self.changes.borrow_mut();
                let known = changes.entry(*function).or_default();
                if found.len() > known.len() {
                    outdated.extend(callers.get(function).into_iter().flatten());
                }
                *known = Rc::new(found);
            }
        }
    }

    /// The functions whose changes are not known yet, those that are called before those that call them as far as that can be.
    fn callees_first(&self, function: usize, met: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
        if self.changes.borrow().contains_key(&function) || !met.insert(function) {
            return;
        }
        for called in &self.effects(function).calls {
            if let Some(callee) = self.program.find(&called.name) {
                self.callees_first(callee, met, order);
            }
        }
        order.push(function);
    }

    /// What the statements of a function do.
    pub fn effects(&self, function: usize) -> Rc<Effects<'p>> {
        if let Some(known) = self.effects.borrow().get(&function) {
            return known.clone();
        }
        let definition = self.program.parsed(function).ok().and_then(Parsed::definition);
        let found = definition.map(|definition| Finder::statement(&definition.statement)).unwrap_or_default();
        let found = Rc::new(found);
        self.effects.borrow_mut().insert(function, found.clone());
        found
    }

    /// What a function changes as far as that is known of those that it calls.
    fn changes_found(&self, function: usize) -> BTreeSet<Place> {
        let mut found = BTreeSet::new();
        if let Ok(parsed) = self.program.parsed(function)
            && parsed.definition().is_some()
        {
            let effects = self.effects(function);
            let parameters: Vec<String> =
                parsed.parameters(self.program).iter().map(|its| its.name.clone()).collect();
            let mut places: Vec<Place> = effects.changes.iter().map(|change| change.place.clone()).collect();
            for called in effects.calls.iter().collect::<BTreeSet<&Called>>() {
                let callee = self.program.find(&called.name);
                places.extend(callee.into_iter().flat_map(|callee| self.known_changes_of(callee, called)));
            }
            // A new value of a parameter is the function's own affair.
            let is_seen_outside = |place: &Place| match place {
                Place::Path(path) => !effects.declared.contains(place.root()) && !parameters.contains(path),
                Place::Elements(_) => !effects.declared.contains(place.root()),
                Place::Anything => false,
            };
            found.extend(places.into_iter().filter(is_seen_outside).map(shortened));
        }
        found
    }

    /// What a call changes, in terms of who calls.
    pub fn changes_of(&self, called: &Called) -> Vec<Place> {
        let Some(function) = self.program.find(&called.name) else { return Vec::new() };
        self.changes(function);
        self.known_changes_of(function, called)
    }

    /// The same, of what was found before.
    fn known_changes_of(&self, function: usize, called: &Called) -> Vec<Place> {
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
        let changes = self.changes.borrow().get(&function).cloned();
        changes.unwrap_or_default().iter().filter_map(place).collect()
    }
}
