use std::cmp::Ordering;
use std::f64::consts::LN_2;

use super::candidates::Candidates;
use super::evidence::evidence;
use super::orthogonal::{MOST_TERMS, Orthogonal, PerTerm, dot, solve_upper};
use super::term::MOST_VARIABLES;

/// Models less than 1/1000 as plausible as the best are left out (Occam's window, Madigan and Raftery 1994).
pub(super) const OCCAMS_WINDOW: f64 = 6.907_755;

/// A column of which less than this share is left when the others are taken out says nothing beside rounding.
const COLLINEAR: f64 = 1e-12;

/// A model in the search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Positions of its terms among the candidates, in the order in which they came in.
    columns: [u16; MOST_TERMS],
    pub count: usize,
    pub squares: f64,
    pub log_prior: f64,
    /// Logarithm of prior times marginal likelihood.
    pub log_weight: f64,
    /// Diagonal of the triangle.
    diagonal: PerTerm,
}

impl Node {
    const EMPTY: Node = Node {
        columns: [0; MOST_TERMS],
        count: 0,
        squares: 0.0,
        log_prior: 0.0,
        log_weight: f64::NEG_INFINITY,
        diagonal: [0.0; MOST_TERMS],
    };

    fn columns(&self) -> &[u16] {
        &self.columns[..self.count]
    }

    pub fn diagonal(&self) -> &[f64] {
        &self.diagonal[..self.count]
    }

    /// Its terms in the order of the candidates, the constant term first.
    pub fn terms(&self) -> ([u16; MOST_TERMS], usize) {
        let mut terms = [u16::MAX; MOST_TERMS];
        terms[..self.count].copy_from_slice(self.columns());
        terms.sort_unstable();
        (terms, self.count)
    }

    /// The more plausible first.
    fn order(&self, other: &Node) -> Ordering {
        other.log_weight.total_cmp(&self.log_weight).then_with(|| self.terms().cmp(&other.terms()))
    }
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// Most terms of a model.
    pub terms: usize,
    /// So many models of each size are continued.
    pub beam: usize,
}

/// Forward search: all models of one term, then the best of each size with each further term. A model with a negative constant is
/// none; what it can explain without it, its sub-models in the search do.
pub(super) fn search(candidates: &Candidates, reach: Reach) -> Vec<Node> {
    let most_terms = reach.terms.min(MOST_TERMS).min(candidates.points.saturating_sub(1)).max(1);
    let lengths: Vec<f64> = (0..candidates.factors.len())
        .map(|index| dot(candidates.column(index), candidates.column(index)))
        .collect();
    let mut found: Vec<Node> = Vec::new();
    let mut children: Vec<Node> = Vec::with_capacity(candidates.factors.len());
    let mut parents = vec![Node { squares: dot(&candidates.target, &candidates.target), ..Node::EMPTY }];
    let mut best = f64::NEG_INFINITY;
    for size in 1..=most_terms {
        children.clear();
        for parent in &parents {
            // What is worse than the window at the last size can neither be reported nor continued.
            let least = if size == most_terms { best - OCCAMS_WINDOW } else { f64::NEG_INFINITY };
            expand(candidates, &lengths, parent, least, &mut children);
        }
        children.sort_unstable_by(Node::order);
        children.dedup_by(|left, right| left.terms() == right.terms());
        best = children.first().map_or(best, |node| node.log_weight.max(best));
        parents.clear();
        parents.extend(children.iter().take(reach.beam));
        // The constant model is always continued: most programs have a start-up time.
        if size == 1 && !parents.iter().any(|node| node.columns[0] == 0) {
            parents.extend(children.iter().find(|node| node.columns[0] == 0));
        }
        found.extend(children.iter().filter(|node| node.log_weight > best - OCCAMS_WINDOW));
    }
    found.retain(|node| node.log_weight > best - OCCAMS_WINDOW);
    found.sort_unstable_by(Node::order);
    found
}

/// Adds each model that has one term more than the parent.
fn expand(candidates: &Candidates, lengths: &[f64], parent: &Node, least: f64, children: &mut Vec<Node>) {
    let factors = Orthogonal::new(candidates, parent.columns());
    let count = parent.count;
    let terms = parent.columns().iter().filter(|column| **column > 0).count() + 1;
    // Each term beside the constant halves the prior, and the order of the terms does not matter.
    let log_prior_of_another = (terms as f64).ln() - LN_2;
    for candidate in 0..candidates.factors.len() {
        if parent.columns().contains(&(candidate as u16)) || !is_checked(candidates, parent, candidate) {
            continue;
        }
        let column = candidates.column(candidate);
        let mut change = [0.0; MOST_TERMS];
        let mut length = lengths[candidate];
        for (projection, q) in change.iter_mut().zip(factors.q.chunks_exact(candidates.points)) {
            *projection = dot(q, column);
            length -= *projection * *projection;
        }
        if length <= COLLINEAR * lengths[candidate] {
            continue;
        }
        let rest = length.sqrt();
        let along = dot(&factors.residual, column) / rest;
        // Also a constant that is positive by rounding alone is none.
        if along * along <= f64::EPSILON * f64::EPSILON * candidates.points as f64 || along < 0.0 {
            continue;
        }
        // The constants of the parent change by -R⁻¹ Qᵀ column times the new constant.
        let constant = along / rest;
        solve_upper(&factors.triangle, count, &mut change);
        if (0..count).any(|term| factors.constants[term] - change[term] * constant < 0.0) {
            continue;
        }
        let mut node = *parent;
        node.columns[count] = candidate as u16;
        node.count = count + 1;
        node.squares = (parent.squares - along * along).max(0.0);
        node.diagonal[count] = rest;
        node.log_prior += candidates.log_prior[candidate] + if candidate > 0 { log_prior_of_another } else { 0.0 };
        let evidence = evidence(candidates.points, node.squares, &candidates.noise, node.diagonal());
        node.log_weight = node.log_prior + evidence.log;
        if node.log_weight >= least {
            children.push(node);
        }
    }
}

/// Whether each variable has more values than the model has functions of it: otherwise it would interpolate, and no value would
/// check it.
fn is_checked(candidates: &Candidates, parent: &Node, candidate: usize) -> bool {
    let new = &candidates.factors[candidate];
    (0..MOST_VARIABLES).all(|variable| {
        let mut functions = 1;
        for (position, column) in parent.columns().iter().enumerate() {
            let factor = candidates.factors[usize::from(*column)][variable];
            let seen = |other: &u16| candidates.factors[usize::from(*other)][variable] == factor;
            if factor != new[variable] && !parent.columns()[..position].iter().any(seen) {
                functions += 1;
            }
        }
        functions < candidates.levels[variable].max(2)
    })
}
