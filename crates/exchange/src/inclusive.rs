//! Inclusive values of call paths: those of a call with those of all calls below it.
//!
//! Files have the values of calls themselves (exclusive), or are made to (profiles of Cube). Sums are made where each call below has
//! as many values as the call itself: at the same point, of the same processor, repetition by repetition.

use std::collections::{HashMap, HashSet};

use call_trace::{Experiment, Samples, Unit};

use crate::name::with_metric;
use crate::note::NotSummed;
use crate::{Error, FileFormat, Imported, Note};

/// Point and processor of samples.
type Key = (Vec<u64>, u32);

/// Makes the values of an import inclusive.
///
/// # Errors
/// If an experiment has more than its repetitions, as sums or counts of them.
pub(crate) fn make_inclusive(mut imported: Imported) -> Result<Imported, Error> {
    let responses: Vec<String> = imported.notes.iter().filter_map(response).collect();
    let experiments = std::mem::take(&mut imported.trace.experiments);
    let own: HashMap<&str, usize> =
        experiments.iter().enumerate().map(|(at, its)| (its.name.as_str(), at)).collect();
    let mut below: HashMap<String, Vec<usize>> = HashMap::new();
    let mut order: Vec<String> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for (at, its) in experiments.iter().enumerate() {
        for caller in callers(&its.name) {
            below.entry(caller.clone()).or_default().push(at);
            // A caller without values of its own has those below it.
            if !own.contains_key(caller.as_str()) && known.insert(caller.clone()) {
                order.push(caller);
            }
        }
        order.push(its.name.clone());
    }
    let rows: Vec<HashMap<Key, Vec<usize>>> = experiments.iter().map(|its| rows(&its.samples)).collect();
    let is_assumed = imported.format != FileFormat::Cube;
    let (mut summed, mut not_added): (Vec<String>, Vec<(NotSummed, String)>) = Default::default();
    for name in order {
        let own = own.get(name.as_str()).copied();
        let metric = metric_of(&name, &responses);
        let reason = NotSummed::of(metric);
        let told = reason.filter(|_| below.contains_key(&name)).map(|reason| (reason, metric.to_owned()));
        not_added.extend(told.filter(|told| !not_added.contains(told)));
        let parts = below.get(&name).filter(|_| reason.is_none());
        let Some(parts) = parts else {
            imported.trace.experiments.extend(own.map(|own| experiments[own].clone()));
            continue;
        };
        let all: Vec<usize> = own.into_iter().chain(parts.iter().copied()).collect();
        let sum = Sum { experiments: &experiments, rows: &rows, all: &all };
        let (experiment, missing) = sum.of(&name)?;
        imported.notes.extend(missing);
        if !experiment.is_empty() {
            summed.push(name);
            imported.trace.experiments.push(experiment);
        }
    }
    imported.notes.extend(not_added.into_iter().map(|(reason, metric)| Note::NotSummed { metric, reason }));
    imported.notes.push(Note::Inclusive { names: summed, is_assumed });
    Ok(imported)
}

fn response(note: &Note) -> Option<String> {
    match note {
        Note::Response { column, .. } => Some(column.clone()),
        _ => None,
    }
}

/// The call paths that lead to an experiment, the outermost first, of the same metric.
fn callers(name: &str) -> impl Iterator<Item = String> {
    let (path, metric) = name.split_at(name.find(':').unwrap_or(name.len()));
    path.match_indices('/').map(move |(end, _)| format!("{}{metric}", &path[..end]))
}

/// What an experiment was measured in, as the file calls it.
fn metric_of<'a>(name: &str, responses: &'a [String]) -> &'a str {
    let is_own = |metric: &&String| name.ends_with(&with_metric(String::new(), metric));
    let further = responses.iter().skip(1).find(is_own).filter(|_| name.contains(':'));
    further.or(responses.first()).map_or("", String::as_str)
}

fn rows(samples: &Samples) -> HashMap<Key, Vec<usize>> {
    let mut rows: HashMap<Key, Vec<usize>> = HashMap::new();
    for row in 0..samples.len() {
        rows.entry(key(samples, row)).or_default().push(row);
    }
    rows
}

fn key(samples: &Samples, row: usize) -> Key {
    (samples.columns.iter().map(|column| column[row].to_bits()).collect(), samples.processor[row])
}

/// The sum of some experiments, the call itself first.
struct Sum<'a> {
    experiments: &'a [Experiment],
    rows: &'a [HashMap<Key, Vec<usize>>],
    all: &'a [usize],
}

impl Sum<'_> {
    /// The experiment of these sums, and what it lacks.
    fn of(&self, name: &str) -> Result<(Experiment, Option<Note>), Error> {
        let first = &self.experiments[self.all[0]];
        for its in self.all.iter().map(|at| &self.experiments[*at]) {
            if !its.summaries.is_empty() || its.samples.count.iter().any(|count| *count != 1) {
                return Err(Error::NoRepetitions { experiment: its.name.clone() });
            }
        }
        let (mut kept, mut sums) = (Vec::new(), Vec::new());
        let mut seen: HashMap<Key, usize> = HashMap::new();
        for row in 0..first.samples.len() {
            let key = key(&first.samples, row);
            let repetition = seen.entry(key.clone()).or_default();
            if self.lacking(&key, &first.unit).is_none() {
                let value = |at: &usize| {
                    let samples = &self.experiments[*at].samples;
                    let row = self.rows[*at].get(&key)?.get(*repetition)?;
                    Some(samples.time_s[*row])
                };
                sums.push(self.all.iter().filter_map(value).sum());
                kept.push(row);
            }
            *repetition += 1;
        }
        let missing = self.missing(name, first);
        let mut samples = first.samples.pick(&kept);
        (samples.time_s, samples.counter_names, samples.counters) = (sums, Vec::new(), Vec::new());
        samples.count.clear();
        Ok((
            Experiment { name: name.to_owned(), unit: first.unit.clone(), samples, ..Experiment::default() },
            missing,
        ))
    }

    /// The experiment that has not as many values at a point as the others.
    fn lacking(&self, key: &Key, unit: &Unit) -> Option<usize> {
        let values = |at: usize| {
            let its = &self.experiments[at];
            let is_alike =
                its.unit == *unit && its.samples.names == self.experiments[self.all[0]].samples.names;
            self.rows[at].get(key).filter(|_| is_alike).map_or(0, Vec::len)
        };
        let most = self.all.iter().map(|at| values(*at)).max()?;
        self.all.iter().copied().find(|at| values(*at) < most)
    }

    /// Where there are no sums, as some experiments lack values there.
    fn missing(&self, name: &str, first: &Experiment) -> Option<Note> {
        let mut seen = HashSet::new();
        let mut lacking: Option<(usize, usize, usize)> = None;
        let mut missing = 0;
        for at in self.all {
            let samples = &self.experiments[*at].samples;
            for row in 0..samples.len() {
                let key = key(samples, row);
                if seen.insert(key.clone())
                    && let Some(lacks) = self.lacking(&key, &first.unit)
                {
                    missing += 1;
                    lacking.get_or_insert((lacks, *at, row));
                }
            }
        }
        let (lacks, at, row) = lacking?;
        let samples = &self.experiments[at].samples;
        let values = samples.names.iter().zip(&samples.columns);
        let point: Vec<String> = values.map(|(name, column)| format!("{name}={}", column[row])).collect();
        Some(Note::NoSum {
            name: name.to_owned(),
            missing,
            of: seen.len(),
            point: point.join(" "),
            processor: samples.processor[row],
            lacking: self.experiments[lacks].name.clone(),
        })
    }
}
