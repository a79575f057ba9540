//! Each format as its tool writes it. What is read of each file of `tests/files` stands in `tests/expected`.

use crate::common::{FILES, describe, file, read_file};
use call_exchange::{DecimalSign, FileFormat, ReadOptions, read};
use call_grammar::Formula;
use call_trace::{Completeness, Dataset, LineRange, Unit};

#[test]
fn files_of_all_formats_are_read() {
    for name in FILES {
        let found = describe(&read_file(name));
        let path = format!("{}/tests/expected/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        assert_eq!(found, expected, "{name}: if this is right, run the test with UPDATE_EXPECTED=1");
    }
}

fn check(path_name: &str, text: &str, options: &ReadOptions, expected: &str) {
    let imported =
        read(path_name, text.as_bytes(), options).unwrap_or_else(|error| panic!("{text}: {error}"));
    let found = describe(&imported);
    let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    assert_eq!(found.lines().map(str::trim).collect::<Vec<_>>(), expected, "{text}");
}

fn check_table(text: &str, expected: &str) {
    check("t.txt", text, &ReadOptions::default(), expected);
}

#[test]
fn formats_are_seen_from_the_content_whatever_the_name() {
    for name in FILES {
        let renamed = read("x.unknown", &file(name), &ReadOptions::default()).unwrap();
        assert_eq!(renamed.format, read_file(name).format, "{name}");
    }
}

#[test]
fn imports_join_a_dataset() {
    let mut dataset = Dataset::new();
    for name in FILES {
        if let Err(error) = dataset.add(name, read_file(name).trace) {
            // Some experiments of these files have the same name, and other variables.
            assert!(error.to_string().contains("has the variables"), "{name}: {error}");
        }
    }
    assert!(dataset.experiments.len() > 10);
}

#[test]
fn formulas_are_those_of_this_project() {
    for name in FILES {
        for its in read_file(name).trace.experiments {
            if let Some(text) = its.formula {
                let formula = Formula::parse(&its.name, &text).unwrap();
                assert_eq!(formula.to_string(), text, "{name}");
                assert!(
                    formula.variables().iter().all(|variable| its.samples.column(variable.name()).is_some())
                );
            }
        }
    }
}

#[test]
fn traces_of_call_one_keep_what_they_say_of_the_run() {
    let trace = read_file("call_one.dat").trace;
    let header = &trace.header;
    assert_eq!((header.program.as_str(), header.source.as_str()), ("matmul", "matmul.c"));
    assert_eq!(
        (header.host.as_str(), header.kind.as_str(), header.clock.as_str()),
        ("beowulf", "MPI", "CLOCK")
    );
    assert_eq!(header.system, "Linux 2.4.20 #1 SMP Thu Mar 13 17:54:28 EST 2003");
    assert_eq!(trace.completeness, Completeness::Complete);
    let lines = |first, last| LineRange { file: None, first, last };
    assert_eq!(trace.experiments[1].lines, [lines(50, 52), lines(61, 63)]);
    let cut = read_file("call_one.json").trace.completeness;
    assert_eq!(cut, Completeness::Cut { rows: 3, announced: Some(4) });
}

/// The same trace in the shapes that other tools, other versions and broken connections give it.
#[test]
fn traces_of_call_one_come_in_many_shapes() {
    let notes = "- the times are `CLOCK`, in seconds";
    let json = |text: &str| {
        let expected = format!("a JSON trace of CALL 1.0, 1 processors\nf: P N time_s\n0: 1 5 0.5\n{notes}");
        check("old.json", text, &ReadOptions::default(), &expected);
    };
    json(r#"{"cll_experiment": {"f": {"IDENTS": "N", "sample": [[0, 1, 5, 0.5]]}}}"#);
    json(r#"[{"EXPERIMENT": "f", "IDENTS": ["N"], "sample": [0, 1, 5, 0.5]}]"#);
    json(r#"{"cll_experiment": [{"EXPERIMENT": "f", "IDENTS": "N", "sample": [[[0, 1, 5, 0.5]], []]}]}"#);
    json(
        r#"{"cll_experiment": [{"EXPERIMENT": "f", "IDENTS": "N", "sample": {"row": {"c": [0, 1, 5, 0.5]}}}]}"#,
    );
    json(
        r#"{"cll_experiment": [{"EXPERIMENT": "f", "headers": ["CPU", "NCPUS", "N", "CLOCK"],
            "sample": [{"N": 5, "CPU": 0, "CLOCK": 0.5, "NCPUS": 1}]}]}"#,
    );
    let xml = |text: &str| {
        let expected = format!("an XML trace of CALL 1.0, 1 processors\nf: P N time_s\n0: 1 5 0.5\n{notes}");
        check("old.xml", text, &ReadOptions::default(), &expected);
    };
    xml(
        "\n<?xml version='1.0'?><cll_data><list><cll_experiment EXPERIMENT='f' IDENTS='N'><sample><row>0 1 5 0.5</row><row/></sample>\
         </cll_experiment></list></cll_data>\n\n<cll_data/>",
    );
    // What the observable PAPI writes are titles of its own.
    check(
        "old.dat",
        "EXPERIMENT: f\nIDENTS: N\nOBSERVABLES: CLOCK PAPI\nSAMPLE:\nCPU NCPUS N CLOCK PAPI_L1_DCM\n0 1 5 0.5 77\nTotal: 3\nDone 1\n",
        &ReadOptions::default(),
        "a text trace of CALL 1.0, 1 processors\nf: P N time_s | PAPI_L1_DCM\n0: 1 5 0.5 | 77\n- the times are `CLOCK`, in seconds\n\
         - left out: `Done 1` (no lines of the trace)",
    );
    check(
        "old.dat",
        "EXPERIMENT: f\nIDENTS: N\nOBSERVABLES: PRTT(1,0,s)\nSAMPLE:\nCPU NCPUS N PRTT(1,0,s)\n0 1 5 500000\n",
        &ReadOptions::default(),
        "a text trace of CALL 1.0, 1 processors\nf: P N time_s\n0: 1 5 0.5\n- the times are `PRTT(1,0,s)`, in microseconds",
    );
}

#[test]
fn of_cut_traces_of_call_one_the_whole_rows_are_read() {
    for (name, text) in [
        ("old.dat", "EXPERIMENT: f\nSAMPLE:\nCPU NCPUS N CLOCK\n0 1 5 0.5\n0 1 6"),
        (
            "old.json",
            r#"{"cll_experiment": {"EXPERIMENT": "f", "IDENTS": "N", "sample": [[0, 1, 5, 0.5], [0, 1"#,
        ),
        (
            "old.xml",
            "<cll_data><cll_experiment EXPERIMENT='f' IDENTS='N'><sample><row>0 1 5 0.5</row><row>0 1",
        ),
        (
            "old.xml",
            "<cll_data><cll_experiment EXPERIMENT='f' IDENTS='N'><sample><row>0 1 5 0.5</row></sample></cll_experiment>",
        ),
    ] {
        let trace = read(name, text.as_bytes(), &ReadOptions::default()).unwrap().trace;
        assert_eq!(trace.completeness, Completeness::Cut { rows: 1, announced: None }, "{text}");
        assert_eq!(trace.experiments[0].samples.time_s, [0.5], "{text}");
    }
}

#[test]
fn traces_of_call_one_have_what_is_no_number_and_no_utf_8() {
    let json = "{\"NODE_NAME\": \"pe\u{f1}a\", \"cll_experiment\": [{\"EXPERIMENT\": \"f\", \"IDENTS\": \"N\", \"sample\": [[0, 1, 5, 0.5], [0, 1, 6, -nan]]}]}";
    let latin_1: Vec<u8> = json.chars().map(|c| c as u8).collect();
    let imported = read("old.json", &latin_1, &ReadOptions::default()).unwrap();
    assert_eq!(imported.trace.header.host, "pe\u{f1}a");
    assert_eq!(imported.trace.experiments[0].samples.time_s, [0.5]);
    assert!(
        imported.notes.iter().any(|note| note.to_string().contains("no finite time")),
        "{:?}",
        imported.notes
    );
    // An experiment that measured nothing else is kept, empty, beside others.
    let text =
        "EXPERIMENT: f\nSAMPLE:\nCPU NCPUS CLOCK\n0 1 nan\nEXPERIMENT: g\nSAMPLE:\nCPU NCPUS CLOCK\n0 1 2\n";
    let trace = read("old.dat", text.as_bytes(), &ReadOptions::default()).unwrap().trace;
    assert_eq!(trace.experiments.iter().map(|its| its.samples.len()).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn traces_of_call_one_may_lack_nearly_everything() {
    let check = |text: &str, expected: &str| check("old.dat", text, &ReadOptions::default(), expected);
    check(
        "EXPERIMENT: f\nSAMPLE:\nCPU NCPUS n CLOCK\n0 1 5 0.5\n\n0 1 6 0.25",
        "a text trace of CALL 1.0, 1 processors\nf: P n time_s\n0: 1 5 0.5\n0: 1 6 0.25\n- the times are `CLOCK`, in seconds",
    );
    check(
        "CALL_VERSION: 1.0\nEXPERIMENT: f\nIDENTS: n m\nOBSERVABLES: CLOCK\nCOMPONENTS: 1 n*m\nSAMPLE:\n0 4 5 6 0.5\n",
        "a text trace of CALL 1.0, 4 processors\nf = f[0] + f[1]*n*m: P n m time_s\n0: 4 5 6 0.5\n\
         - the times are `CLOCK`, in seconds",
    );
    check(
        "EXPERIMENT: f\nFORMULA: f[0] f[1] n log * +\nIDENTS: n\nOBSERVABLES: PAPI_L1_DCM\nSAMPLE:\nCPU NCPUS n PAPI_L1_DCM\n0 1 5 77\n",
        "a text trace of CALL 1.0, 1 processors\nf = f[0] + f[1]*log(n): P n time_s\n0: 1 5 77\n\
         - the response is `PAPI_L1_DCM`, in PAPI_L1_DCM",
    );
    check(
        "EXPERIMENT: f\nINFORMULA: f[0]*n < 3\nSAMPLE:\nn CLOCK\n5 1\n",
        "a text trace of CALL 1.0, 1 processors\nf: P n time_s\n0: 1 5 1\n- the times are `CLOCK`, in seconds\n\
         - the formula `f[0]*n < 3` of experiment `f` is left out: expected an operator, found `<`",
    );
    check(
        "EXPERIMENT: f\nSAMPLE:\nCPU NCPUS n CLOCK\n0 1 5 1\nEXPERIMENT: f\nSAMPLE:\nCPU NCPUS n CLOCK\n0 2 5 2\n",
        "a text trace of CALL 1.0, 2 processors\nf: P n time_s\n0: 1 5 1\n0: 2 5 2\n- the times are `CLOCK`, in seconds",
    );
    check(
        r#"{"cll_experiment": [{"EXPERIMENT": "f", "IDENTS": "n", "OBSERVABLES": ["CLOCK"], "sample": [["0", 1, "5", 0.5]]},
            {"EXPERIMENT": "g", "headers": ["CPU", "NCPUS", "CLOCK"], "NUMTESTS": [0], "sample": []}]}"#,
        "a JSON trace of CALL 1.0, 1 processors\nf: P n time_s\n0: 1 5 0.5\ng: P time_s\n- the times are `CLOCK`, in seconds",
    );
    check(
        r#"{"cll_experiment": {"EXPERIMENT": "f", "sample": [[0, 1, 0.5]]}, "cll_experiment": {"EXPERIMENT": "g"}}"#,
        "a JSON trace of CALL 1.0, 1 processors\nf: P time_s\n0: 1 0.5\ng: P time_s\n- the times are `CLOCK`, in seconds",
    );
    check(
        "<cll_data><cll_experiment EXPERIMENT='f'><headers><h>CPU</h><h>NCPUS</h><h>CLOCK</h></headers><sample/>\
         </cll_experiment></cll_data>",
        "an XML trace of CALL 1.0, 1 processors\nf: P time_s\n- the times are `CLOCK`, in seconds",
    );
    check(
        "PAPI:Default domain is: 1 (PAPI_DOM_USER)\nHello world\nCALL_VERSION: \"1.0\"\nEXPERIMENT: \"exp\"\n\
         INFORMULA: PAPI_L1_DCM = exp[0]+exp[1]*N/P\nSAMPLE:\nCPU NCPUS N PAPI_L1_DCM\n0 1 5 77\n",
        "a text trace of CALL 1.0, 1 processors\nexp = exp[0] + exp[1]*N/P: P N time_s\n0: 1 5 77\n\
         - the response is `PAPI_L1_DCM`, in PAPI_L1_DCM\n- left out: `Hello world` (no lines of the trace)",
    );
    check(
        "{\"cll_experiment\": {\"EXPERIMENT\": \"f\", \"sample\": [[0, 1, 0.5]]}}\n\
         {\"CALL_VERSION\": \"1.0\",\n\"cll_experiment\": {\"EXPERIMENT\": \"f\", \"sample\": [[0, 2, 0.25]]}}\n",
        "a JSON trace of CALL 1.0, 2 processors\nf: P time_s\n0: 1 0.5\n0: 2 0.25\n- the times are `CLOCK`, in seconds",
    );
    check(
        "<cll_data PARALLEL_ID='PUB_BSP &bsp'><cll_experiment EXPERIMENT='f' BEGIN_LINE='?' INFORMULA='f[0]*M' \
         COMPONENTS='M' OBSERVABLES='CLOCK'><sample><row><c>0</c><c>4</c><c>0.5</c></row></sample></cll_experiment></cll_data>",
        "an XML trace of CALL 1.0, 4 processors\nf: P time_s\n0: 4 0.5\n- the times are `CLOCK`, in seconds\n\
         - the formula `f[0]*M` of experiment `f` is left out: it uses `M`, which the samples do not have",
    );
    let both = "EXPERIMENT: f\nINFORMULA: PAPI_L1_DCM = f[0]*N\nIDENTS: N\nOBSERVABLES: CLOCK PAPI_L1_DCM\nSAMPLE:\n0 1 5 0.5 77\n";
    check(
        both,
        "a text trace of CALL 1.0, 1 processors\nf: P N time_s | PAPI_L1_DCM\n0: 1 5 0.5 | 77\n\
         - the times are `CLOCK`, in seconds\n\
         - the formula `f[0]*N` of experiment `f` is left out: it describes `PAPI_L1_DCM`, so name that as the time to fit it",
    );
    let options = ReadOptions { response: Some("PAPI_L1_DCM".to_owned()), ..ReadOptions::default() };
    let imported = read("old.dat", both.as_bytes(), &options).unwrap();
    assert_eq!(imported.trace.experiments[0].formula.as_deref(), Some("f[0]*N"));
    let latin = b"CALL_VERSION: \"1.0\"\nNODE_NAME: \"caf\xe9\"\nEXPERIMENT: \"f\"\nSAMPLE:\nCPU NCPUS CLOCK\n0 1 0.5\n";
    assert_eq!(read("x", latin, &ReadOptions::default()).unwrap().trace.experiments[0].samples.time_s, [0.5]);
}

#[test]
fn what_is_quoted_is_no_comment() {
    let both = "a table, 1 processors\na: P N time_s\n0: 1 8 0.5\nb: P N time_s\n0: 1 16 0.75\n- the times are `time_s`, in seconds\n\
        - `#a` is called `a` here";
    for text in [
        "experiment,N,time_s\n# half\n\"#a\",8,0.5\n  # a comment\n#\"a\",1,2\nb,16,0.75\n",
        "experiment,N,time_s\n\n# half\n\n\"#a\",8,0.5\nb,16,0.75\n",
        "experiment N time_s\n'#a' 8 0.5\n # a comment\nb 16 0.75\n",
        "|experiment|N|time_s|\n|\"#a\"|8|0.5|\n| # comment | | |\n|b|16|0.75|\n",
    ] {
        check_table(text, both);
    }
}

#[test]
fn separators_quotes_and_comments_are_seen() {
    let two = "a table, 1 processors\nt: P N time_s\n0: 1 8 0.5\n0: 1 16 0.75\n- the times are `time_s`, in seconds";
    for text in [
        "N,time_s\n8,0.5\n16,0.75\n",
        "N;time_s\r\n8;0,5\r\n16;0,75",
        "N\ttime_s\n8\t0.5\n\n# half\n16\t0.75\n",
        "  N   time_s\n 8 0.5\n16\t0.75   \n",
        "# a\n# N time_s\n8 0.5\n16 0.75\n",
        "#N,time_s\n8,0.5\n16,0.75\n",
        "\"N\",\"time_s\"\n\"8\",\"0.5\"\n\"16\",\"0.75\"\n",
        "sep=;\nN;time_s\n8;0.5\n16;0.75\n",
        "| N | time_s |\n|---|---|\n| 8 | 0.5 |\n| 16 | 0.75 |\n",
        "\u{feff}N,time_s\n8,0.5\n16,0.75\n",
        "N,time_s,\n8,0.5,\n16,0.75,\n",
        "N\rtime_s\r".replace("N\rtime_s", "N time_s\r8 0.5\r16 0.75").as_str(),
    ] {
        check_table(text, two);
    }
    check_table(
        "N time_s\n\"1\" 8 0.5\n\"2\" 16 0.75\n",
        "a table, 1 processors\nt: P N time_s\n0: 1 8 0.5\n0: 1 16 0.75\n- the times are `time_s`, in seconds\n\
         - left out: `` (no name)",
    );
    check(
        "t.csv",
        "time (s)\n1.5\n",
        &ReadOptions::default(),
        "a table, 1 processors\nt: P time_s\n0: 1 1.5\n- the times are `time (s)`, in seconds",
    );
    check("t.csv", "N time_s\n8 0.5\n16 0.75\n", &ReadOptions::default(), two);
    check_table(
        "N time (s)\n8 1.5\n",
        "a table, 1 processors\nt: P N time_s\n0: 1 8 1.5\n- the times are `time (s)`, in seconds",
    );
}

#[test]
fn times_have_units_in_many_places() {
    for (header, field) in [
        ("time_ms", "1.5"),
        ("time (us)", "1500"),
        ("Time [ns]", "1500000"),
        ("wall_ns", "1500000"),
        ("seconds", "0.0015"),
        ("elapsed", "0.0015"),
        ("runtime", "1.5 ms"),
        ("t", "1500us"),
        ("duration in milliseconds", "1.5"),
    ] {
        let text = format!("N,{header}\n8,{field}\n");
        let imported = read("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
        assert_eq!(imported.trace.experiments[0].samples.time_s, [0.0015], "{text}");
        assert_eq!(imported.trace.experiments[0].samples.names, ["P", "N"], "{text}");
    }
    check_table(
        "name,n,real_time,cpu_time,time_unit\nf,8,1.5,1,ms\nf,16,2500,2,us\n",
        "a table, 1 processors\nf: P n time_s\n0: 1 8 0.0015\n0: 1 16 0.0025\n- the times are `real_time`, in milliseconds\n\
         - left out: `cpu_time` (a further time or a statistic of times)",
    );
}

#[test]
fn options_say_what_a_table_does_not() {
    let text = "alg,impl,x,y,np\na,c,1,2,4\na,d,1,3,8\na,c,2,5,4\n";
    let options = ReadOptions {
        response: Some("y".to_owned()),
        unit: Some(Unit::Minutes),
        experiment_columns: vec!["alg".to_owned(), "impl".to_owned()],
        processors_column: Some("np".to_owned()),
        ..ReadOptions::default()
    };
    check(
        "t",
        text,
        &options,
        "a table, 8 processors\na_c: P x time_s\n0: 4 1 120\n0: 4 2 300\na_d: P x time_s\n0: 8 1 180\n\
         - the times are `y`, in minutes",
    );
    let options = ReadOptions {
        experiment_name: Some("f".to_owned()),
        leave_out: vec!["junk".to_owned()],
        keep: vec!["run".to_owned()],
        ..ReadOptions::default()
    };
    check(
        "t",
        "run,junk,time_s\n1,x7,0.5\n2,8,0.25\n",
        &options,
        "a table, 1 processors\nf: P run time_s\n0: 1 1 0.5\n0: 1 2 0.25\n- the times are `time_s`, in seconds\n\
         - left out: `junk` (as was asked)",
    );
    let options = ReadOptions {
        processors_column: Some("p".to_owned()),
        leave_out: vec!["n".to_owned()],
        ..ReadOptions::default()
    };
    let imported = read("e.txt", &file("extra_p.txt"), &options).unwrap();
    assert_eq!(imported.trace.experiments[0].samples.names, ["P"]);
    assert_eq!(imported.trace.header.processors, 8);
    let options = ReadOptions { response: Some("visits".to_owned()), ..ReadOptions::default() };
    let imported = read("e.txt", &file("extra_p.txt"), &options).unwrap();
    assert_eq!(imported.trace.experiments[0].samples.time_s, [1.0; 4]);
    let options = ReadOptions { response: Some("cpu_time".to_owned()), ..ReadOptions::default() };
    let imported = read("b.json", &file("google_benchmark.json"), &options).unwrap();
    assert_eq!(imported.trace.experiments[0].samples.time_s, [1.4e-7, 1.5e-7]);
    let options = ReadOptions { format: Some(FileFormat::Table), ..ReadOptions::default() };
    assert_eq!(
        read("t", b"{ time_s\n1 2\n", &options).unwrap().trace.experiments[0].samples.names,
        ["P", "_"]
    );
}

/// The values of N and of the response.
fn numbers(imported: &call_exchange::Imported) -> (Vec<f64>, Vec<f64>) {
    let samples = &imported.trace.experiments[0].samples;
    (samples.column("N").unwrap().to_vec(), samples.time_s.clone())
}

fn check_numbers(text: &str, decimal: Option<DecimalSign>, n: &[f64], response: &[f64], note: Option<&str>) {
    let options = ReadOptions { decimal, ..ReadOptions::default() };
    let imported = read("t.txt", text.as_bytes(), &options).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(numbers(&imported), (n.to_vec(), response.to_vec()), "{text}");
    let told = imported.notes.iter().map(ToString::to_string).find(|note| note.contains("is read as"));
    assert_eq!(told.as_deref(), note, "{text}");
}

#[test]
fn what_separates_thousands_and_decimals_is_seen_from_whole_columns() {
    let check = |text: &str, n: &[f64], response: &[f64]| check_numbers(text, None, n, response, None);
    check("N;time_s\n1.000;12,5\n2.000;25\n", &[1000.0, 2000.0], &[12.5, 25.0]);
    check("N;time_s\n1.000;1.012,5\n1.048.576;25\n", &[1000.0, 1_048_576.0], &[1012.5, 25.0]);
    check("N\ttime_s\n1.000\t12,5\n950\t0,25\n", &[1000.0, 950.0], &[12.5, 0.25]);
    check("N time_s\n1.000 12,5\n", &[1000.0], &[12.5]);
    check("N,time_s\n\"1.000\",\"12,5\"\n", &[1000.0], &[12.5]);
    check("N|time_s\n1.000|12,5\n", &[1000.0], &[12.5]);
    check("N;time_s\n1.000.000;12\n2.000;13\n", &[1e6, 2000.0], &[12.0, 13.0]);
    check("N;time_s\n1,000;12.5\n2,000,000;13\n", &[1000.0, 2e6], &[12.5, 13.0]);
    check("N\ttime_s\n\"1,000\"\t12.5\n", &[1000.0], &[12.5]);
    check(
        "N;time_s\n1 000;12,5\n1'000;12,5\n1\u{202f}000\u{202f}000;1,25 s\n"
            .replace("1,25 s", "1,25")
            .as_str(),
        &[1000.0, 1000.0, 1e6],
        &[12.5, 12.5, 1.25],
    );
    check("N;time\n1.000;12,5 ms\n", &[1000.0], &[0.0125]);
    // Points are decimal where one of the column can be nothing else.
    check("N;time_s\n1.000;1.250\n2.5;0.125\n", &[1.0, 2.5], &[1.25, 0.125]);
    check("N;time_s\n1.000;0.125\n", &[1.0], &[0.125]);
    check("N,time_s\n1.000,1.250\n", &[1.0], &[1.25]);
    check("N;time\n1.000;12,5 ms\n2;1.000 ms\n", &[1000.0, 2.0], &[0.0125, 1.0]);
    let json = "{\"N\": \"1.000\", \"time_s\": \"12,5\"}\n{\"N\": \"2.000\", \"time_s\": 3}\n";
    check(json, &[1000.0, 2000.0], &[12.5, 3.0]);
}

#[test]
fn numbers_that_nothing_decides_are_told_or_refused() {
    let note = |line: u64, text: &str, one: &str, other: &str| {
        format!("line {line}, column `N`: `{text}` is read as {one}; if it is {other}, say `decimal=,`")
    };
    let tabs = "N\ttime_s\n8\t3\n1.000\t12\n";
    check_numbers(tabs, None, &[8.0, 1.0], &[3.0, 12.0], Some(&note(3, "1.000", "1", "1000")));
    check_numbers(tabs, Some(DecimalSign::Comma), &[8.0, 1000.0], &[3.0, 12.0], None);
    check_numbers(tabs, Some(DecimalSign::Point), &[8.0, 1.0], &[3.0, 12.0], None);
    let english = "N\ttime_s\n1,000\t12\n";
    check_numbers(english, None, &[1000.0], &[12.0], Some(&note(2, "1,000", "1000", "1")));
    check_numbers(english, Some(DecimalSign::Comma), &[1.0], &[12.0], None);
    let semicolons = "N;time_s\n1.000;12\n";
    let error = read("t.csv", semicolons.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 2, column `N`: `1.000` is 1 or 1000, and nothing in the file says which"
    );
    assert_eq!(error.cure(), Some("say `decimal=,` if a comma stands before decimals, else `decimal=.`"));
    check_numbers(semicolons, Some(DecimalSign::Point), &[1.0], &[12.0], None);
    check_numbers(semicolons, Some(DecimalSign::Comma), &[1000.0], &[12.0], None);
    // A column that is not used decides and hinders nothing.
    let without = ReadOptions { leave_out: vec!["x".to_owned()], ..ReadOptions::default() };
    assert!(read("t.csv", b"N;x;time_s\n8;1.000;12\n", &without).is_ok());
    // Addresses are no numbers.
    check(
        "t.csv",
        "N;host;time_s\n8;192.168.100.200;0,5\n8;10.0.0.1;0,25\n",
        &ReadOptions::default(),
        "a table, 1 processors\nt: P N time_s\n0: 1 8 0.5\n0: 1 8 0.25\n- the times are `time_s`, in seconds\n\
         - left out: `host` (text: name the column as that of the experiments if it tells them apart)",
    );
}

fn check_unit(path_name: &str, text: &str, options: &ReadOptions, unit: &str, response: &[f64], note: &str) {
    let imported =
        read(path_name, text.as_bytes(), options).unwrap_or_else(|error| panic!("{text}: {error}"));
    let its = &imported.trace.experiments[0];
    assert_eq!((its.unit.symbol(), its.samples.time_s.as_slice()), (unit, response), "{text}");
    assert!(imported.notes.iter().any(|known| known.to_string() == note), "{:?}", imported.notes);
}

#[test]
fn responses_have_any_unit() {
    let none = ReadOptions::default();
    let of = |name: &str| ReadOptions { response: Some(name.to_owned()), ..ReadOptions::default() };
    let unit = |name: &str, unit: &str| ReadOptions { unit: Unit::named(unit), ..of(name) };
    let check = |text: &str, options: &ReadOptions, symbol: &str, response: &[f64], note: &str| {
        check_unit("t.csv", text, options, symbol, response, note);
    };
    check("N,bytes\n8,64\n", &none, "bytes", &[64.0], "the response is `bytes`, in bytes");
    check("N,energy (J)\n8,2.5\n", &none, "J", &[2.5], "the response is `energy (J)`, in J");
    check("N,time[ms]\n8,2.5\n", &none, "s", &[0.0025], "the times are `time[ms]`, in milliseconds");
    check("bytes,time_s\n8,2.5\n", &of("bytes"), "bytes", &[8.0], "the response is `bytes`, in bytes");
    check("N,y\n8,64\n", &unit("y", "flop"), "flop", &[64.0], "the response is `y`, in flop");
    check("N,time\n8,64\n", &unit("time", "bytes"), "bytes", &[64.0], "the response is `time`, in bytes");
    check(
        "N,y\n8,64\n",
        &of("y"),
        "s",
        &[64.0],
        "the times are `y`, taken as seconds since no unit stands there",
    );
    check("N,time (cycles)\n8,64\n", &none, "cycles", &[64.0], "the response is `time (cycles)`, in cycles");
    check("N,time,unit\n8,64,kB\n", &none, "kB", &[64.0], "the response is `time`, in kB");
    check(
        "N,time_s,counter:PAPI_L1_DCM\n8,1,64\n",
        &of("counter:PAPI_L1_DCM"),
        "PAPI_L1_DCM",
        &[64.0],
        "the response is `counter:PAPI_L1_DCM`, in PAPI_L1_DCM",
    );
    check_unit(
        "t.jsonl",
        "{\"N\": 8, \"joules\": 2}\n",
        &none,
        "joules",
        &[2.0],
        "the response is `joules`, in joules",
    );
    // What may be a variable is none where the last column is something else.
    assert!(read("t.csv", b"bytes,x\n8,64\n", &none).is_err());
    let text = "PARAMETER N\nPOINTS 8\nMETRIC visits\nDATA 3\n";
    check_unit("e.txt", text, &none, "visits", &[3.0], "the response is `visits`, in visits");
    let both = format!("{text}METRIC time\nDATA 2\n");
    check_unit("e.txt", &both, &of("visits"), "visits", &[3.0], "the response is `visits`, in visits");
    let json = r#"{"params": {"N": 8}, "metric": "flops", "value": 5}"#;
    check_unit("e.jsonl", json, &none, "flops", &[5.0], "the response is `flops`, in flops");
    let google = r#"{"benchmarks": [{"name": "f/8", "real_time": 2, "time_unit": "us", "items_per_second": 7, "misses": 9}]}"#;
    let note = "the response is `items_per_second`, in items_per_second";
    check_unit("b.json", google, &of("items_per_second"), "items_per_second", &[7.0], note);
    check_unit("b.json", google, &of("misses"), "misses", &[9.0], "the response is `misses`, in misses");
    check_unit("b.json", google, &none, "s", &[2e-6], "the times are `real_time`, in microseconds");
    let hyperfine = r#"{"results": [{"command": "f", "times": [0.5], "memory_usage_byte": [4096]}]}"#;
    let note = "the response is `memory_usage_byte`, in byte";
    check_unit("h.json", hyperfine, &of("memory_usage_byte"), "byte", &[4096.0], note);
    let call_one = "EXPERIMENT: f\nIDENTS: n\nSAMPLE:\nCPU NCPUS n CLOCK PAPI_L1_DCM\n0 1 5 2 77\n";
    let note = "the response is `PAPI_L1_DCM`, in PAPI_L1_DCM";
    check_unit("old.dat", call_one, &of("PAPI_L1_DCM"), "PAPI_L1_DCM", &[77.0], note);
    check_unit("old.dat", call_one, &none, "s", &[2.0], "the times are `CLOCK`, in seconds");
}

#[test]
fn experiments_of_a_table_may_have_different_units_but_not_rows_of_one() {
    let text = "kernel,N,value,unit\nf,8,2,ms\nf,9,3,us\ng,8,64,bytes\n";
    let trace = read("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap().trace;
    let found: Vec<(&str, &[f64])> =
        trace.experiments.iter().map(|its| (its.unit.symbol(), its.samples.time_s.as_slice())).collect();
    assert_eq!(found, [("s", [0.002, 3e-6].as_slice()), ("bytes", &[64.0])]);
    let error = read("t.csv", b"N,value,unit\n8,1,kB\n9,2,MB\n", &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3, column `unit`: expected kB, as in the rows of `t` before, found MB"
    );
    let options = ReadOptions { unit: Unit::named("J"), ..ReadOptions::default() };
    let error = read("t.csv", b"N,time\n8,1 ms\n", &options).unwrap_err();
    assert_eq!(error.to_string(), "column `time` holds times with units, which cannot be J");
    assert_eq!(error.cure(), Some("leave the unit out"));
    let text = "N,bytes\n8,-1\n8,1\n8,nan\n";
    let notes = read("t.csv", text.as_bytes(), &ReadOptions::default()).unwrap().notes;
    let told: Vec<String> = notes.iter().skip(1).map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "left out: 1 row, the first at line 2 (a negative response)",
            "left out: 1 row, the first at line 4 (no finite response)"
        ]
    );
}

#[test]
fn rows_that_say_nothing_are_left_out_and_counted() {
    check_table(
        "N,time_s\n8,nan\n8,0.5\n8,inf\n8,-1\n,0.5\ninf,0.5\n",
        "a table, 1 processors\nt: P N time_s\n0: 1 8 0.5\n- the times are `time_s`, in seconds\n\
         - left out: 2 rows, the first at line 2 (no finite time)\n\
         - left out: 1 row, the first at line 5 (a negative time)\n\
         - left out: 2 rows, the first at line 6 (a variable without a finite value)",
    );
}

#[test]
fn an_experiment_has_the_variables_that_its_rows_have() {
    check_table(
        "kernel,N,M,time_s\nf,8,,0.5\ng,,9,0.25\n,8,9,1\n",
        "a table, 1 processors\nf: P N time_s\n0: 1 8 0.5\ng: P M time_s\n0: 1 9 0.25\nt: P N M time_s\n0: 1 8 9 1\n\
         - the times are `time_s`, in seconds",
    );
}

#[test]
fn lists_of_objects_are_tables() {
    check(
        "runs.json",
        r#"[{"N": 8, "ms": 1.5}, {"N": "16", "ms": 2.5}]"#,
        &ReadOptions::default(),
        "JSON lines, 1 processors\nruns: P N time_s\n0: 1 8 0.0015\n0: 1 16 0.0025\n- the times are `ms`, in milliseconds",
    );
    check(
        "run.json",
        "{\n \"N\": 8,\n \"ms\": 1.5\n}",
        &ReadOptions::default(),
        "JSON lines, 1 processors\nrun: P N time_s\n0: 1 8 0.0015\n- the times are `ms`, in milliseconds",
    );
}

#[test]
fn extra_p_points_are_written_in_many_ways() {
    let one = "text input of Extra-P, 1 processors\nt: P x time_s\n0: 1 4 1\n0: 1 8 2\n\
               - the times are `<default>`, taken as seconds since no unit stands there";
    check_table("PARAMETER x\nPOINTS 4 8\nDATA 1\nDATA 2\n", one);
    check_table("PARAMETER x\nPOINTS (4) (8)\n\nDATA 1\nDATA 2\n", one);
    check_table("PARAMETER x\nPOINTS 4\nPOINTS 8\nDATA 1\nDATA 2\n", one);
    let two = "text input of Extra-P, 4 processors\nf: P x time_s\n0: 4 1 1\n0: 2 5 2\n- the times are `time_ms`, in milliseconds";
    let two = two.replace("1 1\n", "1 0.001\n").replace("5 2\n", "5 0.002\n");
    check_table("PARAMETER P x\nPOINTS (4 1)(2,5)\nREGION f\nMETRIC time_ms\nDATA 1\nDATA 2\n", &two);
}

#[test]
fn benchmarks_with_aggregates_only_give_their_medians() {
    let text = br#"{"benchmarks": [
        {"name": "BM_f/8_mean", "run_name": "BM_f/8", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3.0, "time_unit": "us"},
        {"name": "BM_f/8_median", "run_name": "BM_f/8", "run_type": "aggregate", "aggregate_name": "median", "real_time": 2.0, "time_unit": "us"}]}"#;
    let imported = read("b.json", text, &ReadOptions::default()).unwrap();
    assert_eq!(imported.trace.experiments[0].samples.time_s, [2e-6]);
    assert_eq!(imported.trace.experiments[0].samples.names, ["P", "N"]);
}

#[test]
fn several_metrics_are_read_at_once() {
    let names = |name: &str, metrics: &[&str]| {
        let metrics = metrics.iter().map(|metric| (*metric).to_owned()).collect();
        let imported = read(name, &file(name), &ReadOptions { metrics, ..ReadOptions::default() }).unwrap();
        let name = |its: &call_trace::Experiment| format!("{} {}", its.name, its.unit.symbol());
        imported.trace.experiments.iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(
        names("extra_p.json", &["all"]),
        ["main/solve s", "main/solve:visits visits", "main/io:visits visits"]
    );
    assert_eq!(names("extra_p.json", &["visits"]), ["main/solve visits", "main/io visits"]);
    assert_eq!(
        names("extra_p.json", &["visits", "time"]),
        ["main/solve visits", "main/io visits", "main/solve:time s"]
    );
    // Formats with one response at a time.
    assert_eq!(
        names("google_benchmark.json", &["real_time", "cpu_time"])
            .iter()
            .filter(|name| name.contains(":cpu_time"))
            .count()
            * 2,
        names("google_benchmark.json", &["real_time", "cpu_time"]).len()
    );
    let unknown = ReadOptions { metrics: vec!["bytes".to_owned()], ..ReadOptions::default() };
    let error = read("x", &file("extra_p.json"), &unknown).unwrap_err();
    assert_eq!(error.to_string(), "there is no column `bytes`; the columns are `visits`, `time`");
}

#[test]
fn folders_of_criterion() {
    let files = [
        (
            "sort/quick/1000/new/benchmark.json",
            r#"{"group_id": "sort", "function_id": "quick", "value_str": "1000", "throughput": {"Bytes": 8000}}"#,
        ),
        (
            "sort/quick/1000/new/sample.json",
            r#"{"sampling_mode": "Linear", "iters": [1, 2, 4], "times": [100, 180, 400]}"#,
        ),
        (
            "sort/quick/2000/new/benchmark.json",
            r#"{"group_id": "sort", "function_id": "quick", "value_str": "2000", "throughput": null}"#,
        ),
        ("sort/quick/2000/new/sample.json", r#"{"iters": [10], "times": [2500]}"#),
        (
            "scan/new/benchmark.json",
            r#"{"group_id": "scan", "function_id": null, "value_str": null, "throughput": {"Elements": 64}}"#,
        ),
        ("scan/new/sample.json", r#"{"iters": [1], "times": [7]}"#),
        ("scan/base/sample.json", "not read"),
        ("lonely/new/benchmark.json", "{}"),
    ];
    let paths: Vec<String> = files.iter().map(|(path, _)| format!("target/criterion/{path}")).collect();
    let (mut set, of_set) = call_exchange::FileSet::of("target/criterion", &paths).unwrap();
    assert_eq!(of_set.len(), 7);
    let options = ReadOptions::default();
    for (path, (_, text)) in paths.iter().zip(files).filter(|(path, _)| of_set.contains(path)) {
        set.push(path, text.as_bytes(), &options).unwrap();
    }
    let found = describe(&set.finish(&options).unwrap());
    assert_eq!(
        found,
        "results of Criterion, 1 processors\nscan: P elements time_s\n  0: 1 64 0.000000007\nsort_quick: P N time_s\n  0: 1 1000 \
         0.0000001\n  0: 1 1000 0.00000009\n  0: 1 1000 0.0000001\n  0: 1 2000 0.00000025\n- the times are `time`, in nanoseconds\n"
    );
    let (mut set, _) = call_exchange::FileSet::of("target/criterion", &paths).unwrap();
    set.push(&paths[0], files[0].1.as_bytes(), &options).unwrap();
    set.push(&paths[1], br#"{"iters": [1, 2], "times": [1]}"#, &options).unwrap();
    let error = set.finish(&options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("sort/quick/1000/new/sample.json, keys `iters` and `times`: expected two lists"),
        "{error}"
    );
}
