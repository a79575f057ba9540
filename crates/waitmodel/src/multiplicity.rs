use crate::law::law;
use crate::role::Role;
use call_search::{FormulaFinder, FoundFormulas, FoundModel};

/// How often a step is in a sum, as it depends on the variables.
#[derive(Debug, Clone)]
pub enum Multiplicity {
    /// As many as there are processors: each adds what it spends.
    Each(Affine),
    /// Affine in the variable that allocates the processors of the step: one waits for all of a chain, or for half of it on average.
    Affine(Affine),
    /// What the search for formulas finds.
    Found(Box<FoundFormulas>),
}

/// `constant + slope * variable`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// An index into the variables.
    pub variable: usize,
    #[allow(missing_docs, reason = "the names say it")]
    pub constant: f64,
    #[allow(missing_docs, reason = "the names say it")]
    pub slope: f64,
    /// How far off it is at most where it is known, as a share.
    pub misfit: f64,
}

impl Multiplicity {
    /// Whether several processors spend it: none spends more in a path than in the run. What is there less often is a share of the rounds, in
    /// the others of which another step takes longer; that follows no law of its own.
    pub(crate) fn is_of_several(times: &[f64]) -> bool {
        times.iter().any(|times| *times > SEVERAL)
    }

    /// Whether the numbers at points, each with how far off it may be, are those of the role's processors.
    pub(crate) fn each(
        role: &Role,
        points: &[&[f64]],
        times: &[f64],
        may_miss: &[f64],
    ) -> Option<Multiplicity> {
        let affine =
            Affine { variable: role.variable?, constant: -(role.fewer as f64), slope: 1.0, misfit: 0.0 };
        affine.is_within(points, times, may_miss).then_some(Multiplicity::Each(affine))
    }

    /// Of numbers at points, each with how far off it may be; `allocating` is the variable that allocates the processors of the step.
    pub(crate) fn of(
        variables: &[String],
        points: &[&[f64]],
        times: &[f64],
        may_miss: &[f64],
        allocating: Option<usize>,
        finder: &mut FormulaFinder,
    ) -> Multiplicity {
        if let Some(affine) = allocating.and_then(|variable| Affine::of(variable, points, times))
            && affine.is_within(points, times, may_miss)
        {
            return Multiplicity::Affine(affine);
        }
        Multiplicity::Found(Box::new(law(variables, points.iter().copied(), times, finder)))
    }

    /// At a point, with the ends of an interval of this probability; not negative, and NaN where there is no value.
    pub(crate) fn at(&self, point: &[f64], level: f64) -> [f64; 3] {
        let all = match self {
            Multiplicity::Each(affine) | Multiplicity::Affine(affine) => {
                let value = affine.at(point);
                [value, value * (1.0 - affine.misfit), value * (1.0 + affine.misfit)]
            }
            Multiplicity::Found(finding) => {
                let found = finding.predict(point, level);
                [found.value, found.low, found.high]
            }
        };
        all.map(|times| if times < 0.0 { 0.0 } else { times })
    }

    /// What the search found, the most plausible formula first.
    pub fn found(&self, name: &str) -> Option<FoundModel> {
        match self {
            Multiplicity::Each(_) | Multiplicity::Affine(_) => None,
            Multiplicity::Found(finding) => finding.ranked(name).into_iter().next(),
        }
    }
}

/// What is there so often is spent by more than one processor.
const SEVERAL: f64 = 1.5;

/// So many values of the variable must lie on the line.
const FEWEST_VALUES: usize = 3;

impl Affine {
    fn of(variable: usize, points: &[&[f64]], times: &[f64]) -> Option<Affine> {
        let values: Vec<f64> = points.iter().map(|point| point[variable]).collect();
        let mut distinct = values.clone();
        distinct.sort_by(f64::total_cmp);
        distinct.dedup();
        if distinct.len() < FEWEST_VALUES {
            return None;
        }
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let (mean_value, mean_times) = (mean(&values), mean(times));
        let both = values.iter().zip(times);
        let covariance: f64 = both.map(|(value, times)| (value - mean_value) * (times - mean_times)).sum();
        let slope = covariance / values.iter().map(|value| (value - mean_value).powi(2)).sum::<f64>();
        let mut affine = Affine { variable, constant: mean_times - slope * mean_value, slope, misfit: 0.0 };
        let shares = points.iter().zip(times).map(|(point, times)| (affine.at(point) / times - 1.0).abs());
        affine.misfit = shares.filter(|share| share.is_finite()).fold(0.0, f64::max);
        Some(affine)
    }

    fn is_within(&self, points: &[&[f64]], times: &[f64], may_miss: &[f64]) -> bool {
        let all = points.iter().zip(times).zip(may_miss);
        all.into_iter().all(|((point, times), may_miss)| (self.at(point) - times).abs() < *may_miss)
    }

    /// At a point.
    pub fn at(&self, point: &[f64]) -> f64 {
        self.constant + self.slope * point[self.variable]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(times: &[f64]) -> Multiplicity {
        let points: Vec<Vec<f64>> = [4.0, 6.0, 8.0, 8.0].map(|count| vec![count]).to_vec();
        let points: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
        let may_miss = vec![0.05; times.len()];
        let variables = ["P".to_owned()];
        Multiplicity::of(&variables, &points, times, &may_miss, Some(0), &mut FormulaFinder::new())
    }

    #[test]
    fn chains_are_affine() {
        let Multiplicity::Affine(chain) = of(&[2.0, 4.0, 6.0, 6.0]) else { panic!("affine") };
        assert!(
            (chain.constant + 2.0).abs() < 1e-12 && (chain.slope - 1.0).abs() < 1e-12 && chain.misfit < 1e-12
        );
        assert_eq!(of(&[2.0, 4.0, 6.0, 6.0]).at(&[1.0], 0.9), [0.0; 3]);
    }

    #[test]
    fn what_bends_is_searched() {
        let found = of(&[2.0, 2.585, 3.0, 3.0]);
        assert!(found.found("s").is_some());
        let [value, low, high] = found.at(&[16.0], 0.9);
        assert!(low <= value && value <= high && low <= 4.0 && high >= 4.0, "{value} [{low}, {high}]");
    }
}
