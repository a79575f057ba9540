//! Small traces and what they are read as.

use crate::blocks;
use call_trace::{Completeness, Folding, Joining, LineRange, read};

/// The example of FORMAT.md.
const EXAMPLE: &str = "\
# call-trace 1
# program: fft
# source: fft.c
# command: ./fft 2097152
# date: 2026-11-21T09:30:00Z
# host: node7
# system: Linux 6.1.0 x86_64
# cpu: AMD EPYC 7B13
# cores: 2
# caches_bytes: 32768 1048576
# compiler: gcc 12.2.0
# flags: -O2,-march=native
# kind: PUB
# transport: embedded
# processors: 4
# clock: TSC
# clock_resolution_ns: 10.015
# clock_frequency_hz: 2596139781
# clock_frequency_uncertainty_hz: 2324
# empty_pair_ns: 30
# experiment: f
# formula: f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P - 1)/P
# variables: N
# lines: 105-109 120-123 solver.h:7-12
# experiment: A
# variables:
# lines: 31-33
experiment processor P N time_s
f 0 4 1024 0.000123456
A 0 4 nan 0.000000118
# end rows=2
";

/// A trace with few keys in front of the given experiments, columns and rows.
fn small(text: &str) -> Vec<u8> {
    format!("# call-trace 1\n# program: p\n# processors: 4\n{text}").into_bytes()
}

fn range(file: Option<&str>, first: u32, last: u32) -> LineRange {
    LineRange { file: file.map(str::to_owned), first, last }
}

#[test]
fn the_example_of_the_format_is_read() {
    let trace = read(EXAMPLE.as_bytes()).unwrap();
    assert_eq!(trace.completeness, Completeness::Complete);
    let header = &trace.header;
    let texts = [
        (&header.program, "fft"),
        (&header.source, "fft.c"),
        (&header.command, "./fft 2097152"),
        (&header.date, "2026-11-21T09:30:00Z"),
        (&header.host, "node7"),
        (&header.system, "Linux 6.1.0 x86_64"),
        (&header.cpu, "AMD EPYC 7B13"),
        (&header.compiler, "gcc 12.2.0"),
        (&header.flags, "-O2,-march=native"),
        (&header.kind, "PUB"),
        (&header.transport, "embedded"),
        (&header.clock, "TSC"),
    ];
    for (value, expected) in texts {
        assert_eq!(value, expected);
    }
    assert_eq!(header.mpi, "");
    let over_mpi =
        EXAMPLE.replace("transport: embedded", "transport: MPI\n# mpi: Open MPI v4.1.4, package: x");
    assert_eq!(read(over_mpi.as_bytes()).unwrap().header.mpi, "Open MPI v4.1.4, package: x");
    assert_eq!((header.cores, header.processors), (Some(2), 4));
    assert_eq!(header.caches_bytes, [32768, 1048576]);
    assert_eq!((header.clock_resolution_ns, header.empty_pair_ns), (Some(10.015), Some(30.0)));
    assert_eq!(
        (header.clock_frequency_hz, header.clock_frequency_uncertainty_hz),
        (Some(2_596_139_781.0), Some(2324.0))
    );
    assert_eq!(header.subtracted_ns, None);
    assert_eq!((header.abandoned, header.late_chunks), (0, 0));

    let [f, a] = trace.experiments.as_slice() else { panic!("two experiments") };
    assert_eq!((f.name.as_str(), a.name.as_str()), ("f", "A"));
    let formula = "f[0] + f[1]*log(P) + f[2]*(N/P)*log(N/P) + f[3]*N*(P - 1)/P";
    assert_eq!((f.formula.as_deref(), a.formula.as_deref()), (Some(formula), None));
    assert_eq!(f.lines, [range(None, 105, 109), range(None, 120, 123), range(Some("solver.h"), 7, 12)]);
    assert_eq!(f.samples.names, ["P", "N"]);
    assert_eq!(f.samples.columns, [[4.0], [1024.0]]);
    assert_eq!(
        (&f.samples.processor, &f.samples.run, &f.samples.time_s),
        (&vec![0], &vec![0], &vec![0.000123456])
    );
    assert_eq!((&a.samples.names, &a.samples.columns), (&vec!["P".to_owned()], &vec![vec![4.0]]));
    assert_eq!(a.samples.time_s, [0.000000118]);
}

#[test]
fn blocks_may_stand_in_files_of_any_name() {
    let names = [
        (r"dir/a.h:1-2", "dir/a.h"),
        (r"C:\\my\sfiles\\a:b-3.h:1-2", r"C:\my files\a:b-3.h"),
        (r"tab\tline\nreturn\rother\x:1-2", "tab\tline\nreturn\rother\\x"),
        (r":1-2", ""),
    ];
    for (written, name) in names {
        let text = EXAMPLE.replace("# lines: 31-33", &format!("# lines: {written} 31-33"));
        let trace = read(text.as_bytes()).expect("a trace");
        assert_eq!(trace.experiments[1].lines, [range(Some(name), 1, 2), range(None, 31, 33)], "{written}");
    }
}

#[test]
fn lines_may_end_as_those_of_dos() {
    let dos = EXAMPLE.replace('\n', "\r\n");
    assert_eq!(read(dos.as_bytes()), read(EXAMPLE.as_bytes()));
}

#[test]
fn blanks_may_be_more_or_tabulators() {
    let text = EXAMPLE.replace("f 0 4 1024 0.000123456", " f\t0   4\t 1024 0.000123456 ");
    assert_eq!(read(text.as_bytes()), read(EXAMPLE.as_bytes()));
}

#[test]
fn counts_of_troubles_are_read_where_there_are_any() {
    let text =
        EXAMPLE.replace("# empty_pair_ns: 30\n", "# empty_pair_ns: 46.5\n# abandoned: 3\n# late_chunks: 1\n");
    let header = read(text.as_bytes()).unwrap().header;
    assert_eq!((header.abandoned, header.late_chunks, header.empty_pair_ns), (3, 1, Some(46.5)));
}

#[test]
fn what_was_subtracted_is_read() {
    let text = EXAMPLE.replace("# empty_pair_ns: 30\n", "# empty_pair_ns: 30\n# subtracted_ns: 30\n");
    let header = read(text.as_bytes()).unwrap().header;
    assert_eq!((header.empty_pair_ns, header.subtracted_ns), (Some(30.0), Some(30.0)));
}

#[test]
fn how_busy_the_computer_was_is_read() {
    let busy = "# empty_pair_ns: 30\n# waited_share: 0.25\n# stolen_share: 0.0625\n# load_average: 3.5\n";
    let header = read(EXAMPLE.replace("# empty_pair_ns: 30\n", busy).as_bytes()).unwrap().header;
    assert_eq!((header.taken_share(), header.load_average), (Some(0.3125), Some(3.5)));
    assert_eq!(read(EXAMPLE.as_bytes()).unwrap().header.taken_share(), None);
}

#[test]
fn unknown_keys_are_skipped() {
    let text = EXAMPLE.replace("# lines: 31-33\n", "# lines: 31-33\n# colour: red\n# colour: green\n");
    assert_eq!(read(text.as_bytes()), read(EXAMPLE.as_bytes()));
}

#[test]
fn escapes_stand_for_line_ends_and_backslashes() {
    let text = EXAMPLE.replace("./fft 2097152", r"./fft 'a\nb\rc\\nd\te: #' \");
    let header = read(text.as_bytes()).unwrap().header;
    assert_eq!(header.command, "./fft 'a\nb\rc\\nd\\te: #' \\");
}

#[test]
fn header_values_need_not_be_utf8() {
    let mut bytes = EXAMPLE.as_bytes().to_vec();
    let at = EXAMPLE.find("node7").unwrap();
    bytes[at] = 0xff;
    assert_eq!(read(&bytes).unwrap().header.host, "\u{fffd}ode7");
}

#[test]
fn names_of_any_bytes_meet_their_rows() {
    let mut bytes = small("# experiment: ");
    bytes.extend(b"\xe9t\xe9\n# variables: \xe9\nexperiment processor P \xe9 time_s\n\xe9t\xe9 0 1 2 3\n# end rows=1\n");
    let trace = read(&bytes).unwrap();
    assert_eq!(trace.experiments[0].name, "\u{fffd}t\u{fffd}");
    assert_eq!(trace.experiments[0].samples.columns, [[1.0], [2.0]]);
}

#[test]
fn experiments_take_their_columns_in_their_own_order() {
    let text = "# experiment: f\n# variables: a b\n# experiment: ff\n# variables: c b\nexperiment processor P a b c time_s\n\
        f 0 4 1 2 nan 0.5\nff 1 2 nan 3 4 0.25\nf 3 4 5 6 nan 0\n# end rows=3\n";
    let trace = read(&small(text)).unwrap();
    let [f, ff] = trace.experiments.as_slice() else { panic!("two experiments") };
    assert_eq!(
        (&f.samples.names[1..], &ff.samples.names[1..]),
        (["a", "b"].map(String::from).as_slice(), ["c", "b"].map(String::from).as_slice())
    );
    assert_eq!(f.samples.columns, [[4.0, 4.0], [1.0, 5.0], [2.0, 6.0]]);
    assert_eq!(ff.samples.columns, [[2.0], [4.0], [3.0]]);
    assert_eq!((&f.samples.processor, &f.samples.time_s), (&vec![0, 3], &vec![0.5, 0.0]));
}

#[test]
fn a_variable_called_p_is_the_column_p() {
    let text =
        "# experiment: f\n# variables: N P\nexperiment processor P N time_s\nf 0 2.5 8 1\n# end rows=1\n";
    let samples = &read(&small(text)).unwrap().experiments[0].samples;
    assert_eq!(
        (samples.names.as_slice(), samples.column("P")),
        (["P", "N"].map(String::from).as_slice(), Some([2.5].as_slice()))
    );
}

#[test]
fn variables_may_be_called_as_the_fixed_columns() {
    let text = "# experiment: f\n# variables: processor time_s\nexperiment processor P processor time_s time_s\n\
        f 1 4 2 3 0.5\n# end rows=1\n";
    let samples = &read(&small(text)).unwrap().experiments[0].samples;
    assert_eq!(
        (samples.column("processor"), samples.column("time_s")),
        (Some([2.0].as_slice()), Some([3.0].as_slice()))
    );
    assert_eq!((&samples.processor, &samples.time_s), (&vec![1], &vec![0.5]));
}

#[test]
fn reals_may_be_infinite_or_none() {
    let text = "# experiment: f\n# variables: x\nexperiment processor P x time_s\nf 0 4 -inf 1\nf 0 4 nan 1\n\
        f 0 4 -1.5e-300 1e-9\n# end rows=3\n";
    let samples = &read(&small(text)).unwrap().experiments[0].samples;
    let x = samples.column("x").unwrap();
    assert_eq!((x[0], x[1].is_nan(), x[2], samples.time_s[2]), (f64::NEG_INFINITY, true, -1.5e-300, 1e-9));
}

#[test]
fn there_may_be_no_rows_and_no_experiments() {
    let trace =
        read(&small("# experiment: f\n# variables: x\nexperiment processor P x time_s\n# end rows=0\n"))
            .unwrap();
    assert!(trace.experiments[0].samples.is_empty());
    assert_eq!(trace.experiments[0].samples.column("x"), Some([].as_slice()));
    assert!(read(&small("experiment processor P time_s\n# end rows=0\n")).unwrap().experiments.is_empty());
}

#[test]
fn a_cut_trace_has_the_rows_that_are_whole() {
    let check = |text: &str, rows: usize, announced: Option<u64>| {
        let trace = read(text.as_bytes()).unwrap();
        assert_eq!(trace.completeness, Completeness::Cut { rows: rows as u64, announced }, "{text}");
        let times: Vec<f64> = trace.experiments.iter().flat_map(|its| its.samples.time_s.clone()).collect();
        assert_eq!(times, [0.000123456, 0.000000118][..rows], "{text}");
    };
    let without_end = EXAMPLE.strip_suffix("# end rows=2\n").unwrap();
    check(without_end, 2, None);
    check(EXAMPLE.trim_end(), 2, None);
    check(&format!("{without_end}# e"), 2, None);
    check(&format!("{without_end}f 0 4 10"), 2, None);
    // What is left of a number may be a number.
    check(without_end.strip_suffix("18\n").unwrap(), 1, None);
    check(without_end.strip_suffix("\n").unwrap(), 1, None);
    check(&EXAMPLE[..EXAMPLE.find("f 0 4").unwrap()], 0, None);
    check(&EXAMPLE.replace("rows=2", "rows=3"), 2, Some(3));
    check(&EXAMPLE.replace("rows=2", "rows=0"), 2, Some(0));
}

#[test]
fn an_unfinished_trace_may_have_more_processors_than_it_knows() {
    let text = EXAMPLE.replace("# processors: 4\n", "# processors: 1\n# unfinished: node7.4711\n");
    let text = text.replace("f 0 4 1024", "f 6 4 1024").replace("# end rows=2\n", "f 0 4 1");
    let trace = read(text.as_bytes()).unwrap();
    assert_eq!(trace.completeness, Completeness::Unfinished { run: "node7.4711".to_owned(), rows: 2 });
    assert_eq!((trace.header.processors, &trace.experiments[0].samples.processor), (7, &vec![6]));
}

#[test]
fn counters_are_no_variables() {
    let text = "# experiment: f\n# variables: N cycles\n# counters: misses cycles\n# experiment: g\n# variables:\n\
        # counters: misses\nexperiment processor P N cycles misses cycles time_s\nf 0 4 8 9 100 2000 0.5\n\
        g 0 4 nan nan 30 nan 0.25\nf 0 4 8 9 nan 2001.5 0.5\n# end rows=3\n";
    let trace = read(&small(text)).unwrap();
    let (f, g) = (&trace.experiments[0].samples, &trace.experiments[1].samples);
    assert_eq!(f.names, ["P", "N", "cycles"]);
    assert_eq!(f.columns, [[4.0, 4.0], [8.0, 8.0], [9.0, 9.0]]);
    assert_eq!(f.counter_names, ["misses", "cycles"]);
    assert_eq!(format!("{:?}", f.counters), "[[100.0, NaN], [2000.0, 2001.5]]");
    assert_eq!((&g.counter_names, &g.counters), (&vec!["misses".to_owned()], &vec![vec![30.0]]));
}

#[test]
fn summaries_stand_beside_the_samples_that_are_kept() {
    let text = "# summaries: 2\n# experiment: f\n# variables: N\n# counters: cycles\n\
        experiment processor P N cycles time_s count sum_s sum_squares_s2 min_s max_s\n\
        f 0 4 8 1.5 0.000000500 4 0.000002001 1.25e-12 0.000000250 0.000001000\n\
        f 0 4 8 1 0.000000300 0 0 0 0 0\n\
        f 1 4 16 nan 5000000000.000000001 5000000000 1 2 3 4\n\
        f 0 4 8 2 0.000000400 0 0 0 0 0\n# end rows=4\n";
    let trace = read(&small(text)).unwrap();
    assert_eq!((trace.header.summaries, &trace.completeness), (Some(2), &Completeness::Complete));
    let f = &trace.experiments[0];
    assert_eq!((&f.samples.processor, &f.samples.time_s), (&vec![0, 0], &vec![3e-7, 4e-7]));
    assert_eq!((&f.samples.counters, &f.samples.run), (&vec![vec![1.0, 2.0]], &vec![0, 0]));
    assert!(f.samples.count.is_empty());
    let summaries = &f.summaries;
    assert_eq!(summaries.points.count, [4, 5_000_000_000]);
    assert_eq!(summaries.points.columns, [[4.0, 4.0], [8.0, 16.0]]);
    assert_eq!((&summaries.points.processor, &summaries.points.time_s), (&vec![0, 1], &vec![5e-7, 5e9]));
    assert_eq!((&summaries.sum_s, &summaries.sum_squares_s2), (&vec![2.001e-6, 1.0], &vec![1.25e-12, 2.0]));
    assert_eq!((&summaries.min_s, &summaries.max_s), (&vec![2.5e-7, 3.0], &vec![1e-6, 4.0]));
    assert_eq!(summaries.points.counters[0][0], 1.5);
}

/// A binary trace of two experiments and what stands behind its header.
fn binary(body: &[u8]) -> Vec<u8> {
    let header = "# body: binary\n# experiment: f\n# variables: P x\n# types: u64 f64\n# counters: cycles\n# experiment: g\n\
        # variables:\nexperiment processor P x cycles time_s\n";
    [small(header).as_slice(), body].concat()
}

fn f(ticks: u64, p: u64, x: f64, cycles: u64) -> blocks::Row {
    let values = vec![p.to_le_bytes(), x.to_le_bytes(), cycles.to_le_bytes()];
    blocks::Row { ticks, processor: 3, machine: 4, values, ..blocks::Row::default() }
}

fn g(ticks: u64) -> blocks::Row {
    blocks::Row { ticks, experiment: 1, machine: 2, ..blocks::Row::default() }
}

#[test]
fn blocks_are_read_as_their_text() {
    let rows = [g(1), f(7, u64::MAX, -0.0, 12), f(u64::MAX, 3, f64::NAN, u64::MAX), g(0), g(1 << 60)];
    let first = blocks::block(1.0, 0, &rows);
    let second = blocks::block(1.0, 3, &[f(10, 9, 0.1, 0), f(2, 9, f64::INFINITY, u64::MAX - 1)]);
    let third = blocks::block(0.5, 1, &[g(5), g(4), g(1), g(3 << 60)]);
    let body = [first.as_slice(), &second, &blocks::block(1.0, 0, &[]), &third, b"# end rows=11\n"].concat();
    let text = "# experiment: f\n# variables: P x\n# counters: cycles\n# experiment: g\n# variables:\n\
        experiment processor P x cycles time_s\ng 0 2 nan nan 0.000000001\n\
        f 3 18446744073709551615 -0 12 0.000000007\nf 3 3 nan nan 18446744073.709551615\ng 0 2 nan nan 0.000000000\n\
        g 0 2 nan nan 1152921504.606846976\n\
        f 3 9 0.1 0 0.000000007\nf 3 9 inf 18446744073709551614 0.000000000\n\
        g 0 2 nan nan 0.000000002\ng 0 2 nan nan 0.000000001\ng 0 2 nan nan 0.000000000\n\
        g 0 2 nan nan 1729382256.910270463\n# end rows=11\n";
    assert_eq!(format!("{:?}", read(&binary(&body)).unwrap()), format!("{:?}", read(&small(text)).unwrap()));
}

#[test]
fn a_cut_binary_trace_has_the_blocks_that_are_whole() {
    let block = blocks::block(1.0, 0, &[g(1), g(2)]);
    for length in 0..block.len() {
        let trace = read(&binary(&[block.as_slice(), &block[..length]].concat())).unwrap();
        assert_eq!(trace.completeness, Completeness::Cut { rows: 2, announced: None });
        assert_eq!(trace.experiments[1].samples.time_s, [1e-9, 2e-9]);
    }
    let trace = read(&binary(b"")).unwrap();
    assert_eq!(trace.completeness, Completeness::Cut { rows: 0, announced: None });
    let trace = read(&binary(&[block.as_slice(), b"# end rows=2"].concat())).unwrap();
    assert_eq!(trace.completeness, Completeness::Cut { rows: 2, announced: None });
    let trace = read(&binary(&[block.as_slice(), b"# end rows=7\n"].concat())).unwrap();
    assert_eq!(trace.completeness, Completeness::Cut { rows: 2, announced: Some(7) });
}

#[test]
fn with_a_budget_rows_say_for_how_many_executions_they_stand() {
    let text = "# budget: 0.02\n# pair_cost_ns: 58.2\n# measuring_share: 0.0215\n# experiment: f\n# variables: N\n# counters: c\n\
        experiment processor P N c time_s executions\nf 0 1 8 7 0.1 1\nf 0 1 8 7 0.3 99\nf 1 1 8 nan 0.5 4\n# end rows=3\n";
    let trace = read(&small(text)[..]).unwrap();
    let header = &trace.header;
    assert_eq!(
        (header.budget, header.pair_cost_ns, header.measuring_share),
        (Some(0.02), Some(58.2), Some(0.0215))
    );
    let f = &trace.experiments[0];
    assert_eq!((&f.samples.count, f.samples.executions()), (&vec![1, 99, 4], 104));
    // Each processor has its mean before they are joined, as they did not measure the same executions.
    let mean = f.condense(Joining::Mean, Folding::Mean);
    assert_eq!((mean.len(), mean.count[0]), (1, 100));
    assert!((mean.time_s[0] - (0.01 * 0.1 + 0.99 * 0.3 + 0.5) / 2.0).abs() < 1e-12, "{mean:?}");
    // The median is that of all executions.
    assert_eq!(f.condense(Joining::One(0), Folding::Median).time_s, [0.3]);
    for wrong in ["0", "nan", "-1", ""] {
        let text = text.replace("0.3 99", &format!("0.3 {wrong}"));
        assert!(read(&small(&text)[..]).is_err(), "{wrong}");
    }
    // Summaries count executions themselves.
    let text = "# budget: 0.02\n# summaries: 16\n# experiment: f\n# variables: N\n\
        experiment processor P N time_s count sum_s sum_squares_s2 min_s max_s\nf 0 1 8 0.2 50 10 2 0.1 0.3\n# end rows=1\n";
    assert_eq!(read(&small(text)[..]).unwrap().experiments[0].summaries.points.count, [50]);
    // In blocks they are the last column.
    let row = |ticks, executions: u64| blocks::Row {
        ticks,
        machine: 1,
        values: vec![8_i64.to_le_bytes(), executions.to_le_bytes()],
        ..blocks::Row::default()
    };
    let mut bytes = small(
        "# body: binary\n# budget: 0.02\n# experiment: f\n# variables: N\n# types: i64\nexperiment processor P N time_s executions\n",
    );
    bytes.extend(blocks::block(1.0, 0, &[row(5, 1), row(7, 300)]));
    bytes.extend(b"# end rows=2\n");
    let trace = read(&bytes[..]).unwrap();
    assert_eq!(
        (&trace.completeness, &trace.experiments[0].samples.count),
        (&Completeness::Complete, &vec![1, 300])
    );
}
