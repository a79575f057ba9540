//! What benchmarks and profilers write besides the plain case.

use call_exchange::{Imported, OriginalNames, ReadOptions, read};

pub fn with(name: &str, text: &str, options: &ReadOptions) -> Imported {
    read(name, text.as_bytes(), options).unwrap_or_else(|error| panic!("{error}"))
}

fn all() -> ReadOptions {
    ReadOptions { metrics: vec!["all".to_owned()], ..ReadOptions::default() }
}

pub fn notes(imported: &Imported) -> String {
    imported.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Names of experiments with their values.
pub fn values(imported: &Imported) -> Vec<(String, Vec<f64>)> {
    imported.trace.experiments.iter().map(|its| (its.name.clone(), its.samples.time_s.clone())).collect()
}

pub fn of(name: &str, values: &[f64]) -> (String, Vec<f64>) {
    (name.to_owned(), values.to_vec())
}

fn caliper(metrics: &[&str]) -> String {
    let columns: Vec<String> = metrics.iter().map(|metric| format!("\"{metric}\"")).collect();
    let kinds: Vec<&str> =
        metrics.iter().map(|_| "{\"is_value\": true, \"attribute.unit\": \"sec\"}").collect();
    // Inclusive values stand first.
    let rows = [[3.0, 1.0], [2.0, 2.0]]
        .map(|row| row[..metrics.len()].iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    format!(
        "{{\"data\": [[{}, 0], [{}, 1]], \"columns\": [{}, \"path\"], \"column_metadata\": [{}, {{\"is_value\": false}}], \
         \"nodes\": [{{\"label\": \"main\", \"column\": \"path\"}}, {{\"label\": \"solve\", \"parent\": 0, \"column\": \"path\"}}], \"n\": 8}}",
        rows[0],
        rows[1],
        columns.join(", "),
        kinds.join(", ")
    )
}

#[test]
fn of_caliper_the_time_of_a_call_itself_is_read() {
    let both = with(
        "c.json",
        &caliper(&["inclusive#sum#time.duration", "sum#time.duration"]),
        &ReadOptions::default(),
    );
    assert_eq!(values(&both), [of("main", &[1.0]), of("main/solve", &[2.0])]);
    assert!(!notes(&both).contains("inclusive by its name"), "{}", notes(&both));
    let only = with("c.json", &caliper(&["inclusive#sum#time.duration"]), &ReadOptions::default());
    assert_eq!(values(&only), [of("main", &[3.0]), of("main/solve", &[2.0])]);
    assert!(
        notes(&only).contains("`inclusive#sum#time.duration` are inclusive by its name"),
        "{}",
        notes(&only)
    );
}

#[test]
fn options_name_variables_that_there_are() {
    let text = caliper(&["sum#time.duration"]);
    let read_with = |without: &[&str], keep: &[&str]| {
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let options = ReadOptions { leave_out: names(without), keep: names(keep), ..ReadOptions::default() };
        read("c.json", text.as_bytes(), &options).map_err(|error| error.to_string())
    };
    assert_eq!(read_with(&["n"], &[]).unwrap().trace.experiments[0].samples.names, ["P"]);
    assert!(read_with(&[], &["n"]).is_ok());
    for told in [read_with(&["N"], &[]), read_with(&[], &["N"])] {
        assert_eq!(told.unwrap_err(), "there is no column `N`; the columns are `n`");
    }
    // What is left out anyway, as another metric, may be left out.
    let two = caliper(&["sum#time.duration", "sum#visits"]);
    let options = ReadOptions { leave_out: vec!["sum#visits".to_owned()], ..ReadOptions::default() };
    assert_eq!(values(&with("c.json", &two, &options)).len(), 2);
}

const GOOGLE: &str = "{\"benchmarks\": [\
    {\"name\": \"f/8\", \"iterations\": 3, \"real_time\": 2, \"cpu_time\": 1, \"time_unit\": \"ns\", \"bytes_per_second\": 5},\
    {\"name\": \"g/8\", \"iterations\": 3, \"real_time\": 4, \"cpu_time\": 3, \"time_unit\": \"ns\"}]}";

#[test]
fn all_metrics_of_benchmarks_are_read() {
    let google = with("g.json", GOOGLE, &all());
    assert_eq!(
        values(&google),
        [
            of("f", &[2e-9]),
            of("g", &[4e-9]),
            of("f:cpu_time", &[1e-9]),
            of("g:cpu_time", &[3e-9]),
            of("f:bytes_per_second", &[5.0])
        ]
    );
    assert!(notes(&google).contains("g/8"), "what lacks a metric is named: {}", notes(&google));
    let text = "{\"results\": [{\"command\": \"s 8\", \"mean\": 2, \"user\": 1, \"system\": null, \"times\": [1, 3], \
        \"memory_usage_byte\": [7, 9], \"parameters\": {\"n\": \"8\"}}]}";
    let hyperfine = with("h.json", text, &all());
    let expected = [of("s", &[1.0, 3.0]), of("s:user", &[1.0]), of("s:memory_usage_byte", &[7.0, 9.0])];
    assert_eq!(values(&hyperfine), expected);
    for (text, columns) in
        [(GOOGLE, "`real_time`, `cpu_time`, `bytes_per_second`"), (text, "`times`, `user`")]
    {
        let options = ReadOptions { response: Some("x".to_owned()), ..ReadOptions::default() };
        let error = read("x.json", text.as_bytes(), &options).unwrap_err().to_string();
        assert!(error.contains(columns), "{error}");
    }
}

#[test]
fn csv_of_google_benchmark_may_begin_with_its_context() {
    let text = "2026-10-10T10:00:00+00:00\nRunning ./b, twice\nRun on (2 X 2000 MHz CPU s)\nLoad Average: 0.1, 0.2, 0.3\n\
        name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message\n\
        \"f/8\",3,2,1,ns,,,,,\n";
    let found = with("g.csv", text, &ReadOptions::default());
    assert_eq!(values(&found), [of("f", &[2e-9])]);
}

#[test]
fn histograms_of_jmh_are_measurements() {
    let text = |bins: &str| {
        format!(
            "[{{\"benchmark\": \"o.S.f\", \"mode\": \"sample\", \"threads\": 1, \"params\": {{\"n\": \"8\"}}, \"primaryMetric\": \
             {{\"score\": 9, \"scoreUnit\": \"s/op\", \"rawDataHistogram\": [[{bins}]]}}}}]"
        )
    };
    let few = with("j.json", &text("[[2, 2], [1, 1]], [[3, 1]]"), &ReadOptions::default());
    assert_eq!(values(&few), [of("S_f", &[1.0, 2.0, 2.0, 3.0])]);
    let many = with("j.json", &text("[[1, 750000], [5, 250000]]"), &ReadOptions::default());
    let times = &many.trace.experiments[0].samples.time_s;
    assert_eq!((times.len(), times.iter().sum::<f64>()), (1000, 2000.0));
    assert_eq!(values(&with("j.json", &text(""), &ReadOptions::default())), [of("S_f", &[9.0])]);
}

#[test]
fn commands_that_differ_in_signs_alone_are_two() {
    let result =
        |word: &str, time_s: u32| format!("{{\"command\": \"./s {word} 8\", \"times\": [{time_s}]}}");
    let check = |first: &str, second: &str| {
        let text = format!("{{\"results\": [{}, {}]}}", result(first, 1), result(second, 2));
        values(&with("h.json", &text, &ReadOptions::default()))
    };
    assert_eq!(check("-n", "+n"), [of("s_minus_n", &[1.0]), of("s_plus_n", &[2.0])]);
    assert_eq!(check("--quick", "--merge"), [of("s_quick", &[1.0]), of("s_merge", &[2.0])]);
}

#[test]
fn metrics_keep_their_names_in_all_files() {
    let file = |metrics: [(&str, u32); 2]| {
        let columns = metrics.map(|(name, _)| name).join(",");
        let row = metrics.map(|(_, value)| value.to_string()).join(",");
        format!("N,time_s,{columns}\n1,2,{row}\n")
    };
    let first = file([("L1 misses", 3), ("L1-misses", 4)]);
    let second = file([("L1-misses", 6), ("L1 misses", 5)]);
    let read_metrics = |names: OriginalNames, text: &str| {
        let metrics = ["time_s", "L1-misses", "L1 misses"].map(str::to_owned).to_vec();
        with("t.csv", text, &ReadOptions { metrics, names, ..ReadOptions::default() })
    };
    let before = read_metrics(OriginalNames::default(), &first);
    assert_eq!(values(&before)[1..], [of("t:L1_minus_misses", &[4.0]), of("t:L1_misses", &[3.0])]);
    let after = read_metrics(before.names, &second);
    assert_eq!(values(&after)[1..], [of("t:L1_minus_misses", &[6.0]), of("t:L1_misses", &[5.0])]);
}

#[test]
fn what_two_files_write_otherwise_is_told() {
    let first = with("t.csv", "size (MB),time_s\n1,2\n2,3\n", &ReadOptions::default());
    let options = ReadOptions { names: first.names, ..ReadOptions::default() };
    let second = with("t.csv", "size_MB,time_s\n1,2\n2,3\n", &options);
    assert!(
        notes(&second).contains("`size_MB` is taken for what another file calls `size (MB)`"),
        "{}",
        notes(&second)
    );
    let again = with("t.csv", "size (MB),time_s\n1,2\n2,3\n", &options);
    assert!(!notes(&again).contains("taken for"), "{}", notes(&again));
}
