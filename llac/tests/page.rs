//! `page`: what is in pages of profiles, and how large they are.

use std::fmt::Write;
use std::io;
use std::sync::Arc;

use llac::{MemoryWorkspace, Session, Workspace, json};
use serde_json::Value;

/// Files that a test shares with a session.
#[derive(Clone)]
pub struct Files(Arc<MemoryWorkspace>);

impl Workspace for Files {
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

impl Files {
    pub fn of<Name: Into<String>>(files: impl IntoIterator<Item = (Name, String)>) -> Files {
        Files(Arc::new(MemoryWorkspace::with(files)))
    }

    pub fn session(&self) -> Session {
        Session::new(Box::new(self.clone()))
    }

    pub fn text(&self, path: &str) -> String {
        String::from_utf8(self.read(path).unwrap()).unwrap()
    }
}

/// What the viewer reads of a page.
fn data(html: &str) -> Value {
    let data = html.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(data).unwrap()
}

/// A trace of the Oxford toolset: each cost centre is one superstep, four to a procedure, and no two processors are alike.
fn trace(centres: usize, processors: usize) -> String {
    let mut text = format!("N made-up\nP {processors}\n");
    let mut random = 1_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as f64 / f64::from(1_u32 << 31)
    };
    for centre in 0..centres {
        writeln!(text, "s {centre} {} file{}.c", 10 + centre, centre / 4).unwrap();
    }
    for centre in 0..centres {
        let mut values = || (0..processors).map(|_| next()).collect::<Vec<f64>>();
        let quantities = [values(), values(), values(), values().iter().map(|h| (1e6 * h).round()).collect()];
        let sums = |of: &[f64]| {
            let largest = of.iter().copied().fold(0.0, f64::max);
            let smallest = of.iter().copied().fold(f64::INFINITY, f64::min);
            let average = of.iter().sum::<f64>() / of.len() as f64;
            // A sum of h is a whole number.
            let average = if largest > 1.0 { average.round() } else { average };
            format!("{largest} {average} {smallest}")
        };
        let [comp, comm, idle, h] = [0, 1, 2, 3].map(|quantity| sums(&quantities[quantity]));
        let groups: Vec<String> = (0..processors)
            .map(|processor| {
                let [comp, comm, idle, h] = [0, 1, 2, 3].map(|quantity| quantities[quantity][processor]);
                format!("{comp},{comm},{idle},{h},{h};")
            })
            .collect();
        writeln!(
            text,
            "A <{} of file{}.c procedure_{},main, > with 1 SYNCS {comp} COMP {comm} COMM {idle} COMPIDLE {h} HREL {}",
            10 + centre,
            centre / 4,
            centre / 4,
            groups.concat()
        )
        .unwrap();
    }
    text + "E 100\n"
}

#[test]
fn pages_are_small() {
    let files = Files::of([("x.bsp", trace(133, 225))]);
    files.session().run("page x.bsp into p.html").unwrap();
    let html = files.text("p.html");
    assert!(html.len() < 400_000, "{} bytes", html.len());
    let data = data(&html);
    assert_eq!(data["nodes"].as_array().unwrap().len(), 133 + 34 + 1);
    for node in data["nodes"].as_array().unwrap() {
        let values = node["runs"][0]["values"].as_array().unwrap();
        // Three digits for two processors.
        assert!(values.iter().all(|digits| digits.as_str().unwrap().len() == 3 * 113), "{node}");
        assert_eq!(values.is_empty(), node["label"].as_str().unwrap().starts_with("procedure"), "{node}");
    }
}

/// A row of a table of `llac --format json`, by the value of its first column.
fn row<'a>(tables: &'a Value, table: &str, first: &str) -> &'a Value {
    let found = tables["tables"].as_array().unwrap().iter().find(|its| its["name"] == table).unwrap();
    let rows = found["rows"].as_array().unwrap();
    rows.iter().find(|row| row["node"] == first || row["cost_centre"] == first).unwrap()
}

#[test]
fn pages_show_what_profile_predicts() {
    let counts = [2, 4, 8, 16, 12];
    let files = Files::of(counts.map(|count| (format!("{count}.bsp"), trace(6, count))));
    let mut session = files.session();
    let asked = "2.bsp 4.bsp 8.bsp 16.bsp P=32";
    let outcome = session.run(&format!("page {asked} into p.html")).unwrap();
    assert_eq!(outcome.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["extrapolated"]);
    let html = files.text("p.html");
    let said = "Predicted, not measured. It comes from 2.bsp (P = 2), 4.bsp (P = 4), 8.bsp (P = 8), 16.bsp (P = 16).";
    assert!(html.contains(said), "{html}");
    assert!(html.contains(&outcome.warnings[0].text));
    assert!(html.contains("class=\"interval\"") && html.contains("<caption>with 90 % intervals</caption>"));
    let data = data(&html);
    assert_eq!(data["runs"][0]["predicted"], 0.9);
    let tables = json::outcome(&session.run(&format!("profile {asked}")).unwrap());
    let near = |one: &Value, other: &Value| {
        let (one, other) = (one.as_f64().unwrap(), other.as_f64().unwrap());
        assert!((one - other).abs() <= 1e-5 * other.abs(), "{one} and {other}");
    };
    for node in data["nodes"].as_array().unwrap() {
        let costs = &node["runs"][0];
        assert_eq!(costs["values"], Value::Null);
        let shown = row(&tables, "nodes", node["label"].as_str().unwrap());
        for (metric, name) in ["computation", "communication", "idle"].iter().enumerate() {
            near(&costs["max"][metric], &shown[format!("{name}_max_s")]);
        }
        if node["superstep"] == true {
            let shown = row(&tables, "intervals", node["label"].as_str().unwrap());
            for (metric, name) in
                ["computation_@_s", "communication_@_s", "idle_@_s", "h_@_bytes"].iter().enumerate()
            {
                near(&costs["intervals"][metric][0], &shown[name.replace('@', "low")]);
                near(&costs["intervals"][metric][1], &shown[name.replace('@', "high")]);
            }
        }
    }
    session.run(&format!("page {asked} on cray-t3e compare 12.bsp into p.html")).unwrap();
    let compared = self::data(&files.text("p.html"));
    assert_eq!(compared["runs"][0]["name"], "predicted for P = 32 from 4 runs, communication on cray-t3e");
    assert_eq!(compared["runs"][1]["processors"], 12);
    let tables = json::outcome(&session.run(&format!("profile {asked} on cray-t3e")).unwrap());
    for node in compared["nodes"].as_array().unwrap() {
        let shown = row(&tables, "nodes", node["label"].as_str().unwrap());
        near(&node["runs"][0]["max"][1], &shown["communication_max_s"]);
        assert_eq!(node["runs"][1]["intervals"], Value::Null);
    }
}

#[test]
fn processors_that_nobody_has_take_no_memory() {
    let files = Files::of([2, 4, 8].map(|count| (format!("{count}.bsp"), trace(1, count))));
    let mut session = files.session();
    session.run("page 2.bsp 4.bsp 8.bsp P=1000000000 into p.html").unwrap();
    session.run("profile 2.bsp 4.bsp 8.bsp P=1000000000").unwrap();
    assert!(files.text("p.html").len() < 100_000);
}

/// A procedure that two others call, one of them thrice as long.
#[test]
fn callers_have_what_a_shared_procedure_costs_them() {
    let stack = |caller: &str, time_s: u32| {
        format!(
            "A <7 of a.c shared,{caller},main, > with 1 SYNCS {time_s} {time_s} {time_s} COMP 0 0 0 COMM 0 0 0 COMPIDLE 0 0 0 HREL \
             {time_s},0,0,0,0;\n"
        )
    };
    let of = |foo: u32, last: &str| {
        format!("P 1\ns 0 7 a.c\ns 1 7 a.c\n{}{}E 9\n", stack("foo", foo), stack(last, 1))
    };
    let files = Files::of([("x.bsp", of(3, "bar")), ("y.bsp", of(2, "baz"))]);
    files.session().run("page x.bsp y.bsp into p.html").unwrap();
    let data = data(&files.text("p.html"));
    let label = |path: &Value| data["nodes"][path[0].as_u64().unwrap() as usize]["label"].as_str().unwrap();
    let paths: Vec<String> = data["callPaths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| format!("{} {} {} {}", label(path), path[1], path[2], path[3]))
        .collect();
    let expected = [
        "main null 4.0 3.0",
        "foo 0 3.0 2.0",
        "shared 1 3.0 2.0",
        "a.c line 7 2 3.0 2.0",
        "bar 0 1.0 null",
        "shared 4 1.0 null",
        "a.c line 7 5 1.0 null",
        "baz 0 null 1.0",
        "shared 7 null 1.0",
        "a.c line 7 8 null 1.0",
    ];
    assert_eq!(paths, expected);
}

#[test]
fn runs_that_have_nothing_in_common_predict_nothing() {
    let other = |count| (format!("other{count}.bsp"), trace(1, count).replace("file", "other"));
    let files = Files::of(
        [2, 4].map(|count| (format!("{count}.bsp"), trace(1, count))).into_iter().chain([other(8)]),
    );
    for words in ["profile 2.bsp 4.bsp other8.bsp P=16", "page other8.bsp 2.bsp 4.bsp P=16 into p.html"] {
        let error = files.session().run(words).unwrap_err();
        assert_eq!(error.to_string(), "other8.bsp has no cost centre in common with 2.bsp, 4.bsp", "{words}");
        assert!(error.cure().unwrap().contains("runs of one program"), "{words}");
    }
}

#[test]
fn wrong_words() {
    let files = Files::of([2, 4].map(|count| (format!("{count}.bsp"), trace(1, count))));
    let mut session = files.session();
    for (words, code) in [
        ("2.bsp 4.bsp P=8", "no-samples"),
        ("2.bsp on", "missing-word"),
        ("2.bsp on nowhere", "unknown-machine"),
        ("2.bsp P=8 compare", "missing-word"),
        ("2.bsp 4.bsp compare 2.bsp", "unexpected-word"),
        ("2.bsp 4.bsp P=many", "wrong-value"),
    ] {
        let error = session.run(&format!("page {words} into p.html")).unwrap_err();
        assert_eq!(error.code(), code, "{words}: {error}");
    }
    let files = Files::of(
        [2, 4]
            .map(|count| (format!("{count}.bsp"), trace(1, count)))
            .into_iter()
            .chain([("old/2.bsp".to_owned(), trace(1, 2))]),
    );
    let mut session = files.session();
    session.run("page old/2.bsp 2.bsp into p.html").unwrap();
    assert_eq!(data(&files.text("p.html"))["title"], "old/2.bsp → 2.bsp");
    session.run("page 2.bsp 4.bsp on cray-t3e into p.html").unwrap();
    let data = data(&files.text("p.html"));
    let name = |run: usize| data["runs"][run]["name"].as_str().unwrap();
    assert!([0, 1].iter().all(|run| name(*run).ends_with("communication on cray-t3e")), "{data}");
}

/// Processor 1 computes 6 s, processor 0 4 s, and both synchronise.
fn recorded(clock: &str) -> String {
    let section = |processor: usize, times: &str| {
        format!(
            "# supersteps of processor {processor}, clock {clock}\n# place 1: bsp_sync fft.c:88 in exchange < main\n\
             # superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
             out_messages in_messages partners experiments inner_waiting_s\n# 1 0-1.0 0 1 0 {times} 0 0 0 0 0 - - 0\n"
        )
    };
    format!(
        "# call-trace 1\n# program: fft\n# processors: 2\n# experiment: E\n# formula: E[0]\n# variables:\n\
         experiment processor P time_s\nE 1 2 4\n{}{}# end rows=1\n",
        section(0, "4 2 0"),
        section(1, "6 0 0")
    )
}

#[test]
fn pages_have_the_waits_of_a_run() {
    let files = Files::of([("fft.dat", recorded("common")), ("own.dat", recorded("own"))]);
    let mut session = files.session();
    for line in [
        "load fft.dat own.dat",
        "page fft.dat into fft.html",
        "page own.dat into own.html",
        "page into both.html",
    ] {
        session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    }
    let html = files.text("fft.html");
    let waits = &data(&html)["waits"];
    assert_eq!(waits["runTime"], 6.0);
    let site = &waits["sites"][0];
    assert_eq!(
        (&site["label"], &site["waiting"]),
        (&"bsp_sync fft.c:88 in exchange < main".into(), &2.0.into())
    );
    // Processor 0 waits from 4 s to 6 s for processor 1, which has computed since the start.
    assert_eq!(site["chain"]["links"], serde_json::json!([[0, 4.0, 6.0], [1, 0.0, 6.0]]));
    let node = site["node"].as_u64().unwrap() as usize;
    assert_eq!(data(&html)["nodes"][node]["label"], "fft.c line 88");
    // 300 parts of 20 ms: computing alone, then waiting alone.
    let shares = waits["rows"][0]["shares"].as_str().unwrap();
    assert_eq!((shares.len(), &shares[..3], &shares[897..]), (900, "~!!", "!~!"));
    assert!(
        html.contains("processor 0 waits 2 s for processor 1, which spends 2 s longer before it"),
        "{html}"
    );
    // What `waits` warns of stands in the page as well: the call of a synchronisation by its address has no line.
    let nowhere = recorded("common").replace("fft.c:88", "?");
    let files_of_nowhere = Files::of([("nowhere.dat", nowhere)]);
    let mut other = files_of_nowhere.session();
    other.run("load nowhere.dat").unwrap();
    let warned = |outcome: llac::CommandOutcome| -> Vec<String> {
        outcome.warnings.iter().map(|warning| warning.text.clone()).collect()
    };
    let by_waits = warned(other.run("waits").unwrap());
    assert!(by_waits.iter().any(|text| text.contains("compile the program with -g")), "{by_waits:?}");
    assert_eq!(warned(other.run("page into nowhere.html").unwrap()), by_waits);
    assert!(files_of_nowhere.text("nowhere.html").contains("compile the program with -g"));
    // Where clocks have nothing in common, nobody knows; of several runs none is meant.
    assert!(data(&files.text("own.html"))["waits"].is_null());
    assert!(
        files
            .text("own.html")
            .contains("no waits of own.dat: the clock of processor 0 counts from its own start")
    );
    assert!(data(&files.text("both.html"))["waits"].is_null());
}
