//! The gate on constants: planted changes are found and named, and none is where nothing has changed.

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use llac::{AnswerStatus, Circumstances, CommandOutcome, MemoryWorkspace, Session, Workspace, json};

/// The files of one session.
struct Shared(Arc<MemoryWorkspace>);

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

    fn add(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        self.0.add(path, contents)
    }

    fn folder(&self, path: &str) -> io::Result<Option<Vec<String>>> {
        self.0.folder(path)
    }

    fn circumstances(&self) -> Circumstances {
        self.0.circumstances()
    }
}

/// Between -1 and 1, always the same for a number.
fn noise(number: u64) -> f64 {
    let mut z = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// What a run is like.
#[derive(Clone, Copy)]
struct Run {
    number: u64,
    /// What f[1] is multiplied by, and all of it.
    rise: f64,
    factor: f64,
    sizes: &'static [f64],
    /// A further cost of each N*N.
    square: f64,
}

const SIZES: &[f64] = &[1e4, 2e4, 4e4, 8e4, 16e4];
const PLAIN: Run = Run { number: 0, rise: 1.0, factor: 1.0, sizes: SIZES, square: 0.0 };

/// 100 µs + 10 ns N/P + 10 µs P, with noise of 2 % in each measurement and of 1 % in each run.
fn trace(run: Run) -> String {
    let (mut rows, mut count) = (String::new(), 0);
    let of_run = run.factor * (1.0 + 0.01 * noise(run.number + 7));
    for _ in 0..5 {
        for &n in run.sizes {
            for p in [1.0, 2.0, 4.0, 8.0, 16.0] {
                count += 1;
                let own = 1.0 + 0.02 * noise(1000 * run.number + 100 + count);
                let time_s = 1e-4 + 1e-8 * run.rise * n / p + 1e-5 * p + run.square * n * n;
                writeln!(rows, "f 0 {p} {n} {:.12}", time_s * of_run * own).unwrap();
            }
        }
    }
    format!(
        "# call-trace 1\n# program: heat\n# source: heat.c\n# host: node{}\n# date: 2026-11-{:02}T09:30:00Z\n# processors: 16\n\
         # experiment: f\n# formula: f[0] + f[1]*N/P + f[2]*P\n# variables: N\n# lines: 12-17\nexperiment processor P N time_s\n\
         {rows}# end rows={count}\n",
        run.number % 2,
        run.number + 1,
    )
}

/// A session with a baseline of so many runs, and with new runs in `new1.dat`, `new2.dat`, ….
fn session(baseline: u64, new: &[Run]) -> (Session, Arc<MemoryWorkspace>) {
    let mut files: Vec<(String, String)> =
        (0..baseline).map(|number| (format!("old{number}.dat"), trace(Run { number, ..PLAIN }))).collect();
    files.extend(new.iter().enumerate().map(|(index, run)| {
        let number = baseline + index as u64;
        (format!("new{}.dat", index + 1), trace(Run { number, ..*run }))
    }));
    let files: Vec<(&str, String)> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let files = Arc::new(MemoryWorkspace::with(files));
    let mut first = Session::new(Box::new(Shared(Arc::clone(&files))));
    run(&mut first, "load old*.dat");
    run(&mut first, "save model f into base.model.json");
    (Session::new(Box::new(Shared(Arc::clone(&files)))), files)
}

fn run(session: &mut Session, line: &str) -> CommandOutcome {
    session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)))
}

fn check(session: &mut Session, line: &str, answer: AnswerStatus, expected: &[&str]) -> String {
    let outcome = run(session, line);
    let shown = outcome.to_plain_text();
    let in_one_line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(outcome.answer, answer, "{shown}");
    for part in expected {
        assert!(in_one_line.contains(part), "{part} is not in\n{shown}");
    }
    shown
}

fn failure(session: &mut Session, line: &str, code: &str) -> String {
    let error = session.run(line).unwrap_err();
    assert_eq!(error.code(), code, "{}", error.render(line));
    error.render(line)
}

const RISEN: Run = Run { rise: 1.12, ..PLAIN };

#[test]
fn a_constant_that_rose_is_named() {
    let (mut session, _) = session(10, &[RISEN; 3]);
    let shown = check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &[
            "f: worse (3 runs against 10 of the baseline)",
            "f[1], the cost of each N/P, rose 1",
            "f[0], f[2]: not worse",
        ],
    );
    assert!(!shown.contains("warning: f: not all"), "{shown}");
    check(
        &mut session,
        "check base.model.json new*.dat tolerance f[1] 30%",
        AnswerStatus::Given,
        &["f: fine"],
    );
    check(&mut session, "check base.model.json new*.dat tolerance 30 %", AnswerStatus::Given, &["f: fine"]);
    // The time at a point where f[1] is next to nothing.
    check(
        &mut session,
        "check base.model.json new*.dat at N=1e4 P=16",
        AnswerStatus::Given,
        &["f: fine", "3.00 told"],
    );
    check(
        &mut session,
        "check base.model.json new*.dat at N=160000 P=1",
        AnswerStatus::No,
        &["the time at N = 160000, P = 1 rose 1", "f[1], the cost of each N/P, rose 1"],
    );
}

#[test]
fn without_a_change_there_is_no_alarm() {
    let (mut session, _) = session(10, &[PLAIN; 3]);
    check(&mut session, "check base.model.json new*.dat tolerance 5%", AnswerStatus::Given, &["f: fine"]);
}

#[test]
fn other_sizes_are_no_obstacle() {
    let other = &[5e3, 3e4, 7e4, 3e5];
    let (mut session, _) = session(10, &[Run { sizes: other, ..RISEN }; 3]);
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &["f[1], the cost of each N/P, rose 1", "not all runs measured the same points"],
    );
}

#[test]
fn improvements_are_told() {
    let (mut session, _) = session(10, &[Run { rise: 0.85, ..PLAIN }; 3]);
    let line = "check base.model.json new*.dat tolerance 5%";
    check(&mut session, line, AnswerStatus::Given, &["f: fine", "f[1], the cost of each N/P, fell 1"]);
}

#[test]
fn a_single_spike_is_no_change_and_is_named() {
    let spike = Run { factor: 1.3, ..PLAIN };
    let (mut session, _) = session(12, &[PLAIN, PLAIN, spike, PLAIN]);
    let line = "check base.model.json new*.dat tolerance 5%";
    check(
        &mut session,
        line,
        AnswerStatus::Given,
        &["f: fine", "far from the others of the new runs: new3.dat on node0 ("],
    );
}

#[test]
fn one_run_of_each_does_not_tell() {
    let (mut session, files) = session(1, &[Run { rise: 2.0, ..PLAIN }]);
    assert!(
        String::from_utf8(files.read("base.model.json").unwrap()).unwrap().contains("\"call-model\": 1,")
    );
    check(
        &mut session,
        "check base.model.json new1.dat",
        AnswerStatus::Unknown,
        &[
            "f: cannot tell (1 run against 1 of the baseline)",
            "one run of each does not tell how runs scatter",
        ],
    );
}

#[test]
fn one_new_run_is_judged_by_how_the_baseline_scatters() {
    let (mut session, _) = session(12, &[Run { rise: 1.5, ..PLAIN }]);
    check(
        &mut session,
        "check base.model.json new1.dat",
        AnswerStatus::No,
        &["f[1], the cost of each N/P, rose"],
    );
}

#[test]
fn too_few_runs_say_how_many_would_tell() {
    let (mut session, _) = session(3, &[Run { rise: 1.06, ..PLAIN }; 2]);
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::Unknown,
        &["f[1]: cannot tell whether it rose, +", "would tell"],
    );
}

#[test]
fn limits_hold_or_not() {
    let (mut session, _) = session(10, &[PLAIN; 3]);
    let line = |limit: &str| format!("check base.model.json new*.dat tolerance 5% require '{limit}'");
    check(
        &mut session,
        &line("f(N=1e5,P=1) < 2ms"),
        AnswerStatus::Given,
        &["`f(N=1e5,P=1) < 2ms` holds: 1.1"],
    );
    check(&mut session, &line("f(N=1e5, P=1) < 1ms"), AnswerStatus::No, &["does not hold"]);
    check(&mut session, &line("f(N=1e5,P=1) > 1ms"), AnswerStatus::Given, &["holds"]);
    for (limit, code) in [
        ("f(N=1e5) < 1ms", "missing-value"),
        ("g(N=1e5,P=1) < 1ms", "wrong-value"),
        ("f(N=1e5,P=1) is 3", "wrong-value"),
        ("f(N=1e5,P=1,Q=2) < 1ms", "unknown-variable"),
        ("f(N=1e5,P=1) < 1kg", "wrong-value"),
        ("f N < 1", "wrong-value"),
    ] {
        failure(&mut session, &line(limit), code);
    }
}

#[test]
fn a_further_term_is_told() {
    let (mut session, _) = session(10, &[Run { square: 2e-14, ..PLAIN }; 3]);
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &[
            "warning: f: the new runs need what those of the baseline did not",
            "are outside of the 90 % intervals that the baseline predicts",
        ],
    );
}

#[test]
fn the_baseline_may_be_loaded_and_the_new_runs_too() {
    let (mut session, files) = session(10, &[RISEN; 3]);
    run(&mut session, "load new*.dat");
    check(&mut session, "check base.model.json f", AnswerStatus::No, &["f[1], the cost of each N/P, rose"]);
    run(&mut session, "save model f into new.model.json");
    let mut other = Session::new(Box::new(Shared(files)));
    run(&mut other, "load base.model.json");
    check(&mut other, "check f new.model.json", AnswerStatus::No, &["f[1], the cost of each N/P, rose"]);
    check(&mut other, "check f new*.dat where P > 1 and N > 1e4", AnswerStatus::No, &["3 runs against 10"]);
}

#[test]
fn other_tools_read_it() {
    let (mut session, files) = session(10, &[RISEN; 3]);
    let read = |name: &str| String::from_utf8(files.read(name).unwrap()).unwrap();
    let line = "check base.model.json new*.dat as";
    check(&mut session, &format!("{line} github into notes.txt"), AnswerStatus::No, &["wrote notes.txt"]);
    let notes = read("notes.txt");
    assert!(
        notes.starts_with("::error file=heat.c,line=12,title=f%3A worse::f[1], the cost of each N/P, rose 1"),
        "{notes}"
    );
    assert!(notes.contains("%25 [") && notes.contains("%0A") && notes.lines().count() == 1, "{notes}");

    run(&mut session, &format!("{line} junit into report.xml"));
    let report = read("report.xml");
    assert!(report.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"));
    assert!(report.contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\""), "{report}");
    assert!(report.contains(
        "<testcase classname=\"f\" name=\"f[1]\" file=\"heat.c\" line=\"12\">\n      <failure message="
    ));

    run(&mut session, &format!("{line} bencher into metrics.json"));
    let metrics: serde_json::Value = serde_json::from_str(&read("metrics.json")).unwrap();
    let metric = &metrics["f"]["f[1]"];
    let of = |key: &str| metric[key].as_f64().unwrap();
    assert!(of("lower_value") < of("value") && of("value") < of("upper_value"), "{metric}");
    assert!((of("value") / 1.12e-8 - 1.0).abs() < 0.05, "{metric}");

    let shown = run(&mut session, &format!("{line} markdown")).to_plain_text();
    assert!(
        shown.starts_with("### ❌ `f`: worse\n\n- f\\[1\\]")
            || shown.starts_with("### ❌ `f`: worse\n\n- f\\[1]"),
        "{shown}"
    );
    assert!(shown.contains("| what | before (s) |"), "{shown}");

    let object = json::outcome(&run(&mut session, "check base.model.json new*.dat"));
    let table = &object["tables"][0];
    assert_eq!(table["name"], "check", "{table}");
    let row = &table["rows"][1];
    assert_eq!((&row["what"], &row["verdict"]), (&"f[1]".into(), &"worse".into()), "{table}");
    assert_eq!(object["tables"][2]["rows"][0]["verdict"], "worse", "{object}");
}

#[test]
fn what_is_wrong_is_told() {
    let (mut session, _) = session(3, &[PLAIN]);
    for (line, code) in [
        ("check", "missing-word"),
        ("check base.model.json", "missing-word"),
        ("check base.model.json tolerance 3%", "missing-word"),
        ("check old0.dat new1.dat", "no-samples"),
        ("check none.model.json new1.dat", "cannot-read"),
        ("check base.model.json none.dat", "cannot-read"),
        ("check base.model.json new1.dat tolerance", "missing-word"),
        ("check base.model.json new1.dat tolerance f[1]", "missing-word"),
        ("check base.model.json new1.dat tolerance f[7] 3%", "unknown-constant"),
        ("check base.model.json new1.dat tolerance -3%", "wrong-value"),
        ("check base.model.json new1.dat tolerance 3% 4%", "unexpected-word"),
        ("check base.model.json new1.dat alarms 70%", "wrong-value"),
        ("check base.model.json new1.dat at", "missing-word"),
        ("check base.model.json new1.dat at N=1,2 P=1", "wrong-value"),
        ("check base.model.json new1.dat at N=1 N=2 P=1", "given-twice"),
        ("check base.model.json new1.dat at N=1", "missing-value"),
        ("check base.model.json new1.dat as xunit", "unknown-format"),
        ("check base.model.json new1.dat as junit as junit", "unexpected-word"),
        ("check base.model.json new1.dat base.model.json", "not-applicable"),
    ] {
        failure(&mut session, line, code);
    }
}

/// A run at one number of processors, as `call run` makes them.
fn at(number: u64, processors: usize, rise: f64) -> String {
    let whole = trace(Run { number, rise, ..PLAIN });
    let is_of_it =
        |line: &&str| !line.starts_with("f 0 ") || line.split(' ').nth(2) == Some(&processors.to_string());
    let lines: Vec<&str> = whole.lines().filter(is_of_it).collect();
    let rows = lines.iter().filter(|line| line.starts_with("f 0 ")).count();
    lines[..lines.len() - 1].join("\n") + &format!("\n# end rows={rows}\n")
}

#[test]
fn runs_at_different_points_are_rounds() {
    let mut files = Vec::new();
    for round in 0..10 {
        for (place, processors) in [1, 4, 16].into_iter().enumerate() {
            files.push((format!("old{round}{place}.dat"), at(round, processors, 1.0)));
            if round < 3 {
                files.push((format!("new{round}{place}.dat"), at(20 + round, processors, 1.12)));
            }
        }
    }
    let files: Vec<(&str, String)> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let files = Arc::new(MemoryWorkspace::with(files));
    let mut session = Session::new(Box::new(Shared(files)));
    run(&mut session, "load old*.dat");
    run(&mut session, "save model f into base.model.json");
    check(
        &mut session,
        "check base.model.json new*.dat",
        AnswerStatus::No,
        &[
            "f: worse (3 runs against 10 of the baseline)",
            "f[1], the cost of each N/P, rose 1",
            "note: f: no run alone determines all constants",
        ],
    );
}

#[test]
fn another_formula_in_the_source_is_told() {
    let (_, files) = session(10, &[PLAIN; 3]);
    for number in 1..=3 {
        let name = format!("new{number}.dat");
        let text = String::from_utf8(files.read(&name).unwrap()).unwrap();
        files.write(&name, text.replace(" + f[2]*P", " + f[2]*log(P)").as_bytes()).unwrap();
    }
    let mut session = Session::new(Box::new(Shared(files)));
    check(
        &mut session,
        "check base.model.json new*.dat tolerance 5%",
        AnswerStatus::Given,
        &[
            "warning: f: the new runs have the formula `f[0] + f[1]*N/P + f[2]*log(P)`, and are compared by that of the baseline",
        ],
    );
}

/// An archive `h` of so many entries, of which those from `first` on take longer.
fn archive(entries: u64, first: u64) -> (Session, Arc<MemoryWorkspace>) {
    let of = |number: u64| Run { number, rise: if number < first { 1.0 } else { 1.12 }, ..PLAIN };
    let files = (0..entries).map(|number| (format!("run{number}.dat"), trace(of(number))));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..entries {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load run{number}.dat"));
        run(&mut session, &format!("archive add into h machine=ci commit=c{number}"));
    }
    (Session::new(Box::new(Shared(Arc::clone(&files)))), files)
}

#[test]
fn a_history_names_the_constant_and_the_commit() {
    let (mut session, files) = archive(16, 9);
    let told = "f[1], the cost of each N/P, rose 12 %";
    let shown = check(
        &mut session,
        "history f in h",
        AnswerStatus::Given,
        &["f: 16 entries", told, "at c9", "f[0], f[2]: no change"],
    );
    assert!(!shown.contains("warning"), "{shown}");
    check(&mut session, "history f[1] in h all", AnswerStatus::Given, &[told, "2026-11-10"]);
    check(&mut session, "history f[2] in h picture", AnswerStatus::Given, &["f[2]: no change"]);
    check(&mut session, "archive list in h", AnswerStatus::Given, &["c15"]);
    run(&mut session, "history f in h f.svg");
    assert!(files.read("f.svg").unwrap().starts_with(b"<svg"));
    run(&mut session, "page history h into h.html");
    let html = String::from_utf8(files.read("h.html").unwrap()).unwrap();
    assert!(html.contains(&format!("<li>{told}")) && html.contains("<li>f[0], f[2]: no change, where "));
    failure(&mut session, "page history nowhere into h.html", "cannot-read");
    failure(&mut session, "page history into h.html", "missing-word");
    let outcome = json::outcome(&run(&mut session, "history f in h")).to_string();
    assert!(outcome.contains("\"commit\":\"c9\""), "{outcome}");

    failure(&mut session, "history g in h", "unknown-experiment");
    failure(&mut session, "history f[7] in h", "unknown-constant");
    failure(&mut session, "history f in nowhere", "cannot-read");
    failure(&mut session, "history f", "missing-word");
    failure(&mut session, "history f in h alarms 70%", "wrong-value");
    failure(&mut session, "archive add f into h", "unknown-experiment");
    failure(&mut session, "archive drop f into h", "unexpected-word");
    check(&mut session, "history", AnswerStatus::Given, &["nothing was changed yet"]);
}

#[test]
fn a_change_that_so_few_entries_cannot_tell_is_not_denied() {
    let (mut session, _) = archive(13, 10);
    let text = "f[1]: cannot tell yet whether it rose, +12 % since c10 (3 entries); 1 more entry like the last would tell";
    let shown =
        check(&mut session, "history f in h", AnswerStatus::Given, &[text, "f[0], f[2]: no change, where "]);
    assert!(!shown.contains("spike"), "{shown}");
    let verdicts = json::outcome(&run(&mut session, "history f in h")).to_string();
    assert!(verdicts.contains("\"verdict\":\"cannot tell\""), "{verdicts}");
    let (mut session, _) = archive(9, 9);
    let few = "f[0], f[1], f[2]: cannot tell yet, 9 entries show no change of any size: 12 are needed";
    check(&mut session, "history f in h", AnswerStatus::Given, &[few]);
}

#[test]
fn what_is_no_entry_is_told_and_other_machines_are_kept_apart() {
    let (mut session, files) = archive(4, 9);
    for (name, text) in [
        ("h/notes.txt", "x"),
        ("h/a.json", "{}"),
        ("h/b.json", "{\"call-archive\": 9}"),
        ("h/c.json", "{"),
        ("h/lonely.parquet", "PAR1"),
    ] {
        files.write(name, text.as_bytes()).unwrap();
    }
    let expected = [
        "a.json is no entry",
        "b.json is an entry of schema version 9",
        "c.json is no JSON",
        "notes.txt is no file",
        "lonely.parquet is samples without an entry",
    ];
    check(&mut session, "archive list in h", AnswerStatus::Given, &expected);
    run(&mut session, "load run3.dat");
    run(&mut session, "archive add f into h date=2027-01-01 machine=other label=newest");
    failure(&mut session, "archive add f into h date=yesterday", "wrong-value");
    failure(&mut session, "archive add f into h label=a label=b", "given-twice");
    let parted = [
        "machine `other` instead of `ci` from newest on",
        "f: 4 entries",
        "f: 1 entry",
        "show no change of any size",
    ];
    check(&mut session, "history f in h", AnswerStatus::Given, &parted);

    // A page has both parts, the newest one under the name alone.
    check(&mut session, "page history h into h.html", AnswerStatus::Given, &["wrote h.html"]);
    let html = String::from_utf8(files.read("h.html").unwrap()).unwrap();
    for text in [
        "<title>history in h</title>",
        "5 entries of 1 experiment",
        "<h3>f</h3>",
        "<h3>f, until 2026-11-",
        "<code>f[0] + f[1]*N/P + f[2]*P</code>",
        "4 entries show no change of any size",
        "machine `other` instead of `ci` from newest on",
    ] {
        assert!(html.contains(text), "{text}");
    }
    assert_eq!(html.matches("<svg").count(), 2);
}

/// A table of one experiment `g`, with the response and its unit in the last title.
fn table(head: &str, rows: impl Iterator<Item = (f64, f64, f64)>) -> String {
    let rows = rows.map(|(n, p, value)| format!("g,{n},{p},{value:.9e}\n"));
    format!("{head}\n{}", rows.collect::<String>())
}

/// A session with a baseline of eight tables, and with further files; values are multiplied with noise of 1 % in each.
fn session_of_tables(
    head: &str,
    formula: &str,
    value: impl Fn(f64, f64) -> f64,
    files: Vec<(&str, String)>,
) -> (Session, Arc<MemoryWorkspace>) {
    let base = (0..8).map(|number| (format!("base{number}.csv"), table(head, rows(number, &value))));
    let base: Vec<(String, String)> = base.collect();
    let base = base.iter().map(|(name, text)| (name.as_str(), text.clone()));
    let workspace = Arc::new(MemoryWorkspace::with(base.chain(files).collect::<Vec<_>>()));
    let mut first = Session::new(Box::new(Shared(Arc::clone(&workspace))));
    run(&mut first, "load base*.csv");
    run(&mut first, &format!("formula g = {formula}"));
    run(&mut first, "save model g into g.model.json");
    (Session::new(Box::new(Shared(Arc::clone(&workspace)))), workspace)
}

fn rows(number: u64, value: impl Fn(f64, f64) -> f64) -> impl Iterator<Item = (f64, f64, f64)> {
    let points = (0..3).flat_map(|_| SIZES.iter().flat_map(|&n| [1.0, 2.0, 4.0, 8.0].map(|p| (n, p))));
    let points: Vec<(f64, f64)> = points.collect();
    let of_run = 1.0 + 0.01 * noise(number + 3);
    let noisy = move |count: usize| of_run * (1.0 + 0.01 * noise(5000 + 997 * number + count as u64));
    let values: Vec<(f64, f64, f64)> =
        points.iter().enumerate().map(|(count, &(n, p))| (n, p, value(n, p) * noisy(count))).collect();
    values.into_iter()
}

#[test]
fn of_rates_what_fell_is_worse() {
    let head = "experiment,N,P,GFLOPS";
    let new = |name: &'static str, factor: f64, number: u64| {
        (name, table(head, rows(number, move |_, p| 10.0 * factor * p)))
    };
    let files = vec![
        new("slow1.csv", 0.5, 20),
        new("slow2.csv", 0.5, 21),
        new("slow3.csv", 0.5, 22),
        new("fast1.csv", 1.5, 30),
        new("fast2.csv", 1.5, 31),
        new("fast3.csv", 1.5, 32),
    ];
    let (mut session, _) = session_of_tables(head, "a[0]*P", |_, p| 10.0 * p, files);
    let fell = "g[0], what each P adds, fell ";
    check(&mut session, "check g.model.json slow*.csv", AnswerStatus::No, &["g: worse", fell]);
    let rose = "g[0], what each P adds, rose ";
    check(&mut session, "check g.model.json fast*.csv", AnswerStatus::Given, &["g: fine", rose]);
    check(
        &mut session,
        "check g.model.json slow*.csv at P=4",
        AnswerStatus::No,
        &["the value at P = 4 fell 50 %"],
    );
    check(&mut session, "check g.model.json slow*.csv better=lower", AnswerStatus::Given, &["g: fine", fell]);
    check(&mut session, "check g.model.json fast*.csv better=lower", AnswerStatus::No, &["g: worse", rose]);
    failure(&mut session, "check g.model.json fast*.csv better=more", "wrong-value");
    run(&mut session, "load g.model.json");
    check(
        &mut session,
        "best g P=1:8:2",
        AnswerStatus::Given,
        &["the largest value, 79.92 GFLOPS", "with P = 8", "a tenth less"],
    );
    check(
        &mut session,
        "best g P=1:8:2 better=lower",
        AnswerStatus::Given,
        &["the least value, 9.9", "with P = 1;"],
    );
    check(
        &mut session,
        "smallest g P 45",
        AnswerStatus::Given,
        &["the smallest P with at least 45 GFLOPS: 5"],
    );
    check(&mut session, "smallest g P=1..4 45", AnswerStatus::No, &["no: P = 1 gives"]);
    check(
        &mut session,
        "largest g P=1..64 45 better=lower",
        AnswerStatus::Given,
        &["the largest P within 45 GFLOPS: 4"],
    );
}

#[test]
fn missing_columns_of_new_tables_are_told() {
    let head = "experiment,N,P,time_s";
    let time = |n: f64, p: f64| 1e-6 + 1e-8 * n / p;
    let twice = |n: f64, _: f64| 1e-6 + 2e-8 * n / 4.0;
    let of = |number: u64| rows(number, twice).filter(|(_, p, _)| *p == 4.0);
    let without_p = |number: u64| {
        let rows = of(number).map(|(n, _, time)| format!("g,{n},{time:.9e}\n")).collect::<String>();
        format!("experiment,N,time_s\n{rows}")
    };
    let without_n = of(50).map(|(_, p, time)| format!("g,{p},{time:.9e}\n")).collect::<String>();
    let files = vec![
        ("new1.csv", without_p(20)),
        ("new2.csv", without_p(21)),
        ("new3.csv", without_p(22)),
        ("ranks1.csv", table("experiment,N,ranks,time_s", of(30))),
        ("small.csv", format!("experiment,P,time_s\n{without_n}")),
    ];
    let (mut session, _) = session_of_tables(head, "a[0] + a[1]*N/P", time, files);
    let error = failure(&mut session, "check g.model.json new*.csv", "unknown-variable");
    assert!(error.contains("does not say on how many processors") && error.contains("`P=16`"), "{error}");
    let error = failure(&mut session, "check g.model.json ranks1.csv", "unknown-variable");
    assert!(error.contains("`processors=ranks`"), "{error}");
    let error = failure(&mut session, "check g.model.json small.csv", "unknown-variable");
    assert!(error.contains("no column `N`"), "{error}");
    let worse = ["g: worse", "g[1], the cost of each N/P, rose 1"];
    check(&mut session, "check g.model.json new*.csv P=4", AnswerStatus::No, &worse[..1]);
    check(&mut session, "check g.model.json ranks1.csv processors=ranks", AnswerStatus::No, &worse[..1]);
    failure(&mut session, "check g.model.json new*.csv P=0", "wrong-value");
}

#[test]
fn a_run_that_is_named_twice_counts_once() {
    let one = trace(Run { number: 6, ..PLAIN });
    let (mut session, files) = session(5, &[Run { rise: 1.12, ..PLAIN }]);
    for name in ["copy1.dat", "copy2.dat", "copy3.dat"] {
        files.write(name, files.read("new1.dat").unwrap().as_slice()).unwrap();
    }
    check(&mut session, "check base.model.json new1.dat new*.dat", AnswerStatus::No, &["1 run against 5"]);
    let copies = ["1 run against 5", "hold", "the same measurements as copy1.dat"];
    check(&mut session, "check base.model.json copy*.dat", AnswerStatus::No, &copies);
    let loaded = ["1 file read", "the same measurements as copy1.dat: one run, which counts once"];
    check(&mut session, "load copy*.dat", AnswerStatus::Given, &loaded);

    // An archive to which one run is added again and again.
    let files = Arc::new(MemoryWorkspace::with(
        (0..8).map(|number| (format!("run{number}.dat"), trace(Run { number, ..PLAIN }))),
    ));
    files.write("last.dat", one.as_bytes()).unwrap();
    let add = |file: &str, commit: &str| {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load {file}"));
        run(&mut session, &format!("archive add into h machine=ci commit={commit} date=2027-01-01"));
    };
    (0..6).for_each(|number| add(&format!("run{number}.dat"), &format!("c{number}")));
    (0..5).for_each(|number| add("last.dat", &format!("d{number}")));
    let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
    let told = [
        "f: 7 entries",
        "d1, d2, d3 and 1 more: the measurements are those of earlier entries, and count once",
    ];
    let shown = check(&mut session, "history f in h", AnswerStatus::Given, &told);
    // All are of one day, and in the order in which they were added.
    assert!(!shown.contains("nothing tells which"), "{shown}");
}

#[test]
fn entries_of_one_day_stand_in_the_order_in_which_they_were_added() {
    let of = |number: u64| Run { number, rise: if number < 8 { 1.0 } else { 1.3 }, ..PLAIN };
    let files = (0..16).map(|number| (format!("run{number}.dat"), trace(of(number))));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..16 {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load run{number}.dat"));
        // Of names that are sorted otherwise.
        run(&mut session, &format!("archive add into h machine=ci date=2026-11-21 commit=c{number}"));
    }
    let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
    check(
        &mut session,
        "history f in h",
        AnswerStatus::Given,
        &["f[1], the cost of each N/P, rose 30 %", "at c8 (behind c7)"],
    );
    // Entries of before do not say when they were added.
    let names = files.folder("h").unwrap().unwrap();
    for name in names.iter().filter(|name| name.ends_with(".json")) {
        let mut entry: serde_json::Value = serde_json::from_slice(&files.read(name).unwrap()).unwrap();
        entry.as_object_mut().unwrap().remove("added_ns");
        files.write(name, entry.to_string().as_bytes()).unwrap();
    }
    let told = ["nothing tells which one of", "and of 14 more such pairs"];
    check(&mut session, "history f in h", AnswerStatus::Given, &told);
}

#[test]
fn dates_of_entries_are_checked() {
    let (mut session, _) = archive(1, 9);
    run(&mut session, "load run0.dat");
    for date in ["2026-13-45", "2026-11-21T25:61:61Z", "9999-99-99"] {
        failure(&mut session, &format!("archive add f into h date={date}"), "wrong-value");
    }
    run(&mut session, "archive add f into h date=2026-11-21T01:30:00+02:00 label=late");
    check(&mut session, "archive list in h", AnswerStatus::Given, &["2026-11-20T23:30:00Z"]);
}

#[test]
fn a_history_that_goes_back_to_a_formula_says_from_where_on() {
    let files = (0..9).map(|number| (format!("run{number}.dat"), trace(Run { number, ..PLAIN })));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..9 {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load run{number}.dat"));
        if (3..6).contains(&number) {
            run(&mut session, "formula f = a[0] + a[1]*N");
        }
        run(&mut session, &format!("archive add into h machine=ci commit=s{number}"));
    }
    let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
    let told = "instead of `f[0] + f[1]*N` from s6 on again";
    let shown = check(&mut session, "history f in h", AnswerStatus::Given, &[told]);
    assert!(!shown.contains("from s0 on"), "{shown}");
}

#[test]
fn times_that_the_clock_does_not_show_are_no_fine_ones() {
    let head = "experiment,N,P,time_s";
    let time = |n: f64, p: f64| 1e-4 + 1e-8 * n / p;
    let zero = |n: f64, p: f64| if p == 4.0 { 0.0 } else { time(n, p) };
    let new = |name: &'static str, number: u64| (name, table(head, rows(number, zero)));
    let files = vec![new("new1.csv", 20), new("new2.csv", 21), new("new3.csv", 22)];
    let (mut session, _) = session_of_tables(head, "a[0] + a[1]*N/P", time, files);
    let told = [
        "g: cannot tell",
        "15 points of the new runs left out, where the clock shows a time of 0",
        "and 4 other points",
    ];
    check(&mut session, "check g.model.json new*.csv", AnswerStatus::Unknown, &told);

    // A fit does without the point, and says so.
    let lines = table(head, rows(40, time)) + "g,320000,4,0\n";
    let files = Arc::new(MemoryWorkspace::with([("one.csv", lines)]));
    let mut session = Session::new(Box::new(Shared(files)));
    run(&mut session, "load one.csv");
    run(&mut session, "formula g = a[0] + a[1]*N/P");
    let text = "at 1 point the time is 0 (the first is P = 4, N = 320000)";
    let shown = check(&mut session, "fit g", AnswerStatus::Given, &[text]);
    assert!(shown.contains("20 points"), "{shown}");
}
