//! What the functions of a program do, each walked through once.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use call_counting::{Atom, Polynomial};
use lang_c::ast::Statement;
use lang_c::span::Node;
use lang_c::visit::Visit;

use super::super::around::{Around, Found, Group, Part, StatementId, Surroundings, Uncounted};
use super::super::change::{Called, Effects, Finder};
use super::super::number::Numbers;
use super::super::place::{ANY, Place, last_name, member_of, names_of, root_of};
use super::super::program::{Parameter, Parsed, Program};
use super::super::sources::Sources;
use super::super::value::{Environment, Reason};
use super::super::watch::{Name, Names, Watch};
use super::{Walk, recursion};

/// The functions of a program that were walked through.
pub struct Summaries<'p> {
    pub program: &'p Program<'p>,
    pub numbers: Numbers,
    known: RefCell<HashMap<usize, Arc<Summary>>>,
    in_progress: RefCell<Vec<usize>>,
    /// Functions that were called by others while they were walked through.
    called_again: RefCell<BTreeSet<usize>>,
    changes: RefCell<HashMap<usize, Rc<BTreeSet<Place>>>>,
    /// The last name of each; none of those that are parameters.
    changed_names: RefCell<HashMap<usize, Rc<Vec<Option<Name>>>>>,
    effects: RefCell<HashMap<usize, Rc<Effects<'p>>>>,
    sources: RefCell<HashMap<usize, Rc<Sources>>>,
    addressed_globals: OnceCell<Vec<String>>,
    /// What functions may change that pointers name, and which functions call such.
    by_pointers: OnceCell<(BTreeSet<Place>, Vec<bool>)>,
    /// The names in the texts of functions.
    names: RefCell<HashMap<usize, Rc<Names>>>,
}

/// What a function does, in terms of its parameters and of what it reads beside them.
pub struct Summary {
    pub parameters: Vec<String>,
    pub groups: Vec<Group>,
    pub uncounted: Vec<Uncounted>,
    /// The names in the numbers that are handed over to those who call.
    names: Names,
}

/// A function with more statements, those of the functions that it calls included, is not followed from where it is called.
const MOST_STATEMENTS: usize = 64;

/// So many times a function is walked through before all changes are kept.
const MOST_WALKS: usize = 16;

impl Summary {
    /// Of a loop, which nobody calls.
    pub fn of_loop(found: Found) -> Summary {
        let Found { groups, uncounted } = found;
        Summary { parameters: Vec::new(), groups, uncounted, names: Names::default() }
    }

    fn new(parameters: Vec<String>, groups: Vec<Group>, uncounted: Vec<Uncounted>) -> Summary {
        let mut summary = Summary { parameters, groups, uncounted, names: Names::default() };
        let mut names = Names::default();
        let parts = summary.known().flat_map(|group| group.around.iter());
        for atom in parts.flat_map(|part| part.polynomials()).flat_map(Polynomial::atoms) {
            match atom {
                Atom::Name(path) | Atom::Element { array: path, .. } => names.insert_path(path),
                _ => {}
            }
        }
        summary.names = names;
        summary
    }

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

/// A path with more names than this ends in what no program has: a function hands the address of a member to itself, again and again.
const MOST_NAMES: usize = 8;

/// A place as those who call know it: members of a parameter, that they put something in the place of, and variables. What is behind
/// other pointers may be any member of that name. So a function has no more changes than there are names.
fn seen_from_outside(place: Place, parameters: &[String]) -> Place {
    let seen = |path: String| {
        let Some(member) = member_of(&path) else { return path };
        let is_of_parameter =
            path.matches('>').count() == 1 && parameters.iter().any(|its| *its == root_of(&path));
        if names_of(&path).count() > MOST_NAMES {
            format!("{ANY}->{}", last_name(&path))
        } else if is_of_parameter {
            path
        } else {
            format!("{ANY}->{member}")
        }
    };
    match place {
        Place::Path(path) => Place::Path(seen(path)),
        Place::Elements(path) => Place::Elements(seen(path)),
        Place::Anything => Place::Anything,
    }
}

fn is_unknown(around: &[Arc<Around>]) -> bool {
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
            changed_names: RefCell::default(),
            effects: RefCell::default(),
            sources: RefCell::default(),
            addressed_globals: OnceCell::new(),
            by_pointers: OnceCell::new(),
            names: RefCell::default(),
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
                [Around::Unknown(Reason::new(self.program.offset(function), why)).into()].into();
            let statement =
                StatementId { function, offset: self.program.offset(function), part: Part::Whole };
            let statements = BTreeMap::from([(statement, 1)]);
            Summary::new(Vec::new(), vec![Group { around, statements }], Vec::new())
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
        Summary::new(parameters, groups, walk.found.uncounted)
    }

    /// A walk through a statement of a function. Changes by calls that nothing seems to read are dropped; where something does read one, it
    /// begins anew.
    pub fn walked_through(
        &self,
        function: usize,
        parsed: &'p Parsed,
        statement: &'p Node<Statement>,
    ) -> Walk<'p, '_> {
        // What functions read that are called is known when they have been walked through: each time more of them have been.
        let mut missed = Names::default();
        for _ in 0..MOST_WALKS {
            let mut read = self.names_read(function);
            read.extend(&missed);
            let watch = Watch::new(read);
            let mut walk = Walk::new(self, function, parsed);
            walk.environment = Environment::watching(watch.clone());
            walk.block(statement);
            if !watch.is_missed() {
                return walk;
            }
            missed.extend(&watch.missed());
        }
        let mut walk = Walk::new(self, function, parsed);
        walk.block(statement);
        walk
    }

    /// The names that a function reads, as far as is known: those of its text, and of the numbers of functions that it calls.
    fn names_read(&self, function: usize) -> Names {
        let own = self.names.borrow().get(&function).cloned();
        let own = own.unwrap_or_else(|| {
            let own = Rc::new(self.program.names_in(function));
            self.names.borrow_mut().insert(function, own.clone());
            own
        });
        let mut read = Names::clone(&own);
        let known = self.known.borrow();
        for called in &self.effects(function).calls {
            let callee = self.find(called).and_then(|callee| known.get(&callee));
            callee.into_iter().for_each(|callee| read.extend(&callee.names));
        }
        read
    }

    /// What a function changes outside of itself, with its own parameters as names, and the last name of each.
    fn changes(&self, function: usize) -> (Rc<BTreeSet<Place>>, Rc<Vec<Option<Name>>>) {
        if !self.changes.borrow().contains_key(&function) {
            self.find_changes(function);
        }
        let changes = self.changes.borrow().get(&function).cloned().unwrap_or_default();
        let mut known = self.changed_names.borrow_mut();
        let names = known.entry(function).or_insert_with(|| {
            let parameters = self.parameters(function);
            let last_name = |place: &Place| match place {
                Place::Path(path) | Place::Elements(path)
                    if parameters.iter().all(|its| its.name != *path) =>
                {
                    Some(Name::last_of(path))
                }
                _ => None,
            };
            Rc::new(changes.iter().map(last_name).collect())
        });
        (changes, names.clone())
    }

    fn parameters(&self, function: usize) -> &'p [Parameter] {
        self.program.parsed(function).map_or(&[][..], |parsed| parsed.parameters(self.program))
    }

    /// Finds what a function and all that it calls change. Those that call each other are gone through until nothing is added.
    fn find_changes(&self, function: usize) {
        let mut order = Vec::new();
        self.callees_first(function, &mut BTreeSet::new(), &mut order);
        let mut callers: HashMap<usize, BTreeSet<usize>> = HashMap::new();
        for function in &order {
            let effects = self.effects(*function);
            let callees = effects.calls.iter().filter_map(|called| self.find(called));
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
            if let Some(callee) = self.find(called) {
                self.callees_first(callee, met, order);
            }
        }
        order.push(function);
    }

    /// The function that is called, if it has a body here.
    fn find(&self, called: &Called) -> Option<usize> {
        self.program.find(called.name.as_deref()?)
    }

    /// Whether a call may come to functions of this file whose address was taken.
    fn calls_by_pointers(&self, called: &Called) -> bool {
        match self.find(called) {
            Some(function) => self.by_pointers().1[function],
            None => self.is_by_pointer(called),
        }
    }

    /// A call by a pointer, or of a function elsewhere that is handed one.
    fn is_by_pointer(&self, called: &Called) -> bool {
        let Some(name) = &called.name else { return true };
        let hands_over = || {
            let mut arguments = called.arguments.iter().flatten();
            arguments.any(|argument| self.program.find(argument.trim_start_matches('&')).is_some())
        };
        self.find(called).is_none() && (!self.program.declares_function(name) || hands_over())
    }

    fn by_pointers(&self) -> &(BTreeSet<Place>, Vec<bool>) {
        self.by_pointers.get_or_init(|| {
            let mut callers: HashMap<usize, Vec<usize>> = HashMap::new();
            let mut open = Vec::new();
            for function in 0..self.program.len() {
                let effects = self.effects(function);
                effects.calls.iter().filter_map(|called| self.find(called)).for_each(|callee| {
                    callers.entry(callee).or_default().push(function);
                });
                if effects.calls.iter().any(|called| self.is_by_pointer(called)) {
                    open.push(function);
                }
            }
            let mut calls = vec![false; self.program.len()];
            while let Some(function) = open.pop() {
                if !std::mem::replace(&mut calls[function], true) {
                    open.extend(callers.get(&function).into_iter().flatten());
                }
            }
            let anonymous = Called { name: None, arguments: Vec::new() };
            let changes = self.program.addressed_functions().into_iter().flat_map(|function| {
                let parameters = self.parameters(function);
                let (changes, _) = self.changes(function);
                let named = changes.iter().flat_map(|its| in_terms_of_caller(its, parameters, &anonymous));
                named.collect::<Vec<Place>>()
            });
            (changes.collect(), calls)
        })
    }

    /// What the pointers of a function may point to.
    pub fn sources(&self, function: usize) -> Rc<Sources> {
        if let Some(known) = self.sources.borrow().get(&function) {
            return known.clone();
        }
        let mut found = Sources::default();
        if let Some(definition) = self.program.parsed(function).ok().and_then(Parsed::definition) {
            found.visit_statement(&definition.statement.node, &definition.statement.span);
        }
        let found = Rc::new(found);
        self.sources.borrow_mut().insert(function, found.clone());
        found
    }

    /// Whether a function, or one that it calls, may change what has an address.
    pub fn writes_through_pointers(&self, function: usize) -> bool {
        let effects = self.effects(function);
        let mut places = effects.changes.iter().map(|change| &change.place);
        let is_behind = |place: &Place| match place {
            Place::Path(path) => path.contains("->"),
            Place::Elements(_) | Place::Anything => true,
        };
        places.any(is_behind)
            || effects.calls.iter().any(|called| self.find(called).is_some() || self.is_by_pointer(called))
    }

    /// Variables of the file whose address is kept somewhere in it.
    pub fn addressed_globals(&self) -> &[String] {
        self.addressed_globals.get_or_init(|| {
            let mut found: BTreeSet<String> = self.program.addressed_by_initialisers();
            for function in 0..self.program.len() {
                let effects = self.effects(function);
                let parameters = self.parameters(function);
                let roots = effects.kept_addresses.iter().map(|(path, _)| root_of(path));
                let is_global = |root: &&str| {
                    !effects.declared.contains(*root) && parameters.iter().all(|its| its.name != **root)
                };
                found.extend(roots.filter(is_global).map(str::to_owned));
            }
            found.into_iter().collect()
        })
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
                let callee = self.find(called);
                places.extend(callee.into_iter().flat_map(|callee| self.changes_found_of(callee, called)));
                places.extend(written_by_library(called).filter(|_| callee.is_none()));
            }
            let sources = self.sources(function);
            let reached: Vec<Place> = places.iter().flat_map(|place| sources.places(place)).collect();
            places.extend(reached);
            // A new value of a parameter is the function's own affair.
            let is_seen_outside = |place: &Place| match place {
                Place::Path(path) => !effects.declared.contains(place.root()) && !parameters.contains(path),
                Place::Elements(_) => !effects.declared.contains(place.root()),
                Place::Anything => false,
            };
            let seen = places.into_iter().filter(is_seen_outside);
            found.extend(seen.map(|place| seen_from_outside(place, &parameters)));
        }
        found
    }

    /// What a call changes, in terms of who calls. What `watch` does not keep is left out.
    pub fn changes_of(&self, called: &Called, watch: Option<&Watch>) -> Vec<Place> {
        let mut found = self.own_changes_of(called, watch);
        if self.calls_by_pointers(called) {
            let (changes, _) = self.by_pointers();
            match watch {
                Some(watch) => found.extend(watch.kept_by_pointers(changes).iter().cloned()),
                None => found.extend(changes.iter().cloned()),
            }
        }
        found
    }

    fn own_changes_of(&self, called: &Called, watch: Option<&Watch>) -> Vec<Place> {
        let Some(function) = self.find(called) else { return written_by_library(called).collect() };
        let parameters = self.parameters(function);
        // What is handed over is named by who calls, and read there.
        let is_kept = |last_name: &Option<Name>| {
            watch.zip(*last_name).is_none_or(|(watch, last_name)| watch.keeps(last_name))
        };
        let (changes, last_names) = self.changes(function);
        let kept = changes.iter().zip(&*last_names).filter(|(_, last_name)| is_kept(last_name));
        kept.flat_map(|(place, _)| in_terms_of_caller(place, parameters, called)).collect()
    }

    /// The same, as far as it was found before.
    fn changes_found_of(&self, function: usize, called: &Called) -> Vec<Place> {
        let parameters = self.parameters(function);
        let changes = self.changes.borrow().get(&function).cloned().unwrap_or_default();
        changes.iter().flat_map(|place| in_terms_of_caller(place, parameters, called)).collect()
    }
}

/// Functions of the C library that write where an argument points to: the position of that.
const LIBRARY_WRITES: &[(&str, usize)] = &[
    ("memset", 0),
    ("memcpy", 0),
    ("memmove", 0),
    ("bzero", 0),
    ("bcopy", 1),
    ("strcpy", 0),
    ("strncpy", 0),
    ("strcat", 0),
    ("strncat", 0),
    ("sprintf", 0),
    ("snprintf", 0),
    ("fgets", 0),
    ("fread", 0),
    ("read", 1),
    ("qsort", 0),
];

fn written_by_library(called: &Called) -> impl Iterator<Item = Place> {
    let written = LIBRARY_WRITES.iter().find(|(name, _)| called.name.as_deref() == Some(*name));
    let arguments = written.and_then(|(_, position)| called.arguments.get(*position)).into_iter().flatten();
    arguments.filter_map(|argument| handed_back(Place::Elements(argument.clone())))
}

/// What a function with these parameters changes, as who calls it names it: a place for each variable that the argument may hand over. Where
/// nobody knows what is handed over, it has no name.
fn in_terms_of_caller(place: &Place, parameters: &[Parameter], called: &Called) -> Vec<Place> {
    let root = place.root();
    let Some(position) = parameters.iter().position(|its| its.name == root) else {
        return vec![place.clone()];
    };
    match called.arguments.get(position) {
        Some(all) => all.iter().filter_map(|argument| handed_back(place.rooted(argument))).collect(),
        None => handed_back(place.rooted(ANY)).into_iter().collect(),
    }
}

/// What a pointer to a variable points to is that variable; what one without a name points to has none.
fn handed_back(place: Place) -> Option<Place> {
    match place {
        Place::Elements(path) if path == ANY => None,
        Place::Elements(path) => Some(match path.strip_prefix('&') {
            Some(variable) => Place::Path(variable.to_owned()),
            None => Place::Elements(path),
        }),
        place => Some(place),
    }
}
