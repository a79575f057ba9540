//! Histories of archives: planted changes are found, with the commit.

use std::sync::Arc;

use llac::{AnswerStatus, MemoryWorkspace, Session, Workspace, json};

use super::check::{PLAIN, Run, Shared, archive, check, failure, run, trace};

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
fn entries_that_take_turns_say_so_and_parts_say_what_they_are() {
    let files = (0..12).map(|number| (format!("run{number}.dat"), trace(Run { number, ..PLAIN })));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..12 {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load run{number}.dat"));
        run(&mut session, &format!("archive add into h machine=m{} commit=s{number}", number % 2));
    }
    let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
    let told =
        ["machine `m1` instead of `m0` from s1 on, in turns", "f: 6 entries", ", machine m0", ", machine m1"];
    let shown = check(&mut session, "history f in h", AnswerStatus::Given, &told);
    assert!(!shown.contains("from s11 on"), "{shown}");
    let outcome = json::outcome(&run(&mut session, "history f in h")).to_string();
    for part in ["machine m0", "machine m1"] {
        assert!(outcome.contains(&format!("\"part\":\"{part}\"")), "{outcome}");
    }
}

#[test]
fn the_order_of_the_terms_parts_no_history() {
    let rise = |number: u64| if number < 8 { 1.0 } else { 1.12 };
    let of = |number: u64| Run { number, rise: rise(number), ..PLAIN };
    let files = (0..16).map(|number| (format!("run{number}.dat"), trace(of(number))));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..16 {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load run{number}.dat"));
        if number > 10 {
            run(&mut session, "formula f = f[2]*P + f[1]*N/P + f[0]");
        }
        run(&mut session, &format!("archive add into h machine=ci commit=c{number}"));
    }
    let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
    let told = ["f: 16 entries", "f[1], the cost of each N/P, rose 12 %", "at c8"];
    for question in ["history f in h", "history f[1] in h"] {
        let shown = check(&mut session, question, AnswerStatus::Given, &told);
        assert!(!shown.contains("parted"), "{shown}");
    }
}

#[test]
fn steady_growth_is_told_as_such() {
    let of = |number: u64| Run { number, rise: 1.0 + 0.01 * number as f64, ..PLAIN };
    let files = (0..30).map(|number| (format!("run{number}.dat"), trace(of(number))));
    let files = Arc::new(MemoryWorkspace::with(files));
    for number in 0..30 {
        let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
        run(&mut session, &format!("load run{number}.dat"));
        run(&mut session, &format!("archive add into h machine=ci commit=c{number}"));
    }
    let mut session = Session::new(Box::new(Shared(Arc::clone(&files))));
    let told = ["f[1], the cost of each N/P, grows steadily by ", " from c0 to c29, no jump"];
    let shown = check(&mut session, "history f[1] in h", AnswerStatus::Given, &told);
    assert!(!shown.contains("would show"), "{shown}");
    let outcome = json::outcome(&run(&mut session, "history f[1] in h")).to_string();
    assert!(outcome.contains("\"verdict\":\"drifts\""), "{outcome}");
}
