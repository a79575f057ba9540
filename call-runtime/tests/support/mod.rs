//! Compiles and runs the test programs, and reads the traces that they write.

pub mod behaviours;
mod building;
mod ending;
mod flavour;
mod folders;
mod run;
mod trace;

pub use building::{compile, runtime_object};
pub use flavour::{
    ALL, Flavour, ON_THIS_COMPUTER, WARNINGS, WITH_MPI, WITH_MPI_AND_OPENMP, WITH_OPENMP, WITH_THREADS,
    answers, c_compiler,
};
pub use folders::{empty_directory, root};
pub use run::Run;
pub use trace::{Trace, nanoseconds};
