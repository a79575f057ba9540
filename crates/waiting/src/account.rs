use std::collections::BTreeMap;

use call_trace::{ProcessorEvents, ProcessorSupersteps};

use crate::clock::Clock;
use crate::history::AnalysedRun;
use crate::prepared::NoWaits;
use crate::step::{State, Step};
use crate::timeline::{CallOrStretch, ProcessorTimeline};
use crate::waits::Waits;

/// What the processors of a run spent their time with, step by step, and what their waits were made of: what models of waiting are fitted to.
#[derive(Debug)]
pub struct Account {
    /// The analysis that this is of; steps speak of its codes.
    pub waits: Waits,
    /// How long each step took in the whole run, nanoseconds. Calls in which nothing but waiting was done are there with 0. Together with what a
    /// processor waited they are its time.
    pub steps: BTreeMap<Step, i64>,
    /// What each processor waited at each call, in the order of codes.
    pub calls: Vec<WaitsOfCall>,
}

/// The waits of a processor at a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitsOfCall {
    /// The call, an index into [`Waits::codes`].
    pub code: usize,
    /// Who waits, by its number in the run.
    pub processor: u32,
    /// How long in all, nanoseconds.
    pub waiting_ns: i64,
    /// Signed steps that add up to that.
    pub causes: BTreeMap<Step, i64>,
}

impl Account {
    /// Of what the processors of one run recorded.
    ///
    /// # Errors
    /// As those of [`Waits::of_events`].
    pub fn of_events(recorded: &[ProcessorEvents]) -> Result<Account, NoWaits> {
        Ok(Account::of_waits(Waits::of_events(recorded)?))
    }

    fn of_waits(waits: Waits) -> Account {
        let AnalysedRun { timelines, graph, start_code, .. } = &waits.run;
        // The same again, for what sums of classes no longer tell; what is to be remarked has been.
        let mut remarks = Vec::new();
        let mut calls: BTreeMap<(usize, u32), WaitsOfCall> = BTreeMap::new();
        Clock::new(timelines, graph, waits.codes.len(), *start_code, &mut remarks).run(|wait, steps| {
            let timeline = &timelines[wait.place.timeline()];
            let (code, processor) = (timeline.calls.at(wait.place.call()).code as usize, timeline.processor);
            let all = calls.entry((code, processor)).or_insert_with(|| WaitsOfCall {
                code,
                processor,
                waiting_ns: 0,
                causes: BTreeMap::new(),
            });
            all.waiting_ns = all.waiting_ns.saturating_add(wait.waiting_ns);
            for (step, time_ns) in wait.cause {
                let whose = timelines[steps.timeline(*step)].processor;
                let sum_ns = all.causes.entry(steps.step(*step, whose)).or_default();
                *sum_ns = sum_ns.saturating_add(*time_ns);
            }
        });
        let mut steps: BTreeMap<Step, i64> = BTreeMap::new();
        timelines.iter().for_each(|timeline| add_steps(&mut steps, timeline));
        for call in calls.values() {
            let step = Step { processor: call.processor, code: call.code, state: State::Communicating };
            *steps.entry(step).or_default() -= call.waiting_ns;
        }
        Account { waits, steps, calls: calls.into_values().collect() }
    }

    /// Of recorded supersteps, as [`Waits::of_supersteps`] sees them.
    ///
    /// # Errors
    /// As those of [`Waits::of_events`].
    pub fn of_supersteps(recorded: &[ProcessorSupersteps]) -> Result<Account, NoWaits> {
        Ok(Account::of_waits(Waits::of_supersteps(recorded)?))
    }
}

fn add_steps(steps: &mut BTreeMap<Step, i64>, timeline: &ProcessorTimeline) {
    for activity in timeline.activities() {
        let (code, state, time_ns) = match activity {
            CallOrStretch::Computing { code, time_ns } => (code, State::Computing, time_ns),
            CallOrStretch::Call(call) => {
                (call.code as usize, State::Communicating, call.leave_ns - call.enter_ns)
            }
        };
        let sum_ns = steps.entry(Step { processor: timeline.processor, code, state }).or_default();
        *sum_ns = sum_ns.saturating_add(time_ns);
    }
}
