//! Traces of the call-graph profiler of the Oxford BSP Toolset 1.4 (`PROF.bsp`).
//!
//! ```text
//! D Thu Apr  3 12:52:50 1997
//! F  -O3 -flibrary-level 2
//! N SGICHALL64
//! P 2
//! s 0 26 main.c
//! A <26 of main.c bar,main, > with 1 SYNCS 0.3 0.2 0.1 COMP 0.2 0.15 0.1 COMM 0.2 0.1 0 COMPIDLE 4 3 2 HREL 0.3,0.2,0,4,0;0.1,0.1,0.2,2,1;
//! E 0.5
//! ```
//!
//! `D` date, `F` flags, `N` machine, `X` device, `P` processors, `E` elapsed seconds; `s NUMBER LINE FILE` a cost centre, and in the
//! same order `A` with its call stack, number of synchronisations, sums of maxima, averages and minima (a label stands behind its
//! values), and computation, communication, idle time, h in and out of each processor. h counts words of 32 bits. The idle times of
//! processors contain the latency, the sums do not.

mod error;
mod read;
mod write;

pub use error::OxfordError;
pub use read::read;
pub use write::{Written, write};

/// Bytes of the words in which h-relations are counted.
const WORD_BYTES: f64 = 4.0;
