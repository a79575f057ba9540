use nalgebra::{DMatrix, DVector};

use crate::Measurements;

/// The power law through the nearest step: from the points of the two values of each variable that are nearest to where it is asked,
/// c ∏ xᵢ^aᵢ goes on. It knows nothing of other values and of shapes, so it errs elsewhere than the formulas do.
#[derive(Debug, Clone)]
pub(crate) struct Continuation {
    /// Logarithms of the points and of the values, which are multiples of a unit.
    rows: Vec<(Vec<f64>, f64)>,
    /// The logarithms of the values of each variable, in order.
    levels: Vec<Vec<f64>>,
}

/// A step has two ends.
const ENDS: usize = 2;

impl Continuation {
    pub fn new(measurements: &Measurements, levels: &[Vec<f64>], unit: f64) -> Continuation {
        let rows =
            (0..measurements.len()).map(|row| (measurements.point(row), measurements.values[row] / unit));
        let is_positive = |(point, value): &(Vec<f64>, f64)| *value > 0.0 && point.iter().all(|x| *x > 0.0);
        let rows = rows.filter(is_positive).map(|(point, value)| (logarithms(&point), value.ln()));
        let positive =
            |levels: &Vec<f64>| logarithms(&levels[levels.partition_point(|level| *level <= 0.0)..]);
        Continuation { rows: rows.collect(), levels: levels.iter().map(positive).collect() }
    }

    /// The logarithm of the value at a point; none if the points do not determine it.
    pub fn log_value(&self, point: &[f64]) -> Option<f64> {
        if point.iter().any(|value| *value <= 0.0) {
            return None;
        }
        let point = logarithms(point);
        let nearest: Vec<Vec<f64>> =
            self.levels.iter().zip(&point).map(|(levels, at)| nearest(levels, *at)).collect();
        let is_near = |row: &&(Vec<f64>, f64)| row.0.iter().zip(&nearest).all(|(x, near)| near.contains(x));
        let rows: Vec<&(Vec<f64>, f64)> = self.rows.iter().filter(is_near).collect();
        let count = point.len() + 1;
        if rows.len() < count {
            return None;
        }
        // Relative to the point the constant is the value there.
        let offset = |row: usize, column: usize| match column {
            0 => 1.0,
            _ => rows[row].0[column - 1] - point[column - 1],
        };
        let design = DMatrix::from_fn(rows.len(), count, offset);
        let target = DVector::from_iterator(rows.len(), rows.iter().map(|(_, value)| *value));
        let factors = design.qr();
        let triangle = factors.r();
        let largest = triangle.diagonal().amax();
        if triangle.diagonal().iter().any(|entry| entry.abs() <= SINGULAR * largest) {
            return None;
        }
        let solution = triangle.solve_upper_triangular(&(factors.q().transpose() * target))?;
        Some(solution[0]).filter(|value| value.is_finite())
    }
}

fn logarithms(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.ln()).collect()
}

/// The two nearest of some values; of two that are as near, the smaller one.
fn nearest(values: &[f64], at: f64) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(|left, right| (left - at).abs().total_cmp(&(right - at).abs()));
    values.truncate(ENDS);
    values
}

/// A variable of which less than this share is left beside the others cannot be told apart from them.
const SINGULAR: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::Continuation;
    use crate::Measurements;

    #[test]
    fn the_nearest_step_goes_on_where_it_is_asked() {
        // Slope 1 up to 16, slope 2 from there on; slope -1 in the other variable.
        let law = |x: f64, y: f64| x * (x / 16.0).max(1.0) / y;
        let (mut x, mut y, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for power in 1..=6 {
            for other in [1.0, 2.0, 8.0] {
                x.push(f64::from(1 << power));
                y.push(other);
                values.push(law(f64::from(1 << power), other));
            }
        }
        let names = ["x".to_owned(), "y".to_owned()];
        let measurements = Measurements::new(&names, &[&x, &y], &values);
        let levels = [vec![2.0, 4.0, 8.0, 16.0, 32.0, 64.0], vec![1.0, 2.0, 8.0]];
        let continuation = Continuation::new(&measurements, &levels, 1.0);
        for point in [[128.0, 8.0], [1.0, 1.0], [128.0, 1.0], [6.0, 16.0]] {
            let value = continuation.log_value(&point).unwrap().exp();
            let truth = law(point[0], point[1]);
            assert!((value / truth - 1.0).abs() < 1e-9, "{point:?}: {value} for {truth}");
        }
        assert_eq!(continuation.log_value(&[0.0, 1.0]), None);
    }
}
