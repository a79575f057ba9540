//! Calls the C functions of `shim/`. All that is unsafe in this crate is here.
#![allow(unsafe_code, reason = "C functions are called, which keep to what shim/records.h says")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr::{self, NonNull};

use crate::error::Error;
use crate::record::{
    ArchiveClock, ArchiveCommunicator, ArchiveEvent, ArchiveMessage, Definitions, Group, Happening, Location,
    LocationGroup, Reference, Region, Together,
};

const MOST_NUMBERS: usize = 7;
const MOST_ATTRIBUTES: usize = 2;

/// As in shim/records.h.
#[repr(C)]
#[derive(Clone, Copy)]
struct Record {
    kind: u32,
    attribute_count: u32,
    location: u64,
    ticks: u64,
    numbers: [u64; MOST_NUMBERS],
    attributes: [[u64; 2]; MOST_ATTRIBUTES],
    text: *const c_char,
    members: *const u64,
    member_count: u64,
}

/// The numbers of kinds in shim/records.h.
mod kind {
    pub(super) const CLOCK: u32 = 0;
    pub(super) const TEXT: u32 = 1;
    pub(super) const ATTRIBUTE: u32 = 2;
    pub(super) const LOCATION_GROUP: u32 = 3;
    pub(super) const LOCATION: u32 = 4;
    pub(super) const REGION: u32 = 5;
    pub(super) const GROUP: u32 = 6;
    pub(super) const COMMUNICATOR: u32 = 7;
    pub(super) const INTERCOMMUNICATOR: u32 = 8;
    pub(super) const WINDOW: u32 = 9;
    pub(super) const MACHINE: u32 = 10;
    pub(super) const PARADIGM: u32 = 11;
    pub(super) const ENTER: u32 = 100;
    pub(super) const LEAVE: u32 = 101;
    pub(super) const SEND: u32 = 102;
    pub(super) const SEND_REQUEST: u32 = 103;
    pub(super) const SEND_COMPLETE: u32 = 104;
    pub(super) const RECEIVE: u32 = 105;
    pub(super) const RECEIVE_REQUEST: u32 = 106;
    pub(super) const RECEIVE_COMPLETE: u32 = 107;
    pub(super) const CANCELLED: u32 = 108;
    pub(super) const COLLECTIVE_BEGIN: u32 = 109;
    pub(super) const COLLECTIVE_END: u32 = 110;
    pub(super) const COLLECTIVE_REQUEST: u32 = 111;
    pub(super) const COLLECTIVE_COMPLETE: u32 = 112;
    pub(super) const WINDOW_COLLECTIVE: u32 = 113;
    pub(super) const PROGRAM_BEGIN: u32 = 114;
    pub(super) const PROGRAM_END: u32 = 115;
    pub(super) const BUFFER_FLUSH: u32 = 116;
    pub(super) const RECORDING: u32 = 117;
    pub(super) const CALLING_CONTEXT: u32 = 118;
}

type Sink = extern "C" fn(*mut c_void, *const Record);

#[repr(C)]
struct RawReader {
    _private: [u8; 0],
}

#[repr(C)]
struct RawWriter {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn call_otf2_problem() -> *const c_char;
    fn call_otf2_forget_problem();
    fn call_otf2_reader_open(anchor_file: *const c_char) -> *mut RawReader;
    fn call_otf2_reader_creator(reader: *mut RawReader) -> *mut c_char;
    fn call_otf2_free(text: *mut c_char);
    fn call_otf2_reader_definitions(
        reader: *mut RawReader,
        most: u64,
        sink: Sink,
        user: *mut c_void,
    ) -> c_int;
    fn call_otf2_reader_select(reader: *mut RawReader, locations: *const u64, count: u64) -> c_int;
    fn call_otf2_reader_events(
        reader: *mut RawReader,
        location: u64,
        sink: Sink,
        user: *mut c_void,
        count: *mut u64,
    ) -> c_int;
    fn call_otf2_reader_close(reader: *mut RawReader);
    fn call_otf2_writer_open(
        folder: *const c_char,
        name: *const c_char,
        creator: *const c_char,
    ) -> *mut RawWriter;
    fn call_otf2_writer_write(writer: *mut RawWriter, record: *const Record) -> c_int;
    fn call_otf2_writer_close(writer: *mut RawWriter) -> c_int;
}

/// What the library failed at.
fn problem() -> String {
    // SAFETY: a text of this thread, which ends with a zero.
    let text = unsafe { CStr::from_ptr(call_otf2_problem()) };
    match text.to_string_lossy().trim() {
        "" => "libotf2 does not say why".to_owned(),
        text => text.to_owned(),
    }
}

fn path_text(path: &Path) -> Option<CString> {
    use std::os::unix::ffi::OsStrExt;
    CString::new(path.as_os_str().as_bytes()).ok()
}

/// An archive that is read.
pub(crate) struct Reader {
    raw: NonNull<RawReader>,
}

impl Reader {
    pub(crate) fn open(anchor: &Path) -> Result<Reader, Error> {
        let name = path_text(anchor).ok_or(Error::NoName)?;
        // SAFETY: the name ends with a zero.
        let raw = unsafe {
            call_otf2_forget_problem();
            call_otf2_reader_open(name.as_ptr())
        };
        NonNull::new(raw).map(|raw| Reader { raw }).ok_or_else(|| Error::Unreadable { problem: problem() })
    }

    /// All global definitions, of which there cannot be more than so many.
    pub(crate) fn definitions(&mut self, most: u64) -> Result<Definitions, Error> {
        let mut found = Definitions { creator: self.creator(), ..Definitions::default() };
        // SAFETY: the sink is called while `found` is there, with nothing else.
        let failed = unsafe {
            call_otf2_forget_problem();
            let user = (&raw mut found).cast();
            call_otf2_reader_definitions(self.raw.as_ptr(), most, take_definition, user)
        };
        if failed == 0 { Ok(found) } else { Err(Error::Definitions { problem: problem() }) }
    }

    fn creator(&mut self) -> String {
        // SAFETY: the text ends with a zero and is this caller's until it is freed.
        unsafe {
            let text = call_otf2_reader_creator(self.raw.as_ptr());
            if text.is_null() {
                return String::new();
            }
            let creator = CStr::from_ptr(text).to_string_lossy().into_owned();
            call_otf2_free(text);
            creator
        }
    }

    /// The locations whose events will be read.
    pub(crate) fn select(&mut self, locations: &[u64]) -> Result<(), Error> {
        // SAFETY: so many numbers are there.
        let failed = unsafe {
            call_otf2_forget_problem();
            call_otf2_reader_select(self.raw.as_ptr(), locations.as_ptr(), locations.len() as u64)
        };
        if failed == 0 { Ok(()) } else { Err(Error::Unreadable { problem: problem() }) }
    }

    /// Hands the events of a location over, and tells how many there were, also of those that are of no interest; with what it failed at,
    /// if it did.
    pub(crate) fn events(
        &mut self,
        location: u64,
        mut take: impl FnMut(ArchiveEvent),
    ) -> (u64, Option<String>) {
        let mut take: &mut dyn FnMut(ArchiveEvent) = &mut take;
        let mut count = 0;
        // SAFETY: the sink is called while `take` is there, with nothing else.
        let failed = unsafe {
            call_otf2_forget_problem();
            let user = (&raw mut take).cast();
            call_otf2_reader_events(self.raw.as_ptr(), location, take_event, user, &raw mut count)
        };
        (count, (failed != 0).then(problem))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        // SAFETY: it is used no more.
        unsafe { call_otf2_reader_close(self.raw.as_ptr()) }
    }
}

extern "C" fn take_definition(user: *mut c_void, record: *const Record) {
    // SAFETY: `definitions` has given its own, and the record is there during the call.
    let (found, record) = unsafe { (&mut *user.cast::<Definitions>(), &*record) };
    let [own, name, third, fourth, fifth, sixth, seventh] = record.numbers;
    match record.kind {
        kind::CLOCK => {
            found.clock =
                Some(ArchiveClock { ticks_per_second: own, origin_ticks: name, length_ticks: third });
        }
        kind::TEXT if !record.text.is_null() => {
            // SAFETY: it ends with a zero.
            let text = unsafe { CStr::from_ptr(record.text) };
            found.texts.insert(own, text.to_string_lossy().into_owned());
        }
        kind::ATTRIBUTE => _ = found.attributes.insert(own, name),
        kind::LOCATION_GROUP => {
            found.location_groups.insert(own, LocationGroup { name, kind: third });
        }
        kind::LOCATION => {
            found.locations.insert(own, Location { name, kind: third, events: fourth, group: fifth });
        }
        kind::REGION => {
            let region = Region {
                name,
                description: third,
                role: fourth,
                paradigm: fifth,
                source_file: sixth,
                first_line: seventh,
            };
            found.regions.insert(own, region);
        }
        kind::GROUP => {
            let members = match record.members.is_null() {
                true => Vec::new(),
                // SAFETY: so many numbers are there.
                false => unsafe {
                    std::slice::from_raw_parts(record.members, record.member_count as usize).to_vec()
                },
            };
            found.groups.insert((own, third), Group { name, paradigm: fourth, flags: fifth, members });
        }
        kind::COMMUNICATOR => {
            found.communicators.insert(own, ArchiveCommunicator { name, group: third });
        }
        kind::INTERCOMMUNICATOR => _ = found.intercommunicators.insert(own, [third, fourth]),
        kind::WINDOW => _ = found.windows.insert(own, name),
        _ => {}
    }
}

extern "C" fn take_event(user: *mut c_void, record: *const Record) {
    // SAFETY: `events` has given its own, and the record is there during the call.
    let (take, record) = unsafe { (&mut *user.cast::<&mut dyn FnMut(ArchiveEvent)>(), &*record) };
    let Some(happening) = happening(record) else { return };
    let mut attributes = [None; MOST_ATTRIBUTES];
    let given = record.attributes.iter().take(record.attribute_count as usize);
    for (attribute, [reference, text]) in attributes.iter_mut().zip(given) {
        *attribute = Some((*reference, *text));
    }
    take(ArchiveEvent { ticks: record.ticks, happening, attributes });
}

fn happening(record: &Record) -> Option<Happening> {
    let [first, second, third, fourth, fifth, sixth, _] = record.numbers;
    let message = ArchiveMessage { rank: first, communicator: second, tag: third as u32, bytes: fourth };
    let together = Together {
        operation: first,
        communicator: second,
        root: third,
        sent_bytes: fourth,
        received_bytes: fifth,
    };
    Some(match record.kind {
        kind::ENTER => Happening::Enter { region: first },
        kind::LEAVE => Happening::Leave { region: first },
        kind::SEND => Happening::Send(message),
        kind::SEND_REQUEST => Happening::SendRequest { message, request: fifth },
        kind::SEND_COMPLETE => Happening::SendComplete { request: first },
        kind::RECEIVE => Happening::Receive(message),
        kind::RECEIVE_REQUEST => Happening::ReceiveRequest { request: first },
        kind::RECEIVE_COMPLETE => Happening::ReceiveComplete { message, request: fifth },
        kind::CANCELLED => Happening::Cancelled { request: first },
        kind::COLLECTIVE_BEGIN => Happening::CollectiveBegin,
        kind::COLLECTIVE_END => Happening::CollectiveEnd(together),
        kind::COLLECTIVE_REQUEST => Happening::CollectiveRequest { request: first },
        kind::COLLECTIVE_COMPLETE => Happening::CollectiveComplete { together, request: sixth },
        kind::WINDOW_COLLECTIVE => Happening::WindowCollective(together),
        kind::PROGRAM_BEGIN => Happening::ProgramBegin { name: first },
        kind::PROGRAM_END => Happening::ProgramEnd,
        kind::BUFFER_FLUSH => Happening::BufferFlush { end_ticks: first },
        kind::RECORDING => Happening::Recording { mode: first },
        kind::CALLING_CONTEXT => Happening::CallingContext,
        _ => return None,
    })
}

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
        let mut record = Record { location, ticks: event.ticks, ..record(kind, numbers) };
        for (reference, text) in event.attributes.iter().flatten() {
            record.attributes[record.attribute_count as usize] = [*reference, *text];
            record.attribute_count += 1;
        }
        self.write(&record)
    }

    /// Everything but the creator.
    pub(crate) fn definitions(&mut self, all: &Definitions) -> Result<(), Error> {
        if let Some(clock) = &all.clock {
            self.write(&record(
                kind::CLOCK,
                [clock.ticks_per_second, clock.origin_ticks, clock.length_ticks],
            ))?;
        }
        for (own, text) in &all.texts {
            // OTF2 has texts without zeros.
            let text = CString::new(text.replace('\0', "")).unwrap_or_default();
            self.write(&Record { text: text.as_ptr(), ..record(kind::TEXT, [*own]) })?;
        }
        for (own, name) in &all.attributes {
            self.write(&record(kind::ATTRIBUTE, [*own, *name]))?;
        }
        Ok(())
    }

    /// What a tree of machines is made of: its root, which all processes belong to.
    pub(crate) fn machine(&mut self, name: Reference, what: Reference) -> Result<(), Error> {
        self.write(&record(kind::MACHINE, [0, name, what]))
    }

    pub(crate) fn paradigm(&mut self, paradigm: u64, name: Reference) -> Result<(), Error> {
        self.write(&record(kind::PARADIGM, [paradigm, name]))
    }

    /// What refers to texts and machines, behind those.
    pub(crate) fn structure(&mut self, all: &Definitions) -> Result<(), Error> {
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
            self.write(&Record { members, member_count, ..made })?;
        }
        for (own, its) in &all.communicators {
            self.write(&record(kind::COMMUNICATOR, [*own, its.name, its.group]))?;
        }
        Ok(())
    }

    fn write(&mut self, record: &Record) -> Result<(), Error> {
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

fn record<const COUNT: usize>(kind: u32, given: [u64; COUNT]) -> Record {
    let mut numbers = [0; MOST_NUMBERS];
    numbers[..COUNT].copy_from_slice(&given);
    let (text, members) = (ptr::null(), ptr::null());
    let attributes = [[0; 2]; MOST_ATTRIBUTES];
    Record {
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
    let together = |kind: u32, its: Together, request: u64| {
        let Together { operation, communicator, root, sent_bytes, received_bytes } = its;
        (kind, [operation, communicator, root, sent_bytes, received_bytes, request, 0])
    };
    let one = |kind: u32, number: u64| (kind, [number, 0, 0, 0, 0, 0, 0]);
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
    }
}
