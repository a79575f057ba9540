//! Variables that were never varied independently of each other, as in studies of weak scaling.

/// Logarithms that differ by less are those of rounded numbers.
const ROUNDING: f64 = 0.01;

/// By this factor beside the line a point is off it.
const FARTHEST: f64 = 1.1;

/// One variable is a power of another one at all points: `N = 1e6*P`.
#[derive(Debug, Clone, PartialEq)]
pub struct PowerRelation {
    /// Position of the one.
    pub from: usize,
    /// Position of the other.
    pub to: usize,
    /// Of its logarithm, by that of the one.
    pub(crate) slope: f64,
    /// Of its logarithm.
    pub(crate) intercept: f64,
}

impl PowerRelation {
    /// The lines on which all points lie, given by columns.
    pub fn of_all(columns: &[Vec<f64>]) -> Vec<PowerRelation> {
        let pairs = (0..columns.len()).flat_map(|to| (0..to).map(move |from| (from, to)));
        pairs.filter_map(|(from, to)| PowerRelation::of([&columns[from], &columns[to]], from, to)).collect()
    }

    fn of([xs, ys]: [&[f64]; 2], from: usize, to: usize) -> Option<PowerRelation> {
        let points = || xs.iter().zip(ys).map(|(x, y)| (x.ln(), y.ln()));
        if points().any(|(x, y)| !x.is_finite() || !y.is_finite()) {
            return None;
        }
        let (first, last) = (
            points().min_by(|one, other| one.0.total_cmp(&other.0))?,
            points().max_by(|one, other| one.0.total_cmp(&other.0))?,
        );
        let slope = (last.1 - first.1) / (last.0 - first.0);
        let line = PowerRelation { from, to, slope, intercept: first.1 - slope * first.0 };
        let varies = last.0 - first.0 > ROUNDING && (last.1 - first.1).abs() > ROUNDING;
        (varies && points().all(|point| line.distance(point) < ROUNDING)).then_some(line)
    }

    fn distance(&self, (x, y): (f64, f64)) -> f64 {
        (y - self.intercept - self.slope * x).abs()
    }

    /// Whether a point is beside the line.
    pub fn is_left_by(&self, point: &[f64]) -> bool {
        let distance = self.distance((point[self.from].ln(), point[self.to].ln()));
        !distance.is_finite() || distance > FARTHEST.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_scaling_lies_on_a_line() {
        let processors = vec![1.0, 2.0, 4.0, 4.0, 8.0];
        let sizes: Vec<f64> = processors.iter().map(|count| 1e6 * count).collect();
        let lines = PowerRelation::of_all(&[processors.clone(), sizes]);
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!((line.from, line.to), (0, 1));
        assert!(!line.is_left_by(&[16.0, 16e6]) && !line.is_left_by(&[3.0, 3.1e6]));
        assert!(line.is_left_by(&[1.0, 64e6]) && line.is_left_by(&[0.0, 1e6]));
        // Rounded sides of cubes.
        let sides: Vec<f64> = processors.iter().map(|count| (100.0 * count.cbrt()).round()).collect();
        assert_eq!(PowerRelation::of_all(&[processors.clone(), sides]).len(), 1);
        // One other point is enough to tell both apart; what does not vary is none.
        assert_eq!(PowerRelation::of_all(&[processors.clone(), vec![1.0, 2.0, 4.0, 5.0, 8.0]]), []);
        assert_eq!(PowerRelation::of_all(&[processors, vec![7.0; 5]]), []);
    }
}
