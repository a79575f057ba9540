//! A complexity formula, the samples of its experiment and the fit of its constants, joined into a [`Model`] that predicts.
//!
//! The chain is that of the paper's section 3: [`Model::fit`] fits the constants and splits the space of the variables into cells
//! where they hold; [`Model::aleph`] gives the set ℵ of a constant (its values and their intervals, Table 2); [`Model::predict`]
//! chooses the values that hold at a point; [`Model::compare`] sets predictions beside measurements (Table 3).
//!
//! ```
//! use call_model::{Model, Settings};
//!
//! let rows: String = (1..=8).map(|n| format!("f 0 1 {n} {:.9}\n", f64::from(2 * n + 3) * 1e-6)).collect();
//! let trace = format!("# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
//!     experiment processor P N time_s\n{rows}# end rows=8\n");
//! let trace = call_trace::read(trace.as_bytes()).unwrap();
//! let model = Model::fit(&trace.experiments[0], &Settings::default()).unwrap();
//! let prediction = model.predict(&[100.0]);
//! assert!((prediction.time_s - 203e-6).abs() < 1e-12);
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod aleph;
mod comparison;
mod error;
mod model;
mod prediction;
pub mod search;
mod settings;
mod warning;

pub use aleph::{Aleph, Range, Segment};
pub use comparison::Comparison;
pub use error::Error;
pub use model::{Model, SampledRange};
pub use prediction::{Beyond, Prediction, Share};
pub use settings::{Settings, Weighting};
pub use warning::Warning;
