use call_grammar::counted;
use call_trace::Completeness;

/// What is missing in a trace, to be said behind its name; nothing of one that is complete.
pub fn incompleteness(of: &Completeness) -> Option<String> {
    match of {
        Completeness::Complete => None,
        Completeness::Cut { rows, announced: None } => Some(format!(
            "is incomplete: its end is missing, {} read (the run was killed, or the disk was full)",
            were(*rows)
        )),
        Completeness::Cut { rows, announced: Some(announced) } => Some(format!(
            "is incomplete: it speaks of {announced} rows, {} read (lines were added or lost)",
            were(*rows)
        )),
        Completeness::Unfinished { rows, .. } => Some(format!(
            "holds what a run had measured so far: {}; it has not reported (it was killed, or still runs)",
            counted(*rows as usize, "row")
        )),
    }
}

fn were(rows: u64) -> String {
    format!("{} {}", counted(rows as usize, "row"), if rows == 1 { "was" } else { "were" })
}
