//! Time to replay a recorded run in which all processors differ, and how much of it vectors over processors take:
//! `cargo run --release -p call-bsp --example bench_replay`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark reads the clock and prints")]

#[path = "../tests/support/recorded.rs"]
mod recorded;

use std::error::Error;
use std::time::Instant;

use call_bsp::recording::RecordedRun;
use call_bsp::replay::Scenario;
use recorded::{End, Superstep, trace};

const PROCESSORS: usize = 64;

const REPETITIONS: u32 = 5;

/// Supersteps in which no two processors take the same time; every other one sends to the neighbour.
fn supersteps(count: usize) -> Vec<Superstep> {
    let time = |step: usize, processor: usize, base: u64| {
        base + ((step * 7919 + processor * 104_729) % 1_000_003) as u64 * 64 + processor as u64
    };
    let step = |step: usize| Superstep {
        before_ns: vec![0; PROCESSORS],
        behind_ns: (0..PROCESSORS).map(|processor| time(step, processor, 1_000_000)).collect(),
        inside_percent: (0..PROCESSORS as u64).map(|processor| 10 + processor).collect(),
        parts: None,
        inner_waiting_ns: vec![0; PROCESSORS],
        end: match step % 2 {
            0 => End::Barrier,
            _ => End::Oblivious((0..PROCESSORS).map(|from| (from, from + 1, 800 + from as u64)).collect()),
        },
        cost_ns: (0..PROCESSORS).map(|processor| time(step + 1, processor, 10_000)).collect(),
        recording_ns: vec![0; PROCESSORS],
    };
    (0..count).map(step).collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    for count in [1000, 4000, 16_000] {
        let text = trace(PROCESSORS, "common", &supersteps(count));
        let read = call_trace::read(text.as_bytes())?;
        let start = Instant::now();
        let run = RecordedRun::rebuild(&read.supersteps)?;
        let rebuilding_s = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut total_s = 0.0;
        for _ in 0..REPETITIONS {
            total_s = run.replay(&Scenario::default())?.total_s();
        }
        let replaying_s = start.elapsed().as_secs_f64() / f64::from(REPETITIONS);
        println!(
            "{PROCESSORS} processors, {count:6} supersteps: rebuilt in {:8.2} ms, replayed in {:8.2} ms, total {total_s:?} s",
            1e3 * rebuilding_s,
            1e3 * replaying_s
        );
    }
    Ok(())
}
