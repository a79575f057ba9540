//! Reads 10 million rows that were made in memory, as text and as blocks, beside plain passes over the same bytes and over the
//! columns that they become.
//!
//! `cargo run --release -p call-trace --example bench_reading [ROWS]`
#![allow(clippy::print_stdout, reason = "it is a program")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use call_trace::{Experiment, Folding, Joining, Samples, Trace};

#[path = "../tests/blocks/mod.rs"]
mod blocks;

const HEADER: &str = "# call-trace 1\n# program: bench\n# processors: 4\n";
const EXPERIMENTS: &str = "# experiment: transform\n# formula: transform[0] + transform[1]*N\n# variables: N\n# types: i64\n\
    # experiment: gather\n# variables: N\n# types: i64\nexperiment processor P N time_s\n";
const NAMES: [&str; 2] = ["transform", "gather"];
const ROWS_OF_A_BLOCK: usize = 16_384;
const REPETITIONS: usize = 5;

/// Rows of which every `period`-th is of the second experiment.
fn rows(count: usize, period: usize) -> impl Iterator<Item = blocks::Row> {
    let mut state = 1_u64;
    (0..count).map(move |row| {
        // Steps of a linear congruential generator (Knuth, MMIX).
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        blocks::Row {
            experiment: u32::from(row % period == period - 1),
            processor: (4 * row / count) as u32,
            machine: 4,
            ticks: state >> 38,
            values: vec![(100_000_000 + (state >> 40)).to_le_bytes()],
        }
    })
}

fn text(count: usize, period: usize) -> Vec<u8> {
    let mut text = format!("{HEADER}{EXPERIMENTS}");
    for row in rows(count, period) {
        let (seconds, rest) = (row.ticks / 1_000_000_000, row.ticks % 1_000_000_000);
        let (name, n) = (NAMES[row.experiment as usize], u64::from_le_bytes(row.values[0]));
        writeln!(text, "{name} {} 4 {n} {seconds}.{rest:09}", row.processor)
            .expect("a string takes everything");
    }
    writeln!(text, "# end rows={count}").expect("a string takes everything");
    text.into_bytes()
}

fn binary(count: usize, period: usize, nanoseconds_per_tick: f64) -> Vec<u8> {
    let mut bytes = format!("{HEADER}# body: binary\n{EXPERIMENTS}").into_bytes();
    let mut rows = rows(count, period);
    loop {
        let some: Vec<blocks::Row> = rows.by_ref().take(ROWS_OF_A_BLOCK).collect();
        if some.is_empty() {
            break;
        }
        bytes.extend(blocks::block(nanoseconds_per_tick, 0, &some));
    }
    bytes.extend(format!("# end rows={count}\n").bytes());
    bytes
}

fn read(bytes: &[u8]) -> Trace {
    call_trace::read(bytes).expect("the trace is whole")
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

fn sum(trace: &Trace) -> f64 {
    let samples = || black_box(trace).experiments.iter().map(|experiment| &experiment.samples);
    let values = samples().flat_map(|samples| samples.columns.iter().chain([&samples.time_s])).flatten();
    let processors = samples().flat_map(|samples| &samples.processor);
    values.sum::<f64>() + processors.map(|processor| f64::from(*processor)).sum::<f64>()
}

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
    let show = |label: &str, bytes: usize, seconds: f64| {
        let (speed, rate) = (count as f64 / seconds / 1e6, bytes as f64 / seconds / 1e6);
        println!("{label:<40} {seconds:.3} s  {speed:6.1} million rows/s  {rate:6.0} MB/s");
    };
    println!("{count} rows");
    let bytes = text(count, 64);
    show("read text", bytes.len(), fastest(|| read(&bytes)));
    let line_feeds = || black_box(&bytes).iter().filter(|byte| **byte == b'\n').count();
    show("count line feeds", bytes.len(), fastest(line_feeds));
    let trace = read(&bytes);
    for (label, period, nanoseconds_per_tick) in [
        ("read blocks", 64, 1.0),
        ("read blocks of a clock with ticks", 64, 0.385),
        ("read blocks, experiments by turns", 2, 1.0),
    ] {
        let bytes = binary(count, period, nanoseconds_per_tick);
        if (period, nanoseconds_per_tick) == (64, 1.0) {
            assert_eq!(read(&bytes), trace);
            let words = || black_box(&bytes).as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
            show("sum the words of the blocks", bytes.len(), fastest(|| words().fold(0, u64::wrapping_add)));
        }
        show(label, bytes.len(), fastest(|| read(&bytes)));
    }
    show("sum the columns", 28 * count, fastest(|| sum(&trace)));
    condense();
}

/// What every fit and plot of llac starts with.
fn condense() {
    const SAMPLES: usize = 1_000_000;
    println!("\n{SAMPLES} samples, processors joined and repetitions folded");
    for (label, processors, points) in [
        ("one processor, 100 points", 1, 100),
        ("one processor, 10 000 points", 1, 10_000),
        ("one processor, all points differ", 1, u64::MAX),
        ("4 processors by turns, 1000 points", 4, 1000),
        ("4 processors, all points differ", 4, u64::MAX),
    ] {
        let experiment = repeated(SAMPLES, processors, points);
        for folding in [Folding::Median, Folding::Mean] {
            let seconds = fastest(|| experiment.condense(Joining::Maximum, folding));
            println!("{label:<40} {folding:?} {:.1} ms", 1e3 * seconds);
        }
    }
}

/// Samples whose processors come by turns and whose points are shuffled.
fn repeated(count: usize, processors: u32, points: u64) -> Experiment {
    let rows: Vec<blocks::Row> = rows(count, usize::MAX).collect();
    let values = rows.iter().enumerate().map(|(row, its)| match points {
        u64::MAX => (row / processors as usize * 7919 % count) as f64,
        points => (its.ticks % points) as f64,
    });
    let samples = Samples {
        names: vec!["P".to_owned(), "N".to_owned()],
        columns: vec![vec![f64::from(processors); count], values.collect()],
        processor: (0..count).map(|row| row as u32 % processors).collect(),
        run: vec![0; count],
        time_s: rows.iter().map(|row| row.ticks as f64 * 1e-9).collect(),
        ..Samples::default()
    };
    Experiment { name: "repeated".to_owned(), samples, ..Experiment::default() }
}
