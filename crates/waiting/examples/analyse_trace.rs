//! Analyses a trace as `llac waits` does: `analyse_trace x.dat` tells how long each part takes and the memory at its end, `analyse_trace x.dat all`
//! prints all that was found, for comparisons of answers before and after a change.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "what it is for")]

use std::io::{self, Read};
use std::time::Instant;

use call_trace::{Limits, TraceReader};
use call_waiting::Waits;

const WINDOW_BYTES: usize = 1 << 20;
/// `llac waits` tries so many steps.
const MOST_STEPS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let path = words.first().ok_or_else(|| io::Error::other("analyse_trace TRACE [all]"))?;
    let mut stage = Stage { began: Instant::now() };
    let mut reader = TraceReader::new(Limits::default());
    let mut file = std::fs::File::open(path)?;
    let mut window = vec![0; WINDOW_BYTES];
    loop {
        let count = file.read(&mut window)?;
        if count == 0 {
            break;
        }
        reader.push(&window[..count])?;
    }
    let trace = reader.finish()?;
    stage.ends("read");
    let waits = Waits::of_events(&trace.events)?;
    stage.ends("waits");
    let delays = waits.delays();
    stage.ends("delays");
    let savings = waits.savings(MOST_STEPS);
    stage.ends("savings");
    if words.len() > 1 {
        println!(
            "{:#?}",
            (&waits.processors, &waits.codes, &waits.sites, &waits.times, &waits.critical_path)
        );
        println!("{:#?}", (waits.efficiency, &waits.unanalysed, &waits.remarks, delays, savings));
        println!("{:#?}", (waits.chain(None), waits.parts(100)));
    }
    Ok(())
}

struct Stage {
    began: Instant,
}

impl Stage {
    fn ends(&mut self, name: &str) {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let kilobytes = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
            line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0)
        };
        let megabytes = |key| kilobytes(key) / 1000.0;
        let (now, most) = (megabytes("VmRSS:"), megabytes("VmHWM:"));
        eprintln!(
            "{name}: {:.2} s, {now:.0} MB now, {most:.0} MB at most",
            self.began.elapsed().as_secs_f64()
        );
        self.began = Instant::now();
    }
}
