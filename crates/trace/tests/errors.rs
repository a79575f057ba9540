//! Every reason to refuse a file, with the whole message.

use call_trace::read;

fn check(bytes: &[u8], expected: &str) {
    let message = read(bytes).expect_err("the file is wrong").to_string();
    assert_eq!(message, expected, "{}", String::from_utf8_lossy(bytes));
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
fn cut_files() {
    let cut = |rows: u32| {
        format!(
            "the trace was cut: it lacks its last line, `# end rows=...`, and {rows} whole rows were found; run the \
             program again, with enough room on its disk"
        )
    };
    check(b"# call", &cut(0));
    check(b"# call-trace 1", &cut(0));
    check(b"# call-trace 1\n", &cut(0));
    check(b"# call-trace 1\n# program: p\n# proc", &cut(0));
    check(format!("{HEADER}{NAMES}").as_bytes(), &cut(0));
    check(format!("{HEADER}{NAMES}f 0 4 1024 0.5").as_bytes(), &cut(0));
    end("", &cut(2));
    end("f 0 4 10", &cut(2));
    end("# end rows=2", &cut(2));
    let announced = |rows: u32| {
        format!(
            "the trace was cut: its last line speaks of {rows} rows, and 2 whole rows were found; run the program again, \
             with enough room on its disk"
        )
    };
    end("# end rows=1\n", &announced(1));
    end("# end rows=3\n", &announced(3));
}

#[test]
fn text_after_the_end() {
    let after = "line 14: text after the end of the trace: keep one trace in each file";
    end("# end rows=2\n\n", after);
    end("# end rows=2\nf", after);
    end(&format!("# end rows=2\n{HEADER}"), after);
}
