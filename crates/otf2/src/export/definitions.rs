use std::collections::HashMap;

use call_trace::{CallSite, Communicator, CommunicatorName, ProcessorEvents};

use crate::names;
use crate::record::{
    ArchiveClock, ArchiveCommunicator, ArchiveDefinitions, ArchiveWindow, DefinitionReference,
    GroupDefinition, Location, LocationGroup, RegionDefinition, number,
};

/// The definitions of an archive while its events are made.
#[derive(Debug)]
pub(super) struct Definer {
    pub(super) made: ArchiveDefinitions,
    texts: HashMap<String, DefinitionReference>,
    regions: HashMap<RegionDefinition, DefinitionReference>,
    communicators: HashMap<CommunicatorName, KnownCommunicator>,
    groups: HashMap<Vec<u64>, DefinitionReference>,
    windows: HashMap<ArchiveWindow, DefinitionReference>,
    pub(super) position: DefinitionReference,
    pub(super) call_stack: DefinitionReference,
    pub(super) synchronous: DefinitionReference,
    /// The parameter that tells messages that were seen.
    pub(super) probed: DefinitionReference,
}

/// A communicator of which ranks are asked.
#[derive(Debug)]
struct KnownCommunicator {
    reference: DefinitionReference,
    rank_of: HashMap<u32, u64>,
    /// Each processor has one of this kind, with itself alone.
    is_own: bool,
}

/// All groups of locations have these references; those of communicators follow.
const ALL: DefinitionReference = 0;
const ONESELF: DefinitionReference = 1;

impl Definer {
    /// The processes are all that are spoken of, also those that recorded nothing.
    pub(super) fn new(recorded: &[&ProcessorEvents]) -> Definer {
        let mut made = Definer {
            made: ArchiveDefinitions::default(),
            texts: HashMap::new(),
            regions: HashMap::new(),
            communicators: HashMap::new(),
            groups: HashMap::new(),
            windows: HashMap::new(),
            position: 0,
            call_stack: 1,
            synchronous: 2,
            probed: 0,
        };
        made.text("");
        let attributes = [names::POSITION, names::CALL_STACK, names::SYNCHRONOUS];
        for (reference, name) in (0..).zip(attributes) {
            let name = made.text(name);
            made.made.attributes.insert(reference, name);
        }
        let name = made.text(names::PROBED);
        made.made.parameters.insert(made.probed, name);
        made.define_processes(recorded);
        for communicator in recorded.iter().flat_map(|its| &its.communicators) {
            made.define_communicator(communicator);
        }
        made
    }

    /// The reference of a text.
    pub(super) fn text(&mut self, text: &str) -> DefinitionReference {
        if let Some(known) = self.texts.get(text) {
            return *known;
        }
        let reference = self.texts.len() as DefinitionReference;
        self.texts.insert(text.to_owned(), reference);
        self.made.texts.insert(reference, text.to_owned());
        reference
    }

    fn define_processes(&mut self, recorded: &[&ProcessorEvents]) {
        let own = recorded.iter().map(|its| its.processor);
        let spoken_of = recorded.iter().flat_map(|its| &its.communicators).flat_map(|its| &its.processors);
        let last = own.chain(spoken_of.copied()).max().unwrap_or(0);
        let thread = self.text("Master thread");
        for processor in 0..=u64::from(last) {
            let name = self.text(&format!("MPI Rank {processor}"));
            self.made.location_groups.insert(processor, LocationGroup { name, kind: number::PROCESS });
            let location = Location { name: thread, kind: number::CPU_THREAD, events: 0, group: processor };
            self.made.locations.insert(processor, location);
        }
        let name = self.text("MPI");
        let group = |members| GroupDefinition { name, paradigm: number::PARADIGM_MPI, flags: 0, members };
        let all = (0..=u64::from(last)).collect();
        self.made.groups.insert((ALL, number::COMM_LOCATIONS), group(all));
        self.made.groups.insert((ONESELF, number::COMM_SELF), group(Vec::new()));
    }

    fn define_communicator(&mut self, communicator: &Communicator) {
        let Communicator { name, processors } = communicator;
        let is_own = name.number == 1 && processors[..] == [name.maker];
        // One definition stands for what each processor has for itself.
        let key = if is_own { CommunicatorName { maker: u32::MAX, number: u32::MAX } } else { *name };
        if self.communicators.contains_key(&key) {
            return;
        }
        let (text, group) = if is_own {
            (names::SELF.to_owned(), ONESELF)
        } else {
            let all = self.made.locations.len();
            let is_all = processors.len() == all && processors.iter().copied().eq(0..all as u32);
            let text = match (name.maker, name.number) {
                (0, 0) if is_all => names::WORLD.to_owned(),
                (maker, number) => format!("communicator {maker}.{number}"),
            };
            (text, self.group(processors))
        };
        let reference = self.made.communicators.len() as DefinitionReference;
        let name = self.text(&text);
        self.made.communicators.insert(reference, ArchiveCommunicator { name, group });
        let rank_of = if is_own { HashMap::new() } else { processors.iter().copied().zip(0..).collect() };
        self.communicators.insert(key, KnownCommunicator { reference, rank_of, is_own });
    }

    /// That of these processors in this order.
    pub(super) fn group(&mut self, processors: &[u32]) -> DefinitionReference {
        let members: Vec<u64> = processors.iter().copied().map(u64::from).collect();
        if let Some(known) = self.groups.get(&members) {
            return *known;
        }
        let reference = self.made.groups.len() as DefinitionReference;
        self.groups.insert(members.clone(), reference);
        let name = self.text("");
        let group = GroupDefinition { name, paradigm: number::PARADIGM_MPI, flags: 0, members };
        self.made.groups.insert((reference, number::COMM_GROUP), group);
        reference
    }

    /// A communicator, and the rank in it of a processor, as `of` has it.
    pub(super) fn rank(
        &self,
        communicator: &Communicator,
        processor: u32,
        of: u32,
    ) -> Option<(DefinitionReference, u64)> {
        let known = self.known(communicator)?;
        match known.is_own {
            true => (processor == of).then_some((known.reference, 0)),
            false => known.rank_of.get(&processor).map(|rank| (known.reference, *rank)),
        }
    }

    pub(super) fn communicator(&self, communicator: &Communicator) -> Option<DefinitionReference> {
        self.known(communicator).map(|known| known.reference)
    }

    /// The window with this number among those of a communicator; without one what stands for any of them.
    pub(super) fn window(
        &mut self,
        communicator: DefinitionReference,
        number: Option<u32>,
    ) -> DefinitionReference {
        let window = ArchiveWindow { name: self.text(&names::window_text(number)), communicator };
        if let Some(known) = self.windows.get(&window) {
            return *known;
        }
        let reference = self.windows.len() as DefinitionReference;
        self.windows.insert(window, reference);
        self.made.windows.insert(reference, window);
        reference
    }

    fn known(&self, communicator: &Communicator) -> Option<&KnownCommunicator> {
        let Communicator { name, processors } = communicator;
        let is_own = name.number == 1 && processors[..] == [name.maker];
        let own = CommunicatorName { maker: u32::MAX, number: u32::MAX };
        self.communicators.get(if is_own { &own } else { name })
    }

    /// The region of calls of a function: of MPI's as Score-P writes them, which analysers know them by.
    pub(super) fn region(&mut self, site: &CallSite) -> DefinitionReference {
        let is_mpi = names::is_mpi(&site.call);
        let (file, line) = match &site.position {
            _ if is_mpi => ("MPI", 0),
            Some(position) => (position.file.as_str(), u64::from(position.line)),
            None => ("", 0),
        };
        let region = RegionDefinition {
            name: self.text(&site.call),
            description: 0,
            role: if is_mpi { names::role(&site.call) } else { names::FUNCTION },
            paradigm: if is_mpi { number::PARADIGM_MPI } else { number::PARADIGM_COMPILER },
            source_file: self.text(file),
            first_line: line,
        };
        self.add_region(region)
    }

    pub(super) fn experiment(&mut self, name: &str) -> DefinitionReference {
        let region = RegionDefinition {
            name: self.text(name),
            description: self.text(names::EXPERIMENT),
            role: names::CODE,
            paradigm: number::PARADIGM_USER,
            source_file: self.text(""),
            first_line: 0,
        };
        self.add_region(region)
    }

    fn add_region(&mut self, region: RegionDefinition) -> DefinitionReference {
        if let Some(known) = self.regions.get(&region) {
            return *known;
        }
        let reference = self.regions.len() as DefinitionReference;
        self.regions.insert(region, reference);
        self.made.regions.insert(reference, region);
        reference
    }

    /// How many events a location has.
    pub(super) fn count(&mut self, location: u64, events: u64) {
        if let Some(its) = self.made.locations.get_mut(&location) {
            its.events = events;
        }
    }

    pub(super) fn set_clock(&mut self, last_ns: u64) {
        let length_ticks = last_ns;
        self.made.clock =
            Some(ArchiveClock { ticks_per_second: 1_000_000_000, origin_ticks: 0, length_ticks });
    }
}
