use crate::error::NoModel;
use crate::model::WaitModel;
use crate::prediction::PredictedRun;

/// Processors shared out among roles.
#[derive(Debug, Clone, PartialEq)]
pub struct Allocation {
    /// A value for each variable of the model.
    pub point: Vec<f64>,
    /// How many processors that takes in all.
    pub processors: u64,
    /// The run there.
    pub predicted: PredictedRun,
}

/// More allocations are not tried.
const MOST: usize = 100_000;

impl WaitModel {
    /// The variables that allocate processors, as indices.
    pub fn allocating(&self) -> Vec<usize> {
        (0..self.variables.len())
            .filter(|variable| self.roles.iter().any(|role| role.variable == Some(*variable)))
            .collect()
    }

    /// How many processors a point takes; `None` if that is not known.
    fn processors(&self, point: &[f64]) -> Option<u64> {
        let counts = self.roles.iter().map(|role| role.processors(point));
        counts.sum::<Option<f64>>().map(|sum| sum as u64)
    }
}

/// The allocations of at most `total` processors that cannot be told from the best one: their predicted run times are at most the upper end of
/// its interval. The one with the fewest processors first, of equally many the fastest. The second result is the fastest one's place.
///
/// `given` has values for some variables, by their indices; one that allocates and is not given is tried from 1 on. Other variables have to be given.
///
/// # Errors
/// If no variable allocates processors, or allocations are none or too many.
pub fn best_allocations(
    model: &WaitModel,
    given: &[(usize, Vec<f64>)],
    total: u64,
    level: f64,
) -> Result<(Vec<Allocation>, usize), NoModel> {
    let allocating = model.allocating();
    let first = *allocating.first().ok_or(NoModel::NoAllocation)?;
    let values = |variable: usize| match given.iter().find(|(its, _)| *its == variable) {
        Some((_, values)) => values.clone(),
        None if allocating.contains(&variable) => {
            (1..=total.min(MOST as u64)).map(|value| value as f64).collect()
        }
        None => Vec::new(),
    };
    let mut points: Vec<Vec<f64>> = vec![Vec::new()];
    for variable in 0..model.variables.len() {
        let values = values(variable);
        let is_allocating = allocating.contains(&variable);
        let mut longer = Vec::new();
        for point in &points {
            let used: f64 = allocating.iter().filter_map(|its| point.get(*its)).sum();
            let fits = |value: &&f64| !is_allocating || used + **value <= total as f64;
            longer.extend(values.iter().filter(fits).map(|value| [point.as_slice(), &[*value]].concat()));
            if longer.len() > MOST {
                return Err(NoModel::TooMany { most: MOST });
            }
        }
        points = longer;
    }
    let mut all: Vec<Allocation> = points
        .into_iter()
        .filter_map(|point| {
            let processors = model.processors(&point).filter(|processors| *processors <= total)?;
            let predicted = model.predict(&point, level);
            (predicted.time.value_s.is_finite() && predicted.time.value_s > 0.0).then_some(Allocation {
                point,
                processors,
                predicted,
            })
        })
        .collect();
    all.sort_by(|left, right| {
        let times = left.predicted.time.value_s.total_cmp(&right.predicted.time.value_s);
        left.processors.cmp(&right.processors).then(times)
    });
    let time_s = |one: &Allocation| one.predicted.time.value_s;
    let best = all.iter().min_by(|left, right| time_s(left).total_cmp(&time_s(right))).cloned();
    let best = best.ok_or_else(|| NoModel::NoRoom { variable: model.variables[first].clone(), total })?;
    all.retain(|one| time_s(one) <= best.predicted.time.high_s);
    let place = all.iter().position(|one| one.point == best.point).unwrap_or(0);
    Ok((all, place))
}
