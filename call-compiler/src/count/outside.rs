//! Places that a function changes as those see them who call it.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Node;

use super::handed::{Called, called_name};
use super::place::{ANY, Place, behind_any, last_name, member_of, names_of, root_of};
use super::program::Parameter;

/// A path with more names than this ends in what no program has: a function hands the address of a member to itself, again and again.
const MOST_NAMES: usize = 8;

/// A place as those who call know it: members of a parameter, that they put something in the place of, and variables. What is behind
/// other pointers may be any member of that name. So a function has no more changes than there are names.
pub fn seen_from_outside(place: Place, parameters: &[Parameter]) -> Place {
    let seen = |path: String| {
        let Some(member) = member_of(&path) else { return path };
        let is_of_parameter =
            path.matches('>').count() == 1 && parameters.iter().any(|its| its.name == root_of(&path));
        if names_of(&path).count() > MOST_NAMES {
            behind_any(last_name(&path))
        } else if is_of_parameter {
            path
        } else {
            behind_any(member)
        }
    };
    match place {
        Place::Path(path) => Place::Path(seen(path)),
        Place::Elements(path) => Place::Elements(seen(path)),
        Place::Anything => Place::Anything,
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
    ("pread", 1),
    ("recv", 1),
    ("qsort", 0),
];

/// The argument that points to what a function of the C library writes.
pub fn written_argument(call: &CallExpression) -> Option<&Node<Expression>> {
    call.arguments.get(written_position(called_name(call)?)?)
}

fn written_position(function: &str) -> Option<usize> {
    LIBRARY_WRITES.iter().find(|(name, _)| *name == function).map(|(_, position)| *position)
}

pub fn written_by_library(called: &Called) -> impl Iterator<Item = Place> {
    let position = called.name.as_deref().and_then(written_position);
    let arguments = position.and_then(|position| called.arguments.get(position)).into_iter().flatten();
    arguments.filter_map(|argument| handed_back(Place::Elements(argument.clone())))
}

/// What a function with these parameters changes, as who calls it names it: a place for each variable that the argument may hand over. Where
/// nobody knows what is handed over, it has no name.
pub fn in_terms_of_caller(place: &Place, parameters: &[Parameter], called: &Called) -> Vec<Place> {
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
