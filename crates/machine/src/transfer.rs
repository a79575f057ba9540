use std::fmt;

use crate::{BspParameters, Machine, TableLookup};

/// What a time is spent with: a number of a machine that it grows with.
#[derive(Debug, Clone, PartialEq)]
pub enum Resource {
    /// Floating-point operations, by the rate s.
    Computation,
    /// Bytes of h-relations, by g.
    Gap,
    /// Synchronisations, by L.
    Latency,
    /// Operations of this name, each for itself (`time_s`).
    Operation(String),
    /// Dependent loads from the memory level of this name.
    Level(String),
    /// Dependent loads from the last level.
    MainMemory,
    /// Dependent loads in a working set of so many bytes, on each machine from the level that holds it.
    WorkingSet(f64),
}

impl Resource {
    /// The resource of a name: `s`, `g`, `L`, `memory`, else an operation or a memory level of one of the machines.
    pub fn named(name: &str, machines: &[&Machine]) -> Option<Resource> {
        match name {
            "s" | "computation" => Some(Resource::Computation),
            "g" => Some(Resource::Gap),
            "L" => Some(Resource::Latency),
            "memory" => Some(Resource::MainMemory),
            _ => machines.iter().find_map(|machine| machine.resource(name)),
        }
    }

    /// The names that [`Resource::named`] knows for these machines, each once.
    pub fn names<'a>(machines: &[&'a Machine]) -> Vec<&'a str> {
        let own = |machine: &&'a Machine| {
            let operations = machine.operations.iter().map(|operation| operation.name.as_str());
            operations.chain(machine.memory.iter().map(|level| level.name.as_str())).collect::<Vec<_>>()
        };
        let mut names = vec!["s", "g", "L", "memory"];
        for name in machines.iter().flat_map(own) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Resource::Computation => out.write_str("s"),
            Resource::Gap => out.write_str("g"),
            Resource::Latency => out.write_str("L"),
            Resource::Operation(name) => out.write_str(name),
            Resource::Level(name) => write!(out, "memory level {name}"),
            Resource::MainMemory => out.write_str("main memory"),
            Resource::WorkingSet(bytes) => write!(out, "memory of {bytes} bytes"),
        }
    }
}

/// Factors that carry times measured on one machine to another one, for a number of processors.
///
/// A time that is spent with one resource is multiplied by (what the resource costs there) / (what it costs here). This holds as
/// far as the time is indeed spent with that resource, and the two machines were measured in the same way; a published s from
/// another benchmark gives another factor.
///
/// ```
/// use call_machine::{Resource, Transfer, shipped};
///
/// let (here, there) = (shipped::named("sgi-powerchallenge").unwrap(), shipped::named("cray-t3e").unwrap());
/// let transfer = Transfer::between(&here, &there, 4.0);
/// // 74 Mflop/s here, 47 Mflop/s there.
/// assert!((transfer.factor(&Resource::Computation).unwrap().value - 74.0 / 47.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Transfer<'a> {
    here: &'a Machine,
    there: &'a Machine,
    processors: f64,
}

/// What a resource costs on both machines.
#[derive(Debug, Clone, PartialEq)]
pub struct TransferFactor {
    /// Time there over time here.
    pub value: f64,
    /// The cost on the machine of the measurements.
    pub here: ResourceCost,
    /// The cost on the other machine.
    pub there: ResourceCost,
}

/// What a resource costs on a machine.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceCost {
    /// Time of one floating-point operation, byte, synchronisation, operation or load.
    pub time_s: f64,
    /// Where the number stands.
    pub entry: MachineEntry,
}

/// A place in the description of a machine.
#[derive(Debug, Clone, PartialEq)]
pub enum MachineEntry {
    /// The BSP table.
    Bsp {
        /// For so many processors.
        processors: f64,
        /// What the table has for them.
        how: TableLookup,
    },
    /// The operation of this name.
    Operation(String),
    /// The memory level of this name.
    Memory(String),
    /// Operations and memory, by what statements do: what takes the longest.
    Statements(String),
}

/// Why there is no factor: a machine lacks the number.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Lacking {
    #[error("{machine} has no table of s, g and L")]
    Bsp { machine: String },
    #[error("{machine} has no operation `{name}`")]
    Operation { machine: String, name: String },
    #[error("{machine} has no memory level `{name}` with a time")]
    Level { machine: String, name: String },
    #[error("{machine} has no time of a memory level that holds {bytes} bytes")]
    WorkingSet { machine: String, bytes: f64 },
    #[error("{machine} has no bandwidth of its memory level `{name}`")]
    Bandwidth { machine: String, name: String },
    #[error("{machine} has no time of its main memory")]
    MainMemory { machine: String },
    #[error("{resource} of {machine} is 0, which gives no ratio")]
    Zero { machine: String, resource: Resource },
}

impl<'a> Transfer<'a> {
    /// From the machine of the measurements to another, for so many processors.
    pub fn between(here: &'a Machine, there: &'a Machine, processors: f64) -> Transfer<'a> {
        Transfer { here, there, processors }
    }

    /// s, g and L of the machine of the measurements.
    pub fn here(&self) -> Option<BspParameters> {
        self.here.parameters(self.processors)
    }

    /// s, g and L of the other machine.
    pub fn there(&self) -> Option<BspParameters> {
        self.there.parameters(self.processors)
    }

    /// What a time spent with this resource is to be multiplied by.
    ///
    /// # Errors
    /// What one of the machines lacks for it.
    pub fn factor(&self, resource: &Resource) -> Result<TransferFactor, Lacking> {
        let here = self.here.cost(resource, self.processors)?;
        let there = self.there.cost(resource, self.processors)?;
        if here.time_s == 0.0 {
            let machine = self.here.name.clone();
            return Err(Lacking::Zero { machine, resource: resource.clone() });
        }
        Ok(TransferFactor { value: there.time_s / here.time_s, here, there })
    }
}

impl Machine {
    /// What one unit of a resource costs when so many processors work.
    ///
    /// # Errors
    /// What the machine lacks for it.
    pub fn cost(&self, resource: &Resource, processors: f64) -> Result<ResourceCost, Lacking> {
        let machine = || self.name.clone();
        let bsp = |time_s: fn(BspParameters) -> f64| {
            let parameters =
                self.parameters(processors).ok_or_else(|| Lacking::Bsp { machine: machine() })?;
            let entry = MachineEntry::Bsp { processors, how: parameters.how };
            Ok(ResourceCost { time_s: time_s(parameters), entry })
        };
        let load = |level: &crate::MemoryLevel| {
            Some(ResourceCost { time_s: level.time_s?, entry: MachineEntry::Memory(level.name.clone()) })
        };
        match resource {
            Resource::Computation => bsp(|parameters| 1.0 / parameters.rate_flop_per_s),
            Resource::Gap => bsp(|parameters| parameters.g_s_per_byte),
            Resource::Latency => bsp(|parameters| parameters.latency_s),
            Resource::Operation(name) => {
                let operation = self.operations.iter().find(|operation| operation.name == *name);
                operation
                    .map(|operation| ResourceCost {
                        time_s: operation.time_s,
                        entry: MachineEntry::Operation(operation.name.clone()),
                    })
                    .ok_or_else(|| Lacking::Operation { machine: machine(), name: name.clone() })
            }
            Resource::Level(name) => self
                .memory
                .iter()
                .find(|level| level.name == *name)
                .and_then(load)
                .ok_or_else(|| Lacking::Level { machine: machine(), name: name.clone() }),
            Resource::MainMemory => {
                self.memory.last().and_then(load).ok_or_else(|| Lacking::MainMemory { machine: machine() })
            }
            Resource::WorkingSet(bytes) => self
                .memory_level(*bytes)
                .and_then(load)
                .ok_or_else(|| Lacking::WorkingSet { machine: machine(), bytes: *bytes }),
        }
    }

    fn resource(&self, name: &str) -> Option<Resource> {
        if self.operations.iter().any(|operation| operation.name == name) {
            return Some(Resource::Operation(name.to_owned()));
        }
        self.memory.iter().any(|level| level.name == name).then(|| Resource::Level(name.to_owned()))
    }
}

impl fmt::Display for MachineEntry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MachineEntry::Bsp { processors, how } => match how {
                TableLookup::Measured => write!(out, "P = {processors}"),
                TableLookup::Interpolated { between: (lower, upper) } => {
                    write!(out, "P = {processors} interpolated between {lower} and {upper}")
                }
                TableLookup::Extrapolated { from } => {
                    write!(out, "P = {processors} extrapolated from {from}")
                }
            },
            MachineEntry::Operation(name) => write!(out, "operation {name}"),
            MachineEntry::Memory(name) => write!(out, "memory level {name}"),
            MachineEntry::Statements(limit) => out.write_str(limit),
        }
    }
}
