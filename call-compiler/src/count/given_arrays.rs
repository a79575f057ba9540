//! Arrays that called functions reach by the names of their parameters, by the names that they have where the call stands.

use std::collections::{BTreeSet, HashMap};

use super::place::{is_of_name, root_of};
use super::program::CountedProgram;
use super::work::{ArrayPart, GivenArray, PartBegin, StatementWork};

/// Names are followed through so many calls within each other.
const MOST_DEEP: usize = 8;

/// A parameter of a function, by the number of that.
type NumberedParameter = (usize, String);

/// What parameters are to a function that calls others, where all calls agree and the parameter stays what it is.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct GivenArrays(HashMap<NumberedParameter, Option<GivenArray>>);

impl GivenArrays {
    /// An array that a function reaches: by its own name, unless it was given as a parameter.
    pub fn name(&self, function: usize, array: &str) -> String {
        let (name, members) = array.split_at(root_of(array).len());
        let Some(given) = self.of(function, name) else { return array.to_owned() };
        let path = &given.path;
        match (path.strip_prefix('&'), &given.part) {
            (None, None) => format!("{path}{members}"),
            (Some(variable), None) if members.starts_with("->") => format!("{variable}.{}", &members[2..]),
            (None, Some(_)) if members.is_empty() => path.clone(),
            (None, Some(part)) => match members.strip_prefix("->") {
                Some(member) => format!("{path}{}.{member}", "[]".repeat(part.rows + 1)),
                None if members.starts_with(['[', '.']) => {
                    format!("{path}{}{members}", "[]".repeat(part.rows))
                }
                None => array.to_owned(),
            },
            _ => array.to_owned(),
        }
    }

    /// Whether what a function reaches of one of its arrays in a call is what all calls reach together.
    pub fn is_one_part(&self, function: usize, array: &str) -> bool {
        let part = self.of(function, root_of(array)).and_then(|given| given.part.as_ref());
        part.is_none_or(|part| part.begin != PartBegin::Several)
    }

    /// Whether all calls of a function give the same to the name that it reaches an array by.
    pub fn is_known(&self, function: usize, array: &str) -> bool {
        self.of(function, root_of(array)).is_some()
    }

    fn of(&self, function: usize, parameter: &str) -> Option<&GivenArray> {
        self.0.get(&(function, parameter.to_owned()))?.as_ref()
    }

    /// Where others reach into the same array, nobody says how much it is together.
    fn tell_parts_apart(&mut self, reached: &BTreeSet<NumberedParameter>) {
        let own = reached.iter().filter(|(function, name)| self.of(*function, root_of(name)).is_none());
        let own: Vec<&String> = own.map(|(_, name)| name).collect();
        let all: Vec<GivenArray> = self.0.values().flatten().cloned().collect();
        for given in self.0.values_mut().flatten() {
            let is_within = |name: &&String| {
                name.strip_prefix(&*given.path).is_some_and(|rest| !rest.starts_with(is_of_name))
            };
            let is_shared = own.iter().any(is_within)
                || all.iter().any(|other| other.path == given.path && other.part != given.part);
            if let Some(part) = given.part.as_mut().filter(|its| is_shared && its.begin != PartBegin::Near) {
                part.begin = PartBegin::Several;
            }
        }
    }
}

/// What the calls of some functions give to parameters.
pub struct GivenToArrays {
    /// The function whose names count.
    function: usize,
    /// Who calls whom, with what the arguments are.
    calls: BTreeSet<(usize, usize, Vec<Option<GivenArray>>)>,
    changed: BTreeSet<NumberedParameter>,
    /// The names that functions reach arrays by.
    reached: BTreeSet<NumberedParameter>,
}

impl GivenToArrays {
    pub fn new(function: usize) -> GivenToArrays {
        GivenToArrays { function, calls: BTreeSet::new(), changed: BTreeSet::new(), reached: BTreeSet::new() }
    }

    /// Takes the calls of a statement, which may be in a loop.
    pub fn take(
        &mut self,
        program: &CountedProgram,
        function: usize,
        work: &StatementWork,
        is_in_loop: bool,
    ) {
        self.changed.extend(work.assigned.iter().map(|name| (function, name.clone())));
        self.reached.extend(work.accesses.iter().map(|its| (function, its.array.clone())));
        for (name, arrays) in &work.calls {
            let Some(callee) = program.find(name) else { continue };
            let mut arrays = arrays.clone();
            let parts = arrays.iter_mut().flatten().filter_map(|its| its.part.as_mut());
            parts.filter(|_| is_in_loop).for_each(ArrayPart::repeat);
            self.calls.insert((function, callee, arrays));
        }
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
        found.tell_parts_apart(&self.reached);
        found
    }

    /// What is given where callers were given what is known of them.
    fn once(&self, program: &CountedProgram, known: &GivenArrays) -> GivenArrays {
        let parameters = |function: usize| match program.parsed(function) {
            Ok(parsed) => parsed.parameters(program),
            Err(_) => &[],
        };
        let mut found: HashMap<NumberedParameter, Option<GivenArray>> = HashMap::new();
        // By functions that call themselves.
        let mut moved: BTreeSet<NumberedParameter> = BTreeSet::new();
        for (caller, callee, arrays) in &self.calls {
            for (parameter, array) in parameters(*callee).iter().zip(arrays) {
                let key = (*callee, parameter.name.clone());
                if let Some(array) =
                    array.as_ref().filter(|its| caller == callee && its.path == parameter.name)
                {
                    match &array.part {
                        None => continue,
                        Some(part) if part.rows == 0 => {
                            moved.insert(key);
                            continue;
                        }
                        Some(_) => {}
                    }
                }
                let given = match array {
                    Some(array) if *caller == self.function => Some(array.clone()),
                    Some(array) => known.of(*caller, &array.path).and_then(|outer| array.within(outer)),
                    None => None,
                };
                let given = given.filter(|_| *callee != self.function && !self.changed.contains(&key));
                let own = found.entry(key).or_insert_with(|| given.clone());
                *own = own.as_ref().zip(given.as_ref()).and_then(|(own, given)| own.join(given));
            }
        }
        for key in moved {
            found.entry(key).and_modify(|given| *given = given.take().and_then(GivenArray::moved));
        }
        GivenArrays(found)
    }
}
