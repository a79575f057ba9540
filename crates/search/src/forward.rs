use std::cmp::Ordering;

use crate::candidates::Candidates;
use crate::evidence::{EvidenceBound, evidence};
use crate::orthogonal::{Orthogonal, PerTerm, dot, solve_upper};
use crate::prior::{MOST_TERMS, ModelPrior};

/// Models less than 1/100 as plausible as the best are left out, an Occam's window. Madigan and Raftery (JASA 1994) take 1/20; the
/// formulas here are so alike that many with little weight each have much together.
pub(crate) const OCCAMS_WINDOW: f64 = 4.605_170;

/// A column of which less than this share is left when the others are taken out says nothing beside rounding.
pub(crate) const COLLINEAR: f64 = 1e-12;

/// A model in the search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchNode {
    /// Positions of its terms among the candidates, in the order in which they came in.
    columns: [u16; MOST_TERMS],
    pub count: usize,
    pub squares: f64,
    pub prior: ModelPrior,
    /// Logarithm of prior times marginal likelihood.
    pub log_weight: f64,
    /// Diagonal of the triangle.
    diagonal: PerTerm,
}

impl SearchNode {
    /// Without a term, which leaves so much.
    fn empty(candidates: &Candidates, squares: f64) -> SearchNode {
        SearchNode {
            columns: [0; MOST_TERMS],
            count: 0,
            squares,
            prior: candidates.prior_of_none(),
            log_weight: f64::NEG_INFINITY,
            diagonal: [0.0; MOST_TERMS],
        }
    }

    /// A model without one of its terms; it may have negative constants.
    pub fn without(candidates: &Candidates, node: &SearchNode, position: usize) -> SearchNode {
        let mut columns = node.columns().to_vec();
        columns.remove(position);
        SearchNode::of(candidates, &columns)
    }

    /// A model with one more term; it may have negative constants.
    pub fn with(candidates: &Candidates, node: &SearchNode, term: usize) -> SearchNode {
        SearchNode::of(candidates, &[node.columns(), &[term as u16]].concat())
    }

    fn of(candidates: &Candidates, columns: &[u16]) -> SearchNode {
        let factors = Orthogonal::new(candidates, columns);
        let mut node =
            SearchNode { count: columns.len(), ..SearchNode::empty(candidates, factors.squares()) };
        node.columns[..columns.len()].copy_from_slice(columns);
        for (index, column) in columns.iter().enumerate() {
            node.diagonal[index] = factors.triangle[index][index];
            node.prior = node.prior.with(&candidates.priors[usize::from(*column)]);
        }
        node
    }

    pub fn columns(&self) -> &[u16] {
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
    pub fn order(&self, other: &SearchNode) -> Ordering {
        other.log_weight.total_cmp(&self.log_weight).then_with(|| self.terms().cmp(&other.terms()))
    }
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SearchReach {
    /// Most terms of a model.
    pub terms: usize,
    /// So many models of each size are continued.
    pub beam: usize,
    /// So many of one term are, however plausible alone: of `n/P + log(P)` neither term need be a good model.
    pub first_beam: usize,
    /// So many of two terms, one of which is the constant: `n + n*n` with a start-up time.
    pub constant_beam: usize,
}

impl SearchReach {
    /// The best models of each size are continued.
    pub fn of_best(terms: usize, beam: usize) -> SearchReach {
        SearchReach { terms, beam, first_beam: beam, constant_beam: 0 }
    }

    /// So many of a size, with and without the constant term.
    fn beams(&self, size: usize) -> (usize, usize) {
        match size {
            // The constant model is always continued: most programs have a start-up time.
            1 => (self.first_beam.max(self.beam), 1),
            2 => (self.beam, self.constant_beam),
            _ => (self.beam, 0),
        }
    }
}

/// Forward search: all models of one term, then the best of each size with each further term. A model with a negative constant is
/// none; what it can explain without it, its sub-models in the search do. Models below `least` are of no use to the caller.
pub(crate) fn search(candidates: &Candidates, reach: SearchReach, least: f64) -> Vec<SearchNode> {
    let most_terms = reach.terms.min(MOST_TERMS).min(candidates.points.saturating_sub(1)).max(1);
    let mut expansion = Expansion::new(candidates);
    let mut found: Vec<SearchNode> = Vec::new();
    let target = &candidates.target;
    let mut parents = vec![SearchNode::empty(candidates, dot(target, target))];
    for size in 1..=most_terms {
        if size == most_terms {
            expansion.least = least;
        }
        let (beam, constant_beam) = reach.beams(size);
        expansion.children.clear();
        expansion.keeps_all = size < most_terms && beam > reach.beam;
        expansion.keeps_constant = size < most_terms && constant_beam > 0;
        for parent in &parents {
            expansion.expand(parent);
        }
        // The best first term need not be in the best two.
        if size > 2 || (size == 2 && reach.first_beam > reach.beam) {
            expansion.exchange();
        }
        let children = &mut expansion.children;
        children.sort_unstable_by(SearchNode::order);
        if size > 1 {
            children.dedup_by(|left, right| left.terms() == right.terms());
        }
        parents.clear();
        parents.extend(children.iter().take(beam));
        let with_constant = children.iter().skip(beam).filter(|node| node.columns().contains(&0));
        let missing =
            constant_beam.saturating_sub(parents.iter().filter(|node| node.columns().contains(&0)).count());
        parents.extend(with_constant.take(missing));
        found.extend(children.iter().filter(|node| node.log_weight >= least));
    }
    found.retain(|node| node.log_weight > expansion.best - OCCAMS_WINDOW);
    found.sort_unstable_by(SearchNode::order);
    found
}

/// The plausible models that have one term more than one of the parents, where one is known that is as plausible as `best`.
pub(crate) fn expanded(
    candidates: &Candidates,
    parents: &[SearchNode],
    best: f64,
    least: f64,
) -> Vec<SearchNode> {
    let mut expansion = Expansion { best, least, ..Expansion::new(candidates) };
    parents.iter().for_each(|parent| expansion.expand(parent));
    expansion.children
}

/// One step of the search.
struct Expansion<'a> {
    candidates: &'a Candidates,
    /// Squared lengths of the candidates' columns.
    lengths: Vec<f64>,
    /// The best model so far; children are within the window of it.
    best: f64,
    /// Children are at least as plausible as this.
    least: f64,
    children: Vec<SearchNode>,
    /// Whether children that are not plausible are kept, to be continued.
    keeps_all: bool,
    /// Whether those with the constant term are.
    keeps_constant: bool,
}

impl Expansion<'_> {
    fn new(candidates: &Candidates) -> Expansion<'_> {
        let square = |index: usize| dot(candidates.column(index), candidates.column(index));
        Expansion {
            candidates,
            lengths: (0..candidates.factors.len()).map(square).collect(),
            best: f64::NEG_INFINITY,
            least: f64::NEG_INFINITY,
            children: Vec::with_capacity(candidates.factors.len()),
            keeps_all: false,
            keeps_constant: false,
        }
    }

    /// Exchanges terms of the best model for others, one at a time, as long as that helps: of three terms the best two need not be
    /// a good model of two.
    fn exchange(&mut self) {
        loop {
            let before = self.best;
            let Some(best) = self.children.iter().min_by(|left, right| left.order(right)).copied() else {
                return;
            };
            for position in 0..best.count {
                self.expand(&SearchNode::without(self.candidates, &best, position));
            }
            if self.best <= before {
                return;
            }
        }
    }

    /// Adds each plausible model that has one term more than the parent.
    fn expand(&mut self, parent: &SearchNode) {
        let candidates = self.candidates;
        let factors = Orthogonal::new(candidates, parent.columns());
        let (count, points) = (parent.count, candidates.points);
        // A constant that is positive by rounding alone is none.
        let least_square = f64::EPSILON * f64::EPSILON * points as f64;
        let bound = EvidenceBound::new(points, count + 1, candidates.noise);
        let parent_volume_squared: f64 = parent.diagonal().iter().map(|size| size * size).product();
        for candidate in 0..candidates.factors.len() {
            let column = candidates.column(candidate);
            let along = dot(&factors.residual, column);
            if (along <= 0.0 && !candidates.signed) || !is_determined(candidates, parent, candidate) {
                continue;
            }
            let mut change = [0.0; MOST_TERMS];
            let mut length = self.lengths[candidate];
            for (projection, q) in change.iter_mut().zip(factors.q.chunks_exact(points)) {
                *projection = dot(q, column);
                length -= *projection * *projection;
            }
            let gain = along * along / length;
            if length <= COLLINEAR * self.lengths[candidate] || gain <= least_square {
                continue;
            }
            let squares = (parent.squares - gain).max(0.0);
            let prior = parent.prior.with(&candidates.priors[candidate]);
            let log_prior = prior.log();
            let has_constant = candidate == 0 || parent.columns().contains(&0);
            let is_kept = self.keeps_all || (self.keeps_constant && has_constant);
            let window = self.least.max(self.best - OCCAMS_WINDOW);
            if bound.excludes(window - log_prior, squares, parent_volume_squared * length) && !is_kept {
                continue;
            }
            // The constants of the parent change by -R⁻¹ Qᵀ column times the new constant.
            let constant = along / length;
            solve_upper(&factors.triangle, count, &mut change);
            let mut constants = factors.constants;
            constants[..count].iter_mut().zip(&change).for_each(|(old, change)| *old -= change * constant);
            constants[count] = constant;
            let mut node = *parent;
            node.columns[count] = candidate as u16;
            node.count = count + 1;
            if constants[..node.count].iter().any(|constant| *constant < 0.0)
                && !(candidates.signed && candidates.is_positive(node.columns(), &constants[..node.count]))
            {
                continue;
            }
            node.squares = squares;
            node.diagonal[count] = length.sqrt();
            node.prior = prior;
            node.log_weight = log_prior + evidence(points, squares, &candidates.noise, node.diagonal()).log;
            if node.log_weight >= window || is_kept {
                self.best = self.best.max(node.log_weight);
                self.children.push(node);
            }
        }
    }
}

/// Whether the term is new, and each variable has as many values as functions in the terms that agree in all other variables: more are not told
/// apart. Where they are as many they interpolate, as `N/P` and `N` do between two values of P, and each of those that do is weighed by its prior.
fn is_determined(candidates: &Candidates, parent: &SearchNode, candidate: usize) -> bool {
    if parent.columns().contains(&(candidate as u16)) {
        return false;
    }
    // With one variable the number of points has bounded the number of terms.
    if candidates.variables == 1 {
        return true;
    }
    let new = &candidates.factors[candidate];
    (0..candidates.variables).all(|variable| {
        let agrees = |column: &&u16| {
            let other = &candidates.factors[usize::from(**column)];
            (0..candidates.variables).all(|its| its == variable || other[its] == new[its])
        };
        let functions = 1 + parent.columns().iter().filter(agrees).count();
        functions <= candidates.levels[variable].max(2)
    })
}
