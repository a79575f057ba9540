//! What the names and values of columns say of them.

use call_exchange::{Imported, ReadOptions, read};

fn table(text: &str) -> Imported {
    table_with(text, &ReadOptions::default())
}

fn table_with(text: &str, options: &ReadOptions) -> Imported {
    read("t.csv", text.as_bytes(), options).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Names and responses of the experiments.
fn responses(imported: &Imported) -> Vec<(&str, &[f64])> {
    let experiments = imported.trace.experiments.iter();
    experiments.map(|its| (its.name.as_str(), its.samples.time_s.as_slice())).collect()
}

fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn short_words_are_units() {
    for (heading, seconds) in [
        ("time_h", 7200.0),
        ("runtime_h", 7200.0),
        ("time/h", 7200.0),
        ("time_min", 120.0),
        ("walltime_min", 120.0),
        ("time [min]", 120.0),
        ("duration_days", 172_800.0),
        ("time_m", 2.0),
    ] {
        let imported = table(&format!("P,{heading}\n1,2\n"));
        assert_eq!(responses(&imported), [("t", [seconds].as_slice())], "{heading}");
    }
    let least = table("N,time_min (s),time_max (s),time_mean (s)\n1,2,4,3\n");
    assert_eq!(responses(&least), [("t", [3.0].as_slice())]);
}

#[test]
fn core_hours_are_a_response_of_their_own_unit() {
    let imported = table("P,core-hours\n1,10\n2,10.1\n");
    assert_eq!(responses(&imported), [("t", [10.0, 10.1].as_slice())]);
    assert_eq!(imported.trace.experiments[0].unit.symbol(), "core-hours");
    assert_eq!(notes(&imported)[0], "the response is `core-hours`, in core-hours");
    let beside = table("P,core_hours,time_s\n1,10,5\n2,10.1,3\n");
    assert_eq!(responses(&beside), [("t", [5.0, 3.0].as_slice())]);
    assert_eq!(beside.trace.experiments[0].samples.names, ["P"]);
}

#[test]
fn statistics_beside_repetitions_stay_out() {
    for statistics in
        ["mean,stddev", "mean_s,sd", "time_mean,error", "median,ci", "time_min,time_max", "avg,sem"]
    {
        let text = format!("n,run1,run2,{statistics}\n10,1,3,2,9\n20,4,6,5,9\n");
        let imported = table(&text);
        assert_eq!(responses(&imported), [("t", [1.0, 3.0, 4.0, 6.0].as_slice())], "{statistics}");
        assert_eq!(imported.trace.experiments[0].samples.names, ["P", "n"]);
        let told = notes(&imported).concat();
        assert!(told.contains("statistics of the repetitions: `time=NAME` reads one of them"), "{told}");
    }
    let options = ReadOptions { response: Some("mean".to_owned()), ..ReadOptions::default() };
    let asked = table_with("n,t1,t2,t3,mean,std\n10,1,3,2,2,9\n20,4,6,5,5,9\n", &options);
    assert_eq!(responses(&asked), [("t", [2.0, 5.0].as_slice())]);
    assert_eq!(asked.trace.experiments[0].samples.names, ["P", "n"]);
    let alone = table("n,mean,stddev,ci_low\n10,2,1,1\n20,5,1,1\n");
    assert_eq!(responses(&alone), [("t", [2.0, 5.0].as_slice())]);
    assert_eq!(alone.trace.experiments[0].samples.names, ["P", "n"]);
}

#[test]
fn columns_of_processors_are_no_repetitions() {
    for header in ["n,T1,T2,T4", "n,T(1),T(2),T(4)", "N,1,2,4", "n\\cores,1,2,4", "n,p=1,p=2,p=4"] {
        let imported = table(&format!("{header}\n10,8,4,2\n20,16,8,4\n"));
        let its = &imported.trace.experiments[0].samples;
        assert_eq!(its.names.len(), 2, "{header}: {:?}", its.names);
        assert_eq!(its.names[1].to_lowercase(), "n", "{header}");
        assert_eq!(its.columns[0], [1.0, 2.0, 4.0, 1.0, 2.0, 4.0], "{header}");
        assert_eq!(its.time_s, [8.0, 4.0, 2.0, 16.0, 8.0, 4.0], "{header}");
    }
    let told = notes(&table("n,T1,T2,T4\n10,8,4,2\n"));
    assert_eq!(
        told[0],
        "the columns `T1`, `T2`, `T4` are values of `P`, each a row: call them `run 1`, `run 2` if they are repetitions, or \
         `NAME=1`, `NAME=2`"
    );
}
