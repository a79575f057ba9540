//! What is written is read back as the same numbers.

use call_exchange::{
    ColumnarSamples, FileFormat, Note, ReadOptions, SampledRun, WriteError, is_own_table, read, write_csv,
    write_extra_p_json_lines, write_extra_p_text, write_json_lines, write_open_metrics, write_parquet,
};
use call_trace::{Completeness, Experiment, Header, Samples, Unit};
use proptest::prelude::*;

fn named(name: &str, samples: &Samples) -> Experiment {
    Experiment { name: name.to_owned(), samples: samples.clone(), ..Experiment::default() }
}

fn samples() -> Samples {
    Samples {
        names: vec!["P".into(), "N".into(), "m->rows".into()],
        columns: vec![vec![1.0, 2.0, 2.0], vec![8.0, 1e300, 8.0], vec![-0.5, 0.1, 0.1]],
        processor: vec![0, 0, 1],
        run: vec![0; 3],
        time_s: vec![0.1, 2.5e-9, 3.0],
        ..Samples::default()
    }
}

#[test]
fn tables_have_units_in_their_headers() {
    let counted = Samples {
        count: vec![1, 2, 3],
        counter_names: vec!["PAPI_L1_DCM".into()],
        counters: vec![vec![7.0, f64::NAN, 9.0]],
        ..samples()
    };
    let other = Samples {
        names: vec!["P".into()],
        columns: vec![vec![4.0]],
        processor: vec![0],
        run: vec![0],
        time_s: vec![1.0],
        ..Samples::default()
    };
    assert_eq!(
        write_csv(&[&named("f", &counted), &named("g", &other)]),
        "experiment,processor,P,N,m->rows,time_s,count_of_time_s,counter:PAPI_L1_DCM\n\
         f,0,1,8,-0.5,0.1,1,7\nf,0,2,1e300,0.1,2.5e-9,2,NaN\nf,1,2,8,0.1,3,3,9\ng,0,4,,,1,1,\n"
    );
    assert_eq!(
        write_json_lines(&[&named("f", &counted)]).lines().nth(1).unwrap(),
        "{\"experiment\": \"f\", \"processor\": 0, \"P\": 2, \"N\": 1e300, \"m->rows\": 0.1, \"time_s\": 2.5e-9, \
         \"count_of_time_s\": 2, \"counter:PAPI_L1_DCM\": null}"
    );
}

#[test]
fn units_are_written_and_read_back() {
    let bytes = Experiment { unit: Unit::Other("bytes".to_owned()), ..named("g", &samples()) };
    let f = named("f", &samples());
    let csv = write_csv(&[&f, &bytes]);
    assert!(csv.starts_with("experiment,processor,P,N,m->rows,value,unit\nf,0,1,8,-0.5,0.1,s\n"), "{csv}");
    assert!(csv.ends_with("g,1,2,8,0.1,3,bytes\n"), "{csv}");
    let json = write_json_lines(&[&f, &bytes]);
    assert!(json.contains("\"m->rows\": -0.5, \"value\": 0.1, \"unit\": \"bytes\"}"), "{json}");
    let known = |text: &str| read("x", text.as_bytes(), &ReadOptions::default()).unwrap().trace.experiments;
    assert_eq!((known(&csv), known(&json)), (vec![f.clone(), bytes.clone()], vec![f, bytes.clone()]));
    assert_eq!(known(&write_csv(&[&bytes]))[0], bytes);

    let text = write_extra_p_text(&[&bytes]).unwrap();
    assert!(text.contains("\nMETRIC bytes\n"), "{text}");
    assert_eq!(known(&text)[0].unit, bytes.unit);
    let text = write_extra_p_json_lines(&[&bytes]).unwrap();
    assert!(text.contains("\"metric\": \"bytes\""), "{text}");
    assert_eq!(known(&text)[0].unit, bytes.unit);
}

/// An error with its cure.
fn told(error: &WriteError) -> String {
    format!("{error}: {}", error.cure().unwrap())
}

#[test]
fn extra_p_gets_points_with_their_repetitions() {
    let mut same = samples();
    same.columns = vec![vec![1.0; 3], vec![8.0, 16.0, 8.0], vec![2.0; 3]];
    assert_eq!(
        write_extra_p_text(&[&named("f", &same)]).unwrap(),
        "PARAMETER N\nPARAMETER m->rows\nPOINTS (8 2) (16 2)\nREGION f\nMETRIC time\nDATA 0.1 3\nDATA 2.5e-9\n"
    );
    assert_eq!(
        write_extra_p_json_lines(&[&named("f", &samples())]).unwrap().lines().next().unwrap(),
        "{\"params\": {\"P\": 1, \"N\": 8, \"m->rows\": -0.5}, \"callpath\": \"f\", \"metric\": \"time\", \"value\": 0.1}"
    );
    let none = Samples {
        names: vec!["P".into()],
        columns: vec![vec![1.0]],
        processor: vec![0],
        run: vec![0],
        time_s: vec![1.0],
        ..Samples::default()
    };
    assert_eq!(
        told(&write_extra_p_text(&[&named("f", &none)]).unwrap_err()),
        "Extra-P wants at least one parameter, and nothing varies in experiment `f`: measure at other points"
    );
    let mut other = samples();
    other.names = vec!["P".into(), "M".into(), "m->rows".into()];
    for write in [write_extra_p_text, write_extra_p_json_lines] {
        assert_eq!(
            told(&write(&[&named("f", &samples()), &named("g", &other)]).unwrap_err()),
            "experiment `f` has no `M`, which others have: write a file for those of the same variables"
        );
    }
    let empty = samples().select(|_| false);
    assert_eq!(
        told(&write_extra_p_json_lines(&[&named("f", &empty)]).unwrap_err()),
        "experiment `f` has no samples that can be written: values must be finite"
    );
    let many = Samples {
        names: ["P", "a", "b", "c", "d", "e"].map(str::to_owned).to_vec(),
        columns: vec![vec![2.0]; 6],
        ..none
    };
    assert_eq!(
        told(&write_extra_p_text(&[&named("f", &many)]).unwrap_err()),
        "Extra-P reads text with at most 4 parameters, and experiment `f` has `P`, `a`, `b`, `c`, `d`, `e`: write JSON lines"
    );
}

fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![any::<f64>().prop_filter("finite", |value| value.is_finite()), (0..100).prop_map(f64::from)]
}

prop_compose! {
    fn any_samples()(rows in prop::collection::vec((0..4_u32, finite(), finite(), finite(), 1..9_u64, finite()), 1..20)) -> Samples {
        Samples {
            names: vec!["P".into(), "N".into(), "size[i]".into()],
            columns: vec![
                rows.iter().map(|row| row.1).collect(),
                rows.iter().map(|row| row.2).collect(),
                rows.iter().map(|row| row.2 / 3.0).collect(),
            ],
            processor: rows.iter().map(|row| row.0).collect(),
            run: vec![0; rows.len()],
            time_s: rows.iter().map(|row| row.3.abs()).collect(),
            count: rows.iter().map(|row| row.4).collect(),
            counter_names: vec!["page-faults".into()],
            counters: vec![rows.iter().map(|row| row.5).collect()],
        }
    }
}

/// Exactly, with the sign of zero.
fn bits(columns: &[Vec<f64>]) -> Vec<Vec<u64>> {
    columns.iter().map(|column| column.iter().map(|value| value.to_bits()).collect()).collect()
}

/// Points with their times, in any order of the points.
fn points(samples: &Samples) -> Vec<(Vec<u64>, Vec<u64>)> {
    let mut points: Vec<(Vec<u64>, Vec<u64>)> = Vec::new();
    for row in 0..samples.len() {
        let point: Vec<u64> = samples.columns.iter().map(|column| column[row].to_bits()).collect();
        let time = samples.time_s[row].to_bits();
        match points.iter_mut().find(|(known, _)| *known == point) {
            Some((_, times)) => times.push(time),
            None => points.push((point, vec![time])),
        }
    }
    points
}

proptest! {
    #[test]
    fn csv_and_json_lines_are_read_back(f in any_samples(), g in any_samples()) {
        for text in [write_csv(&[&named("f", &f), &named("g", &g)]), write_json_lines(&[&named("f", &f), &named("g", &g)])] {
            let imported = read("x", text.as_bytes(), &ReadOptions::default()).unwrap();
            let experiments = &imported.trace.experiments;
            prop_assert_eq!(experiments.len(), 2);
            for (its, written) in experiments.iter().zip([&f, &g]) {
                prop_assert_eq!(&its.samples, written);
                prop_assert_eq!(bits(&its.samples.columns), bits(&written.columns));
                prop_assert_eq!(bits(&its.samples.counters), bits(&written.counters));
            }
        }
    }

    #[test]
    fn extra_p_is_read_back(f in any_samples()) {
        let text = write_extra_p_text(&[&named("main/f", &f)]).unwrap();
        let imported = read("x", text.as_bytes(), &ReadOptions::default()).unwrap();
        prop_assert_eq!(&imported.trace.experiments[0].name, "main/f");
        prop_assert!(text.contains("main->f"));
        prop_assert_eq!(points(&imported.trace.experiments[0].samples), points(&f));

        let text = write_extra_p_json_lines(&[&named("f", &f), &named("g", &f)]).unwrap();
        let imported = read("x", text.as_bytes(), &ReadOptions::default()).unwrap();
        for its in &imported.trace.experiments {
            prop_assert_eq!(bits(&its.samples.columns), bits(&f.columns));
            prop_assert_eq!(bits(std::slice::from_ref(&its.samples.time_s)), bits(std::slice::from_ref(&f.time_s)));
        }
    }
}

/// Two runs, one of which is summed up, with variables that are called as columns of ours, and counters.
fn of_two_runs() -> Vec<Experiment> {
    let repeated = Samples {
        names: vec!["P".into(), "run".into(), "sum".into()],
        columns: vec![vec![1.0; 42], vec![8.0; 42], (0..42).map(|row| f64::from(row % 2)).collect()],
        processor: vec![0; 42],
        run: (0..42).map(|row| u32::from(row >= 40)).collect(),
        time_s: (0..42).map(|row| 0.1 + 1e-9 * f64::from(row)).collect(),
        counter_names: vec!["cycles".into()],
        counters: vec![(0..42).map(f64::from).collect()],
        ..Samples::default()
    };
    let f = Experiment { formula: Some("f[0] + f[1]*run".into()), ..named("f", &repeated) }.summed_up();
    assert_eq!(
        (f.summaries.points.count.as_slice(), f.summaries.points.run.as_slice()),
        (&[20, 20][..], &[0, 0][..])
    );
    let g = Experiment {
        unit: Unit::Other("bytes".to_owned()),
        ..named("g", &Samples { count: vec![1, 2, 3], ..samples() })
    };
    vec![f, g]
}

#[test]
fn parquet_gives_samples_summaries_and_runs_back() {
    let experiments = of_two_runs();
    let run = |files: &[&str], program: &str| SampledRun {
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        header: Header { program: program.to_owned(), empty_pair_ns: Some(0.1), ..Header::default() },
        completeness: Completeness::Cut { rows: 3, announced: Some(4) },
        ..SampledRun::default()
    };
    let runs = vec![run(&["a.dat"], "p"), run(&["b.dat", "c.dat"], "q")];
    let bytes = write_parquet(&experiments.iter().collect::<Vec<_>>(), &[], &runs).unwrap();
    let found = ColumnarSamples::read(&bytes).unwrap();
    assert_eq!(found.runs, runs);
    assert!(is_own_table(&bytes) && !is_own_table(&bytes[..40]));
    let traces = found.clone().into_traces();
    let files: Vec<_> = traces.iter().map(|(files, trace)| (files.join(" "), &trace.header)).collect();
    assert_eq!(files, [("a.dat".to_owned(), &runs[0].header), ("b.dat c.dat".to_owned(), &runs[1].header)]);
    let f: Vec<_> = traces.iter().map(|(_, trace)| &trace.experiments[0]).collect();
    assert_eq!(f[0].summaries.sum_s, experiments[0].summaries.sum_s);
    assert_eq!((f[1].samples.len(), f[1].summaries.len(), &f[1].samples.run), (2, 0, &vec![0, 0]));
    // NaN are counters that are not known.
    assert_eq!(format!("{:?}", found.experiments), format!("{experiments:?}"));
    let imported = read("x.parquet", &bytes, &ReadOptions::default()).unwrap();
    assert_eq!((imported.format, imported.notes), (FileFormat::Parquet, vec![Note::Runs { count: 2 }]));
    assert_eq!(imported.trace.experiments[0].summaries.sum_s, experiments[0].summaries.sum_s);
    assert_eq!(imported.trace.experiments[1].unit, experiments[1].unit);
}

#[test]
fn damaged_parquet_is_refused_or_read_and_nothing_else() {
    let experiments = of_two_runs();
    let bytes = write_parquet(
        &experiments.iter().collect::<Vec<_>>(),
        &[],
        &[SampledRun::default(), SampledRun::default()],
    )
    .unwrap();
    for cut in [0, 1, 4, 8, bytes.len() / 2, bytes.len() - 1] {
        assert!(read("x.parquet", &bytes[..cut], &ReadOptions::default()).is_err(), "{cut}");
    }
    let places: Vec<usize> = (0..bytes.len()).step_by(11).collect();
    let refused = places.iter().filter(|place| {
        let mut damaged = bytes.clone();
        damaged[**place] ^= 0x11;
        read("x.parquet", &damaged, &ReadOptions::default()).is_err()
    });
    assert!(refused.count() > places.len() / 4);
}

#[test]
fn open_metrics_have_number_and_sum_of_each_point() {
    let experiments = of_two_runs();
    let text = write_open_metrics(&experiments.iter().collect::<Vec<_>>());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(&lines[..2], ["# TYPE call_time_seconds summary", "# UNIT call_time_seconds seconds"]);
    // 42 measurements at two points, of which 40 are summed up and 2 are of another run.
    let at = r#"{experiment="f",P="1",run="8",sum="0"}"#;
    assert!(lines.contains(&format!("call_time_seconds_count{at} 21").as_str()), "{text}");
    let sum =
        lines.iter().find_map(|line| line.strip_prefix(&format!("call_time_seconds_sum{at} "))).unwrap();
    let expected: f64 = (0..42).step_by(2).map(|row| 0.1 + 1e-9 * f64::from(row)).sum();
    assert!((sum.parse::<f64>().unwrap() - expected).abs() < 1e-12, "{sum}");
    assert!(text.contains("# TYPE call_value summary\n") && text.contains(r#",unit="bytes"} "#), "{text}");
    assert_eq!(lines.last(), Some(&"# EOF"));
    // Each series once.
    let mut series: Vec<&str> =
        lines.iter().filter_map(|line| line.rsplit_once(' ')).map(|(its, _)| its).collect();
    series.retain(|its| !its.starts_with('#'));
    let count = series.len();
    series.sort_unstable();
    series.dedup();
    assert_eq!(series.len(), count);
}

#[test]
fn parquet_calls_no_time_so() {
    let bytes = Experiment { unit: Unit::Other("bytes".to_owned()), ..named("g", &samples()) };
    let of_values = Experiment {
        samples: Samples { names: vec!["P".into(), "value".into(), "time_s".into()], ..samples() },
        ..bytes.clone()
    };
    for experiments in [vec![&bytes], vec![&of_values]] {
        let file = write_parquet(&experiments, &[], &[SampledRun::default()]).unwrap();
        let text = String::from_utf8_lossy(&file).into_owned();
        assert!(text.contains("\u{5}value") && !text.contains("\u{6}time_s"), "{text}");
        let found = ColumnarSamples::read(&file).unwrap().experiments;
        assert_eq!(found[0].samples.names, experiments[0].samples.names);
        assert_eq!(found[0].samples.columns, experiments[0].samples.columns);
        assert_eq!(found[0].samples.time_s, experiments[0].samples.time_s);
    }
}

#[test]
fn parquet_of_before_is_read() {
    let found = ColumnarSamples::read(&crate::common::file("energy_before.parquet")).unwrap().experiments;
    assert_eq!((found[0].unit.symbol(), found[0].samples.names.join(" ").as_str()), ("J", "P N value"));
    assert_eq!(found[0].samples.time_s, [9.0, 17.0, 33.0]);
    assert_eq!(found[0].samples.column("value"), Some(&[1.0, 3.0, 2.0][..]));
}

#[test]
fn extra_p_gets_several_experiments_as_regions() {
    let mut same = samples();
    same.columns = vec![vec![1.0; 3], vec![8.0, 16.0, 8.0], vec![2.0; 3]];
    let (f, g) = (named("main/f", &same), named("main/g", &same));
    let text = write_extra_p_text(&[&f, &g]).unwrap();
    assert_eq!(text.matches("REGION main->").count(), 2, "{text}");
    let known = read("x.txt", text.as_bytes(), &ReadOptions::default()).unwrap().trace.experiments;
    let names: Vec<&str> = known.iter().map(|its| its.name.as_str()).collect();
    assert_eq!((names, &known[1].samples.time_s), (vec!["main/f", "main/g"], &vec![0.1, 3.0, 2.5e-9]));
    let other = named("h", &same.select(|row| row != 1));
    for pair in [[&f, &other], [&other, &f]] {
        let error = write_extra_p_text(&pair).unwrap_err();
        assert!(error.to_string().contains("was measured at other points"), "{error}");
    }
}
