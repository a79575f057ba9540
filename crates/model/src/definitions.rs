use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use call_grammar::Quantity;

use crate::Remark;

/// How formulas and programs call the number of processors.
pub const PROCESSORS: &str = "P";

/// Definitions that use definitions that use …: more than this is a circle (`let N = 2*N`).
const DEEPEST: usize = 50;

/// Where the value of a variable comes from if it is not given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// From other variables, by `let`.
    Let,
    /// From a machine, at a number of processors.
    Machine,
    /// All samples have the same value.
    Samples,
    /// As the recording of a run has it.
    Recording,
}

type ValueFunction = dyn Fn(&[f64]) -> f64 + Send + Sync;
type RemarksFunction = dyn Fn(&[f64]) -> Vec<Remark> + Send + Sync;

/// How one variable is computed from others.
#[derive(Clone)]
pub struct Definition {
    name: String,
    inputs: Vec<String>,
    source: ValueSource,
    is_smooth: bool,
    value: Arc<ValueFunction>,
    remarks: Arc<RemarksFunction>,
}

impl Definition {
    /// A variable whose value is a function of the inputs.
    pub fn new(
        name: &str,
        inputs: &[&str],
        source: ValueSource,
        value: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
    ) -> Definition {
        Definition {
            name: name.to_owned(),
            inputs: inputs.iter().map(|input| (*input).to_owned()).collect(),
            source,
            is_smooth: true,
            value: Arc::new(value),
            remarks: Arc::new(|_| Vec::new()),
        }
    }

    /// `let NAME = QUANTITY`.
    pub fn of_quantity(name: &str, quantity: &Quantity) -> Definition {
        let inputs: Vec<&str> = quantity.variables().iter().map(|variable| variable.name()).collect();
        let (quantity, is_smooth) = (quantity.clone(), quantity.is_smooth());
        let value = move |values: &[f64]| quantity.evaluate(values);
        Definition { is_smooth, ..Definition::new(name, &inputs, ValueSource::Let, value) }
    }

    /// The same, with what there is to say of a value.
    pub fn remarking(self, remarks: impl Fn(&[f64]) -> Vec<Remark> + Send + Sync + 'static) -> Definition {
        Definition { remarks: Arc::new(remarks), ..self }
    }

    /// What is defined.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn inputs(&self) -> impl Iterator<Item = &str> {
        self.inputs.iter().map(String::as_str)
    }
}

impl fmt::Debug for Definition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} of {} by {:?}", self.name, self.inputs.join(", "), self.source)
    }
}

/// What is known of variables besides values that are given.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// Of several definitions of a name the first counts.
    all: Vec<Definition>,
}

impl FromIterator<Definition> for Definitions {
    fn from_iter<I: IntoIterator<Item = Definition>>(all: I) -> Definitions {
        Definitions { all: all.into_iter().collect() }
    }
}

/// `let NAME = QUANTITY`, the last one first.
impl<'a> FromIterator<&'a (String, Quantity)> for Definitions {
    fn from_iter<I: IntoIterator<Item = &'a (String, Quantity)>>(lets: I) -> Definitions {
        lets.into_iter().map(|(name, quantity)| Definition::of_quantity(name, quantity)).collect()
    }
}

impl Definitions {
    /// The same with a further definition, which counts where its name has none yet.
    pub fn or(mut self, definition: Definition) -> Definitions {
        self.all.push(definition);
        self
    }

    fn find(&self, name: &str) -> Option<&Definition> {
        self.all.iter().find(|definition| definition.name == name)
    }

    /// Whether variables are computed without jumps, bends and waves.
    pub fn are_smooth(&self, names: &[String]) -> bool {
        let mut left: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = left.pop() {
            let Some(definition) = self.find(name).filter(|_| seen.insert(name)) else { continue };
            if !definition.is_smooth {
                return false;
            }
            left.extend(definition.inputs());
        }
        true
    }

    /// Where a variable has its value from if none is given.
    pub fn source(&self, name: &str) -> Option<&ValueSource> {
        self.find(name).map(|definition| &definition.source)
    }

    /// Whether a variable, or something that it is computed from, has its value from there.
    pub fn comes_from(&self, name: &str, source: &ValueSource) -> bool {
        self.reachable_from(vec![name]).into_iter().any(|name| self.source(name) == Some(source))
    }

    /// The variables, and all that they may be computed from.
    pub fn reachable<'a>(&'a self, variables: &'a [String]) -> BTreeSet<&'a str> {
        self.reachable_from(variables.iter().map(String::as_str).collect())
    }

    fn reachable_from<'a>(&'a self, mut waiting: Vec<&'a str>) -> BTreeSet<&'a str> {
        let mut reachable: BTreeSet<&str> = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            if reachable.insert(name) {
                let of_name = self.all.iter().filter(|definition| definition.name == name);
                waiting.extend(of_name.flat_map(Definition::inputs));
            }
        }
        reachable
    }

    /// Whether a variable has its values from others that are known.
    pub fn is_computed(&self, name: &str, is_known: &dyn Fn(&str) -> bool) -> bool {
        let definition = self.find(name).filter(|definition| definition.inputs().all(|input| input != name));
        definition.is_some_and(|definition| definition.inputs().all(is_known))
    }

    /// What a variable is computed from: of inputs that have to be computed, too, theirs; itself if it need not be.
    pub fn computed_inputs<'a>(&'a self, name: &'a str, has_to_be: &dyn Fn(&str) -> bool) -> Vec<&'a str> {
        self.computed_within(name, has_to_be, 0)
    }

    fn computed_within<'a>(
        &'a self,
        name: &'a str,
        has_to_be: &dyn Fn(&str) -> bool,
        depth: usize,
    ) -> Vec<&'a str> {
        let definition = self.find(name).filter(|_| depth < DEEPEST && has_to_be(name));
        definition.map_or(vec![name], |definition| {
            definition.inputs().flat_map(|input| self.computed_within(input, has_to_be, depth + 1)).collect()
        })
    }

    /// What variables are read from where some names have values: a variable that comes from the machine or from one of those is
    /// computed, as far as what it is computed from is known.
    pub fn inputs<'a>(
        &'a self,
        variables: &'a [String],
        named: &[&str],
        is_known: &dyn Fn(&str) -> bool,
    ) -> Vec<&'a str> {
        let mut inputs = Vec::new();
        for input in variables.iter().flat_map(|name| self.inputs_of(name, named, is_known, 0)) {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
        inputs
    }

    fn inputs_of<'a>(
        &'a self,
        name: &'a str,
        named: &[&str],
        is_known: &dyn Fn(&str) -> bool,
        depth: usize,
    ) -> Vec<&'a str> {
        let is_computed = |definition: &&Definition| match definition.source {
            ValueSource::Let => {
                let reachable = self.reachable_from(definition.inputs().collect());
                reachable.iter().any(|input| named.contains(input))
            }
            _ => true,
        };
        let definition = self.find(name).filter(|_| depth < DEEPEST && !named.contains(&name));
        let inputs = definition.filter(is_computed).map(|definition| {
            let inputs = definition.inputs();
            inputs.flat_map(|input| self.inputs_of(input, named, is_known, depth + 1)).collect()
        });
        inputs.filter(|inputs: &Vec<&str>| inputs.iter().all(|input| is_known(input))).unwrap_or(vec![name])
    }

    /// Which of the names that have values are needed for variables.
    ///
    /// # Errors
    /// The name of a variable without value.
    pub fn needed(&self, variables: &[String], given: &[&str]) -> Result<Vec<bool>, String> {
        let mut used = vec![false; given.len()];
        for name in variables {
            self.require(name, given, &mut used, 0)?;
        }
        Ok(used)
    }

    fn require(&self, name: &str, given: &[&str], used: &mut [bool], depth: usize) -> Result<(), String> {
        if let Some(position) = given.iter().position(|known| *known == name) {
            used[position] = true;
            return Ok(());
        }
        let definition = self.find(name).filter(|_| depth < DEEPEST).ok_or_else(|| name.to_owned())?;
        let mut inputs = definition.inputs();
        inputs.try_for_each(|input| self.require(input, given, used, depth + 1)).map_err(|missing| {
            // Who asks for a variable of the formula knows that name rather than what it is made of.
            if depth == 0 && definition.source == ValueSource::Let { name.to_owned() } else { missing }
        })
    }

    /// The value of a name, NaN if it comes from nowhere.
    pub fn resolve(&self, name: &str, known: &dyn Fn(&str) -> Option<f64>) -> f64 {
        self.resolve_within(name, known, 0)
    }

    fn resolve_within(&self, name: &str, known: &dyn Fn(&str) -> Option<f64>, depth: usize) -> f64 {
        if let Some(value) = known(name) {
            return value;
        }
        let Some(definition) = self.find(name).filter(|_| depth < DEEPEST) else { return f64::NAN };
        (definition.value)(&self.values_of(definition, known, depth))
    }

    fn values_of(
        &self,
        definition: &Definition,
        known: &dyn Fn(&str) -> Option<f64>,
        depth: usize,
    ) -> Vec<f64> {
        definition.inputs().map(|input| self.resolve_within(input, known, depth + 1)).collect()
    }

    /// What there is to say of the definitions that give variables their values.
    pub fn remarks(&self, variables: &[String], known: &dyn Fn(&str) -> Option<f64>) -> Vec<Remark> {
        let computed = self.reachable(variables).into_iter().filter(|name| known(name).is_none());
        let definitions = computed.filter_map(|name| self.find(name));
        definitions
            .flat_map(|definition| (definition.remarks)(&self.values_of(definition, known, 0)))
            .collect()
    }
}
