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
pub const FILES: &[File] = &[
    File { path: "call-runtime-mpi.c", text: include_str!("../call-runtime-mpi.c") },
    File { path: "call-runtime.c", text: include_str!("../call-runtime.c") },
    File { path: "include/call.h", text: include_str!("../include/call.h") },
    File { path: "include/pub.h", text: include_str!("../include/pub.h") },
    File { path: "src/backend.c", text: include_str!("../src/backend.c") },
    File { path: "src/backend.h", text: include_str!("../src/backend.h") },
    File { path: "src/bsp/arena.c", text: include_str!("../src/bsp/arena.c") },
    File { path: "src/bsp/arena.h", text: include_str!("../src/bsp/arena.h") },
    File { path: "src/bsp/embedded.c", text: include_str!("../src/bsp/embedded.c") },
    File { path: "src/bsp/inbox.c", text: include_str!("../src/bsp/inbox.c") },
    File { path: "src/bsp/inbox.h", text: include_str!("../src/bsp/inbox.h") },
    File { path: "src/bsp/machine.c", text: include_str!("../src/bsp/machine.c") },
    File { path: "src/bsp/machine.h", text: include_str!("../src/bsp/machine.h") },
    File { path: "src/bsp/mpi.c", text: include_str!("../src/bsp/mpi.c") },
    File { path: "src/bsp/stash.c", text: include_str!("../src/bsp/stash.c") },
    File { path: "src/bsp/stash.h", text: include_str!("../src/bsp/stash.h") },
    File { path: "src/bsp/supervisor.c", text: include_str!("../src/bsp/supervisor.c") },
    File { path: "src/bsp/supervisor.h", text: include_str!("../src/bsp/supervisor.h") },
    File { path: "src/bsp/transport.h", text: include_str!("../src/bsp/transport.h") },
    File { path: "src/clock.c", text: include_str!("../src/clock.c") },
    File { path: "src/clock.h", text: include_str!("../src/clock.h") },
    File { path: "src/fail.c", text: include_str!("../src/fail.c") },
    File { path: "src/fail.h", text: include_str!("../src/fail.h") },
    File { path: "src/host.c", text: include_str!("../src/host.c") },
    File { path: "src/host.h", text: include_str!("../src/host.h") },
    File { path: "src/pub.c", text: include_str!("../src/pub.c") },
    File { path: "src/pub_backend.c", text: include_str!("../src/pub_backend.c") },
    File { path: "src/record.c", text: include_str!("../src/record.c") },
    File { path: "src/record.h", text: include_str!("../src/record.h") },
    File { path: "src/report.c", text: include_str!("../src/report.c") },
    File { path: "src/sequential.c", text: include_str!("../src/sequential.c") },
    File { path: "src/trace.c", text: include_str!("../src/trace.c") },
    File { path: "src/trace.h", text: include_str!("../src/trace.h") },
    File { path: "src/writer.c", text: include_str!("../src/writer.c") },
    File { path: "src/writer.h", text: include_str!("../src/writer.h") },
];

/// The one file to compile for the embedded transport.
pub const EMBEDDED_SOURCE: &str = "call-runtime.c";
/// The one file to compile for the MPI transport.
pub const MPI_SOURCE: &str = "call-runtime-mpi.c";
