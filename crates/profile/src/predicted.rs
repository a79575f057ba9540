use call_search::{Combined, Measurements, Siblings};

use crate::blocks::BlockLaw;
use crate::{Accumulated, Centre, Cost, Profile, Quantity};

/// The profiles of one program at several values of its variables, from which those at other values are predicted.
///
/// Each cost centre has 14 numbers: synchronisations; for each of them latency and, of each quantity, the mean of the maxima; and what
/// averages and minima are of the maxima. Each is a function of the variables that is searched for like the time of an experiment
/// ([`call_search`]); those of the same quantity are siblings.
#[derive(Debug)]
pub struct ProfileModels {
    centres: Vec<Centre>,
    first_passes: Vec<u64>,
    /// Centres that not all profiles have.
    left_out: Vec<Centre>,
    synchronisations: SumModels,
    latency: SumModels,
    quantities: [SumModels; 4],
    /// Of centres whose largest h of a superstep is that of the largest block of a grid.
    blocks: Vec<Option<BlockLaw>>,
}

/// A profile at values that were not run.
#[derive(Debug, Clone)]
pub struct PredictedProfile {
    /// Its costs have no entries for single processors.
    pub profile: Profile,
    /// For each cost centre, in the order of [`Quantity::ALL`], the interval of the sum of maxima.
    pub maxima: Vec<[SumInterval; 4]>,
}

/// An interval that holds a new measurement with the probability that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SumInterval {
    pub low: f64,
    pub high: f64,
}

/// One number or several of each cost centre.
#[derive(Debug)]
struct SumModels {
    siblings: Siblings,
    /// For each centre and each of its numbers the sibling; none of what was always 0.
    members: Vec<Option<usize>>,
}

impl ProfileModels {
    /// Models of profiles at points, which have a value of each variable. Cost centres that are not in all of the profiles are left out.
    pub fn new(variables: &[String], points: &[Vec<f64>], profiles: &[&Profile]) -> ProfileModels {
        let Some((first, others)) = profiles.split_first() else {
            return ProfileModels::of_costs(&[], &[], variables, points);
        };
        let position =
            |profile: &Profile, centre: &Centre| profile.centres.iter().position(|its| its == centre);
        let mut left_out = Vec::new();
        let mut kept = Vec::new();
        for (number, centre) in first.centres.iter().enumerate() {
            let places: Option<Vec<usize>> = others.iter().map(|other| position(other, centre)).collect();
            match places {
                Some(places) => kept.push((number, places)),
                None => left_out.push(centre.clone()),
            }
        }
        for other in others {
            for centre in &other.centres {
                if position(first, centre).is_none() && !left_out.contains(centre) {
                    left_out.push(centre.clone());
                }
            }
        }
        let costs: Vec<Vec<&Cost>> = kept
            .iter()
            .map(|(number, places)| {
                let of_others = others.iter().zip(places).map(|(other, place)| &other.costs[*place]);
                std::iter::once(&first.costs[*number]).chain(of_others).collect()
            })
            .collect();
        let kept: Vec<(Centre, u64)> = kept
            .iter()
            .map(|(number, _)| (first.centres[*number].clone(), first.first_passes[*number]))
            .collect();
        ProfileModels { left_out, ..ProfileModels::of_costs(&kept, &costs, variables, points) }
    }

    fn of_costs(
        kept: &[(Centre, u64)],
        costs: &[Vec<&Cost>],
        variables: &[String],
        points: &[Vec<f64>],
    ) -> ProfileModels {
        let models = |numbers: &[&dyn Fn(&Cost) -> f64]| {
            let values = costs.iter().flat_map(|of_runs| {
                numbers.iter().map(move |number| of_runs.iter().map(|cost| number(cost)).collect())
            });
            SumModels::new(values.collect(), variables, points)
        };
        let blocks = |of_runs: &Vec<&Cost>| {
            let h: Vec<f64> =
                of_runs.iter().map(|cost| cost.of(Quantity::H).maximum / supersteps(cost)).collect();
            let processors: Vec<u64> = points.iter().map(|point| point[0] as u64).collect();
            BlockLaw::of(&processors, &h)
        };
        let has_processors_only = variables.len() == 1 && variables[0] == "P";
        ProfileModels {
            blocks: costs
                .iter()
                .map(|of_runs| if has_processors_only { blocks(of_runs) } else { None })
                .collect(),
            centres: kept.iter().map(|(centre, _)| centre.clone()).collect(),
            first_passes: kept.iter().map(|(_, pass)| *pass).collect(),
            left_out: Vec::new(),
            synchronisations: models(&[&|cost| cost.synchronisations as f64]),
            latency: models(&[&|cost| cost.latency_s / supersteps(cost)]),
            quantities: Quantity::ALL.map(|quantity| {
                models(&[
                    &|cost| cost.of(quantity).maximum / supersteps(cost),
                    &|cost| share(cost.of(quantity).average, cost.of(quantity)),
                    &|cost| share(cost.of(quantity).minimum, cost.of(quantity)),
                ])
            }),
        }
    }

    /// Cost centres that not all profiles have: they may belong to another program, or to another way through this one.
    pub fn left_out(&self) -> &[Centre] {
        &self.left_out
    }

    /// The profile of so many processors at a point, with intervals of that probability.
    pub fn predict(&self, processors: usize, point: &[f64], probability: f64) -> PredictedProfile {
        let mut profile = Profile { processors, ..Profile::default() };
        let mut maxima = Vec::new();
        for (number, centre) in self.centres.iter().enumerate() {
            let one = |models: &SumModels| models.predict(number, point, probability).value;
            let count = self.synchronisations.predict(number, point, probability);
            let mut cost = Cost { synchronisations: count.value.round() as u64, ..Cost::default() };
            let supersteps = supersteps(&cost);
            cost.latency_s = supersteps * one(&self.latency);
            let mut intervals = [SumInterval::default(); 4];
            for (quantity, interval) in Quantity::ALL.into_iter().zip(&mut intervals) {
                let models = &self.quantities[quantity as usize];
                let [maximum, average, minimum] =
                    [0, 1, 2].map(|sum| models.predict(3 * number + sum, point, probability));
                let law = self.blocks[number].as_ref().filter(|_| quantity == Quantity::H);
                let maximum =
                    law.and_then(|law| of_blocks(law, processors, maximum.value)).unwrap_or(maximum);
                *interval = sum_interval(&count, supersteps, &maximum);
                let maximum = supersteps * maximum.value;
                let average = average.value.min(1.0) * maximum;
                let minimum = (minimum.value * maximum).min(average);
                *cost.of_mut(quantity) = Accumulated { maximum, average, minimum, by_processor: Vec::new() };
            }
            profile.centres.push(centre.clone());
            profile.first_passes.push(self.first_passes[number]);
            profile.costs.push(cost);
            maxima.push(intervals);
        }
        PredictedProfile { profile, maxima }
    }
}

/// Of so many supersteps together: their number and what each has err by themselves, which adds up as squares of relative errors.
fn sum_interval(count: &Combined, supersteps: f64, each: &Combined) -> SumInterval {
    let sum = supersteps * each.value;
    if sum == 0.0 {
        return SumInterval { low: supersteps * each.low, high: supersteps * each.high };
    }
    let relative = |end: f64, value: f64| if value > 0.0 { (end / value).ln() } else { 0.0 };
    let error = |of_count: f64, of_each: f64| {
        relative(of_count, count.value).hypot(relative(of_each, each.value)).exp()
    };
    SumInterval { low: sum / error(count.low, each.low), high: sum * error(count.high, each.high) }
}

/// Which block it is, the search says, if the law allows several.
fn of_blocks(law: &BlockLaw, processors: usize, guess: f64) -> Option<Combined> {
    let (low, high) = law.range(processors as u64)?;
    Some(Combined { value: law.nearest(processors as u64, guess)?, low, high })
}

/// Part of the sum of maxima; of nothing 0.
fn share(part: f64, whole: &Accumulated) -> f64 {
    if whole.maximum == 0.0 { 0.0 } else { part / whole.maximum }
}

/// What ends without a synchronisation counts as one superstep.
fn supersteps(cost: &Cost) -> f64 {
    cost.synchronisations.max(1) as f64
}

impl SumModels {
    fn new(values: Vec<Vec<f64>>, variables: &[String], points: &[Vec<f64>]) -> SumModels {
        let columns: Vec<Vec<f64>> = (0..variables.len())
            .map(|variable| points.iter().map(|point| point[variable]).collect())
            .collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let mut measured = Vec::new();
        let members = values
            .iter()
            .map(|values| {
                let is_something = values.iter().any(|value| *value != 0.0);
                is_something.then(|| {
                    measured.push(Measurements::new(variables, &columns, values));
                    measured.len() - 1
                })
            })
            .collect();
        SumModels { siblings: Siblings::new(measured), members }
    }

    /// Nothing is below 0.
    fn predict(&self, number: usize, point: &[f64], probability: f64) -> Combined {
        let Some(member) = self.members[number] else { return Combined { value: 0.0, low: 0.0, high: 0.0 } };
        let said = self.siblings.predict(member, point, probability);
        let of = |value: f64| if value > 0.0 { value } else { 0.0 };
        Combined { value: of(said.value), low: of(said.low), high: of(said.high) }
    }
}
