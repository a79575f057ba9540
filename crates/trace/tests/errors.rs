//! Every reason to refuse a file, with the whole message.

use crate::blocks;
use crate::windows;
use call_trace::{Completeness, Error, Limits, TraceReader, read};

/// An error with its cure.
fn told(error: &Error) -> String {
    error.cure().map_or_else(|| error.to_string(), |cure| format!("{error}: {cure}"))
}

fn check(bytes: &[u8], expected: &str) {
    let message = told(&read(bytes).expect_err("the file is wrong"));
    assert_eq!(message, expected, "{}", String::from_utf8_lossy(bytes));
    for size in [1, 2, 7, 41, 1000] {
        windows::check_windows(bytes, &[size]);
    }
}

const HEADER: &str = "# call-trace 1\n# program: p\n# processors: 4\n# experiment: f\n# formula: f[0]*N\n# variables: N\n\
    # lines: 1-2\n# experiment: g\n# variables:\n";
const NAMES: &str = "experiment processor P N time_s\n";
const ROWS: &str = "f 0 4 1024 0.5\ng 0 4 nan 0.25\n";
const END: &str = "# end rows=2\n";

/// The header of a good trace with one replacement.
fn header(old: &str, new: &str, expected: &str) {
    assert!(HEADER.contains(old), "{old}");
    check(format!("{}{NAMES}{ROWS}{END}", HEADER.replacen(old, new, 1)).as_bytes(), expected);
}

/// A good header and other column names.
fn names(names: &str, expected: &str) {
    check(format!("{HEADER}{names}\n{ROWS}{END}").as_bytes(), expected);
}

/// A good row and then a wrong one, which is line 12.
fn row(row: &str, expected: &str) {
    check(format!("{HEADER}{NAMES}f 0 4 1024 0.5\n{row}\n{END}").as_bytes(), expected);
}

/// Good rows and what follows them.
fn end(end: &str, expected: &str) {
    check(format!("{HEADER}{NAMES}{ROWS}{end}").as_bytes(), expected);
}

#[test]
fn the_parts_make_a_good_trace() {
    assert!(read(format!("{HEADER}{NAMES}{ROWS}{END}").as_bytes()).is_ok());
}

#[test]
fn files_that_are_no_traces() {
    check(b"", "the file is empty: run the program again, and see that it reaches its report");
    check(
        b"hello\nworld\n",
        "this is no trace: a trace begins with `# call-trace 1`, this file with `hello`",
    );
    check(b"\n", "this is no trace: a trace begins with `# call-trace 1`, this file with ``");
    check(
        format!("\x7fELF\0{}", "x".repeat(1000)).as_bytes(),
        &format!(
            "this is no trace: a trace begins with `# call-trace 1`, this file with `\u{fffd}ELF\u{fffd}{}...`",
            "x".repeat(55)
        ),
    );
}

#[test]
fn unknown_versions() {
    let version = |text: &str| {
        format!(
            "the trace has version {text}, and versions 1 can be read: use the release that came with the `call` that \
             translated the program"
        )
    };
    check(b"# call-trace 2\n# anything\n", &version("2"));
    check(b"# call-trace 10\n", &version("10"));
}

#[test]
fn header_lines() {
    let line = |number: u32, text: &str| {
        format!("line {number}: expected `# key: value` or the line of column names, found `{text}`")
    };
    header("# program: p", "#program: p", &line(2, "#program: p"));
    header("# program: p", "# a note", &line(2, "# a note"));
    header("# program: p", "# a note: b", &line(2, "# a note: b"));
    header("# program: p", "# program:p", &line(2, "# program:p"));
    header("# program: p", "# : p", &line(2, "# : p"));
    names("# end rows=0", &line(10, "# end rows=0"));
}

#[test]
fn header_keys() {
    header("# program: p\n", "", "line 9: the header ends without the key `program`");
    header("# processors: 4\n", "", "line 9: the header ends without the key `processors`");
    header(
        "# program: p",
        "# program: p\n# program: q",
        "line 3: the key `program` stands on line 2 already",
    );
    header("# lines: 1-2", "# formula: 1", "line 7: the key `formula` stands on line 5 already");
    header("# experiment: g", "# experiment: f", "line 8: experiment `f` is declared on line 4 already");
    header("# variables: N\n", "", "line 4: experiment `f` has no key `variables`");
    header("# variables:\n", "", "line 8: experiment `g` has no key `variables`");
    header(
        "# program: p",
        "# program: p\n# formula: f[0]",
        "line 3: the key `formula` belongs to an experiment: a line `# experiment: NAME` must stand before it",
    );
}

#[test]
fn header_values() {
    let natural =
        |text: &str| format!("line 3: expected a natural number as value of `processors`, found `{text}`");
    for text in ["", "four", "-4", "+4", "4.0", "4294967296", "4 "] {
        header("processors: 4", &format!("processors: {text}"), &natural(text));
    }
    for text in ["", "nan", "inf", "-1", "1ns"] {
        header(
            "program: p",
            &format!("program: p\n# empty_pair_ns: {text}"),
            &format!(
                "line 3: expected a number that is not negative as value of `empty_pair_ns`, found `{text}`"
            ),
        );
    }
    for text in ["", "f g"] {
        header(
            "experiment: f",
            &format!("experiment: {text}"),
            &format!("line 4: expected a name as value of `experiment`, found `{text}`"),
        );
    }
    header(
        "variables: N",
        "variables: N N",
        "line 6: expected names that differ as value of `variables`, found `N N`",
    );
    for text in ["1", "2-1", "1-", "a-b", "1-2,3-4"] {
        header(
            "lines: 1-2",
            &format!("lines: {text}"),
            &format!(
                "line 7: expected ranges FIRST-LAST or FILE:FIRST-LAST of lines as value of `lines`, found `{text}`"
            ),
        );
    }
}

#[test]
fn column_names() {
    let wrong = |text: &str| {
        format!("line 10: expected the column names `experiment processor P ... time_s`, found `{text}`")
    };
    for text in [
        "",
        "f 0 4 1024 0.5",
        "experiment processor P N",
        "experiment processor N time_s",
        "experiment processor time_s",
    ] {
        names(text, &wrong(text));
    }
    names("experiment processor P N N time_s", "line 10: two columns are called `N`");
    names(
        "experiment processor P M time_s",
        "line 10: there is no column for the variable `N` of experiment `f`",
    );
}

#[test]
fn rows() {
    row("h 0 4 1024 0.5", "line 12: the header declares no experiment `h`");
    row("ff 0 4 1024 0.5", "line 12: the header declares no experiment `ff`");
    for (text, found) in
        [("", 0), ("   ", 0), ("f", 1), ("f 0 4 1024", 4), ("f 0 4 1024 0.5 0.5", 6), ("f 0 4 x 8 0.5", 6)]
    {
        row(text, &format!("line 12: expected 5 columns, found {found}"));
    }
    for text in ["4", "-1", "x", "0.0", "4294967296", "1e0"] {
        row(
            &format!("f {text} 4 1024 0.5"),
            &format!("line 12: expected a processor from 0 to 3, found `{text}`"),
        );
    }
    row("f 0 four 1024 0.5", "line 12: expected a number in column `P`, found `four`");
    row("f 0 4 1024x 0.5", "line 12: expected a number in column `N`, found `1024x`");
    row("f 0 4 1024 0,5", "line 12: expected a number in column `time_s`, found `0,5`");
    for text in ["-0.5", "nan", "inf", "1e999"] {
        row(
            &format!("f 0 4 1024 {text}"),
            &format!("line 12: a time must be finite and not negative, found `{text}`"),
        );
    }
    row(
        "g 0 4 1024 0.5",
        "line 12: expected `nan` in column `N`, which experiment `g` does not have, found `1024`",
    );
    for text in ["# note: here", "# end rows=", "# end rows=+2", "# end", "# end rows=99999999999999999999"] {
        row(text, &format!("line 12: expected a row or `# end rows=...`, found `{text}`"));
    }
}

#[test]
fn line_numbers_count_lines_of_dos() {
    let text = format!("{HEADER}{NAMES}f 0 4 1024 0.5\nf 0 4 x 0.5\n{END}").replace('\n', "\r\n");
    check(text.as_bytes(), "line 12: expected a number in column `N`, found `x`");
}

#[test]
fn files_cut_within_their_header() {
    let cut =
        "the trace was cut: it ends within its header: run the program again, with enough room on its disk";
    check(b"# call", cut);
    check(b"# call-trace 1", cut);
    check(b"# call-trace 1\n", cut);
    check(b"# call-trace 1\n# program: p\n# proc", cut);
    check(format!("{HEADER}{}", NAMES.trim_end()).as_bytes(), cut);
}

#[test]
fn text_after_the_end() {
    let after = "line 14: text after the end of the trace: keep one trace in each file";
    end("# end rows=2\n\n", after);
    end("# end rows=2\nf 0 4 1024 0.5\n", after);
    end("# end rows=3\n\n", after);
    end("# end rows=2\nf", after);
    end(&format!("# end rows=2\n{HEADER}"), after);
}

/// A header of summaries and one row.
fn summary(row: &str, expected: &str) {
    let names = "experiment processor P N time_s count sum_s sum_squares_s2 min_s max_s";
    let header = HEADER.replacen("# processors: 4", "# processors: 4\n# summaries: 1", 1);
    check(format!("{header}{names}\n{row}\n# end rows=1\n").as_bytes(), expected);
}

#[test]
fn summaries() {
    let row = "f 0 4 1024 0.5 2 1.0 0.5 0.5 0.5";
    let unknown =
        |text: &str| format!("line 12: expected a number of measurements in column `count`, found `{text}`");
    for text in ["-1", "1.5", "99999999999999999999", "x"] {
        summary(&row.replace(" 2 ", &format!(" {text} ")), &unknown(text));
    }
    summary("f 0 4 1024 0.5", "line 12: expected 10 columns, found 5");
    summary(&row.replace("1.0", "nan"), "line 12: a time must be finite and not negative, found `nan`");
    summary(&row.replace("1.0", "x"), "line 12: expected a number in column `sum_s`, found `x`");
    header(
        "# processors: 4",
        "# processors: 4\n# summaries: many",
        "line 4: expected a natural number as value of `summaries`, found `many`",
    );
    header(
        "# processors: 4",
        "# processors: 4\n# summaries: 1",
        "line 11: expected the column names `experiment processor P ... time_s count sum_s sum_squares_s2 min_s max_s`, \
         found `experiment processor P N time_s`",
    );
}

#[test]
fn counters() {
    header(
        "# variables: N",
        "# variables: N\n# counters: cycles",
        "line 11: there is no column for the variable `N` of experiment `f`",
    );
    header(
        "# variables: N",
        "# variables:\n# counters: cycles",
        "line 11: there is no column for the counter `cycles` of experiment `f`",
    );
    header(
        "# variables: N",
        "# variables: N\n# counters: a a",
        "line 7: expected names that differ as value of `counters`, found `a a`",
    );
}

#[test]
fn keys_of_other_bodies() {
    let program = |line: &str| format!("# program: p\n{line}");
    header(
        "# program: p",
        &program("# body: packed"),
        "line 3: expected `binary` or `text` as value of `body`, found `packed`",
    );
    header(
        "# program: p",
        &program("# unfinished:"),
        "line 3: expected a name as value of `unfinished`, found ``",
    );
    header(
        "# program: p",
        &program("# body: binary"),
        "line 5: experiment `f` has 1 variables, but 0 words as `types`",
    );
    header(
        "# program: p",
        &program("# body: binary\n# summaries: 3"),
        "line 12: summaries have no binary body: one of the keys `summaries` and `body` is wrong",
    );
    header(
        "# variables: N",
        "# variables: N\n# types: i32",
        "line 7: expected words `i64`, `u64` or `f64` as value of `types`, found `i32`",
    );
}

/// A header and a good block, then a block with one replacement, and the end. Where the second block stands comes with it.
fn blocks(at: usize, replacement: &[u8]) -> (Vec<u8>, usize) {
    let header = format!("{HEADER}{NAMES}")
        .replacen("# program: p", "# program: p\n# body: binary", 1)
        .replacen("# variables: N", "# variables: N\n# types: i64", 1);
    let row = |experiment: u32, processor: u32, values: &[i64]| blocks::Row {
        experiment,
        processor,
        machine: 4,
        ticks: 5,
        values: values.iter().map(|value| value.to_le_bytes()).collect(),
    };
    let block = blocks::block(1.0, 0, &[row(0, 3, &[1024]), row(1, 0, &[]), row(0, 0, &[2048])]);
    assert_eq!(block.len(), 40 + 40 + 24 + 16);
    let mut bytes = [header.as_bytes(), &block].concat();
    let start = bytes.len();
    bytes.extend(block);
    bytes[start + at..][..replacement.len()].copy_from_slice(replacement);
    bytes.extend(b"# end rows=6\n");
    (bytes, start)
}

fn block(at: usize, replacement: &[u8], expected: &str) {
    let (bytes, start) = blocks(at, replacement);
    check(&bytes, &expected.replace("HERE", &start.to_string()));
}

#[test]
fn text_after_the_end_of_blocks() {
    let (mut bytes, _) = blocks(0, b"");
    assert!(read(&bytes).is_ok());
    let end = bytes.len();
    bytes.extend(b"more");
    check(&bytes, &format!("byte {end}: text after the end of the trace: keep one trace in each file"));
}

#[test]
fn blocks_that_are_wrong() {
    block(
        0,
        b"CLLBLOCH",
        "byte HERE: expected `CLLBLOCK`, which opens a block, or `# end rows=...`, found `CLLBLOCH`",
    );
    block(0, b"# note\n", "byte HERE: expected a row or `# end rows=...`, found `# note`");
    for bytes in [0, 1, 40, 112, 119, 121, 136, u64::MAX] {
        block(
            8,
            &u64::to_le_bytes(bytes),
            &format!("byte HERE: a block with 3 rows of these experiments cannot have {bytes} bytes"),
        );
    }
    for (rows, bytes) in [(0, 120), (2, 120), (5, 120), (u32::MAX, 120)] {
        block(
            16,
            &u32::to_le_bytes(rows),
            &format!("byte HERE: a block with {rows} rows of these experiments cannot have {bytes} bytes"),
        );
    }
    block(16, &[4], "byte HERE: row 3 of the block is of experiment 3, and the header declares 2");
    block(20, &[0, 0, 0, 1], "byte HERE: expected 0 in bytes 20 to 23 of the block, found 16777216");
    for (factor, found) in
        [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-f64::INFINITY, "-inf")]
    {
        block(
            24,
            &f64::to_le_bytes(factor),
            &format!("byte HERE: expected a positive number of nanoseconds for each tick, found {found}"),
        );
    }
    block(44, &[2], "byte HERE: row 1 of the block is of experiment 2, and the header declares 2");
    block(44, &[0], "byte HERE: a block with 3 rows of these experiments cannot have 120 bytes");
    block(60, &[4], "byte HERE: row 2 of the block: expected a processor from 0 to 3, found 4");
}

#[test]
fn endless_lines() {
    let message =
        |place: &str| format!("{place}: a line or block of more than 64 MiB: no program writes that");
    let mebibytes = |count: usize| vec![0; count << 20];
    let mut reader = TraceReader::new(Limits::default());
    reader.push(format!("{HEADER}{NAMES}f 0 4 1024 0.5\nf").as_bytes()).unwrap();
    for _ in 0..25 {
        reader.push(&mebibytes(4)).unwrap();
    }
    assert_eq!(reader.push(b"\n").unwrap_err().to_string(), message("line 12"));

    // A computer that stops may leave zeros at the end of a file.
    let mut reader = TraceReader::new(Limits::default());
    reader.push(format!("{HEADER}{NAMES}f 0 4 1024 0.5\n").as_bytes()).unwrap();
    for _ in 0..25 {
        reader.push(&mebibytes(4)).unwrap();
    }
    assert_eq!(reader.finish().unwrap().completeness, Completeness::Cut { rows: 1, announced: None });

    let start = TraceReader::new(Limits::default()).push(&mebibytes(1)).unwrap_err().to_string();
    assert!(start.starts_with("this is no trace"), "{start}");
}

#[test]
fn behind_an_error_nothing_is_read() {
    let mut reader = TraceReader::new(Limits::default());
    let error = reader.push(format!("{HEADER}{NAMES}f 0 4 1024 x\n").as_bytes()).unwrap_err();
    assert_eq!(reader.push(ROWS.as_bytes()).unwrap_err(), error);
    assert_eq!(reader.finish().unwrap_err(), error);
}
