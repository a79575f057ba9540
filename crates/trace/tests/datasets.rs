//! Traces of several runs become one set of samples.

use call_trace::{
    Completeness, Dataset, Experiment, FormulaChange, Header, MergeError, Run, Samples, Trace, Unit,
};

fn experiment(name: &str, formula: Option<&str>, names: &[&str], rows: &[&[f64]]) -> Experiment {
    let names: Vec<String> = std::iter::once("P").chain(names.iter().copied()).map(str::to_owned).collect();
    let columns = (0..names.len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
    Experiment {
        name: name.to_owned(),
        formula: formula.map(str::to_owned),
        lines: Vec::new(),
        samples: Samples {
            columns,
            names,
            processor: vec![0; rows.len()],
            run: vec![0; rows.len()],
            time_s: rows.iter().map(|row| row[row.len() - 1]).collect(),
            ..Samples::default()
        },
        ..Experiment::default()
    }
}

fn trace(experiments: Vec<Experiment>) -> Trace {
    Trace { experiments, ..Trace::default() }
}

/// An error with its cure.
fn told(error: &MergeError) -> String {
    format!("{error}: {}", error.cure().unwrap())
}

#[test]
fn samples_of_an_experiment_are_appended_by_name() {
    let mut dataset = Dataset::new();
    let first = experiment("f", None, &["N", "M"], &[&[1.0, 8.0, 9.0, 0.5]]);
    let second = experiment("f", Some("f[0]*N"), &["M", "N"], &[&[2.0, 30.0, 20.0, 0.25]]);
    let other = experiment("g", None, &[], &[&[2.0, 0.125]]);
    dataset.add("a.dat", trace(vec![first])).unwrap();
    dataset.add("b.dat", trace(vec![second, other])).unwrap();

    let labels: Vec<&str> = dataset.runs.iter().map(Run::label).collect();
    assert_eq!(labels, ["a.dat", "b.dat"]);
    let f = &dataset.experiments[0];
    assert_eq!(f.formula.as_deref(), Some("f[0]*N"));
    assert_eq!(f.samples.names, ["P", "N", "M"]);
    assert_eq!(f.samples.columns, [[1.0, 2.0], [8.0, 20.0], [9.0, 30.0]]);
    assert_eq!((&f.samples.run, &f.samples.time_s), (&vec![0, 1], &vec![0.5, 0.25]));
    assert_eq!(dataset.experiments[1].samples.run, [1]);
}

#[test]
fn another_formula_is_refused_and_nothing_added() {
    let mut dataset = Dataset::new();
    dataset.add("a.dat", trace(vec![experiment("f", None, &["N"], &[])])).unwrap();
    dataset.add("b.dat", trace(vec![experiment("f", Some("f[0]"), &["N"], &[])])).unwrap();
    let new = experiment("g", None, &[], &[]);
    let wrong = experiment("f", Some("f[0]*N"), &["N"], &[&[1.0, 1.0, 1.0]]);
    let error = dataset.add("c.dat", trace(vec![new, wrong])).unwrap_err();
    assert_eq!(
        told(&error),
        "experiment `f` has the formula `f[0]` in b.dat, but `f[0]*N` in c.dat: load them one at a time, or translate \
         both programs from the same source"
    );
    assert_eq!((dataset.runs.len(), dataset.experiments.len()), (2, 1));
    assert!(dataset.experiments[0].samples.is_empty());
}

#[test]
fn the_formula_of_the_newest_run_counts() {
    let of = |date: &str, formula: &str| {
        let header = Header { date: date.to_owned(), ..Header::default() };
        Trace { header, ..trace(vec![experiment("f", Some(formula), &["N"], &[&[1.0, 8.0, 0.5]])]) }
    };
    let mut dataset = Dataset::new();
    let mut add = |file: &str, date: &str, formula: &str| {
        dataset.add(file, of(date, formula)).map_err(|error| error.to_string())
    };
    assert_eq!(add("b.dat", "2026-02-01T00:00:00Z", "f[0]*N").unwrap(), []);
    let change = |older: &str, older_file: &str, newer: &str, newer_file: &str| FormulaChange {
        experiment: "f".to_owned(),
        newer: newer.to_owned(),
        newer_file: newer_file.to_owned(),
        older: older.to_owned(),
        older_file: older_file.to_owned(),
    };
    let older = add("a.dat", "2026-01-01T00:00:00Z", "f[0]").unwrap();
    assert_eq!(older, [change("f[0]", "a.dat", "f[0]*N", "b.dat")]);
    let newer = add("c.dat", "2026-03-01T00:00:00Z", "f[0] + f[1]*N").unwrap();
    assert_eq!(newer, [change("f[0]*N", "b.dat", "f[0] + f[1]*N", "c.dat")]);
    assert!(add("d.dat", "", "f[0]").is_err(), "nobody knows which is newer");
    let mut other = of("2026-04-01T00:00:00Z", "f[0]");
    "other".clone_into(&mut other.header.program);
    assert!(dataset.add("e.dat", other).is_err(), "it is another program");
    assert_eq!(dataset.experiments[0].formula.as_deref(), Some("f[0] + f[1]*N"));
    assert_eq!(dataset.experiments[0].samples.len(), 3);
}

#[test]
fn other_variables_are_refused() {
    let mut dataset = Dataset::new();
    dataset.add("a.dat", trace(vec![experiment("f", None, &["N", "M"], &[])])).unwrap();
    let error = dataset.add("b.dat", trace(vec![experiment("f", None, &[], &[])])).unwrap_err();
    assert_eq!(
        told(&error),
        "experiment `f` has the variables `N`, `M` in a.dat, but none in b.dat: load them one at a time, or translate \
         both programs from the same source"
    );
}

#[test]
fn another_unit_is_refused_unless_there_is_nothing_in_it() {
    let in_unit = |unit: Unit, rows: &[&[f64]]| Experiment { unit, ..experiment("f", None, &[], rows) };
    let bytes = || Unit::Other("bytes".to_owned());
    let mut dataset = Dataset::new();
    dataset.add("a.csv", trace(vec![in_unit(Unit::Seconds, &[])])).unwrap();
    dataset.add("b.csv", trace(vec![in_unit(bytes(), &[&[1.0, 64.0]])])).unwrap();
    dataset.add("c.csv", trace(vec![in_unit(Unit::Seconds, &[])])).unwrap();
    let error = dataset.add("d.csv", trace(vec![in_unit(Unit::Seconds, &[&[1.0, 0.5]])])).unwrap_err();
    assert_eq!(
        told(&error),
        "experiment `f` is measured in bytes in b.csv, but in seconds in d.csv: load them one at a time, or call one of the \
         experiments otherwise"
    );
    let f = &mut dataset.experiments[0];
    assert_eq!((&f.unit, &f.samples.time_s), (&bytes(), &vec![64.0]));
    let error = f.merge(in_unit(Unit::Seconds, &[&[1.0, 0.5]])).unwrap_err();
    assert_eq!(error.to_string(), "`f` is measured in bytes, `f` in seconds");
    assert_eq!(error.cure(), Some("samples of one experiment need the same"));
}

#[test]
fn times_of_another_clock_are_refused() {
    let mut processor = experiment("f", None, &[], &[&[1.0, 0.25]]);
    processor.observable = Some("task-clock".to_owned());
    let wall = || experiment("f", None, &[], &[&[1.0, 0.5]]);
    let mut dataset = Dataset::new();
    dataset.add("a.dat", trace(vec![wall()])).unwrap();
    let error = dataset.add("b.dat", trace(vec![processor.clone()])).unwrap_err();
    assert_eq!(error.code(), "units-differ");
    assert!(
        error
            .to_string()
            .ends_with("is measured in seconds in a.dat, but in seconds of `task-clock` in b.dat"),
        "{error}"
    );
    assert_eq!(dataset.experiments, [wall()], "nothing was added");
    let error = wall().merge(processor.clone()).unwrap_err();
    assert_eq!(error.to_string(), "`f` is measured in seconds, `f` in seconds of `task-clock`");
    // Where nothing was measured before, what comes says it.
    let mut none = experiment("f", None, &[], &[]);
    none.merge(processor).unwrap();
    assert_eq!(none.observable.as_deref(), Some("task-clock"));
}

/// A trace of f, and of g, as the run `17` has them.
fn of_run(experiments: &[(&str, f64)], reports: u64, completeness: Completeness) -> Trace {
    let header = Header { program: "fft".to_owned(), run: "17".to_owned(), reports, ..Header::default() };
    let experiments =
        experiments.iter().map(|(name, time_s)| experiment(name, None, &[], &[&[1.0, *time_s]]));
    Trace { header, completeness, ..trace(experiments.collect()) }
}

fn unfinished(rows: u64) -> Completeness {
    Completeness::Unfinished { run: "17".to_owned(), rows }
}

#[test]
fn what_a_report_has_is_left_out_of_the_files_of_before() {
    let mut dataset = Dataset::new();
    let complete = Completeness::Complete;
    dataset.add("fft.call.0.dat", of_run(&[("f", 0.5)], 1, complete.clone())).unwrap();
    dataset.add("before.dat", of_run(&[("f", 0.5), ("g", 0.25)], 0, unfinished(2))).unwrap();
    dataset.add("since.dat", of_run(&[("f", 0.75)], 1, unfinished(1))).unwrap();
    let times: Vec<_> = dataset.experiments.iter().map(|its| its.samples.time_s.clone()).collect();
    assert_eq!(times, [vec![0.5, 0.75], vec![0.25]]);
    assert_eq!(dataset.runs[1].completeness, unfinished(2));
    // A part of the processors, or a report that was cut, decides nothing.
    for (reports, completeness) in
        [(0, complete.clone()), (1, Completeness::Cut { rows: 1, announced: None })]
    {
        let mut dataset = Dataset::new();
        dataset.add("fft.call.0.dat", of_run(&[("f", 0.5)], reports, completeness)).unwrap();
        dataset.add("before.dat", of_run(&[("f", 0.5)], 0, unfinished(1))).unwrap();
        assert_eq!(dataset.experiments[0].samples.len(), 2);
    }
    let mut dataset = Dataset::new();
    dataset.add("before.dat", of_run(&[("f", 0.5)], 0, unfinished(1))).unwrap();
    let error = dataset.add("fft.call.0.dat", of_run(&[("f", 0.5)], 1, complete)).unwrap_err();
    assert_eq!(
        told(&error),
        "fft.call.0.dat reports measurements of `f` that are loaded from before.dat: load the report first, and what it has is \
         left out of the other files of its run"
    );
}

#[test]
fn files_of_an_unfinished_run_are_one_run() {
    let unfinished = |program: &str, word: &str, processors: u32, time_s: f64| Trace {
        header: Header { program: program.to_owned(), processors, abandoned: 1, ..Header::default() },
        completeness: Completeness::Unfinished { run: word.to_owned(), rows: 1 },
        experiments: vec![experiment("f", None, &[], &[&[2.0, time_s]])],
        ..Trace::default()
    };
    let mut dataset = Dataset::new();
    dataset.add("a.dat", unfinished("fft", "17", 1, 0.5)).unwrap();
    dataset.add("b.dat", trace(vec![experiment("f", None, &[], &[&[2.0, 0.25]])])).unwrap();
    dataset.add("c.dat", unfinished("fft", "17", 2, 0.75)).unwrap();
    dataset.add("d.dat", unfinished("fft", "18", 1, 1.0)).unwrap();
    dataset.add("e.dat", unfinished("sort", "17", 1, 2.0)).unwrap();

    let files: Vec<String> = dataset.runs.iter().map(|run| run.files.join(" ")).collect();
    assert_eq!(files, ["a.dat c.dat", "b.dat", "d.dat", "e.dat"]);
    let run = &dataset.runs[0];
    assert_eq!((run.header.processors, run.header.abandoned), (2, 2));
    assert_eq!(run.completeness, Completeness::Unfinished { run: "17".to_owned(), rows: 2 });
    assert_eq!(dataset.experiments[0].samples.run, [0, 1, 0, 2, 3]);
}
