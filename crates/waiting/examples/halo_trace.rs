//! Writes the trace of a run that exchanges halos on a torus, as an MPI program would record it: `halo_trace PROCESSORS EVENTS > x.dat`, at least
//! so many events of all processors together. What each of them computes varies from step to step; `llac waits x.dat` analyses it.

use std::io::{self, BufWriter, Write};

/// Call paths come in so many sets, one a step, in turn.
const SETS: usize = 4;
const CALLS_OF_SET: usize = 10;
/// A sum over all processors stands behind every so many steps.
const STEPS_OF_SUM: usize = 8;
/// Between the calls of a step, nanoseconds; a call takes half of it.
const BETWEEN_CALLS_NS: u64 = 400;
const LATENCY_NS: u64 = 700;
const BLOCK_BYTES: usize = 1 << 16;
const TICKS_OF_NANOSECOND: u64 = 2;

fn main() -> io::Result<()> {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [processors, events] = numbers[..] else {
        return Err(io::Error::other("halo_trace PROCESSORS EVENTS"));
    };
    let steps = (events / processors).div_ceil(34).max(1);
    let torus = Torus::new(processors);
    let run = simulate(torus, steps);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    writeln!(
        out,
        "# call-trace 1\n# program: halo\n# processors: {processors}\n# experiment: E\n# variables:\nexperiment processor P time_s"
    )?;
    for processor in 0..processors {
        write_processor(&mut out, torus, &run, processor)?;
    }
    writeln!(out, "# end rows=0")?;
    out.flush()
}

#[derive(Debug, Clone, Copy)]
struct Torus {
    rows: usize,
    columns: usize,
}

impl Torus {
    fn new(processors: usize) -> Torus {
        let rows = (1..=processors).take_while(|rows| rows * rows <= processors);
        let rows = rows.filter(|rows| processors.is_multiple_of(*rows)).last().unwrap_or(1);
        Torus { rows, columns: processors / rows }
    }

    /// North, south, west, east: the opposite of each is its neighbour in this list.
    fn neighbours(self, processor: usize) -> [usize; 4] {
        let Torus { rows, columns } = self;
        let (row, column) = (processor / columns, processor % columns);
        [
            (row + rows - 1) % rows * columns + column,
            (row + 1) % rows * columns + column,
            row * columns + (column + columns - 1) % columns,
            row * columns + (column + 1) % columns,
        ]
    }
}

/// By step and processor: when the calls of the step begin, when its `MPI_Waitall` ends, and its sum if there is one.
struct Run {
    begin_ns: Vec<Vec<u64>>,
    end_ns: Vec<Vec<u64>>,
    sum_ns: Vec<Option<u64>>,
}

fn simulate(torus: Torus, steps: usize) -> Run {
    let processors = torus.rows * torus.columns;
    let mut now_ns = vec![0; processors];
    let mut run = Run { begin_ns: Vec::new(), end_ns: Vec::new(), sum_ns: Vec::new() };
    for step in 0..steps {
        let begin_ns: Vec<u64> = (0..processors).map(|own| now_ns[own] + computing_ns(own, step)).collect();
        let wait_ns = |own: usize| begin_ns[own] + 8 * BETWEEN_CALLS_NS;
        let end_ns: Vec<u64> = (0..processors)
            .map(|own| {
                let sent_ns = torus.neighbours(own).into_iter().map(|its| wait_ns(its) - BETWEEN_CALLS_NS);
                wait_ns(own).max(sent_ns.max().unwrap_or(0)) + LATENCY_NS
            })
            .collect();
        now_ns.clone_from(&end_ns);
        let sum_ns = (step % STEPS_OF_SUM == STEPS_OF_SUM - 1)
            .then(|| end_ns.iter().max().copied().unwrap_or(0) + BETWEEN_CALLS_NS + LATENCY_NS);
        sum_ns.iter().for_each(|end_ns| now_ns.fill(*end_ns));
        run.begin_ns.push(begin_ns);
        run.end_ns.push(end_ns);
        run.sum_ns.push(sum_ns);
    }
    run
}

/// Every seventh processor has more to do, and all have noise.
fn computing_ns(processor: usize, step: usize) -> u64 {
    let noise = (processor as u64 * 7919 + step as u64 * 104_729).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 50;
    20_000 + noise + if processor.is_multiple_of(7) { 5_000 } else { 0 }
}

fn write_processor(out: &mut impl Write, torus: Torus, run: &Run, processor: usize) -> io::Result<()> {
    let last = torus.rows * torus.columns - 1;
    writeln!(out, "# events of processor {processor}, clock common")?;
    for set in 0..SETS {
        for call in 0..CALLS_OF_SET {
            let name = match call {
                0..4 => "MPI_Irecv",
                4..8 => "MPI_Isend",
                8 => "MPI_Waitall",
                _ => "MPI_Allreduce",
            };
            let number = set * CALLS_OF_SET + call;
            writeln!(out, "# place {number}: {name} halo.c:{} in exchange{set} < main", 10 + number)?;
        }
    }
    writeln!(out, "# communicator 0: 0.0 0-{last}")?;
    let mut blocks = Blocks { out, bytes: Vec::new(), count: 0, start_ticks: 0, last_ticks: 0 };
    let neighbours = torus.neighbours(processor);
    let mut request = 0;
    for (step, begin_ns) in run.begin_ns.iter().enumerate() {
        let place = |call: usize| (step % SETS * CALLS_OF_SET + call) as u64;
        let at_ns = |call: usize| begin_ns[processor] + call as u64 * BETWEEN_CALLS_NS;
        for call in 0..8 {
            let partner = neighbours[call % 4] as u64;
            blocks.event(at_ns(call), 0, &[place(call)])?;
            match call {
                0..4 => blocks.event(at_ns(call) + 150, 10, &[request])?,
                // The tag of what goes north is that of what comes from the south.
                _ => blocks.event(at_ns(call), 6, &[partner, 0, (call % 4) as u64, 8192, request])?,
            }
            blocks.event(at_ns(call) + 200, 1, &[])?;
            request += 1;
        }
        let end_ns = run.end_ns[step][processor];
        blocks.event(at_ns(8), 0, &[place(8)])?;
        for direction in 0..4_u64 {
            let tag = direction ^ 1;
            let message = [neighbours[direction as usize] as u64, 0, tag, 8192, request - 8 + direction];
            blocks.event(end_ns, 11, &message)?;
        }
        for sent in 0..4 {
            blocks.event(end_ns, 8, &[request - 4 + sent])?;
        }
        blocks.event(end_ns, 1, &[])?;
        if let Some(sum_ns) = run.sum_ns[step] {
            let enter_ns = end_ns + BETWEEN_CALLS_NS;
            blocks.event(enter_ns, 0, &[place(9)])?;
            blocks.event(enter_ns, 14, &[6, 0, 0, 8, 8])?;
            blocks.event(sum_ns, 1, &[])?;
        }
    }
    blocks.finish()
}

struct Blocks<'a, Out: Write> {
    out: &'a mut Out,
    bytes: Vec<u8>,
    count: u64,
    start_ticks: u64,
    last_ticks: u64,
}

impl<Out: Write> Blocks<'_, Out> {
    fn event(&mut self, at_ns: u64, kind: u8, fields: &[u64]) -> io::Result<()> {
        if self.bytes.len() > BLOCK_BYTES - 64 {
            self.finish()?;
        }
        let ticks = at_ns * TICKS_OF_NANOSECOND;
        self.bytes.push(kind);
        self.natural(ticks - self.last_ticks);
        fields.iter().for_each(|field| self.natural(*field));
        self.last_ticks = ticks;
        self.count += 1;
        Ok(())
    }

    fn natural(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn finish(&mut self) -> io::Result<()> {
        let bytes = 48 + self.bytes.len() as u64;
        let tick = (1.0 / TICKS_OF_NANOSECOND as f64).to_bits();
        self.out.write_all(b"CLLEVENT")?;
        for word in [bytes, self.count, tick, self.start_ticks, 0] {
            self.out.write_all(&word.to_le_bytes())?;
        }
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        (self.count, self.start_ticks) = (0, self.last_ticks);
        Ok(())
    }
}
