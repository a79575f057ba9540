//! The sections `# events of processor ...` behind the rows: lines that define numbers, and blocks of events.

mod decoding;

use std::collections::{HashMap, HashSet};

use super::declaration::unescaped;
use super::supersteps::{natural, place, processor_and_clock};
use crate::clock_reading::{ClockReading, by_first_clock, uncertainty_ns};
use crate::lines::{WindowLines, excerpt};
use crate::{
    Awaited, CallSite, Communicator, CommunicatorName, Completeness, Error, Event, EventKind, EventProblem,
    FilePlace, ProcessorEvents,
};
pub(super) use decoding::length;
use decoding::{EncodedEvent, EventBlock, FIRST_BYTE};

const HEAD: &[u8] = b"# events of processor ";
const CLOCK: &str = "# clock ";
const COMMUNICATOR: &str = "# communicator ";
const EXPERIMENT: &str = "# experiment ";
const AWAITED: &str = "# awaits ";

/// The sections while they are read. One that was cut has its whole blocks.
#[derive(Debug, Default)]
pub(super) struct EventSections {
    finished: Vec<ProcessorEvents>,
    processors: HashSet<u32>,
    /// Whether lines and blocks belong to the last section.
    is_open: bool,
    /// The region of each place: those that people cannot tell apart are one.
    region_of_place: Vec<u32>,
    regions: HashMap<CallSite, u32>,
    /// Of the last section.
    readings: Vec<ClockReading>,
}

impl EventSections {
    /// What starts with these bytes is a block.
    pub(super) fn at_block(&self, open: &[u8]) -> bool {
        self.is_open && open.first() == Some(&FIRST_BYTE)
    }

    /// Reads the block at the start of the rest; returns whether it was whole.
    pub(super) fn take_block(&mut self, lines: &mut WindowLines) -> Result<bool, Error> {
        let fail = |problem| Error::Events { byte: lines.offset(), problem };
        let Some(block) = EventBlock::first(lines.rest()).map_err(fail)? else { return Ok(false) };
        let Some(section) = self.finished.last_mut() else { return Ok(false) };
        let mut last_ns = section.events.last_ns().unwrap_or(0);
        for event in block.events() {
            let EncodedEvent { event: Event { at_ns, kind }, code, fields } = event.map_err(fail)?;
            last_ns = last_ns.max(at_ns);
            match region(kind, section, &self.region_of_place).map_err(fail)? {
                None => section.events.push_encoded(last_ns, code, fields),
                Some(region) => {
                    section.events.push(Event { at_ns: last_ns, kind: EventKind::Enter { region } });
                }
            }
        }
        lines.skip_block(block.length());
        Ok(true)
    }

    /// Takes a line; returns whether it belongs to a section.
    pub(super) fn take(&mut self, text: &[u8], at: FilePlace) -> Result<bool, Error> {
        if text.starts_with(HEAD) {
            return self.open(text, at).map(|()| true);
        }
        let Some(section) = self.finished.last_mut().filter(|_| self.is_open) else { return Ok(false) };
        let wrong = |expected| Error::EventLine { place: at, expected, text: excerpt(text) };
        if text.starts_with(b"# place ") {
            let (number, site): (usize, CallSite) =
                place(text).ok_or_else(|| wrong("`# place NUMBER: CALL FILE:LINE in FUNCTION < ...`"))?;
            if number != self.region_of_place.len() {
                return Err(wrong("the place with the next number"));
            }
            let region = self.regions.get(&site).copied().unwrap_or_else(|| {
                section.regions.push(site.clone());
                section.regions.len() as u32 - 1
            });
            self.regions.insert(site, region);
            self.region_of_place.push(region);
        } else if text.starts_with(CLOCK.as_bytes()) {
            let made =
                reading(text).ok_or_else(|| wrong("`# clock OWN_NS PROCESSOR_0_NS UNCERTAINTY_NS`"))?;
            self.readings.push(made);
        } else if text.starts_with(COMMUNICATOR.as_bytes()) {
            let made = communicator(text, section.communicators.len())
                .ok_or_else(|| wrong("the next communicator, `# communicator NUMBER: MAKER.NUMBER 0-3,5`"))?;
            section.communicators.push(made);
        } else if text.starts_with(EXPERIMENT.as_bytes()) {
            let name = numbered(text, EXPERIMENT, section.experiments.len())
                .ok_or_else(|| wrong("the next experiment, `# experiment NUMBER: NAME`"))?;
            section.experiments.push(unescaped(name.as_bytes(), b"nr\\"));
        } else if text.starts_with(AWAITED.as_bytes()) {
            let made =
                awaited(text).ok_or_else(|| wrong("`# awaits message` or `receiver`, and a processor"))?;
            section.awaits.push(made);
        } else {
            self.is_open = false;
            return Ok(false);
        }
        Ok(true)
    }

    /// The last section has all its events.
    fn close_last(&mut self) {
        let readings = std::mem::take(&mut self.readings);
        let Some(section) = self.finished.last_mut() else { return };
        if let Some(uncertainty_ns) = uncertainty_ns(&section.events, &readings) {
            section.events = by_first_clock(&section.events, &readings);
            (section.has_common_clock, section.clock_uncertainty_ns) = (true, uncertainty_ns);
        }
        section.events.shrink_to_fit();
    }

    fn open(&mut self, text: &[u8], at: FilePlace) -> Result<(), Error> {
        self.close_last();
        let expected = "`# events of processor NUMBER, clock common` or `clock own`";
        let section =
            head(text).ok_or_else(|| Error::EventLine { place: at, expected, text: excerpt(text) })?;
        if !self.processors.insert(section.processor) {
            return Err(Error::EventsTwice { place: at, processor: section.processor });
        }
        self.finished.push(section);
        self.is_open = true;
        self.region_of_place.clear();
        self.regions.clear();
        Ok(())
    }

    /// Where the trace of a whole run has no end, what was read last may have none either.
    pub(super) fn finish(mut self, of: &Completeness) -> Vec<ProcessorEvents> {
        self.close_last();
        let last = self.finished.len().saturating_sub(1);
        for (number, section) in self.finished.iter_mut().enumerate() {
            section.is_cut = match of {
                Completeness::Unfinished { .. } => true,
                Completeness::Cut { announced: None, .. } => self.is_open && number == last,
                Completeness::Cut { .. } | Completeness::Complete => false,
            };
        }
        self.finished
    }
}

fn awaited(text: &[u8]) -> Option<Awaited> {
    let (what, partner) = std::str::from_utf8(text).ok()?.strip_prefix(AWAITED)?.split_once(' ')?;
    let partner = if partner == "any" { None } else { Some(natural(partner)?) };
    match what {
        "message" => Some(Awaited::Message(partner)),
        "receiver" => Some(Awaited::Receiver(partner)),
        _ => None,
    }
}

fn head(text: &[u8]) -> Option<ProcessorEvents> {
    let (processor, has_common_clock) = processor_and_clock(text.strip_prefix(HEAD)?)?;
    Some(ProcessorEvents { processor, has_common_clock, ..ProcessorEvents::default() })
}

fn reading(text: &[u8]) -> Option<ClockReading> {
    let mut numbers = std::str::from_utf8(text).ok()?.strip_prefix(CLOCK)?.split(' ').map(natural);
    let mut next = || numbers.next()?;
    let made = ClockReading { own_ns: next()?, first_ns: next()?, uncertainty_ns: next()? };
    numbers.next().is_none().then_some(made)
}

/// What follows `PREFIXNUMBER: `, if it is that number.
fn numbered<'a>(text: &'a [u8], prefix: &str, wanted: usize) -> Option<&'a str> {
    let (number, rest) = std::str::from_utf8(text).ok()?.strip_prefix(prefix)?.split_once(": ")?;
    (natural::<usize>(number)? == wanted).then_some(rest)
}

/// More processors than any machine has.
const MOST_PROCESSORS: usize = 1 << 24;

/// `# communicator NUMBER: MAKER.NUMBER 0-3,5`, the processors in the order of their ranks.
fn communicator(text: &[u8], wanted: usize) -> Option<Communicator> {
    let (name, ranges) = numbered(text, COMMUNICATOR, wanted)?.split_once(' ')?;
    let (maker, number) = name.split_once('.')?;
    let mut processors = Vec::new();
    for range in ranges.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (natural(first)?, natural(last)?);
        if first > last || (last - first) as usize >= MOST_PROCESSORS - processors.len() {
            return None;
        }
        processors.extend(first..=last);
    }
    let name = CommunicatorName { maker: natural(maker)?, number: natural(number)? };
    Some(Communicator { name, processors })
}

/// Sees that the place, the communicator or the experiment of an event is there. Returns the region of its place, if that has another number.
fn region(
    kind: EventKind,
    section: &ProcessorEvents,
    region_of_place: &[u32],
) -> Result<Option<u32>, EventProblem> {
    match kind {
        EventKind::Enter { region: place } => {
            let region = region_of_place.get(place as usize).copied();
            let region = region.ok_or(EventProblem::Undefined { what: "place", number: place })?;
            return Ok(Some(region).filter(|region| *region != place));
        }
        EventKind::ExperimentBegin { experiment } | EventKind::ExperimentEnd { experiment } => {
            defined("experiment", experiment, section.experiments.len())
        }
        EventKind::Send { message, .. }
        | EventKind::SendRequest { message, .. }
        | EventKind::Receive { message }
        | EventKind::ReceiveComplete { message, .. }
        | EventKind::Probed { message } => {
            defined("communicator", message.communicator, section.communicators.len())
        }
        EventKind::Collective { collective } | EventKind::CollectiveRequest { collective, .. } => {
            defined("communicator", collective.communicator, section.communicators.len())
        }
        EventKind::RemoteAccess { access } => {
            defined("communicator", access.communicator, section.communicators.len())
        }
        EventKind::WindowEpoch { epoch } => {
            defined("communicator", epoch.communicator, section.communicators.len())
        }
        EventKind::Leave
        | EventKind::SendComplete { .. }
        | EventKind::ReceiveRequest { .. }
        | EventKind::Cancelled { .. }
        | EventKind::CollectiveComplete { .. }
        | EventKind::ProgramBegin
        | EventKind::ProgramEnd => Ok(()),
    }
    .map(|()| None)
}

fn defined(what: &'static str, number: u32, count: usize) -> Result<(), EventProblem> {
    if (number as usize) < count { Ok(()) } else { Err(EventProblem::Undefined { what, number }) }
}
