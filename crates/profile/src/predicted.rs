use crate::blocks::BlockLaw;
use crate::exact::ExactLaws;
use crate::sum_models::SumModels;
use crate::{Accumulated, Centre, Cost, CostQuantity, Profile};

/// The profiles of one program at several values of its variables, from which those at other values are predicted.
///
/// Each cost centre has 23 numbers: synchronisations; for each of them latency, how long it took on average and, of each quantity, the mean
/// of maxima, averages and minima; and what averages and minima are of the maxima. Each is a function of the variables that is searched for like
/// the time of an experiment ([`call_search`]); those of the same quantity are siblings. Of averages and minima the more plausible law counts,
/// that of their own or that of their share; average computation, communication and idle time add up to what a superstep
/// may take.
#[derive(Debug)]
pub struct ProfileModels {
    pub(crate) centres: Vec<Centre>,
    pub(crate) first_passes: Vec<u64>,
    /// Centres that not all profiles have.
    pub(crate) left_out: Vec<Centre>,
    pub(crate) synchronisations: SumModels,
    pub(crate) latency: SumModels,
    /// For each centre maximum, and what average and minimum are of it.
    pub(crate) quantities: [SumModels; 4],
    /// For each centre average and minimum.
    pub(crate) parts: [SumModels; 4],
    /// For each centre the sum of average computation, communication and idle time.
    pub(crate) whole: SumModels,
    /// For each centre the largest part that this sum, and the largest idle time, had of the BSP time in a run; 1 at least.
    pub(crate) of_bsp_time: Vec<f64>,
    /// Of centres whose largest h of a superstep is that of the largest block of a grid.
    pub(crate) blocks: Vec<Option<BlockLaw>>,
    /// For each centre what maximum, average and minimum of h are, bytes being counted, to the last digit.
    pub(crate) exact: Vec<[Option<ExactLaws>; 3]>,
}

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
        let position = |profile: &Profile, centre: &Centre| {
            profile.centres.iter().position(|its| its.is_named_as(centre))
        };
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
            if position(first, centre).is_none() && !left_out.iter().any(|its| its.is_named_as(centre)) {
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
            of_bsp_time: costs.iter().map(|of_runs| of_bsp_time(of_runs)).collect(),
            whole: models(&[(ProfileScope::OfSeveral, &|cost| whole_s(cost) / supersteps(cost))]),
            parts: CostQuantity::ALL.map(|quantity| {
                // Where all is 0, there are no shares either.
                let part = |cost: &Cost, sum: fn(&Accumulated) -> f64| {
                    let its = cost.of(quantity);
                    if its.maximum == 0.0 { f64::NAN } else { sum(its) / supersteps(cost) }
                };
                models(&[
                    (ProfileScope::OfSeveral, &|cost| part(cost, |its| its.average)),
                    (ProfileScope::OfSeveral, &|cost| part(cost, |its| its.minimum)),
                ])
            }),
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
}

/// The first quantities, which add up to the time that a superstep takes.
pub(crate) const TIMES: usize = 3;

/// The average time of a cost, all of its parts.
fn whole_s(cost: &Cost) -> f64 {
    cost.quantities[..TIMES].iter().map(|its| its.average).sum()
}

/// The largest part that the average time, and the largest idle time, had of the BSP time; 1 at least.
fn of_bsp_time(of_runs: &[Option<&Cost>]) -> f64 {
    let of_run = |cost: &&Cost| whole_s(cost).max(cost.of(CostQuantity::Waiting).maximum) / cost.time_s();
    of_runs.iter().flatten().map(of_run).filter(|part| part.is_finite()).fold(1.0, f64::max)
}

/// Part of the sum of maxima; NaN of nothing.
fn share(part: f64, whole: &Accumulated) -> f64 {
    part / whole.maximum
}

/// What ends without a synchronisation counts as one superstep.
pub(crate) fn supersteps(cost: &Cost) -> f64 {
    cost.synchronisations.max(1) as f64
}
