//! Rivals of each term of the best models of several variables.
//!
//! Products are made of shortlists, which know each variable alone: of `N/P + P` a few values of P tell `P` as little from `P*P*P` as
//! from `P*log(P)`, and whichever is on the list by chance would be the only one that is weighed.

use std::collections::HashSet;

use crate::candidates::Candidates;
use crate::evidence::WeightedValues;
use crate::forward::{OCCAMS_WINDOW, SearchNode, expanded};
use crate::grid::ShapeGrid;
use crate::pairs::with_first_terms;

/// So many of the best models have their terms exchanged.
const BEST: usize = 3;

/// So often at most, as long as better models are found.
const PASSES: usize = 8;

/// The models that were found and those in which one term is another one, or two are one or two others: each shape in a term of the best models
/// may be any of its variable. The new terms become candidates.
pub(crate) fn with_rivals(
    grid: &ShapeGrid,
    rows: &[usize],
    values: &WeightedValues,
    candidates: &mut Candidates,
    mut found: Vec<SearchNode>,
    least: f64,
) -> Vec<SearchNode> {
    let weight_of_best =
        |found: &[SearchNode]| found.first().map_or(f64::NEG_INFINITY, |node| node.log_weight);
    let mut before = f64::NEG_INFINITY;
    for _ in 0..PASSES {
        if weight_of_best(&found) <= before {
            // No term alone helps any more.
            let Some(best) = found.first() else { break };
            let parents = parents(candidates, std::slice::from_ref(best));
            let least_of_pair = least.max(best.log_weight - OCCAMS_WINDOW);
            let extend = |parent| with_first_terms(candidates, parent, least_of_pair);
            let extended: Vec<SearchNode> = parents.iter().flat_map(extend).collect();
            found = with_children(candidates, found, &extended, least);
            if weight_of_best(&found) <= before {
                break;
            }
        }
        before = weight_of_best(&found);
        let models = &found[..found.len().min(BEST)];
        for column in models.iter().flat_map(SearchNode::columns) {
            candidates.add_rivals(grid, rows, values, usize::from(*column));
        }
        let parents = parents(candidates, models);
        found = with_children(candidates, found, &parents, least);
    }
    found
}

/// The models, and the plausible ones that have one term more than one of the parents.
fn with_children(
    candidates: &Candidates,
    mut found: Vec<SearchNode>,
    parents: &[SearchNode],
    least: f64,
) -> Vec<SearchNode> {
    let best = found.first().map_or(f64::NEG_INFINITY, |node| node.log_weight);
    found.extend(expanded(candidates, parents, best, least));
    found.sort_by(SearchNode::order);
    let mut seen = HashSet::new();
    found.retain(|node| seen.insert(node.terms()));
    let best = found.first().map_or(best, |node| node.log_weight);
    found.retain(|node| node.log_weight > best - OCCAMS_WINDOW);
    found
}

/// The models without one of their terms, and without two, each once.
fn parents(candidates: &Candidates, models: &[SearchNode]) -> Vec<SearchNode> {
    let without_one = |node: &SearchNode| -> Vec<SearchNode> {
        (0..node.count).map(|position| SearchNode::without(candidates, node, position)).collect()
    };
    let mut parents: Vec<SearchNode> = models.iter().flat_map(without_one).collect();
    let fewer: Vec<SearchNode> = parents.iter().flat_map(without_one).collect();
    parents.extend(fewer);
    let mut seen = HashSet::new();
    parents.retain(|node| seen.insert(node.terms()));
    parents
}
