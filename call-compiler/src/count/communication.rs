//! How the time of calls that communicate grows, in the usual terms: with the number of elements, and with that of the processors.

use call_counting::{Monomial, Polynomial};

use super::around::{CountedPart, StatementId};

/// How a call grows with the number of processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pattern {
    /// Between two.
    Message,
    /// Along a tree of all: `log2(P)` times.
    Tree,
    /// Each with each, or one with each: `P` times.
    Each,
}

/// The number of processors, as formulas call it.
pub const PROCESSORS: &str = "P";

/// The positions of the arguments that are numbers of elements, or of bytes; none where nothing is sent.
const CALLS: &[(&str, &[usize], Pattern)] = &[
    ("MPI_Send", &[1], Pattern::Message),
    ("MPI_Ssend", &[1], Pattern::Message),
    ("MPI_Bsend", &[1], Pattern::Message),
    ("MPI_Rsend", &[1], Pattern::Message),
    ("MPI_Isend", &[1], Pattern::Message),
    ("MPI_Issend", &[1], Pattern::Message),
    ("MPI_Recv", &[1], Pattern::Message),
    ("MPI_Irecv", &[1], Pattern::Message),
    ("MPI_Sendrecv", &[1, 6], Pattern::Message),
    ("MPI_Sendrecv_replace", &[1], Pattern::Message),
    ("MPI_Put", &[1], Pattern::Message),
    ("MPI_Get", &[1], Pattern::Message),
    ("MPI_Accumulate", &[1], Pattern::Message),
    ("MPI_Barrier", &[], Pattern::Tree),
    ("MPI_Bcast", &[1], Pattern::Tree),
    ("MPI_Ibcast", &[1], Pattern::Tree),
    ("MPI_Reduce", &[2], Pattern::Tree),
    ("MPI_Ireduce", &[2], Pattern::Tree),
    ("MPI_Allreduce", &[2], Pattern::Tree),
    ("MPI_Iallreduce", &[2], Pattern::Tree),
    ("MPI_Scan", &[2], Pattern::Tree),
    ("MPI_Exscan", &[2], Pattern::Tree),
    ("MPI_Gather", &[1], Pattern::Each),
    ("MPI_Scatter", &[1], Pattern::Each),
    ("MPI_Allgather", &[1], Pattern::Each),
    ("MPI_Iallgather", &[1], Pattern::Each),
    ("MPI_Alltoall", &[1], Pattern::Each),
    ("MPI_Ialltoall", &[1], Pattern::Each),
    ("MPI_Reduce_scatter_block", &[2], Pattern::Each),
    ("bsp_put", &[4], Pattern::Message),
    ("bsp_hpput", &[4], Pattern::Message),
    ("bsp_get", &[4], Pattern::Message),
    ("bsp_hpget", &[4], Pattern::Message),
    ("bsp_send", &[3], Pattern::Message),
];

/// A function that communicates, with the positions of its numbers of elements.
pub fn find(function: &str) -> Option<(&'static str, &'static [usize])> {
    let in_headers = without_prefix(function).map(|name| format!("bsp_{name}"));
    let function = in_headers.as_deref().unwrap_or(function);
    CALLS.iter().find(|(name, ..)| *name == function).map(|(name, counts, _)| (*name, *counts))
}

/// The positions of the arguments that say what these elements are: in MPI each stands behind their number.
pub fn types_of_elements(function: &str, counts: &'static [usize]) -> impl Iterator<Item = usize> {
    let counts = if function.starts_with("MPI_") { counts } else { &[] };
    counts.iter().map(|position| position + 1)
}

/// Whether it tells the number of processors.
pub fn is_number_of_processors(function: &str) -> bool {
    function.starts_with("cll_bsplib") && without_prefix(function) == Some("nprocs")
}

/// What a function is called whose name the headers of BSPlib and PUB write otherwise.
fn without_prefix(function: &str) -> Option<&str> {
    let is_of_headers = ["cll_bsplib", "cll_pub_"].iter().any(|prefix| function.starts_with(prefix));
    function.rsplit('_').next().filter(|_| is_of_headers)
}

/// Whether it is a call of such a function.
pub fn is_communication(id: &StatementId) -> bool {
    matches!(id.part, CountedPart::Library(name) if find(name).is_some())
}

/// What a call takes that sends so many elements.
pub fn with_processors(id: &StatementId, elements: Monomial) -> Monomial {
    let processors = Polynomial::name(PROCESSORS);
    let pattern = match id.part {
        CountedPart::Library(function) => CALLS.iter().find(|(name, ..)| *name == function),
        _ => None,
    };
    let factor = match pattern {
        Some((.., Pattern::Tree)) => processors.log(),
        Some((.., Pattern::Each)) => processors,
        Some((.., Pattern::Message)) | None => return elements,
    };
    factor.single().map_or(elements.clone(), |(factor, _)| elements.times(factor))
}
