//! Whether a message waits for a receiver that comes later than it did in the recording.

use call_trace::{EventKind, Message};
use call_waiting::{Code, State, StepChange, UndecidedMessages, Waits};

use crate::network::Recorder;

fn message(partner: u32, bytes: u64) -> Message {
    Message { partner, communicator: 0, tag: 0, bytes }
}

/// A message of so many bytes, when its send begins and ends and when its receive does, in microseconds.
type Planted = (u64, [u64; 2], [u64; 2]);

/// The sender and its receiver end then.
fn ending(call: &str, messages: &[Planted], ends_us: [u64; 2]) -> Waits {
    let (mut sender, mut receiver) = (Recorder::new(0, 2), Recorder::new(1, 2));
    for (bytes, sending, receiving) in messages {
        let send = EventKind::Send { message: message(1, *bytes), is_synchronous: false };
        let receive = EventKind::Receive { message: message(0, *bytes) };
        sender = sender.call(call, 1000 * sending[0], 1000 * sending[1], &[send]);
        receiver = receiver.call("MPI_Recv", 1000 * receiving[0], 1000 * receiving[1], &[receive]);
    }
    Waits::of_events(&[sender.end(1000 * ends_us[0]), receiver.end(1000 * ends_us[1])]).unwrap()
}

/// The sender comes at 100 µs, its receiver has waited for 50.
const FOUND: Planted = (100_000, [100, 101], [50, 101]);

/// Microseconds of the run with all computing of the sender before its sends so much faster.
fn run_time_us(waits: &Waits, factor: f64) -> i64 {
    let before_sends = |code: &Code| matches!(code, Code::Before(site) if site.call.ends_with("send") || site.call == "MPI_Send");
    let codes = waits.codes.iter().enumerate().filter(|(_, code)| before_sends(code));
    let change =
        codes.fold(StepChange::new(), |change, (code, _)| change.faster(code, State::Computing, factor));
    waits.replay(&change).efficiency.run_time_ns / 1000
}

/// Sent at 10 µs, when its receiver comes at 50: the sender computes for 160 from 11 on, or from 51.
#[test]
fn what_no_message_of_its_size_shows_is_undecided() {
    let waits = ending("MPI_Send", &[FOUND], [261, 110]);
    assert_eq!(waits.undecided(), Some(UndecidedMessages { messages: Some(1), above_bytes: 0.0 }));
    let waiting = waits.as_if_undecided_waited().unwrap();
    assert_eq!(waiting.efficiency, waits.efficiency);
    assert_eq!((run_time_us(&waits, 10.0), run_time_us(&waiting, 10.0)), (171, 211));
    // No library lets so few bytes wait.
    let (_, sending, receiving) = FOUND;
    assert_eq!(ending("MPI_Send", &[(1000, sending, receiving)], [261, 110]).undecided(), None);
}

/// One of its size that waited, or was gone before it was asked for, decides.
#[test]
fn messages_that_found_no_receiver_tell() {
    let (waited, gone) = ([[10, 21], [20, 21]], [[10, 11], [20, 21]]);
    let of = |bytes, [sending, receiving]: [[u64; 2]; 2]| (bytes, sending, receiving);
    // The first send takes 1 or, with its wait, up to 21 µs; the second one is begun 8 µs later, and its receiver comes at 50.
    for (call, first, run_time, undecided) in [
        ("MPI_Send", of(100_000, waited), 211, None),
        ("MPI_Send", of(70_000, waited), 211, None),
        ("MPI_Send", of(100_000, gone), 171, None),
        ("MPI_Send", of(200_000, gone), 171, None),
        ("MPI_Send", of(200_000, waited), 189, Some(0.0)),
        ("MPI_Send", of(50_000, gone), 171, Some(50_000.0)),
        // What is copied waits for nobody.
        ("MPI_Bsend", of(50_000, gone), 171, None),
    ] {
        let waits = ending(call, &[first, FOUND], [261, 110]);
        let above_bytes = waits.undecided().map(|its| its.above_bytes);
        assert_eq!((run_time_us(&waits, 10.0), above_bytes), (run_time, undecided), "{call} {first:?}");
    }
}
