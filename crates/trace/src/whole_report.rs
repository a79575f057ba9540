use crate::{Completeness, Header, Trace};

/// What all processors of a run reported together, so that what they had saved before is not counted twice.
#[derive(Debug, Clone)]
pub(crate) struct WholeReport {
    run: String,
    program: String,
    number: u64,
    experiments: Vec<String>,
}

impl WholeReport {
    /// Of a trace that is complete and covers all processors.
    pub(crate) fn of(trace: &Trace) -> Option<WholeReport> {
        let Header { run, program, reports, .. } = &trace.header;
        let is_whole = trace.completeness == Completeness::Complete && !run.is_empty() && *reports > 0;
        let names = trace.experiments.iter().map(|its| its.name.clone());
        is_whole.then(|| WholeReport {
            run: run.clone(),
            program: program.clone(),
            number: *reports,
            experiments: names.collect(),
        })
    }

    /// Whether it has what a file of its run holds of an experiment.
    pub(crate) fn covers(&self, file: &Header, experiment: &str) -> bool {
        self.follows(file) && self.experiments.iter().any(|its| its == experiment)
    }

    /// Whether it is of the run of a file, and later, so that it has the supersteps of the file.
    pub(crate) fn follows(&self, file: &Header) -> bool {
        (&self.run, &self.program) == (&file.run, &file.program) && file.reports < self.number
    }
}
