//! What is asked about numbers of processors: the fewest, what they cost, what they are compared with, and which column they are.

use llac::{AnswerStatus, MemoryWorkspace, Session, json};
use serde_json::Value;

/// One row for each size and number of processors: 1 µs N / P + 10 µs P.
fn table(column: &str, processors: &[u32]) -> String {
    let time_s = |n: u32, p: u32| 1e-6 * f64::from(n) / f64::from(p) + 1e-5 * f64::from(p);
    let of_size = |n: u32| processors.iter().map(move |p| format!("{n},{p},{:.12}\n", time_s(n, *p)));
    format!("n,{column},time_s\n{}", (8..15).flat_map(|power| of_size(1 << power)).collect::<String>())
}

fn session(lines: &[&str]) -> Session {
    let from_one = [1, 2, 4, 8, 16, 32];
    let files = [
        ("one.csv", table("P", &from_one)),
        ("four.csv", table("P", &from_one[2..])),
        ("procs.csv", table("procs", &from_one)),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in lines {
        session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    }
    session
}

/// What a line shows: its text in one line, and the rows of its first table.
fn shown(session: &mut Session, line: &str) -> (String, Vec<Value>) {
    let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    let text: Vec<String> = outcome.to_plain_text().split_whitespace().map(str::to_owned).collect();
    let rows = json::outcome(&outcome)["tables"][0]["rows"].as_array().cloned().unwrap_or_default();
    (text.join(" "), rows)
}

fn failure(session: &mut Session, line: &str) -> String {
    session.run(line).map(|outcome| outcome.to_plain_text()).expect_err(line).render(line)
}

const FORMULA: &str = "formula a[0]*n/P + a[1]*P";

#[test]
fn sizes_below_the_samples_are_sought() {
    let mut session = session(&["load one.csv", FORMULA]);
    // (n + 10) / (n + 10 P²) = 0.8: n = 40 P² - 50.
    let (text, rows) = shown(&mut session, "isoefficiency 0.8 n P=2,4");
    assert_eq!((rows[0]["n"].as_f64(), rows[1]["n"].as_f64()), (Some(110.0), Some(590.0)), "{text}");
    assert_eq!(rows[0]["remark"], "", "{text}");
    assert!(text.contains("n = 110 extrapolates 2.33 times"), "{text}");
    let (text, rows) = shown(&mut session, "isoefficiency 0.8 n=256..1e6 P=2,4");
    assert_eq!(
        (&rows[0]["remark"], &rows[1]["remark"]),
        (&"the smallest tried".into(), &"".into()),
        "{text}"
    );
}

#[test]
fn costs_are_those_of_all_processors() {
    let mut session = session(&["load one.csv", FORMULA]);
    for line in ["best cost P=1:32:2 n=4096", "best P=1:32:2 cost n=4096", "best one cost P=1:32:2 n=4096"] {
        let (text, rows) = shown(&mut session, line);
        assert_eq!(rows[0]["P"], 1.0, "{line}: {text}");
        assert!(text.contains("the least cost, 4.106 ms, with P = 1"), "{line}: {text}");
    }
    let (text, rows) = shown(&mut session, "best time P=1..5000 n=4096");
    assert!((rows[0]["cost_s"].as_f64().unwrap() - 20.0 * (4.096e-3 / 20.0 + 2e-4)).abs() < 1e-9, "{text}");
    let error = failure(&mut session, "best P=1..100000 n=4096");
    assert!(error.contains("more than 10000 values of `P`") && error.contains("`P=1:100000:2`"), "{error}");
}

#[test]
fn the_fewest_processors_are_found() {
    let mut session = session(&["load one.csv", FORMULA]);
    // 4096 / P + 10 P = 1 ms: P = 4.28 and 95.7.
    let (text, _) = shown(&mut session, "smallest P 1ms n=4096");
    assert!(text.contains("the smallest P within 1 ms: 5 "), "{text}");
    assert!(text.contains("some larger P take longer, from 96 on"), "{text}");
    let (text, _) = shown(&mut session, "largest P 1ms n=4096");
    assert!(text.contains("the largest P within 1 ms: 95 ") && text.contains("`smallest` tells"), "{text}");
    let (text, _) = shown(&mut session, "smallest P 5ms n=4096");
    assert!(text.contains("within 5 ms: 1 ") && !text.contains("end of the range"), "{text}");
    let (text, _) = shown(&mut session, "smallest P=8..64 1ms n=4096");
    assert!(text.contains("within 1 ms: 8 ") && text.contains("a smaller P may do as well"), "{text}");
    assert_eq!(session.run("smallest P 100us n=4096").unwrap().answer, AnswerStatus::No);
}

#[test]
fn speed_ups_are_relative_to_the_fewest_that_were_measured() {
    let mut session = session(&["load four.csv", FORMULA]);
    // T(4) = 1064 µs, T(16) = 416 µs, T(1) = 4106 µs.
    let mut check = |line: &str, base: &str, expected: f64, is_measured: bool| {
        let (text, rows) = shown(&mut session, line);
        let speedup = rows.last().unwrap()["speedup"].as_f64().unwrap();
        assert!((speedup / expected - 1.0).abs() < 1e-6, "{line}: {text}");
        assert!(text.contains(base) && text.contains("measured") == is_measured, "{line}: {text}");
    };
    check("speedup P=4,16 n=4096", "4 processors: speed-ups are 4 T(4) / T(P)", 4.0 * 1064.0 / 416.0, true);
    check("speedup P=4,16 n=4096 base=1", "4.106 ms on 1 processor", 4106.0 / 416.0, false);
    check("speedup P=4,16 n=4096 base=8", "8 processors: speed-ups are 8 T(8)", 8.0 * 592.0 / 416.0, true);
    let error = failure(&mut session, "speedup P=4,16 n=4096 base=0");
    assert!(error.contains("is no number of processors"), "{error}");
    let (text, _) = shown(&mut session, "plot efficiency P=4,16 n=4096");
    assert!(text.contains("measured and predicted efficiency relative to 4 processors"), "{text}");
    let (text, _) = shown(&mut session, "plot speedup P=4,16 n=4096 base=1");
    assert!(text.contains("four: predicted speed-up") && !text.contains("relative to"), "{text}");
}

#[test]
fn what_was_meant_is_told() {
    let mut session = session(&["load procs.csv"]);
    for line in ["speedup P=1:8:2 n=256", "speedup n=256"] {
        let error = failure(&mut session, line);
        assert!(error.contains("load them with `processors=procs`"), "{error}");
    }
    for word in ["a+b*n/P", "a+b"] {
        let error = failure(&mut session, &format!("fit {word}"));
        assert!(error.contains("its constants have an index: `a[0]"), "{error}");
    }
    let error = failure(&mut session, "load a+b*n/P");
    assert!(error.contains("its constants have an index: `a[0]"), "{error}");
    session.run("formula a[0]*n").unwrap();
    let error = failure(&mut session, "compare procs one.csv");
    assert!(error.contains("they have one; `name=procs`"), "{error}");
    assert!(session.run("compare procs one.csv name=procs").is_ok());
    assert!(session.run("exit").unwrap().quit && session.run("quit").unwrap().quit);
}

/// Extra-P has no processors: those of a run would be repetitions, and its median would be of fast and slow ones.
#[test]
fn what_goes_to_extra_p_is_of_whole_runs() {
    let rows = (1..6).flat_map(|n| [(n, 0, 1e-4), (n, 1, 1e-3), (n, 2, 2e-4)]);
    let rows: Vec<String> =
        rows.map(|(n, processor, time_s)| format!("{n},{processor},{}\n", f64::from(n) * time_s)).collect();
    let table = format!("n,processor,time_s\n{}", rows.concat());
    for (joining, ending, expected) in [("maximum", "txt", 1e-3), ("mean", "jsonl", 1.3e-3 / 3.0)] {
        let mut session = Session::new(Box::new(MemoryWorkspace::with([("w.csv", table.clone())])));
        let file = format!("out.extra-p.{ending}");
        for line in [
            "load w.csv",
            &format!("set processors {joining}"),
            &format!("export {file}"),
            &format!("load {file} as again"),
        ] {
            session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
        }
        let (text, rows) = shown(&mut session, "predict again.w n=4");
        let predicted = rows[0]["predicted_s"].as_f64().unwrap();
        assert!((predicted / (4.0 * expected) - 1.0).abs() < 1e-6, "{joining}: {text}");
    }
}
