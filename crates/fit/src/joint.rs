//! Cells with constants in common.
//!
//! "Each constant gets its own set": in the paper's example (section 2.1, Table 2) only A2 has two values, A0 and A1
//! hold everywhere. Cells that share a constant are one least squares problem with one column for it. Its triangle
//! follows from the triangles of the cells, so that no row is looked at again.

use nalgebra::DMatrix;

use crate::Error;
use crate::factorisation::givens::GrowingFit;
use crate::factorisation::triangle::Triangle;
use crate::solution::{Solution, passive_terms};

/// For each term the set of each cell: cells with the same number have the same value. Numbers count up from 0 in the
/// order of the cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sets {
    of_term: Vec<Vec<usize>>,
}

impl Sets {
    /// Every cell has values of its own.
    pub(crate) fn separate(terms: usize, cells: usize) -> Self {
        Sets { of_term: vec![(0..cells).collect(); terms] }
    }

    pub(crate) fn of_term(&self) -> &[Vec<usize>] {
        &self.of_term
    }

    /// These sets with those of two cells joined for one term; None if they are one already.
    fn joined(&self, term: usize, a: usize, b: usize) -> Option<Sets> {
        let (a, b) = (self.of_term[term][a], self.of_term[term][b]);
        let (kept, gone) = (a.min(b), a.max(b));
        let mut sets = self.clone();
        for set in &mut sets.of_term[term] {
            if *set == gone {
                *set = kept;
            } else if *set > gone {
                *set -= 1;
            }
        }
        (kept != gone).then_some(sets)
    }

    /// Number of columns of the joint problem.
    pub(crate) fn columns(&self) -> usize {
        self.of_term.iter().map(|sets| count(sets)).sum()
    }

    /// The joint column of each term in a cell.
    fn map(&self, cell: usize) -> Vec<Option<usize>> {
        let mut first = 0;
        let mut map = Vec::with_capacity(self.of_term.len());
        for sets in &self.of_term {
            map.push(Some(first + sets[cell]));
            first += count(sets);
        }
        map
    }

    /// Whether two cells share no constant at all, not even by way of others.
    pub(crate) fn components(&self) -> Vec<Vec<usize>> {
        let cells = self.of_term.first().map_or(0, Vec::len);
        let mut component: Vec<usize> = (0..cells).collect();
        // A cell takes the smallest number of those with which it shares, until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for sets in &self.of_term {
                for a in 0..cells {
                    for b in 0..cells {
                        if sets[a] == sets[b] && component[a] < component[b] {
                            component[b] = component[a];
                            changed = true;
                        }
                    }
                }
            }
        }
        let leaders = (0..cells).filter(|&cell| component[cell] == cell);
        leaders.map(|leader| (0..cells).filter(|&cell| component[cell] == leader).collect()).collect()
    }

    /// The sets of some cells only.
    pub(crate) fn restrict(&self, cells: &[usize]) -> Sets {
        let renumber = |sets: &Vec<usize>| {
            let mut known: Vec<usize> = Vec::new();
            let number = |&cell: &usize| {
                let set = sets[cell];
                known.iter().position(|other| *other == set).unwrap_or_else(|| {
                    known.push(set);
                    known.len() - 1
                })
            };
            cells.iter().map(number).collect()
        };
        Sets { of_term: self.of_term.iter().map(renumber).collect() }
    }
}

fn count(sets: &[usize]) -> usize {
    sets.iter().max().map_or(0, |largest| largest + 1)
}

/// What a joint fit leaves and costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResidualAndRank {
    pub(crate) residual_sum_of_squares: f64,
    pub(crate) rank: usize,
}

/// The joint problem of cells.
fn stack(cells: &[&Triangle], sets: &Sets) -> Triangle {
    let maps: Vec<_> = (0..cells.len()).map(|cell| sets.map(cell)).collect();
    let parts: Vec<_> = cells.iter().copied().zip(maps.iter().map(Vec::as_slice)).collect();
    Triangle::stack(&parts, sets.columns())
}

/// Residual sum and rank alone.
pub(crate) fn cost(cells: &[&Triangle], sets: &Sets, is_bounded: bool) -> ResidualAndRank {
    let joint = stack(cells, sets);
    if is_bounded {
        let passive = passive_terms(&joint);
        let rest = joint.restrict(&passive).remainder();
        return ResidualAndRank { residual_sum_of_squares: rest * rest, rank: passive.len() };
    }
    let mut fit = GrowingFit::new(joint.terms());
    fit.append_triangle(&joint.upper);
    ResidualAndRank {
        residual_sum_of_squares: fit.residual_sum_of_squares(),
        rank: joint.terms() - fit.undetermined() - fit.vanishing(),
    }
}

/// Joins sets of neighbouring cells as long as `judge`, the smaller the better, does not get worse.
///
/// `neighbours` are pairs of cells with a common face. Of all joins of two sets of one term that some neighbours allow
/// the best one is done, and so on: backward elimination, each step a constraint on the joint fit.
pub(crate) fn share(
    cells: &[&Triangle],
    neighbours: &[(usize, usize)],
    is_bounded: bool,
    judge: impl Fn(ResidualAndRank, &Sets) -> f64,
) -> (Sets, f64) {
    let terms = cells.first().map_or(0, |cell| cell.terms());
    let mut sets = Sets::separate(terms, cells.len());
    let mut best = judge(cost(cells, &sets, is_bounded), &sets);
    loop {
        let mut found: Option<(Sets, f64, f64)> = None;
        let mut seen: Vec<Sets> = Vec::new();
        for term in 0..terms {
            for &(a, b) in neighbours {
                let Some(joined) = sets.joined(term, a, b) else { continue };
                if seen.contains(&joined) {
                    continue;
                }
                let cost = cost(cells, &joined, is_bounded);
                let (value, sum) = (judge(cost, &joined), cost.residual_sum_of_squares);
                // Where there are too few samples to judge, the join that explains most goes first.
                let is_better = found.as_ref().is_none_or(|(_, other, other_sum)| {
                    value < *other || (value == *other && sum < *other_sum)
                });
                if value <= best && is_better {
                    found = Some((joined.clone(), value, sum));
                }
                seen.push(joined);
            }
        }
        let Some((joined, value, _)) = found else { return (sets, best) };
        (sets, best) = (joined, value);
    }
}

/// The joint solution, taken apart into those of the cells.
pub(crate) struct JointSolution {
    pub(crate) cells: Vec<Solution>,
    pub(crate) rank: usize,
}

/// Solves cells with the given sets together.
pub(crate) fn solve(cells: &[&Triangle], sets: &Sets, is_bounded: bool) -> Result<JointSolution, Error> {
    let joint = Solution::of(&stack(cells, sets), is_bounded)?;
    let part = |cell: usize| {
        let map: Vec<usize> = sets.map(cell).into_iter().flatten().collect();
        let bounded: Vec<usize> = (0..map.len()).filter(|&term| joint.bounded.contains(&map[term])).collect();
        let null_directions = joint.null_directions.iter();
        let null_directions: Vec<Vec<f64>> = null_directions
            .map(|direction| map.iter().map(|&column| direction[column]).collect())
            .filter(|direction: &Vec<f64>| direction.iter().any(|share| *share != 0.0))
            .collect();
        Solution {
            coefficients: map.iter().map(|&column| joint.coefficients[column]).collect(),
            unit_covariance: DMatrix::from_fn(map.len(), map.len(), |i, j| {
                joint.unit_covariance[(map[i], map[j])]
            }),
            unit_errors: map.iter().map(|&column| joint.unit_errors[column]).collect(),
            rank: map.len() - bounded.len(),
            design_rank: map.len(),
            condition: joint.condition,
            null_directions,
            bounded,
            residual_sum_of_squares: joint.residual_sum_of_squares,
        }
    };
    Ok(JointSolution { cells: (0..cells.len()).map(part).collect(), rank: joint.rank })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_joined_and_numbered() {
        let sets = Sets::separate(2, 4);
        let joined = sets.joined(1, 2, 1).expect("two sets");
        assert_eq!(joined.of_term(), [vec![0, 1, 2, 3], vec![0, 1, 1, 2]]);
        assert_eq!(joined.joined(1, 1, 2), None);
        assert_eq!(joined.columns(), 7);
        assert_eq!(joined.map(3), [Some(3), Some(6)]);
        assert_eq!(joined.components(), [vec![0], vec![1, 2], vec![3]]);
        assert_eq!(joined.restrict(&[1, 2]).of_term(), [vec![0, 1], vec![0, 0]]);
    }
}
