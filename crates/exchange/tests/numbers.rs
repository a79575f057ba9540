//! How numbers are written, and what they count.

use crate::reading::check;
use call_exchange::{DecimalSign, ReadOptions, read};
use call_trace::Unit;

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
