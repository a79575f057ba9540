//! Sums along call paths where values are those of the calls themselves.

use call_exchange::{Error, Imported, Note, ReadOptions, read};

fn inclusive(text: &str, metrics: &[&str]) -> Result<Imported, Error> {
    let metrics = metrics.iter().map(|metric| (*metric).to_owned()).collect();
    read("t.csv", text.as_bytes(), &ReadOptions { metrics, is_inclusive: true, ..ReadOptions::default() })
}

/// Rows as `main/solve: N/processor=time …`.
fn described(imported: &Imported) -> Vec<String> {
    let described = imported.trace.experiments.iter().map(|its| {
        let samples = &its.samples;
        let rows = samples.column("N").unwrap().iter().zip(&samples.processor).zip(&samples.time_s);
        let rows: Vec<String> =
            rows.map(|((n, processor), time)| format!(" {n}/{processor}={time}")).collect();
        format!("{}:{}", its.name, rows.concat())
    });
    described.collect()
}

fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().skip(1).map(ToString::to_string).collect()
}

const TABLE: &str = "region,N,processor,time_s\n\
    main,10,0,1\nmain,10,0,2\nmain,10,1,4\nmain,20,0,8\n\
    main->solve,10,0,16\nmain->solve,10,0,32\nmain->solve,10,1,64\nmain->solve,20,0,128\n\
    main->solve->spmv,10,0,256\nmain->solve->spmv,10,0,512\nmain->solve->spmv,10,1,1024\nmain->solve->spmv,20,0,2048\n";

#[test]
fn sums_are_those_of_the_same_point_processor_and_repetition() {
    let imported = inclusive(TABLE, &[]).unwrap();
    assert_eq!(
        described(&imported),
        [
            "main: 10/0=273 10/0=546 10/1=1092 20/0=2184",
            "main/solve: 10/0=272 10/0=544 10/1=1088 20/0=2176",
            "main/solve/spmv: 10/0=256 10/0=512 10/1=1024 20/0=2048",
        ]
    );
    assert_eq!(
        notes(&imported),
        [
            "inclusive: the values of calls below are added to those of `main`, `main/solve`, which the file is taken to have without them"
        ]
    );
}

#[test]
fn there_is_no_sum_where_a_call_below_lacks_a_value() {
    // One repetition and one point of the innermost are missing: which repetition that was, nobody knows.
    let text = TABLE.replace("main->solve->spmv,10,0,256\n", "").replace("main->solve->spmv,20,0,2048\n", "");
    let imported = inclusive(&text, &[]).unwrap();
    assert_eq!(
        described(&imported),
        ["main: 10/1=1092", "main/solve: 10/1=1088", "main/solve/spmv: 10/0=512 10/1=1024"]
    );
    let told = "`main` has no inclusive values at 2 of 3 points of single processors, the first at P=1 N=10 of processor 0: \
                `main/solve/spmv` has too few values there";
    assert_eq!(notes(&imported)[0], told);
    // The call itself may lack some, too.
    let imported = inclusive(&TABLE.replace("main->solve,20,0,128\n", ""), &[]).unwrap();
    assert_eq!(described(&imported)[1], "main/solve: 10/0=272 10/0=544 10/1=1088");
    assert!(
        matches!(&imported.notes[2], Note::NoSum { missing: 1, of: 3, lacking, .. } if lacking == "main/solve")
    );
}

#[test]
fn of_many_paths_without_sums_the_first_are_named() {
    let path = |number: usize| format!("main_{number},10,1\nmain_{number}->f,20,1\n");
    let text = format!("region,N,time_s\n{}", (0..25).map(path).collect::<String>());
    let told = notes(&inclusive(&text, &[]).unwrap());
    assert_eq!(told.len(), 21);
    assert!(
        told[19].ends_with("`main_19/f` has too few values there; so it is with 5 further call paths"),
        "{told:?}"
    );
    let deep = format!("region,N,time_s\n{},10,1\n", vec!["a"; 100_000].join("->"));
    assert_eq!(inclusive(&deep, &[]).unwrap_err().code(), "wrong-binary");
}

#[test]
fn a_caller_without_values_has_those_below_it() {
    let text = "region,N,time_s\nmain->solve->spmv,10,1\nmain->solve->spmv,20,2\nmain->solve->dot,10,4\nmain->solve->dot,20,8\nmain->io,10,16\n";
    let imported = inclusive(text, &[]).unwrap();
    let expected = [
        "main: 10/0=21",
        "main/solve: 10/0=5 20/0=10",
        "main/solve/spmv: 10/0=1 20/0=2",
        "main/solve/dot: 10/0=4 20/0=8",
        "main/io: 10/0=16",
    ];
    assert_eq!(described(&imported), expected);
}

#[test]
fn what_is_inclusive_or_an_extreme_is_not_added_up() {
    let text = TABLE.replace("time_s", "time_s,max_time_s,inclusive_time_s").replace("\n", "");
    let rows = TABLE.lines().skip(1).map(|line| format!("{line},7,9\n"));
    let header = text.split("main,").next().unwrap_or_default();
    let text = format!("{header}\n{}", rows.collect::<String>());
    let imported = inclusive(&text, &["time_s", "max_time_s", "inclusive_time_s"]).unwrap();
    let found = described(&imported);
    assert_eq!(found[0], "main: 10/0=273 10/0=546 10/1=1092 20/0=2184");
    for metric in ["max_time_s", "inclusive_time_s"] {
        assert!(
            found
                .iter()
                .any(|line| line.starts_with(&format!("main:{metric}: 10/0=")) && !line.contains("=21")),
            "{found:?}"
        );
        assert!(
            notes(&imported).iter().any(|note| note.starts_with(&format!("the values of `{metric}` stay")))
        );
    }
    let imported = inclusive("region,N,time_s\nmain,10,1\n", &[]).unwrap();
    assert_eq!(notes(&imported), ["no values became inclusive: there are no calls below others that add up"]);
}

#[test]
fn means_of_repetitions_do_not_add_up() {
    let path = format!("{}/tests/files/experiment.extra-p", env!("CARGO_MANIFEST_DIR"));
    let options = ReadOptions { is_inclusive: true, ..ReadOptions::default() };
    let error = read("x.extra-p", &std::fs::read(path).unwrap(), &options).unwrap_err();
    assert_eq!((error.code(), error.cure().is_some()), ("no-repetitions", true));
}
