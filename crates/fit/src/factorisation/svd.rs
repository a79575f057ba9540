//! Singular value decomposition of a small matrix by one-sided Jacobi rotations.
//!
//! Rotations from the right make the columns of B orthogonal: B V = W. The norms of the columns of W are the
//! singular values, its normalised columns the left singular vectors (Hestenes 1958; Golub and Van Loan, Matrix
//! Computations, 4th ed., section 8.6.3). For columns of equal norm, as here, the small singular values come out
//! with a relative error of the order of rounding times the condition number of the scaled matrix (Demmel and
//! Veselic 1992), which is what the decision on the rank needs.
//!
//! The decomposition of nalgebra 0.34.2 is not used: asked for singular vectors it returns wrong singular values
//! for some matrices, e.g. the regular one with the rows (1, 2, 2), (2, -1, -1), (2, 1, -1), where their squares
//! add up to 21.04 instead of 21 (nalgebra issue 1172). One of the tests below holds that matrix against both.

use nalgebra::DMatrix;

use super::{dot, norm};
use crate::Error;

/// Sweeps over all pairs of columns before giving up. Convergence is quadratic; 6 to 10 sweeps are usual.
const SWEEPS: usize = 60;

/// B V = W with orthogonal V and orthogonal columns of W, largest first.
pub(crate) struct Svd {
    /// Norms of the columns of W, descending: the singular values of B.
    pub(crate) values: Vec<f64>,
    /// W: its columns are left singular vectors times singular values.
    pub(crate) images: DMatrix<f64>,
    /// V: its columns are right singular vectors.
    pub(crate) directions: DMatrix<f64>,
}

impl Svd {
    /// Of a square matrix, none of whose columns has a norm far from 1 (or else it is zero).
    pub(crate) fn of(matrix: DMatrix<f64>) -> Result<Self, Error> {
        let terms = matrix.ncols();
        let (mut images, mut directions) = (matrix, DMatrix::identity(terms, terms));
        if !(0..SWEEPS).any(|_| sweep(&mut images, &mut directions)) {
            return Err(Error::NotConverged { terms });
        }
        let norms: Vec<f64> = images.column_iter().map(|column| norm(column.as_slice())).collect();
        let mut order: Vec<usize> = (0..terms).collect();
        order.sort_by(|&a, &b| norms[b].total_cmp(&norms[a]));
        Ok(Svd {
            values: order.iter().map(|&j| norms[j]).collect(),
            images: images.select_columns(&order),
            directions: directions.select_columns(&order),
        })
    }
}

/// One rotation for every pair of columns; true if none was needed.
fn sweep(images: &mut DMatrix<f64>, directions: &mut DMatrix<f64>) -> bool {
    let largest = images.column_iter().map(|column| norm(column.as_slice())).fold(0.0, f64::max);
    let mut settled = true;
    for right in 1..images.ncols() {
        for left in 0..right {
            let (a, b) = (norm(images.column(left).as_slice()), norm(images.column(right).as_slice()));
            // A column below the rounding error of the largest one is zero; its direction means nothing.
            if a.min(b) <= f64::EPSILON * largest {
                continue;
            }
            let product = dot(images.column(left).as_slice(), images.column(right).as_slice());
            if product.abs() <= f64::EPSILON * a * b * images.ncols() as f64 {
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

fn rotate(matrix: &mut DMatrix<f64>, left: usize, right: usize, cosine: f64, sine: f64) {
    let (mut a, mut b) = matrix.columns_range_pair_mut(left, right);
    for (x, y) in a.iter_mut().zip(b.iter_mut()) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(matrix: &DMatrix<f64>) -> Svd {
        let svd = Svd::of(matrix.clone()).expect("converges");
        let tolerance = 1e-14 * matrix.ncols() as f64;
        let rebuilt = (&svd.images * svd.directions.transpose() - matrix).amax();
        assert!(rebuilt < tolerance, "B differs by {rebuilt:e}");
        let identity = DMatrix::identity(matrix.ncols(), matrix.ncols());
        let orthogonal = (svd.directions.tr_mul(&svd.directions) - identity).amax();
        assert!(orthogonal < tolerance, "V differs by {orthogonal:e}");
        svd
    }

    /// When the second assertion fails, nalgebra's issue 1172 is solved, and its decomposition may take the place of ours.
    #[test]
    fn squares_of_the_singular_values_add_up() {
        let matrix = DMatrix::from_row_slice(3, 3, &[1.0, 2.0, 2.0, 2.0, -1.0, -1.0, 2.0, 1.0, -1.0]);
        let squares = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let sum = squares(&check(&matrix).values);
        assert!((sum - 21.0).abs() < 1e-13, "{sum}");
        let theirs = squares(matrix.svd(true, true).singular_values.as_slice());
        assert!((theirs - 21.0).abs() > 1e-2, "{theirs}");
    }

    #[test]
    fn rank_one_has_one_singular_value() {
        let svd = check(&DMatrix::repeat(5, 5, 1.0));
        assert!((svd.values[0] - 5.0).abs() < 1e-14);
        assert!(svd.values[1] < 1e-15);
    }

    proptest! {
        #[test]
        fn any_matrix_is_rebuilt(
            entries in prop::collection::vec(-1.0f64..1.0, 36),
            terms in 1usize..=6,
            copy in any::<bool>(),
            zero in any::<bool>(),
        ) {
            let mut matrix = DMatrix::from_column_slice(terms, terms, &entries[..terms * terms]);
            if copy {
                matrix.set_column(terms - 1, &matrix.column(0).clone_owned());
            }
            if zero {
                matrix.column_mut(terms / 2).fill(0.0);
            }
            check(&matrix);
        }
    }
}
