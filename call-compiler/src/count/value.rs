//! What is known of the values of variables while a block is walked through.

use std::collections::HashMap;

use call_counting::Polynomial;

use super::place::{Place, root_of};

/// Why something is not known: the place in the preprocessed text, and words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason {
    pub offset: usize,
    pub why: String,
}

impl Reason {
    pub fn new(offset: usize, why: impl Into<String>) -> Reason {
        Reason { offset, why: why.into() }
    }
}

pub type Value = Result<Polynomial, Reason>;

/// A variable that the block itself declares.
#[derive(Debug, Clone, Default)]
pub struct Local {
    /// Whether it is a real number.
    pub is_real: bool,
    /// Whether it is a natural number of C: never below 0.
    pub is_unsigned: bool,
    /// Whether it is of a type with less bits than `int`, so that it may wrap round.
    pub is_narrow: bool,
    /// Whether it is no number: a pointer, an array, a structure.
    pub is_pointer: bool,
    /// What it stands for, if it is a pointer that was given a place with a name.
    pub alias: Option<String>,
}

/// The values of variables and members, by their names.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    known: HashMap<String, Value>,
    /// Elements of arrays that were changed, and where.
    changed_elements: HashMap<String, usize>,
    locals: HashMap<String, Local>,
    /// Variables whose address somebody keeps: nothing is known of them.
    exposed: HashMap<String, Reason>,
}

impl Environment {
    /// The value at a name: what it got in the block, else what it had when the block began.
    pub fn get(&self, path: &str) -> Value {
        if let Some(reason) = self.exposed.get(root_of(path)) {
            return Err(reason.clone());
        }
        if let Some(value) = self.known.get(path) {
            return value.clone();
        }
        match self.change_behind(&Place::Path(path.to_owned())) {
            Some(reason) => Err(reason),
            None if self.locals.contains_key(root_of(path)) => {
                Err(Reason::new(0, format!("`{path}` has no value that is known before")))
            }
            None => Ok(Polynomial::name(path)),
        }
    }

    /// The variables and members that have a value that is known.
    pub fn known(&self) -> impl Iterator<Item = (&String, &Polynomial)> {
        self.known.iter().filter_map(|(path, value)| Some((path, value.as_ref().ok()?)))
    }

    pub fn expose(&mut self, path: &str, reason: Reason) {
        self.exposed.insert(root_of(path).to_owned(), reason);
    }

    /// Where elements of an array were changed, if they were.
    pub fn change_of_elements(&self, array: &str) -> Option<Reason> {
        let read = Place::Elements(array.to_owned());
        let by_element = self.changed_elements.iter().find_map(|(changed, offset)| {
            let may_be = Place::Elements(changed.clone()).may_be(&read);
            may_be.then(|| Reason::new(*offset, format!("elements of `{array}` change")))
        });
        by_element.or_else(|| self.change_behind(&read))
    }

    /// A change of a pointer or structure that a place is reached by, or of what may be the same place by another name.
    fn change_behind(&self, read: &Place) -> Option<Reason> {
        self.known.iter().find_map(|(changed, value)| {
            if !Place::Path(changed.clone()).may_be(read) {
                return None;
            }
            match value {
                Err(reason) => Some(reason.clone()),
                Ok(value) if *value == Polynomial::name(changed) => None,
                Ok(_) => Some(Reason::new(0, format!("`{changed}` has another value than before"))),
            }
        })
    }

    pub fn set(&mut self, place: &Place, value: Value, offset: usize) {
        match place {
            Place::Path(path) => {
                // Other names of the same member are no longer known.
                let others: Vec<String> = self
                    .known
                    .keys()
                    .filter(|known| *known != path && place.may_be(&Place::Path((*known).clone())))
                    .cloned()
                    .collect();
                for other in others {
                    let why = format!("`{other}` changes");
                    self.known.insert(other, Err(Reason::new(offset, why)));
                }
                self.known.insert(path.clone(), value);
                // What a pointer stood for is no longer what it stands for.
                if let Some(local) = self.locals.get_mut(path) {
                    local.alias = None;
                }
            }
            Place::Elements(array) => _ = self.changed_elements.entry(array.clone()).or_insert(offset),
            Place::Anything => {}
        }
    }

    /// A variable of the block; returns what had its name before.
    pub fn declare(&mut self, name: &str, local: Local) -> Shadowed {
        let of_name = |path: &String| root_of(path) == name;
        let paths: Vec<String> = self.known.keys().filter(|path| of_name(path)).cloned().collect();
        let known = paths.into_iter().filter_map(|path| self.known.remove_entry(&path)).collect();
        let arrays: Vec<String> =
            self.changed_elements.keys().filter(|path| of_name(path)).cloned().collect();
        let elements =
            arrays.into_iter().filter_map(|path| self.changed_elements.remove_entry(&path)).collect();
        let local = self.locals.insert(name.to_owned(), local);
        Shadowed { name: name.to_owned(), known, elements, local }
    }

    /// Ends the scope of a variable.
    pub fn restore(&mut self, shadowed: Shadowed) {
        self.known.retain(|path, _| root_of(path) != shadowed.name);
        self.changed_elements.retain(|path, _| root_of(path) != shadowed.name);
        self.known.extend(shadowed.known);
        self.changed_elements.extend(shadowed.elements);
        match shadowed.local {
            Some(local) => _ = self.locals.insert(shadowed.name, local),
            None => _ = self.locals.remove(&shadowed.name),
        }
    }

    pub fn local(&self, name: &str) -> Option<&Local> {
        self.locals.get(name)
    }

    /// A pointer of the block stands for a place with a name.
    pub fn set_alias(&mut self, pointer: &str, alias: String) {
        if let Some(local) = self.locals.get_mut(pointer).filter(|local| local.is_pointer && alias != pointer)
        {
            local.alias = Some(alias);
        }
    }

    /// Of two ways through a condition what both agree on.
    pub fn merge(&mut self, other: &Environment, reason: &Reason) {
        let names: Vec<String> = self.known.keys().chain(other.known.keys()).cloned().collect();
        for name in names {
            let (own, its) = (self.get(&name), other.get(&name));
            if own != its {
                let why = own
                    .err()
                    .or(its.err())
                    .unwrap_or_else(|| Reason::new(reason.offset, format!("`{name}` {}", reason.why)));
                self.known.insert(name, Err(why));
            }
        }
        for (name, local) in &mut self.locals {
            if other.locals.get(name).is_none_or(|its| its.alias != local.alias) {
                local.alias = None;
            }
        }
        for (array, offset) in &other.changed_elements {
            self.changed_elements.entry(array.clone()).or_insert(*offset);
        }
    }
}

/// What had a name before a block declared it.
pub struct Shadowed {
    name: String,
    known: Vec<(String, Value)>,
    elements: Vec<(String, usize)>,
    local: Option<Local>,
}
