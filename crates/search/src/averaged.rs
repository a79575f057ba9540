use std::collections::BTreeMap;
use std::sync::Arc;

use call_model::{
    Beyond, Definitions, Forecast, NoPrediction, PowerRelation, Predictor, Remark, SampledRange,
};
use call_trace::Unit;

use crate::reciprocal::{Belief, Reciprocal};
use crate::{Combined, FoundFormulas, LeftOutPoint, Siblings};

/// Formulas with larger relative errors describe nothing: timings seldom scatter so much.
const LARGEST_ERROR: f64 = 0.3;

/// All plausible formulas of an experiment predicting together, where none is given. Of a rate those of its reciprocal, the time for each
/// of what is counted, do so as far as they are more plausible: Amdahl's law is a sum of terms of times, and rates have ends.
#[derive(Debug, Clone)]
pub struct AveragedFormulas {
    name: String,
    finding: FoundFormulas,
    /// Of a rate.
    reciprocal: Option<Reciprocal>,
    unit: Unit,
    definitions: Definitions,
    sampled: BTreeMap<String, SampledRange>,
    averaged: Option<Remark>,
    misfit: Option<Remark>,
    left_out: Vec<Remark>,
    lines: Vec<PowerRelation>,
    /// The experiments of the program, and which of them this is.
    siblings: Option<(Arc<Siblings>, usize)>,
}

impl AveragedFormulas {
    /// What was found for an experiment, with its unit, what its variables may be computed from and where they were sampled.
    pub fn new(
        name: &str,
        finding: FoundFormulas,
        unit: Unit,
        definitions: Definitions,
        sampled: BTreeMap<String, SampledRange>,
    ) -> AveragedFormulas {
        let reciprocal = if unit.is_rate() { Reciprocal::of(&finding) } else { None };
        let believed = reciprocal.as_ref().filter(|its| its.belief == Belief::Likelier);
        let told = believed.map_or(&finding, |its| &its.finding);
        let ranked = told.ranked(name.rsplit('.').next().unwrap_or(name));
        let averaged = ranked.first().map(|best| Remark::Averaged {
            formulas: ranked.len(),
            best: match believed {
                Some(_) => format!("1/({})", best.formula.text),
                None => best.formula.text.clone(),
            },
            probability: best.probability,
            siblings: 0,
        });
        let error = ranked.first().map_or(0.0, |best| best.relative_error);
        let scatter = finding.measurements().pure_error.map_or(0.0, f64::sqrt);
        AveragedFormulas {
            name: name.to_owned(),
            misfit: (error > LARGEST_ERROR.max(2.0 * scatter)).then_some(Remark::NoFormulaFits { error }),
            left_out: match believed {
                Some(its) => its.left_out().into_iter().map(remark).collect(),
                None => finding.left_out().into_iter().map(remark).collect(),
            },
            lines: PowerRelation::of_all(finding.measurements().points()),
            finding,
            reciprocal,
            unit,
            definitions,
            sampled,
            averaged,
            siblings: None,
        }
    }

    /// The same, predicting as one of the experiments of a program.
    pub fn among(mut self, siblings: Arc<Siblings>, member: usize) -> AveragedFormulas {
        let is_reciprocal = self.reciprocal.as_ref().is_some_and(|its| its.belief == Belief::Likelier);
        if let Some(Remark::Averaged { siblings: count, .. }) = &mut self.averaged
            && !is_reciprocal
        {
            *count = siblings.count().saturating_sub(1);
        }
        self.siblings = Some((siblings, member));
        self
    }

    fn combined(&self, point: &[f64], probability: f64) -> Combined {
        let direct = || match &self.siblings {
            Some((siblings, member)) => siblings.predict(*member, point, probability),
            None => self.finding.predict(point, probability),
        };
        match &self.reciprocal {
            Some(reciprocal) => reciprocal.beside(direct, point, probability),
            None => direct(),
        }
    }

    fn beyond(&self, point: &[f64]) -> Vec<Beyond> {
        let beyond = |(variable, value): (&String, &f64)| {
            let range = self.sampled.get(variable)?;
            Beyond::of(variable, *value, range)
        };
        self.variables().iter().zip(point).filter_map(beyond).collect()
    }
}

fn remark(LeftOutPoint { point, factor }: LeftOutPoint) -> Remark {
    Remark::PointLeftOut { point, factor }
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
        Ok(self.combined(point, 0.5).value)
    }

    fn forecast(&self, point: &[f64], level: f64) -> Result<Forecast, NoPrediction> {
        let combined = self.combined(point, level);
        let mut forecast = Forecast {
            lower_s: combined.low,
            upper_s: combined.high,
            ..Forecast::of_time(combined.value, level)
        };
        forecast.prediction.beyond = self.beyond(point);
        let beyond = forecast.prediction.beyond.iter().cloned();
        forecast.remarks = beyond.map(|beyond| Remark::Beyond { experiment: None, beyond }).collect();
        let off_the_line = Remark::off_the_line(&self.lines, self.variables(), point);
        if self.misfit.is_some() || off_the_line.is_some() {
            (forecast.lower_s, forecast.upper_s) = (0.0, f64::INFINITY);
        }
        forecast.remarks.extend(
            self.averaged.iter().chain(&self.misfit).chain(&self.left_out).chain(&off_the_line).cloned(),
        );
        forecast.finite(self, point)
    }

    fn is_continuous(&self, from: &[f64], to: &[f64]) -> bool {
        let is_alone = |(siblings, member): &(Arc<Siblings>, usize)| {
            siblings.is_alone(*member, from) == siblings.is_alone(*member, to)
        };
        self.siblings.as_ref().is_none_or(is_alone)
    }

    fn unit(&self) -> &Unit {
        &self.unit
    }

    fn sampled(&self, name: &str) -> Option<SampledRange> {
        self.sampled.get(name).copied()
    }
}
