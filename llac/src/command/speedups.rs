//! What speed-ups are relative to, and measured ones, to stand beside predicted ones.

use std::collections::BTreeMap;

use call_model::question::Scaling;
use call_model::{PROCESSORS, Prepared};
use call_report::number;

/// The number of processors that is compared with, of the machine if there are several, and what that makes of speed-ups.
pub fn base_text(answer: &Scaling, machine: &str) -> String {
    let base = number::exact(answer.base);
    match answer.base == 1.0 {
        true => format!("1 processor{machine}"),
        false => format!("{base} processors{machine}: speed-ups are {base} T({base}) / T(P)"),
    }
}

/// base T(base) / T(P) of the samples at these values of the other variables, for each P, ascending; none if the samples lack the base
/// or one of the variables. Repetitions are folded as for fits, what is left is averaged.
pub fn measured_speedups(prepared: &Prepared, given: &[(&str, f64)], base: f64) -> Vec<(f64, f64)> {
    let samples = prepared.samples();
    let Some(processors) = samples.column(PROCESSORS) else { return Vec::new() };
    let columns: Option<Vec<(&[f64], f64)>> =
        given.iter().map(|(name, value)| Some((samples.column(name)?, *value))).collect();
    let Some(columns) = columns else { return Vec::new() };
    let mut times: BTreeMap<u64, (f64, usize)> = BTreeMap::new();
    for row in 0..samples.len() {
        if processors[row] > 0.0 && columns.iter().all(|(column, value)| column[row] == *value) {
            let (sum_s, count) = times.entry(processors[row].to_bits()).or_default();
            *sum_s += samples.time_s[row];
            *count += 1;
        }
    }
    let mean_s = |(sum_s, count): &(f64, usize)| sum_s / *count as f64;
    let Some(base_s) = times.get(&base.to_bits()).map(mean_s) else { return Vec::new() };
    times.iter().map(|(bits, time)| (f64::from_bits(*bits), base * base_s / mean_s(time))).collect()
}
