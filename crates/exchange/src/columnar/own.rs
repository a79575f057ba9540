//! Files that this project wrote.

use std::collections::BTreeMap;

use call_grammar::{Formula, excerpt};
use call_trace::{Experiment, LineRange, Samples, SourceCounts, Summaries, Trace, Unit};
use serde::Deserialize;

use super::values::RowValues;
use super::write::variable_column;
use super::{EXPERIMENT, RUN, SCHEMA_VERSION, SUMS, SampledRun, TIME};
use crate::roles::{COUNT, COUNTER, PROCESSOR, VALUE};
use crate::{Error, Imported, OriginalNames, PlaceInText};

/// Samples with their runs, as [`write_parquet`](super::write_parquet) wrote them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ColumnarSamples {
    /// The experiments; [`Samples::run`] counts in the runs.
    pub experiments: Vec<Experiment>,
    /// How the calls of experiments of these names are written, where that is otherwise.
    pub originals: BTreeMap<String, String>,
    /// What is known of each run.
    pub runs: Vec<SampledRun>,
}

impl ColumnarSamples {
    /// The same with the names that experiments have beside those that were given in other files.
    #[must_use]
    pub fn named(mut self, names: &mut OriginalNames) -> ColumnarSamples {
        fn path(name: &str) -> &str {
            name.split(':').next().unwrap_or_default()
        }
        let written = |its: &Experiment| match self.originals.get(&its.name) {
            Some(original) => original.clone(),
            None => path(&its.name).to_owned(),
        };
        let given = names.of_experiments(&self.experiments.iter().map(written).collect::<Vec<_>>());
        let mut renamed: BTreeMap<String, String> = BTreeMap::new();
        for (experiment, given) in self.experiments.iter().zip(given) {
            let name = format!("{given}{}", &experiment.name[path(&experiment.name).len()..]);
            if name != experiment.name {
                renamed.insert(experiment.name.clone(), name);
            }
        }
        let taken = |name: &String| {
            self.experiments.iter().any(|its| its.name == *name && !renamed.contains_key(name))
        };
        if renamed.is_empty() || renamed.values().any(taken) {
            return self;
        }
        let rename = |name: &mut String| {
            if let Some(new) = renamed.get(name) {
                name.clone_from(new);
            }
        };
        let formula = |before: &str, formula: &mut Option<String>| {
            if let (Some(text), Some(new)) = (formula.as_mut(), renamed.get(before))
                && let Ok(known) = Formula::parse(before, text)
            {
                *text = known.renamed(new).to_string();
            }
        };
        for experiment in &mut self.experiments {
            formula(&experiment.name, &mut experiment.formula);
            rename(&mut experiment.name);
        }
        for run in &mut self.runs {
            run.condensations.iter_mut().for_each(|its| rename(&mut its.experiment));
            for (mut name, mut of_run) in std::mem::take(&mut run.formulas) {
                formula(&name, &mut of_run);
                rename(&mut name);
                run.formulas.insert(name, of_run);
            }
        }
        let originals = std::mem::take(&mut self.originals).into_iter().map(|(mut name, original)| {
            rename(&mut name);
            (name, original)
        });
        self.originals = originals.collect();
        self
    }

    /// Each run with its files as the trace that it would be alone. An experiment that nothing was measured of is in the first one.
    pub fn into_traces(self) -> Vec<(Vec<String>, Trace)> {
        let (mut files, mut traces, mut formulas) = (Vec::new(), Vec::new(), Vec::new());
        for run in self.runs {
            let SampledRun { files: its, header, completeness, condensations, formulas: of_run } = run;
            files.push(its);
            traces.push(Trace { header, completeness, condensations, ..Trace::default() });
            formulas.push(of_run);
        }
        split(self.experiments, &mut traces);
        for (trace, mut formulas) in traces.iter_mut().zip(formulas) {
            for experiment in &mut trace.experiments {
                if let Some(formula) = formulas.remove(&experiment.name) {
                    experiment.formula = formula;
                }
            }
        }
        files.into_iter().zip(traces).collect()
    }
}

impl Imported {
    /// Each run as the trace that it would be alone.
    pub fn into_traces(self) -> Vec<Trace> {
        let Trace { experiments, .. } = &self.trace;
        let runs = experiments.iter().flat_map(|its| its.samples.run.iter().chain(&its.summaries.points.run));
        match runs.max().map_or(1, |last| *last as usize + 1) {
            1 => vec![self.trace],
            count => {
                let Trace { header, experiments, .. } = self.trace;
                let mut traces = vec![Trace { header, ..Trace::default() }; count];
                split(experiments, &mut traces);
                traces
            }
        }
    }
}

/// Gives each run its samples. An experiment that nothing was measured of is in the first one.
fn split(experiments: Vec<Experiment>, traces: &mut [Trace]) {
    for experiment in experiments {
        let rows = |runs: &[u32]| {
            let mut rows = vec![Vec::new(); traces.len()];
            runs.iter().enumerate().for_each(|(row, run)| rows[*run as usize].push(row));
            rows
        };
        let (samples, summaries) = (rows(&experiment.samples.run), rows(&experiment.summaries.points.run));
        let is_empty = experiment.is_empty();
        for (number, trace) in traces.iter_mut().enumerate() {
            if samples[number].is_empty() && summaries[number].is_empty() && !(is_empty && number == 0) {
                continue;
            }
            let mut own = Experiment {
                samples: experiment.samples.pick(&samples[number]),
                summaries: experiment.summaries.pick(&summaries[number]),
                name: experiment.name.clone(),
                formula: experiment.formula.clone(),
                observable: experiment.observable.clone(),
                lines: experiment.lines.clone(),
                source_counts: experiment.source_counts.clone(),
                unit: experiment.unit.clone(),
            };
            own.samples.run.fill(0);
            own.summaries.points.run.fill(0);
            trace.experiments.push(own);
        }
    }
}

#[derive(Deserialize)]
pub(super) struct FileContents {
    schema_version: u64,
    experiments: Vec<AboutExperiment>,
    runs: Vec<Vec<String>>,
    /// What is known of each run besides its files; files of before have none.
    #[serde(default)]
    known: Vec<SampledRun>,
}

#[derive(Deserialize)]
struct AboutExperiment {
    name: String,
    formula: Option<String>,
    unit: String,
    variables: Vec<String>,
    counters: Vec<String>,
    #[serde(default)]
    observable: Option<String>,
    /// How its name was written; files of before do not say it.
    #[serde(default)]
    original: Option<String>,
    #[serde(default)]
    lines: Vec<LineRange>,
    #[serde(default)]
    source_counts: Option<SourceCounts>,
}

impl FileContents {
    pub(super) fn read(text: &str) -> Result<FileContents, Error> {
        let about: FileContents = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if about.schema_version > SCHEMA_VERSION {
            return Err(wrong(format!(
                "it has schema version {}, and this program reads 1 to {SCHEMA_VERSION}",
                about.schema_version
            )));
        }
        Ok(about)
    }

    pub(super) fn samples(self, columns: &[(String, RowValues)]) -> Result<ColumnarSamples, Error> {
        let rows = Rows { columns };
        let names = rows.texts(EXPERIMENT)?;
        let experiments = self.experiments.iter().map(|about| {
            let own: Vec<usize> =
                (0..names.len()).filter(|row| names[*row].as_deref() == Some(&about.name)).collect();
            about.experiment(&rows, &own)
        });
        let experiments: Vec<Experiment> = experiments.collect::<Result<_, _>>()?;
        let rows_of = |its: &Experiment| its.samples.len() + its.summaries.len();
        let found: usize = experiments.iter().map(rows_of).sum();
        if found != names.len() {
            return Err(wrong("its rows are not each of one of the experiments that it names"));
        }
        let is_known = |run: &u32| (*run as usize) < self.runs.len();
        let mut runs =
            experiments.iter().flat_map(|its| its.samples.run.iter().chain(&its.summaries.points.run));
        if !runs.all(is_known) {
            return Err(wrong("a row is of a run that it does not name"));
        }
        let mut known = self.known.into_iter();
        let runs = self.runs.into_iter();
        let runs = runs.map(|files| SampledRun { files, ..known.next().unwrap_or_default() }).collect();
        let originals = self.experiments.into_iter().filter_map(|its| Some((its.name, its.original?)));
        Ok(ColumnarSamples { originals: originals.collect(), runs, experiments })
    }
}

impl AboutExperiment {
    fn experiment(&self, rows: &Rows, own: &[usize]) -> Result<Experiment, Error> {
        let unit =
            Unit::named(&self.unit).ok_or_else(|| wrong(format!("`{}` is no unit", excerpt(&self.unit))))?;
        let has_sums = rows.has(SUMS[0]);
        let sums = match has_sums {
            true => SUMS.map(|name| rows.numbers(name, own)).into_iter().collect::<Result<Vec<_>, _>>()?,
            false => vec![vec![f64::NAN; own.len()]; SUMS.len()],
        };
        let is_summary = |row: usize| !sums[0][row].is_nan();
        let (of_summaries, of_samples): (Vec<usize>, Vec<usize>) =
            (0..own.len()).partition(|row| is_summary(*row));
        let all = self.samples(rows, own)?;
        let sum = |which: usize| of_summaries.iter().map(|row| sums[which][*row]).collect();
        let mut samples = all.pick(&of_samples);
        // What a summary has counted is one measurement still.
        samples.count.iter_mut().filter(|count| **count == 0).for_each(|count| *count = 1);
        if samples.count.iter().all(|count| *count == 1) {
            samples.count.clear();
        }
        let summaries = match of_summaries.is_empty() {
            true => Summaries::default(),
            false => Summaries {
                points: all.pick(&of_summaries),
                sum_s: sum(0),
                sum_squares_s2: sum(1),
                min_s: sum(2),
                max_s: sum(3),
            },
        };
        Ok(Experiment {
            name: self.name.clone(),
            formula: self.formula.clone(),
            observable: self.observable.clone(),
            lines: self.lines.clone(),
            source_counts: self.source_counts.clone(),
            unit,
            samples,
            summaries,
        })
    }

    fn samples(&self, rows: &Rows, own: &[usize]) -> Result<Samples, Error> {
        // Files of before have times only, and a variable may be called as what is none today.
        let variable = |name: &String| match variable_column(name) {
            column if rows.has(&column) => rows.numbers(&column, own),
            _ => rows.numbers(name, own),
        };
        let response = if rows.has(TIME) { TIME } else { VALUE };
        let counter = |name: &String| rows.numbers(&format!("{COUNTER}{name}"), own);
        let whole = |name: &str| -> Result<Vec<u64>, Error> {
            let numbers = rows.numbers(name, own)?;
            let is_whole = |number: &f64| number.fract() == 0.0 && (0.0..9e15).contains(number);
            match numbers.iter().find(|number| !is_whole(number)) {
                Some(number) => Err(wrong(format!("`{name}` has the value {number}"))),
                None => Ok(numbers.iter().map(|number| *number as u64).collect()),
            }
        };
        let places = |name: &str| -> Result<Vec<u32>, Error> {
            let place = |number: u64| {
                u32::try_from(number).map_err(|_| wrong(format!("`{name}` has the value {number}")))
            };
            whole(name)?.into_iter().map(place).collect()
        };
        Ok(Samples {
            names: self.variables.clone(),
            columns: self.variables.iter().map(variable).collect::<Result<_, _>>()?,
            processor: places(PROCESSOR)?,
            run: places(RUN)?,
            time_s: rows.numbers(response, own)?,
            count: whole(COUNT)?,
            counter_names: self.counters.clone(),
            counters: self.counters.iter().map(counter).collect::<Result<_, _>>()?,
        })
    }
}

/// All rows of a file.
struct Rows<'a> {
    columns: &'a [(String, RowValues)],
}

impl Rows<'_> {
    fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|(known, _)| known == name)
    }

    fn column(&self, name: &str) -> Result<&RowValues, Error> {
        let found = self.columns.iter().find(|(known, _)| known == name);
        found.map(|(_, values)| values).ok_or_else(|| wrong(format!("it has no column `{}`", excerpt(name))))
    }

    fn texts(&self, name: &str) -> Result<&[Option<String>], Error> {
        match self.column(name)? {
            RowValues::Texts(texts) => Ok(texts),
            _ => Err(wrong(format!("its column `{}` has no texts", excerpt(name)))),
        }
    }

    fn numbers(&self, name: &str, rows: &[usize]) -> Result<Vec<f64>, Error> {
        let RowValues::Numbers(numbers) = self.column(name)? else {
            return Err(wrong(format!("its column `{}` has no numbers", excerpt(name))));
        };
        let number = |row: &usize| numbers.get(*row).copied();
        let found: Option<Vec<f64>> = rows.iter().map(number).collect();
        found.ok_or_else(|| wrong("its columns have different lengths"))
    }
}

fn wrong(problem: impl Into<String>) -> Error {
    let problem = format!("this table is none of CALL any more: {}", problem.into());
    Error::Binary { place: PlaceInText::Byte(0), problem }
}
