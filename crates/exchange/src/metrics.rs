//! Values of several metrics in regions of a program, at points: what profilers and Extra-P write.

use std::collections::HashMap;

use call_trace::{Header, Unit};

use crate::measurements::{ImportedRows, RowSummary, Units};
use crate::not_summed::NotSummed;
use crate::response_name::unread_unit;
use crate::response_name::{NameFit, TimeName, metric_unit, time_names};
use crate::short_names::NameLengths;
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, PlaceInText, ReadOptions, name};

/// What Extra-P calls a region or a metric without a name.
pub(crate) const NO_REGION: &str = "<root>";
pub(crate) const NO_METRIC: &str = "<default>";

/// Stands for all metrics of a file.
pub(crate) const ALL: &str = "all";

/// The rows of all metrics.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Regions, or call paths whose calls have `->` between them.
    pub(crate) regions: NameNumbers,
    pub(crate) metrics: NameNumbers,
    /// The rows of all metrics; regions are their experiments.
    pub(crate) rows: ImportedRows,
    metric_of: Vec<u32>,
    /// For each region its names of several lengths; empty if each has one.
    pub(crate) lengths: Vec<NameLengths>,
    /// The units that the file says, by metric.
    units: HashMap<u32, Unit>,
    /// Those that its tool has where the file says none.
    assumed: HashMap<u32, Unit>,
    /// What was met before; that metrics are sums is told of those that are read.
    pub(crate) notes: Vec<Note>,
}

/// What call paths may take: each repeats that of its caller, so that a small file could fill the memory.
#[derive(Default)]
pub(crate) struct PathRoom(usize);

/// What is said of call paths without room.
pub(crate) const TOO_LONG: &str = "the call paths are too long to be kept";

impl PathRoom {
    /// Whether a further call path has room.
    pub(crate) fn has_room_for(&mut self, path: &str) -> bool {
        const MOST_BYTES: usize = 1 << 28;
        self.0 = self.0.saturating_add(path.len());
        self.0 <= MOST_BYTES
    }
}

/// A metric that is to be read.
#[derive(Clone)]
struct ChosenMetric {
    /// Its place among them.
    place: usize,
    /// Its unit in the file, and the number of that in [`Units`].
    unit: Unit,
    number: u32,
}

/// Names in the order in which they came up.
#[derive(Default)]
pub(crate) struct NameNumbers {
    names: Vec<String>,
    number_of: HashMap<String, u32>,
}

impl NameNumbers {
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.number_of.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.number_of.insert(name.to_owned(), number);
        number
    }
}

impl NameNumbers {
    pub(crate) fn name(&self, number: u32) -> &str {
        self.names.get(number as usize).map_or("", String::as_str)
    }

    /// The number of a name that came up.
    pub(crate) fn known(&self, name: &str) -> Option<u32> {
        self.number_of.get(name).copied()
    }
}

impl Metrics {
    /// Adds a value of a metric in a region at a point.
    pub(crate) fn push(&mut self, region: u32, metric: u32, point: &[f64], value: f64, place: PlaceInText) {
        let rows = &mut self.rows;
        for ((_, column), value) in rows.variables.iter_mut().zip(point) {
            column.push(*value);
        }
        rows.experiment_of.push(region);
        rows.response.push(value);
        rows.places.push(place);
        self.metric_of.push(metric);
    }

    /// The same of one of several processors. Either all values have one, or none.
    pub(crate) fn push_of(
        &mut self,
        processor: u32,
        region: u32,
        metric: u32,
        point: &[f64],
        value: f64,
        place: PlaceInText,
    ) {
        self.push(region, metric, point, value, place);
        self.rows.processor.resize(self.metric_of.len() - 1, 0);
        self.rows.processor.push(processor);
    }

    /// Adds what was kept of several measurements, with their median.
    pub(crate) fn push_summary(
        &mut self,
        region: u32,
        metric: u32,
        point: &[f64],
        median: f64,
        summary: RowSummary,
        place: PlaceInText,
    ) {
        self.push(region, metric, point, median, place);
        self.rows.summaries.resize(self.metric_of.len() - 1, None);
        self.rows.summaries.push(Some(summary));
    }

    /// Remembers the unit of a metric.
    pub(crate) fn has_unit(&mut self, metric: u32, unit: Unit) {
        self.units.insert(metric, unit);
    }

    /// The unit that a metric has where the file says none, unless its name does.
    pub(crate) fn has_assumed_unit(&mut self, metric: u32, unit: Unit) {
        self.assumed.insert(metric, unit);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.metric_of.is_empty()
    }

    /// Makes experiments of the values of some metrics: those that were asked for, else the one that is most like a time. Experiments of
    /// the first have the names of their regions, those of others the name of the metric behind it.
    pub(crate) fn import(
        mut self,
        format: FileFormat,
        path_name: &str,
        options: &ReadOptions,
    ) -> Result<Imported, Error> {
        let chosen = self.chosen(options)?;
        let file = options.experiment_name.clone().unwrap_or_else(|| name::of_file(path_name));
        let of_region = |name: &str| if name == NO_REGION { file.clone() } else { name.to_owned() };
        let mut notes = Vec::new();
        let mut units = Units::default();
        let mut kind_of = vec![None; self.metrics.names.len()];
        let times = time_names(&self.metrics.names);
        for (place, metric) in chosen.iter().enumerate() {
            let column = self.metrics.names[*metric].clone();
            let known = self.units.get(&(*metric as u32)).cloned();
            let said =
                options.unit.clone().or(known).or_else(|| named_unit(&column, times[*metric].as_ref()));
            let assumed = || self.assumed.get(&(*metric as u32)).cloned().unwrap_or_default();
            let (unit, is_assumed) = (said.clone().unwrap_or_else(assumed), said.is_none());
            kind_of[*metric] =
                Some(ChosenMetric { place, number: units.position(&unit.base()), unit: unit.clone() });
            if let Some(text) = unread_unit(&column).filter(|_| is_assumed) {
                return Err(Error::HeadingUnit { column, text });
            }
            let is_told = !options.is_inclusive && NotSummed::of(&column) == Some(NotSummed::Inclusive);
            let inclusive = is_told.then(|| Note::InclusiveInFile { metric: column.clone() });
            notes.push(Note::Response { column, unit, is_assumed });
            notes.extend(inclusive);
        }
        let names = self.metrics.names.iter().zip(&kind_of);
        let others: Vec<String> =
            names.filter(|(_, kind)| kind.is_none()).map(|(name, _)| name.clone()).collect();
        if !others.is_empty() {
            notes.push(Note::LeftOut { names: others, reason: LeftOutReason::OtherMetric });
        }
        let lacking = self.regions_without(&kind_of);
        if !lacking.is_empty() {
            notes.push(Note::LeftOut { names: lacking, reason: LeftOutReason::OtherMetricOnly });
        }
        let is_chosen =
            |name: &String| self.metrics.known(name).is_some_and(|metric| kind_of[metric as usize].is_some());
        for mut note in std::mem::take(&mut self.notes) {
            if let Note::Summed { metrics, .. } = &mut note {
                metrics.retain(is_chosen);
            }
            let is_empty = matches!(&note, Note::Summed { metrics, .. } if metrics.is_empty());
            if !is_empty && !notes.contains(&note) {
                notes.push(note);
            }
        }
        let rows = self.rows_of(&chosen, &kind_of, units, of_region);
        let clock = self.metrics.names[chosen[0]].clone();
        let clock = if clock == NO_METRIC { String::new() } else { clock };
        let header = Header { program: name::of_file(path_name), clock, ..Header::default() };
        let mut imported = rows.import(format, header, options, notes)?;
        // Regions that only other metrics were measured in.
        imported.trace.experiments.retain(|its| !its.is_empty());
        Ok(imported)
    }

    /// The regions in which only metrics were measured that are not read.
    fn regions_without(&self, kind_of: &[Option<ChosenMetric>]) -> Vec<String> {
        let mut is_read = vec![None; self.regions.names.len()];
        for (region, metric) in self.rows.experiment_of.iter().zip(&self.metric_of) {
            let is_one = kind_of[*metric as usize].is_some();
            let known = &mut is_read[*region as usize];
            *known = Some(known.unwrap_or(false) || is_one);
        }
        let lacks =
            |(name, is_read): (&String, &Option<bool>)| (*is_read == Some(false)).then(|| name.clone());
        self.regions.names.iter().zip(&is_read).filter_map(lacks).collect()
    }

    /// The rows of the metrics that are to be read, as experiments.
    fn rows_of(
        &mut self,
        chosen: &[usize],
        kind_of: &[Option<ChosenMetric>],
        mut units: Units,
        of_region: impl Fn(&str) -> String,
    ) -> ImportedRows {
        let all = std::mem::take(&mut self.rows);
        let lengths = std::mem::take(&mut self.lengths).into_iter().map(|names| names.map(&of_region));
        let lengths: Vec<NameLengths> = lengths.collect();
        let regions = &self.regions.names;
        let mut rows = ImportedRows::default();
        for metric in chosen {
            let metric_name = if *metric == chosen[0] { "" } else { &self.metrics.names[*metric] };
            rows.experiments.extend(regions.iter().map(|region| of_region(region)));
            rows.lengths.extend_from_slice(&lengths);
            rows.metrics.resize(rows.experiments.len(), metric_name.to_owned());
        }
        let kind = |row: usize| kind_of[self.metric_of[row] as usize].as_ref();
        let kept: Vec<(usize, &ChosenMetric)> =
            (0..self.metric_of.len()).filter_map(|row| Some((row, kind(row)?))).collect();
        for (row, ChosenMetric { place, unit, number }) in &kept {
            rows.experiment_of.push((place * regions.len()) as u32 + all.experiment_of[*row]);
            rows.response.push(unit.to_base(all.response[*row]));
            rows.places.push(all.places[*row]);
            units.of_row.push(*number);
            if !all.processor.is_empty() {
                rows.processor.push(all.processor.get(*row).copied().unwrap_or(0));
            }
            if !all.summaries.is_empty() {
                let summary = all.summaries.get(*row).copied().flatten();
                rows.summaries.push(summary.map(|summary| summary.map(|value| unit.to_base(value))));
            }
        }
        let of_kept = |values: &Vec<f64>| kept.iter().map(|(row, _)| values[*row]).collect();
        rows.variables = all.variables.iter().map(|(name, values)| (name.clone(), of_kept(values))).collect();
        if units.distinct.len() == 1 {
            units.of_row = Vec::new();
        }
        rows.units = units;
        rows
    }

    /// The positions of the metrics that are to be read, the most important first.
    pub(crate) fn chosen(&self, options: &ReadOptions) -> Result<Vec<usize>, Error> {
        let names = &self.metrics.names;
        let position = |name: &String| {
            names
                .iter()
                .position(|candidate| candidate == name)
                .ok_or_else(|| Error::UnknownColumn { name: name.clone(), columns: names.clone() })
        };
        if options.metrics.len() == 1 && options.metrics[0] == ALL && !names.iter().any(|name| name == ALL) {
            let first = self.most_like_a_time();
            return Ok(std::iter::once(first).chain((0..names.len()).filter(|at| *at != first)).collect());
        }
        if !options.metrics.is_empty() {
            let mut chosen = Vec::new();
            for at in options.metrics.iter().map(position) {
                let at = at?;
                if !chosen.contains(&at) {
                    chosen.push(at);
                }
            }
            return Ok(chosen);
        }
        Ok(vec![options.response.as_ref().map_or_else(|| Ok(self.most_like_a_time()), position)?])
    }

    fn most_like_a_time(&self) -> usize {
        let names = &self.metrics.names;
        let times = time_names(names);
        let fit =
            |number: usize| times[number].as_ref().map(|time| time.fit).filter(|fit| *fit < NameFit::Letter);
        // What a call takes itself adds up along call paths; what is below it, too, does not.
        let is_inclusive = |number: usize| NotSummed::of(&names[number]) == Some(NotSummed::Inclusive);
        let times = (0..names.len()).filter_map(|number| Some((is_inclusive(number), fit(number)?, number)));
        times.min().map_or(0, |(_, _, number)| number)
    }
}

/// The unit of a metric by its name; a metric that is no time has the unit of its name. `None` if nothing says the unit of times.
fn named_unit(metric: &str, time: Option<&TimeName>) -> Option<Unit> {
    match time.filter(|time| time.fit < NameFit::Letter) {
        Some(time) => time.unit.clone(),
        None if metric == NO_METRIC => None,
        None => metric_unit(metric).or_else(|| Unit::named(metric)),
    }
}
