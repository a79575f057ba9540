//! Random traces by a writer of their own: they are read back, cut ones as far as they go, damaged ones never panic.

use crate::blocks;
use crate::windows;
use call_trace::{Completeness, Experiment, Header, LineRange, Samples, Summaries, Trace, read};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

const PROCESSORS: u32 = 5;
/// Columns between `P` and `time_s`; each experiment has some of them.
const VARIABLES: [&str; 3] = ["N", "M", "x"];

/// Experiment, processor, P, values of all variables, nanoseconds.
type Row = (usize, u32, u32, [f64; 3], u64);

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![(0..1_u64 << 53).prop_map(|whole| whole as f64), -1e6..1e6_f64, any::<f64>()]
}

fn row(experiments: usize) -> impl Strategy<Value = Row> {
    (0..experiments, 0..PROCESSORS, 1..4096_u32, [value(), value(), value()], 0..1_u64 << 53)
}

fn experiment(position: usize) -> impl Strategy<Value = Experiment> {
    let variables = Just(VARIABLES.to_vec())
        .prop_shuffle()
        .prop_flat_map(|all| (0..=all.len()).prop_map(move |count| all[..count].to_vec()));
    let formula = proptest::option::of("[ -~ℵ\n\r]{0,20}");
    let file = proptest::option::of("[ -~ℵ\n\r\t]{0,10}");
    let line = (file, 0..1000_u32, 0..1000_u32).prop_map(|(file, first, count)| LineRange {
        file,
        first,
        last: first + count,
    });
    (variables, formula, vec(line, 0..3)).prop_map(move |(variables, formula, lines)| {
        let names: Vec<String> = std::iter::once("P").chain(variables).map(str::to_owned).collect();
        let columns = vec![Vec::new(); names.len()];
        // Each name is the beginning of the next one.
        let name = "f".repeat(position + 1);
        let samples = Samples { names, columns, ..Samples::default() };
        let summaries = Summaries {
            points: Samples {
                names: samples.names.clone(),
                columns: samples.columns.clone(),
                ..Samples::default()
            },
            ..Summaries::default()
        };
        Experiment { name, formula, lines, samples, summaries, ..Experiment::default() }
    })
}

fn header() -> impl Strategy<Value = Header> {
    let text = || "[ -~ℵ\n\r]{0,30}";
    let caches = vec(0..1_u64 << 40, 0..4);
    let cores = proptest::option::of(0..100_u32);
    let empty_pair_ns = proptest::option::of(0.0..1e6_f64);
    (text(), text(), text(), cores, caches, empty_pair_ns, 0..3_u64).prop_map(
        |(program, command, cpu, cores, caches_bytes, empty_pair_ns, abandoned)| Header {
            program,
            command,
            cpu,
            cores,
            caches_bytes,
            processors: PROCESSORS,
            empty_pair_ns,
            abandoned,
            ..Header::default()
        },
    )
}

/// A trace and the text that a program would have written for it.
fn trace() -> impl Strategy<Value = (Trace, String)> {
    let experiments = prop_oneof![
        experiment(0).prop_map(|only| vec![only]),
        (experiment(0), experiment(1), experiment(2)).prop_map(|(a, b, c)| vec![a, b, c]),
    ];
    (header(), experiments)
        .prop_flat_map(|(header, experiments)| {
            let rows = vec(row(experiments.len()), 0..30);
            (Just(header), Just(experiments), rows)
        })
        .prop_map(|(header, mut experiments, rows)| {
            for row in &rows {
                push(&mut experiments[row.0].samples, row);
            }
            let trace = Trace { header, experiments, ..Trace::default() };
            let text = write(&trace, &rows);
            (trace, text)
        })
}

fn push(samples: &mut Samples, &(_, processor, p, values, nanoseconds): &Row) {
    for (name, column) in samples.names.iter().zip(&mut samples.columns) {
        let variable = VARIABLES.iter().position(|variable| variable == name);
        column.push(variable.map_or(f64::from(p), |variable| values[variable]));
    }
    samples.processor.push(processor);
    samples.run.push(0);
    samples.time_s.push(seconds(nanoseconds).parse().expect("a number"));
}

fn seconds(nanoseconds: u64) -> String {
    format!("{}.{:09}", nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

fn written_range(range: &LineRange) -> String {
    let word = |file: &String| escaped(file).replace('\t', "\\t").replace(' ', "\\s") + ":";
    format!(" {}{}-{}", range.file.as_ref().map(word).unwrap_or_default(), range.first, range.last)
}

fn write(trace: &Trace, rows: &[Row]) -> String {
    let header = &trace.header;
    let mut text = format!(
        "# call-trace 1\n# program: {}\n# command: {}\n# cpu: {}\n# processors: {PROCESSORS}\n",
        escaped(&header.program),
        escaped(&header.command),
        escaped(&header.cpu)
    );
    if let Some(cores) = header.cores {
        text += &format!("# cores: {cores}\n");
    }
    if !header.caches_bytes.is_empty() {
        let sizes: Vec<String> = header.caches_bytes.iter().map(u64::to_string).collect();
        text += &format!("# caches_bytes: {}\n", sizes.join(" "));
    }
    if let Some(empty_pair_ns) = header.empty_pair_ns {
        text += &format!("# empty_pair_ns: {empty_pair_ns}\n");
    }
    if header.abandoned > 0 {
        text += &format!("# abandoned: {}\n", header.abandoned);
    }
    for experiment in &trace.experiments {
        text += &format!("# experiment: {}\n", experiment.name);
        if let Some(formula) = &experiment.formula {
            text += &format!("# formula: {}\n", escaped(formula));
        }
        let lines: String = experiment.lines.iter().map(written_range).collect();
        text += &format!("# variables: {}\n# lines:{lines}\n", experiment.samples.names[1..].join(" "));
    }
    text += &format!("experiment processor P {} time_s\n", VARIABLES.join(" "));
    for (experiment, processor, p, values, nanoseconds) in rows {
        let experiment = &trace.experiments[*experiment];
        text += &format!("{} {processor} {p}", experiment.name);
        for (variable, value) in VARIABLES.iter().zip(values) {
            let is_own = experiment.samples.names.iter().any(|name| name == variable);
            text += &if is_own { format!(" {value}") } else { " nan".to_owned() };
        }
        text += &format!(" {}\n", seconds(*nanoseconds));
    }
    text + &format!("# end rows={}\n", rows.len())
}

/// Sections of supersteps.
const SUPERSTEPS: &str = "\
# supersteps of processor 1, clock common
# place 1: bsp_sync fft.c:88 in exchange < fft < main
# place 2: report ? in main
# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages in_messages partners experiments inner_waiting_s
# 1 0-3.0 0 1 0.000001200 0.000410000 0.000052000 0.000003100 0.000002100 4096 4096 1 1 0 f=0.000200000,B=0.000400000 0.000012000
# supersteps of processor 2, clock own
# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages in_messages partners
";

/// Sizes of windows, small and large ones by turns.
fn sizes() -> impl Strategy<Value = Vec<usize>> {
    vec(prop_oneof![1..4_usize, 1..100_usize, 1..2000_usize], 1..5)
}

fn binary_row() -> impl Strategy<Value = blocks::Row> {
    (0..2_u32, 0..PROCESSORS, 1..99_u32, any::<u64>(), any::<u64>()).prop_map(
        |(experiment, processor, machine, ticks, value)| blocks::Row {
            experiment,
            processor,
            machine,
            ticks,
            values: if experiment == 0 { vec![value.to_le_bytes()] } else { Vec::new() },
        },
    )
}

/// A trace with these rows in each block.
fn binary(rows: &[Vec<blocks::Row>]) -> Vec<u8> {
    let mut bytes = format!(
        "# call-trace 1\n# program: p\n# processors: {PROCESSORS}\n# body: binary\n# experiment: f\n# variables: N\n\
         # types: i64\n# experiment: g\n# variables:\nexperiment processor P N time_s\n"
    )
    .into_bytes();
    for rows in rows {
        bytes.extend(blocks::block(0.385, 20, rows));
    }
    let count: usize = rows.iter().map(Vec::len).sum();
    bytes.extend(format!("{SUPERSTEPS}# end rows={count}\n").bytes());
    bytes
}

/// NaN is not equal to itself; its debug text is.
fn assert_same(left: &Trace, right: &Trace) {
    assert_eq!(format!("{left:?}"), format!("{right:?}"));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back((trace, text) in trace()) {
        assert_same(&read(text.as_bytes()).unwrap(), &trace);
        assert_same(&read(text.replace('\n', "\r\n").as_bytes()).unwrap(), &trace);
    }

    #[test]
    fn a_trace_without_one_of_its_rows_is_not_complete((_, text) in trace(), chosen: Index) {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let first = lines.iter().position(|line| !line.starts_with('#')).unwrap() + 1;
        let rows = lines.len() - 1 - first;
        prop_assume!(rows > 0);
        let lost = first + chosen.index(rows);
        let rest: String = lines.iter().enumerate().filter(|(index, _)| *index != lost).map(|(_, line)| *line).collect();
        let (found, announced) = (rows as u64 - 1, Some(rows as u64));
        prop_assert_eq!(read(rest.as_bytes()).unwrap().completeness, Completeness::Cut { rows: found, announced });
    }

    #[test]
    fn damage_does_not_panic((_, text) in trace(), damage in vec((any::<Index>(), any::<u8>()), 1..4)) {
        let mut bytes = text.into_bytes();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(trace) = read(&bytes) {
            for samples in trace.experiments.iter().map(|experiment| &experiment.samples) {
                prop_assert!(samples.columns.iter().all(|column| column.len() == samples.len()));
                prop_assert_eq!((samples.processor.len(), samples.run.len()), (samples.len(), samples.len()));
            }
        }
    }

    #[test]
    fn windows_make_no_difference((_, text) in trace(), cut: Index, has_dos_lines: bool, sizes in sizes()) {
        let text = text.replace("# end", &format!("{SUPERSTEPS}# end"));
        let text = if has_dos_lines { text.replace('\n', "\r\n") } else { text };
        windows::check_windows(text.as_bytes(), &sizes);
        windows::check_windows(&text.as_bytes()[..cut.index(text.len())], &sizes);
    }

    #[test]
    fn windows_make_no_difference_to_blocks(rows in vec(vec(binary_row(), 0..20), 0..5), cut: Index, sizes in sizes()) {
        let bytes = binary(&rows);
        windows::check_windows(&bytes, &sizes);
        windows::check_windows(&bytes[..cut.index(bytes.len())], &sizes);
    }

    #[test]
    fn windows_make_no_difference_to_damage(
        (_, text) in trace(),
        rows in vec(vec(binary_row(), 0..20), 0..5),
        damage in vec((any::<Index>(), any::<u8>()), 1..4),
        sizes in sizes(),
    ) {
        for mut bytes in [text.into_bytes(), binary(&rows)] {
            for (at, byte) in &damage {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            windows::check_windows(&bytes, &sizes);
        }
    }

    #[test]
    fn bytes_do_not_panic(bytes in vec(any::<u8>(), 0..500), version: bool, sizes in sizes()) {
        let start: &[u8] = if version { b"# call-trace 1\n" } else { b"" };
        windows::check_windows(&[start, &bytes].concat(), &sizes);
    }
}
