//! Random tables as text and as blocks: both are read alike, parts of them as far as they go, and damage never panics.

use crate::blocks;
use call_trace::{Completeness, Samples, Trace, read};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

const PROCESSORS: u32 = 3;
const EXPERIMENTS: usize = 3;

/// A type of variables, with how eight bytes of it are written as text.
#[derive(Debug, Clone, Copy)]
enum Type {
    I64,
    U64,
    F64,
}

impl Type {
    fn name(self) -> &'static str {
        match self {
            Type::I64 => "i64",
            Type::U64 => "u64",
            Type::F64 => "f64",
        }
    }

    fn text(self, bytes: [u8; 8]) -> String {
        match self {
            Type::I64 => i64::from_le_bytes(bytes).to_string(),
            Type::U64 => u64::from_le_bytes(bytes).to_string(),
            Type::F64 => f64::from_le_bytes(bytes).to_string(),
        }
    }
}

/// The variables `v0`, `v1`, … (or `P`) of an experiment with their types, and how many of the counters `c0`, `c1`, … it has.
#[derive(Debug, Clone)]
struct Shape {
    variables: Vec<(String, Type)>,
    counters: usize,
}

#[derive(Debug, Clone)]
struct Table {
    shapes: Vec<Shape>,
    rows: Vec<blocks::Row>,
    rows_of_a_block: usize,
    subtracted_ns: u64,
    /// An unfinished trace has no end line.
    is_unfinished: bool,
}

fn shape() -> impl Strategy<Value = Shape> {
    let variable = || prop_oneof![Just(Type::I64), Just(Type::U64), Just(Type::F64)];
    (vec(variable(), 0..3), 0..3_usize, any::<bool>()).prop_map(|(types, counters, has_own_p)| {
        let name = |index| if index == 0 && has_own_p { "P".to_owned() } else { format!("v{index}") };
        let variables = types.into_iter().enumerate().map(|(index, its)| (name(index), its)).collect();
        Shape { variables, counters }
    })
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..100_u64, any::<u64>(), Just(u64::MAX), (0..1_u64 << 54)]
}

fn value() -> impl Strategy<Value = [u8; 8]> {
    prop_oneof![number().prop_map(u64::to_le_bytes), any::<f64>().prop_map(f64::to_le_bytes)]
}

fn table() -> impl Strategy<Value = Table> {
    let row = (0..EXPERIMENTS as u32, 0..PROCESSORS, any::<u32>(), number(), vec(value(), 4));
    let rows = vec(row, 0..20);
    (vec(shape(), EXPERIMENTS), rows, 1..8_usize, prop_oneof![Just(0), 0..50_u64], any::<bool>()).prop_map(
        |(shapes, rows, rows_of_a_block, subtracted_ns, is_unfinished)| {
            let row =
                |(experiment, processor, machine, ticks, mut values): (u32, u32, u32, u64, Vec<[u8; 8]>)| {
                    let shape = &shapes[experiment as usize];
                    values.truncate(shape.variables.len() + shape.counters);
                    blocks::Row { experiment, processor, machine, ticks, values }
                };
            let rows = rows.into_iter().map(row).collect();
            Table { shapes, rows, rows_of_a_block, subtracted_ns, is_unfinished }
        },
    )
}

impl Table {
    fn header(&self, is_binary: bool) -> String {
        let mut text = format!("# call-trace 1\n# program: p\n# processors: {PROCESSORS}\n");
        if is_binary {
            text += "# body: binary\n";
        }
        if self.is_unfinished {
            text += "# unfinished: run\n";
        }
        let (names, counters) = self.columns();
        for (number, shape) in self.shapes.iter().enumerate() {
            let variables: String = shape.variables.iter().map(|(name, _)| format!(" {name}")).collect();
            let types: String = shape.variables.iter().map(|(_, its)| format!(" {}", its.name())).collect();
            text += &format!("# experiment: e{number}\n# variables:{variables}\n");
            if !types.is_empty() {
                text += &format!("# types:{types}\n");
            }
            let counters: String = (0..shape.counters).map(|counter| format!(" c{counter}")).collect();
            if !counters.is_empty() {
                text += &format!("# counters:{counters}\n");
            }
        }
        let counters = (0..counters).map(|counter| format!("c{counter}"));
        let columns: String = names.into_iter().chain(counters).map(|name| format!(" {name}")).collect();
        text + &format!("experiment processor P{columns} time_s\n")
    }

    /// The columns of variables, and the number of counters.
    fn columns(&self) -> (Vec<String>, usize) {
        let own = self.shapes.iter().flat_map(|shape| &shape.variables);
        let mut names: Vec<String> = own.map(|(name, _)| name.clone()).filter(|name| name != "P").collect();
        names.sort();
        names.dedup();
        (names, self.shapes.iter().map(|shape| shape.counters).max().unwrap_or(0))
    }

    fn end(&self) -> String {
        if self.is_unfinished { String::new() } else { format!("# end rows={}\n", self.rows.len()) }
    }

    fn text(&self) -> Vec<u8> {
        let mut text = self.header(false);
        let (names, counters) = self.columns();
        for row in &self.rows {
            let shape = &self.shapes[row.experiment as usize];
            let value = |name: &str| {
                let index = shape.variables.iter().position(|(own, _)| own == name)?;
                Some(shape.variables[index].1.text(row.values[index]))
            };
            let counter = |counter: usize| {
                let count = u64::from_le_bytes(row.values[shape.variables.len() + counter]);
                if count == u64::MAX { "nan".to_owned() } else { count.to_string() }
            };
            let machine = value("P").unwrap_or(row.machine.to_string());
            text += &format!("e{} {} {machine}", row.experiment, row.processor);
            for name in &names {
                text += &format!(" {}", value(name).unwrap_or("nan".to_owned()));
            }
            for index in 0..counters {
                text +=
                    &if index < shape.counters { format!(" {}", counter(index)) } else { " nan".to_owned() };
            }
            let time_ns = row.ticks.saturating_sub(self.subtracted_ns);
            text += &format!(" {}.{:09}\n", time_ns / 1_000_000_000, time_ns % 1_000_000_000);
        }
        (text + &self.end()).into_bytes()
    }

    fn binary(&self) -> Vec<u8> {
        let blocks = self.rows.chunks(self.rows_of_a_block);
        let blocks: Vec<u8> = blocks.flat_map(|rows| blocks::block(1.0, self.subtracted_ns, rows)).collect();
        [self.header(true).as_bytes(), &blocks, self.end().as_bytes()].concat()
    }
}

/// NaN is not equal to itself; its debug text is.
fn shown(trace: &Trace) -> String {
    format!("{trace:?}")
}

fn rows(trace: &Trace) -> u64 {
    trace.experiments.iter().map(|experiment| experiment.samples.len() as u64).sum()
}

/// Whether these samples are the first ones of others.
fn are_first(samples: &Samples, of: &Samples) -> bool {
    let first = of.select(|index| index < samples.len());
    format!("{first:?}") == format!("{samples:?}")
}

fn check_part(part: &[u8], whole: &Trace, header: usize, body: usize) -> Result<(), TestCaseError> {
    let Ok(trace) = read(part) else {
        prop_assert!(part.len() < header, "{} bytes are refused", part.len());
        return Ok(());
    };
    prop_assert!(part.len() >= header);
    let found = rows(&trace);
    match &trace.completeness {
        Completeness::Complete => prop_assert!(part.len() > body),
        Completeness::Cut { rows, announced } => prop_assert_eq!((*rows, *announced), (found, None)),
        Completeness::Unfinished { rows, .. } => prop_assert_eq!(*rows, found),
    }
    prop_assert!(part.len() < body || found == rows(whole));
    for (part, whole) in trace.experiments.iter().zip(&whole.experiments) {
        prop_assert!(are_first(&part.samples, &whole.samples));
    }
    Ok(())
}

fn damaged(mut bytes: Vec<u8>, damage: &[(Index, u8)]) -> Vec<u8> {
    for (at, byte) in damage {
        let at = at.index(bytes.len());
        bytes[at] = *byte;
    }
    bytes
}

proptest! {
    #[test]
    fn text_and_blocks_are_read_alike(table in table()) {
        let (text, binary) = (read(&table.text()).unwrap(), read(&table.binary()).unwrap());
        prop_assert_eq!(shown(&text), shown(&binary));
        prop_assert_eq!(rows(&text), table.rows.len() as u64);
        prop_assert_eq!(text.completeness == Completeness::Complete, !table.is_unfinished);
    }

    /// The text has whole nanoseconds, so the rounding is checked against a way of its own.
    #[test]
    fn ticks_become_nanoseconds(ticks in 0..1_u64 << 40, factor in 0.01..100.0_f64, subtracted_ns in 0..1000_u64) {
        let row = blocks::Row { ticks, ..blocks::Row::default() };
        let body = blocks::block(factor, subtracted_ns, &[row]);
        let header = "# call-trace 1\n# program: p\n# processors: 1\n# body: binary\n# experiment: e\n# variables:\n\
            experiment processor P time_s\n";
        let trace = read(&[header.as_bytes(), &body, b"# end rows=1\n"].concat()).unwrap();
        let time_ns = ((ticks as f64 * factor).round() as u64).saturating_sub(subtracted_ns);
        let text = format!("{}.{:09}", time_ns / 1_000_000_000, time_ns % 1_000_000_000);
        prop_assert_eq!(trace.experiments[0].samples.time_s[0], text.parse::<f64>().unwrap());
    }

    #[test]
    fn damage_does_not_panic(table in table(), damage in vec((any::<Index>(), any::<u8>()), 1..4)) {
        for bytes in [table.text(), table.binary()] {
            if let Ok(trace) = read(&damaged(bytes, &damage)) {
                for samples in trace.experiments.iter().map(|experiment| &experiment.samples) {
                    let columns = samples.columns.iter().chain(&samples.counters);
                    prop_assert!(columns.chain([&samples.time_s]).all(|column| column.len() == samples.len()));
                    prop_assert_eq!((samples.processor.len(), samples.run.len()), (samples.len(), samples.len()));
                }
            }
        }
    }

    /// Damage where it hurts: in the heads of blocks.
    #[test]
    fn damaged_blocks_do_not_panic(table in table(), damage in vec((0..80_usize, any::<u8>()), 1..4)) {
        let (mut bytes, header) = (table.binary(), table.header(true).len());
        for (at, byte) in damage {
            if let Some(place) = bytes.get_mut(header + at) {
                *place = byte;
            }
        }
        let _ = read(&bytes);
    }
}

proptest! {
    // Each case reads a trace as often as it has bytes.
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_part_of_a_trace_has_the_rows_that_are_whole(table in table()) {
        for (bytes, header) in [(table.text(), table.header(false)), (table.binary(), table.header(true))] {
            let whole = read(&bytes).unwrap();
            let body = bytes.len() - table.end().len();
            for end in 0..bytes.len() {
                check_part(&bytes[..end], &whole, header.len(), body)?;
            }
            prop_assert_eq!(shown(&read(&bytes).unwrap()), shown(&whole));
        }
    }
}
