use call_search::{Combined, Measurements, Siblings};

use crate::blocks::BlockLaw;
use crate::exact::ExactLaws;
use crate::{Accumulated, Centre, Cost, CostQuantity, Profile};

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
    /// For each centre what maximum, average and minimum of h are, bytes being counted, to the last digit.
    exact: Vec<[Option<ExactLaws>; 3]>,
}

/// A profile at values that were not run.
#[derive(Debug, Clone)]
pub struct PredictedProfile {
    /// Its costs have no entries for single processors.
    pub profile: Profile,
    /// For each cost centre, in the order of [`CostQuantity::ALL`], the interval of the sum of maxima.
    pub maxima: Vec<[SumInterval; 4]>,
}

/// An interval that holds a new measurement with the probability that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SumInterval {
    pub low: f64,
    pub high: f64,
}

impl SumInterval {
    /// Of what too few runs say something of.
    pub const OPEN: SumInterval = SumInterval { low: 0.0, high: f64::INFINITY };

    /// Whether nothing bounds it.
    pub fn is_open(&self) -> bool {
        self.high == f64::INFINITY
    }
}

/// Fewer points than this have exact formulas of all kinds.
const LEAST_POINTS: usize = 3;

/// A number of a cost centre.
type CentreNumber<'a> = &'a dyn Fn(&Cost) -> f64;

/// A profile that models come from.
struct ProfiledRun<'a> {
    profile: &'a Profile,
    point: &'a [f64],
    /// Of one processor, while others are of more.
    is_alone: bool,
}

/// Whose profiles say something of a number.
#[derive(Clone, Copy, PartialEq)]
enum ProfileScope {
    /// Those of any number of processors.
    OfEach,
    /// Those of several processors.
    OfSeveral,
}

/// One number or several of each cost centre.
#[derive(Debug)]
struct SumModels {
    siblings: Siblings,
    /// For each centre and each of its numbers the sibling; none of what was always 0.
    members: Vec<Option<usize>>,
    /// For each sibling the points where it is known, each once, if they are too few.
    few: Vec<Option<Vec<Vec<f64>>>>,
}

impl ProfileModels {
    /// Models of profiles at points, which have a value of each variable. Cost centres that are not in all of the profiles are left out.
    ///
    /// A single processor sends nothing and waits for nobody, and may have no use for a superstep at all. Among others its profile says
    /// nothing of h-relations, communication, idle time and balance, and a cost centre may be missing in it.
    pub fn new(variables: &[String], points: &[Vec<f64>], profiles: &[&Profile]) -> ProfileModels {
        let are_all_alone = profiles.iter().all(|profile| profile.processors == 1);
        let runs: Vec<ProfiledRun> = profiles
            .iter()
            .zip(points)
            .map(|(profile, point)| ProfiledRun {
                profile,
                point,
                is_alone: !are_all_alone && profile.processors == 1,
            })
            .collect();
        let position =
            |profile: &Profile, centre: &Centre| profile.centres.iter().position(|its| its == centre);
        let Some(first) = runs.iter().find(|run| !run.is_alone).map(|run| run.profile) else {
            return ProfileModels::of_costs(&[], &[], variables, &[]);
        };
        let mut left_out: Vec<Centre> = Vec::new();
        let mut kept: Vec<(Centre, u64)> = Vec::new();
        let mut costs: Vec<Vec<Option<&Cost>>> = Vec::new();
        for (number, centre) in first.centres.iter().enumerate() {
            let of_runs: Vec<Option<&Cost>> = runs
                .iter()
                .map(|run| position(run.profile, centre).map(|place| &run.profile.costs[place]))
                .collect();
            if runs.iter().zip(&of_runs).any(|(run, cost)| cost.is_none() && !run.is_alone) {
                left_out.push(centre.clone());
                continue;
            }
            kept.push((centre.clone(), first.first_passes[number]));
            costs.push(of_runs);
        }
        for centre in runs.iter().flat_map(|run| &run.profile.centres) {
            if position(first, centre).is_none() && !left_out.contains(centre) {
                left_out.push(centre.clone());
            }
        }
        ProfileModels { left_out, ..ProfileModels::of_costs(&kept, &costs, variables, &runs) }
    }

    fn of_costs(
        kept: &[(Centre, u64)],
        costs: &[Vec<Option<&Cost>>],
        variables: &[String],
        runs: &[ProfiledRun],
    ) -> ProfileModels {
        // What a run says nothing of is NaN, which the search leaves out.
        let values = |of_runs: &[Option<&Cost>], part: ProfileScope, number: CentreNumber| -> Vec<f64> {
            let of_run = |(run, cost): (&ProfiledRun, &Option<&Cost>)| {
                let cost = cost.filter(|_| !run.is_alone || part == ProfileScope::OfEach);
                cost.map_or(f64::NAN, number)
            };
            runs.iter().zip(of_runs).map(of_run).collect()
        };
        let points: Vec<&[f64]> = runs.iter().map(|run| run.point).collect();
        let models = |numbers: &[(ProfileScope, CentreNumber)]| {
            let of_centres = costs.iter().flat_map(|of_runs| {
                numbers.iter().map(move |(part, number)| values(of_runs, *part, *number))
            });
            SumModels::new(of_centres.collect(), variables, &points)
        };
        let blocks = |of_runs: &Vec<Option<&Cost>>| {
            let h = values(of_runs, ProfileScope::OfSeveral, &|cost| {
                cost.of(CostQuantity::H).maximum / supersteps(cost)
            });
            let known = runs.iter().zip(h).filter(|(_, h)| !h.is_nan());
            let (processors, h): (Vec<u64>, Vec<f64>) =
                known.map(|(run, h)| (run.profile.processors as u64, h)).unzip();
            BlockLaw::of(&processors, &h)
        };
        let exact = |of_runs: &Vec<Option<&Cost>>| {
            let law = |sum: fn(&Accumulated) -> f64| {
                let number = |cost: &Cost| sum(cost.of(CostQuantity::H)) / supersteps(cost);
                ExactLaws::of(&points, &values(of_runs, ProfileScope::OfSeveral, &number))
            };
            [law(|h| h.maximum), law(|h| h.average), law(|h| h.minimum)]
        };
        let has_processors_only = variables.len() == 1 && variables[0] == "P";
        ProfileModels {
            blocks: costs
                .iter()
                .map(|of_runs| if has_processors_only { blocks(of_runs) } else { None })
                .collect(),
            exact: costs.iter().map(exact).collect(),
            centres: kept.iter().map(|(centre, _)| centre.clone()).collect(),
            first_passes: kept.iter().map(|(_, pass)| *pass).collect(),
            left_out: Vec::new(),
            synchronisations: models(&[(ProfileScope::OfEach, &|cost| cost.synchronisations as f64)]),
            latency: models(&[(ProfileScope::OfSeveral, &|cost| cost.latency_s / supersteps(cost))]),
            quantities: CostQuantity::ALL.map(|quantity| {
                let part = match quantity {
                    CostQuantity::Computation => ProfileScope::OfEach,
                    _ => ProfileScope::OfSeveral,
                };
                models(&[
                    (part, &|cost| cost.of(quantity).maximum / supersteps(cost)),
                    (ProfileScope::OfSeveral, &|cost| share(cost.of(quantity).average, cost.of(quantity))),
                    (ProfileScope::OfSeveral, &|cost| share(cost.of(quantity).minimum, cost.of(quantity))),
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
        let is_alone = processors == 1;
        let mut maxima = Vec::new();
        for (number, centre) in self.centres.iter().enumerate() {
            let one = |models: &SumModels| models.predict(number, point, probability).value;
            let count = self.synchronisations.predict(number, point, probability);
            let mut cost = Cost { synchronisations: count.value.round() as u64, ..Cost::default() };
            let supersteps = supersteps(&cost);
            cost.latency_s = supersteps * one(&self.latency);
            let mut intervals = [SumInterval::default(); 4];
            for (quantity, interval) in CostQuantity::ALL.into_iter().zip(&mut intervals) {
                let models = &self.quantities[quantity as usize];
                let [maximum, average, minimum] =
                    [0, 1, 2].map(|sum| models.predict(3 * number + sum, point, probability));
                let [exact_maximum, exact_average, exact_minimum] = match quantity {
                    CostQuantity::H => self.exact[number].each_ref().map(|law| law.as_ref()?.value(point)),
                    _ => [None; 3],
                };
                let law = self.blocks[number].as_ref().filter(|_| quantity == CostQuantity::H);
                let maximum =
                    law.and_then(|law| of_blocks(law, processors, maximum.value)).unwrap_or(maximum);
                let maximum = match exact_maximum {
                    Some(value) => Combined { value, low: value, high: value },
                    None => maximum,
                };
                // One processor sends itself nothing and waits for nobody.
                let is_nothing = is_alone && matches!(quantity, CostQuantity::H | CostQuantity::Waiting);
                let is_open =
                    models.is_open(3 * number, point) || self.synchronisations.is_open(number, point);
                *interval = match () {
                    () if is_nothing => SumInterval::default(),
                    () if is_open => SumInterval::OPEN,
                    () => sum_interval(&count, supersteps, &maximum),
                };
                let maximum = if is_nothing { 0.0 } else { supersteps * maximum.value };
                if is_alone {
                    *cost.of_mut(quantity) =
                        Accumulated { maximum, average: maximum, minimum: maximum, by_processor: Vec::new() };
                    continue;
                }
                let part = |exact: Option<f64>, share: &Combined| match exact {
                    Some(value) => supersteps * value,
                    None => share.value * maximum,
                };
                // What is exact is not cut by what is not.
                let mut average = part(exact_average, &average).min(maximum);
                let mut minimum = part(exact_minimum, &minimum).min(maximum);
                match exact_minimum {
                    Some(_) => average = average.max(minimum),
                    None => minimum = minimum.min(average),
                }
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

/// Part of the sum of maxima; NaN of nothing.
fn share(part: f64, whole: &Accumulated) -> f64 {
    part / whole.maximum
}

/// What ends without a synchronisation counts as one superstep.
fn supersteps(cost: &Cost) -> f64 {
    cost.synchronisations.max(1) as f64
}

impl SumModels {
    fn new(values: Vec<Vec<f64>>, variables: &[String], points: &[&[f64]]) -> SumModels {
        let columns: Vec<Vec<f64>> = (0..variables.len())
            .map(|variable| points.iter().map(|point| point[variable]).collect())
            .collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let mut measured = Vec::new();
        let mut few = Vec::new();
        let members = values
            .iter()
            .map(|values| {
                let is_something = values.iter().any(|value| value.is_finite() && *value != 0.0);
                is_something.then(|| {
                    measured.push(Measurements::new(variables, &columns, values));
                    few.push(few_points(points, values));
                    measured.len() - 1
                })
            })
            .collect();
        SumModels { siblings: Siblings::new(measured), members, few }
    }

    /// Whether too few points tell what is at this one, which is none of them.
    fn is_open(&self, number: usize, point: &[f64]) -> bool {
        let few = self.members[number].and_then(|member| self.few[member].as_ref());
        few.is_some_and(|few| few.iter().all(|known| known != point))
    }

    /// Nothing is below 0.
    fn predict(&self, number: usize, point: &[f64], probability: f64) -> Combined {
        let Some(member) = self.members[number] else { return Combined { value: 0.0, low: 0.0, high: 0.0 } };
        let said = self.siblings.predict(member, point, probability);
        let of = |value: f64| if value > 0.0 { value } else { 0.0 };
        Combined { value: of(said.value), low: of(said.low), high: of(said.high) }
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
