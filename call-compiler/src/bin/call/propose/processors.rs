//! What starts and ends the processors of a program: functions of MPI and BSPlib, and those that call them.

use std::collections::BTreeSet;

use call_compiler::{BlockCounts, BlockKind, CountedPart};

/// A function with those of other files that it calls, itself or through others of its file.
pub type CallsToOtherFiles = (String, BTreeSet<String>);

/// The functions of a file.
pub fn calls(blocks: &[BlockCounts]) -> Vec<CallsToOtherFiles> {
    let functions = blocks.iter().filter(|block| block.kind == BlockKind::Function);
    let called = |block: &BlockCounts| {
        let of_library = block.statements.iter().filter_map(|its| match its.part {
            CountedPart::Library(name) => Some(name.to_owned()),
            _ => None,
        });
        block.uncounted.iter().map(|its| its.why.trim_matches('`').to_owned()).chain(of_library).collect()
    };
    functions.map(|block| (block.name.clone(), called(block))).collect()
}

const STARTS_MPI: [&str; 2] = ["MPI_Init", "MPI_Init_thread"];
const STARTS_BSPLIB: [&str; 2] = ["bsp_init", "bsp_begin"];
const ENDS: [&str; 3] = ["MPI_Finalize", "bsp_end", "bsplib_done"];

/// The names of the functions behind which, and before which, there are processors.
pub struct ProcessorBounds {
    pub starts: BTreeSet<String>,
    pub ends: BTreeSet<String>,
}

impl ProcessorBounds {
    pub fn of(calls: &[CallsToOtherFiles]) -> ProcessorBounds {
        // Processors are there behind `bsp_begin`, not yet behind `bsp_init`.
        let starts = STARTS_MPI.iter().chain(&STARTS_BSPLIB[1..]);
        ProcessorBounds { starts: all_that_call(calls, starts), ends: all_that_call(calls, &ENDS) }
    }
}

/// These functions and all that reach them.
fn all_that_call<'a>(
    calls: &[CallsToOtherFiles],
    these: impl IntoIterator<Item = &'a &'a str>,
) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = these.into_iter().map(|name| (*name).to_owned()).collect();
    loop {
        let before = found.len();
        let reaching =
            calls.iter().filter(|(_, called)| !called.is_disjoint(&found)).map(|(name, _)| name.clone());
        let reaching: Vec<String> = reaching.collect();
        found.extend(reaching);
        if found.len() == before {
            return found;
        }
    }
}

/// What the directive `parallel` says of a program: what it calls starts processors, or directives of OpenMP do. `None`: it is
/// sequential, or what starts its processors has a name that only the user knows.
pub fn parallel_kind(sources: &[&str], calls: &[CallsToOtherFiles]) -> Option<&'static str> {
    let is_parallel = |text: &str| {
        let mut words = text.split(|character| !is_word(character)).filter(|word| !word.is_empty());
        words.next() == Some("omp") && words.any(|word| word == "parallel")
    };
    let opens_team = |line: &str| {
        let of_line =
            line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("pragma"));
        let within = line.split(PRAGMA).skip(1).filter_map(|rest| rest.split("\")").next());
        of_line.into_iter().chain(within).any(is_parallel)
    };
    let is_called =
        |names: &[&str]| calls.iter().any(|(_, called)| names.iter().any(|name| called.contains(*name)));
    if is_called(&STARTS_MPI) {
        Some("MPI MPI_COMM_WORLD")
    } else if is_called(&STARTS_BSPLIB) {
        Some("BSPlib")
    } else {
        sources.iter().flat_map(|source| source.lines()).any(opens_team).then_some("OpenMP")
    }
}

/// What begins a pragma within a line.
pub const PRAGMA: &str = "_Pragma(";

/// Whether a character may stand in a name of C.
pub fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}
