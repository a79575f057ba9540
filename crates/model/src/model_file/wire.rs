//! The shape of a model file: JSON objects as they are written and read. What they mean is checked elsewhere.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of this shape. A reader refuses others.
pub const SCHEMA_VERSION: u64 = 1;

/// Enough of any version to tell which one it is.
#[derive(Deserialize)]
pub struct AnyVersion {
    #[serde(rename = "call-model")]
    pub schema_version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    #[serde(rename = "call-model")]
    pub schema_version: u64,
    /// The version of CALL that wrote it.
    pub call: String,
    pub experiment: String,
    pub formula: String,
    pub unit: String,
    pub variables: Vec<Variable>,
    pub definitions: Vec<Definition>,
    pub machine: Option<Machine>,
    pub runs: Vec<Run>,
    pub settings: Settings,
    pub weighting: Weighting,
    pub sign: String,
    pub outcome: String,
    pub shortest_s: Number,
    pub sampled: BTreeMap<String, Range>,
    pub measured_columns: Vec<String>,
    pub borders: Vec<Border>,
    /// For each term the set of each cell.
    pub sets: Vec<Vec<usize>>,
    pub cells: Vec<Cell>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    pub name: String,
    pub range: Range,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    pub lowest: Number,
    pub highest: Number,
    pub is_whole: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub name: String,
    pub value: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub name: String,
    pub file: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    pub files: Vec<String>,
    pub facts: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub weighting: String,
    pub sign: String,
    pub loss: String,
    pub method: String,
    pub sharing: bool,
    pub processors: String,
    pub repetitions: String,
    pub error_threshold: Number,
    pub intervals_threshold: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weighting {
    pub applied: String,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Border {
    pub variable: usize,
    pub at: Number,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Of each variable, the lower end excluded.
    pub intervals: Vec<[Number; 2]>,
    pub fit: Fit,
    pub noise: Noise,
    pub rivals: Vec<Rival>,
    pub discrepancies: Vec<Discrepancy>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fit {
    pub constants: Vec<Number>,
    pub standard_errors: Vec<Number>,
    /// Row by row.
    pub covariance: Vec<Number>,
    pub residual_sum_of_squares: Number,
    pub residual_standard_error: Number,
    pub rms_relative_error: Number,
    pub rank: usize,
    pub condition: Number,
    pub undetermined: Vec<usize>,
    pub bounded: Vec<usize>,
    pub degrees_of_freedom: usize,
    pub samples_used: usize,
    pub samples_dropped: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    pub variance: Number,
    pub degrees_of_freedom: Number,
    pub unit_factor: Number,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rival {
    pub term: String,
    pub probability: Number,
    pub constants: Vec<Number>,
    pub covariance: Vec<Number>,
    pub residual_standard_error: Number,
    pub degrees_of_freedom: Number,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discrepancy {
    pub variable: usize,
    pub is_logarithmic: bool,
    pub lowest: Number,
    pub highest: Number,
    pub growth: Number,
}

/// Any double: JSON has no numbers for those that are not finite, so that these are texts.
#[derive(Debug, Clone, Copy)]
pub struct Number(pub f64);

const NOT_FINITE: [(&str, f64); 3] =
    [("infinity", f64::INFINITY), ("-infinity", f64::NEG_INFINITY), ("NaN", f64::NAN)];

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let is_same = |value: f64| value == self.0 || (value.is_nan() && self.0.is_nan());
        match NOT_FINITE.iter().find(|(_, value)| is_same(*value)) {
            Some((text, _)) => out.serialize_str(text),
            None => out.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
        from.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number, \"infinity\", \"-infinity\" or \"NaN\"")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
        let known = NOT_FINITE.iter().find(|(name, _)| *name == text);
        known
            .map(|(_, value)| Number(*value))
            .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}
