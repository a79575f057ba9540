//! Traces with more samples than are to be kept.

use crate::blocks;
use std::fmt::Write;

use call_trace::{
    Completeness, Condensation, Dataset, Experiment, Folding, Joining, Limits, Trace, TraceReader, read,
};

const ROWS: u32 = 200_000;
const HEADER: &str = "# call-trace 1\n# program: p\n# processors: 4\n";
const EXPERIMENTS: &str = "# experiment: rare\n# variables:\n# types:\n# experiment: often\n# variables: N\n# types: i64\n\
    experiment processor P N time_s\n";

/// Rows of two experiments; `often` has so many points.
fn rows(points: u32) -> impl Iterator<Item = (u32, u32, u64, u64)> {
    let mut state = 1_u64;
    (0..ROWS).map(move |row| {
        // Steps of a linear congruential generator (Knuth, MMIX).
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let is_often = u32::from(row % 1000 != 7);
        (is_often, row % 4, u64::from(row / 4 % points), state >> 40)
    })
}

fn text(points: u32) -> Vec<u8> {
    let mut text = format!("{HEADER}{EXPERIMENTS}");
    for (is_often, processor, n, time_ns) in rows(points) {
        let (name, n) = if is_often == 1 { ("often", n.to_string()) } else { ("rare", "nan".to_owned()) };
        writeln!(text, "{name} {processor} 4 {n} 0.{time_ns:09}").unwrap();
    }
    writeln!(text, "# end rows={ROWS}").unwrap();
    text.into_bytes()
}

fn binary(points: u32) -> Vec<u8> {
    let rows: Vec<blocks::Row> = rows(points)
        .map(|(experiment, processor, n, ticks)| blocks::Row {
            experiment,
            processor,
            machine: 4,
            ticks,
            values: if experiment == 1 { vec![n.to_le_bytes()] } else { Vec::new() },
        })
        .collect();
    let mut bytes = format!("{HEADER}# body: binary\n{EXPERIMENTS}").into_bytes();
    rows.chunks(4096).for_each(|some| bytes.extend(blocks::block(1.0, 0, some)));
    bytes.extend(format!("# end rows={ROWS}\n").bytes());
    bytes
}

fn read_within(bytes: &[u8], limits: Limits, window: usize) -> Trace {
    let mut reader = TraceReader::new(limits);
    bytes.chunks(window).for_each(|window| reader.push(window).unwrap());
    reader.finish().unwrap()
}

#[test]
fn what_is_summed_up_gives_the_same_folds() {
    let limits = Limits { samples: 100_000, summaries: 10_000 };
    for bytes in [text(50), binary(50)] {
        let whole = read(&bytes).unwrap();
        let bounded = read_within(&bytes, limits, 100_000);
        assert_eq!(bounded, read_within(&bytes, limits, 4097));
        assert_eq!(bounded.completeness, whole.completeness);
        assert_eq!(bounded.experiments[0], whole.experiments[0]);
        let told = Condensation { experiment: "often".to_owned(), measurements: 199_800, points_per_kept: 1 };
        assert_eq!(bounded.condensations, [told]);
        let [often, all] = [&bounded.experiments[1], &whole.experiments[1]];
        assert_eq!((often.summaries.len(), often.samples.len() <= 200 * 16), (200, true));
        let fold = |of: &Experiment, folding| of.condense(Joining::Each, folding);
        assert_eq!(fold(often, Folding::Minimum), fold(all, Folding::Minimum));
        let [mean, exact] = [often, all].map(|its| fold(its, Folding::Mean));
        assert_eq!((&mean.columns, &mean.count), (&exact.columns, &exact.count));
        assert!(mean.time_s.iter().zip(&exact.time_s).all(|(one, other)| (one / other - 1.0).abs() < 1e-12));
    }
}

#[test]
fn points_are_bounded_and_those_that_are_left_are_whole() {
    let limits = Limits { samples: 100_000, summaries: 1000 };
    for bytes in [text(5000), binary(5000)] {
        let trace = read_within(&bytes, limits, 1 << 20);
        assert_eq!(trace, read_within(&bytes, limits, 10_000));
        let summaries = &trace.experiments[1].summaries;
        assert!((250..=1000).contains(&summaries.len()), "{}", summaries.len());
        let told =
            Condensation { experiment: "often".to_owned(), measurements: 199_800, points_per_kept: 32 };
        assert_eq!(trace.condensations, [told]);
        // All rows of a point on all processors, but those that were of the other experiment.
        assert_eq!(summaries.len() % 4, 0);
        assert!(summaries.points.count.iter().all(|count| (9..=10).contains(count)));
    }
}

#[test]
fn up_to_the_limit_all_is_kept() {
    let bytes = text(50);
    let limits = Limits { samples: ROWS as usize, summaries: 1 };
    let (one, other) = (read_within(&bytes, limits, 1 << 20), read(&bytes).unwrap());
    assert_eq!(one, other);
    assert!(read_within(&bytes, limits.beside(150_000), 1 << 20).condensations.len() == 1);
}

#[test]
fn many_experiments_and_columns_are_read_in_linear_time() {
    const COUNT: usize = 20_000;
    let mut text = HEADER.to_owned();
    for number in 0..COUNT {
        write!(text, "# experiment: f{number}\n# variables: N{number}\n").unwrap();
    }
    text += "experiment processor P";
    (0..COUNT).for_each(|number| write!(text, " N{number}").unwrap());
    write!(text, " time_s\nf{} 0 4", COUNT - 1).unwrap();
    text += &" nan".repeat(COUNT - 1);
    text += " 8 0.5\n";
    for processor in 0..COUNT {
        writeln!(text, "# supersteps of processor {processor}, clock own").unwrap();
        text += "# superstep machine depth place start_s computing_s waiting_s communicating_s recording_s out_bytes in_bytes \
            out_messages in_messages partners\n";
    }
    text += "# end rows=1\n";
    let mut dataset = Dataset::new();
    dataset.add("a.dat", read(text.as_bytes()).unwrap()).unwrap();
    dataset.add("b.dat", read(text.as_bytes()).unwrap()).unwrap();
    let last = &dataset.experiments[COUNT - 1];
    assert_eq!(
        (last.samples.columns[1].as_slice(), dataset.experiments.len()),
        ([8.0, 8.0].as_slice(), COUNT)
    );
    assert_eq!(dataset.runs[1].supersteps.len(), COUNT);
}

/// Each byte is looked at a few times only, however long a line or block is.
#[test]
fn long_lines_and_blocks_come_byte_by_byte() {
    const LENGTH: usize = 1 << 20;
    let word = "x".repeat(LENGTH);
    let zeros = "0".repeat(LENGTH);
    let header = format!("# call-trace 1\n# program: {word}\n# processors: 4\n");
    let long = format!("{header}{EXPERIMENTS}often 0 4 {zeros}8 0.5\n# end rows=1\n");
    let rows: Vec<blocks::Row> = (0..LENGTH / 20).map(|_| blocks::Row::default()).collect();
    let mut block = format!("{header}# body: binary\n{EXPERIMENTS}").into_bytes();
    block.extend(blocks::block(1.0, 0, &rows));
    block.extend(format!("# end rows={}\n", rows.len()).bytes());
    for bytes in [long.as_bytes(), &block] {
        let trace = read_within(bytes, Limits::NONE, 1);
        assert_eq!(trace.completeness, Completeness::Complete);
        assert_eq!(trace, read(bytes).unwrap());
    }
}
