//! Borders moved to better places.

use crate::Error;
use crate::border::{all_borders, best_border};
use crate::factorisation::triangle::Triangle;
use crate::joint::{Sets, cost};
use crate::partition::{Branch, FittedLeaf, IntervalBox, NodeId, Partition};
use crate::search::{Pair, Search, leaves};

/// A border moves only if the residual sum falls by more than this share of itself: less is rounding.
const WORTHWHILE: f64 = 1e-9;

/// So many places of a border between cells that share constants are tried, those first that would be best for cells
/// that share nothing: their residual sum is a lower bound.
const PLACES: usize = 24;

/// Up to so many points on both sides of a border these places are tried; with more, the border is known well enough.
const POINTS_TO_PLACE: usize = 2000;

impl Search<'_> {
    /// Moves borders to their best places between their neighbours until none moves.
    pub(crate) fn settle(&self, partition: &mut Partition) -> Result<(), Error> {
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
        let sum = |below: &FittedLeaf, above: &FittedLeaf| {
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
    pub(crate) fn place(&self, partition: &mut Partition, sets: &Sets) -> Result<bool, Error> {
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
    below: &'p FittedLeaf,
    above: &'p FittedLeaf,
    region: IntervalBox,
}

impl Joint<'_> {
    /// Points that each side keeps at least: one more than determines it, unless it has fewer already as it shares constants.
    fn least(&self) -> usize {
        let alone = self.below.solution.design_rank.max(self.above.solution.design_rank) + 1;
        alone.min(self.below.points.len()).min(self.above.points.len())
    }
}
