//! The analyser of CALL as a library: a [`Session`] takes command lines and returns what there is to show.
//!
//! Nothing here prints, and files are reached through a [`Workspace`] that the caller provides; the program `llac` is one such
//! caller. Commands live one to a file in `command`.
//!
//! ```
//! use llac::{MemoryWorkspace, Session};
//!
//! let rows: String = (1..=8).map(|n| format!("f 0 1 {n} {:.9}\n", f64::from(2 * n + 3) * 1e-6)).collect();
//! let trace = format!("# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
//!     experiment processor P N time_s\n{rows}# end rows=8\n");
//! let files = MemoryWorkspace::with([("x.call.0.dat", trace)]);
//! let mut session = Session::new(Box::new(files));
//! session.run("load *.dat").unwrap();
//! let outcome = session.run("predict f N=100").unwrap();
//! assert!(outcome.to_plain_text().contains("203 µs"), "{}", outcome.to_plain_text());
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod command;
mod complete;
mod data;
mod error;
mod excerpt;
mod experiments;
mod found;
mod incompleteness;
pub mod json;
mod line;
mod loaded_model;
mod machines;
mod markup;
mod measuring_cost;
mod message;
mod models;
mod outcome;
mod outline;
mod page;
mod picture;
mod plain_path;
mod reading;
mod remarks;
mod session;
mod words;
mod workspace;

pub use call_report::Look;
pub use command::{Command, Completion, GROUPS, LineClauses, commands};
pub use complete::Suggestions;
pub use error::{Error, wrapped_error};
pub use excerpt::FileExcerpt;
pub use line::is_complete;
pub use markup::{Fragment, Markup, MarkupBlock};
pub use message::Message;
pub use outcome::{AnswerStatus, CommandOutcome};
pub use outline::{Outline, OutlineRow};
pub use page::{Page, Style};
pub use picture::Picture;
pub use session::Session;
pub use workspace::{Circumstances, MachineFile, MemoryWorkspace, PageAnswers, Workspace};
