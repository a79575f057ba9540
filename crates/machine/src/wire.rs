//! What stands in a machine file, key by key. Apart from the types inside, so that these may change and files need not.

use serde::{Deserialize, Serialize};
use toml::Spanned;

pub const SCHEMA_VERSION: u64 = 1;

type Number = Spanned<f64>;
type Count = Spanned<u64>;

/// Read before all else, for files of a later version may have any keys.
#[derive(Deserialize)]
pub struct Version {
    pub schema_version: Count,
}

/// What is looked for in a file that has errors.
#[derive(Deserialize)]
pub struct Named {
    pub name: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    pub schema_version: u64,
    pub name: Spanned<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processors: Option<Count>,
    pub provenance: Spanned<Provenance>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bsp: Vec<BspEntry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operation: Vec<Operation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Spanned<MemoryLevel>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tlb: Option<Tlb>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub message: Vec<Message>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    pub kind: ProvenanceKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Spanned<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transport: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeatability_percent: Option<Number>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProvenanceKind {
    Measured,
    Published,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BspEntry {
    pub processors: Count,
    pub rate_flop_per_s: Number,
    pub g_s_per_byte: Number,
    pub latency_s: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_standard_error_flop_per_s: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub g_standard_error_s_per_byte: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_standard_error_s: Option<Number>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    pub name: Spanned<String>,
    pub time_s: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error_s: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dependent_time_s: Option<Number>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryLevel {
    pub name: Spanned<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub served_bytes: Option<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_s: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error_s: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bandwidth_bytes_per_s: Option<Number>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stride: Vec<Stride>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stride {
    pub stride_bytes: Count,
    pub time_s: Number,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tlb {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reach_bytes: Option<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_bytes: Option<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub miss_time_s: Option<Number>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    pub bytes: Count,
    pub time_s: Number,
}
