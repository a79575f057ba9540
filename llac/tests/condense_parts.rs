//! However runs were dealt out to the files that are condensed, nothing of one becomes that of another.

use std::fmt::Write;
use std::sync::Arc;

use llac::{MemoryWorkspace, Session, Workspace, json};

use crate::check::{Shared, failure, run};

fn ran(files: &Arc<MemoryWorkspace>, lines: &[String]) -> String {
    let mut session = Session::new(Box::new(Shared(Arc::clone(files))));
    let mut answer = String::new();
    for line in lines {
        let outcome = session.run(line).map_err(|error| error.render(line));
        assert!(outcome.is_ok(), "{:?}", outcome.err());
        answer = json::outcome(&outcome.unwrap()).to_string();
    }
    answer
}

/// Condenses parts and then these, and returns the bytes.
fn condensed(files: &Arc<MemoryWorkspace>, parts: &[[&str; 2]]) -> Vec<u8> {
    let mut lines: Vec<String> =
        parts.iter().map(|[of, part]| format!("condense {of} into {part}.parquet")).collect();
    let names: Vec<String> = parts.iter().map(|[_, part]| format!("{part}.parquet")).collect();
    lines.push(format!("condense {} into all.parquet", names.join(" ")));
    ran(files, &lines);
    files.read("all.parquet").unwrap()
}

/// Twenty measurements at each of four sizes, each `slope` times the size.
fn rows(before: &str, between: &str, slope: f64) -> String {
    let mut rows = String::new();
    for _ in 0..20 {
        for size in [1000, 2000, 4000, 8000] {
            writeln!(rows, "{before}{size}{between}{:.9}", slope * f64::from(size)).unwrap();
        }
    }
    rows
}

#[test]
fn a_formula_of_one_run_is_not_that_of_others() {
    let trace = |run: u32, formula: &str| {
        format!(
            "# call-trace 1\n# program: p\n# date: 2026-11-0{run}T09:30:00Z\n# processors: 1\n# run: x{run}\n# reports: 1\n# experiment: f\n\
             # formula: {formula}\n# variables: N\nexperiment processor P N time_s\n{}# end rows=80\n",
            rows("f 0 1 ", " ", 1e-6 * f64::from(run))
        )
    };
    let files = Arc::new(MemoryWorkspace::with([
        ("1.dat".to_owned(), trace(1, "f[0] + f[1]*(N/P)")),
        ("2.dat".to_owned(), trace(2, "f[0] + f[1]*N/P")),
        ("t.csv".to_owned(), format!("experiment,N,time_s\n{}", rows("f,", ",", 3e-6))),
    ]));
    let whole = condensed(&files, &[["1.dat 2.dat t.csv", "a"]]);
    for parts in [
        &[["1.dat t.csv", "a"], ["2.dat", "b"]][..],
        &[["1.dat", "a"], ["2.dat t.csv", "b"]],
        &[["2.dat t.csv", "a"], ["1.dat", "b"]],
        &[["1.dat 2.dat", "a"], ["t.csv", "b"]],
    ] {
        assert!(condensed(&files, parts) == whole, "{parts:?}");
    }
}

#[test]
fn an_error_stands_at_the_file_that_does_not_fit() {
    let table = |variable: &str| format!("experiment,{variable},time_s\nf,1,1\nf,2,2\n");
    let files = ["a.csv", "b.csv"].map(str::to_owned).into_iter().zip([table("N"), table("M")]);
    let files = Arc::new(MemoryWorkspace::with(files));
    let line = "condense a.csv b.csv into c.parquet";
    let error = Session::new(Box::new(Shared(files))).run(line).err().map(|error| error.render(line));
    let told = error.unwrap_or_default();
    let caret = told.lines().find_map(|line| line.find('^').map(|at| (line.len(), at)));
    let place = told.lines().find_map(|shown| shown.find(line).map(|start| start + "condense a.csv ".len()));
    assert_eq!(caret.map(|(_, at)| at), place, "{told}");
}

#[test]
fn two_kernels_stay_two_however_they_are_put_together() {
    let table = |kernel: &str, slope: f64| {
        format!("experiment,N,time_s\n{}", rows(&format!("\"{kernel}\","), ",", slope))
    };
    for (one, other, names) in [
        ("f(int)", "f<int>", ["f_int", "f_int_c38d"]),
        ("scale(float)", "scale(float*)", ["scale_float", "scale_float_ptr"]),
    ] {
        let files = Arc::new(MemoryWorkspace::with([
            ("a.csv".to_owned(), table(one, 1e-6)),
            ("b.csv".to_owned(), table(other, 3e-6)),
        ]));
        let constants = |loads: &[&str]| {
            names.map(|name| {
                let mut lines: Vec<String> = loads.iter().map(|load| (*load).to_owned()).collect();
                lines.extend([format!("formula {name} = c[0]*N"), format!("aleph {name}[0]")]);
                let text = ran(&files, &lines);
                let value = text.split("\"value_s\":").nth(1).unwrap().split([',', '}']).next().unwrap();
                (value.parse::<f64>().unwrap() * 1e6).round()
            })
        };
        let whole = condensed(&files, &[["a.csv b.csv", "x"]]);
        for parts in [&[["a.csv", "x"], ["b.csv", "y"]], &[["b.csv", "x"], ["a.csv", "y"]]] {
            assert!(condensed(&files, parts) == whole, "{parts:?}");
            assert_eq!(constants(&["load all.parquet"]), [1.0, 3.0]);
        }
        assert_eq!(constants(&["load y.parquet x.parquet"]), [1.0, 3.0]);
        assert_eq!(constants(&["load a.csv", "load x.parquet"]), [1.0, 3.0]);
        // With a formula, too.
        let name = names[0];
        let export = |file: &str, of: &str| {
            let formula = format!("formula {name} = c[0] + c[1]*N");
            ran(&files, &[format!("load {of}"), formula, format!("export {name} {file}")]);
        };
        export("one.parquet", "a.csv");
        export("other.parquet", "b.csv");
        assert_eq!(constants(&["load one.parquet other.parquet"]), [1.0, 3.0]);
    }
}

/// A model and an entry of an archive know how the name of their kernel was written.
#[test]
fn a_kernel_that_is_called_alike_is_no_new_run_and_no_history() {
    let table = |kernel: &str, slope: f64| {
        format!("experiment,N,time_s\n{}", rows(&format!("\"{kernel}\","), ",", slope))
    };
    let files = Arc::new(MemoryWorkspace::with([
        ("a.csv".to_owned(), table("f(int)", 1e-6)),
        ("again.csv".to_owned(), table("f(int)", 1.001e-6)),
        ("b.csv".to_owned(), table("f<int>", 3e-6)),
    ]));
    let session = || Session::new(Box::new(Shared(Arc::clone(&files))));
    for (file, date) in [("a", "2026-09-10"), ("b", "2026-10-10")] {
        let mut session = session();
        run(&mut session, &format!("load {file}.csv"));
        run(&mut session, "formula f_int = a[0]*N");
        run(&mut session, &format!("save model f_int into {file}.json"));
        run(&mut session, &format!("archive add f_int into h machine=ci date={date}"));
    }
    let shown = run(&mut session(), "history f_int in h").to_plain_text();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("is of `f(int)`, and the newest entry of `f_int` of `f<int>`"), "{shown}");
    assert!(shown.contains("f_int: 1 entry"), "{shown}");
    failure(&mut session(), "check a.json b.csv", "unknown-experiment");
    failure(&mut session(), "check b.json a.csv", "unknown-experiment");
    run(&mut session(), "check a.json again.csv");
    run(&mut session(), "check b.json b.csv");
}
