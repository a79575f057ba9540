//! The calls of functions in an experiment, and what numbers of these functions are in its names.

use std::collections::{BTreeSet, HashMap};

use call_counting::{Atom, Polynomial};

use super::change::EffectFinder;
use super::given_arrays::GivenArrays;
use super::place::root_of;
use super::program::CountedProgram;
use super::work::{AccessStride, LoopAround, StatementWork};

/// Calls are followed through so many others.
pub const MOST_DEEP: usize = 8;

/// A call of a function.
struct CallSite {
    caller: usize,
    /// The loops around the call in it.
    loops: Vec<LoopAround>,
    /// The numbers that it gives, in the names of the caller.
    numbers: Vec<Option<Polynomial>>,
}

/// The calls of an experiment by the functions that are called.
#[derive(Default)]
pub struct CallSites {
    sites: HashMap<usize, Vec<CallSite>>,
    /// What functions give other values.
    assigned: BTreeSet<(usize, String)>,
}

impl CallSites {
    /// Takes the calls of a statement of a function.
    pub fn take(&mut self, program: &CountedProgram, caller: usize, work: &StatementWork) {
        self.assigned.extend(work.assigned.iter().map(|name| (caller, name.clone())));
        for ((name, _), numbers) in work.calls.iter().zip(&work.given_numbers) {
            let site = || CallSite { caller, loops: work.loops.clone(), numbers: numbers.clone() };
            let callee = program.find(name);
            callee.into_iter().for_each(|callee| self.sites.entry(callee).or_default().push(site()));
        }
    }

    /// The function that calls another one, and the loops there, where there is one call.
    pub fn only(&self, function: usize) -> Option<(usize, &[LoopAround])> {
        match &self.sites.get(&function)?[..] {
            [only] => Some((only.caller, &only.loops)),
            _ => None,
        }
    }

    /// A stride of a function in the names of the function of the experiment, `main`; unknown where calls give other numbers, or names are
    /// of the function alone.
    pub fn told(
        &self,
        (program, main, given): (&CountedProgram, usize, &GivenArrays),
        function: usize,
        stride: &AccessStride,
    ) -> AccessStride {
        match stride {
            AccessStride::Elements(elements) => self
                .number((program, main, given), function, elements, 0)
                .map_or(AccessStride::Unknown, AccessStride::Elements),
            other => other.clone(),
        }
    }

    fn number(
        &self,
        known: (&CountedProgram, usize, &GivenArrays),
        function: usize,
        number: &Polynomial,
        depth: usize,
    ) -> Option<Polynomial> {
        let (program, main, given) = known;
        let names = || number.atoms().into_iter().filter(|atom| matches!(atom, Atom::Name(_)));
        if function == main || names().next().is_none() {
            return Some(number.clone());
        }
        if depth > MOST_DEEP {
            return None;
        }
        let parsed = program.parsed(function).ok()?;
        let body = &parsed.definition()?.statement;
        let declared = EffectFinder::statement(body).declared;
        let parameters = parsed.parameters(program);
        let mut values: HashMap<&Atom, Polynomial> = HashMap::new();
        for atom in names() {
            let Atom::Name(name) = atom else { continue };
            let root = root_of(name);
            let Some(position) = parameters.iter().position(|its| its.name == root) else {
                if declared.contains(root) {
                    return None;
                }
                continue;
            };
            if self.assigned.contains(&(function, root.to_owned())) {
                return None;
            }
            let value = if &**name == root {
                let mut all = self.sites.get(&function)?.iter().map(|site| {
                    self.number(known, site.caller, site.numbers.get(position)?.as_ref()?, depth + 1)
                });
                let first = all.next()??;
                all.all(|other| other.as_ref() == Some(&first)).then_some(first)?
            } else if given.is_known(function, name) {
                Polynomial::name(&given.name(function, name))
            } else {
                return None;
            };
            values.insert(atom, value);
        }
        number.mapped(&|atom| values.get(atom).cloned())
    }
}
