//! The recognition of the intervals: from samples to cells.

use rayon::prelude::*;

use crate::factorisation::triangle::Triangle;
use crate::fit::{ObservedScatter, Residuals, fit};
use crate::joint;
use crate::partition::{Branch, FittedLeaf, contains, touch};
use crate::points::Points;
use crate::robust::{RobustFit, lowered, rho, robust_fit};
use crate::search::{FoundCells, Search, decide};
use crate::{
    Cell, Error, Fit, FitSamples, Loss, SegmentOptions, Segmentation, SignConstraint, SignReason, Split,
    StopReason,
};

/// Divides the space of the variables until one linear fit a cell is accurate enough.
///
/// "If the errors are larger than a fixed error threshold, the variable space is divided in two. The point that
/// maximizes the variation of the error is chosen as splitting point. This process is repeated until the errors
/// obtained are under the error threshold or the number of intervals exceed a number of intervals threshold." (CALL
/// paper, section 3.) In detail:
///
/// 1. Of the cells with an rms relative error above the threshold the one with the largest error is split, as long
///    as fewer than [`Thresholds::intervals`](crate::Thresholds::intervals) cells exist.
/// 2. It is split where "the variation of the error" is largest, which we read as: over every variable and every
///    gap between neighbouring sampled values, where two fits lower the weighted residual sum of squares most. Each
///    side keeps at least r + 1 distinct points, with r the rank of the fit of the cell: one more than determines
///    the coefficients, or any point could be a cell. Beyond the paper, r are enough, two at least, of a cell that shares a
///    coefficient with its neighbour (step 5), if that is clearly the better border by the criterion of step 4. Neither side leaves a coefficient undetermined that the cell
///    determines, unless its term is zero there, nor has it a single value of a variable with four or more, unless
///    a term is zero there. The border is the largest sampled value of the lower side.
/// 3. Beyond the paper, because a greedy first border is the best compromise for one border and not yet the right
///    one for two: after each split every border that is a whole face of its two cells moves to its best place
///    between them, until none moves.
/// 4. Beyond the paper, so that noise is not split: from the inside outwards, a border and those inside its part go
///    again unless they lower the Bayesian information criterion of the part,
///    `n ln(rss / n) + p ln(n) n / (n - p - b - 2) + 2 ln(choices)` in its form for small samples (McQuarrie 1999)
///    and many choices (Chen and Chen 2008), with p the rank of all cells, b the number of borders, and choices the
///    places where they might be and the constants that might change there. n counts distinct points, and degrees of freedom of pure error up to one a point, be it from repetitions among the samples or from
///    [`SegmentOptions::pure_error`]. Judging borders together keeps those that pay only together. Cells that come free
///    are used where errors remain.
/// 5. Beyond the paper, each constant has a set of its own (section 2.1, Table 2): constants whose values in
///    neighbouring cells do not differ by that criterion are one, and the cells are fitted together, until no more
///    sharing pays ([`Segmentation::sets`]). The decisions of step 4 are made with constants shared, so that a border
///    pays for those constants only that change there; borders of few points move to the best place once more.
///
/// [`Method::Paper`](crate::Method::Paper) stops after step 2.
///
/// `variables` are columns of n finite values; samples with others belong to no cell. Samples that
/// [`least_squares`](crate::least_squares) would drop are listed in their cell but count nowhere else. A term that is constantly zero or
/// dependent on others inside a cell (log(P) where only P = 1 was measured) makes the fit of that cell rank
/// deficient, which [`Fit::undetermined`](crate::Fit::undetermined) tells; it costs no parameter there.
///
/// Cost: O(n) to find the distinct points and to fit, O(m log m) to sort m distinct points, then O(v m k^2) a split with
/// v variables.
///
/// # Errors
///
/// Those of [`least_squares`](crate::least_squares); [`Error::VariableLength`]; [`Error::ErrorThreshold`] unless it is a number of at
/// least 0; [`Error::IntervalsThreshold`] if it is 0.
///
/// # Example
///
/// ```
/// use call_fit::{SegmentOptions, StopReason, FitSamples, segment};
///
/// // A matrix that leaves the cache beyond N = 40.
/// let n: Vec<f64> = (1..=100).map(f64::from).collect();
/// let square: Vec<f64> = n.iter().map(|n| n * n).collect();
/// let seconds: Vec<f64> = n.iter().map(|&n| if n <= 40.0 { 1e-9 * n * n } else { 3e-9 * n * n }).collect();
/// let relative: Vec<f64> = seconds.iter().map(|y| 1.0 / (y * y)).collect();
/// let samples = FitSamples { basis: vec![&square], observed: &seconds, weights: &relative };
/// let found = segment(&samples, &[&n], &SegmentOptions::default())?;
/// assert_eq!(found.outcome, StopReason::WithinThreshold);
/// assert_eq!(found.cells.len(), 2);
/// assert_eq!(found.splits[0].at, 40.0);
/// # Ok::<(), call_fit::Error>(())
/// ```
pub fn segment(
    samples: &FitSamples,
    variables: &[&[f64]],
    options: &SegmentOptions,
) -> Result<Segmentation, Error> {
    samples.check()?;
    let expected = samples.len();
    for (variable, column) in variables.iter().enumerate() {
        if column.len() != expected {
            return Err(Error::VariableLength { variable, expected, found: column.len() });
        }
    }
    let thresholds = &options.thresholds;
    if thresholds.error.is_nan() || thresholds.error < 0.0 {
        return Err(Error::ErrorThreshold { threshold: thresholds.error });
    }
    if thresholds.intervals == 0 {
        return Err(Error::IntervalsThreshold);
    }
    if options.loss == Loss::Squares {
        divide(samples, variables, options)
    } else {
        divide_robustly(samples, variables, options)
    }
}

/// Least squares.
fn divide(
    samples: &FitSamples,
    variables: &[&[f64]],
    options: &SegmentOptions,
) -> Result<Segmentation, Error> {
    let is_located = |&row: &usize| variables.iter().all(|column| column[row].is_finite());
    let (located, unlocated): (Vec<usize>, Vec<usize>) = (0..samples.len()).partition(is_located);
    let usable: Vec<usize> = located.iter().copied().filter(|&row| samples.is_usable(row)).collect();
    if usable.is_empty() {
        return Err(Error::NoSamples { samples: samples.len(), dropped: samples.len() });
    }
    let points = Points::of(samples, variables, &usable);
    let (found, sign) = decide(&points, options, variables.len())?;
    let is_bounded = sign.is_bounded();
    let search = Search { points: &points, options, is_bounded };
    let report = CellReport { samples, variables, located, search };
    report.segmentation(found, unlocated, sign)
}

/// What is reported of the cells.
struct CellReport<'a> {
    samples: &'a FitSamples<'a>,
    variables: &'a [&'a [f64]],
    /// Samples with finite variables, ascending.
    located: Vec<usize>,
    search: Search<'a>,
}

impl CellReport<'_> {
    fn segmentation(
        &self,
        found: FoundCells,
        unlocated: Vec<usize>,
        sign: SignReason,
    ) -> Result<Segmentation, Error> {
        let FoundCells { partition, sets, .. } = found;
        let split = |(_, branch): (_, Branch)| Split { variable: branch.variable, at: branch.at };
        let splits = partition.branches().into_iter().map(split).collect();
        let mut pieces: Vec<(usize, &FittedLeaf)> =
            partition.leaves().into_iter().map(|(_, piece)| piece).enumerate().collect();
        pieces.sort_by(|(_, a), (_, b)| {
            let ends = |piece: &FittedLeaf| piece.region.iter().map(|i| i.lower).collect::<Vec<_>>();
            ends(a).partial_cmp(&ends(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let order: Vec<usize> = pieces.iter().map(|(index, _)| *index).collect();
        let sets = sets.restrict(&order);
        let members: Vec<Vec<usize>> = pieces.iter().map(|(_, piece)| self.members(piece)).collect();
        let mut fits: Vec<Option<Fit>> = vec![None; pieces.len()];
        let components = sets.components();
        let joint_fits: Result<Vec<Vec<Fit>>, Error> = components
            .par_iter()
            .map(|component| {
                let of_component: Vec<&[usize]> =
                    component.iter().map(|&cell| members[cell].as_slice()).collect();
                self.fit_together(&of_component, &sets.restrict(component))
            })
            .collect();
        for (component, joint) in components.into_iter().zip(joint_fits?) {
            for (cell, fit) in component.into_iter().zip(joint) {
                fits[cell] = Some(fit);
            }
        }
        let is_full = pieces.len() >= self.search.options.thresholds.intervals;
        let mut outcome = StopReason::WithinThreshold;
        let mut cells = Vec::with_capacity(pieces.len());
        for (((_, piece), samples), fit) in pieces.into_iter().zip(members).zip(fits.into_iter().flatten()) {
            outcome = outcome.max(self.outcome(piece, &fit, is_full));
            cells.push(Cell { intervals: piece.region.clone(), samples, fit });
        }
        let sets = sets.of_term().to_vec();
        Ok(Segmentation { cells, splits, sets, outcome, sign, loss_factors: Vec::new(), unlocated })
    }

    /// The samples of a piece, ascending.
    fn members(&self, piece: &FittedLeaf) -> Vec<usize> {
        let inside = |&row: &usize| contains(&piece.region, |variable| self.variables[variable][row]);
        self.located.iter().copied().filter(inside).collect()
    }

    /// The fits of cells that share coefficients; of one cell alone its own.
    fn fit_together(&self, cells: &[&[usize]], sets: &joint::Sets) -> Result<Vec<Fit>, Error> {
        let is_bounded = self.search.is_bounded;
        let repetitions = self.search.options.pure_error;
        if let [all] = cells {
            // Without a copy where the cell is everything.
            return Ok(vec![if all.len() == self.samples.len() {
                fit(self.samples, is_bounded, repetitions)?
            } else {
                fit(&self.samples.select(all).borrow(), is_bounded, repetitions)?
            }]);
        }
        let selected: Vec<_> = cells.iter().map(|rows| self.samples.select(rows)).collect();
        let triangles: Vec<Triangle> =
            selected.iter().map(|part| Triangle::of_samples(&part.borrow())).collect::<Result<_, _>>()?;
        let solved = joint::solve(&triangles.iter().collect::<Vec<_>>(), sets, is_bounded)?;
        let residuals: Vec<Residuals> = selected
            .iter()
            .zip(&triangles)
            .zip(&solved.cells)
            .map(|((part, triangle), solution)| {
                Residuals::of(&part.borrow(), &solution.coefficients, triangle.samples_dropped > 0)
            })
            .collect();
        let used: usize = triangles.iter().map(|triangle| triangle.samples_used).sum();
        let noise = ObservedScatter {
            sum_of_squares: residuals.iter().map(|residuals| residuals.sum_of_squares).sum(),
            freedom: used.saturating_sub(solved.rank),
        };
        let parts = triangles.iter().zip(solved.cells).zip(residuals);
        parts
            .map(|((triangle, solution), residuals)| Fit::assemble(triangle, solution, residuals, noise))
            .collect()
    }

    fn outcome(&self, piece: &FittedLeaf, fit: &Fit, is_full: bool) -> StopReason {
        let threshold = self.search.options.thresholds.error;
        match piece.outcome {
            _ if fit.rms_relative_error <= threshold => StopReason::WithinThreshold,
            Some(StopReason::TooFewSamples) => StopReason::TooFewSamples,
            Some(StopReason::LimitReached) if is_full => StopReason::LimitReached,
            // Of a piece that is open the cell was within the threshold before constants were shared; below the limit, further
            // cells were tried and went again.
            _ => StopReason::NoBetterSplit,
        }
    }
}

/// Rounds in which cells and weights agree. Each is a segmentation.
const CELL_ROUNDS: usize = 5;

/// Cells by a robust loss: robust weights of one fit of everything, cells with these weights, robust weights in each of
/// them, and so on until the cells stay. Cells of least squares would be a worse start: they give outliers cells of
/// their own.
fn divide_robustly(
    samples: &FitSamples,
    variables: &[&[f64]],
    options: &SegmentOptions,
) -> Result<Segmentation, Error> {
    let known = |factor: f64| if factor.is_nan() { 1.0 } else { factor };
    let is_bounded = options.sign == SignConstraint::NonNegative;
    let whole = robust_fit(samples, options.loss, None, is_bounded)?;
    let mut factors: Vec<f64> = whole.factors.into_iter().map(known).collect();
    let divide_lowered = |factors: &[f64]| {
        divide(&FitSamples { weights: &lowered(samples, factors), ..samples.clone() }, variables, options)
    };
    let mut found = divide_lowered(&factors)?;
    for _ in 0..CELL_ROUNDS {
        // The factors of a single cell are those that there are.
        if found.cells.len() == 1 && found.sign.is_bounded() == is_bounded {
            break;
        }
        factors = factors_in_cells(samples, options.loss, &found)?;
        let next = divide_lowered(&factors)?;
        let is_settled =
            next.cells.iter().map(|cell| &cell.intervals).eq(found.cells.iter().map(|cell| &cell.intervals));
        found = next;
        if is_settled {
            break;
        }
    }
    found.loss_factors = factors;
    Ok(found)
}

/// Factors from a robust fit of each cell. A sample that fits a neighbouring cell better gets the factor that it has
/// there: it is no outlier, the border is wrong.
fn factors_in_cells(samples: &FitSamples, loss: Loss, found: &Segmentation) -> Result<Vec<f64>, Error> {
    let fit_cell = |cell: &Cell| {
        robust_fit(&samples.select(&cell.samples).borrow(), loss, None, found.sign.is_bounded())
    };
    let fits: Vec<RobustFit> = found.cells.iter().map(fit_cell).collect::<Result<_, _>>()?;
    let mut factors = vec![1.0; samples.len()];
    for (home, cell) in found.cells.iter().enumerate() {
        let near: Vec<usize> = (0..fits.len())
            .filter(|&other| other == home || touch(&found.cells[other].intervals, &cell.intervals))
            .collect();
        for &row in cell.samples.iter().filter(|&&row| samples.is_usable(row)) {
            let factor = |&cell: &usize| {
                let coefficients = &fits[cell].fit.coefficients;
                let terms = coefficients.iter().zip(&samples.basis);
                let residual = terms.fold(samples.observed[row], |rest, (c, column)| rest - c * column[row]);
                rho(loss, samples.root_weight(row) * residual / fits[cell].scale).1
            };
            factors[row] = near.iter().map(factor).fold(0.0, f64::max);
        }
    }
    Ok(factors)
}
