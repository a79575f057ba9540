//! Calls the C functions of `shim/`. All that is unsafe in this crate is here.
#![allow(unsafe_code, reason = "C functions are called, which keep to what shim/records.h says")]

mod reader;
mod writer;

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

pub(crate) use reader::ArchiveReader;
pub(crate) use writer::Writer;

const MOST_NUMBERS: usize = 7;
const MOST_ATTRIBUTES: usize = 2;

/// As in shim/records.h.
#[repr(C)]
#[derive(Clone, Copy)]
struct RawRecord {
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
    pub(super) const PARAMETER: u32 = 10;
    pub(super) const MACHINE: u32 = 11;
    pub(super) const PARADIGM: u32 = 12;
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
    pub(super) const COUNTERS: u32 = 119;
    pub(super) const PARAMETER_TEXT: u32 = 120;
    pub(super) const REMOTE_ACCESS: u32 = 121;
    pub(super) const GROUP_SYNC: u32 = 122;
    pub(super) const LOCK: u32 = 123;
    pub(super) const UNLOCK: u32 = 124;
}

type Sink = extern "C" fn(*mut c_void, *const RawRecord);

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
    fn call_otf2_writer_begin(writer: *mut RawWriter, location: u64) -> c_int;
    fn call_otf2_writer_write(writer: *mut RawWriter, record: *const RawRecord) -> c_int;
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
