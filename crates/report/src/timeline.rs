//! What processors do over time.

use std::ops::Range;

/// A superstep diagram: a row for each processor, in which bars show over time when it computes, waits and communicates.
///
/// As in Fig. 1 of the paper, computation is white and communication black; waiting is grey. Where there are more processors
/// than rows, or bars are narrower than a pixel, the heights in a row are the shares of what its processors do there.
///
/// The two supersteps of that figure, with w = 1 s:
///
/// ```
/// use call_report::Timeline;
/// use call_report::timeline::{TimelineActivity, TimelineBar, TimeMark, ProcessorRow};
///
/// let row = |label: &str, w1: f64, w2: f64| {
///     let bar = |activity, start_s, end_s, superstep| TimelineBar { activity, start_s, end_s, superstep };
///     ProcessorRow {
///         label: label.into(),
///         bars: vec![
///             bar(TimelineActivity::Computing, 0.0, w1, 0),
///             bar(TimelineActivity::Communicating, w1, w1 + 1.0, 0),
///             bar(TimelineActivity::Computing, w1 + 1.0, w1 + 1.0 + w2, 1),
///             bar(TimelineActivity::Communicating, w1 + 1.0 + w2, 5.0, 1),
///         ],
///     }
/// };
/// let timeline = Timeline {
///     title: "two supersteps".into(),
///     rows: vec![row("P0", 1.0, 2.0), row("P1", 2.0, 1.0)],
///     marks: vec![TimeMark { label: "BSP 6 w".into(), time_s: 6.0 }],
///     ..Timeline::default()
/// };
/// assert!(timeline.svg()?.contains("BSP 6 w"));
/// # Ok::<(), call_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Timeline {
    /// What is to be seen.
    pub title: String,
    /// Small lines under the title.
    pub notes: Vec<String>,
    /// What the horizontal axis is called, as in [`Axis::label`](crate::Axis::label); `time (s)` if empty.
    pub axis: String,
    /// The processors, from top to bottom.
    pub rows: Vec<ProcessorRow>,
    /// Names of the supersteps by [`TimelineBar::superstep`]; those without one are counted from 1.
    pub supersteps: Vec<String>,
    /// Groups of processors that are a machine of their own for a while, outlined.
    pub parts: Vec<MachinePart>,
    /// The stretches that the end of the program depends on, one after the other: a line along the rows.
    pub chain: Vec<ChainStretch>,
    /// Vertical lines, such as the end in the plain BSP model.
    pub marks: Vec<TimeMark>,
}

/// What one processor does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProcessorRow {
    /// The name of the processor; without one, `P` and its number, counted from 0.
    pub label: String,
    /// In their order; between them may be gaps, but they do not overlap.
    pub bars: Vec<TimelineBar>,
}

/// Some time of a processor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimelineBar {
    /// What it does.
    pub activity: TimelineActivity,
    /// When it begins.
    pub start_s: f64,
    /// When it ends, which may be when it begins.
    pub end_s: f64,
    /// The superstep that it belongs to. Supersteps of different machines have different numbers.
    pub superstep: usize,
}

/// What a processor does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimelineActivity {
    /// It works on its own.
    Computing,
    /// It has nothing to do until others are there.
    Waiting,
    /// It sends, receives or synchronises.
    Communicating,
}

/// A group of processors that is a machine of its own for a while.
#[derive(Debug, Clone, PartialEq)]
pub struct MachinePart {
    /// Its name; it is left out where there is no room.
    pub label: String,
    /// Indices of its rows.
    pub rows: Range<usize>,
    /// When the machine is partitioned.
    pub start_s: f64,
    /// When the parts are joined.
    pub end_s: f64,
}

/// A piece of the critical chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainStretch {
    /// The index of its row.
    pub row: usize,
    /// When the chain comes to this processor.
    pub start_s: f64,
    /// When it leaves it.
    pub end_s: f64,
}

/// A point in time with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeMark {
    /// Its name, above the line.
    pub label: String,
    /// Where the line is.
    pub time_s: f64,
}
