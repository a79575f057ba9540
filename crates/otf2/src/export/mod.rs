//! From events to the records of an archive.

mod definitions;
mod location;

use call_trace::ProcessorEvents;

use crate::error::Error;
use crate::record::{ArchiveDefinitions, ArchiveEvent, DefinitionReference};
use crate::remark::ArchiveRemark;
use definitions::Definer;
use location::LocationWriter;

/// What an archive says to have been written by; names of communicators are read back from such ones only.
pub(crate) const CREATOR: &str = "CALL";

/// What an archive is made of beside its events.
pub(crate) struct Exported {
    pub(crate) definitions: ArchiveDefinitions,
    /// The texts of the root of all machines and of its kind, and that of MPI.
    pub(crate) machine: DefinitionReference,
    pub(crate) mpi: DefinitionReference,
    pub(crate) remarks: Vec<ArchiveRemark>,
}

/// Hands the events of each processor over, one processor behind the other, and makes what they speak of.
pub(crate) fn export(
    recorded: &[ProcessorEvents],
    mut write: impl FnMut(u64, &ArchiveEvent) -> Result<(), Error>,
) -> Result<Exported, Error> {
    let mut recorded: Vec<&ProcessorEvents> = recorded.iter().filter(|its| !its.events.is_empty()).collect();
    recorded.sort_by_key(|its| its.processor);
    recorded.dedup_by_key(|its| its.processor);
    if recorded.is_empty() {
        return Err(Error::NoEvents);
    }
    if recorded.len() > 1
        && let Some(own) = recorded.iter().find(|its| !its.has_common_clock)
    {
        return Err(Error::OwnClock { processor: own.processor });
    }
    let mut definer = Definer::new(&recorded);
    let mut remarks = Vec::new();
    let mut last_ns = 0;
    for its in recorded {
        let location = u64::from(its.processor);
        let mut writer = LocationWriter::new(its, &mut definer);
        let mut events = 0;
        writer.run(|event| {
            events += 1;
            last_ns = last_ns.max(event.ticks);
            write(location, event)
        })?;
        remarks.extend(writer.remarks());
        definer.count(location, events);
    }
    definer.set_clock(last_ns);
    let (machine, mpi) = (definer.text("machine"), definer.text("MPI"));
    Ok(Exported { definitions: definer.made, machine, mpi, remarks })
}
