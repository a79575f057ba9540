//! Input files of Extra-P.

pub(crate) mod json_lines;
pub(crate) mod text;

use std::collections::HashMap;

use call_trace::{Header, Trace};

use crate::measured::Measured;
use crate::time_name::{Fit, TimeName, time_name};
use crate::{Error, Format, Imported, Note, Options, Place, Reason, name};

/// What Extra-P calls a region or a metric without a name.
const NO_REGION: &str = "<root>";
const NO_METRIC: &str = "<default>";

/// Measurements of regions and metrics at points.
#[derive(Default)]
struct Measurements {
    regions: Numbered,
    metrics: Numbered,
    parameters: Vec<(String, Vec<f64>)>,
    region_of: Vec<u32>,
    metric_of: Vec<u32>,
    values: Vec<f64>,
    places: Vec<Place>,
}

/// Names in the order in which they came up.
#[derive(Default)]
struct Numbered {
    names: Vec<String>,
    number_of: HashMap<String, u32>,
}

impl Numbered {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.number_of.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.number_of.insert(name.to_owned(), number);
        number
    }
}

impl Measurements {
    /// Makes experiments of the values of one metric: the one that was asked for, else the one that is most like a time.
    fn import(self, format: Format, path_name: &str, options: &Options) -> Result<Imported, Error> {
        let metric = self.metric(options)?;
        let metric_name = self.metrics.names[metric].clone();
        let mut notes = Vec::new();
        let unit = options.time_unit.or_else(|| time_name(&metric_name)?.unit);
        let is_time =
            options.time_unit.is_some() || is_time(&metric_name).is_some() || metric_name == NO_METRIC;
        let chosen: Vec<usize> =
            (0..self.values.len()).filter(|row| self.metric_of[*row] as usize == metric).collect();
        let of_chosen = |values: &[f64]| -> Vec<f64> { chosen.iter().map(|row| values[*row]).collect() };
        let file = options.experiment_name.clone().unwrap_or_else(|| name::of_file(path_name));
        let regions = &self.regions.names;
        let single_name = |name: &String| if name == NO_REGION { file.clone() } else { name.clone() };
        let mut measured = Measured {
            experiments: regions.iter().map(single_name).collect(),
            experiment_of: chosen.iter().map(|row| self.region_of[*row]).collect(),
            variables: self
                .parameters
                .iter()
                .map(|(name, values)| (name.clone(), of_chosen(values)))
                .collect(),
            time_s: of_chosen(&self.values)
                .iter()
                .map(|time| unit.unwrap_or_default().seconds(*time))
                .collect(),
            places: chosen.iter().map(|row| self.places[*row]).collect(),
            ..Measured::default()
        };
        let clock = if metric_name == NO_METRIC { String::new() } else { metric_name.clone() };
        if is_time {
            let unit_note = unit.unwrap_or_default();
            notes.push(Note::Time { column: metric_name, unit: unit_note, is_assumed: unit.is_none() });
        } else {
            for experiment in &measured.experiments {
                notes
                    .push(Note::NotATime { experiment: experiment.clone(), observable: metric_name.clone() });
            }
        }
        let others: Vec<String> = self
            .metrics
            .names
            .iter()
            .enumerate()
            .filter(|(number, _)| *number != metric)
            .map(|(_, name)| name.clone())
            .collect();
        if !others.is_empty() {
            notes.push(Note::LeftOut { names: others, reason: Reason::OtherMetric });
        }
        measured.apply(options, &mut notes)?;
        let mut experiments = measured.into_experiments(&mut notes)?;
        // Regions that only other metrics were measured in.
        experiments.retain(|its| !its.samples.is_empty());
        let most =
            experiments.iter().flat_map(|its| &its.samples.columns[0]).fold(1.0, |a: f64, b| a.max(*b));
        let header =
            Header { program: name::of_file(path_name), clock, processors: most as u32, ..Header::default() };
        Ok(Imported { format, trace: Trace { header, experiments, ..Trace::default() }, notes })
    }

    fn metric(&self, options: &Options) -> Result<usize, Error> {
        let names = &self.metrics.names;
        if let Some(name) = &options.time_column {
            return names
                .iter()
                .position(|candidate| candidate == name)
                .ok_or_else(|| Error::UnknownColumn { name: name.clone(), columns: names.clone() });
        }
        let best = (0..names.len()).filter_map(|number| Some((is_time(&names[number])?, number))).min();
        Ok(best.map_or(0, |(_, number)| number))
    }
}

fn is_time(metric: &str) -> Option<Fit> {
    time_name(metric).map(|TimeName { fit, .. }| fit).filter(|fit| *fit < Fit::Letter)
}
