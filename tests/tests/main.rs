//! The tests of this crate are one program: to link one takes less time than to link many.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod codes;
mod compilers;
mod equilibration;
mod events;
mod examples;
mod fft;
mod hybrid;
mod install;
mod kept;
mod killed;
mod language;
mod layers;
mod lines;
mod manual;
mod matrix_init;
mod meaning;
mod misses;
mod objects;
mod otf2;
mod packages;
mod page;
mod planted;
mod planted_profile;
mod probe;
mod programs;
mod python;
mod radar;
mod reliability;
mod replay;
mod shared_folder;
mod slurm;
mod terminal;
mod threads;
mod until_sure;
mod waits;
