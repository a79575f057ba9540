//! What variables are computed from: definitions of `let`, and the machine.

use std::collections::BTreeSet;

use call_grammar::Quantity;
use call_machine::{BspParameters, Machine};

use super::points::{Given, PROCESSORS};
use crate::data::{self, DataSet, Step};

/// Definitions that use definitions that use …: more than this is a circle (`let N = 2*N`).
const DEEPEST: usize = 50;

/// What is known of variables besides values that are given.
pub struct Definitions<'a> {
    /// Of several definitions of a name the first counts.
    all: Vec<(&'a str, Definition<'a>)>,
}

enum Definition<'a> {
    /// By `let`.
    Quantity(&'a Quantity),
    /// A number of the machine, for P processors.
    Machine(&'a Machine, fn(BspParameters) -> f64),
}

impl<'a> Definitions<'a> {
    /// What `let` defines, the last definition of a name first, and behind that what the machine gives.
    pub fn of(set: &'a DataSet, machine: Option<&'a Machine>) -> Definitions<'a> {
        let mut all: Vec<(&str, Definition)> = set
            .steps()
            .filter_map(|step| match step {
                Step::Let { name, quantity } => Some((name.as_str(), Definition::Quantity(quantity))),
                _ => None,
            })
            .collect();
        all.reverse();
        if let Some(machine) = machine.filter(|machine| !machine.bsp.is_empty()) {
            let number = |name| Some((name, Definition::Machine(machine, data::parameter(name)?)));
            all.extend(data::VARIABLES.into_iter().filter_map(number));
        }
        Definitions { all }
    }

    /// The same with only those numbers of the machine that are chosen.
    pub fn where_machine(mut self, is_chosen: impl Fn(&str) -> bool) -> Definitions<'a> {
        self.all
            .retain(|(name, definition)| !matches!(definition, Definition::Machine(..)) || is_chosen(name));
        self
    }

    fn find(&self, name: &str) -> Option<&Definition<'a>> {
        self.all.iter().find(|(defined, _)| *defined == name).map(|(_, definition)| definition)
    }

    /// The variables, and all that they may be computed from.
    pub fn reachable<'b>(&'b self, variables: &[&'b str]) -> BTreeSet<&'b str> {
        let mut reachable: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<&str> = variables.to_vec();
        while let Some(name) = waiting.pop() {
            if reachable.insert(name) {
                let of_name = self.all.iter().filter(|(defined, _)| *defined == name);
                waiting.extend(of_name.flat_map(|(_, definition)| definition.inputs()));
            }
        }
        reachable
    }

    /// Whether a variable has its values from others that are known.
    pub fn is_computed(&self, name: &str, is_known: &dyn Fn(&str) -> bool) -> bool {
        let definition = self.find(name);
        let inputs = definition.map(Definition::inputs).filter(|inputs| !inputs.contains(&name));
        inputs.is_some_and(|inputs| inputs.iter().all(|input| is_known(input)))
    }

    /// Whether variables have numbers of the machine, directly or by others, where some names have values.
    pub fn takes_machine(&self, variables: &[&str], named: &[&str]) -> bool {
        let is_of_machine = |name: &&str| matches!(self.find(name), Some(Definition::Machine(..)));
        self.reachable(variables).iter().any(|name| is_of_machine(name) && !named.contains(name))
    }

    /// What variables are read from where some names have values: a variable that comes from the machine or from one of those is
    /// computed, as far as what it is computed from is known.
    pub fn inputs<'b>(
        &'b self,
        variables: &[&'b str],
        named: &[&str],
        is_known: &dyn Fn(&str) -> bool,
    ) -> Vec<&'b str> {
        let mut inputs = Vec::new();
        for input in variables.iter().flat_map(|name| self.inputs_of(name, named, is_known, 0)) {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
        inputs
    }

    fn inputs_of<'b>(
        &'b self,
        name: &'b str,
        named: &[&str],
        is_known: &dyn Fn(&str) -> bool,
        depth: usize,
    ) -> Vec<&'b str> {
        let is_computed = |definition: &&Definition| match definition {
            Definition::Machine(..) => true,
            Definition::Quantity(_) => {
                self.reachable(&definition.inputs()).iter().any(|input| named.contains(input))
            }
        };
        let definition = self.find(name).filter(|_| depth < DEEPEST && !named.contains(&name));
        let inputs = definition.filter(is_computed).map(|definition| {
            let inputs = definition.inputs().into_iter();
            inputs.flat_map(|input| self.inputs_of(input, named, is_known, depth + 1)).collect()
        });
        inputs.filter(|inputs: &Vec<&str>| inputs.iter().all(|input| is_known(input))).unwrap_or(vec![name])
    }

    /// The value of a name that [`Needed::require`] has seen.
    pub fn resolve(&self, name: &str, known: &dyn Fn(&str) -> Option<f64>) -> f64 {
        if let Some(value) = known(name) {
            return value;
        }
        let Some(definition) = self.find(name) else { return f64::NAN };
        let inputs: Vec<f64> =
            definition.inputs().into_iter().map(|input| self.resolve(input, known)).collect();
        definition.evaluate(&inputs)
    }
}

impl Definition<'_> {
    fn inputs(&self) -> Vec<&str> {
        match self {
            Definition::Quantity(quantity) => quantity.variables().iter().map(|known| known.name()).collect(),
            Definition::Machine(..) => vec![PROCESSORS],
        }
    }

    fn evaluate(&self, inputs: &[f64]) -> f64 {
        match self {
            Definition::Quantity(quantity) => quantity.evaluate(inputs),
            Definition::Machine(machine, number) => {
                inputs.first().and_then(|processors| machine.parameters(*processors)).map_or(f64::NAN, number)
            }
        }
    }
}

/// Which given values are needed.
pub struct Needed<'a, 'd> {
    pub given: &'a [&'a Given],
    pub definitions: &'a Definitions<'d>,
    pub used: &'a mut [bool],
}

impl Needed<'_, '_> {
    /// Marks the given values that a variable comes from; the error is a name without value.
    pub fn require(&mut self, name: &str, depth: usize) -> Result<(), String> {
        if let Some(position) = self.given.iter().position(|one| one.name == name) {
            self.used[position] = true;
            return Ok(());
        }
        match self.definitions.find(name) {
            Some(definition @ Definition::Quantity(_)) if depth < DEEPEST => definition
                .inputs()
                .into_iter()
                .try_for_each(|input| self.require(input, depth + 1))
                .map_err(|missing| if depth == 0 { name.to_owned() } else { missing }),
            Some(Definition::Machine(..)) if depth < DEEPEST => self.require(PROCESSORS, depth + 1),
            _ => Err(name.to_owned()),
        }
    }
}
