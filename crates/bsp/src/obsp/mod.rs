//! OBSP*: when each processor of a program of supersteps finishes (paper, section 2, equations (1) to (3)).
//!
//! A [`Task`] says what a machine does; [`evaluate`] gives an [`Evaluation`]: Φ of every superstep and processor, what each processor
//! does when, and the chain of processors that determines the time. [`bsp_cost_s`] is the plain BSP cost of the same task.
//!
//! Numbers of processors are kept in [`PerProcessorArena`], where processors in the same state are one, so a million processors that do the
//! same cost no more than a few.
//!
//! ```
//! use std::rc::Rc;
//! use call_bsp::obsp::*;
//!
//! // Fig. 1 with w = 1: P1 computes twice as long as P0, then the other way round; communication takes 1. At the end of the first
//! // superstep P0 waits for nobody.
//! let mut arena = PerProcessorArena::new();
//! let all = arena.same(1.0);
//! let first = arena.of_slice(&[1.0, NONE]);
//! let mut steps = Vec::new();
//! for (work_s, bytes) in [([1.0, 2.0], first), ([2.0, 1.0], all)] {
//!     steps.push(TaskStep::Compute { time_s: arena.of_slice(&work_s), centre: 0 });
//!     steps.push(TaskStep::Synchronise(Synchronisation {
//!         waits: WaitRelation::Oblivious,
//!         sends: vec![Send::new(&mut arena, 2, bytes, MessageTarget::ExclusiveOr(1))],
//!         exchanged: None,
//!         cost: SynchronisationCost::Linear(Network { g_s_per_byte: 1.0, latency_s: 0.0 }),
//!         centre: 1,
//!     }));
//! }
//! let task = Rc::new(Task { processors: 2, steps });
//! let start_s = arena.same(0.0);
//! let evaluation = evaluate(&mut arena, &task, start_s, InOut::Maximum)?;
//! assert_eq!(evaluation.total_s(&mut arena), 5.0);
//! assert_eq!(bsp_cost_s(&mut arena, &task, InOut::Maximum), 6.0);
//! # Ok::<(), TaskError>(())
//! ```
mod task;

mod combination;
mod moves;
mod operation;
mod per_processor;
mod reduction;
mod relation;

mod evaluate;

mod chain;
mod timeline;

mod bsp;

pub use bsp::bsp_cost_s;
pub use chain::ChainLink;
pub use evaluate::{Evaluation, FinishedSuperstep, TaskError, evaluate};
pub use operation::NONE;
pub(crate) use operation::PairOperation;
pub(crate) use per_processor::{Exact, processor};
pub use per_processor::{PerProcessor, PerProcessorArena};
pub use task::{
    ExchangedBytes, InOut, MessageTarget, Network, Send, Synchronisation, SynchronisationCost, Task,
    TaskStep, WaitRelation,
};
pub use timeline::{Activity, Bar, Diagram, Submachine};
