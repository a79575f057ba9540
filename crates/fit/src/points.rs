//! Samples made ready for the search for borders: distinct points, weighted, and sorted along every variable.

use crate::Samples;
use crate::order::{runs, sort_rows};
use crate::partition::{Region, contains};
use crate::triangle::times_power_of_two;

/// Distinct points of the usable samples of a segmentation.
///
/// Samples with the same variables and the same basis row are one point with the sum of their weights and the
/// weighted mean of their observations. The sum of squares within the points is the same for every segmentation,
/// as a border never separates equal points, so the search does without it.
#[derive(Debug)]
pub(crate) struct Points {
    /// One column for each variable.
    variables: Vec<Vec<f64>>,
    /// k + 1 values a point, one point after the other: basis and mean observation times the root of the weight.
    /// Each column is divided by a power of two, so that its largest entry is about 1; residual sums change by a
    /// common factor only.
    rows: Vec<f64>,
    width: usize,
    /// For each variable, the points in ascending order.
    orders: Vec<Vec<usize>>,
    /// For each variable, its number of distinct values.
    value_counts: Vec<usize>,
}

impl Points {
    /// Of the given samples, all of them usable, with finite variables.
    pub(crate) fn of(samples: &Samples, variables: &[&[f64]], usable: &[usize]) -> Self {
        let keys: Vec<&[f64]> = variables.iter().chain(&samples.basis).copied().collect();
        let mut sorted = usable.to_vec();
        sort_rows(&mut sorted, &keys);

        let width = samples.terms() + 1;
        let mut points = Points {
            variables: vec![Vec::new(); variables.len()],
            rows: Vec::new(),
            width,
            orders: Vec::new(),
            value_counts: Vec::new(),
        };
        for members in runs(&sorted, &keys) {
            let first = members[0];
            for (column, source) in points.variables.iter_mut().zip(variables) {
                column.push(source[first]);
            }
            let weight_of = |row: usize| samples.weights.get(row).copied().unwrap_or(1.0);
            let weight: f64 = members.iter().map(|&row| weight_of(row)).sum();
            let base = samples.observed[first];
            let shift: f64 =
                members.iter().map(|&row| weight_of(row) / weight * (samples.observed[row] - base)).sum();
            let root = weight.sqrt();
            points.rows.extend(samples.basis.iter().map(|column| root * column[first]));
            points.rows.push(root * (base + shift));
        }
        points.normalise();
        let all: Vec<usize> = (0..points.rows.len() / width).collect();
        points.orders = points
            .variables
            .iter()
            .map(|column| {
                let mut order = all.clone();
                sort_rows(&mut order, std::slice::from_ref(column));
                order
            })
            .collect();
        let orders = points.variables.iter().zip(&points.orders);
        points.value_counts = orders.map(|(column, order)| runs(order, &[column]).count()).collect();
        points
    }

    fn normalise(&mut self) {
        for column in 0..self.width {
            let largest =
                self.rows.iter().skip(column).step_by(self.width).fold(0.0, |m: f64, v| m.max(v.abs()));
            if largest > 0.0 {
                let exponent = -(largest.min(f64::MAX).log2().floor() as i32);
                for value in self.rows.iter_mut().skip(column).step_by(self.width) {
                    *value = times_power_of_two(*value, exponent);
                }
            }
        }
    }

    /// Number of terms, k.
    pub(crate) fn terms(&self) -> usize {
        self.width - 1
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

    /// The points of a region in ascending order of a variable.
    pub(crate) fn along(&self, variable: usize, region: &Region) -> Vec<usize> {
        let inside = |&point: &usize| contains(region, |variable| self.variables[variable][point]);
        self.orders[variable].iter().copied().filter(inside).collect()
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
        let samples = Samples { basis: basis.to_vec(), observed, weights };
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
