use super::measured::{Measured, constant};
use crate::machine::Operation;

/// The operations that the probe may measure, in the order of the file: those that do not wait for each other in an experiment of this
/// name, and those that do in one with `_dependent` behind it.
const OPERATIONS: [&str; 7] =
    ["f64_add", "f64_multiply", "f64_fma", "f64_divide", "i64_add", "i64_multiply", "i64_divide"];

/// Those that were measured and took a time.
pub fn operations(measured: &Measured) -> Vec<Operation> {
    let cost = |name: &str| constant(measured.experiment(name)?).ok().filter(|(time_s, _)| *time_s > 0.0);
    let operation = |name: &&str| {
        let (time_s, standard_error_s) = cost(name)?;
        let dependent_time_s = cost(&format!("{name}_dependent")).map(|(time_s, _)| time_s);
        Some(Operation { name: name.replace('_', " "), time_s, standard_error_s, dependent_time_s })
    };
    OPERATIONS.iter().filter_map(operation).collect()
}
