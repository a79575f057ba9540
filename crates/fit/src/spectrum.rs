//! Singular values of a small matrix by one-sided Jacobi rotations.
//!
//! Rotations from the right make the columns of B orthogonal: B V = W. The norms of the columns of W are the
//! singular values, its normalised columns the left singular vectors (Hestenes 1958; Golub and Van Loan, Matrix
//! Computations, 4th ed., section 8.6.3). For columns of equal norm, as here, the small singular values come out
//! with a relative error of the order of rounding times the condition number of the scaled matrix (Demmel and
//! Veselic 1992), which is what the decision on the rank needs.
//!
//! The decomposition of nalgebra 0.34.2 is not used: asked for singular vectors it returns wrong singular values
//! for some matrices, e.g. the regular one with the rows (1, 2, 2), (2, -1, -1), (2, 1, -1), where their squares
//! add up to 21.04 instead of 21 (nalgebra issue 1172). One of the tests below holds that matrix.

use crate::Error;
use crate::lanes::dot;

/// Sweeps over all pairs of columns before giving up. Convergence is quadratic; 6 to 10 sweeps are usual.
const SWEEPS: usize = 60;

/// B V = W with orthogonal V and orthogonal columns of W, largest first.
pub(crate) struct Spectrum {
    /// Norms of the columns of W, descending: the singular values of B.
    pub(crate) values: Vec<f64>,
    /// Columns of W: left singular vectors times singular values.
    pub(crate) images: Vec<Vec<f64>>,
    /// Columns of V: right singular vectors.
    pub(crate) directions: Vec<Vec<f64>>,
}

impl Spectrum {
    /// Of the square matrix with the given columns, none of them with a norm far from 1 (or else zero).
    pub(crate) fn of(columns: Vec<Vec<f64>>) -> Result<Self, Error> {
        let terms = columns.len();
        let mut images = columns;
        let mut directions: Vec<Vec<f64>> =
            (0..terms).map(|j| (0..terms).map(|i| if i == j { 1.0 } else { 0.0 }).collect()).collect();
        let mut settled = false;
        for _ in 0..SWEEPS {
            settled = sweep(&mut images, &mut directions);
            if settled {
                break;
            }
        }
        if !settled {
            return Err(Error::NotConverged { terms });
        }
        let norms: Vec<f64> = images.iter().map(|column| norm(column)).collect();
        let mut order: Vec<usize> = (0..terms).collect();
        order.sort_by(|&a, &b| norms[b].total_cmp(&norms[a]));
        Ok(Spectrum {
            values: order.iter().map(|&j| norms[j]).collect(),
            images: order.iter().map(|&j| std::mem::take(&mut images[j])).collect(),
            directions: order.iter().map(|&j| std::mem::take(&mut directions[j])).collect(),
        })
    }
}

/// One rotation for every pair of columns; true if none was needed.
fn sweep(images: &mut [Vec<f64>], directions: &mut [Vec<f64>]) -> bool {
    let largest = images.iter().map(|column| norm(column)).fold(0.0, f64::max);
    let mut settled = true;
    for right in 1..images.len() {
        for left in 0..right {
            let (a, b) = (norm(&images[left]), norm(&images[right]));
            // A column below the rounding error of the largest one is zero; its direction means nothing.
            if a.min(b) <= f64::EPSILON * largest {
                continue;
            }
            let product = dot(&images[left], &images[right]);
            if product.abs() <= f64::EPSILON * a * b * images.len() as f64 {
                continue;
            }
            settled = false;
            // tan of the smaller of the two angles that make the columns orthogonal
            let cotangent = (b - a) * (b + a) / (2.0 * product);
            let tangent = 1f64.copysign(cotangent) / (cotangent.abs() + cotangent.hypot(1.0));
            let cosine = 1.0 / tangent.hypot(1.0);
            rotate(images, left, right, cosine, cosine * tangent);
            rotate(directions, left, right, cosine, cosine * tangent);
        }
    }
    settled
}

fn rotate(columns: &mut [Vec<f64>], left: usize, right: usize, cosine: f64, sine: f64) {
    let (head, tail) = columns.split_at_mut(right);
    for (x, y) in head[left].iter_mut().zip(&mut tail[0]) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

/// Euclidean norm.
pub(crate) fn norm(column: &[f64]) -> f64 {
    dot(column, column).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Distance of W V' from B, and of V' V from the identity.
    fn defects(columns: &[Vec<f64>], spectrum: &Spectrum) -> (f64, f64) {
        let terms = columns.len();
        let mut rebuilt: f64 = 0.0;
        let mut orthogonal: f64 = 0.0;
        for (j, column) in columns.iter().enumerate() {
            for (i, &wanted) in column.iter().enumerate() {
                let found: f64 = (0..terms).map(|r| spectrum.images[r][i] * spectrum.directions[r][j]).sum();
                rebuilt = rebuilt.max((wanted - found).abs());
            }
            for i in 0..terms {
                let wanted = if i == j { 1.0 } else { 0.0 };
                let found = dot(&spectrum.directions[i], &spectrum.directions[j]);
                orthogonal = orthogonal.max((wanted - found).abs());
            }
        }
        (rebuilt, orthogonal)
    }

    fn check(columns: &[Vec<f64>]) -> Spectrum {
        let spectrum = Spectrum::of(columns.to_vec()).expect("converges");
        let (rebuilt, orthogonal) = defects(columns, &spectrum);
        assert!(rebuilt < 1e-14 * columns.len() as f64, "B differs by {rebuilt:e}");
        assert!(orthogonal < 1e-14 * columns.len() as f64, "V differs by {orthogonal:e}");
        spectrum
    }

    #[test]
    fn squares_of_the_singular_values_add_up() {
        let spectrum = check(&[vec![1.0, 2.0, 2.0], vec![2.0, -1.0, 1.0], vec![2.0, -1.0, -1.0]]);
        let sum: f64 = spectrum.values.iter().map(|value| value * value).sum();
        assert!((sum - 21.0).abs() < 1e-13, "{sum}");
    }

    #[test]
    fn rank_one_has_one_singular_value() {
        let spectrum = check(&vec![vec![1.0; 5]; 5]);
        assert!((spectrum.values[0] - 5.0).abs() < 1e-14);
        assert!(spectrum.values[1] < 1e-15);
    }

    proptest! {
        #[test]
        fn any_matrix_is_rebuilt(
            entries in prop::collection::vec(-1.0f64..1.0, 36),
            terms in 1usize..=6,
            copy in any::<bool>(),
            zero in any::<bool>(),
        ) {
            let mut columns: Vec<Vec<f64>> = entries.chunks(6).take(terms).map(|c| c[..terms].to_vec()).collect();
            if copy {
                columns[terms - 1] = columns[0].clone();
            }
            if zero {
                columns[terms / 2].fill(0.0);
            }
            check(&columns);
        }
    }
}
