//! Options of `load` do with what was condensed what they do with traces, or say that they cannot.

use std::fmt::Write;
use std::sync::Arc;

use llac::{MemoryWorkspace, Session, json};

use crate::condense::Shared;

/// A run of 40 measurements at each of seven sizes: 500 + 3 N misses and 1000 + 20 N instructions in 1e-4 + 1e-7 N seconds.
fn trace(run: u32) -> String {
    let mut rows = String::new();
    for _ in 0..40 {
        for step in 0..7 {
            let size = 1000 << step;
            let time_s = 1e-4 + 1e-7 * f64::from(size);
            writeln!(rows, "f 0 1 {size} {} {} {time_s:.9}", 500 + 3 * size, 1000 + 20 * size).unwrap();
        }
    }
    format!(
        "# call-trace 1\n# program: p\n# date: 2026-11-1{run}T09:30:00Z\n# processors: 1\n# run: x{run}\n# reports: 1\n# experiment: f\n\
         # formula: f[0] + f[1]*N\n# variables: N\n# counters: misses instr\n# observable: misses\n\
         experiment processor P N misses instr time_s\n{rows}# end rows=280\n"
    )
}

const FILES: [&str; 3] = ["?.dat", "condensed.parquet", "exported.parquet"];

fn files() -> Arc<MemoryWorkspace> {
    let files = Arc::new(MemoryWorkspace::with((0..2).map(|run| (format!("{run}.dat"), trace(run)))));
    let mut session = session(&files);
    for line in ["condense ?.dat into condensed.parquet", "load ?.dat", "export f exported.parquet"] {
        assert!(session.run(line).is_ok(), "{line}");
    }
    files
}

fn session(files: &Arc<MemoryWorkspace>) -> Session {
    Session::new(Box::new(Shared(Arc::clone(files))))
}

#[test]
fn responses_are_chosen_as_of_traces() {
    let files = files();
    for file in FILES {
        for (option, truth) in [
            ("", 3.0),
            ("time=misses", 3.0),
            ("time=instr", 20.0),
            ("metric=instr", 20.0),
            ("time=time", 1e-7),
        ] {
            let mut session = session(&files);
            let mut answer = None;
            for line in [&format!("load {file} {option}"), "set repetitions mean", "aleph f[1]"] {
                answer = session.run(line).ok();
                assert!(answer.is_some(), "{file} {option}: {line}");
            }
            let text = json::outcome(&answer.unwrap()).to_string();
            let value = text.rsplit("\"value_").next().unwrap().split(':').nth(1).unwrap();
            let value = value.split([',', '}']).next().unwrap();
            let value: f64 = value.parse().unwrap();
            assert!((value / truth - 1.0).abs() < 1e-6, "{file} {option}: {text}");
        }
    }
}

#[test]
fn options_that_nothing_can_be_done_with_are_refused() {
    let files = files();
    for file in FILES {
        for (option, told) in [
            ("time=bogus", "no counter `bogus`"),
            ("metric=misses,instr", "one response at a time"),
            ("unit=ms", "`unit=` says nothing about"),
            ("decimal=.", "`decimal=` says nothing about"),
            ("experiment=N", "`experiment=` says nothing about"),
            ("name=g", "`name=` says nothing about"),
            ("processors=N", "`processors=` says nothing about"),
            ("without=N", "`without=` says nothing about"),
            ("keep=N", "`keep=` says nothing about"),
            ("sheet=N", "has no sheet"),
        ] {
            for line in [format!("load {file} {option}"), format!("condense {file} {option} into x.parquet")]
            {
                let error = session(&files).run(&line).err().map(|error| error.render(&line));
                assert!(error.as_ref().is_some_and(|error| error.contains(told)), "{line}: {error:?}");
            }
        }
    }
}
