//! Profiles of Cube, as Score-P and Scalasca write them: of each metric a value for each call path and location (a thread of a process).
//! New ones are tar archives of an anchor and binary values, old ones XML. Several make a set: folders of profiles whose names hold the
//! values of parameters.
//!
//! Values become those of the calls themselves, without what they call. A metric holds its parts.

mod anchor;
mod common_paths;
mod folder;
mod values;

use std::collections::{HashMap, HashSet};

use call_trace::Unit;

use crate::heading::is_processors;
use crate::metrics::{Metrics, NameNumbers};
use crate::packed::tar_entries;
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, PlaceInText, ReadOptions, import};
use anchor::Anchor;
pub(crate) use anchor::is_cube as is_xml;
use values::MetricValues;

/// Values of a metric of a call in the XML of an old profile, one for each location.
#[derive(Debug)]
struct LocationSeverities {
    metric: String,
    call: String,
    values: Vec<f64>,
}

/// Positions of calls, with a value for each location.
type OfCalls = Vec<(usize, Vec<f64>)>;

/// The entry of the archive that says what is measured.
const ANCHOR: &str = "anchor.xml";

/// So many values of a set fit into memory.
const MOST_VALUES: usize = 100_000_000;

/// Whether bytes are a profile in an archive.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    let is_tar = bytes.get(257..262) == Some(b"ustar".as_slice());
    is_tar && tar_entries(bytes).map_or(true, |entries| entries.iter().any(|(name, _)| name == ANCHOR))
}

/// Values of parameters in the name of the folder of a file, if it holds some.
pub(crate) fn parameters_of(path_name: &str) -> Vec<(String, f64)> {
    folder::parameters(path_name).unwrap_or_default()
}

/// Reads a profile. The name of its folder may hold values of parameters.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let mut set = ProfileSet::default();
    set.push(path_name, bytes, options, parameters_of(path_name))?;
    set.import(path_name, options)
}

/// Profiles that are read together.
#[derive(Default)]
pub(crate) struct ProfileSet {
    metrics: Metrics,
    /// The metrics that are read, by number.
    chosen: Vec<usize>,
    names: Vec<String>,
    parameters: Vec<String>,
    /// The point of each profile: its parameters and the number of its locations.
    points: Vec<Vec<f64>>,
    values: Vec<OfProfile>,
    /// The call paths of all profiles, also those without values.
    paths: NameNumbers,
    has: Vec<InProfile>,
    count: usize,
    /// Metrics without values that can be read.
    empty: Vec<String>,
}

/// What a profile has of a metric in a call path.
struct OfProfile {
    profile: usize,
    region: u32,
    metric: u32,
    values: Vec<f64>,
}

/// What a profile knows: its call paths, and the metrics whose values are 0 where it writes none.
struct InProfile {
    paths: HashSet<u32>,
    metrics: HashSet<u32>,
    locations: usize,
}

impl ProfileSet {
    /// Adds a profile of a set; its folder must say the parameters.
    pub(crate) fn push_of_set(
        &mut self,
        path_name: &str,
        bytes: &[u8],
        options: &ReadOptions,
    ) -> Result<(), Error> {
        let parameters = folder::parameters(path_name)?;
        let names: Vec<String> = parameters.iter().map(|(name, _)| name.clone()).collect();
        if !self.points.is_empty() && names != self.parameters {
            let (folder, expected) = (folder::name_of(path_name).to_owned(), self.parameters.clone());
            return Err(Error::OtherParameters { folder, expected, found: names });
        }
        self.push(path_name, bytes, options, parameters)
    }

    fn push(
        &mut self,
        path_name: &str,
        bytes: &[u8],
        options: &ReadOptions,
        parameters: Vec<(String, f64)>,
    ) -> Result<(), Error> {
        let entries = if bytes.trim_ascii_start().starts_with(b"<") {
            vec![(ANCHOR.to_owned(), bytes)]
        } else {
            tar_entries(bytes)?
        };
        let entry_of: HashMap<&str, &[u8]> =
            entries.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
        let anchor_bytes = entry_of.get(ANCHOR).ok_or_else(|| Error::Packed {
            problem: format!("`{path_name}` has no `{ANCHOR}`, so it is no profile"),
        })?;
        let unpacked;
        let anchor_bytes = if anchor_bytes.starts_with(b"\x1f\x8b") {
            unpacked = crate::packed::gunzipped(anchor_bytes)?;
            unpacked.as_slice()
        } else {
            anchor_bytes
        };
        let anchor = Anchor::read(&import::text(anchor_bytes))?;
        if self.points.is_empty() {
            self.register(&anchor, options)?;
            self.parameters = parameters.iter().map(|(name, _)| name.clone()).collect();
        }
        let mut point: Vec<f64> = parameters.into_iter().map(|(_, value)| value).collect();
        point.push(anchor.locations as f64);
        self.points.push(point);
        let mut metrics = HashSet::new();
        for metric in self.chosen.clone() {
            let name = self.names[metric].clone();
            let Some(position) = anchor.metrics.iter().position(|known| known.name == name) else { continue };
            let of_calls = match anchor.severities.is_empty() {
                true => exclusive(&anchor, position, &entry_of)?,
                false => Some(summed(&anchor, position)),
            };
            match of_calls {
                None if !self.empty.contains(&name) => self.empty.push(name),
                None => {}
                Some(of_calls) => {
                    self.add(&anchor, metric as u32, of_calls)?;
                    if !values::is_extreme(&anchor.metrics[position].data_type) {
                        metrics.insert(metric as u32);
                    }
                }
            }
        }
        let paths = anchor.calls.iter().map(|call| self.paths.number(&call.path)).collect();
        self.has.push(InProfile { paths, metrics, locations: anchor.locations });
        Ok(())
    }

    /// Takes the names of the metrics from the first profile, and which of them are to be read.
    fn register(&mut self, anchor: &Anchor, options: &ReadOptions) -> Result<(), Error> {
        for metric in &anchor.metrics {
            let number = self.metrics.metrics.number(&metric.name);
            if number as usize == self.names.len() {
                self.names.push(metric.name.clone());
            }
            let unit = Some(metric.unit.as_str()).filter(|unit| !matches!(*unit, "" | "#"));
            if let Some(unit) = unit.and_then(Unit::named) {
                self.metrics.has_unit(number, unit);
            }
        }
        if self.names.is_empty() {
            return Err(Error::NoResults { list: "metrics" });
        }
        self.chosen = self.metrics.chosen(options)?;
        Ok(())
    }

    /// Adds values of calls; those of the same path become one.
    fn add(&mut self, anchor: &Anchor, metric: u32, of_calls: OfCalls) -> Result<(), Error> {
        let profile = self.points.len() - 1;
        let mut place_of: HashMap<u32, usize> = HashMap::new();
        for (call, values) in of_calls {
            let region = self.metrics.regions.number(&anchor.calls[call].path);
            if let Some(place) = place_of.get(&region) {
                add_to(&mut self.values[*place].values, &values);
                continue;
            }
            place_of.insert(region, self.values.len());
            count(&mut self.count, values.len())?;
            self.values.push(OfProfile { profile, region, metric, values });
        }
        Ok(())
    }

    /// The profiles as experiments, one for each call path. What was measured in a call path that some points lack belongs to what called it.
    pub(crate) fn import(mut self, path_name: &str, options: &ReadOptions) -> Result<Imported, Error> {
        let mut notes = Vec::new();
        let (points, mut names) = (std::mem::take(&mut self.points), std::mem::take(&mut self.parameters));
        let locations = names.len();
        // A parameter that is the number of processors.
        let is_number = |at: &usize| {
            is_processors(&names[*at]) && points.iter().all(|point| point[*at] == point[locations])
        };
        let processors = (0..locations).find(is_number);
        names.push("P".to_owned());
        let kept: Vec<usize> = (0..names.len()).filter(|at| Some(*at) != processors).collect();
        self.metrics.rows.variables = kept.iter().map(|at| (names[*at].clone(), Vec::new())).collect();
        if let Some(at) = processors.filter(|at| names[*at] != "P") {
            notes.push(Note::LeftOut {
                names: vec![names[at].clone()],
                reason: LeftOutReason::OtherProcessors,
            });
        }
        if !self.empty.is_empty() {
            notes
                .push(Note::LeftOut { names: std::mem::take(&mut self.empty), reason: LeftOutReason::Empty });
        }
        self.add_zeros()?;
        let (values, lost) = self.with_common_paths(&points);
        if !lost.is_empty() {
            notes.push(Note::LeftOut { names: lost, reason: LeftOutReason::NotEverywhere });
        }
        for OfProfile { profile, region, metric, values } in values {
            let point: Vec<f64> = kept.iter().map(|at| points[profile][*at]).collect();
            for (value, processor) in values.into_iter().zip(0..) {
                self.metrics.push_of(
                    processor,
                    region,
                    metric,
                    &point,
                    value,
                    PlaceInText::Entry(profile as u64 + 1),
                );
            }
        }
        if self.metrics.is_empty() {
            return Err(Error::NoResults { list: "metrics" });
        }
        let mut imported = self.metrics.import(FileFormat::Cube, path_name, options)?;
        imported.notes.extend(notes);
        Ok(imported)
    }
}

/// Counts further values, and refuses too many.
fn count(known: &mut usize, further: usize) -> Result<(), Error> {
    *known += further;
    match *known > MOST_VALUES {
        true => Err(Error::TooManyValues { most: MOST_VALUES }),
        false => Ok(()),
    }
}

fn add_to(sum: &mut [f64], values: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

/// The values of a metric in the calls themselves; `None` if the profile has none that can be read.
fn exclusive(
    anchor: &Anchor,
    position: usize,
    entry_of: &HashMap<&str, &[u8]>,
) -> Result<Option<OfCalls>, Error> {
    let metric = &anchor.metrics[position];
    let (index_name, data_name) = (format!("{}.index", metric.id), format!("{}.data", metric.id));
    let Some(is_inclusive) = metric.is_inclusive else { return Ok(None) };
    let (Some(index), Some(data)) = (entry_of.get(index_name.as_str()), entry_of.get(data_name.as_str()))
    else {
        return Ok(None);
    };
    if !values::is_known(&metric.data_type) {
        return Ok(None);
    }
    let locations = anchor.locations;
    let MetricValues { places, cells } =
        values::read(&metric.data_type, index, data, anchor.calls.len(), locations)
            .map_err(|error| error.inside(&data_name))?;
    debug_assert_eq!(cells.len(), places.len() * locations);
    let order = anchor.order(is_inclusive);
    let mut row_of = vec![None; anchor.calls.len()];
    for (row, place) in places.iter().enumerate() {
        row_of[order[*place]] = Some(row);
    }
    let mut of_calls = Vec::with_capacity(places.len());
    for place in &places {
        let call = order[*place];
        let Some(row) = row_of[call] else { continue };
        let inside: Vec<usize> = match is_inclusive {
            true => anchor.calls[call].calls.iter().filter_map(|call| row_of[*call]).collect(),
            false => Vec::new(),
        };
        let mut values = Vec::with_capacity(locations);
        for location in 0..locations {
            let at = |row: usize| row * locations + location;
            values.push(match inside.is_empty() {
                true => cells.number(at(row)),
                false => cells.without(at(row), &inside.iter().map(|row| at(*row)).collect::<Vec<_>>()),
            });
        }
        of_calls.push((call, values));
    }
    Ok(Some(of_calls))
}

/// The values of a metric and its parts in an old profile, where each is without its parts.
fn summed(anchor: &Anchor, position: usize) -> OfCalls {
    let mut parts = vec![position];
    let mut next = 0;
    while let Some(part) = parts.get(next) {
        parts.extend(&anchor.metrics[*part].parts);
        next += 1;
    }
    let position_of: HashMap<&str, usize> =
        anchor.calls.iter().enumerate().map(|(at, call)| (call.id.as_str(), at)).collect();
    let ids: Vec<&str> = parts.iter().map(|part| anchor.metrics[*part].id.as_str()).collect();
    let mut sums: Vec<Option<Vec<f64>>> = vec![None; anchor.calls.len()];
    for severity in anchor.severities.iter().filter(|its| ids.contains(&its.metric.as_str())) {
        if let Some(call) = position_of.get(severity.call.as_str()) {
            add_to(sums[*call].get_or_insert_with(|| vec![0.0; anchor.locations]), &severity.values);
        }
    }
    // What is 0 everywhere is not written.
    let zeros = || vec![0.0; anchor.locations];
    sums.into_iter().enumerate().map(|(call, sum)| (call, sum.unwrap_or_else(zeros))).collect()
}
