//! Finding a formula where none is given, predicting with all that are plausible, and saying what to measure next.
//!
//! # The models
//!
//! A model is a sum of at most four terms with non-negative constants, c₀ + c₁ g₁ + …; a term is a product of [`Shape`]s of the
//! variables, such as `N*log(N)/P`. Beside one formula for all points there are formulas that hold from a value of a variable on, with
//! another one below (the intervals of CALL's constants), and formulas without one or a few points that were disturbed.
//!
//! # The criterion
//!
//! Residuals are relative: timings span decades and their noise grows with them; the best models are tried as well with noise that grows
//! with the root ([`NoiseLaw`]). Each model gets its marginal likelihood, in closed
//! form, times a prior that halves with each term and falls with the length of the shapes. This is the product of how well each value is
//! predicted from those before it, so it asks for prediction and for simplicity at once and needs no threshold; nothing in it is made
//! for a data set. The constant model is a rival like the others. The constants of the priors stand beside their reasons in the files.
//!
//! # The prediction
//!
//! All models within a factor of 100 of the best take part with their weights, each as a Student t distribution of the logarithm;
//! see [`Combined`]. Beyond the data another law may hold, the more so the farther away; the interval allows for that. Where several variables were measured, points that share a value of one may deviate together, and a new value
//! meets a new such deviation.
//!
//! # The source
//!
//! Where the translator has counted how often statements run, only terms that grow no faster than those counts are candidates
//! ([`SourceLimits`]), and the counts themselves are expected: with even odds the time is made of them alone, and in the other
//! sums half of the prior of a term is theirs.
//!
//! # Rates
//!
//! Times add up, rates do not: of GFLOPS over P, of which there are at most so many, no sum of powers is true far out. So the reciprocals of rates
//! are searched, too ([`AveragedFormulas`]), and predict where they are clearly more plausible; where nobody can tell, intervals hold both.
//!
//! # Siblings
//!
//! [`Siblings`] are the experiments of one program. Beyond what was measured there are three experts for each: the usual formulas; where the
//! last step leads as a power law; and the median of both and of formulas with negative constants, which surfaces and halos want. Each
//! predicts the largest measured values from the smaller ones, as far ahead as is asked. How well says which share of the program's
//! experiments follows each expert, and with an experiment's own, which one it follows. The prediction is the median of the
//! experts, so weighted; its interval is scaled by how far off such medians were. Exact values go on as their formula does.
//!
//! # Speed
//!
//! Products of shapes of several variables are made of shortlists; in the best models each shape is then exchanged for all others, and pairs of terms for
//! all pairs.
//! The shapes at the points are kept for the next set of measurements at the same points. A model is extended by one Gram-Schmidt step
//! for each further term, and logarithms are only taken for models that can be plausible.
//!
//! ```
//! use call_search::{Measurements, find};
//!
//! let processors: Vec<f64> = (1..=6).map(|power| f64::from(1 << power)).collect();
//! let times_s: Vec<f64> = processors.iter().map(|p| 0.5 + 12.0 / p).collect();
//! let finding = find(&Measurements::new(&["P".to_owned()], &[&processors], &times_s));
//! assert_eq!(finding.ranked("f")[0].formula.text, "f[0] + f[1]/P");
//! let prediction = finding.predict(&[128.0], 0.9);
//! assert!((prediction.value - 0.59375).abs() < 1e-6);
//! assert!(prediction.low <= prediction.value && prediction.value <= prediction.high);
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod advise;
mod advise_forecast;
mod averaged;
mod backtest;
mod beyond;
mod candidates;
mod continuation;
mod departure;
mod evidence;
mod experts;
mod families;
mod finder;
mod finding;
mod fitted;
mod forward;
mod found;
mod grid;
mod laws;
mod measurements;
mod mixture;
mod orthogonal;
mod pairs;
mod pattern;
mod prior;
mod reciprocal;
mod rivals;
mod shape;
mod shares;
mod shortlist;
mod siblings;
mod source_limits;
mod term;

pub use advise::{Advice, advise_formula};
pub use advise_forecast::{advise_forecast, gaps_that_matter};
pub use averaged::AveragedFormulas;
pub use finder::{FormulaFinder, find};
pub use finding::{Combined, FoundFormulas, SourceVerdict};
pub use fitted::NoiseLaw;
pub use found::{FoundFormula, FoundInterval, FoundModel, LeftOutPoint};
pub use measurements::Measurements;
pub use shape::Shape;
pub use siblings::Siblings;
pub use source_limits::SourceLimits;
