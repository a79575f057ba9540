//! The recorded supersteps of a run: what its processors did, machine by machine.
//!
//! [`RecordedRun::rebuild`] makes machines, their parts and the partners of each synchronisation of the sections of a trace.
//! [`replay`](crate::replay) evaluates it again.
//!
//! ```
//! use call_bsp::recording::RecordedRun;
//!
//! // Processor 1 computes 5 s, processor 0 waits for it, then both take 1 s for 8 bytes.
//! let section = |processor: u32, times: &str| format!(
//!     "# supersteps of processor {processor}, clock common\n# place 1: bsp_sync ring.c:9 in main\n# superstep machine depth place start_s \
//!      computing_s waiting_s communicating_s recording_s out_bytes in_bytes out_messages in_messages partners experiments inner_waiting_s\n# 1 \
//!      0-1.0 0 1 0 {times} 0 8 8 1 1 {} - 0\n", 1 - processor);
//! let trace = format!("# call-trace 1\n# program: ring\n# processors: 2\n# experiment: E\n# variables:\nexperiment processor P time_s\n{}{}# end \
//!     rows=0\n", section(0, "2 3 1"), section(1, "5 0 1"));
//! let trace = call_trace::read(trace.as_bytes()).unwrap();
//! let run = RecordedRun::rebuild(&trace.supersteps)?;
//! let step = &run.machine().supersteps[0];
//! assert_eq!((step.computing[0].own_s, step.waiting_s[0], step.communicating_s[0], step.end_s[0]), (2.0, 3.0, 1.0, 6.0));
//! assert_eq!(step.synchronisation.as_ref().unwrap().in_bytes, [8.0, 8.0]);
//! let name = &run.superstep_names()[step.centre];
//! assert_eq!((name.superstep, run.call_sites()[name.call_sites[0]].call.as_str()), (1, "bsp_sync"));
//! # Ok::<(), call_bsp::recording::RecordingError>(())
//! ```

mod error;

mod run;

mod processor;

mod rebuild;

mod unfinished;

pub use error::RecordingError;
pub use run::{
    ComputingStretch, OwnComputing, PartsRound, RecordedMachine, RecordedRun, RecordedSuperstep,
    RecordedSynchronisation, SuperstepName,
};
pub use unfinished::common_beginning;
