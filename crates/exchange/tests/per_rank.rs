//! Columns that say which processor measured, rows with more fields than the header, and runs in tables.

use call_exchange::{Error, Note, ReadOptions, read, write_csv, write_json_lines};
use call_trace::{Experiment, Samples};

fn import(text: &str) -> Result<call_exchange::Imported, Error> {
    read("t.csv", text.as_bytes(), &ReadOptions::default())
}

#[test]
fn ranks_of_each_point_are_processors() {
    for name in ["rank", "mpi_rank", "pe", "tid", "thread", "processor"] {
        let text = format!("N,P,{name},time_s\n10,1,0,4\n10,2,0,2\n10,2,1,3\n20,2,1,5\n20,2,0,6\n20,2,1,7\n");
        let found = import(&text).unwrap();
        let samples = &found.trace.experiments[0].samples;
        assert_eq!(
            (samples.names.join(" ").as_str(), &samples.processor),
            ("P N", &vec![0, 0, 1, 1, 0, 1]),
            "{name}"
        );
    }
    // One of two is missing at a point; there is none below P; there is no P.
    for text in [
        "N,P,rank,time_s\n10,2,0,2\n10,2,1,3\n20,2,1,5\n",
        "N,P,rank,time_s\n10,2,1,2\n10,2,2,3\n",
        "N,rank,time_s\n10,0,2\n10,1,3\n",
    ] {
        let found = import(text).unwrap();
        let samples = &found.trace.experiments[0].samples;
        assert!(samples.names.contains(&"rank".to_owned()), "{text}");
        assert!(samples.processor.iter().all(|processor| *processor == 0), "{text}");
        let hint = Note::LooksLikeProcessor { column: "rank".to_owned() };
        assert!(found.notes.contains(&hint), "{text}: {:?}", found.notes);
    }
}

#[test]
fn thousands_without_quotes_are_no_names_of_rows() {
    for text in [
        "N,time_s\n1,000,1\n2,000,2.1\n4,000,4\n",
        "N,time_s\n1,000,1\n2,000,2\n3,000,3\n",
        "N,time_s\n1,024,1\n2,048,2\n",
    ] {
        let error = import(text).unwrap_err();
        assert_eq!(error.to_string(), "line 2: expected 2 fields as in the header line, found 3", "{text}");
        assert!(error.cure().unwrap().contains("1,000"), "{text}");
    }
    let error = import("N,time_s\n0.5,100,1\n0.7,200,2\n").unwrap_err();
    assert_eq!(error.code(), "field-count");
    for text in [
        "N,time_s\n1,100,1\n2,200,2\n",
        "N,time_s\n0,1000,1\n1,2000,2\n",
        "N,time_s\na,100,1\nb,200,2\n",
        "N,time_s\n\"3\",100,1\n\"7\",200,2\n",
        "N,time_s\n1,500,1\n2,1000,2\n",
    ] {
        let found = import(text).unwrap();
        assert_eq!(found.trace.experiments[0].samples.time_s, [1.0, 2.0], "{text}");
    }
}

#[test]
fn runs_of_tables_come_back() {
    let samples = Samples {
        names: vec!["P".to_owned(), "N".to_owned()],
        columns: vec![vec![1.0; 4], vec![10.0, 20.0, 10.0, 20.0]],
        processor: vec![0; 4],
        run: vec![1, 1, 4, 4],
        time_s: vec![1.0, 2.0, 1.5, 2.5],
        ..Samples::default()
    };
    let experiment = Experiment { name: "f".to_owned(), samples, ..Experiment::default() };
    for (file, text) in [("t.csv", write_csv(&[&experiment])), ("t.jsonl", write_json_lines(&[&experiment]))]
    {
        let found = read(file, text.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(found.trace.experiments[0].samples.run, [0, 0, 1, 1], "{text}");
        let times: Vec<Vec<f64>> =
            found.into_traces().into_iter().map(|run| run.experiments[0].samples.time_s.clone()).collect();
        assert_eq!(times, [[1.0, 2.0], [1.5, 2.5]], "{text}");
    }
    let one = Experiment { samples: Samples { run: vec![3; 4], ..experiment.samples.clone() }, ..experiment };
    assert!(write_csv(&[&one]).starts_with("experiment,processor,P,N,time_s\n"));
    // Elsewhere `run` counts repetitions.
    let found = import("experiment,N,run,time_s\nf,10,0,1\nf,10,1,2\n").unwrap();
    assert_eq!((found.trace.experiments[0].samples.run.clone(), found.into_traces().len()), (vec![0, 0], 1));
}

/// Eight runs of three repetitions, each with a number of its own; the same rows with a counter of repetitions.
#[test]
fn a_column_of_runs_tells_them_apart() {
    let (mut runs, mut counted) =
        ("experiment,run,N,time_s\n".to_owned(), "experiment,run,N,time_s\n".to_owned());
    for run in 0..8 {
        for repetition in 0..3 {
            for size in [10, 20, 40] {
                let time_s = f64::from(size) * (1.0 + 0.01 * f64::from(run) + 0.001 * f64::from(repetition));
                runs.push_str(&format!("f,{},{size},{time_s}\n", 3 * run + 5));
                counted.push_str(&format!("f,{},{size},{time_s}\n", 3 * run + repetition));
            }
        }
    }
    let found = import(&runs).unwrap();
    assert_eq!(found.trace.experiments[0].samples.names, ["P", "N"]);
    assert!(
        found.notes.iter().any(|note| note.to_string() == "`run` tells 8 runs apart"),
        "{:?}",
        found.notes
    );
    assert!(!found.notes.iter().any(|note| note.to_string().contains("left out")), "{:?}", found.notes);
    let of_runs = found.into_traces();
    assert_eq!(of_runs.iter().map(|run| run.experiments[0].samples.len()).collect::<Vec<_>>(), [9; 8]);
    let found = import(&counted).unwrap();
    assert!(found.notes.iter().any(|note| note.to_string().contains("it counts repetitions")));
    assert_eq!(found.into_traces().len(), 1);
}
