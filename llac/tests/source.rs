//! What the source says of formulas: statements behind constants, terms that are tried, warnings.

use std::fmt::Write;

use llac::{MemoryWorkspace, Session};

const SQUARE: &str = r#"{"quality":"exact","terms":[{"basis":"1","growth":{},"statements":[{"line":7}]},{"basis":"n*n","growth":{"n":[2.0,0]},"statements":[{"line":9,"text":"s += 1;","operations":{"float-add":1.0}},{"line":10,"operations":{"float-add":1.0,"load":2.0},"accesses":[{"array":"a","bytes":8,"loads":1.0,"stores":0.0,"stride":"n","footprint":"n*n"}]},{"file":"y.c","line":3}]}]}"#;

/// A trace of `f` over n and m with these counts and times.
pub fn trace(formula: &str, counts: &str, time_s: impl Fn(f64, f64) -> f64) -> String {
    let mut text = format!(
        "# call-trace 1\n# program: x\n# source: x.c\n# kind: sequential\n# processors: 1\n# experiment: f\n{formula}\
         # variables: n m\n# source_counts: {counts}\n# lines: 6-11\nexperiment processor P n m time_s\n"
    );
    let mut rows = 0;
    for (n, m) in [(10.0, 5.0), (20.0, 9.0), (40.0, 17.0), (80.0, 35.0), (160.0, 70.0), (320.0, 5.0)] {
        // The noise is the same in each run.
        let noise = 1.0 + 0.01 * f64::from(rows % 3) - 0.01;
        writeln!(text, "f 0 1 {n} {m} {:.9}", noise * time_s(n, m)).unwrap();
        rows += 1;
    }
    text + &format!("# end rows={rows}\n")
}

pub fn session(trace: String) -> Session {
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.call.0.dat", trace)])));
    session.run("load x.call.0.dat").unwrap();
    session
}

pub fn answer(session: &mut Session, line: &str) -> String {
    session.run(line).map_err(|error| error.to_string()).unwrap().to_plain_text()
}

/// A machine with a cache of so many bytes, and so many nanoseconds for a line that is not in it.
pub fn machine(name: &str, cache_bytes: u32, line_ns: f64) -> String {
    format!(
        "schema_version = 1\nname = \"{name}\"\n[provenance]\nkind = \"measured\"\ndate = \"2026\"\n\
         [[operation]]\nname = \"i64 add\"\ntime_s = 1e-10\ndependent_time_s = 4e-10\n\
         [[memory]]\nname = \"L1\"\nsize_bytes = {cache_bytes}\nbandwidth_bytes_per_s = 1e11\n\
         [[memory]]\nname = \"main\"\nbandwidth_bytes_per_s = 1e10\n\
         stride = [{{ stride_bytes = 64, time_s = 2e-9 }}, {{ stride_bytes = 512, time_s = {line_ns}e-9 }}]\n"
    )
}

/// Codes of notes and warnings.
fn codes(session: &mut Session, line: &str) -> Vec<&'static str> {
    let outcome = session.run(line).map_err(|error| error.to_string()).unwrap();
    outcome.notes.iter().chain(&outcome.warnings).map(|message| message.code).collect()
}

#[test]
fn statements_behind_constants() {
    let mut session = session(trace("# formula: f[0] + f[1]*n*n\n", SQUARE, |n, _| 1e-6 + 1e-7 * n * n));
    let shown = answer(&mut session, "upsilon f");
    for line in ["f[1]", "9-10, y.c:3", "float-add", "n*n"] {
        assert!(shown.contains(line), "{shown}");
    }
    assert!(!shown.contains("none"), "{shown}");
    answer(&mut session, "formula f = f[0] + f[1]*n");
    let shown = answer(&mut session, "upsilon f");
    assert!(shown.contains("none"), "{shown}");
}

#[test]
fn formulas_that_grow_otherwise_than_their_statements() {
    let mut session = session(trace("# formula: f[0] + f[1]*n*n\n", SQUARE, |n, _| 1e-6 + 1e-7 * n * n));
    let of_source = |session: &mut Session| {
        let mut codes = codes(session, "fit f");
        codes.retain(|code| code.contains("outgrows"));
        codes
    };
    assert_eq!(of_source(&mut session), [""; 0]);
    answer(&mut session, "formula f = f[0] + f[1]*n");
    assert_eq!(of_source(&mut session), ["source-outgrows"]);
    answer(&mut session, "formula f = f[0] + f[1]*n*n*m");
    assert_eq!(of_source(&mut session), ["term-outgrows"]);
    answer(&mut session, "set source off");
    assert_eq!(of_source(&mut session), [""; 0]);
    // A variable that the translator does not know may be anything.
    answer(&mut session, "set source on");
    answer(&mut session, "let cells = n*n");
    answer(&mut session, "formula f = f[0] + f[1]*cells");
    assert_eq!(of_source(&mut session), [""; 0]);
}

/// Where a prediction reaches more memory than a cache holds that all samples fit into.
#[test]
fn predictions_beyond_caches() {
    let of = |caches: &str| {
        let trace = trace("# formula: f[0] + f[1]*n*n\n", SQUARE, |n, _| 1e-6 + 1e-7 * n * n);
        session(trace.replacen("# kind:", &format!("{caches}# kind:"), 1))
    };
    let outgrown = |session: &mut Session, line: &str| {
        let outcome = session.run(line).map_err(|error| error.to_string()).unwrap();
        let found = outcome.warnings.iter().find(|message| message.code == "outgrown-cache");
        found.map_or(String::new(), |message| {
            format!(
                "{} {} {}",
                message.fields["reached_bytes"], message.fields["level"], message.fields["cache_bytes"]
            )
        })
    };
    let mut known = of("# caches_bytes: 32768 1048576 33554432\n");
    for (line, expected) in [
        // The samples reach 819,200 bytes.
        ("predict f n=320", ""),
        ("predict f n=360", ""),
        ("predict f n=1000", "8000000.0 2 1048576"),
        ("predict f n=3000", "72000000.0 3 33554432"),
        ("predict f n=1000,3000", "72000000.0 3 33554432"),
    ] {
        assert_eq!(outgrown(&mut known, line), expected, "{line}");
    }
    let text = &known.run("predict f n=1000").unwrap().warnings.pop().unwrap().text;
    assert!(
        text.contains("about 7.63 MiB are reached, and all samples fit into the 1 MiB of cache L2"),
        "{text}"
    );
    answer(&mut known, "set source off");
    assert_eq!(outgrown(&mut known, "predict f n=1000"), "");
    for caches in
        ["", "# caches_bytes: 32768 1048576\n# simulated_caches: L1 32768/8/64\n", "# caches_bytes: 32768\n"]
    {
        assert_eq!(outgrown(&mut of(caches), "predict f n=1000"), "", "{caches}");
    }
}

/// The rows of the table of sets: constant and statements.
fn sets(session: &mut Session, line: &str) -> Vec<String> {
    let shown = answer(session, line);
    let is_set = |row: &&str| row.contains(['9', '7', '3', ' ']) && row.trim_start().starts_with(['f', 'n']);
    let rows = shown.lines().skip(3).take_while(|row| !row.contains("operation")).filter(is_set);
    let cells = |row: &str| -> Vec<String> {
        let cells = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect()
    };
    rows.map(|row| {
        let cells = cells(row);
        format!("{}: {}", cells[0], cells[3..].join(" by "))
    })
    .collect()
}

#[test]
fn the_user_says_which_statements_are_behind_a_constant() {
    let start = || session(trace("# formula: f[0] + f[1]*n*n\n", SQUARE, |n, _| 1e-6 + 1e-7 * n * n));
    let mut session = start();
    let moved = ["f[0]: 7, 9, y.c:3 by you", "f[1]: 10 by the source"];
    assert_eq!(sets(&mut session, "upsilon f[0] = 7, x.c:9, y.c:3"), moved);
    assert_eq!(sets(&mut session, "upsilon f"), moved);
    // What is moved is taken from where it was; what a set does not name is in none.
    let back = sets(&mut session, "upsilon f[1] = 9");
    assert_eq!(back, ["f[0]: 7, y.c:3 by you", "f[1]: 9 by you", "none: 10"]);
    // The counts follow.
    let shown = answer(&mut session, "upsilon f");
    let row = |start: &str| shown.lines().filter(|line| line.trim_start().starts_with(start)).count();
    assert_eq!((row("f[1]      n*n   float-add"), row("none      n*n   load")), (1, 1), "{shown}");
    answer(&mut session, "undo");
    assert_eq!(sets(&mut session, "upsilon f"), moved);
    answer(&mut session, "redo");
    answer(&mut session, "undo");
    assert_eq!(sets(&mut session, "upsilon f[0] = auto"), ["f[0]: 7", "f[1]: 9-10, y.c:3"]);
    assert_eq!(
        sets(&mut session, "upsilon f[1] = none"),
        ["f[0]: 7 by the source", "f[1]: you", "none: 9-10, y.c:3"]
    );
}

#[test]
fn sets_that_are_none() {
    let mut session = session(trace("# formula: f[0] + f[1]*n*n\n", SQUARE, |n, _| 1e-6 + 1e-7 * n * n));
    let mut fails = |line: &str| {
        let error = session.run(line).unwrap_err();
        (error.code(), error.render(line))
    };
    for (line, code, text) in [
        ("upsilon f[1] = 7-8, 12-20", "unknown-line", "its statements begin in 7, 9-10, y.c:3"),
        ("upsilon f[1] = z.c:3", "unknown-line", "^^^^^"),
        ("upsilon f[2] = 9", "unknown-constant", "f = f[0] + f[1]*n*n"),
        ("upsilon f = 9", "unknown-constant", "`f`"),
        ("upsilon g[0] = 9", "unknown-experiment", "`g`"),
        ("upsilon f[1] = 9-7", "wrong-value", "`9-7` are no lines"),
        ("upsilon f[1] =", "missing-word", "lines are missing"),
        ("upsilon f[1] = 9,", "missing-word", "lines are missing"),
        ("upsilon f[1] = 99999999999", "wrong-value", "no lines"),
        ("upsilon f[1] = 9 where n > 3", "not-applicable", "leave `where` out"),
    ] {
        let (found, message) = fails(line);
        assert!(found == code && message.contains(text), "{line}: {message}");
    }
    let mut unknown =
        self::session(trace("# formula: f[0]\n", r#"{"terms":[],"unknown":["line 3: x"]}"#, |_, _| 1.0));
    assert_eq!(unknown.run("upsilon f[0] = 7").unwrap_err().code(), "no-answer");
}

#[test]
fn warnings_go_by_what_the_user_says() {
    let mut session = session(trace("# formula: f[0] + f[1]*n\n", SQUARE, |n, _| 1e-6 + 1e-7 * n));
    let of_source = |session: &mut Session| {
        let mut codes = codes(session, "fit f");
        codes.retain(|code| code.contains("outgrows"));
        codes
    };
    assert_eq!(of_source(&mut session), ["source-outgrows"]);
    answer(&mut session, "upsilon f[1] = 9-10, y.c:3");
    assert_eq!(of_source(&mut session), [""; 0]);
    assert_eq!(codes(&mut session, "formula f = f[0] + f[1]*n*n*n"), ["sets-forgotten"]);
    assert_eq!(of_source(&mut session), ["term-outgrows"]);
    answer(&mut session, "upsilon f[1] = 9-10");
    assert_eq!(of_source(&mut session), [""; 0]);
    assert_eq!(codes(&mut session, "formula f = f[0] + f[1]*n*n*n"), [""; 0]);
}

#[test]
fn what_is_searched() {
    // m goes with n but for the last point, and does not reach the block.
    let mut session = session(trace("", SQUARE, |n, _| 1e-6 + 1e-7 * n * n));
    let found = answer(&mut session, "find f");
    assert!(found.starts_with("f = f[0]*n*n\n") || found.starts_with("f = f[0] + f[1]*n*n\n"), "{found}");
    assert!(!found.lines().any(|line| line.contains("*m")), "{found}");
    assert_eq!(codes(&mut session, "find f"), ["source"]);
    answer(&mut session, "set source off");
    assert_eq!(codes(&mut session, "find f"), [""; 0]);
}

#[test]
fn samples_that_contradict_the_source() {
    let mut session = session(trace("", SQUARE, |n, _| 1e-6 + 1e-8 * n * n * n));
    assert_eq!(codes(&mut session, "find f"), ["source-contradicted"]);
    assert!(answer(&mut session, "find f").starts_with("f = f[0]*n*n*n\n"));
}

#[test]
fn counts_that_are_none() {
    let damaged = trace("", "{\"terms\":[{]}", |n, _| n);
    let mut session = Session::new(Box::new(MemoryWorkspace::with([("x.call.0.dat", damaged)])));
    let error = session.run("load x.call.0.dat").unwrap_err();
    assert!(error.to_string().contains("source_counts"), "{error}");
    // The directive says which statements are behind a constant.
    let said = SQUARE.replace("\"line\":9", "\"line\":9,\"constant\":0").replacen('{', "{\"given\":[0],", 1);
    let mut session = self::session(trace("# formula: f[0] + f[1]*n*n\n", &said, |n, _| n * n));
    assert_eq!(
        sets(&mut session, "upsilon f"),
        ["f[0]: 9 by you", "f[1]: 10, y.c:3 by the source", "none: 7"]
    );
    // What a later version says beside is passed over.
    let later = trace("", r#"{"terms":[],"quality":"exact","news":[1]}"#, |n, _| n);
    let mut session = self::session(later);
    assert_eq!(codes(&mut session, "find f"), [""; 0]);
}

/// A statement that runs for short arrays only, and one that runs for the others.
const CUTOFF: &str = r#"{"quality":"exact","terms":[{"basis":"n","growth":{"n":[1.0,0]},"statements":[{"line":8,"where":["n >= 41"],"operations":{"integer-add":1.0},"at_most":true}]},{"basis":"n*n","growth":{"n":[2.0,0]},"statements":[{"line":9,"where":["40 >= n"],"operations":{"integer-add":2.0}}]}]}"#;

#[test]
fn conditions_of_statements() {
    let files = [
        ("x.call.0.dat", trace("# formula: f[0]*n\n", CUTOFF, |n, _| 1e-6 * n)),
        ("large.toml", machine("large", 64 << 10, 6.0)),
    ];
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files)));
    session.run("load x.call.0.dat").unwrap();
    // For large sizes the square is not missing.
    assert!(!codes(&mut session, "fit f").contains(&"source-outgrows"));
    let shown = answer(&mut session, "upsilon f");
    for text in ["8 where n >= 41", "9 where 40 >= n", "n >= 41  integer-add"] {
        assert!(shown.contains(text), "{shown}");
    }
    assert_eq!(codes(&mut session, "upsilon f"), ["parts-at-most"]);
    // A guess takes what runs at each size.
    answer(&mut session, "formula f = f[0]*n*n");
    let guessed = answer(&mut session, "aleph f on large.toml n=10..4096");
    assert!(guessed.contains("[10, 40]") && guessed.contains("(40, 4096]"), "{guessed}");
    answer(&mut session, "formula f = f[0]*n");
    let guessed = answer(&mut session, "aleph f on large.toml n=10..4096");
    assert!(guessed.contains("(40, 4096]"), "{guessed}");
    assert_eq!(codes(&mut session, "aleph f on large.toml n=10..4096"), ["parts-at-most"]);
    // Where no sample is so small, it does not run at all.
    let few = trace("# formula: f[0]*n*n\n", &CUTOFF.replace("40", "9").replace("41", "10"), |n, _| n * n);
    let mut small = self::session(few);
    assert_eq!(codes(&mut small, "fit f").iter().filter(|code| **code == "term-outgrows").count(), 1);
}

#[test]
fn counts_that_are_about_right_are_told_so() {
    let rounded = SQUARE.replace("exact", "rounded");
    let mut session = session(trace("# formula: f[0] + f[1]*n*n\n", &rounded, |n, _| n * n));
    assert_eq!(codes(&mut session, "upsilon f"), ["rounded"]);
}
