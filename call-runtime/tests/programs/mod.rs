//! Compiles the programs of tests/programs with warnings as errors and checks what they do: plain, under sanitizers, and where there
//! is more than one processor also over MPI and over the simulated MPI of SimGrid.

mod bsplib;
mod budget;
mod clock;
mod examples;
mod files;
mod forks;
mod machine;
mod misuse;
mod mpi;
mod mpi_threads;
mod openmp;
mod rows;
mod scale;
mod table;
mod threads;
mod units;
mod valgrind;
mod values;
mod waits;
mod writing;

use crate::support::Flavour;

fn available(flavours: &[Flavour]) -> impl Iterator<Item = Flavour> {
    flavours.iter().copied().filter(|flavour| flavour.is_available())
}
