//! What calls change: what functions change outside of themselves, those that they call included.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use foldhash::fast::FixedState;
use lang_c::ast::CallExpression;
use lang_c::visit::Visit;

use super::change::{EffectFinder, Effects};
use super::given::{AliasesOfParameters, Caller, OfParameters, given_to_parameters};
use super::handed::Called;
use super::kept::{Keeper, KeptParameters};
use super::names::NameHash;
use super::others::Others;
use super::outside::{in_terms_of_caller, seen_from_outside, written_by_library};
use super::place::{Place, root_of};
use super::places::PlaceNumbers;
use super::program::{CountedProgram, Parameter, ParsedFunction};
use super::sources::AssignedPaths;
use super::typed::TypeConversions;

/// What the functions of a program change, found when it is asked for.
pub struct ChangesOfCalls<'p> {
    program: &'p CountedProgram<'p>,
    pub places: Rc<PlaceNumbers>,
    of_functions: RefCell<HashMap<usize, Rc<Changes>, FixedState>>,
    /// With what functions may change that pointers name.
    anywhere: RefCell<HashMap<usize, Rc<FixedBitSet>, FixedState>>,
    of_calls: RefCell<HashMap<Called, Rc<CallChanges>, FixedState>>,
    /// The same by where the calls stand in the trees.
    of_expressions: RefCell<HashMap<*const CallExpression, Rc<CallChanges>, FixedState>>,
    effects: RefCell<HashMap<usize, Rc<Effects<'p>>, FixedState>>,
    sources: RefCell<HashMap<usize, Rc<AssignedPaths>, FixedState>>,
    typed: RefCell<HashMap<usize, Rc<TypeConversions>, FixedState>>,
    addressed_globals: OnceCell<Rc<HashSet<String, FixedState>>>,
    given_to_parameters: OnceCell<Vec<OfParameters>>,
    others: RefCell<HashMap<usize, Rc<Others<'p>>, FixedState>>,
    by_pointers: OnceCell<ByPointers>,
    kept_parameters: OnceCell<KeptParameters>,
}

/// What a function changes outside of itself.
#[derive(Default)]
struct Changes {
    /// Places with the same name everywhere: variables of the file, and members behind any pointer.
    anywhere: FixedBitSet,
    /// Those that begin with its parameters.
    of_parameters: BTreeSet<Place>,
}

/// What a call changes, in terms of who calls.
#[derive(Default)]
pub struct CallChanges {
    /// The numbers of places with the same name everywhere.
    pub anywhere: Rc<FixedBitSet>,
    /// What is reached by the arguments, each with its last name.
    pub of_arguments: Vec<(Place, NameHash)>,
}

/// Calls of functions that pointers name.
struct ByPointers {
    changes: Rc<FixedBitSet>,
    /// The functions that such a call may come from.
    callers: FixedBitSet,
}

/// A place with its last name; `None` where it has none.
fn named(place: Place) -> Option<(Place, NameHash)> {
    let name = NameHash::last_of(place.path()?);
    Some((place, name))
}

impl<'p> ChangesOfCalls<'p> {
    pub fn new(program: &'p CountedProgram<'p>) -> ChangesOfCalls<'p> {
        ChangesOfCalls {
            program,
            places: Rc::default(),
            of_functions: RefCell::default(),
            anywhere: RefCell::default(),
            of_calls: RefCell::default(),
            of_expressions: RefCell::default(),
            effects: RefCell::default(),
            sources: RefCell::default(),
            typed: RefCell::default(),
            addressed_globals: OnceCell::new(),
            given_to_parameters: OnceCell::new(),
            others: RefCell::default(),
            by_pointers: OnceCell::new(),
            kept_parameters: OnceCell::new(),
        }
    }

    /// What a call changes.
    pub fn of(&self, called: &Called) -> Rc<CallChanges> {
        if let Some(known) = self.of_calls.borrow().get(called) {
            return known.clone();
        }
        let function = self.find(called);
        let of_arguments = match function {
            Some(function) => {
                let changes = self.of_function(function);
                let parameters = self.parameters(function);
                let own = changes.of_parameters.iter();
                own.flat_map(|place| in_terms_of_caller(place, parameters, called))
                    .collect::<BTreeSet<Place>>()
            }
            None => written_by_library(called).collect(),
        };
        let mut found = CallChanges { anywhere: self.anywhere(function, called), of_arguments: Vec::new() };
        found.of_arguments.extend(of_arguments.into_iter().filter_map(named));
        let found = Rc::new(found);
        self.of_calls.borrow_mut().insert(called.clone(), found.clone());
        found
    }

    /// What a call changes that stands in a function of the program, by its number.
    pub fn of_expression(&self, call: &'p CallExpression, function: usize) -> Rc<CallChanges> {
        if let Some(known) = self.of_expressions.borrow().get(&std::ptr::from_ref(call)) {
            return known.clone();
        }
        let mut found = self.of(&Called::of(call));
        let typed = self.typed(function);
        let members = typed.of_call(call);
        if !members.is_empty() {
            let (anywhere, mut of_arguments) = (found.anywhere.clone(), found.of_arguments.clone());
            of_arguments.extend(members.iter().cloned().filter_map(named));
            found = Rc::new(CallChanges { anywhere, of_arguments });
        }
        self.of_expressions.borrow_mut().insert(call, found.clone());
        found
    }

    fn anywhere(&self, function: Option<usize>, called: &Called) -> Rc<FixedBitSet> {
        let Some(function) = function else {
            return match self.is_by_pointer(called) {
                true => self.by_pointers().changes.clone(),
                false => Rc::default(),
            };
        };
        if let Some(known) = self.anywhere.borrow().get(&function) {
            return known.clone();
        }
        let mut found = self.of_function(function).anywhere.clone();
        if self.calls_by_pointers(called) {
            found.union_with(&self.by_pointers().changes);
        }
        let found = Rc::new(found);
        self.anywhere.borrow_mut().insert(function, found.clone());
        found
    }

    /// What a function changes outside of itself, with its own parameters as names.
    fn of_function(&self, function: usize) -> Rc<Changes> {
        if !self.of_functions.borrow().contains_key(&function) {
            self.find_changes(function);
        }
        self.found_of(function)
    }

    /// The same as far as it was found before.
    fn found_of(&self, function: usize) -> Rc<Changes> {
        self.of_functions.borrow().get(&function).cloned().unwrap_or_default()
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
                let known = self.of_functions.borrow_mut().insert(*function, Rc::new(found));
                if self.found_of(*function).len() > known.map_or(0, |known| known.len()) {
                    outdated.extend(callers.get(function).into_iter().flatten());
                }
            }
        }
    }

    /// The functions whose changes are not known yet, those that are called before those that call them as far as that can be.
    fn callees_first(&self, function: usize, met: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
        if self.of_functions.borrow().contains_key(&function) || !met.insert(function) {
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
    pub fn find(&self, called: &Called) -> Option<usize> {
        self.program.find(called.name.as_deref()?)
    }

    /// Whether a call may come to functions of this file whose address was taken.
    fn calls_by_pointers(&self, called: &Called) -> bool {
        match self.find(called) {
            Some(function) => self.by_pointers().callers.contains(function),
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

    fn by_pointers(&self) -> &ByPointers {
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
            let mut calls = FixedBitSet::with_capacity(self.program.len());
            while let Some(function) = open.pop() {
                if !calls.put(function) {
                    open.extend(callers.get(&function).into_iter().flatten());
                }
            }
            let anonymous = Called { name: None, arguments: Vec::new() };
            let mut changes = FixedBitSet::new();
            for function in self.program.addressed_functions() {
                let (parameters, its) = (self.parameters(function), self.of_function(function));
                changes.union_with(&its.anywhere);
                let of_parameters = its.of_parameters.iter();
                let unnamed =
                    of_parameters.flat_map(|place| in_terms_of_caller(place, parameters, &anonymous));
                unnamed.for_each(|place| changes.grow_and_insert(self.places.number(&place)));
            }
            ByPointers { changes: Rc::new(changes), callers: calls }
        })
    }

    /// What a function changes as far as that is known of those that it calls.
    fn changes_found(&self, function: usize) -> Changes {
        let mut found = Changes::default();
        if self.program.parsed(function).ok().and_then(ParsedFunction::definition).is_none() {
            return found;
        }
        let effects = self.effects(function);
        let parameters = self.parameters(function);
        let mut places: HashSet<Place, FixedState> =
            effects.changes.iter().map(|change| change.place.clone()).collect();
        for called in effects.forgotten_calls() {
            let Some(callee) = self.find(called) else {
                places.extend(written_by_library(called));
                continue;
            };
            let its = self.found_of(callee);
            found.anywhere.union_with(&its.anywhere);
            let parameters = self.parameters(callee);
            let own = its.of_parameters.iter();
            places.extend(own.flat_map(|place| in_terms_of_caller(place, parameters, called)));
        }
        let sources = self.sources(function);
        let through_globals = sources.pointers().flat_map(|pointer| self.places.rooted(pointer));
        let changed = through_globals.filter(|number| found.anywhere.contains(*number));
        let changed = changed.map(|number| self.places.place(number)).chain(places.iter().cloned());
        let reached: Vec<Place> = changed.flat_map(|place| sources.places(&place)).collect();
        places.extend(reached);
        let is_parameter = |name: &str| parameters.iter().any(|its| its.name == name);
        // A new value of a parameter is the function's own affair.
        let is_seen_outside = |place: &Place| match place {
            Place::Path(path) => !effects.declared.contains(place.root()) && !is_parameter(path),
            Place::Elements(_) => !effects.declared.contains(place.root()),
            Place::Anything => false,
        };
        for place in places.into_iter().filter(is_seen_outside) {
            let place = seen_from_outside(place, parameters);
            if is_parameter(place.root()) {
                found.of_parameters.insert(place);
            } else {
                found.anywhere.grow_and_insert(self.places.number(&place));
            }
        }
        found
    }

    /// What the pointers of a function may point to.
    fn sources(&self, function: usize) -> Rc<AssignedPaths> {
        if let Some(known) = self.sources.borrow().get(&function) {
            return known.clone();
        }
        let mut found = AssignedPaths::default();
        if let Some(definition) = self.program.parsed(function).ok().and_then(ParsedFunction::definition) {
            found.visit_statement(&definition.statement.node, &definition.statement.span);
        }
        let found = Rc::new(found);
        self.sources.borrow_mut().insert(function, found.clone());
        found
    }

    /// The structures that a function writes as a whole.
    pub fn typed(&self, function: usize) -> Rc<TypeConversions> {
        let mut all = self.typed.borrow_mut();
        let found = || self.program.parsed(function).map(|its| TypeConversions::of(self.program, its));
        all.entry(function).or_insert_with(|| Rc::new(found().unwrap_or_default())).clone()
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
    pub fn addressed_globals(&self) -> &Rc<HashSet<String, FixedState>> {
        self.addressed_globals.get_or_init(|| {
            let mut found: HashSet<String, FixedState> =
                self.program.addressed_by_initialisers().into_iter().collect();
            for function in 0..self.program.len() {
                let effects = self.effects(function);
                let parameters = self.parameters(function);
                let kept = self.kept_addresses(function);
                let roots = kept.iter().map(|(path, _)| root_of(path));
                let is_global = |root: &&str| {
                    !effects.declared.contains(*root) && parameters.iter().all(|its| its.name != **root)
                };
                found.extend(roots.filter(is_global).map(str::to_owned));
            }
            Rc::new(found)
        })
    }

    /// Variables whose address a function puts into others, or hands over to one that does; and where.
    pub fn kept_addresses(&self, function: usize) -> Vec<(String, usize)> {
        let effects = self.effects(function);
        let mut found = effects.kept_addresses.clone();
        for (called, offset) in effects.calls.iter().zip(&effects.offsets_of_calls) {
            for (position, arguments) in called.arguments.iter().enumerate() {
                // Where a pointer points to is not the pointer.
                let addresses = arguments.iter().filter_map(|argument| argument.strip_prefix('&'));
                let mut addresses = addresses.filter(|path| !path.contains("->")).peekable();
                if addresses.peek().is_some() && self.keeps(called, position) {
                    found.extend(addresses.map(|path| (path.to_owned(), *offset)));
                }
            }
        }
        found
    }

    /// Whether what a call comes to keeps an argument.
    fn keeps(&self, called: &Called, position: usize) -> bool {
        let kept = self.kept_parameters.get_or_init(|| {
            let keepers: Vec<Keeper> =
                (0..self.program.len()).map(|function| self.keeper(function)).collect();
            KeptParameters::of(&keepers, &self.program.addressed_functions())
        });
        match self.find(called) {
            Some(function) => kept.of_functions[function].contains(position),
            None => kept.by_pointers.contains(position) && self.is_by_pointer(called),
        }
    }

    fn keeper(&self, function: usize) -> Keeper<'p> {
        let effects = self.effects(function);
        let parameters = self.parameters(function).iter().map(|its| its.name.as_str()).collect();
        let definition = self.program.parsed(function).ok().and_then(ParsedFunction::definition);
        let calls = effects.forgotten_calls().into_iter();
        let calls = calls.filter_map(|called| Some((self.find(called)?, called)));
        Keeper::of(parameters, &effects.declared, definition, calls)
    }

    /// What else may be at the places of a function.
    pub fn others(&self, function: usize) -> Rc<Others<'p>> {
        if let Some(known) = self.others.borrow().get(&function) {
            return known.clone();
        }
        let all = self.given_to_parameters.get_or_init(|| {
            let callers: Vec<Caller> =
                (0..self.program.len()).map(|function| self.caller(function)).collect();
            given_to_parameters(&callers)
        });
        let given =
            AliasesOfParameters::new(self.program, all[function].clone(), self.addressed_globals().clone());
        let found = Rc::new(Others::new(self.sources(function), given));
        self.others.borrow_mut().insert(function, found.clone());
        found
    }

    fn caller(&self, function: usize) -> Caller<'p> {
        let effects = self.effects(function);
        let calls = effects.forgotten_calls().into_iter();
        let calls = calls.filter_map(|called| Some((self.find(called)?, called.clone()))).collect();
        let parameters = self.parameters(function).iter().map(|its| its.name.as_str()).collect();
        Caller { parameters, is_declared: Box::new(move |name| effects.declared.contains(name)), calls }
    }

    /// What the statements of a function do.
    pub fn effects(&self, function: usize) -> Rc<Effects<'p>> {
        if let Some(known) = self.effects.borrow().get(&function) {
            return known.clone();
        }
        let definition = self.program.parsed(function).ok().and_then(ParsedFunction::definition);
        let finder = EffectFinder::knowing(self.typed(function));
        let found = Rc::new(definition.map(|its| finder.of(&its.statement)).unwrap_or_default());
        self.effects.borrow_mut().insert(function, found.clone());
        found
    }
}

impl Changes {
    fn len(&self) -> usize {
        self.anywhere.count_ones(..) + self.of_parameters.len()
    }
}
