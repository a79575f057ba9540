//! Time and memory to evaluate programs by OBSP*, P from 1e3 to 1e6, beside a loop over single processors:
//! `cargo run --release -p call-model --example bench_obsp`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark reads the clock and prints")]

use std::time::Instant;

use call_bsp::obsp::{InOut, Network, bsp_cost_s, evaluate};
use call_bsp::program::Program;

const NETWORK: Network = Network { g_s_per_byte: 1e-9, latency_s: 1e-5 };

const STEPS: usize = 2000;

/// About 1e3, 1e4, 1e5 and 1e6.
const PROCESSORS: [u32; 4] = [1 << 10, 1 << 13, 1 << 17, 1 << 20];

/// What they are, their text, and whether processors differ.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "transform of Fig. 5, N = 2^24",
        "program fft(N) { if P > 1 { compute 1e-6; partition P/2, P/2 { fft(N/2) } exchange 8*N with pid ^ P/2; compute 1e-9*N } else { compute 1e-9*N*log(N) } }",
    ),
    (
        "ring, 2000 supersteps, all alike",
        "program ring(N) { repeat 2000 { compute 1e-9*N/P; exchange 800 with (pid + 1) % P } }",
    ),
    (
        "ring, 2000 supersteps, one processor slower",
        "program ring(N) { repeat 2000 { compute 1e-9*N/P; if pid == 7 { compute 1e-7 } exchange 800 with (pid + 1) % P } }",
    ),
    (
        "tree of additions",
        "program tree(N) { for k = 1 .. P/2 times 2 { if pid % (2*k) == k { if pid >= k { send 8 to pid - k } } oblsync; compute 1e-9*N/P } }",
    ),
    (
        "10 barriers, all processors differ",
        "program uneven(N) { repeat 10 { compute 1e-9*N/P*(1 + pid/P); relation 800; sync } }",
    ),
];

/// The ring, one processor after the other.
fn naive_ring(processors: usize, n: f64) -> f64 {
    let mut now_s = vec![0.0f64; processors];
    let mut ready_s = now_s.clone();
    for _ in 0..STEPS {
        for (ready, now) in ready_s.iter_mut().zip(&now_s) {
            *ready = now + 1e-9 * n / processors as f64;
        }
        for processor in 0..processors {
            let before = (processor + processors - 1) % processors;
            now_s[processor] = ready_s[processor].max(ready_s[before]) + (1e-9 * 1600.0 + 1e-5);
        }
    }
    now_s.into_iter().fold(0.0, f64::max)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = f64::from(1 << 24);
    for (what, text) in PROGRAMS {
        println!("{what}");
        let program = Program::parse(text)?;
        for processors in PROCESSORS {
            let start = Instant::now();
            let arguments = [("N".to_owned(), n)];
            let mut instance = program.instance(&arguments, processors, &NETWORK, InOut::Sum)?;
            let arena = &mut instance.arena;
            let start_s = arena.same(0.0);
            let evaluation = evaluate(arena, &instance.task, start_s, InOut::Sum)?;
            let total_s = evaluation.total_s(arena);
            let seconds = start.elapsed().as_secs_f64();
            let bsp_s = bsp_cost_s(arena, &instance.task, InOut::Sum);
            println!(
                "  P = {processors:8} {:9.2} ms {:9} parts of vectors   total {total_s:.6} s, plain BSP {bsp_s:.6} s",
                1e3 * seconds,
                arena.len()
            );
        }
    }
    println!("the ring of equal processors, one processor after the other");
    for processors in [1 << 10, 1 << 13, 1 << 17] {
        let start = Instant::now();
        let total_s = naive_ring(processors, n);
        println!(
            "  P = {processors:8} {:9.2} ms   total {total_s:.6} s",
            1e3 * start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
