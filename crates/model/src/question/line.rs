use super::grid::Grid;
use super::{Numbers, Span};
use crate::{Forecast, Forecaster};

/// A value for each variable of a formula, for values of other variables.
type Point<'a> = dyn Fn(&[f64]) -> Vec<f64> + 'a;

/// A model along the variables that a question is about. Those of its formula are computed from them: a formula of m = N / P can be
/// asked along N or P.
pub struct Line<'a, 'm> {
    forecaster: &'a Forecaster<'m>,
    point: Box<Point<'a>>,
}

impl<'a, 'm> Line<'a, 'm> {
    /// `point` gives a value for each variable of the formula, in their order, for values of the variables in question.
    pub fn new(forecaster: &'a Forecaster<'m>, point: impl Fn(&[f64]) -> Vec<f64> + 'a) -> Line<'a, 'm> {
        Line { forecaster, point: Box::new(point) }
    }

    /// The predicted time for values of the variables in question.
    pub(super) fn time_s(&self, values: &[f64]) -> f64 {
        self.forecaster.model().predict(&(self.point)(values)).time_s
    }

    /// The same with its interval.
    pub fn forecast(&self, values: &[f64], level: f64) -> Forecast {
        self.forecaster.forecast(&(self.point)(values), level)
    }

    /// Where the model may jump between the ends of a span, ascending: the last values before. `asked` gives the values of the
    /// variables in question for one of the span.
    pub(super) fn borders(&self, span: Span, asked: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
        let Ok(grid) = Grid::new(span, &[], Numbers::Real) else { return Vec::new() };
        let point = |value: f64| (self.point)(&asked(value));
        let points: Vec<Vec<f64>> = grid.values.iter().map(|value| point(*value)).collect();
        let mut borders = Vec::new();
        for variable in 0..self.forecaster.model().formula().variables().len() {
            for upper in self.uppers(variable) {
                for (place, pair) in points.windows(2).enumerate() {
                    let is_below = pair[0][variable] <= upper;
                    if is_below != (pair[1][variable] <= upper) {
                        let is_before = |value: f64| (point(value)[variable] <= upper) == is_below;
                        borders.push(grid.refine(grid.values[place], grid.values[place + 1], is_before));
                    }
                }
            }
        }
        sorted(borders)
    }

    /// The last values of the intervals of a formula's variable.
    fn uppers(&self, variable: usize) -> Vec<f64> {
        let uppers = self.forecaster.model().cells().iter().map(|cell| cell.intervals[variable].upper);
        sorted(uppers.filter(|upper| upper.is_finite()).collect())
    }
}

/// Different values in ascending order.
pub(super) fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}
