use std::rc::Rc;

/// Nanoseconds by the number of a step. Copies share what has not changed since, so a copy costs nothing and a difference only what differs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Path {
    root: Tree,
    /// Levels of the tree: it has room for 16 to this power.
    height: u32,
}

type Tree = Option<Rc<TreeNode>>;

#[derive(Debug, Clone)]
enum TreeNode {
    Inner([Tree; WIDTH]),
    Leaf([i64; WIDTH]),
}

const WIDTH: usize = 1 << BITS;
const BITS: u32 = 4;

impl Path {
    /// So many bits of the number of a step say which one of a node it is.
    pub(crate) const NODE_BITS: u32 = BITS;

    pub(crate) fn add(&mut self, step: u64, time_ns: i64) {
        self.add_all(&[(step, time_ns)]);
    }

    /// Adds the times of steps; it is quicker if those of a leaf stand beside each other.
    pub(crate) fn add_all(&mut self, steps: &[(u64, i64)]) {
        for of_leaf in steps.chunk_by(|(left, _), (right, _)| left >> BITS == right >> BITS) {
            if of_leaf.iter().all(|(_, time_ns)| *time_ns == 0) {
                continue;
            }
            while of_leaf[0].0 >> (BITS * self.height) != 0 || self.height == 0 {
                self.grow();
            }
            add(&mut self.root, self.height, of_leaf);
        }
    }

    fn grow(&mut self) {
        if let Some(root) = self.root.take() {
            let mut children: [Tree; WIDTH] = Default::default();
            children[0] = Some(root);
            self.root = Some(Rc::new(TreeNode::Inner(children)));
        }
        self.height += 1;
    }

    /// What this one has more than the other, or less, by step in ascending order; nothing is 0.
    pub(crate) fn minus(&self, other: &Path) -> Vec<(u64, i64)> {
        let mut found = Vec::new();
        self.differences(other, &mut found);
        found
    }

    /// The same into a list that was empty.
    pub(crate) fn differences(&self, other: &Path, found: &mut Vec<(u64, i64)>) {
        let mut both = [self.clone(), other.clone()];
        let height = self.height.max(other.height);
        for path in &mut both {
            while path.height < height {
                path.grow();
            }
        }
        difference(both[0].root.as_deref(), both[1].root.as_deref(), height, 0, found);
    }
}

/// Adds steps of one leaf.
fn add(tree: &mut Tree, height: u32, steps: &[(u64, i64)]) {
    let node = tree.get_or_insert_with(|| {
        Rc::new(if height == 1 { TreeNode::Leaf([0; WIDTH]) } else { TreeNode::Inner(Default::default()) })
    });
    match Rc::make_mut(node) {
        TreeNode::Inner(children) => {
            let place = (steps[0].0 >> (BITS * (height - 1))) as usize % WIDTH;
            add(&mut children[place], height - 1, steps);
        }
        TreeNode::Leaf(times_ns) => {
            steps.iter().for_each(|(step, time_ns)| times_ns[*step as usize % WIDTH] += time_ns);
        }
    }
}

/// Of two trees that are not the same.
fn difference(
    left: Option<&TreeNode>,
    right: Option<&TreeNode>,
    height: u32,
    first: u64,
    found: &mut Vec<(u64, i64)>,
) {
    if height <= 1 {
        // Most of a leaf differ: taking each, and counting it or not, is quicker than to decide.
        let (mut differing, mut count) = ([(0, 0); WIDTH], 0);
        for (step, (left, right)) in (first..).zip(times(left).iter().zip(times(right))) {
            differing[count % WIDTH] = (step, left - right);
            count += usize::from(left != right);
        }
        found.extend_from_slice(&differing[..count]);
        return;
    }
    let (left, right) = (children(left), children(right));
    for (place, (left, right)) in left.iter().zip(right).enumerate() {
        let is_same = match (left, right) {
            (Some(left), Some(right)) => Rc::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        };
        if !is_same {
            let first = first + ((place as u64) << (BITS * (height - 1)));
            difference(left.as_deref(), right.as_deref(), height - 1, first, found);
        }
    }
}

fn children(node: Option<&TreeNode>) -> &[Tree; WIDTH] {
    match node {
        Some(TreeNode::Inner(children)) => children,
        _ => &[const { None }; WIDTH],
    }
}

fn times(node: Option<&TreeNode>) -> &[i64; WIDTH] {
    match node {
        Some(TreeNode::Leaf(times_ns)) => times_ns,
        _ => &[0; WIDTH],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Against maps that are copied as a whole.
        #[test]
        fn differences_are_those_of_maps(
            shared in prop::collection::vec((0_u64..2000, -9_i64..9), 0..40),
            left in prop::collection::vec((0_u64..70_000, -9_i64..9), 0..40),
            right in prop::collection::vec((0_u64..300, -9_i64..9), 0..40),
        ) {
            let mut paths = [Path::default(), Path::default()];
            let mut maps = [BTreeMap::new(), BTreeMap::new()];
            for (step, time_ns) in shared {
                paths[0].add(step, time_ns);
                *maps[0].entry(step).or_insert(0) += time_ns;
            }
            paths[1] = paths[0].clone();
            maps[1] = maps[0].clone();
            for (number, steps) in [left, right].into_iter().enumerate() {
                for (step, time_ns) in steps {
                    paths[number].add(step, time_ns);
                    *maps[number].entry(step).or_insert(0) += time_ns;
                }
                let whole = maps[number].iter().filter(|(_, time_ns)| **time_ns != 0).map(|(step, time_ns)| (*step, *time_ns));
                prop_assert_eq!(paths[number].minus(&Path::default()), whole.collect::<Vec<_>>());
            }
            let mut expected = maps[0].clone();
            for (step, time_ns) in &maps[1] {
                *expected.entry(*step).or_insert(0) -= time_ns;
            }
            expected.retain(|_, time_ns| *time_ns != 0);
            prop_assert_eq!(paths[0].minus(&paths[1]), expected.into_iter().collect::<Vec<_>>());
        }
    }
}
