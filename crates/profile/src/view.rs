use std::collections::HashMap;

use crate::{Centre, Cost, Position, Profile};

/// A profile as a graph: the costs of cost centres, inherited by what contains them. Numbers of nodes and edges are their places,
/// in the order of first appearance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// Leaves, which are positions of synchronisations, and procedures.
    pub nodes: Vec<Node>,
    /// From callers to what they call.
    pub edges: Vec<Edge>,
    /// Nodes at which call stacks end, commonly `main` alone.
    pub roots: Vec<usize>,
    /// The cost centres whose costs all nodes are compared with.
    pub whole: Vec<usize>,
}

/// Something on call stacks.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// `sort.c line 80`, or the name of the procedure.
    pub label: String,
    /// What it is.
    pub kind: NodeKind,
    /// The cost centres that are charged to it, ascending; [`Profile::cost_of`] adds them up. With [`Charging::EachFrame`] one can be
    /// there several times.
    pub centres: Vec<usize>,
}

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// Where supersteps end.
    Leaf,
    /// A function of the program.
    Procedure,
}

/// A call, or that a procedure has a synchronisation.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// The caller's node.
    pub from: usize,
    /// The node of what is called.
    pub to: usize,
    /// The cost centres that go through it: what a shared procedure costs this one of its callers.
    pub centres: Vec<usize>,
}

/// How often a cost centre is charged to a procedure that is on its stack several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charging {
    /// Once: no procedure costs more than the program.
    #[default]
    Once,
    /// For each of its frames, as the Oxford toolset does. Its graph is also that: what its root, the end of the first stack, leads to.
    EachFrame,
}

/// By what nodes are told apart.
#[derive(PartialEq, Eq, Hash)]
enum NodeKey<'a> {
    Leaf(&'a str, u32),
    Procedure(&'a str),
}

impl View {
    /// The call graph: a node for each procedure and each position, shared by all stacks that it is on.
    pub fn by_procedure(profile: &Profile) -> View {
        View::call_graph(profile, Charging::Once)
    }

    /// The same, with the choice how recursive procedures are charged.
    pub fn call_graph(profile: &Profile, charging: Charging) -> View {
        let mut nodes: HashMap<NodeKey, usize> = HashMap::new();
        let mut edges: HashMap<(usize, usize), usize> = HashMap::new();
        let mut view = View::default();
        for (number, centre) in profile.centres().iter().enumerate() {
            let mut below = None;
            for key in frames(centre) {
                let label = label(&key);
                let node = *nodes.entry(key).or_insert_with(|| view.new_node(label));
                charge(&mut view.nodes[node].centres, number, charging);
                if let Some(below) = below.filter(|below| *below != node) {
                    let edge = *edges.entry((node, below)).or_insert_with(|| view.new_edge(node, below));
                    charge(&mut view.edges[edge].centres, number, charging);
                }
                below = Some(node);
            }
            view.add_root(below);
        }
        match charging {
            Charging::Once => view.whole = (0..profile.centres().len()).collect(),
            Charging::EachFrame => view.keep_what_the_first_root_has(),
        }
        view
    }

    /// The tree of call paths: a node for each way from an end of the stacks to a procedure or position.
    pub fn by_call_path(profile: &Profile) -> View {
        let mut nodes: HashMap<(Option<usize>, NodeKey), usize> = HashMap::new();
        let mut view = View::default();
        for (number, centre) in profile.centres().iter().enumerate() {
            let mut above = None;
            let frames: Vec<NodeKey> = frames(centre).collect();
            for key in frames.into_iter().rev() {
                let label = label(&key);
                let node = *nodes.entry((above, key)).or_insert_with(|| {
                    let node = view.new_node(label);
                    match above {
                        Some(above) => _ = view.new_edge(above, node),
                        None => view.roots.push(node),
                    }
                    node
                });
                view.nodes[node].centres.push(number);
                above = Some(node);
            }
        }
        // Each node but a root has one edge to it.
        let nodes = &view.nodes;
        view.edges.iter_mut().for_each(|edge| edge.centres = nodes[edge.to].centres.clone());
        view.whole = (0..profile.centres().len()).collect();
        view
    }

    /// The nodes with that label.
    pub fn find(&self, label: &str) -> Vec<usize> {
        (0..self.nodes.len()).filter(|node| self.nodes[*node].label == label).collect()
    }

    /// For each node the edges from it.
    pub fn edges_from(&self) -> Vec<Vec<usize>> {
        let mut found = vec![Vec::new(); self.nodes.len()];
        for (number, edge) in self.edges.iter().enumerate() {
            found[edge.from].push(number);
        }
        found
    }

    /// What each node is compared with.
    pub fn total(&self, profile: &Profile) -> Cost {
        profile.cost_of(&self.whole)
    }

    fn new_node(&mut self, (kind, label): (NodeKind, String)) -> usize {
        self.nodes.push(Node { label, kind, centres: Vec::new() });
        self.nodes.len() - 1
    }

    fn new_edge(&mut self, from: usize, to: usize) -> usize {
        self.edges.push(Edge { from, to, centres: Vec::new() });
        self.edges.len() - 1
    }

    fn add_root(&mut self, root: Option<usize>) {
        if let Some(root) = root.filter(|root| !self.roots.contains(root)) {
            self.roots.push(root);
        }
    }

    fn keep_what_the_first_root_has(&mut self) {
        self.roots.truncate(1);
        let edges_from = self.edges_from();
        let mut is_reached = vec![false; self.nodes.len()];
        let mut open = self.roots.clone();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_reached[node], true) {
                open.extend(edges_from[node].iter().map(|edge| self.edges[*edge].to));
            }
        }
        let mut kept = 0;
        let numbers: Vec<usize> = is_reached
            .iter()
            .map(|is_reached| {
                kept += usize::from(*is_reached);
                kept.saturating_sub(1)
            })
            .collect();
        self.whole = self.roots.iter().flat_map(|root| self.nodes[*root].centres.clone()).collect();
        let mut reached = is_reached.iter();
        self.nodes.retain(|_| reached.next().is_some_and(|is_reached| *is_reached));
        self.edges.retain(|edge| is_reached[edge.from]);
        for edge in &mut self.edges {
            (edge.from, edge.to) = (numbers[edge.from], numbers[edge.to]);
        }
        self.roots.iter_mut().for_each(|root| *root = numbers[*root]);
    }
}

/// The position, then the functions around it, outwards.
fn frames(centre: &Centre) -> impl Iterator<Item = NodeKey<'_>> {
    let procedures = centre.stack.iter().map(|name| NodeKey::Procedure(name));
    let position = &centre.position;
    std::iter::once(NodeKey::Leaf(&position.name, position.line)).chain(procedures)
}

fn label(key: &NodeKey) -> (NodeKind, String) {
    match key {
        NodeKey::Leaf(name, line) => (NodeKind::Leaf, Position::label(name, *line)),
        NodeKey::Procedure(name) => (NodeKind::Procedure, (*name).to_owned()),
    }
}

/// Stacks come one after another, so a cost centre that was charged already is the last one.
fn charge(centres: &mut Vec<usize>, number: usize, charging: Charging) {
    if charging == Charging::EachFrame || centres.last() != Some(&number) {
        centres.push(number);
    }
}
