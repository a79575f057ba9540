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

/// What a side of a border is fit for.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    residual_sum_of_squares: f64,
    undetermined: usize,
    vanishing: usize,
    /// Distinct values of the variable.
    values: usize,
}

impl Side {
    fn of(fit: &GrowingFit, residual_sum_of_squares: f64, values: usize) -> Side {
        let (undetermined, vanishing) = (fit.undetermined(), fit.vanishing());
        Side { residual_sum_of_squares, undetermined, vanishing, values }
    }

    /// Constants that cannot be told apart, or that one value of the variable has fixed, fit well and predict nothing.
    fn can_stand_alone(&self, whole: &Side, least_values: usize) -> bool {
        let is_range = self.values >= least_values || self.vanishing > whole.vanishing;
        is_range && self.undetermined <= whole.undetermined
    }
}

/// The border with the smallest residual sum, both sides keeping at least `least` points; None without any. Neither
/// side may leave more coefficients undetermined than all points together do. Nor may it have a single value of a
/// variable that has four or more, unless terms vanish there, as log(P) and P - 1 do at P = 1.
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
    let mut right_sides = vec![Side::default(); order.len()];
    let mut right = GrowingFit::new(points.terms());
    let mut values = 1;
    for position in (0..order.len()).rev() {
        values += usize::from(position + 1 < order.len() && value(position) < value(position + 1));
        let (basis, observed) = points.row(order[position]);
        let sum = right.append(basis, observed);
        right_sides[position] = Side::of(&right, sum, values);
    }
    let whole = right_sides[0];
    let least_values = if points.value_count(variable) >= 4 { 2 } else { 1 };
    let rounding = points.rounding(order);
    let mut left = GrowingFit::new(points.terms());
    let mut best: Option<Border> = None;
    let mut values = 1;
    for position in 0..order.len() - least {
        values += usize::from(position > 0 && value(position - 1) < value(position));
        let (basis, observed) = points.row(order[position]);
        let sum = left.append(basis, observed);
        let (left_side, right_side) = (Side::of(&left, sum, values), right_sides[position + 1]);
        let is_border = value(position) < value(position + 1);
        let is_useful = [left_side, right_side].iter().all(|side| side.can_stand_alone(&whole, least_values));
        if position + 1 >= least && is_border && is_useful {
            let sum = left_side.residual_sum_of_squares + right_side.residual_sum_of_squares;
            let better = best.is_none_or(|best| sum < best.residual_sum_of_squares || sum <= rounding);
            if better {
                best = Some(Border { at: value(position), residual_sum_of_squares: sum });
            }
        }
    }
    best
}
