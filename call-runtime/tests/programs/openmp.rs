//! Teams of OpenMP threads.

use super::available;
use crate::support::{Flavour, Run, WITH_OPENMP, nanoseconds};

#[test]
fn threads_of_a_team_are_processors() {
    for flavour in available(&WITH_OPENMP) {
        for threads in [1, 2, 5] {
            let run = Run::of(flavour, "openmp").counting().on(threads).with("rows");
            run.succeed();
            assert_eq!(run.trace_names().len(), 13);
            let text = threads.to_string();
            let first = run.trace("openmp.call.0.dat");
            assert_eq!(first.value("kind"), Some("OpenMP"));
            assert_eq!(first.value("transport"), Some("none"));
            assert_eq!(first.value("processors"), Some(text.as_str()));
            let mut rows: Vec<[&str; 5]> =
                first.rows.iter().map(|row| std::array::from_fn(|at| row[at].as_str())).collect();
            let alone = ["alone", "0", "1", "nan", "0.000000000"];
            assert_eq!((rows[0], rows.remove(1001)), (alone, alone));
            rows.remove(0);
            for (at, row) in rows.iter().enumerate() {
                let (processor, k) = (at / 1000, at % 1000);
                assert_eq!(row[..4], ["team", &processor.to_string(), &text, &k.to_string()]);
                assert_eq!(nanoseconds(row[4]), (1000 * k + processor) as u64);
            }
            assert_eq!(rows.len(), 1000 * threads);

            let part = run.trace("openmp.call.1.dat");
            assert_eq!(part.value("processors"), Some("2"));
            let row = |processor| ["part", processor, "2", "7", "0.000000000"];
            assert_eq!(part.rows, [row("0"), row("1")]);
            for k in 0..10 {
                let trace = run.trace(&format!("openmp.call.{}.dat", k + 2));
                let measured: Vec<_> = trace.rows.iter().map(|row| row[..4].join(" ")).collect();
                assert_eq!(measured, [format!("team 0 2 {k}"), format!("team 1 2 {k}")]);
            }
            assert_eq!(run.trace("openmp.call.12.dat").rows, [alone]);
        }
    }
}

/// As many threads of each inner team measure, P is the size of the innermost team.
#[test]
fn teams_inside_a_team_measure() {
    for flavour in available(&WITH_OPENMP) {
        let run = Run::of(flavour, "openmp").counting().with("nested");
        run.succeed();
        let trace = run.trace("openmp.call.0.dat");
        let mut rows: Vec<String> = trace.rows.iter().map(|row| row[1..4].join(" ")).collect();
        rows.sort();
        assert_eq!(
            rows,
            ["0 2 2", "0 2 4", "0 3 3", "0 3 3", "1 2 2", "1 2 4", "1 3 3", "1 3 3", "2 3 3", "2 3 3"]
        );
    }
}

#[test]
fn teams_that_cannot_be_told_apart_are_refused() {
    for flavour in available(&WITH_OPENMP) {
        let nested = Run::of(flavour, "openmp").with("inner-report");
        let outcome = nested.fail(2, "call: report: this parallel region is inside another one");
        assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
    }
    for flavour in available(&[Flavour::OpenMp]) {
        let runtime = Flavour::Plain;
        let run = Run::with_runtime_of(runtime, flavour, &["openmp"]).on(3).with("rows");
        let message = "call: use: the program runs a team of OpenMP threads, but the runtime was compiled without OpenMP";
        let outcome = run.fail(2, message);
        assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
    }
}
