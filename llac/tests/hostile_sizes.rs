//! What is very deep, long or numerous is answered or refused.

use super::hostile::{answer, fails, session, table};

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
