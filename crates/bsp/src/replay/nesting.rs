//! The supersteps of one processor, each with the machines that were open in it.

use std::collections::HashMap;

use call_trace::{BspMachine, ProcessorSupersteps, Superstep};

use super::Error;

/// A machine on a processor.
#[derive(Debug)]
pub(super) struct OnProcessor<'a> {
    pub machine: BspMachine,
    /// In their order.
    pub supersteps: Vec<Nested<'a>>,
}

/// A superstep on a processor.
#[derive(Debug)]
pub(super) struct Nested<'a> {
    pub recorded: &'a Superstep,
    /// Machines that were opened and closed in it.
    pub inside: Vec<OnProcessor<'a>>,
}

/// Partitions halve a machine, so even a million processors are 20 machines deep.
const MOST_DEPTH: usize = 100;

/// What ends a superstep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Barrier,
    Oblivious,
    /// The machine ends, or a report comes between.
    Nothing,
}

pub(super) fn end_of(call: &str) -> End {
    match call {
        "bsp_sync" => End::Barrier,
        "bsp_oblsync" => End::Oblivious,
        _ => End::Nothing,
    }
}

/// The machine of all processors, on one of them; `None` if it recorded nothing.
pub(super) fn nest(section: &ProcessorSupersteps) -> Result<Option<OnProcessor<'_>>, Error> {
    let processor = section.processor;
    // For each depth the machines whose superstep around has not ended.
    let mut open: Vec<Vec<OnProcessor>> = Vec::new();
    let mut last_of_machine: HashMap<BspMachine, (u64, End)> = HashMap::new();
    for recorded in &section.supersteps {
        let (machine, superstep) = (recorded.machine, recorded.number);
        let depth = recorded.depth as usize;
        if depth >= MOST_DEPTH {
            return Err(Error::TooDeep { processor, most: MOST_DEPTH });
        }
        let end = end_of(&section.places[recorded.place].call);
        let follows = match last_of_machine.insert(machine, (superstep, end)) {
            None => true,
            Some((before, End::Nothing)) => superstep == before,
            Some((before, _)) => before.checked_add(1) == Some(superstep),
        };
        if !follows {
            return Err(Error::Order { processor, machine, superstep });
        }
        if open.len() < depth + 2 {
            open.resize_with(depth + 2, Vec::new);
        }
        if open[depth + 2..].iter().any(|machines| !machines.is_empty()) {
            return Err(Error::Order { processor, machine, superstep });
        }
        let inside = std::mem::take(&mut open[depth + 1]);
        for part in &inside {
            let (inner, outer) = (part.machine.processors, machine.processors);
            if inner.first < outer.first || inner.last > outer.last {
                return Err(Error::Outside { processor, inner: part.machine, outer: machine });
            }
        }
        let nested = Nested { recorded, inside };
        match open[depth].last_mut() {
            Some(known) if known.machine == machine => known.supersteps.push(nested),
            _ => open[depth].push(OnProcessor { machine, supersteps: vec![nested] }),
        }
    }
    outermost(processor, open)
}

/// The only machine that lies in no other.
fn outermost(processor: u32, open: Vec<Vec<OnProcessor>>) -> Result<Option<OnProcessor>, Error> {
    let mut depths = open.into_iter();
    let mut roots = depths.next().unwrap_or_default();
    let deeper = depths.flatten().next();
    let second = (roots.len() > 1).then(|| roots.pop()).flatten();
    let unclaimed = deeper.or(second);
    if let Some(unclaimed) = unclaimed {
        let superstep = unclaimed.supersteps.last().map_or(0, |last| last.recorded.number);
        return Err(Error::Cut { processor, machine: unclaimed.machine, superstep });
    }
    Ok(roots.pop())
}
