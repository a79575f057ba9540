//! Draws superstep diagrams into a folder, to be looked at.
//!
//! `cargo run -p call-report --example timelines FOLDER`

use call_report::timeline::{
    ChainStretch, MachinePart, ProcessorRow, TimeMark, TimelineActivity, TimelineBar,
};
use call_report::{Look, Timeline};

/// Numbers from 0 to 1 that look like noise and are always the same.
fn noise(seed: usize) -> f64 {
    // The mixing function of MurmurHash3.
    let mixed = seed as u32 ^ (seed as u32 >> 16);
    let mixed = mixed.wrapping_mul(0x85eb_ca6b);
    let mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
    f64::from((mixed ^ (mixed >> 16)) >> 8) / f64::from(1_u32 << 24)
}

fn bar(activity: TimelineActivity, start_s: f64, end_s: f64, superstep: usize) -> TimelineBar {
    TimelineBar { activity, start_s, end_s, superstep }
}

/// A machine whose processors work, and then exchange with others: each waits for its partners, or all for all.
struct DrawnProgram {
    rows: Vec<ProcessorRow>,
    now_s: Vec<f64>,
    /// The processor that each superstep of each processor waited for.
    origins: Vec<Vec<usize>>,
}

impl DrawnProgram {
    fn new(processors: usize) -> DrawnProgram {
        DrawnProgram {
            rows: vec![ProcessorRow::default(); processors],
            now_s: vec![0.0; processors],
            origins: Vec::new(),
        }
    }

    fn superstep(
        &mut self,
        number: usize,
        work_s: impl Fn(usize) -> f64,
        partners: impl Fn(usize) -> Vec<usize>,
        exchange_s: f64,
    ) {
        let ready: Vec<f64> = self.now_s.iter().enumerate().map(|(row, now)| now + work_s(row)).collect();
        let last = |row: usize| {
            let all = partners(row).into_iter().chain([row]);
            all.max_by(|a, b| ready[*a].total_cmp(&ready[*b]).then((*a == row).cmp(&(*b == row))))
                .unwrap_or(row)
        };
        let origins: Vec<usize> = (0..self.rows.len()).map(last).collect();
        for (row, origin) in origins.iter().enumerate() {
            let (start, ready_s, both) = (self.now_s[row], ready[row], ready[*origin]);
            let bars = &mut self.rows[row].bars;
            bars.push(bar(TimelineActivity::Computing, start, ready_s, number));
            if both > ready_s {
                bars.push(bar(TimelineActivity::Waiting, ready_s, both, number));
            }
            bars.push(bar(TimelineActivity::Communicating, both, both + exchange_s, number));
            self.now_s[row] = both + exchange_s;
        }
        self.origins.push(origins);
    }

    /// Backwards from the processor that ends last.
    fn chain(&self) -> Vec<ChainStretch> {
        let mut row =
            (0..self.rows.len()).rev().max_by(|a, b| self.now_s[*a].total_cmp(&self.now_s[*b])).unwrap_or(0);
        let mut chain = Vec::new();
        for (number, origins) in self.origins.iter().enumerate().rev() {
            let bars = |row: usize| self.rows[row].bars.iter().filter(move |bar| bar.superstep == number);
            let communication = bars(row).next_back().copied();
            chain.extend(communication.map(|bar| ChainStretch {
                row,
                start_s: bar.start_s,
                end_s: bar.end_s,
            }));
            row = origins[row];
            let work = bars(row).next();
            chain.extend(work.map(|bar| ChainStretch { row, start_s: bar.start_s, end_s: bar.end_s }));
        }
        chain.reverse();
        chain
    }

    fn end_s(&self) -> f64 {
        self.now_s.iter().copied().fold(0.0, f64::max)
    }
}

/// Fig. 1 of the paper, with a unit w.
fn fig_1() -> Timeline {
    let mut program = DrawnProgram::new(2);
    let other = |row: usize| vec![1 - row];
    // P1 is there after 2 w, but its partner has nothing to wait for: oblivious synchronisation.
    program.superstep(0, |row| [1.0, 2.0][row], |row| vec![row], 1.0);
    program.superstep(1, |row| [2.0, 1.0][row], other, 1.0);
    Timeline {
        title: "Fig. 1: two supersteps on two processors".into(),
        notes: vec!["OBSP*: 5 w, BSP: 6 w".into()],
        axis: "time (w)".into(),
        chain: program.chain(),
        rows: program.rows,
        marks: vec![
            TimeMark { label: "OBSP* 5 w".into(), time_s: 5.0 },
            TimeMark { label: "BSP 6 w".into(), time_s: 6.0 },
        ],
        ..Timeline::default()
    }
}

/// The same with waiting in the first superstep.
fn two_processors() -> Timeline {
    let mut program = DrawnProgram::new(2);
    let other = |row: usize| vec![1 - row];
    program.superstep(0, |row| [1.2e-3, 2e-3][row], other, 0.7e-3);
    program.superstep(1, |row| [2.1e-3, 0.9e-3][row], other, 1e-3);
    program.superstep(2, |row| [0.8e-3, 1.1e-3][row], other, 0.4e-3);
    Timeline {
        title: "Three supersteps".into(),
        chain: program.chain(),
        rows: program.rows,
        ..Timeline::default()
    }
}

/// The recursion of Fig. 5 of the paper: halves of the machine transform halves of the data, then they exchange.
struct Fft {
    rows: Vec<ProcessorRow>,
    now_s: Vec<f64>,
    supersteps: Vec<String>,
    parts: Vec<MachinePart>,
}

impl Fft {
    fn put(&mut self, row: usize, activity: TimelineActivity, length_s: f64, superstep: usize) {
        let start_s = self.now_s[row];
        self.now_s[row] = start_s + length_s;
        self.rows[row].bars.push(bar(activity, start_s, start_s + length_s, superstep));
    }

    fn wait(&mut self, rows: std::ops::Range<usize>, superstep: usize) {
        let last = self.now_s[rows.clone()].iter().copied().fold(0.0, f64::max);
        for row in rows {
            if self.now_s[row] < last {
                self.put(row, TimelineActivity::Waiting, last - self.now_s[row], superstep);
            }
        }
    }

    fn transform(&mut self, rows: std::ops::Range<usize>, n: f64, name: &str) {
        let disturbed = |row: usize| 0.85 + 0.3 * noise(row + n as usize);
        if rows.len() == 1 {
            self.supersteps.push(format!("{name}FFT"));
            let row = rows.start;
            self.put(
                row,
                TimelineActivity::Computing,
                2e-9 * n * n.log2() * disturbed(row),
                self.supersteps.len() - 1,
            );
            return;
        }
        let (divide, combine) = (self.supersteps.len(), self.supersteps.len() + 1);
        // Those of the whole machine are counted by themselves.
        let name_of = |number: u32| if name.is_empty() { String::new() } else { format!("{name}{number}") };
        self.supersteps.extend([name_of(1), name_of(2)]);
        for row in rows.clone() {
            self.put(row, TimelineActivity::Computing, 1.6e-9 * n * disturbed(row + 31), divide);
        }
        self.wait(rows.clone(), divide);
        let middle = usize::midpoint(rows.start, rows.end);
        let start_s = self.now_s[rows.start];
        for (half, letter) in [(rows.start..middle, 'a'), (middle..rows.end, 'b')] {
            self.transform(half.clone(), n / 2.0, &format!("{name}1{letter}."));
            let end_s = self.now_s[half.clone()].iter().copied().fold(0.0, f64::max);
            self.parts.push(MachinePart { label: String::new(), rows: half, start_s, end_s });
        }
        self.wait(rows.clone(), divide);
        for row in rows.clone() {
            self.put(row, TimelineActivity::Communicating, 3e-9 * n, divide);
        }
        for row in rows {
            self.put(row, TimelineActivity::Computing, 2.5e-9 * n * disturbed(row + 57), combine);
        }
    }
}

fn fft(processors: usize) -> Timeline {
    let mut fft = Fft {
        rows: vec![ProcessorRow::default(); processors],
        now_s: vec![0.0; processors],
        supersteps: Vec::new(),
        parts: Vec::new(),
    };
    fft.transform(0..processors, 2_097_152.0, "");
    let end_s = fft.now_s.iter().copied().fold(0.0, f64::max);
    Timeline {
        title: format!("FFT of 2 Mi complex numbers on {processors} processors"),
        notes: vec!["node7, s = 2.1 GHz, g = 3 ns/byte, L = 12 µs".into()],
        rows: fft.rows,
        supersteps: fft.supersteps,
        parts: fft.parts,
        marks: vec![TimeMark { label: "BSP".into(), time_s: 1.08 * end_s }],
        ..Timeline::default()
    }
}

/// Neighbours exchange the borders of a grid.
fn stencil(processors: usize, supersteps: usize) -> Timeline {
    let mut program = DrawnProgram::new(processors);
    let mut bsp_s = 0.0;
    for number in 0..supersteps {
        let work_s = |row: usize| {
            let slow = if row % 9 == 4 && number % 40 < 14 { 1.5 } else { 1.0 };
            1e-5 * slow * (0.8 + 0.4 * noise(row * 1009 + number))
        };
        let neighbours = |row: usize| vec![row.saturating_sub(1), (row + 1).min(processors - 1)];
        bsp_s += (0..processors).map(work_s).fold(0.0, f64::max) + 3e-6;
        program.superstep(number, work_s, neighbours, 3e-6);
    }
    Timeline {
        title: format!("A grid on {processors} processors, {supersteps} supersteps"),
        chain: program.chain(),
        marks: vec![
            TimeMark { label: "OBSP*".into(), time_s: program.end_s() },
            TimeMark { label: "BSP".into(), time_s: bsp_s },
        ],
        rows: program.rows,
        ..Timeline::default()
    }
}

/// All wait for all, and the last processors have most to do.
fn barriers(processors: usize, supersteps: usize) -> Timeline {
    let mut program = DrawnProgram::new(processors);
    for number in 0..supersteps {
        let part = |row: usize| row as f64 / processors as f64;
        let work_s = |row: usize| 2.0 + 3.0 * part(row).powi(2) + 0.3 * noise(row * 1009 + number);
        let all = |_: usize| (0..processors).collect();
        program.superstep(number, work_s, all, 1.0);
    }
    Timeline {
        title: format!("{processors} processors with barriers"),
        chain: program.chain(),
        rows: program.rows,
        ..Timeline::default()
    }
}

/// Supersteps that are much shorter than a pixel.
fn many_supersteps() -> Timeline {
    let mut program = DrawnProgram::new(4);
    for number in 0..10_000 {
        let phase = (number as f64 / 2500.0).floor();
        let work_s = |row: usize| 1e-6 * (1.0 + phase * row as f64 + noise(row + 4 * number));
        program.superstep(number, work_s, |_| vec![0, 1, 2, 3], 1e-6);
    }
    Timeline {
        title: "10000 supersteps in four phases, ever less balanced".into(),
        chain: program.chain(),
        rows: program.rows,
        ..Timeline::default()
    }
}

fn hard() -> Timeline {
    let mut program = DrawnProgram::new(3);
    program.superstep(0, |row| 1e-9 * (row + 1) as f64, |_| vec![0, 1, 2], 0.5e-9);
    program.superstep(1, |row| 4e-9 / (row + 1) as f64, |_| vec![0, 1, 2], 0.5e-9);
    program.rows[0].label = "processor zero of node <0> & others with a long name".into();
    program.rows[2].bars.pop();
    Timeline {
        title: "Nanoseconds, hard texts & <marks> near to each other".into(),
        notes: vec!["a note that is longer than the picture is wide, ".repeat(6)],
        chain: program.chain(),
        rows: program.rows,
        supersteps: vec!["read & scatter".into(), "solve <A>".into()],
        marks: vec![
            TimeMark { label: "first mark".into(), time_s: 1e-9 },
            TimeMark { label: "second mark".into(), time_s: 1.1e-9 },
            TimeMark { label: "third mark".into(), time_s: 1.2e-9 },
            TimeMark { label: "a mark with a long name at the very end".into(), time_s: 8.2e-9 },
        ],
        ..Timeline::default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("give the folder to draw into")?;
    let timelines = [
        ("fig_1", fig_1()),
        ("two_processors", two_processors()),
        ("fft_8", fft(8)),
        ("fft_4", fft(4)),
        ("stencil_16x12", stencil(16, 12)),
        ("stencil_64x200", stencil(64, 200)),
        ("stencil_100x40", stencil(100, 40)),
        ("barriers_1000x6", barriers(1000, 6)),
        ("barriers_1000x60", barriers(1000, 60)),
        ("many_supersteps", many_supersteps()),
        ("hard_timeline", hard()),
    ];
    std::fs::create_dir_all(&folder)?;
    for (name, timeline) in timelines {
        let path = |ending: &str| format!("{folder}/{name}.{ending}");
        std::fs::write(path("svg"), timeline.svg()?)?;
        std::fs::write(path("png"), timeline.png(1200, timeline.height(1200))?)?;
        std::fs::write(path("80.txt"), timeline.text(80, 24, Look::Unicode)?)?;
        std::fs::write(path("120.txt"), timeline.text(120, 36, Look::Unicode)?)?;
        std::fs::write(path("ansi"), timeline.text(120, 36, Look::Coloured)?)?;
        std::fs::write(path("ascii.txt"), timeline.text(80, 24, Look::Ascii)?)?;
    }
    Ok(())
}
