//! Superstep diagrams of what was evaluated by OBSP*.

use call_bsp::obsp::{self, ChainLink, Diagram, Task, TaskStep};
use call_report::timeline::{
    ChainStretch, MachinePart, ProcessorRow, TimeMark, TimelineActivity, TimelineBar,
};
use call_report::{Timeline, number};

use crate::Error;
use crate::error::code;

/// More rows than this are no picture, and take memory.
const MOST_ROWS: u32 = 4096;

/// More bars than this are no picture either.
const MOST_BARS: u64 = 10_000_000;

/// Of more stretches than this a critical chain is not drawn.
const MOST_LINKS: usize = 20_000;

/// That there are not too many processors for a picture.
///
/// # Errors
/// If there are, with the cure.
pub fn check_rows(processors: f64, cure: &str) -> Result<(), Error> {
    if processors > f64::from(MOST_ROWS) {
        let message = format!("a diagram of {processors} processors shows nothing");
        return Err(
            Error::new(code::TOO_LARGE, message).help(format!("up to {MOST_ROWS} can be drawn; {cure}"))
        );
    }
    Ok(())
}

/// That a task has not too many bars for a picture.
///
/// # Errors
/// If it has, with the cure.
pub fn check_bars(task: &Task) -> Result<(), Error> {
    if bars(task) > MOST_BARS {
        let message = format!("a diagram of more than {MOST_BARS} bars takes too much memory");
        return Err(Error::new(code::TOO_LARGE, message).help("ask for fewer supersteps or processors"));
    }
    Ok(())
}

/// How many bars a task has at most: a processor has one when it computes, and two when it waits and communicates. Far beyond
/// what can be drawn, it is not counted to the end.
fn bars(task: &Task) -> u64 {
    let mut count = 0;
    for step in &task.steps {
        count += match step {
            TaskStep::Compute { .. } => u64::from(task.processors),
            TaskStep::Synchronise(_) => 2 * u64::from(task.processors),
            TaskStep::Parts(parts) => parts.iter().map(|part| bars(part)).sum(),
        };
        if count > MOST_BARS {
            break;
        }
    }
    count
}

/// A row for each processor, the first of which has this number, and the critical chain.
pub fn timeline(title: String, first_processor: u32, diagram: &Diagram, chain: &[ChainLink]) -> Timeline {
    let part = |part: &obsp::Submachine| MachinePart {
        label: String::new(),
        rows: part.first as usize..(part.first + part.processors) as usize,
        start_s: part.start_s,
        end_s: part.end_s,
    };
    let stretch = |link: &ChainLink| ChainStretch {
        row: link.processor as usize,
        start_s: link.start_s,
        end_s: link.end_s,
    };
    let label = |index: usize| format!("P{}", u64::from(first_processor) + index as u64);
    Timeline {
        title,
        rows: diagram.rows.iter().enumerate().map(|(index, bars)| row(label(index), bars)).collect(),
        supersteps: diagram.supersteps.clone(),
        parts: diagram.parts.iter().map(part).collect(),
        chain: if chain.len() <= MOST_LINKS { chain.iter().map(stretch).collect() } else { Vec::new() },
        ..Timeline::default()
    }
}

/// A line at a time, with its name.
pub fn mark(name: &str, time_s: f64) -> TimeMark {
    TimeMark { label: format!("{name} {}", number::seconds(time_s)), time_s }
}

/// g and L for people.
pub fn network(g_s_per_byte: f64, latency_s: f64) -> String {
    format!("g = {} a byte and L = {}", number::seconds(g_s_per_byte), number::seconds(latency_s))
}

/// Whether two times are one in a picture.
pub fn is_same(one_s: f64, other_s: f64) -> bool {
    (one_s - other_s).abs() <= 1e-9 * one_s.abs()
}

fn row(label: String, bars: &[obsp::Bar]) -> ProcessorRow {
    let bars = bars.iter().map(|bar| TimelineBar {
        activity: match bar.activity {
            obsp::Activity::Computing => TimelineActivity::Computing,
            obsp::Activity::Waiting => TimelineActivity::Waiting,
            obsp::Activity::Communicating => TimelineActivity::Communicating,
        },
        start_s: bar.start_s,
        end_s: bar.end_s,
        superstep: bar.superstep,
    });
    ProcessorRow { label, bars: bars.collect() }
}
