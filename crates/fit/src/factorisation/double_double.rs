//! Least squares in double-double arithmetic, for problems that lose too many digits otherwise.
//!
//! A number is the unevaluated sum of two doubles (Dekker 1971; Hida, Li and Bailey 2001), about 32 digits. The columns
//! are made orthogonal one after the other (modified Gram-Schmidt with the observations as last column, which is as
//! stable as Householder's method: Björck 1967). Some thirty times slower than the fit in doubles, so that it is for
//! small problems; with 32 digits a condition of 10^10 leaves more than enough.

use std::ops::{Add, Div, Mul, Sub};

use crate::FitSamples;

/// Sum of a double and a much smaller one.
#[derive(Debug, Clone, Copy, Default)]
struct DoubleDouble(f64, f64);

impl DoubleDouble {
    /// Sum of two doubles, exact (Knuth).
    fn sum(a: f64, b: f64) -> DoubleDouble {
        let s = a + b;
        let t = s - a;
        DoubleDouble(s, (a - (s - t)) + (b - t))
    }

    /// Product of two doubles, exact (Dekker, Veltkamp); the factors must be far from overflow.
    fn product(a: f64, b: f64) -> DoubleDouble {
        const SPLIT: f64 = 134_217_729.0; // 2^27 + 1
        let halves = |x: f64| {
            let scaled = SPLIT * x;
            let high = scaled - (scaled - x);
            (high, x - high)
        };
        let ((ah, al), (bh, bl)) = (halves(a), halves(b));
        let p = a * b;
        DoubleDouble(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
    }

    fn of(a: f64) -> DoubleDouble {
        DoubleDouble(a, 0.0)
    }

    fn sqrt(self) -> DoubleDouble {
        let root = self.0.sqrt();
        if root == 0.0 {
            return DoubleDouble::default();
        }
        let rest = self - DoubleDouble::product(root, root);
        DoubleDouble::sum(root, rest.0 / (2.0 * root))
    }
}

impl Add for DoubleDouble {
    type Output = DoubleDouble;
    fn add(self, other: DoubleDouble) -> DoubleDouble {
        let DoubleDouble(s, e) = DoubleDouble::sum(self.0, other.0);
        DoubleDouble::sum(s, e + (self.1 + other.1))
    }
}

impl Sub for DoubleDouble {
    type Output = DoubleDouble;
    fn sub(self, other: DoubleDouble) -> DoubleDouble {
        self + DoubleDouble(-other.0, -other.1)
    }
}

impl Mul for DoubleDouble {
    type Output = DoubleDouble;
    fn mul(self, other: DoubleDouble) -> DoubleDouble {
        let DoubleDouble(p, e) = DoubleDouble::product(self.0, other.0);
        DoubleDouble::sum(p, e + (self.0 * other.1 + self.1 * other.0))
    }
}

impl Div for DoubleDouble {
    type Output = DoubleDouble;
    fn div(self, other: DoubleDouble) -> DoubleDouble {
        let first = self.0 / other.0;
        let rest = self - other * DoubleDouble::of(first);
        let second = rest.0 / other.0;
        let rest = rest - other * DoubleDouble::of(second);
        DoubleDouble::sum(first, second) + DoubleDouble::of(rest.0 / other.0)
    }
}

fn dot(a: &[DoubleDouble], b: &[DoubleDouble]) -> DoubleDouble {
    a.iter().zip(b).fold(DoubleDouble::default(), |sum, (x, y)| sum + *x * *y)
}

/// The coefficients of a problem of full rank, correct to the last digits of a double; None if a number leaves the range
/// in which this arithmetic works.
pub(crate) fn coefficients(samples: &FitSamples) -> Option<Vec<f64>> {
    let rows: Vec<usize> = (0..samples.len()).filter(|&row| samples.is_usable(row)).collect();
    let terms = samples.terms();
    let root = |row: usize| DoubleDouble::of(samples.weights.get(row).copied().unwrap_or(1.0)).sqrt();
    let roots: Vec<DoubleDouble> = rows.iter().map(|&row| root(row)).collect();
    let mut columns: Vec<Vec<DoubleDouble>> = samples
        .basis
        .iter()
        .chain([&samples.observed])
        .map(|column| {
            rows.iter().zip(&roots).map(|(&row, root)| *root * DoubleDouble::of(column[row])).collect()
        })
        .collect();
    // (k + 1) x (k + 1): what each column has of the orthogonal ones before it, which are not normalised.
    let mut parts = vec![DoubleDouble::default(); (terms + 1) * (terms + 1)];
    for pivot in 0..terms {
        let (done, open) = columns.split_at_mut(pivot + 1);
        let direction = &done[pivot];
        let square = dot(direction, direction);
        for (offset, column) in open.iter_mut().enumerate() {
            let part = dot(direction, column) / square;
            for (value, step) in column.iter_mut().zip(direction) {
                *value = *value - part * *step;
            }
            parts[pivot * (terms + 1) + pivot + 1 + offset] = part;
        }
    }
    let mut solved = vec![DoubleDouble::default(); terms];
    for i in (0..terms).rev() {
        let known = (i + 1..terms)
            .fold(DoubleDouble::default(), |sum, j| sum + parts[i * (terms + 1) + j] * solved[j]);
        solved[i] = parts[i * (terms + 1) + terms] - known;
    }
    let rounded: Vec<f64> = solved.iter().map(|value| value.0).collect();
    rounded.iter().all(|value| value.is_finite()).then_some(rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_twice_as_precise() {
        let third = DoubleDouble::of(1.0) / DoubleDouble::of(3.0);
        let one = third * DoubleDouble::of(3.0);
        assert!((one - DoubleDouble::of(1.0)).0.abs() < 1e-31);
        let root = DoubleDouble::of(2.0).sqrt();
        assert!((root * root - DoubleDouble::of(2.0)).0.abs() < 1e-31);
        assert_eq!(DoubleDouble::of(0.0).sqrt().0, 0.0);
        let tiny = (DoubleDouble::of(1.0) + DoubleDouble::of(1e-25)) - DoubleDouble::of(1.0);
        assert!((tiny.0 / 1e-25 - 1.0).abs() < 1e-6);
    }
}
