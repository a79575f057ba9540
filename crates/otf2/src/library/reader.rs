use std::ffi::{CStr, c_void};
use std::path::Path;
use std::ptr::NonNull;

use super::{
    MOST_ATTRIBUTES, RawReader, RawRecord, call_otf2_forget_problem, call_otf2_free, call_otf2_reader_close,
    call_otf2_reader_creator, call_otf2_reader_definitions, call_otf2_reader_events, call_otf2_reader_open,
    call_otf2_reader_select, kind, path_text, problem,
};
use crate::error::Error;
use crate::record::{
    AccessRecord, ArchiveClock, ArchiveCommunicator, ArchiveDefinitions, ArchiveEvent, ArchiveMessage,
    ArchiveWindow, CollectiveRecord, GroupDefinition, Happening, Location, LocationGroup, RegionDefinition,
};

/// An archive that is read.
pub(crate) struct ArchiveReader {
    raw: NonNull<RawReader>,
}

impl ArchiveReader {
    pub(crate) fn open(anchor: &Path) -> Result<ArchiveReader, Error> {
        let name = path_text(anchor).ok_or(Error::NoName)?;
        // SAFETY: the name ends with a zero.
        let raw = unsafe {
            call_otf2_forget_problem();
            call_otf2_reader_open(name.as_ptr())
        };
        NonNull::new(raw)
            .map(|raw| ArchiveReader { raw })
            .ok_or_else(|| Error::Unreadable { problem: problem() })
    }

    /// All global definitions, of which there cannot be more than so many.
    pub(crate) fn definitions(&mut self, most: u64) -> Result<ArchiveDefinitions, Error> {
        let mut found = ArchiveDefinitions { creator: self.creator(), ..ArchiveDefinitions::default() };
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

impl Drop for ArchiveReader {
    fn drop(&mut self) {
        // SAFETY: it is used no more.
        unsafe { call_otf2_reader_close(self.raw.as_ptr()) }
    }
}

extern "C" fn take_definition(user: *mut c_void, record: *const RawRecord) {
    // SAFETY: `definitions` has given its own, and the record is there during the call.
    let (found, record) = unsafe { (&mut *user.cast::<ArchiveDefinitions>(), &*record) };
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
            let region = RegionDefinition {
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
            found
                .groups
                .insert((own, third), GroupDefinition { name, paradigm: fourth, flags: fifth, members });
        }
        kind::COMMUNICATOR => {
            found.communicators.insert(own, ArchiveCommunicator { name, group: third });
        }
        kind::INTERCOMMUNICATOR => _ = found.intercommunicators.insert(own, [third, fourth]),
        kind::WINDOW => _ = found.windows.insert(own, ArchiveWindow { name, communicator: third }),
        kind::PARAMETER => _ = found.parameters.insert(own, name),
        _ => {}
    }
}

extern "C" fn take_event(user: *mut c_void, record: *const RawRecord) {
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

fn happening(record: &RawRecord) -> Option<Happening> {
    let [first, second, third, fourth, fifth, sixth, _] = record.numbers;
    let message = ArchiveMessage { rank: first, communicator: second, tag: third as u32, bytes: fourth };
    let together = CollectiveRecord {
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
        kind::COUNTERS => Happening::Counters { values: first },
        kind::PARAMETER_TEXT => Happening::ParameterText { parameter: first, text: second },
        kind::REMOTE_ACCESS => Happening::RemoteAccess(AccessRecord {
            rank: first,
            window: second,
            is_accumulation: third != 0,
            sent_bytes: fourth,
            received_bytes: fifth,
        }),
        kind::GROUP_SYNC => Happening::GroupSync { group: first, window: second },
        kind::LOCK => Happening::Lock { rank: first, window: second, is_shared: third != 0 },
        kind::UNLOCK => Happening::Unlock { rank: first, window: second },
        _ => return None,
    })
}
