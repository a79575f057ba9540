//! Programs whose waiting is known by formulas.

use crate::planted::Planted;
use call_trace::{
    CallSite, CollectiveOperation, Communicator, CommunicatorName, EpochStep, Event, EventKind, Message,
    ProcessorEvents, RemoteAccess, SourcePosition, WindowEpoch,
};
use call_waiting::{
    ChainSection, Code, ProcessorTimes, Site, State, StepChange, WaitKind, WaitStates, Waits, compare_sites,
};

fn analysed(planted: &Planted) -> Waits {
    let waits = Waits::of_events(&planted.recorded).unwrap();
    assert_eq!(waits.remarks, []);
    let efficiency = &waits.efficiency;
    let product = efficiency.load_balance * efficiency.serialisation * efficiency.transfer;
    assert!((efficiency.parallel - product).abs() < 1e-12, "{efficiency:?}");
    let path_ns: i64 = waits.critical_path.iter().map(|part| part.time_ns).sum();
    assert_eq!(path_ns, efficiency.run_time_ns);
    for (number, times) in waits.times.iter().enumerate() {
        let sum_ns = times.computing_ns + times.waiting_ns + times.communicating_ns;
        assert_eq!(sum_ns, planted.now_ns[number], "processor {number}");
    }
    waits
}

fn kind(waits: &Waits, kind: WaitKind) -> i64 {
    waits
        .sites
        .iter()
        .flat_map(|site| &site.kinds)
        .filter(|its| its.kind == kind)
        .map(|its| its.waiting_ns)
        .sum()
}

/// The causes of a site with one class, as people write them.
fn causes(waits: &Waits, site: &Site) -> Vec<String> {
    assert_eq!(site.classes.len(), 1, "{:?}", site.classes);
    let name = |code: usize| match &waits.codes[code] {
        Code::Experiment { name, .. } => name.clone(),
        other => format!("{other:?}"),
    };
    let mut found: Vec<String> = site.classes[0]
        .causes
        .iter()
        .map(|cause| {
            format!("{:+} {}{}", cause.time_ns, name(cause.code), if cause.is_own { " here" } else { "" })
        })
        .collect();
    found.sort();
    found
}

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

/// Tests that find nothing, each with what is computed behind it, and one that finds the message.
#[test]
fn what_lies_between_tests_may_be_waiting() {
    let region = |call: &str| CallSite { call: call.to_owned(), ..CallSite::default() };
    let message = |partner| Message { partner, communicator: 0, tag: 0, bytes: 8 };
    let recorded = |processor: u32, calls: &[(u64, u32, Vec<EventKind>)]| {
        let events = calls.iter().flat_map(|(at_ns, region, inside)| {
            let inside = inside.iter().copied();
            let all =
                [EventKind::Enter { region: *region }].into_iter().chain(inside).chain([EventKind::Leave]);
            all.map(|kind| Event { at_ns: *at_ns, kind }).collect::<Vec<_>>()
        });
        ProcessorEvents {
            processor,
            has_common_clock: true,
            regions: ["MPI_Irecv", "MPI_Test", "MPI_Send", "MPI_Barrier", "MPI_Wait", "MPI_Iprobe"]
                .map(region)
                .to_vec(),
            communicators: vec![Communicator {
                name: CommunicatorName { maker: 0, number: 0 },
                processors: vec![0, 1],
            }],
            events: [Event { at_ns: 0, kind: EventKind::ProgramBegin }].into_iter().chain(events).collect(),
            ..ProcessorEvents::default()
        }
    };
    let [receive, test, send, barrier, wait, probe] = [0, 1, 2, 3, 4, 5];
    let asks = |request| vec![EventKind::ReceiveRequest { request }];
    let came = |request| vec![EventKind::ReceiveComplete { message: message(1), request }];
    let together = || {
        let operation = CollectiveOperation::Barrier;
        let collective = call_trace::Collective {
            operation,
            communicator: 0,
            root: None,
            sent_bytes: 0,
            received_bytes: 0,
        };
        vec![EventKind::Collective { collective }]
    };
    let sends = || vec![EventKind::Send { message: message(0), is_synchronous: false }];
    let poller = [
        (10, receive, asks(1)),
        (20, test, vec![]),
        (50, test, vec![]),
        // Whom it sends something does not matter.
        (60, test, vec![]),
        (100, test, came(1)),
        (110, receive, asks(2)),
        // It only looks whether all goes on, computes, and waits.
        (120, test, vec![]),
        (200, wait, came(2)),
        (210, probe, vec![]),
        // What is done together ends what was tested for.
        (300, barrier, together()),
        (310, probe, vec![]),
        (317, probe, vec![EventKind::Probed { message: message(1) }]),
    ];
    let sender =
        [(90, send, sends()), (130, send, sends()), (250, barrier, together()), (315, send, sends())];
    let waits = Waits::of_events(&[recorded(0, &poller), recorded(1, &sender)]).unwrap();
    let told: Vec<(&str, &[usize], u64, i64)> = waits
        .polled
        .iter()
        .map(|its| (its.site.call.as_str(), its.processors.as_slice(), its.tests, its.time_ns))
        .collect();
    assert_eq!(told, [("MPI_Test", &[0][..], 3, 80), ("MPI_Iprobe", &[0][..], 1, 7)]);
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

/// Every second processor receives what its neighbour sends later by the excess.
#[test]
fn late_senders() {
    for (processors, excess_ns, repetitions) in [(2, 7, 1), (5, 3, 4), (16, 10, 10)] {
        let mut planted = Planted::new(processors, &[]);
        for _ in 0..repetitions {
            for pair in 0..processors / 2 {
                planted.work(2 * pair, "work", 100 + excess_ns);
                planted.work(2 * pair + 1, "work", 100);
                planted.eager(2 * pair, 2 * pair + 1, 0);
            }
        }
        let waits = analysed(&planted);
        assert_eq!(kind(&waits, WaitKind::LateSender), repetitions * excess_ns * i64::from(processors / 2));
        assert_eq!(causes(&waits, &waits.sites[0]).len(), 2);
        assert_eq!(waits.sites[0].classes[0].waiting.len(), (processors / 2) as usize);
    }
}

/// Probes wait as receives do; one that takes its message is the one that gets it.
#[test]
fn probes_wait_for_late_senders() {
    for takes in [false, true] {
        let mut planted = Planted::new(2, &[]);
        planted.work(0, "late", 100);
        planted.probed(0, 1, takes, 30, 0);
        let waits = analysed(&planted);
        let found: Vec<_> =
            waits.sites.iter().map(|site| (site.site.call.as_str(), site.waiting_ns)).collect();
        let expected = [("MPI_Probe", 100), ("MPI_Mprobe", 100), ("MPI_Recv", 30)];
        assert_eq!(found, if takes { &expected[1..] } else { &expected[..1] });
        assert_eq!(kind(&waits, WaitKind::LateSender), if takes { 130 } else { 100 });
    }
}

/// A message that was cancelled is not the one that is received next.
#[test]
fn cancelled_sends_are_received_by_nobody() {
    for is_cancelled in [true, false] {
        let mut planted = Planted::new(2, &[]);
        planted.work(0, "first", 10);
        planted.given_up(0, 1, is_cancelled);
        planted.work(0, "second", 20);
        planted.eager(0, 1, 0);
        assert_eq!(kind(&analysed(&planted), WaitKind::LateSender), 30);
    }
}

#[test]
fn late_receivers_are_waited_for_by_synchronous_sends_only() {
    for (is_synchronous, expected_ns) in [(true, 3 * 20), (false, 0)] {
        let mut planted = Planted::new(2, &[]);
        for _ in 0..3 {
            planted.work(0, "produce", 10);
            planted.work(1, "consume", 30);
            if is_synchronous { planted.synchronous(0, 1, 2) } else { planted.eager(0, 1, 2) }
        }
        assert_eq!(kind(&analysed(&planted), WaitKind::LateReceiver), expected_ns);
    }
}

#[test]
fn roots_that_come_late_or_early() {
    let (repetitions, excess_ns, processors) = (5, 40, 6_u32);
    let mut planted = Planted::new(processors, &[]);
    let mut others = Planted::new(processors, &[]);
    for _ in 0..repetitions {
        planted.work(2, "root", 50 + excess_ns);
        (0..processors)
            .filter(|processor| *processor != 2)
            .for_each(|processor| planted.work(processor, "other", 50));
        planted.collective(CollectiveOperation::Broadcast, 0, 2, 0);
        others.work(2, "root", 50);
        (0..processors)
            .filter(|processor| *processor != 2)
            .for_each(|processor| others.work(processor, "other", 50 + excess_ns));
        others.collective(CollectiveOperation::Reduce, 0, 2, 0);
        others.collective(CollectiveOperation::Barrier, 0, 0, 0);
    }
    let waits = analysed(&planted);
    assert_eq!(kind(&waits, WaitKind::LateBroadcast), repetitions * excess_ns * i64::from(processors - 1));
    assert_eq!(
        causes(&waits, &waits.sites[0]),
        ["+2250 root", "-1250 other here"].map(|text| text.to_owned()).to_vec()
    );
    assert_eq!(kind(&analysed(&others), WaitKind::EarlyReduce), repetitions * excess_ns);
}

#[test]
fn imbalance_at_a_barrier() {
    let mut planted = Planted::new(8, &[]);
    for _ in 0..10 {
        (0..8).for_each(|processor| planted.work(processor, "half", if processor < 4 { 100 } else { 130 }));
        planted.collective(CollectiveOperation::Allreduce, 0, 0, 1);
    }
    let waits = analysed(&planted);
    assert_eq!(kind(&waits, WaitKind::AllToAll), 10 * 30 * 4);
    // One of p takes twice as long.
    let mut planted = Planted::new(5, &[]);
    (0..5).for_each(|processor| planted.work(processor, "one", if processor == 3 { 200 } else { 100 }));
    planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    let efficiency = analysed(&planted).efficiency;
    // Mean (p + 1) w / p of a maximum of 2 w.
    assert_eq!((efficiency.load_balance, efficiency.serialisation, efficiency.transfer), (0.6, 1.0, 1.0));
}

/// Each processor works when the one before has: W P (P − 1) / 2, of which all is serialisation.
#[test]
fn a_serial_chain() {
    let (processors, work_ns) = (7_u32, 1000);
    let mut planted = Planted::new(processors, &[]);
    for processor in 0..processors {
        if processor > 0 {
            planted.eager(processor - 1, processor, 0);
        }
        planted.work(processor, "work", work_ns);
    }
    planted.collective(CollectiveOperation::Finalise, 0, 0, 0);
    let waits = analysed(&planted);
    let count = i64::from(processors);
    assert_eq!(kind(&waits, WaitKind::LateSender), work_ns * count * (count - 1) / 2);
    assert_eq!(waits.efficiency.load_balance, 1.0);
    assert!((waits.efficiency.parallel - 1.0 / 7.0).abs() < 1e-15);
    assert_eq!(waits.efficiency.parallel, waits.efficiency.serialisation);
    assert_eq!(waits.critical_path.len(), 7);
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

/// Another one is late in each round: everybody waits for everybody, and in the end all are as busy.
#[test]
fn a_rotating_straggler() {
    let processors = 4_u32;
    let mut planted = Planted::new(processors, &[]);
    for round in 0..8 {
        (0..processors).for_each(|processor| {
            planted.work(processor, "step", if processor == round % processors { 150 } else { 100 });
        });
        planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    }
    let waits = analysed(&planted);
    assert_eq!(waits.sites[0].waiting_by_processor_ns, [300; 4]);
    assert_eq!(waits.efficiency.load_balance, 1.0);
    assert_eq!(waits.sites[0].classes[0].causing.len(), 4);
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

/// What was asked for before it was needed is waited for less.
#[test]
fn requests() {
    let mut planted = Planted::new(2, &[]);
    planted.work(0, "produce", 100);
    planted.exchange(0, 1, "meanwhile", 60, 5);
    let waits = analysed(&planted);
    assert_eq!(waits.sites[0].site.call, "MPI_Wait");
    assert_eq!(waits.sites[0].waiting_ns, 40);
}

/// What all do for a long time, and nearly alike, does not hide the little that makes the difference.
#[test]
fn what_all_do_alike_is_no_reason() {
    let mut planted = Planted::new(2, &[]);
    planted.work(0, "much", 100_000);
    planted.work(1, "much", 99_900);
    planted.work(0, "little", 4_000);
    planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    let waits = analysed(&planted);
    let class = &waits.sites[0].classes[0];
    assert_eq!(class.waiting_ns, 4_100);
    let main = class.main_reasons();
    assert_eq!((main.len(), main[0].time_ns), (1, 4_000));
    assert_eq!(waits.codes[main[0].code], Code::Experiment { name: "little".to_owned(), before: None });
}

/// A processor with these calls; each has its events, and takes so long.
fn told(processor: u32, calls: &[(&str, u64, u64, &[EventKind])]) -> ProcessorEvents {
    let mut its = ProcessorEvents {
        processor,
        has_common_clock: true,
        communicators: vec![Communicator {
            name: CommunicatorName { maker: 0, number: 0 },
            processors: vec![0, 1],
        }],
        ..ProcessorEvents::default()
    };
    its.events.push(Event { at_ns: 0, kind: EventKind::ProgramBegin });
    for (number, (call, enter_ns, leave_ns, kinds)) in calls.iter().enumerate() {
        its.regions.push(CallSite { call: (*call).to_owned(), ..CallSite::default() });
        let enter = EventKind::Enter { region: number as u32 };
        its.events.push(Event { at_ns: *enter_ns, kind: enter });
        its.events.extend(kinds.iter().map(|kind| Event { at_ns: *leave_ns, kind: *kind }));
        its.events.push(Event { at_ns: *leave_ns, kind: EventKind::Leave });
    }
    its
}

/// Processor 1 has received at 8 what was sent at 20, so both synchronised last then; what processor 0 sent at 15 has no delay since.
#[test]
fn clocks_that_contradict_each_other_explain_no_delay() {
    let message = |partner, tag| Message { partner, communicator: 0, tag, bytes: 8 };
    let send = |tag| EventKind::Send { message: message(1, tag), is_synchronous: false };
    let receive = |tag| EventKind::Receive { message: message(0, tag) };
    let waits = Waits::of_events(&[
        told(
            0,
            &[
                ("MPI_Send", 3, 4, &[send(2)]),
                ("MPI_Send", 15, 16, &[send(1)]),
                ("MPI_Send", 20, 21, &[send(0)]),
            ],
        ),
        told(
            1,
            &[
                ("MPI_Recv", 5, 8, &[receive(0)]),
                ("MPI_Recv", 9, 16, &[receive(1)]),
                ("MPI_Recv", 30, 31, &[receive(2)]),
            ],
        ),
    ])
    .unwrap();
    assert_eq!(waits.sites[0].waiting_ns, 3 + 6);
    let states = waits.delays().sites[0];
    assert_eq!((states.direct_ns, states.unexplained_ns), (3.0, 6.0));
}

/// Processor 0 allows at 60 what processor 1 wants from 10 on. Some implementations of MPI wait for that in `MPI_Win_start`, others later;
/// a receive that happens to last until then does not wait for it. Then processor 0 waits from 70 on for the end, at 100.
#[test]
fn accesses_wait_for_their_post() {
    let epoch = |step, partner| EventKind::WindowEpoch {
        epoch: WindowEpoch { step, partner, communicator: 0, window: 3 },
    };
    let message = |partner| Message { partner, communicator: 0, tag: 0, bytes: 0 };
    let target = told(
        0,
        &[
            ("MPI_Send", 5, 6, &[EventKind::Send { message: message(1), is_synchronous: false }]),
            ("MPI_Win_post", 60, 61, &[epoch(EpochStep::Post, 1)]),
            ("MPI_Win_wait", 70, 105, &[epoch(EpochStep::Wait, 1)]),
        ],
    );
    let received = [EventKind::Receive { message: message(0) }];
    // When MPI_Win_start, MPI_Put, MPI_Recv and MPI_Win_complete begin and end, where is waited, and from when on.
    let cases = [
        ([(10, 62), (65, 66), (70, 90), (100, 101)], Some(("MPI_Win_start", 10))),
        ([(10, 11), (20, 63), (70, 90), (100, 101)], Some(("MPI_Put", 20))),
        ([(10, 11), (20, 21), (22, 49), (50, 101)], Some(("MPI_Win_complete", 50))),
        ([(10, 11), (20, 21), (22, 62), (63, 101)], None),
    ];
    for ([start, put, receive, complete], waiting) in cases {
        let access = RemoteAccess { partner: 0, communicator: 0, sent_bytes: 8, received_bytes: 0 };
        let access = [EventKind::RemoteAccess { access }];
        let (started, completed) = ([epoch(EpochStep::Start, 0)], [epoch(EpochStep::Complete, 0)]);
        let calls: [(&str, u64, u64, &[EventKind]); 4] = [
            ("MPI_Win_start", start.0, start.1, &started),
            ("MPI_Put", put.0, put.1, &access),
            ("MPI_Recv", receive.0, receive.1, &received),
            ("MPI_Win_complete", complete.0, complete.1, &completed),
        ];
        let waits = Waits::of_events(&[target.clone(), told(1, &calls)]).unwrap();
        assert_eq!(waits.remarks, []);
        let mut found: Vec<_> = waits
            .sites
            .iter()
            .map(|site| (site.site.call.as_str(), site.kinds[0].kind, site.waiting_ns))
            .collect();
        found.sort_unstable();
        let ended_ns = complete.0 as i64 - 70;
        let mut expected: Vec<_> =
            waiting.into_iter().map(|(call, from_ns)| (call, WaitKind::LatePost, 60 - from_ns)).collect();
        expected.extend((ended_ns > 0).then_some(("MPI_Win_wait", WaitKind::EarlyWait, ended_ns)));
        expected.sort_unstable();
        assert_eq!(found, expected);
        let untold: Vec<&str> = waits.unanalysed.iter().map(|its| its.call.as_str()).collect();
        assert_eq!(untold, ["MPI_Put"]);
    }
}

/// As through an intercommunicator: that somebody waits there must not go unsaid.
#[test]
fn calls_without_partners_are_told() {
    let message = Message { partner: 1, communicator: 0, tag: 0, bytes: 0 };
    let sends = [EventKind::Send { message, is_synchronous: false }];
    let one = told(0, &[("MPI_Recv", 10, 50, &[]), ("MPI_Send", 60, 61, &sends)]);
    let receives = [EventKind::Receive { message: Message { partner: 0, ..message } }];
    let waits = Waits::of_events(&[one, told(1, &[("MPI_Recv", 20, 62, &receives)])]).unwrap();
    let found: Vec<_> =
        waits.unanalysed.iter().map(|its| (its.call.as_str(), its.calls, its.time_ns)).collect();
    assert_eq!(found, [("MPI_Recv", 1, 40)]);
    assert_eq!(waits.sites[0].waiting_ns, 40);
}

/// Of locks and the like only the calls are known: they are communicating, and said.
#[test]
fn calls_that_are_not_analysed_are_told() {
    let calls = [
        ("MPI_Win_lock", 3, None),
        ("MPI_Put", 1, Some((5, 0))),
        ("MPI_Win_unlock", 4, None),
        ("MPI_Win_lock", 2, None),
    ];
    let mut its = ProcessorEvents {
        has_common_clock: true,
        communicators: vec![Communicator {
            name: CommunicatorName { maker: 0, number: 0 },
            processors: vec![0, 1],
        }],
        ..ProcessorEvents::default()
    };
    let mut at_ns = 0;
    for (number, (call, time_ns, bytes)) in calls.into_iter().enumerate() {
        its.regions.push(CallSite { call: call.to_owned(), ..CallSite::default() });
        its.events.push(Event { at_ns, kind: EventKind::Enter { region: number as u32 } });
        if let Some((sent_bytes, received_bytes)) = bytes {
            let access = RemoteAccess { partner: 1, communicator: 0, sent_bytes, received_bytes };
            its.events.push(Event { at_ns, kind: EventKind::RemoteAccess { access } });
        }
        at_ns += time_ns;
        its.events.push(Event { at_ns, kind: EventKind::Leave });
    }
    let waits = Waits::of_events(&[its.clone(), ProcessorEvents { processor: 1, ..its }]).unwrap();
    let found: Vec<_> =
        waits.unanalysed.iter().map(|its| (its.call.as_str(), its.calls, its.time_ns)).collect();
    assert_eq!(found, [("MPI_Win_lock", 4, 10), ("MPI_Win_unlock", 2, 8), ("MPI_Put", 2, 2)]);
    assert_eq!(waits.times[0].communicating_ns, 10);
    assert_eq!(waits.remarks, []);
}

/// Processor 0 computes for 6 s and both meet; processor 1 has computed for 2 s.
#[test]
fn parts_of_a_run_add_up_to_the_times_of_processors() {
    let mut planted = Planted::new(2, &[]);
    planted.work(0, "a", 6);
    planted.work(1, "a", 2);
    planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    let waits = analysed(&planted);
    for count in [1, 3, 4, 7] {
        let parts = waits.parts(count);
        for (times, parts) in waits.times.iter().zip(&parts) {
            assert_eq!(parts.len(), count);
            let sum = |time: fn(&ProcessorTimes) -> i64| parts.iter().map(time).sum::<i64>();
            assert_eq!(sum(|its| its.computing_ns), times.computing_ns);
            assert_eq!(sum(|its| its.waiting_ns), times.waiting_ns);
        }
    }
    let waiting: Vec<i64> = waits.parts(3)[1].iter().map(|its| its.waiting_ns).collect();
    assert_eq!(waiting, [0, 2, 2]);
}

/// Sites of two runs belong together by their names; a line that moved does not part them, a further site of that name does.
#[test]
fn sites_of_two_runs() {
    let site = |line: u32, waiting_ns: i64| {
        let position = Some(SourcePosition { file: "a.c".to_owned(), line });
        Site {
            code: 0,
            site: CallSite { call: "MPI_Recv".to_owned(), position, ..CallSite::default() },
            waits: 1,
            waiting_ns,
            waiting_by_processor_ns: vec![waiting_ns],
            waits_by_processor: vec![1],
            kinds: vec![],
            classes: vec![],
        }
    };
    let pairs = |before: &[Site], after: &[Site]| -> Vec<_> {
        compare_sites(before, after)
            .iter()
            .map(|one| (one.before, one.after, one.gain_ns(before, after)))
            .collect()
    };
    let before = [site(9, 100), site(5, 30), site(20, 7)];
    // Line 20 is there; 5 and 9 moved to 6 and 11.
    let after = [site(11, 90), site(20, 50), site(6, 10)];
    assert_eq!(
        pairs(&before, &after),
        [(Some(2), Some(1), -43), (Some(1), Some(2), 20), (Some(0), Some(0), 10)]
    );
    assert_eq!(
        pairs(&before, &after[..2]),
        [(Some(0), None, 100), (None, Some(0), -90), (Some(2), Some(1), -43), (Some(1), None, 30)]
    );
}

/// What was recorded of procedures is computing, whatever they are called.
#[test]
fn procedures_are_no_library() {
    let site = |call: &str| CallSite { call: call.to_owned(), ..CallSite::default() };
    let event = |at_ns, kind| Event { at_ns, kind };
    let recorded = ProcessorEvents {
        has_common_clock: true,
        regions: vec![site("bspline"), site("MPI_Wtime")],
        events: vec![
            event(0, EventKind::Enter { region: 0 }),
            event(70, EventKind::Enter { region: 1 }),
            event(75, EventKind::Leave),
            event(100, EventKind::Leave),
        ]
        .into(),
        ..ProcessorEvents::default()
    };
    let waits = Waits::of_events(&[recorded]).unwrap();
    assert_eq!((waits.times[0].computing_ns, waits.times[0].communicating_ns), (95, 5));
}
