//! What tests of several files need.
#![allow(dead_code, reason = "each test file uses a part")]

use std::fmt::Write as _;

use call_exchange::{Imported, ReadOptions, read};

/// The bytes of a file of `tests/files`.
pub fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/files/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The files of `tests/files`, one for each format and dialect.
pub const FILES: &[&str] = &[
    "caliper.json",
    "call_one.dat",
    "call_one.json",
    "call_one.xml",
    "experiment.extra-p",
    "extra_p.json",
    "extra_p.jsonl",
    "extra_p.txt",
    "extra_p_3",
    "extra_p_old.json",
    "google_benchmark.json",
    "growing.arrow",
    "hyperfine.json",
    "jmh.json",
    "likwid.csv",
    "nsys.csv",
    "pytest_benchmark.json",
    "results.csv",
    "samples.feather",
    "spans.feather",
    "talpas.txt",
    "timings.arrow",
    "timings.csv",
    "timings.feather",
    "timings.jsonl",
    "timings.tsv",
    "timings.txt",
    "timings.xlsx",
    "timings_de.csv",
    "trace.dat",
    "wide_repetitions.csv",
    "wide_sizes.csv",
];

pub fn read_file(name: &str) -> Imported {
    read(name, &file(name), &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// An import as lines: format, experiments with formulas, rows, notes.
pub fn describe(imported: &Imported) -> String {
    let mut text = format!("{}, {} processors\n", imported.format, imported.trace.header.processors);
    for its in &imported.trace.experiments {
        let formula = its.formula.as_ref().map_or_else(String::new, |formula| format!(" = {formula}"));
        let counters: Vec<String> =
            its.samples.counter_names.iter().map(|name| format!(" | {name}")).collect();
        writeln!(text, "{}{formula}: {} time_s{}", its.name, its.samples.names.join(" "), counters.concat())
            .unwrap();
        for row in 0..its.samples.len() {
            let values: Vec<String> =
                its.samples.columns.iter().map(|column| column[row].to_string()).collect();
            let counts: Vec<String> =
                its.samples.counters.iter().map(|column| format!(" | {}", column[row])).collect();
            let processor = its.samples.processor[row];
            writeln!(
                text,
                "  {processor}: {} {}{}",
                values.join(" "),
                its.samples.time_s[row],
                counts.concat()
            )
            .unwrap();
        }
        let kept = &its.summaries;
        for row in 0..kept.len() {
            let values: Vec<String> =
                kept.points.columns.iter().map(|column| column[row].to_string()).collect();
            let (count, mean) = (kept.points.count[row], kept.points.time_s[row]);
            let squares = kept.sum_squares_s2[row];
            let (least, most) = (kept.min_s[row], kept.max_s[row]);
            writeln!(
                text,
                "  {count} of {}: mean {mean}, {least} to {most}, squares {squares}",
                values.join(" ")
            )
            .unwrap();
        }
    }
    for note in &imported.notes {
        writeln!(text, "- {note}").unwrap();
    }
    text
}
