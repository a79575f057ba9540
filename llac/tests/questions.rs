//! Every question of every subject. All subjects take 1 µs N / P + 10 µs P, so that each question has one answer, worked out by hand.

use std::fmt::Write;

use llac::{AnswerStatus, CommandOutcome, MarkupBlock, MemoryWorkspace, Picture, Session, json};
use serde_json::Value;

/// f has the formula, g has none, `flat` takes 0.5 ms whatever N and P are.
fn trace() -> String {
    let (mut rows, mut count) = (String::new(), 0);
    for power in 3..15 {
        for p in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0] {
            let n = f64::from(1 << power);
            let time_s = 1e-6 * n / p + 1e-5 * p;
            for (name, time_s) in [("f", time_s), ("bare", time_s), ("flat", 5e-4)] {
                writeln!(rows, "{name} 0 {p} {n} {time_s:.15}").unwrap();
                count += 1;
            }
        }
    }
    format!(
        "# call-trace 1\n# program: x\n# processors: 32\n# experiment: f\n# formula: f[0]*N/P + f[1]*P\n# variables: N\n\
         # experiment: bare\n# variables: N\n# experiment: flat\n# formula: flat[0]\n# variables: N\n\
         experiment processor P N time_s\n{rows}# end rows={count}\n"
    )
}

fn machine(name: &str) -> String {
    format!(
        "schema_version = 1\nname = \"{name}\"\n[provenance]\nkind = \"measured\"\ndate = \"2026-11-21\"\n[[bsp]]\nprocessors = 1\n\
         rate_flop_per_s = 1e9\ng_s_per_byte = 1e-9\nlatency_s = 1e-5\n[[bsp]]\nprocessors = 64\nrate_flop_per_s = 1e9\n\
         g_s_per_byte = 1e-9\nlatency_s = 1e-5\n"
    )
}

/// On two processors E takes 4 s of 6; an exchange of 16 bytes takes 1 s, one of 48 takes 2.5 s.
fn recorded() -> String {
    let columns = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
        out_messages in_messages partners experiments inner_waiting_s\n";
    let section = |processor: usize, first: &str, second: &str, inside: &str| {
        let partner = 1 - processor;
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync x.c:8 in main\n{columns}\
             # 1 0-1.0 0 1 0 {first} 0 8 8 1 1 {partner} {inside} 0\n# 2 0-1.0 0 1 7 {second} 0 24 24 1 1 {partner} - 0\n"
        )
    };
    format!(
        "# call-trace 1\n# program: x\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\nexperiment processor P time_s\n\
         E 1 2 4\n{}{}# end rows=1\n",
        section(0, "5 1 1", "1 1 2", "-"),
        section(1, "6 0 1", "2 0 3", "E=4")
    )
}

fn session(lines: &[&str]) -> Session {
    let files = [
        ("x.dat", trace()),
        ("run.dat", recorded()),
        ("own.obsp", "program own(N) predicts f { compute 1e-6*N/P + 1e-5*P }".to_owned()),
        ("parts.obsp", "program parts(N) { compute f }".to_owned()),
    ];
    let machines = [("here.toml", machine("here")), ("twin.toml", machine("twin"))];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files).and_machines(machines)));
    for line in lines {
        session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    }
    session
}

const LINES: &[&str] = &["load x.dat", "program own.obsp parts.obsp", "machine use here"];

/// What is asked, and where: a fitted model, formulas that were found, programs with and without experiments, all of them carried to a
/// machine with the same numbers as far as they can be.
const SUBJECTS: &[(&str, &str)] = &[
    ("f", ""),
    ("bare", ""),
    ("own", ""),
    ("parts", ""),
    ("own", "g=1e-9 L=1e-5"),
    ("f", "on twin"),
    ("own", "on twin"),
    ("parts", "on twin"),
];

/// The first row of the table that a question is answered with.
fn row(session: &mut Session, line: &str, table: &str) -> Vec<Value> {
    rows(session, line, table).swap_remove(0)
}

fn rows(session: &mut Session, line: &str, table: &str) -> Vec<Vec<Value>> {
    let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    let outcome = json::outcome(&outcome);
    let tables = outcome["tables"].as_array().unwrap();
    let found = tables.iter().find(|known| known["name"] == table);
    let found = found.unwrap_or_else(|| panic!("{line}: {outcome}"));
    let columns = found["columns"].as_array().unwrap();
    let keys: Vec<&str> =
        columns.iter().map(|column| column["key"].as_str().or(column.as_str()).unwrap()).collect();
    let of_row = |row: &Value| match row {
        Value::Array(cells) => cells.clone(),
        Value::Object(cells) => keys.iter().map(|key| cells[*key].clone()).collect(),
        other => panic!("{other}"),
    };
    found["rows"].as_array().unwrap().iter().map(of_row).collect()
}

/// The value in a column that a table of this session has under a key.
fn value(session: &mut Session, line: &str, table: &str, key: &str) -> f64 {
    let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    let outcome = json::outcome(&outcome);
    let tables = outcome["tables"].as_array().unwrap();
    let found =
        tables.iter().find(|known| known["name"] == table).unwrap_or_else(|| panic!("{line}: {outcome}"));
    let last = found["rows"].as_array().unwrap().last().unwrap();
    last[key].as_f64().unwrap_or_else(|| panic!("{line}: no number `{key}` in {last}"))
}

/// The only picture of an outcome.
fn picture(outcome: &CommandOutcome) -> &Picture {
    match outcome.value.blocks() {
        [MarkupBlock::Picture(picture)] => picture,
        other => panic!("{other:?}"),
    }
}

fn near(found: f64, expected: f64) -> bool {
    // Formulas that were found are as near as the averaging allows.
    (found / expected - 1.0).abs() < 2e-3
}

/// A formula that is hardly probable predicts a thousand times as much far out: neither the interval nor any part of it speaks of that.
#[test]
fn what_is_improbable_is_in_no_part_of_an_interval() {
    let times = "n,P,time\n1,1,1.0\n2,1,2.0\n4,1,4.1\n8,1,8.0\n1,2,0.5\n2,2,1.0\n4,2,2.0\n8,2,4.1\n";
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("t.csv", times.to_owned())])));
    for line in ["load t.csv", "formula t = a[0]*n/P"] {
        session.run(line).unwrap();
    }
    let mut of = |key: &str| value(&mut session, "predict t n=1024 P=1", "predictions", key);
    let width_s = of("upper_s") - of("lower_s");
    for part in ["noise", "constants", "formula"] {
        let deviation_s = of(&format!("{part}_standard_deviation_s"));
        assert!(deviation_s > 0.0 && deviation_s < width_s, "{part}: {deviation_s} of {width_s}");
    }
}

/// Of a formula that misses the growth other formulas reach far up: so does the program that is the block alone, and two of them in a row reach
/// as far, as they are the same one.
#[test]
fn a_program_of_one_block_has_its_interval() {
    let mut table = "kernel,n,time_s\n".to_owned();
    for power in 9..18 {
        let n = f64::from(1 << power);
        for noise in [0.85, 0.95, 1.0, 1.05, 1.15] {
            writeln!(table, "w,{n},{:e}", 1e-9 * n.powf(1.5) * noise).unwrap();
        }
    }
    let files = [
        ("w.csv", table),
        ("one.obsp", "program one(N) { n = N compute w }".to_owned()),
        ("two.obsp", "program two(N) { n = N compute w compute w }".to_owned()),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in ["load w.csv", "formula w = a[0]*n*log(n)", "program one.obsp two.obsp"] {
        session.run(line).unwrap();
    }
    let mut of = |question: &str, key: &str| value(&mut session, question, "predictions", key);
    for key in ["predicted_s", "lower_s", "upper_s"] {
        let block = of("predict w n=2097152", key);
        for (program, times) in [("one", 1.0), ("two", 2.0)] {
            let its = of(&format!("predict {program} N=2097152 P=1"), key);
            assert!((its / (times * block) - 1.0).abs() < 1e-9, "{program} {key}: {its} of {block}");
        }
    }
}

#[test]
fn every_question_takes_every_subject() {
    let mut session = session(LINES);
    for (name, setting) in SUBJECTS {
        let mut check = |question: String, table: &str, key: &str, expected: f64| {
            let line = format!("{question} {setting}");
            let found = value(&mut session, line.trim(), table, key);
            assert!(near(found, expected), "{line}: {found}, not {expected}");
        };
        check(format!("predict {name} N=1000 P=10"), "predictions", "predicted_s", 2e-4);
        check(format!("speedup {name} P=1,10 N=1000"), "speedup", "speedup", 5.05);
        check(format!("best {name} P=1..20 N=1000"), "best", "P", 10.0);
        check(format!("best {name} cost P=1..20 N=1000"), "best", "cost_s", 1.01e-3);
        check(format!("best {name} P=8,10 N=1000"), "best", "cost_s", 2e-3);
        check(format!("best {name} cost N=1000,2000 P=10"), "best", "cost_s", 2e-3);
        check(format!("largest {name} N=1..1e6 300us P=10"), "largest", "N", 2000.0);
        check(format!("largest {name} P=1..100 505us N=1000"), "largest", "P", 48.0);
        check(format!("smallest {name} P=1..100 505us N=1000"), "smallest", "P", 3.0);
        check(format!("crossover {name} flat N=1..1e6 P=10"), "crossings", "N", 4000.0);
        check(format!("isoefficiency {name} 0.5 N=1..1e6 P=10"), "isoefficiency", "N", 980.0);
    }
}

#[test]
fn every_subject_is_drawn_and_compared() {
    let mut session = session(LINES);
    for (name, setting) in SUBJECTS {
        let mut curve = |words: &str| {
            let line = format!("plot {words} {setting}");
            let line = line.trim();
            let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
            match picture(&outcome) {
                Picture::Figure(figure) => figure.series[0].curve.clone(),
                Picture::Surface(surface) => vec![(surface.columns[0], surface.values[0])],
                other => panic!("{line}: {other:?}"),
            }
        };
        // Without a formula `plot` looks at what was measured.
        if *name != "bare" {
            let over_n = curve(&format!("{name} N=10..1000 P=10"));
            assert!(near(over_n.last().unwrap().1, 2e-4), "{name} {setting}: {over_n:?}");
        }
        let speedups = curve(&format!("speedup {name} P=1,10 N=1000"));
        assert!(near(speedups.last().unwrap().1, 5.05), "{name} {setting}: {speedups:?}");
        let efficiencies = curve(&format!("efficiency {name} P=1,10 N=1000"));
        assert!(near(efficiencies.last().unwrap().1, 0.505), "{name} {setting}: {efficiencies:?}");
        let surface = curve(&format!("surface {name} N=10..1000 P=1..10"));
        assert!(surface.iter().all(|(_, time_s)| *time_s > 0.0), "{name} {setting}");
        // `parts` says of no experiment that it predicts it.
        if *name != "parts" {
            let errors = rows(&mut session, &format!("compare {name} {setting}"), "comparison");
            assert_eq!(errors.len(), 72, "{name} {setting}");
        } else {
            let error = session.run("compare parts").unwrap_err();
            assert!(error.message().contains("predicts no experiment"), "{error}");
        }
    }
}

/// The run takes 10 s: 6 s to the first exchange, whose 1 s are 16 bytes, then 2 s and 3 s. With E twice as fast P1 is ready after 4 s,
/// and P0 after 5.
#[test]
fn a_recorded_run_is_a_subject() {
    let mut session = session(&["load run.dat"]);
    let mut predicted =
        |words: &str| value(&mut session, &format!("predict replay {words}"), "predictions", "predicted_s");
    let recorded_s = predicted("E=1");
    assert!(near(predicted("E=2"), recorded_s - 1.0), "{recorded_s}");
    assert!(near(predicted("faster E=2"), recorded_s - 1.0), "{recorded_s}");
    // 6 s and 2 s of P1, and g h twice: h is 16 and 48 bytes.
    assert!(near(predicted("g=0.125 L=0"), 6.0 + 2.0 + 2.0 + 6.0));
    assert!(near(predicted("g=0 L=0"), 8.0));
    let best = row(&mut session, "best replay E=1,2,4", "best");
    assert_eq!(best[0], 2.0, "{best:?}");
    let largest = value(&mut session, "largest replay g=0..10 16s L=0", "largest", "g");
    assert!(near(largest, 0.125), "{largest}");
    let error = session.run("compare replay").unwrap_err().render("compare replay");
    assert!(error.contains("`replay` alone tells"), "{error}");
    let error = session.run("speedup replay P=1,2").unwrap_err();
    assert!(error.message().contains("`replay` has no variable `P`"), "{error}");
    let line = "plot replay g=0..0.25 L=0";
    let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    let Picture::Figure(figure) = picture(&outcome) else { panic!("{line}") };
    assert!(near(figure.series[0].curve.last().unwrap().1, 24.0), "{:?}", figure.series[0].curve);
}

/// The run takes 8 s + 64 g with L = 0, and 6 s + max(5, 2 + 4 / E) with E so many times as fast; f and the program take 1 µs a number.
#[test]
fn a_recorded_run_crosses_over_with_others() {
    let mut session = session(&[LINES, &["load run.dat as recorded", "data data"]].concat());
    session.run("load run.dat").unwrap();
    for words in ["replay f g=0..1 L=0 N=16e6 P=1", "f replay g=0..1 L=0 N=16e6 P=1"] {
        let crossing = row(&mut session, &format!("crossover {words}"), "crossings");
        assert!((crossing[0].as_f64().unwrap() - 0.125).abs() < 1e-5, "{words}: {crossing:?}");
        assert_eq!(crossing[1], "f", "{words}: {crossing:?}");
    }
    let crossing = row(&mut session, "crossover replay own E=0.1..10 N=11.5e6 P=1", "crossings");
    assert!((crossing[0].as_f64().unwrap() - 8.0 / 7.0).abs() < 1e-4, "{crossing:?}");
    assert_eq!(crossing[1], "replay", "{crossing:?}");
    let error = session.run("crossover replay own g=0..1 L=0 N=16e6 P=1").unwrap_err();
    assert!(error.message().contains("`g` could be that of the run or of the program"), "{error}");
}

/// Words of style that a picture cannot follow are errors, not left out.
#[test]
fn nothing_is_fitted_where_no_curve_is_drawn() {
    let files = [("f.csv", "N,time_s\n1000,1\n2000,2\n4000,4.1\n".to_owned())];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load f.csv").unwrap();
    session.run("formula f = a[0] + a[1]*N").unwrap();
    for (line, title) in [("plot f N", "f: measured and fitted"), ("plot f N=1000", "f: measured")] {
        let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
        let Picture::Figure(figure) = picture(&outcome) else { panic!("{line}") };
        assert_eq!(figure.title, title, "{line}");
    }
}

#[test]
fn curves_differ_by_what_the_user_says() {
    let rows: String = (1..5)
        .flat_map(|n| [1, 2].map(|p| [10, 20].map(|m| format!("{n},{p},{m},{}\n", n * m * p))).concat())
        .collect();
    let files = [("t.csv", format!("N,P,M,time_s\n{rows}"))];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load t.csv").unwrap();
    let mut groups = |line: &str| -> Vec<(String, String)> {
        let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
        let Picture::Figure(figure) = picture(&outcome) else { panic!("{line}") };
        let of_series = |series: &call_report::Series| series.groups.clone().unwrap();
        figure.series.iter().map(of_series).map(|groups| (groups.colour, groups.marker)).collect()
    };
    let by = |colour: &str, marker: &str| (colour.to_owned(), marker.to_owned());
    assert_eq!(groups("plot N colour=M")[1], by("M = 20", "P = 1"));
    assert_eq!(groups("plot N marker=M")[1], by("P = 1", "M = 20"));
    assert_eq!(groups("plot N colour=P marker=M")[1], by("P = 1", "M = 20"));
    assert_eq!(groups("plot N colour=P marker=P")[1], by("P = 1", "P = 1, M = 20"));
    for (line, message) in [
        ("plot N colour=Q", "do not differ by `Q`"),
        ("plot N colour=N", "do not differ by `N`"),
        ("plot boxes N colour=P", "no curves that could differ"),
        ("plot N bins=20", "no bins"),
    ] {
        let error = session.run(line).expect_err(line);
        assert!(error.message().contains(message), "{line}: {error}");
    }
}

/// A model is judged by its samples and advice is about more of them: what has none says so, and what has some.
#[test]
fn samples_are_asked_of_experiments() {
    let mut session = session(&[LINES, &["load run.dat as recorded", "data data"]].concat());
    for question in ["judge", "advise"] {
        for (words, message, help) in [
            ("own", "it has no samples of its own", "with samples are f"),
            ("parts", "it has no samples of its own", "that it uses: f"),
            ("replay", "`replay` is the recorded run", "`predict`"),
            ("f on twin", "of the machine where they were measured", "leave `on …` out"),
        ] {
            let line = format!("{question} {words}");
            let error = session.run(&line).expect_err(&line).render(&line);
            assert!(error.contains(message) && error.contains(help), "{error}");
        }
        let of_found = session.run(&format!("{question} bare"));
        match question {
            "advise" => assert!(of_found.unwrap().to_plain_text().contains("N=")),
            _ => assert!(of_found.unwrap_err().message().contains("no formula")),
        }
    }
}

#[test]
fn shares_say_of_how_many_executions_they_are() {
    let of_counts = |counts: [usize; 2], clock: &str| {
        let rows: Vec<String> = [("f", counts[0]), ("g", counts[1])]
            .iter()
            .flat_map(|(name, count)| {
                (0..count * 3).map(move |at| format!("{name} 0 1 {n} 0.{n}\n", n = at % 3 + 1))
            })
            .collect();
        let header = "# experiment: f\n# formula: f[0]*N\n# variables: N\n# experiment: g\n# formula: g[0]*N\n# variables: N\n";
        let text = format!(
            "# call-trace 1\n# program: x\n# processors: 1\n{clock}{header}experiment processor P N time_s\n{}# end rows={}\n",
            rows.concat(),
            rows.len()
        );
        let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.dat", text)])));
        session.run("load x.dat").unwrap();
        let shown = session.run("predict all N=8").unwrap().to_plain_text();
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let clock = "# clock: tsc\n";
    assert!(of_counts([5, 400], clock).contains("one execution each: the runs executed g 1200 times, f 15"));
    assert!(!of_counts([5, 6], clock).contains("one execution each"));
    // Rows of a table are what others made of executions.
    assert!(!of_counts([5, 400], "").contains("one execution each"));
}

/// `outer` and `other` take 4 ms at 8, `inner` 2 ms.
#[test]
fn what_runs_inside_another_one_is_no_further_part_of_the_sum() {
    let of_counts = |outer: &str, lines: [&str; 3]| {
        let own = |line: u32| {
            format!(
                r#"{{"quality":"exact","terms":[{{"basis":"n","growth":{{"n":[1.0,0]}},"statements":[{{"line":{line}}}]}}]}}"#
            )
        };
        let counts = [outer.to_owned(), own(61), own(31)];
        let (mut header, mut rows) = (String::new(), String::new());
        for (at, (name, factor)) in [("outer", 5e-4), ("inner", 2.5e-4), ("other", 5e-4)].iter().enumerate() {
            writeln!(header, "# experiment: {name}\n# formula: {name}[0]*n\n# variables: n").unwrap();
            if !lines[at].is_empty() {
                writeln!(header, "# source_counts: {}\n# lines: {}", counts[at], lines[at]).unwrap();
            }
            (1..=6).for_each(|n| writeln!(rows, "{name} 0 1 {n} {:.9}", factor * f64::from(n)).unwrap());
        }
        let text = format!(
            "# call-trace 1\n# program: x\n# source: x.c\n# processors: 1\n{header}experiment processor P n time_s\n{rows}# end rows=18\n"
        );
        let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.dat", text)])));
        session.run("load x.dat").unwrap();
        let outcome = session.run("predict all n=8").unwrap();
        let codes: Vec<&str> =
            outcome.notes.iter().map(|note| note.code).filter(|code| code.starts_with("nest")).collect();
        // The shortest one stands last.
        let share = value(&mut session, "predict all n=8", "ranking", "share_percent");
        (share.round() as u32, codes)
    };
    let counts = |line: u32, uncounted: &str| {
        format!(
            r#"{{"quality":"exact","terms":[{{"basis":"n","growth":{{"n":[1.0,0]}},"statements":[{{"line":7}},{{"line":{line}}}]}}],"uncounted":[{uncounted}]}}"#
        )
    };
    let (plain, calling, open) = (counts(8, ""), counts(61, ""), counts(8, r#""`g`, line 8""#));
    for (outer, lines, expected) in [
        // In its block, in a function that it calls.
        (&plain, ["5-20", "9-12", "30-40"], (25, vec!["nested"])),
        (&calling, ["5-20", "60-70", "30-40"], (25, vec!["nested"])),
        (&plain, ["5-20", "60-70", "30-40"], (20, vec![])),
        // What is called elsewhere may come back; one of two blocks is inside.
        (&open, ["5-20", "60-70", "30-40"], (20, vec!["nesting-unknown"])),
        (&plain, ["5-20", "9-12 60-70", "30-40"], (20, vec!["nesting-unknown"])),
        (&plain, ["", "", ""], (20, vec!["nesting-unknown"])),
    ] {
        assert_eq!(of_counts(outer, lines), expected, "{lines:?} {outer}");
    }
}

#[test]
fn all_experiments_are_ranked_at_a_point() {
    let mut session = session(LINES);
    let ranking = rows(&mut session, "predict f flat N=8000 P=10", "ranking");
    // 0.9 ms and 0.5 ms.
    assert_eq!(ranking[0][0], "f");
    assert!(near(ranking[0][1].as_f64().unwrap(), 9e-4) && near(ranking[1][1].as_f64().unwrap(), 5e-4));
    let share = value(&mut session, "predict f flat N=8000 P=10", "ranking", "share_percent");
    assert!(near(share, 100.0 * 5.0 / 14.0), "{share}");
    // d log t / d log N of f there: 0.8 of 0.9 ms.
    let grows = ranking[0].iter().filter_map(Value::as_f64).nth_back(1).unwrap();
    assert!((grows - 8.0 / 9.0).abs() < 0.02, "{ranking:?}");
    assert_eq!(rows(&mut session, "predict all N=8000 P=10", "ranking").len(), 3);
    let one = session.run("predict all N=8000").unwrap().to_plain_text();
    assert!(one.contains("f is left out: it needs a value of `P`"), "{one}");
    let outcome = session.run("plot all N=8000 P=10").unwrap();
    assert!(matches!(picture(&outcome), Picture::Categories(_)));
}

#[test]
fn what_is_changed_in_another_set_is_changed_there() {
    let mut session = session(&["load x.dat", "load x.dat as second", "data data"]);
    session.run("formula second.f = f[0]*N/P").unwrap();
    let predicted = |session: &mut Session, name: &str| {
        value(session, &format!("predict {name} N=8000 P=1"), "predictions", "predicted_s")
    };
    let text = session.run("fit second.f").unwrap().to_plain_text();
    assert!(text.contains("f[0]*N/P\n") || text.contains("f[0]*(N/P)\n"), "{text}");
    assert!(session.run("fit f").unwrap().to_plain_text().contains("f[1]*P"));
    assert!(predicted(&mut session, "f") > 0.0 && predicted(&mut session, "second.f") > 0.0);
    session.run("drop second.f 1-6").unwrap();
    assert!(session.run("experiments").unwrap().to_plain_text().contains("72"));
    session.run("restore second.f").unwrap();
}

#[test]
fn ranges_prefixes_and_powers_are_understood() {
    let mut session = session(LINES);
    assert_eq!(rows(&mut session, "predict f N=1Ki P=1..4", "predictions").len(), 4);
    assert!(near(value(&mut session, "predict f N=8k P=10", "predictions", "predicted_s"), 9e-4));
    session.run("formula bare = a[0]*N**1/P + a[1]*P^1").unwrap();
    assert!(near(value(&mut session, "predict bare N=1000 P=10", "predictions", "predicted_s"), 2e-4));
}

#[test]
fn a_question_may_have_the_answer_no() {
    let mut session = session(LINES);
    for line in [
        "largest f N=1..1e6 1us P=10",
        "smallest f P 1us N=1000",
        "crossover f flat N=1..2 P=10",
        "isoefficiency f 0.99 N=1..2 P=10",
    ] {
        let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
        assert_eq!(outcome.answer, AnswerStatus::No, "{line}");
    }
    let no = session.run("largest f N=1..1e6 1us P=10").unwrap().to_plain_text();
    let expected =
        "no: already N = 1 takes 100.1 µs, more than 1 µs, and nothing up to 1000000 takes less than 1 µs";
    assert_eq!(no.split_whitespace().collect::<Vec<_>>().join(" "), expected);
    let all = session.run("isoefficiency f 0.5 N=1..1e9 P=4,256").unwrap().to_plain_text();
    assert!(all.contains("P = 256 extrapolates 8 times"), "{all}");
    let all = session.run("predict f N=20000,160000 P=4").unwrap().to_plain_text();
    assert!(all.contains("N = 20000, 160000 extrapolate up to 9.77 times"), "{all}");
    assert_eq!(session.run("largest f N=1..1e6 300us P=10").unwrap().answer, AnswerStatus::Given);
    assert!(session.run("largest f N=5..2 1s P=10").is_err());
}

/// Sizes are not mixed with numbers of processors: each P has boxes of its own.
#[test]
fn boxes_stand_apart_by_other_variables() {
    let mut session = session(LINES);
    let outcome = session.run("plot boxes f N").unwrap();
    let Picture::Figure(figure) = picture(&outcome) else { panic!() };
    assert_eq!(figure.series.len(), 6);
    assert_eq!((figure.series[1].label.as_str(), figure.series[1].boxes.len()), ("P = 2", 12));
    assert!(matches!(picture(&session.run("plot boxes f flat").unwrap()), Picture::Categories(_)));
    let machines = session.run("plot f N=1..1e6 P=4 on here,twin").unwrap();
    let Picture::Figure(figure) = picture(&machines) else { panic!() };
    let labels: Vec<&str> = figure.series.iter().map(|series| series.label.as_str()).collect();
    assert_eq!(labels, ["here", "twin"]);
}

#[test]
fn crossings_name_what_crosses() {
    let mut session = session(LINES);
    let object = json::outcome(&session.run("crossover f flat N=1..1e6 P=4").unwrap());
    assert_eq!(
        (&object["tables"][0]["name"], &object["tables"][0]["experiment"]),
        (&"crossings".into(), &"f, flat".into())
    );
}

/// Two of the same law, of which noise makes now the one faster and now the other one.
#[test]
fn which_is_faster_is_not_known_where_intervals_overlap() {
    let mut table = "kernel,n,time_s\n".to_owned();
    for n in [100.0, 200.0, 400.0, 800.0, 1600.0] {
        for (name, factors) in [("a", [0.95, 1.0, 1.04]), ("b", [1.03, 0.96, 1.02])] {
            for factor in factors {
                writeln!(table, "{name},{n},{:e}", 1e-6 * n * factor).unwrap();
            }
        }
    }
    let mut alike = Session::new(Box::new(MemoryWorkspace::with([("t.csv", table)])));
    for line in ["load t.csv", "formula a = a[0] + a[1]*n", "formula b = b[0] + b[1]*n"] {
        alike.run(line).unwrap();
    }
    let codes = |session: &mut Session, line: &str| {
        let outcome = session.run(line).unwrap();
        outcome.warnings.iter().map(|its| its.code.to_string()).collect::<Vec<_>>()
    };
    let told = codes(&mut alike, "crossover a b n=100..1600");
    assert!(told.iter().any(|code| code == "undecided-crossover"), "{told:?}");
    let told = codes(&mut session(LINES), "crossover f flat N=1..1e6 P=4");
    assert!(told.iter().all(|code| code != "undecided-crossover"), "{told:?}");
}

/// What has no time is in no picture, and that is told.
#[test]
fn points_that_no_picture_shows_are_told() {
    let text = "N,time_s\n4,0\n5,0.25\n6,0.5\n7,0.75\n8,1\n";
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("z.csv", text.to_owned())])));
    session.run("load z.csv").unwrap();
    for line in ["plot z N", "plot boxes z N"] {
        let outcome = session.run(line).unwrap();
        let told: Vec<&str> = outcome.warnings.iter().map(|its| its.code).collect();
        assert_eq!(told, ["below-resolution"], "{line}");
        assert!(
            outcome.warnings[0].text.contains("at 1 point the time is 0 (the first is P = 1, N = 4)"),
            "{line}"
        );
    }
}
