//! Input that nobody measured: degenerate samples, strange names, files that are no text, lines of megabytes. Every command answers, or
//! says what is wrong; none panics or takes long.

use llac::{MemoryWorkspace, Session};

pub fn session<C: Into<Vec<u8>>>(files: impl IntoIterator<Item = (&'static str, C)>) -> Session {
    Session::new(Box::new(MemoryWorkspace::with(files)))
}

/// The answer to a line, or its error, as a user sees them.
pub fn answer(session: &mut Session, line: &str) -> String {
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
pub fn fails(session: &mut Session, line: &str, message: &str) {
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

pub fn table(rows: impl IntoIterator<Item = (&'static str, f64, f64, f64)>) -> String {
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
