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

/// Names that begin like this, but for [`ANALYSED`].
const FAMILIES: [&str; 9] = [
    "MPI_Cart_",
    "MPI_Comm_",
    "MPI_Dist_graph_",
    "MPI_File_",
    "MPI_Graph_",
    "MPI_Ineighbor_",
    "MPI_Intercomm_",
    "MPI_Neighbor_",
    "MPI_Win_",
];

const ANALYSED: &str = "MPI_Win_fence";

/// What goes to the memory of others may wait for it.
const ACCESSES: [&str; 10] = [
    "MPI_Accumulate",
    "MPI_Compare_and_swap",
    "MPI_Fetch_and_op",
    "MPI_Get",
    "MPI_Get_accumulate",
    "MPI_Put",
    "MPI_Raccumulate",
    "MPI_Rget",
    "MPI_Rget_accumulate",
    "MPI_Rput",
];

/// By function, the longest first.
pub(crate) fn unanalysed(timelines: &[Timeline], codes: &[Code]) -> Vec<Unanalysed> {
    let mut found: BTreeMap<&str, (u64, i64)> = BTreeMap::new();
    for call in timelines.iter().flat_map(|timeline| &timeline.calls) {
        let Code::Region(site) = &codes[call.code as usize] else { continue };
        if is_unanalysed(&site.call) {
            let (calls, time_ns) = found.entry(&site.call).or_default();
            *calls += 1;
            *time_ns = time_ns.saturating_add(call.leave_ns - call.enter_ns);
        }
    }
    let mut found: Vec<Unanalysed> = found
        .into_iter()
        .map(|(call, (calls, time_ns))| Unanalysed { call: call.to_owned(), calls, time_ns })
        .collect();
    found.sort_by_key(|its| std::cmp::Reverse(its.time_ns));
    found
}

fn is_unanalysed(call: &str) -> bool {
    ACCESSES.contains(&call) || call != ANALYSED && FAMILIES.iter().any(|family| call.starts_with(family))
}
