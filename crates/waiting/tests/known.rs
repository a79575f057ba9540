//! Programs whose waiting is known by formulas.

use crate::planted::Planted;
use call_trace::{CallSite, CollectiveOperation, SourcePosition};
use call_waiting::{Code, ProcessorTimes, Site, WaitKind, Waits, compare_sites};

pub(crate) fn analysed(planted: &Planted) -> Waits {
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

pub(crate) fn kind(waits: &Waits, kind: WaitKind) -> i64 {
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

/// On the way of a wait lies also what the waiting one had waited for before: whoever did that does not make it wait here.
#[test]
fn who_does_less_is_not_to_blame() {
    let mut planted = Planted::new(4, &[]);
    planted.work(2, "work", 200);
    planted.eager(2, 0, 0);
    planted.work(3, "work", 400);
    planted.eager(3, 1, 0);
    planted.probed(1, 0, false, 0, 0);
    planted.probed(1, 2, false, 0, 0);
    let waits = analysed(&planted);
    let probes = waits.sites.iter().find(|site| site.site.call == "MPI_Probe").unwrap();
    assert_eq!(
        (probes.waiting_ns, causes(&waits, probes)),
        (400, vec!["+600 work".into(), "-200 work here".into()])
    );
    let who: Vec<_> =
        probes.classes[0].causes.iter().map(|cause| (cause.is_own, &cause.processors[..])).collect();
    assert_eq!(who, [(false, &[3][..]), (true, &[2])]);
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

/// Large reasons that cancel each other do not hide the little that is waited.
#[test]
fn reasons_add_up_to_the_wait() {
    let mut planted = Planted::new(2, &[]);
    planted.work(0, "first", 200_000);
    planted.work(0, "second", 12_000);
    planted.work(1, "third", 200_000);
    planted.collective(CollectiveOperation::Barrier, 0, 0, 0);
    let waits = analysed(&planted);
    let class = &waits.sites[0].classes[0];
    assert_eq!(class.waiting_ns, 12_000);
    let told: Vec<i64> = class.main_reasons().iter().map(|reason| reason.time_ns).collect();
    assert_eq!((told.len(), told.iter().sum::<i64>()), (3, 12_000), "{told:?}");
    assert!(told.contains(&12_000));
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

/// Sites of two runs belong together by their names; a line that moved does not part them.
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
        [(Some(2), Some(1), -43), (Some(1), None, 30), (Some(0), Some(0), 10)]
    );
    // One is removed in front, and another one added behind.
    let (removed, added) =
        ([site(10, 50), site(17, 30), site(30, 9)], [site(16, 30), site(29, 9), site(45, 2)]);
    assert_eq!(
        pairs(&removed, &added),
        [(Some(0), None, 50), (None, Some(2), -2), (Some(1), Some(0), 0), (Some(2), Some(1), 0)]
    );
    // A line more above two that follow each other: the first one stands where the second one stood.
    let pair = |lines: [u32; 2]| [site(lines[0], 10), site(lines[1], 50)];
    assert_eq!(pairs(&pair([5, 6]), &pair([6, 7])), [(Some(0), Some(0), 0), (Some(1), Some(1), 0)]);
}
