//! Who is waited for inside of collective operations, and what replays make of it.

use call_trace::{Collective, CollectiveOperation, EventKind, ProcessorEvents};
use call_waiting::{MessageNetwork, NetworkRecording, StepChange};

use crate::network::{ON, Recorder, run_time_ns};

/// 1000 bytes from processor 0 to three others.
fn broadcast() -> EventKind {
    let collective = Collective {
        operation: CollectiveOperation::Broadcast,
        communicator: 0,
        root: Some(0),
        sent_bytes: 3_000,
        received_bytes: 1_000,
    };
    EventKind::Collective { collective }
}

/// By processor, when it enters and leaves.
fn broadcasts(times_ns: [&[(u64, u64)]; 4]) -> Vec<ProcessorEvents> {
    let of = |(own, times_ns): (usize, &[(u64, u64)])| {
        let recorder = Recorder::new(own as u32, 4);
        let call = |recorder: Recorder, (enter_ns, leave_ns): &(u64, u64)| {
            recorder.call("MPI_Bcast", *enter_ns, *leave_ns, &[broadcast()])
        };
        times_ns.iter().fold(recorder, call).end(times_ns.last().unwrap().1)
    };
    times_ns.into_iter().enumerate().map(of).collect()
}

/// Processor 2 hands on to 3 what it gets, and comes 90 µs late the second time: those are waiting, and on another network as long. The first time all are there
/// at once, and it takes two messages, 4 µs.
#[test]
fn who_is_late_inside_of_a_collective_operation_is_waited_for_as_long_on_any_network() {
    let recorded = broadcasts([
        &[(0, 0), (10_000, 10_000)],
        &[(0, 4_000), (10_000, 14_000)],
        &[(0, 2_000), (100_000, 100_010)],
        &[(0, 4_000), (10_000, 102_000)],
    ]);
    assert_eq!(run_time_ns(&recorded, ON, None), 102_000);
    // The first one ends at 22 µs, for processor 2 at 20 µs, which then comes at 118 µs. Behind that is one message, of 11 µs.
    let slower = MessageNetwork { bandwidth_bytes_per_s: 1e8, ..ON };
    assert_eq!(run_time_ns(&recorded, slower, None), 129_000);
    let recording = NetworkRecording::of_events(&recorded).unwrap();
    assert_eq!(recording.doubt(&ON, &slower, None, &StepChange::new()).unwrap(), None);
}

/// The same without the first one: whether 4 µs are all that it takes nobody knows, if it is no longer than libraries take.
#[test]
fn what_an_operation_takes_that_is_never_seen_alone_lies_between_the_algorithms() {
    let recorded =
        broadcasts([&[(10_000, 10_000)], &[(10_000, 14_000)], &[(100_000, 100_010)], &[(10_000, 102_000)]]);
    let slower = MessageNetwork { latency_s: 100e-6, ..ON };
    let recording = NetworkRecording::of_events(&recorded).unwrap();
    let doubt = recording.doubt(&ON, &slower, None, &StepChange::new()).unwrap().unwrap();
    assert_eq!(doubt.operations, [(CollectiveOperation::Broadcast, 4)]);
    let likely_ns = run_time_ns(&recorded, slower, None);
    // Two latencies and 2000 bytes, or five and 1500 bytes.
    assert!(doubt.least_ns <= likely_ns && likely_ns <= doubt.most_ns, "{doubt:?} {likely_ns}");
    assert_eq!(doubt.most_ns, 10_000 + 500_000 + 1_500 + 10);
}
