use crate::warning::MANY_INTERVALS;
use crate::{Model, Segment, Warning};

impl Model {
    /// What the user should know about the fit.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (index, variable) in self.formula.variables().iter().enumerate() {
            let mut uppers: Vec<f64> = self.cells().iter().map(|cell| cell.intervals[index].upper).collect();
            uppers.sort_by(f64::total_cmp);
            uppers.dedup();
            if uppers.len() > MANY_INTERVALS {
                warnings.push(Warning::ManyIntervals {
                    variable: variable.name().to_owned(),
                    count: uppers.len(),
                });
            }
        }
        let threshold = self.settings().thresholds.error;
        let error = self.cells().iter().map(|cell| cell.fit.rms_relative_error).fold(0.0, f64::max);
        if error > threshold {
            let outcome = self.segmentation.outcome;
            warnings.push(Warning::ErrorsRemain { error, threshold, outcome });
        }
        let experiment = self.formula.experiment();
        for cell in self.cells() {
            let constant =
                |term: usize| format!("{experiment}[{}]", self.formula.terms()[term].coefficient.0);
            if !cell.fit.null_directions.is_empty() {
                let constants = cell.fit.undetermined().iter().map(|term| constant(*term)).collect();
                let cell = self.describe(cell);
                warnings.push(Warning::Undetermined { constants, cell, cure: None });
            }
        }
        for aleph in self.alephs() {
            let is_negative =
                |segment: &&Segment| segment.determined && segment.value < -3.0 * segment.standard_error;
            for segment in aleph.segments.iter().filter(is_negative) {
                let constant = format!("{experiment}[{}]", aleph.coefficient.0);
                warnings.push(Warning::Negative { constant, value: segment.value });
            }
        }
        let in_cells: usize = self.cells().iter().map(|cell| cell.fit.samples_dropped).sum();
        let dropped = in_cells + self.segmentation.unlocated.len();
        if dropped > 0 {
            warnings.push(Warning::Dropped { samples: dropped, point: Vec::new() });
        }
        warnings
    }
}
