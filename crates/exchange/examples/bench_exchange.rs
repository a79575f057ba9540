//! How much processor time a large table takes: `cargo run --release -p call-exchange --example bench_exchange`.
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "a program that measures")]

use std::fmt::Write as _;
use std::time::Instant;

use call_exchange::{ReadOptions, read, write_csv, write_json_lines};

fn main() {
    const ROWS: u64 = 1_000_000;
    let mut text = String::from("kernel,N,M,P,time_s\n");
    for row in 0..ROWS {
        let time_ns = row * 7919 % 1_000_003 + 1;
        let _ = writeln!(text, "sort,{},{},{},0.{time_ns:09}", row % 4096, row * 31, 1 << (row % 6));
    }
    let blanks = text.replace(',', " ");
    let samples = report("table with commas", &text);
    report("table with blanks", &blanks);
    report("JSON lines", &write_json_lines(&[&samples]));
    let start = Instant::now();
    let before_s = now_s(start);
    let written = write_csv(&[&samples]);
    println!("{:20} {:6.1} MB {:6.3} s", "writing CSV", written.len() as f64 / 1e6, now_s(start) - before_s);
    let names: String = (0..ROWS).map(|column| format!("c{column},")).collect();
    report("a million columns", &format!("{names}time_s\n{}1\n", "2,".repeat(ROWS as usize)));
}

/// Seconds on a processor, where Linux tells them; else seconds since the start.
fn now_s(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor_ns = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    on_processor_ns.map_or_else(|| start.elapsed().as_secs_f64(), |time_ns| time_ns / 1e9)
}

fn report(what: &str, text: &str) -> call_trace::Experiment {
    let start = Instant::now();
    let before_s = now_s(start);
    let imported = read("bench.csv", text.as_bytes(), &ReadOptions::default());
    println!("{what:20} {:6.1} MB {:6.3} s", text.len() as f64 / 1e6, now_s(start) - before_s);
    imported.ok().and_then(|imported| imported.trace.experiments.into_iter().next()).unwrap_or_default()
}
