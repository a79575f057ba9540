//! `replay`: what is told of recorded supersteps, and what of those that cannot be replayed.

use crate::transcript::transcript;
use llac::{MemoryWorkspace, Session, json};

/// Two supersteps of two processors. In the first P1 computes 6 s, 4 of them in E, and P0 5 s; the exchange takes 1 s for 8 bytes. In the
/// second it is 1 s and 2 s, and the exchange takes 2 s and 3 s for 24 bytes. The last line is before the report. Both ways together, h is 16
/// and 48 bytes for 1 s and 2.5 s on average, so g is 46.875 ms and L 0.25 s; two residuals of 0.5 s with two degrees of freedom
/// scatter by 0.5 s.
fn recorded(clock: &str) -> String {
    let columns = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
        out_messages in_messages partners experiments inner_waiting_s\n";
    let section = |processor: usize, rows: [&str; 2]| {
        let [first, second] = rows;
        format!(
            "# supersteps of processor {processor}, clock {clock}\n# place 1: bsp_sync fft.c:88 in exchange < fft < main\n\
             # place 2: bsp_sync fft.c:95 in fft < main\n# place 3: report ? in main\n{columns}\
             # 1 0-1.0 0 1 0 {first} 0 8 8 1 1 {} 0\n# 2 0-1.0 0 2 7 {second} 0 24 24 1 1 {} 0\n\
             # 3 0-1.0 0 3 {} 0 0 0 0 0 0 0 0 - - 0\n",
            rows_end(processor, 4),
            rows_end(processor, 0),
            11 + processor
        )
    };
    format!(
        "# call-trace 1\n# program: fft\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\nexperiment processor P time_s\n\
         E 1 2 4\n{}{}# end rows=1\n",
        section(0, ["5 1 1", "1 1 2"]),
        section(1, ["6 0 1", "2 0 3"])
    )
}

/// Partner and times of experiments.
fn rows_end(processor: usize, inside_s: usize) -> String {
    let inside = if processor == 1 && inside_s > 0 { format!("E={inside_s}") } else { "-".to_owned() };
    format!("{} {inside}", 1 - processor)
}

fn session() -> Session {
    let plain = "# call-trace 1\n# program: p\n# processors: 1\n# experiment: E\n# variables:\nexperiment processor P time_s\nE 0 1 4\n\
        # end rows=1\n";
    let second = recorded("common");
    let cut = second.find("# supersteps of processor 1").expect("it has two sections");
    let old = recorded("common").replace(" experiments inner_waiting_s\n", "\n");
    let files = [
        ("fft.dat", recorded("common")),
        ("own.dat", recorded("own")),
        ("cut.dat", second[..cut].to_owned()),
        ("old.dat", old),
        ("plain.dat", plain.to_owned()),
        (
            "big.toml",
            "schema_version = 1\nname = \"big\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n[[bsp]]\nprocessors = 4\n\
             rate_flop_per_s = 1e9\ng_s_per_byte = 0.01\nlatency_s = 0.1\n"
                .to_owned(),
        ),
    ];
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

#[test]
fn replays() {
    let lines = [
        "load fft.dat",
        "replay",
        "replay faster E=2",
        "replay fft.dat faster E=1",
        "replay g=0 L=0",
        "replay relation=max",
        "replay on cray-t3e faster E=2",
        "replay on big.toml",
        "load own.dat as other",
        "replay other faster E=4",
        "load cut.dat plain.dat",
        "replay",
        "load fft.dat own.dat",
        "replay faster E=4",
        "replay g=1e-6",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// On `big.toml` 8 and 24 bytes each way take 0.1 s + 0.01 s/B * 8 B and 0.34 s, as `profile` says, behind 6 s and 2 s of computing.
#[test]
fn machines_charge_the_larger_of_bytes_in_and_out() {
    let mut session = session();
    session.run("load fft.dat").unwrap();
    let mut then_s = |words: &str| {
        let object = json::outcome(&session.run(&format!("replay {words}")).unwrap());
        let rows = &object["tables"][0]["rows"];
        rows[0]["then_s"].as_f64().unwrap_or_else(|| panic!("{object}"))
    };
    for (words, expected) in [
        ("on big.toml", 8.52),
        ("on big.toml relation=max", 8.52),
        ("on big.toml relation=sum", 8.84),
        ("g=0.01 L=0.1 relation=max", 8.52),
        ("g=0.01 L=0.1", 8.84),
    ] {
        let found = then_s(words);
        assert!((found - expected).abs() < 1e-9, "{words}: {found}");
    }
    let profile = transcript(&mut session, &["profile on big.toml hide 0"]);
    assert!(profile.contains("520 ms"), "{profile}");
}

/// Nothing is a part of no time.
#[test]
fn runs_without_time_have_no_gain_in_percent() {
    let text: String = recorded("common")
        .lines()
        .map(|line| match line.strip_prefix("# ").and_then(|rest| rest.split_once(' ')) {
            Some((number, rest)) if number.parse::<u32>().is_ok() => {
                let mut fields: Vec<&str> = rest.split(' ').collect();
                fields[3..7].fill("0");
                if fields[13].starts_with("E=") {
                    fields[13] = "-";
                }
                format!("# {number} {}\n", fields.join(" "))
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("none.dat", text)])));
    let said = transcript(&mut session, &["load none.dat", "replay g=1e-3 L=0"]);
    assert!(said.contains("none") && !said.contains('∞'), "{said}");
}

#[test]
fn pictures() {
    let lines = [
        "load fft.dat",
        "plot replay",
        "plot replay faster E=2",
        "plot replay on cray-t3e",
        "plot replay relation=max a.svg",
        "load fft.dat own.dat",
        "plot replay",
        "plot replay fft.dat where P = 2",
        "plot replay fft.dat faster F=2",
        "plot faster E",
        "plot faster",
        "plot faster fft.dat",
        "plot faster fft.dat E fft.c:95 into gains.csv",
        "plot faster fft.dat E E",
        "plot faster fft.dat F",
        "plot faster fft.dat E where P = 2",
        "plot faster own.dat E gains.svg",
        "plot faster own.dat fft.c:88",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// Processor 1 computes 2 s and 4 s of E before both exchange, processor 0 5 s: E matters until it takes 3 s.
#[test]
fn what_a_faster_block_is_worth() {
    let mut session = session();
    session.run("load fft.dat").unwrap();
    let number = |row: &serde_json::Value, key: &str| row[key].as_f64().unwrap();
    let rows = |session: &mut Session, line: &str, table: &str| {
        let answer = json::outcome(&session.run(line).unwrap());
        let tables = answer["tables"].as_array().unwrap().iter();
        let mut found = tables.filter(|its| its["name"] == table);
        found.next().unwrap()["rows"].as_array().unwrap().clone()
    };
    let curve = rows(&mut session, "plot faster E", "faster");
    let paths = rows(&mut session, "plot faster E", "critical_paths");
    let found: Vec<f64> = curve.iter().map(|row| number(row, "block_percent")).collect();
    assert_eq!(found.len(), 3, "{curve:?}");
    assert!(
        (found[1] - 25.0).abs() < 1e-9 && curve[1]["bend"] == "here" && paths[1]["processor"] == 0.0,
        "{curve:?}"
    );
    let replayed_s = |session: &mut Session, percent: f64| {
        let factor = (1.0 - percent / 100.0).recip();
        number(&rows(session, &format!("replay faster E={factor}"), "replay")[0], "then_s")
    };
    let [whole_s, bend_s] = [0, 1].map(|row| number(&curve[row], "run_time_s"));
    assert!((whole_s - bend_s - 1.0).abs() < 1e-9);
    for percent in [0.0, 10.0, 25.0, 30.0, 99.0] {
        let straight_s = whole_s - (whole_s - bend_s) * (percent / 25.0_f64).min(1.0);
        assert!((replayed_s(&mut session, percent) - straight_s).abs() < 1e-9, "{percent} %");
    }
}

#[test]
fn mistakes() {
    let lines = [
        "replay",
        "load plain.dat",
        "replay",
        "load cut.dat as cut",
        "replay",
        "load old.dat as old",
        "replay faster E=2",
        "load fft.dat as fft",
        "replay fft.call.dat",
        "replay faster",
        "replay faster F=2",
        "replay faster E",
        "replay faster E=0",
        "replay faster E=2 E=3",
        "replay h=1",
        "replay g=-1",
        "replay relation=min",
        "replay fft old",
        "replay on",
        "replay on nowhere",
        "replay on epyc-7742",
        "replay on cray-t3e,ibm-sp2",
        "replay on cray-t3e on ibm-sp2",
        "replay on cray-t3e g=1",
        "replay where P = 2",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// Steps on samples and undoing them leave the supersteps as they are.
#[test]
fn supersteps_stay_with_their_set() {
    let mut session = session();
    session.run("load fft.dat as fft").unwrap();
    let before = session.run("replay faster E=2").unwrap();
    for line in ["where P > 5", "undo", "let Q = 2*P", "load plain.dat as plain", "data fft"] {
        session.run(line).unwrap();
        let set = if line.contains("plain") { "fft" } else { "" };
        assert_eq!(session.run(&format!("replay {set} faster E=2")).unwrap(), before, "{line}");
    }
}

#[test]
fn machines_get_tables_with_units() {
    let mut session = session();
    session.run("load fft.dat").unwrap();
    let object = json::outcome(&session.run("replay faster E=2").unwrap());
    let text = object.to_string();
    for part in [
        r#""recorded_s":12"#,
        r#""then_s":11"#,
        r#""gain_percent""#,
        r#""plain_bsp_then_s""#,
        r#""call_stack":"exchange < fft < main""#,
        r#""after_s""#,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Tables of different columns are files of their own.
    let error = session.run("replay faster E=2 into replay.csv").unwrap_err();
    assert!(error.cure().is_some_and(|cure| cure.contains("`replay.waits.csv`")), "{error:?}");
    let outcome = session.run("replay faster E=2 into replay.waits.csv");
    assert!(outcome.is_ok(), "{outcome:?}");
}

#[test]
fn tables_name_their_run() {
    let mut session = session();
    session.run("load fft.dat").unwrap();
    for line in ["replay", "replay faster E=2"] {
        let object = json::outcome(&session.run(line).unwrap());
        let tables = object["tables"].as_array().unwrap();
        assert!(
            tables.len() > 2 && tables.iter().all(|table| table["trace"] == "fft.dat"),
            "{line}: {object}"
        );
    }
}
