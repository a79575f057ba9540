use std::collections::BTreeMap;

use crate::step::Code;
use crate::timeline::Timeline;

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
pub(crate) fn unanalysed(timelines: &[Timeline], codes: &[Code]) -> Vec<Unanalysed> {
    let mut found: BTreeMap<&str, (u64, i64)> = BTreeMap::new();
    for (code, (calls, time_ns)) in timelines.iter().flat_map(|timeline| &timeline.untold) {
        let Code::Region(site) = &codes[*code as usize] else { continue };
        let sum = found.entry(&site.call).or_default();
        *sum = (sum.0 + calls, sum.1.saturating_add(*time_ns));
    }
    let mut found: Vec<Unanalysed> = found
        .into_iter()
        .map(|(call, (calls, time_ns))| Unanalysed { call: call.to_owned(), calls, time_ns })
        .collect();
    found.sort_by_key(|its| std::cmp::Reverse(its.time_ns));
    found
}
