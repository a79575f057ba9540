//! A partition of the space of variables into boxes, as a tree of borders.

use crate::factorisation::triangle::Triangle;
use crate::fit::RelativeErrors;
use crate::solution::Solution;
use crate::{Interval, StopReason};

/// A box: one interval for each variable.
pub(crate) type IntervalBox = Vec<Interval>;

/// Whether a point lies in a region.
pub(crate) fn contains(region: &IntervalBox, value: impl Fn(usize) -> f64) -> bool {
    region.iter().enumerate().all(|(variable, interval)| interval.contains(value(variable)))
}

/// The two parts of a region below and above a border.
pub(crate) fn halves(region: &IntervalBox, variable: usize, at: f64) -> (IntervalBox, IntervalBox) {
    let (mut below, mut above) = (region.clone(), region.clone());
    below[variable].upper = at;
    above[variable].lower = at;
    (below, above)
}

/// Whether two regions without common points have a common face.
pub(crate) fn touch(a: &IntervalBox, b: &IntervalBox) -> bool {
    let meet = |a: &Interval, b: &Interval| a.upper == b.lower || b.upper == a.lower;
    let overlap = |a: &Interval, b: &Interval| a.lower < b.upper && b.lower < a.upper;
    let apart = a.iter().zip(b).filter(|(a, b)| !overlap(a, b)).count();
    apart == 1 && a.iter().zip(b).all(|(a, b)| overlap(a, b) || meet(a, b))
}

/// A leaf of the tree: a region with its points and their fit, in the units of [`crate::points::Points`].
#[derive(Debug, Clone)]
pub(crate) struct FittedLeaf {
    pub(crate) region: IntervalBox,
    /// Ascending along the first variable.
    pub(crate) points: Vec<usize>,
    pub(crate) triangle: Triangle,
    pub(crate) solution: Solution,
    pub(crate) errors: RelativeErrors,
    /// Why the piece cannot be split further, once that was tried.
    pub(crate) outcome: Option<StopReason>,
}

/// Index of a node.
pub(crate) type NodeId = usize;

/// A border that divides the region of its node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Branch {
    pub(crate) variable: usize,
    pub(crate) at: f64,
    pub(crate) below: NodeId,
    pub(crate) above: NodeId,
}

#[derive(Debug)]
enum PartitionNode {
    Leaf(Box<FittedLeaf>),
    Branch(Branch),
}

/// Leaves cover the space without overlap whatever is done to the tree. Nodes are never removed, only cut
/// off, so that ids stay valid; node 0 is the whole space.
#[derive(Debug)]
pub(crate) struct Partition {
    nodes: Vec<PartitionNode>,
}

impl Partition {
    pub(crate) fn new(whole: FittedLeaf) -> Self {
        Partition { nodes: vec![PartitionNode::Leaf(Box::new(whole))] }
    }

    /// Nodes of the tree under one of them, a branch before its parts, the part below before the one above.
    fn walk(&self, top: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut open = vec![top];
        while let Some(id) = open.pop() {
            found.push(id);
            if let PartitionNode::Branch(branch) = &self.nodes[id] {
                open.extend([branch.above, branch.below]);
            }
        }
        found
    }

    /// All leaves.
    pub(crate) fn leaves(&self) -> Vec<(NodeId, &FittedLeaf)> {
        let leaf = |id| self.leaf(id).map(|piece| (id, piece));
        self.walk(0).into_iter().filter_map(leaf).collect()
    }

    /// The pieces of the leaves under a node.
    pub(crate) fn leaves_below(&self, id: NodeId) -> Vec<&FittedLeaf> {
        self.walk(id).into_iter().filter_map(|id| self.leaf(id)).collect()
    }

    /// The leaves under a node.
    pub(crate) fn leaf_ids_below(&self, id: NodeId) -> Vec<NodeId> {
        self.walk(id).into_iter().filter(|id| self.leaf(*id).is_some()).collect()
    }

    /// All branches, outer ones first.
    pub(crate) fn branches(&self) -> Vec<(NodeId, Branch)> {
        let branch = |id| self.branch(id).map(|branch| (id, branch));
        self.walk(0).into_iter().filter_map(branch).collect()
    }

    /// The piece of a leaf; None for a branch.
    pub(crate) fn leaf(&self, id: NodeId) -> Option<&FittedLeaf> {
        match &self.nodes[id] {
            PartitionNode::Leaf(piece) => Some(piece),
            PartitionNode::Branch(_) => None,
        }
    }

    /// The branch at a node; None for a leaf.
    pub(crate) fn branch(&self, id: NodeId) -> Option<Branch> {
        match &self.nodes[id] {
            PartitionNode::Leaf(_) => None,
            PartitionNode::Branch(branch) => Some(*branch),
        }
    }

    /// The region of a node: the hull of its leaves.
    pub(crate) fn region(&self, id: NodeId) -> IntervalBox {
        match &self.nodes[id] {
            PartitionNode::Leaf(piece) => piece.region.clone(),
            PartitionNode::Branch(branch) => {
                let mut region = self.region(branch.below);
                region[branch.variable].upper = self.region(branch.above)[branch.variable].upper;
                region
            }
        }
    }

    /// Makes a node a leaf with this piece.
    pub(crate) fn set_leaf(&mut self, id: NodeId, piece: FittedLeaf) {
        self.nodes[id] = PartitionNode::Leaf(Box::new(piece));
    }

    /// Notes why a leaf stays in one.
    pub(crate) fn close(&mut self, id: NodeId, outcome: StopReason) {
        if let PartitionNode::Leaf(piece) = &mut self.nodes[id] {
            piece.outcome = Some(outcome);
        }
    }

    /// Turns a leaf into a branch with two leaves.
    pub(crate) fn split(
        &mut self,
        id: NodeId,
        variable: usize,
        at: f64,
        below: FittedLeaf,
        above: FittedLeaf,
    ) {
        let next = self.nodes.len();
        self.nodes.extend([below, above].map(|piece| PartitionNode::Leaf(Box::new(piece))));
        self.nodes[id] = PartitionNode::Branch(Branch { variable, at, below: next, above: next + 1 });
    }

    /// The two leaves that meet at the border of a branch, if on either side there is only one; then the border is
    /// a full face of both and can be moved without touching others.
    pub(crate) fn neighbours(&self, branch: Branch) -> Option<(NodeId, NodeId)> {
        Some((
            self.rim(branch.below, branch.variable, |inner| inner.above)?,
            self.rim(branch.above, branch.variable, |inner| inner.below)?,
        ))
    }

    fn rim(&self, mut id: NodeId, variable: usize, towards: impl Fn(&Branch) -> NodeId) -> Option<NodeId> {
        loop {
            match &self.nodes[id] {
                PartitionNode::Leaf(_) => return Some(id),
                PartitionNode::Branch(inner) if inner.variable == variable => id = towards(inner),
                PartitionNode::Branch(_) => return None,
            }
        }
    }

    /// Moves the border of a branch between its two neighbours, which get new pieces.
    pub(crate) fn shift(
        &mut self,
        id: NodeId,
        at: f64,
        below: (NodeId, FittedLeaf),
        above: (NodeId, FittedLeaf),
    ) {
        if let PartitionNode::Branch(branch) = &mut self.nodes[id] {
            branch.at = at;
            self.set_leaf(below.0, below.1);
            self.set_leaf(above.0, above.1);
        }
    }
}
