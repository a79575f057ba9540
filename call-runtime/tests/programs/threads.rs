//! Threads that measure for their processor.

use std::collections::HashSet;

use super::available;
use crate::support::{Flavour, Run, WITH_THREADS, nanoseconds};

#[test]
fn threads_that_have_ended_lose_nothing() {
    for flavour in available(&WITH_THREADS) {
        let most = if flavour == Flavour::Plain { 30_000 } else { 3000 };
        for (waves, threads, count) in [(1, 4, most), (300, 3, 2), (1, 1, 0)] {
            let run = Run::of(flavour, "threads").counting().with(waves).with(threads).with(count);
            let outcome = run.succeed();
            let trace = run.trace("threads.call.0.dat");
            assert_eq!(trace.value("processors"), Some("1"));
            assert_eq!(trace.value("late_chunks"), None);
            let ended = waves * threads;
            assert_eq!(trace.value("abandoned"), Some(ended.to_string().as_str()));
            let mut next = vec![0; ended];
            let mut others = 0;
            for row in &trace.rows {
                assert_eq!(row[1..3], ["0", "1"]);
                if row[0] == "all" {
                    others += 1;
                    continue;
                }
                let number: usize = row[3].parse().expect("the number of the thread");
                let k = next[number];
                assert_eq!((row[4].as_str(), nanoseconds(&row[5])), (k.to_string().as_str(), k));
                next[number] += 1;
            }
            assert!(next.iter().all(|rows| *rows == count), "{next:?}");
            assert_eq!(others, 1);
            // 900 threads with a chunk of 1 MiB for each would show.
            let mebibytes: u64 = outcome.stdout.trim().parse().expect("the most memory");
            assert!(mebibytes < 100 || flavour != Flavour::Plain, "{run:?}: {mebibytes} MiB");
        }
    }
}

#[test]
fn reports_while_threads_measure() {
    for flavour in available(&WITH_THREADS) {
        let (count, reports) = if flavour == Flavour::Plain { (60_000_u64, 20) } else { (6000, 10) };
        let run = Run::of(flavour, "busy").counting().with(4).with(count).with(reports);
        let outcome = run.succeed();
        assert!(!outcome.stderr.contains("ThreadSanitizer"), "{outcome:?}");
        let mut found: HashSet<(bool, u64, u64)> = HashSet::new();
        for name in run.trace_names() {
            for row in &run.trace(&name).rows {
                let is_outer = row[0] == "outer";
                let number = row[3].parse().expect("the number of the thread");
                let k = row[4].parse().expect("the number of the measurement");
                assert_eq!(nanoseconds(&row[5]), k + if is_outer { 1_000_000 } else { 0 }, "{row:?}");
                assert!(found.insert((is_outer, number, k)), "{name}: {row:?} is there twice");
            }
        }
        assert_eq!(found.len() as u64, 2 * 4 * count);
        assert_eq!(run.trace_names().len(), 2 * reports + 1);
    }
}

#[test]
fn threads_of_bsp_processors() {
    for flavour in
        available(&[Flavour::Plain, Flavour::Sanitized, Flavour::Threads, Flavour::Mpi, Flavour::Mpich])
    {
        let run = Run::of(flavour, "bsp_threads").counting().on(3);
        let outcome = run.succeed();
        assert!(!outcome.stderr.contains("ThreadSanitizer"), "{outcome:?}");
        let trace = run.trace("bsp_threads.call.0.dat");
        // Over MPI every process has been there from the start.
        let processors_before = if flavour.is_over_mpi() { 3 } else { 1 };
        let mut rows: Vec<String> = trace.rows.iter().map(|row| row.join(" ")).collect();
        let mut wanted = Vec::new();
        for (experiment, size, processors) in [("before", 1, processors_before), ("after", 3, 3)] {
            for (processor, thread, k) in (0..processors)
                .flat_map(|processor| (0..3).map(move |thread| (processor, thread)))
                .flat_map(|(processor, thread)| (0..50).map(move |k| (processor, thread, k)))
            {
                let time_ns = 100 * thread + k;
                wanted.push(format!("{experiment} {processor} {size} {thread} {k} 0.{time_ns:09}"));
            }
        }
        assert!(trace.rows.iter().map(|row| &row[1]).is_sorted());
        rows.sort();
        wanted.sort();
        assert_eq!(rows, wanted);
    }
}
