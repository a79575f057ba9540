//! `waits`: who waited for whom in recorded supersteps.

use crate::page::Files;
use crate::transcript::transcript;
use call_report::Table;
use llac::{CommandOutcome, MarkupBlock, MemoryWorkspace, Page, Session};

const COLUMNS: &str = "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
    out_messages in_messages partners experiments inner_waiting_s\n";

/// Three processors, of which the second computes 2 s longer in the first superstep, and the third one 1 s in the next two.
fn recorded(clock: &str) -> String {
    let section = |processor: usize, rows: [&str; 3]| {
        let lines = rows.iter().zip([(1, 1, 0), (2, 2, 7), (3, 2, 12)]);
        let lines: String = lines
            .map(|(times, (number, place, start))| {
                format!("# {number} 0-2.0 0 {place} {start} {times} 0 8 8 1 1 - - 0\n")
            })
            .collect();
        format!(
            "# supersteps of processor {processor}, clock {clock}\n# place 1: bsp_sync fft.c:88 in exchange < fft < main\n\
             # place 2: bsp_sync fft.c:95 in fft < main\n{COLUMNS}{lines}"
        )
    };
    format!(
        "# call-trace 1\n# program: fft\n# processors: 3\n# experiment: E\n# formula: E[0]\n# variables:\nexperiment processor P time_s\n\
         E 1 3 4\n{}{}{}# end rows=1\n",
        section(0, ["4 2 1", "3 1 1", "3 1 1"]),
        section(1, ["6 0 1", "3 1 1", "3 1 1"]),
        section(2, ["4 2 1", "4 0 1", "4 0 1"])
    )
}

/// The same program with less imbalance in the first superstep, a line further down.
fn improved() -> String {
    let changes = [
        ("0 1 0 6 0 1 ", "0 1 0 4.5 0 1 "),
        ("0 1 0 4 2 1 ", "0 1 0 4 0.5 1 "),
        (" 2 7 ", " 2 5.5 "),
        (" 2 12 ", " 2 10.5 "),
        ("fft.c:88", "fft.c:89"),
    ];
    changes.iter().fold(recorded("common"), |text, (old, new)| text.replace(old, new))
}

/// Processor 0 waits 7 s for processor 1, which had waited 5 s for processor 2.
fn relayed() -> String {
    let section = |processor: usize, rows: [&str; 2]| {
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_oblsync relay.c:20 in take < main\n\
             # place 2: bsp_oblsync relay.c:30 in hand < main\n{COLUMNS}# 1 0-2.0 0 1 {} - 0\n# 2 0-2.0 0 2 {} - 0\n",
            rows[0], rows[1]
        )
    };
    // Start, computing, waiting, communicating, recording; bytes and messages; partners.
    format!(
        "# call-trace 1\n# program: relay\n# processors: 3\n# experiment: E\n# formula: E[0]\n# variables:\n\
         experiment processor P time_s\nE 1 3 4\n{}{}{}# end rows=1\n",
        section(0, ["0 1 0 0 0 8 8 1 1 -", "1 1 7 0 0 8 8 1 1 1"]),
        section(1, ["0 1 5 0 0 8 8 1 1 2", "6 3 0 0 0 8 8 1 1 -"]),
        section(2, ["0 6 0 0 0 8 8 1 1 -", "6 1 0 0 0 8 8 1 1 -"])
    )
}

fn session() -> Session {
    let plain = "# call-trace 1\n# program: p\n# processors: 1\n# experiment: E\n# variables:\nexperiment processor P time_s\nE 0 1 4\n\
        # end rows=1\n";
    let files = [
        ("fft.dat", recorded("common")),
        ("relay.dat", relayed()),
        ("fft2.dat", improved()),
        ("own.dat", recorded("own")),
        ("plain.dat", plain.to_owned()),
    ];
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

#[test]
fn waits_of_a_run() {
    let lines = [
        "load fft.dat",
        "waits",
        "waits fft.dat by processor",
        "waits into fft.waits.csv",
        "load own.dat",
        "waits",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// Twelve supersteps at places of their own, in which both processors are late in turn, by more and more.
fn many_places() -> String {
    let section = |processor: u64| {
        let mut text = format!("# supersteps of processor {processor}, clock common\n");
        let (mut rows, mut start_s) = (COLUMNS.to_owned(), 0);
        for step in 1..=12 {
            let (late_s, is_late) = (4 + step, step % 2 == processor);
            let (computing_s, waiting_s) = if is_late { (late_s, 0) } else { (2, late_s - 2) };
            text += &format!("# place {step}: bsp_sync many.c:{step} in main\n");
            rows +=
                &format!("# {step} 0-1.0 0 {step} {start_s} {computing_s} {waiting_s} 0 0 0 0 0 0 - - 0\n");
            start_s += late_s;
        }
        text + &rows
    };
    format!(
        "# call-trace 1\n# program: many\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\n\
         experiment processor P time_s\nE 0 2 1\n{}{}# end rows=1\n",
        section(0),
        section(1)
    )
}

/// Two processors, each a part of its own, compute 1 s and 0.9 s in different steps, and wait for each other.
fn apart() -> String {
    let section = |processor: usize, own: &str, waits: &str| {
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync p.c:10 in a < main\n\
             # place 2: bsp_sync p.c:20 in b < main\n# place 3: bsp_sync p.c:30 in main\n{COLUMNS}{own}# 1 0-1.0 0 3 0 {waits} 0 0 0 0 0 0 - - 0\n"
        )
    };
    format!(
        "# call-trace 1\n# program: p\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\n\
         experiment processor P time_s\nE 1 2 1\n{}{}# end rows=1\n",
        section(0, "# 1 0-0.0 1 1 0 1 0 0 0 0 0 0 0 - - 0\n", "1 0"),
        section(1, "# 1 1-1.0 1 2 0 0.9 0 0 0 0 0 0 0 - - 0\n", "0.9 0.1")
    )
}

/// A step that one processor does is divided among all only where the others have time for it.
#[test]
fn nothing_saves_more_than_what_an_even_division_does() {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("p.dat".to_owned(), apart())])));
    session.run("load p.dat").unwrap();
    let outcome = session.run("waits p.dat").unwrap();
    let savings = tables(&outcome).into_iter().find(|table| table.name() == "savings").unwrap();
    assert!(!savings.rows().is_empty());
    let shown = outcome.value.render(&Page::file());
    assert!(shown.contains("50 ms") && !shown.contains("100 ms, "), "{shown}");
}

/// Two supersteps that end at the same place: each processor takes 3 s in one of them and 1 s in the other one.
fn alternating() -> String {
    let section = |processor: usize, times: [&str; 2]| {
        let [first, second] = times;
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync p.c:10 in main\n{COLUMNS}\
             # 1 0-1.0 0 1 0 {first} 0 0 0 0 0 0 - - 0\n# 2 0-1.0 0 1 3 {second} 0 0 0 0 0 0 - - 0\n"
        )
    };
    format!(
        "# call-trace 1\n# program: p\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\n\
         experiment processor P time_s\nE 1 2 1\n{}{}# end rows=1\n",
        section(0, ["3 0", "1 2"]),
        section(1, ["1 2", "3 0"])
    )
}

/// A step that takes each processor as long as the others can save what it takes each time more than the mean.
#[test]
fn what_saves_more_than_its_excess_is_told() {
    let files = [("p.dat".to_owned(), alternating()), ("fft.dat".to_owned(), recorded("common"))];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    let mut shown = |name: &str| {
        session.run(&format!("load {name}")).unwrap();
        session.run(&format!("waits {name}")).unwrap().value.render(&Page::file())
    };
    let told = "more than longest less mean";
    let alternating = shown("p.dat");
    assert!(alternating.contains(told) && alternating.contains("33.33"), "{alternating}");
    assert!(!shown("fft.dat").contains(told));
}

/// What the screen has as sentences is a table where there are only tables.
#[test]
fn sites_are_in_files_of_each_kind() {
    let files = Files::of([("fft.dat", recorded("common"))]);
    let mut session = files.session();
    for line in ["load fft.dat", "waits into w.tex", "waits into w.csv", "waits into w.causes.tex"] {
        session.run(line).unwrap();
    }
    let site = "exchange < fft < main";
    let [tex, csv, causes] = ["w.tex", "w.csv", "w.causes.tex"].map(|name| files.text(name));
    let place = tex.find("fft.c:88").unwrap_or_else(|| panic!("{tex}"));
    assert!(csv.contains(site) && causes.contains("fft.c:88"), "{csv}{causes}");
    // The ranked sites come first, and once.
    assert_eq!(tex[..place].matches("tabular").count(), 1, "{tex}");
    let first = causes.lines().find(|line| line.contains("fft.c:88")).unwrap_or_else(|| panic!("{causes}"));
    assert!(first.ends_with(" s \\\\"), "times have units: {causes}");
}

fn tables(outcome: &CommandOutcome) -> Vec<&Table> {
    let tables = outcome.value.blocks().iter().filter_map(|block| match block {
        MarkupBlock::Table(table) | MarkupBlock::Data(table) => Some(table),
        _ => None,
    });
    tables.collect()
}

#[test]
fn people_are_told_ten_rows_and_programs_all() {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("many.dat", many_places())])));
    session.run("load many.dat").unwrap();
    let rows = |outcome: &CommandOutcome, name: &str| {
        tables(outcome).iter().find(|table| table.name() == name).unwrap().rows().len()
    };
    let outcome = session.run("waits").unwrap();
    let text = outcome.value.render(&Page::plain(200));
    // The places that are not shown are those that took 5 and 6 s.
    assert!(text.contains("\n  – and 2 others, 11 s\n"), "{text}");
    assert!(
        text.contains("before bsp_sync many.c:3 ") && !text.contains("before bsp_sync many.c:2 "),
        "{text}"
    );
    assert_eq!(rows(&outcome, "critical_path"), 12);
    let outcome = session.run("waits by delay").unwrap();
    let text = outcome.value.render(&Page::plain(200));
    assert!(text.contains("\n  – and 2 others, 7 s short-term and 0 s long-term\n"), "{text}");
    assert_eq!(rows(&outcome, "delays"), 12);
    let outcome = session.run("waits faster many.c:12=2").unwrap();
    let text = outcome.value.render(&Page::plain(200));
    assert!(text.contains("\n  – and 2 others, 11 s before and 11 s after\n"), "{text}");
    assert_eq!(rows(&outcome, "critical_paths"), 12);
}

/// Who can have one table gets that which the result is about; others are there by their names.
#[test]
fn the_table_of_waits_is_that_of_sites() {
    let files = Files::of([("many.dat", many_places())]);
    let mut session = files.session();
    session.run("load many.dat").unwrap();
    let main = |session: &mut Session, line: &str| -> Vec<String> {
        let outcome = session.run(line).unwrap();
        outcome.value.tables_for_one().iter().map(|table| table.name().to_owned()).collect()
    };
    assert_eq!(main(&mut session, "waits"), ["waits"]);
    assert_eq!(main(&mut session, "waits by processor"), ["processors"]);
    assert_eq!(main(&mut session, "waits by delay"), ["delays"]);
    assert_eq!(main(&mut session, "waits chain"), ["chain"]);
    assert_eq!(main(&mut session, "profile"), ["nodes"]);
    session.run("waits into w.csv").unwrap();
    session.run("waits into w.causes.csv").unwrap();
    session.run("profile into p.csv").unwrap();
    let first = |name: &str| files.text(name).lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        first("w.csv"),
        ["number,site,call_stack,kind,waits,waiting_s", "1,bsp_sync many.c:12,main,wait at barrier,1,14"]
    );
    assert!(first("w.causes.csv")[0].ends_with("cause,time_s"));
    let profile = first("p.csv");
    assert!(profile[0].starts_with("node,kind,synchronisations,time_s"), "{profile:?}");
    assert!(profile[1].starts_with("many.c line 1,leaf,1,5,"), "{profile:?}");
}

/// Each takes what the one before it hands on, and all do the same at the same place; only the first one takes longer, once.
fn handed_on() -> String {
    let section = |processor: usize, rows: [&str; 3]| {
        let mut text = format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_oblsync ring.c:20 in pass < main\n{COLUMNS}"
        );
        for (number, row) in (1..).zip(rows) {
            let partners = processor.checked_sub(1).map_or("-".to_owned(), |before| before.to_string());
            text += &format!("# {number} 0-3.0 0 1 {row} 0 0 8 8 1 1 {partners} - 0\n");
        }
        text
    };
    // Start, computing, waiting.
    format!(
        "# call-trace 1\n# program: ring\n# processors: 4\n# experiment: E\n# formula: E[0]\n# variables:\n\
         experiment processor P time_s\nE 1 4 4\n{}{}{}{}# end rows=1\n",
        section(0, ["0 6 0", "6 2 0", "8 2 0"]),
        section(1, ["0 2 4", "6 2 0", "8 2 0"]),
        section(2, ["0 2 0", "2 2 4", "8 2 0"]),
        section(3, ["0 2 0", "2 2 0", "4 2 4"])
    )
}

#[test]
fn who_only_hands_on_is_not_blamed() {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("ring.dat", handed_on())])));
    session.run("load ring.dat").unwrap();
    let told = session.run("waits").unwrap().value.render(&Page::plain(200));
    let expected = "processors 1-3 wait 12 s (3 times) for processors 0-2, of which processor 0 spends 12 s longer before it\n";
    assert!(told.contains(expected), "{told}");
    let told = session.run("waits by delay").unwrap().value.render(&Page::plain(200));
    assert!(told.contains("  0  before bsp_oblsync ring.c:20  computing         4 s        8 s\n"), "{told}");
}

/// Processor 1 waits 3 s within a superstep, for nobody knows whom.
#[test]
fn waits_without_a_cause_are_told() {
    let section = |processor: usize, row: &str| {
        format!(
            "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync a.c:9 in main\n{COLUMNS}# 1 0-1.0 0 1 {row}\n"
        )
    };
    let trace = format!(
        "# call-trace 1\n# program: a\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\n\
         experiment processor P time_s\nE 0 2 1\n{}{}# end rows=1\n",
        section(0, "0 6 0 2 0 0 0 0 0 - - 0"),
        section(1, "0 3 3 2 0 0 0 0 0 - - 3")
    );
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("a.dat", trace)])));
    insta::assert_snapshot!(transcript(&mut session, &["load a.dat", "waits"]));
}

#[test]
fn efficiencies_are_a_report_of_talp() {
    let trace =
        recorded("common").replace("# processors: 3\n", "# processors: 3\n# date: 2026-11-26T12:00:00Z\n");
    let files = Files::of([("fft.dat", trace), ("fft2.dat", improved())]);
    let mut session = files.session();
    session.run("load fft.dat fft2.dat").unwrap();
    session.run("waits fft.dat to run.json").unwrap();
    let report: serde_json::Value = serde_json::from_str(&files.text("run.json")).unwrap();
    assert!(report["dlbVersion"].as_str().unwrap().starts_with("3.6"), "{report}");
    assert_eq!(
        (&report["timestamp"], &report["resources"]["numMpiRanks"]),
        (&"2026-11-26T12:00:00".into(), &3.into())
    );
    let region = &report["Application"]["Global"];
    // 4 + 3 + 3, 6 + 3 + 3 and 4 + 4 + 4 s in 17 s.
    let expected = [("elapsedTime", 17e9), ("usefulTime", 34e9), ("mpiTime", 17e9), ("numMpiRanks", 3.0)];
    for (key, value) in expected {
        assert_eq!(region[key], value as i64, "{key}");
    }
    let near = |key: &str, value: f64| {
        let found = region[key].as_f64().unwrap();
        assert!((found - value).abs() < 1e-12, "{key}: {found}");
    };
    near("parallelEfficiency", 34.0 / 51.0);
    near("mpiLoadBalance", 34.0 / 36.0);
    near("mpiCommunicationEfficiency", 12.0 / 17.0);
    near("ompParallelEfficiency", 1.0);
    let error = session.run("waits to run.json").unwrap_err();
    assert_eq!(error.code(), "several-runs");
}

/// Whether its threads were balanced nobody has measured.
#[test]
fn nothing_is_said_of_threads_of_processes() {
    let trace = recorded("common").replace("# processors: 3\n", "# openmp: GCC\n# processors: 3\n");
    let files = Files::of([("fft.dat", trace)]);
    let mut session = files.session();
    session.run("load fft.dat").unwrap();
    session.run("waits fft.dat to run.json").unwrap();
    let report: serde_json::Value = serde_json::from_str(&files.text("run.json")).unwrap();
    let region = report["Application"]["Global"].as_object().unwrap();
    assert!(region.contains_key("mpiParallelEfficiency"));
    assert!(region.keys().all(|key| !key.starts_with("omp")), "{report}");
}

#[test]
fn one_site_in_full() {
    let lines = [
        "load fft.dat",
        "waits at 2",
        "waits fft.dat at fft.c:88",
        "waits at bsp_sync fft.c:88",
        "waits at exchange",
        "waits at bsp_sync into site.causes_of_site.csv",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn how_waits_come_about() {
    let lines = [
        "load relay.dat as relay",
        "waits relay",
        "waits relay by delay",
        "waits relay chain",
        "waits chain take",
        "waits relay at hand",
        "waits chain into relay.chain.csv",
        "load fft.dat as fft",
        "waits fft chain 2",
        "waits fft chain nowhere",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn what_if_steps_were_faster() {
    let lines = [
        "load relay.dat as relay",
        "waits relay faster relay.c:20=2",
        "waits faster hand=1.5 take=1",
        "waits faster bsp_oblsync=2",
        "waits faster main=2 into relay.curve.csv",
        "waits faster",
        "waits faster smooth=2",
        "waits faster hnd=2",
        "waits faster hand=0",
        "waits faster hand",
        "waits faster hand=2 hand=3",
        "waits faster hand=2 relay.c:30=3",
        "plot faster relay.c:20",
        "plot faster relay hand take bsp_oblsync into relay.gains.csv",
        "plot faster hnd",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn two_runs_beside_each_other() {
    let lines = [
        "load fft.dat as old",
        "load fft2.dat as new",
        "load relay.dat as relay",
        "waits compare old new",
        "waits compare old old",
        "waits compare old relay",
        "waits compare old new into c.compared_sites.csv",
        "waits compare",
        "waits compare old",
        "waits compare old new relay",
        "waits compare old nothing",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

#[test]
fn mistakes() {
    let lines = [
        "waits",
        "load plain.dat",
        "waits",
        "load own.dat as own",
        "waits own",
        "waits nothing",
        "waits own by site",
        "waits own at",
        "waits own twice",
        "waits where P = 2",
        "data",
        "load fft.dat as fft",
        "waits fft at 3",
        "waits fft at 0",
        "waits fft at fft.c:89",
        "waits fft at smooth",
        "waits fft to",
        "waits fft own to a.otf2",
        "waits fft to a.otf2 b.otf2",
        "waits fft to a.otf2",
        "load relay.dat as relay",
        "waits relay to a.otf2",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// Words of a network of messages and of one of supersteps are told apart.
#[test]
fn replays_of_events_know_their_words() {
    let lines = [
        "replay latency=2e-6",
        "load fft.dat",
        "replay latency=2us",
        "replay from latency=2us bandwidth=1e9",
        "replay bandwidth=0",
        "replay latency=fast",
        "replay latency=1us latency=2us",
        "replay latency=1us eager=few",
        "replay latency=1us g=2e-9",
        "replay latency=1us own",
        "replay latency=1us faster",
    ];
    insta::assert_snapshot!(transcript(&mut session(), &lines));
}

/// Processes of MPI with one clock are on one computer; simulated ones share nothing.
#[test]
fn more_processors_than_cores_are_told() {
    let trace = |transport: &str, clock: &str| {
        format!(
            "# call-trace 1\n# program: p\n# processors: 4\n# cores: 2\n# transport: {transport}\n# experiment: E\n# variables:\n\
             experiment processor P time_s\nE 0 4 1\n# events of processor 0, clock {clock}\n# end rows=1\n"
        )
    };
    for (transport, clock, is_told) in
        [("MPI", "common", true), ("MPI", "own", false), ("SMPI", "common", false)]
    {
        let mut session = Session::new(Box::new(MemoryWorkspace::with([("p.dat", trace(transport, clock))])));
        let warnings = session.run("load p.dat").unwrap().warnings;
        let told = warnings.iter().any(|warning| warning.to_string().contains("4 processors shared 2 cores"));
        assert_eq!(told, is_told, "{transport}, {clock}: {warnings:?}");
    }
}
