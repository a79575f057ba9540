//! Profiles at numbers of processors that were not run, of programs whose laws are planted.

use call_profile::{
    Centre, CostQuantity, MachineSuperstep, Position, Profile, ProfileBuilder, ProfileModels, oxford,
};

fn centre(line: u32) -> Centre {
    Centre::new(Position::new("solve.c", line), ["solve", "main"])
}

/// 3 P supersteps that compute 12/P + 0.5 s on processor 0 and half of it elsewhere, and send 64 + 8 P bytes each; then one at
/// another place that only runs of more than `least` processors have.
fn run(processors: usize, least: usize) -> Profile {
    let count = processors as f64;
    let mut builder = ProfileBuilder::new(processors);
    let mut superstep = MachineSuperstep::new(processors);
    superstep.computation_s.fill(0.5 * (12.0 / count + 0.5));
    superstep.computation_s[0] = 12.0 / count + 0.5;
    superstep.out_bytes.fill(64.0 + 8.0 * count);
    let solve = builder.centre(centre(10));
    for _ in 0..3 * processors {
        builder.add(solve, &superstep);
    }
    if processors > least {
        let last = builder.centre(centre(20));
        builder.add(last, &superstep);
    }
    builder.finish()
}

fn models(profiles: &[Profile]) -> ProfileModels {
    let points: Vec<Vec<f64>> = profiles.iter().map(|profile| vec![profile.processors as f64]).collect();
    ProfileModels::new(&["P".to_owned()], &points, &profiles.iter().collect::<Vec<_>>())
}

fn runs(least: usize) -> Vec<Profile> {
    [2, 4, 6, 8, 12, 16].into_iter().map(|processors| run(processors, least)).collect()
}

#[test]
fn laws_of_cost_centres_are_carried_on() {
    let predicted = models(&runs(0)).predict(64, &[64.0], 0.9);
    let truth = run(64, 0);
    assert_eq!(predicted.profile.centres(), truth.centres());
    for ((cost, truth), intervals) in
        predicted.profile.costs().iter().zip(truth.costs()).zip(&predicted.maxima)
    {
        assert_eq!(cost.synchronisations, truth.synchronisations);
        for quantity in CostQuantity::ALL {
            let (its, right) = (cost.of(quantity), truth.of(quantity));
            let is_close = |left: f64, right: f64| (left - right).abs() <= 0.01 * right.abs();
            assert!(is_close(its.maximum, right.maximum), "{quantity:?} {its:?} {right:?}");
            assert!(
                is_close(its.average, right.average) || quantity == CostQuantity::Computation,
                "{its:?} {right:?}"
            );
            assert!(is_close(its.minimum, right.minimum), "{its:?} {right:?}");
            assert!(its.minimum <= its.average && its.average <= its.maximum, "{its:?}");
            let interval = intervals[quantity as usize];
            assert!(
                interval.low <= right.maximum * (1.0 + 1e-9) && right.maximum * (1.0 - 1e-9) <= interval.high
            );
        }
    }
}

/// One superstep in which processor 0 sends 4096 bytes to each other one; then a total exchange of 8 P bytes with each.
fn exchange(processors: usize) -> Profile {
    let others = processors as f64 - 1.0;
    let mut builder = ProfileBuilder::new(processors);
    let mut superstep = MachineSuperstep::new(processors);
    superstep.in_bytes.fill(4096.0);
    superstep.in_bytes[0] = 0.0;
    superstep.out_bytes[0] = 4096.0 * others;
    let broadcast = builder.centre(centre(10));
    builder.add(broadcast, &superstep);
    superstep.in_bytes.fill(8.0 * processors as f64 * others);
    superstep.out_bytes.fill(8.0 * processors as f64 * others);
    let total = builder.centre(centre(20));
    builder.add(total, &superstep);
    builder.finish()
}

#[test]
fn counted_bytes_are_predicted_to_the_last_one() {
    let check = |counts: &[usize], asked: usize, place: usize| {
        let runs: Vec<Profile> = counts.iter().map(|count| exchange(*count)).collect();
        let predicted = models(&runs).predict(asked, &[asked as f64], 0.9);
        let (found, truth) = (predicted.profile.costs()[place].of(CostQuantity::H).clone(), exchange(asked));
        let right = truth.costs()[place].of(CostQuantity::H);
        for (its, right) in
            [(found.maximum, right.maximum), (found.average, right.average), (found.minimum, right.minimum)]
        {
            assert!((its - right).abs() <= 1e-9 * right, "{asked}: {its} {right}");
        }
        let interval = predicted.maxima[place][CostQuantity::H as usize];
        let is_within =
            interval.low <= right.maximum * (1.0 + 1e-9) && right.maximum * (1.0 - 1e-9) <= interval.high;
        assert!(is_within, "{interval:?} {right:?}");
    };
    check(&[2, 3, 4, 6, 8, 12, 16, 20], 32, 1);
    check(&[2, 4, 8, 16], 64, 0);
}

#[test]
fn what_only_some_runs_have_is_told() {
    let models = models(&runs(7));
    assert_eq!(models.left_out(), [centre(20)]);
    assert_eq!(models.predict(64, &[64.0], 0.9).profile.centres(), [centre(10)]);
}

#[test]
fn communication_on_a_machine_is_g_h_and_latencies() {
    let mut profile = run(4, 0);
    profile.be_on_network(2e-6, 3e-3);
    let communication = profile.costs()[0].of(CostQuantity::Communication);
    // 12 supersteps of 96 bytes.
    let expected_s = 12.0 * (96.0 * 2e-6 + 3e-3);
    for sum_s in
        [communication.maximum, communication.average, communication.minimum, communication.by_processor[1]]
    {
        assert!((sum_s - expected_s).abs() < 1e-12, "{sum_s} {expected_s}");
    }
    assert_eq!(profile.costs()[0].latency_s, 12.0 * 3e-3);
    assert_eq!(
        profile.costs()[0].of(CostQuantity::Computation).maximum,
        run(4, 0).costs()[0].of(CostQuantity::Computation).maximum
    );
}

/// NAS BT on square meshes of processors: the faces of the largest block of a grid, whose 13, 11, 10, 9 and 7 points on a side no smooth
/// function of P tells. Each run from the four others.
#[test]
fn faces_of_a_distributed_grid_are_known_where_nothing_ran() {
    let counts = [25, 36, 49, 64, 100];
    let run = |processors: &usize| {
        let file = format!("{}/tests/data/bt.A.{processors}.bsp", env!("CARGO_MANIFEST_DIR"));
        oxford::read(&std::fs::read(file).unwrap()).unwrap()
    };
    for measured in counts {
        let known: Vec<Profile> = counts.iter().filter(|count| **count != measured).map(run).collect();
        let predicted = models(&known).predict(measured, &[measured as f64], 0.9);
        let truth = run(&measured);
        let mut solves = 0;
        for ((centre, cost), intervals) in
            predicted.profile.centres().iter().zip(predicted.profile.costs()).zip(&predicted.maxima)
        {
            if !centre.position.name.ends_with("_solve.f") {
                continue;
            }
            let place = truth.centres().iter().position(|its| its == centre).unwrap();
            let right = truth.costs()[place].of(CostQuantity::H).maximum;
            let found = cost.of(CostQuantity::H).maximum;
            assert!((found - right).abs() <= 0.01 * right, "P = {measured}, {centre:?}: {found}, {right}");
            let interval = intervals[CostQuantity::H as usize];
            assert!(interval.low <= right && right <= interval.high, "P = {measured}, {interval:?}: {right}");
            solves += 1;
        }
        assert_eq!(solves, 6);
    }
}

/// One superstep of a halo, in which each processor sends 960000/P bytes to its neighbour and computes for 3/P s; what it sends to itself
/// is no h-relation. Runs of several processors end with one at another place.
fn halo(processors: usize) -> Profile {
    let count = processors as f64;
    let mut builder = ProfileBuilder::new(processors);
    let mut superstep = MachineSuperstep::new(processors);
    superstep.computation_s.fill(3.0 / count);
    superstep.out_bytes.fill(if processors > 1 { 960_000.0 / count } else { 0.0 });
    let exchange = builder.centre(centre(10));
    builder.add(exchange, &superstep);
    if processors > 1 {
        let last = builder.centre(centre(20));
        builder.add(last, &superstep);
    }
    builder.finish()
}

#[test]
fn one_processor_says_nothing_of_communication() {
    let of = |counts: &[usize], target: usize| {
        let profiles: Vec<Profile> = counts.iter().map(|count| halo(*count)).collect();
        let models = models(&profiles);
        assert_eq!(models.left_out(), []);
        models.predict(target, &[target as f64], 0.9)
    };
    let is_close = |left: f64, right: f64| (left - right).abs() <= 1e-3 * right;
    for counts in [&[1, 2, 4, 8][..], &[2, 3, 4], &[1, 3, 2, 4], &[1, 2, 4]] {
        let predicted = of(counts, 64);
        let known = counts.iter().filter(|count| **count > 1).count();
        assert_eq!(predicted.profile.centres(), [centre(10), centre(20)], "{counts:?}");
        for (number, (cost, intervals)) in predicted.profile.costs().iter().zip(&predicted.maxima).enumerate()
        {
            let h = cost.of(CostQuantity::H);
            assert!(is_close(h.maximum, 15_000.0), "{counts:?} {h:?}");
            assert!(is_close(h.average, h.maximum) && is_close(h.minimum, h.maximum), "{counts:?} {h:?}");
            let interval = intervals[CostQuantity::H as usize];
            assert_eq!(interval.is_open(), known < 3, "{counts:?} {interval:?}");
            assert!(interval.low <= 15_000.0 && 15_000.0 <= interval.high, "{counts:?} {interval:?}");
            assert!(is_close(cost.of(CostQuantity::Computation).maximum, 3.0 / 64.0), "{counts:?} {cost:?}");
            // What it computes for is known of the one processor, too, where that has such a superstep.
            let is_open = intervals[CostQuantity::Computation as usize].is_open();
            assert_eq!(is_open, known < 3 && number == 1, "{counts:?}");
        }
    }
    let alone = of(&[2, 4, 8], 1);
    let cost = &alone.profile.costs()[0];
    assert_eq!(cost.of(CostQuantity::H).maximum, 0.0);
    assert_eq!(alone.maxima[0][CostQuantity::H as usize], call_profile::SumInterval::default());
    assert!(is_close(cost.of(CostQuantity::Computation).minimum, 3.0), "{cost:?}");
}

/// Nothing but runs of one processor says something of other variables: of 2 s for each of N.
#[test]
fn runs_of_one_processor_alone_are_models_of_it() {
    let run = |size: f64| {
        let mut builder = ProfileBuilder::new(1);
        let mut superstep = MachineSuperstep::new(1);
        superstep.computation_s.fill(2.0 * size);
        superstep.communication_s.fill(0.5);
        let only = builder.centre(centre(10));
        builder.add(only, &superstep);
        builder.finish()
    };
    let profiles: Vec<Profile> = [1.0, 2.0, 4.0, 8.0].map(run).to_vec();
    let points: Vec<Vec<f64>> = [1.0, 2.0, 4.0, 8.0].map(|size| vec![size]).to_vec();
    let models = ProfileModels::new(&["N".to_owned()], &points, &profiles.iter().collect::<Vec<_>>());
    let predicted = models.predict(1, &[32.0], 0.9);
    let cost = &predicted.profile.costs()[0];
    assert!((cost.of(CostQuantity::Computation).maximum - 64.0).abs() < 0.01, "{cost:?}");
    assert!((cost.of(CostQuantity::Communication).maximum - 0.5).abs() < 0.01, "{cost:?}");
}

/// Three supersteps in which all compute for 0.4/P s and processor 0 for 2e-3 P s more, for which the others wait; then all exchange messages,
/// which takes a time of its own on each number of processors.
fn uneven(processors: usize, exchange_s: f64) -> Profile {
    let count = processors as f64;
    let mut builder = ProfileBuilder::new(processors);
    let mut superstep = MachineSuperstep::new(processors);
    superstep.computation_s.fill(0.4 / count);
    superstep.computation_s[0] += 2e-3 * count;
    superstep.waiting_s.fill(2e-3 * count);
    superstep.waiting_s[0] = 0.0;
    superstep.communication_s.fill(exchange_s);
    let exchange = builder.centre(centre(10));
    for _ in 0..3 {
        builder.add(exchange, &superstep);
    }
    builder.finish()
}

#[test]
fn averages_and_minima_follow_laws_of_their_own() {
    let runs: Vec<Profile> = [2, 4, 8, 16].into_iter().map(|count| uneven(count, 1e-4)).collect();
    for asked in [32, 64] {
        let predicted = models(&runs).predict(asked, &[asked as f64], 0.9);
        let (found, truth) = (&predicted.profile.costs()[0], &uneven(asked, 1e-4).costs()[0].clone());
        for quantity in CostQuantity::ALL {
            let (its, right) = (found.of(quantity), truth.of(quantity));
            for (its, right) in
                [(its.maximum, right.maximum), (its.average, right.average), (its.minimum, right.minimum)]
            {
                assert!((its - right).abs() <= 0.01 * right, "P = {asked}, {quantity:?}: {its}, {right}");
            }
        }
    }
}

/// Disturbed by up to 10 %, so that no law is exact: the parts of the average time are the whole all the same.
#[test]
fn averages_add_up_to_no_more_than_the_run() {
    for seed in 1..4_u32 {
        let disturbed = |number: u32| 1.0 + 0.1 * (f64::from(seed * 37 + number * 101)).sin();
        let runs: Vec<Profile> = [2_usize, 4, 8, 16]
            .into_iter()
            .map(|count| {
                let mut builder = ProfileBuilder::new(count);
                let mut superstep = MachineSuperstep::new(count);
                for processor in 0..count {
                    let late = if processor == 0 { 2e-3 * count as f64 } else { 0.0 };
                    superstep.computation_s[processor] =
                        (0.4 / count as f64 + late) * disturbed((100 * count + processor) as u32);
                }
                let last_s = superstep.computation_s.iter().copied().fold(0.0, f64::max);
                for processor in 0..count {
                    superstep.waiting_s[processor] = last_s - superstep.computation_s[processor];
                    superstep.communication_s[processor] = 1e-3 * disturbed(count as u32);
                }
                let exchange = builder.centre(centre(10));
                builder.add(exchange, &superstep);
                builder.finish()
            })
            .collect();
        let predicted = models(&runs).predict(64, &[64.0], 0.9);
        let cost = &predicted.profile.costs()[0];
        let times = [CostQuantity::Computation, CostQuantity::Communication, CostQuantity::Waiting];
        let parts: f64 = times.iter().map(|quantity| cost.of(*quantity).average).sum();
        assert!(parts <= cost.time_s() * (1.0 + 1e-9), "seed {seed}: {parts} of {cost:?}");
        assert!(
            cost.of(CostQuantity::Waiting).maximum <= cost.time_s() * (1.0 + 1e-9),
            "seed {seed}: {cost:?}"
        );
    }
}

/// A library sends otherwise from 16 processors on: what that does beyond is not known, but it is no time of femtoseconds or minutes.
#[test]
fn intervals_reach_no_farther_than_laws_go() {
    let exchange_s = [(2, 5e-8), (4, 1.3e-7), (8, 2.9e-7), (16, 4.28e-5)];
    let runs: Vec<Profile> = exchange_s.into_iter().map(|(count, each_s)| uneven(count, each_s)).collect();
    let predicted = models(&runs).predict(32, &[32.0], 0.9);
    let interval = predicted.maxima[0][CostQuantity::Communication as usize];
    assert!(1e-9 < interval.low && interval.low < 3.0 * 4.5e-5, "{interval:?}");
    assert!(3.0 * 4.5e-5 < interval.high && interval.high < 0.1, "{interval:?}");
}
