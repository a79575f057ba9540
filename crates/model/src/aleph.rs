use call_fit::Interval;
use call_grammar::CoefficientId;

use crate::Model;
use crate::digits::exact;

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
    /// Whether the value is 0 because it must not be negative.
    pub bounded: bool,
    /// One range for each variable.
    pub ranges: Vec<Range>,
    /// Positions of its cells in [`Model::cells`], ascending. Segments with the same value have one only if their cells
    /// make a box.
    pub cells: Vec<usize>,
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
        let sets = &self.segmentation.sets[term];
        let mut boxes: Vec<(Vec<usize>, Vec<Interval>)> = Vec::new();
        for set in 0..=sets.iter().copied().max()? {
            let of_set = (0..sets.len()).filter(|&cell| sets[cell] == set);
            boxes.extend(joined(
                of_set.map(|cell| (vec![cell], self.cells()[cell].intervals.clone())).collect(),
            ));
        }
        boxes.sort_by(|(a, _), (b, _)| a.cmp(b));
        let segments = boxes.into_iter().map(|(cells, intervals)| {
            let fit = &self.cells()[cells[0]].fit;
            Segment {
                value: fit.coefficients[term],
                standard_error: fit.standard_errors[term],
                determined: !fit.undetermined().contains(&term),
                bounded: fit.bounded.contains(&term),
                ranges: self.ranges_of(&intervals),
                cells,
            }
        });
        Some(Aleph { coefficient, segments: segments.collect() })
    }

    /// The sets ℵ of all constants, in the order of the terms.
    pub fn alephs(&self) -> Vec<Aleph> {
        self.formula.terms().iter().filter_map(|term| self.aleph(term.coefficient)).collect()
    }

    /// The ranges of a cell as the paper writes them: from the smallest sampled value on, without an upper end.
    pub fn cell_ranges(&self, cell: &call_fit::Cell) -> Vec<Range> {
        self.ranges_of(&cell.intervals)
    }

    /// A cell in words: the ranges of the variables that are split.
    pub fn describe(&self, cell: &call_fit::Cell) -> String {
        in_words(&self.cell_ranges(cell))
    }

    fn ranges_of(&self, intervals: &[Interval]) -> Vec<Range> {
        let variables = self.formula.variables().iter().zip(intervals).zip(&self.ranges);
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

/// Boxes, each with its cells, of which as many as possible are one: two that differ in one variable only, and meet there.
fn joined(mut boxes: Vec<(Vec<usize>, Vec<Interval>)>) -> Vec<(Vec<usize>, Vec<Interval>)> {
    'again: loop {
        for second in 1..boxes.len() {
            for first in 0..second {
                if let Some(hull) = hull(&boxes[first].1, &boxes[second].1) {
                    let (cells, _) = boxes.remove(second);
                    boxes[first].0.extend(cells);
                    boxes[first].0.sort_unstable();
                    boxes[first].1 = hull;
                    continue 'again;
                }
            }
        }
        return boxes;
    }
}

/// The box that two boxes make; None if they make none.
fn hull(a: &[Interval], b: &[Interval]) -> Option<Vec<Interval>> {
    let mut differing = (0..a.len()).filter(|&variable| a[variable] != b[variable]);
    let (variable, None) = (differing.next()?, differing.next()) else { return None };
    let (lower, upper) = if a[variable].lower < b[variable].lower {
        (a[variable], b[variable])
    } else {
        (b[variable], a[variable])
    };
    let mut hull = a.to_vec();
    hull[variable] = Interval { lower: lower.lower, upper: upper.upper };
    (lower.upper == upper.lower).then_some(hull)
}

/// The ranges of the variables that are split.
pub(crate) fn in_words(ranges: &[Range]) -> String {
    let mut words = Vec::new();
    for range in ranges {
        let (variable, lower, upper) = (&range.variable, exact(range.lower), exact(range.upper));
        match (range.lower_included, range.upper) {
            (true, f64::INFINITY) => {}
            (true, _) => words.push(format!("{variable} <= {upper}")),
            (false, f64::INFINITY) => words.push(format!("{variable} > {lower}")),
            (false, _) => words.push(format!("{lower} < {variable} <= {upper}")),
        }
    }
    if words.is_empty() { "all samples".to_owned() } else { words.join(", ") }
}
