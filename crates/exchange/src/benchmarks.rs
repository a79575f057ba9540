//! Runs of benchmarks with parameters of their own: those that one lacks are missing in its rows.

use std::collections::HashMap;

use crate::json::Json;
use crate::measurements::{MOST_PARAMETERS, RowSummary, check_padding};
use crate::metrics::Metrics;
use crate::short_names::NameLengths;
use crate::{Error, PlaceInText};

/// Runs of several benchmarks.
#[derive(Default)]
pub(crate) struct Benchmarks {
    pub(crate) metrics: Metrics,
    position_of: HashMap<String, usize>,
}

/// Name and parameters of a run.
pub(crate) struct BenchmarkRun {
    pub(crate) name: NameLengths,
    pub(crate) numbers: Vec<(String, f64)>,
    pub(crate) place: PlaceInText,
}

impl BenchmarkRun {
    /// A run without parameters.
    pub(crate) fn new(name: impl Into<NameLengths>, place: PlaceInText) -> BenchmarkRun {
        BenchmarkRun { name: name.into(), numbers: Vec::new(), place }
    }

    /// Adds parameters: numbers are variables, other values a part of the name.
    pub(crate) fn with_parameters(mut self, parameters: Option<&Json>) -> Result<BenchmarkRun, Error> {
        let Some(Json::Object(parameters)) = parameters else { return Ok(self) };
        if parameters.len() > MOST_PARAMETERS {
            return Err(Error::Parameters { place: self.place, most: MOST_PARAMETERS });
        }
        let mut texts: Vec<(&str, String)> = Vec::new();
        for (name, value) in parameters {
            match value.number() {
                Some(number) if number.is_finite() => self.numbers.push((name.clone(), number)),
                _ => texts.extend(value.word().map(|word| (name.as_str(), word))),
            }
        }
        texts.iter().for_each(|(_, word)| self.name.extend(&format!("_{word}")));
        if texts.len() > 1 {
            // `a_b` and `c` are not `a` and `b_c`.
            let named: Vec<String> = texts.iter().map(|(name, word)| format!("{name}={word}")).collect();
            self.name.is_also(format!("{} {}", self.name.whole(), named.join(" ")));
        }
        Ok(self)
    }
}

impl Benchmarks {
    /// The point of a run, of all variables so far.
    fn point(&mut self, run: &BenchmarkRun) -> Result<Vec<f64>, Error> {
        let variables = &mut self.metrics.rows.variables;
        let rows = self.metrics.rows.places.len();
        for (name, _) in &run.numbers {
            if !self.position_of.contains_key(name) {
                self.position_of.insert(name.clone(), variables.len());
                variables.push((name.clone(), vec![f64::NAN; rows]));
            }
        }
        check_padding(variables.len(), rows + 1, rows + 1, run.place)?;
        let mut point = vec![f64::NAN; variables.len()];
        for (name, value) in &run.numbers {
            point[self.position_of[name]] = *value;
        }
        Ok(point)
    }

    fn region(&mut self, run: &BenchmarkRun) -> u32 {
        let metrics = &mut self.metrics;
        let region = metrics.regions.number(run.name.whole());
        if region as usize == metrics.lengths.len() {
            metrics.lengths.push(run.name.clone());
        }
        region
    }

    /// Adds values of a metric.
    pub(crate) fn push(&mut self, run: &BenchmarkRun, metric: u32, values: &[f64]) -> Result<(), Error> {
        let point = self.point(run)?;
        let region = self.region(run);
        values.iter().for_each(|value| self.metrics.push(region, metric, &point, *value, run.place));
        Ok(())
    }

    /// Adds a value of one of several processors.
    pub(crate) fn push_of(
        &mut self,
        processor: u32,
        run: &BenchmarkRun,
        metric: u32,
        value: f64,
    ) -> Result<(), Error> {
        let point = self.point(run)?;
        let region = self.region(run);
        self.metrics.push_of(processor, region, metric, &point, value, run.place);
        Ok(())
    }

    /// Adds what was kept of values of a metric.
    pub(crate) fn push_summary(
        &mut self,
        run: &BenchmarkRun,
        metric: u32,
        median: f64,
        summary: RowSummary,
    ) -> Result<(), Error> {
        let point = self.point(run)?;
        let region = self.region(run);
        self.metrics.push_summary(region, metric, &point, median, summary, run.place);
        Ok(())
    }
}

/// The deviation of measurements themselves, from that of others like them.
pub(crate) fn own_deviation(of_others: f64, count: u64) -> f64 {
    let count = count.max(1) as f64;
    of_others * ((count - 1.0) / count).sqrt()
}
