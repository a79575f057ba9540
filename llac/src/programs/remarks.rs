use std::collections::{BTreeMap, BTreeSet};

use call_machine::Machine;
use call_model::{Beyond, Prediction};
use call_report::number;

use crate::command::outside_text;
use crate::machines::UsedTables;

/// What there is to say of the costs that a program has asked for.
#[derive(Default)]
pub struct Remarks {
    /// Where a variable of an experiment leaves the samples by the largest factor.
    beyond: BTreeMap<(String, String), Beyond>,
    /// A point of each experiment whose predicted time is negative.
    negative: BTreeMap<String, Vec<f64>>,
    /// The smallest and the largest factor for each resource that times were carried by.
    factors: BTreeMap<String, (f64, f64)>,
    /// What is taken as it was measured, as a machine lacks a number.
    assumed: BTreeSet<String>,
    used: UsedTables,
}

impl Remarks {
    pub fn predicted(&mut self, experiment: &str, point: &[f64], prediction: &Prediction) {
        for beyond in &prediction.beyond {
            let key = (experiment.to_owned(), beyond.variable.clone());
            let known = self.beyond.entry(key).or_insert_with(|| beyond.clone());
            if beyond.factor() > known.factor() {
                *known = beyond.clone();
            }
        }
        if prediction.time_s < 0.0 {
            self.negative.entry(experiment.to_owned()).or_insert_with(|| point.to_vec());
        }
    }

    pub fn carried(&mut self, resource: String, factor: f64) {
        let known = self.factors.entry(resource).or_insert((factor, factor));
        *known = (known.0.min(factor), known.1.max(factor));
    }

    pub fn assumed(&mut self, reason: String) {
        self.assumed.insert(reason);
    }

    /// s, g or L of a machine have been used.
    pub fn used(&mut self, machine: &Machine, processors: u32) {
        self.used.add(machine, f64::from(processors));
    }

    /// Which numbers were scaled or interpolated.
    pub fn notes(&self) -> Vec<String> {
        let factors = self.factors.iter().map(|(resource, (low, high))| {
            let digits = |value: &f64| number::significant(*value, 3);
            match low == high {
                true => format!("{resource} × {}", digits(low)),
                false => format!("{resource} × {} to {}", digits(low), digits(high)),
            }
        });
        factors.chain(self.used.notes()).collect()
    }

    pub fn warnings(&self) -> Vec<String> {
        let beyond = self.beyond.iter().map(|((experiment, _), beyond)| {
            format!("{experiment}: {}", outside_text(beyond, &number::short(beyond.value)))
        });
        let negative = self.negative.iter().map(|(experiment, point)| {
            let values: Vec<String> = point.iter().map(|value| number::short(*value)).collect();
            format!("{experiment}({}) is negative: 0 is taken", values.join(", "))
        });
        beyond.chain(negative).chain(self.assumed.iter().cloned()).chain(self.used.warnings()).collect()
    }
}
