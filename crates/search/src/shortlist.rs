//! Which shapes of a variable enter products with those of others.

use std::cmp::Ordering;

use crate::evidence::WeightedValues;
use crate::grid::ShapeGrid;
use crate::shape::log_priors;

/// Up to so many shapes of each variable enter products: six of two variables are 48 products, of three 342, of four 2,400.
const SHORTLIST: usize = 6;

/// With more variables the shortlists are shorter, so that there are no more products than this.
const MOST_PRODUCTS: usize = 2500;

fn shortlist_length(variables: usize) -> usize {
    let products =
        |length: usize| (0..variables).try_fold(1usize, |product, _| product.checked_mul(length + 1));
    let fits = |length: &usize| products(*length).is_some_and(|count| count <= MOST_PRODUCTS);
    (1..=SHORTLIST).rev().find(fits).unwrap_or(1)
}

/// The shapes g for which a + b g(x) follows the values best along the lines on which only this variable changes, each line with
/// an a and a b of its own: whatever sum of products the truth is, along a line it is such a sum if it has one shape in x.
pub(crate) fn shortlist(
    grid: &ShapeGrid,
    variable: usize,
    usable: impl Iterator<Item = usize>,
    rows: &[usize],
    values: &WeightedValues,
    with_pairs: bool,
) -> Vec<usize> {
    let lines: Vec<PointLine> =
        lines(grid, variable, rows).into_iter().map(|rows| PointLine::new(rows, values)).collect();
    let points: usize = lines.iter().map(|line| line.rows.len()).sum();
    let mut scored: Vec<(f64, usize)> = usable
        .map(|shape| {
            let column = grid.shape(variable, shape);
            let squares: f64 = lines.iter().map(|line| line.squares(column)).sum();
            (misfit(points, squares) - log_priors()[shape], shape)
        })
        .collect();
    scored.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    let length = shortlist_length(grid.variables());
    let is_expected = |shape| values.source.as_ref().is_some_and(|its| its.expect_shape(variable, shape));
    let mut kept: Vec<usize> = Vec::new();
    for (rank, (_, shape)) in scored.iter().enumerate() {
        if rank < length || is_expected(*shape) {
            kept.push(*shape);
        }
    }
    if with_pairs {
        for shape in best_pair(grid, variable, &scored, &lines) {
            if !kept.contains(&shape) {
                kept.push(shape);
            }
        }
    }
    kept
}

/// Minus the logarithm of the likelihood of so many points with noise of an unknown size, but for what all shapes share.
fn misfit(points: usize, squares: f64) -> f64 {
    0.5 * points as f64 * (squares + points as f64 * f64::EPSILON).ln()
}

/// One of the two is among so many that are the best alone.
const BEST_ALONE: usize = 12;

/// The two shapes that follow the lines best together: `1/P` and `log(P)` of a program that divides its work and joins what comes of it. Alone
/// neither need be among the best.
fn best_pair(grid: &ShapeGrid, variable: usize, scored: &[(f64, usize)], lines: &[PointLine]) -> Vec<usize> {
    let points: usize = lines.iter().map(|line| line.rows.len()).sum();
    let score = |first: usize, second: usize| {
        let columns = [grid.shape(variable, first), grid.shape(variable, second)];
        let squares: f64 = lines.iter().map(|line| line.squares_of_two(columns)).sum();
        misfit(points, squares) - log_priors()[first] - log_priors()[second]
    };
    let pairs = scored.iter().enumerate().take(BEST_ALONE).flat_map(|(rank, (_, first))| {
        scored[rank + 1..].iter().map(move |(_, second)| (score(*first, *second), [*first, *second]))
    });
    let best = pairs.min_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
    best.map_or_else(Vec::new, |(_, pair)| pair.to_vec())
}

/// Rows that agree in all variables but one; all rows where no three do.
fn lines(grid: &ShapeGrid, variable: usize, rows: &[usize]) -> Vec<Vec<usize>> {
    let others = || (0..grid.variables()).filter(|other| *other != variable).map(|other| grid.points(other));
    let compare = |left: &usize, right: &usize| {
        others()
            .map(|column| column[*left].total_cmp(&column[*right]))
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    };
    let mut order = rows.to_vec();
    order.sort_by(compare);
    let lines: Vec<Vec<usize>> = order
        .chunk_by(|left, right| compare(left, right).is_eq())
        .filter(|line| line.len() > 2)
        .map(<[usize]>::to_vec)
        .collect();
    if lines.is_empty() { vec![order] } else { lines }
}

/// Points along which only one variable changes, with what all shapes share.
struct PointLine {
    rows: Vec<usize>,
    weights: Vec<f64>,
    /// The weighted values.
    target: Vec<f64>,
    /// Products of the weights, as column of the constant term, and the target.
    ones: f64,
    with_one: f64,
    whole: f64,
    signed: bool,
}

impl PointLine {
    fn new(rows: Vec<usize>, values: &WeightedValues) -> PointLine {
        let weights: Vec<f64> = rows.iter().map(|row| values.weights[*row]).collect();
        let target: Vec<f64> =
            rows.iter().zip(&weights).map(|(row, one)| values.values[*row] * one).collect();
        let (mut ones, mut with_one, mut whole) = (0.0, 0.0, 0.0);
        for (one, y) in weights.iter().zip(&target) {
            ones += one * one;
            with_one += one * y;
            whole += y * y;
        }
        PointLine { rows, weights, target, ones, with_one, whole, signed: values.signed }
    }

    /// The same of a + b g + c h, without the parts whose constants would be negative.
    fn squares_of_two(&self, shapes: [&[f64]; 2]) -> f64 {
        let mut products = [[0.0; 4]; 3];
        for (row, (one, y)) in self.rows.iter().zip(self.weights.iter().zip(&self.target)) {
            let columns = [*one, shapes[0][*row] * one, shapes[1][*row] * one, *y];
            for (line, left) in products.iter_mut().zip(&columns) {
                line.iter_mut().zip(&columns).for_each(|(sum, right)| *sum += left * right);
            }
        }
        let is_allowed = |constants: &[f64]| self.signed || constants.iter().all(|its| *its >= 0.0);
        let with_one = solved(&products).filter(|its| is_allowed(its));
        let constants = with_one.or_else(|| {
            let [_, [_, size, mixed, along], [_, _, other_size, other_along]] = products;
            let determinant = size * other_size - mixed * mixed;
            let first = (other_size * along - mixed * other_along) / determinant;
            let second = (size * other_along - mixed * along) / determinant;
            let is_solved = determinant > 1e-12 * size * other_size;
            Some([0.0, first, second]).filter(|its| is_solved && is_allowed(its))
        });
        let together = constants.map(|constants| {
            let along = constants.iter().zip(&products).map(|(constant, line)| constant * line[3]);
            (self.whole - along.sum::<f64>()).max(0.0)
        });
        let alone = || self.squares(shapes[0]).min(self.squares(shapes[1]));
        match (with_one, together) {
            (Some(_), Some(together)) => together,
            (_, together) => together.map_or_else(alone, |together| together.min(alone())),
        }
    }

    /// Weighted residual sum of squares of a + b g along the line, with a and b not negative; only compared, never reported, so the
    /// short normal equations of two centred columns will do.
    fn squares(&self, shape: &[f64]) -> f64 {
        let PointLine { rows, weights, target, ones, with_one, whole, signed: _ } = self;
        let (mut mixed, mut shapes, mut with_shape) = (0.0, 0.0, 0.0);
        for (row, (one, y)) in rows.iter().zip(weights.iter().zip(target)) {
            let g = shape[*row] * one;
            mixed += one * g;
            shapes += g * g;
            with_shape += g * y;
        }
        let alone = |size: f64, along: f64| {
            if size > 0.0 && along > 0.0 { whole - along * along / size } else { *whole }
        };
        let determinant = ones * shapes - mixed * mixed;
        let a = (shapes * with_one - mixed * with_shape) / determinant;
        let b = (ones * with_shape - mixed * with_one) / determinant;
        if determinant > 1e-12 * ones * shapes && (self.signed || (a >= 0.0 && b >= 0.0)) {
            (whole - a * with_one - b * with_shape).max(0.0)
        } else {
            alone(*ones, *with_one).min(alone(shapes, with_shape)).max(0.0)
        }
    }
}

/// The solution of three normal equations, whose right side is the last column; only compared, so that elimination will do.
fn solved(equations: &[[f64; 4]; 3]) -> Option<[f64; 3]> {
    let mut rows = *equations;
    for pivot in 0..3 {
        let size = rows[pivot][pivot];
        if size.is_nan() || size <= 1e-10 * equations[pivot][pivot] {
            return None;
        }
        for other in (0..3).filter(|other| *other != pivot) {
            let factor = rows[other][pivot] / size;
            let source = rows[pivot];
            rows[other].iter_mut().zip(&source).for_each(|(value, its)| *value -= factor * its);
        }
    }
    Some([rows[0][3] / rows[0][0], rows[1][3] / rows[1][1], rows[2][3] / rows[2][2]])
}
