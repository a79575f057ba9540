//! Traces of CALL 1.

use crate::common::read_file;
use crate::reading::check;
use call_exchange::{ReadOptions, read};
use call_trace::{Completeness, LineRange};

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
