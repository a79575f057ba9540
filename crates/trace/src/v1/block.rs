//! Binary rows: blocks of columns.

use std::ops::RangeInclusive;

use super::TraceBody;
use super::declaration::{Declaration, PROCESSORS, VariableType};
use super::header::FileHead;
use crate::collection::{Collection, Rounds};
use crate::lines::{WindowLines, excerpt};
use crate::{BlockProblem, Condensation, Error, Experiment, Limits};

const MAGIC: &[u8; 8] = b"CLLBLOCK";
const HEAD_BYTES: usize = 40;
/// Of experiment, processor and number of processors.
const NUMBERS_BYTES: u64 = 12;
/// Of ticks and all values.
const VALUE_BYTES: u64 = 8;
/// A counter that was not available.
const NO_COUNT: u64 = u64::MAX;

/// How many bytes what starts like this needs to be a head, or a whole block.
pub(super) fn length(open: &[u8]) -> u64 {
    let head = open.first_chunk::<HEAD_BYTES>();
    head.map_or(HEAD_BYTES as u64, |head| u64::from_le_bytes(head.as_chunks::<8>().0[1]))
}

/// A whole block, whose length fits to its rows in as far as that can be said without a look at them.
struct BinaryBlock<'a> {
    length: usize,
    rows: u32,
    clock: BlockClock,
    experiments: &'a [[u8; 4]],
    processors: &'a [[u8; 4]],
    machines: &'a [[u8; 4]],
    ticks: &'a [[u8; 8]],
    values: &'a [[u8; 8]],
}

impl<'a> BinaryBlock<'a> {
    /// The block at the start of `rest`; `None` if its end is missing.
    fn first(rest: &'a [u8], widths: &RangeInclusive<u64>) -> Result<Option<BinaryBlock<'a>>, BlockProblem> {
        let magic = &rest[..rest.len().min(MAGIC.len())];
        if !MAGIC.starts_with(magic) {
            return Err(BlockProblem::Magic { text: excerpt(magic) });
        }
        let Some(head) = rest.first_chunk::<HEAD_BYTES>() else { return Ok(None) };
        let (words, _) = head.as_chunks::<8>();
        let (halves, _) = head.as_chunks::<4>();
        let bytes = u64::from_le_bytes(words[1]);
        let rows = u32::from_le_bytes(halves[4]);
        let reserved = u32::from_le_bytes(halves[5]);
        if reserved != 0 {
            return Err(BlockProblem::Reserved { found: reserved });
        }
        let nanoseconds_per_tick = f64::from_le_bytes(words[3]);
        if !(nanoseconds_per_tick.is_finite() && nanoseconds_per_tick > 0.0) {
            return Err(BlockProblem::NanosecondsPerTick { found: nanoseconds_per_tick.to_string() });
        }
        // 2^32 rows of 20 bytes are far from 2^64, but there is no telling how many variables a header declares.
        let numbers_bytes = (NUMBERS_BYTES * u64::from(rows)).next_multiple_of(VALUE_BYTES);
        let fixed_bytes = HEAD_BYTES as u64 + numbers_bytes + VALUE_BYTES * u64::from(rows);
        let bytes_with = |width: u64| fixed_bytes.saturating_add(u64::from(rows).saturating_mul(width));
        let possible = bytes_with(*widths.start())..=bytes_with(*widths.end());
        if !possible.contains(&bytes) || bytes % VALUE_BYTES != 0 {
            return Err(BlockProblem::Size { rows, bytes });
        }
        let block = usize::try_from(bytes).ok().and_then(|bytes| rest.get(HEAD_BYTES..bytes));
        let Some(block) = block else { return Ok(None) };
        let count = rows as usize;
        let (numbers, values) = block.split_at(numbers_bytes as usize);
        let (numbers, _) = numbers.as_chunks::<4>();
        let (ticks, values) = values.as_chunks::<8>().0.split_at(count);
        Ok(Some(BinaryBlock {
            length: HEAD_BYTES + block.len(),
            rows,
            clock: BlockClock { nanoseconds_per_tick, subtracted_ns: u64::from_le_bytes(words[4]) },
            experiments: &numbers[..count],
            processors: &numbers[count..2 * count],
            machines: &numbers[2 * count..3 * count],
            ticks,
            values,
        }))
    }
}

#[derive(Clone, Copy)]
struct BlockClock {
    nanoseconds_per_tick: f64,
    subtracted_ns: u64,
}

impl BlockClock {
    #[inline]
    fn seconds(self, ticks: u64) -> f64 {
        /// Up to here a number of nanoseconds is a double, and one division gives what nine decimals are read as.
        const LARGEST_EXACT: u64 = 1 << 53;
        const NANOSECONDS_PER_SECOND: u64 = 1_000_000_000;
        let exact_ns = if self.nanoseconds_per_tick == 1.0 { ticks } else { self.rounded_ns(ticks) };
        let time_ns = exact_ns.saturating_sub(self.subtracted_ns);
        if time_ns > LARGEST_EXACT {
            return long_time_s(time_ns);
        }
        time_ns.cast_signed() as f64 / NANOSECONDS_PER_SECOND as f64
    }

    /// To the nearest, halves away from zero. `f64::round` is a call on most processors, and signed numbers are converted
    /// faster; they reach 292 years.
    #[inline]
    fn rounded_ns(self, ticks: u64) -> u64 {
        let time_ns = ticks as f64 * self.nanoseconds_per_tick;
        let below = time_ns as i64;
        below.saturating_add(i64::from(time_ns - below as f64 >= 0.5)).cast_unsigned()
    }
}

/// A hundred days and more.
#[cold]
fn long_time_s(time_ns: u64) -> f64 {
    let (seconds, nanoseconds) = (time_ns / 1_000_000_000, time_ns % 1_000_000_000);
    // Digits and a point are a number.
    format!("{seconds}.{nanoseconds:09}").parse().unwrap_or(f64::INFINITY)
}

/// Blocks while they are read.
#[derive(Debug)]
pub(super) struct BlocksReader {
    head: FileHead,
    tables: Vec<BinaryTable>,
    /// Bytes of the values of a row, at least and at most.
    widths: RangeInclusive<u64>,
    /// For each experiment its rows in the present block.
    counts: Vec<usize>,
    /// The experiments with rows in the present block, ascending.
    present: Vec<usize>,
    /// The rows of the present block, those of each experiment together.
    rows: Vec<usize>,
    /// Where in [`BlocksReader::rows`] those of each experiment that is present end.
    ends: Vec<usize>,
    /// The rows of all blocks.
    all_rows: u64,
    rounds: Rounds,
}

impl BlocksReader {
    pub(super) fn new(head: FileHead, limits: Limits) -> BlocksReader {
        let has_executions = head.has_executions();
        let table = |its| BinaryTable::new(its, has_executions);
        let tables: Vec<BinaryTable> = head.experiments.iter().map(table).collect();
        let widths = || tables.iter().map(|table| VALUE_BYTES.saturating_mul(table.targets.len() as u64));
        BlocksReader {
            widths: widths().min().unwrap_or(0)..=widths().max().unwrap_or(0),
            tables,
            counts: vec![0; head.experiments.len()],
            present: Vec::new(),
            rounds: Rounds::new(limits, head.experiments.len()),
            rows: Vec::new(),
            ends: vec![0; head.experiments.len()],
            head,
            all_rows: 0,
        }
    }

    /// Reads the whole blocks up to a line that starts with `#`; returns whether that was met.
    pub(super) fn read(&mut self, lines: &mut WindowLines, is_last: bool) -> Result<bool, Error> {
        loop {
            let rest = lines.rest();
            if rest.first() == Some(&b'#') {
                return Ok(true);
            }
            if rest.len() < HEAD_BYTES && !is_last {
                return Ok(false);
            }
            let fail = |problem| Error::Block { byte: lines.offset(), problem };
            let Some(block) = BinaryBlock::first(rest, &self.widths).map_err(fail)? else { return Ok(false) };
            self.push(&block).map_err(fail)?;
            self.all_rows += u64::from(block.rows);
            if self.rounds.count(block.rows as usize) {
                self.rounds.look(&mut self.tables, |table| &mut table.collection);
            }
            lines.skip_block(block.length);
        }
    }

    pub(super) fn finish(self) -> TraceBody {
        let tables = self.tables.into_iter().zip(&self.head.experiments);
        let (experiments, condensations) = tables.map(|(table, its)| table.finish(its)).unzip();
        TraceBody { head: self.head, experiments, condensations, rows: self.all_rows }
    }

    fn push(&mut self, block: &BinaryBlock) -> Result<(), BlockProblem> {
        self.count(block)?;
        self.check_processors(block)?;
        self.order(block);
        let (mut values, mut start) = (block.values, 0);
        for &experiment in &self.present {
            let (table, end) = (&mut self.tables[experiment], self.ends[experiment]);
            table.push_rows(block, &self.rows[start..end]);
            values = table.push_values(values, end - start);
            start = end;
        }
        Ok(())
    }

    /// Counts the rows of each experiment, and sees that there are as many values.
    fn count(&mut self, block: &BinaryBlock) -> Result<(), BlockProblem> {
        for experiment in self.present.drain(..) {
            self.counts[experiment] = 0;
        }
        for (row, experiment) in block.experiments.iter().enumerate() {
            let (found, experiments) = (natural(experiment), self.counts.len());
            let Some(count) = self.counts.get_mut(found as usize) else {
                return Err(BlockProblem::Experiment { row, found, experiments });
            };
            if *count == 0 {
                self.present.push(found as usize);
            }
            *count += 1;
        }
        self.present.sort_unstable();
        let columns = |its: usize| self.tables[its].targets.len() as u128;
        let values = self.present.iter().map(|its| self.counts[*its] as u128 * columns(*its)).sum::<u128>();
        if values != block.values.len() as u128 {
            return Err(BlockProblem::Size { rows: block.rows, bytes: block.length as u64 });
        }
        Ok(())
    }

    /// Puts the rows of each experiment together.
    fn order(&mut self, block: &BinaryBlock) {
        // Where the next row of each experiment belongs; in the end that is where its rows end.
        let mut next = 0;
        for &experiment in &self.present {
            self.ends[experiment] = next;
            next += self.counts[experiment];
        }
        self.rows.resize(next, 0);
        for (row, experiment) in block.experiments.iter().enumerate() {
            let end = &mut self.ends[natural(experiment) as usize];
            self.rows[*end] = row;
            *end += 1;
        }
    }

    fn check_processors(&self, block: &BinaryBlock) -> Result<(), BlockProblem> {
        let processors = self.head.processor_limit();
        let numbers = || block.processors.iter().map(natural);
        if numbers().max().is_none_or(|largest| largest < processors) {
            return Ok(());
        }
        let wrong = numbers().enumerate().find(|(_, found)| *found >= processors);
        wrong.map_or(Ok(()), |(row, found)| Err(BlockProblem::Processor { row, processors, found }))
    }
}

fn natural(bytes: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*bytes)
}

/// The samples of one experiment while blocks are read.
#[derive(Debug)]
struct BinaryTable {
    /// For each column of values where they belong.
    targets: Vec<ColumnTarget>,
    /// Whether the program has a variable of its own in the place of the number of processors.
    has_own_p: bool,
    collection: Collection,
}

#[derive(Debug)]
enum ColumnTarget {
    Column(usize, VariableType),
    Counter(usize),
    Executions,
}

impl BinaryTable {
    fn new(declaration: &Declaration, has_executions: bool) -> BinaryTable {
        let samples = declaration.samples();
        // The first column is that of `P`, and the variables follow in their order.
        let mut last = 0;
        let columns = declaration.variables.iter().zip(&declaration.types).map(|(name, its)| {
            if name == PROCESSORS {
                return ColumnTarget::Column(0, *its);
            }
            last += 1;
            ColumnTarget::Column(last, *its)
        });
        let counters = (0..declaration.counters.len()).map(ColumnTarget::Counter);
        let executions = has_executions.then_some(ColumnTarget::Executions);
        let targets: Vec<ColumnTarget> = columns.chain(counters).chain(executions).collect();
        let has_own_p = targets.iter().any(|target| matches!(target, ColumnTarget::Column(0, _)));
        BinaryTable { targets, has_own_p, collection: Collection::new(samples) }
    }

    fn push_rows(&mut self, block: &BinaryBlock, rows: &[usize]) {
        let samples = &mut self.collection.samples;
        let rows = rows.iter().copied();
        samples.processor.extend(rows.clone().map(|row| natural(&block.processors[row])));
        if !self.has_own_p {
            samples.columns[0].extend(rows.clone().map(|row| f64::from(natural(&block.machines[row]))));
        }
        let clock = block.clock;
        samples.time_s.extend(rows.map(|row| clock.seconds(u64::from_le_bytes(block.ticks[row]))));
    }

    /// Takes the columns of `count` values each; returns what follows them.
    fn push_values<'a>(&mut self, mut values: &'a [[u8; 8]], count: usize) -> &'a [[u8; 8]] {
        let samples = &mut self.collection.samples;
        for target in &self.targets {
            let (column, rest) = values.split_at(count);
            let column = column.iter().copied();
            match target {
                ColumnTarget::Column(index, VariableType::Signed) => {
                    samples.columns[*index].extend(column.map(|bytes| i64::from_le_bytes(bytes) as f64));
                }
                ColumnTarget::Column(index, VariableType::Unsigned) => {
                    samples.columns[*index].extend(column.map(|bytes| u64::from_le_bytes(bytes) as f64));
                }
                ColumnTarget::Column(index, VariableType::Real) => {
                    samples.columns[*index].extend(column.map(f64::from_le_bytes));
                }
                ColumnTarget::Counter(index) => {
                    let counts = column.map(u64::from_le_bytes);
                    let known = counts.map(|count| if count == NO_COUNT { f64::NAN } else { count as f64 });
                    samples.counters[*index].extend(known);
                }
                // None stands for less than itself.
                ColumnTarget::Executions => {
                    samples.count.extend(column.map(|bytes| u64::from_le_bytes(bytes).max(1)));
                }
            }
            values = rest;
        }
        values
    }

    fn finish(self, declaration: &Declaration) -> (Experiment, Option<Condensation>) {
        declaration.experiment(self.collection)
    }
}
