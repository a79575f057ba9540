//! Residual sums of growing sets of rows.
//!
//! A triangle R with right-hand side z takes one row after the other by Givens rotations (Golub and Van Loan,
//! Matrix Computations, 4th ed., section 6.5.2; Gentleman 1973). What is left of the observation when the row has
//! been rotated away is orthogonal to all columns, and its square adds to the residual sum: k^2 operations a row.
//!
//! With dependent columns some diagonal entries should be zero but are rounding errors, and their rows then swallow
//! a part of the residual as if a further coefficient could explain it. Such rows are taken out and rotated into
//! the rows below, until what is left reaches the residual sum (cf. Miller 1992, algorithm AS 274). So a row of the
//! triangle is either empty or has a diagonal entry that means something, and the residual sum is right for every
//! set of rows, the first ones included.

use nalgebra::DMatrix;

/// Diagonal entry, relative to the norm of its column, that counts as rounding error. An appended row leaves some
/// units of the last place of the norm; 64 of them leave room for many terms.
const DEPENDENT: f64 = 64.0 * f64::EPSILON;

/// A triangle that grows row by row.
#[derive(Debug, Clone)]
pub(crate) struct GrowingFit {
    terms: usize,
    /// k rows of k + 1 entries: R and z.
    upper: Vec<f64>,
    /// Sum of squares of each column of all rows so far.
    column_squares: Vec<f64>,
    row: Vec<f64>,
    residual_sum_of_squares: f64,
}

impl GrowingFit {
    pub(crate) fn new(terms: usize) -> Self {
        GrowingFit {
            terms,
            upper: vec![0.0; terms * (terms + 1)],
            column_squares: vec![0.0; terms],
            row: vec![0.0; terms + 1],
            residual_sum_of_squares: 0.0,
        }
    }

    /// Appends a row and returns the residual sum of squares of all rows so far.
    pub(crate) fn append(&mut self, basis: &[f64], observed: f64) -> f64 {
        self.row[..self.terms].copy_from_slice(basis);
        self.row[self.terms] = observed;
        self.absorb_row();
        self.residual_sum_of_squares
    }

    /// Appends the rows of a triangle, the observations being its last column.
    pub(crate) fn append_triangle(&mut self, upper: &DMatrix<f64>) {
        for row in upper.row_iter() {
            self.row.iter_mut().zip(row.iter()).for_each(|(target, value)| *target = *value);
            self.absorb_row();
        }
    }

    fn absorb_row(&mut self) {
        for (sum, value) in self.column_squares.iter_mut().zip(&self.row) {
            *sum += value * value;
        }
        self.rotate(0);
        for term in 0..self.terms {
            self.expel_dependent(term);
        }
    }

    /// Residual sum of squares of all rows so far.
    pub(crate) fn residual_sum_of_squares(&self) -> f64 {
        self.residual_sum_of_squares
    }

    /// How many terms the rows so far cannot tell from the others. A term that is zero in all of them does not count.
    pub(crate) fn undetermined(&self) -> usize {
        let width = self.terms + 1;
        let is_dependent =
            |term: &usize| self.column_squares[*term] > 0.0 && self.upper[term * width + term] == 0.0;
        (0..self.terms).filter(is_dependent).count()
    }

    /// How many terms are zero in all rows so far.
    pub(crate) fn vanishing(&self) -> usize {
        self.column_squares.iter().filter(|squares| **squares == 0.0).count()
    }

    /// Rotates the pending row, zero before `first`, into the triangle.
    fn rotate(&mut self, first: usize) {
        let width = self.terms + 1;
        for pivot in first..self.terms {
            let below = self.row[pivot];
            if below == 0.0 {
                continue;
            }
            let above = self.upper[pivot * width + pivot];
            let length = (above * above + below * below).sqrt();
            if length == 0.0 {
                // Both squares underflow: nothing beside columns of ordinary size.
                continue;
            }
            let (cosine, sine) = (above / length, below / length);
            let line = &mut self.upper[pivot * width..][..width];
            line[pivot] = length;
            for (top, bottom) in line[pivot + 1..].iter_mut().zip(&mut self.row[pivot + 1..]) {
                (*top, *bottom) = (cosine * *top + sine * *bottom, cosine * *bottom - sine * *top);
            }
        }
        self.residual_sum_of_squares += self.row[self.terms] * self.row[self.terms];
    }

    /// If the diagonal entry of a row is rounding error, moves the rest of the row downwards.
    fn expel_dependent(&mut self, term: usize) {
        let width = self.terms + 1;
        let diagonal = self.upper[term * width + term];
        if diagonal == 0.0 || diagonal * diagonal > DEPENDENT * DEPENDENT * self.column_squares[term] {
            return;
        }
        let line = &mut self.upper[term * width..][..width];
        self.row[..=term].fill(0.0);
        self.row[term + 1..].copy_from_slice(&line[term + 1..]);
        line.fill(0.0);
        self.rotate(term + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FitSamples, least_squares};
    use proptest::prelude::*;

    /// Every prefix has the residual sum of a fit of its own, but for rounding.
    ///
    /// Both methods are backward stable: each gives the residual norm of data in which column j is off by c units of
    /// rounding of its norm, and y likewise (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., sections
    /// 19.3 and 20.1). Such a change moves a residual norm by at most c u (|y| + sum |a_j| |b_j|), which is far more
    /// than u |y| where nearly dependent columns need large coefficients. Rounding errors of n k rotations add up at
    /// random; a diagonal entry below 64 u counts as zero.
    fn check(columns: &[Vec<f64>], observed: &[f64]) {
        let mut growing = GrowingFit::new(columns.len());
        let norm = |column: &[f64]| column.iter().map(|x| x * x).sum::<f64>().sqrt();
        for end in 1..=observed.len() {
            let row: Vec<f64> = columns.iter().map(|column| column[end - 1]).collect();
            let found = growing.append(&row, observed[end - 1]).sqrt();
            let basis: Vec<&[f64]> = columns.iter().map(|column| &column[..end]).collect();
            let sizes: Vec<f64> = basis.iter().map(|column| norm(column)).collect();
            let fit =
                least_squares(&FitSamples { basis, observed: &observed[..end], weights: &[] }).expect("fits");
            let wanted = fit.residual_sum_of_squares.sqrt();
            let parts = sizes.iter().zip(&fit.coefficients).map(|(size, b)| size * b.abs());
            let size = norm(&observed[..end]) + parts.sum::<f64>();
            let units = 64.0 + 8.0 * ((end * columns.len()) as f64).sqrt();
            assert!(
                (found - wanted).abs() <= units * f64::EPSILON * size,
                "{end} rows: {found:e} instead of {wanted:e}, rank {}",
                fit.rank
            );
        }
    }

    proptest! {
        #[test]
        fn prefixes_equal_direct_fits(
            rows in prop::collection::vec((1.0f64..100.0, -1.0f64..1.0, -1.0f64..1.0), 1..40),
        ) {
            let x: Vec<f64> = rows.iter().map(|row| row.0).collect();
            let noise: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let y = rows.iter().map(|row| 3.0 + row.0 + row.2).collect::<Vec<_>>();
            check(&[vec![1.0; x.len()], x.clone(), noise], &y);
        }

        #[test]
        fn prefixes_of_dependent_columns_equal_direct_fits(
            rows in prop::collection::vec((1.0f64..100.0, -1.0f64..1.0, -1.0f64..1.0), 1..40),
            delay in 0usize..10,
        ) {
            // The third column is a combination of the first two for the first rows, as N and N / P are while P = 1;
            // the fourth is zero there, as log(P) is.
            let x: Vec<f64> = rows.iter().map(|row| row.0).collect();
            let y: Vec<f64> = rows.iter().map(|row| 3.0 + row.0 + row.2).collect();
            let third = rows.iter().enumerate().map(|(i, row)| {
                0.3 + 0.7 * row.0 + if i < delay { 0.0 } else { row.1 }
            }).collect();
            let fourth = rows.iter().enumerate().map(|(i, row)| if i < 2 * delay { 0.0 } else { row.2 * row.1 });
            check(&[vec![1.0; x.len()], x.clone(), third, fourth.collect()], &y);
        }
    }

    #[test]
    fn equal_columns_for_ever() {
        let x: Vec<f64> = (0..2000).map(|i| 1.0 + f64::from(i) * 0.37).collect();
        let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| 2.0 * x + ((i * 7919) % 13) as f64).collect();
        check(&[x.clone(), x.iter().map(|x| x / 3.0).collect(), vec![1.0; 2000]], &y);
    }
}
