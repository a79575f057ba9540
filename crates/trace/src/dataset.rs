mod same;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::merge_error::MergeError;
use crate::run::Run;
use crate::whole_report::WholeReport;
use crate::{Completeness, Experiment, Header, Samples, Trace};

/// Several traces as one set of samples.
#[derive(Debug, Clone, Default)]
pub struct Dataset {
    /// The runs; [`Samples::run`] counts in them.
    pub runs: Vec<Run>,
    /// The experiments of all runs, in the order in which they were first seen.
    pub experiments: Vec<Experiment>,
    /// For each experiment the runs that its variables, its formula and its unit are from.
    origins: HashMap<String, FirstRuns>,
    reports: Vec<WholeReport>,
    /// The tables, by run and experiment, among whose contents is what they are condensed to.
    condensed_tables: HashSet<(u32, String)>,
}

#[derive(Debug, Clone, Copy)]
struct FirstRuns {
    variables: usize,
    formula: usize,
    unit: usize,
}

/// An experiment has another formula in a newer run than in an older one: the newer one counts, as the source says it now.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct FormulaChange {
    pub experiment: String,
    pub newer: String,
    pub newer_file: String,
    pub older: String,
    pub older_file: String,
}

impl Dataset {
    /// A set without runs.
    pub fn new() -> Dataset {
        Dataset::default()
    }

    /// Adds a trace as a further run, or as a part of the unfinished run that it is from. Samples of an experiment that is
    /// known are appended to those it has. What a whole report of the run has is left out of the files that the run had saved
    /// before: it may have been killed when the report was there and they not yet gone.
    ///
    /// # Errors
    /// If the trace gives an experiment other variables or another response than the runs before, another formula where it is of another program
    /// or the dates do not tell which one is newer, or reports what was added from such files; then nothing is added. An absent formula goes
    /// with any.
    pub fn add(&mut self, label: &str, trace: Trace) -> Result<Vec<FormulaChange>, MergeError> {
        let content = trace.content();
        self.add_with(content, label, trace)
    }

    /// The same for a trace whose [content](Trace::content) is known.
    ///
    /// # Errors
    /// As those of [`Dataset::add`].
    pub fn add_with(
        &mut self,
        content: Option<u64>,
        label: &str,
        mut trace: Trace,
    ) -> Result<Vec<FormulaChange>, MergeError> {
        let known = self.experiments.iter().enumerate();
        let mut positions: HashMap<String, usize> =
            known.map(|(position, its)| (its.name.clone(), position)).collect();
        let mut new: HashMap<&str, &Experiment> = HashMap::new();
        for experiment in &trace.experiments {
            let known = positions.get(&experiment.name).map(|position| &self.experiments[*position]);
            if let Some(known) = known.or_else(|| new.insert(&experiment.name, experiment)) {
                self.compare(known, experiment, label, &trace.header)?;
            }
        }
        let report = WholeReport::of(&trace);
        if let Some(report) = &report {
            self.check_unfinished(report, label)?;
            self.leave_out_reported_sections(report);
        }
        self.reports.extend(report);
        self.leave_out_reported(&mut trace);
        let experiments = std::mem::take(&mut trace.experiments);
        let run = self.add_run(label, trace);
        let contents = content.into_iter().chain(experiments.iter().filter_map(Experiment::content));
        self.runs[run].contents.extend(contents);
        let mut changes = Vec::new();
        for experiment in experiments {
            changes.extend(self.change_formula(&experiment, label, run, &positions));
            self.add_experiment(experiment, run, &mut positions);
        }
        Ok(changes)
    }

    fn check_unfinished(&self, report: &WholeReport, label: &str) -> Result<(), MergeError> {
        let is_unfinished = |run: &&Run| matches!(run.completeness, Completeness::Unfinished { .. });
        for (number, run) in self.runs.iter().enumerate().filter(|(_, run)| is_unfinished(run)) {
            let holds = |its: &&Experiment| {
                let runs = its.samples.run.iter().chain(&its.summaries.points.run);
                report.covers(&run.header, &its.name) && runs.into_iter().any(|its| *its as usize == number)
            };
            if let Some(experiment) = self.experiments.iter().find(holds) {
                return Err(MergeError::Reported {
                    experiment: experiment.name.clone(),
                    report: label.to_owned(),
                    unfinished: run.label().to_owned(),
                });
            }
        }
        Ok(())
    }

    fn leave_out_reported_sections(&mut self, report: &WholeReport) {
        for run in &mut self.runs {
            if matches!(run.completeness, Completeness::Unfinished { .. }) && report.follows(&run.header) {
                run.supersteps = Arc::default();
                run.events = Arc::default();
            }
        }
    }

    fn leave_out_reported(&self, trace: &mut Trace) {
        let Completeness::Unfinished { rows, .. } = &mut trace.completeness else {
            return;
        };
        let header = &trace.header;
        if self.reports.iter().any(|report| report.follows(header)) {
            trace.supersteps.clear();
            trace.events.clear();
        }
        for experiment in &mut trace.experiments {
            if self.reports.iter().any(|report| report.covers(header, &experiment.name)) {
                *rows = rows
                    .saturating_sub((experiment.samples.len() + experiment.summaries.points.len()) as u64);
                experiment.samples = experiment.samples.select(|_| false);
                experiment.summaries = experiment.summaries.select(|_| false);
            }
        }
        let left: Vec<&str> =
            trace.experiments.iter().filter(|its| !its.is_empty()).map(|its| its.name.as_str()).collect();
        trace.condensations.retain(|its| left.contains(&its.experiment.as_str()));
    }

    /// The number of the run that a file is from.
    fn add_run(&mut self, file: &str, trace: Trace) -> usize {
        let Trace { header, completeness, supersteps, events, condensations, .. } = trace;
        if let Completeness::Unfinished { run: word, rows: added } = &completeness {
            for (number, run) in self.runs.iter_mut().enumerate() {
                if let Completeness::Unfinished { run: known, rows } = &mut run.completeness
                    && (&*known, &run.header.program) == (word, &header.program)
                {
                    *rows += added;
                    run.add_supersteps(supersteps);
                    run.add_events(events);
                    run.condensations.extend(condensations);
                    run.files.push(file.to_owned());
                    run.header.processors = run.header.processors.max(header.processors);
                    run.header.abandoned = run.header.abandoned.saturating_add(header.abandoned);
                    run.header.late_chunks = run.header.late_chunks.saturating_add(header.late_chunks);
                    return number;
                }
            }
        }
        let (files, supersteps, events) = (vec![file.to_owned()], supersteps.into(), events.into());
        self.runs.push(Run {
            files,
            header,
            supersteps,
            events,
            completeness,
            condensations,
            contents: Vec::new(),
        });
        self.runs.len() - 1
    }

    /// Lets the formula of the newer run count.
    fn change_formula(
        &mut self,
        new: &Experiment,
        label: &str,
        run: usize,
        positions: &HashMap<String, usize>,
    ) -> Option<FormulaChange> {
        let known = &mut self.experiments[*positions.get(&new.name)?];
        let formula = new.formula.clone()?;
        let known_formula = known.formula.clone().filter(|known| *known != formula)?;
        let origin = self.origins.get_mut(&new.name)?;
        let known_run = &self.runs[origin.formula];
        let mut both = [(known_formula, known_run.label().to_owned()), (formula, label.to_owned())];
        if self.runs[run].header.date >= known_run.header.date {
            known.formula = new.formula.clone();
            origin.formula = run;
        } else {
            both.reverse();
        }
        let [(older, older_file), (newer, newer_file)] = both;
        Some(FormulaChange { experiment: new.name.clone(), newer, newer_file, older, older_file })
    }

    fn compare(
        &self,
        known: &Experiment,
        new: &Experiment,
        label: &str,
        header: &Header,
    ) -> Result<(), MergeError> {
        let origin = self.origins.get(&known.name);
        // What no run before has is from the new trace itself.
        let file = |run: Option<usize>| {
            run.and_then(|run| self.runs.get(run))
                .map_or_else(|| label.to_owned(), |run| run.label().to_owned())
        };
        let experiment = known.name.clone();
        let known_header = origin.and_then(|origin| self.runs.get(origin.formula)).map(|run| &run.header);
        let is_earlier_or_later = known_header.is_some_and(|known| {
            known.program == header.program && !known.date.is_empty() && !header.date.is_empty()
        });
        if let (Some(left), Some(right)) = (&known.formula, &new.formula)
            && left != right
            && !is_earlier_or_later
        {
            return Err(MergeError::Formula {
                experiment,
                left: left.clone(),
                left_file: file(origin.map(|origin| origin.formula)),
                right: right.clone(),
                right_file: label.to_owned(),
            });
        }
        if sorted(&known.samples) != sorted(&new.samples) {
            return Err(MergeError::Variables {
                experiment,
                left: variables(&known.samples),
                left_file: file(origin.map(|origin| origin.variables)),
                right: variables(&new.samples),
                right_file: label.to_owned(),
            });
        }
        if known.differs_in_response(new) {
            return Err(MergeError::Units {
                experiment,
                left: known.measured_in(),
                left_file: file(origin.map(|origin| origin.unit)),
                right: new.measured_in(),
                right_file: label.to_owned(),
            });
        }
        Ok(())
    }

    fn add_experiment(&mut self, mut new: Experiment, run: usize, positions: &mut HashMap<String, usize>) {
        let number = u32::try_from(run).unwrap_or(u32::MAX);
        new.samples.run.fill(number);
        new.summaries.points.run.fill(number);
        let Some(position) = positions.get(&new.name) else {
            positions.insert(new.name.clone(), self.experiments.len());
            self.origins.insert(new.name.clone(), FirstRuns { variables: run, formula: run, unit: run });
            self.experiments.push(new);
            return;
        };
        let known = &mut self.experiments[*position];
        if let Some(origin) = self.origins.get_mut(&known.name) {
            if known.formula.is_none() && new.formula.is_some() {
                origin.formula = run;
            }
            if known.is_empty() {
                origin.unit = run;
            }
        }
        // `compare` has seen that variables and responses are the same.
        let _ = known.merge(new);
    }
}

fn variables(samples: &Samples) -> Vec<String> {
    samples.names.iter().skip(1).cloned().collect()
}

fn sorted(samples: &Samples) -> Vec<String> {
    let mut names = variables(samples);
    names.sort_unstable();
    names
}
