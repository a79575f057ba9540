//! Calls whose events are written down one by one, some of which nothing is known of.

use call_trace::{
    CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName, EpochStep, Event, EventKind,
    Message, ProcessorEvents, RemoteAccess, WindowEpoch,
};
use call_waiting::{WaitKind, Waits};

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
        let collective =
            Collective { operation, communicator: 0, root: None, sent_bytes: 0, received_bytes: 0 };
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

/// What makes communicators and windows may wait for all: who leaves before the last one has come has not waited for that one, which is nothing wrong.
#[test]
fn what_makes_communicators_waits_where_it_did() {
    let collective = Collective {
        operation: CollectiveOperation::Make,
        communicator: 0,
        root: None,
        sent_bytes: 0,
        received_bytes: 0,
    };
    let make = [EventKind::Collective { collective }];
    let waiting_ns = |leave_ns: [u64; 3]| {
        let recorded: Vec<ProcessorEvents> = (0..3)
            .map(|own| {
                let enter_ns = 10 * u64::from(own);
                let mut its = told(own, &[("MPI_Comm_dup", enter_ns, leave_ns[own as usize], &make)]);
                its.communicators[0].processors = vec![0, 1, 2];
                its
            })
            .collect();
        let waits = Waits::of_events(&recorded).unwrap();
        assert_eq!((waits.remarks.len(), waits.unanalysed.len()), (0, 0));
        waits.times.iter().map(|its| its.waiting_ns).collect::<Vec<_>>()
    };
    assert_eq!(waiting_ns([21, 22, 23]), [20, 10, 0]);
    assert_eq!(waiting_ns([12, 22, 23]), [10, 10, 0]);
    assert_eq!(waiting_ns([1, 11, 23]), [0, 0, 0]);
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

/// Processor 1 holds the lock on the memory of 0 from 0 to 60; 0 wants it from 10 on, and gets it in `MPI_Win_lock`, in an access or in
/// `MPI_Win_unlock`, as implementations of MPI do. Shared locks exclude exclusive ones only.
#[test]
fn who_holds_a_lock_is_waited_for() {
    let epoch =
        |step| EventKind::WindowEpoch { epoch: WindowEpoch { step, partner: 0, communicator: 0, window: 3 } };
    let holder = |processor, step, from_ns, back_ns, until_ns| {
        let calls: [(&str, u64, u64, &[EventKind]); 2] = [
            ("MPI_Win_lock", from_ns, from_ns, &[epoch(step)]),
            ("MPI_Win_unlock", back_ns, until_ns, &[epoch(EpochStep::Unlock)]),
        ];
        told(processor, &calls)
    };
    let (exclusive, shared) = (EpochStep::LockExclusive, EpochStep::LockShared);
    // Both kinds of locks; when MPI_Win_lock, MPI_Put and MPI_Win_unlock begin and end, where is waited, and from when on.
    let cases = [
        ([exclusive; 2], [(10, 62), (65, 66), (70, 71)], Some(("MPI_Win_lock", 10))),
        ([exclusive, shared], [(10, 11), (20, 63), (70, 71)], Some(("MPI_Put", 20))),
        ([shared, exclusive], [(10, 11), (20, 21), (40, 64)], Some(("MPI_Win_unlock", 40))),
        // What lasts so long for other reasons waits for nobody who holds the lock, too, or held it later.
        ([shared; 2], [(10, 62), (65, 66), (70, 71)], None),
        ([exclusive; 2], [(10, 11), (20, 21), (30, 55)], None),
    ];
    for ([held, wanted], [lock, put, unlock], waiting) in cases {
        let access = RemoteAccess { partner: 0, communicator: 0, sent_bytes: 8, received_bytes: 0 };
        let calls: [(&str, u64, u64, &[EventKind]); 3] = [
            ("MPI_Win_lock", lock.0, lock.1, &[epoch(wanted)]),
            ("MPI_Put", put.0, put.1, &[EventKind::RemoteAccess { access }]),
            ("MPI_Win_unlock", unlock.0, unlock.1, &[epoch(EpochStep::Unlock)]),
        ];
        let waits = Waits::of_events(&[told(0, &calls), holder(1, held, 0, 60, 61)]).unwrap();
        assert_eq!(waits.remarks, []);
        let found: Vec<_> = waits
            .sites
            .iter()
            .map(|site| (site.site.call.as_str(), site.kinds[0].kind, site.waiting_ns))
            .collect();
        let expected: Vec<_> =
            waiting.into_iter().map(|(call, from_ns)| (call, WaitKind::Lock, 60 - from_ns)).collect();
        assert_eq!(found, expected);
        // What is waited is no time of which nothing is known.
        let untold_ns: i64 = waits.unanalysed.iter().map(|its| its.time_ns).sum();
        let all_ns = [lock, put, unlock].map(|(enter_ns, leave_ns)| (leave_ns - enter_ns) as i64);
        let waited_ns: i64 = expected.iter().map(|(_, _, its_ns)| its_ns).sum();
        assert_eq!(untold_ns, all_ns.iter().sum::<i64>() + 1 - waited_ns);
    }
}

/// Of three the last one waits for the second, whom the first let wait.
#[test]
fn locks_are_waited_for_along_chains() {
    let epoch =
        |step| EventKind::WindowEpoch { epoch: WindowEpoch { step, partner: 0, communicator: 0, window: 0 } };
    let of = |processor, times: [(u64, u64); 2]| {
        let calls: [(&str, u64, u64, &[EventKind]); 2] = [
            ("MPI_Win_lock", times[0].0, times[0].1, &[epoch(EpochStep::LockExclusive)]),
            ("MPI_Win_unlock", times[1].0, times[1].1, &[epoch(EpochStep::Unlock)]),
        ];
        told(processor, &calls)
    };
    let recorded = [of(0, [(0, 0), (50, 51)]), of(1, [(10, 51), (80, 81)]), of(2, [(20, 81), (90, 91)])];
    let waits = Waits::of_events(&recorded).unwrap();
    let site = &waits.sites[0];
    assert_eq!((site.site.call.as_str(), site.waiting_ns), ("MPI_Win_lock", 40 + 60));
    assert_eq!(site.waiting_by_processor_ns, [0, 40, 60]);
    // Who gives it back comes back after the next one has held it.
    let waits = Waits::of_events(&[of(0, [(0, 0), (50, 59)]), of(1, [(10, 52), (54, 56)])]).unwrap();
    let found: Vec<_> = waits.sites.iter().map(|site| site.waiting_by_processor_ns.clone()).collect();
    assert_eq!(found, [[0, 40]]);
    // It is got where it is given back only: the other one has it until then.
    let waits = Waits::of_events(&[of(0, [(0, 0), (50, 51)]), of(1, [(10, 10), (20, 52)])]).unwrap();
    let site = &waits.sites[0];
    assert_eq!(
        (site.site.call.as_str(), site.waiting_by_processor_ns.as_slice()),
        ("MPI_Win_unlock", &[0, 30][..])
    );
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

/// Steps of 100 ms each and a barrier of 10 ms behind it, in a run that was killed.
fn killed(processor: u32, steps: u64) -> ProcessorEvents {
    let collective = Collective {
        operation: CollectiveOperation::Barrier,
        communicator: 0,
        root: None,
        sent_bytes: 0,
        received_bytes: 0,
    };
    let barrier = [EventKind::Collective { collective }];
    let end_ns = |step: u64| 110_000_000 * step;
    let calls: Vec<(&str, u64, u64, &[EventKind])> = (1..=steps)
        .map(|step| ("MPI_Barrier", end_ns(step) - 10_000_000, end_ns(step), &barrier[..]))
        .collect();
    ProcessorEvents { is_cut: true, ..told(processor, &calls) }
}

/// The file of one process ends sooner than that of the other: what the other does later is no imbalance.
#[test]
fn what_not_all_recorded_is_left_out() {
    let whole = Waits::of_events(&[killed(0, 3), killed(1, 3)]).unwrap();
    let cut = Waits::of_events(&[killed(0, 9), killed(1, 3)]).unwrap();
    assert_eq!((whole.remarks.len(), whole.efficiency.run_time_ns), (0, 330_000_000));
    assert_eq!(cut.efficiency, whole.efficiency);
    assert_eq!(cut.efficiency.load_balance, 1.0);
    let told: Vec<String> = cut.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "processor 1: its recording ends 0.330 s after the start of the run, others go on for up to 0.660 s: what came later is left out"
        ]
    );
    // Of a run that ended all is there, however early some ended.
    let complete = [killed(0, 9), killed(1, 3)].map(|its| ProcessorEvents { is_cut: false, ..its });
    assert_eq!(Waits::of_events(&complete).unwrap().efficiency.run_time_ns, 990_000_000);
}

/// A run that all left the same way: one remark, with the places.
#[test]
fn open_requests_of_many_are_one_remark() {
    let position = |line| Some(call_trace::SourcePosition { file: "bad.c".to_owned(), line });
    let recorded = |processor: u32| {
        let asked = EventKind::ReceiveRequest { request: 0 };
        let mut its = told(processor, &[("MPI_Irecv", 10, 20, &[asked])]);
        its.regions[0] = CallSite {
            position: position(if processor == 2 { 21 } else { 19 }),
            call_stack: vec!["main".to_owned()],
            ..its.regions[0].clone()
        };
        its
    };
    let remarks = |count: u32| -> Vec<String> {
        let recorded: Vec<ProcessorEvents> = (0..count).map(recorded).collect();
        Waits::of_events(&recorded).unwrap().remarks.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        remarks(1),
        ["processor 0: it did not complete a request, begun at MPI_Irecv bad.c:19 in main"]
    );
    assert_eq!(
        remarks(24),
        ["processor 0: it did not complete, together with 23 other processors, 24 requests, begun at \
          MPI_Irecv bad.c:19 in main, MPI_Irecv bad.c:21 in main"]
    );
}

/// Both wait for each other, 0 from 10 ms on and 1 from 60 ms on, until a signal ends them at 100 ms and at 101 ms.
#[test]
fn who_was_where_when_a_signal_came() {
    let waiting = |processor: u32, from_ns: u64, signal_ns: u64| {
        let mut its =
            told(processor, &[("MPI_Recv", from_ns, signal_ns, &[]), ("SIGTERM", signal_ns, signal_ns, &[])]);
        let calls: Vec<Event> = its.events.iter().collect();
        // Neither call has ended.
        let is_begin =
            |event: &&Event| matches!(event.kind, EventKind::Enter { .. } | EventKind::ProgramBegin);
        its.events = calls.iter().filter(is_begin).copied().collect();
        (its.is_cut, its.awaits) = (true, vec![call_trace::Awaited::Message(Some(1 - processor))]);
        its
    };
    let recorded = [waiting(0, 10_000_000, 101_000_000), waiting(1, 60_000_000, 100_000_000)];
    let waits = Waits::of_events(&recorded).unwrap();
    let told: Vec<String> = waits.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "processor 0: its recording ends within MPI_Recv, where it is for 0.090 s and waits for a message of processor 1; that of \
          processor 1 within MPI_Recv, where it is for 0.040 s and waits for a message of processor 0"
        ]
    );
}

/// Others of the communicator are not there, and what is there has no operation of it.
#[test]
fn no_operation_is_not_told() {
    let recorded: Vec<ProcessorEvents> = [killed(0, 3), ProcessorEvents { is_cut: false, ..killed(1, 0) }]
        .into_iter()
        .map(|mut its| {
            its.communicators[0].processors = vec![0, 1, 2, 3];
            its.is_cut = false;
            its
        })
        .collect();
    let waits = Waits::of_events(&recorded).unwrap();
    let told: Vec<String> = waits.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["processor 0: 3 collective operations of a communicator were not done by all its processors"]
    );
}

/// Of one process no event is left, or no file: it does not count as one that never computes.
#[test]
fn who_recorded_nothing_is_left_out() {
    let cut = |mut its: ProcessorEvents| {
        its.communicators[0].processors.push(2);
        its
    };
    let silent = ProcessorEvents { events: call_trace::EventList::new(), ..killed(2, 0) };
    for recorded in
        [vec![cut(killed(0, 3)), cut(killed(1, 3))], vec![cut(killed(0, 3)), killed(1, 3), silent]]
    {
        let waits = Waits::of_events(&recorded).unwrap();
        assert_eq!(waits.processors, [0, 1]);
        let told = waits.remarks[0].to_string();
        assert_eq!(
            told,
            "processor 2: nothing that it recorded is there: it is left out, and who waited for it is not explained"
        );
    }
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
