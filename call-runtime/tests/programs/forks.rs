//! Processes that the program forks have measurements of their own.

use crate::support::{ON_THIS_COMPUTER, Run, Trace, nanoseconds};

fn steps(trace: &Trace) -> Vec<(&str, u64)> {
    let rows = trace.rows.iter().filter(|row| row[0] == "step");
    rows.map(|row| (row[3].as_str(), nanoseconds(row.last().expect("a time")))).collect()
}

#[test]
fn a_child_reports_what_it_measured() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "forks").counting().with("report");
        run.succeed();
        let (child, parent) = (run.trace("forks.call.0.dat"), run.trace("forks.call.1.dat"));
        assert_eq!(steps(&child), [("11", 11), ("12", 12)]);
        assert_eq!(steps(&parent), [("1", 1), ("2", 2), ("3", 3), ("21", 21)]);
        assert_eq!(parent.rows.len(), 5);
        assert_ne!(child.value("run"), parent.value("run"));
    }
}

#[test]
fn a_child_that_does_not_report_leaves_a_file() {
    for flavour in ON_THIS_COMPUTER {
        for body in ["text", "summary"] {
            let run = Run::of(flavour, "forks").counting().variable("CALL_TRACE", body).with("exit");
            let outcome = run.succeed();
            assert!(
                outcome.stderr.contains("the program ended without a report of 2 measurements: see "),
                "{outcome:?}"
            );
            let names = run.trace_names();
            let left: Vec<&String> = names.iter().filter(|name| name.contains("unfinished")).collect();
            assert_eq!((names.len(), left.len()), (2, 1), "{names:?}");
            if body == "summary" {
                let kept = run.trace_text(left[0]);
                let rows = kept.lines().filter(|line| line.starts_with("step "));
                let points = rows.map(|row| row.split(' ').collect::<Vec<_>>()).filter(|row| row[5] != "0");
                assert_eq!(points.map(|row| row[3]).collect::<Vec<_>>(), ["11", "12"], "{kept}");
            }
        }
    }
}
