//! Who is charged with a wait, through however many others it came.

use crate::known::{analysed, kind};
use crate::planted::Planted;
use call_trace::{CollectiveOperation, Event};
use call_waiting::{ChainSection, Code, State, StepChange, WaitKind, WaitStates, Waits};

/// Fig. 4 of SPDT'96: processor 0 waits for 1, which had waited for 2: the cause is B3 + C3 − A2 and nothing of B's beginning.
#[test]
fn a_chain_is_charged_to_those_who_began_it() {
    let mut planted = Planted::new(3, &[]);
    planted.work(0, "A2", 2);
    planted.work(1, "B2", 1);
    planted.work(2, "C3", 6);
    planted.eager(2, 1, 0);
    planted.work(1, "B3", 3);
    planted.eager(1, 0, 0);
    let waits = analysed(&planted);
    let site = &waits.sites[0];
    assert_eq!((site.waiting_by_processor_ns.as_slice(), site.waiting_ns), ([7, 5, 0].as_slice(), 12));
    let mut found: Vec<Vec<_>> = site
        .classes
        .iter()
        .map(|class| class.causes.iter().map(|cause| (&waits.codes[cause.code], cause.time_ns)).collect())
        .collect();
    found.sort_by_key(Vec::len);
    let code = |name: &str| Code::Experiment { name: name.to_owned(), before: None };
    let (a2, b2, b3, c3) = (code("A2"), code("B2"), code("B3"), code("C3"));
    assert_eq!(found, [vec![(&c3, 6), (&b2, -1)], vec![(&c3, 6), (&b3, 3), (&a2, -2)]]);
}

/// The same as one chain: the latest part first, and what the waiting one did meanwhile.
#[test]
fn the_chain_of_a_wait() {
    let mut planted = Planted::new(3, &[]);
    planted.work(0, "A2", 2);
    planted.work(1, "B2", 1);
    planted.work(2, "C3", 6);
    planted.eager(2, 1, 0);
    planted.work(1, "B3", 3);
    planted.eager(1, 0, 0);
    let waits = analysed(&planted);
    let chain = waits.chain(None).unwrap();
    assert_eq!((chain.waiting, chain.from_ns, chain.waiting_ns, chain.together), (0, 2, 7, None));
    let told = |links: &[ChainSection]| -> Vec<(usize, i64, i64, Option<i64>)> {
        links
            .iter()
            .map(|link| (link.processor, link.until_ns, link.time_ns, link.waited.map(|its| its.waiting_ns)))
            .collect()
    };
    assert_eq!(told(&chain.causing), [(1, 9, 3, Some(5)), (2, 6, 6, None)]);
    assert_eq!(told(&chain.own), [(0, 2, 2, None)]);
    assert_eq!(
        waits.codes[chain.causing[1].spent[0].code],
        Code::Experiment { name: "C3".to_owned(), before: None }
    );
    // What both had from a third one is no part of it.
    planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    planted.work(0, "A4", 20);
    planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    let chain = analysed(&planted).chain(None).unwrap();
    assert_eq!((chain.waiting, chain.waiting_ns), (1, 20));
    assert_eq!((told(&chain.causing), chain.own), (vec![(0, 29, 20, Some(7))], vec![]));
    assert_eq!(chain.together.unwrap().processor, 1);
}

/// Four processors in a chain that work 0.1 s at first, and after they received: 0.6 s late senders, a critical path of 0.5 s.
#[test]
fn four_in_a_chain() {
    let mut planted = Planted::new(4, &[]);
    (0..4).for_each(|processor| planted.work(processor, "begin", 100_000_000));
    for processor in 0..4 {
        if processor > 0 {
            planted.eager(processor - 1, processor, 0);
        }
        planted.work(processor, "work", 100_000_000);
    }
    let waits = analysed(&planted);
    assert_eq!(kind(&waits, WaitKind::LateSender), 600_000_000);
    assert_eq!(waits.efficiency.run_time_ns, 500_000_000);
    let delays = waits.delays();
    let states = &delays.sites[0];
    let near = |ns: f64, expected_s: f64| {
        assert!((ns - 1e9 * expected_s).abs() < 1.0, "{ns} ns, not {expected_s} s")
    };
    near(states.direct_ns, 0.3);
    near(states.indirect_ns, 0.3);
    // All but the last one's.
    near(states.propagating_ns, 0.3);
    near(delays.costs.iter().map(|cost| cost.short_term_ns).sum(), 0.3);
    near(delays.costs.iter().map(|cost| cost.long_term_ns).sum(), 0.3);
    // Each processor's work is a delay for the next one, and for those behind it: 0.1 s of processor 0 for all three.
    let told: Vec<(usize, bool)> = delays
        .costs
        .iter()
        .map(|cost| {
            (
                cost.processor,
                waits.codes[cost.code] == Code::Experiment { name: "work".to_owned(), before: None },
            )
        })
        .collect();
    assert_eq!(told, [(0, true), (1, true), (2, true)]);
    near(delays.costs[0].short_term_ns, 0.1);
    near(delays.costs[0].long_term_ns, 0.2);
    near(delays.costs[2].long_term_ns, 0.0);
}

/// What a processor spends in a call in which both had synchronised, after all had come, is a delay as well.
#[test]
fn calls_that_return_late_are_delays() {
    let mut planted = Planted::new(2, &[]);
    planted.collective(CollectiveOperation::Barrier, 0, 0, 10);
    let mut events: Vec<Event> = planted.recorded[0].events.iter().collect();
    events.last_mut().unwrap().at_ns += 500;
    planted.recorded[0].events = events.into();
    planted.now_ns[0] += 500;
    *planted.paths[0].entry((0, "MPI_Barrier".to_owned(), State::Communicating)).or_default() += 500;
    planted.work(0, "little", 3);
    planted.work(1, "little", 2);
    planted.collective(CollectiveOperation::Allreduce, 0, 0, 10);
    let waits = Waits::of_events(&planted.recorded).unwrap();
    let delays = waits.delays();
    let costs: Vec<_> =
        delays.costs.iter().map(|cost| (cost.processor, cost.state, cost.short_term_ns.round())).collect();
    assert_eq!(costs, [(0, State::Communicating, 500.0), (0, State::Computing, 1.0)]);
}

/// A call in which a processor is waited for, and then waits itself: that wait is handed on by the next one.
#[test]
fn waits_behind_a_send_are_handed_on() {
    let mut planted = Planted::new(3, &[]);
    planted.work(1, "read", 30);
    planted.work(2, "own", 10);
    // 0 waits 10 for 2, which waits 20 for 1.
    planted.shift();
    (0..3).for_each(|processor| planted.work(processor, "step", 5));
    // 0 waits 20 for 2, which spends no longer since then, but had waited.
    planted.shift();
    let waits = analysed(&planted);
    let delays = waits.delays();
    let expected =
        WaitStates { direct_ns: 30.0, indirect_ns: 20.0, propagating_ns: 20.0, unexplained_ns: 0.0 };
    assert_eq!(delays.sites, [expected]);
    let costs: Vec<_> =
        delays.costs.iter().map(|cost| (cost.processor, cost.short_term_ns, cost.long_term_ns)).collect();
    assert_eq!(costs, [(1, 20.0, 20.0), (2, 10.0, 0.0)]);
}

/// Between barriers that all come together in, each straggler is a delay of its own, and no wait leads to another one.
#[test]
fn waits_at_barriers_are_direct() {
    let mut planted = Planted::new(3, &[]);
    for round in 0..3_u32 {
        (0..3).for_each(|processor| {
            planted.work(processor, "step", if processor == round { 150 } else { 100 })
        });
        planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    }
    let waits = analysed(&planted);
    let delays = waits.delays();
    let expected = WaitStates { direct_ns: 300.0, ..WaitStates::default() };
    assert_eq!(delays.sites, [expected]);
    let costs: Vec<_> =
        delays.costs.iter().map(|cost| (cost.processor, cost.short_term_ns, cost.long_term_ns)).collect();
    assert_eq!(costs, [(0, 100.0, 0.0), (1, 100.0, 0.0), (2, 100.0, 0.0)]);
}

/// One delay goes round a ring: all that wait, wait for it.
#[test]
fn a_delay_wave() {
    let processors = 6;
    let mut planted = Planted::new(processors, &[]);
    for round in 0..4 {
        for processor in 0..processors {
            planted.work(processor, "step", 100);
            if round == 0 && processor == 0 {
                planted.work(0, "delay", 77);
            }
        }
        for processor in 0..processors {
            planted.eager(processor, (processor + 1) % processors, 0);
        }
    }
    let waits = analysed(&planted);
    for class in waits.sites.iter().flat_map(|site| &site.classes) {
        let delay = class.causes.iter().find(|cause| {
            waits.codes[cause.code] == Code::Experiment { name: "delay".to_owned(), before: None }
        });
        assert_eq!(delay.unwrap().time_ns, class.waiting_ns);
    }
    assert!(kind(&waits, WaitKind::LateSender) >= 77);
}

/// If nobody took longer than the mean, the run would be shorter by what the slowest one has above it, each time another one.
#[test]
fn what_balance_would_save() {
    let mut planted = Planted::new(4, &[]);
    for round in 0..8_u32 {
        (0..4).for_each(|processor| {
            planted.work(processor, "step", if processor == round % 4 { 140 } else { 100 })
        });
        planted.collective(CollectiveOperation::Barrier, 0, 0, 5);
    }
    // What one processor does once is a quarter for each if all share it.
    planted.work(2, "serial", 400);
    planted.collective(CollectiveOperation::Barrier, 0, 0, 5);
    let waits = analysed(&planted);
    assert_eq!(waits.efficiency.run_time_ns, 8 * 145 + 405);
    let without = |name: &str| {
        let code = waits
            .codes
            .iter()
            .position(|code| *code == Code::Experiment { name: name.to_owned(), before: None })
            .unwrap();
        waits.replayed_run_time_ns(&StepChange::new().at_most_mean(code))
    };
    assert_eq!(without("step"), 8 * 115 + 405);
    assert_eq!(without("serial"), 8 * 145 + 105);
    // One that does it more often than others: all of its times by the same factor.
    let mut planted = Planted::new(2, &[]);
    (0..3).for_each(|_| planted.work(0, "step", 160));
    planted.eager(0, 1, 0);
    planted.work(1, "other", 1);
    (0..2).for_each(|_| planted.work(0, "more", 1));
    planted.work(0, "step", 160);
    planted.work(1, "step", 160);
    let waits = analysed(&planted);
    let code = waits
        .codes
        .iter()
        .position(|code| *code == Code::Experiment { name: "step".to_owned(), before: None })
        .unwrap();
    // 640 and 160: at most 400.
    assert_eq!(waits.replay(&StepChange::new().at_most_mean(code)).times[0].computing_ns, 402);
}

/// What calls take beyond waits can be made faster, too; waits are no part of it.
#[test]
fn calls_that_are_faster() {
    let mut planted = Planted::new(2, &[]);
    planted.work(0, "produce", 100);
    planted.eager(0, 1, 40);
    let waits = analysed(&planted);
    let code = waits.sites[0].code;
    let replayed = waits.replay(&StepChange::new().faster(code, State::Communicating, 4.0));
    assert_eq!((replayed.efficiency.run_time_ns, replayed.sites[0].waiting_ns), (110, 100));
}
