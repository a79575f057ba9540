use std::collections::HashMap;
use std::sync::Arc;

use crate::error::listed;
use crate::whole_report::WholeReport;
use crate::{
    Completeness, Condensation, Experiment, Header, ProcessorEvents, ProcessorSupersteps, Samples, Trace,
};

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
}

/// A run of an instrumented program.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Names of the trace files: one, or those of the processes of an unfinished run.
    pub files: Vec<String>,
    /// What the trace says about the run.
    pub header: Header,
    /// The supersteps of each processor, if the program recorded them; clones of a run share them.
    pub supersteps: Arc<[ProcessorSupersteps]>,
    /// What each processor did, if the program recorded its events; clones of a run share them.
    pub events: Arc<[ProcessorEvents]>,
    /// Whether all that it measured is there.
    pub completeness: Completeness,
    /// The experiments that had more samples than were to be kept.
    pub condensations: Vec<Condensation>,
    /// What its files hold, as numbers that are the same for copies of them ([`Trace::content`]).
    pub contents: Vec<u64>,
}

impl Run {
    /// What it is called: the name of its first file.
    pub fn label(&self) -> &str {
        self.files.first().map_or("", String::as_str)
    }

    /// Those of another file of an unfinished run.
    fn add_supersteps(&mut self, added: Vec<ProcessorSupersteps>) {
        let is_new =
            |its: &ProcessorSupersteps| self.supersteps.iter().all(|known| known.processor != its.processor);
        let new: Vec<ProcessorSupersteps> = added.into_iter().filter(is_new).collect();
        if !new.is_empty() {
            self.supersteps = self.supersteps.iter().cloned().chain(new).collect();
        }
    }

    /// Likewise.
    fn add_events(&mut self, added: Vec<ProcessorEvents>) {
        let is_new = |its: &ProcessorEvents| self.events.iter().all(|known| known.processor != its.processor);
        let new: Vec<ProcessorEvents> = added.into_iter().filter(is_new).collect();
        if !new.is_empty() {
            self.events = self.events.iter().cloned().chain(new).collect();
        }
    }
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

/// Why a trace does not fit to those before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum MergeError {
    #[error(
        "experiment `{experiment}` has the formula `{left}` in {left_file}, but `{right}` in {right_file}"
    )]
    Formula { experiment: String, left: String, left_file: String, right: String, right_file: String },
    #[error(
        "experiment `{experiment}` has the variables {} in {left_file}, but {} in {right_file}",
        listed(left),
        listed(right)
    )]
    Variables {
        experiment: String,
        left: Vec<String>,
        left_file: String,
        right: Vec<String>,
        right_file: String,
    },
    #[error("experiment `{experiment}` is measured in {left} in {left_file}, but in {right} in {right_file}")]
    Units { experiment: String, left: String, left_file: String, right: String, right_file: String },
    #[error("{report} reports measurements of `{experiment}` that are loaded from {unfinished}")]
    Reported { experiment: String, report: String, unfinished: String },
}

impl MergeError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            MergeError::Formula { .. } => "formulas-differ",
            MergeError::Variables { .. } => "variables-differ",
            MergeError::Units { .. } => "units-differ",
            MergeError::Reported { .. } => "reported-before",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            MergeError::Formula { .. } | MergeError::Variables { .. } => {
                "load them one at a time, or translate both programs from the same source"
            }
            MergeError::Units { .. } => "load them one at a time, or call one of the experiments otherwise",
            MergeError::Reported { .. } => {
                "load the report first, and what it has is left out of the other files of its run"
            }
        })
    }
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
        self.runs[run].contents.extend(content);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unit;

    fn experiment(name: &str, formula: Option<&str>, names: &[&str], rows: &[&[f64]]) -> Experiment {
        let names: Vec<String> =
            std::iter::once("P").chain(names.iter().copied()).map(str::to_owned).collect();
        let columns = (0..names.len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect();
        Experiment {
            name: name.to_owned(),
            formula: formula.map(str::to_owned),
            lines: Vec::new(),
            samples: Samples {
                columns,
                names,
                processor: vec![0; rows.len()],
                run: vec![0; rows.len()],
                time_s: rows.iter().map(|row| row[row.len() - 1]).collect(),
                ..Samples::default()
            },
            ..Experiment::default()
        }
    }

    fn trace(experiments: Vec<Experiment>) -> Trace {
        Trace { experiments, ..Trace::default() }
    }

    /// An error with its cure.
    fn told(error: &MergeError) -> String {
        format!("{error}: {}", error.cure().unwrap())
    }

    #[test]
    fn samples_of_an_experiment_are_appended_by_name() {
        let mut dataset = Dataset::new();
        let first = experiment("f", None, &["N", "M"], &[&[1.0, 8.0, 9.0, 0.5]]);
        let second = experiment("f", Some("f[0]*N"), &["M", "N"], &[&[2.0, 30.0, 20.0, 0.25]]);
        let other = experiment("g", None, &[], &[&[2.0, 0.125]]);
        dataset.add("a.dat", trace(vec![first])).unwrap();
        dataset.add("b.dat", trace(vec![second, other])).unwrap();

        let labels: Vec<&str> = dataset.runs.iter().map(Run::label).collect();
        assert_eq!(labels, ["a.dat", "b.dat"]);
        let f = &dataset.experiments[0];
        assert_eq!(f.formula.as_deref(), Some("f[0]*N"));
        assert_eq!(f.samples.names, ["P", "N", "M"]);
        assert_eq!(f.samples.columns, [[1.0, 2.0], [8.0, 20.0], [9.0, 30.0]]);
        assert_eq!((&f.samples.run, &f.samples.time_s), (&vec![0, 1], &vec![0.5, 0.25]));
        assert_eq!(dataset.experiments[1].samples.run, [1]);
    }

    #[test]
    fn another_formula_is_refused_and_nothing_added() {
        let mut dataset = Dataset::new();
        dataset.add("a.dat", trace(vec![experiment("f", None, &["N"], &[])])).unwrap();
        dataset.add("b.dat", trace(vec![experiment("f", Some("f[0]"), &["N"], &[])])).unwrap();
        let new = experiment("g", None, &[], &[]);
        let wrong = experiment("f", Some("f[0]*N"), &["N"], &[&[1.0, 1.0, 1.0]]);
        let error = dataset.add("c.dat", trace(vec![new, wrong])).unwrap_err();
        assert_eq!(
            told(&error),
            "experiment `f` has the formula `f[0]` in b.dat, but `f[0]*N` in c.dat: load them one at a time, or translate \
             both programs from the same source"
        );
        assert_eq!((dataset.runs.len(), dataset.experiments.len()), (2, 1));
        assert!(dataset.experiments[0].samples.is_empty());
    }

    #[test]
    fn the_formula_of_the_newest_run_counts() {
        let of = |date: &str, formula: &str| {
            let header = Header { date: date.to_owned(), ..Header::default() };
            Trace { header, ..trace(vec![experiment("f", Some(formula), &["N"], &[&[1.0, 8.0, 0.5]])]) }
        };
        let mut dataset = Dataset::new();
        let mut add = |file: &str, date: &str, formula: &str| dataset.add(file, of(date, formula));
        assert_eq!(add("b.dat", "2026-02-01T00:00:00Z", "f[0]*N").unwrap(), []);
        let change = |older: &str, older_file: &str, newer: &str, newer_file: &str| FormulaChange {
            experiment: "f".to_owned(),
            newer: newer.to_owned(),
            newer_file: newer_file.to_owned(),
            older: older.to_owned(),
            older_file: older_file.to_owned(),
        };
        let older = add("a.dat", "2026-01-01T00:00:00Z", "f[0]").unwrap();
        assert_eq!(older, [change("f[0]", "a.dat", "f[0]*N", "b.dat")]);
        let newer = add("c.dat", "2026-03-01T00:00:00Z", "f[0] + f[1]*N").unwrap();
        assert_eq!(newer, [change("f[0]*N", "b.dat", "f[0] + f[1]*N", "c.dat")]);
        assert!(add("d.dat", "", "f[0]").is_err(), "nobody knows which is newer");
        let mut other = of("2026-04-01T00:00:00Z", "f[0]");
        "other".clone_into(&mut other.header.program);
        assert!(dataset.add("e.dat", other).is_err(), "it is another program");
        assert_eq!(dataset.experiments[0].formula.as_deref(), Some("f[0] + f[1]*N"));
        assert_eq!(dataset.experiments[0].samples.len(), 3);
    }

    #[test]
    fn other_variables_are_refused() {
        let mut dataset = Dataset::new();
        dataset.add("a.dat", trace(vec![experiment("f", None, &["N", "M"], &[])])).unwrap();
        let error = dataset.add("b.dat", trace(vec![experiment("f", None, &[], &[])])).unwrap_err();
        assert_eq!(
            told(&error),
            "experiment `f` has the variables `N`, `M` in a.dat, but none in b.dat: load them one at a time, or translate \
             both programs from the same source"
        );
    }

    #[test]
    fn another_unit_is_refused_unless_there_is_nothing_in_it() {
        let in_unit = |unit: Unit, rows: &[&[f64]]| Experiment { unit, ..experiment("f", None, &[], rows) };
        let bytes = || Unit::Other("bytes".to_owned());
        let mut dataset = Dataset::new();
        dataset.add("a.csv", trace(vec![in_unit(Unit::Seconds, &[])])).unwrap();
        dataset.add("b.csv", trace(vec![in_unit(bytes(), &[&[1.0, 64.0]])])).unwrap();
        dataset.add("c.csv", trace(vec![in_unit(Unit::Seconds, &[])])).unwrap();
        let error = dataset.add("d.csv", trace(vec![in_unit(Unit::Seconds, &[&[1.0, 0.5]])])).unwrap_err();
        assert_eq!(
            told(&error),
            "experiment `f` is measured in bytes in b.csv, but in seconds in d.csv: load them one at a time, or call one of the \
             experiments otherwise"
        );
        let f = &mut dataset.experiments[0];
        assert_eq!((&f.unit, &f.samples.time_s), (&bytes(), &vec![64.0]));
        let error = f.merge(in_unit(Unit::Seconds, &[&[1.0, 0.5]])).unwrap_err();
        assert_eq!(error.to_string(), "`f` is measured in bytes, `f` in seconds");
        assert_eq!(error.cure(), Some("samples of one experiment need the same"));
    }

    #[test]
    fn times_of_another_clock_are_refused() {
        let mut processor = experiment("f", None, &[], &[&[1.0, 0.25]]);
        processor.observable = Some("task-clock".to_owned());
        let wall = || experiment("f", None, &[], &[&[1.0, 0.5]]);
        let mut dataset = Dataset::new();
        dataset.add("a.dat", trace(vec![wall()])).unwrap();
        let error = dataset.add("b.dat", trace(vec![processor.clone()])).unwrap_err();
        assert_eq!(error.code(), "units-differ");
        assert!(
            error
                .to_string()
                .ends_with("is measured in seconds in a.dat, but in seconds of `task-clock` in b.dat"),
            "{error}"
        );
        assert_eq!(dataset.experiments, [wall()], "nothing was added");
        let error = wall().merge(processor.clone()).unwrap_err();
        assert_eq!(error.to_string(), "`f` is measured in seconds, `f` in seconds of `task-clock`");
        // Where nothing was measured before, what comes says it.
        let mut none = experiment("f", None, &[], &[]);
        none.merge(processor).unwrap();
        assert_eq!(none.observable.as_deref(), Some("task-clock"));
    }

    /// A trace of f, and of g, as the run `17` has them.
    fn of_run(experiments: &[(&str, f64)], reports: u64, completeness: Completeness) -> Trace {
        let header = Header { program: "fft".to_owned(), run: "17".to_owned(), reports, ..Header::default() };
        let experiments =
            experiments.iter().map(|(name, time_s)| experiment(name, None, &[], &[&[1.0, *time_s]]));
        Trace { header, completeness, ..trace(experiments.collect()) }
    }

    fn unfinished(rows: u64) -> Completeness {
        Completeness::Unfinished { run: "17".to_owned(), rows }
    }

    #[test]
    fn what_a_report_has_is_left_out_of_the_files_of_before() {
        let mut dataset = Dataset::new();
        let complete = Completeness::Complete;
        dataset.add("fft.call.0.dat", of_run(&[("f", 0.5)], 1, complete.clone())).unwrap();
        dataset.add("before.dat", of_run(&[("f", 0.5), ("g", 0.25)], 0, unfinished(2))).unwrap();
        dataset.add("since.dat", of_run(&[("f", 0.75)], 1, unfinished(1))).unwrap();
        let times: Vec<_> = dataset.experiments.iter().map(|its| its.samples.time_s.clone()).collect();
        assert_eq!(times, [vec![0.5, 0.75], vec![0.25]]);
        assert_eq!(dataset.runs[1].completeness, unfinished(2));
        // A part of the processors, or a report that was cut, decides nothing.
        for (reports, completeness) in
            [(0, complete.clone()), (1, Completeness::Cut { rows: 1, announced: None })]
        {
            let mut dataset = Dataset::new();
            dataset.add("fft.call.0.dat", of_run(&[("f", 0.5)], reports, completeness)).unwrap();
            dataset.add("before.dat", of_run(&[("f", 0.5)], 0, unfinished(1))).unwrap();
            assert_eq!(dataset.experiments[0].samples.len(), 2);
        }
        let mut dataset = Dataset::new();
        dataset.add("before.dat", of_run(&[("f", 0.5)], 0, unfinished(1))).unwrap();
        let error = dataset.add("fft.call.0.dat", of_run(&[("f", 0.5)], 1, complete)).unwrap_err();
        assert_eq!(
            told(&error),
            "fft.call.0.dat reports measurements of `f` that are loaded from before.dat: load the report first, and what it has is \
             left out of the other files of its run"
        );
    }

    #[test]
    fn files_of_an_unfinished_run_are_one_run() {
        let unfinished = |program: &str, word: &str, processors: u32, time_s: f64| Trace {
            header: Header { program: program.to_owned(), processors, abandoned: 1, ..Header::default() },
            completeness: Completeness::Unfinished { run: word.to_owned(), rows: 1 },
            experiments: vec![experiment("f", None, &[], &[&[2.0, time_s]])],
            ..Trace::default()
        };
        let mut dataset = Dataset::new();
        dataset.add("a.dat", unfinished("fft", "17", 1, 0.5)).unwrap();
        dataset.add("b.dat", trace(vec![experiment("f", None, &[], &[&[2.0, 0.25]])])).unwrap();
        dataset.add("c.dat", unfinished("fft", "17", 2, 0.75)).unwrap();
        dataset.add("d.dat", unfinished("fft", "18", 1, 1.0)).unwrap();
        dataset.add("e.dat", unfinished("sort", "17", 1, 2.0)).unwrap();

        let files: Vec<String> = dataset.runs.iter().map(|run| run.files.join(" ")).collect();
        assert_eq!(files, ["a.dat c.dat", "b.dat", "d.dat", "e.dat"]);
        let run = &dataset.runs[0];
        assert_eq!((run.header.processors, run.header.abandoned), (2, 2));
        assert_eq!(run.completeness, Completeness::Unfinished { run: "17".to_owned(), rows: 2 });
        assert_eq!(dataset.experiments[0].samples.run, [0, 1, 0, 2, 3]);
    }
}
