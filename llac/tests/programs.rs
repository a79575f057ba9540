//! Model programs in a session: loading, predicting, comparing, drawing, and what is wrong with them.

use std::fmt::Write;

use crate::transcript::transcript;
use call_report::{AxisScale, Figure, Timeline};
use llac::{MarkupBlock, MemoryWorkspace, Picture, Session};

/// work[0] + work[1]*n with 1 us and 2 ns; hop[0] + hop[1]*size with 5 us and 1 ns; whole is what the program below makes of them for 3 steps.
fn trace() -> String {
    let mut rows = String::new();
    let mut count = 0;
    let mut row = |text: String| {
        writeln!(rows, "{text}").unwrap();
        count += 1;
    };
    for exponent in 10..18 {
        let n = f64::from(1 << exponent);
        row(format!("work 0 1 {n} nan nan {:.9}", 1e-6 + 2e-9 * n));
        row(format!("hop 0 2 nan {n} nan {:.9}", 5e-6 + 1e-9 * n));
        for p in [1.0, 2.0, 4.0] {
            let hop_s = if p > 1.0 { 5e-6 + 1e-9 * 800.0 } else { 0.0 };
            let time_s = 3.0 * (1e-6 + 2e-9 * n / p + hop_s);
            row(format!("whole 0 {p} nan nan {n} {time_s:.9}"));
        }
    }
    format!(
        "# call-trace 1\n# program: x\n# processors: 4\n\
         # experiment: work\n# formula: work[0] + work[1]*n\n# variables: n\n\
         # experiment: hop\n# formula: hop[0] + hop[1]*size\n# variables: size\n\
         # experiment: whole\n# formula: whole[0] + whole[1]*N/P + whole[2]*log(P)\n# variables: N\n\
         experiment processor P n size N time_s\n{rows}# end rows={count}\n"
    )
}

const RING: &str = "\
# Three steps round a ring.
program ring(N) predicts whole {
    n = N/P
    repeat 3 {
        compute work
        if P > 1 { exchange 800 with (pid + 1) % P costs hop(size = 800) }
    }
}
";

const HERE: &str = "\
schema_version = 1
name = \"here\"
[provenance]
kind = \"measured\"
source = \"a test\"
date = \"2026-11-21\"
[[bsp]]
processors = 1
rate_flop_per_s = 1e9
g_s_per_byte = 1e-9
latency_s = 5e-6
";

fn session() -> Session {
    let there = HERE.replace("here", "there").replace("1e9", "2e9").replace("1e-9", "3e-9");
    Session::new(Box::new(MemoryWorkspace::with([
        ("x.dat", trace()),
        ("ring.obsp", RING.to_owned()),
        ("bad.obsp", "program p(N) {\n    compute wrok(n = N)\n}\n".to_owned()),
        ("worse.obsp", "program p(N) {\n    compute work(n = N\n}\n".to_owned()),
        ("idle.obsp", "program idle { if P > 1 { sync } }".to_owned()),
        ("long.obsp", "program long(k) { repeat k { compute 1e-6; sync } }".to_owned()),
        ("net.obsp", "program net { compute 1e-3; send 1000 to all; sync }".to_owned()),
        ("here.toml", HERE.to_owned()),
        ("there.toml", there),
        ("halo.csv", "kernel,n,time_us\nhalo,8,1\nhalo,16,2\nhalo,32,4\n".to_owned()),
        ("halo.obsp", "program halo(n) { compute 1e-6*n }".to_owned()),
        ("parts.obsp", "program parts(n) { compute halo }".to_owned()),
        (
            "marked.obsp",
            "\u{feff}program marked(n) predicts nothing { if P > 1 { compute 1e-6*n/P } }".to_owned(),
        ),
    ])))
}

/// One size says nothing of how times grow, so a program of such an experiment may take anything.
#[test]
fn what_experiments_do_not_tell_is_not_told_of_their_programs() {
    let rows: String =
        (0..6).map(|row| format!("work 0 1 1024 {:.9}\n", 1e-6 * f64::from(20 + row % 2))).collect();
    let trace = format!(
        "# call-trace 1\n# program: x\n# processors: 1\n# experiment: work\n# formula: work[0] + work[1]*n\n\
         # variables: n\nexperiment processor P n time_s\n{rows}# end rows=6\n"
    );
    let program = "program twice(N) {\n    repeat 2 { compute work(n = N); sync }\n}\n".to_owned();
    let files = [("y.dat", trace), ("twice.obsp", program), ("here.toml", HERE.to_owned())];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    for line in ["load y.dat", "program twice.obsp", "machine use here.toml"] {
        session.run(line).unwrap();
    }
    let known = session.run("predict twice N=1024 P=1").unwrap();
    assert!(!known.to_plain_text().contains('∞') && known.warnings.is_empty(), "{}", known.to_plain_text());
    let open = session.run("predict twice N=4096 P=1").unwrap();
    // What is known of the rest is the least that it takes.
    assert!(open.to_plain_text().contains("112.5 µs      10 µs  ∞ s"), "{}", open.to_plain_text());
    assert!(
        open.warnings.iter().any(|warning| warning.code == "undetermined-prediction"),
        "{:?}",
        open.warnings
    );
}

#[test]
fn programs_from_loading_to_other_machines() {
    let lines = [
        "program",
        "load x.dat",
        "program ring.obsp net.obsp",
        "predict ring N=8192 P=4",
        "predict ring N=8192,1e6 P=1:1024:4",
        "predict ring N=8192 P=2 relation=max",
        "compare whole",
        "predict net P=2,4 g=1e-9 L=1e-5",
        "predict net P=4 on there.toml",
        "predict ring N=8192 P=4 on there.toml",
        "machine use here.toml",
        "predict ring N=8192 P=4 on here.toml,there.toml",
        "predict net P=4",
        "predict ring N=8192 P=3,64,1024 on cray-t3e",
        "plot ring N=8192 P=4 ring.svg",
        "plot ring N=8192 P=1:64:2 ring.png ring.svg",
        "undo",
        "undo",
        "predict ring N=8192 P=4",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn what_is_wrong_with_programs_is_told() {
    let lines = [
        "program none.obsp",
        "load x.dat",
        "program worse.obsp",
        "program bad.obsp",
        "predict p N=1 P=1",
        "program ring.obsp net.obsp",
        "predict ring N=1",
        "predict ring M=1 N=1 P=1",
        "predict ring N=1 P=0",
        "predict ring N=1 P=1.5",
        "predict net P=2",
        "predict net P=2 g=1e-9",
        "predict net P=2 g=x L=1",
        "predict net P=2 relation=min",
        "predict net P=2 on",
        "predict net P=2 on nowhere",
        "predict net P=2 g=1 L=1 on there.toml",
        "plot net P=100000 g=1 L=1",
        "plot net P=2 on here.toml,there.toml",
        "program idle.obsp long.obsp",
        "plot idle P=1 g=1 L=1",
        "plot long k=1e5 P=100 g=1 L=1 a.png",
        "predict net P=2 on epyc-7742",
        "machine use here.toml",
        "predict ring N=1 P=2 on epyc-7742",
        "machine use epyc-7742",
        "predict ring N=1 P=2 on here.toml",
        "undo",
        "undo",
        "formula whole = a[0] + a[1]*N",
        "compare whole",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn mistakes_in_files_have_their_place_as_fields() {
    let mut session = session();
    let error = session.run("program worse.obsp").unwrap_err();
    let object = &llac::json::error(&error)["error"];
    assert_eq!((&object["file"], &object["line"]), (&"worse.obsp".into(), &3.into()), "{object}");
    assert_eq!((&object["code"], &object["column"]), (&"program".into(), &1.into()), "{object}");
    assert_eq!(object["excerpt"], "  | }\n  | ^");
    let bytes = ["file_start_byte", "file_end_byte"].map(|key| object[key].as_u64().unwrap());
    assert_eq!(bytes[1] - bytes[0], 1, "{object}");
    let message = object["message"].as_str().unwrap();
    assert!(!message.contains(['\n', '^']), "{message}");
    let text = error.render("program worse.obsp");
    assert!(text.starts_with(&format!("error: worse.obsp:3: {message}\n  | }}\n  | ^\n")), "{text}");
}

fn picture(session: &mut Session, line: &str) -> Picture {
    let outcome = session.run(line).unwrap();
    let block = outcome.value.blocks().iter().find(|block| matches!(block, MarkupBlock::Picture(_)));
    let Some(MarkupBlock::Picture(picture)) = block else { panic!("{line}: {outcome:?}") };
    (**picture).clone()
}

fn figure(session: &mut Session, line: &str) -> Figure {
    let Picture::Figure(figure) = picture(session, line) else { panic!("{line}") };
    figure
}

fn timeline(session: &mut Session, line: &str) -> Timeline {
    let Picture::Timeline(timeline) = picture(session, line) else { panic!("{line}") };
    timeline
}

#[test]
fn curves_are_ascending_and_say_what_differs_and_where_they_hold() {
    let mut session = session();
    for line in ["load x.dat", "program ring.obsp net.obsp"] {
        session.run(line).unwrap();
    }
    let ascending = figure(&mut session, "plot net P=1,2,4,8 g=1e-9 L=1e-6");
    assert_eq!(figure(&mut session, "plot net P=4,2,1,8,2 g=1e-9 L=1e-6"), ascending);
    let speedup = |session: &mut Session, values: &str| {
        figure(session, &format!("plot speedup whole N=8192 P={values}"))
    };
    assert_eq!(speedup(&mut session, "4,1,2"), speedup(&mut session, "1,2,4"));
    assert_eq!(ascending.notes, ["g = 1 ns a byte and L = 1 µs"]);

    let scale = |session: &mut Session, values: &str| {
        figure(session, &format!("plot net P={values} g=1e-9 L=1e-6")).scales().0
    };
    assert_eq!(scale(&mut session, "2,4,8,16"), AxisScale::Logarithmic);
    assert_eq!(scale(&mut session, "4:64:2"), AxisScale::Logarithmic);
    assert_eq!(scale(&mut session, "2,4,8,12"), AxisScale::Logarithmic);
    assert_eq!(scale(&mut session, "4,8,12,16"), AxisScale::Linear);
    assert_eq!(scale(&mut session, "4,8"), AxisScale::Linear);

    let labels = |figure: &Figure| figure.series.iter().map(|its| its.label.clone()).collect::<Vec<_>>();
    let two = figure(&mut session, "plot ring N=1024,1185.4088 P=2:16:2 relation=max");
    assert_eq!(labels(&two), ["N = 1024", "N = 1185.4"]);
    assert_eq!(two.notes, ["relation=max"]);
    let machines = figure(&mut session, "plot net P=2,4 on cray-t3e,ibm-sp2");
    assert_eq!(labels(&machines), ["cray-t3e", "ibm-sp2"]);
    assert_eq!(machines.notes, [""; 0]);
    let one = figure(&mut session, "plot net P=2,4 on cray-t3e");
    assert_eq!(one.notes, ["on cray-t3e"]);
}

#[test]
fn diagrams_say_where_they_hold() {
    let mut session = session();
    session.run("program net.obsp").unwrap();
    let given = timeline(&mut session, "plot net P=2 g=1e-9 L=1e-6 relation=max");
    assert_eq!(given.notes, ["g = 1 ns a byte and L = 1 µs, relation=max"]);
    let here = ["on here, g = 1 ns a byte and L = 5 µs"];
    assert_eq!(timeline(&mut session, "plot net P=1 on here.toml").notes, here);
    session.run("load x.dat").unwrap();
    session.run("machine use here.toml").unwrap();
    assert_eq!(timeline(&mut session, "plot net P=1").notes, here);
}

/// g of a machine was measured for the larger of bytes in and out; `h` in costs is what equation (3) says.
#[test]
fn machines_charge_what_their_g_was_measured_for() {
    let costs = "program own { compute 1e-3; send 1000 to all; sync costs 1e-9*h }".to_owned();
    let files = [
        ("net.obsp", "program net { compute 1e-3; send 1000 to all; sync }".to_owned()),
        ("own.obsp", costs),
        ("here.toml", HERE.to_owned()),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("program net.obsp own.obsp").unwrap();
    let mut time_s = |line: &str| {
        let outcome = llac::json::outcome(&session.run(line).unwrap());
        outcome["tables"][0]["rows"][0]["predicted_s"].as_f64().unwrap_or_else(|| panic!("{line}: {outcome}"))
    };
    let mut check = |line: &str, bytes: f64, latency_s: f64| {
        let expected = 1e-3 + 1e-9 * bytes + latency_s;
        assert!((time_s(line) - expected).abs() < 1e-12, "{line}: {} and not {expected}", time_s(line));
    };
    check("predict net P=2 on here.toml", 1000.0, 5e-6);
    check("predict net P=2 on here.toml relation=sum", 2000.0, 5e-6);
    check("predict net P=2 g=1e-9 L=5e-6", 2000.0, 5e-6);
    check("predict net P=2 g=1e-9 L=5e-6 relation=max", 1000.0, 5e-6);
    check("predict own P=2 on here.toml", 2000.0, 0.0);
    check("predict own P=2 on here.toml relation=max", 1000.0, 0.0);
    session.run("machine use here.toml").unwrap();
    let mut time_s = |line: &str| llac::json::outcome(&session.run(line).unwrap()).to_string();
    assert_eq!(time_s("predict net P=2"), time_s("predict net P=2 relation=max"));
}

#[test]
fn words_stand_where_they_like_and_names_mean_one_thing() {
    let lines = [
        "program net.obsp marked.obsp",
        "predict net on there.toml P=2 relation=max",
        "predict net P=2 on there.toml g=1 L=1",
        "predict net P=2 on there.toml scale f[1]=g",
        "predict net P=2 g=1 g=2 L=1",
        "predict net P=2 relation=max L=1",
        "predict net P=1e12 g=1 L=1",
        "predict net P=2 here",
        "plot net P=2 on there.toml x.pdf",
        "speedup net P=1,4 g=1e-9 L=1e-5",
        "speedup marked n=8 P=2,4 on here.toml,there.toml",
        "best net P=1,4 g=1e-9 L=1e-5",
        "best marked cost P=2,4 n=8",
        "best marked P=2,4 n=8,16",
        "best marked P=2 n=8",
        "best marked P=1,2 n=8 on here.toml,there.toml",
        "largest net P 1s",
        "predict nett P=4",
        "predict marked n=8 P=1",
        "load halo.csv",
        "program halo.obsp",
        "program parts.obsp marked.obsp",
        "predict parts n=8 P=2",
        "formula halo = a[0]*n",
        "predict parts n=0 P=1",
        "load x.dat as other",
        "program halo.obsp",
        "data data",
        "predict halo n=116508.4444444444",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn programs_their_variables_and_machines_are_completed() {
    let mut session = session();
    session.run("load x.dat").unwrap();
    session.run("program ring.obsp net.obsp").unwrap();
    let complete = |line: &str| session.complete(line).words;
    assert_eq!(complete("predict ri"), ["ring"]);
    assert_eq!(complete("predict ring "), ["N=", "P="]);
    assert_eq!(complete("predict net N=1 o"), ["on"]);
    assert_eq!(complete("predict net P=4 on cray-t3"), ["cray-t3d", "cray-t3e"]);
    assert_eq!(complete("plot ne"), ["net"]);
    assert_eq!(complete("plot net P"), ["P="]);
    assert_eq!(complete("plot net P=1,2 on ib"), ["ibm-sp2"]);
    let second = session.complete("plot net P=1,2 on ibm-sp2,sg");
    assert_eq!(second.words, ["sgi-origin-2000", "sgi-powerchallenge"]);
    assert_eq!(second.start, "plot net P=1,2 on ibm-sp2,".len());
}

/// `hop` was measured on 2 processors: on 32 it may take four times as long, a program of which everything else is computation
/// by that much, and its prediction stays.
#[test]
fn communication_beyond_the_measured_processors_may_contend() {
    let mut session = session();
    session.run("load x.dat").unwrap();
    session.run("program ring.obsp").unwrap();
    let upper_s = |outcome: &llac::CommandOutcome| {
        let object = llac::json::outcome(outcome);
        let row = &object["tables"][0]["rows"][0];
        let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{row}"));
        (number("predicted_s"), number("upper_s"))
    };
    let far = session.run("predict ring N=65536 P=32").unwrap();
    let (time_s, upper_s) = upper_s(&far);
    let hops_s = 3.0 * 5.8e-6;
    assert!((time_s - 3.0 * (1e-6 + 2e-9 * 2048.0) - hops_s).abs() < 1e-3 * time_s, "{time_s}");
    assert!((upper_s - time_s - 3.0 * hops_s).abs() < 0.01 * upper_s, "{time_s} {upper_s}");
    let warning = "messages may contend beyond P = 2, and no term speaks of it";
    assert!(far.warnings.iter().any(|message| message.text.contains(warning)), "{far:?}");
    assert!(far.warnings.iter().any(|message| message.text.contains("one run at P = 8,")), "{far:?}");
    let advice = session.run("advise whole N=65536 P=64").unwrap();
    assert!(advice.warnings.iter().any(|message| message.text.contains("one run at P = 16,")), "{advice:?}");
    let near = session.run("predict ring N=65536 P=2").unwrap();
    assert!(near.warnings.iter().all(|message| !message.text.contains("contend")), "{near:?}");
}
