//! Who waits for whom in a parallel run, and why.
//!
//! [`Waits::of_events`] takes what each processor recorded, [`Waits::of_supersteps`] the supersteps of a BSP program. A wait is caused by the difference of two paths: what the processor that was
//! waited for did since both were together last, less what the waiting one did meanwhile. Causes are signed, exact, and add up to the wait
//! whatever the chain behind it is. The method is that of W. Meira Jr., T. LeBlanc and A. Poulos, *Waiting Time Analysis and Performance
//! Visualization in Carnival* (SPDT'96). The names of waits are those of Scalasca.
//!
//! ```
//! use call_trace::{CallSite, Communicator, CommunicatorName, Event, EventKind, Message, ProcessorEvents};
//! use call_waiting::{Code, State, WaitKind, Waits};
//!
//! // Processor 0 computes for 5 s and sends; processor 1 computes for 2 s and receives.
//! let processor = |processor: u32, call: &str, at_s: u64, what: EventKind| ProcessorEvents {
//!     processor,
//!     has_common_clock: true,
//!     regions: vec![CallSite { call: call.to_owned(), ..CallSite::default() }],
//!     communicators: vec![Communicator { name: CommunicatorName { maker: 0, number: 0 }, processors: vec![0, 1] }],
//!     events: [(0, EventKind::ExperimentBegin { experiment: 0 }), (at_s, EventKind::ExperimentEnd { experiment: 0 }), (at_s, EventKind::Enter { region: 0 }), (5, what), (5, EventKind::Leave)]
//!         .map(|(at_s, kind)| Event { at_ns: at_s * 1_000_000_000, kind })
//!         .into_iter().collect(),
//!     experiments: vec!["smooth".to_owned()],
//!     ..ProcessorEvents::default()
//! };
//! let message = |partner| Message { partner, communicator: 0, tag: 0, bytes: 8 };
//! let waits = Waits::of_events(&[
//!     processor(0, "MPI_Send", 5, EventKind::Send { message: message(1), is_synchronous: false }),
//!     processor(1, "MPI_Recv", 2, EventKind::Receive { message: message(0) }),
//! ]).unwrap();
//! let site = &waits.sites[0];
//! assert_eq!((site.site.call.as_str(), site.waiting_ns, site.kinds[0].kind), ("MPI_Recv", 3_000_000_000, WaitKind::LateSender));
//! // 5 s of smooth there, less 2 s of it here.
//! let causes: Vec<_> = site.classes[0].causes.iter().map(|cause| (cause.is_own, &waits.codes[cause.code], cause.time_ns)).collect();
//! let smooth = Code::Experiment { name: "smooth".to_owned(), before: None };
//! assert_eq!(causes, [(false, &smooth, 5_000_000_000), (true, &smooth, -2_000_000_000)]);
//! ```
#![warn(missing_docs)]

mod account;
mod calls;
mod chain;
mod clock;
mod collector;
mod comparison;
mod cut;
mod delay;
mod efficiency;
mod graph;
mod history;
mod inside;
mod kind;
mod matching;
mod mean;
mod nearest;
mod network;
mod parts;
mod path;
mod prepared;
mod released;
mod remark;
mod replay;
mod saving;
mod share;
mod site;
mod step;
mod step_set;
mod supersteps;
mod team;
mod threads;
mod timeline;
mod traffic;
mod unanalysed;
mod waits;

pub use account::{Account, WaitsOfCall};
pub use chain::{Chain, ChainSection, CommonCall, LinkWait, Spent};
pub use comparison::{ComparedSite, compare_sites};
pub use delay::{DelayCost, Delays, WaitStates};
pub use efficiency::{CriticalStep, Efficiency};
pub use kind::WaitKind;
pub use network::{FittedNetwork, MessageNetwork, NetworkDoubt, NetworkError, NetworkRecording};
pub use parts::ProcessorTimes;
pub use prepared::NoWaits;
pub use remark::{OpenCall, RecordingRemark, RemarkKind};
pub use replay::StepChange;
pub use saving::Saving;
pub use share::RunTimeParts;
pub use site::{Cause, Class, KindOfSite, Site, WaitReason};
pub use step::{Code, State, Step};
pub use threads::{are_threads, is_end_of_threads};
pub use unanalysed::{Polled, Unanalysed, Unexplained};
pub use waits::{UndecidedMessages, Waits};
