//! What `load` tells of the files of other tools, and the options that say what they do not.

use llac::{MemoryWorkspace, Page, Session};

fn run(files: &[(String, String)], lines: &[&str]) -> String {
    let mut session = Session::new(Box::new(MemoryWorkspace::with(files.iter().cloned())));
    let run = |line: &&str| match session.run(line) {
        Ok(outcome) => outcome.render(&Page::plain(1000)),
        Err(error) => error.render(line),
    };
    lines.iter().map(run).collect()
}

fn one(text: &str) -> [(String, String); 1] {
    [("t.csv".to_owned(), text.to_owned())]
}

#[test]
fn what_is_the_same_of_many_files_is_told_once() {
    let table = |number: u32| (format!("{number:02}.csv"), format!("N,time_ms\n{number},2\n{number},nan\n"));
    let files: Vec<(String, String)> = (0..64).map(table).collect();
    assert_eq!(
        run(&files, &["load *.csv name=f", "load *.csv name=f"]),
        "64 files read; now 64 samples of f\n\
         note: 64 files: the times are `time_ms`, in milliseconds\n\
         note: 64 files: left out: 64 rows, the first at line 3 (no finite time)\n\
         0 files read; now 64 samples of f\n\
         note: 64 files are loaded already\n"
    );
    let trace = |number: u32| {
        let text = "# call-trace 1\n# program: x\n# transport: embedded\n# processors: 4\n# cores: 2\n# abandoned: 3\n\
            # experiment: f\n# variables: N\nexperiment processor P N time_s\nf 0 4 1 0.5\n# end rows=1\n";
        (format!("{number}.dat"), text.to_owned())
    };
    let files: Vec<(String, String)> = (0..5).map(trace).collect();
    assert_eq!(
        run(&files, &["load *.dat"]),
        "5 files read; now 5 samples of f\n\
         warning: 5 files: 3 measurements were begun and never ended\n\
         warning: 5 files: 4 processors shared 2 cores: their times mean little\n"
    );
    // Planted times are disturbed by nobody.
    let (name, text) = trace(0);
    let counting = vec![(name, text.replace("# abandoned: 3", "# clock: counting"))];
    assert_eq!(run(&counting, &["load 0.dat"]), "1 file read; now 1 samples of f\n");
}

#[test]
fn units_and_decimal_signs_are_options() {
    let shown = run(&one("N,y\n8,64\n"), &["load t.csv time=y unit=bytes name=f"]);
    assert_eq!(shown, "1 file read; now 1 samples of f\nnote: t.csv: the response is `y`, in bytes\n");
    let shown = run(&one("N;time_s\n1.000;12\n"), &["load t.csv decimal=, name=f", "export f out.csv"]);
    assert_eq!(
        shown,
        "1 file read; now 1 samples of f\nnote: t.csv: the times are `time_s`, in seconds\nwrote out.csv\n"
    );
    let shown = run(&one("N;time_s\n1.000;12\n"), &["load t.csv"]);
    assert!(shown.contains("line 2, column `N`: `1.000` is 1 or 1000"), "{shown}");
    let shown = run(&one(""), &["load t.csv decimal=x"]);
    assert!(shown.contains("`x` stands before no decimals"), "{shown}");
}

#[test]
fn what_is_measured_in_another_unit_is_not_put_together_or_compared() {
    let files = [
        ("a.csv".to_owned(), "N,time_s\n1,1\n2,2\n3,3\n4,4\n".to_owned()),
        ("b.csv".to_owned(), "N,bytes\n1,1\n2,2\n".to_owned()),
    ];
    let lines = ["load a.csv name=f", "formula f = f[0]*N", "compare f b.csv name=f", "load b.csv name=f"];
    let shown = run(&files, &lines);
    assert!(shown.contains("`f` is measured in bytes here, and what was fitted in seconds"), "{shown}");
    assert!(
        shown.contains("experiment `f` is measured in seconds in a.csv, but in bytes in b.csv"),
        "{shown}"
    );
}

#[test]
fn call_paths_are_experiments() {
    let measured = |path: &str, factor: f64| {
        let points = (1..=5).map(|n| format!(r#"{{"point": [{n}], "values": [{}]}}"#, factor * f64::from(n)));
        let visits = (1..=5).map(|n| format!(r#"{{"point": [{n}], "values": [{}]}}"#, 3 * n));
        let list = |points: Vec<String>| points.join(", ");
        format!(
            r#""{path}": {{"time": [{}], "visits": [{}]}}"#,
            list(points.collect()),
            list(visits.collect())
        )
    };
    let text = format!(
        r#"{{"parameters": ["N"], "measurements": {{{}, {}}}}}"#,
        measured("main->solve", 2.0),
        measured("main->io (x)", 0.5)
    );
    let files = [("e.json".to_owned(), text)];
    let shown = run(
        &files,
        &[
            "load e.json metric=all",
            "formula main/solve = a[0]*N",
            "formula main/io_x = io_x[0]*N",
            "formula main->solve:visits = a[0]*N",
            "predict all N=8",
            "predict main->io_x N=8 into x.predictions.csv",
            "aleph main/solve[0]",
            "export main/solve x.gp",
        ],
    );
    for told in [
        "now 20 samples of main/solve, main/io_x, main/solve:visits, main/io_x:visits",
        "main/solve = solve[0]*N",
        "main/solve:visits = solve[0]*N",
        "note: main/solve:visits is left out: it is in another unit",
        "x.predictions.csv",
        "main/solve[0]",
    ] {
        assert!(shown.contains(told), "{told}:\n{shown}");
    }
    assert!(shown.lines().any(|line| line.contains("main/solve ") && line.contains(" 16 s ")), "{shown}");
    // What is written is read back under the same names.
    let shown = run(
        &files,
        &["load e.json metric=all", "export main/solve main/io_x:visits e.csv", "load e.csv as back"],
    );
    assert!(shown.contains("now 10 samples of main/solve, main/io_x:visits"), "{shown}");
}

#[test]
fn folders_are_sets_of_profiles() {
    let profile = |time: f64| {
        format!(
            "<cube version='3.0'><metrics><metric id='0'><uniq_name>time</uniq_name><uom>sec</uom></metric></metrics>\
             <program><region id='0'><name>main</name></region><cnode id='0' calleeId='0'/></program>\
             <system><thread Id='0'/></system><severity><matrix metricId='0'><row cnodeId='0'>{time}</row></matrix></severity></cube>"
        )
    };
    let files: Vec<(String, String)> =
        (1..=3).map(|n| (format!("runs/a.n{n}.r1/summary.cube"), profile(f64::from(n) * 2.0))).collect();
    assert_eq!(
        run(
            &files,
            &["load runs", "load runs", "formula main = a[0]*n", "predict main n=8 into x.predictions.csv"]
        ),
        "1 file read; now 3 samples of main\nnote: runs: the times are `time`, in seconds\n\
         0 files read; now 3 samples of main\nnote: runs is loaded already\nmain = main[0]*n\nwrote x.predictions.csv\n\
         warning: n = 8 extrapolates 2.67 times: the samples have 1 to 3\n"
    );
    let shown = run(&[("runs/a.csv".to_owned(), "N,time_s\n1,2\n".to_owned())], &["load runs"]);
    assert!(shown.contains("runs is a folder, and nothing in it is a set of measurements"), "{shown}");
}

#[test]
fn what_is_the_same_of_many_call_paths_is_said_of_a_few() {
    let row = |path: usize, n: usize| format!("main->f{path},{n},{}\n", path * n);
    let rows: Vec<String> = (1..=40).flat_map(|path| (1..=5).map(move |n| row(path, n))).collect();
    let files = one(&format!("callpath,N,time_s\n{}", rows.concat()));
    let shown = run(&files, &["load t.csv", "predict all N=8"]);
    let named = shown.lines().filter(|line| line.starts_with("note: there is no formula")).count();
    assert_eq!((named, shown.contains("note: the same is to be said of 20 more")), (20, true), "{shown}");
    assert!((1..=40).all(|path| shown.contains(&format!("main/f{path} "))), "{shown}");
}

#[test]
fn traces_have_one_response_at_a_time() {
    let text = "# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# variables: N\n# counters: cycles\n\
        experiment processor P N cycles time_s\nf 0 1 1 7 0.5\n# end rows=1\n";
    let files = [("x.dat".to_owned(), text.to_owned())];
    let shown = run(&files, &["load x.dat metric=cycles", "show f"]);
    assert!(shown.contains("cycles") && shown.contains(" 7"), "{shown}");
    let shown = run(&files, &["load x.dat metric=cycles,time"]);
    assert!(shown.contains("x.dat: the experiments of a trace have one response at a time"), "{shown}");
    let shown = run(&files, &["load x.dat metric=all"]);
    assert!(shown.contains("error"), "{shown}");
}

#[test]
fn call_paths_may_have_what_is_below_them() {
    let mut table = "region,N,time_s\n".to_owned();
    for n in [10, 20, 40, 80, 160] {
        for (region, factor) in [("main->solve", 1.0), ("main->solve->spmv", 2.0), ("main->io", 4.0)] {
            table.push_str(&format!("{region},{n},{}\n", factor * f64::from(n)));
        }
    }
    let load = "load t.csv values=inclusive";
    let shown = run(
        &one(&table),
        &[load, "formula main = a[0]*N", "formula main/solve = a[0]*N", "predict all N=320"],
    );
    let told = |name: &str, time: &str| {
        shown.lines().any(|line| line.contains(&format!("{name} ")) && line.contains(time))
    };
    // 1 + 2 + 4 and 1 + 2 seconds each.
    assert!(told("main", "2240 s") && told("main/solve", "960 s"), "{shown}");
    // What is below `main` is no further part of the whole.
    assert!(shown.lines().any(|line| line.contains("main ") && line.contains(" 100.00 ")), "{shown}");
    let tree = run(&one(&table), &[load, "experiments tree into tree.csv", "experiments tree"]);
    let rows: Vec<&str> = tree.lines().skip_while(|line| !line.contains("──")).skip(1).collect();
    assert_eq!(rows.len(), 4, "{tree}");
    for (row, (indented, mean)) in rows.iter().zip([
        ("  main ", "434 s"),
        ("    io ", "248 s"),
        ("    solve ", "186 s"),
        ("      spmv ", "124 s"),
    ]) {
        assert!(row.starts_with(indented) && row.contains(mean), "{tree}");
    }
    // What is set beside them is inclusive, too, unless something else is said.
    let lines = [
        load,
        "formula main/solve = a[0]*N",
        "compare main/solve t.csv",
        "compare main/solve t.csv values=exclusive",
    ];
    let compared = run(&one(&table), &lines);
    let errors: Vec<&str> = compared.lines().filter(|line| line.contains("largest error")).collect();
    assert!(
        errors.len() == 2 && errors[0].contains("error 0.00 %") && !errors[1].contains("error 0.00 %"),
        "{compared}"
    );
    // Of the calls themselves, `main` has nothing.
    let tree = run(&one(&table), &["load t.csv values=exclusive", "experiments tree"]);
    assert!(tree.lines().any(|line| line.starts_with("    solve ") && line.contains(" 62 s ")), "{tree}");
    let refused = run(&one(&table), &["load t.csv values=all"]);
    assert!(refused.contains("values of call paths are not `all`"), "{refused}");
    let trace = "# call-trace 1\n# program: x\n# experiment: f\n# variables: N\nexperiment processor P N time_s\nf 0 1 1 0.5\n# end rows=1\n";
    let refused = run(&[("a.dat".to_owned(), trace.to_owned())], &["load a.dat values=inclusive"]);
    assert!(refused.contains("a trace has no call paths that could become inclusive"), "{refused}");
    let refused = run(&one(&table), &["load t.csv", "experiments three"]);
    assert!(refused.contains("`experiments` does not know `three`"), "{refused}");
}

#[test]
fn files_of_a_set_share_the_names_of_kernels() {
    let table = |name: &str, rows: &str| (name.to_owned(), format!("kernel,N,time_s\n{rows}"));
    let files = [
        table("a.csv", "a b,1,1\na-b,1,100\n"),
        table("b.csv", "a-b,2,200\na b,2,2\n"),
        table("c.csv", "a-b,3,300\n"),
    ];
    for lines in [&["load a.csv b.csv c.csv"][..], &["load c.csv", "load b.csv", "load a.csv"]] {
        let plain = if lines.len() == 1 { "a_b" } else { "a_b_10a3" };
        let other = if lines.len() == 1 { "a_minus_b" } else { "a_b" };
        for (name, times) in [(plain, ["1 s", "2 s"]), (other, ["100 s", "200 s"])] {
            let show = format!("show {name}");
            let shown = run(&files, &[lines, &[&show]].concat());
            let rows: Vec<&str> =
                shown.lines().filter(|line| line.contains(".csv   ")).map(str::trim_end).collect();
            assert!(
                times.iter().all(|time| rows.iter().any(|row| row.ends_with(&format!("  {time}")))),
                "{shown}"
            );
            assert_eq!(rows.len(), if times[0] == "1 s" { 2 } else { 3 }, "{shown}");
        }
    }
}

#[test]
fn files_with_other_variables_go_into_a_set_of_their_own() {
    let files = [
        ("a.csv".to_owned(), "N,time_s\n1,1\n".to_owned()),
        ("b.csv".to_owned(), "M,time_s\n1,1\n".to_owned()),
    ];
    let refused = run(&files, &["load a.csv", "load b.csv name=a"]);
    assert!(refused.contains("help: `load b.csv as NAME` reads it into a data set of its own"), "{refused}");
    let loaded = run(&files, &["load a.csv", "load b.csv name=a as other"]);
    assert!(loaded.contains("now 1 samples of a") && !loaded.contains("error"), "{loaded}");
}

#[test]
fn limits_may_have_another_prefix_than_what_was_measured() {
    let rows: String = (1..9).map(|n| format!("{n},{}\n", 100 * n)).collect();
    let table = one(&format!("N,memory (MB)\n{rows}"));
    let load = "load t.csv \"time=memory (MB)\"";
    let asked = run(&table, &[load, "formula t = a[0]*N", "largest t N 1GB"]);
    assert!(asked.contains("the largest N within 1000 MB: 10"), "{asked}");
    let time = run(
        &one("P,time_s\n1,2\n2,1.1\n4,0.7\n8,0.6\n"),
        &["load t.csv", "formula t = a[0]+a[1]/P+a[2]*P", "smallest t P 100ms"],
    );
    assert!(time.contains("takes less than 100 ms"), "{time}");
}

#[test]
fn formulas_that_leave_points_out_say_which() {
    let rows: String = (1..11)
        .map(|n| {
            format!(
                "{},{}\n",
                100 * n,
                if n == 5 { 9.0 } else { f64::from(n) * (1.0 + 0.003 * f64::from(n % 3)) }
            )
        })
        .collect();
    let found = run(&one(&format!("N,time_s\n{rows}")), &["load t.csv", "find"]);
    assert!(found.contains("  without\n") && found.contains("  N=500"), "{found}");
}

#[test]
fn tables_of_one_trace_count_once() {
    let rows: String = (1..=6).map(|n| format!("f 0 1 {n} 0.{n}17\n")).collect();
    let trace = format!(
        "# call-trace 1\n# program: x\n# date: 2026-11-21T09:30:00Z\n# processors: 1\n# run: word\n# reports: 1\n# experiment: f\n# variables: N\n\
         experiment processor P N time_s\n{rows}# end rows=6\n"
    );
    let files = [("t.dat".to_owned(), trace)];
    let told = |one: &str, other: &str| {
        let made = ["load t.dat", "export f f.csv", "export f f.parquet", "export f f.jsonl"];
        run(&files, &[made.as_slice(), &[&format!("load {one} as both"), &format!("load {other}")]].concat())
    };
    for (one, other) in
        [("f.parquet", "f.csv"), ("f.csv", "f.parquet"), ("t.dat", "f.jsonl"), ("f.csv", "t.dat")]
    {
        let told = told(one, other);
        let warned =
            format!("warning: {other} holds the same measurements as {one}: one run, which counts once");
        assert!(told.contains(&warned) && told.contains("0 files read; now 6 samples of f"), "{told}");
    }
}
