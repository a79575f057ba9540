use std::collections::HashMap;

use crate::{Cost, NodeKind, Profile, View};

/// A call path in two profiles.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedPath {
    /// The procedure or position at its end.
    pub label: String,
    /// The path without it, as a place among those that are compared, which is a smaller one.
    pub above: Option<usize>,
    /// Its cost before; `None` if the path was not there.
    pub before: Option<Cost>,
    /// Its cost after; `None` if the path is gone.
    pub after: Option<Cost>,
}

impl ComparedPath {
    /// By how much the BSP time became shorter, seconds. A path that is missing takes no time.
    pub fn gain_s(&self) -> f64 {
        let time_s = |cost: &Option<Cost>| cost.as_ref().map_or(0.0, Cost::time_s);
        time_s(&self.before) - time_s(&self.after)
    }
}

/// Two profiles, matched by call path: the paths of the first one in its order, then those that only the second one has. A file is the
/// same with more or fewer of its folders in front, as compilers differ in that. Where a procedure has as many places of a file as before, they are the
/// same in the order of their lines, which move as the file is changed.
pub fn compare(before: &Profile, after: &Profile) -> Vec<ComparedPath> {
    let [old, new] = [before, after].map(View::by_call_path);
    let parents = [&old, &new].map(parents);
    let places = [Places::of(&old, &parents[0]), Places::of(&new, &parents[1])];
    // For each node of the new tree the node of the old one, found from the roots down.
    let mut known: HashMap<(Option<usize>, &str), usize> = HashMap::new();
    for (number, node) in old.nodes.iter().enumerate() {
        known.insert((parents[0][number], &node.label), number);
    }
    let mut partner_of_new: Vec<Option<usize>> = vec![None; new.nodes.len()];
    let mut partner_of_old: Vec<Option<usize>> = vec![None; old.nodes.len()];
    for (number, node) in new.nodes.iter().enumerate() {
        let above = match parents[1][number] {
            None => Some(None),
            Some(parent) => partner_of_new[parent].map(Some),
        };
        let same = |above| known.get(&(above, node.label.as_str())).copied();
        let partner = above.and_then(|above| {
            let moved = match node.kind {
                NodeKind::Leaf => {
                    moved((&places[0], above), (&places[1], parents[1][number]), number, &node.label)
                }
                NodeKind::Procedure => None,
            };
            moved.or_else(|| same(above)).or_else(|| beside(&old, &parents[0], above, &node.label))
        });
        partner_of_new[number] = partner;
        if let Some(partner) = partner {
            partner_of_old[partner] = Some(number);
        }
    }
    let cost = |profile: &Profile, view: &View, node: usize| profile.cost_of(&view.nodes[node].centres);
    let mut rows: Vec<ComparedPath> = (0..old.nodes.len())
        .map(|node| ComparedPath {
            label: old.nodes[node].label.clone(),
            above: parents[0][node],
            before: Some(cost(before, &old, node)),
            after: partner_of_old[node].map(|node| cost(after, &new, node)),
        })
        .collect();
    let mut row_of_new = partner_of_new;
    for node in 0..new.nodes.len() {
        if row_of_new[node].is_none() {
            row_of_new[node] = Some(rows.len());
            rows.push(ComparedPath {
                label: new.nodes[node].label.clone(),
                above: parents[1][node].and_then(|parent| row_of_new[parent]),
                before: None,
                after: Some(cost(after, &new, node)),
            });
        }
    }
    rows
}

/// Whether one has more or fewer folders in front than the other.
fn is_end_of(long: &str, short: &str) -> bool {
    long.strip_suffix(short).is_some_and(|folder| folder.ends_with('/'))
}

/// The only node below `above` whose file has more or fewer folders in its name.
fn beside(tree: &View, parents: &[Option<usize>], above: Option<usize>, label: &str) -> Option<usize> {
    let mut found = (0..tree.nodes.len()).filter(|number| {
        let other = &tree.nodes[*number].label;
        parents[*number] == above && (is_end_of(other, label) || is_end_of(label, other))
    });
    found.next().filter(|_| found.next().is_none())
}

fn file_and_line(label: &str) -> (&str, u32) {
    let parts = label.rsplit_once(" line ");
    parts.and_then(|(file, line)| Some((file, line.parse().ok()?))).unwrap_or((label, 0))
}

fn without_folders(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// A place of a tree, to be sorted by its line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place<'a> {
    line: u32,
    number: usize,
    file: &'a str,
}

/// The places of a tree, by the node above and the name of their file without its folders.
struct Places<'a>(HashMap<(Option<usize>, &'a str), Vec<Place<'a>>>);

impl<'a> Places<'a> {
    fn of(tree: &'a View, parents: &[Option<usize>]) -> Places<'a> {
        let mut places: HashMap<_, Vec<Place>> = HashMap::new();
        for (number, node) in tree.nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Leaf) {
            let (file, line) = file_and_line(&node.label);
            places.entry((parents[number], without_folders(file))).or_default().push(Place {
                line,
                number,
                file,
            });
        }
        places.values_mut().for_each(|its| its.sort_unstable());
        Places(places)
    }

    /// Those below a node in this file, in the order of their lines.
    fn beside(&self, above: Option<usize>, file: &str) -> Vec<usize> {
        let is_same = |other: &str| other == file || is_end_of(other, file) || is_end_of(file, other);
        let all = self.0.get(&(above, without_folders(file))).into_iter().flatten();
        all.filter(|place| is_same(place.file)).map(|place| place.number).collect()
    }
}

/// The place before that has the rank of this one, if there are as many.
fn moved(
    (old, old_above): (&Places, Option<usize>),
    (new, new_above): (&Places, Option<usize>),
    number: usize,
    label: &str,
) -> Option<usize> {
    let file = file_and_line(label).0;
    let (old, new) = (old.beside(old_above, file), new.beside(new_above, file));
    let rank = new.iter().position(|its| *its == number).filter(|_| old.len() == new.len())?;
    Some(old[rank])
}

/// For each node of a tree the one above. It has a smaller number.
fn parents(tree: &View) -> Vec<Option<usize>> {
    let mut parents = vec![None; tree.nodes.len()];
    tree.edges.iter().for_each(|edge| parents[edge.to] = Some(edge.from));
    parents
}
