use std::ffi::CString;
use std::path::Path;
use std::ptr::{self, NonNull};

use super::{
    MOST_ATTRIBUTES, MOST_NUMBERS, RawRecord, RawWriter, call_otf2_forget_problem, call_otf2_writer_begin,
    call_otf2_writer_close, call_otf2_writer_open, call_otf2_writer_write, kind, path_text, problem,
};
use crate::error::Error;
use crate::record::{
    ArchiveDefinitions, ArchiveEvent, ArchiveMessage, CollectiveRecord, DefinitionReference, Happening,
};

/// An archive that is written: events first, then definitions.
pub(crate) struct Writer {
    raw: Option<NonNull<RawWriter>>,
}

impl Writer {
    pub(crate) fn open(folder: &Path, name: &str, creator: &str) -> Result<Writer, Error> {
        let text = |text: &str| CString::new(text).map_err(|_| Error::NoName);
        let (folder, name, creator) = (path_text(folder).ok_or(Error::NoName)?, text(name)?, text(creator)?);
        // SAFETY: all end with a zero.
        let raw = unsafe {
            call_otf2_forget_problem();
            call_otf2_writer_open(folder.as_ptr(), name.as_ptr(), creator.as_ptr())
        };
        let raw = NonNull::new(raw).ok_or_else(|| Error::Unwritable { problem: problem() })?;
        Ok(Writer { raw: Some(raw) })
    }

    pub(crate) fn event(&mut self, location: u64, event: &ArchiveEvent) -> Result<(), Error> {
        let (kind, numbers) = event_numbers(event.happening);
        let mut record = RawRecord { location, ticks: event.ticks, ..record(kind, numbers) };
        for (reference, text) in event.attributes.iter().flatten() {
            record.attributes[record.attribute_count as usize] = [*reference, *text];
            record.attribute_count += 1;
        }
        self.write(&record)
    }

    /// A location without events has a file as well, which readers look for.
    pub(crate) fn begin(&mut self, location: u64) -> Result<(), Error> {
        let Some(raw) = self.raw else { return Ok(()) };
        // SAFETY: the writer is there.
        let failed = unsafe { call_otf2_writer_begin(raw.as_ptr(), location) };
        if failed == 0 { Ok(()) } else { Err(Error::Unwritable { problem: problem() }) }
    }

    /// Everything but the creator.
    pub(crate) fn definitions(&mut self, all: &ArchiveDefinitions) -> Result<(), Error> {
        if let Some(clock) = &all.clock {
            self.write(&record(
                kind::CLOCK,
                [clock.ticks_per_second, clock.origin_ticks, clock.length_ticks],
            ))?;
        }
        for (own, text) in &all.texts {
            // OTF2 has texts without zeros.
            let text = CString::new(text.replace('\0', "")).unwrap_or_default();
            self.write(&RawRecord { text: text.as_ptr(), ..record(kind::TEXT, [*own]) })?;
        }
        for (own, name) in &all.attributes {
            self.write(&record(kind::ATTRIBUTE, [*own, *name]))?;
        }
        Ok(())
    }

    /// What a tree of machines is made of: its root, which all processes belong to.
    pub(crate) fn machine(
        &mut self,
        name: DefinitionReference,
        what: DefinitionReference,
    ) -> Result<(), Error> {
        self.write(&record(kind::MACHINE, [0, name, what]))
    }

    pub(crate) fn paradigm(&mut self, paradigm: u64, name: DefinitionReference) -> Result<(), Error> {
        self.write(&record(kind::PARADIGM, [paradigm, name]))
    }

    /// What refers to texts and machines, behind those.
    pub(crate) fn structure(&mut self, all: &ArchiveDefinitions) -> Result<(), Error> {
        for (own, its) in &all.location_groups {
            self.write(&record(kind::LOCATION_GROUP, [*own, its.name, its.kind]))?;
        }
        for (own, its) in &all.locations {
            self.write(&record(kind::LOCATION, [*own, its.name, its.kind, its.events, its.group]))?;
        }
        for (own, its) in &all.regions {
            let numbers =
                [*own, its.name, its.description, its.role, its.paradigm, its.source_file, its.first_line];
            self.write(&record(kind::REGION, numbers))?;
        }
        for ((own, kind), its) in &all.groups {
            let made = record(kind::GROUP, [*own, its.name, *kind, its.paradigm, its.flags]);
            let (members, member_count) = (its.members.as_ptr(), its.members.len() as u64);
            self.write(&RawRecord { members, member_count, ..made })?;
        }
        for (own, its) in &all.communicators {
            self.write(&record(kind::COMMUNICATOR, [*own, its.name, its.group]))?;
        }
        for (own, its) in &all.windows {
            self.write(&record(kind::WINDOW, [*own, its.name, its.communicator]))?;
        }
        for (own, name) in &all.parameters {
            self.write(&record(kind::PARAMETER, [*own, *name]))?;
        }
        Ok(())
    }

    fn write(&mut self, record: &RawRecord) -> Result<(), Error> {
        let Some(raw) = self.raw else { return Ok(()) };
        // SAFETY: the record and what it points to are there during the call.
        let failed = unsafe { call_otf2_writer_write(raw.as_ptr(), record) };
        if failed == 0 { Ok(()) } else { Err(Error::Unwritable { problem: problem() }) }
    }

    /// Writes what is left.
    pub(crate) fn close(mut self) -> Result<(), Error> {
        let Some(raw) = self.raw.take() else { return Ok(()) };
        // SAFETY: it is used no more.
        let failed = unsafe { call_otf2_writer_close(raw.as_ptr()) };
        if failed == 0 { Ok(()) } else { Err(Error::Unwritable { problem: problem() }) }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(raw) = self.raw.take() {
            // SAFETY: it is used no more.
            unsafe { call_otf2_writer_close(raw.as_ptr()) };
        }
    }
}

fn record<const COUNT: usize>(kind: u32, given: [u64; COUNT]) -> RawRecord {
    let mut numbers = [0; MOST_NUMBERS];
    numbers[..COUNT].copy_from_slice(&given);
    let (text, members) = (ptr::null(), ptr::null());
    let attributes = [[0; 2]; MOST_ATTRIBUTES];
    RawRecord {
        kind,
        attribute_count: 0,
        location: 0,
        ticks: 0,
        numbers,
        attributes,
        text,
        members,
        member_count: 0,
    }
}

fn event_numbers(happening: Happening) -> (u32, [u64; MOST_NUMBERS]) {
    let message = |kind: u32, its: ArchiveMessage, request: u64| {
        (kind, [its.rank, its.communicator, u64::from(its.tag), its.bytes, request, 0, 0])
    };
    let together = |kind: u32, its: CollectiveRecord, request: u64| {
        let CollectiveRecord { operation, communicator, root, sent_bytes, received_bytes } = its;
        (kind, [operation, communicator, root, sent_bytes, received_bytes, request, 0])
    };
    let two = |kind: u32, first: u64, second: u64| (kind, [first, second, 0, 0, 0, 0, 0]);
    let one = |kind: u32, number: u64| two(kind, number, 0);
    match happening {
        Happening::Enter { region } => one(kind::ENTER, region),
        Happening::Leave { region } => one(kind::LEAVE, region),
        Happening::Send(its) => message(kind::SEND, its, 0),
        Happening::SendRequest { message: its, request } => message(kind::SEND_REQUEST, its, request),
        Happening::SendComplete { request } => one(kind::SEND_COMPLETE, request),
        Happening::Receive(its) => message(kind::RECEIVE, its, 0),
        Happening::ReceiveRequest { request } => one(kind::RECEIVE_REQUEST, request),
        Happening::ReceiveComplete { message: its, request } => message(kind::RECEIVE_COMPLETE, its, request),
        Happening::Cancelled { request } => one(kind::CANCELLED, request),
        Happening::CollectiveBegin => one(kind::COLLECTIVE_BEGIN, 0),
        Happening::CollectiveEnd(its) => together(kind::COLLECTIVE_END, its, 0),
        Happening::CollectiveRequest { request } => one(kind::COLLECTIVE_REQUEST, request),
        Happening::CollectiveComplete { together: its, request } => {
            together(kind::COLLECTIVE_COMPLETE, its, request)
        }
        Happening::WindowCollective(its) => together(kind::WINDOW_COLLECTIVE, its, 0),
        Happening::ProgramBegin { name } => one(kind::PROGRAM_BEGIN, name),
        Happening::ProgramEnd => one(kind::PROGRAM_END, 0),
        Happening::BufferFlush { end_ticks } => one(kind::BUFFER_FLUSH, end_ticks),
        Happening::Recording { mode } => one(kind::RECORDING, mode),
        Happening::CallingContext => one(kind::CALLING_CONTEXT, 0),
        Happening::Counters { values } => one(kind::COUNTERS, values),
        Happening::ParameterText { parameter, text } => two(kind::PARAMETER_TEXT, parameter, text),
        Happening::RemoteAccess(its) => {
            let is_accumulation = u64::from(its.is_accumulation);
            let numbers = [its.rank, its.window, is_accumulation, its.sent_bytes, its.received_bytes, 0, 0];
            (kind::REMOTE_ACCESS, numbers)
        }
        Happening::GroupSync { group, window } => two(kind::GROUP_SYNC, group, window),
        Happening::Lock { rank, window, is_shared } => {
            (kind::LOCK, [rank, window, u64::from(is_shared), 0, 0, 0, 0])
        }
        Happening::Unlock { rank, window } => two(kind::UNLOCK, rank, window),
    }
}
