//! Archives of OTF2, the format of traces that Score-P, Scalasca, Vampir and EZTrace have in common.
//!
//! [`read`] makes the events of an archive's processes into a [`Trace`](call_trace::Trace), [`write()`] makes an archive of events. Both go through libotf2, by
//! C functions of `shim/`, where it was installed when this crate was built; elsewhere they say so. Archives are folders that the library
//! itself opens: unlike other crates, this one does I/O.
#![warn(missing_docs)]
#![cfg_attr(not(has_otf2), allow(dead_code, reason = "what makes records is tested in any build"))]

mod error;
mod export;
mod import;
#[cfg(has_otf2)]
mod library;
mod names;
mod record;
mod remark;

#[cfg(has_otf2)]
mod archive;
#[cfg(has_otf2)]
pub use archive::{read, write};

#[cfg(not(has_otf2))]
mod absent;
#[cfg(not(has_otf2))]
pub use absent::{read, write};

#[cfg(test)]
mod tests;

pub use error::Error;
pub use remark::ArchiveRemark;

/// Whether this build reads and writes archives.
pub fn is_there() -> bool {
    cfg!(has_otf2)
}

/// What an archive holds.
#[derive(Debug, Clone, PartialEq)]
pub struct ArchiveContents {
    /// Its events; there are no experiments in it.
    pub trace: call_trace::Trace,
    /// What is missing or was left out.
    pub remarks: Vec<ArchiveRemark>,
}
