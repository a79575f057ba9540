use std::sync::Arc;

use call_model::{Definition, Remark, Source, TableEntry};

use crate::{BspParameters, Machine, TableLookup};

/// What formulas and programs call the number of processors.
pub(crate) const PROCESSORS: &str = "P";

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
pub fn definitions(machine: &Arc<Machine>) -> impl Iterator<Item = Definition> {
    let of_name = |name: &'static str| {
        let (of_value, of_remarks) = (Arc::clone(machine), Arc::clone(machine));
        let number = number(name)?;
        let value = move |processors: &[f64]| of_value.parameters(processors[0]).map_or(f64::NAN, number);
        let definition = Definition::new(name, &[PROCESSORS], Source::Machine, value);
        Some(definition.remarking(move |processors| table_remarks(&of_remarks, processors[0])))
    };
    NUMBERS.into_iter().filter(|_| !machine.bsp.is_empty()).filter_map(of_name)
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
