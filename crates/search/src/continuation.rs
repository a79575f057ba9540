use crate::Measurements;

/// The power law through the last step: the points of the two largest values of each variable, c ∏ xᵢ^aᵢ, go on as they are. It knows
/// nothing of smaller values and of shapes, so it errs elsewhere than the formulas do.
#[derive(Debug, Clone)]
pub(crate) struct Continuation {
    /// Logarithms of the points and of the values, which are multiples of a unit.
    rows: Vec<(Vec<f64>, f64)>,
}

impl Continuation {
    pub fn new(measurements: &Measurements, levels: &[Vec<f64>], unit: f64) -> Continuation {
        let is_last = |point: &[f64]| {
            point
                .iter()
                .zip(levels)
                .all(|(value, levels)| *value > 0.0 && *value >= levels[levels.len().saturating_sub(2)])
        };
        let rows =
            (0..measurements.len()).map(|row| (measurements.point(row), measurements.values[row] / unit));
        let rows = rows.filter(|(point, value)| is_last(point) && *value > 0.0);
        let logarithms = |point: Vec<f64>| point.into_iter().map(f64::ln).collect();
        Continuation { rows: rows.map(|(point, value)| (logarithms(point), value.ln())).collect() }
    }

    /// The logarithm of the value at a point; none if the points do not determine it.
    pub fn log_value(&self, point: &[f64]) -> Option<f64> {
        let count = point.len() + 1;
        if self.rows.len() < count || point.iter().any(|value| *value <= 0.0) {
            return None;
        }
        // Relative to the point the constant is the value there.
        let offset = |row: usize, column: usize| match column {
            0 => 1.0,
            _ => self.rows[row].0[column - 1] - point[column - 1].ln(),
        };
        let design = nalgebra::DMatrix::from_fn(self.rows.len(), count, offset);
        let target =
            nalgebra::DVector::from_iterator(self.rows.len(), self.rows.iter().map(|(_, value)| *value));
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

/// A variable of which less than this share is left beside the others cannot be told apart from them.
const SINGULAR: f64 = 1e-9;
