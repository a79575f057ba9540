//! Recorded events on other networks, with times that are known.

use call_trace::{
    CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName, Event, EventKind, Message,
    ProcessorEvents, RemoteAccess,
};
use call_waiting::{MessageNetwork, NetworkError, NetworkRecording, RemarkKind, State, StepChange, Waits};

/// A processor that computes and calls, at times that the test knows.
pub struct Recorder {
    its: ProcessorEvents,
}

impl Recorder {
    pub fn new(processor: u32, processors: u32) -> Recorder {
        let communicator = Communicator {
            name: CommunicatorName { maker: 0, number: 0 },
            processors: (0..processors).collect(),
        };
        let its = ProcessorEvents {
            processor,
            has_common_clock: true,
            communicators: vec![communicator],
            ..ProcessorEvents::default()
        };
        let mut recorder = Recorder { its };
        recorder.event(0, EventKind::ProgramBegin);
        recorder
    }

    fn event(&mut self, at_ns: u64, kind: EventKind) {
        self.its.events.push(Event { at_ns, kind });
    }

    pub fn call(mut self, name: &str, enter_ns: u64, leave_ns: u64, what: &[EventKind]) -> Recorder {
        let region = self.its.regions.iter().position(|site| site.call == name).unwrap_or_else(|| {
            self.its.regions.push(CallSite { call: name.to_owned(), ..CallSite::default() });
            self.its.regions.len() - 1
        });
        self.event(enter_ns, EventKind::Enter { region: region as u32 });
        what.iter().for_each(|kind| self.event(leave_ns, *kind));
        self.event(leave_ns, EventKind::Leave);
        self
    }

    pub fn end(mut self, at_ns: u64) -> ProcessorEvents {
        self.event(at_ns, EventKind::ProgramEnd);
        self.its
    }
}

fn message(partner: u32, bytes: u64) -> Message {
    Message { partner, communicator: 0, tag: 0, bytes }
}

fn send(to: u32, bytes: u64) -> EventKind {
    EventKind::Send { message: message(to, bytes), is_synchronous: false }
}

fn receive(from: u32, bytes: u64) -> EventKind {
    EventKind::Receive { message: message(from, bytes) }
}

/// 1 µs and 1 byte a nanosecond.
pub const ON: MessageNetwork = MessageNetwork { latency_s: 1e-6, bandwidth_bytes_per_s: 1e9 };

pub fn run_time_ns(recorded: &[ProcessorEvents], then: MessageNetwork, eager_bytes: Option<f64>) -> i64 {
    let recording = NetworkRecording::of_events(recorded).unwrap();
    let waits = recording.replay(&ON, &then, eager_bytes, &StepChange::new()).unwrap();
    waits.efficiency.run_time_ns
}

/// Processor 0 sends 1000, 5000 and 1000 bytes, each 10 µs after the one before; 1 waits for all of them.
fn pipe() -> [ProcessorEvents; 2] {
    let sender = Recorder::new(0, 2)
        .call("MPI_Send", 10_000, 10_000, &[send(1, 1000)])
        .call("MPI_Send", 20_000, 20_000, &[send(1, 5000)])
        .call("MPI_Send", 30_000, 30_000, &[send(1, 1000)])
        .end(30_000);
    let receiver = Recorder::new(1, 2)
        .call("MPI_Recv", 0, 12_000, &[receive(0, 1000)])
        .call("MPI_Recv", 12_000, 26_000, &[receive(0, 5000)])
        .call("MPI_Recv", 26_000, 32_000, &[receive(0, 1000)])
        .end(40_000);
    [sender, receiver]
}

#[test]
fn latency_and_bandwidth_are_found_from_what_is_waited_for() {
    let found = NetworkRecording::of_events(&pipe()).unwrap().fitted().unwrap();
    assert!((found.network.latency_s / 1e-6 - 1.0).abs() < 1e-6, "{found:?}");
    assert!((found.network.bandwidth_bytes_per_s / 1e9 - 1.0).abs() < 1e-6, "{found:?}");
    assert_eq!(found.waits, 3);
    assert!(found.relative_error < 1e-9);
}

#[test]
fn what_does_not_tell_the_network_is_told() {
    let nothing = [Recorder::new(0, 1).call("MPI_Barrier", 5, 9, &[]).end(9)];
    let found = |recorded: &[ProcessorEvents]| NetworkRecording::of_events(recorded).unwrap().fitted();
    assert_eq!(found(&nothing), Err(NetworkError::NoMessages));
    let one = [
        Recorder::new(0, 2).call("MPI_Send", 10_000, 10_000, &[send(1, 64)]).end(10_000),
        Recorder::new(1, 2).call("MPI_Recv", 0, 11_064, &[receive(0, 64)]).end(11_064),
    ];
    assert_eq!(found(&one), Err(NetworkError::OneSize { bytes: 64.0 }));
    let alike = [
        Recorder::new(0, 2)
            .call("MPI_Send", 10_000, 10_000, &[send(1, 64)])
            .call("MPI_Send", 20_000, 20_000, &[send(1, 640)])
            .end(20_000),
        Recorder::new(1, 2)
            .call("MPI_Recv", 0, 11_000, &[receive(0, 64)])
            .call("MPI_Recv", 11_000, 20_500, &[receive(0, 640)])
            .end(20_500),
    ];
    assert_eq!(found(&alike), Err(NetworkError::NotGrowing));
}

#[test]
fn the_recorded_network_gives_the_recorded_run() {
    let recorded = pipe();
    let recording = NetworkRecording::of_events(&recorded).unwrap();
    // Also where calls did not take what this network says.
    for on in [ON, MessageNetwork { latency_s: 7e-6, bandwidth_bytes_per_s: 3e8 }] {
        let replayed = recording.replay(&on, &on, None, &StepChange::new()).unwrap();
        let analysed = Waits::of_events(&recorded).unwrap();
        assert_eq!(replayed.efficiency, analysed.efficiency);
        assert_eq!(replayed.critical_path, analysed.critical_path);
    }
}

#[test]
fn a_slower_network_lets_messages_come_later() {
    // The last message leaves at 30 µs, and 8 µs of work follow it.
    let slower = MessageNetwork { latency_s: 3e-6, bandwidth_bytes_per_s: 0.5e9 };
    assert_eq!(run_time_ns(&pipe(), slower, None), 30_000 + 3_000 + 2_000 + 8_000);
    // At a tenth of the bandwidth the link is busy: 10 + 50 µs from 10 µs on, then 10 more.
    let slowest = MessageNetwork { latency_s: 1e-6, bandwidth_bytes_per_s: 1e8 };
    assert_eq!(run_time_ns(&pipe(), slowest, None), 10_000 + 10_000 + 50_000 + 10_000 + 1_000 + 8_000);
    let none = MessageNetwork { latency_s: 0.0, bandwidth_bytes_per_s: 1e15 };
    assert_eq!(run_time_ns(&pipe(), none, None), 30_000 + 8_000);
}

/// The message was there long before it was asked for: that it takes time shows on a slower network only.
#[test]
fn what_was_hidden_behind_computing_comes_to_light() {
    let recorded = [
        Recorder::new(0, 2).call("MPI_Send", 0, 0, &[send(1, 1000)]).end(0),
        Recorder::new(1, 2).call("MPI_Recv", 10_000, 10_100, &[receive(0, 1000)]).end(11_100),
    ];
    let with = |latency_s: f64| run_time_ns(&recorded, MessageNetwork { latency_s, ..ON }, None);
    assert_eq!(with(1e-6), 11_100);
    assert_eq!(with(9e-6), 11_100);
    assert_eq!(with(29e-6), 29_000 + 1_000 + 1_100);
}

/// Three send to processor 0 at once: its link carries one after the other.
#[test]
fn a_link_carries_one_message_after_the_other() {
    let mut recorded: Vec<ProcessorEvents> = (1..4)
        .map(|processor| Recorder::new(processor, 4).call("MPI_Send", 0, 0, &[send(0, 1000)]).end(0))
        .collect();
    let receiver = (1..4).fold(Recorder::new(0, 4), |receiver, from| {
        let (enter_ns, leave_ns) =
            (if from == 1 { 0 } else { 1000 * u64::from(from) }, 1000 * u64::from(from + 1));
        receiver.call("MPI_Recv", enter_ns, leave_ns, &[receive(from, 1000)])
    });
    recorded.push(receiver.end(4_000));
    assert_eq!(run_time_ns(&recorded, ON, None), 4_000);
    assert_eq!(
        run_time_ns(&recorded, MessageNetwork { bandwidth_bytes_per_s: 1e8, ..ON }, None),
        1_000 + 30_000
    );
}

/// Each sends to both of its neighbours in a ring; all links are busy in both directions all the time.
#[test]
fn exchanges_in_a_ring_share_the_links() {
    let of = |own: u32| {
        let [next, before] = [(own + 1) % 4, (own + 3) % 4];
        let begun = |partner: u32, request: u64| EventKind::SendRequest {
            message: message(partner, 1000),
            request,
            is_synchronous: false,
        };
        let come = |partner: u32, request: u64| EventKind::ReceiveComplete {
            message: message(partner, 1000),
            request,
        };
        let gone = |request: u64| EventKind::SendComplete { request };
        let asked = |request: u64| EventKind::ReceiveRequest { request };
        Recorder::new(own, 4)
            .call("MPI_Irecv", 0, 0, &[asked(1)])
            .call("MPI_Irecv", 0, 0, &[asked(2)])
            .call("MPI_Isend", 0, 0, &[begun(next, 3)])
            .call("MPI_Isend", 0, 0, &[begun(before, 4)])
            .call("MPI_Waitall", 100, 3_000, &[come(before, 1), come(next, 2), gone(3), gone(4)])
            .end(3_000)
    };
    let recorded = [of(0), of(1), of(2), of(3)];
    for eager_bytes in [None, Some(0.0), Some(1e6)] {
        assert_eq!(run_time_ns(&recorded, ON, eager_bytes), 3_000);
        let slow = MessageNetwork { bandwidth_bytes_per_s: 1e8, ..ON };
        assert_eq!(run_time_ns(&recorded, slow, eager_bytes), 21_000, "{eager_bytes:?}");
    }
}

/// Both send first and receive then: that goes well as long as messages are taken over.
#[test]
fn messages_that_wait_for_their_receivers_may_wait_for_ever() {
    let of = |own: u32| {
        Recorder::new(own, 2)
            .call("MPI_Send", 0, 0, &[send(1 - own, 1000)])
            .call("MPI_Recv", 0, 2_000, &[receive(1 - own, 1000)])
            .end(2_000)
    };
    let recorded = [of(0), of(1)];
    assert_eq!(run_time_ns(&recorded, ON, Some(1000.0)), 2_000);
    let recording = NetworkRecording::of_events(&recorded).unwrap();
    let error = recording.replay(&ON, &ON, Some(999.0), &StepChange::new()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program would not end: processors wait for each other, processor 0 in MPI_Send, processor 1 in MPI_Send"
    );
}

/// Most messages of 5000 bytes stay for the 6 µs that they take; those that both sent first had gone before they were asked for, so that
/// nobody waited for a receiver who comes later.
#[test]
fn messages_that_had_gone_before_they_were_asked_for_did_not_wait() {
    let of = |own: u32, transfer: EventKind, call: &str| {
        Recorder::new(own, 2)
            .call("MPI_Send", 0, 1_000, &[send(1 - own, 5000)])
            .call("MPI_Recv", 2_000, 6_000, &[receive(1 - own, 5000)])
            .call(call, 10_000, 16_000, &[transfer])
            .call(call, 16_000, 22_000, &[transfer])
            .call(call, 22_000, 28_000, &[transfer])
            .end(28_000)
    };
    let recorded = [of(0, send(1, 5000), "MPI_Send"), of(1, receive(0, 5000), "MPI_Recv")];
    assert_eq!(NetworkRecording::of_events(&recorded).unwrap().eager_bytes(&ON), Some(-1.0));
    assert_eq!(run_time_ns(&recorded, ON, None), 28_000);
    // 11 µs a message; between them the 4 µs that are computed.
    assert_eq!(run_time_ns(&recorded, MessageNetwork { bandwidth_bytes_per_s: 0.5e9, ..ON }, None), 48_000);
}

/// The receiver comes 5 µs after the sender: the data leave then, and the sender waits.
#[test]
fn a_message_that_waits_for_its_receiver_leaves_when_both_are_there() {
    let recorded = [
        Recorder::new(0, 2).call("MPI_Send", 0, 0, &[send(1, 1000)]).end(4_000),
        Recorder::new(1, 2).call("MPI_Recv", 5_000, 5_000, &[receive(0, 1000)]).end(6_000),
    ];
    let recording = NetworkRecording::of_events(&recorded).unwrap();
    let ends = |eager_bytes: f64| {
        let waits = recording.replay(&ON, &ON, Some(eager_bytes), &StepChange::new()).unwrap();
        waits
            .times
            .iter()
            .map(|its| its.computing_ns + its.waiting_ns + its.communicating_ns)
            .collect::<Vec<_>>()
    };
    assert_eq!(ends(1000.0), [4_000, 6_000]);
    // It was there already, so in the recording the receive took 2 µs less than the network does.
    assert_eq!(ends(100.0), [7_000 + 4_000, 7_000 + 1_000]);
}

/// 1000 bytes go at once, 5000 stay for the 6 µs that they take. A call that waits for something later lasts as long whatever its message does.
#[test]
fn which_messages_waited_for_their_receivers_shows() {
    let recorded = pipe();
    assert_eq!(NetworkRecording::of_events(&recorded).unwrap().eager_bytes(&ON), None);
    let staying = |last: &[EventKind]| {
        [
            Recorder::new(0, 2)
                .call("MPI_Send", 10_000, 10_000, &[send(1, 1000)])
                .call("MPI_Sendrecv", 20_000, 26_000, &[&[send(1, 5000)], last].concat())
                .end(26_000),
            Recorder::new(1, 2)
                .call("MPI_Recv", 0, 12_000, &[receive(0, 1000)])
                .call("MPI_Irecv", 12_000, 12_000, &[EventKind::ReceiveRequest { request: 1 }])
                .call("MPI_Send", 24_000, 24_000, &[send(0, 8)])
                .call(
                    "MPI_Wait",
                    24_000,
                    26_000,
                    &[EventKind::ReceiveComplete { message: message(0, 5000), request: 1 }],
                )
                .end(26_000),
        ]
    };
    let found =
        |recorded: &[ProcessorEvents]| NetworkRecording::of_events(recorded).unwrap().eager_bytes(&ON);
    assert_eq!(found(&staying(&[])), Some(1000.0));
    assert_eq!(found(&staying(&[receive(1, 8)])), None);
}

/// Waits of all for the last one stay; what the operation takes beyond is longer as its algorithm makes it.
#[test]
fn collective_operations_take_longer_in_proportion() {
    let of = |own: u32, enter_ns: u64| {
        let collective = Collective {
            operation: CollectiveOperation::Barrier,
            communicator: 0,
            root: None,
            sent_bytes: 0,
            received_bytes: 0,
        };
        Recorder::new(own, 2)
            .call("MPI_Barrier", enter_ns, 8_000, &[EventKind::Collective { collective }])
            .end(8_000)
    };
    let recorded = [of(0, 1_000), of(1, 5_000)];
    assert_eq!(run_time_ns(&recorded, MessageNetwork { latency_s: 4e-6, ..ON }, None), 5_000 + 4 * 3_000);
    // Bandwidth does not matter to it.
    assert_eq!(run_time_ns(&recorded, MessageNetwork { bandwidth_bytes_per_s: 1.0, ..ON }, None), 8_000);
}

/// 3 latencies and 6 times the bytes of each of 7 others, at two sizes: neither is what a known algorithm takes.
#[test]
fn collective_operations_of_several_sizes_tell_what_they_consist_of() {
    let collective = |bytes: u64| EventKind::Collective {
        collective: Collective {
            operation: CollectiveOperation::Allreduce,
            communicator: 0,
            root: None,
            sent_bytes: 7 * bytes,
            received_bytes: 7 * bytes,
        },
    };
    let recorded: Vec<ProcessorEvents> = (0..8)
        .map(|own| {
            Recorder::new(own, 8)
                .call("MPI_Allreduce", 0, 3_000 + 6_000, &[collective(1_000)])
                .call("MPI_Allreduce", 10_000, 10_000 + 3_000 + 60_000, &[collective(10_000)])
                .end(73_000)
        })
        .collect();
    let slower = MessageNetwork { latency_s: 5e-6, bandwidth_bytes_per_s: 0.5e9 };
    let expected_ns = 15_000 + 12_000 + 1_000 + 15_000 + 120_000;
    assert!((run_time_ns(&recorded, slower, None) - expected_ns).abs() <= 2);
}

/// Of one who comes when the data are there already nobody knows how long they took; the others tell.
#[test]
fn a_broadcast_that_nobody_waited_for_is_under_way() {
    let collective = EventKind::Collective {
        collective: Collective {
            operation: CollectiveOperation::Broadcast,
            communicator: 0,
            root: Some(0),
            sent_bytes: 2_000,
            received_bytes: 1_000,
        },
    };
    let recorded = [
        Recorder::new(0, 3).call("MPI_Bcast", 0, 10, &[collective]).end(10),
        Recorder::new(1, 3).call("MPI_Bcast", 0, 3_000, &[collective]).end(3_000),
        Recorder::new(2, 3).call("MPI_Bcast", 5_000, 5_010, &[collective]).end(6_010),
    ];
    assert_eq!(run_time_ns(&recorded, ON, None), 6_010);
    // One latency, one after the other: 3 µs; at a tenth of the bandwidth 21.
    let slower = MessageNetwork { bandwidth_bytes_per_s: 1e8, ..ON };
    assert_eq!(run_time_ns(&recorded, slower, None), 21_000 + 10 + 1_000);
}

/// Both say that they receive before they send: their clocks contradict each other.
#[test]
fn what_contradicts_itself_is_refused() {
    let of = |own: u32| {
        Recorder::new(own, 2)
            .call("MPI_Recv", 0, 1_000, &[receive(1 - own, 1000)])
            .call("MPI_Send", 2_000, 2_000, &[send(1 - own, 1000)])
            .end(2_000)
    };
    let recorded = [of(0), of(1)];
    let recording = NetworkRecording::of_events(&recorded).unwrap();
    let error = recording.replay(&ON, &ON, None, &StepChange::new()).unwrap_err();
    assert_eq!(error, NetworkError::Contradicts);
}

/// Until it is waited for, it is under way: 4 µs of 2 rounds for 3 processors, of which all hide behind computing.
#[test]
fn collective_operations_that_are_not_waited_for_are_under_way() {
    let of = |own: u32| {
        let collective = Collective {
            operation: CollectiveOperation::Barrier,
            communicator: 0,
            root: None,
            sent_bytes: 0,
            received_bytes: 0,
        };
        Recorder::new(own, 3)
            .call("MPI_Ibarrier", 0, 0, &[EventKind::CollectiveRequest { collective, request: 1 }])
            .call("MPI_Wait", 20_000, 20_000, &[EventKind::CollectiveComplete { request: 1 }])
            .end(20_000)
    };
    let recorded = [of(0), of(1), of(2)];
    assert_eq!(run_time_ns(&recorded, MessageNetwork { latency_s: 10e-6, ..ON }, None), 20_000);
    assert_eq!(run_time_ns(&recorded, MessageNetwork { latency_s: 15e-6, ..ON }, None), 30_000);
}

/// As SMPI simulates it: all wait for processor 0 alone, and that for all.
#[test]
fn who_completes_an_operation_before_another_has_come_does_not_wait_for_that_one() {
    let of = |own: u32, enter_ns: u64, leave_ns: u64| {
        let collective = Collective {
            operation: CollectiveOperation::Barrier,
            communicator: 0,
            root: None,
            sent_bytes: 0,
            received_bytes: 0,
        };
        Recorder::new(own, 3)
            .call(
                "MPI_Ibarrier",
                enter_ns,
                enter_ns,
                &[EventKind::CollectiveRequest { collective, request: 1 }],
            )
            .call("MPI_Wait", enter_ns, leave_ns, &[EventKind::CollectiveComplete { request: 1 }])
            .end(200_000)
    };
    let mut recorded = [of(0, 20_000, 100_000), of(1, 10_000, 20_000), of(2, 100_000, 100_000)];
    let waits_of = |recorded: &[ProcessorEvents]| {
        let waits = Waits::of_events(recorded).unwrap();
        let waiting_ns: Vec<i64> = waits.times.iter().map(|its| its.waiting_ns).collect();
        let kinds: Vec<RemarkKind> = waits.remarks.iter().map(|remark| remark.kind.clone()).collect();
        (waiting_ns, kinds)
    };
    let gone_on = RemarkKind::WentOn { operations: 1, others: 0, most_ns: 80_000 };
    assert_eq!(waits_of(&recorded), (vec![80_000, 10_000, 0], vec![gone_on]));
    // Where clocks were compared to within that, they may be wrong.
    recorded[1].clock_uncertainty_ns = 100_000;
    assert!(matches!(waits_of(&recorded).1[..], [RemarkKind::ClocksCompared { .. }]));
}

#[test]
fn steps_may_be_faster_at_the_same_time() {
    let recorded = pipe();
    let recording = NetworkRecording::of_events(&recorded).unwrap();
    let waits = Waits::of_events(&recorded).unwrap();
    // All computing of both: 10 µs before each send, and 8 behind the last receive.
    let halved = (0..waits.codes.len())
        .fold(StepChange::new(), |change, code| change.faster(code, State::Computing, 2.0));
    let then = MessageNetwork { latency_s: 3e-6, ..ON };
    let replayed = recording.replay(&ON, &then, None, &halved).unwrap();
    assert_eq!(replayed.efficiency.run_time_ns, 15_000 + 3_000 + 1_000 + 4_000);
}

/// Accesses to the memory of others have no time of their own that a replay could change.
#[test]
fn accesses_to_memory_are_counted() {
    let access = RemoteAccess { partner: 0, communicator: 0, sent_bytes: 8, received_bytes: 0 };
    let recorded = [Recorder::new(0, 1).call("MPI_Put", 0, 1, &[EventKind::RemoteAccess { access }]).end(1)];
    assert_eq!(NetworkRecording::of_events(&recorded).unwrap().remote_accesses(), 1);
}

/// The clock of processor 1 is 300 ns behind, though it was compared to within 500: its message comes 300 ns before it left. It is received when it
/// leaves, and what processor 0 computes behind that, 100 µs, takes up the delay again.
#[test]
fn nothing_comes_before_it_leaves() {
    let mut recorded = [
        Recorder::new(0, 2)
            .call("MPI_Recv", 0, 9_700, &[receive(1, 8)])
            .call("MPI_Barrier", 109_700, 109_800, &[])
            .end(109_800),
        Recorder::new(1, 2).call("MPI_Send", 10_000, 10_000, &[send(0, 8)]).end(10_000),
    ];
    let ends = |recorded: &[ProcessorEvents]| {
        let waits = Waits::of_events(recorded).unwrap();
        let ends = waits.times.iter().map(|its| its.computing_ns + its.waiting_ns + its.communicating_ns);
        (ends.collect::<Vec<i64>>(), waits)
    };
    recorded[1].clock_uncertainty_ns = 500;
    let (ends_ns, waits) = ends(&recorded);
    assert_eq!(ends_ns, [109_800, 10_000]);
    assert_eq!(waits.times[0].computing_ns, 100_000 - 300);
    assert_eq!(waits.times[0].waiting_ns, 10_000);
    let kinds: Vec<&RemarkKind> = waits.remarks.iter().map(|remark| &remark.kind).collect();
    assert_eq!(kinds, [&RemarkKind::ClocksCompared { uncertainty_ns: 500, waits: 1, most_ns: 300 }]);
    // With one clock it is a contradiction, which is told and left.
    recorded[1].clock_uncertainty_ns = 0;
    let (_, waits) = ends(&recorded);
    let kinds: Vec<&RemarkKind> = waits.remarks.iter().map(|remark| &remark.kind).collect();
    assert_eq!(kinds, [&RemarkKind::CausedLater { waits: 1, most_ns: 300 }]);
}
