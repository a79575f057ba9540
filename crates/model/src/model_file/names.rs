//! The words of a model file for what is one of several.

use call_fit::{Loss, Method, SignConstraint, SignReason, StopReason, Weighting, WeightingReason};
use call_trace::{Folding, Joining};

use crate::IntervalOf;

use super::wire::{self, NumberJson};
use super::{ModelFileError, wrong};

/// Something that is one of several, each of which has a word.
pub trait SpeltChoice: Copy + PartialEq + 'static {
    const WORDS: &'static [(&'static str, Self)];

    fn word(self) -> String {
        let known = Self::WORDS.iter().find(|(_, value)| *value == self);
        known.map_or("", |(word, _)| *word).to_owned()
    }

    fn of(word: &str, place: &str) -> Result<Self, ModelFileError> {
        let known = Self::WORDS.iter().find(|(known, _)| *known == word);
        known.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<&str> = Self::WORDS.iter().map(|(word, _)| *word).collect();
            wrong(place, format!("is `{word}`, and can be {}", call_grammar::quoted(&words)))
        })
    }
}

impl SpeltChoice for Weighting {
    const WORDS: &'static [(&'static str, Weighting)] = &[
        ("automatic", Weighting::Automatic),
        ("relative", Weighting::Relative),
        ("absolute", Weighting::Absolute),
        ("repetitions", Weighting::Repetitions),
    ];
}

impl SpeltChoice for SignConstraint {
    const WORDS: &'static [(&'static str, SignConstraint)] = &[
        ("automatic", SignConstraint::Automatic),
        ("free", SignConstraint::Free),
        ("non-negative", SignConstraint::NonNegative),
    ];
}

impl SpeltChoice for Loss {
    const WORDS: &'static [(&'static str, Loss)] =
        &[("squares", Loss::Squares), ("huber", Loss::Huber), ("soft-l1", Loss::SoftL1)];
}

impl SpeltChoice for Method {
    const WORDS: &'static [(&'static str, Method)] =
        &[("refined", Method::Refined), ("paper", Method::Paper)];
}

impl SpeltChoice for IntervalOf {
    const WORDS: &'static [(&'static str, IntervalOf)] =
        &[("measurement", IntervalOf::Measurement), ("repetitions", IntervalOf::Repetitions)];
}

impl SpeltChoice for Folding {
    const WORDS: &'static [(&'static str, Folding)] = &[
        ("each", Folding::Each),
        ("median", Folding::Median),
        ("minimum", Folding::Minimum),
        ("mean", Folding::Mean),
    ];
}

impl SpeltChoice for SignReason {
    const WORDS: &'static [(&'static str, SignReason)] = &[
        ("free", SignReason::Free),
        ("non-negative", SignReason::NonNegative),
        ("none negative", SignReason::NoneNegative),
        ("negative is noise", SignReason::NegativeIsNoise),
        ("negative times", SignReason::NegativeTimes),
        ("negative is no help", SignReason::NegativeIsNoHelp),
        ("negative is bending", SignReason::NegativeIsBending),
        ("negative is real", SignReason::NegativeIsReal),
    ];
}

impl SpeltChoice for StopReason {
    const WORDS: &'static [(&'static str, StopReason)] = &[
        ("within threshold", StopReason::WithinThreshold),
        ("no better split", StopReason::NoBetterSplit),
        ("limit reached", StopReason::LimitReached),
        ("too few samples", StopReason::TooFewSamples),
    ];
}

/// `each`, `maximum`, `mean`, or the number of a processor.
pub fn joining_word(joining: Joining) -> String {
    match joining {
        Joining::Each => "each".to_owned(),
        Joining::Maximum => "maximum".to_owned(),
        Joining::Mean => "mean".to_owned(),
        Joining::One(processor) => processor.to_string(),
    }
}

pub fn joining_of(word: &str, place: &str) -> Result<Joining, ModelFileError> {
    match (word, word.parse()) {
        ("each", _) => Ok(Joining::Each),
        ("maximum", _) => Ok(Joining::Maximum),
        ("mean", _) => Ok(Joining::Mean),
        (_, Ok(processor)) => Ok(Joining::One(processor)),
        _ => Err(wrong(
            place,
            format!("is `{word}`, and can be `each`, `maximum`, `mean` or the number of a processor"),
        )),
    }
}

pub fn weighting_wire((applied, reason): (Weighting, WeightingReason)) -> wire::WeightingJson {
    let (word, value, points) = match reason {
        WeightingReason::Asked => ("asked", None, None),
        WeightingReason::NoRepetitions => ("no repetitions", None, None),
        WeightingReason::GrowingScatter { exponent, points } => {
            ("growing scatter", Some(exponent), Some(points))
        }
        WeightingReason::SmallScatter { relative, points } => ("small scatter", Some(relative), Some(points)),
        WeightingReason::ConstantScatter { exponent, points } => {
            ("constant scatter", Some(exponent), Some(points))
        }
        WeightingReason::MixedScatter { exponent, points } => ("mixed scatter", Some(exponent), Some(points)),
        WeightingReason::Residuals { evidence } => ("residuals", Some(evidence), None),
        WeightingReason::SmallCounts { smallest } => ("small counts", Some(smallest), None),
        WeightingReason::Usual => ("usual", None, None),
    };
    wire::WeightingJson {
        applied: applied.word(),
        reason: word.to_owned(),
        value: value.map(NumberJson),
        points,
    }
}

pub fn weighting_of(wire: &wire::WeightingJson) -> Result<(Weighting, WeightingReason), ModelFileError> {
    let applied = Weighting::of(&wire.applied, "weighting.applied")?;
    if applied == Weighting::Automatic {
        return Err(wrong("weighting.applied", "is `automatic`, which is none that was applied"));
    }
    let reason = match (wire.reason.as_str(), wire.value.map(|value| value.0), wire.points) {
        ("asked", None, None) => WeightingReason::Asked,
        ("no repetitions", None, None) => WeightingReason::NoRepetitions,
        ("growing scatter", Some(exponent), Some(points)) => {
            WeightingReason::GrowingScatter { exponent, points }
        }
        ("small scatter", Some(relative), Some(points)) => WeightingReason::SmallScatter { relative, points },
        ("constant scatter", Some(exponent), Some(points)) => {
            WeightingReason::ConstantScatter { exponent, points }
        }
        ("mixed scatter", Some(exponent), Some(points)) => WeightingReason::MixedScatter { exponent, points },
        ("residuals", Some(evidence), None) => WeightingReason::Residuals { evidence },
        ("small counts", Some(smallest), None) => WeightingReason::SmallCounts { smallest },
        ("usual", None, None) => WeightingReason::Usual,
        (word, ..) => {
            return Err(wrong(
                "weighting",
                format!("has the reason `{word}`, which is none with these values"),
            ));
        }
    };
    Ok((applied, reason))
}
