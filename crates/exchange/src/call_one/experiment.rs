//! What an experiment of CALL 1.0 measured, and its formula.

use std::collections::{BTreeSet, HashSet};

use call_grammar::{Formula, Notation};
use call_trace::{Experiment, Header, LineRange, Unit};

use super::{PROCESSOR, PROCESSORS, RawExperiment};
use crate::measurements::{ImportedRows, Units};
use crate::{Error, Note, OriginalNames, ReadOptions};

/// Makes an experiment of what stands in the file.
pub(super) fn import(
    mut raw: RawExperiment,
    options: &ReadOptions,
    header: &mut Header,
    names: &mut OriginalNames,
    notes: &mut Vec<Note>,
) -> Result<Experiment, Error> {
    if raw.titles.is_empty() {
        raw.titles = raw.default_titles();
    }
    let position = |name: &str| raw.titles.iter().position(|title| title.eq_ignore_ascii_case(name));
    let (processor, processors) = (position(PROCESSOR), position(PROCESSORS));
    let is_fixed = |at: usize| Some(at) == processor || Some(at) == processors;
    let results = results(&raw, is_fixed);
    let Some(time) = choose(&raw, &results, options)? else {
        return Err(Error::NoObservable { experiment: raw.name, columns: raw.titles });
    };
    let observable = raw.titles[time].clone();
    let unit = options.unit.clone().unwrap_or_else(|| unit_of(&observable));
    let note = Note::Response { column: observable.clone(), unit: unit.clone(), is_assumed: false };
    // Experiments mostly measure the same.
    if !notes.iter().take(20).any(|known| *known == note) {
        notes.push(note);
    }
    if header.clock.is_empty() {
        header.clock = observable.clone();
    }
    if let Some(at) = processors {
        header.processors = raw.column(at).into_iter().map(as_natural).fold(header.processors, u32::max);
    }
    let has_own_p = raw.titles.iter().enumerate().any(|(at, title)| title == "P" && !results.contains(&at));
    let mut variables = Vec::new();
    for (at, title) in raw.titles.iter().enumerate() {
        if Some(at) == processors {
            let column = raw.column(at);
            let differs = || position("P").is_some_and(|own| raw.column(own) != column);
            if !has_own_p {
                variables.push(("P".to_owned(), column));
            } else if differs() {
                variables.push((PROCESSORS.to_owned(), column));
            }
        } else if Some(at) != processor && !results.contains(&at) {
            variables.push((title.clone(), raw.column(at)));
        }
    }
    let measurements = ImportedRows {
        experiments: vec![raw.name.clone()],
        variables,
        processor: processor.map_or_else(Vec::new, |at| raw.column(at).into_iter().map(as_natural).collect()),
        response: raw.column(time).into_iter().map(|value| unit.to_base(value)).collect(),
        units: Units::all(unit),
        counters: results
            .iter()
            .filter(|at| **at != time)
            .map(|at| (raw.titles[*at].clone(), raw.column(*at)))
            .collect(),
        places: std::mem::take(&mut raw.places),
        ..ImportedRows::default()
    };
    let mut experiment = measurements.into_experiments(names, notes)?.pop().unwrap_or_default();
    let processors_name = if has_own_p { None } else { Some(PROCESSORS) };
    experiment.formula = formula(&raw, &experiment, &observable, processors_name, notes);
    let lines = raw.begin_lines.iter().zip(&raw.end_lines);
    experiment.lines =
        lines.map(|(first, last)| LineRange { file: None, first: *first, last: *last }).collect();
    experiment.lines.sort_by_key(|lines| (lines.first, lines.last));
    experiment.lines.dedup();
    Ok(experiment)
}

fn as_natural(value: f64) -> u32 {
    if (0.0..=f64::from(u32::MAX)).contains(&value) { value as u32 } else { 0 }
}

/// The unit of an observable that is a time; `None` of counters.
fn time_unit_of(observable: &str) -> Option<Unit> {
    let name = observable.to_ascii_uppercase();
    let has = |part: &str| name.contains(part);
    if has("_CYC") || has("CYCLES") {
        None
    } else if has("NSEC") {
        Some(Unit::Nanoseconds)
    // Clock ticks of POSIX are microseconds; the network benchmark writes microseconds, too.
    } else if has("USEC") || name == "PUSERTIME" || name.starts_with("PRTT(") || name.starts_with("PP(") {
        Some(Unit::Microseconds)
    } else if has("MSEC") || name == "LATENCY" {
        Some(Unit::Milliseconds)
    } else if is_ticks(&name) || has("STAMP") {
        None
    } else if has("CLOCK") || has("TIME") || has("SECONDS") || name == "FLOAT" {
        Some(Unit::Seconds)
    } else {
        None
    }
}

/// The unit of an observable; what is no time is in the unit of its name.
fn unit_of(observable: &str) -> Unit {
    time_unit_of(observable).or_else(|| Unit::named(observable)).unwrap_or_default()
}

/// What `times` counts, in steps that differ between machines.
fn is_ticks(name: &str) -> bool {
    name.starts_with('N') && (name.ends_with("USERTIME") || name.ends_with("SYSTEMTIME"))
}

/// Positions of the columns with what was measured.
fn results(raw: &RawExperiment, is_fixed: impl Fn(usize) -> bool) -> BTreeSet<usize> {
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
    time_unit_of(title).is_some() || title.starts_with("PAPI_") || matches!(title, "Bandwidth" | "TimeStamp")
}

/// The one that stands for the time: what was asked for, else wall time, else any time, else the first.
fn choose(
    raw: &RawExperiment,
    results: &BTreeSet<usize>,
    options: &ReadOptions,
) -> Result<Option<usize>, Error> {
    if let Some(name) = &options.response {
        let found = raw.titles.iter().position(|title| title == name);
        return found
            .map(Some)
            .ok_or_else(|| Error::UnknownColumn { name: name.clone(), columns: raw.titles.clone() });
    }
    let rank = |at: &usize| {
        let title = &raw.titles[*at];
        match time_unit_of(title) {
            Some(_) if title == "CLOCK" => 0,
            Some(_) if !title.contains("USERTIME") && !title.contains("VIRT") => 1,
            Some(_) => 2,
            None => 3,
        }
    };
    Ok(results.iter().copied().min_by_key(rank))
}

/// The formula of an experiment in canonical form, if the file has one that is. The user's text comes first, then the
/// components, each with a constant, then postfix notation. `observable` is what was taken as time, and `processors` is the name under which formulas may speak of the
/// number of processors.
fn formula(
    raw: &RawExperiment,
    experiment: &Experiment,
    observable: &str,
    processors: Option<&str>,
    notes: &mut Vec<Note>,
) -> Option<String> {
    let has = |name: &str| experiment.samples.names.iter().any(|known| known == name);
    let rename = |name: &str| {
        let is_processors = processors.is_some_and(|processors| name.eq_ignore_ascii_case(processors));
        if is_processors && !has(name) { "P" } else { name }.to_owned()
    };
    let (described, infix) = sides(&raw.infix);
    if let Some(described) = described
        && described != observable
        && raw.titles.iter().any(|title| title == described)
    {
        let problem = format!("it describes `{described}`, so name that as the time to fit it");
        notes.push(Note::Formula { experiment: raw.name.clone(), text: infix.to_owned(), problem });
        return None;
    }
    let mut problem = None;
    let mut parse = |notation: Notation, name: &str, text: &str| match Formula::parse_in(notation, name, text)
    {
        Ok(formula) => {
            let formula = formula.renamed(&experiment.name).with_variables(rename);
            let unknown = formula.variables().iter().find(|variable| !has(variable.name()));
            let Some(unknown) = unknown else { return Some(formula.to_string()) };
            problem.get_or_insert_with(|| {
                format!("it uses `{}`, which the samples do not have", unknown.name())
            });
            None
        }
        Err(errors) => {
            problem = problem.take().or_else(|| errors.first().map(ToString::to_string));
            None
        }
    };
    let given = |text: &&str| !text.trim().is_empty();
    let found = Some(infix).filter(given).and_then(|text| parse(Notation::Powers, &raw.name, text));
    let found =
        found.or_else(|| parse(Notation::Powers, &experiment.name, &components(raw, &experiment.name)?));
    let postfix = Some(raw.postfix.as_str()).filter(given);
    let found = found.or_else(|| parse(Notation::Postfix, &raw.name, postfix?));
    if found.is_none() {
        let text = if infix.is_empty() { raw.postfix.trim() } else { infix };
        if !text.is_empty() {
            notes.push(Note::Formula {
                experiment: raw.name.clone(),
                text: text.to_owned(),
                problem: problem.unwrap_or_else(|| "it cannot be understood".to_owned()),
            });
        }
    }
    found
}

/// Of `PAPI_L1_DCM = k[0]+k[1]*N` the observable and the formula.
fn sides(infix: &str) -> (Option<&str>, &str) {
    let infix = infix.trim();
    match infix.split_once('=') {
        Some((name, formula)) if !name.contains(['+', '*', '/', '(', '[']) => {
            (Some(name.trim()), formula.trim())
        }
        _ => (None, infix),
    }
}

/// A constant for each component; `None` if one is no expression of its own.
fn components(raw: &RawExperiment, name: &str) -> Option<String> {
    if raw.components.is_empty() || raw.dimension.is_some_and(|dimension| dimension != raw.components.len()) {
        return None;
    }
    let term = |(index, component): (usize, &String)| {
        let term = format!("{name}[{index}]*({component})");
        Formula::parse_in(Notation::Powers, name, &term).ok().map(|_| term)
    };
    let terms: Option<Vec<String>> = raw.components.iter().enumerate().map(term).collect();
    Some(terms?.join(" + "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_and_counters_none() {
        for (name, unit) in [
            ("CLOCK", Some(Unit::Seconds)),
            ("PAPI_CLOCK", Some(Unit::Seconds)),
            ("PAPI_REAL_USEC", Some(Unit::Microseconds)),
            ("PAPI_REAL_NSEC", Some(Unit::Nanoseconds)),
            ("PUSERTIME", Some(Unit::Microseconds)),
            ("MPI_WTIME", Some(Unit::Seconds)),
            ("PRTT(1,0,s)", Some(Unit::Microseconds)),
            ("NUSERTIME", None),
            ("NCHILDSYSTEMTIME", None),
            ("PAPI_REAL_CYC", None),
            ("PAPI_L1_DCM", None),
            ("TimeStamp", None),
        ] {
            assert_eq!(time_unit_of(name), unit, "{name}");
        }
    }
}
