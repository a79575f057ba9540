//! Another library as a peer: on well-conditioned problems nalgebra's QR gives the same constants.

use call_fit::{FitSamples, least_squares};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

proptest! {
    #[test]
    fn nalgebra_finds_the_same_constants(
        entries in prop::collection::vec(-1.0..1.0f64, 40 * 3),
        observed in prop::collection::vec(0.5..2.0f64, 40),
        weights in prop::collection::vec(0.1..10.0f64, 40),
    ) {
        let columns: Vec<&[f64]> = entries.chunks(40).collect();
        let fit = least_squares(&FitSamples { basis: columns, observed: &observed, weights: &weights }).unwrap();
        prop_assume!(fit.condition < 10.0);

        let scale = DVector::from_iterator(40, weights.iter().map(|weight| weight.sqrt()));
        let mut design = DMatrix::from_column_slice(40, 3, &entries);
        for mut column in design.column_iter_mut() {
            column.component_mul_assign(&scale);
        }
        let right = DVector::from_column_slice(&observed).component_mul(&scale);
        let qr = design.qr();
        let constants = qr.r().solve_upper_triangular(&(qr.q().transpose() * right)).unwrap();
        for (ours, theirs) in fit.coefficients.iter().zip(constants.iter()) {
            prop_assert!((ours - theirs).abs() <= 1e-12, "{ours} {theirs}");
        }
    }
}
