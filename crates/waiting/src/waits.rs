use std::collections::BTreeMap;

use call_trace::{CallSite, ProcessorEvents, ProcessorSupersteps};
use fixedbitset::FixedBitSet;

use crate::chain::{Chain, chain};
use crate::clock::Clock;
use crate::collector::{Collector, WaitSums};
use crate::delay::{Delays, delays};
use crate::efficiency::{CriticalStep, Efficiency, critical_path, efficiency, times_of};
use crate::graph::{CallPlace, Graph, Undecided};
use crate::history::{AnalysedRun, History};
use crate::kind::WaitKind;
use crate::matching::match_all;
use crate::network::{Corrected, correct};
use crate::parts::{ProcessorTimes, parts};
use crate::prepared::{NoWaits, PreparedRun};
use crate::remark::{RecordingRemark, RemarkKind};
use crate::replay::{self, StepChange};
use crate::saving::{Saving, savings};
use crate::share::{RunTimeParts, run_time_parts};
use crate::site::Site;
use crate::step::{Code, State};
use crate::supersteps::{events, is_call, waits_before};
use crate::timeline::{ProcessorTimeline, is_of_library};
use crate::unanalysed::{Polled, Unanalysed, Unexplained, polled, unanalysed, unexplained_waits};

/// Who waited in a run, where, how long and why.
#[derive(Debug)]
pub struct Waits {
    /// Numbers of the processors, ascending; other lists by processor have this order.
    pub processors: Vec<u32>,
    /// What steps and causes speak of.
    pub codes: Vec<Code>,
    /// The sites where processors wait, the longest waiting first.
    pub sites: Vec<Site>,
    /// What each processor spent its time with.
    pub times: Vec<ProcessorTimes>,
    /// The longest chain, which ends with the run: its steps, the longest first. Together they take as long as the run.
    pub critical_path: Vec<CriticalStep>,
    /// How well the processors were used.
    pub efficiency: Efficiency,
    /// In which calls nobody knows who waited, the longest first.
    pub unanalysed: Vec<Unanalysed>,
    /// Where processors wait and nobody knows for whom, the longest first; this is in their times.
    pub unexplained: Vec<Unexplained>,
    /// What was computed between tests that found nothing, the longest first.
    pub polled: Vec<Polled>,
    /// What was wrong or missing.
    pub remarks: Vec<RecordingRemark>,
    pub(crate) run: AnalysedRun,
}

impl Waits {
    /// Analyses recorded supersteps: processors wait in synchronisations for the last one that they need, and what causes a wait is named
    /// by the synchronisation that the computing leads to. Waits within supersteps, in collectives and direct gets, have no cause, as nobody
    /// recorded who is waited for: they are [`Waits::unexplained`] and at no site.
    ///
    /// # Errors
    /// As those of [`Waits::of_events`].
    pub fn of_supersteps(recorded: &[ProcessorSupersteps]) -> Result<Waits, NoWaits> {
        Waits::of_calls(&events(recorded), is_call)
    }

    /// Analyses what the processors of one run recorded, in any order.
    ///
    /// Whatever is missing, cut or contradicts itself is left out and told in [`Waits::remarks`].
    ///
    /// # Errors
    /// If nothing was recorded, a processor stands there twice, or clocks have nothing in common.
    pub fn of_events(recorded: &[ProcessorEvents]) -> Result<Waits, NoWaits> {
        Waits::of_calls(recorded, is_of_library)
    }

    /// `is_call` tells which regions are calls of the library.
    pub(crate) fn of_calls(
        recorded: &[ProcessorEvents],
        is_call: fn(&str) -> bool,
    ) -> Result<Waits, NoWaits> {
        let mut prepared = PreparedRun::of(recorded, is_call)?;
        let mut remarks = std::mem::take(&mut prepared.remarks);
        let graph = match_all(&prepared, &mut remarks);
        // What was exchanged is needed no more, and large.
        let PreparedRun { recorded, mut timelines, mut names, clock_uncertainty_ns, .. } = prepared;
        if clock_uncertainty_ns > 0 {
            let Corrected { waits, most_ns } = correct(&mut timelines, &graph);
            let kind = RemarkKind::ClocksCompared { uncertainty_ns: clock_uncertainty_ns, waits, most_ns };
            remarks.push(RecordingRemark { processor: recorded[0].processor, kind });
        }
        let start_code = names.codes.number(&Code::Start);
        Ok(Waits::of_timelines(timelines, graph, names.codes.things, start_code, remarks))
    }

    pub(crate) fn of_timelines(
        timelines: Vec<ProcessorTimeline>,
        graph: Graph,
        codes: Vec<Code>,
        start_code: usize,
        mut remarks: Vec<RecordingRemark>,
    ) -> Waits {
        let first_ns = timelines.iter().map(|timeline| timeline.start_ns).min().unwrap_or(0);
        let clock = Clock::new(&timelines, &graph, codes.len(), start_code, &mut remarks);
        let mut history = History::new(timelines.len());
        let mut collectors: BTreeMap<u32, Collector> = BTreeMap::new();
        let mut sums = WaitSums::default();
        let mut locked_ns: BTreeMap<u32, i64> = BTreeMap::new();
        let mut waiting_ns = vec![0; timelines.len()];
        let ends = clock.run(|wait, steps| {
            let timeline = &timelines[wait.place.timeline()];
            waiting_ns[wait.place.timeline()] += wait.waiting_ns;
            let code = timeline.calls.at(wait.place.call()).code;
            if wait.kind == WaitKind::Lock {
                *locked_ns.entry(code).or_default() += wait.waiting_ns;
            }
            history.add(&wait);
            collectors.entry(code).or_default().add(&wait, steps, &mut sums);
        });
        let processors: Vec<u32> = timelines.iter().map(|timeline| timeline.processor).collect();
        let mut sites: Vec<Site> = collectors
            .into_iter()
            .map(|(code, collector)| (code as usize, collector))
            .map(|(code, collector)| {
                collector.finish(code, site_of(&codes[code]), &ends.steps, processors.len())
            })
            .collect();
        sites.sort_by_key(|site| std::cmp::Reverse(site.waiting_ns));
        let waits_of_unknown =
            |code: &Code| matches!(code, Code::Region(site) if waits_before(site).is_some());
        let of_unknown = codes.iter().enumerate().filter(|(_, code)| waits_of_unknown(code));
        let unexplained: FixedBitSet = of_unknown.map(|(code, _)| code).collect();
        let mut spent_ns = vec![0; codes.len()];
        let times: Vec<ProcessorTimes> = timelines
            .iter()
            .zip(&waiting_ns)
            .map(|(timeline, ns)| times_of(timeline, *ns, &unexplained, first_ns, &mut spent_ns))
            .collect();
        let efficiency = efficiency(&timelines, &times, &ends, first_ns);
        let critical_path = critical_path(&timelines, &ends, &spent_ns);
        let (unanalysed, polled) = (unanalysed(&timelines, &codes, &locked_ns), polled(&timelines, &codes));
        let unexplained_waits = unexplained_waits(&timelines, &codes);
        let run =
            AnalysedRun { timelines, graph, history, order: ends.order, start_code, first_ns, unexplained };
        Waits {
            processors,
            efficiency,
            critical_path,
            codes,
            sites,
            times,
            unanalysed,
            unexplained: unexplained_waits,
            polled,
            remarks,
            run,
        }
    }

    /// The same run with some steps faster, as replay would have it: the same processors wait for each other, what calls take beyond waits
    /// stays, and what computes takes the changed time. Without a change it is the run itself, to the nanosecond.
    #[must_use]
    pub fn replay(&self, change: &StepChange) -> Waits {
        let timelines = replay::timelines(&self.run, change);
        // What is wrong with the recording was told of it.
        let told = Waits::of_timelines(
            timelines,
            self.run.graph.clone(),
            self.codes.clone(),
            self.run.start_code,
            Vec::new(),
        );
        Waits { remarks: Vec::new(), ..told }
    }

    /// How long that run would take, in nanoseconds; this is quicker than [`Waits::replay`].
    pub fn replayed_run_time_ns(&self, change: &StepChange) -> i64 {
        replay::run_time_ns(&self.run, change)
    }

    /// How long that run would take where of each of these steps, by index into [`Waits::codes`] and state, this share of its time is left, and
    /// how much of it they are. Nothing is rounded: as a function of the share the run time is convex and consists of straight lines.
    pub fn run_time_parts(&self, steps: &[(usize, State)], share: f64) -> RunTimeParts {
        run_time_parts(&self.run, steps, share)
    }

    /// What each processor does in each of so many equal parts of the run. Nothing is counted before its start and behind its end.
    pub fn parts(&self, count: usize) -> Vec<Vec<ProcessorTimes>> {
        parts(&self.run, self.efficiency.run_time_ns, count)
    }

    /// What it would save if the largest causes of waiting were none, each for itself: so many, what saves most first.
    pub fn savings(&self, most: usize) -> Vec<Saving> {
        savings(&self.run, &self.sites, most)
    }

    /// How many calls of the library all processors made.
    pub fn calls(&self) -> usize {
        let all: usize = self.run.timelines.iter().map(|timeline| timeline.calls.len()).sum();
        all - self.unexplained.iter().map(|its| its.waits as usize).sum::<usize>()
    }

    /// Messages that may wait for receivers that come later, though the recording does not show any of their size to do so; none: `None`.
    pub fn undecided(&self) -> Option<UndecidedMessages> {
        let Undecided { messages, are_too_many, going_to_bytes } = &self.run.graph.undecided;
        (*are_too_many || !messages.is_empty()).then(|| UndecidedMessages {
            messages: (!are_too_many).then_some(messages.len()),
            above_bytes: f64::from(*going_to_bytes),
        })
    }

    /// The same run, in replays of which these messages wait for their receivers. `None` if there are none, or too many to try.
    pub fn as_if_undecided_waited(&self) -> Option<Waits> {
        let AnalysedRun { timelines, graph, start_code, .. } = &self.run;
        if graph.undecided.messages.is_empty() {
            return None;
        }
        let graph = graph.with_undecided();
        Some(Waits::of_timelines(timelines.clone(), graph, self.codes.clone(), *start_code, Vec::new()))
    }

    /// What delays cost.
    pub fn delays(&self) -> Delays {
        delays(&self.run, self.codes.len(), &self.sites.iter().map(|site| site.code).collect::<Vec<_>>())
    }

    /// How the longest wait came about, of all or of those at a site of [`Waits::sites`]; `None` if there is none.
    pub fn chain(&self, site: Option<usize>) -> Option<Chain> {
        let code = match site {
            Some(site) => Some(self.sites.get(site)?.code),
            None => None,
        };
        let AnalysedRun { timelines, history, .. } = &self.run;
        let is_there = |place: CallPlace| {
            code.is_none_or(|code| timelines[place.timeline()].calls.at(place.call()).code as usize == code)
        };
        let waits = history.waits.iter().enumerate().filter(|(_, wait)| is_there(wait.place));
        // Of equal ones the first one of the lowest processor.
        let longest = waits.max_by_key(|(_, wait)| (wait.waiting_ns, std::cmp::Reverse(wait.place)))?.0;
        Some(chain(&self.run, longest))
    }
}

/// Messages of which a recording does not show whether they would wait for receivers that come later: these had asked for them before, and
/// no other message of their size tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UndecidedMessages {
    /// How many; `None`: too many to be tried.
    pub messages: Option<usize>,
    /// Each has more bytes, and those of up to so many are known to wait for nobody.
    pub above_bytes: f64,
}

fn site_of(code: &Code) -> CallSite {
    match code {
        Code::Region(site) | Code::Before(site) => site.clone(),
        Code::Start | Code::Experiment { .. } | Code::End => CallSite::default(),
    }
}
