//! The shape of a model file: JSON objects as they are written and read. What they mean is checked elsewhere.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The version of this shape where measurements are told to be rounded; a reader refuses later ones.
pub const SCHEMA_VERSION: u64 = 3;
/// The version where runs have fits of their own.
pub const WITHOUT_ROUNDING: u64 = 2;
/// The version of the shape without, which older programs read, too.
pub const WITHOUT_RUN_FITS: u64 = 1;

/// Enough of any version to tell which one it is.
#[derive(Deserialize)]
pub struct AnyVersion {
    #[serde(rename = "call-model")]
    pub schema_version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileJson {
    #[serde(rename = "call-model")]
    pub schema_version: u64,
    /// The version of CALL that wrote it.
    pub call: String,
    pub experiment: String,
    pub formula: String,
    pub unit: String,
    /// The counter that is the response, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    pub variables: Vec<VariableJson>,
    pub definitions: Vec<DefinitionJson>,
    pub machine: Option<MachineJson>,
    pub runs: Vec<RunJson>,
    pub settings: SettingsJson,
    pub weighting: WeightingJson,
    pub sign: String,
    pub outcome: String,
    pub shortest_s: NumberJson,
    /// By how much the variance of a single measurement exceeds that of the medians, over the square of the time; 0 if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single_variance: Option<NumberJson>,
    pub sampled: BTreeMap<String, RangeJson>,
    /// Between variables, at all samples.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<RelationJson>,
    pub measured_columns: Vec<String>,
    pub borders: Vec<BorderJson>,
    /// For each term the set of each cell.
    pub sets: Vec<Vec<usize>>,
    pub cells: Vec<CellJson>,
}

/// `to` is exp(intercept) times that power of `from`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationJson {
    pub from: String,
    pub to: String,
    pub power: NumberJson,
    pub intercept: NumberJson,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableJson {
    pub name: String,
    pub range: RangeJson,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeJson {
    pub lowest: NumberJson,
    pub highest: NumberJson,
    pub is_whole: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefinitionJson {
    pub name: String,
    pub value: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineJson {
    pub name: String,
    pub file: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunJson {
    pub files: Vec<String>,
    pub facts: BTreeMap<String, String>,
    /// Since version 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<RunFitJson>,
}

/// The constants that a run alone gives, in the order of the terms and, for each, of its sets.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFitJson {
    pub constants: Vec<NumberJson>,
    /// Row by row.
    pub covariance: Vec<NumberJson>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undetermined: Vec<usize>,
    pub residual_standard_error: NumberJson,
    /// A number in 16 hexadecimal digits: the same for runs that measured the same points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<String>,
    /// Since version 3, where rounding matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<RoundingJson>,
}

/// What rounding of measurements to multiples of a step leaves uncertain.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundingJson {
    pub step: NumberJson,
    /// Of the constants, row by row.
    pub covariance: Vec<NumberJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsJson {
    pub weighting: String,
    pub sign: String,
    pub loss: String,
    pub method: String,
    pub sharing: bool,
    pub processors: String,
    pub repetitions: String,
    /// What intervals are for; single measurements if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<String>,
    pub error_threshold: NumberJson,
    pub intervals_threshold: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightingJson {
    pub applied: String,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<NumberJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BorderJson {
    pub variable: usize,
    pub at: NumberJson,
    /// The first sampled value above; files of before lack it, and then the border counts as certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<NumberJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellJson {
    /// Of each variable, the lower end excluded.
    pub intervals: Vec<[NumberJson; 2]>,
    pub fit: FitJson,
    pub noise: NoiseJson,
    pub rivals: Vec<RivalJson>,
    pub discrepancies: Vec<DiscrepancyJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitJson {
    pub constants: Vec<NumberJson>,
    pub standard_errors: Vec<NumberJson>,
    /// Row by row.
    pub covariance: Vec<NumberJson>,
    pub residual_sum_of_squares: NumberJson,
    pub residual_standard_error: NumberJson,
    pub rms_relative_error: NumberJson,
    pub rank: usize,
    pub condition: NumberJson,
    /// Terms that take part in a null direction.
    pub undetermined: Vec<usize>,
    /// Files of before lack them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub null_directions: Vec<Vec<NumberJson>>,
    pub bounded: Vec<usize>,
    pub degrees_of_freedom: usize,
    pub samples_used: usize,
    pub samples_dropped: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoiseJson {
    pub variance: NumberJson,
    pub degrees_of_freedom: NumberJson,
    pub unit_factor: NumberJson,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RivalJson {
    pub term: String,
    pub probability: NumberJson,
    pub constants: Vec<NumberJson>,
    pub covariance: Vec<NumberJson>,
    pub residual_standard_error: NumberJson,
    pub degrees_of_freedom: NumberJson,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiscrepancyJson {
    pub variable: usize,
    pub is_logarithmic: bool,
    pub lowest: NumberJson,
    pub highest: NumberJson,
    pub growth: NumberJson,
}

/// Any double: JSON has no numbers for those that are not finite, so that these are texts.
#[derive(Debug, Clone, Copy)]
pub struct NumberJson(pub f64);

const NOT_FINITE: [(&str, f64); 3] =
    [("infinity", f64::INFINITY), ("-infinity", f64::NEG_INFINITY), ("NaN", f64::NAN)];

impl Serialize for NumberJson {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let is_same = |value: f64| value == self.0 || (value.is_nan() && self.0.is_nan());
        match NOT_FINITE.iter().find(|(_, value)| is_same(*value)) {
            Some((text, _)) => out.serialize_str(text),
            None => out.serialize_f64(self.0),
        }
    }
}

impl<'de> Deserialize<'de> for NumberJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<NumberJson, D::Error> {
        from.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = NumberJson;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number, \"infinity\", \"-infinity\" or \"NaN\"")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<NumberJson, E> {
        Ok(NumberJson(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<NumberJson, E> {
        Ok(NumberJson(value as f64))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<NumberJson, E> {
        Ok(NumberJson(value as f64))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<NumberJson, E> {
        let known = NOT_FINITE.iter().find(|(name, _)| *name == text);
        known
            .map(|(_, value)| NumberJson(*value))
            .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}
