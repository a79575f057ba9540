use std::collections::{BTreeMap, BTreeSet, HashMap};

use call_trace::{
    BspMachine, Collective, CollectiveOperation, Communicator, CommunicatorName, Event, EventKind, Message,
    ProcessorEvents, ProcessorSupersteps, Processors, Superstep,
};

/// The synchronisation of all processors of a machine, and the one that needs those only whose data comes.
pub(crate) const SYNCHRONISATION: &str = "bsp_sync";
pub(crate) const OBLIVIOUS: &str = "bsp_oblsync";

/// Recorded supersteps as events: a synchronisation is a barrier of its machine, an oblivious one receives from its partners. What ends a
/// superstep without others is no event. What recording took counts to the call that it followed.
pub(crate) fn events(recorded: &[ProcessorSupersteps]) -> Vec<ProcessorEvents> {
    let run = Run::of(recorded);
    recorded.iter().map(|its| Converter::new(its, &run).convert()).collect()
}

/// What all processors have in common.
struct Run {
    processors: BTreeSet<u32>,
    machines: BTreeMap<BspMachine, u32>,
    /// For each oblivious superstep of a processor those that need it there.
    readers: HashMap<(BspMachine, u64, u32), Vec<u32>>,
}

impl Run {
    fn of(recorded: &[ProcessorSupersteps]) -> Run {
        let all =
            || recorded.iter().flat_map(|its| its.supersteps.iter().map(move |superstep| (its, superstep)));
        let machines: BTreeSet<BspMachine> = all().map(|(_, superstep)| superstep.machine).collect();
        let mut run = Run {
            processors: recorded.iter().map(|its| its.processor).collect(),
            machines: machines.into_iter().zip(0..).collect(),
            readers: HashMap::new(),
        };
        for (its, superstep) in all().filter(|(its, superstep)| call_of(its, superstep) == OBLIVIOUS) {
            for partner in run.partners(superstep, its.processor) {
                let place = (superstep.machine, superstep.number, partner);
                run.readers.entry(place).or_default().push(its.processor);
            }
        }
        run
    }

    /// Those of a range that were recorded.
    fn inside(&self, range: Processors) -> impl Iterator<Item = u32> {
        self.processors.range(range.first..=range.last).copied()
    }

    fn partners(&self, superstep: &Superstep, processor: u32) -> Vec<u32> {
        let all = superstep.partners.iter().flat_map(|range| self.inside(*range));
        all.filter(|partner| *partner != processor).collect()
    }
}

fn call_of<'a>(recorded: &'a ProcessorSupersteps, superstep: &Superstep) -> &'a str {
    recorded.places.get(superstep.place).map_or("", |place| &place.call)
}

struct Converter<'a> {
    recorded: &'a ProcessorSupersteps,
    run: &'a Run,
    made: ProcessorEvents,
    communicators: BTreeMap<BspMachine, u32>,
    /// Recording in supersteps of parts, by depth, since the superstep around them began.
    recording_s: HashMap<u32, f64>,
}

impl<'a> Converter<'a> {
    fn new(recorded: &'a ProcessorSupersteps, run: &'a Run) -> Converter<'a> {
        let made = ProcessorEvents {
            processor: recorded.processor,
            has_common_clock: recorded.has_common_clock,
            regions: recorded.places.clone(),
            ..ProcessorEvents::default()
        };
        Converter { recorded, run, made, communicators: BTreeMap::new(), recording_s: HashMap::new() }
    }

    fn convert(mut self) -> ProcessorEvents {
        let starts = self.recorded.supersteps.iter().map(|superstep| superstep.start_s);
        self.event(starts.reduce(f64::min).unwrap_or(0.0), EventKind::ProgramBegin);
        for superstep in &self.recorded.supersteps {
            self.take(superstep);
        }
        self.made
    }

    fn event(&mut self, at_s: f64, kind: EventKind) {
        let last_ns = self.made.events.last_ns().unwrap_or(0);
        // Each time was rounded by itself.
        let at_ns = ((at_s * 1e9).round() as u64).max(last_ns);
        self.made.events.push(Event { at_ns, kind });
    }

    fn take(&mut self, superstep: &Superstep) {
        let computed_s = superstep.start_s + superstep.computing_s;
        let enter_s = computed_s + superstep.inner_waiting_s.unwrap_or(0.0) + self.inside_s(superstep);
        let leave_s = computed_s + superstep.waiting_s + superstep.communicating_s + superstep.recording_s;
        let call = call_of(self.recorded, superstep);
        if call != SYNCHRONISATION && call != OBLIVIOUS {
            self.event(enter_s, EventKind::ProgramEnd);
            return;
        }
        let communicator = self.communicator(superstep.machine);
        self.event(enter_s, EventKind::Enter { region: superstep.place as u32 });
        if call == SYNCHRONISATION {
            let collective = Collective {
                operation: CollectiveOperation::Barrier,
                communicator,
                root: None,
                sent_bytes: superstep.out_bytes,
                received_bytes: superstep.in_bytes,
            };
            self.event(leave_s, EventKind::Collective { collective });
        } else {
            self.exchange(superstep, communicator, enter_s, leave_s);
        }
        self.event(leave_s, EventKind::Leave);
    }

    /// An oblivious synchronisation: who needs this processor goes on once it has come here, and this one once its partners have.
    fn exchange(&mut self, superstep: &Superstep, communicator: u32, enter_s: f64, leave_s: f64) {
        // The number of a superstep tells its messages from those of others.
        let tag = (superstep.number % (1 << 31)) as i32;
        let message = |partner| Message { partner, communicator, tag, bytes: 0 };
        let here = (superstep.machine, superstep.number, self.made.processor);
        for reader in self.run.readers.get(&here).into_iter().flatten() {
            self.event(enter_s, EventKind::Send { message: message(*reader), is_synchronous: false });
        }
        for partner in self.run.partners(superstep, self.made.processor) {
            self.event(leave_s, EventKind::Receive { message: message(partner) });
        }
    }

    /// How long supersteps of parts were recorded in this one.
    fn inside_s(&mut self, superstep: &Superstep) -> f64 {
        *self.recording_s.entry(superstep.depth).or_default() += superstep.recording_s;
        superstep.depth.checked_add(1).and_then(|inner| self.recording_s.remove(&inner)).unwrap_or(0.0)
    }

    fn communicator(&mut self, machine: BspMachine) -> u32 {
        let list = &mut self.made.communicators;
        *self.communicators.entry(machine).or_insert_with(|| {
            let name =
                CommunicatorName { maker: machine.processors.first, number: self.run.machines[&machine] };
            list.push(Communicator { name, processors: self.run.inside(machine.processors).collect() });
            list.len() as u32 - 1
        })
    }
}
