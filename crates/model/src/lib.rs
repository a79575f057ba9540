//! A complexity formula, the samples of its experiment and the fit of its constants, joined into a [`Model`] that predicts.
//!
//! [`Settings::prepare`] joins the processors of an experiment and folds its repetitions. The chain is that of the paper's section 3: [`Model::fit`] fits the constants and splits the space of the variables into cells
//! where they hold; [`Model::aleph`] gives the set ℵ of a constant (its values and their intervals, Table 2); [`Model::predict`]
//! chooses the values that hold at a point; [`compare`] sets predictions beside measurements (Table 3).
//!
//! What that is worth: [`Model::judge`] gives figures of quality, residuals and [`Warning`]s with their cures; a [`Forecaster`] predicts
//! with intervals. It is one [`Predictor`] of several: each question ([`question`], [`compare`]) is asked of any of them. A [`ModelFile`] keeps a model without its samples. [`Model::c_function`], [`Model::gnuplot_function`] and
//! [`Model::latex`] take a model elsewhere.
//!
//! ```
//! use call_model::{Model, Settings};
//!
//! let rows: String = (1..=8).map(|n| format!("f 0 1 {n} {:.9}\n", f64::from(2 * n + 3) * 1e-6)).collect();
//! let trace = format!("# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
//!     experiment processor P N time_s\n{rows}# end rows=8\n");
//! let trace = call_trace::read(trace.as_bytes()).unwrap();
//! let prepared = Settings::default().prepare(&trace.experiments[0]);
//! let model = Model::fit(&prepared).unwrap();
//! let prediction = model.predict(&[100.0]);
//! assert!((prediction.time_s - 203e-6).abs() < 1e-12);
//!
//! use call_model::question::{NumberDomain, ValueRange, largest};
//! use call_model::{Forecaster, Slice};
//!
//! let forecaster = Forecaster::new(model, &prepared).unwrap();
//! let slice = Slice::new(&forecaster, &["N"], &[]);
//! let range = ValueRange { lowest: 1.0, highest: 1e6 };
//! let answer = largest(&slice, 1e-3, NumberDomain::Whole, range, 0.9).unwrap();
//! assert_eq!(answer.value, 498.0);
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod accuracy;
mod aleph;
mod candidate;
mod columns;
mod comparison;
mod contention;
mod definitions;
mod digits;
mod discrepancy;
mod error;
mod explanation;
mod footprint;
mod forecast;
mod forecaster;
mod gap;
mod information;
mod judgement;
mod mixture;
mod model;
mod model_file;
mod noise;
mod outlier;
mod power_relation;
mod prediction;
mod predictor;
mod prepared;
pub mod question;
mod reached_lines;
mod remark;
mod rival;
mod rounding;
mod run_effect;
mod run_fit;
mod sampled;
mod settings;
mod source_match;
mod statement_conditions;
mod statement_set;
mod student;
mod text;
mod warning;

pub use aleph::{Aleph, Range, Segment};
pub use call_fit::{Loss, Method, SignConstraint, SignReason, Thresholds, Weighting, WeightingReason};
pub use columns::SampledRange;
pub use comparison::{Check, PointComparison, compare};
pub use contention::{contention, contention_remark, raised};
pub use definitions::{Definition, Definitions, PROCESSORS, ValueSource};
pub use error::Error;
pub use explanation::Explanation;
pub use forecast::Forecast;
pub use forecaster::Forecaster;
pub use gap::Gap;
pub use judgement::{Estimate, FitQuality, HeldOut, Judgement, LeaveOneOut, MeasuringConditions, Residual};
pub use model::Model;
pub use model_file::{MachineText, ModelFile, ModelFileError, RunFacts};
pub use outlier::{OutlyingSample, outliers};
pub use power_relation::PowerRelation;
pub use prediction::standard_error;
pub use prediction::{Beyond, Prediction, TermShare};
pub use predictor::{NoPrediction, Predictor, SourcePlace};
pub use prepared::Prepared;
pub use question::Slice;
pub use reached_lines::{LINE_BYTES, LoopSteps, reached_lines};
pub use remark::{Remark, TableEntry};
pub use rounding::Rounding;
pub use run_fit::{PlacedConstant, RunFit};
pub use settings::{IntervalOf, Settings};
pub use source_match::SourceMatch;
pub use statement_conditions::StatementConditions;
pub use statement_set::{Portion, StatementSet};
pub use student::{student_quantile, student_share};
pub use warning::{Cure, Needed, Warning};
