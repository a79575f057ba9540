mod accesses;

use std::collections::{BTreeMap, HashMap, HashSet};

use call_trace::{
    CallSite, Collective, CollectiveOperation, EpochStep, Event, EventKind, Message, ProcessorEvents,
    SourcePosition,
};

use super::communicators::Communicators;
use super::counts::ImportIncidents;
use crate::names;
use crate::record::{
    ArchiveClock, ArchiveDefinitions, ArchiveEvent, ArchiveMessage, CollectiveRecord, DefinitionReference,
    Happening, UNDEFINED, number,
};
use crate::remark::ArchiveRemark;

/// A region that has begun.
#[derive(Debug, Clone)]
struct Stay {
    region: DefinitionReference,
    kind: StayKind,
    /// Since when its threads wait for each other here, if they do.
    barrier_since_ns: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum StayKind {
    Experiment(u32),
    /// With its name.
    Mpi(String),
    Procedure(String),
    /// Of a region that the archive does not define.
    Undefined,
}

/// Takes the events of a location one after another.
pub(super) struct LocationReader<'a> {
    definitions: &'a ArchiveDefinitions,
    communicators: &'a Communicators,
    clock: ArchiveClock,
    made: ProcessorEvents,
    events: Vec<Event>,
    regions: HashMap<CallSite, u32>,
    experiments: HashMap<String, u32>,
    /// The place of each communicator in the list that is made.
    communicator_of: BTreeMap<DefinitionReference, u32>,
    stays: Vec<Stay>,
    /// The numbers of requests that are open, and all that were given.
    requests: HashMap<u64, u64>,
    given: HashSet<u64>,
    next_request: u64,
    /// Places of events of collective operations whose end will tell what they are.
    begun: HashMap<u64, usize>,
    /// Places of events of what several do together, in calls whose end will tell what it is.
    together: Vec<usize>,
    /// Places of those of which it told that they are nothing to be analysed.
    passed_over: Vec<usize>,
    counts: ImportIncidents,
    left_out: LeftOut,
}

/// What of a process is not analysed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LeftOut {
    /// Values of counters.
    pub(super) counters: u64,
    /// How long its threads waited for each other.
    pub(super) barriers_ns: u64,
}

impl<'a> LocationReader<'a> {
    pub(super) fn new(
        definitions: &'a ArchiveDefinitions,
        communicators: &'a Communicators,
        clock: ArchiveClock,
        processor: u32,
    ) -> LocationReader<'a> {
        let mut made = ProcessorEvents { processor, has_common_clock: true, ..ProcessorEvents::default() };
        let mut communicator_of = BTreeMap::new();
        for (reference, communicator) in communicators.of_processor(processor) {
            communicator_of.insert(reference, made.communicators.len() as u32);
            made.communicators.push(communicator);
        }
        LocationReader {
            definitions,
            communicators,
            clock,
            made,
            events: Vec::new(),
            regions: HashMap::new(),
            experiments: HashMap::new(),
            communicator_of,
            stays: Vec::new(),
            requests: HashMap::new(),
            given: HashSet::new(),
            next_request: u64::MAX,
            begun: HashMap::new(),
            together: Vec::new(),
            passed_over: Vec::new(),
            counts: ImportIncidents::default(),
            left_out: LeftOut::default(),
        }
    }

    pub(super) fn take(&mut self, event: ArchiveEvent) {
        let at_ns = self.nanoseconds(event.ticks);
        match event.happening {
            Happening::Enter { region } => self.enter(at_ns, region, &event),
            Happening::Leave { region } => self.leave(at_ns, region),
            Happening::ProgramBegin { .. } => self.push(at_ns, EventKind::ProgramBegin),
            Happening::ProgramEnd => self.push(at_ns, EventKind::ProgramEnd),
            Happening::BufferFlush { end_ticks } => {
                let end_ns = self.nanoseconds(end_ticks);
                self.counts.flushed_ns += end_ns.saturating_sub(at_ns);
            }
            Happening::Recording { mode } => {
                self.counts.recording_off += usize::from(mode == number::RECORDING_OFF);
            }
            Happening::CallingContext => self.counts.calling_contexts += 1,
            Happening::Counters { values } => self.left_out.counters += values,
            Happening::CollectiveBegin => {
                self.together.push(self.events.len());
                self.push(at_ns, EventKind::Collective { collective: UNKNOWN });
            }
            other => self.communicate(at_ns, other, &event),
        }
    }

    /// Since the origin of the archive's clock.
    fn nanoseconds(&mut self, ticks: u64) -> u64 {
        if ticks < self.clock.origin_ticks {
            self.counts.before_clock += 1;
            return 0;
        }
        let passed = u128::from(ticks - self.clock.origin_ticks);
        let per_second = u128::from(self.clock.ticks_per_second);
        let rounded_ns = (passed * 1_000_000_000 + per_second / 2) / per_second;
        u64::try_from(rounded_ns).unwrap_or(u64::MAX)
    }

    fn push(&mut self, at_ns: u64, kind: EventKind) {
        self.events.push(Event { at_ns, kind });
    }

    /// The text of an attribute of an event.
    fn attribute(&self, event: &ArchiveEvent, name: &str) -> Option<&'a str> {
        let is_named = |reference: &DefinitionReference| {
            self.definitions.attributes.get(reference).is_some_and(|its| self.definitions.text(*its) == name)
        };
        let mut given = event.attributes.iter().flatten();
        given.find(|(reference, _)| is_named(reference)).map(|(_, text)| self.definitions.text(*text))
    }

    fn enter(&mut self, at_ns: u64, region: DefinitionReference, event: &ArchiveEvent) {
        let Some(its) = self.definitions.regions.get(&region) else {
            self.counts.undefined += 1;
            self.stays.push(Stay { region, kind: StayKind::Undefined, barrier_since_ns: None });
            return;
        };
        let name = self.definitions.text(its.name);
        if self.definitions.text(its.description) == names::EXPERIMENT {
            let list = &mut self.made.experiments;
            let experiment = *self.experiments.entry(name.to_owned()).or_insert_with(|| {
                list.push(name.to_owned());
                list.len() as u32 - 1
            });
            self.stays.push(Stay { region, kind: StayKind::Experiment(experiment), barrier_since_ns: None });
            return self.push(at_ns, EventKind::ExperimentBegin { experiment });
        }
        let (call, kind) = match names::c_name(name) {
            Some(name) => (name.clone(), StayKind::Mpi(name)),
            None => (name.to_owned(), StayKind::Procedure(name.to_owned())),
        };
        let is_mpi = matches!(kind, StayKind::Mpi(_));
        let told = self.attribute(event, names::POSITION);
        let position = match told {
            Some(told) => names::position_of(told),
            None if is_mpi => None,
            None => definition_position(self.definitions, its.source_file, its.first_line),
        };
        let call_stack = match self.attribute(event, names::CALL_STACK) {
            Some(told) => names::stack_of(told),
            None => self.open_procedures(),
        };
        let region_number = self.region(CallSite { call, position, call_stack });
        let is_barrier = its.paradigm == number::PARADIGM_OPENMP
            && matches!(its.role, number::BARRIER | number::IMPLICIT_BARRIER);
        self.stays.push(Stay { region, kind, barrier_since_ns: is_barrier.then_some(at_ns) });
        self.push(at_ns, EventKind::Enter { region: region_number });
    }

    /// The innermost first.
    fn open_procedures(&self) -> Vec<String> {
        let name = |stay: &Stay| match &stay.kind {
            StayKind::Procedure(name) => Some(name.clone()),
            _ => None,
        };
        self.stays.iter().rev().filter_map(name).collect()
    }

    fn region(&mut self, site: CallSite) -> u32 {
        if let Some(known) = self.regions.get(&site) {
            return *known;
        }
        let number = self.made.regions.len() as u32;
        self.made.regions.push(site.clone());
        self.regions.insert(site, number);
        number
    }

    /// What began behind the region that ends here ends with it, but for an experiment, which may end by itself.
    fn leave(&mut self, at_ns: u64, region: DefinitionReference) {
        let Some(place) = self.stays.iter().rposition(|stay| stay.region == region) else {
            self.counts.not_nested += 1;
            return;
        };
        let is_last = place + 1 == self.stays.len();
        if let StayKind::Experiment(experiment) = self.stays[place].kind {
            self.stays.remove(place);
            return self.push(at_ns, EventKind::ExperimentEnd { experiment });
        }
        let inner: Vec<Stay> = self.stays.split_off(place);
        if !is_last && inner[1..].iter().any(|stay| !matches!(stay.kind, StayKind::Experiment(_))) {
            self.counts.not_nested += 1;
        }
        for stay in inner.into_iter().rev() {
            let since_ns = stay.barrier_since_ns.unwrap_or(at_ns);
            self.left_out.barriers_ns += at_ns.saturating_sub(since_ns);
            match &stay.kind {
                StayKind::Experiment(_) => self.stays.push(stay),
                StayKind::Mpi(name) => {
                    self.border(at_ns, name);
                    self.push(at_ns, EventKind::Leave);
                }
                StayKind::Procedure(_) => self.push(at_ns, EventKind::Leave),
                StayKind::Undefined => {}
            }
        }
    }

    /// The start and the end of MPI are done by all together.
    fn border(&mut self, at_ns: u64, call: &str) {
        let world = self.communicators.world().and_then(|world| self.communicator_of.get(&world)).copied();
        if let (Some(operation), Some(communicator)) = (names::border(call), world) {
            let collective =
                Collective { operation, communicator, root: None, sent_bytes: 0, received_bytes: 0 };
            self.push(at_ns, EventKind::Collective { collective });
        }
    }

    /// The function of MPI that is being called.
    fn call(&self) -> Option<&str> {
        self.stays.iter().rev().find_map(|stay| match &stay.kind {
            StayKind::Mpi(name) => Some(name.as_str()),
            _ => None,
        })
    }

    fn communicate(&mut self, at_ns: u64, happening: Happening, event: &ArchiveEvent) {
        let Some(call) = self.call().map(str::to_owned) else {
            self.counts.outside += 1;
            return;
        };
        let is_synchronous = match self.attribute(event, names::SYNCHRONOUS) {
            Some(told) => told == names::YES,
            None => names::is_synchronous(&call),
        };
        let kind = match happening {
            Happening::Send(message) => {
                self.message(message).map(|message| EventKind::Send { message, is_synchronous })
            }
            Happening::SendRequest { message, request } => self.message(message).map(|message| {
                EventKind::SendRequest { message, request: self.begin(request), is_synchronous }
            }),
            Happening::SendComplete { request } => {
                self.end(request).map(|request| EventKind::SendComplete { request })
            }
            Happening::Receive(message) => {
                self.message(message).map(|message| EventKind::Receive { message })
            }
            Happening::ReceiveRequest { request } => {
                Some(EventKind::ReceiveRequest { request: self.begin(request) })
            }
            Happening::ReceiveComplete { message, request } => self.message(message).map(|message| {
                // Without its request the message counts from the call that it is known from.
                match self.requests.remove(&request) {
                    Some(request) => EventKind::ReceiveComplete { message, request },
                    None => EventKind::Receive { message },
                }
            }),
            Happening::Cancelled { request } => {
                self.end(request).map(|request| EventKind::Cancelled { request })
            }
            Happening::CollectiveEnd(together) => {
                let collective = self.collective(together, together.communicator, &call);
                let kind = collective.map(|collective| EventKind::Collective { collective });
                match (self.together.pop(), kind) {
                    // It stands where the call began it.
                    (Some(place), Some(kind)) => {
                        self.events[place].kind = kind;
                        None
                    }
                    (Some(place), None) => {
                        self.passed_over.push(place);
                        None
                    }
                    (None, kind) => kind,
                }
            }
            Happening::WindowCollective(together) => {
                let window = self.definitions.windows.get(&together.communicator);
                let communicator = window.map_or(UNDEFINED, |window| window.communicator);
                self.collective(together, communicator, &call)
                    .map(|collective| EventKind::Collective { collective })
            }
            Happening::CollectiveRequest { request } => {
                let number = self.begin(request);
                self.begun.insert(number, self.events.len());
                Some(EventKind::CollectiveRequest { collective: UNKNOWN, request: number })
            }
            Happening::CollectiveComplete { together, request } => {
                self.collective_complete(together, request, &call)
            }
            Happening::ParameterText { parameter, text } => {
                self.probed(parameter, text).map(|message| EventKind::Probed { message })
            }
            Happening::RemoteAccess(access) => {
                self.access(access).map(|access| EventKind::RemoteAccess { access })
            }
            Happening::GroupSync { group, window } => return self.synchronise(at_ns, &call, group, window),
            Happening::Lock { rank, window, is_shared } => {
                let step = if is_shared { EpochStep::LockShared } else { EpochStep::LockExclusive };
                self.lock(step, rank, window).map(|epoch| EventKind::WindowEpoch { epoch })
            }
            Happening::Unlock { rank, window } => {
                self.lock(EpochStep::Unlock, rank, window).map(|epoch| EventKind::WindowEpoch { epoch })
            }
            _ => None,
        };
        if let Some(kind) = kind {
            self.push(at_ns, kind);
        }
    }

    fn collective_complete(
        &mut self,
        together: CollectiveRecord,
        request: u64,
        call: &str,
    ) -> Option<EventKind> {
        let collective = self.collective(together, together.communicator, call)?;
        let Some(request) = self.requests.remove(&request) else {
            return Some(EventKind::Collective { collective });
        };
        if let Some(place) = self.begun.remove(&request) {
            self.events[place].kind = EventKind::CollectiveRequest { collective, request };
        }
        Some(EventKind::CollectiveComplete { request })
    }

    /// The number of a request that begins here; archives may give one to several, one after another.
    fn begin(&mut self, request: u64) -> u64 {
        let mut number = request;
        while !self.given.insert(number) {
            number = self.next_request;
            self.next_request = self.next_request.wrapping_sub(1);
        }
        self.requests.insert(request, number);
        number
    }

    fn end(&mut self, request: u64) -> Option<u64> {
        let open = self.requests.remove(&request);
        self.counts.unknown_requests += usize::from(open.is_none());
        open
    }

    fn communicator(&mut self, communicator: DefinitionReference) -> Option<u32> {
        let found = self.communicator_of.get(&communicator).copied();
        if found.is_none() {
            match self.definitions.intercommunicators.contains_key(&communicator) {
                true => self.counts.intercommunicators += 1,
                false => self.counts.undefined += 1,
            }
        }
        found
    }

    fn message(&mut self, message: ArchiveMessage) -> Option<Message> {
        let communicator = self.communicator(message.communicator)?;
        let partner = self.processor(message.communicator, message.rank)?;
        Some(Message { partner, communicator, tag: message.tag as i32, bytes: message.bytes })
    }

    fn processor(&mut self, communicator: DefinitionReference, rank: u64) -> Option<u32> {
        let found = self.communicators.processor(communicator, rank, self.made.processor);
        self.counts.undefined += usize::from(found.is_none());
        found
    }

    /// `None` also of what only makes and frees communicators, windows and memory, and where the region says enough.
    fn collective(
        &mut self,
        together: CollectiveRecord,
        communicator: DefinitionReference,
        call: &str,
    ) -> Option<Collective> {
        let operation = names::operation_of(together.operation, call)?;
        if names::border(call).is_some() {
            return None;
        }
        let place = self.communicator(communicator)?;
        let root = match names::has_root(operation) {
            true => Some(self.processor(communicator, together.root)?),
            false => None,
        };
        Some(Collective {
            operation,
            communicator: place,
            root,
            sent_bytes: together.sent_bytes,
            received_bytes: together.received_bytes,
        })
    }

    pub(super) fn finish(mut self) -> (ProcessorEvents, Vec<ArchiveRemark>, LeftOut) {
        let open = self.begun.len() + self.together.len();
        let of_none = self.begun.values().chain(&self.together).chain(&self.passed_over);
        let of_none: HashSet<usize> = of_none.copied().collect();
        if !of_none.is_empty() {
            let mut place = 0;
            self.events.retain(|_| {
                place += 1;
                !of_none.contains(&(place - 1))
            });
        }
        let remarks = self.counts.remarks(self.made.processor, open);
        self.made.events = self.events.into();
        (self.made, remarks, self.left_out)
    }
}

/// Stands for a collective operation until its end tells which it is.
const UNKNOWN: Collective = Collective {
    operation: CollectiveOperation::Barrier,
    communicator: u32::MAX,
    root: None,
    sent_bytes: 0,
    received_bytes: 0,
};

/// Where a procedure begins, if the archive says so.
fn definition_position(
    definitions: &ArchiveDefinitions,
    file: DefinitionReference,
    line: u64,
) -> Option<SourcePosition> {
    let file = definitions.text(file);
    let line = u32::try_from(line).ok().filter(|line| *line > 0 && *line < u32::MAX)?;
    (!file.is_empty()).then(|| SourcePosition { file: file.to_owned(), line })
}
