//! Input that nobody measured: degenerate samples, strange names, files that are no text, lines of megabytes. Every command answers, or
//! says what is wrong; none panics or takes long.

use llac::{MemoryWorkspace, Session};

fn session<C: Into<Vec<u8>>>(files: impl IntoIterator<Item = (&'static str, C)>) -> Session {
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

/// The answer to a line, or its error, as a user sees them.
fn answer(session: &mut Session, line: &str) -> String {
    match session.run(line) {
        Ok(outcome) => {
            llac::json::outcome(&outcome);
            outcome.to_plain_text()
        }
        Err(error) => {
            assert!(!error.message().is_empty(), "{line:.200}");
            error.render(line)
        }
    }
}

/// Whether a line is refused with such a message.
fn fails(session: &mut Session, line: &str, message: &str) {
    let error =
        session.run(line).err().unwrap_or_else(|| panic!("`{line:.80}` should fail with `{message}`"));
    let text = error.render(line);
    assert!(text.contains(message), "`{line:.80}` should fail with `{message}`, not\n{text:.2000}");
}

/// What a session knows to do with an experiment `f` over `N` and `P` and another `g`.
const COMMANDS: &[&str] = &[
    "experiments",
    "show",
    "show f",
    "show f 3",
    "fit f",
    "fit",
    "formula f = a[0] + a[1]*N",
    "formula g = a[0] + a[1]*N",
    "fit",
    "fit f into fit.csv",
    "fit f into fit.tex",
    "aleph f",
    "aleph f[1]",
    "judge f",
    "judge",
    "find",
    "find f",
    "advise f",
    "advise f N=8",
    "outliers f",
    "outliers f 2",
    "predict f N=8",
    "predict f N=0,-1,1e308,1e-308",
    "predict f N=1:1e300:1.0000001",
    "predict f N=1:1e300:+1",
    "predict f N=-1e308:1e308:+1e300",
    "compare f",
    "compare f t.csv",
    "compare f g",
    "plot f",
    "plot f N",
    "plot f N=1..1e300",
    "plot f N=-1e300..1e300",
    "plot f N=5..5",
    "plot f N=9..1",
    "plot residuals f N",
    "plot histogram f",
    "plot normal f",
    "plot f g N f.svg",
    "export f f.csv",
    "export f f.jsonl",
    "export f f.extra-p.txt",
    "export f.extra-p.jsonl",
    "export f.c",
    "export f.gp",
    "export f.tex",
    "load f.csv as again",
    "load f.jsonl as again2",
    "load f.extra-p.txt as again3",
    "data data",
    "largest f N 1s",
    "largest f N=1..1e300 1s",
    "best f N=1:1024:2",
    "best f cost P=1:1024:2 N=4",
    "crossover f g N=1..1e6",
    "crossover f g N=1..1e300",
    "crossover f g N=-1e308..1e308",
    "formula f = a[0] + a[1]*log(N)/P + a[2]*sqrt(N)",
    "fit f",
    "judge f",
    "aleph f",
    "predict f N=8 P=1:64:2",
    "plot f P",
    "plot f N P=1,2,3",
    "plot surface f",
    "plot surface f N P=1..1e6 f.svg",
    "plot speedup f P=1:64:2 N=8",
    "plot efficiency f P=1:64:2 N=8 e.svg",
    "speedup f P=1:64:2 N=8",
    "isoefficiency f 0.8 N P=1:64:2",
    "isoefficiency f 0.8 N=1..1e300 P=1:1e300:1e50",
    "best f P=1:1024:2 N=4",
    "best f cost P=1:1024:2 N=4",
    "largest f N 1s P=1e308",
    "where time > 0",
    "fit f",
    "where N < 0 and N > 0",
    "fit f",
    "judge f",
    "plot f N",
    "outliers f",
    "compare f",
    "show f",
    "undo",
    "where all",
    "let M = N*N",
    "let Q = 1/(N - N)",
    "formula f = a[0] + a[1]*Q",
    "fit f",
    "predict f N=2",
    "formula f = a[0]*M + a[1]*M",
    "formula f = a[0]*M + a[1]*log2(N) + a[2]*N*M + a[3]",
    "fit f",
    "predict f N=2",
    "let time = time*1e300",
    "fit f",
    "let time = -time",
    "fit f",
    "undo",
    "drop f 1",
    "fit f",
    "drop f outliers",
    "restore",
    "merge f g as both",
    "fit both",
    "plot both",
    "set loss huber",
    "fit f",
    "set weights absolute",
    "fit f",
    "judge f",
    "set sign nonnegative",
    "fit f",
    "set error 0",
    "set intervals 100000",
    "fit f",
    "set method paper",
    "fit f",
    "set repetitions each",
    "set processors each",
    "set level 99.99",
    "fit f",
    "judge f",
    "compare f",
    "plot f",
    "history",
    "save s.llac",
    "run s.llac",
    "undo",
    "redo",
];

fn table(rows: impl IntoIterator<Item = (&'static str, f64, f64, f64)>) -> String {
    let rows = rows.into_iter().map(|(kernel, n, p, time_s)| format!("{kernel},{n:?},{p:?},{time_s:?}\n"));
    format!("kernel,N,P,time_s\n{}", rows.collect::<String>())
}

/// All commands on a table.
fn all_commands(name: &str, table: String) {
    let mut session = session([("t.csv", table)]);
    let loaded = answer(&mut session, "load t.csv");
    if loaded.starts_with("error") {
        assert!(loaded.contains("help") || loaded.contains(": "), "{name}: {loaded}");
    }
    for line in COMMANDS {
        let text = answer(&mut session, line);
        assert!(!text.is_empty(), "{name}: {line}");
    }
}

#[test]
fn degenerate_samples() {
    let g = ("g", 2.0, 1.0, 0.5);
    let series = |time_s: &dyn Fn(f64) -> f64| {
        let rows: Vec<_> = (1..=12)
            .map(|n| ("f", f64::from(n), f64::from(1 << (n % 3)), time_s(f64::from(n))))
            .chain([g, ("g", 4.0, 1.0, 0.7), ("g", 8.0, 2.0, 0.9)])
            .collect();
        table(rows)
    };
    all_commands("no rows", table([]));
    all_commands("one sample", table([("f", 8.0, 1.0, 0.5)]));
    all_commands("one sample each", table([("f", 8.0, 1.0, 0.5), g]));
    all_commands("two identical points", table([("f", 8.0, 1.0, 0.5), ("f", 8.0, 1.0, 0.5), g]));
    all_commands("two points, equal place", table([("f", 8.0, 1.0, 0.5), ("f", 8.0, 1.0, 0.7), g]));
    all_commands("two points", table([("f", 8.0, 1.0, 0.5), ("f", 9.0, 1.0, 0.7), g]));
    all_commands("times all equal", series(&|_| 0.5));
    all_commands("times zero", series(&|_| 0.0));
    all_commands("times negative", series(&|n| -n));
    all_commands("times of both signs", series(&|n| if n % 2.0 == 0.0 { n } else { -n }));
    all_commands("times NaN", series(&|_| f64::NAN));
    all_commands("times infinite", series(&|n| if n > 6.0 { f64::INFINITY } else { n }));
    all_commands("times huge", series(&|n| n * 1e307));
    all_commands("times tiny", series(&|n| n * 1e-308));
    all_commands("times least", series(&|n| n * 5e-324));
    all_commands("times far apart", series(&|n| 10_f64.powf(n * 50.0 - 320.0)));
    let variables = |value: &dyn Fn(usize) -> f64| {
        let rows: Vec<_> = (0..12)
            .map(|row| ("f", value(row), value(11 - row), 1.0 + row as f64 * 0.1))
            .chain([g, ("g", value(3), 1.0, 0.7), ("g", value(5), 2.0, 0.9)])
            .collect();
        table(rows)
    };
    all_commands("constant column", variables(&|_| 4.0));
    all_commands("zero column", variables(&|_| 0.0));
    all_commands("negative column", variables(&|row| -(row as f64)));
    all_commands("NaN column", variables(&|_| f64::NAN));
    all_commands("some NaN", variables(&|row| if row % 3 == 0 { f64::NAN } else { row as f64 }));
    all_commands("infinities", variables(&|row| [1.0, f64::INFINITY, 2.0, f64::NEG_INFINITY][row % 4]));
    all_commands("huge", variables(&|row| 1e308 * (1.0 - row as f64 * 0.1)));
    all_commands("tiny", variables(&|row| 1e-308 * (1.0 + row as f64)));
    all_commands("far apart", variables(&|row| 10_f64.powf(row as f64 * 50.0 - 300.0)));
    all_commands("nearly equal", variables(&|row| 1.0 + row as f64 * f64::EPSILON));
    all_commands("huge and near", variables(&|row| 1e15 + row as f64));
    all_commands("duplicated points", variables(&|row| (row / 6) as f64 + 1.0));
}

#[test]
fn names_like_words_of_the_language() {
    let names =
        ["where", "into", "as", "time", "P", "f", "and", "or", "not", "all", "log", "processor", "run", "N"];
    for name in names {
        let rows: String = (1..9).map(|n| format!("f,{n},0.{n}\ng,{n},0.5\n")).collect();
        let files = [("t.csv", format!("kernel,{name},seconds\n{rows}"))];
        let mut session = session(files);
        answer(&mut session, "load t.csv time=seconds experiment=kernel");
        for line in [
            format!("formula f = a[0] + a[1]*{name}"),
            "fit f".to_owned(),
            format!("predict f {name}=3"),
            format!("predict f '{name}'=3"),
            format!("plot f {name}"),
            format!("plot f '{name}'"),
            format!("fit f where {name} > 2 into x.csv"),
            format!("where {name} > 2 and {name} < 8"),
            "undo".to_owned(),
            format!("let {name} = 2*{name}"),
            format!("let x = {name}"),
            format!("largest f {name}=1..100 1s"),
            format!("merge f g as {name}"),
            format!("fit {name}"),
            format!("data {name}"),
            format!("load t.csv time=seconds as {name}"),
            format!("formula {name}.f = a[0] + a[1]*{name}"),
            format!("fit {name}.f"),
        ] {
            answer(&mut session, &line);
        }
    }
}

#[test]
fn names_of_any_characters() {
    let names = [
        "two words",
        "quo'te",
        "\"\"double\"\"",
        "dot.ted",
        "a[0]",
        "]",
        "ℵ",
        "naïve β",
        "new\nline",
        "\ttab",
        "a,b",
        "=",
        "#",
        "\\",
        "",
        " ",
        "-",
        "0",
        "f",
        "*",
        "?.csv",
        "\u{202e}back",
        "../x",
        "residuals",
        "outliers",
        "$(x)",
        "<b>&",
    ];
    let rows: String =
        names.iter().flat_map(|name| (1..6).map(move |n| format!("\"{name}\",{n},0.{n}\n"))).collect();
    let mut session = session([("t.csv", format!("kernel,size of it,time_s\n{rows}"))]);
    let loaded = answer(&mut session, "load t.csv");
    assert!(loaded.contains("samples"), "{loaded}");
    let listed = answer(&mut session, "experiments");
    assert!(listed.contains("two_words") && listed.contains("quo_te") && listed.contains("csv"), "{listed}");
    for name in names {
        for line in [
            format!("fit '{name}'"),
            format!("fit \"{name}\""),
            format!("fit {name}"),
            format!("formula '{name}' = a[0] + a[1]*size_of_it"),
            format!("plot '{name}'"),
            format!("export '{name}' x.csv"),
            format!("merge '{name}' f as '{name}'"),
            format!("load t.csv as '{name}'"),
            format!("let '{name}' = 2"),
            format!("set '{name}' '{name}'"),
            format!("fit into '{name}'"),
            format!("save '{name}'"),
            format!("help {name}"),
            name.to_owned(),
        ] {
            answer(&mut session, &line);
            session.complete(&line);
        }
    }
    for line in [
        "data data",
        "fit",
        "export x.c",
        "export x.gp",
        "export x.tex",
        "export x.jsonl",
        "export x.extra-p.jsonl",
    ] {
        answer(&mut session, line);
    }
}

#[test]
fn files_that_are_no_text() {
    let files: [(&str, &[u8]); 9] = [
        ("a.csv", b"kernel,N,time_s\nf\xff,1,1\n\xc3\x28,2,2\n"),
        ("b.csv", b"kern\xffel,N,time_s\nf,1,1\n"),
        ("c.csv", b"kernel,N,time_s\nf,1\xff,1\n"),
        ("d.dat", b"# call-trace 1\n# program: \xff\n"),
        ("e.csv", b"\xff\xfeN\0,\0"),
        ("f.csv", b""),
        ("g.json", b"{\"N\": 1, \"time\": \xff}"),
        ("h.csv", b"kernel,N,time_s\r\nf,1,0.5\r\nf,2,0.6\r\nf,3,0.75\r\n"),
        ("i.llac", b"load h.csv\r\n# nothing\r\nfit f \\\r\n  where N > 1\r\n\r\nshow f\r\n"),
    ];
    let mut session = session(files);
    for (name, _) in files {
        answer(&mut session, &format!("load {name}"));
        answer(&mut session, &format!("run {name}"));
    }
    fails(&mut session, "run a.csv", "a.csv is not a script: it is no UTF-8 text");
    fails(&mut session, "load f.csv", "the file is empty");
    fails(&mut session, "load e.csv", "help: save it as UTF-8");
}

#[test]
fn nesting_200_000_deep() {
    const DEEP: &str = "nested more than 200 levels deep";
    let deep = "(".repeat(200_000);
    let closed = format!("{deep}N{}", ")".repeat(200_000));
    let in_header = "# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: ";
    let rows = "\n# variables: N\nexperiment processor P N time_s\nf 0 1 1 0.5\n# end rows=1\n";
    let files = [
        ("t.csv", table([("f", 8.0, 1.0, 0.5), ("f", 9.0, 1.0, 0.7)])),
        ("field.csv", format!("kernel,N,time_s\n{closed},1,1\ng,{closed},2\n")),
        ("name.csv", format!("kernel,{closed},time_s\nh,1,1\nh,2,2\n")),
        ("a.json", format!("{{\"results\": {}", "[".repeat(200_000))),
        ("formula.dat", format!("{in_header}f[0]*{closed}{rows}")),
        ("deep.llac", format!("where {closed} > 1\n")),
    ];
    let mut session = session(files);
    answer(&mut session, "load t.csv");
    fails(&mut session, &deep, "there is no command `((");
    fails(&mut session, &format!("fit {closed}"), "there is no experiment `((");
    fails(&mut session, &format!("load {closed}"), "cannot read ((");
    fails(&mut session, &format!("formula f = a[0]*{closed}"), DEEP);
    fails(&mut session, &format!("let x = {closed}"), DEEP);
    fails(&mut session, &format!("let x = {}N", "-".repeat(200_000)), "a formula changes nothing");
    fails(&mut session, &format!("let x = {}N", "log(".repeat(50_000)), DEEP);
    fails(&mut session, &format!("let x = N{}", "[N".repeat(50_000)), DEEP);
    fails(&mut session, &format!("where {deep} > 1"), DEEP);
    fails(&mut session, &format!("where {closed} > 1"), DEEP);
    fails(&mut session, &format!("fit f where {closed} > 1 into x.csv"), DEEP);
    fails(&mut session, &format!("where {}N > 1", "not - ".repeat(50_000)), DEEP);
    for line in [
        format!("predict f N={closed}"),
        format!("largest f N={closed} 1s"),
        format!("let x = {}N", "- ".repeat(50_000)),
        format!("where {}N > 1", "not ".repeat(50_000)),
        format!("let x = N{}", "*N".repeat(20_000)),
        format!("let x = N{}", "+N".repeat(20_000)),
        format!("let x = N{}", "->N".repeat(20_000)),
        format!("let x = N{}", "[1]".repeat(20_000)),
        format!("where N {}", "> N ".repeat(20_000)),
        format!("where N > 1 {}", "or N > 1 and N < 9 ".repeat(10_000)),
    ] {
        answer(&mut session, &line);
        session.complete(&line);
    }
    answer(&mut session, "load field.csv");
    answer(&mut session, "load name.csv");
    fails(&mut session, "load a.json", "recursion limit exceeded");
    fails(&mut session, "run deep.llac", DEEP);
    answer(&mut session, "load formula.dat as other");
    fails(&mut session, "fit f", DEEP);
    answer(&mut session, "experiments");
}

#[test]
fn lines_of_megabytes() {
    let mut session = session([("t.csv", table([("f", 8.0, 1.0, 0.5), ("f", 9.0, 1.0, 0.7)]))]);
    answer(&mut session, "load t.csv");
    answer(&mut session, "formula f = a[0] + a[1]*N");
    fails(&mut session, &"x".repeat(10_000_000), "the line has 10000000 bytes, more than");
    let long = "x".repeat(1_000_000);
    let words = "x ".repeat(100_000);
    fails(&mut session, &format!("fit {long}"), " … xxx");
    fails(&mut session, &format!("load '{long}"), "this quote is not closed");
    fails(&mut session, &format!("predict f N={}", "1,".repeat(100_000)), "`` is not a number");
    fails(&mut session, &format!("predict f N={}1", "1,".repeat(100_000)), "more than 10000 points");
    fails(&mut session, "predict f N=1:1e300:1.0000001", "more than 10000 values");
    fails(&mut session, "predict f N=1e300:2e300:+1", "more than 10000 values");
    let unknown = (0..50_000).fold("predict f".to_owned(), |line, n| line + &format!(" x{n}=1"));
    fails(&mut session, &unknown, "the formula has no variable `x0`");
    for line in [
        words.clone(),
        format!("fit {words}"),
        format!("fit {}", "f ".repeat(100)),
        format!("predict f {}", "N=1 ".repeat(20_000)),
        format!("predict f N={}", "1:".repeat(100_000)),
        format!("let x = {long}"),
        format!("let {long} = N"),
        format!("where {long} > 1"),
        format!("set {long}"),
        format!("load {long}"),
        format!("plot f {words}"),
        format!("drop f {}", "1 ".repeat(100_000)),
        format!("drop f {}", "1".repeat(100_000)),
        format!("formula f = {}", "a[0]".repeat(50_000)),
        format!("formula f = {}", "a[0] + ".repeat(50_000)),
        format!("formula f = {}", "[".repeat(100_000)),
        "\\\n".repeat(100_000),
        "\n".repeat(100_000),
        "#".repeat(100_000),
    ] {
        let text = answer(&mut session, &line);
        assert!(!text.starts_with("error") || text.len() < 10_000, "{line:.100}: {} bytes", text.len());
        session.complete(&line);
    }
}

#[test]
fn formulas_with_many_terms() {
    let rows: String = (1..40).map(|n| format!("f,{n},{}\n", f64::from(n).sqrt())).collect();
    let mut session = session([("t.csv", format!("kernel,N,time_s\n{rows}"))]);
    answer(&mut session, "load t.csv");
    let terms = |count: usize, term: &dyn Fn(usize) -> String| {
        (0..count).map(|k| format!("a[{k}]*{}", term(k))).collect::<Vec<_>>().join(" + ")
    };
    for line in [
        format!("formula f = {}", terms(1000, &|k| format!("N^{k}"))),
        format!("formula f = {}", terms(1000, &|k| format!("pow(N, {k})"))),
        "fit f".to_owned(),
        "predict f N=3".to_owned(),
        format!("formula f = {}", terms(1000, &|k| format!("log(N + {k})"))),
        "fit f".to_owned(),
        "judge f".to_owned(),
        "compare f".to_owned(),
        format!("formula f = {}", terms(30, &|k| format!("log(N + {k})"))),
        "fit f".to_owned(),
        "judge f".to_owned(),
        "aleph f".to_owned(),
        "plot f".to_owned(),
        "predict f N=3".to_owned(),
        format!("formula f = a[0]*{}", vec!["(N + 1)"; 60].join("*")),
        "fit f".to_owned(),
        format!("formula f = a[0]*(N{})", " + N".repeat(1000)),
        "fit f".to_owned(),
        format!("formula f = (a[0] + a[1]){}", "*(N + 1)".repeat(25)),
        format!("formula f = {}", "(a[0] + a[1]*N)*".repeat(40) + "N"),
        "fit f".to_owned(),
        "export f.c".to_owned(),
    ] {
        answer(&mut session, &line);
    }
}

#[test]
fn scripts_that_run_themselves() {
    let files = [
        ("self.llac", "run self.llac\nrun self.llac\n".to_owned()),
        ("a.llac", "run b.llac\n".to_owned()),
        ("b.llac", "run a.llac\n".to_owned()),
        ("open.llac", "load 'x\n".to_owned() + &"load x\n".repeat(3_000)),
        ("joined.llac", "load x \\\n".repeat(3_000)),
        ("many.llac", "set error 5\n".repeat(3_000)),
    ];
    let mut session = session(files);
    fails(&mut session, "run self.llac", "scripts run inside of each other");
    fails(&mut session, "run a.llac", "scripts run inside of each other");
    fails(&mut session, "run open.llac", "quote");
    answer(&mut session, "run joined.llac");
    answer(&mut session, "run many.llac");
    answer(&mut session, "history");
}

#[test]
fn very_many_experiments() {
    let rows: String = (0..20_000).map(|n| format!("k{n},{n},{n}e-6\n")).collect();
    let mut session = session([("t.csv", format!("kernel,N,time_s\n{rows}"))]);
    answer(&mut session, "load t.csv");
    fails(&mut session, "fit f", "there is no experiment `f`");
    fails(&mut session, "fit f", "k11 and 19988 more");
    answer(&mut session, "formula k7 = a[0] + a[1]*N");
    let fitted = answer(&mut session, "fit");
    assert!(fitted.replace("\n  ", " ").contains("k11, k12 and 19987 more: no formula"), "{fitted:.2000}");
    answer(&mut session, "where N > 5");
    answer(&mut session, "export x.csv");
    answer(&mut session, "load x.csv as two");
    session.complete("fit k9");
}

#[test]
fn very_many_points_and_columns() {
    let points: String = (0..5_000).map(|n| format!("f,{n},{}e-6\n", n + 7)).collect();
    let names: Vec<String> = (0..500).map(|n| format!("x{n}")).collect();
    let wide: String = (1..5).map(|n| format!("f,{}0.{n}\n", format!("{n},").repeat(names.len()))).collect();
    let files = [
        ("points.csv", format!("kernel,N,time_s\n{points}")),
        ("wide.csv", format!("kernel,{},time_s\n{wide}", names.join(","))),
    ];
    let commands = [
        "experiments",
        "show f 3",
        "formula f = a[0] + a[1]*N",
        "formula f = a[0] + a[1]*x77",
        "fit",
        "judge",
        "find",
        "advise",
        "outliers",
        "compare",
        "plot f",
        "plot residuals",
        "where N > 5",
        "fit f where x77 > 1",
        "drop f 3-4000",
        "export x.csv",
        "load x.csv as two",
        "experiments",
    ];
    for (name, _) in files.clone() {
        let mut session = session(files.clone());
        answer(&mut session, &format!("load {name}"));
        for line in commands {
            answer(&mut session, line);
        }
        session.complete("plot f ");
    }
}

const PROGRAM: &str = "program ring(N) { compute 1e-9*N; exchange 8*N with (pid + 1) % P }";

const MACHINE: &str = "schema_version = 1\nname = \"m\"\n[provenance]\nkind = \"measured\"\nsource = \"a test\"\ndate = \"2026\"\n[[bsp]]\nprocessors = 1\n\
    rate_flop_per_s = 1e9\ng_s_per_byte = 1e-9\nlatency_s = 5e-6\n";

/// All numbers in the tables of the answer are finite.
fn is_finite(session: &mut Session, line: &str) {
    let outcome = session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    let text = llac::json::outcome(&outcome).to_string();
    assert!(!text.contains("inf") && !text.contains("NaN") && !text.contains("null"), "{text}");
}

#[test]
fn programs_on_strange_numbers_of_processors() {
    let mut session = session([("ring.obsp", PROGRAM), ("m.toml", MACHINE)]);
    answer(&mut session, "program *.obsp");
    for processors in ["0", "-1", "1.5", "1e300", "4294967297"] {
        let line = format!("predict ring N=8 g=1e-9 L=1e-6 P={processors}");
        fails(&mut session, &line, "is no number of processors");
    }
    for processors in ["nan", "inf", "1e309", "x", ""] {
        let line = format!("predict ring N=8 g=1e-9 L=1e-6 P={processors}");
        assert!(session.run(&line).is_err(), "{line}");
    }
    is_finite(&mut session, "predict ring N=8 P=1,1e9 g=1e-9 L=1e-6");
    is_finite(&mut session, "predict ring N=8 P=1000000000 on m.toml");
    is_finite(&mut session, "predict ring N=0 P=4 g=0 L=0");
    fails(&mut session, "predict ring N=1e308 P=2 g=1 L=1", "the length of the message is inf");
    fails(&mut session, "predict ring N=1e307 P=2 g=1000 L=1", "times are finite");
    fails(&mut session, "predict ring N=-1 P=2 g=1 L=1", "is not negative");
    fails(&mut session, "plot ring N=8 P=1e9 g=1 L=1", "shows nothing");
    answer(&mut session, "plot ring N=8 P=1,2,1e9 g=0 L=0");
    answer(&mut session, "compare ring");
}

#[test]
fn programs_of_megabytes() {
    let tasks: String = (0..20_000).map(|number| format!("task t{number} {{ }}\n")).collect();
    let variables: String = (0..20_000).map(|number| format!("v{number},")).collect();
    let files = [
        ("long.obsp", format!("program long {{\n{}}}", "compute 1e-6;\n".repeat(50_000))),
        ("tasks.obsp", format!("{tasks}program tasks {{ t19999() }}")),
        ("variables.obsp", format!("program variables({variables}x) {{ }}")),
        ("terms.obsp", format!("program terms {{ compute 1{} }}", "+1".repeat(200_000))),
        ("braces.obsp", format!("program braces {{ {}", "if 1 { ".repeat(50_000))),
        ("parts.obsp", format!("program parts {{ partition 1{} {{ compute pid }} }}", ",1".repeat(10_000))),
        ("comment.obsp", format!("program comment {{ }} #{}", "x".repeat(2_000_000))),
        ("zeros.obsp", "\0".repeat(200_000)),
    ];
    let mut session = session(files);
    fails(&mut session, "program terms.obsp", "more than 500 values");
    fails(&mut session, "program braces.obsp", "nested more than 50 times");
    fails(&mut session, "program zeros.obsp", "means nothing here");
    let error = answer(&mut session, "program terms.obsp");
    assert!(error.len() < 1000 && error.contains("…1+1+"), "{error:.2000}");
    for line in [
        "program long.obsp tasks.obsp variables.obsp parts.obsp comment.obsp",
        "predict long P=2",
        "predict tasks P=2",
        "predict variables P=2",
        "predict parts P=10001",
        "plot long P=2",
    ] {
        answer(&mut session, line);
    }
}

#[test]
fn machine_files_of_megabytes() {
    let entry = |number: usize| {
        format!(
            "[[bsp]]\nprocessors = {}\nrate_flop_per_s = 1e9\ng_s_per_byte = 1e-9\nlatency_s = 1e-6\n",
            number + 2
        )
    };
    let entries: String = (0..5_000).map(entry).collect();
    let text = format!("name = \"m\"\ndescription = \"{}\"", "x".repeat(10_000_000));
    let files = [
        ("table.toml", format!("{MACHINE}{entries}")),
        ("text.toml", MACHINE.replace("name = \"m\"", &text)),
        ("deep.toml", format!("x = {}", "[".repeat(1_000_000))),
        ("numbers.toml", MACHINE.replace("1e-9", "1e999")),
        ("zeros.toml", "\0".repeat(10_000_000)),
        ("ring.obsp", PROGRAM.to_owned()),
    ];
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let mut session = session(files);
    answer(&mut session, "program ring.obsp");
    for file in names {
        answer(&mut session, &format!("machine show {file}"));
        answer(&mut session, &format!("predict ring N=8 P=77 on {file}"));
    }
}

/// `save` writes what makes the same session again.
#[test]
fn saved_programs_and_machines_come_back() {
    let table = "kernel,N,time_s\nf,1,1\nf,2,2\nf,4,4\n";
    let mut session = session([("a ring\u{e9}.obsp", PROGRAM), ("m.toml", MACHINE), ("t.csv", table)]);
    let program = "program \"a ring\u{e9}.obsp\"";
    for line in [program, "load t.csv", "machine use m.toml", "undo", "undo", "redo", "redo", "undo", "redo"]
    {
        session.run(line).unwrap_or_else(|error| panic!("{}", error.render(line)));
    }
    let expected = answer(&mut session, "predict ring N=8 P=4");
    assert!(expected.contains("ring(N=8, P=4) = "), "{expected}");
    answer(&mut session, "save s.llac");
    for _ in 0..3 {
        answer(&mut session, "undo");
    }
    fails(&mut session, "predict ring N=8 P=4", "ring");
    answer(&mut session, "run s.llac");
    assert_eq!(answer(&mut session, "predict ring N=8 P=4"), expected);
}
