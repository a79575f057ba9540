//! Samples made ready for the search for borders: distinct points, weighted, and sorted along every variable.

use crate::FitSamples;
use crate::factorisation::triangle::{Triangle, exponent_of, times_power_of_two};
use crate::fit::RelativeErrors;
use crate::group::{Distinct, WeightedMoments, ascending};
use crate::partition::{IntervalBox, contains};
use rayon::prelude::*;

/// Distinct points of the usable samples of a segmentation.
///
/// Samples with the same variables and the same basis row are one point with the sum of their weights and the
/// weighted mean of their observations. The sum of squares within the points is the same for every segmentation,
/// as a border never separates equal points; it is kept apart as pure error.
#[derive(Debug)]
pub(crate) struct Points {
    /// One column for each variable.
    variables: Vec<Vec<f64>>,
    /// k + 1 values a point, one point after the other: basis and mean observation times the root of the weight.
    /// Each column is divided by a power of two, so that its largest entry is about 1; residual sums change by a
    /// common factor only.
    rows: Vec<f64>,
    width: usize,
    /// Binary exponent by which observations are divided.
    observed_exponent: i32,
    at_points: Vec<AtPoint>,
    /// For each variable, the points in ascending order.
    orders: Vec<Vec<usize>>,
    /// For each variable, its number of distinct values.
    value_counts: Vec<usize>,
}

/// The samples at one point.
#[derive(Debug, Clone, Copy, Default)]
struct AtPoint {
    /// Their weighted observations, in seconds.
    observed: WeightedMoments,
    /// 1 / observation, where that exists.
    reciprocal: WeightedMoments,
}

impl AtPoint {
    fn add(&mut self, observed: f64, weight: f64) {
        self.observed.add(observed, weight);
        if observed != 0.0 {
            self.reciprocal.add(1.0 / observed, 1.0);
        }
    }

    /// Sum of squares of (observed - fitted) / observed.
    fn relative_errors(&self, residual_of_mean: f64) -> RelativeErrors {
        let WeightedMoments { count, mean, sum_of_squares, .. } = self.reciprocal;
        let sum = if sum_of_squares > 0.0 {
            let fitted = self.observed.mean - residual_of_mean;
            count as f64 * (1.0 - fitted * mean).powi(2) + fitted * fitted * sum_of_squares
        } else {
            count as f64 * (residual_of_mean * mean).powi(2)
        };
        RelativeErrors::of(count, sum)
    }
}

impl Points {
    /// Of the given samples, all of them usable, with finite variables.
    pub(crate) fn of(samples: &FitSamples, variables: &[&[f64]], usable: &[usize]) -> Self {
        let keys: Vec<&[f64]> = variables.iter().chain(&samples.basis).copied().collect();
        let width = samples.terms() + 1;
        let mut distinct = Distinct::new(&keys);
        let mut at_points: Vec<AtPoint> = Vec::new();
        for &row in usable {
            let point = distinct.number(row);
            if point == at_points.len() {
                at_points.push(AtPoint::default());
            }
            let weight = samples.weights.get(row).copied().unwrap_or(1.0);
            at_points[point].add(samples.observed[row], weight);
        }
        let firsts = distinct.firsts;
        let mut rows = Vec::with_capacity(firsts.len() * width);
        for (&first, of_point) in firsts.iter().zip(&at_points) {
            let root = of_point.observed.weight.sqrt();
            rows.extend(samples.basis.iter().map(|column| root * column[first]));
            rows.push(root * of_point.observed.mean);
        }
        let pick = |column: &&[f64]| firsts.iter().map(|&row| column[row]).collect::<Vec<f64>>();
        let variables: Vec<Vec<f64>> = variables.iter().map(pick).collect();
        let orders: Vec<Vec<usize>> = variables.par_iter().map(|column| ascending(&[column])).collect();
        let value_count = |(column, order): (&Vec<f64>, &Vec<usize>)| {
            order.chunk_by(|&a, &b| column[a] == column[b]).count()
        };
        let value_counts = variables.iter().zip(&orders).map(value_count).collect();
        let mut points =
            Points { variables, rows, width, observed_exponent: 0, at_points, orders, value_counts };
        points.normalise();
        points
    }

    fn normalise(&mut self) {
        for column in 0..self.width {
            let largest =
                self.rows.iter().skip(column).step_by(self.width).fold(0.0, |m: f64, v| m.max(v.abs()));
            if largest > 0.0 {
                let exponent = -exponent_of(largest);
                for value in self.rows.iter_mut().skip(column).step_by(self.width) {
                    *value = times_power_of_two(*value, exponent);
                }
                if column == self.width - 1 {
                    self.observed_exponent = -exponent;
                }
            }
        }
    }

    /// Number of terms, k.
    pub(crate) fn terms(&self) -> usize {
        self.width - 1
    }

    /// Number of variables.
    pub(crate) fn variables(&self) -> usize {
        self.variables.len()
    }

    /// Number of distinct points.
    pub(crate) fn len(&self) -> usize {
        self.at_points.len()
    }

    /// Weighted basis row and weighted observation of a point.
    pub(crate) fn row(&self, point: usize) -> (&[f64], f64) {
        let row = &self.rows[point * self.width..][..self.width];
        (&row[..self.width - 1], row[self.width - 1])
    }

    /// Value of a variable at a point.
    pub(crate) fn value(&self, variable: usize, point: usize) -> f64 {
        self.variables[variable][point]
    }

    /// How many distinct values a variable has at all points together.
    pub(crate) fn value_count(&self, variable: usize) -> usize {
        self.value_counts[variable]
    }

    /// The points of a region in ascending order of a variable; without variables, all.
    pub(crate) fn along(&self, variable: usize, region: &IntervalBox) -> Vec<usize> {
        let inside = |&point: &usize| contains(region, |variable| self.variables[variable][point]);
        match self.orders.get(variable) {
            Some(order) if self.variables.len() == 1 => {
                // One interval of one variable: a slice of the order.
                let start = order.partition_point(|point| self.value(0, *point) <= region[0].lower);
                let end = order.partition_point(|point| self.value(0, *point) <= region[0].upper);
                order[start..end].to_vec()
            }
            Some(order) => order.iter().copied().filter(inside).collect(),
            None => (0..self.len()).collect(),
        }
    }

    /// The triangle of points, in the units of the rows.
    pub(crate) fn triangle(&self, points: &[usize]) -> Triangle {
        let row = |at: usize| &self.rows[points[at] * self.width..][..self.width];
        Triangle::of_rows(self.width, points.len(), row)
    }

    /// Relative errors of the samples at points, for coefficients in the units of the rows.
    pub(crate) fn relative_errors(&self, points: &[usize], coefficients: &[f64]) -> RelativeErrors {
        let mut errors = RelativeErrors::default();
        for &point in points {
            let (basis, observed) = self.row(point);
            let residual = coefficients.iter().zip(basis).fold(observed, |rest, (c, x)| rest - c * x);
            let at_point = &self.at_points[point];
            let residual =
                times_power_of_two(residual, self.observed_exponent) / at_point.observed.weight.sqrt();
            errors.merge(&at_point.relative_errors(residual));
        }
        errors
    }

    /// Whether the fitted time at some point is not positive although the measured one is.
    pub(crate) fn falls_below_zero(&self, points: &[usize], coefficients: &[f64]) -> bool {
        points.iter().any(|&point| {
            let (basis, observed) = self.row(point);
            let fitted: f64 = coefficients.iter().zip(basis).map(|(c, x)| c * x).sum();
            observed > 0.0 && fitted <= 0.0
        })
    }

    /// Sum of squares within points, in the units of the rows, and its degrees of freedom.
    pub(crate) fn pure_error(&self, points: &[usize]) -> (f64, usize) {
        let of_points = points.iter().map(|&point| &self.at_points[point].observed);
        let (sum, freedom) =
            of_points.fold((0.0, 0), |(sum, count), one| (sum + one.sum_of_squares, count + one.count - 1));
        (self.to_row_units(sum), freedom)
    }

    /// A variance or sum of squares of weighted seconds in the units of the rows.
    pub(crate) fn to_row_units(&self, squares: f64) -> f64 {
        times_power_of_two(squares, -2 * self.observed_exponent)
    }

    /// Sum of squares of residuals, in the units of the rows, that is rounding: a fitted value is a sum of k
    /// products, each known to a few units of the last place.
    pub(crate) fn rounding(&self, points: &[usize]) -> f64 {
        let level = 16.0 * self.width as f64 * f64::EPSILON;
        points.iter().map(|&point| (level * self.row(point).1).powi(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interval;

    /// Points along the first variable as rows of basis and mean observation, without the powers of two.
    fn check(basis: &[&[f64]], observed: &[f64], weights: &[f64], variable: &[f64], wanted: &[&[f64]]) {
        let samples = FitSamples { basis: basis.to_vec(), observed, weights };
        let usable: Vec<usize> = (0..observed.len()).collect();
        let points = Points::of(&samples, &[variable], &usable);
        let order = points.along(0, &vec![Interval::WHOLE]);
        assert_eq!(order.len(), wanted.len());
        for (&point, wanted) in order.iter().zip(wanted) {
            let (basis, observed) = points.row(point);
            let found: Vec<f64> = basis.iter().copied().chain([observed]).collect();
            for (found, wanted) in found.iter().zip(*wanted) {
                // The quotient is the power of two of the column.
                let exponent = (wanted / found).log2();
                assert!((exponent - exponent.round()).abs() < 1e-14, "{found} instead of {wanted}");
            }
        }
    }

    #[test]
    fn repetitions_are_one_point() {
        check(
            &[&[1.0; 4]],
            &[8.0, 3.0, 6.0, 5.0],
            &[],
            &[2.0, 1.0, 2.0, 1.0],
            &[&[2f64.sqrt(), 4.0 * 2f64.sqrt()], &[2f64.sqrt(), 7.0 * 2f64.sqrt()]],
        );
    }

    #[test]
    fn weights_add_and_means_are_weighted() {
        check(
            &[&[1.0; 3]],
            &[8.0, 4.0, 5.0],
            &[1.0, 3.0, 1.0],
            &[1.0, 1.0, 2.0],
            &[&[2.0, 10.0], &[1.0, 5.0]],
        );
    }

    #[test]
    fn another_basis_is_another_point() {
        check(
            &[&[1.0, 2.0, 1.0]],
            &[1.0, 2.0, 3.0],
            &[],
            &[7.0, 7.0, 7.0],
            &[&[2f64.sqrt(), 2.0 * 2f64.sqrt()], &[2.0, 2.0]],
        );
    }
}
