use super::evidence::{Noise, log_evidence};

/// Most terms of a model, the constant term among them.
pub(super) const MOST_TERMS: usize = 5;

/// Weighted columns of the candidate terms at the points of a fit, each scaled so that its largest entry is 1.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    pub points: usize,
    /// Position of each column in the pool of terms.
    pub term: Vec<usize>,
    /// Largest entry before scaling.
    pub scale: Vec<f64>,
    pub log_prior: Vec<f64>,
    /// Column after column.
    pub entries: Vec<f64>,
    /// The weighted values.
    pub target: Vec<f64>,
    pub noise: Noise,
}

impl Columns {
    pub fn column(&self, index: usize) -> &[f64] {
        &self.entries[index * self.points..(index + 1) * self.points]
    }
}

/// A model in the search.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Columns in the order in which they came in.
    pub columns: [u16; MOST_TERMS],
    pub count: usize,
    pub squares: f64,
    /// Logarithm of prior times marginal likelihood.
    pub log_weight: f64,
    pub log_prior: f64,
    /// Diagonal of the triangle.
    pub diagonal: [f64; MOST_TERMS],
}

impl Node {
    /// Its columns in order, which names the model.
    pub fn key(&self) -> [u16; MOST_TERMS] {
        let mut key = self.columns;
        key[..self.count].sort_unstable();
        key[self.count..].fill(u16::MAX);
        key
    }
}

/// The orthogonal factors of a model: its columns are Q R.
struct Factors {
    orthogonal: Vec<f64>,
    triangle: [[f64; MOST_TERMS]; MOST_TERMS],
    /// Qᵀ y and the constants.
    constants: [f64; MOST_TERMS],
    residual: Vec<f64>,
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

/// Logarithm of the prior of a number of terms beside the constant term: each term halves it.
fn log_prior_of_count(terms: usize) -> f64 {
    -(terms as f64) * std::f64::consts::LN_2
}

/// Forward search: models of one term, then the best of each size with each further term. A model with a negative constant is none;
/// its sub-models are in the search. `column 0` is the constant term.
pub(super) fn search(columns: &Columns, most_terms: usize, beam: usize) -> Vec<Node> {
    let mut found: Vec<Node> = Vec::new();
    let most_terms = most_terms.min(MOST_TERMS).min(columns.points.saturating_sub(1)).max(1);
    let empty = Node {
        columns: [0; MOST_TERMS],
        count: 0,
        squares: dot(&columns.target, &columns.target),
        log_weight: f64::NEG_INFINITY,
        log_prior: 0.0,
        diagonal: [0.0; MOST_TERMS],
    };
    let mut parents = vec![empty];
    for level in 1..=most_terms {
        let mut children: Vec<Node> = Vec::new();
        for parent in &parents {
            expand(columns, parent, &mut children);
        }
        children.sort_by(|left, right| {
            right.log_weight.total_cmp(&left.log_weight).then(left.key().cmp(&right.key()))
        });
        children.dedup_by(|left, right| left.key() == right.key());
        parents = children.iter().take(beam).cloned().collect();
        // The constant model is always continued: most programs have a start-up time.
        if level == 1 && !parents.iter().any(|node| node.columns[0] == 0) {
            parents.extend(children.iter().find(|node| node.columns[0] == 0).cloned());
        }
        let best = children.first().map_or(f64::NEG_INFINITY, |node| node.log_weight);
        found.extend(children.into_iter().filter(|node| node.log_weight > best - OCCAMS_WINDOW));
        if parents.is_empty() {
            break;
        }
    }
    found.sort_by(|left, right| right.log_weight.total_cmp(&left.log_weight).then(left.key().cmp(&right.key())));
    let best = found.first().map_or(f64::NEG_INFINITY, |node| node.log_weight);
    found.retain(|node| node.log_weight > best - OCCAMS_WINDOW);
    found
}

/// Models less than 1/1000 as plausible as the best are left out (Occam's window, Madigan and Raftery 1994).
pub(super) const OCCAMS_WINDOW: f64 = 6.907_755;

fn expand(columns: &Columns, parent: &Node, children: &mut Vec<Node>) {
    let factors = factorise(columns, &parent.columns[..parent.count]);
    let count = parent.count;
    let points = columns.points;
    let beyond_constant = |column: usize| usize::from(column != 0);
    let terms_before: usize = parent.columns[..count].iter().map(|column| beyond_constant(usize::from(*column))).sum();
    for candidate in 0..columns.term.len() {
        if parent.columns[..count].contains(&(candidate as u16)) {
            continue;
        }
        let column = columns.column(candidate);
        let mut projections = [0.0; MOST_TERMS];
        let mut length = dot(column, column);
        let whole = length;
        for (projection, q) in projections.iter_mut().zip(factors.orthogonal.chunks_exact(points)) {
            *projection = dot(q, column);
            length -= *projection * *projection;
        }
        if length <= COLLINEAR * whole {
            continue;
        }
        let rest = length.sqrt();
        let along = dot(&factors.residual, column) / rest;
        if along <= 0.0 {
            continue;
        }
        if count > 0 && !stays_non_negative(&factors, count, &projections, along / rest) {
            continue;
        }
        let squares = (parent.squares - along * along).max(0.0);
        let mut node = parent.clone();
        node.columns[count] = candidate as u16;
        node.count = count + 1;
        node.squares = squares;
        node.diagonal[count] = rest;
        let terms = terms_before + beyond_constant(candidate);
        node.log_prior = parent.log_prior - log_prior_of_count(terms_before) + log_prior_of_count(terms)
            + columns.log_prior[candidate]
            + if terms > terms_before { (terms as f64).ln() } else { 0.0 };
        node.log_weight =
            node.log_prior + log_evidence(points, squares, &columns.noise, &node.diagonal[..node.count]).log;
        children.push(node);
    }
}

/// A column of which less than this is left after the others are taken out tells nothing beside rounding.
const COLLINEAR: f64 = 1e-12;

/// Whether the constants of the parent stay non-negative with the new one: b - R⁻¹ projections · new.
fn stays_non_negative(factors: &Factors, count: usize, projections: &[f64; MOST_TERMS], new: f64) -> bool {
    let mut change = *projections;
    for row in (0..count).rev() {
        for column in row + 1..count {
            change[row] -= factors.triangle[row][column] * change[column];
        }
        change[row] /= factors.triangle[row][row];
        if factors.constants[row] - change[row] * new < 0.0 {
            return false;
        }
    }
    true
}

/// Modified Gram-Schmidt, for few columns that the search has found to be independent.
fn factorise(columns: &Columns, chosen: &[u16]) -> Factors {
    let points = columns.points;
    let mut factors = Factors {
        orthogonal: Vec::with_capacity(chosen.len() * points),
        triangle: [[0.0; MOST_TERMS]; MOST_TERMS],
        constants: [0.0; MOST_TERMS],
        residual: columns.target.clone(),
    };
    for (index, column) in chosen.iter().enumerate() {
        let mut rest = columns.column(usize::from(*column)).to_vec();
        for (row, q) in factors.orthogonal.chunks_exact(points).enumerate() {
            let projection = dot(q, &rest);
            factors.triangle[row][index] = projection;
            rest.iter_mut().zip(q).for_each(|(rest, q)| *rest -= projection * q);
        }
        let length = dot(&rest, &rest).sqrt();
        factors.triangle[index][index] = length;
        rest.iter_mut().for_each(|rest| *rest /= length);
        let along = dot(&rest, &factors.residual);
        factors.residual.iter_mut().zip(&rest).for_each(|(residual, q)| *residual -= along * q);
        factors.constants[index] = along;
        factors.orthogonal.extend(rest);
    }
    for row in (0..chosen.len()).rev() {
        for column in row + 1..chosen.len() {
            factors.constants[row] -= factors.triangle[row][column] * factors.constants[column];
        }
        factors.constants[row] /= factors.triangle[row][row];
    }
    factors
}

/// A fitted model: constants in scaled columns, triangle, residual sum of squares.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub constants: [f64; MOST_TERMS],
    pub triangle: [[f64; MOST_TERMS]; MOST_TERMS],
    pub squares: f64,
}

/// The constants of a model that the search has found.
pub(super) fn solve(columns: &Columns, chosen: &[u16]) -> Solution {
    let factors = factorise(columns, chosen);
    Solution {
        constants: factors.constants,
        triangle: factors.triangle,
        squares: dot(&factors.residual, &factors.residual),
    }
}
