//! Tables as people and other programs write them.

use crate::common::file;
use crate::reading::{check, check_table};
use call_exchange::{FileFormat, ReadOptions, read};
use call_trace::Unit;

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
