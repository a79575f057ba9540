use call_grammar::counted;
use call_profile::{Cost, CostQuantity, NodeKind, View};
use call_report::{CallGraph, GraphNode};

use super::introduction;
use super::request::ProfileRequest;
use super::source::LabelledProfile;
use super::values::{Charged, name, summary};

/// The call graph as in Fig. 3 of the profiler's paper, without what the request hides.
pub fn graph(source: &LabelledProfile, request: &ProfileRequest) -> CallGraph {
    let profile = &source.profile;
    let charged = Charged::new(profile, View::call_graph(profile, request.charging));
    let is_hidden = charged.small(&request.hidden);
    let mut number = vec![None; is_hidden.len()];
    let mut graph = CallGraph {
        title: request.criterion.title(),
        notes: vec![introduction(source, &charged)],
        ..CallGraph::default()
    };
    for (node, cost) in charged.costs.iter().enumerate().filter(|(node, _)| !is_hidden[*node]) {
        number[node] = Some(graph.nodes.len());
        graph.nodes.push(GraphNode {
            label: charged.view.nodes[node].label.clone(),
            lines: lines(cost),
            shade: request.criterion.shade(cost, &charged.total),
            is_superstep: charged.view.nodes[node].kind == NodeKind::Leaf,
        });
    }
    let edges = charged.view.edges.iter();
    graph.calls = edges.filter_map(|edge| number[edge.from].zip(number[edge.to])).collect();
    let hidden = is_hidden.iter().filter(|is_hidden| **is_hidden).count();
    if hidden > 0 {
        let percent = 100.0 * request.hidden.share;
        let also = request.hidden.also();
        graph.notes.push(format!("hidden: {hidden} with less than {percent} % of the time{also}"));
    }
    graph
}

fn lines(cost: &Cost) -> Vec<String> {
    let quantities = CostQuantity::ALL
        .into_iter()
        .map(|quantity| format!("{} {}", name(quantity), summary(quantity, cost.of(quantity))));
    std::iter::once(counted(cost.synchronisations as usize, "synchronisation")).chain(quantities).collect()
}
