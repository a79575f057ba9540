//! What is known of the values of variables while a block is walked through.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::rc::Rc;

use call_counting::{Atom, Polynomial};
use fixedbitset::FixedBitSet;

use super::aliases::Aliases;
use super::alternatives::{Alternative, Alternatives, of_cases};
use super::ends::Ends;
use super::exposed::Exposed;
use super::known::{KnownValues, is_name};
use super::place::{Place, behind_any, is_same_member, member_of, root_of};
use super::places::PlaceNumbers;
pub use super::reason::{UnknownReason, Value};
use super::watch::Watch;
use crate::c::types::Representation;

/// A variable that the block itself declares.
#[derive(Debug, Clone, Default)]
pub struct BlockVariable {
    /// Whether it is a real number.
    pub is_real: bool,
    /// Whether it is a natural number of C: never below 0.
    pub is_unsigned: bool,
    /// Whether it is of a type with less bits than `int`, so that it may wrap round.
    pub is_narrow: bool,
    /// Whether it is no number: a pointer, an array, a structure.
    pub is_pointer: bool,
    /// Whether it points to `void`, which has no size: nobody knows elements of which type it counts.
    pub is_untyped: bool,
    /// What it is, or its elements are: how that is kept.
    pub element: Option<Representation>,
    /// Whether it is a structure or a union.
    pub is_structure: bool,
    /// Its size in bytes and, if it is an array or pointer, those of its elements and of theirs; `None` where that is not known when
    /// the block begins.
    pub sizes: Vec<Option<Polynomial>>,
    /// Whether variables say how large it is, what it points to or consists of, what that does, and so on.
    pub varies: Vec<bool>,
    /// What its members are copies of, if it is a structure that was copied as a whole.
    pub copied: Option<Rc<Copied>>,
}

/// What the members of a structure had as values when it was copied.
#[derive(Debug)]
pub struct Copied {
    source: CopiedStructure,
    /// How many copies what was known then depends on.
    depth: usize,
}

/// A structure that is copied.
#[derive(Debug)]
pub struct CopiedStructure {
    /// What stands before the names of its members: `other.`, `p->`.
    pub before_members: String,
    /// What is known when it is copied.
    pub then: Environment,
}

/// Further copies are not followed.
const MOST_COPIES: usize = 64;

impl BlockVariable {
    fn is_same_copy(&self, other: &BlockVariable) -> bool {
        match (&self.copied, &other.copied) {
            (Some(own), Some(its)) => Rc::ptr_eq(own, its),
            (None, None) => true,
            _ => false,
        }
    }
}

/// The values of variables and members, by their names. A copy shares what it does not change.
#[derive(Debug, Clone)]
pub struct Environment {
    places: Rc<PlaceNumbers>,
    known: Rc<KnownValues>,
    /// Elements of arrays that were changed, and where.
    changed_elements: Rc<BTreeMap<Rc<str>, usize>>,
    /// Those behind any pointer, by their numbers.
    lost_elements: Rc<FixedBitSet>,
    locals: Rc<BTreeMap<Rc<str>, Rc<BlockVariable>>>,
    aliases: Aliases,
    pub exposed: Exposed,
    /// Between which ends variables are whose values are not known.
    ends: Ends,
    /// Which numbers they may have.
    alternatives: Alternatives,
    /// Names that stand for what their variables hold at present, whatever they are given.
    symbols: Rc<BTreeSet<String>>,
    /// Which changes of calls are kept; without it all are.
    watch: Option<Rc<Watch>>,
}

impl Environment {
    pub fn new(places: Rc<PlaceNumbers>) -> Environment {
        Environment {
            known: Rc::new(KnownValues::new(places.clone())),
            places,
            changed_elements: Rc::default(),
            lost_elements: Rc::default(),
            locals: Rc::default(),
            aliases: Aliases::default(),
            exposed: Exposed::default(),
            ends: Ends::default(),
            alternatives: Alternatives::default(),
            symbols: Rc::default(),
            watch: None,
        }
    }

    /// Keeps only those changes of calls that are watched for.
    pub fn keep_only(&mut self, watch: Rc<Watch>) {
        self.watch = Some(watch);
    }

    pub fn watch(&self) -> Option<Rc<Watch>> {
        self.watch.clone()
    }

    /// Whether a change was not kept that was asked for.
    pub fn is_missed(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.is_missed())
    }

    /// The value at a name: what it got in the block, else what it had when the block began.
    pub fn get(&self, path: &str) -> Value {
        self.note_read(path);
        self.held(path)
    }

    fn note_read(&self, path: &str) {
        if let Some(watch) = &self.watch {
            watch.note_read(path);
        }
    }

    fn held(&self, path: &str) -> Value {
        if let Some(reason) = self.exposed.reason(root_of(path)) {
            return Err(reason);
        }
        if let Some(value) = self.known.get(path) {
            return value.clone();
        }
        if let Some(value) = self.held_by_copy(path) {
            return value;
        }
        match self.known.change_of_path(path).or_else(|| self.change_as_element(path)) {
            Some(reason) => Err(reason),
            None if self.locals.contains_key(root_of(path)) => {
                Err(UnknownReason::new(0, format!("`{path}` has no value that is known before")))
            }
            None => Ok(Polynomial::name(path)),
        }
    }

    /// The value of a member that was copied with its structure and not changed since. What pointers in it point to is not copied.
    fn held_by_copy(&self, path: &str) -> Option<Value> {
        let root = root_of(path);
        let copied = self.locals.get(root)?.copied.as_ref()?;
        let member = path[root.len()..].strip_prefix('.')?;
        if member.contains("->") {
            return None;
        }
        let mut inner = member.match_indices('.').map(|(end, _)| &path[..root.len() + 1 + end]);
        if inner.any(|structure| self.known.get(structure).is_some()) {
            return None;
        }
        let value = copied.source.then.get(&format!("{}{member}", copied.source.before_members));
        let is_of_symbol = |its: &Polynomial| self.symbols.iter().any(|name| its.mentions(&Atom::name(name)));
        if value.as_ref().is_ok_and(is_of_symbol) {
            return None;
        }
        Some(value)
    }

    /// A structure of the block was copied as a whole: its members have the values that those of the other one had then.
    pub fn copy_structure(&mut self, name: &str, CopiedStructure { before_members, then }: CopiedStructure) {
        let copies = then.locals.values().filter_map(|local| local.copied.as_ref());
        let depth = 1 + copies.map(|its| its.depth).max().unwrap_or_default();
        if depth > MOST_COPIES || !self.locals.get(name).is_some_and(|local| local.is_structure) {
            return;
        }
        Rc::make_mut(&mut self.known).forget_members_of(name);
        if let Some(local) = Rc::make_mut(&mut self.locals).get_mut(name) {
            Rc::make_mut(local).copied =
                Some(Rc::new(Copied { source: CopiedStructure { before_members, then }, depth }));
        }
    }

    /// Lets names stand for what their variables hold at present: other values are told in terms of them.
    pub fn keep_as_symbols(&mut self, names: impl Iterator<Item = String>) {
        self.symbols = Rc::new(names.collect());
    }

    /// What a symbol is given is its value; what was told in terms of the old one is not known any more, and what it is given from is
    /// told in terms of the new one.
    fn give_symbol(&mut self, path: &str, value: &Value, offset: usize) {
        let symbol = Atom::name(path);
        let source = match value.as_ref().ok().and_then(Polynomial::atom) {
            Some(Atom::Name(source)) if self.get(source) == Ok(Polynomial::name(source)) => {
                Some(source.clone())
            }
            _ => None,
        };
        let known = Rc::make_mut(&mut self.known);
        let is_told_in_it = |value: &Value| value.as_ref().is_ok_and(|its| its.mentions(&symbol));
        let told = known.values().into_iter().filter(|(_, value)| is_told_in_it(value));
        let told: Vec<Rc<str>> = told.map(|(other, _)| other).collect();
        for other in told {
            let why = format!("`{path}` changes");
            known.insert(&other, Err(UnknownReason::new(offset, why)));
        }
        if let Some(source) = source.filter(|source| !self.symbols.contains(&**source)) {
            known.insert(&source, Ok(Polynomial::from(symbol)));
        }
    }

    /// What a variable whose value is not known is not below, or not above.
    pub fn end_of(&self, path: &str, is_most: bool) -> Option<Polynomial> {
        self.note_read(path);
        let end = self.ends.get(path, is_most).filter(|_| self.exposed.reason(path).is_none());
        end.cloned()
    }

    /// A variable of the function has one end at least.
    pub fn set_end(&mut self, path: &str, value: Polynomial, is_most: bool) {
        if self.symbols.is_empty() {
            self.ends.insert(path, value, is_most);
        }
    }

    /// The numbers of which a variable whose value is not known has one.
    pub fn alternatives(&self, variable: &str) -> Option<Rc<[Alternative]>> {
        self.note_read(variable);
        self.alternatives.get(variable).filter(|_| self.exposed.reason(variable).is_none()).cloned()
    }

    /// Those of variables of the function that differ in another environment, with the cases in which this one and the other one are.
    pub fn alternatives_of_both(
        &self,
        other: &Environment,
        [own_cases, other_cases]: [&[Vec<Polynomial>]; 2],
    ) -> Vec<(Rc<str>, Rc<[Alternative]>)> {
        if !self.symbols.is_empty() || self.is_missed() {
            return Vec::new();
        }
        let of = |environment: &Environment, variable: &str| match environment.held(variable) {
            Ok(value) => Some([Alternative { conditions: Vec::new(), value: value.integer()? }].into()),
            Err(_) => environment.alternatives(variable),
        };
        let both = |variable: Rc<str>| {
            let (own, its): (Rc<[Alternative]>, Rc<[Alternative]>) =
                (of(self, &variable)?, of(other, &variable)?);
            Some((variable, of_cases([(own_cases, &own), (other_cases, &its)])?))
        };
        let differing = self.known.differing(&other.known).into_iter();
        differing.filter(|path| self.locals.contains_key(path)).filter_map(both).collect()
    }

    /// What variables may be behind both.
    pub fn set_alternatives(&mut self, all: Vec<(Rc<str>, Rc<[Alternative]>)>) {
        for (variable, its) in all {
            if self.held(&variable).is_err() {
                self.alternatives.insert(variable, its);
            }
        }
    }

    /// The variables and members that have a value that is known.
    pub fn known(&self) -> impl Iterator<Item = (Rc<str>, &Polynomial)> {
        self.known.values().into_iter().filter_map(|(path, value)| Some((path, value.as_ref().ok()?)))
    }

    /// A change of an element that a path may be a member of: `a->n` is one of `a[0]`.
    fn change_as_element(&self, path: &str) -> Option<UnknownReason> {
        let mut arrays = path.match_indices("->").map(|(end, _)| &path[..end]);
        arrays.find_map(|array| {
            let offset = self.changed_elements.get(array)?;
            Some(UnknownReason::new(*offset, format!("elements of `{array}` change")))
        })
    }

    /// Where elements of an array were changed, if they were.
    pub fn change_of_elements(&self, array: &str) -> Option<UnknownReason> {
        self.note_read(array);
        // Whoever keeps the address of a structure has that of the arrays in it.
        if let Some(reason) = self.exposed.reason(root_of(array)) {
            return Some(reason);
        }
        let may_be = |changed: &str| changed == array || is_same_member(changed, array);
        let by_element = self.changed_elements.iter().find(|(changed, _)| may_be(changed));
        by_element
            .map(|(_, offset)| UnknownReason::new(*offset, format!("elements of `{array}` change")))
            .or_else(|| self.known.change_of_path(array))
    }

    /// Whether one more change of what has no name of its own says nothing new.
    pub fn is_lost(&self, place: &Place) -> bool {
        match place {
            Place::Path(path) => root_of(path).is_empty() && self.known.is_lost(path),
            Place::Elements(array) => {
                root_of(array).is_empty() && self.changed_elements.contains_key(&**array)
            }
            Place::Anything => true,
        }
    }

    /// Leaves out places, by their numbers, whose change says nothing new.
    pub fn leave_out_lost(&self, changes: &mut FixedBitSet) {
        changes.difference_with(self.known.lost());
        changes.difference_with(&self.lost_elements);
    }

    /// Whether it says nothing new that a place is not known any more.
    pub fn holds_no_more(&self, place: &Place) -> bool {
        match place {
            Place::Path(path) => {
                let is_copy = || self.locals.get(&**path).is_some_and(|local| local.copied.is_some());
                self.known.holds_no_more(path)
                    && !self.symbols.contains(path)
                    && !is_copy()
                    && !self.ends.are_of(path)
                    && self.alternatives.get(path).is_none()
                    && !self.aliases.depend_on(place)
            }
            Place::Elements(array) => {
                self.changed_elements.contains_key(&**array)
                    && !self.known.holds_behind(array)
                    && !self.aliases.depend_on(place)
            }
            Place::Anything => true,
        }
    }

    pub fn set(&mut self, place: &Place, value: Value, offset: usize) {
        self.aliases.change(place);
        match place {
            Place::Path(path) => {
                self.ends.forget(path);
                self.alternatives.forget(path);
                self.lose_structures_around(path, offset);
                let is_symbol = self.symbols.contains(path);
                if is_symbol {
                    self.give_symbol(path, &value, offset);
                }
                let value = if is_symbol { Ok(Polynomial::name(path)) } else { value };
                match value {
                    Err(_) if self.known.is_lost(path) => {}
                    Err(reason) => Rc::make_mut(&mut self.known).lose(path, offset, reason),
                    Ok(value) => {
                        let known = Rc::make_mut(&mut self.known);
                        known.lose_others(path, offset);
                        known.insert(path, Ok(value));
                    }
                }
                if self.locals.get(&**path).is_some_and(|local| local.copied.is_some())
                    && let Some(local) = Rc::make_mut(&mut self.locals).get_mut(&**path)
                {
                    Rc::make_mut(local).copied = None;
                }
            }
            Place::Elements(array) => {
                if self.known.holds_behind(array) {
                    Rc::make_mut(&mut self.known).lose_behind(array, offset);
                }
                if !self.changed_elements.contains_key(&**array) {
                    Rc::make_mut(&mut self.changed_elements).insert((&**array).into(), offset);
                    if root_of(array).is_empty() {
                        Rc::make_mut(&mut self.lost_elements).grow_and_insert(self.places.number(place));
                    }
                }
            }
            Place::Anything => {}
        }
    }

    /// A structure is no longer what it was given as a whole when a member changes.
    fn lose_structures_around(&mut self, path: &str, offset: usize) {
        for (end, _) in path.match_indices('.') {
            let structure = &path[..end];
            if self
                .known
                .get(structure)
                .is_some_and(|its| its.as_ref().is_ok_and(|its| !is_name(its, structure)))
            {
                let reason = UnknownReason::new(offset, format!("`{structure}` changes"));
                Rc::make_mut(&mut self.known).insert(structure, Err(reason));
            }
        }
    }

    /// A variable of the block; returns what had its name before.
    pub fn declare(&mut self, name: &str, local: BlockVariable) -> Shadowed {
        let known = self.take_known(name);
        let elements = self.take_elements(name);
        self.aliases.rename(name);
        self.ends.forget(name);
        self.alternatives.forget(name);
        let local = Rc::make_mut(&mut self.locals).insert(name.into(), Rc::new(local));
        Shadowed { name: name.to_owned(), known, elements, local }
    }

    /// Takes what is known of a variable and behind it. What was changed behind it stays changed, whatever reached it.
    fn take_known(&mut self, name: &str) -> Vec<(Rc<str>, Value)> {
        if !self.known.has_rooted(name) {
            return Vec::new();
        }
        let taken = Rc::make_mut(&mut self.known).take_rooted(name);
        for (path, value) in &taken {
            let Some(member) = member_of(path) else { continue };
            let reason = match value {
                Ok(value) if is_name(value, path) => continue,
                Ok(_) => UnknownReason::new(0, format!("`{path}` has another value than before")),
                Err(reason) => reason.clone(),
            };
            let anywhere = behind_any(member);
            if !self.known.is_lost(&anywhere) {
                Rc::make_mut(&mut self.known).lose(&anywhere, reason.offset, reason);
            }
        }
        taken
    }

    fn take_elements(&mut self, name: &str) -> Vec<(Rc<str>, usize)> {
        let from = (Bound::Included(name), Bound::Unbounded);
        let beginning = self.changed_elements.range::<str, _>(from).map(|(path, _)| path);
        let beginning = beginning.take_while(|path| path.starts_with(name));
        let paths: Vec<Rc<str>> = beginning.filter(|path| root_of(path) == name).cloned().collect();
        if paths.is_empty() {
            return Vec::new();
        }
        let elements = Rc::make_mut(&mut self.changed_elements);
        paths.into_iter().filter_map(|path| elements.remove_entry(&path)).collect()
    }

    /// Ends the scope of a variable.
    pub fn restore(&mut self, shadowed: Shadowed) {
        self.aliases.rename(&shadowed.name);
        self.ends.forget(&shadowed.name);
        self.alternatives.forget(&shadowed.name);
        self.take_known(&shadowed.name);
        if !shadowed.known.is_empty() {
            let known = Rc::make_mut(&mut self.known);
            shadowed.known.into_iter().for_each(|(path, value)| known.insert(&path, value));
        }
        self.take_elements(&shadowed.name);
        if !shadowed.elements.is_empty() {
            Rc::make_mut(&mut self.changed_elements).extend(shadowed.elements);
        }
        let locals = Rc::make_mut(&mut self.locals);
        match shadowed.local {
            Some(local) => _ = locals.insert(shadowed.name.into(), local),
            None => _ = locals.remove(&*shadowed.name),
        }
    }

    pub fn local(&self, name: &str) -> Option<&BlockVariable> {
        self.locals.get(name).map(|local| &**local)
    }

    /// A pointer of the block stands for a place with a name.
    pub fn set_alias(&mut self, pointer: &str, alias: String) {
        if self.locals.get(pointer).is_some_and(|local| local.is_pointer && !local.is_structure) {
            self.aliases.insert(pointer, alias);
        }
    }

    /// What a pointer of the block stands for: `&` before what it is the address of.
    pub fn alias(&self, pointer: &str) -> Option<&str> {
        self.aliases.get(pointer)
    }

    /// Of two ways through a condition what both agree on.
    pub fn merge(&mut self, other: &Environment, reason: &UnknownReason) {
        self.merge_values(other, reason, |_, _| None);
    }

    /// The same with values that differ joined where `joined` says how.
    pub fn merge_values(
        &mut self,
        other: &Environment,
        reason: &UnknownReason,
        joined: impl Fn(&Polynomial, &Polynomial) -> Option<Polynomial>,
    ) {
        if self.is_missed() {
            return;
        }
        if !Rc::ptr_eq(&self.known, &other.known) {
            let depends = |path: &str| UnknownReason::new(reason.offset, format!("`{path}` {}", reason.why));
            let differing = self.known.differing(&other.known).into_iter().filter_map(|path| {
                let value = match (self.held(&path), other.held(&path)) {
                    (own, its) if own == its => return None,
                    (Ok(own), Ok(its)) => joined(&own, &its).ok_or_else(|| depends(&path)),
                    // Of two ways the other one has more to say.
                    (Err(none), its) | (its, Err(none)) if none.is_no_value_yet() => {
                        Err(its.err().unwrap_or_else(|| depends(&path)))
                    }
                    (Err(lost), _) | (_, Err(lost)) => Err(lost),
                };
                Some((path, value))
            });
            let differing: Vec<(Rc<str>, Value)> = differing.collect();
            if !differing.is_empty() {
                let known = Rc::make_mut(&mut self.known);
                differing.into_iter().for_each(|(path, value)| known.insert(&path, value));
            }
        }
        self.aliases.merge(&other.aliases);
        self.ends.merge(&other.ends);
        self.alternatives.merge(&other.alternatives);
        let differs = |name: &str, local: &BlockVariable| {
            local.copied.is_some() && other.locals.get(name).is_none_or(|its| !local.is_same_copy(its))
        };
        if !Rc::ptr_eq(&self.locals, &other.locals)
            && self.locals.iter().any(|(name, its)| differs(name, its))
        {
            for (name, local) in Rc::make_mut(&mut self.locals) {
                if differs(name, local) {
                    Rc::make_mut(local).copied = None;
                }
            }
        }
        if !Rc::ptr_eq(&self.changed_elements, &other.changed_elements) {
            let changed = Rc::make_mut(&mut self.changed_elements);
            for (array, offset) in &*other.changed_elements {
                changed.entry(array.clone()).or_insert(*offset);
            }
            if !Rc::ptr_eq(&self.lost_elements, &other.lost_elements) {
                Rc::make_mut(&mut self.lost_elements).union_with(&other.lost_elements);
            }
        }
    }
}

/// What had a name before a block declared it.
pub struct Shadowed {
    name: String,
    known: Vec<(Rc<str>, Value)>,
    elements: Vec<(Rc<str>, usize)>,
    local: Option<Rc<BlockVariable>>,
}

impl Shadowed {
    pub fn name(&self) -> &str {
        &self.name
    }
}
