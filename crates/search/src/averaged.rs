use std::collections::BTreeMap;

use call_model::{Beyond, Definitions, Forecast, NoPrediction, Predictor, Remark, SampledRange};
use call_trace::Unit;

use crate::Finding;

/// All plausible formulas of an experiment predicting together, where none is given.
#[derive(Debug, Clone)]
pub struct AveragedFormulas {
    name: String,
    finding: Finding,
    unit: Unit,
    definitions: Definitions,
    sampled: BTreeMap<String, SampledRange>,
    averaged: Option<Remark>,
}

impl AveragedFormulas {
    /// What was found for an experiment, with its unit, what its variables may be computed from and where they were sampled.
    pub fn new(
        name: &str,
        finding: Finding,
        unit: Unit,
        definitions: Definitions,
        sampled: BTreeMap<String, SampledRange>,
    ) -> AveragedFormulas {
        let ranked = finding.ranked(name.rsplit('.').next().unwrap_or(name));
        let averaged = ranked.first().map(|best| Remark::Averaged {
            formulas: ranked.len(),
            best: best.formula.text.clone(),
            probability: best.probability,
        });
        AveragedFormulas { name: name.to_owned(), finding, unit, definitions, sampled, averaged }
    }

    fn beyond(&self, point: &[f64]) -> Vec<Beyond> {
        let beyond = |(variable, value): (&String, &f64)| {
            let range = self.sampled.get(variable)?;
            Beyond::of(variable, *value, range)
        };
        self.variables().iter().zip(point).filter_map(beyond).collect()
    }
}

impl Predictor for AveragedFormulas {
    fn name(&self) -> &str {
        &self.name
    }

    fn variables(&self) -> &[String] {
        self.finding.measurements().variables()
    }

    fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    fn time_s(&self, point: &[f64]) -> Result<f64, NoPrediction> {
        Ok(self.finding.predict(point, 0.5).value)
    }

    fn forecast(&self, point: &[f64], level: f64) -> Result<Forecast, NoPrediction> {
        let combined = self.finding.predict(point, level);
        let mut forecast = Forecast {
            lower_s: combined.low,
            upper_s: combined.high,
            ..Forecast::of_time(combined.value, level)
        };
        forecast.prediction.beyond = self.beyond(point);
        let beyond = forecast.prediction.beyond.iter().cloned();
        forecast.remarks = beyond.map(|beyond| Remark::Beyond { experiment: None, beyond }).collect();
        forecast.remarks.extend(self.averaged.clone());
        forecast.finite(self, point)
    }

    fn unit(&self) -> &Unit {
        &self.unit
    }

    fn sampled(&self, name: &str) -> Option<SampledRange> {
        self.sampled.get(name).copied()
    }
}
