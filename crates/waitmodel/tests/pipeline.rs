//! A pipeline of three groups with planted times, whose run time and waits are known by formulas: recorded on the border of a grid of
//! allocations, predicted inside.

use crate::planted::Planted;
use call_trace::CollectiveOperation;
use call_waiting::{Account, Code};
use call_waitmodel::{
    DominanceRegion, Dominant, Multiplicity, NoModel, RunAtPoint, WaitModel, best_allocations, informative,
    left_out_s,
};

const FRAMES: i64 = 10;
const LEVEL: f64 = 0.9;

/// What a processor of each group computes for a frame, nanoseconds.
fn frame_ns(p0: u32, p1: u32) -> [i64; 3] {
    [12_000_000 / i64::from(p0), 27_000_000 / i64::from(p1) + 40_000 * i64::from(p1), 1_500_000]
}

/// The run time, and what each group waits: all frames go at the pace of the slowest group, once there is one in each.
fn known_s(p0: u32, p1: u32) -> (f64, [f64; 3]) {
    let [c0, c1, c2] = frame_ns(p0, p1);
    let slowest = c0.max(c1).max(c2);
    let time = c0 + c1 + c2 + (FRAMES - 1) * slowest;
    let waits = [time - c1 - c2 - FRAMES * c0, time - c2 - FRAMES * c1, time - FRAMES * c2];
    (time as f64 * 1e-9, waits.map(|ns| ns as f64 * 1e-9))
}

fn run(p0: u32, p1: u32) -> Account {
    let groups = [0..p0, p0..p0 + p1, p0 + p1..p0 + p1 + 1];
    let pair = |first: usize| groups[first].clone().chain(groups[first + 1].clone()).collect::<Vec<u32>>();
    let pairs = [pair(0), pair(1)];
    let mut planted = Planted::new(p0 + p1 + 1, &[&pairs[0], &pairs[1]]);
    for _ in 0..FRAMES {
        for (group, (name, time_ns)) in
            ["sample", "transform", "track"].iter().zip(frame_ns(p0, p1)).enumerate()
        {
            groups[group].clone().for_each(|processor| planted.work(processor, name, time_ns));
            if group < 2 {
                planted.collective(CollectiveOperation::Barrier, group as u32 + 1, 0, 0);
            }
        }
    }
    Account::of_events(&planted.recorded).unwrap()
}

fn allocations() -> impl Iterator<Item = (u32, u32)> {
    (1..=4).flat_map(|p0| (1..=5).map(move |p1| (p0, p1)))
}

fn is_border((p0, p1): &(u32, u32)) -> bool {
    [1, 4].contains(p0) || [1, 5].contains(p1)
}

fn names() -> Vec<String> {
    ["p0", "p1"].map(str::to_owned).to_vec()
}

fn point(p0: u32, p1: u32) -> Vec<f64> {
    vec![f64::from(p0), f64::from(p1)]
}

fn sampled(runs: &[((u32, u32), Account)]) -> Vec<RunAtPoint<'_>> {
    runs.iter().map(|((p0, p1), account)| RunAtPoint { point: point(*p0, *p1), account }).collect()
}

fn border() -> Vec<((u32, u32), Account)> {
    allocations().filter(is_border).map(|(p0, p1)| ((p0, p1), run(p0, p1))).collect()
}

fn near(found: f64, expected: f64, scale: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-6 * scale, "{what}: {found}, not {expected}");
}

#[test]
fn the_inside_follows_from_the_border() {
    let runs = border();
    assert_eq!(runs.len(), 14);
    let model = WaitModel::fit(&names(), &sampled(&runs)).unwrap();
    let mains: Vec<&Code> = model.roles.iter().filter_map(|role| role.main.as_ref()).collect();
    let code = |name: &str| Code::Experiment { name: name.to_owned(), before: None };
    assert_eq!(mains, [&code("sample"), &code("transform"), &code("track")]);
    let variables: Vec<Option<usize>> = model.roles.iter().map(|role| role.variable).collect();
    assert_eq!(variables, [Some(0), Some(1), None]);
    // Where group 0 is the slowest one, and where group 1 is.
    assert_eq!(model.time.len(), 2, "{:?}", model.time);
    for sum in &model.time {
        let slowest = &model.steps[sum.terms[0].step];
        for run in &sum.runs {
            let (p0, p1) = runs[*run].0;
            let [c0, c1, _] = frame_ns(p0, p1);
            assert_eq!(slowest.code, code(if c0 > c1 { "sample" } else { "transform" }), "{p0} {p1}");
        }
        near(sum.terms[0].times, 1.0, 1.0, "the slowest group in all frames");
        near(sum.terms[1].times, 1.0 / FRAMES as f64, 1.0, "another group in one frame");
    }
    for (p0, p1) in allocations().filter(|its| !is_border(its)) {
        let (time_s, waits_s) = known_s(p0, p1);
        // The formula is what a run there shows.
        let account = run(p0, p1);
        near(account.waits.efficiency.run_time_ns as f64 * 1e-9, time_s, time_s, "run time");
        let predicted = model.predict(&point(p0, p1), LEVEL);
        let place = format!("{p0} + {p1}");
        near(predicted.time.value_s, time_s, time_s, &place);
        assert!(
            predicted.time.low_s <= time_s * (1.0 + 1e-9) && time_s <= predicted.time.high_s * (1.0 + 1e-9)
        );
        for (role, wait_s) in predicted.roles.iter().zip(waits_s) {
            near(role.waiting.value_s, wait_s, time_s, &place);
        }
        near(predicted.by_roles_s, time_s, time_s, &place);
        near(predicted.efficiency.unwrap(), account.waits.efficiency.parallel, 1.0, &place);
        assert!(predicted.beyond.is_empty());
    }
    assert_eq!(model.predict(&[5.0, 5.0], LEVEL).beyond, [0]);
}

#[test]
fn left_out_runs_are_predicted_by_the_others() {
    let runs = border();
    let left_out_s = left_out_s(&names(), &sampled(&runs)).unwrap();
    for (((p0, p1), _), found_s) in runs.iter().zip(left_out_s) {
        let (time_s, _) = known_s(*p0, *p1);
        assert!((found_s / time_s - 1.0).abs() < 0.1, "{p0} + {p1}: {found_s} s, not {time_s} s");
    }
}

#[test]
fn the_best_allocation_is_the_one_of_all_that_can_be_tried() {
    let runs = border();
    let model = WaitModel::fit(&names(), &sampled(&runs)).unwrap();
    let ranges = [(0, (1..=4).map(f64::from).collect()), (1, (1..=5).map(f64::from).collect())];
    for total in [3, 5, 7, 8, 10, 12] {
        let (band, place) = best_allocations(&model, &ranges, total, LEVEL).unwrap();
        let fits = allocations().filter(|(p0, p1)| u64::from(p0 + p1 + 1) <= total);
        let best_s = fits.map(|(p0, p1)| known_s(p0, p1).0).fold(f64::INFINITY, f64::min);
        let best = &band[place];
        near(best.predicted.time.value_s, best_s, best_s, &format!("{total} processors"));
        assert_eq!(best.processors as f64, best.point.iter().sum::<f64>() + 1.0);
        assert!(band.is_sorted_by_key(|one| one.processors));
        assert!(band.iter().all(|one| one.processors <= total));
        assert!(band.iter().all(|one| one.predicted.time.value_s <= best.predicted.time.high_s));
    }
    // Without ranges, more than was run; that is told.
    let (band, place) = best_allocations(&model, &[], 14, LEVEL).unwrap();
    assert!(!band[place].predicted.beyond.is_empty());
    let none = best_allocations(&model, &[], 2, LEVEL).unwrap_err();
    assert_eq!(none, NoModel::NoRoom { variable: "p0".to_owned(), total: 2 });
}

/// What tells most of linear models lies where group 0 is the slowest one; one of the points lies where group 1 is all the same.
#[test]
fn the_next_points_to_run_lie_in_each_region() {
    let runs = border();
    let model = WaitModel::fit(&names(), &sampled(&runs)).unwrap();
    let grid = (2..=3).flat_map(|p0| (2..=8).map(move |p1| (p0, p1)));
    let (places, points): (Vec<(u32, u32)>, Vec<Vec<f64>>) =
        grid.filter(|(_, p1)| *p1 != 5).map(|(p0, p1)| ((p0, p1), point(p0, p1))).unzip();
    let regions = model.dominance_regions(&points, LEVEL);
    assert_eq!(regions.iter().map(|region| region.points.len()).sum::<usize>(), points.len());
    let slowest = |sum: usize| &model.steps[model.time[sum].terms[0].step].code;
    for region in &regions {
        let Dominant::Sum(sum) = region.dominant else { panic!("{region:?}") };
        for place in &region.points {
            let (p0, p1) = places[*place];
            let [c0, c1, _] = frame_ns(p0, p1);
            let expected = if c0 > c1 { "sample" } else { "transform" };
            let expected = Code::Experiment { name: expected.to_owned(), before: None };
            assert_eq!(*slowest(sum), expected, "{p0} {p1}");
        }
    }
    let chosen = |regions: &[DominanceRegion]| informative(&points, &model.points, regions, 3).unwrap();
    let missed = |chosen: Vec<usize>| {
        regions.iter().filter(|region| !chosen.iter().any(|point| region.points.contains(point))).count()
    };
    assert_eq!(missed(chosen(&[])), 1);
    assert_eq!(missed(chosen(&regions)), 0);
}

/// Each processor works when the one before has.
fn chain(processors: u32, work: &str) -> Account {
    let mut planted = Planted::new(processors, &[]);
    for processor in 0..processors {
        planted.work(processor, work, 1_000_000);
        if processor + 1 < processors {
            planted.eager(processor, processor + 1, 0);
        }
    }
    Account::of_events(&planted.recorded).unwrap()
}

fn model_of_chains(accounts: &[Account]) -> WaitModel {
    let runs = accounts.iter().map(|account| {
        let point = vec![account.waits.processors.len() as f64];
        RunAtPoint { point, account }
    });
    WaitModel::fit(&["P".to_owned()], &runs.collect::<Vec<_>>()).unwrap()
}

/// The longer the chain, the more often what those in its middle do is on the path.
#[test]
fn chains_have_one_sum() {
    let accounts: Vec<Account> = (2..=9).map(|processors| chain(processors, "work")).collect();
    let model = model_of_chains(&accounts);
    assert!(model.is_common);
    let [sum] = &model.time[..] else { panic!("{:?}", model.time) };
    let middle = sum.terms.iter().filter_map(|term| match term.multiplicity {
        Some(Multiplicity::Each(affine)) => Some((affine.constant.round(), affine.slope.round())),
        _ => None,
    });
    assert_eq!(middle.collect::<Vec<_>>(), [(-2.0, 1.0)]);
    // The first, the last, and those between them, of whom two processors have none.
    let fewer: Vec<_> = model.roles.iter().map(|role| (role.variable, role.fewer)).collect();
    assert_eq!(fewer, [(None, 0), (None, 0), (Some(0), 2)]);
    assert_eq!(model.roles[2].processors(&[2.0]), Some(0.0));
    for processors in [2.0, 3.0, 5.0, 9.0, 20.0] {
        let predicted = model.predict(&[processors], LEVEL);
        near(
            predicted.time.value_s,
            processors * 1e-3,
            processors * 1e-3,
            &format!("{processors} processors"),
        );
        // Of the last one, which waits for all others.
        let last_s = predicted.roles[1].waiting.value_s;
        near(last_s, (processors - 1.0) * 1e-3, processors * 1e-3, "waits of the last one");
        near(predicted.efficiency.unwrap(), 1.0 / processors, 1.0, "parallel efficiency");
    }
}

/// Five times the last of the processors in a ring is late, then all wait until the first one, which takes the longer the more there are,
/// comes to a barrier.
fn ring(size: i64, processors: u32) -> Account {
    let everyone: Vec<u32> = (0..processors).collect();
    let mut planted = Planted::new(processors, &[&everyone]);
    let count = i64::from(processors);
    for _ in 0..5 {
        for processor in 0..processors {
            let late_ns = if processor + 1 == processors { 20_000 * size } else { 0 };
            planted.work(processor, "share", 100_000 * size / count + late_ns);
        }
        for processor in 0..processors {
            planted.eager(processor, (processor + 1) % processors, 0);
        }
        for processor in 0..processors {
            planted.work(processor, "gather", if processor == 0 { 3_000_000 * count } else { 1_000_000 });
        }
        planted.collective(CollectiveOperation::Barrier, 1, 0, 0);
    }
    Account::of_events(&planted.recorded).unwrap()
}

/// Far beyond the runs the waits of single calls, which were fitted one by one, add up to more than the run.
#[test]
fn nobody_waits_longer_than_the_run_lasts() {
    let runs: Vec<((i64, u32), Account)> = [2, 4, 8]
        .into_iter()
        .flat_map(|processors| [200, 400, 800].map(|size| ((size, processors), ring(size, processors))))
        .collect();
    let sampled = runs.iter().map(|((size, processors), account)| RunAtPoint {
        point: vec![*size as f64, f64::from(*processors)],
        account,
    });
    let names = ["N", "P"].map(str::to_owned);
    let model = WaitModel::fit(&names, &sampled.collect::<Vec<_>>()).unwrap();
    let mut excess_s = 0.0_f64;
    for processors in [8, 16, 32, 64] {
        let predicted = model.predict(&[800.0, f64::from(processors)], LEVEL);
        for (number, role) in predicted.roles.iter().enumerate() {
            let place = format!("P = {processors}: {role:?}");
            let (time, waiting) = (predicted.time, role.waiting);
            assert!(waiting.value_s + role.steps.value_s <= time.value_s * (1.0 + 1e-9), "{place}");
            assert!(waiting.low_s <= waiting.value_s && waiting.value_s <= waiting.high_s, "{place}");
            assert!(waiting.high_s <= time.high_s * (1.0 + 1e-9), "{place}");
            let calls = model.calls.iter().zip(&predicted.waiting_s).filter(|(call, _)| call.role == number);
            let calls_s: f64 = calls.map(|(_, its_s)| its_s).sum();
            near(calls_s, waiting.value_s, time.value_s, &place);
            excess_s = excess_s.max(role.excess_s);
        }
    }
    assert!(excess_s > 0.1, "{excess_s}");
    let truth = ring(800, 32).waits;
    let mean_s = truth.efficiency.run_time_ns as f64 * 1e-9 * (1.0 - truth.efficiency.parallel);
    let roles = model.predict(&[800.0, 32.0], LEVEL).roles;
    let all_s: f64 = roles.iter().map(|role| role.processors.unwrap() * role.waiting.value_s).sum();
    assert!((all_s / 32.0 / mean_s - 1.0).abs() < 0.05, "{all_s} {mean_s} {roles:?}");
}

#[test]
fn what_differs_from_run_to_run_is_told() {
    let accounts: Vec<Account> =
        (3..=9).map(|processors| chain(processors, &format!("work {processors}"))).collect();
    let model = model_of_chains(&accounts);
    assert!(!model.is_common);
    assert!(model.calls.iter().all(|call| call.sums.is_empty() && call.formula("f").is_some()));
}

#[test]
fn too_little_has_no_model() {
    let runs = border();
    let sampled = sampled(&runs);
    assert_eq!(WaitModel::fit(&[], &sampled).unwrap_err(), NoModel::NothingVaries);
    assert_eq!(WaitModel::fit(&names(), &sampled[..3]).unwrap_err(), NoModel::TooFew { count: 3 });
    let same = vec![sampled[0].clone(); 5];
    assert_eq!(WaitModel::fit(&names(), &same).unwrap_err(), NoModel::NothingVaries);
    // A variable that is no number of processors allocates none.
    let points = sampled
        .iter()
        .map(|run| RunAtPoint { point: vec![7.0 * run.point[0], 0.5 * run.point[1]], ..run.clone() });
    let model = WaitModel::fit(&names(), &points.collect::<Vec<_>>()).unwrap();
    assert_eq!(best_allocations(&model, &[], 12, LEVEL).unwrap_err(), NoModel::NoAllocation);
}
