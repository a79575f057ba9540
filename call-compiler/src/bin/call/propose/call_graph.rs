//! Which functions of a file call each other.

use std::collections::{HashSet, VecDeque};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// The functions of a file, by numbers, with those that each calls.
pub struct CallGraph {
    calls: Vec<Vec<usize>>,
    /// Of each function, those that it reaches and that reach it.
    components: Vec<usize>,
}

/// How a function comes to call itself.
#[derive(Debug, PartialEq, Eq)]
pub enum WayToItself {
    /// Through the fewest others; none where it names itself.
    Through(Vec<usize>),
    /// Through more than are told, of which this is the first one.
    ThroughMany(usize),
}

/// A longer way is not told as a whole.
const MOST_OTHERS: usize = 3;

/// So many calls are looked at for a short way, that a file is not gone through for each of its functions.
const MOST_CALLS: usize = 1000;

impl CallGraph {
    pub fn new(calls: Vec<Vec<usize>>) -> CallGraph {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(calls.len(), 0);
        let nodes: Vec<_> = calls.iter().map(|_| graph.add_node(())).collect();
        for (caller, called) in calls.iter().enumerate() {
            called.iter().for_each(|its| _ = graph.add_edge(nodes[caller], nodes[*its], ()));
        }
        let mut components = vec![0; calls.len()];
        for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
            component.into_iter().for_each(|function| components[function.index()] = number);
        }
        CallGraph { calls, components }
    }

    /// How a function calls itself, if it does.
    pub fn way_to_itself(&self, function: usize) -> Option<WayToItself> {
        if self.calls[function].contains(&function) {
            return Some(WayToItself::Through(Vec::new()));
        }
        let first = self.of_component(function).next()?;
        Some(self.short_way(function).map_or(WayToItself::ThroughMany(first), WayToItself::Through))
    }

    /// Those that a function calls and that reach it.
    fn of_component(&self, function: usize) -> impl Iterator<Item = usize> {
        let component = self.components[function];
        self.calls[function].iter().copied().filter(move |its| self.components[*its] == component)
    }

    fn short_way(&self, function: usize) -> Option<Vec<usize>> {
        let mut ways = VecDeque::from([Vec::new()]);
        let mut seen = HashSet::new();
        let mut left = MOST_CALLS;
        while let Some(way) = ways.pop_front() {
            for called in self.of_component(*way.last().unwrap_or(&function)) {
                if called == function {
                    return Some(way);
                }
                left = left.checked_sub(1)?;
                if way.len() < MOST_OTHERS && seen.insert(called) {
                    ways.push_back([&way[..], &[called]].concat());
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_reach_themselves() {
        let ring = |length: usize| (0..length).map(|its| vec![(its + 1) % length]).collect();
        let through = |others: &[usize]| Some(WayToItself::Through(others.to_vec()));
        let cases: [(Vec<Vec<usize>>, usize, Option<WayToItself>); 7] = [
            (vec![vec![1], vec![]], 0, None),
            (vec![vec![0, 1], vec![0]], 0, through(&[])),
            (vec![vec![1, 2], vec![2], vec![0]], 0, through(&[2])),
            (vec![vec![1], vec![2], vec![1]], 0, None),
            (ring(4), 1, through(&[2, 3, 0])),
            (ring(5), 1, Some(WayToItself::ThroughMany(2))),
            (ring(100_000), 7, Some(WayToItself::ThroughMany(8))),
        ];
        for (calls, function, expected) in cases {
            let told = format!("{:?}", calls.iter().take(9).collect::<Vec<_>>());
            assert_eq!(CallGraph::new(calls).way_to_itself(function), expected, "{told}");
        }
    }
}
