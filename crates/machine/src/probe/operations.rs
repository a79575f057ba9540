use super::measured::{Measured, constant, fit};
use crate::Operation;

/// The operations that the probe may measure, in the order of the file: the experiment of those that do not wait for each other, and the
/// name in files. Those that wait are in an experiment with `_dependent` behind its name.
const OPERATIONS: [(&str, &str); 7] = [
    ("f64_add", "f64 add"),
    ("f64_multiply", "f64 multiply"),
    ("f64_fma", "f64 fused multiply-add"),
    ("f64_divide", "f64 divide"),
    ("i64_add", "i64 add"),
    ("i64_multiply", "i64 multiply"),
    ("i64_divide", "i64 divide"),
];

/// Those that were measured and took a time.
pub fn operations(measured: &Measured) -> Vec<Operation> {
    let operation = |(experiment, name): &(&'static str, &str)| {
        let cost = |name: &str| {
            let model = fit(measured.experiment(name)?, 1).ok()?;
            constant(&model, 0, experiment).ok().filter(|(time_s, _)| *time_s > 0.0)
        };
        let (time_s, standard_error_s) = cost(experiment)?;
        let dependent_time_s = cost(&format!("{experiment}_dependent")).map(|(time_s, _)| time_s);
        Some(Operation { name: (*name).to_owned(), time_s, standard_error_s, dependent_time_s })
    };
    OPERATIONS.iter().filter_map(operation).collect()
}
