//! Long messages that both sides know of, one of which computes: many libraries carry them in calls of both only.

use call_trace::{EventKind, Message, ProcessorEvents};
use call_waiting::{WaitKind, Waits};

use crate::known::kind;
use crate::network::Recorder;

/// Of a round, when each processor enters and leaves.
struct Round {
    bytes: u64,
    /// The call that begins the send, and the one that waits until it has gone.
    sends: [(u64, u64); 2],
    receives: [(u64, u64); 2],
}

const ROUND_US: u64 = 100_000;

fn waits(rounds: &[Round]) -> Waits {
    let mut recorders = [Recorder::new(0, 2), Recorder::new(1, 2)];
    for (number, round) in rounds.iter().enumerate() {
        let request = number as u64;
        let message = |partner| Message { partner, communicator: 0, tag: 0, bytes: round.bytes };
        let calls = [
            [
                ("MPI_Isend", EventKind::SendRequest { message: message(1), request, is_synchronous: false }),
                ("MPI_Wait", EventKind::SendComplete { request }),
            ],
            [
                ("MPI_Irecv", EventKind::ReceiveRequest { request }),
                ("MPI_Wait", EventKind::ReceiveComplete { message: message(0), request }),
            ],
        ];
        let at_ns = |time_us: u64| 1000 * (ROUND_US * request + time_us);
        let times = [round.sends, round.receives];
        recorders = std::array::from_fn(|own| {
            let recorder = std::mem::replace(&mut recorders[own], Recorder::new(0, 2));
            calls[own].iter().zip(times[own]).fold(
                recorder,
                |recorder, ((call, event), (enter_us, leave_us))| {
                    recorder.call(call, at_ns(enter_us), at_ns(leave_us), &[*event])
                },
            )
        });
    }
    let end_ns = 1000 * ROUND_US * rounds.len() as u64;
    let recorded: Vec<ProcessorEvents> = recorders.into_iter().map(|its| its.end(end_ns)).collect();
    Waits::of_events(&recorded).unwrap()
}

/// It is sent at 10 ms and asked for at 0; the sender waits until the receiver comes back at 60 ms.
fn receiver_computes(bytes: u64, gone_us: u64) -> Round {
    Round { bytes, sends: [(10_000, 10_010), (10_010, gone_us)], receives: [(0, 10), (60_000, 62_000)] }
}

#[test]
fn sends_wait_for_receivers_that_compute() {
    let found = waits(&[receiver_computes(1 << 22, 62_000), receiver_computes(1 << 22, 61_500)]);
    let site = &found.sites[0];
    assert_eq!((site.site.call.as_str(), site.waits, site.waiting_ns), ("MPI_Wait", 2, 2 * 49_990_000));
    assert_eq!(kind(&found, WaitKind::LateReceiver), 2 * 49_990_000);
    assert_eq!(found.times[0].communicating_ns, 2 * 10_000 + 2_000_000 + 1_500_000);
}

/// The receive that began at 20 ms waits until the sender, who computes since 0, comes back.
#[test]
fn receives_wait_for_senders_that_compute() {
    let round = Round {
        bytes: 1 << 22,
        sends: [(0, 10), (60_000, 61_000)],
        receives: [(10_000, 10_010), (20_000, 61_000)],
    };
    let found = waits(&[round]);
    assert_eq!(kind(&found, WaitKind::LateSender), 40_000_000);
    assert_eq!(kind(&found, WaitKind::LateReceiver), 0);
}

/// A library that carries messages meanwhile: one that goes longer than the receiver computes waits for nobody, and so does one of few bytes.
#[test]
fn what_takes_long_waits_for_nobody() {
    let on_its_way = |gone_us, back_us| Round {
        bytes: 1 << 22,
        sends: [(10_000, 10_010), (10_010, gone_us)],
        receives: [(0, 10), (back_us, gone_us.max(back_us) + 10)],
    };
    let goes = || on_its_way(30_000, 50_000);
    assert_eq!(kind(&waits(&[on_its_way(30_000, 29_000), goes()]), WaitKind::LateReceiver), 0);
    assert_eq!(kind(&waits(&[on_its_way(30_000, 14_000)]), WaitKind::LateReceiver), 0);
    assert_eq!(kind(&waits(&[receiver_computes(8, 62_000)]), WaitKind::LateReceiver), 0);
}
