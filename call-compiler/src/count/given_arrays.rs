//! Arrays that called functions reach by the names of their parameters, by the names that they have where the call stands.

use std::collections::{BTreeSet, HashMap};

use super::program::CountedProgram;
use super::work::StatementWork;

/// Names are followed through so many calls within each other.
const MOST_DEEP: usize = 8;

/// A parameter of a function, by the number of that.
type NumberedParameter = (usize, String);

/// What parameters are to a function that calls others, where all calls agree and the parameter stays what it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct GivenArrays(HashMap<NumberedParameter, Option<String>>);

impl GivenArrays {
    /// An array that a function reaches: by its own name, unless it was given as a parameter.
    pub fn name(&self, function: usize, array: &str) -> String {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (name, members) = array.split_at(array.find(|c| !is_part(c)).unwrap_or(array.len()));
        let given = self.0.get(&(function, name.to_owned())).cloned().flatten();
        match given.as_deref().map(|given| (given, given.strip_prefix('&'))) {
            Some((given, None)) => format!("{given}{members}"),
            Some((_, Some(variable))) if members.starts_with("->") => format!("{variable}.{}", &members[2..]),
            _ => array.to_owned(),
        }
    }
}

/// What the calls of some functions give to parameters.
pub struct GivenToArrays {
    /// The function whose names count.
    function: usize,
    /// Who calls whom, with the paths of arguments that are nothing else.
    calls: BTreeSet<(usize, usize, Vec<Option<String>>)>,
    changed: BTreeSet<NumberedParameter>,
}

impl GivenToArrays {
    pub fn new(function: usize) -> GivenToArrays {
        GivenToArrays { function, calls: BTreeSet::new(), changed: BTreeSet::new() }
    }

    /// Takes the calls of a statement.
    pub fn take(&mut self, program: &CountedProgram, function: usize, work: &StatementWork) {
        self.changed.extend(work.assigned.iter().map(|name| (function, name.clone())));
        let called = |(name, paths): &(String, Vec<Option<String>>)| {
            Some((function, program.find(name)?, paths.clone()))
        };
        self.calls.extend(work.calls.iter().filter_map(called));
    }

    pub fn find(&self, program: &CountedProgram) -> GivenArrays {
        let mut found = GivenArrays::default();
        for _ in 0..MOST_DEEP {
            let next = self.once(program, &found);
            if next == found {
                break;
            }
            found = next;
        }
        found
    }

    /// What is given where callers were given what is known of them.
    fn once(&self, program: &CountedProgram, known: &GivenArrays) -> GivenArrays {
        let parameters = |function: usize| match program.parsed(function) {
            Ok(parsed) => parsed.parameters(program),
            Err(_) => &[],
        };
        let mut found: HashMap<NumberedParameter, Option<String>> = HashMap::new();
        for (caller, callee, paths) in &self.calls {
            for (parameter, path) in parameters(*callee).iter().zip(paths) {
                let key = (*callee, parameter.name.clone());
                let given = match path {
                    Some(path) if *caller == self.function => Some(path.clone()),
                    Some(path) => known.0.get(&(*caller, path.clone())).cloned().flatten(),
                    None => None,
                };
                let given = given.filter(|_| *callee != self.function && !self.changed.contains(&key));
                let own = found.entry(key).or_insert_with(|| given.clone());
                if *own != given {
                    *own = None;
                }
            }
        }
        GivenArrays(found)
    }
}
