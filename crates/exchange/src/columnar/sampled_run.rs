use std::collections::BTreeMap;

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
    /// The formulas of experiments that have another one in this run than in the others, or none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub formulas: BTreeMap<String, Option<String>>,
}

impl SampledRun {
    /// That of a run of traces.
    pub fn of(run: &call_trace::Run) -> SampledRun {
        SampledRun {
            files: run.files.clone(),
            header: run.header.clone(),
            completeness: run.completeness.clone(),
            condensations: run.condensations.clone(),
            formulas: BTreeMap::new(),
        }
    }
}
