//! Each format as its tool writes it. What is read of each file of `tests/files` stands in `tests/expected`.

use crate::common::{FILES, describe, file, read_file};
use call_exchange::{ReadOptions, read};
use call_grammar::Formula;
use call_trace::Dataset;

#[test]
fn files_of_all_formats_are_read() {
    for name in FILES {
        let found = describe(&read_file(name));
        let path = format!("{}/tests/expected/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        assert_eq!(found, expected, "{name}: if this is right, run the test with UPDATE_EXPECTED=1");
    }
}

pub(crate) fn check(path_name: &str, text: &str, options: &ReadOptions, expected: &str) {
    let imported =
        read(path_name, text.as_bytes(), options).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found = describe(&imported);
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(found.lines().map(str::trim).collect::<Vec<_>>(), expected, "{text}");
}

pub(crate) fn check_table(text: &str, expected: &str) {
    check("t.txt", text, &ReadOptions::default(), expected);
}

#[test]
fn formats_are_seen_from_the_content_whatever_the_name() {
    for name in FILES {
        let renamed = read("x.unknown", &file(name), &ReadOptions::default()).unwrap();
        assert_eq!(renamed.format, read_file(name).format, "{name}");
    }
}

#[test]
fn imports_join_a_dataset() {
    let mut dataset = Dataset::new();
    for name in FILES {
        if let Err(error) = dataset.add(name, read_file(name).trace) {
            // Some experiments of these files have the same name, and other variables.
            assert!(error.to_string().contains("has the variables"), "{name}: {error}");
        }
    }
    assert!(dataset.experiments.len() > 10);
}

#[test]
fn formulas_are_those_of_this_project() {
    for name in FILES {
        for its in read_file(name).trace.experiments {
            if let Some(text) = its.formula {
                let formula = Formula::parse(&its.name, &text).unwrap();
                assert_eq!(formula.to_string(), text, "{name}");
                assert!(
                    formula.variables().iter().all(|variable| its.samples.column(variable.name()).is_some())
                );
            }
        }
    }
}

#[test]
fn lists_of_objects_are_tables() {
    check(
        "runs.json",
        r#"[{"N": 8, "ms": 1.5}, {"N": "16", "ms": 2.5}]"#,
        &ReadOptions::default(),
        "JSON lines, 1 processors\nruns: P N time_s\n0: 1 8 0.0015\n0: 1 16 0.0025\n- the times are `ms`, in milliseconds",
    );
    check(
        "run.json",
        "{\n \"N\": 8,\n \"ms\": 1.5\n}",
        &ReadOptions::default(),
        "JSON lines, 1 processors\nrun: P N time_s\n0: 1 8 0.0015\n- the times are `ms`, in milliseconds",
    );
}

#[test]
fn extra_p_points_are_written_in_many_ways() {
    let one = "text input of Extra-P, 1 processors\nt: P x time_s\n0: 1 4 1\n0: 1 8 2\n\
               - the times are `<default>`, taken as seconds since no unit stands there";
    check_table("PARAMETER x\nPOINTS 4 8\nDATA 1\nDATA 2\n", one);
    check_table("PARAMETER x\nPOINTS (4) (8)\n\nDATA 1\nDATA 2\n", one);
    check_table("PARAMETER x\nPOINTS 4\nPOINTS 8\nDATA 1\nDATA 2\n", one);
    let two = "text input of Extra-P, 4 processors\nf: P x time_s\n0: 4 1 1\n0: 2 5 2\n- the times are `time_ms`, in milliseconds";
    let two = two.replace("1 1\n", "1 0.001\n").replace("5 2\n", "5 0.002\n");
    check_table("PARAMETER P x\nPOINTS (4 1)(2,5)\nREGION f\nMETRIC time_ms\nDATA 1\nDATA 2\n", &two);
}

#[test]
fn benchmarks_with_aggregates_only_give_their_medians() {
    let text = br#"{"benchmarks": [
        {"name": "BM_f/8_mean", "run_name": "BM_f/8", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3.0, "time_unit": "us"},
        {"name": "BM_f/8_median", "run_name": "BM_f/8", "run_type": "aggregate", "aggregate_name": "median", "real_time": 2.0, "time_unit": "us"}]}"#;
    let imported = read("b.json", text, &ReadOptions::default()).unwrap();
    assert_eq!(imported.trace.experiments[0].samples.time_s, [2e-6]);
    assert_eq!(imported.trace.experiments[0].samples.names, ["P", "N"]);
}

#[test]
fn several_metrics_are_read_at_once() {
    let names = |name: &str, metrics: &[&str]| {
        let metrics = metrics.iter().map(|metric| (*metric).to_owned()).collect();
        let imported = read(name, &file(name), &ReadOptions { metrics, ..ReadOptions::default() }).unwrap();
        let name = |its: &call_trace::Experiment| format!("{} {}", its.name, its.unit.symbol());
        imported.trace.experiments.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(
        names("extra_p.json", &["all"]),
        ["main/solve s", "main/solve:visits visits", "main/io:visits visits"]
    );
    assert_eq!(names("extra_p.json", &["visits"]), ["main/solve visits", "main/io visits"]);
    assert_eq!(
        names("extra_p.json", &["visits", "time"]),
        ["main/solve visits", "main/io visits", "main/solve:time s"]
    );
    // Formats with one response at a time.
    assert_eq!(
        names("google_benchmark.json", &["real_time", "cpu_time"])
            .iter()
            .filter(|name| name.contains(":cpu_time"))
            .count()
            * 2,
        names("google_benchmark.json", &["real_time", "cpu_time"]).len()
    );
    let unknown = ReadOptions { metrics: vec!["bytes".to_owned()], ..ReadOptions::default() };
    let error = read("x", &file("extra_p.json"), &unknown).unwrap_err();
    assert_eq!(error.to_string(), "there is no column `bytes`; the columns are `visits`, `time`");
}

/// Entries `(name, run_name, aggregate, microseconds)` as Google Benchmark writes them; no aggregate is a run.
fn benchmarks(entries: &[(&str, &str, Option<&str>, f64)]) -> String {
    let entry = |(name, run_name, aggregate, time): &(&str, &str, Option<&str>, f64)| {
        let kind = match aggregate {
            Some(aggregate) => format!(r#""run_type": "aggregate", "aggregate_name": "{aggregate}""#),
            None => r#""run_type": "iteration""#.to_owned(),
        };
        format!(
            r#"{{"name": "{name}", "run_name": "{run_name}", {kind}, "threads": 1, "real_time": {time}, "time_unit": "us"}}"#
        )
    };
    format!(r#"{{"benchmarks": [{}]}}"#, entries.iter().map(entry).collect::<Vec<_>>().join(", "))
}

#[test]
fn benchmarks_with_aggregates_only_stand_beside_runs() {
    let text = benchmarks(&[
        ("BM_a/8", "BM_a/8", None, 1.0),
        ("BM_a/8_median", "BM_a/8", Some("median"), 9.0),
        ("BM_b/8/repeats:3_mean", "BM_b/8/repeats:3", Some("mean"), 4.0),
        ("BM_b/8/repeats:3_median", "BM_b/8/repeats:3", Some("median"), 3.0),
        ("BM_b/8/repeats:3_stddev", "BM_b/8/repeats:3", Some("stddev"), 1.0),
        ("BM_c/8_mean", "BM_c/8", Some("mean"), 5.0),
    ]);
    let found = describe(&read("b.json", text.as_bytes(), &ReadOptions::default()).unwrap());
    for part in [
        "BM_a: P N time_s\n  0: 1 8 0.000001\n",
        "BM_b: P N time_s\n  0: 1 8 0.000003\n",
        "BM_c: P N time_s\n  0: 1 8 0.000005\n",
        "left out: `BM_a/8_median`, `BM_b/8/repeats:3_mean`, `BM_b/8/repeats:3_stddev` (made of other results)",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn families_with_other_arguments_are_experiments_of_their_own() {
    let run = |name, time| (name, name, None, time);
    let text = benchmarks(&[
        run("BM_a/8", 1.0),
        run("BM_a/16", 2.0),
        run("BM_a/8/4", 3.0),
        run("BM_b/n:8", 5.0),
        run("BM_b/m:8", 6.0),
        run("BM_c/8", 7.0),
    ]);
    let found = describe(&read("b.json", text.as_bytes(), &ReadOptions::default()).unwrap());
    for part in [
        "BM_a_N: P N time_s\n  0: 1 8 0.000001\n  0: 1 16 0.000002\n",
        "BM_a_N0_N1: P N0 N1 time_s\n  0: 1 8 4 0.000003\n",
        "BM_b_n: P n time_s\n  0: 1 8 0.000005\n",
        "BM_b_m: P m time_s\n  0: 1 8 0.000006\n",
        "BM_c: P N time_s\n  0: 1 8 0.000007\n",
    ] {
        assert!(found.contains(part), "{part}: {found}");
    }
}

#[test]
fn folders_of_criterion() {
    let files = [
        (
            "sort/quick/1000/new/benchmark.json",
            r#"{"group_id": "sort", "function_id": "quick", "value_str": "1000", "throughput": {"Bytes": 8000}}"#,
        ),
        (
            "sort/quick/1000/new/sample.json",
            r#"{"sampling_mode": "Linear", "iters": [1, 2, 4], "times": [100, 180, 400]}"#,
        ),
        (
            "sort/quick/2000/new/benchmark.json",
            r#"{"group_id": "sort", "function_id": "quick", "value_str": "2000", "throughput": null}"#,
        ),
        ("sort/quick/2000/new/sample.json", r#"{"iters": [10], "times": [2500]}"#),
        (
            "scan/new/benchmark.json",
            r#"{"group_id": "scan", "function_id": null, "value_str": null, "throughput": {"Elements": 64}}"#,
        ),
        // As Criterion 0.2 wrote it.
        ("scan/new/sample.json", "[[2.0], [14.0]]"),
        ("scan/base/sample.json", "not read"),
        ("lonely/new/benchmark.json", "{}"),
    ];
    let paths: Vec<String> = files.iter().map(|(path, _)| format!("target/criterion/{path}")).collect();
    let (mut set, of_set) = call_exchange::FileSet::of("target/criterion", &paths).unwrap();
    assert_eq!(of_set.len(), 7);
    let options = ReadOptions::default();
    for (path, (_, text)) in paths.iter().zip(files).filter(|(path, _)| of_set.contains(path)) {
        set.push(path, text.as_bytes(), &options).unwrap();
    }
    let found = describe(&set.finish(&options).unwrap());
    assert_eq!(
        found,
        "results of Criterion, 1 processors\nscan: P elements time_s\n  0: 1 64 0.000000007\nsort_quick: P N time_s\n  0: 1 1000 \
         0.0000001\n  0: 1 1000 0.00000009\n  0: 1 1000 0.0000001\n  0: 1 2000 0.00000025\n- the times are `time`, in nanoseconds\n"
    );
    let (mut set, _) = call_exchange::FileSet::of("target/criterion", &paths).unwrap();
    set.push(&paths[0], files[0].1.as_bytes(), &options).unwrap();
    set.push(&paths[1], br#"{"iters": [1, 2], "times": [1]}"#, &options).unwrap();
    let error = set.finish(&options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("sort/quick/1000/new/sample.json, keys `iters` and `times`: expected two lists"),
        "{error}"
    );
}
