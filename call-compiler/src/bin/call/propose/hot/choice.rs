//! Which blocks are worth an experiment.

use std::collections::BTreeMap;

/// A block that a sample lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SampledBlock {
    /// Positions of the file, and of the block in it.
    pub file: usize,
    pub block: usize,
    pub is_loop: bool,
    /// Whether its time may depend on something.
    pub grows: bool,
}

/// The blocks with their shares of all samples, the largest first.
pub struct HottestBlocks {
    pub blocks: Vec<(SampledBlock, f64)>,
}

/// So many experiments are enough, and so much of the time.
const MOST_BLOCKS: usize = 10;
const ENOUGH: f64 = 0.9;

/// Chooses blocks. `ways` has for each kind of sample the blocks around it, the innermost first, those of callers behind those of the
/// called. A sample counts for the innermost loop whose time can depend on something: what lies inside is too short to be measured by
/// itself, what lies around it says less. As long as too many blocks would be needed, those with the least time are given up for what is
/// around them.
pub fn chosen(ways: BTreeMap<Vec<SampledBlock>, usize>, all: usize) -> HottestBlocks {
    let mut samples: Vec<(Vec<SampledBlock>, usize)> =
        ways.into_iter().map(|(way, count)| (in_order(&way), count)).collect();
    loop {
        let mut counts: BTreeMap<SampledBlock, usize> = BTreeMap::new();
        for (way, count) in &samples {
            *counts.entry(way[0]).or_insert(0) += count;
        }
        let mut ranked: Vec<(SampledBlock, usize)> = counts.into_iter().collect();
        ranked.sort_by_key(|(block, count)| (std::cmp::Reverse(*count), *block));
        let total: usize = ranked.iter().map(|(_, count)| count).sum();
        let covered: usize = ranked.iter().take(MOST_BLOCKS).map(|(_, count)| count).sum();
        let is_enough = covered as f64 >= ENOUGH * total as f64;
        if !is_enough {
            let mut given_up = ranked.iter().skip(MOST_BLOCKS).rev().map(|(block, _)| *block);
            if given_up.any(|block| move_outward(&mut samples, block)) {
                continue;
            }
        }
        let share = |count: usize| count as f64 / all as f64;
        let mut blocks: Vec<(SampledBlock, f64)> = Vec::new();
        let mut so_far = 0;
        for (block, count) in ranked.into_iter().take(MOST_BLOCKS) {
            if so_far as f64 >= ENOUGH * total as f64 {
                break;
            }
            so_far += count;
            blocks.push((block, share(count)));
        }
        return HottestBlocks { blocks };
    }
}

/// The blocks of a sample as it may count for them: loops that can grow, then functions that can, then any.
fn in_order(way: &[SampledBlock]) -> Vec<SampledBlock> {
    let mut order: Vec<SampledBlock> = Vec::new();
    let is_wanted: [fn(&SampledBlock) -> bool; 3] =
        [|its| its.is_loop && its.grows, |its| its.grows, |_| true];
    for is_wanted in is_wanted {
        let first = way.iter().position(is_wanted);
        // What comes later lies around what comes before.
        if let Some(first) = first {
            order.extend(way[first..].iter().filter(|its| is_wanted(its)));
            break;
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    order.retain(|its| seen.insert(*its));
    order
}

/// Gives a block up for the next one around it; whether there is one for any of its samples.
fn move_outward(samples: &mut [(Vec<SampledBlock>, usize)], block: SampledBlock) -> bool {
    let mut is_moved = false;
    for (way, _) in samples.iter_mut().filter(|(way, _)| way[0] == block && way.len() > 1) {
        way.remove(0);
        is_moved = true;
    }
    is_moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(block: usize, is_loop: bool, grows: bool) -> SampledBlock {
        SampledBlock { file: 0, block, is_loop, grows }
    }

    fn names(chosen: &HottestBlocks) -> Vec<(usize, f64)> {
        chosen.blocks.iter().map(|(its, share)| (its.block, *share)).collect()
    }

    #[test]
    fn the_innermost_loop_that_can_grow() {
        let (function, constant, inner, outer, main) = (
            block(0, false, true),
            block(1, true, false),
            block(2, true, true),
            block(3, true, true),
            block(4, false, true),
        );
        let ways =
            [(vec![constant, function, inner, outer, main], 60), (vec![outer, main], 30), (vec![main], 10)];
        let chosen = chosen(ways.into_iter().collect(), 200);
        assert_eq!(names(&chosen), [(2, 0.3), (3, 0.15)]);
    }

    #[test]
    fn many_small_blocks_make_way_for_what_is_around_them() {
        let around = block(99, true, true);
        let ways = (0..40)
            .map(|number| (vec![block(number, true, true), around], if number < 5 { 100 } else { 10 }));
        let chosen = chosen(ways.collect(), 850);
        let found = names(&chosen);
        assert!(found.len() <= MOST_BLOCKS, "{found:?}");
        assert_eq!(found[0].0, 99);
        assert!(found.iter().map(|(_, share)| share).sum::<f64>() >= ENOUGH, "{found:?}");
    }
}
