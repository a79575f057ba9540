//! Version 1: header lines `# key: value`, column names, rows as text or in binary blocks, `# end rows=N`.

mod block;
mod column;
mod experiment;
mod header;
mod row;
mod rows;
mod supersteps;
mod tail;
mod value;

use crate::lines::Lines;
use crate::{Completeness, Error, Experiment, Trace};
use header::Head;

/// What stands between the header and the end.
struct Body {
    experiments: Vec<Experiment>,
    rows: u64,
    /// Whether the last row or block was cut.
    is_cut: bool,
}

/// Reads what follows the first line.
pub(crate) fn read(mut lines: Lines) -> Result<Trace, Error> {
    let mut head = header::read(&mut lines)?;
    let body = if head.is_binary { block::read(&mut lines, &head)? } else { rows::read(&mut lines, &head)? };
    let supersteps = if body.is_cut { Vec::new() } else { supersteps::read(&mut lines)? };
    let announced = if body.is_cut { None } else { tail::read(&mut lines)? };
    let completeness = completeness(&mut head, &body, announced);
    Ok(Trace { header: head.header, completeness, experiments: body.experiments, supersteps })
}

fn completeness(head: &mut Head, body: &Body, announced: Option<u64>) -> Completeness {
    let rows = body.rows;
    if let Some(run) = head.unfinished.take() {
        // The process may not have known how many there are.
        let tables = body.experiments.iter().flat_map(|its| [&its.samples, &its.summaries.points]);
        let largest = tables.flat_map(|samples| &samples.processor).max();
        let processors = largest.map_or(0, |largest| largest.saturating_add(1));
        head.header.processors = head.header.processors.max(processors);
        return Completeness::Unfinished { run, rows };
    }
    if announced == Some(rows) { Completeness::Complete } else { Completeness::Cut { rows, announced } }
}
