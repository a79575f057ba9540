use std::collections::HashMap;

use call_trace::{
    CallSite, Collective, EpochStep, EventKind, Message, ProcessorEvents, RemoteAccess, WindowEpoch,
};

use super::definitions::Definer;
use crate::error::Error;
use crate::names;
use crate::record::{
    AccessRecord, ArchiveEvent, ArchiveMessage, CollectiveRecord, DefinitionReference, Happening, number,
};
use crate::remark::ArchiveRemark;

/// What has begun: a region or an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OpenRegion {
    region: DefinitionReference,
    /// The experiment, or the name of the call.
    experiment: Option<u32>,
    call: String,
    /// What the call does together with others, which ends with it.
    together: Vec<CollectiveRecord>,
}

/// How often something was met that is to be told.
#[derive(Debug, Default)]
struct ExportIncidents {
    clock_went_back: usize,
    undefined: usize,
    unknown_requests: usize,
    not_nested: usize,
}

/// Makes the records of a processor's events.
pub(super) struct LocationWriter<'a> {
    recorded: &'a ProcessorEvents,
    definer: &'a mut Definer,
    open: Vec<OpenRegion>,
    /// Collective operations that were begun, by their requests.
    begun: HashMap<u64, Collective>,
    /// What ended together with others, before the region that ends now; the last first.
    ended: Vec<CollectiveRecord>,
    last_ns: u64,
    counts: ExportIncidents,
}

type Attributes = [Option<(DefinitionReference, DefinitionReference)>; 2];

impl<'a> LocationWriter<'a> {
    pub(super) fn new(recorded: &'a ProcessorEvents, definer: &'a mut Definer) -> LocationWriter<'a> {
        LocationWriter {
            recorded,
            definer,
            open: Vec::new(),
            begun: HashMap::new(),
            ended: Vec::new(),
            last_ns: 0,
            counts: ExportIncidents::default(),
        }
    }

    pub(super) fn run(
        &mut self,
        mut write: impl FnMut(&ArchiveEvent) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for event in &self.recorded.events {
            if event.at_ns < self.last_ns {
                self.counts.clock_went_back += 1;
            }
            self.last_ns = self.last_ns.max(event.at_ns);
            let ticks = self.last_ns;
            let Some((happening, attributes)) = self.record(event.kind) else { continue };
            for happening in self.ended.drain(..).map(Happening::CollectiveEnd) {
                write(&ArchiveEvent { ticks, happening, attributes: [None; 2] })?;
            }
            write(&ArchiveEvent { ticks, happening, attributes })?;
        }
        // A call that has no end is still that of an operation.
        let unended = self.open.iter_mut().rev().flat_map(|open| open.together.drain(..).rev());
        for happening in unended.map(Happening::CollectiveEnd) {
            write(&ArchiveEvent { ticks: self.last_ns, happening, attributes: [None; 2] })?;
        }
        Ok(())
    }

    /// `None` of what an archive cannot have, or need not.
    fn record(&mut self, kind: EventKind) -> Option<(Happening, Attributes)> {
        const NONE: Attributes = [None; 2];
        let plain = |happening: Happening| (happening, NONE);
        match kind {
            EventKind::ProgramBegin => Some(plain(Happening::ProgramBegin { name: 0 })),
            EventKind::ProgramEnd => Some(plain(Happening::ProgramEnd)),
            EventKind::Enter { region } => self.enter(region),
            EventKind::Leave => {
                let place = self.open.iter().rposition(|open| open.experiment.is_none());
                self.end(place).map(plain)
            }
            EventKind::ExperimentBegin { experiment } => {
                let name = self.recorded.experiments.get(experiment as usize);
                let name = self.defined(name)?;
                let region = self.definer.experiment(name);
                let call = String::new();
                self.open.push(OpenRegion {
                    region,
                    experiment: Some(experiment),
                    call,
                    together: Vec::new(),
                });
                Some(plain(Happening::Enter { region }))
            }
            EventKind::ExperimentEnd { experiment } => {
                let place = self.open.iter().rposition(|open| open.experiment == Some(experiment));
                self.end(place).map(plain)
            }
            EventKind::Send { message, is_synchronous } => {
                let message = self.message(message)?;
                Some((Happening::Send(message), self.synchrony(is_synchronous)))
            }
            EventKind::SendRequest { message, request, is_synchronous } => {
                let message = self.message(message)?;
                Some((Happening::SendRequest { message, request }, self.synchrony(is_synchronous)))
            }
            EventKind::SendComplete { request } => Some(plain(Happening::SendComplete { request })),
            EventKind::Receive { message } => self.message(message).map(Happening::Receive).map(plain),
            EventKind::ReceiveRequest { request } => Some(plain(Happening::ReceiveRequest { request })),
            EventKind::ReceiveComplete { message, request } => {
                let message = self.message(message)?;
                Some(plain(Happening::ReceiveComplete { message, request }))
            }
            EventKind::Probed { message } => {
                let message = self.message(message)?;
                let text = self.definer.text(&names::probed_text(&message));
                let parameter = self.definer.probed;
                Some(plain(Happening::ParameterText { parameter, text }))
            }
            EventKind::RemoteAccess { access } => self.access(access).map(plain),
            EventKind::WindowEpoch { epoch } => self.epoch(epoch).map(plain),
            EventKind::Cancelled { request } => Some(plain(Happening::Cancelled { request })),
            EventKind::Collective { collective } => {
                let together = self.together(collective)?;
                match self.open.iter_mut().rfind(|open| open.experiment.is_none()) {
                    Some(call) => {
                        call.together.push(together);
                        Some(plain(Happening::CollectiveBegin))
                    }
                    None => Some(plain(Happening::CollectiveEnd(together))),
                }
            }
            EventKind::CollectiveRequest { collective, request } => {
                self.begun.insert(request, collective);
                Some(plain(Happening::CollectiveRequest { request }))
            }
            EventKind::CollectiveComplete { request } => {
                let Some(collective) = self.begun.remove(&request) else {
                    self.counts.unknown_requests += 1;
                    return None;
                };
                let together = self.together(collective)?;
                Some(plain(Happening::CollectiveComplete { together, request }))
            }
        }
    }

    fn defined<Thing>(&mut self, thing: Option<Thing>) -> Option<Thing> {
        self.counts.undefined += usize::from(thing.is_none());
        thing
    }

    fn enter(&mut self, region: u32) -> Option<(Happening, Attributes)> {
        let site = self.recorded.regions.get(region as usize);
        let site = self.defined(site)?;
        let reference = self.definer.region(site);
        let attributes = self.place_of(site);
        self.open.push(OpenRegion {
            region: reference,
            experiment: None,
            call: site.call.clone(),
            together: Vec::new(),
        });
        Some((Happening::Enter { region: reference }, attributes))
    }

    /// What is known of a call beyond its region and what is open around it.
    fn place_of(&mut self, site: &CallSite) -> Attributes {
        let is_mpi = names::is_mpi(&site.call);
        let is_defined =
            site.position.as_ref().is_none_or(|its| !is_mpi && its.line > 0 && !its.file.is_empty());
        let position = (!is_defined).then(|| names::position_text(site.position.as_ref()));
        let procedures = self.open.iter().rev();
        let procedures: Vec<&String> = procedures
            .filter(|open| open.experiment.is_none() && !names::is_mpi(&open.call))
            .map(|open| &open.call)
            .collect();
        let is_around = site.call_stack.iter().eq(procedures);
        let call_stack = (!is_around).then(|| names::stack_text(&site.call_stack));
        let definer = &mut *self.definer;
        let position = position.map(|text| (definer.position, definer.text(&text)));
        [position, call_stack.map(|text| (definer.call_stack, definer.text(&text)))]
    }

    fn end(&mut self, place: Option<usize>) -> Option<Happening> {
        self.counts.not_nested += usize::from(place.is_none_or(|place| place + 1 < self.open.len()));
        let ended = self.open.remove(place?);
        self.ended.extend(ended.together.into_iter().rev());
        Some(Happening::Leave { region: ended.region })
    }

    /// Said where the function that was called says something else.
    fn synchrony(&mut self, is_synchronous: bool) -> Attributes {
        let call = self.open.iter().rev().find(|open| names::is_mpi(&open.call));
        let is_expected = call.is_some_and(|open| names::is_synchronous(&open.call));
        if is_expected == is_synchronous {
            return [None; 2];
        }
        let text = self.definer.text(if is_synchronous { names::YES } else { names::NO });
        [Some((self.definer.synchronous, text)), None]
    }

    fn message(&mut self, message: Message) -> Option<ArchiveMessage> {
        let recorded = self.recorded;
        let communicator = recorded.communicators.get(message.communicator as usize);
        let rank = communicator
            .and_then(|communicator| self.definer.rank(communicator, message.partner, recorded.processor));
        let (communicator, rank) = self.defined(rank)?;
        Some(ArchiveMessage { rank, communicator, tag: message.tag as u32, bytes: message.bytes })
    }

    fn together(&mut self, collective: Collective) -> Option<CollectiveRecord> {
        let operation = names::number_of(collective.operation)?;
        let recorded = self.recorded;
        let communicator = self.defined(recorded.communicators.get(collective.communicator as usize))?;
        let root = match collective.root {
            None => self.definer.communicator(communicator).map(|reference| (reference, number::NO_ROOT)),
            Some(root) => self.definer.rank(communicator, root, recorded.processor),
        };
        let (communicator, root) = self.defined(root)?;
        let Collective { sent_bytes, received_bytes, .. } = collective;
        Some(CollectiveRecord { operation, communicator, root, sent_bytes, received_bytes })
    }

    fn access(&mut self, access: RemoteAccess) -> Option<Happening> {
        let RemoteAccess { partner, communicator, sent_bytes, received_bytes } = access;
        let (window, rank) = self.window(communicator, None, partner)?;
        let call = self.open.iter().rev().find(|open| names::is_mpi(&open.call));
        let is_accumulation = call.is_some_and(|open| names::is_accumulation(&open.call));
        let record = AccessRecord { rank, window, is_accumulation, sent_bytes, received_bytes };
        Some(Happening::RemoteAccess(record))
    }

    fn epoch(&mut self, epoch: WindowEpoch) -> Option<Happening> {
        let WindowEpoch { step, partner, communicator, window } = epoch;
        let (window, rank) = self.window(communicator, Some(window), partner)?;
        Some(match step {
            EpochStep::Post | EpochStep::Start | EpochStep::Complete | EpochStep::Wait => {
                Happening::GroupSync { group: self.definer.group(&[partner]), window }
            }
            EpochStep::LockExclusive => Happening::Lock { rank, window, is_shared: false },
            EpochStep::LockShared => Happening::Lock { rank, window, is_shared: true },
            EpochStep::Unlock => Happening::Unlock { rank, window },
        })
    }

    /// A window of a communicator, and the rank of a processor in it.
    fn window(
        &mut self,
        communicator: u32,
        number: Option<u32>,
        processor: u32,
    ) -> Option<(DefinitionReference, u64)> {
        let recorded = self.recorded;
        let communicator = self.defined(recorded.communicators.get(communicator as usize))?;
        let rank = self.definer.rank(communicator, processor, recorded.processor);
        let (communicator, rank) = self.defined(rank)?;
        Some((self.definer.window(communicator, number), rank))
    }

    pub(super) fn remarks(&self) -> Vec<ArchiveRemark> {
        let processor = self.recorded.processor;
        let counts = &self.counts;
        let (open_collectives, regions) = (self.begun.len(), self.open.len());
        let told = [
            (
                counts.clock_went_back,
                ArchiveRemark::ClockWentBack { processor, events: counts.clock_went_back },
            ),
            (counts.undefined, ArchiveRemark::Undefined { processor, events: counts.undefined }),
            (
                counts.unknown_requests,
                ArchiveRemark::UnknownRequests { processor, events: counts.unknown_requests },
            ),
            (counts.not_nested, ArchiveRemark::NotNested { processor, events: counts.not_nested }),
            (open_collectives, ArchiveRemark::OpenCollectives { processor, events: open_collectives }),
            (regions, ArchiveRemark::OpenRegions { processor, regions }),
        ];
        told.into_iter().filter(|(count, _)| *count > 0).map(|(_, remark)| remark).collect()
    }
}
