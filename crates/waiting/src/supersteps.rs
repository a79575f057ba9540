use std::collections::{BTreeMap, BTreeSet, HashMap};

use call_trace::{
    BspMachine, CallSite, Collective, CollectiveOperation, Communicator, CommunicatorName,
    ContiguousProcessors, Event, EventKind, Message, ProcessorEvents, ProcessorSupersteps, Superstep,
    SuperstepEnd,
};

/// How regions are called in which a processor waits within a superstep, followed by the call that ends it.
const WAITS_BEFORE: &str = "waits before ";

/// The call that ends the superstep, if a processor waits within one here.
pub(crate) fn waits_before(region: &CallSite) -> Option<CallSite> {
    let call = region.call.strip_prefix(WAITS_BEFORE)?.to_owned();
    Some(CallSite { call, ..region.clone() })
}

/// All regions of these events are calls.
pub(crate) fn is_call(_region: &str) -> bool {
    true
}

/// Recorded supersteps as events: a synchronisation is a barrier of its machine, an oblivious one receives from its partners. What ends a
/// superstep without others is no event. What recording took counts to the call that it followed. Waits within supersteps are regions of
/// their own, in which nothing says who is waited for.
pub(crate) fn events(recorded: &[ProcessorSupersteps]) -> Vec<ProcessorEvents> {
    let run = RunMachines::of(recorded);
    recorded.iter().map(|its| Converter::new(its, &run).convert()).collect()
}

/// What all processors have in common.
struct RunMachines {
    processors: BTreeSet<u32>,
    machines: BTreeMap<BspMachine, u32>,
    /// For each oblivious superstep of a processor those that need it there.
    readers: HashMap<(BspMachine, u64, u32), Vec<u32>>,
}

impl RunMachines {
    fn of(recorded: &[ProcessorSupersteps]) -> RunMachines {
        let all =
            || recorded.iter().flat_map(|its| its.supersteps.iter().map(move |superstep| (its, superstep)));
        let machines: BTreeSet<BspMachine> = all().map(|(_, superstep)| superstep.machine).collect();
        let mut run = RunMachines {
            processors: recorded.iter().map(|its| its.processor).collect(),
            machines: machines.into_iter().zip(0..).collect(),
            readers: HashMap::new(),
        };
        for (its, superstep) in
            all().filter(|(its, superstep)| end_of(its, superstep) == SuperstepEnd::Oblivious)
        {
            for partner in run.partners(superstep, its.processor) {
                let place = (superstep.machine, superstep.number, partner);
                run.readers.entry(place).or_default().push(its.processor);
            }
        }
        run
    }

    /// Those of a range that were recorded.
    fn inside(&self, range: ContiguousProcessors) -> impl Iterator<Item = u32> {
        self.processors.range(range.first..=range.last).copied()
    }

    fn partners(&self, superstep: &Superstep, processor: u32) -> Vec<u32> {
        let all = superstep.partners.iter().flat_map(|range| self.inside(*range));
        all.filter(|partner| *partner != processor).collect()
    }
}

fn end_of(recorded: &ProcessorSupersteps, superstep: &Superstep) -> SuperstepEnd {
    recorded.places.get(superstep.place).map_or(SuperstepEnd::Nothing, |place| place.superstep_end())
}

/// When a superstep begins and ends on a processor.
struct SuperstepMoments {
    start_s: f64,
    /// The call that ends it begins.
    enter_s: f64,
    leave_s: f64,
    /// How much of the time before that call it waits.
    inner_waiting_s: f64,
}

/// Of all supersteps of a processor.
fn moments(recorded: &ProcessorSupersteps) -> Vec<SuperstepMoments> {
    // Recording in supersteps of parts, by depth, since the superstep around them began.
    let mut recording_s: HashMap<u32, f64> = HashMap::new();
    let of_superstep = |superstep: &Superstep| {
        *recording_s.entry(superstep.depth).or_default() += superstep.recording_s;
        let inner = superstep.depth.checked_add(1);
        let inside_s = inner.and_then(|inner| recording_s.remove(&inner)).unwrap_or(0.0);
        let inner_waiting_s = match end_of(recorded, superstep) {
            SuperstepEnd::Nothing => superstep.waiting_s,
            _ => superstep.inner_waiting_s.unwrap_or(0.0).min(superstep.waiting_s),
        };
        let inner_communicating_s = superstep.inner_communicating_s.min(superstep.communicating_s);
        let computed_s = superstep.start_s + superstep.computing_s;
        SuperstepMoments {
            start_s: superstep.start_s,
            enter_s: computed_s + inner_waiting_s + inner_communicating_s + inside_s,
            leave_s: computed_s + superstep.waiting_s + superstep.communicating_s + superstep.recording_s,
            inner_waiting_s,
        }
    };
    recorded.supersteps.iter().map(of_superstep).collect()
}

/// A wait within a superstep that ends at a place.
struct InnerWait {
    from_s: f64,
    until_s: f64,
    place: usize,
}

/// Traces tell how long a processor waits within a superstep, and not when: it is taken to do so as late as it can beside its parts.
fn inner_waits(supersteps: &[Superstep], moments: &[SuperstepMoments]) -> Vec<InnerWait> {
    // When supersteps of parts began and ended, by depth, since the superstep around them began.
    let mut parts: HashMap<u32, Vec<(f64, f64)>> = HashMap::new();
    let mut waits = Vec::new();
    for (superstep, its) in supersteps.iter().zip(moments) {
        let inner = superstep.depth.checked_add(1);
        let inside = inner.and_then(|inner| parts.remove(&inner)).unwrap_or_default();
        parts.entry(superstep.depth).or_default().push((its.start_s, its.leave_s));
        let (mut left_s, mut until_s) = (its.inner_waiting_s, its.enter_s);
        for (begin_s, end_s) in inside.into_iter().rev().chain([(its.start_s, its.start_s)]) {
            let here_s = left_s.min(until_s - end_s);
            if here_s > 0.0 {
                waits.push(InnerWait { from_s: until_s - here_s, until_s, place: superstep.place });
                left_s -= here_s;
            }
            until_s = begin_s.min(until_s);
        }
    }
    waits.sort_by(|left, right| left.until_s.total_cmp(&right.until_s));
    waits
}

struct Converter<'a> {
    recorded: &'a ProcessorSupersteps,
    run: &'a RunMachines,
    made: ProcessorEvents,
    communicators: BTreeMap<BspMachine, u32>,
    /// By place, the region of the waits before it.
    regions_of_waits: HashMap<usize, u32>,
}

impl<'a> Converter<'a> {
    fn new(recorded: &'a ProcessorSupersteps, run: &'a RunMachines) -> Converter<'a> {
        let made = ProcessorEvents {
            processor: recorded.processor,
            has_common_clock: recorded.has_common_clock,
            regions: recorded.places.clone(),
            ..ProcessorEvents::default()
        };
        let (communicators, regions_of_waits) = (BTreeMap::new(), HashMap::new());
        Converter { recorded, run, made, communicators, regions_of_waits }
    }

    fn convert(mut self) -> ProcessorEvents {
        let starts = self.recorded.supersteps.iter().map(|superstep| superstep.start_s);
        self.event(starts.reduce(f64::min).unwrap_or(0.0), EventKind::ProgramBegin);
        let moments = moments(self.recorded);
        let mut waits = inner_waits(&self.recorded.supersteps, &moments).into_iter().peekable();
        for (superstep, moments) in self.recorded.supersteps.iter().zip(&moments) {
            while let Some(wait) = waits.next_if(|wait| wait.until_s <= moments.enter_s) {
                self.wait(&wait);
            }
            self.take(superstep, moments);
        }
        self.made
    }

    /// In a call that tells nobody.
    fn wait(&mut self, wait: &InnerWait) {
        let Some(place) = self.recorded.places.get(wait.place) else { return };
        let regions = &mut self.made.regions;
        let region = *self.regions_of_waits.entry(wait.place).or_insert_with(|| {
            regions.push(CallSite { call: format!("{WAITS_BEFORE}{}", place.call), ..place.clone() });
            regions.len() as u32 - 1
        });
        self.event(wait.from_s, EventKind::Enter { region });
        self.event(wait.until_s, EventKind::Leave);
    }

    fn event(&mut self, at_s: f64, kind: EventKind) {
        let last_ns = self.made.events.last_ns().unwrap_or(0);
        // Each time was rounded by itself.
        let at_ns = ((at_s * 1e9).round() as u64).max(last_ns);
        self.made.events.push(Event { at_ns, kind });
    }

    fn take(&mut self, superstep: &Superstep, moments: &SuperstepMoments) {
        let SuperstepMoments { enter_s, leave_s, .. } = *moments;
        let end = end_of(self.recorded, superstep);
        if end == SuperstepEnd::Nothing {
            self.event(enter_s, EventKind::ProgramEnd);
            return;
        }
        let communicator = self.communicator(superstep.machine);
        let enter = EventKind::Enter { region: superstep.place as u32 };
        self.event(enter_s, enter);
        if end == SuperstepEnd::Barrier {
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

    /// An oblivious synchronisation: who needs this processor goes on once it has come here, and this one once its partners have. It never waits
    /// for those who need it, so what they get is sent in a call that takes no time.
    fn exchange(&mut self, superstep: &Superstep, communicator: u32, enter_s: f64, leave_s: f64) {
        // The number of a superstep tells its messages from those of others.
        let tag = (superstep.number % (1 << 31)) as i32;
        let message = |partner| Message { partner, communicator, tag, bytes: 0 };
        let here = (superstep.machine, superstep.number, self.made.processor);
        if let Some(readers) = self.run.readers.get(&here) {
            for reader in readers {
                self.event(enter_s, EventKind::Send { message: message(*reader), is_synchronous: false });
            }
            self.event(enter_s, EventKind::Leave);
            self.event(enter_s, EventKind::Enter { region: superstep.place as u32 });
        }
        for partner in self.run.partners(superstep, self.made.processor) {
            self.event(leave_s, EventKind::Receive { message: message(partner) });
        }
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
