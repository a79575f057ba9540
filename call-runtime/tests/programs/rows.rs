//! The rows of traces: every measurement is there once, with its processor and time.

use std::process::Command;

use super::available;
use super::clock::has_tsc;
use crate::support::{ALL, Flavour, ON_THIS_COMPUTER, Run, nanoseconds};

/// Lines about the host, whose values differ from run to run.
fn masked(trace: &str) -> String {
    let keys = ["command", "run", "date", "host", "system", "cpu", "cores", "compiler", "flags"];
    let mask = |line: &str| match line.strip_prefix("# ").and_then(|line| line.split_once(": ")) {
        Some((key, value)) if keys.contains(&key) => {
            assert!(!value.is_empty(), "{key} has no value");
            format!("# {key}: *\n")
        }
        _ => format!("{line}\n"),
    };
    // Not every system tells its caches.
    trace.lines().filter(|line| !line.starts_with("# caches_bytes: ")).map(mask).collect()
}

#[test]
fn trace_is_exact() {
    let wanted = include_str!("golden.dat");
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
    assert_eq!(trace.value("caches_bytes").unwrap_or_default(), caches_bytes().join(" "));
    let pair_ns: u64 = trace.value("empty_pair_ns").expect("it is there").parse().expect("it is a number");
    assert!((1..100_000).contains(&pair_ns), "{pair_ns}");
    let sanitized = Run::of(Flavour::Sanitized, "golden");
    sanitized.succeed();
    assert_eq!(sanitized.trace("golden.call.0.dat").value("flags"), Some("optimised, address sanitizer"));
}

/// The caches of a core that hold data, as `lscpu` lists them.
fn caches_bytes() -> Vec<String> {
    let arguments = ["--bytes", "--caches=TYPE,ONE-SIZE"];
    let listed = Command::new("lscpu").args(arguments).output().expect("lscpu is there").stdout;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let words = listed.lines().skip(1).filter_map(|line| line.trim().split_once(' '));
    words.filter(|(kind, _)| *kind != "Instruction").map(|(_, size)| size.trim().to_owned()).collect()
}

#[test]
fn recursion_has_no_depth_limit() {
    for (flavour, depth) in [(Flavour::Plain, 100_000), (Flavour::Sanitized, 20_000), (Flavour::Plain, 6_000)]
    {
        let run = Run::of(flavour, "recursion").counting().with(depth);
        run.succeed();
        let trace = run.trace("recursion.call.0.dat");
        assert_eq!(trace.rows.len(), depth + 1);
        for (row, k) in trace.rows.iter().zip((0..=depth).rev()) {
            assert_eq!(row[3], k.to_string());
            assert_eq!(nanoseconds(&row[4]), k as u64 + 1);
        }
        // A chunk holds 6500 of these records, and only the first one is ready before the measurement.
        assert_eq!(trace.value("late_chunks").is_some(), depth > 6_500, "{:?}", trace.header);
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
        // That which is open has no row yet either.
        assert_eq!(first.value("abandoned"), Some("4"));
        assert_eq!(first.rows, [["outer", "0", "1", "0.000000021"], ["outer", "0", "1", "0.000000101"]]);
        let second = run.trace("abandoned.call.1.dat");
        assert_eq!(second.value("abandoned"), None);
        assert_eq!(second.rows, [["inner", "0", "1", "0.000001000"]]);
    }
}

#[test]
fn what_is_begun_and_never_ended_is_told() {
    for (flavour, threads) in [(Flavour::Plain, 1), (Flavour::OpenMp, 3)] {
        let run = Run::of(flavour, "left_open").counting();
        let outcome = run.succeed();
        let trace = run.trace("left_open.call.0.dat");
        assert_eq!(trace.value("abandoned"), Some(threads.to_string().as_str()), "{flavour:?}");
        assert_eq!(trace.rows.len(), 2 * threads, "{flavour:?}");
        assert_eq!(run.trace("left_open.call.1.dat").value("abandoned"), None, "counted once: {flavour:?}");
        let were = if threads == 1 { "measurement was" } else { "measurements were" };
        let told = format!("left_open.c:9): {threads} {were} begun and not ended, at the report: no row");
        assert_eq!(outcome.stderr.matches(&told).count(), 1, "{told}: {outcome:?}");
    }
}

#[test]
fn measurements_that_cross_are_told_and_the_trace_is_kept() {
    let run = Run::of(Flavour::Plain, "left_open").counting().with("cross");
    let outcome = run.succeed();
    let trace = run.trace("left_open.call.0.dat");
    assert_eq!(trace.value("abandoned"), Some("2"));
    assert_eq!(trace.rows.iter().map(|row| &*row[0]).collect::<Vec<_>>(), ["a", "a"]);
    let why = "was begun inside of one of a (";
    assert_eq!(outcome.stderr.matches(why).count(), 1, "once: {outcome:?}");
    assert!(outcome.stderr.contains("measurements must nest"), "{outcome:?}");
    assert!(!outcome.stderr.contains("begun and not ended"), "{outcome:?}");
}

#[test]
fn an_end_without_a_begin_is_fatal() {
    for flavour in ON_THIS_COMPUTER {
        let run = Run::of(flavour, "not_open");
        run.fail(2, "call: end f: no measurement of experiment f (lines 3-9, 12-15) is open");
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

pub fn check_rows(run: &Run, processors: usize, count: usize, transport: &str) {
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
    for flavour in available(&ALL).chain(available(&[Flavour::Mpich])) {
        // The larger number makes several pieces of each processor's records.
        for (processors, count) in [(1, 10), (2, 20_000), (3, 1), (8, 500)] {
            let run = Run::of(flavour, "rows").counting().on(processors).with(count);
            check_rows(&run, processors, count, flavour.transport());
        }
    }
}
