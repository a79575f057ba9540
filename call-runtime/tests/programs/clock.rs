//! The clocks and what is subtracted from times.

use std::process::Command;

use super::available;
use super::rows::check_rows;
use crate::support::{self, ALL, Flavour, ON_THIS_COMPUTER, Run, WITH_THREADS, nanoseconds, root};

/// Whether the time stamp counter is invariant and the kernel trusts it; says so if it does not.
pub fn has_tsc() -> bool {
    let clocks = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
    let has_word = |path: &str, word: &str| {
        std::fs::read_to_string(path).is_ok_and(|text| text.split_whitespace().any(|found| found == word))
    };
    let found = cfg!(all(target_arch = "x86_64", target_os = "linux"))
        && has_word("/proc/cpuinfo", "nonstop_tsc")
        && has_word("/proc/cpuinfo", "rdtscp")
        && has_word(clocks, "tsc");
    if !found {
        eprintln!("skipped: the time stamp counter");
    }
    found
}

/// What `CALL_CLOCK` may be here, beside `counting`, and what the trace calls it.
fn clocks() -> Vec<(&'static str, &'static str)> {
    let mut clocks = vec![("monotonic", "CLOCK_MONOTONIC")];
    if has_tsc() {
        clocks.extend([("tsc", "TSC"), ("", "TSC")]);
    }
    clocks
}

#[test]
fn the_environment_chooses_the_clock() {
    for (clock, name) in clocks().into_iter().chain([("counting", "counting")]) {
        for flavour in ON_THIS_COMPUTER {
            let run = Run::of(flavour, "golden").variable("CALL_CLOCK", clock);
            run.succeed();
            let trace = run.trace("golden.call.0.dat");
            let number = |key: &str| -> Option<f64> {
                trace.value(key).map(|text| text.parse().unwrap_or_else(|_| panic!("{key}: {text}")))
            };
            assert_eq!(trace.value("clock"), Some(name));
            let resolution_ns = number("clock_resolution_ns").expect("it is there");
            assert!(resolution_ns > 0.1 && resolution_ns < 1000.0, "{resolution_ns}");
            assert_eq!(number("subtracted_ns"), None);
            let frequency = number("clock_frequency_hz");
            let uncertainty = number("clock_frequency_uncertainty_hz");
            assert_eq!((frequency.is_some(), uncertainty.is_some()), (name == "TSC", name == "TSC"));
            if let (Some(frequency), Some(uncertainty)) = (frequency, uncertainty) {
                assert!(frequency > 1e8 && frequency < 2e10, "{frequency}");
                // A millionth is aimed at, but a busy computer may not let it.
                assert!(uncertainty > 0.0 && uncertainty < frequency, "{uncertainty} of {frequency}");
            }
        }
    }
}

#[test]
fn clocks_that_cannot_be_are_refused() {
    for clock in ["Counting", "TSC", "tsc ", "sundial"] {
        let run = Run::of(Flavour::Plain, "golden").variable("CALL_CLOCK", clock);
        let outcome = run.fail(2, &format!("call: CALL_CLOCK: there is no clock `{clock}`: it is `tsc`, "));
        assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
    }
    for flavour in available(&[Flavour::Smpi]) {
        for clock in ["tsc", "monotonic"] {
            let run = Run::of(flavour, "golden").variable("CALL_CLOCK", clock);
            run.fail(
                2,
                &format!(
                    "call: CALL_CLOCK: `{clock}` cannot be used: only MPI_Wtime knows the simulated time"
                ),
            );
        }
    }
}

#[test]
fn a_counter_that_is_not_trusted_is_no_clock() {
    let directory = support::empty_directory();
    let compile = |name: &str, define: &str| {
        support::compile(
            Command::new(support::c_compiler())
                .args(["-std=gnu11", "-O0", define])
                .args(support::WARNINGS)
                .arg("-I")
                .arg(root().join("include"))
                .arg(root().join("tests/programs/golden.c"))
                .arg(root().join(call_runtime::EMBEDDED_SOURCE))
                .args(["-lm", "-pthread", "-o"])
                .arg(directory.join(name)),
        );
    };
    compile("planted", "-DCLL_CLOCKSOURCES=\"clocks\"");
    compile("without", "-DCLL_WITHOUT_TSC");
    let check = |program: &str, refusal: Option<&str>| {
        let run = |clock: &str| {
            let mut command = Command::new(directory.join(program));
            command.current_dir(&directory).env("CALL_CLOCK", clock).env("CALL_QUIET", "1");
            let output = command.output().expect("the program can be started");
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let trace = directory.join("golden.call.0.dat");
        assert_eq!(run(""), (Some(0), String::new()));
        let name = support::Trace::read(&std::fs::read_to_string(&trace).expect("a trace"))
            .value("clock")
            .map(str::to_owned);
        std::fs::remove_file(&trace).expect("the trace can be removed");
        assert_eq!(name.as_deref(), Some(if refusal.is_none() { "TSC" } else { "CLOCK_MONOTONIC" }));
        if let Some(refusal) = refusal {
            let message =
                format!("call: CALL_CLOCK: `tsc` cannot be used: {refusal}: leave the variable unset\n");
            assert_eq!(run("tsc"), (Some(2), message));
        }
    };
    if cfg!(not(all(target_arch = "x86_64", target_os = "linux"))) {
        check("planted", Some("this runtime was compiled without it"));
    } else if has_tsc() {
        let distrusted = Some("it is not among the clocks that the kernel trusts (clocks)");
        check("planted", distrusted);
        for (clocks, refusal) in [
            ("tsc hpet acpi_pm \n", None),
            ("kvm-clock tsc", None),
            ("hpet acpi_pm \n", distrusted),
            ("kvm-clock tsc-early\n", distrusted),
            ("", distrusted),
        ] {
            std::fs::write(directory.join("clocks"), clocks).expect("the list can be written");
            check("planted", refusal);
        }
    }
    check("without", Some("this runtime was compiled without it"));
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}

#[test]
fn clocks_agree_with_the_raw_one() {
    for (clock, _) in clocks() {
        for (flavour, case) in
            [(Flavour::Plain, "times"), (Flavour::Sanitized, "times"), (Flavour::Plain, "forked")]
        {
            let run = Run::of(flavour, "clock").variable("CALL_CLOCK", clock).with(case);
            let outcome = run.succeed();
            let bounds: Vec<f64> =
                outcome.stdout.split_whitespace().map(|word| word.parse().expect("a number")).collect();
            let mut bounds: Vec<_> = bounds.chunks(2).map(|pair| (pair[0], pair[1])).collect();
            if case == "forked" {
                bounds.remove(0);
            }
            let trace = run.trace("clock.call.0.dat");
            assert_eq!((trace.rows.len(), bounds.is_empty()), (bounds.len(), false), "{outcome:?}");
            // What the frequency is not known better than; and CLOCK_MONOTONIC may be slewed by 500 millionths.
            let number = |key| trace.value(key).map_or(0.0, |text| text.parse::<f64>().expect("a number"));
            let unknown = number("clock_frequency_uncertainty_hz") / number("clock_frequency_hz").max(1.0);
            let off = 0.001 + unknown;
            for (row, (least_ns, most_ns)) in trace.rows.iter().zip(bounds) {
                let time_ns = nanoseconds(&row[3]) as f64;
                assert!(
                    time_ns > (1.0 - off) * least_ns && time_ns < (1.0 + off) * most_ns,
                    "{clock}: {least_ns} {time_ns} {most_ns}"
                );
            }
        }
    }
}

#[test]
fn clocks_never_go_back() {
    for (clock, _) in clocks() {
        for flavour in available(&WITH_THREADS) {
            for case in ["monotone", "threads", "exact"] {
                Run::of(flavour, "clock").variable("CALL_CLOCK", clock).with(case).succeed();
            }
        }
    }
}

#[test]
fn the_empty_pair_is_subtracted_on_request() {
    // In the order in which they were begun: 3 ns, then each time an outer one around an inner one.
    let rows = |wanted: [(&str, u64); 7]| wanted.map(|(name, ns)| format!("{name} 0 1 0.{ns:09}"));
    let measured = rows([
        ("asleep", 3),
        ("at_work", 21),
        ("asleep", 7),
        ("at_work", 1022),
        ("asleep", 8),
        ("at_work", 2023),
        ("asleep", 9),
    ]);
    // What is nested keeps the cost of the measurement inside.
    let subtracted = rows([
        ("asleep", 0),
        ("at_work", 14),
        ("asleep", 0),
        ("at_work", 1015),
        ("asleep", 1),
        ("at_work", 2016),
        ("asleep", 2),
    ]);
    for flavour in ON_THIS_COMPUTER {
        for (value, key, wanted) in [("", None, &measured), ("empty_pair", Some("7"), &subtracted)] {
            let run = Run::of(flavour, "clock").counting().variable("CALL_SUBTRACT", value).with("readings");
            run.succeed();
            let trace = run.trace("clock.call.0.dat");
            assert_eq!((trace.value("empty_pair_ns"), trace.value("subtracted_ns")), (Some("7"), key));
            assert_eq!(trace.rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>(), *wanted);
        }
    }
    for value in ["1", "empty pair", "resolution"] {
        let run = Run::of(Flavour::Plain, "golden").variable("CALL_SUBTRACT", value);
        run.fail(
            2,
            &format!("call: CALL_SUBTRACT: `{value}` cannot be subtracted: it is `empty_pair`, or leave"),
        );
    }
    // Known also where nothing was measured before the report.
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "only_report").counting().variable("CALL_SUBTRACT", "empty_pair");
        run.succeed();
        assert_eq!(run.trace("only_report.call.0.dat").value("subtracted_ns"), Some("0"));
    }
    // Of all processors, also where another one writes them.
    for flavour in available(&ALL) {
        let run = Run::of(flavour, "rows").counting().variable("CALL_SUBTRACT", "empty_pair").on(2).with(10);
        check_rows(&run, 2, 10, flavour.transport());
        assert_eq!(run.trace("rows.call.2.dat").value("subtracted_ns"), Some("0"));
    }
}
