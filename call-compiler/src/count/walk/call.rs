//! Calls: what the functions of the program do, with the arguments in the place of their parameters, and those of libraries.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use call_counting::{Atom, Level, Polynomial};
use fixedbitset::FixedBitSet;
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;

use super::super::around::{Around, CountedPart, StatementId, Surroundings, Uncounted};
use super::super::called::CallChanges;
use super::super::change::Effects;
use super::super::communication::{self, PROCESSORS};
use super::super::handed::{Called, argument_path};
use super::super::library::{self, LibraryWork};
use super::super::number::rounded as with_order;
use super::super::place::{Place, root_of, rooted};
use super::super::value::{UnknownReason, Value};
use super::CountingWalk;
use super::declare::fitting;
use super::recursive_call::RecursiveCall;
use crate::c::function::EXITS;

/// Further reasons why a number is a bound only are not told.
const MOST_DOUBTS: usize = 4;

/// No more functions are told whose time is not counted.
const MOST_UNCOUNTED: usize = 32;

impl<'p> CountingWalk<'p, '_> {
    /// A call of a function by its name; the value that it returns, if that is known.
    pub fn called(
        &mut self,
        name: &str,
        call: &'p CallExpression,
        arguments: &[Value],
        offset: usize,
    ) -> Option<Polynomial> {
        if EXITS.contains(&name) {
            return None;
        }
        if self.environment.is_missed() {
            self.look_into(name);
            return None;
        }
        let function = self.program.find(name);
        let paths = function.map_or_else(Vec::new, |function| self.argument_paths(function, call));
        match function {
            _ if self.is_quiet => {}
            Some(function) => self.called_own(function, arguments, &paths, offset),
            None if communication::is_number_of_processors(name) => {}
            None => self.called_library(name, call, arguments, offset),
        }
        let value = match function {
            Some(function) => self.returned_by(function, arguments, &paths, offset),
            None => (communication::is_number_of_processors(name) && !self.program.has_word_of_processors())
                .then(|| Polynomial::name(PROCESSORS)),
        };
        self.forget_changes_of_call(call, Some(name), offset);
        value
    }

    /// What the arguments of a call are named, as far as a function of the program gets pointers to elements of the same type.
    fn argument_paths(&self, function: usize, call: &CallExpression) -> Vec<Option<String>> {
        let parameters = self.program.parsed(function).map_or(&[][..], |its| its.parameters(self.program));
        let has_type = |place: usize| parameters.get(place).is_some_and(|its| !its.is_untyped);
        let path = |(place, argument): (usize, &Node<Expression>)| {
            let path = argument_path(argument).filter(|_| !self.is_retyped(argument))?;
            let path = if path.starts_with('&') { path } else { self.resolved(&path) };
            let gets_type = has_type(place) && self.is_untyped(path.trim_start_matches('&'));
            (!gets_type || path.starts_with('&')).then_some(path)
        };
        call.arguments.iter().enumerate().map(path).collect()
    }

    /// Where a walk is to begin anew it goes on to the functions that are called: what they read is known then.
    fn look_into(&self, name: &str) {
        let function = self.program.find(name).filter(|its| !self.is_quiet && *its != self.function);
        function.map(|function| self.summaries.of(function));
    }

    /// What functions that are called in a loop change is not known in it.
    pub fn forget_called(&mut self, calls: &[&Called]) {
        if self.environment.is_missed() {
            return;
        }
        let changes: Vec<Rc<CallChanges>> =
            calls.iter().map(|called| self.summaries.changes.of(called)).collect();
        self.forget_changes(&changes, |first| calls[first].name.as_deref(), 0);
    }

    /// Of the calls in a loop one that may change a variable, and where it is. A variable of the function itself is changed by its address only,
    /// which is looked at elsewhere.
    pub fn call_that_changes<'e>(&self, effects: &'e Effects<'p>, path: &str) -> Option<(&'e Called, usize)> {
        if effects.calls.is_empty() || self.is_of_function(root_of(path)) && !path.contains("->") {
            return None;
        }
        let read = Place::Path(path.to_owned());
        let own = self.resolved_place(&read);
        let may_be = |changed: &Place| {
            let is_own = |its: &Place| its.may_be(&read) || its.may_be(&own);
            is_own(changed)
                || is_own(&self.resolved_place(changed))
                || self.pointed_to(changed).iter().any(is_own)
        };
        let changes: Vec<Rc<CallChanges>> =
            effects.calls.iter().map(|called| self.summaries.changes.of(called)).collect();
        let mut anywhere = FixedBitSet::new();
        changes.iter().for_each(|its| anywhere.union_with(&its.anywhere));
        if let Some(watch) = self.environment.watch() {
            watch.keep(&mut anywhere);
        }
        let moving = anywhere.ones().find(|number| may_be(&self.summaries.changes.places.place(*number)));
        let moves = |its: &Rc<CallChanges>| {
            moving.is_some_and(|number| its.anywhere.contains(number))
                || its.of_arguments.iter().any(|(place, _)| may_be(place))
        };
        let first = changes.iter().position(moves)?;
        Some((&effects.calls[first], effects.offsets_of_calls[first]))
    }

    /// What a call of a function changes is not known behind it; no name where an expression says which.
    pub fn forget_changes_of_call(&mut self, call: &'p CallExpression, name: Option<&str>, offset: usize) {
        if self.environment.is_missed() {
            return;
        }
        let changes = self.summaries.changes.of_expression(call, self.function);
        self.forget_changes(&[changes], |_| name, offset);
    }

    fn forget_changes<'n>(
        &mut self,
        changes: &[Rc<CallChanges>],
        name_of: impl Fn(usize) -> Option<&'n str>,
        offset: usize,
    ) {
        for (place, first) in self.changes_to_forget(changes) {
            self.lose(&place, |_, place| {
                let name = name_of(first);
                let name = name.map_or_else(|| "a function".to_owned(), |name| format!("`{name}`"));
                UnknownReason::new(offset, format!("`{}` may change in {name}", place.shown()))
            });
        }
    }

    /// What calls change, each with the first of them that does. What is not read, or was lost before, is left out.
    fn changes_to_forget<'c>(&self, changes: &'c [Rc<CallChanges>]) -> Vec<(Cow<'c, Place>, usize)> {
        let watch = self.environment.watch();
        let mut anywhere = FixedBitSet::new();
        changes.iter().for_each(|its| anywhere.union_with(&its.anywhere));
        if let Some(watch) = &watch {
            watch.keep(&mut anywhere);
        }
        self.environment.leave_out_lost(&mut anywhere);
        let mut found = Vec::new();
        for number in anywhere.ones() {
            let place = self.summaries.changes.places.place(number);
            let first = changes.iter().position(|its| its.anywhere.contains(number));
            if !self.environment.is_lost(&place) {
                found.extend(first.map(|first| (Cow::Owned(place), first)));
            }
        }
        for (number, its) in changes.iter().enumerate() {
            for (place, last_name) in &its.of_arguments {
                let is_kept = watch.as_ref().is_none_or(|watch| watch.keeps(*last_name));
                if is_kept && !self.environment.is_lost(place) && !self.is_lost(place) {
                    found.push((Cow::Borrowed(place), number));
                }
            }
        }
        found.sort_unstable();
        found.dedup_by(|second, first| second.0 == first.0);
        found
    }

    pub fn called_unknown(&mut self, offset: usize, what: &str) {
        if !self.is_quiet {
            let counters = self.counters.clone();
            let its = Uncounted { offset, what: what.to_owned(), is_elsewhere: true, counters };
            self.found.uncounted.push(its);
        }
    }

    fn called_library(&mut self, name: &str, call: &CallExpression, arguments: &[Value], offset: usize) {
        let communication = communication::find(name).filter(|_| !self.program.has_word_of_processors());
        if let Some((name, positions)) = communication {
            let counts: Option<Vec<&Polynomial>> = positions
                .iter()
                .map(|position| arguments.get(*position).and_then(|its| its.as_ref().ok()))
                .collect();
            // Its latency is not told in elements.
            self.called_unknown(offset, &format!("`{name}`"));
            let Some(counts) = counts else { return };
            let elements = counts.into_iter().fold(Polynomial::default(), |sum, its| &sum + its);
            let elements = if positions.is_empty() { Polynomial::from(1) } else { elements };
            self.library_call(name, &with_order(elements), offset);
            let types = communication::types_of_elements(name, positions);
            for element in types.filter_map(|position| call.arguments.get(position)) {
                if let Some(what) = self.unknown_type(element) {
                    let what = format!("the size of `{what}`, the type of what `{name}` carries");
                    let its = Uncounted { offset, what, is_elsewhere: false, counters: Vec::new() };
                    self.uncounted(its);
                }
            }
            return;
        }
        let is_of_system = self.program.is_of_system(name);
        let text_of = |argument: &Node<Expression>| {
            self.program.text_literal(self.parsed.original(argument.span.start))
        };
        let growing = library::growing(name, is_of_system);
        let work = growing.and_then(|(_, work)| work_of(work, arguments));
        if let (Some((name, kind)), Some(work)) = (growing, work) {
            let is_bound = matches!(kind, LibraryWork::AtMost(_));
            let doubt = || UnknownReason::new(offset, format!("`{name}` may end before"));
            let doubt = is_bound.then(|| Arc::new(Around::Doubt(doubt())));
            let inner: Vec<Arc<Around>> = with_order(work).into_iter().chain(doubt).collect();
            self.library_call(name, &inner, offset);
        } else if growing.is_some() || !is_of_system || !library::is_constant(name, call, &text_of) {
            // A function of the system changes what it is handed only.
            let what = format!("`{name}`");
            let (is_elsewhere, counters) = (!is_of_system, self.counters.clone());
            self.found.uncounted.push(Uncounted { offset, what, is_elsewhere, counters });
        }
    }

    /// A type of the library that is no constant of it: an element of one that the program makes is of any size.
    fn unknown_type(&self, element: &Node<Expression>) -> Option<String> {
        let is_variable = match &element.node {
            Expression::Identifier(name) => !name.node.name.starts_with("MPI_"),
            Expression::Member(_) => true,
            _ => false,
        };
        is_variable.then(|| self.parsed.text(element.span))
    }

    fn library_call(&mut self, name: &'static str, work: &[Arc<Around>], offset: usize) {
        let statement = StatementId::new(self.function, offset, CountedPart::Library(name));
        self.found_with(work, &BTreeMap::from([(statement, 1)]));
    }

    fn found_with(&mut self, inner: &[Arc<Around>], statements: &BTreeMap<StatementId, u64>) {
        let mut doubts = 0;
        let is_told = |around: &&Arc<Around>| {
            let is_doubt = matches!(***around, Around::Doubt(_));
            doubts += usize::from(is_doubt);
            !is_doubt || doubts <= MOST_DOUBTS
        };
        let around: Surroundings = self.surroundings().iter().chain(inner).filter(is_told).cloned().collect();
        for (statement, times) in statements {
            self.found.add_called(around.clone(), *statement, *times);
        }
    }

    fn called_own(&mut self, function: usize, arguments: &[Value], paths: &[Option<String>], offset: usize) {
        if function == self.function {
            let is_in_loop =
                self.around.iter().any(|around| matches!(**around, Around::Loop(_) | Around::Unknown(_)));
            self.recursion.on_path += 1;
            self.recursion.sure += u32::from(!self.recursion.may_be_left);
            let is_condition = |around: &&Arc<Around>| matches!(***around, Around::Cases(..));
            let around = self.around.iter().filter(is_condition).cloned().collect();
            let arguments = self.arguments_of(function, arguments, offset);
            let parameters = self.parsed.parameters(self.program).iter().map(|its| its.name.clone());
            let unsigned = parameters.filter(|name| self.is_unsigned(name)).collect();
            let environment = self.environment.clone();
            let call = RecursiveCall { arguments, is_in_loop, around, environment, unsigned, offset };
            self.recursion.calls.push(call);
            return;
        }
        let Some(summary) = self.summaries.of(function) else {
            self.recursion.of_others = Some(offset);
            return;
        };
        self.found.partly_told.union_with(&summary.partly_told);
        let unknown = summary.unknown();
        if let Some((statement, reason)) = &unknown {
            // One statement says it for all that are unknown there.
            self.found.add([Around::Unknown(reason.clone()).into()].into(), *statement, 1);
            self.hidden.push((summary.clone(), reason.clone()));
        }
        for its in &summary.uncounted {
            // Those of the function by their names here, if they have some.
            let named = |path: &String| {
                let position = summary.parameters.iter().position(|own| own == root_of(path));
                match position {
                    Some(position) => Some(rooted(path, paths.get(position)?.as_ref()?)),
                    None => Some(path.clone()),
                }
            };
            let inside = its.counters.iter().filter_map(named);
            let counters = self.counters.iter().cloned().chain(inside).collect();
            self.uncounted(Uncounted { counters, ..its.clone() });
        }
        if summary.is_large() {
            let statements = summary.groups.iter().flat_map(|group| group.statements.keys());
            statements.for_each(|its| self.found.partly_told.grow_and_insert(its.function));
            // What else runs there makes the whole no more known.
            if unknown.is_some() {
                return;
            }
            let name = self.program.name(function);
            let what = format!("statements of `{name}` that run as often as others of it");
            self.uncounted(Uncounted { offset, what, is_elsewhere: false, counters: Vec::new() });
        }
        let arguments = &self.arguments_of(function, arguments, offset);
        let mut indices: HashMap<u32, u32> = HashMap::new();
        for group in summary.known() {
            let mut inner = Vec::new();
            for part in group.around.iter() {
                inner.push(self.as_called(
                    part,
                    &summary.parameters,
                    (arguments, paths),
                    &mut indices,
                    offset,
                ));
            }
            self.found_with(&inner, &summary.told(group));
        }
    }

    fn uncounted(&mut self, uncounted: Uncounted) {
        if self.found.uncounted.len() < MOST_UNCOUNTED && !self.found.uncounted.contains(&uncounted) {
            self.found.uncounted.push(uncounted);
        }
    }

    /// Arguments as a function gets them: in which elements an address was moved is forgotten where a parameter points to `void`, and what
    /// may not fit into a parameter is unknown.
    pub fn arguments_of(&self, function: usize, arguments: &[Value], offset: usize) -> Vec<Value> {
        let parameters = self.program.parsed(function).map_or(&[][..], |its| its.parameters(self.program));
        let is_untyped = |place: usize| parameters.get(place).filter(|parameter| parameter.is_untyped);
        let as_handed_over = |(place, value): (usize, &Value)| match (is_untyped(place), value) {
            (Some(parameter), Ok(value)) => self.readdressed(value.clone(), true, &parameter.name, offset),
            _ => match parameters.get(place) {
                Some(parameter) if parameter.is_narrow => fitting(value.clone(), &parameter.name, offset),
                _ => value.clone(),
            },
        };
        arguments.iter().enumerate().map(as_handed_over).collect()
    }

    /// Surroundings in a function that is called, in terms of who calls.
    pub fn as_called(
        &mut self,
        part: &Arc<Around>,
        parameters: &[String],
        (arguments, paths): (&[Value], &[Option<String>]),
        indices: &mut HashMap<u32, u32>,
        offset: usize,
    ) -> Arc<Around> {
        let mut index =
            |walk: &mut Self, number: u32| *indices.entry(number).or_insert_with(|| walk.new_index());
        let numbers: BTreeSet<u32> = own_indices(part);
        let renamed: HashMap<u32, u32> =
            numbers.into_iter().map(|number| (number, index(self, number))).collect();
        let failure: RefCell<Option<UnknownReason>> = RefCell::default();
        let environment = &self.environment;
        let replaced_path = |path: &str| -> Option<String> {
            match parameters.iter().position(|parameter| parameter == root_of(path)) {
                Some(position) => paths.get(position)?.as_ref().map(|argument| rooted(path, argument)),
                None => Some(path.to_owned()),
            }
        };
        let walk: &Self = self;
        let is_size_of_another = |path: &str| walk.is_size_of_another(path, parameters);
        let is_own = |path: &str| parameters.iter().any(|parameter| parameter == root_of(path));
        // What the function that is called names itself may have another name here.
        let out_of_sight = |path: &str| match is_own(path) || path.contains('(') {
            true => None,
            false => walk.out_of_sight(path),
        };
        let value_of = |path: &str| -> Value {
            let position = parameters.iter().position(|parameter| parameter == path);
            if let Some(position) = position {
                let missing = || Err(UnknownReason::new(offset, format!("`{path}` is not handed over")));
                return arguments.get(position).cloned().unwrap_or_else(missing);
            }
            match replaced_path(path) {
                _ if is_size_of_another(path) => Err(UnknownReason::new(
                    offset,
                    format!("`{path}` is a size in a function that is called"),
                )),
                Some(replaced) => match out_of_sight(path) {
                    Some(why) => Err(UnknownReason::new(offset, format!("`{path}` {why}"))),
                    None => environment.get(&replaced),
                },
                None => {
                    Err(UnknownReason::new(offset, format!("`{path}` is a member of what is handed over")))
                }
            }
        };
        let map = |polynomial: &Polynomial| -> Polynomial {
            let index = |number: u32| renamed.get(&number).map(|number| Polynomial::index(*number));
            let value = |path: &str| {
                let keep = |reason| _ = failure.borrow_mut().get_or_insert(reason);
                value_of(path).map_err(keep).ok()
            };
            let array = |path: &str| {
                // The address of a variable has no elements with a name.
                let replaced = replaced_path(path).filter(|path| !path.starts_with('&'))?;
                let is_hidden =
                    out_of_sight(path).is_some() || environment.local(root_of(&replaced)).is_some();
                (!is_hidden && environment.change_of_elements(&replaced).is_none()).then_some(replaced)
            };
            let mapped = told_by(polynomial, &CallerNames { index: &index, value: &value, array: &array });
            mapped.unwrap_or_else(|| {
                failure
                    .borrow_mut()
                    .get_or_insert(UnknownReason::new(offset, "an argument is no polynomial"));
                Polynomial::default()
            })
        };
        let all = |polynomials: &[Polynomial]| polynomials.iter().map(map).collect::<Vec<Polynomial>>();
        let mapped = match &**part {
            Around::Loop(Level::Range { index, from, to }) => Around::Loop(Level::Range {
                index: renamed.get(index).copied().unwrap_or(*index),
                from: all(from),
                to: all(to),
            }),
            Around::Loop(Level::Steps { index, from, to, step }) => Around::Loop(Level::Steps {
                index: renamed.get(index).copied().unwrap_or(*index),
                from: map(from),
                to: map(to),
                step: map(step),
            }),
            Around::Loop(Level::Multiples { index, from, to, ratio, is_downward }) => {
                Around::Loop(Level::Multiples {
                    index: renamed.get(index).copied().unwrap_or(*index),
                    from: map(from),
                    to: map(to),
                    ratio: *ratio,
                    is_downward: *is_downward,
                })
            }
            Around::Loop(Level::Times(times)) => Around::Loop(Level::Times(map(times))),
            Around::Cases(cases, reason) => {
                Around::Cases(cases.iter().map(|case| all(case)).collect(), reason.clone())
            }
            Around::Choice(cases, reason) => {
                Around::Choice(cases.iter().map(|case| all(case)).collect(), reason.clone())
            }
            Around::Assumed(positive) => Around::Assumed(map(positive)),
            Around::Since(positive) => Around::Since(map(positive)),
            Around::Fact(fact) => Around::Fact(map(fact)),
            Around::Rounded | Around::Doubt(_) | Around::Unknown(_) => return part.clone(),
        };
        let failure = failure.into_inner();
        let known = match (failure, &**part) {
            (None, _) => mapped,
            // A condition that is not known makes it less, if anything.
            (Some(reason), Around::Cases(..) | Around::Choice(..)) => Around::Doubt(reason),
            (Some(_), Around::Fact(_)) => Around::Rounded,
            (Some(reason), _) => Around::Unknown(reason),
        };
        known.into()
    }
}

/// How the work of a library's function grows with what it is handed, as far as that is known.
fn work_of(work: LibraryWork, arguments: &[Value]) -> Option<Polynomial> {
    let value = |position: usize| arguments.get(position)?.as_ref().ok();
    match work {
        LibraryWork::Product(positions) | LibraryWork::AtMost(positions) => {
            let product = |product: Polynomial, position: &usize| Some(&product * value(*position)?);
            positions.iter().try_fold(Polynomial::from(1), product)
        }
        LibraryWork::Sorting(position) => value(position).map(|number| number * &number.log()),
        LibraryWork::Searching(position) => value(position).map(Polynomial::log),
    }
}

fn own_indices(part: &Around) -> BTreeSet<u32> {
    let own = if let Around::Loop(level) = part { level.index() } else { None };
    let atoms = part.polynomials().into_iter().flat_map(Polynomial::atoms);
    let inside = atoms.filter_map(|atom| if let Atom::Index(number) = atom { Some(*number) } else { None });
    inside.chain(own).collect()
}

/// What the names of a function that is called are for its caller: variables of loops, values of variables, arrays.
struct CallerNames<'a> {
    index: &'a dyn Fn(u32) -> Option<Polynomial>,
    value: &'a dyn Fn(&str) -> Option<Polynomial>,
    array: &'a dyn Fn(&str) -> Option<String>,
}

/// A number of a function that is called, as its caller tells it; `None` where an array has no name there. Each name is replaced once: what
/// it is replaced by is the caller's already.
fn told_by(polynomial: &Polynomial, names: &CallerNames) -> Option<Polynomial> {
    let is_failed = Cell::new(false);
    let mapped = polynomial.mapped(&|atom| match atom {
        Atom::Index(number) => (names.index)(*number),
        Atom::Name(path) => (names.value)(path),
        Atom::Element { array, index } => match ((names.array)(array), told_by(index, names)) {
            (Some(array), Some(index)) => {
                Some(Polynomial::from(Atom::Element { array: array.into(), index: index.into() }))
            }
            _ => {
                is_failed.set(true);
                None
            }
        },
        _ => None,
    });
    mapped.filter(|_| !is_failed.get())
}
