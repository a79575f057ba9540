use call_search::{Combined, Measurements, Siblings};

use crate::steepness::Steepness;

/// One number or several of each cost centre.
#[derive(Debug)]
pub(crate) struct SumModels {
    siblings: Siblings,
    /// For each centre and each of its numbers the sibling; none of what was always 0.
    members: Vec<Option<usize>>,
    /// For each sibling how far it may go.
    steepness: Vec<Steepness>,
    /// For each sibling the points where it is known, each once, if they are too few.
    few: Vec<Option<Vec<Vec<f64>>>>,
}

/// Fewer points than this have exact formulas of all kinds.
const LEAST_POINTS: usize = 3;

impl SumModels {
    /// Of the values of each number at points. Those that are NaN say nothing.
    pub(crate) fn new(values: Vec<Vec<f64>>, variables: &[String], points: &[&[f64]]) -> SumModels {
        let columns: Vec<Vec<f64>> = (0..variables.len())
            .map(|variable| points.iter().map(|point| point[variable]).collect())
            .collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let (mut measured, mut steepness, mut few) = (Vec::new(), Vec::new(), Vec::new());
        let members = values
            .iter()
            .map(|values| {
                let is_something = values.iter().any(|value| value.is_finite() && *value != 0.0);
                is_something.then(|| {
                    measured.push(Measurements::new(variables, &columns, values));
                    steepness.push(Steepness::of(points, values));
                    few.push(few_points(points, values));
                    measured.len() - 1
                })
            })
            .collect();
        SumModels { siblings: Siblings::new(measured), members, steepness, few }
    }

    /// Whether too few points tell what is at this one, which is none of them.
    pub(crate) fn is_open(&self, number: usize, point: &[f64]) -> bool {
        let few = self.members[number].and_then(|member| self.few[member].as_ref());
        few.is_some_and(|few| few.iter().all(|known| known != point))
    }

    /// The logarithm of how plausible the values are.
    pub(crate) fn log_evidence(&self, number: usize) -> f64 {
        self.members[number].map_or(f64::NEG_INFINITY, |member| self.siblings.finding(member).log_evidence())
    }

    /// Nothing is below 0, and no interval holds what no law leads to.
    pub(crate) fn predict(&self, number: usize, point: &[f64], probability: f64) -> Combined {
        let Some(member) = self.members[number] else { return Combined { value: 0.0, low: 0.0, high: 0.0 } };
        let said = self.siblings.predict(member, point, probability);
        let of = |value: f64| if value > 0.0 { value } else { 0.0 };
        let (value, low, high) = (of(said.value), of(said.low), of(said.high));
        let (lowest, highest) = self.steepness[member].range(point);
        Combined { value, low: low.max(lowest).min(value), high: high.min(highest).max(value) }
    }
}

/// The points with a value, each once, if they are fewer than a law has to be seen at.
fn few_points(points: &[&[f64]], values: &[f64]) -> Option<Vec<Vec<f64>>> {
    let mut known: Vec<Vec<f64>> = Vec::new();
    for (point, _) in points.iter().zip(values).filter(|(_, value)| value.is_finite()) {
        if known.iter().all(|its| its != point) {
            known.push(point.to_vec());
        }
        if known.len() == LEAST_POINTS {
            return None;
        }
    }
    Some(known)
}
