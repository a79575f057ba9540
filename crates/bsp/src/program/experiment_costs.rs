use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use call_machine::{Machine, NUMBERS, Resource, Transfer, numbers_in, table_remarks};
use call_model::{
    Beyond, Forecaster, Model, NoPrediction, PROCESSORS, Prediction, Predictor, Remark, ValueSource,
    contention, contention_remark,
};

use super::{CostModel, ExperimentQuery};
use crate::obsp::{InOut, Network};

/// The fitted experiments that may be costs of programs.
#[derive(Debug, Clone, Default)]
pub struct Experiments {
    /// Those that a program uses, by their names.
    pub forecasters: BTreeMap<String, Arc<Forecaster>>,
    /// The names of all that have a formula.
    pub known: Vec<String>,
    /// Those without a formula, with what is to be done.
    pub cures: BTreeMap<String, String>,
}

/// Where a program is to run.
#[derive(Debug, Clone)]
pub enum TargetMachine {
    /// Where its parts were measured, on that machine if it is known.
    Here(Option<Arc<Machine>>),
    /// Where its parts were measured, with these costs of communication.
    Given(Network),
    /// On another machine, to which the times of its parts are carried.
    Other {
        /// Where its parts were measured.
        here: Arc<Machine>,
        /// Where it is to run.
        there: Arc<Machine>,
    },
}

impl TargetMachine {
    /// Another machine, from where the experiments were measured.
    ///
    /// # Errors
    /// If nothing is known of it that a program takes, or there are experiments, and it is not known where they were measured.
    pub fn on(&self, there: &Arc<Machine>, experiments: &Experiments) -> Result<TargetMachine, NoPrediction> {
        match self {
            TargetMachine::Here(Some(here)) if here == there => Ok(self.clone()),
            _ if there.bsp.is_empty() => {
                let message = format!("{} has no table of s, g and L, which programs take", there.name);
                Err(NoPrediction::new(message).help("choose another machine, or measure this one"))
            }
            TargetMachine::Here(Some(here)) => {
                Ok(TargetMachine::Other { here: Arc::clone(here), there: Arc::clone(there) })
            }
            _ if experiments.forecasters.is_empty() => Ok(TargetMachine::Here(Some(Arc::clone(there)))),
            _ => Err(NoPrediction::new("on which machine were the samples measured?")
                .help("say it with `machine use NAME`; `machine list` shows those that are known")),
        }
    }

    /// The machine, if it is known and its costs of communication hold.
    pub fn machine(&self) -> Option<&Arc<Machine>> {
        match self {
            TargetMachine::Here(machine) => machine.as_ref(),
            TargetMachine::Other { there, .. } => Some(there),
            TargetMachine::Given(_) => None,
        }
    }

    /// The operation `@` that g belongs to.
    pub fn in_out(&self) -> InOut {
        match self {
            TargetMachine::Given(_) => InOut::default(),
            TargetMachine::Here(_) | TargetMachine::Other { .. } => InOut::OF_MACHINES,
        }
    }

    /// g and L for so many processors.
    pub fn network(&self, processors: u32) -> Option<Network> {
        if let TargetMachine::Given(network) = self {
            return Some(*network);
        }
        let parameters = self.machine()?.parameters(f64::from(processors))?;
        Some(Network { g_s_per_byte: parameters.g_s_per_byte, latency_s: parameters.latency_s })
    }
}

/// What is longer than predicted, to see what an uncertainty means for a program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Raised {
    /// The constants of an experiment, by their standard errors.
    Constants,
    /// Its times, by the standard deviation of a measurement from what is predicted.
    Measurements,
    /// Its times, to the lower end of the interval that holds such a share of measurements.
    ToLowerEnd(f64),
    /// Likewise, to the upper end.
    ToUpperEnd(f64),
}

/// Times of experiments on a target machine, with what is to be said about those that were asked for.
pub(super) struct ExperimentCosts<'a> {
    experiments: &'a Experiments,
    target: &'a TargetMachine,
    raised: Option<(&'a str, Raised)>,
    is_contended: bool,
    seen: RefCell<Seen>,
}

/// What was met, each thing once.
#[derive(Default)]
struct Seen {
    /// Where a variable of an experiment leaves the samples by the largest factor.
    beyond: BTreeMap<(String, String), Beyond>,
    /// For each experiment and variable a gap between intervals that was asked in.
    between: BTreeMap<(String, String), Remark>,
    /// For each experiment that is communication, the most processors beyond the samples.
    contention: BTreeMap<String, Remark>,
    /// A point of each experiment whose predicted time is negative.
    negative: BTreeMap<String, Vec<f64>>,
    /// Something raised is as uncertain as can be.
    is_unknown: bool,
    /// Constants that the samples do not tell where they were needed.
    undetermined: BTreeMap<String, Remark>,
    /// The smallest and the largest factor for each kind of work that was carried.
    factors: BTreeMap<&'static str, (f64, f64)>,
    /// Why a kind of work is taken as it was measured.
    assumed: BTreeSet<(&'static str, String)>,
    /// Numbers of processors for which the table of a machine was used, as bits.
    used: BTreeSet<u64>,
}

impl<'a> ExperimentCosts<'a> {
    pub(super) fn new(experiments: &'a Experiments, target: &'a TargetMachine) -> ExperimentCosts<'a> {
        ExperimentCosts { experiments, target, raised: None, is_contended: false, seen: RefCell::default() }
    }

    pub(super) fn raised(self, experiment: &'a str, by: Raised) -> ExperimentCosts<'a> {
        ExperimentCosts { raised: Some((experiment, by)), ..self }
    }

    /// With communication as long as contention may make it on more processors than were measured.
    pub(super) fn contended(self) -> ExperimentCosts<'a> {
        ExperimentCosts { is_contended: true, ..self }
    }

    /// Whether nothing is known of how uncertain a raised time is.
    pub(super) fn is_unknown(&self) -> bool {
        self.seen.borrow().is_unknown
    }

    pub(super) fn remarks(&self) -> Vec<Remark> {
        let seen = self.seen.borrow();
        let mut remarks = Vec::new();
        for ((experiment, _), beyond) in &seen.beyond {
            remarks.push(Remark::Beyond { experiment: Some(experiment.clone()), beyond: beyond.clone() });
        }
        remarks.extend(seen.between.values().cloned());
        remarks.extend(seen.contention.values().cloned());
        remarks.extend(seen.undetermined.values().cloned());
        for (experiment, point) in &seen.negative {
            remarks.push(Remark::Negative { of: Some((experiment.clone(), point.clone())) });
        }
        let machines = match self.target {
            TargetMachine::Here(machine) => machine.as_slice().to_vec(),
            TargetMachine::Given(_) => Vec::new(),
            TargetMachine::Other { here, there } => vec![Arc::clone(here), Arc::clone(there)],
        };
        for machine in &machines {
            let processors = seen.used.iter().map(|bits| f64::from_bits(*bits));
            remarks.extend(processors.flat_map(|processors| table_remarks(machine, processors)));
        }
        if let TargetMachine::Other { here, there } = self.target {
            for (what, (low, high)) in &seen.factors {
                let carried = |factor: f64| Remark::Carried {
                    what: (*what).to_owned(),
                    here: here.name.clone(),
                    there: there.name.clone(),
                    factor,
                };
                remarks.extend([carried(*low), carried(*high)]);
            }
            remarks.extend(seen.assumed.iter().map(|(what, lacking)| Remark::Assumed {
                what: (*what).to_owned(),
                machine: there.name.clone(),
                lacking: lacking.clone(),
            }));
        }
        remarks
    }

    /// What a time spent with a resource is multiplied by there.
    fn factor(&self, resource: &Resource, processors: u32) -> f64 {
        let TargetMachine::Other { here, there } = self.target else { return 1.0 };
        let mut seen = self.seen.borrow_mut();
        let what = described(resource);
        match Transfer::between(here, there, f64::from(processors)).factor(resource) {
            Ok(factor) => {
                let known = seen.factors.entry(what).or_insert((factor.value, factor.value));
                *known = (known.0.min(factor.value), known.1.max(factor.value));
                seen.used.insert(f64::from(processors).to_bits());
                factor.value
            }
            Err(lacking) => {
                seen.assumed.insert((what, lacking.to_string()));
                1.0
            }
        }
    }

    /// The resource that a term of a formula is spent with. Of communication, what does not grow with any variable is latency.
    fn resource(model: &Model, term: usize, what: ExperimentQuery) -> Resource {
        let is_constant = || {
            let basis = &model.formula().terms()[term].basis;
            let point = |value: f64| vec![value; model.formula().variables().len()];
            basis.evaluate(&point(2.0)) == basis.evaluate(&point(3.0))
        };
        match what.is_communication {
            false => Resource::Computation,
            true if is_constant() => Resource::Latency,
            true => Resource::Gap,
        }
    }

    /// `point` is on the target machine, `here` where the experiments were measured.
    fn time_s(
        &self,
        (experiment, model): (&str, &Model),
        prediction: &Prediction,
        what: ExperimentQuery,
        [here, point]: [&[f64]; 2],
    ) -> f64 {
        let is_same = here == point;
        if is_same && !matches!(self.target, TargetMachine::Other { .. }) {
            return prediction.time_s;
        }
        let shares = prediction.shares.iter().enumerate();
        let carried = |(term, share): (usize, &call_model::TermShare)| {
            let basis = &model.formula().terms()[term].basis;
            match is_same || basis.evaluate(here) == basis.evaluate(point) {
                true => share.time_s * self.term_factor((experiment, model), term, what),
                false => {
                    let constant = model.cells()[prediction.cell].fit.coefficients[term];
                    constant * basis.evaluate(point) * self.term_factor((experiment, model), term, what)
                }
            }
        };
        shares.map(carried).sum()
    }

    /// What a constant is multiplied by there: those of terms with g and L are pure numbers.
    fn term_factor(&self, (experiment, model): (&str, &Model), term: usize, what: ExperimentQuery) -> f64 {
        let basis = &model.formula().terms()[term].basis;
        let numbers: Vec<&'static str> =
            NUMBERS.into_iter().filter(|name| self.is_of_machine(experiment, name)).collect();
        match numbers_in(model, &numbers, basis).is_empty() {
            true => self.factor(&Self::resource(model, term, what), what.processors),
            false => 1.0,
        }
    }

    /// Whether a variable of an experiment has its values from the machine.
    fn is_of_machine(&self, experiment: &str, variable: &str) -> bool {
        let forecaster = self.experiments.forecasters.get(experiment);
        forecaster.is_some_and(|its| its.definitions().source(variable) == Some(&ValueSource::Machine))
    }

    /// A point as it would be where the experiments were measured: with g and L of that machine in the place of the target's.
    fn point_here(&self, experiment: &str, processors: u32, point: &[f64]) -> Vec<f64> {
        let here = match self.target {
            TargetMachine::Other { here, .. } => Some(here),
            _ => None,
        };
        let parameters = here.and_then(|here| here.parameters(f64::from(processors)));
        let value = |(name, value): (&String, &f64)| {
            let number = call_machine::number(name).zip(parameters);
            let is_targets = || self.machine_number(experiment, name, processors) == Some(*value);
            number.filter(|_| is_targets()).map_or(*value, |(number, parameters)| number(parameters))
        };
        let variables = self.variables(experiment).unwrap_or_default();
        variables.iter().zip(point).map(value).collect()
    }

    /// What multiplies a communication for contention. On another machine, or with a given network, it is as unknown.
    fn contention(&self, forecaster: &Forecaster, what: ExperimentQuery) -> f64 {
        let sampled = forecaster.sampled(PROCESSORS);
        let processors = f64::from(what.processors);
        let Some(remark) = contention_remark(processors, sampled).filter(|_| what.is_communication) else {
            return 1.0;
        };
        let mut seen = self.seen.borrow_mut();
        let known = seen.contention.entry(forecaster.name().to_owned()).or_insert_with(|| remark.clone());
        if let (Remark::Contention { processors: most, .. }, Remark::Contention { processors: new, .. }) =
            (&*known, &remark)
            && new > most
        {
            *known = remark;
        }
        if self.is_contended { contention(processors, sampled) } else { 1.0 }
    }

    /// What something is raised by; where that is not known, 0 is taken, and remembered.
    fn known(&self, raise: f64) -> f64 {
        if raise.is_finite() {
            return raise;
        }
        self.seen.borrow_mut().is_unknown = true;
        0.0
    }

    fn see(&self, experiment: &str, point: &[f64], prediction: &Prediction, model: &Model) {
        let mut seen = self.seen.borrow_mut();
        if prediction.standard_error_s == f64::INFINITY {
            let remark = || Remark::undetermined(model, prediction.cell);
            seen.undetermined.entry(experiment.to_owned()).or_insert_with(remark);
        }
        for beyond in &prediction.beyond {
            let key = (experiment.to_owned(), beyond.variable.clone());
            let known = seen.beyond.entry(key).or_insert_with(|| beyond.clone());
            if beyond.factor() > known.factor() {
                *known = beyond.clone();
            }
        }
        let (others, gaps) = model.other_sides(point, prediction.cell);
        for gap in gaps.into_iter().filter(|_| !others.is_empty()) {
            let variable = model.formula().variables()[gap.variable].name().to_owned();
            let key = (experiment.to_owned(), variable.clone());
            seen.between.entry(key).or_insert_with(|| Remark::BetweenIntervals {
                experiment: Some(experiment.to_owned()),
                variable,
                below: gap.below,
                above: gap.above,
                middle: gap.middle,
            });
        }
        if prediction.time_s < 0.0 {
            seen.negative.entry(experiment.to_owned()).or_insert_with(|| point.to_vec());
        }
    }
}

/// Other formulas count as far as this interval reaches.
const LEVEL_OF_RAISE: f64 = 0.9;

/// What a raise is by, as a part of the time. As much longer as it would be here: a ratio of times.
fn relative_raise(forecaster: &Forecaster, point: &[f64], prediction: &Prediction, by: Raised) -> f64 {
    let ends_s = |level| forecaster.ends_without_contention(point, level);
    let more_s = match by {
        Raised::Constants => prediction.standard_error_s,
        Raised::Measurements => {
            let forecast = forecaster.forecast(point, LEVEL_OF_RAISE);
            forecast.noise_s.hypot(forecast.constants_s).hypot(forecast.formula_s)
        }
        Raised::ToLowerEnd(level) => ends_s(level)[0] - prediction.time_s,
        Raised::ToUpperEnd(level) => ends_s(level)[1] - prediction.time_s,
    };
    more_s / prediction.time_s
}

fn described(resource: &Resource) -> &'static str {
    match resource {
        Resource::Gap => "communicating, by g,",
        Resource::Latency => "communicating, by L,",
        _ => "computing, by s,",
    }
}

impl CostModel for ExperimentCosts<'_> {
    fn variables(&self, experiment: &str) -> Option<Vec<String>> {
        Some(self.experiments.forecasters.get(experiment)?.variables().to_vec())
    }

    fn value(&self, experiment: &str, what: ExperimentQuery, point: &[f64]) -> f64 {
        let Some(forecaster) = self.experiments.forecasters.get(experiment) else { return f64::NAN };
        let model = forecaster.model();
        let here = self.point_here(experiment, what.processors, point);
        let prediction = model.predict(&here);
        self.see(experiment, &here, &prediction, model);
        let contention = self.contention(forecaster, what);
        let raised = self.raised.filter(|(name, _)| *name == experiment).map(|(_, by)| by);
        match what.constant {
            None => {
                // What takes no time has no part that it may be longer by.
                let raised = raised.filter(|_| prediction.time_s != 0.0);
                let raise = raised.map_or(0.0, |by| relative_raise(forecaster, &here, &prediction, by));
                let raise = self.known(raise);
                let time_s = self.time_s((experiment, model), &prediction, what, [&here, point])
                    * (1.0 + raise)
                    * contention;
                // What is not a number stays so.
                if time_s < 0.0 { 0.0 } else { time_s }
            }
            Some(index) => {
                let terms = model.formula().terms();
                let Some(term) = terms.iter().position(|term| term.coefficient.0 == index) else {
                    return f64::NAN;
                };
                let fit = &model.cells()[prediction.cell].fit;
                let error = raised.map_or(0.0, |_| self.known(fit.standard_errors[term]));
                (fit.coefficients[term] + error)
                    * self.term_factor((experiment, model), term, what)
                    * contention
            }
        }
    }

    fn experiments(&self) -> Vec<String> {
        self.experiments.known.clone()
    }

    fn other_unit(&self, experiment: &str) -> Option<String> {
        let unit = self.experiments.forecasters.get(experiment)?.unit();
        (!unit.is_time()).then(|| unit.to_string())
    }

    fn cure(&self, experiment: &str) -> Option<String> {
        self.experiments.cures.get(experiment).cloned()
    }

    fn machine_number(&self, experiment: &str, variable: &str, processors: u32) -> Option<f64> {
        if !self.is_of_machine(experiment, variable) {
            return None;
        }
        let network = self.network(processors)?;
        match variable {
            "g" => Some(network.g_s_per_byte),
            "L" => Some(network.latency_s),
            _ => None,
        }
    }

    fn network(&self, processors: u32) -> Option<Network> {
        let network = self.target.network(processors)?;
        self.seen.borrow_mut().used.insert(f64::from(processors).to_bits());
        Some(network)
    }
}
