use call_trace::ProcessorEvents;

use crate::cut::CutRecordings;
use crate::remark::{RecordingRemark, join};
use crate::team::in_experiments_of_team;
use crate::timeline::{CodesAndChannels, Exchanged, ProcessorTimeline, timeline};

/// Why a run cannot be analysed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum NoWaits {
    #[error("no processor has recorded what it did")]
    Nothing,
    #[error("the events of processor {processor} stand there twice")]
    Twice { processor: u32 },
    #[error("the clock of processor {processor} counts from its own start, so who came first is not known")]
    OwnClock { processor: u32 },
    #[error("there are {events} events, and no more than {MOST_EVENTS} can be analysed")]
    TooMany { events: usize },
}

/// Calls and messages are known by numbers below this.
const MOST_EVENTS: usize = 1 << 31;

impl NoWaits {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            NoWaits::Nothing => "no-events",
            NoWaits::Twice { .. } => "recorded-twice",
            NoWaits::OwnClock { .. } => "no-common-clock",
            NoWaits::TooMany { .. } => "too-many-events",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&'static str> {
        Some(match self {
            NoWaits::Nothing => {
                "run the program with CALL_EVENTS=1 (MPI, or OpenMP compiled by clang) or CALL_SUPERSTEPS=1 (PUB, BSPlib)"
            }
            NoWaits::Twice { .. } => "load the traces of one run",
            NoWaits::OwnClock { .. } => {
                "record on one computer, or under SMPI; `replay` tells waits of any run"
            }
            NoWaits::TooMany { .. } => "record a part of the run, or fewer processors",
        })
    }
}

/// What each processor did, before it is matched with what others did.
pub(crate) struct PreparedRun<'a> {
    /// In the order of processors, as the lists of timelines and of what they exchanged.
    pub(crate) recorded: Vec<&'a ProcessorEvents>,
    pub(crate) timelines: Vec<ProcessorTimeline>,
    pub(crate) exchanged: Vec<Exchanged>,
    pub(crate) names: CodesAndChannels,
    pub(crate) remarks: Vec<RecordingRemark>,
    /// How far clocks of several computers may be apart, in nanoseconds.
    pub(crate) clock_uncertainty_ns: u64,
}

impl<'a> PreparedRun<'a> {
    /// `is_call` tells which regions are calls of the library.
    pub(crate) fn of(
        recorded: &'a [ProcessorEvents],
        is_call: fn(&str) -> bool,
    ) -> Result<PreparedRun<'a>, NoWaits> {
        let mut recorded: Vec<&ProcessorEvents> = recorded.iter().collect();
        recorded.sort_by_key(|its| its.processor);
        if recorded.iter().all(|its| its.events.is_empty()) {
            return Err(NoWaits::Nothing);
        }
        let events = recorded.iter().map(|its| its.events.len()).sum();
        if events > MOST_EVENTS {
            return Err(NoWaits::TooMany { events });
        }
        if let Some(pair) = recorded.windows(2).find(|pair| pair[0].processor == pair[1].processor) {
            return Err(NoWaits::Twice { processor: pair[0].processor });
        }
        if recorded.len() > 1
            && let Some(own) = recorded.iter().find(|its| !its.has_common_clock)
        {
            return Err(NoWaits::OwnClock { processor: own.processor });
        }
        let CutRecordings { until_ns, mut remarks } = CutRecordings::of(&recorded);
        if !remarks.is_empty() {
            recorded.retain(|its| !its.events.is_empty());
        }
        let mut names = CodesAndChannels::default();
        let mut timelines: Vec<ProcessorTimeline> = in_experiments_of_team(&recorded)
            .iter()
            .map(|its| timeline(its, until_ns, is_call, &mut names, &mut remarks))
            .collect();
        join(&mut remarks);
        start_of_run(&mut timelines);
        let exchanged =
            timelines.iter_mut().map(|timeline| std::mem::take(&mut timeline.exchanged)).collect();
        let clock_uncertainty_ns = recorded.iter().map(|its| its.clock_uncertainty_ns).max().unwrap_or(0);
        Ok(PreparedRun { recorded, timelines, exchanged, names, remarks, clock_uncertainty_ns })
    }
}

/// Those without events did nothing from when the first processor started.
fn start_of_run(timelines: &mut [ProcessorTimeline]) {
    let starts = timelines.iter().filter(|timeline| !timeline.is_empty()).map(|timeline| timeline.start_ns);
    let first_ns = starts.min().unwrap_or(0);
    for timeline in timelines.iter_mut().filter(|timeline| timeline.is_empty()) {
        (timeline.start_ns, timeline.end_ns) = (first_ns, first_ns);
    }
}
