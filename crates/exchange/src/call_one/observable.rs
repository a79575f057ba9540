//! What CALL 1.0 measured.

use std::collections::{BTreeSet, HashSet};

use super::RawExperiment;
use crate::{Error, Options, TimeUnit};

/// The unit of an observable that is a time; `None` of counters.
pub(super) fn seconds_of(observable: &str) -> Option<TimeUnit> {
    let name = observable.to_ascii_uppercase();
    let has = |part: &str| name.contains(part);
    if has("_CYC") || has("CYCLES") {
        None
    } else if has("NSEC") {
        Some(TimeUnit::Nanoseconds)
    // Clock ticks of POSIX are microseconds; the network benchmark writes microseconds, too.
    } else if has("USEC") || name == "PUSERTIME" || name.starts_with("PRTT(") || name.starts_with("PP(") {
        Some(TimeUnit::Microseconds)
    } else if has("MSEC") || name == "LATENCY" {
        Some(TimeUnit::Milliseconds)
    } else if is_ticks(&name) || has("STAMP") {
        None
    } else if has("CLOCK") || has("TIME") || has("SECONDS") || name == "FLOAT" {
        Some(TimeUnit::Seconds)
    } else {
        None
    }
}

/// What `times` counts, in steps that differ between machines.
fn is_ticks(name: &str) -> bool {
    name.starts_with('N') && (name.ends_with("USERTIME") || name.ends_with("SYSTEMTIME"))
}

/// Positions of the columns with what was measured.
pub(super) fn results(raw: &RawExperiment, is_fixed: impl Fn(usize) -> bool) -> BTreeSet<usize> {
    let rest: Vec<usize> = (0..raw.titles.len()).filter(|at| !is_fixed(*at)).collect();
    let listed = |names: &[String]| -> BTreeSet<usize> {
        let names: HashSet<&String> = names.iter().collect();
        rest.iter().copied().filter(|at| names.contains(&raw.titles[*at])).collect()
    };
    let (observables, identifiers) = (listed(&raw.observables), listed(&raw.identifiers));
    // Some observables write titles of their own; what is no identifier was measured.
    let measured: BTreeSet<usize> = rest.iter().copied().filter(|at| !identifiers.contains(at)).collect();
    if !identifiers.is_empty() && identifiers.len() == raw.identifiers.len() && !measured.is_empty() {
        return measured;
    }
    if !observables.is_empty() {
        return observables;
    }
    if !raw.identifiers.is_empty() || !raw.observables.is_empty() {
        return measured;
    }
    let times: BTreeSet<usize> = rest.iter().copied().filter(|at| is_known(&raw.titles[*at])).collect();
    if times.is_empty() { rest.last().copied().into_iter().collect() } else { times }
}

fn is_known(title: &str) -> bool {
    seconds_of(title).is_some() || title.starts_with("PAPI_") || matches!(title, "Bandwidth" | "TimeStamp")
}

/// The one that stands for the time: what was asked for, else wall time, else any time, else the first.
pub(super) fn choose(
    raw: &RawExperiment,
    results: &BTreeSet<usize>,
    options: &Options,
) -> Result<Option<usize>, Error> {
    if let Some(name) = &options.time_column {
        let found = raw.titles.iter().position(|title| title == name);
        return found
            .map(Some)
            .ok_or_else(|| Error::UnknownColumn { name: name.clone(), columns: raw.titles.clone() });
    }
    let rank = |at: &usize| {
        let title = &raw.titles[*at];
        match seconds_of(title) {
            Some(_) if title == "CLOCK" => 0,
            Some(_) if !title.contains("USERTIME") && !title.contains("VIRT") => 1,
            Some(_) => 2,
            None => 3,
        }
    };
    Ok(results.iter().copied().min_by_key(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_counters_none() {
        for (name, unit) in [
            ("CLOCK", Some(TimeUnit::Seconds)),
            ("PAPI_CLOCK", Some(TimeUnit::Seconds)),
            ("PAPI_REAL_USEC", Some(TimeUnit::Microseconds)),
            ("PAPI_REAL_NSEC", Some(TimeUnit::Nanoseconds)),
            ("PUSERTIME", Some(TimeUnit::Microseconds)),
            ("MPI_WTIME", Some(TimeUnit::Seconds)),
            ("PRTT(1,0,s)", Some(TimeUnit::Microseconds)),
            ("NUSERTIME", None),
            ("NCHILDSYSTEMTIME", None),
            ("PAPI_REAL_CYC", None),
            ("PAPI_L1_DCM", None),
            ("TimeStamp", None),
        ] {
            assert_eq!(seconds_of(name), unit, "{name}");
        }
    }
}
