//! Inclusive values of call paths: those of a call with those of all calls below it.
//!
//! Files have the values of calls themselves (exclusive), or are made to (profiles of Cube). Sums are made where each call below has
//! as many values as the call itself: at the same point, of the same processor, repetition by repetition.

use std::collections::HashMap;

use call_trace::{Experiment, Samples, Unit};

use crate::metrics::TOO_LONG;
use crate::not_summed::NotSummed;
use crate::{Error, FileFormat, Imported, Note, OriginalNames, PlaceInText};

/// A call path, and the metric behind it.
type MetricPath<'a> = (&'a str, &'a str);

/// What the names of callers may take that have no values of their own: one long call path has very many.
const MOST_BYTES: usize = 1 << 28;
/// So many call paths without sums are named.
const MOST_NAMED: usize = 20;

/// Makes the values of an import inclusive.
///
/// # Errors
/// If an experiment has more than its repetitions, as sums or counts of them, or the call paths are too long.
pub(crate) fn make_inclusive(mut imported: Imported) -> Result<Imported, Error> {
    let responses: Vec<String> = imported.notes.iter().filter_map(response).collect();
    let experiments = std::mem::take(&mut imported.trace.experiments);
    let calls = CallTree::of(&experiments)?;
    let spots = spots(&experiments);
    let (mut summed, mut without, mut not_added) = (Vec::new(), Vec::new(), Vec::new());
    for CallTreeNode { path, own, below } in calls.order.iter().map(|number| &calls.calls[*number]) {
        let metric = metric_of(path, &responses, &imported.names);
        let reason = NotSummed::of(metric);
        let told = reason.filter(|_| !below.is_empty());
        let told = told.map(|reason| Note::NotSummed { metric: metric.to_owned(), reason });
        not_added.extend(told.filter(|told| !not_added.contains(told)));
        if below.is_empty() || reason.is_some() {
            imported.trace.experiments.extend(own.map(|own| experiments[own].clone()));
            continue;
        }
        let all: Vec<usize> = own.iter().chain(below).copied().collect();
        let (experiment, missing) = SummedExperiments { experiments: &experiments, spots: &spots, all: &all }
            .of(&[path.0, path.1].concat())?;
        without.extend(missing);
        if !experiment.is_empty() {
            summed.push(experiment.name.clone());
            imported.trace.experiments.push(experiment);
        }
    }
    let more = without.len().saturating_sub(MOST_NAMED);
    without.truncate(MOST_NAMED);
    if let Some(Note::NoSum { others, .. }) = without.last_mut() {
        *others = more;
    }
    imported.notes.extend(without.into_iter().chain(not_added));
    let is_assumed = imported.format != FileFormat::Cube;
    imported.notes.push(Note::Inclusive { names: summed, is_assumed });
    Ok(imported)
}

/// Which call paths there are, as a tree.
struct CallTree<'a> {
    calls: Vec<CallTreeNode<'a>>,
    /// By number. Callers without values of their own, which have those below them, stand before these.
    order: Vec<usize>,
    /// By the number of the caller, or none and the metric, and what is called.
    number_of: HashMap<(Option<usize>, &'a str), usize>,
}

struct CallTreeNode<'a> {
    path: MetricPath<'a>,
    own: Option<usize>,
    /// The experiments below it.
    below: Vec<usize>,
}

impl<'a> CallTree<'a> {
    fn of(experiments: &'a [Experiment]) -> Result<CallTree<'a>, Error> {
        let mut calls = CallTree { calls: Vec::new(), order: Vec::new(), number_of: HashMap::new() };
        for (at, its) in experiments.iter().enumerate() {
            let numbers = calls.numbers(its);
            if let Some(last) = numbers.last() {
                calls.calls[*last].own = Some(at);
            }
        }
        let mut bytes = 0;
        for (at, its) in experiments.iter().enumerate() {
            let numbers = calls.numbers(its);
            let Some((last, callers)) = numbers.split_last() else { continue };
            for number in callers {
                let caller = &mut calls.calls[*number];
                if caller.below.is_empty() && caller.own.is_none() {
                    bytes += caller.path.0.len();
                    calls.order.push(*number);
                }
                caller.below.push(at);
            }
            if bytes > MOST_BYTES {
                let (place, problem) = (PlaceInText::Entry(at as u64 + 1), TOO_LONG.to_owned());
                return Err(Error::Binary { place, problem });
            }
            calls.order.push(*last);
        }
        Ok(calls)
    }

    /// The numbers of the calls of a path, the outermost first.
    fn numbers(&mut self, its: &'a Experiment) -> Vec<usize> {
        let (path, metric) = its.name.split_at(its.name.find(':').unwrap_or(its.name.len()));
        let mut caller = self.number(None, metric, ("", metric));
        let mut numbers = Vec::new();
        let mut start = 0;
        for end in path.match_indices('/').map(|(end, _)| end).chain([path.len()]) {
            caller = self.number(Some(caller), &path[start..end], (&path[..end], metric));
            numbers.push(caller);
            start = end + 1;
        }
        numbers
    }

    fn number(&mut self, caller: Option<usize>, call: &'a str, path: MetricPath<'a>) -> usize {
        *self.number_of.entry((caller, call)).or_insert_with(|| {
            self.calls.push(CallTreeNode { path, own: None, below: Vec::new() });
            self.calls.len() - 1
        })
    }
}

fn response(note: &Note) -> Option<String> {
    match note {
        Note::Response { column, .. } => Some(column.clone()),
        _ => None,
    }
}

/// What an experiment was measured in, as the file calls it.
fn metric_of<'a>((_, metric): &MetricPath, responses: &'a [String], names: &OriginalNames) -> &'a str {
    let is_it = |its: &&String| metric.strip_prefix(':') == Some(names.of_metric(its).as_str());
    let further = responses.iter().skip(1).find(is_it);
    further.or(responses.first()).map_or("", String::as_str)
}

/// For each sample of each experiment the number of its spot: its point and processor, and in which variables and unit it was measured.
fn spots(experiments: &[Experiment]) -> Vec<Vec<u32>> {
    let mut kinds: Vec<(&[String], &Unit)> = Vec::new();
    let mut numbers: HashMap<(usize, u32, Vec<u64>), u32> = HashMap::new();
    let mut spots = Vec::with_capacity(experiments.len());
    for Experiment { samples, unit, .. } in experiments {
        let kind = (samples.names.as_slice(), unit);
        let known = kinds.iter().position(|known| *known == kind);
        let kind = known.unwrap_or_else(|| {
            kinds.push(kind);
            kinds.len() - 1
        });
        let spot = |row: usize| {
            let values = samples.columns.iter().map(|column| column[row].to_bits()).collect();
            let next = numbers.len() as u32;
            *numbers.entry((kind, samples.processor[row], values)).or_insert(next)
        };
        spots.push((0..samples.len()).map(spot).collect());
    }
    spots
}

/// The sum of some experiments, the call itself first.
struct SummedExperiments<'a> {
    experiments: &'a [Experiment],
    spots: &'a [Vec<u32>],
    all: &'a [usize],
}

impl SummedExperiments<'_> {
    /// The experiment of these sums, and what it lacks.
    fn of(&self, name: &str) -> Result<(Experiment, Option<Note>), Error> {
        for its in self.all.iter().map(|at| &self.experiments[*at]) {
            if !its.summaries.is_empty() || its.samples.count.iter().any(|count| *count != 1) {
                return Err(Error::NoRepetitions { experiment: its.name.clone() });
            }
        }
        let first = &self.experiments[self.all[0]];
        let (kept, sums, missing) = match self.all.iter().all(|at| self.spots[*at] == self.spots[self.all[0]])
        {
            true => {
                let sum = |row| self.all.iter().map(|at| self.experiments[*at].samples.time_s[row]).sum();
                let rows = 0..first.samples.len();
                (rows.clone().collect(), rows.map(sum).collect(), None)
            }
            false => self.where_all_have_values(name),
        };
        let mut samples: Samples = first.samples.pick(&kept);
        (samples.time_s, samples.counter_names, samples.counters) = (sums, Vec::new(), Vec::new());
        samples.count.clear();
        let (name, unit) = (name.to_owned(), first.unit.clone());
        Ok((Experiment { name, unit, samples, ..Experiment::default() }, missing))
    }

    /// The rows of the first experiment that have sums, these, and where there are none.
    fn where_all_have_values(&self, name: &str) -> (Vec<usize>, Vec<f64>, Option<Note>) {
        let rows: Vec<HashMap<u32, Vec<usize>>> =
            self.all.iter().map(|at| by_spot(&self.spots[*at])).collect();
        let values = |part: usize, spot: &u32| rows[part].get(spot).map_or(0, Vec::len);
        let (mut seen, mut missing, mut note) = (HashMap::new(), 0, None);
        for (part, at) in self.all.iter().enumerate() {
            for (row, spot) in self.spots[*at].iter().enumerate() {
                if seen.contains_key(spot) {
                    continue;
                }
                let most = (0..rows.len()).map(|part| values(part, spot)).max().unwrap_or(0);
                let lacking = (0..rows.len()).find(|part| values(*part, spot) < most);
                seen.insert(*spot, lacking);
                missing += usize::from(lacking.is_some());
                note = note.or_else(|| Some((lacking?, part, row)));
            }
        }
        let (mut kept, mut sums) = (Vec::new(), Vec::new());
        for (row, spot) in self.spots[self.all[0]].iter().enumerate() {
            let repetition = rows[0].get(spot).and_then(|rows| rows.iter().position(|known| *known == row));
            let Some(repetition) = repetition.filter(|_| seen.get(spot) == Some(&None)) else { continue };
            let value = |(part, at): (usize, &usize)| {
                Some(self.experiments[*at].samples.time_s[*rows[part].get(spot)?.get(repetition)?])
            };
            kept.push(row);
            sums.push(self.all.iter().enumerate().filter_map(value).sum());
        }
        let note = note.map(|(lacking, part, row)| {
            let samples = &self.experiments[self.all[part]].samples;
            let values = samples.names.iter().zip(&samples.columns);
            let point: Vec<String> = values.map(|(name, column)| format!("{name}={}", column[row])).collect();
            Note::NoSum {
                name: name.to_owned(),
                missing,
                of: seen.len(),
                point: point.join(" "),
                processor: samples.processor[row],
                lacking: self.experiments[self.all[lacking]].name.clone(),
                others: 0,
            }
        });
        (kept, sums, note)
    }
}

fn by_spot(spots: &[u32]) -> HashMap<u32, Vec<usize>> {
    let mut rows: HashMap<u32, Vec<usize>> = HashMap::new();
    spots.iter().enumerate().for_each(|(row, spot)| rows.entry(*spot).or_default().push(row));
    rows
}
