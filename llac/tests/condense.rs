//! What is condensed answers as the measurements do, in whatever parts it was condensed, and says where it cannot.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that meets None has failed")]

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use llac::{MemoryWorkspace, Page, Session, Workspace, json};
use serde_json::Value;

/// The files of several sessions.
pub struct Shared(pub Arc<MemoryWorkspace>);

impl Workspace for Shared {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.0.write(path, contents)
    }

    fn matching(&self, pattern: &str) -> io::Result<Vec<String>> {
        self.0.matching(pattern)
    }
}

const RUNS: u32 = 5;
const REPETITIONS: u32 = 60;

/// A run of 60 measurements at each of six sizes, 1 + 2 N s and up to 2 % of noise; every second run has another experiment besides. With
/// several processors, each is slower than the one before.
fn trace(run: u32, processors: u32) -> String {
    let (mut rows, mut count) = (String::new(), 0);
    let has_g = run % 2 == 1;
    for processor in 0..processors {
        for repetition in 0..REPETITIONS {
            for step in 0..6 {
                let size = 1 << step;
                let noise = 1.0
                    + 1e-3 * f64::from((repetition * 7 + run * 5 + step * 3 + processor) * 13 % 41)
                    - 0.02;
                let time_s = noise * (1.0 + 2.0 * f64::from(size) + f64::from(processor));
                writeln!(rows, "f {processor} {processors} {size} {time_s:.9}").unwrap();
                count += 1;
            }
        }
    }
    if has_g {
        rows.push_str("g 0 1 7 0.5\n");
        count += 1;
    }
    let g = if has_g { "# experiment: g\n# variables: N\n" } else { "" };
    format!(
        "# call-trace 1\n# program: p\n# date: 2026-11-2{run}T09:30:00Z\n# host: node{run}\n# processors: {processors}\n# run: word{run}\n# reports: 1\n\
         {}# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n{}experiment processor P N time_s\n{rows}# end rows={count}\n",
        if run == 3 { g } else { "" },
        if run == 3 { "" } else { g },
    )
}

fn files(processors: u32) -> Arc<MemoryWorkspace> {
    Arc::new(MemoryWorkspace::with((0..RUNS).map(|run| (format!("{run}.dat"), trace(run, processors)))))
}

fn run(files: &Arc<MemoryWorkspace>, lines: &[&str]) -> llac::CommandOutcome {
    let mut session = Session::new(Box::new(Shared(Arc::clone(files))));
    let mut outcome = None;
    for line in lines {
        outcome = Some(session.run(line).unwrap_or_else(|error| panic!("{line}: {}", error.render(line))));
    }
    outcome.unwrap()
}

fn told(outcome: &llac::CommandOutcome) -> String {
    outcome.render_remarks(&Page::plain(1000))
}

/// The numbers in a result, in their order.
fn numbers(value: &Value, found: &mut Vec<f64>) {
    match value {
        Value::Number(number) => found.extend(number.as_f64()),
        Value::Array(all) => all.iter().for_each(|its| numbers(its, found)),
        Value::Object(all) => all.values().for_each(|its| numbers(its, found)),
        _ => {}
    }
}

fn all_numbers(outcome: &llac::CommandOutcome) -> Vec<f64> {
    let mut found = Vec::new();
    numbers(&json::outcome(outcome), &mut found);
    found
}

#[test]
fn parts_in_any_order_and_depth_give_the_same_bytes() {
    let files = files(1);
    run(&files, &["condense ?.dat into all.parquet"]);
    let whole = files.read("all.parquet").unwrap();
    let nested: [&[&str]; 5] = [
        &["condense 4.dat 1.dat 0.dat 3.dat 2.dat into x.parquet"],
        &[
            "condense 3.dat 1.dat into a.parquet",
            "condense 0.dat 4.dat 2.dat into b.parquet",
            "condense b.parquet a.parquet into x.parquet",
        ],
        &[
            "condense 3.dat 4.dat into a.parquet",
            "condense 2.dat a.parquet into b.parquet",
            "condense b.parquet 1.dat 0.dat into x.parquet",
        ],
        &["condense all.parquet into x.parquet"],
        // What comes twice is there once.
        &[
            "condense 0.dat 1.dat 2.dat into a.parquet",
            "condense 2.dat 3.dat 4.dat into b.parquet",
            "condense a.parquet b.parquet 0.dat into x.parquet",
        ],
    ];
    for lines in nested {
        run(&files, lines);
        assert!(files.read("x.parquet").unwrap() == whole, "{lines:?}");
    }
    // Each run has 16 samples at most of each of six points.
    let told = run(&files, &["condense ?.dat into x.parquet"]).value.render(&Page::plain(1000));
    assert!(told.contains("f: 1800 measurements of 5 runs in 30 summaries and "), "{told}");
}

#[test]
fn fits_of_means_and_minima_are_those_of_all_measurements() {
    let files = files(1);
    run(&files, &["condense ?.dat into all.parquet"]);
    for setting in ["set repetitions mean", "set repetitions minimum"] {
        for question in ["fit f", "aleph f[1]", "predict f N=100"] {
            // The intervals of minima and of single measurements come from those that were kept.
            let is_exact = setting.ends_with("mean") && question != "predict f N=100";
            let whole = run(&files, &["load ?.dat", setting, question]);
            let condensed = run(&files, &["load all.parquet", setting, question]);
            assert!(!told(&condensed).contains("only sums"), "{}", told(&condensed));
            let (whole, condensed) = (all_numbers(&whole), all_numbers(&condensed));
            if is_exact {
                assert!(whole.len() == condensed.len() && !whole.is_empty(), "{setting} {question}");
                let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-9 * one.abs().max(1e-6);
                assert!(
                    whole.iter().zip(&condensed).all(near),
                    "{setting} {question}: {whole:?} {condensed:?}"
                );
            }
        }
    }
    let constants = |lines: &[&str]| json::outcome(&run(&files, lines)).to_string();
    let whole = constants(&["load ?.dat", "set repetitions minimum", "aleph f[0]"]);
    let condensed = constants(&["load all.parquet", "set repetitions minimum", "aleph f[0]"]);
    let value =
        |text: &str| text.split("\"value_s\":").nth(1).map(|rest| rest.split(',').next().unwrap().to_owned());
    assert_eq!(value(&whole), value(&condensed));
}

#[test]
fn what_sums_do_not_say_is_told() {
    let one = files(1);
    run(&one, &["condense ?.dat into all.parquet"]);
    let medians = told(&run(&one, &["load all.parquet", "fit f"]));
    assert!(medians.contains("of 1800 measurements there are only sums: medians come from "), "{medians}");
    assert!(!told(&run(&one, &["load ?.dat", "fit f"])).contains("only sums"));
    let each = told(&run(&one, &["load all.parquet", "set repetitions each", "fit f"]));
    assert!(each.contains("the samples come from "), "{each}");
    let several = files(2);
    run(&several, &["condense ?.dat into all.parquet"]);
    let joined = told(&run(&several, &["load all.parquet", "set repetitions mean", "fit f"]));
    assert!(joined.contains("each processor was summed up before the processors were joined"), "{joined}");
    let chosen =
        told(&run(&several, &["load all.parquet", "set repetitions mean", "set processors 1", "fit f"]));
    assert!(!chosen.contains("only sums"), "{chosen}");
}

#[test]
fn runs_stay_apart_and_count_once() {
    let files = files(1);
    run(&files, &["condense ?.dat into all.parquet"]);
    let again = run(&files, &["load all.parquet", "load all.parquet"]);
    assert!(told(&again).contains("is loaded already"), "{}", told(&again));
    let beside = run(&files, &["load all.parquet", "load 2.dat"]);
    assert!(told(&beside).contains("is loaded already"), "{}", told(&beside));
    // What was exported apart is no run twice.
    run(&files, &["load ?.dat", "export f f.parquet", "export g g.parquet"]);
    let both =
        run(&files, &["load f.parquet", "load g.parquet", "experiments"]).value.render(&Page::plain(1000));
    assert!(both.contains("1800") && both.lines().any(|line| line.trim_start().starts_with("g  ")), "{both}");
    let told =
        run(&files, &["condense f.parquet g.parquet into both.parquet"]).value.render(&Page::plain(1000));
    assert!(told.contains("f: 1800 measurements") && told.contains("g: 2 measurements"), "{told}");
    run(&files, &["load all.parquet", "export f exported.parquet"]);
    let exported = call_exchange::ColumnarSamples::read(&files.read("exported.parquet").unwrap()).unwrap();
    let hosts: Vec<&str> = exported.runs.iter().map(|run| run.header.host.as_str()).collect();
    assert_eq!(hosts, ["node0", "node1", "node2", "node3", "node4"]);
}

/// A table of 80 measurements of the sizes 1, 2, 4 and 8.
fn table(number: u32) -> String {
    let rows = (0..80u32).map(|row| {
        let noise = f64::from((row * 37 + number * 11) % 83) * 1e-3;
        format!("k,{},{:.6}\n", 1 << (row % 4), f64::from(1u32 << (row % 4)) + noise)
    });
    format!("experiment,N,time_s\n{}", rows.collect::<String>())
}

#[test]
fn a_copied_run_is_left_out_and_the_others_are_not() {
    let files = (0..4).map(|number| (format!("{number}.csv"), table(number)));
    let files = Arc::new(MemoryWorkspace::with(files.chain([("copy.csv".to_owned(), table(0))])));
    let all_of = |lines: &[&str]| {
        let answer = run(&files, lines);
        (answer.value.render(&Page::plain(1000)), told(&answer))
    };
    let condensed = |words: &str| all_of(&[&format!("condense {words}")]);
    // The copy counts once, whatever stands before what.
    let (shown, said) = condensed("0.csv 1.csv copy.csv into with.parquet");
    assert!(shown.contains("k: 160 measurements of 2 runs"), "{shown}");
    assert!(said.contains("copy.csv holds the same measurements as 0.csv"), "{said}");
    condensed("copy.csv 1.csv 0.csv into with2.parquet");
    assert_eq!(files.read("with.parquet").unwrap(), files.read("with2.parquet").unwrap());
    // A file with one copy and two other runs beside the run itself.
    condensed("copy.csv 2.csv 3.csv into part.parquet");
    let (shown, said) = all_of(&["load 0.csv 1.csv", "condense 0.csv 1.csv into first.parquet"]);
    assert!(shown.contains("2 runs") && !said.contains("the same"), "{shown}{said}");
    let measurements = |lines: &[&str]| {
        let mut lines = lines.to_vec();
        lines.extend(["set repetitions mean", "formula k = c[0] + c[1]*N", "export k k.openmetrics"]);
        run(&files, &lines);
        let text = String::from_utf8(files.read("k.openmetrics").unwrap()).unwrap();
        let counts = text.lines().filter(|line| line.contains("count{"));
        let counts = counts.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap());
        counts.sum::<f64>()
    };
    assert_eq!(measurements(&["load first.parquet", "load part.parquet"]), 320.0);
    assert_eq!(measurements(&["load first.parquet part.parquet"]), 320.0);
    assert_eq!(measurements(&["load 0.csv 1.csv 2.csv 3.csv", "load copy.csv"]), 320.0);
    let (shown, said) = all_of(&["load first.parquet part.parquet"]);
    assert!(shown.contains("2 files read"), "{shown}");
    assert!(said.contains("part.parquet:copy.csv holds the same measurements as"), "{said}");
}

/// Whatever comes first; what else the condensed file holds counts.
#[test]
fn what_was_condensed_counts_once_beside_its_own_file() {
    let files =
        Arc::new(MemoryWorkspace::with((0..3).map(|number| (format!("{number}.csv"), table(number)))));
    run(&files, &["condense 0.csv into one.parquet", "condense 0.csv 1.csv into two.parquet"]);
    let measurements = |load: &str| {
        let answer = run(&files, &[load]);
        let exported = [load, "set repetitions mean", "formula k = c[0] + c[1]*N", "export k k.openmetrics"];
        run(&files, &exported);
        let text = String::from_utf8(files.read("k.openmetrics").unwrap()).unwrap();
        let counts = text.lines().filter(|line| line.contains("count{"));
        let counts = counts.map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap());
        (counts.sum::<f64>(), told(&answer))
    };
    for (load, all) in [
        ("load one.parquet 0.csv", 80.0),
        ("load 0.csv one.parquet", 80.0),
        ("load two.parquet 1.csv 2.csv", 240.0),
        ("load 0.csv 2.csv two.parquet", 240.0),
    ] {
        let (count, told) = measurements(load);
        assert!(count == all && told.contains("the same measurements as"), "{load}: {count} {told}");
    }
    let (count, told) = measurements("load one.parquet 1.csv");
    assert!(count == 160.0 && !told.contains("the same"), "{count} {told}");
}

/// Two condensed files of files that are called alike.
#[test]
fn errors_name_both_files() {
    let of = |variable: &str| format!("experiment,{variable},time_s\nk,1,1\nk,2,3\n");
    let files = Arc::new(MemoryWorkspace::with([("a/x.csv".to_owned(), of("N"))]));
    run(&files, &["condense a/x.csv into one.parquet"]);
    files.write("a/x.csv", of("M").as_bytes()).unwrap();
    run(&files, &["condense a/x.csv into two.parquet"]);
    let line = "condense one.parquet two.parquet into both.parquet";
    let error = Session::new(Box::new(Shared(Arc::clone(&files)))).run(line).err().unwrap().render(line);
    for file in ["one.parquet:a/x.csv", "two.parquet:a/x.csv"] {
        assert!(error.contains(file), "{error}");
    }
}

#[test]
fn checks_see_each_run() {
    let files = files(1);
    run(&files, &["condense [0-2].dat into old.parquet"]);
    run(&files, &["condense [3-4].dat into new.parquet"]);
    let check = |old: &str, new: &str| {
        let (load, check) = (format!("load {old}"), format!("check m.json {new}"));
        let lines = ["set repetitions mean", &load, "save model f into m.json", &check];
        run(&files, &lines).value.render(&Page::plain(1000))
    };
    let whole = check("[0-2].dat", "[3-4].dat");
    assert!(whole.contains("2 runs against 3"), "{whole}");
    assert_eq!(check("old.parquet", "new.parquet"), whole);
}

#[test]
fn names_are_those_of_all_files() {
    let of =
        |kernel: &str, time_s: u32| format!("kernel,N,time_s\n{kernel},1,{time_s}\n{kernel},2,{time_s}\n");
    let files = [("1.csv", of("x+y", 1)), ("2.csv", of("x-y", 2)), ("3.csv", of("x+y", 3))];
    let files = Arc::new(MemoryWorkspace::with(files));
    run(&files, &["condense 1.csv 2.csv 3.csv into x.parquet"]);
    let shown = json::outcome(&run(&files, &["load x.parquet", "show x_plus_y"])).to_string();
    assert!(!shown.contains("2.0"), "{shown}");
    run(&files, &["condense 3.csv 2.csv 1.csv into y.parquet"]);
    assert!(files.read("x.parquet").unwrap() == files.read("y.parquet").unwrap());
    let told = run(&files, &["condense ?.csv into x.parquet"]).value.render(&Page::plain(1000));
    assert!(
        told.contains("x_plus_y: 4 measurements of") && told.contains("x_minus_y: 2 measurements of"),
        "{told}"
    );
}

#[test]
fn wrong_lines_are_told() {
    let files = files(1);
    run(&files, &["condense ?.dat into all.parquet"]);
    let fails = |line: &str| {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        session.run(line).err().unwrap().render(line)
    };
    assert!(fails("condense 0.dat").contains("files and `into FILE.parquet` are missing"));
    assert!(fails("condense into x.parquet").contains("files and `into FILE.parquet` are missing"));
    assert!(fails("condense 0.dat into x.dat").contains("`x.dat` can hold no runs with their sums"));
    assert!(
        fails("condense 0.dat values=inclusive into x.parquet")
            .contains("does not say that its values are inclusive")
    );
    assert!(fails("condense 0.dat all.parquet into all.parquet").contains("would be condensed into itself"));
}
