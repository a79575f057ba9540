//! Variables of formulas that the machine gives: g and L.

use call_grammar::Formula;
use call_machine::{BspParameters, Machine, NUMBERS, number};
use call_model::PROCESSORS;
use call_trace::{Experiment, Samples};

use super::SampleView;
use super::columns::{column, set_column};

/// Gives experiments whose formulas use g or L what their samples lack of them: for each sample the number of the machine at its P.
pub fn complete(view: &mut SampleView, machine: &Machine) {
    for experiment in &mut view.experiments {
        for name in NUMBERS {
            if uses(experiment, name)
                && let Some(number) = number(name)
            {
                for samples in [&mut experiment.samples, &mut experiment.summaries.points] {
                    fill(samples, name, machine, number);
                }
            }
        }
    }
}

fn uses(experiment: &Experiment, name: &str) -> bool {
    let Some(text) = &experiment.formula else { return false };
    // Most formulas need not be parsed to see that they do not.
    text.contains(name)
        && Formula::parse(&experiment.name, text)
            .is_ok_and(|formula| formula.variables().iter().any(|variable| variable.name() == name))
}

fn fill(samples: &mut Samples, name: &str, machine: &Machine, number: fn(BspParameters) -> f64) {
    if samples.names.is_empty() || samples.column(name).is_some() {
        return;
    }
    let Some(processors) = column(samples, PROCESSORS) else { return };
    let values: Option<Vec<f64>> =
        processors.iter().map(|processors| machine.parameters(*processors).map(number)).collect();
    if let Some(values) = values {
        set_column(samples, name, values);
    }
}
