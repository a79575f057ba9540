//! What the calls of a program give to the parameters of its functions: a parameter may point to what a function knows by another name.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use foldhash::fast::FixedState;

use super::handed::Called;
use super::place::{ANY, Place, behind_any, is_same_member, last_member, member_of, names_of, root_of};
use super::program::CountedProgram;

/// What calls give to the parameters of one function: by the name of each the paths as the whole program knows them, `&g` for the address of
/// a variable of the file, `&*->n` for that of a member; the names of other parameters that are given the same.
pub type OfParameters = BTreeMap<String, BTreeSet<String>>;

/// A parameter of a function, by the number of that.
type NumberedParameter<'p> = (usize, &'p str);

/// A function as those see it that look for what is handed over.
pub struct Caller<'p> {
    pub parameters: Vec<&'p str>,
    pub is_declared: Box<dyn Fn(&str) -> bool + 'p>,
    /// The calls in it of functions of the program, by their numbers.
    pub calls: Vec<(usize, Called)>,
}

/// Finds what is given to the parameters of all functions, also on the way through others.
pub fn given_to_parameters(functions: &[Caller]) -> Vec<OfParameters> {
    let mut found = vec![OfParameters::new(); functions.len()];
    let mut passed_on: BTreeSet<(NumberedParameter, NumberedParameter)> = BTreeSet::new();
    for (number, caller) in functions.iter().enumerate() {
        for (callee, called) in &caller.calls {
            let parameters = &functions[*callee].parameters;
            for (position, (parameter, arguments)) in parameters.iter().zip(&called.arguments).enumerate() {
                for argument in arguments {
                    if let Some(own) = caller.parameters.iter().find(|own| *own == argument) {
                        passed_on.insert(((number, own), (*callee, parameter)));
                    }
                    let given = found[*callee].entry((*parameter).to_owned()).or_default();
                    given.extend(known_everywhere(argument, caller));
                    let same = called.arguments.iter().enumerate().filter(|(other, its)| {
                        *other != position && argument != ANY && its.contains(argument)
                    });
                    given.extend(same.filter_map(|(other, _)| Some((*parameters.get(other)?).to_owned())));
                }
            }
        }
    }
    let mut is_finished = false;
    while !is_finished {
        is_finished = true;
        for ((caller, own), (callee, parameter)) in &passed_on {
            let is_of_caller = |source: &&String| functions[*caller].parameters.contains(&source.as_str());
            let own = found[*caller].get(*own).into_iter().flatten().filter(|its| !is_of_caller(its));
            let own: Vec<String> = own.cloned().collect();
            let given = found[*callee].entry((*parameter).to_owned()).or_default();
            let before = given.len();
            given.extend(own);
            is_finished &= given.len() == before;
        }
    }
    found
}

/// What a caller hands over, if it has a name that means the same everywhere.
fn known_everywhere(argument: &str, caller: &Caller) -> Option<String> {
    let path = argument.trim_start_matches('&');
    let and = &argument[..argument.len() - path.len()];
    if let Some(member) = member_of(path) {
        return Some(format!("{and}{}", behind_any(member)));
    }
    let root = root_of(path);
    let is_own = root.is_empty() || (caller.is_declared)(root) || caller.parameters.contains(&root);
    (!is_own).then(|| argument.to_owned())
}

/// What else may be at the places of one function, by its parameters and the variables of the file whose address somebody keeps.
pub struct AliasesOfParameters<'p> {
    program: &'p CountedProgram<'p>,
    of_parameters: OfParameters,
    addressed: Rc<HashSet<String, FixedState>>,
}

impl<'p> AliasesOfParameters<'p> {
    pub fn new(
        program: &'p CountedProgram<'p>,
        mut of_parameters: OfParameters,
        addressed: Rc<HashSet<String, FixedState>>,
    ) -> AliasesOfParameters<'p> {
        of_parameters.retain(|_, sources| !sources.is_empty());
        AliasesOfParameters { program, of_parameters, addressed }
    }

    /// Other places that one may be.
    pub fn places(&self, place: &Place) -> Vec<Place> {
        let mut found = Vec::new();
        for (parameter, sources) in &self.of_parameters {
            for source in sources {
                let other = if place.root() == parameter { reached(place, source) } else { None };
                found.extend(other.or_else(|| through(place, parameter, source)));
            }
        }
        if self.addressed.contains(place.root()) {
            found.extend(self.behind_any_pointer(place));
        }
        found.retain(|other| other != place);
        found
    }
}

impl AliasesOfParameters<'_> {
    /// What is in a variable as those know it who keep its address.
    fn behind_any_pointer(&self, place: &Place) -> Vec<Place> {
        let member = |path: &str| last_member(path).map(behind_any);
        match place {
            Place::Elements(path) => member(path).map(Place::Elements).into_iter().collect(),
            Place::Path(path) => {
                let within = self.members_within(path).into_iter();
                let within = within.map(|member| behind_any(&member));
                member(path).into_iter().chain(within).map(Place::Path).collect()
            }
            Place::Anything => Vec::new(),
        }
    }

    /// The members of a variable or of a member of one, if that is a structure.
    fn members_within(&self, path: &str) -> BTreeSet<String> {
        let layouts = self.program.layouts();
        let mut names = names_of(path);
        let variable = names.next().and_then(|name| layouts.of_variable(name, usize::MAX));
        let shape = names.try_fold(variable, |shape, member| Some(layouts.member(&shape?.element, member)));
        let structure = shape.flatten().filter(|its| its.extents.is_empty());
        structure.map(|its| layouts.members_within(&its.element)).unwrap_or_default()
    }
}

/// What is behind a parameter as a place of what it was given. Members have the same name by any pointer.
fn reached(place: &Place, source: &str) -> Option<Place> {
    let variable = source.strip_prefix('&');
    match place {
        Place::Elements(path) if path == place.root() => Some(match variable {
            Some(variable) => Place::Path(variable.to_owned()),
            None => Place::Elements(source.to_owned()),
        }),
        Place::Path(path) if path == place.root() => None,
        Place::Anything => None,
        _ => variable.filter(|its| !its.starts_with(ANY)).map(|_| place.rooted(source)),
    }
}

/// What was given to a parameter as a place behind that.
fn through(place: &Place, parameter: &str, source: &str) -> Option<Place> {
    let Some(variable) = source.strip_prefix('&') else {
        let Place::Elements(path) = place else { return None };
        let is_source = path == source || is_same_member(source, path);
        return is_source.then(|| Place::Elements(parameter.to_owned()));
    };
    match place {
        Place::Path(path) if path == variable || is_same_member(variable, path) => {
            Some(Place::Elements(parameter.to_owned()))
        }
        _ => place.renamed(|path| {
            let member = path.strip_prefix(variable)?.strip_prefix('.')?;
            Some(format!("{parameter}->{member}"))
        }),
    }
}
