//! The search for cells on the distinct points of the samples.

use rayon::prelude::*;

use crate::border::best_border;
use crate::fit::RelativeErrors;
use crate::joint::{self, Sets};
use crate::partition::{FittedLeaf, IntervalBox, NodeId, Partition, halves};
use crate::points::Points;
use crate::solution::Solution;
use crate::{Error, Interval, Method, SegmentOptions, SignConstraint, SignReason, StopReason};

/// From so many points on a piece is split only if that pays at once.
const MANY_POINTS: usize = 2000;

/// A single point shows no interval, whatever it shares.
const FEWEST: usize = 2;

/// Rounds of growing and pruning, and of sharing and placing. The second one uses what the first one gave back; more hardly
/// ever differ.
const ROUNDS: usize = 3;

/// By so much a free fit must be better for a negative coefficient to be real, and a border beyond which few points are for it to be one, in units
/// of the information criterion: strong evidence (Kass and Raftery 1995), about three standard errors for one coefficient.
const STRONG_EVIDENCE: f64 = 6.0;

/// A free fit in several cells is believed to need a negative coefficient if its error is smaller by this factor.
const MUCH_MORE_ACCURATE: f64 = 3.0;

/// All that stays the same while the partition changes.
pub(crate) struct Search<'a> {
    pub(crate) points: &'a Points,
    pub(crate) options: &'a SegmentOptions,
    /// Whether coefficients are at least 0.
    pub(crate) is_bounded: bool,
}

/// The cells that were found.
pub(crate) struct FoundCells {
    pub(crate) partition: Partition,
    pub(crate) sets: Sets,
    /// The criterion of all cells together.
    pub(crate) information: f64,
}

/// Two pieces on the two sides of a border.
pub(crate) struct Pair {
    variable: usize,
    at: f64,
    pub(crate) below: FittedLeaf,
    pub(crate) above: FittedLeaf,
}

impl Search<'_> {
    /// The cells of the whole space.
    pub(crate) fn run(&self, variables: usize) -> Result<FoundCells, Error> {
        let mut partition = Partition::new(self.fit(vec![Interval::WHOLE; variables])?);
        if self.options.method == Method::Paper {
            self.grow(&mut partition)?;
            self.explain_limit(&mut partition)?;
            let sets = Sets::separate(self.points.terms(), partition.leaves().len());
            let information = self.judge(&leaves(&partition), &sets);
            return Ok(FoundCells { partition, sets, information });
        }
        // Cells that pruning gives back are there for the parts that still need them.
        for _ in 0..ROUNDS {
            self.grow(&mut partition)?;
            let before = partition.leaves().len();
            self.prune(&mut partition)?;
            self.settle(&mut partition)?;
            let is_open = |piece: &FittedLeaf| self.exceeds(piece) && piece.outcome.is_none();
            let leaves = partition.leaves();
            if leaves.len() == before || !leaves.iter().any(|(_, piece)| is_open(piece)) {
                break;
            }
        }
        self.explain_limit(&mut partition)?;
        let mut rounds = 0;
        loop {
            let pieces = leaves(&partition);
            let (sets, information) = self.share(&pieces);
            let mut changed = self.merge(&mut partition, &sets)?;
            // Places that are best for some sets may make other sets better, and so on in a circle.
            if !changed && self.options.sharing && rounds < ROUNDS {
                rounds += 1;
                changed = self.place(&mut partition, &sets)?;
            }
            if !changed {
                return Ok(FoundCells { partition, sets, information });
            }
        }
    }

    /// The piece of a region.
    pub(crate) fn fit(&self, region: IntervalBox) -> Result<FittedLeaf, Error> {
        let points = self.points.along(0, &region);
        let triangle = self.points.triangle(&points);
        let solution = Solution::of(&triangle, self.is_bounded)?;
        let errors = self.points.relative_errors(&points, &solution.coefficients);
        Ok(FittedLeaf { region, points, triangle, solution, errors, outcome: None })
    }

    pub(crate) fn pair(&self, region: &IntervalBox, variable: usize, at: f64) -> Result<Pair, Error> {
        let (below, above) = halves(region, variable, at);
        Ok(Pair { variable, at, below: self.fit(below)?, above: self.fit(above)? })
    }

    pub(crate) fn exceeds(&self, piece: &FittedLeaf) -> bool {
        piece.errors.root_mean_square() > self.options.thresholds.error
    }

    /// Splits the worst cell until none is left that should and may be split.
    fn grow(&self, partition: &mut Partition) -> Result<(), Error> {
        loop {
            let leaves = partition.leaves();
            if leaves.len() >= self.options.thresholds.intervals {
                return Ok(());
            }
            let candidates =
                leaves.into_iter().filter(|(_, piece)| self.exceeds(piece) && piece.outcome.is_none());
            // `max_by` takes the last of equals; the reversal makes it the first.
            let worst = candidates
                .rev()
                .max_by(|(_, a), (_, b)| a.errors.root_mean_square().total_cmp(&b.errors.root_mean_square()));
            let Some((id, piece)) = worst else { return Ok(()) };
            match self.divide(piece)? {
                Ok(pair) if self.is_hopeless(piece, &pair) => partition.close(id, StopReason::NoBetterSplit),
                Ok(pair) => {
                    partition.split(id, pair.variable, pair.at, pair.below, pair.above);
                    if self.options.method == Method::Refined {
                        self.settle(partition)?;
                    }
                }
                Err(outcome) => partition.close(id, outcome),
            }
        }
    }

    /// Whether a border need not be tried: with so many points each border that is real pays alone, and there is no need
    /// to look for several that pay only together.
    fn is_hopeless(&self, piece: &FittedLeaf, pair: &Pair) -> bool {
        self.options.method == Method::Refined
            && piece.points.len() > MANY_POINTS
            && self.share(&[piece]).1 <= self.share(&[&pair.below, &pair.above]).1
    }

    /// The best two pieces of one, or why there are none: of those that could stand alone, and of those that may share constants.
    fn divide(&self, piece: &FittedLeaf) -> Result<Result<Pair, StopReason>, Error> {
        let alone = self.divide_keeping(piece, piece.solution.design_rank + 1)?;
        let fewest = piece.solution.design_rank.max(FEWEST);
        let may_share = self.options.sharing && self.options.method == Method::Refined;
        if !may_share || fewest > piece.solution.design_rank || piece.points.len() > MANY_POINTS {
            return Ok(alone);
        }
        let Ok(shared) = self.divide_keeping(piece, fewest)? else { return Ok(alone) };
        let information = |pair: &Pair| self.share(&[&pair.below, &pair.above]).1;
        let others = alone.as_ref().map_or(f64::MAX, information).min(self.share(&[piece]).1);
        let is_clear = information(&shared) + STRONG_EVIDENCE < others;
        Ok(if is_clear { Ok(shared) } else { alone })
    }

    /// The same with so many points on either side at least.
    fn divide_keeping(&self, piece: &FittedLeaf, least: usize) -> Result<Result<Pair, StopReason>, Error> {
        if piece.points.len() < 2 * least {
            return Ok(Err(if piece.region.is_empty() {
                StopReason::NoBetterSplit
            } else {
                StopReason::TooFewSamples
            }));
        }
        let found: Vec<_> = (0..piece.region.len())
            .into_par_iter()
            .map(|variable| {
                let order = self.points.along(variable, &piece.region);
                best_border(self.points, variable, &order, least)
            })
            .collect();
        let rounding = self.points.rounding(&piece.points);
        let mut best = None;
        let mut sum = f64::INFINITY;
        for (variable, border) in found.into_iter().enumerate() {
            // Below the rounding level all borders are equally good, and the first variable keeps its own.
            let to_beat = if sum <= rounding { 0.0 } else { sum };
            if let Some(border) = border
                && border.residual_sum_of_squares < to_beat
            {
                sum = border.residual_sum_of_squares;
                best = Some((variable, border.at));
            }
        }
        let Some((variable, at)) = best else { return Ok(Err(StopReason::NoBetterSplit)) };
        Ok(Ok(self.pair(&piece.region, variable, at)?))
    }

    /// Removes the borders that do not pay, those inside a part before the part's own.
    fn prune(&self, partition: &mut Partition) -> Result<(), Error> {
        for (id, _) in partition.branches().into_iter().rev() {
            let whole = self.fit(partition.region(id))?;
            let (_, one) = self.share(&[&whole]);
            let (_, several) = self.share(&partition.leaves_below(id));
            if one <= several {
                partition.set_leaf(id, FittedLeaf { outcome: Some(StopReason::NoBetterSplit), ..whole });
            }
        }
        Ok(())
    }

    /// Makes one piece of parts that share all constants; whether there were any.
    fn merge(&self, partition: &mut Partition, sets: &Sets) -> Result<bool, Error> {
        let order: Vec<NodeId> = partition.leaves().iter().map(|(id, _)| *id).collect();
        for (id, _) in partition.branches().into_iter().rev() {
            let below: Vec<NodeId> = partition.leaf_ids_below(id);
            let cells: Vec<usize> = (0..order.len()).filter(|&cell| below.contains(&order[cell])).collect();
            let is_one = |of_cell: &Vec<usize>| cells.iter().all(|&cell| of_cell[cell] == of_cell[cells[0]]);
            if sets.of_term().iter().all(is_one) {
                let whole = self.fit(partition.region(id))?;
                partition.set_leaf(id, FittedLeaf { outcome: Some(StopReason::NoBetterSplit), ..whole });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells pieces that stay in one for want of cells from those that another cell would not help.
    fn explain_limit(&self, partition: &mut Partition) -> Result<(), Error> {
        let open: Vec<(NodeId, FittedLeaf)> = partition
            .leaves()
            .into_iter()
            .filter(|(_, piece)| self.exceeds(piece) && piece.outcome.is_none())
            .map(|(id, piece)| (id, piece.clone()))
            .collect();
        for (id, piece) in open {
            let outcome = match self.divide(&piece)? {
                Err(outcome) => outcome,
                Ok(_) if self.options.method == Method::Paper => StopReason::LimitReached,
                Ok(pair) => {
                    let (_, one) = self.share(&[&piece]);
                    let (_, two) = self.share(&[&pair.below, &pair.above]);
                    if two < one { StopReason::LimitReached } else { StopReason::NoBetterSplit }
                }
            };
            partition.close(id, outcome);
        }
        Ok(())
    }
}

pub(crate) fn leaves(partition: &Partition) -> Vec<&FittedLeaf> {
    partition.leaves().into_iter().map(|(_, piece)| piece).collect()
}

/// The cells, with the sign that was asked for or that the data ask for.
pub(crate) fn decide(
    points: &Points,
    options: &SegmentOptions,
    variables: usize,
) -> Result<(FoundCells, SignReason), Error> {
    let run = |is_bounded| Search { points, options, is_bounded }.run(variables);
    match options.sign {
        SignConstraint::Free => Ok((run(false)?, SignReason::Free)),
        SignConstraint::NonNegative => Ok((run(true)?, SignReason::NonNegative)),
        SignConstraint::Automatic => {
            let free = run(false)?;
            let coefficients = coefficients(&free)?;
            if coefficients.iter().flatten().all(|value| *value >= 0.0) {
                return Ok((free, SignReason::NoneNegative));
            }
            let bounded = run(true)?;
            let falls_below_zero = leaves(&free.partition)
                .iter()
                .zip(&coefficients)
                .any(|(piece, values)| points.falls_below_zero(&piece.points, values));
            Ok(if bounded.information <= free.information + STRONG_EVIDENCE {
                (bounded, SignReason::NegativeIsNoise)
            } else if falls_below_zero {
                (bounded, SignReason::NegativeTimes)
            } else if is_divided(&free) && worst_error(&free) > options.thresholds.error {
                (bounded, SignReason::NegativeIsNoHelp)
            } else if is_divided(&free) && error(&bounded) < MUCH_MORE_ACCURATE * error(&free) {
                (bounded, SignReason::NegativeIsBending)
            } else {
                (free, SignReason::NegativeIsReal)
            })
        }
    }
}

fn is_divided(found: &FoundCells) -> bool {
    leaves(&found.partition).len() > 1
}

/// The largest rms relative error of a cell.
fn worst_error(found: &FoundCells) -> f64 {
    let pieces = leaves(&found.partition);
    pieces.iter().map(|piece| piece.errors.root_mean_square()).fold(0.0, f64::max)
}

/// The rms relative error of all cells.
fn error(found: &FoundCells) -> f64 {
    let mut errors = RelativeErrors::default();
    for piece in leaves(&found.partition) {
        errors.merge(&piece.errors);
    }
    errors.root_mean_square()
}

/// The coefficients of each cell with constants shared.
fn coefficients(found: &FoundCells) -> Result<Vec<Vec<f64>>, Error> {
    let triangles: Vec<_> = leaves(&found.partition).iter().map(|piece| &piece.triangle).collect();
    let solved = joint::solve(&triangles, &found.sets, false)?;
    Ok(solved.cells.into_iter().map(|cell| cell.coefficients).collect())
}
