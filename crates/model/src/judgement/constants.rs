use super::Case;
use super::apart::confused;
use crate::Warning;
use crate::student::student_reach;

/// With fewer points more than constants than this, an interval of 90 % is more than twice as wide as with many.
const SPARE_POINTS: usize = 3;

/// Constants that may as well be zero, and cells with too few points.
pub(super) fn warnings(case: &Case) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let model = case.model;
    for (index, cell) in model.cells().iter().enumerate() {
        let rank = cell.fit.rank;
        let points = case.sampled.distinct_points(&case.sampled.rows_of(index));
        if points < rank + SPARE_POINTS {
            warnings.push(Warning::TooFewPoints { points, constants: rank, cell: model.describe(cell) });
            continue;
        }
        let reach = student_reach(0.95, cell.fit.degrees_of_freedom as f64);
        let confused = confused(case, index);
        for (term, formula_term) in model.formula.terms().iter().enumerate() {
            let (value, error) = (cell.fit.coefficients[term], cell.fit.standard_errors[term]);
            let known = error.is_finite() && !confused.iter().any(|(a, b, _)| *a == term || *b == term);
            if known && value.abs() <= reach * error {
                warnings.push(Warning::MayBeZero {
                    constant: format!("{}[{}]", model.formula.experiment(), formula_term.coefficient.0),
                    value,
                    uncertainty: reach * error,
                    cell: model.describe(cell),
                });
            }
        }
    }
    warnings
}
