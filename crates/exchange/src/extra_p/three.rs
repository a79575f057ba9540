//! Experiments that Extra-P 3 saved: binary objects one behind another, each with its kind. Models are passed over.

use std::collections::HashMap;

use call_trace::Unit;

use super::json::add_parameters;
use crate::bytes::Bytes;
use crate::measurements::RowSummary;
use crate::metrics::{Metrics, PathRoom, TOO_LONG};
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions};

const QUALIFIER: &str = "EXTRAP_EXPERIMENT";
/// The first two bytes are the number 1, whose order says that of all.
const START: usize = 2;

/// Whether bytes are such an experiment.
pub(crate) fn is_experiment(bytes: &[u8]) -> bool {
    bytes.get(START + 4..).is_some_and(|rest| rest.starts_with(QUALIFIER.as_bytes()))
}

/// Reads what was measured.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let mut reader = ExtraPReader::new(bytes)?;
    while !reader.bytes.is_at_end() {
        let kind = reader.text()?;
        reader.object(&kind)?;
    }
    if reader.metrics.is_empty() {
        return Err(Error::NoResults { list: "ExperimentPoint" });
    }
    reader.metrics.import(FileFormat::ExtraP3, path_name, options)
}

struct ExtraPReader<'a> {
    bytes: Bytes<'a>,
    metrics: Metrics,
    parameters: Vec<String>,
    metric_numbers: Vec<u32>,
    region_names: HashMap<i64, String>,
    /// How often a name came up, of regions that have the same one.
    name_counts: HashMap<String, u64>,
    call_paths: HashMap<i64, (String, u32)>,
    paths: PathRoom,
    points: HashMap<i64, Vec<f64>>,
    /// Models of some versions have a further number.
    has_relative_errors: bool,
    number: u64,
}

impl<'a> ExtraPReader<'a> {
    fn new(bytes: &'a [u8]) -> Result<ExtraPReader<'a>, Error> {
        let mut bytes = Bytes::new(bytes);
        let is_little_endian = bytes.u16()? == 1;
        bytes.is_big_endian(!is_little_endian);
        let mut reader = ExtraPReader {
            bytes,
            metrics: Metrics::default(),
            parameters: Vec::new(),
            metric_numbers: Vec::new(),
            region_names: HashMap::new(),
            name_counts: HashMap::new(),
            call_paths: HashMap::new(),
            paths: PathRoom::default(),
            points: HashMap::new(),
            has_relative_errors: false,
            number: 0,
        };
        let qualifier = reader.text()?;
        if qualifier != QUALIFIER {
            return Err(reader.bytes.error(format!("expected `{QUALIFIER}`")));
        }
        reader.text()?;
        Ok(reader)
    }

    fn text(&mut self) -> Result<String, Error> {
        let length = self.bytes.u32()? as usize;
        self.bytes.take(length).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    fn expect(&mut self, expected: &str) -> Result<(), Error> {
        let found = self.text()?;
        if found == expected {
            return Ok(());
        }
        Err(self.bytes.error(format!("expected `{expected}`, found `{}`", call_grammar::excerpt(&found))))
    }

    fn skip(&mut self, numbers: usize) -> Result<(), Error> {
        self.bytes.take(numbers.saturating_mul(8)).map(|_| ())
    }

    fn object(&mut self, kind: &str) -> Result<(), Error> {
        match kind {
            "Parameter" => {
                self.skip(1)?;
                let name = self.text()?;
                self.parameters.push(name);
                if self.metrics.is_empty() {
                    add_parameters(&mut self.metrics, self.parameters.clone())?;
                }
            }
            "Metric" => {
                self.skip(1)?;
                let (name, unit) = (self.text()?, self.text()?);
                let number = self.metrics.metrics.number(&name);
                if let Some(unit) = Unit::of_time(unit.trim()) {
                    self.metrics.has_unit(number, unit);
                }
                self.metric_numbers.push(number);
            }
            "Region" => self.region()?,
            "Callpath" => {
                let (id, region, parent) = (self.bytes.i64()?, self.bytes.i64()?, self.bytes.i64()?);
                let name = self.region_names.get(&region);
                let name = name.ok_or_else(|| self.bytes.error(format!("there is no region {region}")))?;
                let path = match self.call_paths.get(&parent) {
                    Some((path, _)) => format!("{path}->{name}"),
                    None if parent == -1 => name.clone(),
                    None => return Err(self.bytes.error(format!("there is no call path {parent}"))),
                };
                if !self.paths.has_room_for(&path) {
                    return Err(self.bytes.error(TOO_LONG));
                }
                let number = self.metrics.regions.number(&path);
                self.call_paths.insert(id, (path, number));
            }
            "Coordinate" => self.coordinate()?,
            "ModelComment" => {
                self.skip(1)?;
                self.text()?;
            }
            "SingleParameterSimpleModelGenerator" => {
                self.generator(true)?;
                for _ in 0..self.bytes.count(1)? {
                    self.expect("CompoundTerm")?;
                    self.compound_term()?;
                }
                self.skip(1)?;
            }
            "SingleParameterRefiningModelGenerator" => self.generator(true)?,
            "MultiParameterSimpleModelGenerator" | "MultiParameterSparseModelGenerator" => {
                self.generator(false)?
            }
            "ExperimentPoint" => self.measurement()?,
            "Model" => self.model()?,
            other => {
                let problem = format!("`{}` is no object of Extra-P 3", call_grammar::excerpt(other));
                return Err(self.bytes.error(problem));
            }
        }
        Ok(())
    }

    /// Regions of the same name are told apart as Extra-P does.
    fn region(&mut self) -> Result<(), Error> {
        let (id, mut name) = (self.bytes.i64()?, self.text()?);
        self.text()?;
        self.skip(1)?;
        match self.name_counts.get_mut(&name).filter(|_| !self.region_names.contains_key(&id)) {
            Some(count) => {
                *count += 1;
                name = format!("{name} #{count}");
            }
            None => {
                self.name_counts.insert(name.clone(), 0);
            }
        }
        self.region_names.insert(id, name);
        Ok(())
    }

    fn coordinate(&mut self) -> Result<(), Error> {
        let id = self.bytes.i64()?;
        let mut point = vec![f64::NAN; self.parameters.len()];
        for _ in 0..self.bytes.count(12)? {
            let (name, value) = (self.text()?, self.bytes.f64()?);
            let position = self.parameters.iter().position(|known| *known == name);
            let unknown =
                || self.bytes.error(format!("there is no parameter `{}`", call_grammar::excerpt(&name)));
            point[position.ok_or_else(unknown)?] = value;
        }
        self.points.insert(id, point);
        Ok(())
    }

    fn measurement(&mut self) -> Result<(), Error> {
        self.number += 1;
        let (point, count) = (self.bytes.i64()?, self.bytes.i64()?);
        let mut values = [0.0; 9];
        for value in &mut values {
            *value = self.bytes.f64()?;
        }
        // Between mean, deviation, median and the extremes stand the ends of intervals.
        let [mean, _, _, standard_deviation, median, _, _, least, most] = values;
        let (metric, path) = (self.bytes.i64()?, self.bytes.i64()?);
        let missing = |what: &str, id: i64| self.bytes.error(format!("there is no {what} {id}"));
        let at = self.points.get(&point).ok_or_else(|| missing("coordinate", point))?;
        let number = usize::try_from(metric).ok().and_then(|metric| self.metric_numbers.get(metric));
        let number = *number.ok_or_else(|| missing("metric", metric))?;
        let (_, region) = self.call_paths.get(&path).ok_or_else(|| missing("call path", path))?;
        let count = count.max(1) as u64;
        let summary = RowSummary { count, mean, standard_deviation, least, most };
        let place = PlaceInText::Entry(self.number);
        self.metrics.push_summary(*region, number, at, median, summary, place);
        Ok(())
    }

    /// Passes over what makes models, and sees whether the models have relative errors.
    fn generator(&mut self, is_of_one_parameter: bool) -> Result<(), Error> {
        self.text()?;
        if is_of_one_parameter {
            self.text()?;
            self.skip(1)?;
        }
        self.text()?;
        let start = self.bytes.at();
        match self.strategy() {
            Ok(true) => self.has_relative_errors = true,
            Ok(false) | Err(_) => self.bytes.back_to(start),
        }
        Ok(())
    }

    /// Whether options stand here that older versions do not have.
    fn strategy(&mut self) -> Result<bool, Error> {
        self.skip(1)?;
        let single = self.text()?;
        self.skip(2)?;
        let multi = self.text()?;
        Ok(["FIRST_POINTS_FOUND", "MAX_NUMBER_POINTS", "CHEAPEST_POINTS"].contains(&single.as_str())
            && ["INCREASING_COST", "DECREASING_COST"].contains(&multi.as_str()))
    }

    fn model(&mut self) -> Result<(), Error> {
        /// The function, and both ends of three intervals.
        const FUNCTIONS: usize = 7;
        self.skip(3)?;
        for _ in 0..FUNCTIONS {
            self.function()?;
        }
        self.skip(3 + usize::from(self.has_relative_errors))?;
        let comments = self.bytes.count(8)?;
        self.skip(comments)?;
        for _ in 0..self.bytes.count(12)? {
            self.text()?;
            let intervals = self.bytes.count(16)?;
            self.skip(2 * intervals)?;
        }
        Ok(())
    }

    fn function(&mut self) -> Result<(), Error> {
        let kind = self.text()?;
        match kind.as_str() {
            "SingleParameterFunction" => {
                self.skip(1)?;
                for _ in 0..self.bytes.count(12)? {
                    self.expect("CompoundTerm")?;
                    self.compound_term()?;
                }
            }
            "MultiParameterFunction" => {
                self.skip(1)?;
                for _ in 0..self.bytes.count(16)? {
                    self.skip(1)?;
                    for _ in 0..self.bytes.count(16)? {
                        self.text()?;
                        self.expect("CompoundTerm")?;
                        self.compound_term()?;
                    }
                }
            }
            "SimpleTerm" => self.simple_term()?,
            "CompoundTerm" => self.compound_term()?,
            "Function" => {}
            other => {
                return Err(self.bytes.error(format!("`{}` is no function", call_grammar::excerpt(other))));
            }
        }
        Ok(())
    }

    fn compound_term(&mut self) -> Result<(), Error> {
        self.skip(1)?;
        for _ in 0..self.bytes.count(16)? {
            self.expect("SimpleTerm")?;
            self.simple_term()?;
        }
        Ok(())
    }

    fn simple_term(&mut self) -> Result<(), Error> {
        self.text()?;
        self.skip(1)
    }
}
