//! How both directions call things.

use call_trace::{CollectiveOperation, EpochStep, SourcePosition};

use crate::record::ArchiveMessage;

/// What a region of an experiment is described as; others have other descriptions.
pub(crate) const EXPERIMENT: &str = "experiment of CALL";
/// Beside the begin of a call: its place, `FILE:LINE`, and the functions that were open, the innermost first.
pub(crate) const POSITION: &str = "position";
pub(crate) const CALL_STACK: &str = "call stack";
/// Beside a send: whether it returns when the message is being received, where the name of its call does not say so.
pub(crate) const SYNCHRONOUS: &str = "synchronous";
pub(crate) const YES: &str = "yes";
pub(crate) const NO: &str = "no";

/// Of a call that has seen a message without receiving it: who has sent it, through what, and what it has.
pub(crate) const PROBED: &str = "probed message";

pub(crate) const WORLD: &str = "MPI_COMM_WORLD";
pub(crate) const SELF: &str = "MPI_COMM_SELF";

/// What stands between two functions of a call stack.
const CALLER: &str = " < ";

pub(crate) fn stack_text(functions: &[String]) -> String {
    functions.join(CALLER)
}

pub(crate) fn stack_of(text: &str) -> Vec<String> {
    text.split(CALLER).filter(|function| !function.is_empty()).map(str::to_owned).collect()
}

/// `FILE:LINE`; empty where the position is not known.
pub(crate) fn position_text(position: Option<&SourcePosition>) -> String {
    position.map_or_else(String::new, |position| format!("{}:{}", position.file, position.line))
}

pub(crate) fn position_of(text: &str) -> Option<SourcePosition> {
    let (file, line) = text.rsplit_once(':')?;
    Some(SourcePosition { file: file.to_owned(), line: line.parse().ok()? })
}

pub(crate) fn is_mpi(call: &str) -> bool {
    call.starts_with("MPI_")
}

/// The name of a function of MPI as C has it, also where that of its Fortran binding or of its second name was recorded.
pub(crate) fn c_name(name: &str) -> Option<String> {
    let is_second_name = |rest: &&str| rest.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("mpi_"));
    let name = name.strip_prefix(['P', 'p']).filter(is_second_name).unwrap_or(name);
    if is_mpi(name) && name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return Some(name.to_owned());
    }
    let (start, rest) = name.split_at_checked(4)?;
    let rest = rest.trim_end_matches('_');
    let is_name = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !rest.is_empty();
    (start.eq_ignore_ascii_case("MPI_") && is_name)
        .then(|| format!("MPI_{}{}", rest[..1].to_ascii_uppercase(), rest[1..].to_ascii_lowercase()))
}

/// Whether sends in this function return when the message is being received.
pub(crate) fn is_synchronous(call: &str) -> bool {
    matches!(call, "MPI_Ssend" | "MPI_Issend")
}

/// OTF2's numbers of operations, the first one for each of ours; variants with different sizes have numbers of their own.
const OPERATIONS: &[(u64, CollectiveOperation)] = &[
    (0, CollectiveOperation::Barrier),
    (1, CollectiveOperation::Broadcast),
    (2, CollectiveOperation::Gather),
    (3, CollectiveOperation::Gather),
    (4, CollectiveOperation::Scatter),
    (5, CollectiveOperation::Scatter),
    (6, CollectiveOperation::Allgather),
    (7, CollectiveOperation::Allgather),
    (8, CollectiveOperation::Alltoall),
    (9, CollectiveOperation::Alltoall),
    (10, CollectiveOperation::Alltoall),
    (11, CollectiveOperation::Allreduce),
    (12, CollectiveOperation::Reduce),
    (13, CollectiveOperation::ReduceScatter),
    (14, CollectiveOperation::Scan),
    (15, CollectiveOperation::Exscan),
    (16, CollectiveOperation::ReduceScatter),
    // Handles and memory are made and freed.
    (17, CollectiveOperation::Make),
    (18, CollectiveOperation::Make),
    (19, CollectiveOperation::Make),
    (20, CollectiveOperation::Make),
    (21, CollectiveOperation::Make),
    (22, CollectiveOperation::Make),
];

/// What a function of MPI does when the archive says this operation; `None` where OTF2 has no such number.
pub(crate) fn operation_of(number: u64, call: &str) -> Option<CollectiveOperation> {
    let known = OPERATIONS.iter().find(|(its, _)| *its == number).map(|(_, operation)| *operation);
    match known {
        Some(CollectiveOperation::Barrier) if call == "MPI_Win_fence" => Some(CollectiveOperation::Fence),
        known => known,
    }
}

/// OTF2's number of an operation; the start and the end of MPI are known by their regions alone.
pub(crate) fn number_of(operation: CollectiveOperation) -> Option<u64> {
    match operation {
        CollectiveOperation::Initialise | CollectiveOperation::Finalise => None,
        CollectiveOperation::Fence => Some(0),
        other => OPERATIONS.iter().find(|(_, its)| *its == other).map(|(number, _)| *number),
    }
}

/// What all processes do in this function, which has no record of its own.
pub(crate) fn border(call: &str) -> Option<CollectiveOperation> {
    match call {
        "MPI_Init" | "MPI_Init_thread" => Some(CollectiveOperation::Initialise),
        "MPI_Finalize" => Some(CollectiveOperation::Finalise),
        _ => None,
    }
}

/// What is told of a message that was seen; the rank and the communicator are those of the archive.
pub(crate) fn probed_text(message: &ArchiveMessage) -> String {
    let ArchiveMessage { rank, communicator, tag, bytes } = message;
    format!("from rank {rank} of communicator {communicator}, tag {}, {bytes} bytes", *tag as i32)
}

pub(crate) fn probed_of(text: &str) -> Option<ArchiveMessage> {
    let (rank, rest) = text.strip_prefix("from rank ")?.split_once(" of communicator ")?;
    let (communicator, rest) = rest.split_once(", tag ")?;
    let (tag, rest) = rest.split_once(", ")?;
    Some(ArchiveMessage {
        rank: rank.parse().ok()?,
        communicator: communicator.parse().ok()?,
        tag: tag.parse::<i32>().ok()? as u32,
        bytes: rest.strip_suffix(" bytes")?.parse().ok()?,
    })
}

/// The window that this is of its communicator; without a number any of them.
pub(crate) fn window_text(number: Option<u32>) -> String {
    number.map_or_else(|| "memory".to_owned(), |number| format!("window {number}"))
}

pub(crate) fn window_number(text: &str) -> Option<u32> {
    text.strip_prefix("window ")?.parse().ok()
}

/// How this function synchronises accesses with a group of processors.
pub(crate) fn epoch_step(call: &str) -> Option<EpochStep> {
    match call {
        "MPI_Win_post" => Some(EpochStep::Post),
        "MPI_Win_start" => Some(EpochStep::Start),
        "MPI_Win_complete" => Some(EpochStep::Complete),
        "MPI_Win_wait" | "MPI_Win_test" => Some(EpochStep::Wait),
        _ => None,
    }
}

/// Whether this function combines data with what is in the memory of another processor.
pub(crate) fn is_accumulation(call: &str) -> bool {
    let names = ["accumulate", "fetch_and_op", "compare_and_swap"];
    names.iter().any(|name| call.to_ascii_lowercase().contains(name))
}

pub(crate) fn has_root(operation: CollectiveOperation) -> bool {
    use CollectiveOperation::*;
    matches!(operation, Broadcast | Scatter | Gather | Reduce)
}

/// OTF2's numbers of roles.
pub(crate) const FUNCTION: u64 = 1;
pub(crate) const CODE: u64 = 4;

/// OTF2's number for what kind of function of MPI this is.
pub(crate) fn role(call: &str) -> u64 {
    const BARRIER: u64 = 15;
    const ONE_TO_ALL: u64 = 23;
    const ALL_TO_ONE: u64 = 24;
    const ALL_TO_ALL: u64 = 25;
    const OTHER_COLLECTIVE: u64 = 26;
    const POINT_TO_POINT: u64 = 28;
    const REMOTE_MEMORY: u64 = 29;
    let name = call.strip_prefix("MPI_").unwrap_or(call).to_ascii_lowercase();
    let name = name.strip_suffix("_init").unwrap_or(&name);
    let blocking = name.strip_prefix('i').unwrap_or(name);
    let is_one_of = |names: &[&str]| names.contains(&name) || names.contains(&blocking);
    if is_one_of(&["barrier"]) {
        BARRIER
    } else if is_one_of(&["bcast", "scatter", "scatterv"]) {
        ONE_TO_ALL
    } else if is_one_of(&["gather", "gatherv", "reduce"]) {
        ALL_TO_ONE
    } else if is_one_of(&[
        "allgather",
        "allgatherv",
        "allreduce",
        "alltoall",
        "alltoallv",
        "alltoallw",
        "reduce_scatter",
        "reduce_scatter_block",
    ]) {
        ALL_TO_ALL
    } else if is_one_of(&["scan", "exscan"]) {
        OTHER_COLLECTIVE
    } else if name.starts_with("win_") || is_one_of(&["put", "get", "accumulate", "get_accumulate"]) {
        REMOTE_MEMORY
    } else if ["send", "recv", "ssend", "bsend", "rsend", "wait", "test", "start", "probe"]
        .iter()
        .any(|start| name.starts_with(start) || blocking.starts_with(start))
    {
        POINT_TO_POINT
    } else {
        FUNCTION
    }
}
