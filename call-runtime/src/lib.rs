//! The C runtime of CALL, embedded so that the translator can hand it out.
#![warn(missing_docs)]

/// A file of the runtime.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// Its path relative to the runtime's folder.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All C files of the runtime.
pub const FILES: &[File] = &[File { path: "include/call.h", text: include_str!("../include/call.h") }];

/// The one file to compile for the embedded transport.
pub const EMBEDDED_SOURCE: &str = "call-runtime.c";
/// The one file to compile for the MPI transport.
pub const MPI_SOURCE: &str = "call-runtime-mpi.c";
