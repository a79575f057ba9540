//! Replay: the recorded supersteps of a run, evaluated again by OBSP* on a machine with other g, L and `@`, or with an experiment that
//! is k times as fast.
//!
//! [`RecordedRun::fit_network`] finds the g and L that the run itself had; [`RecordedRun::replay`] evaluates it; [`changes`] tells which
//! waits absorb a gain.
//!
//! What recording the supersteps took is left out. Waiting within a superstep (in collectives) is no computing, so a replay knows nothing
//! of it.
//!
//! ```
//! use call_bsp::recording::RecordedRun;
//! use call_bsp::replay::Scenario;
//!
//! // Processor 1 computes 5 s, processor 0 waits for it, then both take 1 s for 8 bytes.
//! let section = |processor: u32, times: &str, inside: &str| format!(
//!     "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync ring.c:9 in main\n# superstep machine depth place start_s \
//!      computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages in_messages partners experiments inner_waiting_s\n# 1 \
//!      0-1.0 0 1 0 {times} 0 8 8 1 1 {} {inside} 0\n", 1 - processor);
//! let trace = format!("# call-trace 1\n# program: ring\n# processors: 2\n# experiment: E\n# variables:\nexperiment processor P time_s\n{}{}# end \
//!     rows=0\n", section(0, "2 3 1", "-"), section(1, "5 0 1", "E=4"));
//! let trace = call_trace::read(trace.as_bytes()).unwrap();
//! let run = RecordedRun::rebuild(&trace.supersteps)?;
//! assert_eq!(run.recorded_s(), 6.0);
//! let faster = Scenario { faster: vec![("E".to_owned(), 4.0)], ..Scenario::default() };
//! assert_eq!(run.replay(&faster)?.total_s(), 3.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(doc)]
use crate::recording::RecordedRun;

mod error;

mod network;
mod scenario;

mod replayed;

mod model;

mod change;

pub use change::{ProcessorChange, Wait, WaitChange, changes, processor_changes, waits};
pub use error::ReplayError;
pub use model::ReplayedRun;
pub use network::NetworkEstimate;
pub use replayed::{ChainShare, Replay};
pub use scenario::{Fidelity, NetworkCosts, Scenario};
