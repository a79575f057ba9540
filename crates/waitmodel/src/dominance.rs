use crate::model::WaitModel;

/// Where one part of a program takes longest, so that all others wait for it: which one that is decides which waits there are. What no run shows is
/// in no model, so each region needs a run.
#[derive(Debug, Clone, PartialEq)]
pub struct DominanceRegion {
    /// What takes longest there.
    pub dominant: Dominant,
    /// The points of it, as indices; without a model those that lie in it if any does.
    pub points: Vec<usize>,
}

/// What takes longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dominant {
    /// What takes less time the more this variable is, an index.
    FallsWith(usize),
    /// What takes no less time whichever is more.
    FallsWithNone,
    /// One of a model's sums of steps, an index into [`WaitModel::time`].
    Sum(usize),
}

/// The regions that programs can have of which nothing is known, if what falls with a variable falls with no
/// other one: where it takes longest anywhere, it does where this variable is least and all others are largest; what falls with none, where all are.
pub fn possible_regions(points: &[Vec<f64>]) -> Vec<DominanceRegion> {
    let variables = points.first().map_or(0, Vec::len);
    let end = |variable: usize, start: f64, choose: fn(f64, f64) -> f64| {
        points.iter().map(|point| point[variable]).fold(start, choose)
    };
    let least: Vec<f64> = (0..variables).map(|variable| end(variable, f64::INFINITY, f64::min)).collect();
    let most: Vec<f64> = (0..variables).map(|variable| end(variable, f64::NEG_INFINITY, f64::max)).collect();
    let varying: Vec<usize> = (0..variables).filter(|variable| least[*variable] < most[*variable]).collect();
    if varying.is_empty() {
        return Vec::new();
    }
    let corner = |falls_with: Option<usize>| {
        let is_there = |point: &Vec<f64>| {
            (0..variables)
                .all(|its| point[its] == if falls_with == Some(its) { least[its] } else { most[its] })
        };
        (0..points.len()).filter(|point| is_there(&points[*point])).collect::<Vec<usize>>()
    };
    let shares = varying.iter().map(|variable| (Dominant::FallsWith(*variable), corner(Some(*variable))));
    let all = shares.chain([(Dominant::FallsWithNone, corner(None))]);
    let regions = all.map(|(dominant, points)| DominanceRegion { dominant, points });
    regions.filter(|region| !region.points.is_empty()).collect()
}

impl WaitModel {
    /// The regions that points lie in, by which of the model's sums is the run time there. Where no time is predicted there is none.
    pub fn dominance_regions(&self, points: &[Vec<f64>], level: f64) -> Vec<DominanceRegion> {
        let sums: Vec<Option<usize>> = points
            .iter()
            .map(|point| {
                let predicted = self.predict(point, level);
                predicted.time.value_s.is_finite().then_some(predicted.sum)
            })
            .collect();
        let region = |sum: usize| DominanceRegion {
            dominant: Dominant::Sum(sum),
            points: (0..points.len()).filter(|point| sums[*point] == Some(sum)).collect(),
        };
        (0..self.time.len()).map(region).filter(|region| !region.points.is_empty()).collect()
    }
}
