//! Replays of recordings whose numbers are worked by hand, and of simulated programs.

use crate::support::recorded::{End, Superstep, trace};
use call_bsp::obsp::{InOut, Network};
use call_bsp::recording::{RecordedRun, RecordingError};
use call_bsp::replay::{NetworkCosts, Replay, ReplayError, Scenario, changes, processor_changes, waits};
use proptest::prelude::*;

const S: u64 = 1_000_000_000;

/// A superstep of whole seconds without parts, of which nothing lies in an experiment.
fn step(work: &[u64], end: End, cost: &[u64]) -> Superstep {
    let seconds = |times: &[u64]| times.iter().map(|time| time * S).collect::<Vec<u64>>();
    let zeros = vec![0; work.len()];
    Superstep {
        before_ns: zeros.clone(),
        behind_ns: seconds(work),
        inside_percent: zeros.clone(),
        parts: None,
        inner_waiting_ns: zeros.clone(),
        end,
        cost_ns: seconds(cost),
        recording_ns: zeros,
    }
}

fn program(text: &str) -> RecordedRun {
    let trace = call_trace::read(text.as_bytes()).expect("a trace");
    RecordedRun::rebuild(&trace.supersteps).expect("a run")
}

fn faster(factor: f64) -> Scenario {
    Scenario { faster: vec![("E".to_owned(), factor)], ..Scenario::default() }
}

fn linear(g_s_per_byte: f64, latency_s: f64, in_out: InOut) -> Scenario {
    Scenario { costs: NetworkCosts::Linear(Network { g_s_per_byte, latency_s }), in_out, faster: Vec::new() }
}

fn replay(program: &RecordedRun, scenario: &Scenario) -> Replay {
    program.replay(scenario).expect("a replay")
}

fn total_s(program: &RecordedRun, scenario: &Scenario) -> f64 {
    replay(program, scenario).total_s()
}

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-9
}

/// Fig. 1 of the paper with w = 1 s: P0 computes 1 and 2, P1 2 and 1. At the end of superstep 1 only P1 gets something: P0 ends at
/// 1 + 1 = 2, P1 at max(1, 2) + 1 = 3; both are ready at 4 and end at 5. Plain BSP: 2 + 1 + 2 + 1 = 6.
fn figure_1() -> Vec<Superstep> {
    vec![
        step(&[1, 2], End::Oblivious(vec![(0, 1, 8)]), &[1, 1]),
        step(&[2, 1], End::Oblivious(vec![(0, 1, 8), (1, 0, 8)]), &[1, 1]),
    ]
}

#[test]
fn a_recorded_run_tells_what_its_processors_did() {
    let run = program(&trace(2, "common", &figure_1()));
    let (mut computing_s, mut waiting_s, mut communicating_s) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    run.machine().each_superstep(&mut |machine, step| {
        assert_eq!(machine.processors, 2);
        for processor in 0..2 {
            computing_s[processor] += step.computing[processor].own_s;
            waiting_s[processor] += step.waiting_s[processor];
            communicating_s[processor] += step.communicating_s[processor];
        }
    });
    // P1 is ready for superstep 2 at 4, as P0 is.
    assert_eq!((computing_s, waiting_s, communicating_s), ([3.0, 3.0], [0.0, 0.0], [2.0, 2.0]));
    let [first, second, end] = &run.machine().supersteps[..] else { panic!("three supersteps") };
    assert_eq!((&first.start_s[..], &first.end_s[..]), (&[0.0, 0.0][..], &[2.0, 3.0][..]));
    assert_eq!((&second.start_s[..], &second.end_s[..]), (&[2.0, 3.0][..], &[5.0, 5.0][..]));
    let synchronisation = first.synchronisation.as_ref().expect("superstep 1 has one");
    assert_eq!(
        (synchronisation.partners(0), synchronisation.partners(1)),
        (Some(&[][..]), Some(&[0..=0][..]))
    );
    assert_eq!(
        (&synchronisation.out_bytes[..], &synchronisation.in_bytes[..]),
        (&[8.0, 0.0][..], &[0.0, 8.0][..])
    );
    assert!(end.synchronisation.is_none());
    let name = &run.superstep_names()[second.centre];
    assert_eq!((name.superstep, name.machine.to_string().as_str()), (2, "0-1.0"));
    assert_eq!(run.call_sites()[name.call_sites[1]].call, "bsp_oblsync");
    let barrier = program(&trace(2, "common", &[step(&[1, 2], End::Barrier, &[1, 1])]));
    let first = &barrier.machine().supersteps[0];
    assert_eq!(first.waiting_s, [1.0, 0.0]);
    assert_eq!(first.synchronisation.as_ref().expect("a barrier").partners(0), None);
}

#[test]
fn figure_1_takes_5_of_6() {
    let program = program(&trace(2, "common", &figure_1()));
    assert_eq!(program.recorded_s(), 5.0);
    let mut as_it_was = replay(&program, &Scenario::default());
    assert_eq!(as_it_was.total_s(), 5.0);
    assert_eq!(as_it_was.bsp_cost_s(), 6.0);
    let fidelity = program.fidelity().unwrap();
    assert_eq!((fidelity.largest_s, fidelity.total_s), (0.0, 0.0));
    // g = 1/8 s per byte and L = 0 are the same with `max`: h is 8 for both in superstep 2. In superstep 1 P1 has h 8, P0 as well, as it
    // sends 8 bytes. With `+` it is 16 in superstep 2: g h = 2 s, so 6 s.
    assert_eq!(total_s(&program, &linear(0.125, 0.0, InOut::Maximum)), 5.0);
    assert_eq!(total_s(&program, &linear(0.125, 0.0, InOut::Sum)), 6.0);
    // Without costs 2 + 1 and 1 + 2.
    assert_eq!(total_s(&program, &linear(0.0, 0.0, InOut::Sum)), 3.0);
    // Where the clocks are not common, the starts are at 0, and communicating is what the trace says: the same here.
    let own = self::program(&trace(2, "own", &figure_1()));
    assert_eq!(total_s(&own, &Scenario::default()), 5.0);
    assert!(!own.has_common_clock());
}

/// Processor 0 sends something to all others, three times: it is ready after 2 s, they after 1; all take 1 s.
#[test]
fn one_that_sends_to_hundreds() {
    let processors = 200;
    let work: Vec<u64> = (0..processors).map(|processor| if processor == 0 { 2 } else { 1 }).collect();
    let messages = (1..processors).map(|receiver| (0, receiver as _, 8)).collect::<Vec<_>>();
    let steps: Vec<Superstep> =
        (0..3).map(|_| step(&work, End::Oblivious(messages.clone()), &vec![1; work.len()])).collect();
    let program = program(&trace(work.len(), "common", &steps));
    let before = replay(&program, &Scenario::default());
    assert_eq!(before.total_s(), 9.0);
    let [wait] = waits(&program, &before).try_into().unwrap();
    assert_eq!((wait.waiting_s, wait.processors.len()), (3.0 * 199.0, 199));
}

/// P1 computes 6 s, 4 of them in E; P0 2 s. The barrier costs 1: both end at 7. E twice as fast: P1 is ready at 4, the end is 5, so the
/// gain is 2 s and P0 waits 2 s instead of 4. Four times: P1 is ready at 3: the gain is 3. With E = 1e6 times P1 is ready at 2, as P0 is.
/// If P0 had computed 5 s, E twice as fast would gain 1 s only, and P1 would wait 1 s.
#[test]
fn a_faster_experiment_gains_what_nobody_waits_for() {
    let recorded = |work_of_p0| {
        let inside_percent = vec![0, 67];
        let step = Superstep { inside_percent, ..step(&[work_of_p0, 6], End::Barrier, &[1, 1]) };
        program(&trace(2, "common", &[step]).replace("E=4.020000000", "E=4"))
    };
    let one = recorded(2);
    let before = replay(&one, &Scenario::default());
    let after = replay(&one, &faster(2.0));
    assert_eq!((before.total_s(), after.total_s()), (7.0, 5.0));
    let [change] = changes(&one, &before, &after).try_into().unwrap();
    assert_eq!((change.before_s, change.after_s, change.processors), (4.0, 2.0, vec![0]));
    assert_eq!(change.supersteps, [1]);
    let [wait] = waits(&one, &before).try_into().unwrap();
    assert_eq!((wait.call_site, wait.waiting_s, wait.processors), (change.call_site, 4.0, vec![0]));
    let place = &one.call_sites()[change.call_site];
    assert_eq!((place.call.as_str(), place.position.as_ref().unwrap().line), ("bsp_sync", 1));
    assert_eq!(total_s(&one, &faster(4.0)), 4.0);
    assert!((total_s(&one, &faster(1e6)) - 3.0).abs() < 1e-5);
    assert_eq!(total_s(&one, &faster(0.5)), 11.0, "half as fast");

    let other = recorded(5);
    let before = replay(&other, &Scenario::default());
    let mut after = replay(&other, &faster(2.0));
    assert_eq!((before.total_s(), after.total_s()), (7.0, 6.0));
    let processors = processor_changes(&before, &after);
    assert_eq!((processors[0].saved_s, processors[0].gained_s, processors[0].absorbing), (0.0, 1.0, None));
    assert_eq!(
        (processors[1].saved_s, processors[1].gained_s, processors[1].absorbing),
        (2.0, 1.0, Some((0, 1.0)))
    );
    // The chain has moved from P1 to P0. Both end at 6: the first processor counts, whose own barrier of 1 s follows 5 s of work.
    let [share] = after.chain().try_into().unwrap();
    assert_eq!((share.processor, share.computing_s, share.communicating_s), (0, 5.0, 1.0));
}

/// Three processors; 0 is alone in its part, 1 and 2 have a barrier in theirs.
/// Superstep 1 of all: before the parts 1, 2, 3 s. Part of 0: 4 s, no end but its own barrier of cost 0: at 5. Part of 1 and 2: 5 and 1 s,
/// ready at 7 and 4, cost 1: both at 8. Behind the parts 2, 2, 1 s: ready at 7, 10, 9. Barrier of cost 2: all at 12.
/// E is half of what lies before and behind the parts of all; twice as fast a quarter goes: P0 is ready at 0.75 + 4 + 1.5, P1 in the part
/// at 1.5 + 5 = 6.5, P2 at 2.25 + 1: both at 7.5, then at 9 and 8.25; all at 11.
/// g and L: no bytes at all, so with L = 3 the part of two ends at 10 instead of 8, P1 is ready at 12 and all end at 15; the machine of
/// one has nobody to wait for.
#[test]
fn a_partition_with_unequal_groups() {
    let part = |work: &[u64], cost| vec![step(work, End::Barrier, &[cost; 3])];
    let all = Superstep {
        before_ns: vec![S, 2 * S, 3 * S],
        parts: Some((1, [part(&[4, 5, 1], 0), part(&[4, 5, 1], 1)])),
        inside_percent: vec![50; 3],
        ..step(&[2, 2, 1], End::Barrier, &[2; 3])
    };
    let program = program(&trace(3, "common", &[all]));
    assert_eq!(program.recorded_s(), 12.0);
    assert_eq!(total_s(&program, &Scenario::default()), 12.0);
    assert_eq!(program.fidelity().unwrap().largest_s, 0.0);
    assert_eq!(total_s(&program, &faster(2.0)), 11.0);
    assert_eq!(total_s(&program, &linear(1.0, 3.0, InOut::Sum)), 15.0);
    // Plain BSP: the part of two starts when both have computed, at 3, and takes 5 + 1, so it ends at 9; 2 s more and the barrier: 13.
    assert_eq!(replay(&program, &Scenario::default()).bsp_cost_s(), 13.0);
}

/// A ring of three, where each one sends 4, 8 and 12 bytes to the next: with `+` h of processor 0 is the larger of its own 4 + 12 and its
/// partner's (2) 12 + 8: 20; of 1 that of its own 8 + 4 and of 0's: 16; of 2 that of its own 20 and of 1's: 20. Costs are planted as
/// 0.25 h + 1: the fit finds them.
#[test]
fn an_oblivious_ring_gives_g_and_l() {
    let ring = End::Oblivious(vec![(0, 1, 4), (1, 2, 8), (2, 0, 12)]);
    let program = program(&trace(3, "common", &[step(&[3, 1, 2], ring, &[6, 5, 6])]));
    let fitted = program.fit_network(InOut::Sum).unwrap();
    assert!(close(fitted.g_s_per_byte, 0.25) && close(fitted.latency_s, 1.0), "{fitted:?}");
    assert_eq!(fitted.samples, 3);
    // Ready at 3, 1, 2. 0 waits for 2: at 3 + 6; 1 for 0: 3 + 5; 2 for 1: 2 + 6.
    assert_eq!(program.recorded_s(), 9.0);
    let same = Scenario { costs: fitted.costs(), ..Scenario::default() };
    assert!(close(total_s(&program, &same), 9.0));
    // g = 0.5: 3 + 11.
    assert_eq!(total_s(&program, &linear(0.5, 1.0, InOut::Sum)), 14.0);
    // With `max` all have h = 12: 1 has it from 0.
    assert_eq!(program.fit_network(InOut::Maximum), Err(ReplayError::OneRelation));
}

/// Each collective function of BSPlib is a synchronisation, also where it does not stand beside `bsp_sync`.
#[test]
fn collectives_are_replayed_as_synchronisations() {
    let steps = [
        step(&[1, 2], End::Barrier, &[1, 1]),
        step(&[2, 1], End::Barrier, &[1, 1]),
        step(&[0, 1], End::Barrier, &[1, 1]),
    ];
    let text = trace(2, "common", &steps);
    let collectives = text.replace("bsp_sync p.c:1", "bsp_sumI p.c:1");
    let [plain, collective] = [&text, &collectives].map(|text| program(text));
    assert_eq!(total_s(&collective, &Scenario::default()), 8.0);
    let slower = linear(0.0, 3.0, InOut::Sum);
    assert_eq!([total_s(&collective, &slower), total_s(&plain, &slower)], [14.0; 2]);
}

#[test]
fn what_cannot_be_replayed() {
    let text = trace(2, "common", &figure_1());
    let read = |text: &str| call_trace::read(text.as_bytes()).unwrap().supersteps;
    let error = |text: &str| RecordedRun::rebuild(&read(text)).unwrap_err().to_string();
    let second = text.find("# supersteps of processor 1").unwrap();
    let end = text.find("# end rows").unwrap();
    assert!(matches!(RecordedRun::rebuild(&[]), Err(RecordingError::NoSupersteps)));
    let expected = "the supersteps of processor 1, which is in machine 0-1.0, are missing: the trace was cut, or only a part of the machine \
        reported";
    assert_eq!(error(&text[..second]), expected);
    let expected = "the supersteps of processor 0, which is in machine 0-1.0, are missing";
    let head = text.find("# supersteps of processor 0").unwrap();
    assert!(error(&format!("{}{}", &text[..head], &text[second..])).starts_with(expected));
    let last = text[..end - 1].rfind('\n').unwrap();
    let expected = "processor 0 has 3 supersteps of machine 0-1.0, processor 1 has 2: the trace was cut, or they did not report together";
    assert_eq!(error(&text[..=last]), expected);
    let other = text[..second].to_owned() + &text[second..].replace("# 1 0-1.0 0 2", "# 1 0-1.0 0 1");
    let expected = "superstep 1 of machine 0-1.0 ends with `bsp_oblsync` on processor 0, and with `bsp_sync` on processor 1";
    assert_eq!(error(&other), expected);
    let other = text.replace("# 2 0-1.0", "# 3 0-1.0");
    let expected = "superstep 3 of machine 0-1.0 on processor 0 does not follow the one before it";
    assert_eq!(error(&other), expected);
    let other = text[..second].to_owned() + &text[second..].replace("clock common", "clock own");
    assert_eq!(error(&other), "the processors tell by different clocks");
    let other = text.replace("# 3 0-1.0 0 4", "# 3 0-1.0 1 4");
    let expected =
        "the supersteps of processor 0 break off in superstep 3 of machine 0-1.0: the trace was cut";
    assert_eq!(error(&other), expected);
    let other = text.replace("# 3 0-1.0 0 4", "# 3 0-1.0 4000000000 4");
    assert_eq!(error(&other), "processor 0 has machines inside each other more than 100 deep");

    let program = program(&text);
    let error = |scenario: &Scenario| program.replay(scenario).unwrap_err().to_string();
    let expected = "no superstep has computed inside experiment `E`, nor inside any other";
    assert_eq!(error(&faster(2.0)), expected);
    assert_eq!(error(&faster(0.0)), "experiment `E` cannot be 0 times as fast");
    assert_eq!(error(&linear(-1.0, 0.0, InOut::Sum)), "g cannot be -1");
    let old = self::program(&text.replace(" experiments inner_waiting_s\n", "\n"));
    assert!(matches!(old.replay(&faster(2.0)), Err(ReplayError::NoExperiments)));
    let lonely = self::program(&trace(1, "common", &[step(&[1], End::Barrier, &[0])]));
    assert_eq!(lonely.fit_network(InOut::Sum), Err(ReplayError::NothingToFit));
    let silent = self::program(&trace(2, "common", &[step(&[1, 1], End::Barrier, &[1, 1])]));
    assert_eq!(silent.fit_network(InOut::Sum), Err(ReplayError::OneRelation));
}

/// Experiments inside each other cannot both be made faster: F lies in E.
#[test]
fn experiments_inside_each_other_are_told() {
    let step = Superstep { inside_percent: vec![75], ..step(&[4], End::Barrier, &[0]) };
    let text = trace(1, "common", &[step]).replace("E=3.000000000", "E=3,F=2");
    let both = Scenario { faster: vec![("E".to_owned(), 2.0), ("F".to_owned(), 2.0)], ..Scenario::default() };
    let message = program(&text).replay(&both).unwrap_err().to_string();
    assert_eq!(message, "`E`, `F` lie inside each other");
    // Side by side they can: 4 - 3/2 - 1/2.
    let apart = text.replace("F=2", "F=1");
    assert_eq!(total_s(&program(&apart), &both), 2.0);
}

const MOST_PROCESSORS: usize = 5;

fn times() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(0..1000_u64, MOST_PROCESSORS)
}

fn superstep(parts: BoxedStrategy<Option<(usize, [Vec<Superstep>; 2])>>) -> impl Strategy<Value = Superstep> {
    let message = (0..MOST_PROCESSORS, 0..MOST_PROCESSORS, 0..100_u64);
    let end = prop_oneof![Just(End::Barrier), prop::collection::vec(message, 0..6).prop_map(End::Oblivious)];
    let percent = prop::collection::vec(0..=100_u64, MOST_PROCESSORS);
    (times(), times(), percent, parts, times(), end, times(), times()).prop_map(
        |(before_ns, behind_ns, inside_percent, parts, inner_waiting_ns, end, cost_ns, recording_ns)| {
            Superstep {
                before_ns,
                behind_ns,
                inside_percent,
                parts,
                inner_waiting_ns,
                end,
                cost_ns,
                recording_ns,
            }
        },
    )
}

fn supersteps(depth: usize) -> BoxedStrategy<Vec<Superstep>> {
    let parts = if depth == 0 {
        Just(None).boxed()
    } else {
        let part = || supersteps(depth - 1);
        prop::option::of((1..MOST_PROCESSORS, [part(), part()])).boxed()
    };
    prop::collection::vec(superstep(parts), 0..4).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What was recorded comes back, also the time that recording took, and nothing but that is lost without it.
    #[test]
    fn recordings_come_back(processors in 1..=MOST_PROCESSORS, steps in supersteps(2)) {
        let recorded = program(&trace(processors, "common", &steps));
        let fidelity = recorded.fidelity().unwrap();
        prop_assert!(fidelity.largest_s < 1e-12 && fidelity.total_s.abs() < 1e-12, "{fidelity:?}");
        let total = total_s(&recorded, &Scenario::default());
        prop_assert!(total <= recorded.recorded_s() + 1e-12);
    }

    #[test]
    fn faster_is_never_slower(
        processors in 1..=MOST_PROCESSORS,
        steps in supersteps(2),
        factor in 1.0..9.0_f64,
        more in 1.0..9.0_f64,
        g in 0.0..1e-6_f64,
        latency in 0.0..1e-6_f64,
    ) {
        let recorded = program(&trace(processors, "common", &steps));
        let as_it_was = total_s(&recorded, &Scenario::default());
        if recorded.experiments().is_some_and(|known| !known.is_empty()) {
            prop_assert_eq!(total_s(&recorded, &faster(1.0)), as_it_was);
            let some = total_s(&recorded, &faster(factor));
            prop_assert!(some <= as_it_was + 1e-12);
            prop_assert!(total_s(&recorded, &faster(factor * more)) <= some + 1e-12);
            // What computing saves is gained or waited.
            let (before, after) = (replay(&recorded, &Scenario::default()), replay(&recorded, &faster(factor)));
            let saved: f64 = processor_changes(&before, &after).iter().map(|its| its.saved_s - its.gained_s).sum();
            let waited: f64 = changes(&recorded, &before, &after).iter().map(|its| its.after_s - its.before_s).sum();
            prop_assert!((saved - waited).abs() < 1e-10, "{saved} {waited}");
        }
        for in_out in [InOut::Maximum, InOut::Sum] {
            let some = total_s(&recorded, &linear(g, latency, in_out));
            prop_assert!(total_s(&recorded, &linear(g * factor, latency, in_out)) >= some);
            prop_assert!(total_s(&recorded, &linear(g, latency * factor, in_out)) >= some);
            prop_assert!(replay(&recorded, &linear(g, latency, in_out)).bsp_cost_s() >= some - 1e-12);
        }
        let maximum = total_s(&recorded, &linear(g, latency, InOut::Maximum));
        prop_assert!(maximum <= total_s(&recorded, &linear(g, latency, InOut::Sum)));
    }

    /// Whatever stands in a trace, there is an answer.
    #[test]
    fn recordings_with_mistakes_are_told(
        processors in 1..=MOST_PROCESSORS,
        steps in supersteps(2),
        changes in prop::collection::vec((0..1000_usize, 0..16_usize, 0..6_usize), 1..4),
    ) {
        let text = trace(processors, "common", &steps);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (line, word, change) in changes {
            let line = line % lines.len();
            let mut words: Vec<String> = lines[line].split(' ').map(str::to_owned).collect();
            let word = word % words.len();
            match change {
                0 => words[word] = "1".to_owned(),
                1 => words[word] = "0-0.0".to_owned(),
                2 => words[word] = "1e308".to_owned(),
                3 => words[word] = "99".to_owned(),
                4 => words = vec!["#".to_owned()],
                _ => words = lines[(line + 1) % lines.len()].split(' ').map(str::to_owned).collect(),
            }
            lines[line] = words.join(" ");
        }
        let Ok(trace) = call_trace::read((lines.join("\n") + "\n").as_bytes()) else { return Ok(()) };
        let Ok(program) = RecordedRun::rebuild(&trace.supersteps) else { return Ok(()) };
        let _ = program.fidelity();
        let _ = program.fit_network(InOut::Sum);
        if let (Ok(mut before), Ok(after)) = (program.replay(&Scenario::default()), program.replay(&faster(2.0))) {
            let _ = (changes_and_chain(&program, &mut before, &after), before.bsp_cost_s());
        }
    }
}

fn changes_and_chain(program: &RecordedRun, before: &mut Replay, after: &Replay) -> usize {
    changes(program, before, after).len() + processor_changes(before, after).len() + before.chain().len()
}
