use std::collections::HashMap;

use call_trace::{SamePlace, VisitedPlace, same_places};

use crate::{Centre, Cost, Node, NodeKind, Profile, View};

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
    /// Whether another place is nearly as likely to be it.
    pub is_doubtful: bool,
}

impl ComparedPath {
    /// By how much the BSP time became shorter, seconds. A path that is missing takes no time.
    pub fn gain_s(&self) -> f64 {
        let time_s = |cost: &Option<Cost>| cost.as_ref().map_or(0.0, Cost::time_s);
        time_s(&self.before) - time_s(&self.after)
    }
}

/// Two profiles, matched by call path: the paths of the first one in its order, then those that only the second one has. Places move as a file is
/// changed ([`same_places`]).
pub fn compare(before: &Profile, after: &Profile) -> Vec<ComparedPath> {
    let [old, new] = [before, after].map(Tree::of);
    let mut partner_of_new = same_procedures(&old, &new);
    let mut partner_of_old: Vec<Option<SamePlace>> = vec![None; old.view.nodes.len()];
    for (after, before) in partner_of_new.iter().enumerate() {
        if let Some(before) = *before {
            partner_of_old[before] = Some(SamePlace { before, after, is_doubtful: false });
        }
    }
    for place in same_leaves(&old, &new, &partner_of_new) {
        partner_of_new[place.after] = Some(place.before);
        partner_of_old[place.before] = Some(place);
    }
    let mut rows: Vec<ComparedPath> = (0..old.view.nodes.len())
        .map(|node| ComparedPath {
            label: old.view.nodes[node].label.clone(),
            above: old.parents[node],
            before: Some(old.cost(node)),
            after: partner_of_old[node].map(|partner| new.cost(partner.after)),
            is_doubtful: partner_of_old[node].is_some_and(|partner| partner.is_doubtful),
        })
        .collect();
    let mut row_of_new = partner_of_new;
    for node in 0..new.view.nodes.len() {
        if row_of_new[node].is_none() {
            row_of_new[node] = Some(rows.len());
            rows.push(ComparedPath {
                label: new.view.nodes[node].label.clone(),
                above: new.parents[node].and_then(|parent| row_of_new[parent]),
                before: None,
                after: Some(new.cost(node)),
                is_doubtful: false,
            });
        }
    }
    rows
}

/// The call paths of a profile.
struct Tree<'a> {
    profile: &'a Profile,
    view: View,
    /// For each node the one above. It has a smaller number.
    parents: Vec<Option<usize>>,
}

impl<'a> Tree<'a> {
    fn of(profile: &'a Profile) -> Tree<'a> {
        let view = View::by_call_path(profile);
        let mut parents = vec![None; view.nodes.len()];
        view.edges.iter().for_each(|edge| parents[edge.to] = Some(edge.from));
        Tree { profile, view, parents }
    }

    fn cost(&self, node: usize) -> Cost {
        self.profile.cost_of(&self.view.nodes[node].centres)
    }

    fn nodes(&self, kind: NodeKind) -> impl Iterator<Item = (usize, &Node)> {
        self.view.nodes.iter().enumerate().filter(move |(_, node)| node.kind == kind)
    }

    /// A leaf, below a node of the old tree, by which the way to it is known.
    fn place(&self, leaf: usize, above: Option<usize>) -> VisitedPlace<'_> {
        let Centre { position, stack } = &self.profile.centres()[self.view.nodes[leaf].centres[0]];
        // Of a call that has its name not all profiles have the file.
        let is_call = position.file.as_ref() != Some(&position.name);
        VisitedPlace {
            procedure: stack.first().map_or("", String::as_str),
            call: if is_call { &position.name } else { "" },
            file: if is_call { "" } else { &position.name },
            line: position.line,
            way: above.unwrap_or(usize::MAX),
            visits: self.cost(leaf).synchronisations as f64,
        }
    }
}

/// For each procedure of the new tree the node of the old one, found from the roots down.
fn same_procedures(old: &Tree, new: &Tree) -> Vec<Option<usize>> {
    let mut known: HashMap<(Option<usize>, &str), usize> = HashMap::new();
    for (number, node) in old.nodes(NodeKind::Procedure) {
        known.insert((old.parents[number], &node.label), number);
    }
    let mut partners: Vec<Option<usize>> = vec![None; new.view.nodes.len()];
    for (number, node) in new.nodes(NodeKind::Procedure) {
        let above = match new.parents[number] {
            None => Some(None),
            Some(parent) => partners[parent].map(Some),
        };
        partners[number] = above.and_then(|above| known.get(&(above, node.label.as_str())).copied());
    }
    partners
}

/// The leaves that are the same, of those below the same procedures.
fn same_leaves(old: &Tree, new: &Tree, partner_of_new: &[Option<usize>]) -> Vec<SamePlace> {
    let mut leaves = [Vec::new(), Vec::new()];
    let mut places = [Vec::new(), Vec::new()];
    for (leaf, _) in old.nodes(NodeKind::Leaf) {
        leaves[0].push(leaf);
        places[0].push(old.place(leaf, old.parents[leaf]));
    }
    for (leaf, _) in new.nodes(NodeKind::Leaf) {
        let partner = new.parents[leaf].map(|above| partner_of_new[above]);
        if partner != Some(None) {
            leaves[1].push(leaf);
            places[1].push(new.place(leaf, partner.flatten()));
        }
    }
    let in_trees =
        |same: SamePlace| SamePlace { before: leaves[0][same.before], after: leaves[1][same.after], ..same };
    same_places(&places[0], &places[1]).into_iter().map(in_trees).collect()
}
