use std::sync::Arc;

use call_model::{Definition, Definitions, PROCESSORS, Remark, TableEntry, ValueSource};

use crate::{BspEntry, Machine, MemoryLevel};

/// s, g and L of a machine for a number of processors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BspParameters {
    /// s: floating-point operations that one processor does in a second.
    pub rate_flop_per_s: f64,
    /// g: time for each byte of an h-relation.
    pub g_s_per_byte: f64,
    /// L: time of a synchronisation.
    pub latency_s: f64,
    /// What this has to do with the table of the machine.
    pub how: TableLookup,
}

/// How numbers for a number of processors come from those in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableLookup {
    /// They stand in the table.
    Measured,
    /// Between two entries: linear in the logarithm of P, as are the costs of trees.
    Interpolated {
        /// The next smaller and larger P of the table.
        between: (u64, u64),
    },
    /// Beyond the table: the numbers of its nearest entry, unchanged.
    Extrapolated {
        /// The P of that entry.
        from: u64,
    },
}

impl Machine {
    /// s, g and L for P processors; `None` if the machine has no BSP table or P is no positive number.
    ///
    /// Between two entries each of them is linear in log P. Beyond the table they keep the values of the nearest entry: no law is
    /// known that would hold there. For P above those of the table, g and L are then rather too small.
    pub fn parameters(&self, processors: f64) -> Option<BspParameters> {
        if !(processors > 0.0 && processors.is_finite()) {
            return None;
        }
        let (first, last) = (self.bsp.first()?, self.bsp.last()?);
        let p = |entry: &BspEntry| entry.processors as f64;
        if let Some(entry) = self.bsp.iter().find(|entry| p(entry) == processors) {
            return Some(of_entry(entry, TableLookup::Measured));
        }
        if processors < p(first) {
            return Some(of_entry(first, TableLookup::Extrapolated { from: first.processors }));
        }
        if processors > p(last) {
            return Some(of_entry(last, TableLookup::Extrapolated { from: last.processors }));
        }
        let above = self.bsp.iter().position(|entry| p(entry) > processors)?;
        let (lower, upper) = (self.bsp.get(above.checked_sub(1)?)?, &self.bsp[above]);
        let share = (processors / p(lower)).ln() / (p(upper) / p(lower)).ln();
        let between = |value: fn(&BspEntry) -> f64| value(lower) + share * (value(upper) - value(lower));
        Some(BspParameters {
            rate_flop_per_s: between(|entry| entry.rate_flop_per_s),
            g_s_per_byte: between(|entry| entry.g_s_per_byte),
            latency_s: between(|entry| entry.latency_s),
            how: TableLookup::Interpolated { between: (lower.processors, upper.processors) },
        })
    }
}

fn of_entry(entry: &BspEntry, how: TableLookup) -> BspParameters {
    BspParameters {
        rate_flop_per_s: entry.rate_flop_per_s,
        g_s_per_byte: entry.g_s_per_byte,
        latency_s: entry.latency_s,
        how,
    }
}

/// What formulas call the numbers of a machine.
pub const NUMBERS: [&str; 2] = ["g", "L"];

/// The number that a variable of that name means.
pub fn number(name: &str) -> Option<fn(BspParameters) -> f64> {
    match name {
        "g" => Some(|parameters| parameters.g_s_per_byte),
        "L" => Some(|parameters| parameters.latency_s),
        _ => None,
    }
}

/// The numbers of a machine as definitions of g and L, which take P; none if it has no table.
fn definitions(machine: &Arc<Machine>) -> impl Iterator<Item = Definition> {
    let of_name = |name: &'static str| {
        let (of_value, of_remarks) = (Arc::clone(machine), Arc::clone(machine));
        let number = number(name)?;
        let value = move |processors: &[f64]| of_value.parameters(processors[0]).map_or(f64::NAN, number);
        let definition = Definition::new(name, &[PROCESSORS], ValueSource::Machine, value);
        Some(definition.remarking(move |processors| table_remarks(&of_remarks, processors[0])))
    };
    NUMBERS.into_iter().filter(|_| !machine.bsp.is_empty()).filter_map(of_name)
}

/// What is known of variables on a machine: what was `given`, and behind that g and L of the machine, unless they `were_measured`.
pub fn known_on(
    machine: Option<&Arc<Machine>>,
    given: Definitions,
    were_measured: impl Fn(&str) -> bool,
) -> Definitions {
    let of_machine = machine.into_iter().flat_map(definitions);
    of_machine.filter(|definition| !were_measured(definition.name())).fold(given, Definitions::or)
}

/// What there is to say when the table of a machine is asked for a number of processors.
pub fn table_remarks(machine: &Machine, processors: f64) -> Vec<Remark> {
    let how = machine.parameters(processors).map(|parameters| parameters.how);
    let entry = match how {
        None | Some(TableLookup::Measured) => None,
        Some(TableLookup::Interpolated { .. }) => Some(TableEntry::Between),
        Some(TableLookup::Extrapolated { from }) => Some(TableEntry::Nearest { processors: from }),
    };
    let unrepeatable = machine.provenance.is_unrepeatable().then_some(TableEntry::Unrepeatable);
    let remark = |entry| Remark::Table { machine: machine.name.clone(), processors, entry };
    entry.into_iter().chain(unrepeatable).map(remark).collect()
}

/// Measured times differ by this factor without meaning anything.
const QUICKER: f64 = 0.8;

/// Levels of the memory that are quicker than the one before, by more than measurements are off: what was measured is wrong, or its order.
pub fn quicker_levels(machine: &Machine) -> Vec<Remark> {
    let is_quicker = |near: &MemoryLevel, far: &MemoryLevel| {
        let takes_less = near.time_s.zip(far.time_s).is_some_and(|(near, far)| far < QUICKER * near);
        let carried = near.bandwidth_bytes_per_s.zip(far.bandwidth_bytes_per_s);
        takes_less || carried.is_some_and(|(near, far)| QUICKER * far > near)
    };
    let pairs = machine.memory.windows(2).filter(|pair| is_quicker(&pair[0], &pair[1]));
    let remark = |pair: &[MemoryLevel]| Remark::QuickerLevel {
        machine: machine.name.clone(),
        near: pair[0].name.clone(),
        far: pair[1].name.clone(),
    };
    pairs.map(remark).collect()
}

impl Machine {
    /// The level that holds a working set: the first that serves it.
    pub fn memory_level(&self, working_set_bytes: f64) -> Option<&MemoryLevel> {
        self.memory.iter().find(|level| level.holds_bytes().is_none_or(|bytes| working_set_bytes <= bytes))
    }
}

impl MemoryLevel {
    /// The largest working set that it serves, by measurement or else by its size; `None`: any.
    pub fn holds_bytes(&self) -> Option<f64> {
        self.served_bytes.or(self.size_bytes).map(|bytes| bytes as f64)
    }
}
