//! The best border along one variable.
//!
//! "The point that maximizes the variation of the error is chosen as splitting point" (CALL paper, section 3). Our
//! reading: the variation is the decrease of the weighted residual sum of squares when each side gets its own
//! coefficients. Every gap between neighbouring distinct values is tried, in O(n k^2) for all of them together: one
//! pass upwards gives the residual sum of every left side, one pass downwards that of every right side.

use crate::givens::GrowingFit;
use crate::points::Points;

/// A border and the residual sum of squares of the two fits it makes, in the units of [`Points`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Border {
    /// Largest value of the variable on the left side.
    pub(crate) at: f64,
    pub(crate) residual_sum_of_squares: f64,
}

/// The border with the smallest residual sum, both sides keeping at least `least` points; None without any. Neither
/// side may leave more coefficients undetermined than all points together do: constants that cannot be told apart
/// fit well and predict nothing.
///
/// `order` holds points in ascending order of the variable. Of several borders whose residual sums are rounding
/// errors (exact data that are continuous at a sampled point allow two) the largest one is taken, so that the
/// point itself belongs to the left side, as the intervals (lower, upper] suggest.
pub(crate) fn best_border(points: &Points, variable: usize, order: &[usize], least: usize) -> Option<Border> {
    let least = least.max(1);
    if order.len() < 2 * least {
        return None;
    }
    let value = |position: usize| points.value(variable, order[position]);
    // entry i belongs to the right side that starts at position i
    let mut right_sides = vec![(0.0, 0); order.len()];
    let mut right = GrowingFit::new(points.terms());
    for position in (0..order.len()).rev() {
        let (basis, observed) = points.row(order[position]);
        let sum = right.append(basis, observed);
        right_sides[position] = (sum, right.undetermined());
    }
    let undetermined = right_sides[0].1;
    let rounding = points.rounding(order);
    let mut left = GrowingFit::new(points.terms());
    let mut best: Option<Border> = None;
    for position in 0..order.len() - least {
        let (basis, observed) = points.row(order[position]);
        let (right_sum, right_undetermined) = right_sides[position + 1];
        let sum = left.append(basis, observed) + right_sum;
        let is_border = value(position) < value(position + 1);
        let is_determined = left.undetermined().max(right_undetermined) <= undetermined;
        if position + 1 >= least && is_border && is_determined {
            let better = best.is_none_or(|best| sum < best.residual_sum_of_squares || sum <= rounding);
            if better {
                best = Some(Border { at: value(position), residual_sum_of_squares: sum });
            }
        }
    }
    best
}
