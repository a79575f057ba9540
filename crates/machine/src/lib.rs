//! Machines as numbers: what computation, memory, operations and communication cost on each, and where the numbers come from.
//!
//! A [`Machine`] is read from a file in TOML ([`Machine::parse`], `docs/machines.md` has its keys) and printed as one
//! ([`Machine::to_toml`]). [`Machine::parameters`] gives s, g and L for a number of processors, [`Machine::memory_level`] the level that
//! holds a working set, [`Transfer`] the factors between two machines; [`shipped`] has published machines. All of it is optional but
//! name and provenance: what nobody measured or published is absent, never guessed.
//!
//! ```
//! use call_machine::{TableLookup, Machine};
//!
//! let text = r#"
//! schema_version = 1
//! name = "two-nodes"
//!
//! [provenance]
//! kind = "measured"
//! date = "2026-11-21"
//!
//! [[bsp]]
//! processors = 2
//! rate_flop_per_s = 1e9
//! g_s_per_byte = 2e-9
//! latency_s = 1e-5
//!
//! [[bsp]]
//! processors = 8
//! rate_flop_per_s = 1e9
//! g_s_per_byte = 2e-9
//! latency_s = 3e-5
//! "#;
//! let machine = Machine::parse("two-nodes.toml", text).unwrap();
//! let parameters = machine.parameters(4.0).unwrap();
//! assert!((parameters.latency_s - 2e-5).abs() < 1e-18);
//! assert_eq!(parameters.how, TableLookup::Interpolated { between: (2, 8) });
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod carried;
mod carried_model;
mod error;
mod file;
pub mod guess;
mod parameters;
mod print;
mod probe;
pub mod shipped;
mod table;
mod transfer;

pub use carried::carried;
pub use carried_model::{CarriedConstant, CarriedModel, CarryError, TermScale, Transferred, numbers_in};
pub use error::{MachineFileError, Problem};
pub use file::is_name;
pub use parameters::{BspParameters, NUMBERS, TableLookup, known_on, number, quicker_levels, table_remarks};
pub use probe::{ProbeError, Probed, Repeatability, Repeated, name_of_host};
pub use transfer::{Lacking, MachineEntry, Resource, ResourceCost, Transfer, TransferFactor};

use serde::Serialize;

/// A machine, as its file describes it: where nothing else is said, the fields here and below are the keys.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Machine {
    /// A single word.
    pub name: String,
    /// What it is, in one line.
    pub description: Option<String>,
    /// How many processors it has.
    pub processors: Option<u64>,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// The BSP table, ascending in the number of processors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bsp: Vec<BspEntry>,
    /// Costs of single operations of a processor.
    #[serde(rename = "operation", skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<OperationCost>,
    /// The levels of the memory, from the fastest to the main memory, ascending in size.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<MemoryLevel>,
    /// The table of recent address translations.
    pub tlb: Option<Tlb>,
    /// One-way times of messages between two processors, ascending in size.
    #[serde(rename = "message", skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<MessageTime>,
}

/// Where the numbers of a machine come from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Provenance {
    /// Measured by somebody here, or found in a publication.
    pub kind: ProvenanceKind,
    /// The publication with table or page, or how it was measured.
    pub source: Option<String>,
    /// Where the source is found.
    pub url: Option<String>,
    /// When it was measured or published, as in `2026-11-21`, or a year.
    pub date: Option<String>,
    /// The compiler of the programs that measured.
    pub compiler: Option<String>,
    /// Its flags.
    pub flags: Option<String>,
    /// The name of the computer.
    pub host: Option<String>,
    /// Its processor.
    pub cpu: Option<String>,
    /// What carried the messages, such as `MPI` with its name and version, or `threads`.
    pub transport: Option<String>,
    /// How far repeated measurements of a number were apart at most, in percent of the number.
    pub repeatability_percent: Option<f64>,
    /// What else there is to know, such as the figures in the units of the publication.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

impl Provenance {
    /// Whether repeated measurements of a number were farther apart than it is large: then the numbers say nothing.
    pub fn is_unrepeatable(&self) -> bool {
        self.repeatability_percent.is_some_and(|percent| percent > 100.0)
    }
}

/// Whether numbers were measured or published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum ProvenanceKind {
    Measured,
    Published,
}

/// The three numbers of the BSP model for one number of processors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BspEntry {
    /// P.
    pub processors: u64,
    /// s: floating-point operations that one processor does in a second.
    pub rate_flop_per_s: f64,
    /// g: time for each byte of an h-relation.
    pub g_s_per_byte: f64,
    /// L: time of a synchronisation.
    pub latency_s: f64,
    /// Standard error of s.
    pub rate_standard_error_flop_per_s: Option<f64>,
    /// Standard error of g.
    pub g_standard_error_s_per_byte: Option<f64>,
    /// Standard error of L.
    pub latency_standard_error_s: Option<f64>,
}

/// What an operation of a processor costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OperationCost {
    /// Type and operation, such as `f64 add`.
    pub name: String,
    /// The time of one among many that do not wait for each other.
    pub time_s: f64,
    /// Its standard error.
    pub standard_error_s: Option<f64>,
    /// The time of one that waits for the result of the one before.
    pub dependent_time_s: Option<f64>,
}

/// A level of the memory: a cache, or the main memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryLevel {
    /// Such as `L1` or `main`.
    pub name: String,
    /// How much it holds; the last level, only it, may have no size.
    pub size_bytes: Option<u64>,
    /// The largest working set that was measured at its speed: of a cache that several cores share, a program has what the others
    /// leave.
    pub served_bytes: Option<u64>,
    /// The time of a load whose address is the result of the load before.
    pub time_s: Option<f64>,
    /// Its standard error.
    pub standard_error_s: Option<f64>,
    /// What a stream of loads carries.
    pub bandwidth_bytes_per_s: Option<f64>,
    /// The time of a load among many at a constant distance, ascending in the distance.
    #[serde(rename = "stride", skip_serializing_if = "Vec::is_empty")]
    pub strides: Vec<StridedLoad>,
}

/// The time of a load at a constant distance from the one before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StridedLoad {
    /// The distance.
    pub stride_bytes: u64,
    /// The time of each load.
    pub time_s: f64,
}

/// The table of recent address translations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tlb {
    /// Pages that it knows.
    pub entries: Option<u64>,
    /// Memory that they cover.
    pub reach_bytes: Option<u64>,
    /// Size of a page.
    pub page_bytes: Option<u64>,
    /// What a load outside of them takes longer.
    pub miss_time_s: Option<f64>,
}

/// A message between two processors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MessageTime {
    /// Its size.
    pub bytes: u64,
    /// From the call of the sender to the arrival.
    pub time_s: f64,
}
