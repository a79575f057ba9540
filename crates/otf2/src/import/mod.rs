//! From the records of an archive to events.

mod communicators;
mod counts;
mod location;

use call_trace::ProcessorEvents;

use crate::error::Error;
use crate::record::{ArchiveClock, ArchiveDefinitions, ArchiveEvent};
use crate::remark::ArchiveRemark;
use communicators::Communicators;
use location::{LeftOut, LocationReader};

/// What the definitions of an archive say about its processes.
pub(crate) struct Importer {
    definitions: ArchiveDefinitions,
    communicators: Communicators,
    clock: ArchiveClock,
    remarks: Vec<ArchiveRemark>,
    /// Of each process.
    left_out: Vec<LeftOut>,
}

impl Importer {
    pub(crate) fn new(definitions: ArchiveDefinitions) -> Result<Importer, Error> {
        let clock = definitions.clock.filter(|clock| clock.ticks_per_second > 0).ok_or(Error::NoClock)?;
        let communicators = Communicators::of(&definitions);
        let mut remarks = Vec::new();
        let is_process = |location: &u64| communicators.locations.values().any(|its| its == location);
        let others =
            definitions.locations.iter().filter(|(own, its)| its.events > 0 && !is_process(own)).count();
        if others > 0 {
            remarks.push(ArchiveRemark::OtherLocations { locations: others });
        }
        if !communicators.has_ranks && communicators.locations.len() > 1 {
            remarks.push(ArchiveRemark::NoRanks);
        }
        Ok(Importer { definitions, communicators, clock, remarks, left_out: Vec::new() })
    }

    /// Each processor with its location.
    pub(crate) fn locations(&self) -> Vec<(u32, u64)> {
        self.communicators.locations.iter().map(|(processor, location)| (*processor, *location)).collect()
    }

    /// The events of a processor. `read` hands them over, and returns how many there were, and what it failed at.
    pub(crate) fn processor(
        &mut self,
        processor: u32,
        location: u64,
        read: impl FnOnce(&mut dyn FnMut(ArchiveEvent)) -> (u64, Option<String>),
    ) -> Option<ProcessorEvents> {
        let mut reader = LocationReader::new(&self.definitions, &self.communicators, self.clock, processor);
        let (found, problem) = read(&mut |event| reader.take(event));
        let (made, remarks, left_out) = reader.finish();
        self.left_out.push(left_out);
        let expected = self.definitions.locations.get(&location).map_or(0, |its| its.events);
        let problem = problem.or_else(|| (found < expected).then(|| format!("it should have {expected}")));
        if made.events.is_empty() {
            let problem = problem.unwrap_or_else(|| "there are none".to_owned());
            self.remarks.push(ArchiveRemark::Missing { processor, problem });
            return None;
        }
        let events = found.max(made.events.len() as u64);
        self.remarks.extend(problem.map(|problem| ArchiveRemark::Cut { processor, events, problem }));
        self.remarks.extend(remarks);
        Some(made)
    }

    /// What is to be said, when all processors were read.
    pub(crate) fn finish(mut self) -> Vec<ArchiveRemark> {
        let values: u64 = self.left_out.iter().map(|its| its.counters).sum();
        if values > 0 {
            self.remarks.push(ArchiveRemark::Counters { values });
        }
        let time_ns: u64 = self.left_out.iter().map(|its| its.barriers_ns).sum();
        if time_ns > 0 {
            let processors = self.left_out.iter().filter(|its| its.barriers_ns > 0).count();
            self.remarks.push(ArchiveRemark::ThreadBarriers { processors, time_ns });
        }
        self.remarks
    }
}
