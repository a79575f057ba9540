//! Columns of statistics and of exit codes, which are no variables.

use call_exchange::{Imported, LeftOutReason, Note, ReadOptions, RowReason, read};

fn table(text: &str) -> Imported {
    read("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Names of variables, and times.
fn samples(found: &Imported) -> (Vec<&str>, Vec<f64>) {
    let its = &found.trace.experiments[0].samples;
    (its.names.iter().map(String::as_str).collect(), its.time_s.clone())
}

#[test]
fn of_percentiles_the_median_is_the_time() {
    for header in
        ["N,p50,p90,p99", "N,p50 (s),p95 (s),p999 (s)", "N,p50_s,p75_s,p99_s", "N,median_s,p95_s,p99_s"]
    {
        let found = table(&format!("{header}\n100,1,2,3\n200,2,4,6\n"));
        assert_eq!(samples(&found), (vec!["P", "N"], vec![1.0, 2.0]), "{header}");
        let left_out = found.notes.iter().any(
            |note| matches!(note, Note::LeftOut { names, reason: LeftOutReason::OtherTime } if names.len() == 2),
        );
        assert!(left_out, "{header}: {:?}", found.notes);
    }
    // Numbers of processors are none.
    let found = table("N,p25,p50,p100\n100,4,2,1\n");
    assert_eq!(found.trace.experiments[0].samples.columns[0], [25.0, 50.0, 100.0]);
}

#[test]
fn what_pandas_describes_has_one_variable() {
    let found = table(
        "N,count,mean,std,min,25%,50%,75%,max\n100,7,1.1,0.1,0.5,0.9,1,1.2,2\n200,7,2.1,0.1,1.5,1.9,2,2.2,3\n",
    );
    assert_eq!(samples(&found), (vec!["P", "N"], vec![1.0, 2.0]));
    let found = table("N,time_s,q25,q75,quantile_0.9\n100,1,0.5,2,3\n");
    assert_eq!(samples(&found), (vec!["P", "N"], vec![1.0]));
}

#[test]
fn rows_of_programs_that_failed_are_left_out() {
    let found = table("N,exit_code,time_s\n100,0,1\n200,1,0.01\n300,,3\n");
    assert_eq!(samples(&found), (vec!["P", "N"], vec![1.0, 3.0]));
    assert!(
        found.notes.iter().any(|note| matches!(note, Note::Rows { count: 1, reason: RowReason::Failed, .. })),
        "{:?}",
        found.notes
    );
    let kept = ReadOptions { leave_out: vec!["exit_code".to_owned()], ..ReadOptions::default() };
    let all = read("t.csv", b"N,exit_code,time_s\n100,0,1\n200,1,0.01\n", &kept).unwrap();
    assert_eq!(samples(&all).1, [1.0, 0.01]);
}

#[test]
fn failed_runs_of_hyperfine_are_left_out() {
    let json = r#"{"results": [
        {"command": "./s 100", "times": [1, 2, 0.01], "exit_codes": [0, 0, 1], "parameters": {"n": "100"}},
        {"command": "./s 200", "times": [3, 0.02, 4], "exit_codes": [0, null, 0], "parameters": {"n": "200"}}]}"#;
    let found = read("h.json", json.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(samples(&found), (vec!["P", "n"], vec![1.0, 2.0, 3.0, 4.0]));
    assert!(
        found.notes.iter().any(|note| matches!(note, Note::Rows { count: 2, reason: RowReason::Failed, .. })),
        "{:?}",
        found.notes
    );
    let failed = json.replace("[0, 0, 1]", "[2, 2, 1]").replace("[0, null, 0]", "[1, 1, 1]");
    let error = read("h.json", failed.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("a program that failed"), "{error}");
}

#[test]
fn the_environment_before_a_program_is_variables() {
    let hyperfine = |parameters: &[&str; 2]| {
        let json = format!(
            r#"{{"results": [{{"command": "OMP_NUM_THREADS=1 ./s 100", "times": [2], "parameters": {}}},
            {{"command": "OMP_NUM_THREADS=2 ./s 100", "times": [1], "parameters": {}}}]}}"#,
            parameters[0], parameters[1]
        );
        let found = read("h.json", json.as_bytes(), &ReadOptions::default()).unwrap();
        let experiment = &found.trace.experiments[0];
        assert_eq!((experiment.name.as_str(), found.trace.experiments.len()), ("s", 1));
        let names: Vec<String> = experiment.samples.names.clone();
        (names, experiment.samples.columns[1].clone())
    };
    let (names, threads) = hyperfine(&["{}", "{}"]);
    assert_eq!((names.join(" ").as_str(), threads), ("P OMP_NUM_THREADS", vec![1.0, 2.0]));
    let (names, threads) = hyperfine(&[r#"{"t": "1"}"#, r#"{"t": "2"}"#]);
    assert_eq!((names.join(" ").as_str(), threads), ("P t", vec![1.0, 2.0]));
}
