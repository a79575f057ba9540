use std::fmt;

use call_fit::StopReason;
use call_grammar::counted;
use call_trace::Unit;
use serde::{Serialize, Serializer};

use crate::digits::{exact, rounded};

/// More intervals than this on one variable suggest that the formula is wrong (paper, section 3).
pub(crate) const MANY_INTERVALS: usize = 3;

/// Values of a variable that measurements should be added for, the other variables having values that were sampled.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Needed {
    /// The variable.
    pub variable: String,
    /// Values outside of what was sampled.
    pub values: Vec<f64>,
}

/// How terms come apart that the samples cannot tell apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cure {
    /// By measuring more: these variables at these values.
    Measure(Vec<Needed>),
    /// By measuring more: each of these variables by itself at these values.
    MeasureEach(Vec<Needed>),
    /// Not at all: the terms are alike everywhere.
    RemoveOne,
}

/// A point: names and values of the variables.
type NamedPoint = Vec<(String, f64)>;

/// What the user should know about a model. The text says what to do. Errors and shares are parts of 1. Serialised it is the map of
/// its fields; what is not finite is for the format to say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[allow(missing_docs, reason = "the texts say it")]
pub enum Warning {
    /// The time between begin and end is that of the processor and this share of it more, as a counter tells.
    OutsideProcessor { counter: String, share: f64 },
    /// More than three intervals on a variable (paper, section 3).
    ManyIntervals { variable: String, count: usize },
    /// The splitting stopped before the errors were under the threshold.
    ErrorsRemain {
        error: f64,
        threshold: f64,
        #[serde(serialize_with = "serialize_outcome")]
        outcome: StopReason,
    },
    /// Constants that the samples do not determine, and what would; that is known only with the samples at hand.
    Undetermined { constants: Vec<String>, cell: String, cure: Option<Cure> },
    /// Two constants that each may be zero but not both: the noise hides which of them it is.
    Confused { constants: Vec<String>, correlation: f64, cell: String, cure: Option<Cure> },
    /// A variable that the formula lacks, and the share of the squared residuals that it explains.
    AbsentVariable { variable: String, share: f64 },
    /// A term that the formula lacks, and the share of the squared residuals that it takes away.
    MissingTerm { term: String, share: f64, cell: String },
    /// What should stand in the place of a variable of the formula, and the share of the squared residuals that this takes away.
    OtherVariable { variable: String, expression: String, share: f64 },
    /// What two variables make, along which no more intervals than there are leave so much smaller errors.
    BordersAlong { expression: String, cells: usize, error: f64, before: f64 },
    /// Statements of the source that run more often than any term of the formula grows.
    SourceOutgrows { term: String, lines: Vec<String> },
    /// A term that grows faster than any statement of the source runs.
    TermOutgrows { constant: String, term: String },
    /// Residuals like their neighbours along a variable.
    Trend { along: String, correlation: f64, cell: String },
    /// One term that describes all samples as well as so many cells do.
    TermInsteadOfIntervals { term: String, cells: usize, error: f64 },
    /// A constant within its 95 % uncertainty of zero.
    MayBeZero { constant: String, value: f64, uncertainty: f64, cell: String },
    /// Hardly more points than constants.
    TooFewPoints { points: usize, constants: usize, cell: String },
    /// Samples that are left out of the fit are predicted much worse than those in it; the point is the weightiest.
    LeftOut {
        fitted: f64,
        left_out: f64,
        #[serde(serialize_with = "serialize_point")]
        point: NamedPoint,
    },
    /// The largest values of a variable are predicted worse by the smaller ones than noise explains.
    HeldOutWorse { variable: String, kept_to: f64, error: f64, expected: f64 },
    /// Points that were left out, as the clock showed no time there.
    BelowResolution { points: usize, first: String },
    /// Times that are few steps of the clock.
    NearResolution { samples: usize, total: usize, shortest_s: f64, resolution_s: f64 },
    /// Times of which measuring them is a good part.
    NearEmptyPair { samples: usize, total: usize, shortest_s: f64, empty_pair_s: f64 },
    /// Absolute weights were asked for, but times scatter as this power of them, or as residuals say, in proportion.
    NoiseGrows { exponent: Option<f64> },
    /// In so many of all runs others had the processors for more than a few percent of the time.
    Disturbed { runs: usize, all: usize, most: f64 },
    /// So many runs of the same points differ by this standard deviation, a share of what they measure, beyond what each of them scatters;
    /// what that leaves uncertain of constants, as a share of them at a level.
    RunsDiffer { runs: usize, spread: f64, uncertainty: f64, level: f64 },
    /// Of so many measurements there are sums, and so many of them; what the settings ask for needs all.
    SummedUp { measurements: u64, kept: u64, repetitions: Option<String>, joins_sums: bool },
    /// Measurements that vary much and without pattern; how many there are, if these are too few to show one, and what repetitions
    /// leave uncertain of each, if that is so much less that noise is not why.
    Noisy { noise: f64, too_few: Option<usize>, repetitions: Option<f64> },
    /// A prediction below zero where samples are.
    NegativePrediction {
        time_s: f64,
        #[serde(skip)]
        unit: Unit,
        #[serde(serialize_with = "serialize_point")]
        point: NamedPoint,
    },
    /// Samples without finite values for the formula; the first point where it has none, if that is known.
    Dropped {
        samples: usize,
        #[serde(serialize_with = "serialize_point")]
        point: NamedPoint,
    },
    /// A constant that is negative beyond doubt: costs are not.
    Negative { constant: String, value: f64 },
}

impl Warning {
    /// That points are left out as the clock showed no time there; the points in words ([`crate::Prepared::below_resolution`]).
    pub fn of_points_without_time(points: &[String]) -> Option<Warning> {
        let first = points.first()?.clone();
        Some(Warning::BelowResolution { points: points.len(), first })
    }

    /// Stable name of the cause, such as `missing-term`.
    pub fn code(&self) -> &'static str {
        match self {
            Warning::ManyIntervals { .. } => "many-intervals",
            Warning::ErrorsRemain { .. } => "errors-remain",
            Warning::Undetermined { .. } => "undetermined",
            Warning::Confused { .. } => "confused",
            Warning::AbsentVariable { .. } => "absent-variable",
            Warning::MissingTerm { .. } => "missing-term",
            Warning::OtherVariable { .. } => "other-variable",
            Warning::BordersAlong { .. } => "borders-along",
            Warning::SourceOutgrows { .. } => "source-outgrows",
            Warning::TermOutgrows { .. } => "term-outgrows",
            Warning::Trend { .. } => "trend",
            Warning::TermInsteadOfIntervals { .. } => "term-instead-of-intervals",
            Warning::MayBeZero { .. } => "may-be-zero",
            Warning::TooFewPoints { .. } => "too-few-points",
            Warning::LeftOut { .. } => "left-out",
            Warning::HeldOutWorse { .. } => "held-out-worse",
            Warning::BelowResolution { .. } => "below-resolution",
            Warning::NearResolution { .. } => "near-resolution",
            Warning::NearEmptyPair { .. } => "near-empty-pair",
            Warning::NoiseGrows { .. } => "noise-grows",
            Warning::Disturbed { .. } => "disturbed",
            Warning::RunsDiffer { .. } => "runs-differ",
            Warning::SummedUp { .. } => "summed-up",
            Warning::Noisy { .. } => "noisy",
            Warning::NegativePrediction { .. } => "negative-prediction",
            Warning::Dropped { .. } => "dropped",
            Warning::Negative { .. } => "negative-constant",
            Warning::OutsideProcessor { .. } => "outside-processor",
        }
    }

    /// What to do, where that is not the whole text; the text says it, too.
    pub fn help(&self) -> Option<String> {
        let help = match self {
            Warning::Undetermined { cure, .. } | Warning::Confused { cure, .. } => {
                return Some(cure_text(cure.as_ref()));
            }
            Warning::AbsentVariable { variable, .. } => {
                return Some(format!(
                    "use it in a term, or fit one value at a time (`where {variable} = …`)"
                ));
            }
            Warning::TooFewPoints { constants, .. } => {
                return Some(format!("measure {} at least", constants + 5));
            }
            Warning::OutsideProcessor { counter, .. } => {
                return Some(format!(
                    "if others used the computer, fit the time of the processor: `load … time={counter}`; if the block waits for \
                     messages, threads or disks, the time on the wall is right"
                ));
            }
            Warning::OtherVariable { variable, expression, .. } => {
                return Some(format!(
                    "write it so, or `let` another name be {expression} and use that for {variable}"
                ));
            }
            Warning::BordersAlong { expression, .. } => {
                return Some(format!("`let` a name be {expression} and use it in the formula"));
            }
            Warning::SourceOutgrows { .. } => {
                "without a term that grows so, predictions for large sizes are too short"
            }
            Warning::TermOutgrows { .. } => {
                "leave it out, unless operations themselves become slower with the size, as by caches"
            }
            Warning::MissingTerm { .. } => "add it to the formula",
            Warning::Trend { .. } => "look at their picture",
            Warning::TermInsteadOfIntervals { .. } => "try it",
            Warning::MayBeZero { .. } => "leave its term out, or measure where it counts",
            Warning::LeftOut { .. } => "measure near it",
            Warning::HeldOutWorse { .. } => "do not trust it far beyond the samples",
            Warning::BelowResolution { .. } => "measure a loop around the block there, or with a finer clock",
            Warning::NearResolution { .. } => "measure larger sizes, or a loop around the block",
            Warning::NearEmptyPair { .. } => "measure larger sizes",
            Warning::NoiseGrows { .. } => "`set weights automatic` has intervals that hold",
            Warning::Disturbed { .. } => {
                "repeat with no more processes than cores on a quiet computer, or fit the time of the processor (record it with \
                 `CALL_COUNTERS=task-clock`, then `load … time=task-clock`)"
            }
            Warning::RunsDiffer { .. } => "measure more runs",
            Warning::SummedUp { repetitions: Some(_), .. } => "`set repetitions mean` and `minimum` take all",
            Warning::SummedUp { .. } => "`set processors NUMBER` takes one of them",
            Warning::Noisy { repetitions: Some(_), .. } => {
                "look for what it lacks with `find` and in `plot`, or measure more sizes where it is off"
            }
            Warning::Noisy { too_few: Some(_), .. } => {
                "look for another one with `find`, and measure more sizes"
            }
            Warning::Noisy { .. } => "repeat more, on a quiet machine, or leave small sizes out",
            Warning::ManyIntervals { .. }
            | Warning::ErrorsRemain { .. }
            | Warning::NegativePrediction { .. }
            | Warning::Dropped { .. }
            | Warning::Negative { .. } => return None,
        };
        Some(help.to_owned())
    }

    /// Whether it doubts constants rather than the formula.
    pub(crate) fn is_of_constants(&self) -> bool {
        matches!(
            self,
            Warning::MayBeZero { .. }
                | Warning::Negative { .. }
                | Warning::Confused { .. }
                | Warning::TooFewPoints { .. }
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_what(out)?;
        out.write_str(self.help().as_deref().unwrap_or(""))
    }
}

impl Warning {
    /// The text up to the help.
    fn write_what(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::ManyIntervals { variable, count } => write!(
                out,
                "{count} intervals on {variable}: more than {MANY_INTERVALS} suggest that the formula is wrong"
            ),
            Warning::ErrorsRemain { error, threshold, outcome } => {
                let why = match outcome {
                    StopReason::WithinThreshold => "",
                    StopReason::NoBetterSplit => "noise, or a term is missing, as no split helps",
                    StopReason::LimitReached => "the limit of intervals is reached (`set intervals`)",
                    StopReason::TooFewSamples => "there are too few samples to split further",
                };
                let (error, threshold) = (rounded(100.0 * error, 1), rounded(100.0 * threshold, 1));
                write!(out, "errors of {error} % exceed the threshold of {threshold} %: {why}")
            }
            Warning::Undetermined { constants, cell, .. } => {
                let names = constants.join(", ");
                match constants.len() {
                    1 => write!(out, "the samples say nothing of {names} ({cell}): its term is 0 there; "),
                    _ => {
                        write!(
                            out,
                            "the samples cannot tell {names} apart ({cell}): only their sum is known; "
                        )
                    }
                }
            }
            Warning::Confused { constants, correlation, cell, .. } => {
                let (names, percent) = (constants.join(" and "), 100.0 * correlation.abs());
                write!(
                    out,
                    "the noise hides how much is {names} ({cell}): their errors are correlated by {percent:.1} %; "
                )
            }
            Warning::AbsentVariable { variable, share } => write!(
                out,
                "the measurements also depend on {variable}, which explains {:.0} % of the squared residuals, and the formula does not: ",
                100.0 * share
            ),
            Warning::OtherVariable { variable, expression, share } => write!(
                out,
                "with {expression} in the place of {variable} the formula would fit: this takes away {:.0} % of the squares of \
                 the residuals, more than any further term; ",
                100.0 * share
            ),
            Warning::BordersAlong { expression, cells, error, before } => write!(
                out,
                "the intervals end at values of {expression}: {cells} along it are off by {} %, these by {} %; ",
                rounded(100.0 * error, 1),
                rounded(100.0 * before, 1)
            ),
            Warning::MissingTerm { term, share, cell } => write!(
                out,
                "the residuals have a trend ({cell}): a term in {term} would take away {:.0} % of their squares; ",
                100.0 * share
            ),
            Warning::SourceOutgrows { term, lines } => {
                let noun = if lines.len() == 1 && !lines[0].contains('-') { "line" } else { "lines" };
                write!(
                    out,
                    "by the source, statements of {noun} {} run as often as {term}, and no term of the formula grows so fast: ",
                    lines.join(", ")
                )
            }
            Warning::TermOutgrows { constant, term } => {
                write!(
                    out,
                    "{constant} is a factor of {term}, and no statement of the source runs so often: "
                )
            }
            Warning::Trend { along, correlation, cell } => write!(
                out,
                "the residuals follow {along} ({cell}, neighbours correlated by {:.0} %), but no simple term describes how: ",
                100.0 * correlation
            ),
            Warning::TermInsteadOfIntervals { term, cells, error } => write!(
                out,
                "one more term in {term} describes all samples (errors of {} %) as well as {cells} intervals do: ",
                rounded(100.0 * error, 1)
            ),
            Warning::MayBeZero { constant, value: 0.0, cell, .. } => {
                write!(out, "{constant} is 0, as costs are not negative ({cell}): ")
            }
            Warning::MayBeZero { constant, value, uncertainty, cell } => {
                write!(out, "{constant} = {value:.2e} +- {uncertainty:.1e} may as well be zero ({cell}): ")
            }
            Warning::TooFewPoints { points, constants, cell } => write!(
                out,
                "{} for {} ({cell}) {} little about errors: ",
                counted(*points, "different point"),
                counted(*constants, "constant"),
                if *points == 1 { "says" } else { "say" },
            ),
            Warning::LeftOut { fitted, left_out, point } => write!(
                out,
                "errors grow from {} % to {} % when samples are left out: few points carry the fit, most of all {}; ",
                rounded(100.0 * fitted, 1),
                rounded(100.0 * left_out, 1),
                point_text(point)
            ),
            Warning::HeldOutWorse { variable, kept_to, error, expected } => write!(
                out,
                "without its largest values, {variable} > {}, the formula misses them by {} % where {} % were expected: ",
                exact(*kept_to),
                rounded(100.0 * error, 0),
                rounded(100.0 * expected, 0)
            ),
            Warning::BelowResolution { points, first } => write!(
                out,
                "at {} the time is 0 (the first is {first}), which the clock does not tell from others: left out; ",
                counted(*points, "point")
            ),
            Warning::NearResolution { samples, total, shortest_s, resolution_s } => write!(
                out,
                "{samples} of {total} times are less than 50 steps of the clock ({resolution_s:.0e} s), the shortest {shortest_s:.1e} s: "
            ),
            Warning::NearEmptyPair { samples, total, shortest_s, empty_pair_s } => write!(
                out,
                "measuring takes {empty_pair_s:.0e} s, more than 2 % of {samples} of {total} times, the shortest {shortest_s:.1e} s: "
            ),
            Warning::OutsideProcessor { counter, share } => write!(
                out,
                "the time between begin and end is {} % longer than that of the processor (`{counter}`): ",
                rounded(100.0 * share, 0)
            ),
            Warning::NoiseGrows { exponent } => {
                let how = match exponent {
                    Some(exponent) => format!("repetitions scatter as time^{exponent:.2}"),
                    None => "residuals grow with the time".to_owned(),
                };
                write!(
                    out,
                    "absolute weights take one noise for all, as asked, but {how}: intervals of long times are too narrow: "
                )
            }
            Warning::Disturbed { runs, all, most } => write!(
                out,
                "in {runs} of {all} runs processes waited while others had the processors, up to {} % of the time: ",
                rounded(100.0 * most, 0)
            ),
            Warning::RunsDiffer { runs, spread, uncertainty, level } => write!(
                out,
                "{runs} runs differ from each other by {} % (standard deviation), beyond what each of them scatters (at a level of 1 %): \
                 the errors of constants contain what their mean is off by, about ± {} % of each ({} %); ",
                rounded(100.0 * spread, 1),
                rounded(100.0 * uncertainty, 1),
                rounded(100.0 * level, 1)
            ),
            Warning::SummedUp { measurements, kept, repetitions, joins_sums } => {
                let parts = [
                    repetitions.as_ref().map(|what| {
                        format!("{what} come from {kept} of them, up to 16 of each point, processor and run")
                    }),
                    joins_sums
                        .then(|| "each processor was summed up before the processors were joined".to_owned()),
                ];
                let parts = parts.into_iter().flatten().collect::<Vec<_>>().join(", and ");
                write!(out, "of {measurements} measurements there are only sums: {parts}: ")
            }
            Warning::Noisy { noise, repetitions: Some(repetitions), .. } => write!(
                out,
                "the formula misses the measurements by {} %, where repetitions leave them uncertain by {} %: it lacks a term, a variable or an \
                 interval, or points differ by more than their repetitions, as on another day; ",
                rounded(100.0 * noise, 0),
                rounded(100.0 * repetitions, 1)
            ),
            Warning::Noisy { noise, too_few: Some(samples), .. } => write!(
                out,
                "the formula misses the measurements by {} %, and {samples} points do not tell whether that is noise or another formula: ",
                rounded(100.0 * noise, 0)
            ),
            Warning::Noisy { noise, .. } => {
                write!(out, "the measurements vary by {} % without a pattern: ", rounded(100.0 * noise, 0))
            }
            Warning::NegativePrediction { time_s, unit, point } => write!(
                out,
                "the predicted {} is negative, {time_s:.2e} {}, at {}: a term is wrong or missing",
                if unit.is_time() { "time" } else { "value" },
                unit.symbol(),
                point_text(point)
            ),
            Warning::Dropped { samples, point } => {
                let were = if *samples == 1 { "1 sample is" } else { &format!("{samples} samples are") };
                write!(out, "{were} left out: ")?;
                match point.is_empty() {
                    true => write!(out, "the formula or the measurement is not finite there"),
                    false => write!(out, "the formula has no finite value at {}", point_text(point)),
                }
            }
            Warning::Negative { constant, value } => write!(
                out,
                "{constant} = {value:.3e} is negative, costs are not: the formula has a term too many or lacks one"
            ),
        }
    }
}

fn cure_text(cure: Option<&Cure>) -> String {
    match cure {
        None => "vary the variables independently".to_owned(),
        Some(Cure::RemoveOne) => "no measurement will, as the terms are alike: leave one out".to_owned(),
        Some(Cure::Measure(needed)) => {
            format!("measure also {}, the rest as it was", values_text(needed).join(" and "))
        }
        Some(Cure::MeasureEach(needed)) => {
            format!("measure also {}, each with the rest as it was", values_text(needed).join("; "))
        }
    }
}

/// `N = 8, 16` for each variable.
fn values_text(needed: &[Needed]) -> Vec<String> {
    let text = |needed: &Needed| {
        let values: Vec<String> = needed.values.iter().map(|value| exact(*value)).collect();
        format!("{} = {}", needed.variable, values.join(", "))
    };
    needed.iter().map(text).collect()
}

fn serialize_outcome<S: Serializer>(outcome: &StopReason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match outcome {
        StopReason::WithinThreshold => "within_threshold",
        StopReason::NoBetterSplit => "no_better_split",
        StopReason::LimitReached => "limit_reached",
        StopReason::TooFewSamples => "too_few_samples",
    })
}

/// A map of the names to the values.
fn serialize_point<S: Serializer>(point: &NamedPoint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(point.iter().map(|(name, value)| (name, value)))
}

/// `N = 8, P = 2`.
pub(crate) fn point_text(point: &[(String, f64)]) -> String {
    let parts: Vec<String> =
        point.iter().map(|(name, value)| format!("{name} = {}", exact(*value))).collect();
    parts.join(", ")
}
