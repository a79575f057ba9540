use call_trace::{Completeness, Condensation, Header};
use serde::{Deserialize, Serialize};

/// What files of samples say of a run besides.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SampledRun {
    /// The files that it was read from first.
    pub files: Vec<String>,
    /// What its trace says about it.
    pub header: Header,
    /// Whether all that it measured is there.
    pub completeness: Completeness,
    /// The experiments that had more samples than were to be kept.
    pub condensations: Vec<Condensation>,
}

impl SampledRun {
    /// That of a run of traces.
    pub fn of(run: &call_trace::Run) -> SampledRun {
        SampledRun {
            files: run.files.clone(),
            header: run.header.clone(),
            completeness: run.completeness.clone(),
            condensations: run.condensations.clone(),
        }
    }
}
