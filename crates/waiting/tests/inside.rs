//! Who is waited for inside of collective operations, and what replays make of it.

use call_trace::{Collective, CollectiveOperation, EventKind, ProcessorEvents};
use call_waiting::{Code, MessageNetwork, NetworkRecording, State, StepChange, WaitKind, Waits};

use crate::known::kind;
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

/// Of 3 rounds, in each of which processor 2 comes 60 ms late and 3 gets from it what the root sent in time.
fn late_in_a_tree() -> Vec<ProcessorEvents> {
    let round = |at_ns: u64, enter_ns: u64, leave_ns: u64| (at_ns + enter_ns, at_ns + leave_ns);
    let rounds = |enter_ns, leave_ns| -> Vec<(u64, u64)> {
        (0..3).map(|number| round(200_000_000 * number, enter_ns, leave_ns)).collect()
    };
    let calls = [
        rounds(20_000_000, 20_010_000),
        rounds(20_000_000, 20_050_000),
        rounds(80_000_000, 80_020_000),
        rounds(20_000_000, 80_060_000),
    ];
    let [root, one, late, behind] = &calls;
    broadcasts([root, one, late, behind])
}

/// What the root sends in time and another one passes on is waited for there, and what is waited for less if that one is not late is saved.
#[test]
fn who_passes_on_late_is_waited_for() {
    let recorded = late_in_a_tree();
    let waits = Waits::of_events(&recorded).unwrap();
    assert_eq!(kind(&waits, WaitKind::Inside), 3 * 60_000_000);
    assert_eq!(kind(&waits, WaitKind::LateBroadcast), 0);
    let of_3 = waits.times[3];
    assert_eq!((of_3.waiting_ns, of_3.communicating_ns), (3 * 60_000_000, 3 * 60_000));
    let before = |code: &Code| matches!(code, Code::Before(site) if site.call == "MPI_Bcast");
    let computing = waits.codes.iter().position(before).unwrap();
    // Of 600 ms that processor 3 has, the last round begins at 400: each of them is 60 ms of computing less where processor 2 is not late.
    let change = StepChange::new().faster(computing, State::Computing, 4.0);
    let faster_ns = waits.replayed_run_time_ns(&change);
    let computed_ns = [80_000_000_u64, 200_000_000 - 20_000, 200_000_000 - 20_000];
    let expected_ns: u64 = computed_ns.iter().map(|its_ns| its_ns / 4 + 20_000).sum();
    assert!(faster_ns.abs_diff(expected_ns as i64) <= 60_000, "{faster_ns} {expected_ns}");
    assert!(waits.savings(1)[0].run_time_ns < waits.efficiency.run_time_ns - 40_000_000);
    let other = NetworkRecording::of_events(&recorded).unwrap().replay(&ON, &ON, None, &change).unwrap();
    assert!(other.efficiency.run_time_ns.abs_diff(faster_ns) <= 60_000, "{:?} {faster_ns}", other.efficiency);
}

/// An operation that takes long even when all are there is none in which anybody waits for who comes meanwhile.
#[test]
fn what_an_operation_takes_is_no_wait() {
    let together = [(0, 10), (0, 50_000_000), (0, 50_000_000), (0, 50_000_000)];
    let meanwhile = [
        (100_000_000, 100_000_010),
        (100_000_000, 150_000_000),
        (130_000_000, 150_000_000),
        (100_000_000, 150_000_000),
    ];
    let calls: Vec<[(u64, u64); 2]> =
        together.into_iter().zip(meanwhile).map(|(one, other)| [one, other]).collect();
    let recorded = broadcasts([&calls[0], &calls[1], &calls[2], &calls[3]]);
    let waits = Waits::of_events(&recorded).unwrap();
    assert_eq!(kind(&waits, WaitKind::Inside), 0);
}
