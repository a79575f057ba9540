//! The best border along one variable.
//!
//! "The point that maximizes the variation of the error is chosen as splitting point" (CALL paper, section 3). Our
//! reading: the variation is the decrease of the weighted residual sum of squares when each side gets its own
//! coefficients. Every gap between neighbouring distinct values is tried, in O(n k^2) for all of them together: one
//! pass upwards gives the residual sum of every left side, one pass downwards that of every right side.
//!
//! Many points are first put into blocks of neighbours, each reduced to its triangle, which has the same residual sums
//! as its points; only the gaps between blocks are tried, and then every gap around the best of those.

use std::ops::Range;

use rayon::prelude::*;

use crate::factorisation::givens::GrowingFit;
use crate::factorisation::triangle::Triangle;
use crate::points::Points;

/// Up to so many points every gap is tried; more are put into about half as many blocks.
const FEW_POINTS: usize = 512;

/// So many of the best gaps between blocks are looked at closely: the residual sum of noisy data has several minima.
const CLOSE_LOOKS: usize = 3;

/// A border and the residual sum of squares of the two fits it makes, in the units of [`Points`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct JudgedBorder {
    /// Largest value of the variable on the left side.
    pub(crate) at: f64,
    pub(crate) residual_sum_of_squares: f64,
}

/// What a side of a border is fit for.
#[derive(Debug, Clone, Copy, Default)]
struct BorderSide {
    residual_sum_of_squares: f64,
    undetermined: usize,
    vanishing: usize,
    /// Distinct values of the variable.
    values: usize,
}

impl BorderSide {
    fn of(fit: &GrowingFit, values: usize) -> BorderSide {
        let (undetermined, vanishing) = (fit.undetermined(), fit.vanishing());
        BorderSide { residual_sum_of_squares: fit.residual_sum_of_squares(), undetermined, vanishing, values }
    }

    /// Constants that cannot be told apart, or that one value of the variable has fixed, fit well and predict nothing.
    fn can_stand_alone(&self, whole: &BorderSide, least_values: usize) -> bool {
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
pub(crate) fn best_border(
    points: &Points,
    variable: usize,
    order: &[usize],
    least: usize,
) -> Option<JudgedBorder> {
    let scan = Scan::new(points, variable, order, least)?;
    let blocks = scan.blocks();
    let all = scan.borders(&blocks);
    if blocks.len() == scan.values {
        return scan.best(all.into_iter().map(|(_, border)| border));
    }
    let mut coarse: Vec<(usize, JudgedBorder)> = all;
    coarse.sort_by(|(_, a), (_, b)| a.residual_sum_of_squares.total_cmp(&b.residual_sum_of_squares));
    let mut tried: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for &(block, _) in &coarse {
        if tried.len() < CLOSE_LOOKS && tried.iter().all(|other| other.abs_diff(block) > 1) {
            tried.push(block);
            found.extend(scan.borders(&scan.around(&blocks, block)).into_iter().map(|(_, border)| border));
        }
    }
    // In the order of the variable, so that equal sums are decided alike whatever came first.
    found.sort_by(|a: &JudgedBorder, b: &JudgedBorder| a.at.total_cmp(&b.at));
    scan.best(found.into_iter())
}

/// All borders that may be, with the residual sums of their two sides, in ascending order; for few points only.
pub(crate) fn all_borders(
    points: &Points,
    variable: usize,
    order: &[usize],
    least: usize,
) -> Vec<JudgedBorder> {
    let Some(scan) = Scan::new(points, variable, order, least) else { return Vec::new() };
    scan.borders(&scan.blocks()).into_iter().map(|(_, border)| border).collect()
}

/// One search along one variable.
struct Scan<'a> {
    points: &'a Points,
    variable: usize,
    order: &'a [usize],
    least: usize,
    /// Distinct values of the variable.
    values: usize,
}

/// Neighbouring points that no border divides: their positions, and the rows that stand for them.
struct PointBlock {
    positions: Range<usize>,
    /// Distinct values of the variable in it.
    values: usize,
    /// None if the points themselves are as few as its rows.
    triangle: Option<Triangle>,
}

impl<'a> Scan<'a> {
    fn new(points: &'a Points, variable: usize, order: &'a [usize], least: usize) -> Option<Self> {
        let least = least.max(1);
        if order.len() < 2 * least {
            return None;
        }
        let values = order.chunk_by(|&a, &b| points.value(variable, a) == points.value(variable, b)).count();
        Some(Scan { points, variable, order, least, values })
    }

    /// All positions in blocks that end where the value of the variable changes.
    fn blocks(&self) -> Vec<PointBlock> {
        let target =
            if self.order.len() <= FEW_POINTS { 1 } else { self.order.len().div_ceil(FEW_POINTS / 2) };
        self.divided(0..self.order.len(), target)
    }

    fn divided(&self, positions: Range<usize>, target: usize) -> Vec<PointBlock> {
        let value = |position: usize| self.points.value(self.variable, self.order[position]);
        let mut ranges: Vec<(Range<usize>, usize)> = Vec::new();
        let (mut start, mut values) = (positions.start, 0);
        for end in positions.start + 1..=positions.end {
            if end == positions.end || value(end - 1) < value(end) {
                values += 1;
                if end - start >= target || end == positions.end {
                    ranges.push((start..end, values));
                    (start, values) = (end, 0);
                }
            }
        }
        let block = |(positions, values): (Range<usize>, usize)| self.block(positions, values);
        if self.order.len() > 16 * FEW_POINTS {
            ranges.into_par_iter().map(block).collect()
        } else {
            ranges.into_iter().map(block).collect()
        }
    }

    fn block(&self, positions: Range<usize>, values: usize) -> PointBlock {
        let is_many = positions.len() > 2 * (self.points.terms() + 1);
        let triangle = is_many.then(|| self.points.triangle(&self.order[positions.clone()]));
        PointBlock { positions, values, triangle }
    }

    /// The two blocks at a border in pieces of one value, between all that is before and all that is behind.
    fn around(&self, blocks: &[PointBlock], border: usize) -> Vec<PointBlock> {
        let start = blocks[border].positions.start;
        let end = blocks.get(border + 1).map_or(self.order.len(), |block| block.positions.end);
        let values = |blocks: &[PointBlock]| blocks.iter().map(|block| block.values).sum::<usize>();
        let mut finer = Vec::new();
        if start > 0 {
            finer.push(self.block(0..start, values(&blocks[..border])));
        }
        finer.extend(self.divided(start..end, 1));
        if end < self.order.len() {
            finer.push(self.block(end..self.order.len(), values(&blocks[border + 2..])));
        }
        finer
    }

    /// Appends a block; its residual sum is that of its points.
    fn append(&self, fit: &mut GrowingFit, block: &PointBlock) {
        if let Some(triangle) = &block.triangle {
            return fit.append_triangle(&triangle.upper);
        }
        for &point in &self.order[block.positions.clone()] {
            let (basis, observed) = self.points.row(point);
            fit.append(basis, observed);
        }
    }

    /// Every border between two blocks that may be one, with the index of the block before it.
    fn borders(&self, blocks: &[PointBlock]) -> Vec<(usize, JudgedBorder)> {
        // entry i belongs to the right side that starts with block i
        let mut right_sides = vec![BorderSide::default(); blocks.len()];
        let mut right = GrowingFit::new(self.points.terms());
        let mut values = 0;
        for (block, side) in blocks.iter().zip(&mut right_sides).rev() {
            values += block.values;
            self.append(&mut right, block);
            *side = BorderSide::of(&right, values);
        }
        let Some(&whole) = right_sides.first() else { return Vec::new() };
        let least_values = if self.points.value_count(self.variable) >= 4 { 2 } else { 1 };
        let mut left = GrowingFit::new(self.points.terms());
        let mut values = 0;
        let mut found = Vec::new();
        for (index, pair) in blocks.windows(2).enumerate() {
            values += pair[0].values;
            self.append(&mut left, &pair[0]);
            let sides = [BorderSide::of(&left, values), right_sides[index + 1]];
            let end = pair[0].positions.end;
            let is_enough = end >= self.least && self.order.len() - end >= self.least;
            if is_enough && sides.iter().all(|side| side.can_stand_alone(&whole, least_values)) {
                let at = self.points.value(self.variable, self.order[end - 1]);
                let sum = sides.iter().map(|side| side.residual_sum_of_squares).sum();
                found.push((index, JudgedBorder { at, residual_sum_of_squares: sum }));
            }
        }
        found
    }

    fn best(&self, borders: impl Iterator<Item = JudgedBorder>) -> Option<JudgedBorder> {
        let rounding = self.points.rounding(self.order);
        borders.fold(None, |best: Option<JudgedBorder>, border| {
            let sum = border.residual_sum_of_squares;
            let is_better = best.is_none_or(|best| sum < best.residual_sum_of_squares || sum <= rounding);
            if is_better { Some(border) } else { best }
        })
    }
}
