//! OBSP* on tasks whose numbers are worked by hand, and beside a simulation that knows single processors only.

use std::rc::Rc;

use crate::support::simulation;
use call_bsp::obsp::*;
use proptest::prelude::*;

fn compute(arena: &mut PerProcessorArena, time_s: &[f64]) -> TaskStep {
    TaskStep::Compute { time_s: arena.of_slice(time_s), centre: 1 }
}

/// A synchronisation; messages as `(from, to, bytes)`, at most one from each.
fn synchronise(
    arena: &mut PerProcessorArena,
    processors: u32,
    waits: WaitRelation,
    messages: &[(u32, u32, f64)],
    (g_s_per_byte, latency_s): (f64, f64),
) -> TaskStep {
    let mut bytes = vec![NONE; processors as usize];
    let mut targets = vec![NONE; processors as usize];
    for &(from, to, length) in messages {
        bytes[from as usize] = length;
        targets[from as usize] = f64::from(to);
    }
    let (bytes, targets) = (arena.of_slice(&bytes), arena.of_slice(&targets));
    TaskStep::Synchronise(Synchronisation {
        waits,
        sends: vec![Send::new(arena, processors, bytes, MessageTarget::Each(targets))],
        exchanged: None,
        cost: SynchronisationCost::Linear(Network { g_s_per_byte, latency_s }),
        centre: 2,
    })
}

/// Φ of each superstep and processor, and the plain BSP cost.
fn check(
    arena: &mut PerProcessorArena,
    task: Task,
    start_s: &[f64],
    in_out: InOut,
    expected: &[&[f64]],
    expected_bsp_s: f64,
) -> Evaluation {
    let task = Rc::new(task);
    let start = arena.of_slice(start_s);
    let evaluation = evaluate(arena, &task, start, in_out).expect("a task");
    let phi: Vec<Vec<f64>> = evaluation
        .supersteps()
        .iter()
        .map(|finished| arena.values(finished.end_s, task.processors))
        .collect();
    assert_eq!(phi, expected);
    assert_eq!(bsp_cost_s(arena, &task, in_out), expected_bsp_s);
    evaluation
}

/// Fig. 1, w = 1. First superstep: P0 computes 1 and waits for nobody, so it goes on at 2; P1 computes 2, has P0's message long since, and
/// goes on at 3. Second: P0 is ready at 2 + 2, P1 at 3 + 1; both wait for each other and end at 5. BSP: (2 + 1) + (2 + 1) = 6.
#[test]
fn figure_1() {
    let mut arena = PerProcessorArena::new();
    let steps = vec![
        compute(&mut arena, &[1.0, 2.0]),
        synchronise(&mut arena, 2, WaitRelation::Oblivious, &[(0, 1, 1.0)], (1.0, 0.0)),
        compute(&mut arena, &[2.0, 1.0]),
        synchronise(&mut arena, 2, WaitRelation::Oblivious, &[(0, 1, 1.0), (1, 0, 1.0)], (1.0, 0.0)),
    ];
    let task = Task { processors: 2, steps };
    let expected: [&[f64]; 2] = [&[2.0, 3.0], &[5.0, 5.0]];
    let evaluation = check(&mut arena, task, &[0.0, 0.0], InOut::Maximum, &expected, 6.0);
    use Activity::{Communicating, Computing};
    let of = |activity, start_s, end_s, superstep| Bar { activity, start_s, end_s, superstep };
    let diagram = evaluation.diagram(&mut arena);
    // Nobody waits.
    assert_eq!(
        diagram.rows[0],
        [
            of(Computing, 0.0, 1.0, 0),
            of(Communicating, 1.0, 2.0, 0),
            of(Computing, 2.0, 4.0, 1),
            of(Communicating, 4.0, 5.0, 1)
        ]
    );
    assert_eq!(diagram.rows[1][0], of(Computing, 0.0, 2.0, 0));
    assert_eq!(diagram.supersteps, ["1", "2"]);
}

/// The same with an exchange in both supersteps. Then equation (2) has both wait for the slower one each time: 3, and 3 + 2 + 1 = 6, as
/// in BSP.
#[test]
fn figure_1_with_two_exchanges_is_bsp() {
    let mut arena = PerProcessorArena::new();
    let messages = [(0, 1, 1.0), (1, 0, 1.0)];
    let steps = vec![
        compute(&mut arena, &[1.0, 2.0]),
        synchronise(&mut arena, 2, WaitRelation::Oblivious, &messages, (1.0, 0.0)),
        compute(&mut arena, &[2.0, 1.0]),
        synchronise(&mut arena, 2, WaitRelation::Oblivious, &messages, (1.0, 0.0)),
    ];
    let expected: [&[f64]; 2] = [&[3.0, 3.0], &[6.0, 6.0]];
    let task = Task { processors: 2, steps };
    let evaluation = check(&mut arena, task, &[0.0, 0.0], InOut::Maximum, &expected, 6.0);
    // P1 computes 2 and sends to P0, which then computes 2: the chain is P1, P1 or P0 communicating, P0.
    let chain: Vec<(u32, Activity, f64)> =
        evaluation.chain(&mut arena).iter().map(|l| (l.processor, l.activity, l.end_s - l.start_s)).collect();
    use Activity::{Communicating, Computing};
    assert_eq!(
        chain,
        [(1, Computing, 2.0), (0, Communicating, 1.0), (0, Computing, 2.0), (0, Communicating, 1.0)]
    );
}

/// Three processors, g = 2, L = 1. P0 sends 3 bytes to P1, P1 sends 1 to P2. in = (0, 3, 1), out = (3, 1, 0).
/// `+`: in + out = (3, 4, 1). Ω0 = {0}: h = 3. Ω1 = {0, 1}: 4. Ω2 = {1, 2}: 4. Φ = (1 + 7, max(1, 5) + 9, max(5, 2) + 9) = (8, 14, 14).
/// max: (3, 3, 1); h = (3, 3, 3); Φ = (1 + 7, 5 + 7, 5 + 7) = (8, 12, 12). BSP: 5 + 9 = 14 and 5 + 7 = 12.
#[test]
fn larger_of_in_and_out_against_their_sum() {
    for (in_out, expected, bsp_s) in
        [(InOut::Sum, [8.0, 14.0, 14.0], 14.0), (InOut::Maximum, [8.0, 12.0, 12.0], 12.0)]
    {
        let mut arena = PerProcessorArena::new();
        let steps = vec![
            compute(&mut arena, &[1.0, 5.0, 2.0]),
            synchronise(&mut arena, 3, WaitRelation::Oblivious, &[(0, 1, 3.0), (1, 2, 1.0)], (2.0, 1.0)),
        ];
        check(&mut arena, Task { processors: 3, steps }, &[0.0; 3], in_out, &[&expected], bsp_s);
    }
}

/// ξ = (4, 0): P0 joins late. It is ready at 4 + 1, P1 at 0 + 2; both wait for each other: 5 + 1 · 2 + 3 = 10. The cost of BSP, which
/// starts all at once, is 2 + 5 = 7.
#[test]
fn processors_join_at_different_times() {
    let mut arena = PerProcessorArena::new();
    let messages = [(0, 1, 1.0), (1, 0, 1.0)];
    let steps = vec![
        compute(&mut arena, &[1.0, 2.0]),
        synchronise(&mut arena, 2, WaitRelation::Oblivious, &messages, (1.0, 3.0)),
    ];
    let task = Task { processors: 2, steps };
    let evaluation = check(&mut arena, task, &[4.0, 0.0], InOut::Sum, &[&[10.0, 10.0]], 7.0);
    let rows = evaluation.diagram(&mut arena).rows;
    let waiting = rows[1][1];
    assert_eq!((waiting.activity, waiting.start_s, waiting.end_s), (Activity::Waiting, 2.0, 5.0));
    assert_eq!(rows[0][0].start_s, 4.0);
}

/// Five processors, after 1 s of computing each, in parts of 2 and 3 with numbers of their own. The first part computes (2, 4) and ends
/// with a barrier, L = 1: 1 + 4 + 1 = 6. The second computes (1, 1, 3) and has no superstep: (2, 2, 4). Then a barrier of all, L = 10:
/// 6 + 10 = 16. BSP: 1 + max(4 + 1, 3) + 10 = 16.
/// Chain: P1 computes 1 and 4, the first part communicates at P0 for 1, all communicate at P0 for 10.
#[test]
fn parts_with_unequal_numbers() {
    let mut arena = PerProcessorArena::new();
    let first = vec![
        compute(&mut arena, &[2.0, 4.0]),
        synchronise(&mut arena, 2, WaitRelation::Barrier, &[], (0.0, 1.0)),
    ];
    let second = vec![compute(&mut arena, &[1.0, 1.0, 3.0])];
    let steps = vec![
        compute(&mut arena, &[1.0; 5]),
        TaskStep::Parts(vec![
            Rc::new(Task { processors: 2, steps: first }),
            Rc::new(Task { processors: 3, steps: second }),
        ]),
        synchronise(&mut arena, 5, WaitRelation::Barrier, &[], (0.0, 10.0)),
    ];
    let task = Task { processors: 5, steps };
    let evaluation = check(&mut arena, task, &[0.0; 5], InOut::Sum, &[&[16.0; 5]], 16.0);
    let ready = evaluation.supersteps()[0].ready_s;
    assert_eq!(arena.values(ready, 5), [6.0, 6.0, 2.0, 2.0, 4.0]);
    let chain: Vec<(u32, f64, f64)> =
        evaluation.chain(&mut arena).iter().map(|l| (l.processor, l.start_s, l.end_s)).collect();
    assert_eq!(chain, [(1, 0.0, 1.0), (1, 1.0, 5.0), (0, 5.0, 6.0), (0, 6.0, 16.0)]);
    let last = *evaluation.diagram(&mut arena).rows[4].last().unwrap();
    assert_eq!((last.start_s, last.end_s), (6.0, 16.0));
}

#[test]
fn what_is_no_task_is_refused() {
    let mut arena = PerProcessorArena::new();
    let start = arena.same(0.0);
    let step = compute(&mut arena, &[1.0, -1.0]);
    let task = Rc::new(Task { processors: 2, steps: vec![step] });
    let error = evaluate(&mut arena, &task, start, InOut::Sum).unwrap_err();
    assert_eq!(error, TaskError::Time { time_s: -1.0, centre: 1 });
    let part = Rc::new(Task { processors: 1, steps: Vec::new() });
    let task = Rc::new(Task { processors: 2, steps: vec![TaskStep::Parts(vec![part])] });
    let error = evaluate(&mut arena, &task, start, InOut::Sum).unwrap_err();
    assert_eq!(error, TaskError::Parts { parts: 1, processors: 2 });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn equal_to_a_simulation_of_single_processors(program in simulation::program(), in_out in simulation::in_out()) {
        let mut arena = PerProcessorArena::new();
        let task = program.task(&mut arena);
        let start_s = arena.of_slice(&program.start_s);
        let evaluation = evaluate(&mut arena, &task, start_s, in_out).unwrap();
        let simulated = program.simulate(in_out);
        let found = arena.values(evaluation.end_s(), task.processors);
        prop_assert!(simulation::near(&found, &simulated.end_s), "{found:?} {:?}", simulated.end_s);
        // What each processor does has no gaps, and the chain none either.
        for (processor, row) in evaluation.diagram(&mut arena).rows.iter().enumerate() {
            let mut now_s = program.start_s[processor];
            for bar in row {
                prop_assert_eq!(bar.start_s, now_s);
                now_s = bar.end_s;
            }
            prop_assert_eq!(now_s, found[processor]);
        }
        let chain = evaluation.chain(&mut arena);
        prop_assert!(chain.windows(2).all(|pair| pair[0].end_s == pair[1].start_s));
        if let (Some(first), Some(last)) = (chain.first(), chain.last()) {
            // A processor that only sends, at its start, is no link.
            prop_assert!(program.start_s.contains(&first.start_s));
            prop_assert_eq!(last.end_s, evaluation.total_s(&mut arena));
        }
    }

    #[test]
    fn at_most_bsp_and_monotone(program in simulation::program(), in_out in simulation::in_out(), factor in 1.0..3.0f64) {
        let total = |program: &simulation::Program| {
            let mut arena = PerProcessorArena::new();
            let task = program.task(&mut arena);
            let start_s = arena.of_slice(&program.start_s);
            let total_s = evaluate(&mut arena, &task, start_s, in_out).unwrap().total_s(&mut arena);
            (total_s, bsp_cost_s(&mut arena, &task, in_out))
        };
        let (total_s, bsp_s) = total(&program);
        let latest_start = program.start_s.iter().copied().fold(0.0, f64::max);
        prop_assert!(total_s <= (latest_start + bsp_s) * (1.0 + 1e-12));
        for change in [simulation::Change::Work, simulation::Change::Gap, simulation::Change::Latency] {
            let (slower_s, slower_bsp_s) = total(&program.slower(change, factor));
            prop_assert!(slower_s >= total_s * (1.0 - 1e-12) && slower_bsp_s >= bsp_s * (1.0 - 1e-12), "{change:?}");
        }
    }

    #[test]
    fn the_numbers_of_processors_do_not_matter(program in simulation::flat_program(), in_out in simulation::in_out(), seed in 0u64..1000) {
        let (renumbered, new_numbers) = program.renumbered(seed);
        let phi = |program: &simulation::Program| {
            let mut arena = PerProcessorArena::new();
            let task = program.task(&mut arena);
            let start_s = arena.of_slice(&program.start_s);
            let evaluation = evaluate(&mut arena, &task, start_s, in_out).unwrap();
            (arena.values(evaluation.end_s(), task.processors), bsp_cost_s(&mut arena, &task, in_out))
        };
        let ((before, bsp_s), (after, renumbered_bsp_s)) = (phi(&program), phi(&renumbered));
        let moved: Vec<f64> = new_numbers.iter().map(|&number| after[number as usize]).collect();
        prop_assert!(simulation::near(&before, &moved), "{before:?} {moved:?}");
        prop_assert!(simulation::near(&[bsp_s], &[renumbered_bsp_s]));
    }

    #[test]
    fn rules_are_lists_of_targets(
        processors in prop_oneof![6 => 1u32..20, 1 => 60u32..70, 1 => 120u32..140, 1 => Just(256u32)],
        mask in prop_oneof![0u32..20, 0u32..300],
        places in prop_oneof![-20i64..20, -300i64..300],
        lengths in prop::collection::vec(prop_oneof![Just(NONE), 0.0..9.0f64], 256),
        values in prop::collection::vec(0.0..9.0f64, 256),
        in_out in simulation::in_out(),
    ) {
        let count = processors as usize;
        let mut arena = PerProcessorArena::new();
        let bytes = arena.of_slice(&lengths[..count]);
        let time_s = arena.of_slice(&values[..count]);
        let one = mask % processors;
        let rotated = places.rem_euclid(i64::from(processors)) as u32;
        let mut list = |rule: &dyn Fn(i64) -> i64| {
            let targets: Vec<f64> = (0..i64::from(processors)).map(|from| rule(from) as f64).collect();
            vec![MessageTarget::Each(arena.of_slice(&targets))]
        };
        for (target, listed) in [
            (MessageTarget::ExclusiveOr(mask), list(&|from| from ^ i64::from(mask))),
            (MessageTarget::Shift(places), list(&|from| from + places)),
            (MessageTarget::Rotate(rotated), list(&|from| (from + i64::from(rotated)) % i64::from(processors))),
            (MessageTarget::One(one), list(&|_| i64::from(one))),
            (MessageTarget::All, (1..processors).map(MessageTarget::Rotate).collect()),
        ] {
            let mut ends = Vec::new();
            for targets in [vec![target], listed] {
                let sends: Vec<Send> =
                    targets.iter().map(|target| Send::new(&mut arena, processors, bytes, *target)).collect();
                // Two supersteps: who is late in the first is so in the second, which the chain shows.
                let steps = (0..2).flat_map(|_| {
                    let cost = SynchronisationCost::Linear(Network { g_s_per_byte: 1.0, latency_s: 0.5 });
                    let sends = sends.clone();
                    [
                        TaskStep::Compute { time_s, centre: 0 },
                        TaskStep::Synchronise(Synchronisation { waits: WaitRelation::Oblivious, sends, exchanged: None, cost, centre: 0 }),
                    ]
                });
                let task = Rc::new(Task { processors, steps: steps.collect() });
                let start_s = arena.same(0.0);
                let evaluation = evaluate(&mut arena, &task, start_s, in_out).unwrap();
                let chain = evaluation.chain(&mut arena);
                let chain: Vec<u32> = chain.iter().map(|link| link.processor).collect();
                ends.push((arena.values(evaluation.end_s(), processors), chain));
            }
            prop_assert!(simulation::near(&ends[0].0, &ends[1].0), "{target:?} {ends:?}");
            // Sums of many messages are rounded one way or the other, so that the chain may take another way.
            if target != MessageTarget::All {
                prop_assert_eq!(&ends[0].1, &ends[1].1);
            }
        }
    }

    #[test]
    fn known_partners_are_those_that_send(
        processors in prop_oneof![6 => 1u32..20, 1 => 60u32..70, 1 => 120u32..140],
        places in prop::collection::vec(1i64..140, 1..4),
        values in prop::collection::vec(0.0..9.0f64, 140),
        in_out in simulation::in_out(),
    ) {
        let mut arena = PerProcessorArena::new();
        let time_s = arena.of_slice(&values[..processors as usize]);
        let bytes = arena.same(8.0);
        let sends: Vec<Send> =
            places.iter().map(|places| Send::new(&mut arena, processors, bytes, MessageTarget::Shift(*places))).collect();
        let known = (0..i64::from(processors)).map(|own| {
            let senders = places.iter().map(|places| own - places).filter(|sender| *sender >= 0);
            senders.map(|sender| sender as u32..=sender as u32).collect()
        });
        let sent = Synchronisation {
            waits: WaitRelation::Oblivious,
            sends,
            exchanged: None,
            cost: SynchronisationCost::Linear(Network { g_s_per_byte: 1.0, latency_s: 0.5 }),
            centre: 0,
        };
        let exchanged = Some(sent.exchanged(&mut arena, processors));
        let waits = WaitRelation::Partners(known.collect());
        let listed = Synchronisation { waits, sends: Vec::new(), exchanged, ..sent.clone() };
        let [sent, listed] = [sent, listed].map(|end| {
            let steps = vec![TaskStep::Compute { time_s, centre: 0 }, TaskStep::Synchronise(end)];
            let task = Rc::new(Task { processors, steps: [steps.clone(), steps].concat() });
            let start_s = arena.same(0.0);
            let evaluation = evaluate(&mut arena, &task, start_s, in_out).unwrap();
            (arena.values(evaluation.end_s(), processors), evaluation.chain(&mut arena))
        });
        prop_assert_eq!(sent, listed);
    }
}

#[test]
fn a_store_of_what_differs_computes_the_same() {
    let numbers: Vec<f64> = (0..100).map(f64::from).collect();
    let doubled: Vec<f64> = numbers.iter().map(|number| 2.0 * number).collect();
    let added = |mut arena: PerProcessorArena| {
        let [one, other] = [&numbers, &numbers].map(|numbers| arena.of_slice(numbers));
        let sum = arena.add(one, other);
        (one == other, arena.same(1.0) == arena.same(1.0), arena.values(sum, 100))
    };
    assert_eq!(added(PerProcessorArena::new()), (true, true, doubled.clone()));
    assert_eq!(added(PerProcessorArena::of_differing()), (false, true, doubled));
}
