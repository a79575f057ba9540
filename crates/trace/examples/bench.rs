//! Reads 10 million rows that were made in memory, beside a plain pass over the same bytes.
//!
//! `cargo run --release -p call-trace --example bench [ROWS]`
#![allow(clippy::print_stdout, reason = "it is a program")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

const HEADER: &str = "# call-trace 1\n# program: bench\n# processors: 4\n# experiment: transform\n# formula: transform[0] + transform[1]*N\n\
    # variables: N\n# experiment: gather\n# variables: N\nexperiment processor P N time_s\n";
const REPETITIONS: usize = 5;

fn trace(rows: usize) -> String {
    let mut text = String::with_capacity(HEADER.len() + 40 * rows);
    text.push_str(HEADER);
    let mut state = 1_u64;
    for row in 0..rows {
        // Steps of a linear congruential generator (Knuth, MMIX).
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let name = if row % 64 == 63 { "gather" } else { "transform" };
        let (n, nanoseconds) = (100_000_000 + (state >> 40), state >> 38);
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        writeln!(text, "{name} {} 4 {n} {seconds}.{rest:09}", 4 * row / rows)
            .expect("a string takes everything");
    }
    writeln!(text, "# end rows={rows}").expect("a string takes everything");
    text
}

/// Seconds of the fastest of some repetitions.
fn fastest<T>(mut work: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let start = Instant::now();
        let made = black_box(work());
        let elapsed_s = start.elapsed().as_secs_f64();
        drop(made);
        elapsed_s
    };
    (0..REPETITIONS).map(once).fold(f64::INFINITY, f64::min)
}

fn main() {
    let rows = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
    let text = trace(rows);
    let megabytes = text.len() as f64 / 1e6;
    println!("{rows} rows, {megabytes:.0} MB, {:.1} bytes a row", text.len() as f64 / rows as f64);
    let show = |label: &str, seconds: f64| {
        let (speed, rate) = (rows as f64 / seconds / 1e6, megabytes / seconds);
        println!("{label:<16} {seconds:.3} s  {speed:6.1} million rows/s  {rate:6.0} MB/s");
    };
    show("read", fastest(|| call_trace::read(text.as_bytes()).expect("the trace is whole")));
    let line_feeds = || black_box(text.as_bytes()).iter().filter(|byte| **byte == b'\n').count();
    show("count line feeds", fastest(line_feeds));
}
