//! Counters: how much they count, where, and what is said of those that are missing.

use crate::support;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{Flavour, ON_THIS_COMPUTER, Run, Trace, WITH_THREADS, root};

/// What a process does beside the pages that the test writes to.
const SLACK: u64 = 90;

fn available(flavours: &[Flavour]) -> Vec<Flavour> {
    flavours.iter().copied().filter(|flavour| flavour.is_available()).collect()
}

/// Perf events may be forbidden here; the kernel's own numbers are always there.
fn both_sources() -> Vec<(Flavour, &'static str)> {
    let flavours = available(&WITH_THREADS).into_iter();
    flavours.flat_map(|flavour| [(flavour, "perf"), (flavour, "getrusage")]).collect()
}

fn column(trace: &Trace, name: &str) -> usize {
    trace.columns.iter().position(|column| column == name).unwrap_or_else(|| panic!("{:?}", trace.columns))
}

fn texts<'t>(trace: &'t Trace, experiment: &str, name: &str) -> Vec<&'t str> {
    let at = column(trace, name);
    let rows = trace.rows.iter().filter(|row| row[0] == experiment);
    rows.map(|row| row[at].as_str()).collect()
}

/// The counts of an experiment; `None` where the kernel counts nothing for us, which the trace must say then.
fn counts(trace: &Trace, experiment: &str, name: &str) -> Option<Vec<u64>> {
    let missing = trace.value("missing_counters").unwrap_or_default();
    let texts = texts(trace, experiment, name);
    assert!(!texts.is_empty());
    if missing.contains(&format!("{name} (perf: ")) {
        eprintln!("skipped: {missing}");
        assert!(texts.iter().all(|count| *count == "nan"), "{texts:?}");
        return None;
    }
    Some(texts.iter().map(|count| count.parse().unwrap()).collect())
}

fn assert_about(count: u64, pages: u64) {
    assert!((pages..pages + SLACK).contains(&count), "{count} page faults for {pages} pages");
}

#[test]
fn pages_are_counted_where_they_are_written_to() {
    for (flavour, source) in both_sources() {
        let run = Run::of(flavour, "counters").variable("CALL_COUNTERS", source).with("pages").with(700);
        run.succeed();
        let trace = run.trace("counters.call.0.dat");
        let minor = "perf::PERF_COUNT_SW_PAGE_FAULTS_MIN";
        assert_eq!(trace.columns, ["experiment", "processor", "P", "K", "page-faults", minor, "time_s"]);
        assert_eq!(trace.values("counters"), [&format!("page-faults {minor}"), "page-faults"]);
        assert_eq!(trace.values("observable"), [""; 0]);
        assert_eq!(texts(&trace, "plain", "page-faults"), ["nan"]);
        assert_eq!(texts(&trace, "around", minor), ["nan"]);
        for name in ["page-faults", minor] {
            if let Some(counts) = counts(&trace, "pages", name) {
                assert_about(counts[0], 700);
                assert_about(counts[1], 700);
                assert_about(counts[2], 0);
            }
        }
        if let Some(counts) = counts(&trace, "around", "page-faults") {
            assert_about(counts[0], 700);
        }
    }
}

/// The buffers that a nest of blocks fills have some 60 pages each; they are no pages of the block around, but what sanitizers note of each block is.
#[test]
fn buffers_are_no_events_of_the_program() {
    for source in ["perf", "getrusage"] {
        for saving in ["never", "0.001"] {
            let run = Run::of(Flavour::Plain, "counters")
                .variable("CALL_COUNTERS", source)
                .variable("CALL_SAVE", saving);
            let run = run.with("buffers").with(200);
            run.succeed();
            if let Some(counts) = counts(&run.trace("counters.call.0.dat"), "around", "page-faults") {
                assert_about(counts[0], 200);
            }
        }
    }
}

#[test]
fn threads_count_for_themselves() {
    for (flavour, source) in both_sources() {
        let run = Run::of(flavour, "counters").variable("CALL_COUNTERS", source).with("threads").with(4);
        run.succeed();
        let trace = run.trace("counters.call.0.dat");
        let sizes: Vec<u64> = texts(&trace, "pages", "K").iter().map(|size| size.parse().unwrap()).collect();
        assert_eq!(sizes.len(), 1 + 2 + 3 + 4);
        for (count, size) in counts(&trace, "pages", "page-faults").into_iter().flatten().zip(sizes) {
            assert_about(count, size);
        }
    }
}

#[test]
fn embedded_processors_count_for_themselves() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "counters_bsplib").on(3).variable("CALL_COUNTERS", "perf");
        let outcome = run.succeed();
        let trace = run.trace("counters_bsplib.call.0.dat");
        assert_eq!(outcome.stderr.matches("PAPI_FAKE_1 is not counted: ").count(), 1, "{outcome:?}");
        assert_eq!(texts(&trace, "none", "PAPI_FAKE_1"), ["nan"; 3]);
        if let Some(counts) = counts(&trace, "inside", "page-faults") {
            for (count, pages) in counts.iter().zip([100, 200, 300]) {
                assert_about(*count, pages);
            }
        }
        if let Some(counts) = counts(&trace, "around", "page-faults") {
            for (count, pages) in counts.iter().zip([150, 250, 350]) {
                // The processors start inside, with pages of their own.
                assert!(*count >= pages, "{count} page faults for {pages} pages");
            }
        }
    }
}

#[test]
fn a_child_goes_on_counting() {
    for (flavour, source) in both_sources() {
        if flavour == Flavour::Threads {
            continue; // it does not allow what the child does
        }
        let run = Run::of(flavour, "counters").variable("CALL_COUNTERS", source).with("fork");
        run.succeed();
        let trace = run.trace("counters.call.0.dat");
        if let Some(counts) = counts(&trace, "around", "page-faults") {
            assert_about(counts[0], 300 + 400);
        }
    }
}

#[test]
fn time_of_the_processor_and_switches() {
    for (flavour, source) in both_sources() {
        let run = Run::of(flavour, "counters").variable("CALL_COUNTERS", source).with("busy");
        run.succeed();
        let trace = run.trace("counters.call.0.dat");
        for (name, least) in [
            ("page-faults", 300),
            ("context-switches", 1),
            ("task-clock", 1_000_000),
            ("cpu-clock", 1_000_000),
        ] {
            if let Some(counts) = counts(&trace, "busy", name) {
                assert!(counts[0] >= least, "{name} by {source}: {counts:?}");
            }
        }
    }
}

const NO_PAPI: &str = "PAPI_NONE_SUCH (perf: there is no such event)";
const NO_NATIVE: &str = "none::SUCH:u=1 (perf: there is no such event)";

#[test]
fn what_is_missing_is_said_once_and_in_each_header() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "counters").variable("CALL_COUNTERS", "perf").counting().with("names");
        let outcome = run.succeed();
        for line in ["PAPI_NONE_SUCH", "none::SUCH:u=1"] {
            let line = format!("call: {line} is not counted: perf: there is no such event\n");
            assert_eq!(outcome.stderr.matches(&line).count(), 1, "{outcome:?}");
        }
        for (number, values) in [(0, ["7", "0.25"]), (1, ["8", "0.5"])] {
            let trace = run.trace(&format!("counters.call.{number}.dat"));
            let missing = trace.value("missing_counters").unwrap();
            assert!(missing.starts_with(NO_PAPI) && missing.ends_with(NO_NATIVE), "{missing}");
            assert_eq!(trace.value("counters"), Some("PAPI_NONE_SUCH page-faults none::SUCH:u=1"));
            assert_eq!(trace.value("observable"), Some("page-faults"));
            assert_eq!(
                trace.columns[3..],
                ["N", "x", "PAPI_NONE_SUCH", "page-faults", "none::SUCH:u=1", "time_s"]
            );
            let row = &trace.rows[0];
            assert_eq!(row[3..5], values);
            assert_eq!([&row[5], &row[7], &row[8]], ["nan", "nan", "0.000000000"]);
            if let Some(counts) = counts(&trace, "names", "page-faults") {
                assert_about(counts[0], 0);
            }
        }
    }
}

#[test]
fn counters_can_be_switched_off() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "counters").variable("CALL_COUNTERS", "off").with("pages").with(9);
        let outcome = run.succeed();
        assert_eq!(outcome.stderr, "call: wrote counters.call.0.dat (5 rows)\n");
        let trace = run.trace("counters.call.0.dat");
        assert_eq!(
            trace.value("missing_counters"),
            Some("page-faults (CALL_COUNTERS=off); perf::PERF_COUNT_SW_PAGE_FAULTS_MIN (CALL_COUNTERS=off)")
        );
        assert_eq!(texts(&trace, "pages", "page-faults"), ["nan"; 3]);
        Run::of(flavour, "counters").variable("CALL_COUNTERS", "likwid").with("pages").with(9).fail(
            2,
            "call: CALL_COUNTERS: nothing counts with `likwid`: it is `papi`, `perf`, `getrusage`, `callgrind` or `off`, or leave the variable unset\n",
        );
    }
}

#[test]
fn shared_counters_are_projected() {
    for flavour in ON_THIS_COMPUTER {
        let outcome = Run::of(flavour, "counters_projection").succeed();
        let expected = [
            "0 1070 0 7",
            "1 1072 0 17", // counted for half of the time
            "1 1072 0 17", // not counted at all
            "1 1092 0 37", // that time, too: a 20th of it
            "0 1092 0 38",
            "-1 1092 0 38", // the events of another group
            "-1",
        ];
        assert_eq!(outcome.stdout, expected.map(|line| format!("{line}\n")).concat());
    }
}

/// A directory with a libpapi of our own.
fn fake_papi(name: &str) -> PathBuf {
    let directory = support::empty_directory();
    support::compile(
        Command::new(support::c_compiler())
            .args(["-std=c99", "-D_GNU_SOURCE", "-shared", "-fPIC"])
            .args(support::WARNINGS)
            .arg(root().join("tests/programs/fake_papi.c"))
            .args(["-pthread", "-o"])
            .arg(directory.join(name)),
    );
    directory
}

#[test]
fn papi_counts_outside_of_the_time() {
    let library = fake_papi("libpapi.so");
    for flavour in ON_THIS_COMPUTER {
        for choice in ["", "papi"] {
            let run = Run::of(flavour, "counters").counting().variable("CALL_COUNTERS", choice);
            let run = run.variable("LD_LIBRARY_PATH", library.to_str().unwrap()).with("papi").with(3);
            let outcome = run.succeed();
            let trace = run.trace("counters.call.0.dat");
            let missing = "PAPI_FAKE_CONFLICT (PAPI: cannot be counted [too, many]";
            assert!(trace.value("missing_counters").unwrap().starts_with(missing));
            assert!(trace.value("missing_counters").unwrap().contains("; PAPI_FAKE_ABSENT (PAPI: no event"));
            assert_eq!(outcome.stderr.matches(" is not counted: PAPI: ").count(), 2, "{outcome:?}");
            let papi = |number| {
                // Between the two readings of `papi` lie those of `inner`, which take time in it.
                ["papi", "0", "1", number, "6", "nan", "3", "nan", "0.000002006"]
            };
            let inner = ["inner", "0", "1", "nan", "nan", "nan", "1", "nan", "0.000000001"];
            // The clock of each thread starts at 0.
            assert_eq!(trace.rows, [papi("1"), papi("2"), papi("3"), inner, inner, inner]);
            // The thread that reports has one, too.
            assert!(outcome.stdout.contains("4 sets, 3 destroyed, 3 threads left\n"), "{outcome:?}");
        }
        let refused = Run::of(flavour, "counters").counting().variable("FAKE_PAPI", "start");
        let refused = refused.variable("LD_LIBRARY_PATH", library.to_str().unwrap()).with("papi").with(1);
        refused.succeed();
        let trace = refused.trace("counters.call.0.dat");
        assert_eq!(texts(&trace, "papi", "PAPI_FAKE_1"), ["nan"]);
        assert!(
            trace
                .value("missing_counters")
                .unwrap()
                .contains("PAPI_FAKE_1 (PAPI: cannot be counted [too, many], perf: there is no such event)")
        );
    }
}

#[test]
fn summaries_have_means_of_counters() {
    let library = fake_papi("libpapi.so");
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "counters").counting().variable("CALL_TRACE", "summary");
        let run = run.variable("LD_LIBRARY_PATH", library.to_str().unwrap()).with("papi").with(3);
        run.succeed();
        let trace = run.trace("counters.call.0.dat");
        let count = column(&trace, "count");
        let inner: Vec<_> = trace.rows.iter().filter(|row| row[0] == "inner" && row[count] != "0").collect();
        assert_eq!(inner.len(), 1, "counts make no points: {inner:?}");
        assert_eq!(inner[0][count], "3");
        assert_eq!(inner[0][3..9], ["nan", "nan", "nan", "1", "nan", "0.000000001"]);
        // What a single measurement counted is not kept.
        assert_eq!(texts(&trace, "inner", "PAPI_FAKE_1"), ["1", "nan", "nan", "nan"]);
        let missing = trace.value("missing_counters").unwrap();
        assert!(missing.starts_with("PAPI_FAKE_CONFLICT (PAPI: "), "{missing}");
    }
}

#[test]
fn counters_of_files_that_come_late_are_added() {
    let library = fake_papi("libpapi.so");
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "counters").counting().variable("CALL_COUNTERS", "papi").with("late");
        let run = run.variable("LD_LIBRARY_PATH", library.to_str().unwrap());
        run.succeed();
        let trace = run.trace("late.call.0.dat");
        // Once while the further counter is added, once each at its begin and end, and once at the own end.
        assert_eq!(texts(&trace, "inner", "PAPI_FAKE_1"), ["4"]);
        assert_eq!(texts(&trace, "late", "PAPI_FAKE_5"), ["5"]);
    }
}

/// Also with the name that the library has where nothing is installed to compile with it.
#[test]
fn papi_counts_in_each_embedded_processor() {
    let library = fake_papi("libpapi.so.7.1");
    // An installed one must not come first.
    std::fs::write(library.join("libpapi.so"), "none").unwrap();
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "counters_bsplib").on(3).variable("CALL_COUNTERS", "papi");
        let run = run.variable("LD_LIBRARY_PATH", library.to_str().unwrap());
        run.succeed();
        let trace = run.trace("counters_bsplib.call.0.dat");
        assert_eq!(texts(&trace, "none", "PAPI_FAKE_1"), ["1"; 3]);
        assert_eq!(
            trace.value("missing_counters"),
            Some("page-faults (PAPI: no event)"),
            "perf is not asked"
        );
    }
}

#[test]
fn mpi_processors_say_it_once() {
    for flavour in available(&[Flavour::Mpi]) {
        let run = Run::of(flavour, "counters_mpi").on(2).variable("CALL_COUNTERS", "perf");
        let outcome = run.succeed();
        assert_eq!(outcome.stderr.matches("PAPI_NONE_SUCH is not counted: perf: ").count(), 1, "{outcome:?}");
        let trace = run.trace("counters_mpi.call.0.dat");
        assert!(trace.value("missing_counters").unwrap().starts_with(NO_PAPI));
        if let Some(counts) = counts(&trace, "f", "page-faults") {
            assert_eq!(counts.len(), 2);
        }
    }
    for flavour in available(&[Flavour::Smpi]) {
        let run = Run::of(flavour, "counters_mpi").on(3);
        let outcome = run.succeed();
        let reason = "simulated processors share one thread";
        for name in ["PAPI_NONE_SUCH", "page-faults"] {
            let line = format!("call: {name} is not counted: {reason}\n");
            assert_eq!(outcome.stderr.matches(&line).count(), 1, "{outcome:?}");
        }
        let trace = run.trace("counters_mpi.call.0.dat");
        assert_eq!(
            trace.value("missing_counters"),
            Some(format!("PAPI_NONE_SUCH ({reason}); page-faults ({reason})").as_str())
        );
        assert_eq!(texts(&trace, "f", "page-faults"), ["nan"; 3]);
    }
}

#[test]
fn files_that_contradict_each_other_end_the_run() {
    let cases = [
        (
            "counters_other",
            "experiment around has the counters `page-faults` in counters.c, but the counters `cycles` in counters_other.c: write the \
             same in both files, or give one of them another name",
        ),
        (
            "counters_variable",
            "`PAPI_FAKE_1` is a counter of experiment papi in counters.c, and a variable of experiment g in counters_variable.c: give \
             the variable another name",
        ),
    ];
    for flavour in ON_THIS_COMPUTER {
        for (other, message) in cases {
            Run::of_files(flavour, &["counters", other]).fail(2, &format!("call: {message}\n"));
        }
    }
}
