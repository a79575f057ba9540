//! What cannot be read is told with place and cure.

use call_exchange::{Error, ReadOptions, read};

/// An error with its cure.
fn told(error: &Error) -> String {
    error.cure().map_or_else(|| error.to_string(), |cure| format!("{error}: {cure}"))
}

fn check_options(bytes: &[u8], options: &ReadOptions, message: &str) {
    let error = read("data", bytes, options).map(|imported| imported.trace).unwrap_err();
    assert_eq!(told(&error), message, "{}", String::from_utf8_lossy(&bytes[..bytes.len().min(200)]));
}

fn check(text: &str, message: &str) {
    check_options(text.as_bytes(), &ReadOptions::default(), message);
}

#[test]
fn files_that_are_no_tables() {
    for empty in ["", " \n\t\r\n", "\u{feff}", "# only a comment\n"] {
        check(empty, "the file is empty: it should hold a trace, or a table with a header line");
    }
    check_options(
        b"\x1f\x8b\x08\x00rest",
        &ReadOptions::default(),
        "unexpected end of file: it is damaged or was cut: copy it again, or let its tool write it again",
    );
    check_options(b"\xff\xfeN\0", &ReadOptions::default(), "this is text in UTF-16: save it as UTF-8");
    check_options(b"N,\0time\n", &ReadOptions::default(), "this is no text: give a trace or a table as text");
    check(
        "# call-trace 7\n",
        "the trace has version 7, and versions 1 can be read: use the release that came with the `call` that translated the \
         program",
    );
}

#[test]
fn tables() {
    check(
        "1 2 3\n4 5 6\n",
        "line 1: there is no header line: the first line has numbers only: write one above it that names the columns, as `N time_s`",
    );
    check("N,time_s\n", "line 1: no rows follow the header line: measure something");
    check("\n\nN,time_s\n# nothing\n", "line 3: no rows follow the header line: measure something");
    check("N,N,time\n1,2,3\n", "line 1: columns 1 and 2 are both called `N`: rename one");
    check(
        "N,time\n1,2\n\n1,2,3,4\n",
        "line 4: expected 2 fields as in the header line, found 4: mend the line, or quote fields with blanks",
    );
    check(
        "N time\n1 2\n1\n",
        "line 3: expected 2 fields as in the header line, found 1: mend the line, or quote fields with blanks",
    );
    check(
        "N,time\n1,2\n3,x\n",
        "line 3, column `time`: expected a number, found `x`: mend the field, or leave the column out",
    );
    check(
        "N,time\n1,2\n\"a\nb\",2\n",
        "line 3, column `N`: expected a number, found `a\u{fffd}b`: mend the field, or leave the column out",
    );
    check(
        "N,M\n1,2\n",
        "no column looks like a time; the columns are `N`, `M`: name the time column, or call it `time_s`",
    );
    check(
        "N,time_read,time_write\n1,2,3\n",
        "`time_read`, `time_write` all look like the time: name the time column",
    );
    check(
        "N,time\n1,nan\n2,\n",
        "none of the 2 rows can be used; the first one, at line 2, has no finite time: measure again, or leave columns out",
    );
    check(
        "N,time,unit\n1,2,ms\n1,2,MB\n",
        "line 3, column `unit`: expected a unit of time such as `ms`, found `MB`",
    );
    let options = |name: &str| ReadOptions { response: Some(name.to_owned()), ..ReadOptions::default() };
    check_options(b"N,M\n1,2\n", &options("T"), "there is no column `T`; the columns are `N`, `M`");
    check_options(
        b"N,M\n1,x\n",
        &options("M"),
        "column `M` cannot be the time: it holds texts, as `x`; the columns are `N`, `M`",
    );
    let keep = ReadOptions { keep: vec!["M".to_owned()], ..ReadOptions::default() };
    check_options(
        b"M,time\n1,2\nx,2\n",
        &keep,
        "line 3, column `M`: expected a number, found `x`: mend the field, or leave the column out",
    );
    check_options(
        b"M,time\nx,2\n",
        &keep,
        "line 2, column `M`: expected a number, found `x`: mend the field, or leave the column out",
    );
}

#[test]
fn json() {
    check("{\"N\": 1,}", "line 1, column 9: trailing comma: mend the JSON there");
    check(
        "{\"N\": 1, \"time\": 2}\n{\"N\": 1 2}\n",
        "line 2, column 9: expected `,` or `}`: mend the JSON there",
    );
    check(
        "{\"N\": 1, \"time\": 2}\n[1]\n",
        "line 2: expected an object, found a list: write one object a line, as `{\"N\": 8, \"time_s\": 0.5}`",
    );
    check(
        "[{\"N\": 1, \"time\": 2}, 3]",
        "entry 2: expected an object, found a number: write one object a line, as `{\"N\": 8, \"time_s\": 0.5}`",
    );
    check(
        "{\"a\": {\"b\": []}, \"c\": 1}",
        "this JSON is of no kind that can be read; its keys are `a`, `c`: give one of the formats that `help load` lists, or an object a line",
    );
    check(
        "[]",
        "this JSON is of no kind that can be read; its keys are none: give one of the formats that `help load` lists, or an object a line",
    );
    check("{\"results\": []}", "there are no results in the list `results`: run the benchmark again");
    check(
        "{\"results\": [{\"command\": \"a\", \"times\": [\"x\"]}]}",
        "entry 1 of `results`, key `times`: expected a list of numbers, found a list",
    );
    check("{\"benchmarks\": []}", "there are no results in the list `benchmarks`: run the benchmark again");
    check(
        "{\"benchmarks\": [{\"name\": \"a\"}]}",
        "entry 1 of `benchmarks`, key `real_time`: expected a number, found nothing",
    );
    check(
        "{\"benchmarks\": [{\"name\": \"a\", \"real_time\": 1, \"time_unit\": \"MB\"}]}",
        "entry 1 of `benchmarks`, key `time_unit`: expected a unit of time, found a text",
    );
    check(
        "{\"params\": {\"p\": 1}, \"value\": 2}\n{\"params\": {\"q\": 1}, \"value\": 2}\n",
        "line 2, key `params.p`: expected a number, found nothing",
    );
    check(
        "{\"params\": {\"p\": 1}, \"value\": 2}\n{\"params\": {\"p\": 1}}\n",
        "line 2, key `value`: expected a number, found nothing",
    );
}

#[test]
fn call_one() {
    check(
        "CALL_VERSION: \"1.0\"\nPROGRAM: x.c\n",
        "the trace of CALL 1.0 has no experiments: run the program again, and see that it reaches its report",
    );
    check(
        "CALL_VERSION: \"1.0\"\nIDENTS: N\n",
        "line 2: `IDENTS` belongs to an experiment: a line `EXPERIMENT: NAME` must stand before it",
    );
    check(
        "EXPERIMENT: f\nNUMTESTS: 4 x\n",
        "line 2: expected whole numbers as value of `NUMTESTS`, found `x`",
    );
    check(
        "EXPERIMENT: f\nSAMPLE:\nCPU NCPUS CLOCK\n0 1 x\n",
        "line 4, column `CLOCK`: expected a number, found `x`: mend the field, or leave the column out",
    );
    check(
        "EXPERIMENT: f\nSAMPLE:\nCPU NCPUS CLOCK\n0 1\n",
        "line 4: expected 3 fields as in the header line, found 2: mend the line, or quote fields with blanks",
    );
    check(
        "EXPERIMENT: f\nSAMPLE:\nCPU NCPUS\n0 1\n",
        "experiment `f` has no column with what was measured; its columns are `CPU`, `NCPUS`",
    );
    check(
        "EXPERIMENT: f\nSAMPLE:\nCPU n CLOCK\n0 1 1\nEXPERIMENT: f\nSAMPLE:\nCPU m CLOCK\n0 1 1\n",
        "experiment `f` stands there twice with other columns: keep each in a file of its own",
    );
    check(
        "<html></html>",
        "this XML is of no kind that can be read: expected the root `cll_data` of CALL 1.0, found `html`",
    );
    check(
        "<cll_data>\n<cll_experiment>\n</cll_data>",
        "line 3, column 1: expected 'cll_experiment' tag, not 'cll_data': mend the XML there",
    );
    check(
        "<cll_data>\n<cll_experiment EXPERIMENT='f'><headers><h>CLOCK</h></headers><sample>\n<row><c>x</c></row></sample></cll_experiment></cll_data>",
        "line 3, column 6, column `CLOCK`: expected a number, found `x`: mend the field, or leave the column out",
    );
    check(
        "{\"cll_experiment\": {\"EXPERIMENT\": \"f\", \"headers\": [\"CLOCK\"], \"sample\": [[1], [1, 2]]}}",
        "entry 1 of `cll_experiment`, row 2 of `sample`: expected a number for each of the `headers`, found 2 numbers for 1 headers",
    );
    check(
        "{\"cll_experiment\": {\"headers\": [\"CLOCK\"], \"sample\": [[true]]}}",
        "entry 1 of `cll_experiment`, row 1 of `sample`, column `CLOCK`: expected a number, found true or false",
    );
}

#[test]
fn extra_p() {
    check(
        "PARAMETER x\nPOINTS 1 2\nDATA 1\nDATA 2\nDATA 3\n",
        "line 5: there are 2 points, and this is a further line DATA: take it out, or add its point",
    );
    check(
        "PARAMETER x\nPOINTS 1 a\n",
        "line 2: expected points of 1 values, as many as there are lines PARAMETER, found `a`",
    );
    check(
        "PARAMETER x y\nPOINTS (1 2) (3)\n",
        "line 2: expected points of 2 values, as many as there are lines PARAMETER, found `3`",
    );
    check(
        "PARAMETER x\nPOINTS 1\nDATA 1 b\n",
        "line 3, column `DATA`: expected a number, found `b`: mend the field, or leave the column out",
    );
    check(
        "PARAMETER x\nPOINTS 1\nWHAT 1\n",
        "line 3: expected one of PARAMETER, POINTS, REGION, METRIC and DATA, found `WHAT`",
    );
    check("PARAMETER x\nPOINTS 1\n", "there are no lines DATA: write one for each point");
    check("METRIC time\nPOINTS 1\n", "line 2: POINTS must stand behind PARAMETER");
    check("PARAMETER x\nPARAMETER x\n", "line 2: columns 1 and 2 are both called `x`: rename one");
}

#[test]
fn odd_files_are_read_in_reasonable_time() {
    // Many columns; a million take as long for each.
    let names: Vec<String> = (0..20_000).map(|number| format!("c{number}")).collect();
    let text = format!("{},time_s\n{}1\n", names.join(","), "2,".repeat(20_000));
    let imported = read("wide.csv", text.as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(imported.trace.experiments[0].samples.names.len(), 20_001);
    // Nesting.
    for open in ["[", "{\"a\":", "<a>", "<cll_data>", "(", "\"", "PARAMETER ("] {
        assert!(read("deep", open.repeat(300_000).as_bytes(), &ReadOptions::default()).is_err(), "{open}");
    }
    // Objects without a common key.
    let text: String = (0..30_000).map(|number| format!("{{\"k{number}\": 1, \"time\": 1}}\n")).collect();
    assert!(read("sparse.jsonl", text.as_bytes(), &ReadOptions::default()).is_err());
    // An experiment for each row.
    let rows: String = (0..20_000).map(|number| format!("f{number},{number},1\n")).collect();
    let imported =
        read("many.csv", format!("kernel,N,time_s\n{rows}").as_bytes(), &ReadOptions::default()).unwrap();
    assert_eq!(imported.trace.experiments.len(), 20_000);
    // Experiments of CALL 1.0.
    let text: String =
        (0..10_000).map(|number| format!("<cll_experiment EXPERIMENT='f{number}' IDENTS='n'/>\n")).collect();
    let text = format!("<cll_data>\n{text}</cll_data>");
    assert_eq!(
        read("many.xml", text.as_bytes(), &ReadOptions::default()).unwrap().trace.experiments.len(),
        10_000
    );
    // An element with many attributes, and many levels that are closed.
    let attributes: String = (0..100_000).map(|number| format!(" a{number}='1'")).collect();
    assert!(
        read("wide.xml", format!("<cll_data{attributes}/>").as_bytes(), &ReadOptions::default()).is_err()
    );
    let deep = format!("{}{}", "<cll_data>".repeat(50_000), "</cll_data>".repeat(50_000));
    assert!(read("deep.xml", deep.as_bytes(), &ReadOptions::default()).is_err());
    // Names that differ in nothing that C knows.
    let rows: String = (0..20_000)
        .map(|number| format!("{},1\n", "ℵ".repeat(number % 200 + 1) + &"β".repeat(number / 200)))
        .collect();
    assert!(read("alike.csv", format!("kernel,time_s\n{rows}").as_bytes(), &ReadOptions::default()).is_ok());
    // Parameters and times that multiply.
    let names: String = (0..1000).map(|number| format!(" x{number}")).collect();
    assert!(read("wide.txt", format!("PARAMETER{names}\n").as_bytes(), &ReadOptions::default()).is_err());
    // Arguments without a common name.
    let runs: Vec<String> =
        (0..10_000).map(|n| format!("{{\"name\": \"f/a{n}:1\", \"real_time\": 1}}")).collect();
    let text = format!("{{\"benchmarks\": [{}]}}", runs.join(","));
    assert!(read("b.json", text.as_bytes(), &ReadOptions::default()).is_err());
    // Commands without a common word.
    let runs: Vec<String> = (0..10_000)
        .map(|n| format!("{{\"command\": \"c{n}\", \"times\": [1], \"parameters\": {{\"a\": \"x\"}}}}"))
        .collect();
    let text = format!("{{\"results\": [{}]}}", runs.join(","));
    assert_eq!(
        read("h.json", text.as_bytes(), &ReadOptions::default()).unwrap().trace.experiments.len(),
        10_000
    );
    // Titles.
    let names: Vec<String> = (0..10_000).map(|number| format!("i{number}")).collect();
    let (names, row) = (names.join(" "), "1 ".repeat(10_000));
    let text = format!("EXPERIMENT: f\nIDENTS: {names}\nSAMPLE:\nCPU NCPUS {names} CLOCK\n0 1 {row} 1\n");
    assert_eq!(
        read("w.dat", text.as_bytes(), &ReadOptions::default()).unwrap().trace.experiments[0]
            .samples
            .names
            .len(),
        10_001
    );
}

/// The bytes of a file of `tests/files`.
fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/files/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[test]
fn saved_experiments() {
    let damaged = "it is damaged or was cut: copy it again, or let its tool write it again";
    let options = ReadOptions::default();
    let archive = file("experiment.extra-p");
    let cut = read("data", &archive[..archive.len() - 40], &options).unwrap_err();
    assert!(told(&cut).starts_with("no list of entries is found at its end"), "{}", told(&cut));
    assert!(told(&cut).ends_with(damaged), "{}", told(&cut));
    let mut wrong = archive.clone();
    let content = archive.windows(8).position(|window| window == b"Extra-P ").unwrap();
    wrong[content + 30] ^= 0xff;
    let error = read("data", &wrong, &options).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string().starts_with("`values/0.")),
        ("wrong-archive", true),
        "{error}"
    );

    let three = file("extra_p_3");
    let whole = |length: &usize| match read("data", &three[..*length], &options) {
        // Nothing says where the file was to end.
        Ok(_) => true,
        Err(error) => {
            assert!(["wrong-binary", "no-results"].contains(&error.code()), "{length}: {error}");
            false
        }
    };
    assert_eq!((30..three.len()).filter(whole).count(), 5);
    let mut huge = three.clone();
    // The number of values of the first coordinate.
    let coordinate = three.windows(10).position(|window| window == b"Coordinate").unwrap();
    huge[coordinate + 10 + 8 + 6] = 0x7f;
    check_options(
        &huge,
        &options,
        &format!(
            "byte {}: 35747322042253313 entries cannot stand in the rest of the file: {damaged}",
            coordinate + 26
        ),
    );
}

#[test]
fn json_of_extra_p() {
    check(
        r#"{"parameters": ["p"], "measurements": {"main": {"time": [{"point": [1], "values": [2]}, {"point": [1, 2], "values": [2]}]}}}"#,
        "call path `main`, metric `time`, entry 2, key `point`: expected a number for each of the `parameters`, found a list",
    );
    check(
        r#"{"parameters": ["p"], "measurements": {"main": {"time": [{"point": [1], "values": ["x"]}]}}}"#,
        "call path `main`, metric `time`, entry 1, key `values`: expected numbers, found a text",
    );
    check(
        r#"{"parameters": [{"id": 1, "name": "p"}], "callpaths": [], "metrics": [], "coordinates": [{"id": 1,
        "parameter_value_pairs": [{"parameter_id": 2, "parameter_value": 1}]}], "measurements": []}"#,
        "entry 1 of `coordinates`, key `parameter_id`: expected the `id` of a parameter, found a number",
    );
    check(
        r#"{"parameters": ["p"], "measurements": {}}"#,
        "there are no results in the list `measurements`: run the benchmark again",
    );
    check(
        "PARAMETER p\nPOINTS 1 2 3\nREGION a\nDATA 1\nDATA 2\nREGION b\nDATA 1\n",
        "line 6: region `a` ends with 2 lines DATA, and there are 3 points: write `DATA nan` for a point that was not measured",
    );
}
