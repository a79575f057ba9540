use call_grammar::CoefficientId;

use crate::Model;

/// The values of one variable where a segment holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// Name of the variable.
    pub variable: String,
    /// Lower border; it belongs to the range only if it is the smallest sampled value.
    pub lower: f64,
    /// Whether the lower border belongs to the range.
    pub lower_included: bool,
    /// Upper border, which belongs to the range; infinite if there is none.
    pub upper: f64,
}

/// One value of a constant and where it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment {
    /// The value, in seconds per unit of the term's basis.
    pub value: f64,
    /// Its standard error; NaN if the samples leave no degree of freedom.
    pub standard_error: f64,
    /// Whether the samples of this segment determine the value: no other term can take its place on them.
    pub determined: bool,
    /// One range for each variable.
    pub ranges: Vec<Range>,
}

/// The set ℵ of a constant: its values and where each of them holds (paper, section 2.1 and Table 2).
#[derive(Debug, Clone, PartialEq)]
pub struct Aleph {
    /// The constant.
    pub coefficient: CoefficientId,
    /// Its values, from the low to the high end of the variables.
    pub segments: Vec<Segment>,
}

impl Model {
    /// The set ℵ of a constant; `None` if the formula has no such constant.
    pub fn aleph(&self, coefficient: CoefficientId) -> Option<Aleph> {
        let term = self.term_of(coefficient)?;
        let segments = self.cells().iter().map(|cell| Segment {
            value: cell.fit.coefficients[term],
            standard_error: cell.fit.standard_errors[term],
            determined: !cell.fit.undetermined.contains(&term),
            ranges: self.cell_ranges(cell),
        });
        Some(Aleph { coefficient, segments: segments.collect() })
    }

    /// The ranges of a cell as the paper writes them: from the smallest sampled value on, without an upper end.
    pub fn cell_ranges(&self, cell: &call_fit::Cell) -> Vec<Range> {
        let variables = self.formula.variables().iter().zip(&cell.intervals).zip(&self.ranges);
        variables
            .map(|((variable, interval), sampled)| {
                let at_rim = interval.lower == f64::NEG_INFINITY;
                Range {
                    variable: variable.name().to_owned(),
                    lower: if at_rim { sampled.lowest } else { interval.lower },
                    lower_included: at_rim,
                    upper: interval.upper,
                }
            })
            .collect()
    }
}
