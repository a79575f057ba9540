use std::collections::BTreeMap;

use call_trace::CallSite;

use crate::step::Code;
use crate::supersteps::waits_before;
use crate::timeline::ProcessorTimeline;

/// Calls of one function in which processors may wait, and nothing was recorded that says for whom: their time counts as communicating.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the name says it")]
pub struct Unanalysed {
    pub call: String,
    /// How many, of all processors.
    pub calls: u64,
    /// How long they took together.
    pub time_ns: i64,
}

/// By function, the longest first. What goes to the memory of others, locks, operations between neighbours and on files, and what makes
/// communicators may wait; so may all else of which no partner was recorded, as through an intercommunicator.
/// Less the `locked_ns`, by code, that they waited for locks.
pub(crate) fn unanalysed(
    timelines: &[ProcessorTimeline],
    codes: &[Code],
    locked_ns: &BTreeMap<u32, i64>,
) -> Vec<Unanalysed> {
    let mut found: BTreeMap<&str, (u64, i64)> = BTreeMap::new();
    let untold = timelines.iter().flat_map(|timeline| &timeline.untold);
    let explained = locked_ns.iter().map(|(code, time_ns)| (*code, (0, -time_ns)));
    for (code, (calls, time_ns)) in untold.map(|(code, its)| (*code, *its)).chain(explained) {
        let Code::Region(site) = &codes[code as usize] else { continue };
        if waits_before(site).is_some() {
            continue;
        }
        let sum = found.entry(&site.call).or_default();
        *sum = (sum.0 + calls, sum.1.saturating_add(time_ns));
    }
    let mut found: Vec<Unanalysed> = found
        .into_iter()
        .map(|(call, (calls, time_ns))| Unanalysed { call: call.to_owned(), calls, time_ns })
        .collect();
    found.sort_by_key(|its| std::cmp::Reverse(its.time_ns));
    found
}

/// Waits of which nobody recorded for whom they are: within supersteps, in collectives and direct gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexplained {
    /// The call that ends these supersteps.
    pub before: CallSite,
    /// In how many stretches, of all processors.
    pub waits: u64,
    /// How long they took together.
    pub time_ns: i64,
}

/// By the call that ends the superstep, the longest first.
pub(crate) fn unexplained_waits(timelines: &[ProcessorTimeline], codes: &[Code]) -> Vec<Unexplained> {
    let mut found: BTreeMap<u32, (u64, i64)> = BTreeMap::new();
    for (code, (waits, time_ns)) in timelines.iter().flat_map(|timeline| &timeline.untold) {
        let sum = found.entry(*code).or_default();
        *sum = (sum.0 + waits, sum.1.saturating_add(*time_ns));
    }
    let of_code = |(code, (waits, time_ns))| match &codes[code as usize] {
        Code::Region(site) => waits_before(site).map(|before| Unexplained { before, waits, time_ns }),
        _ => None,
    };
    let mut found: Vec<Unexplained> = found.into_iter().filter_map(of_code).collect();
    found.sort_by_key(|its| std::cmp::Reverse(its.time_ns));
    found
}

/// Tests that found nothing until another one did, with nothing else that was waited for between them: what was computed meanwhile may have
/// been a wait, and nobody knows how much of it. It counts as computing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Polled {
    /// The test.
    pub site: CallSite,
    /// Whose tests they were, places in [`Waits::processors`](crate::Waits::processors).
    pub processors: Vec<usize>,
    /// How many found nothing.
    pub tests: u64,
    /// What was computed between them and behind the last one.
    pub time_ns: i64,
}

/// By test, the longest first.
pub(crate) fn polled(timelines: &[ProcessorTimeline], codes: &[Code]) -> Vec<Polled> {
    let mut found: BTreeMap<u32, Polled> = BTreeMap::new();
    for (processor, timeline) in timelines.iter().enumerate() {
        for (code, (tests, time_ns)) in &timeline.polled {
            let Code::Region(site) = &codes[*code as usize] else { continue };
            let sum = found.entry(*code).or_insert_with(|| Polled {
                site: site.clone(),
                processors: Vec::new(),
                tests: 0,
                time_ns: 0,
            });
            sum.processors.push(processor);
            sum.tests += tests;
            sum.time_ns = sum.time_ns.saturating_add(*time_ns);
        }
    }
    let mut found: Vec<Polled> = found.into_values().collect();
    found.sort_by_key(|its| std::cmp::Reverse(its.time_ns));
    found
}
