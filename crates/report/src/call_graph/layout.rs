//! Layers from left to right with few crossings: Sugiyama's method, as dot has it, by the crate rust-sugiyama.

use std::collections::{BTreeMap, BTreeSet};

use rust_sugiyama::configure::Config;

/// Between boxes of a layer, in pixels.
const GAP: f64 = 14.0;
/// Between layers, in pixels.
const LAYER_GAP: f64 = 56.0;
/// The height that a call needs where it passes a layer.
const LANE: f64 = 6.0;

/// Where boxes and calls stand, in pixels from the upper left corner.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphLayout {
    /// Of the whole.
    pub size: (f64, f64),
    /// The centre of each box.
    pub centres: Vec<(f64, f64)>,
    /// Where each call goes straight through a layer between its two boxes: a place where it comes in, and one where it goes out.
    pub routes: Vec<Vec<[(f64, f64); 2]>>,
}

/// A call in the direction of the layers.
#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
struct Arrow {
    from: usize,
    to: usize,
}

impl GraphLayout {
    /// Lays out boxes of these widths and heights. Calls may form circles.
    ///
    /// # Panics
    /// If a call is one of a box that is not there.
    pub fn of(sizes: &[(f64, f64)], calls: &[(usize, usize)]) -> GraphLayout {
        let rank = ranks(sizes.len(), calls);
        // The crate never ends with some circles.
        let forward = |&(from, to): &(usize, usize)| match rank[from] <= rank[to] {
            true => Arrow { from, to },
            false => Arrow { from: to, to: from },
        };
        let arrows: BTreeSet<Arrow> = calls.iter().filter(|(from, to)| from != to).map(forward).collect();
        let layer_of = layers(&places(sizes, arrows.iter().copied()));
        // A call that passes layers has a lane through each of them.
        let mut boxes = sizes.to_vec();
        let mut steps = Vec::new();
        let mut lanes: BTreeMap<Arrow, Vec<usize>> = BTreeMap::new();
        for arrow in arrows {
            let mut lane: Vec<usize> = Vec::new();
            let mut before = arrow.from;
            for _ in layer_of[arrow.from] + 1..layer_of[arrow.to] {
                boxes.push((0.0, LANE));
                lane.push(boxes.len() - 1);
                steps.push(Arrow { from: before, to: boxes.len() - 1 });
                before = boxes.len() - 1;
            }
            steps.push(Arrow { from: before, to: arrow.to });
            lanes.insert(arrow, lane);
        }
        let mut centres = places(&boxes, steps.into_iter());
        let size = shift(&mut centres, &boxes);
        let layer_of = layers(&centres);
        let mut widths = vec![0.0_f64; layer_of.iter().max().map_or(0, |last| last + 1)];
        for (layer, size) in layer_of.iter().zip(&boxes) {
            widths[*layer] = widths[*layer].max(size.0);
        }
        let through = |lane: usize| {
            let ((x, y), half) = (centres[lane], widths[layer_of[lane]] / 2.0);
            [(x - half, y), (x + half, y)]
        };
        let route = |call: &(usize, usize)| {
            let arrow = forward(call);
            let mut route: Vec<[(f64, f64); 2]> =
                lanes.get(&arrow).into_iter().flatten().map(|lane| through(*lane)).collect();
            if arrow.from != call.0 {
                route.reverse();
                route.iter_mut().for_each(|ends| ends.reverse());
            }
            route
        };
        let routes = calls.iter().map(route).collect();
        centres.truncate(sizes.len());
        GraphLayout { size, centres, routes }
    }
}

/// Numbers that grow along all calls but those that close a circle: the order in which a search in depth leaves, from the end.
fn ranks(count: usize, calls: &[(usize, usize)]) -> Vec<usize> {
    let mut callees = vec![Vec::new(); count];
    let mut is_called = vec![false; count];
    for &(from, to) in calls.iter().filter(|(from, to)| from != to) {
        callees[from].push(to);
        is_called[to] = true;
    }
    let mut ranks = vec![None; count];
    let mut is_seen = vec![false; count];
    let mut left = count;
    let starts = (0..count).filter(|node| !is_called[*node]).chain(0..count);
    for start in starts {
        let mut open = vec![(start, 0)];
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        while let Some((node, next)) = open.last_mut() {
            if let Some(&callee) = callees[*node].get(*next) {
                *next += 1;
                if !std::mem::replace(&mut is_seen[callee], true) {
                    open.push((callee, 0));
                }
            } else {
                left -= 1;
                ranks[*node] = Some(left);
                open.pop();
            }
        }
    }
    ranks.into_iter().flatten().collect()
}

/// The centre of each box; parts of the graph that do not hang together stand below each other.
fn places(sizes: &[(f64, f64)], arrows: impl Iterator<Item = Arrow>) -> Vec<(f64, f64)> {
    // The crate's layers go down, ours to the right.
    let vertices: Vec<(u32, (f64, f64))> =
        (0..).zip(sizes).map(|(id, (width, height))| (id, (height + GAP, width + LAYER_GAP))).collect();
    let edges: Vec<(u32, u32)> = arrows.map(|Arrow { from, to }| (from as u32, to as u32)).collect();
    let config = Config { vertex_spacing: 1.0, transpose: edges.len() < 600, ..Config::default() };
    let mut parts = rust_sugiyama::from_vertices_and_edges(&vertices, &edges, &config);
    for (part, ..) in &mut parts {
        part.sort_by_key(|(id, _)| *id);
    }
    parts.sort_by_key(|(part, ..)| part.first().map(|(id, _)| *id));
    let mut centres = vec![(0.0, 0.0); sizes.len()];
    let mut top = 0.0;
    for (part, ..) in parts {
        let edge =
            |&(id, (across, _)): &(usize, (f64, f64)), side: f64| across + side * (sizes[id].1 + GAP) / 2.0;
        let lowest = part.iter().map(|place| edge(place, -1.0)).fold(f64::INFINITY, f64::min);
        let highest = part.iter().map(|place| edge(place, 1.0)).fold(f64::NEG_INFINITY, f64::max);
        for (id, (across, along)) in part {
            centres[id] = (along, across - lowest + top);
        }
        top += highest - lowest;
    }
    centres
}

/// The number of the layer of each box, from their centres.
fn layers(centres: &[(f64, f64)]) -> Vec<usize> {
    let key = |along: f64| (along * 16.0).round() as i64;
    let layers: BTreeSet<i64> = centres.iter().map(|centre| key(centre.0)).collect();
    let number: BTreeMap<i64, usize> = layers.into_iter().zip(0..).collect();
    centres.iter().map(|centre| number[&key(centre.0)]).collect()
}

/// Moves everything to the upper left corner; the size of the whole.
fn shift(centres: &mut [(f64, f64)], sizes: &[(f64, f64)]) -> (f64, f64) {
    let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    for (centre, size) in centres.iter().zip(sizes) {
        low = (low.0.min(centre.0 - size.0 / 2.0), low.1.min(centre.1 - size.1 / 2.0));
        high = (high.0.max(centre.0 + size.0 / 2.0), high.1.max(centre.1 + size.1 / 2.0));
    }
    for centre in centres {
        *centre = (centre.0 - low.0, centre.1 - low.1);
    }
    (high.0 - low.0, high.1 - low.1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Columns of one layer have one centre, but parts of the graph may differ.
    fn overlap(one: ((f64, f64), (f64, f64)), other: ((f64, f64), (f64, f64))) -> bool {
        let apart = |one_at: f64, one_size: f64, other_at: f64, other_size: f64| {
            (one_at - other_at).abs() >= (one_size + other_size) / 2.0 - 1e-6
        };
        !(apart(one.0.0, one.1.0, other.0.0, other.1.0) || apart(one.0.1, one.1.1, other.0.1, other.1.1))
    }

    #[test]
    fn a_chain_goes_to_the_right() {
        let layout = GraphLayout::of(&[(100.0, 20.0), (50.0, 30.0), (80.0, 20.0)], &[(0, 1), (1, 2), (0, 2)]);
        assert!(layout.centres[0].0 < layout.centres[1].0 && layout.centres[1].0 < layout.centres[2].0);
        assert!(layout.routes[0].is_empty());
        assert_eq!(layout.routes[2].len(), 1, "the call of two layers goes round the box between");
        assert!((layout.routes[2][0][0].1 - layout.centres[1].1).abs() > 15.0);
        assert_eq!(layout.centres[0].0 - 50.0, 0.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn boxes_never_overlap(
            sizes in proptest::collection::vec((10.0..200.0_f64, 10.0..60.0_f64), 1..40),
            calls in proptest::collection::vec((0..40_usize, 0..40_usize), 0..80),
        ) {
            let count = sizes.len();
            let calls: Vec<(usize, usize)> = calls.iter().map(|(from, to)| (from % count, to % count)).collect();
            let layout = GraphLayout::of(&sizes, &calls);
            prop_assert_eq!(&layout, &GraphLayout::of(&sizes, &calls));
            prop_assert_eq!(layout.routes.len(), calls.len());
            for one in 0..count {
                let (x, y) = layout.centres[one];
                prop_assert!(x >= 0.0 && y >= 0.0 && x <= layout.size.0 && y <= layout.size.1);
                for other in 0..one {
                    let at = |index: usize| (layout.centres[index], sizes[index]);
                    prop_assert!(!overlap(at(one), at(other)), "{one} and {other} of {layout:?}");
                }
            }
        }
    }
}
