//! Two terms that explain together what neither explains alone: `P` and `P*P` beside a model whose best single term is `pow(P, 5/4)`.

use nalgebra::DMatrix;

use crate::candidates::Candidates;
use crate::evidence::{EvidenceBound, evidence};
use crate::forward::{COLLINEAR, SearchNode};
use crate::orthogonal::{Orthogonal, dot};
use crate::prior::MOST_TERMS;

/// So many first terms of pairs are kept for each parent.
const FIRST_TERMS: usize = 4;

/// So many candidates are tried in pairs, the simplest ones by their priors.
const MOST_PAIRED: usize = 512;

/// Two terms whose columns are nearer than this beside the parent say the same.
const SAME: f64 = 1e-9;

/// The parent with the first term of each of the best pairs that are at least as plausible as `least`, all pairs of candidates having been tried; each
/// is to be extended by a second one.
pub(crate) fn with_first_terms(candidates: &Candidates, parent: &SearchNode, least: f64) -> Vec<SearchNode> {
    if parent.count + 2 > MOST_TERMS.min(candidates.points.saturating_sub(1)) {
        return Vec::new();
    }
    let beside = Beside::new(candidates, parent, least);
    let together = beside.columns.transpose() * &beside.columns;
    let mut best: Vec<(f64, usize)> = Vec::new();
    for (first, second_from) in (0..beside.terms.len()).zip(1..) {
        let pairs = (second_from..beside.terms.len())
            .filter_map(|second| beside.log_weight(first, second, together[(first, second)]));
        if let Some(weight) = pairs.max_by(f64::total_cmp) {
            best.push((weight, beside.terms[first]));
        }
    }
    best.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    best.truncate(FIRST_TERMS);
    best.iter().map(|(_, first)| SearchNode::with(candidates, parent, *first)).collect()
}

/// The candidates that are tried.
fn simplest(candidates: &Candidates) -> impl Iterator<Item = usize> {
    let mut terms: Vec<usize> = (0..candidates.factors.len()).collect();
    terms.sort_by(|left, right| candidates.priors[*right].log.total_cmp(&candidates.priors[*left].log));
    terms.into_iter().take(MOST_PAIRED)
}

/// What candidates say beside a parent.
struct Beside<'a> {
    candidates: &'a Candidates,
    parent: &'a SearchNode,
    least: f64,
    bound: EvidenceBound,
    volume_squared: f64,
    terms: Vec<usize>,
    /// Their columns without what the parent says, each of length 1.
    columns: DMatrix<f64>,
    /// Lengths of those columns before.
    lengths: Vec<f64>,
    /// What is left of the target, along the columns.
    along: Vec<f64>,
}

impl Beside<'_> {
    fn new<'a>(candidates: &'a Candidates, parent: &'a SearchNode, least: f64) -> Beside<'a> {
        let factors = Orthogonal::new(candidates, parent.columns());
        let points = candidates.points;
        let mut beside = Beside {
            candidates,
            parent,
            least,
            bound: EvidenceBound::new(points, parent.count + 2, candidates.noise),
            volume_squared: parent.diagonal().iter().map(|size| size * size).product(),
            terms: Vec::new(),
            columns: DMatrix::zeros(0, 0),
            lengths: Vec::new(),
            along: Vec::new(),
        };
        let mut entries = Vec::with_capacity(points * candidates.factors.len().min(MOST_PAIRED));
        for term in simplest(candidates).filter(|term| !parent.columns().contains(&(*term as u16))) {
            let mut column = candidates.column(term).to_vec();
            let whole = dot(&column, &column);
            factors.take_out_of(&mut column);
            let square = dot(&column, &column);
            if square > COLLINEAR * whole {
                let length = square.sqrt();
                entries.extend(column.iter().map(|entry| entry / length));
                beside.along.push(dot(&factors.residual, &column) / length);
                beside.lengths.push(length);
                beside.terms.push(term);
            }
        }
        beside.columns = DMatrix::from_vec(points, beside.terms.len(), entries);
        beside
    }

    /// Logarithm of the weight of the parent with two terms whose columns have this product; none where a constant of theirs is not positive.
    fn log_weight(&self, first: usize, second: usize, product: f64) -> Option<f64> {
        let (along, other) = (self.along[first], self.along[second]);
        let apart = 1.0 - product * product;
        if apart < SAME || along <= product * other || other <= product * along {
            return None;
        }
        let gain = (along * along - 2.0 * product * along * other + other * other) / apart;
        let squares = (self.parent.squares - gain).max(0.0);
        let priors = &self.candidates.priors;
        let log_prior =
            self.parent.prior.with(&priors[self.terms[first]]).with(&priors[self.terms[second]]).log();
        let lengths = [self.lengths[first], self.lengths[second] * apart.sqrt()];
        let volume_squared = self.volume_squared * (lengths[0] * lengths[1]).powi(2);
        if self.bound.excludes(self.least - log_prior, squares, volume_squared) {
            return None;
        }
        let mut diagonal = [0.0; MOST_TERMS];
        diagonal[..self.parent.count].copy_from_slice(self.parent.diagonal());
        diagonal[self.parent.count..][..2].copy_from_slice(&lengths);
        let noise = &self.candidates.noise;
        let evidence = evidence(self.candidates.points, squares, noise, &diagonal[..self.parent.count + 2]);
        Some(log_prior + evidence.log)
    }
}
