//! The search for cells on the distinct points of the samples.

use rayon::prelude::*;

use crate::border::{all_borders, best_border};
use crate::criterion::Evidence;
use crate::factorisation::triangle::Triangle;
use crate::joint::{Cost, Sets, cost, share};
use crate::partition::{Branch, NodeId, Partition, Piece, Refusal, Region, halves, touch};
use crate::points::Points;
use crate::solution::Solution;
use crate::{Error, Interval, Method, Options};

/// A border moves only if the residual sum falls by more than this share of itself: less is rounding.
const WORTHWHILE: f64 = 1e-9;

/// So many places of a border between cells that share constants are tried, those first that would be best for cells
/// that share nothing: their residual sum is a lower bound.
const PLACES: usize = 24;

/// Up to so many points on both sides of a border these places are tried; with more, the border is known well enough.
const POINTS_TO_PLACE: usize = 2000;

/// From so many points on a piece is split only if that pays at once.
const MANY_POINTS: usize = 2000;

/// Rounds of growing and pruning, and of sharing and placing. The second one uses what the first one gave back; more hardly
/// ever differ.
const ROUNDS: usize = 3;

/// All that stays the same while the partition changes.
pub(crate) struct Search<'a> {
    pub(crate) points: &'a Points,
    pub(crate) options: &'a Options,
    /// Whether coefficients are at least 0.
    pub(crate) is_bounded: bool,
}

/// The cells that were found.
pub(crate) struct Found {
    pub(crate) partition: Partition,
    pub(crate) sets: Sets,
    /// The criterion of all cells together.
    pub(crate) information: f64,
}

/// Two pieces on the two sides of a border.
struct Pair {
    variable: usize,
    at: f64,
    below: Piece,
    above: Piece,
}

impl Search<'_> {
    /// The cells of the whole space.
    pub(crate) fn run(&self, variables: usize) -> Result<Found, Error> {
        let mut partition = Partition::new(self.fit(vec![Interval::WHOLE; variables])?);
        if self.options.method == Method::Paper {
            self.grow(&mut partition)?;
            self.explain_limit(&mut partition)?;
            let sets = Sets::separate(self.points.terms(), partition.leaves().len());
            let information = self.judge(&leaves(&partition), &sets);
            return Ok(Found { partition, sets, information });
        }
        // Cells that pruning gives back are there for the parts that still need them.
        for _ in 0..ROUNDS {
            self.grow(&mut partition)?;
            let before = partition.leaves().len();
            self.prune(&mut partition)?;
            self.settle(&mut partition)?;
            let is_open = |piece: &Piece| self.exceeds(piece) && piece.refusal.is_none();
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
                return Ok(Found { partition, sets, information });
            }
        }
    }

    /// The piece of a region.
    pub(crate) fn fit(&self, region: Region) -> Result<Piece, Error> {
        let points = self.points.along(0, &region);
        let triangle = self.points.triangle(&points);
        let solution = Solution::of(&triangle, self.is_bounded)?;
        let errors = self.points.relative_errors(&points, &solution.coefficients);
        Ok(Piece { region, points, triangle, solution, errors, refusal: None })
    }

    fn pair(&self, region: &Region, variable: usize, at: f64) -> Result<Pair, Error> {
        let (below, above) = halves(region, variable, at);
        Ok(Pair { variable, at, below: self.fit(below)?, above: self.fit(above)? })
    }

    pub(crate) fn exceeds(&self, piece: &Piece) -> bool {
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
                leaves.into_iter().filter(|(_, piece)| self.exceeds(piece) && piece.refusal.is_none());
            // `max_by` takes the last of equals; the reversal makes it the first.
            let worst = candidates
                .rev()
                .max_by(|(_, a), (_, b)| a.errors.root_mean_square().total_cmp(&b.errors.root_mean_square()));
            let Some((id, piece)) = worst else { return Ok(()) };
            match self.divide(piece)? {
                Ok(pair) if self.is_hopeless(piece, &pair) => partition.refuse(id, Refusal::NoBetterSplit),
                Ok(pair) => {
                    partition.split(id, pair.variable, pair.at, pair.below, pair.above);
                    if self.options.method == Method::Refined {
                        self.settle(partition)?;
                    }
                }
                Err(refusal) => partition.refuse(id, refusal),
            }
        }
    }

    /// Whether a border need not be tried: with so many points each border that is real pays alone, and there is no need
    /// to look for several that pay only together.
    fn is_hopeless(&self, piece: &Piece, pair: &Pair) -> bool {
        self.options.method == Method::Refined
            && piece.points.len() > MANY_POINTS
            && self.share(&[piece]).1 <= self.share(&[&pair.below, &pair.above]).1
    }

    /// The best two pieces of one, or why there are none.
    fn divide(&self, piece: &Piece) -> Result<Result<Pair, Refusal>, Error> {
        let least = piece.solution.design_rank + 1;
        if piece.points.len() < 2 * least {
            return Ok(Err(if piece.region.is_empty() {
                Refusal::NoBetterSplit
            } else {
                Refusal::TooFewSamples
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
        let Some((variable, at)) = best else { return Ok(Err(Refusal::NoBetterSplit)) };
        Ok(Ok(self.pair(&piece.region, variable, at)?))
    }

    /// Logarithm of the number of choices: a border may be at any gap between values of a variable, and each further value
    /// of a constant belongs to one of the constants.
    fn choice(&self, borders: usize, further: usize) -> f64 {
        let gaps: usize = (0..self.points.variables()).map(|v| self.points.value_count(v) - 1).sum();
        borders as f64 * (gaps.max(1) as f64).ln() + further as f64 * (self.points.terms() as f64).ln()
    }

    /// What pieces together have as evidence, with a joint fit that leaves and costs so much, and has `extra` columns more
    /// than one piece.
    fn evidence(&self, pieces: &[&Piece], cost: Cost, extra: usize) -> (Evidence, f64) {
        let count: usize = pieces.iter().map(|piece| piece.points.len()).sum();
        let (mut within, mut freedom, mut floor) = (0.0, 0, 0.0);
        for piece in pieces {
            let (sum, more) = self.points.pure_error(&piece.points);
            within += sum;
            freedom += more;
            floor += self.points.rounding(&piece.points);
        }
        // Of the repetitions in the samples, and of those that were folded before, one a point at most.
        let here = freedom.min(count);
        let mut noise = if freedom > 0 { within * (here as f64 / freedom as f64) } else { 0.0 };
        let mut folded = 0;
        if let Some(pure) = self.options.pure_error {
            let share = pure.freedom as f64 * count as f64 / self.points.len() as f64;
            folded = (share as usize).min(count - here);
            noise += folded as f64 * self.points.to_row_units(pure.variance);
        }
        let evidence = Evidence {
            samples: count + here + folded,
            residual_sum_of_squares: cost.residual_sum_of_squares + noise,
            parameters: cost.rank,
            borders: pieces.len() - 1,
            choice: self.choice(pieces.len() - 1, extra),
        };
        (evidence, floor)
    }

    /// The criterion of pieces with the given sets.
    fn judge(&self, pieces: &[&Piece], sets: &Sets) -> f64 {
        let cost = cost(&triangles(pieces), sets, self.is_bounded);
        let (evidence, floor) = self.evidence(pieces, cost, sets.columns() - self.points.terms());
        evidence.information(floor)
    }

    /// The best sets for pieces, and the criterion with them.
    fn share(&self, pieces: &[&Piece]) -> (Sets, f64) {
        if !self.options.sharing || pieces.len() < 2 {
            let sets = Sets::separate(self.points.terms(), pieces.len());
            let information = self.judge(pieces, &sets);
            return (sets, information);
        }
        let pairs = (0..pieces.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let neighbours: Vec<(usize, usize)> =
            pairs.filter(|&(a, b)| touch(&pieces[a].region, &pieces[b].region)).collect();
        // Points, pure error and floor are the same for all sets.
        let (evidence, floor) = self.evidence(pieces, Cost { residual_sum_of_squares: 0.0, rank: 0 }, 0);
        let judge = |cost: Cost, sets: &Sets| {
            let further = sets.columns() - self.points.terms();
            let with_cost = Evidence {
                residual_sum_of_squares: evidence.residual_sum_of_squares + cost.residual_sum_of_squares,
                parameters: cost.rank,
                choice: self.choice(evidence.borders, further),
                ..evidence
            };
            with_cost.information(floor)
        };
        share(&triangles(pieces), &neighbours, self.is_bounded, judge)
    }

    /// Removes the borders that do not pay, those inside a part before the part's own.
    fn prune(&self, partition: &mut Partition) -> Result<(), Error> {
        for (id, _) in partition.branches().into_iter().rev() {
            let whole = self.fit(partition.region(id))?;
            let (_, one) = self.share(&[&whole]);
            let (_, several) = self.share(&partition.leaves_below(id));
            if one <= several {
                partition.set_leaf(id, Piece { refusal: Some(Refusal::NoBetterSplit), ..whole });
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
                partition.set_leaf(id, Piece { refusal: Some(Refusal::NoBetterSplit), ..whole });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Tells pieces that stay in one for want of cells from those that another cell would not help.
    fn explain_limit(&self, partition: &mut Partition) -> Result<(), Error> {
        let open: Vec<(NodeId, Piece)> = partition
            .leaves()
            .into_iter()
            .filter(|(_, piece)| self.exceeds(piece) && piece.refusal.is_none())
            .map(|(id, piece)| (id, piece.clone()))
            .collect();
        for (id, piece) in open {
            let refusal = match self.divide(&piece)? {
                Err(refusal) => refusal,
                Ok(_) if self.options.method == Method::Paper => Refusal::LimitReached,
                Ok(pair) => {
                    let (_, one) = self.share(&[&piece]);
                    let (_, two) = self.share(&[&pair.below, &pair.above]);
                    if two < one { Refusal::LimitReached } else { Refusal::NoBetterSplit }
                }
            };
            partition.refuse(id, refusal);
        }
        Ok(())
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
        let least = joint.least();
        let Some(border) = best_border(self.points, variable, &order, least) else { return Ok(false) };
        if border.at == branch.at {
            return Ok(false);
        }
        let pair = self.pair(&joint.region, variable, border.at)?;
        let sum = |below: &Piece, above: &Piece| {
            below.solution.residual_sum_of_squares + above.solution.residual_sum_of_squares
        };
        let old = sum(joint.below, joint.above);
        if sum(&pair.below, &pair.above) + WORTHWHILE * old + self.points.rounding(&order) >= old {
            return Ok(false);
        }
        let (below, above) = joint.ids;
        partition.shift(id, border.at, (below, pair.below), (above, pair.above));
        Ok(true)
    }

    /// Moves the borders of few points to the places that are best for the constants that cells share; whether any
    /// moved.
    fn place(&self, partition: &mut Partition, sets: &Sets) -> Result<bool, Error> {
        let mut changed = false;
        for (id, _) in partition.branches() {
            changed |= self.place_one(partition, id, sets)?;
        }
        Ok(changed)
    }

    fn place_one(&self, partition: &mut Partition, id: NodeId, sets: &Sets) -> Result<bool, Error> {
        let Some((branch, joint)) = self.joint(partition, id) else { return Ok(false) };
        let order = self.points.along(branch.variable, &joint.region);
        if order.len() > POINTS_TO_PLACE {
            return Ok(false);
        }
        let ids: Vec<NodeId> = partition.leaves().iter().map(|(id, _)| *id).collect();
        let pieces = leaves(partition);
        let sum = |pair: Option<&Pair>| {
            let triangles: Vec<&Triangle> = ids
                .iter()
                .zip(&pieces)
                .map(|(&leaf, piece)| match pair {
                    Some(pair) if leaf == joint.ids.0 => &pair.below.triangle,
                    Some(pair) if leaf == joint.ids.1 => &pair.above.triangle,
                    _ => &piece.triangle,
                })
                .collect();
            cost(&triangles, sets, self.is_bounded).residual_sum_of_squares
        };
        let old = sum(None);
        let here =
            joint.below.solution.residual_sum_of_squares + joint.above.solution.residual_sum_of_squares;
        let elsewhere: f64 =
            pieces.iter().map(|piece| piece.solution.residual_sum_of_squares).sum::<f64>() - here;
        let mut places = all_borders(self.points, branch.variable, &order, joint.least());
        places.sort_by(|a, b| a.residual_sum_of_squares.total_cmp(&b.residual_sum_of_squares));
        let slack = WORTHWHILE * old + self.points.rounding(&order);
        let mut best: Option<(Pair, f64)> = None;
        let mut to_beat = old - slack;
        for border in places.into_iter().take(PLACES) {
            // Cells that share nothing fit at least as well.
            if border.residual_sum_of_squares + elsewhere >= to_beat {
                break;
            }
            let pair = self.pair(&joint.region, branch.variable, border.at)?;
            let value = sum(Some(&pair));
            if value < to_beat {
                to_beat = value;
                best = Some((pair, border.at));
            }
        }
        let Some((pair, at)) = best else { return Ok(false) };
        let (below, above) = joint.ids;
        partition.shift(id, at, (below, pair.below), (above, pair.above));
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
}

/// Two neighbours and the region they make.
struct Joint<'p> {
    ids: (NodeId, NodeId),
    below: &'p Piece,
    above: &'p Piece,
    region: Region,
}

impl Joint<'_> {
    /// Points that each side keeps at least.
    fn least(&self) -> usize {
        self.below.solution.design_rank.max(self.above.solution.design_rank) + 1
    }
}

pub(crate) fn leaves(partition: &Partition) -> Vec<&Piece> {
    partition.leaves().into_iter().map(|(_, piece)| piece).collect()
}

fn triangles<'p>(pieces: &[&'p Piece]) -> Vec<&'p Triangle> {
    pieces.iter().map(|piece| &piece.triangle).collect()
}
