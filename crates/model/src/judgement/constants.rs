use super::JudgedCase;
use super::apart::confused;
use crate::aleph::in_words;
use crate::student::student_reach;
use crate::{Segment, Warning};

/// With fewer points more than constants than this, an interval of 90 % is more than twice as wide as with many.
const SPARE_POINTS: usize = 3;

/// Cells with too few points, and constants that may as well be zero: each value once, wherever it holds.
pub(super) fn warnings(case: &JudgedCase) -> Vec<Warning> {
    let model = case.model;
    let mut warnings = Vec::new();
    let mut judged = Vec::new();
    for (index, cell) in model.cells().iter().enumerate() {
        let constants = cell.fit.rank;
        let points = case.sampled.distinct_points(&case.sampled.rows_of(index));
        if points < constants + SPARE_POINTS {
            warnings.push(Warning::TooFewPoints { points, constants, cell: model.describe(cell) });
        } else {
            judged.push((index, confused(case, index)));
        }
    }
    for (term, aleph) in model.alephs().into_iter().enumerate() {
        let is_known = |segment: &&Segment| {
            let pairs = judged.iter().filter(|(index, _)| segment.cells.contains(index));
            let mut pairs = pairs.map(|(_, pairs)| pairs).peekable();
            let is_confused = |pairs: &Vec<(usize, usize, f64)>| {
                pairs.iter().any(|(one, other, _)| *one == term || *other == term)
            };
            segment.standard_error.is_finite() && pairs.peek().is_some() && !pairs.any(is_confused)
        };
        for segment in aleph.segments.iter().filter(is_known) {
            let freedom = model.cells()[segment.cells[0]].fit.degrees_of_freedom;
            let uncertainty = student_reach(0.95, freedom as f64) * segment.standard_error;
            if segment.value.abs() <= uncertainty {
                warnings.push(Warning::MayBeZero {
                    constant: format!("{}[{}]", model.formula.experiment(), aleph.coefficient.0),
                    value: segment.value,
                    uncertainty,
                    cell: in_words(&segment.ranges),
                });
            }
        }
    }
    warnings
}
