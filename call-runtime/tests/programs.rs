//! Compiles the programs of tests/programs with warnings as errors and checks what they do: plain, under sanitizers, and where there
//! is more than one processor also over MPI and over the simulated MPI of SimGrid.

#![allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]

mod bsplib;
mod support;

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{ALL, Flavour, ON_THIS_COMPUTER, Run, WITH_MPI, WITH_OPENMP, WITH_THREADS, nanoseconds, root};

fn available(flavours: &[Flavour]) -> impl Iterator<Item = Flavour> {
    flavours.iter().copied().filter(|flavour| flavour.is_available())
}

/// Lines about the host, whose values differ from run to run.
fn masked(trace: &str) -> String {
    let keys = ["command", "date", "host", "system", "cpu", "cores", "compiler", "flags"];
    let mask = |line: &str| match line.strip_prefix("# ").and_then(|line| line.split_once(": ")) {
        Some((key, value)) if keys.contains(&key) => {
            assert!(!value.is_empty(), "{key} has no value");
            format!("# {key}: *\n")
        }
        _ => format!("{line}\n"),
    };
    trace.lines().map(mask).collect()
}

#[test]
fn trace_is_exact() {
    let wanted = include_str!("programs/golden.dat");
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "golden").counting();
        for number in 0..3 {
            let outcome = run.succeed();
            let name = format!("golden.call.{number}.dat");
            assert_eq!(outcome.stderr, format!("call: wrote {name} (9 rows)\n"));
            assert_eq!(masked(&run.trace_text(&name)), wanted);
        }
        let quiet = Run::of(flavour, "golden").variable("CALL_QUIET", "1");
        assert_eq!(quiet.succeed().stderr, "");
        assert_eq!(quiet.trace_names(), ["golden.call.0.dat"]);
    }
}

#[test]
fn host_facts_are_those_of_this_host() {
    let run = Run::of(Flavour::Plain, "golden").with("two words").with("it's").with("");
    run.succeed();
    let trace = run.trace("golden.call.0.dat");
    let command = trace.value("command").expect("the header has the command");
    // Quoted for the shell; the backslash is escaped as in all values.
    assert!(command.ends_with(r"golden 'two words' 'it'\\''s' ''"), "{command}");
    assert_eq!(trace.value("clock"), Some(if has_tsc() { "TSC" } else { "CLOCK_MONOTONIC" }));
    assert_eq!(trace.value("flags"), Some("optimised"));
    let date = trace.value("date").expect("the header has the date").as_bytes();
    assert!(date.len() == 20 && date[4] == b'-' && date[10] == b'T' && date[19] == b'Z', "{date:?}");
    let kernel = Command::new("uname").args(["-s", "-r", "-m"]).output().expect("uname is there").stdout;
    assert_eq!(trace.value("system"), Some(String::from_utf8_lossy(&kernel).trim()));
    let pair_ns: u64 = trace.value("empty_pair_ns").expect("it is there").parse().expect("it is a number");
    assert!((1..100_000).contains(&pair_ns), "{pair_ns}");
    let sanitized = Run::of(Flavour::Sanitized, "golden");
    sanitized.succeed();
    assert_eq!(sanitized.trace("golden.call.0.dat").value("flags"), Some("optimised, address sanitizer"));
}

#[test]
fn recursion_has_no_depth_limit() {
    for (flavour, depth) in [(Flavour::Plain, 100_000), (Flavour::Sanitized, 20_000)] {
        let run = Run::of(flavour, "recursion").counting().with(depth);
        run.succeed();
        let trace = run.trace("recursion.call.0.dat");
        assert_eq!(trace.rows.len(), depth + 1);
        for (row, k) in trace.rows.iter().zip((0..=depth).rev()) {
            assert_eq!(row[3], k.to_string());
            assert_eq!(nanoseconds(&row[4]), k as u64 + 1);
        }
        // A chunk holds 26000 of these records, and only the first one is ready before the measurement.
        assert_eq!(trace.value("late_chunks").is_some(), depth > 50_000, "{:?}", trace.header);
    }
}

#[test]
fn many_records_over_many_chunks() {
    for (flavour, count) in [(Flavour::Plain, 300_000), (Flavour::Sanitized, 100_000)] {
        let run = Run::of(flavour, "many").counting().with(count);
        run.succeed();
        let trace = run.trace("many.call.0.dat");
        assert_eq!(trace.value("late_chunks"), None);
        assert_eq!(trace.rows.len(), count);
        for (k, row) in trace.rows.iter().enumerate() {
            assert_eq!(row[..4], ["f", "0", "1", &k.to_string()]);
            assert_eq!(nanoseconds(&row[4]), k as u64);
        }
    }
}

#[test]
fn abandoned_measurements_are_counted_and_open_ones_stay() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "abandoned").counting();
        run.succeed();
        let first = run.trace("abandoned.call.0.dat");
        assert_eq!(first.value("abandoned"), Some("3"));
        assert_eq!(first.rows, [["outer", "0", "1", "0.000000021"], ["outer", "0", "1", "0.000000101"]]);
        let second = run.trace("abandoned.call.1.dat");
        assert_eq!(second.value("abandoned"), None);
        assert_eq!(second.rows, [["inner", "0", "1", "0.000001000"]]);
    }
}

#[test]
fn values_lose_nothing() {
    let reals = [
        0.1,
        1.0 / 3.0,
        1e15,
        1e15 + 0.5,
        123_456_789.25,
        -2.5,
        -0.0,
        0.0,
        1e300,
        f64::MAX,
        f64::MIN_POSITIVE,
        4.9e-324,
        5e-310,
        999_999_999_999_999.0,
        1e14,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "values").variable("LC_ALL", "de_DE.UTF-8");
        run.succeed();
        let trace = run.trace("values.call.0.dat");
        assert_eq!(trace.columns, ["experiment", "processor", "P", "i", "n", "r", "time_s"]);
        let column = |experiment: &str, at: usize| -> Vec<&str> {
            trace.rows.iter().filter(|row| row[0] == experiment).map(|row| row[at].as_str()).collect()
        };
        assert_eq!(column("integers", 3), ["-9223372036854775808", "-1", "0", "1", "9223372036854775807"]);
        assert_eq!(column("naturals", 4), ["0", "1", "18446744073709551615"]);
        assert!(column("reals", 3).iter().all(|value| *value == "nan"));
        let written = column("reals", 5);
        assert_eq!(written.len(), reals.len());
        for (text, real) in written.iter().zip(reals) {
            let read: f64 = text.parse().expect("a real can be read back");
            assert!(
                read.to_bits() == real.to_bits() || read.is_nan() && real.is_nan(),
                "{text} is not {real:?}"
            );
        }
    }
}

#[test]
fn reports_of_some_experiments() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "subset").counting();
        run.fail(2, "call: report: subset.c has no experiment `x`");
        assert_eq!(run.trace_names(), ["subset.call.0.dat", "subset.call.1.dat", "subset.call.2.dat"]);
        let ac = run.trace("subset.call.0.dat");
        assert_eq!(ac.values("experiment"), ["a", "c"]);
        assert_eq!(ac.columns, ["experiment", "processor", "P", "n", "time_s"]);
        let pair = [["a", "0", "1", "1", "0.000000002"], ["c", "0", "1", "nan", "0.000000001"]];
        assert_eq!(ac.rows, [pair, pair, pair].concat());
        let b = run.trace("subset.call.1.dat");
        assert_eq!(b.values("experiment"), ["b"]);
        let rounds: Vec<&str> = b.rows.iter().map(|row| row[3].as_str()).collect();
        assert_eq!(rounds, ["1", "1", "1", "2", "2", "2"]);
        let rest = run.trace("subset.call.2.dat");
        let pair = [["a", "0", "1", "2", "nan", "0.000000002"], ["c", "0", "1", "nan", "nan", "0.000000001"]];
        assert_eq!(rest.rows, [pair, pair, pair].concat());
    }
}

#[test]
fn several_files_are_one_program() {
    for flavour in available(&ALL) {
        let run = Run::of_files(flavour, &["units", "units_other"]).counting();
        let outcome = run.fail(
            2,
            "call: report: units.c has no experiment `neither`, nor has any file that is linked with it\n",
        );
        assert!(outcome.stdout.starts_with("main\n"), "{outcome:?}");
        assert_eq!(
            run.trace_names(),
            ["units.call.0.dat", "units.call.1.dat", "units_other.call.0.dat"],
            "{outcome:?}"
        );
        let all = run.trace("units_other.call.0.dat");
        assert_eq!(all.value("source"), Some("units_other.c"));
        assert_eq!(all.value("kind"), Some("sequential"));
        assert_eq!(all.values("experiment"), ["here", "both", "other"]);
        assert_eq!(all.values("formula"), ["here[0]*N", "both[0]*N*x"]);
        assert_eq!(all.values("variables"), ["N", "N x", ""]);
        assert_eq!(
            all.values("lines"),
            ["units.c:10-12", r"units.c:20-29 my\sdir/shared:1.h:5-9 20-29", "units.c:3-4 10-12"]
        );
        assert_eq!(all.columns, ["experiment", "processor", "P", "N", "x", "time_s"]);
        let here = ["here", "0", "1", "7", "nan", "0.000000001"];
        let both = ["both", "0", "1", "9007199254740993", "0.25", "0.000000002"];
        let other = ["other", "0", "1", "nan", "nan", "0.000000008"];
        assert_eq!(all.rows, [here, both, ["both", "0", "1", "1.5", "-3", "0.000000012"], other]);

        let only_both = run.trace("units.call.0.dat");
        assert_eq!(only_both.value("source"), Some("units.c"));
        assert_eq!(only_both.values("lines"), [r"20-29 my\sdir/shared:1.h:5-9 units_other.c:20-29"]);
        assert_eq!(only_both.rows, [both]);
        let rest = run.trace("units.call.1.dat");
        assert_eq!(rest.values("experiment"), ["here", "other"]);
        assert_eq!(rest.rows, [["here", "0", "1", "7", "0.000000001"]]);
    }
}

#[test]
fn files_that_contradict_each_other_do_not_start() {
    let cure = "write the same in both files, or give one of them another name";
    let cases = [
        (
            "units_formula",
            format!("experiment both has the formula `both[0]*N*x` in units_other.c, but `both[0]*x` in units_formula.c: {cure}"),
        ),
        (
            "units_variables",
            format!("experiment both has the variables `N`, `x` in units.c, but the variables `N` in units_variables.c: {cure}"),
        ),
        (
            "units_kind",
            "units_other.c is of the kind sequential, but units_kind.c of the kind PUB: the files of a program must have the same \
             `parallel` directive, or none"
                .to_owned(),
        ),
    ];
    for flavour in available(&ALL) {
        for (third, message) in &cases {
            let run = Run::of_files(flavour, &["units", "units_other", third]).counting();
            let outcome = run.fail(2, &format!("call: {message}\n"));
            assert!(!outcome.stdout.starts_with("main") && run.trace_names().is_empty(), "{outcome:?}");
        }
    }
}

#[test]
fn a_file_without_a_directive_is_of_the_kind_of_the_others() {
    for flavour in available(&ALL) {
        let alone = Run::of(flavour, "unsaid");
        alone.succeed();
        assert_eq!(alone.trace("unsaid.call.0.dat").value("kind"), Some("sequential"));
        let run = Run::of_files(flavour, &["unsaid", "units_kind"]);
        run.fail(2, "call: report: no BSP machine is in use");
    }
}

#[test]
fn values_at_the_end() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "end_values").counting();
        run.succeed();
        let trace = run.trace("end_values.call.0.dat");
        assert_eq!(trace.values("variables"), ["N steps error", "steps", ""]);
        let all = |steps| ["all", "0", "1", "nan", steps, "nan", "0.000000010"];
        assert_eq!(
            trace.rows,
            [
                ["some", "0", "1", "2", "2", "0.16666666666666666", "0.000000030"],
                all("0"),
                all("1"),
                ["some", "0", "1", "1", "1", "0.25", "0.000000010"],
                all("0"),
                ["some", "0", "1", "0", "0", "0.5", "0.000000000"],
                ["none", "0", "1", "nan", "nan", "nan", "0.000000000"],
            ]
        );
        let plain = Run::of(flavour, "end_values").counting().with("plain");
        plain.fail(
            2,
            "call: end all: 1 of its variables are taken at the end, and this end hands over no values: translate the file again",
        );
    }
}

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
    for flavour in available(&[Flavour::Plain, Flavour::Sanitized, Flavour::Threads, Flavour::Mpi]) {
        let run = Run::of(flavour, "bsp_threads").counting().on(3);
        let outcome = run.succeed();
        assert!(!outcome.stderr.contains("ThreadSanitizer"), "{outcome:?}");
        let trace = run.trace("bsp_threads.call.0.dat");
        // Over MPI every process has been there from the start.
        let processors_before = if flavour == Flavour::Mpi { 3 } else { 1 };
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

#[test]
fn teams_that_cannot_be_told_apart_are_refused() {
    for flavour in available(&WITH_OPENMP) {
        let nested = Run::of(flavour, "openmp").with("nested");
        let outcome = nested.fail(2, "call: use: this parallel region is inside another one");
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

/// Processes with the same parity make a part.
fn check_communicators(run: &Run, processes: usize, count: usize, transport: &str) {
    let outcome = run.succeed();
    assert!(outcome.stdout.contains("communicators ok\n"), "{outcome:?}");
    let parts = processes.min(2);
    let part_size = |rank: usize| (processes + 1 - rank % 2) / 2;
    for name in &run.trace_names()[..parts] {
        let part = run.trace(name);
        let first: usize = part.rows[0][3].parse().expect("a rank");
        let size = part_size(first);
        assert_eq!(part.value("processors"), Some(size.to_string().as_str()));
        let wanted: Vec<String> =
            (0..size).map(|at| format!("part {at} {size} {} 0 0.000000000", first + 2 * at)).collect();
        assert_eq!(part.rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>(), wanted);
    }
    let trace = run.trace(&format!("communicators.call.{parts}.dat"));
    assert_eq!(trace.value("kind"), Some("MPI"));
    assert_eq!(trace.value("transport"), Some(transport));
    assert_eq!(trace.value("processors"), Some(processes.to_string().as_str()));
    let mut rows = trace.rows.iter().map(|row| row.join(" "));
    for processor in 0..processes {
        let rank = processes - 1 - processor;
        let mut expect = |wanted: String| assert_eq!(rows.next(), Some(wanted), "{run:?}");
        for _ in 0..3 {
            expect(format!("before {processor} 1 nan nan 0.000000000"));
        }
        let whole = |k: usize| {
            let time_ns = 1000 * k + rank;
            format!("whole {processor} {processes} {rank} {k} 0.{time_ns:09}")
        };
        (0..count).for_each(|k| expect(whole(k)));
        expect(format!("part {processor} {} {rank} 1 0.000000000", part_size(rank)));
        expect(whole(0));
    }
    assert_eq!(rows.next(), None);
    assert!(run.trace(&format!("communicators.call.{}.dat", parts + 1)).rows.is_empty());
}

#[test]
fn communicators_are_machines() {
    for (flavour, transport) in [(Flavour::Mpi, "MPI"), (Flavour::Smpi, "SMPI")] {
        if flavour.is_available() {
            for (processes, count) in [(1, 5), (2, 20_000), (3, 1), (7, 300)] {
                let run = Run::of(flavour, "communicators").counting().on(processes).with(count);
                check_communicators(&run, processes, count, transport);
            }
        }
    }
    if Flavour::Smpi.is_available() {
        let run = Run::of(Flavour::Smpi, "communicators").counting().on(64).with(3);
        check_communicators(&run, 64, 3, "SMPI");
        // By the simulated clock, which stands still before MPI_Init.
        let run = Run::of(Flavour::Smpi, "communicators").on(3).with(1);
        run.succeed();
        assert_eq!(run.trace("communicators.call.2.dat").value("clock"), Some("MPI_Wtime"));
    }
}

#[test]
fn misuse_of_communicators_is_told() {
    let cases = [
        ("use-before-init", "use: MPI has not been started: the call must stand after MPI_Init"),
        ("sync-before-init", "sync: MPI has not been started: the call must stand after MPI_Init"),
        ("report-before-init", "report: MPI has not been started: the call must stand after MPI_Init"),
        ("no-communicator", "sync: the communicator is MPI_COMM_NULL"),
        ("between", "report: an intercommunicator joins two groups"),
        ("one-fails", "end f: no measurement of experiment f (lines 3-9) is open"),
        ("report-after-finalize", "report: MPI has ended: the call must stand before MPI_Finalize"),
        ("sync-after-finalize", "sync: MPI has ended: the call must stand before MPI_Finalize"),
    ];
    for flavour in available(&WITH_MPI) {
        for (case, message) in cases {
            // SMPI has no intercommunicators.
            if flavour != Flavour::Smpi || case != "between" {
                Run::of(flavour, "mpi_misuse").on(2).with(case).fail(2, message);
            }
        }
        let mpmd = Run::of(flavour, "mpmd").on(2);
        mpmd.fail(2, "call: report: processor 1 has other experiments than processor 0");
    }
}

#[test]
fn kinds_that_the_runtime_does_not_have() {
    for flavour in ON_THIS_COMPUTER {
        let message = "call: mpi_kind.c is of the kind MPI, but the program was linked with the runtime for one computer: compile it with \
                       mpicc and link with `call libs --mpi`\n";
        let outcome = Run::of(flavour, "mpi_kind").fail(2, message);
        assert_eq!(outcome.stdout, "");
    }
    for flavour in available(&WITH_MPI) {
        assert_eq!(Run::of(flavour, "mpi_kind").succeed().stdout, "main\n");
    }
    for flavour in available(&ALL) {
        for call in ["none", "use"] {
            Run::of(flavour, "bsplib_kind").with(call).succeed();
        }
        for call in ["sync", "report"] {
            let run = Run::of(flavour, "bsplib_kind").with(call);
            let message = format!(
                "call: {call}: no BSP machine is in use: the call must stand between bsp_begin and bsp_end"
            );
            run.fail(2, &message);
        }
    }
}

#[test]
fn an_end_without_a_begin_is_fatal() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "not_open");
        run.fail(2, "call: end f: no measurement of experiment f (lines 3-9, 12-15) is open");
    }
}

/// Whether the time stamp counter is invariant and the kernel trusts it; says so if it does not.
fn has_tsc() -> bool {
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
                // A millionth is aimed at, but not at any price.
                assert!(uncertainty > 0.0 && uncertainty < 1e-4 * frequency, "{uncertainty} of {frequency}");
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
                .args(["-std=gnu11", "-O1", define])
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
            for (row, (least_ns, most_ns)) in trace.rows.iter().zip(bounds) {
                let time_ns = nanoseconds(&row[3]) as f64;
                // CLOCK_MONOTONIC may be slewed by 500 millionths.
                assert!(
                    time_ns > 0.999 * least_ns && time_ns < 1.001 * most_ns,
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
    // Of all processors, also where another one writes them.
    for flavour in available(&ALL) {
        let run = Run::of(flavour, "rows").counting().variable("CALL_SUBTRACT", "empty_pair").on(2).with(10);
        check_rows(
            &run,
            2,
            10,
            match flavour {
                Flavour::Mpi => "MPI",
                Flavour::Smpi => "SMPI",
                _ => "embedded",
            },
        );
        assert_eq!(run.trace("rows.call.2.dat").value("subtracted_ns"), Some("0"));
    }
}

#[test]
fn a_directory_that_cannot_be_written() {
    for flavour in available(&ALL) {
        // A directory that has gone refuses even the superuser.
        let shell = "mkdir away-$$ && cd away-$$ && rmdir ../away-$$";
        let run = Run::of(flavour, "rows").counting().on(2).with(10).prepared_by(shell);
        let outcome = run.fail(2, "call: cannot write rows.call.0.dat: No such file or directory\n");
        assert!(!outcome.stderr.contains("wrote"), "{outcome:?}");
    }
}

#[test]
fn a_full_disk() {
    for flavour in ON_THIS_COMPUTER {
        // In blocks of 512 or 1024 bytes.
        let run = Run::of(flavour, "rows").counting().on(3).with(10_000).prepared_by("ulimit -f 100");
        let outcome = run.fail(2, "call: cannot write rows.call.0.dat: File too large\n");
        // The reports of the two parts fail, at the same time, and then that of all.
        assert_eq!(outcome.stderr.matches("call: cannot write rows.call.").count(), 3, "{outcome:?}");
        assert_eq!(outcome.stderr.lines().count(), 3, "{outcome:?}");
        assert_eq!(run.trace_names(), [""; 0], "{run:?}: {outcome:?}");
    }
}

#[test]
fn headers_compile_in_every_language() {
    let directory = support::empty_directory();
    let source = root().join("tests/programs/header.c");
    let cases = [
        ("cc", "-std=c99", "-x", "c"),
        ("cc", "-std=c11", "-x", "c"),
        ("cc", "-std=c17", "-x", "c"),
        ("cc", "-std=gnu17", "-x", "c"),
        ("c++", "-std=c++17", "-x", "c++"),
    ];
    for (compiler, standard, language_option, language) in cases {
        for switch in ["-UCLL_DISABLE", "-DCLL_DISABLE"] {
            support::compile(
                Command::new(compiler)
                    .args([standard, switch, language_option, language, "-c"])
                    .args(support::WARNINGS)
                    .arg("-I")
                    .arg(root().join("include"))
                    .arg(&source)
                    .arg("-o")
                    .arg(directory.join("header.o")),
            );
        }
    }
    // As users compile: both files at once, here with other settings than in the other tests.
    let executable = directory.join("header");
    let mut traces = Vec::new();
    for switch in ["-UCLL_DISABLE", "-DCLL_DISABLE"] {
        support::compile(
            Command::new(support::c_compiler())
                .args(["-std=gnu11", "-O0", switch, "-DCLL_FLAGS=-O2,-march=native"])
                .args(support::WARNINGS)
                .arg("-I")
                .arg(root().join("include"))
                .arg(&source)
                .arg(root().join(call_runtime::EMBEDDED_SOURCE))
                .args(["-lm", "-pthread", "-o"])
                .arg(&executable),
        );
        let output = Command::new(&executable)
            .current_dir(&directory)
            .env("CALL_PROCESSORS", "2")
            .output()
            .expect("the program can be started");
        assert!(output.status.success(), "{output:?}");
        traces.push(std::fs::read_to_string(directory.join("header.call.0.dat")).ok());
        let _ = std::fs::remove_file(directory.join("header.call.0.dat"));
    }
    let trace = support::Trace::read(traces[0].as_ref().expect("the program writes a trace"));
    assert_eq!(trace.value("flags"), Some("-O2,-march=native"));
    assert_eq!(trace.rows.len(), 4);
    assert_eq!(traces[1], None, "a disabled program writes no trace");
    std::fs::remove_dir_all(&directory).expect("the directory can be removed");
}

#[test]
fn message_storms() {
    for flavour in available(&ALL) {
        let processors: &[usize] =
            if flavour == Flavour::Smpi { &[1, 2, 3, 4, 7, 8, 32] } else { &[1, 2, 3, 4, 7, 8] };
        for &count in processors {
            let supersteps = match (flavour, count) {
                (_, 32) => 6,
                (Flavour::Plain, _) => 150,
                _ => 40,
            };
            for seed in if flavour == Flavour::Plain { 1..4 } else { 1..2 } {
                let run = Run::of(flavour, "storm").on(count).with(supersteps).with(seed);
                let outcome = run.succeed();
                assert!(outcome.stdout.starts_with("storm ok "), "{run:?}: {outcome:?}");
            }
        }
    }
}

#[test]
fn messages_of_later_supersteps_and_of_other_machines() {
    for flavour in available(&ALL) {
        let pipeline =
            Run::of(flavour, "pipeline").on(4).with(if flavour == Flavour::Plain { 20_000 } else { 2000 });
        assert_eq!(pipeline.succeed().stdout, "pipeline ok\n");
        assert_eq!(Run::of(flavour, "early").on(4).succeed().stdout, "early ok\n");
    }
}

#[test]
fn memory_is_used_again() {
    for flavour in available(&[Flavour::Plain, Flavour::Mpi, Flavour::Smpi]) {
        let run = Run::of(flavour, "reuse").on(3).with(3000);
        assert_eq!(run.succeed().stdout, "reuse ok\n");
    }
    assert_eq!(Run::of(Flavour::Plain, "reuse").on(8).with(1500).succeed().stdout, "reuse ok\n");
}

fn check_rows(run: &Run, processors: usize, count: usize, transport: &str) {
    run.succeed();
    let trace = run.trace(if processors > 1 { "rows.call.2.dat" } else { "rows.call.0.dat" });
    assert_eq!(trace.value("kind"), Some("PUB"));
    assert_eq!(trace.value("transport"), Some(transport));
    assert_eq!(trace.value("processors"), Some(processors.to_string().as_str()));
    assert_eq!(trace.columns, ["experiment", "processor", "P", "pid", "k", "time_s"]);
    let first_part = processors.div_ceil(3);
    let mut rows = trace.rows.iter();
    for pid in 0..processors {
        let mut expect = |experiment: &str, size: usize, pid_text: &str, k_text: &str, time_ns: usize| {
            let row = rows.next().unwrap_or_else(|| panic!("{run:?}: rows are missing"));
            assert_eq!(
                row[..5],
                [experiment, &pid.to_string(), &size.to_string(), pid_text, k_text],
                "{run:?}"
            );
            assert_eq!(nanoseconds(&row[5]), time_ns as u64, "{row:?}");
        };
        expect("before", 1, "nan", "nan", 0);
        for k in 0..count {
            expect("whole", processors, &pid.to_string(), &k.to_string(), 1000 * k + pid);
        }
        if processors > 1 {
            let part_size = if pid < first_part { first_part } else { processors - first_part };
            expect("part", part_size, &pid.to_string(), "0", pid);
        }
    }
    assert!(rows.next().is_none(), "{run:?}: too many rows");
    // The two parts reported on their own, and in which order they came is open.
    let mut sizes = Vec::new();
    for name in run.trace_names().iter().filter(|_| processors > 1).take(2) {
        let part = run.trace(name);
        assert_eq!(part.values("experiment"), ["part"]);
        let size: usize = part.value("processors").expect("it is there").parse().expect("it is a number");
        assert_eq!(part.rows.len(), size * count);
        assert!(part.rows.iter().all(|row| row[2] == size.to_string()));
        sizes.push(size);
    }
    sizes.sort_unstable();
    let mut wanted = vec![first_part, processors - first_part];
    wanted.sort_unstable();
    assert!(processors == 1 || sizes == wanted, "{sizes:?}");
}

#[test]
fn rows_of_all_processors() {
    for flavour in available(&ALL) {
        let transport = match flavour {
            Flavour::Mpi => "MPI",
            Flavour::Smpi => "SMPI",
            _ => "embedded",
        };
        // The larger number makes several pieces of each processor's records.
        for (processors, count) in [(1, 10), (2, 20_000), (3, 1), (8, 500)] {
            let run = Run::of(flavour, "rows").counting().on(processors).with(count);
            check_rows(&run, processors, count, transport);
        }
    }
}

/// Case, processors, what the message says.
const MISUSES: &[(&str, usize, &str)] = &[
    (
        "before-init",
        1,
        "bsp_sync: the t_bsp object stands for no machine: it was closed, or never made by bsplib_init",
    ),
    ("report-before-init", 1, "report: no BSP machine is in use"),
    ("sync-before-init", 1, "sync: no BSP machine is in use"),
    ("parameters", 1, "bsplib_init: hand over BSPLIB_STDPARAMS"),
    ("init-twice", 4, "bsplib_init: a program can start its processors only once"),
    ("send-to-nobody", 4, "bsp_send: processor 5 does not exist in a machine of 4 processors"),
    ("send-below", 4, "bsp_send: processor -1 does not exist in a machine of 4 processors"),
    ("negative-size", 4, "bsp_hpsend: a message of -5 bytes cannot be sent"),
    ("null-data", 4, "bsp_send: the data of a message of 5 bytes is NULL"),
    ("no-such-message", 4, "has no message 0: the last superstep brought 0, counted from 0"),
    ("null-message", 4, "bspmsg_size: the message is NULL: bsp_findmsg found none"),
    ("find-from-nobody", 4, "bsp_findmsg: processor 4 does not exist in a machine of 4 processors"),
    ("negative-count", 4, "bsp_oblsync: -1 messages cannot be waited for"),
    ("no-parts", 4, "bsp_partition: a machine cannot be divided into 0 parts"),
    (
        "ends-fall",
        4,
        "bsp_partition: part 1 would start at processor 4 and end before processor 1: the ends must increase",
    ),
    (
        "ends-short",
        4,
        "bsp_partition: the last part ends before processor 3, but the machine has 4 processors",
    ),
    ("done-with-all", 4, "bsp_done: the machine of all processors is closed by bsplib_done, not by bsp_done"),
    ("done-twice", 4, "bsp_done: the t_bsp object stands for no machine: it was closed"),
    ("done-outer", 4, "bsp_done: a part of this machine is still open: close it with bsp_done first"),
    ("closed-copy", 4, "bsp_sync: the BSP machine that was given is not open: it was closed"),
    ("sync-outer", 4, "bsp_sync: a part of this machine is still open: close it with bsp_done first"),
    (
        "open-part-at-end",
        4,
        "bsplib_done: a part of this machine is still open: close it with bsp_done first",
    ),
    (
        "unsent-in-part",
        4,
        "has messages to processor 0 in superstep 1, which has not been ended with a bsp_sync",
    ),
    (
        "unsent-at-end",
        4,
        "has messages to processor 0 in superstep 1, which has not been ended with a bsp_sync",
    ),
    ("after-done", 4, "bsp_sync: no BSP machine is in use"),
    ("report-closed", 4, "report: the t_bsp object stands for no machine"),
    ("too-many-messages", 4, "has 2 messages in superstep 1, but was told to wait for 1"),
    (
        "too-many-later",
        4,
        "processor 0 received a message from processor 1 for superstep 1, which it has left already",
    ),
    (
        "never-received",
        4,
        "bsplib_done: a message of superstep 1 of a machine that has been closed was never received",
    ),
    ("mixed-barriers", 4, "ends superstep 1 with bsp_oblsync, but processor 0 ends it with bsp_sync"),
    ("left-with-oblsync", 4, "waits in bsp_sync for the end of superstep 1, which processor"),
    (
        "wait-for-ever",
        4,
        "bsp_oblsync: processor 0 waits for 3 messages in superstep 1 and has 0, but nobody sends any more",
    ),
    (
        "alone",
        2,
        "bsp_oblsync: superstep 1 of a machine of one processor has 0 messages, and 1 are waited for",
    ),
];

/// Only processes on this computer can be seen to wait for each other.
const DEADLOCKS: &[(&str, usize, &str)] = &[(
    "unequal-report",
    4,
    "all processors wait and no message is on its way; processor 0 in report, superstep 1;",
)];

fn check_misuse(flavour: Flavour, &(case, processors, message): &(&str, usize, &str)) {
    let run = Run::of(flavour, "misuse").on(processors).with(case);
    let outcome = run.fail(2, message);
    let lines = outcome.stderr.lines().filter(|line| line.starts_with("call: ")).count();
    // Over MPI each processor speaks for itself.
    assert!(lines == 1 || flavour == Flavour::Mpi, "{run:?} says more than one line: {outcome:?}");
}

#[test]
fn misuse_is_told() {
    for flavour in ON_THIS_COMPUTER {
        for case in MISUSES.iter().chain(DEADLOCKS) {
            check_misuse(flavour, case);
        }
    }
}

#[test]
fn misuse_is_told_over_mpi() {
    for flavour in available(&WITH_MPI) {
        for case in MISUSES {
            check_misuse(flavour, case);
        }
    }
}

#[test]
fn processors_that_end_before_the_others() {
    // Case, status of the run, standard output in any order, message.
    let cases = [
        ("none", 0, "after before", ""),
        ("crash", 2, "before", "call: processor 1 was ended by signal 11 (Segmentation fault)\n"),
        ("abort", 2, "before", "call: processor 1 was ended by signal 6 (Aborted)\n"),
        ("exit-0", 2, "before", "call: processor 1 ended with status 0 before bsplib_done\n"),
        ("exit-7", 7, "before", "call: processor 1 ended with status 7 before bsplib_done\n"),
        ("all-exit-5", 5, "before processor 0 says why", "ended with status 5 before bsplib_done\n"),
        ("late-3", 3, "after before", ""),
        ("late-crash", 2, "after before", "call: processor 1 was ended by signal 9 (Killed)\n"),
    ];
    for flavour in ON_THIS_COMPUTER {
        for (case, status, stdout, message) in cases {
            let run = Run::of(flavour, "lifecycle").on(3).with(case);
            let outcome = run.fail(status, message);
            let mut lines: Vec<&str> =
                outcome.stdout.lines().filter(|line| *line != "after" || case != "late-3").collect();
            if case == "late-3" {
                lines.push("after");
            }
            lines.sort_unstable();
            assert_eq!(lines.join(" "), stdout, "{run:?}: {outcome:?}");
            assert_eq!(
                outcome.stderr.lines().count(),
                usize::from(!message.is_empty()),
                "{run:?}: {outcome:?}"
            );
        }
    }
}

/// Processes whose command line has `mark` as its last argument.
fn processes_with(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").expect("/proc can be read");
    entries
        .filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok())
        .filter(|command| command.ends_with(format!("\0{mark}\0").as_bytes()))
        .count()
}

#[test]
fn no_processor_outlives_its_supervisor() {
    for signal in ["TERM", "INT", "KILL"] {
        let mark = format!("mark-{}-{signal}", std::process::id());
        let run = Run::of(Flavour::Plain, "lifecycle").on(3).with("hang").with(&mark);
        let executable =
            run.command().get_args().nth(3).expect("the program follows `timeout -k 5 60`").to_owned();
        let mut child = Command::new(executable)
            .args(["hang", &mark])
            .env("CALL_PROCESSORS", "3")
            .current_dir(run.directory())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program can be started");
        let mut said = [0; 13];
        let stdout = child.stdout.as_mut().expect("it is piped");
        stdout.read_exact(&mut said).expect("the program says that it is ready");
        assert_eq!(&said, b"before\nready\n");
        assert_eq!(processes_with(&mark), 4);
        Command::new("kill")
            .args([&format!("-{signal}"), &child.id().to_string()])
            .status()
            .expect("kill is there");
        let status = child.wait().expect("the program can be waited for");
        assert_eq!(status.code(), None, "{signal}: a signal ends it: {status:?}");
        let deadline = Instant::now() + Duration::from_secs(5);
        while processes_with(&mark) > 0 {
            assert!(Instant::now() < deadline, "{signal}: processors are left");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn wrong_numbers_of_processors() {
    for number in ["0", "-1", "two", "", "3x", "99999999999999999999"] {
        let run = Run::of(Flavour::Plain, "early").variable("CALL_PROCESSORS", number);
        run.fail(2, &format!("call: CALL_PROCESSORS is `{number}`: it must be a positive integer\n"));
    }
    for flavour in available(&WITH_MPI) {
        let run = Run::of(flavour, "early").on(1).variable("CALL_PROCESSORS", "4");
        run.fail(
            2,
            "call: CALL_PROCESSORS is 4, but this program was linked for MPI: start it with `mpirun -n 4`\n",
        );
    }
}

fn example(path: &str) -> std::path::PathBuf {
    root().join("../examples").join(Path::new(path))
}

#[test]
fn fft_is_right() {
    for flavour in available(&ALL) {
        let processors: &[usize] =
            if flavour == Flavour::Smpi { &[1, 2, 4, 8, 16, 32] } else { &[1, 2, 4, 8] };
        for &count in processors {
            for size in ["", "1", "4", "1024", "32768"] {
                let mut run = Run::of_source(flavour, &example("fft/fft.c")).on(count);
                let mut start = "N = ".to_owned();
                if !size.is_empty() {
                    run = run.with(size);
                    start = format!("N = {size}, P = {count}: largest error ");
                }
                let outcome = run.succeed();
                assert!(outcome.stdout.starts_with(&start), "{run:?}: {outcome:?}");
                assert_eq!(outcome.stdout.lines().count(), 1, "{run:?}: {outcome:?}");
            }
        }
    }
    let run = Run::of_source(Flavour::Plain, &example("fft/fft.c"));
    run.on(3).fail(2, "fft: the number of processors must be a power of two\n");
    for wrong in ["1000", "0", "-8", "x", "268435456"] {
        let run = Run::of_source(Flavour::Plain, &example("fft/fft.c")).with(wrong);
        run.fail(2, "fft: N must be a power of two up to 134217728\n");
    }
}

#[test]
fn matrix_is_set() {
    let outcome = Run::of_source(Flavour::Plain, &example("matrix_init/matrix_init.c")).succeed();
    assert_eq!(outcome.stdout, "both orders set every element, 5 times for each size\n");
}
