use call_model::{Definitions, Forecast, NoPrediction, Predictor};
use call_trace::Unit;

use crate::Session;
use crate::error::no_formula;
use crate::found::SessionExperiment;

/// Samples over the variables that vary, which predict nothing.
pub struct UnfittedSamples {
    name: String,
    unit: Unit,
    variables: Vec<String>,
    definitions: Definitions,
}

impl UnfittedSamples {
    /// Over the variables of the samples that vary, and that of an axis.
    pub fn of(session: &mut Session, found: &SessionExperiment, axis: Option<&str>) -> UnfittedSamples {
        let prepared = session.prepared(found.experiment());
        let ranges = prepared.ranges();
        let varies = |name: &&String| {
            axis == Some(name.as_str()) || ranges.get(*name).is_some_and(|range| range.lowest < range.highest)
        };
        // What is computed from others says nothing new.
        let lets = found.lets();
        let own = |name: &&String| axis == Some(name.as_str()) || lets.source(name).is_none();
        let variables = prepared.samples().names.iter().filter(varies).filter(own).cloned().collect();
        let unit = prepared.unit().clone();
        UnfittedSamples { name: found.name.clone(), unit, variables, definitions: Definitions::default() }
    }
}

impl Predictor for UnfittedSamples {
    fn name(&self) -> &str {
        &self.name
    }

    fn variables(&self) -> &[String] {
        &self.variables
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn unit(&self) -> &Unit {
        &self.unit
    }

    fn time_s(&self, _point: &[f64]) -> Result<f64, NoPrediction> {
        Ok(f64::NAN)
    }

    fn forecast(&self, _point: &[f64], _level: f64) -> Result<Forecast, NoPrediction> {
        Err(NoPrediction::new(format!("`{}` has no formula", self.name)).help(no_formula(&self.name)))
    }
}
