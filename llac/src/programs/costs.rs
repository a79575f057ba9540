use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use call_bsp::obsp::Network;
use call_bsp::program::{Costs, ExperimentQuery, Program};
use call_machine::{Machine, Resource, Transfer};
use call_model::{Model, Prediction};

use super::remarks::Remarks;
use crate::command::no_formula;
use crate::{Error, Session};

/// Where a program is to run.
#[derive(Debug, Clone)]
pub enum Place {
    /// Where its parts were measured, on that machine if it is known.
    Here(Option<Arc<Machine>>),
    /// Where its parts were measured, with these costs of communication.
    Given(Network),
    /// On another machine, to which the times of its parts are carried.
    Other { here: Arc<Machine>, there: Arc<Machine> },
}

/// Times of the experiments of a session at some place, with what is strange about them.
pub struct ExperimentCosts {
    models: BTreeMap<String, Arc<Model>>,
    /// All experiments with a formula.
    known: Vec<String>,
    /// Those without.
    without_formula: BTreeSet<String>,
    place: Place,
    /// The experiment whose times are longer by their standard error.
    raised: Option<String>,
    remarks: RefCell<Remarks>,
}

impl ExperimentCosts {
    /// The costs of a program's experiments, which are fitted now if they were not before, where they were measured.
    pub fn of(session: &mut Session, program: &Program) -> Result<ExperimentCosts, Error> {
        let mut models = BTreeMap::new();
        for name in program.names() {
            let found = session.find(name).filter(|found| found.experiment().formula.is_some());
            if let Some(found) = found {
                models.insert(name.to_owned(), session.model(found.experiment())?);
            }
        }
        let experiments = session.state().data().experiments().iter();
        let (known, without): (Vec<_>, Vec<_>) = experiments.partition(|one| one.formula.is_some());
        let known = known.into_iter().map(|one| one.name.clone()).collect();
        let without_formula = without.into_iter().map(|one| one.name.clone()).collect();
        let machine = session.state().data().machine().cloned();
        Ok(ExperimentCosts {
            models,
            known,
            without_formula,
            place: Place::Here(machine),
            raised: None,
            remarks: RefCell::default(),
        })
    }

    /// The same experiments at another place.
    pub fn at(&self, place: Place) -> ExperimentCosts {
        ExperimentCosts {
            models: self.models.clone(),
            known: self.known.clone(),
            without_formula: self.without_formula.clone(),
            place,
            raised: None,
            remarks: RefCell::default(),
        }
    }

    /// The machine of the place, if it is known and its costs of communication hold.
    pub fn machine(&self) -> Option<&Machine> {
        match &self.place {
            Place::Here(machine) => machine.as_deref(),
            Place::Other { there, .. } => Some(there),
            Place::Given(_) => None,
        }
    }

    /// On another machine.
    ///
    /// # Errors
    /// If nothing is known of it that a program takes, or there are experiments, and it is not known where they were measured.
    pub fn on(&self, there: &Arc<Machine>) -> Result<ExperimentCosts, Error> {
        match &self.place {
            Place::Here(Some(here)) if here == there => Ok(self.at(self.place.clone())),
            _ if there.bsp.is_empty() => {
                Err(Error::new(format!("{} has no table of s, g and L, which programs take", there.name))
                    .help("choose another machine, or measure this one"))
            }
            Place::Here(Some(here)) => {
                Ok(self.at(Place::Other { here: Arc::clone(here), there: Arc::clone(there) }))
            }
            _ if self.models.is_empty() => Ok(self.at(Place::Here(Some(Arc::clone(there))))),
            _ => Err(Error::new("on which machine were the samples measured?")
                .help("say it with `machine use NAME`; `machine list` shows those that are known")),
        }
    }

    /// The same costs with an experiment whose times are longer by their standard error, for each experiment.
    pub fn raised(&self) -> impl Iterator<Item = ExperimentCosts> {
        self.models
            .keys()
            .map(|name| ExperimentCosts { raised: Some(name.clone()), ..self.at(self.place.clone()) })
    }

    /// Which numbers were carried or interpolated.
    pub fn notes(&self) -> Vec<String> {
        self.remarks.borrow().notes()
    }

    /// What the user should beware of.
    pub fn warnings(&self) -> Vec<String> {
        self.remarks.borrow().warnings()
    }

    /// What a time spent with a resource is multiplied by at this place.
    fn factor(&self, resource: &Resource, processors: u32) -> f64 {
        let Place::Other { here, there } = &self.place else { return 1.0 };
        let mut remarks = self.remarks.borrow_mut();
        let resource_name = described(resource);
        match Transfer::between(here, there, f64::from(processors)).factor(resource) {
            Ok(factor) => {
                remarks
                    .carried(format!("{resource_name} from {} to {}", here.name, there.name), factor.value);
                remarks.used(here, processors);
                remarks.used(there, processors);
                factor.value
            }
            Err(lacking) => {
                let there = &there.name;
                remarks.assumed(format!(
                    "{resource_name} is assumed to be on {there} what it is here: {lacking}"
                ));
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

    fn time_s(&self, model: &Model, prediction: &Prediction, what: ExperimentQuery) -> f64 {
        if !matches!(self.place, Place::Other { .. }) {
            return prediction.time_s;
        }
        let shares = prediction.shares.iter().enumerate();
        shares
            .map(|(term, share)| {
                share.time_s * self.factor(&Self::resource(model, term, what), what.processors)
            })
            .sum()
    }
}

fn described(resource: &Resource) -> &'static str {
    match resource {
        Resource::Gap => "communicating, by g,",
        Resource::Latency => "communicating, by L,",
        _ => "computing, by s,",
    }
}

impl Costs for ExperimentCosts {
    fn variables(&self, experiment: &str) -> Option<Vec<String>> {
        let model = self.models.get(experiment)?;
        Some(model.formula().variables().iter().map(|variable| variable.name().to_owned()).collect())
    }

    fn value(&self, experiment: &str, what: ExperimentQuery, point: &[f64]) -> f64 {
        let Some(model) = self.models.get(experiment) else { return f64::NAN };
        let prediction = model.predict(point);
        self.remarks.borrow_mut().predicted(experiment, point, &prediction);
        let is_raised = self.raised.as_deref() == Some(experiment);
        match what.constant {
            None => {
                let time_s = self.time_s(model, &prediction, what);
                // As much longer as it would be here: a ratio of times.
                let raise = 1.0 + prediction.standard_error_s / prediction.time_s;
                let time_s = if is_raised && raise.is_finite() { time_s * raise } else { time_s };
                // What is not a number stays so.
                if time_s < 0.0 { 0.0 } else { time_s }
            }
            Some(index) => {
                let terms = model.formula().terms();
                let Some(term) = terms.iter().position(|term| term.coefficient.0 == index) else {
                    return f64::NAN;
                };
                let fit = &model.cells()[prediction.cell].fit;
                let raise = Some(fit.standard_errors[term]).filter(|error| is_raised && error.is_finite());
                (fit.coefficients[term] + raise.unwrap_or(0.0))
                    * self.factor(&Self::resource(model, term, what), what.processors)
            }
        }
    }

    fn experiments(&self) -> Vec<String> {
        self.known.clone()
    }

    fn cure(&self, experiment: &str) -> Option<String> {
        self.without_formula.contains(experiment).then(|| no_formula(experiment))
    }

    fn network(&self, processors: u32) -> Option<Network> {
        let machine = match &self.place {
            Place::Given(network) => return Some(*network),
            Place::Here(machine) => machine.as_ref()?,
            Place::Other { there, .. } => there,
        };
        let parameters = machine.parameters(f64::from(processors))?;
        self.remarks.borrow_mut().used(machine, processors);
        Some(Network { g_s_per_byte: parameters.g_s_per_byte, latency_s: parameters.latency_s })
    }
}
