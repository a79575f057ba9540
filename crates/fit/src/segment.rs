//! The recognition of the intervals: the search.

use crate::border::best_border;
use crate::criterion::Evidence;
use crate::fit::RelativeErrors;
use crate::partition::{Branch, NodeId, Partition, Piece, Refusal, Region, contains, halves};
use crate::points::Points;
use crate::{Cell, Error, Interval, Outcome, Samples, Segmentation, Split, Thresholds, least_squares};

/// A border moves only if the residual sum falls by more than this share of itself: less is rounding.
const WORTHWHILE: f64 = 1e-9;

/// Divides the space of the variables until one linear fit a cell is accurate enough.
///
/// "If the errors are larger than a fixed error threshold, the variable space is divided in two. The point that
/// maximizes the variation of the error is chosen as splitting point. This process is repeated until the errors
/// obtained are under the error threshold or the number of intervals exceed a number of intervals threshold." (CALL
/// paper, section 3.) In detail:
///
/// 1. Of the cells with an rms relative error above the threshold the one with the largest error is split, as long
///    as fewer than [`Thresholds::intervals`] cells exist.
/// 2. It is split where "the variation of the error" is largest, which we read as: over every variable and every
///    gap between neighbouring sampled values, where two fits lower the weighted residual sum of squares most. Each
///    side keeps at least r + 1 distinct points, with r the rank of the fit of the cell: one more than determines
///    the coefficients, or any point could be a cell. Neither side leaves a coefficient undetermined that the cell
///    determines, unless its term is zero there, nor has it a single value of a variable with four or more, unless
///    a term is zero there. The border is the largest sampled value of the lower side.
/// 3. Beyond the paper, because a greedy first border is the best compromise for one border and not yet the right
///    one for two: after each split every border that is a whole face of its two cells moves to its best place
///    between them, until none moves.
/// 4. Beyond the paper, so that noise is not split: from the inside outwards, a border and those inside its part go
///    again unless they lower the Bayesian information criterion of the n samples of the part,
///    `n ln(rss / n) + p ln(n) n / (n - p - 2)` in its form for small samples (McQuarrie 1999), with p the rank of
///    one fit without them, and the ranks of all cells and the number of borders with them. It takes 2 r + 4
///    samples at least. Judging borders together keeps those that pay only together.
///
/// `variables` are columns of n finite values; samples with others belong to no cell. Samples that
/// [`least_squares`] would drop are listed in their cell but count nowhere else. A term that is constantly zero or
/// dependent on others inside a cell (log(P) where only P = 1 was measured) makes the fit of that cell rank
/// deficient, which [`Fit::undetermined`](crate::Fit::undetermined) tells; it costs no parameter there.
///
/// Cost: O(n log n) to sort, then O(v n k^2) a split with v variables, n being distinct points in the search and
/// samples in the fits.
///
/// # Errors
///
/// Those of [`least_squares`]; [`Error::VariableLength`]; [`Error::ErrorThreshold`] unless it is a number of at
/// least 0; [`Error::IntervalsThreshold`] if it is 0.
///
/// # Example
///
/// ```
/// use call_fit::{Outcome, Samples, Thresholds, segment};
///
/// // A matrix that leaves the cache beyond N = 40.
/// let n: Vec<f64> = (1..=100).map(f64::from).collect();
/// let square: Vec<f64> = n.iter().map(|n| n * n).collect();
/// let seconds: Vec<f64> = n.iter().map(|&n| if n <= 40.0 { 1e-9 * n * n } else { 3e-9 * n * n }).collect();
/// let relative: Vec<f64> = seconds.iter().map(|y| 1.0 / (y * y)).collect();
/// let samples = Samples { basis: vec![&square], observed: &seconds, weights: &relative };
/// let found = segment(&samples, &[&n], &Thresholds::default())?;
/// assert_eq!(found.outcome, Outcome::WithinThreshold);
/// assert_eq!(found.cells.len(), 2);
/// assert_eq!(found.splits[0].at, 40.0);
/// # Ok::<(), call_fit::Error>(())
/// ```
pub fn segment(
    samples: &Samples,
    variables: &[&[f64]],
    thresholds: &Thresholds,
) -> Result<Segmentation, Error> {
    samples.check()?;
    let expected = samples.len();
    for (variable, column) in variables.iter().enumerate() {
        if column.len() != expected {
            return Err(Error::VariableLength { variable, expected, found: column.len() });
        }
    }
    if thresholds.error.is_nan() || thresholds.error < 0.0 {
        return Err(Error::ErrorThreshold { threshold: thresholds.error });
    }
    if thresholds.intervals == 0 {
        return Err(Error::IntervalsThreshold);
    }

    let is_located = |&row: &usize| variables.iter().all(|column| column[row].is_finite());
    let (located, unlocated): (Vec<usize>, Vec<usize>) = (0..expected).partition(is_located);
    let usable: Vec<usize> = located.iter().copied().filter(|&row| samples.is_usable(row)).collect();
    if usable.is_empty() {
        return Err(Error::NoSamples { samples: expected, dropped: expected });
    }
    let points = Points::of(samples, variables, &usable);
    let search = Search { samples, variables, located, points, thresholds };

    let mut partition = Partition::new(search.fit(vec![Interval::WHOLE; variables.len()])?);
    search.grow(&mut partition)?;
    search.prune(&mut partition)?;
    search.report(&partition, unlocated)
}

/// All that stays the same while the partition changes.
struct Search<'a> {
    samples: &'a Samples<'a>,
    variables: &'a [&'a [f64]],
    /// Samples with finite variables, ascending.
    located: Vec<usize>,
    points: Points,
    thresholds: &'a Thresholds,
}

/// Two pieces on the two sides of a border.
struct Pair {
    variable: usize,
    at: f64,
    below: Piece,
    above: Piece,
}

impl Search<'_> {
    /// The piece of a region.
    fn fit(&self, region: Region) -> Result<Piece, Error> {
        let inside = |&row: &usize| contains(&region, |variable| self.variables[variable][row]);
        let rows: Vec<usize> = self.located.iter().copied().filter(inside).collect();
        let fit = least_squares(&self.samples.select(&rows).borrow())?;
        Ok(Piece { region, samples: rows, fit, refusal: None })
    }

    fn pair(&self, region: &Region, variable: usize, at: f64) -> Result<Pair, Error> {
        let (below, above) = halves(region, variable, at);
        Ok(Pair { variable, at, below: self.fit(below)?, above: self.fit(above)? })
    }

    fn exceeds(&self, piece: &Piece) -> bool {
        piece.fit.rms_relative_error > self.thresholds.error
    }

    /// Splits the worst cell until none is left that should and may be split.
    fn grow(&self, partition: &mut Partition) -> Result<(), Error> {
        loop {
            let leaves = partition.leaves();
            let full = leaves.len() >= self.thresholds.intervals;
            let candidates =
                leaves.into_iter().filter(|(_, piece)| self.exceeds(piece) && piece.refusal.is_none());
            // `max_by` takes the last of equals; the reversal makes it the first.
            let worst = candidates
                .rev()
                .max_by(|(_, a), (_, b)| a.fit.rms_relative_error.total_cmp(&b.fit.rms_relative_error));
            let Some((id, piece)) = worst else { return Ok(()) };
            if full {
                return Ok(());
            }
            match self.divide(piece)? {
                Ok(pair) => {
                    partition.split(id, pair.variable, pair.at, pair.below, pair.above);
                    self.settle(partition)?;
                }
                Err(refusal) => {
                    let piece = Piece { refusal: Some(refusal), ..piece.clone() };
                    partition.set_leaf(id, piece);
                }
            }
        }
    }

    /// The best two pieces of one, or why there are none.
    fn divide(&self, piece: &Piece) -> Result<Result<Pair, Refusal>, Error> {
        let least = piece.fit.rank + 1;
        let mut best = None;
        let mut sum = f64::INFINITY;
        for variable in 0..self.variables.len() {
            let order = self.points.along(variable, &piece.region);
            if order.len() < 2 * least {
                return Ok(Err(Refusal::TooFewSamples));
            }
            // Below the rounding level all borders are equally good, and the first variable keeps its own.
            let to_beat = if sum <= self.points.rounding(&order) { 0.0 } else { sum };
            if let Some(border) = best_border(&self.points, variable, &order, least)
                && border.residual_sum_of_squares < to_beat
            {
                sum = border.residual_sum_of_squares;
                best = Some((variable, border.at));
            }
        }
        let Some((variable, at)) = best else { return Ok(Err(Refusal::NoBetterSplit)) };
        Ok(Ok(self.pair(&piece.region, variable, at)?))
    }

    /// Removes the borders that do not pay, those inside a part before the part's own.
    fn prune(&self, partition: &mut Partition) -> Result<(), Error> {
        for (id, _) in partition.branches().into_iter().rev() {
            let whole = self.fit(partition.region(id))?;
            let one = Evidence {
                samples: whole.fit.samples_used,
                residual_sum_of_squares: whole.fit.residual_sum_of_squares,
                parameters: whole.fit.rank,
            };
            let parts = partition.leaves_below(id);
            let several = Evidence {
                samples: whole.fit.samples_used,
                residual_sum_of_squares: parts.iter().map(|part| part.fit.residual_sum_of_squares).sum(),
                parameters: parts.iter().map(|part| part.fit.rank).sum::<usize>() + parts.len() - 1,
            };
            let floor = self.rounding(&whole.samples);
            if one.information(floor) <= several.information(floor) {
                partition.set_leaf(id, Piece { refusal: Some(Refusal::NoBetterSplit), ..whole });
            }
        }
        Ok(())
    }

    /// Weighted residual sum of squares that is rounding: see [`Points::rounding`].
    fn rounding(&self, rows: &[usize]) -> f64 {
        let level = 16.0 * (self.samples.terms() + 1) as f64 * f64::EPSILON;
        let usable = rows.iter().filter(|&&row| self.samples.is_usable(row));
        usable.map(|&row| (level * self.samples.root_weight(row) * self.samples.observed[row]).powi(2)).sum()
    }

    /// Moves borders to their best places between their neighbours until none moves.
    fn settle(&self, partition: &mut Partition) -> Result<(), Error> {
        // With a single border there is nothing to settle: it is where the search has put it.
        let mut moved = partition.branches().len() > 1;
        while moved {
            moved = false;
            for (id, _) in partition.branches() {
                moved |= self.shift(partition, id)?;
            }
        }
        Ok(())
    }

    /// Moves one border to its best place, if that is another one.
    fn shift(&self, partition: &mut Partition, id: NodeId) -> Result<bool, Error> {
        let Some((branch, joint)) = self.joint(partition, id) else { return Ok(false) };
        let variable = branch.variable;
        let order = self.points.along(variable, &joint.region);
        let least = joint.below.fit.rank.max(joint.above.fit.rank) + 1;
        let Some(border) = best_border(&self.points, variable, &order, least) else { return Ok(false) };
        if border.at == branch.at {
            return Ok(false);
        }
        let pair = self.pair(&joint.region, variable, border.at)?;
        let sum = |below: &Piece, above: &Piece| {
            below.fit.residual_sum_of_squares + above.fit.residual_sum_of_squares
        };
        let old = sum(joint.below, joint.above);
        let rounding = self.rounding(&joint.below.samples) + self.rounding(&joint.above.samples);
        if sum(&pair.below, &pair.above) + WORTHWHILE * old + rounding >= old {
            return Ok(false);
        }
        let (below, above) = joint.ids;
        partition.shift(id, border.at, (below, pair.below), (above, pair.above));
        Ok(true)
    }

    /// The two pieces that have the border of a branch as a full face.
    fn joint<'p>(&self, partition: &'p Partition, id: NodeId) -> Option<(Branch, Joint<'p>)> {
        let branch = partition.branch(id)?;
        let ids = partition.neighbours(branch)?;
        let (below, above) = (partition.leaf(ids.0)?, partition.leaf(ids.1)?);
        let mut region = below.region.clone();
        region[branch.variable].upper = above.region[branch.variable].upper;
        Some((branch, Joint { ids, below, above, region }))
    }

    /// The partition as the caller sees it.
    fn report(&self, partition: &Partition, unlocated: Vec<usize>) -> Result<Segmentation, Error> {
        let mut splits = Vec::new();
        for (id, branch) in partition.branches() {
            let whole = self.errors(partition, id)?;
            let mut parts = self.errors(partition, branch.below)?;
            parts.merge(&self.errors(partition, branch.above)?);
            splits.push(Split {
                variable: branch.variable,
                at: branch.at,
                error_before: whole.root_mean_square(),
                error_after: parts.root_mean_square(),
            });
        }
        let outcome = partition.leaves().iter().map(|(_, piece)| self.outcome(piece)).max();
        let mut cells: Vec<Cell> = partition
            .leaves()
            .into_iter()
            .map(|(_, piece)| Cell {
                intervals: piece.region.clone(),
                samples: piece.samples.clone(),
                fit: piece.fit.clone(),
            })
            .collect();
        cells.sort_by(|a, b| {
            let ends = |cell: &Cell| cell.intervals.iter().map(|i| i.lower).collect::<Vec<_>>();
            ends(a).partial_cmp(&ends(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        Ok(Segmentation { cells, splits, outcome: outcome.unwrap_or(Outcome::WithinThreshold), unlocated })
    }

    /// Relative errors of one fit of all samples below a node.
    fn errors(&self, partition: &Partition, id: NodeId) -> Result<RelativeErrors, Error> {
        let fitted;
        let piece = match partition.leaf(id) {
            Some(piece) => piece,
            None => {
                fitted = self.fit(partition.region(id))?;
                &fitted
            }
        };
        let mut errors = RelativeErrors::default();
        for (&row, &residual) in piece.samples.iter().zip(&piece.fit.residuals) {
            if !residual.is_nan() {
                errors.add(residual, self.samples.observed[row]);
            }
        }
        Ok(errors)
    }

    fn outcome(&self, piece: &Piece) -> Outcome {
        match piece.refusal {
            _ if !self.exceeds(piece) => Outcome::WithinThreshold,
            Some(Refusal::NoBetterSplit) => Outcome::NoBetterSplit,
            Some(Refusal::TooFewSamples) => Outcome::TooFewSamples,
            None => Outcome::LimitReached,
        }
    }
}

/// Two neighbours and the region they make.
struct Joint<'p> {
    ids: (NodeId, NodeId),
    below: &'p Piece,
    above: &'p Piece,
    region: Region,
}
