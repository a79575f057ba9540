//! What the gate on constants is asked, and in which form it answers.

use std::sync::Arc;

use llac::{AnswerStatus, MemoryWorkspace, Session, Workspace, json};

use super::check::{PLAIN, RISEN, Run, Shared, check, failure, run, session, trace};

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
