use call_grammar::counted;
use call_profile::{Cost, CostQuantity, NodeKind, Profile, View};
use call_report::{Column, Table, TableCell, number};

use super::request::ProfileRequest;
use super::tables::{cost_cells, cost_columns};
use super::values::{Charged, HidingThreshold, amount, name, percents};
use crate::outline::{Outline, OutlineRow};
use crate::{Markup, Style};

/// Deeper nodes stand below each other, with a number.
const MOST_INDENTED: usize = 8;

/// The tree of calls, the costliest first, and what is left out of it.
pub fn tell(markup: &mut Markup, profile: &Profile, request: &ProfileRequest) {
    let tree = Charged::new(profile, View::by_call_path(profile));
    let is_small = tree.small(&request.hidden);
    let rows = in_order(&tree);
    let mut outline = Outline::default();
    outline.push(heading());
    for (node, depth) in rows.iter().filter(|(node, _)| !is_small[*node]) {
        let score = request.criterion.score(&tree.costs[*node], &tree.total);
        outline.push(row(&tree, *node, *depth, score));
    }
    markup.outline(outline);
    let hidden: Vec<usize> = (0..is_small.len()).filter(|node| is_small[*node]).collect();
    if !hidden.is_empty() {
        markup.line(Style::Plain, told_hidden(&tree, &hidden, &request.hidden));
    }
    markup.data(paths(&tree, &rows));
}

/// Nodes with their depths: each before what is below it, the costliest first.
fn in_order(tree: &Charged) -> Vec<(usize, usize)> {
    // What comes first is taken last.
    let sorted = |mut nodes: Vec<usize>| {
        let time_s = |node: &usize| tree.costs[*node].time_s();
        nodes.sort_by(|left, right| time_s(left).total_cmp(&time_s(right)).then(right.cmp(left)));
        nodes
    };
    let children = tree.view.edges_from();
    let mut open: Vec<(usize, usize)> =
        sorted(tree.view.roots.clone()).into_iter().map(|node| (node, 0)).collect();
    let mut found = Vec::new();
    while let Some((node, depth)) = open.pop() {
        found.push((node, depth));
        let below = children[node].iter().map(|edge| tree.view.edges[*edge].to).collect();
        open.extend(sorted(below).into_iter().map(|node| (node, depth + 1)));
    }
    found
}

fn heading() -> OutlineRow {
    let names = CostQuantity::ALL.map(|quantity| match quantity {
        CostQuantity::Computation => "computing",
        CostQuantity::Communication => "communic.",
        quantity => name(quantity),
    });
    let cells: String = names.iter().map(|name| format!(" {name:>9}")).collect();
    let percents: String = CostQuantity::ALL.map(|_| format!(" {:>9}", "avg|min %")).concat();
    let lines = vec![format!("  by   syncs{cells}"), format!("{:12}{percents}", "")];
    OutlineRow { start: String::new(), name: "call".to_owned(), lines }
}

/// The largest, and below them what averages and minima are of them.
fn row(tree: &Charged, node: usize, depth: usize, score: f64) -> OutlineRow {
    let cost = &tree.costs[node];
    let sums = || CostQuantity::ALL.into_iter().map(|quantity| (quantity, cost.of(quantity)));
    let largest: String =
        sums().map(|(quantity, its)| format!(" {:>9}", amount(quantity, its.maximum))).collect();
    let percents: String = sums().map(|(_, its)| format!(" {:>9}", percents(its))).collect();
    // Where nothing is, there are no percentages.
    let lines = vec![
        format!("  {:4} {:>5}{largest}", shading(score), cost.synchronisations),
        format!("{:12}{percents}", ""),
    ];
    let its = &tree.view.nodes[node];
    let mut start = "  ".repeat(depth.min(MOST_INDENTED));
    if depth > MOST_INDENTED {
        start.push_str(&format!("[{depth}] "));
    }
    if its.kind == NodeKind::Leaf {
        start.push_str("· ");
    }
    OutlineRow { start, name: its.label.clone(), lines }
}

/// Four characters, the darker the more critical.
fn shading(score: f64) -> String {
    const SHADES: [char; 4] = ['░', '▒', '▓', '█'];
    let steps = (score * 16.0).ceil() as usize;
    (0..4).filter_map(|place| steps.checked_sub(4 * place + 1).map(|rest| SHADES[rest.min(3)])).collect()
}

/// Of the costs only those of places are told, as what contains them has them, too.
fn told_hidden(tree: &Charged, hidden: &[usize], limit: &HidingThreshold) -> String {
    let leaves = || {
        let are_leaves = hidden.iter().filter(|node| tree.view.nodes[**node].kind == NodeKind::Leaf);
        are_leaves.map(|node| &tree.costs[*node])
    };
    let synchronisations: u64 = leaves().map(|cost| cost.synchronisations).sum();
    let time_s: f64 = leaves().map(Cost::time_s).sum();
    format!(
        "hidden: {} with less than {} % of the time{}; among them {} of {}, which take {}; `hide 0` shows all",
        counted(hidden.len(), "node"),
        number::short(100.0 * limit.share),
        limit.also(),
        counted(leaves().count(), "place"),
        counted(synchronisations as usize, "synchronisation"),
        number::seconds(time_s)
    )
}

/// The whole tree for programs, with the place of the row that a node lies in.
fn paths(tree: &Charged, rows: &[(usize, usize)]) -> Table {
    let columns = [Column::code("node"), Column::right("depth"), Column::right("above")];
    let mut table = Table::new(columns.into_iter().chain(cost_columns())).named("paths");
    let mut last_of_depth: Vec<usize> = Vec::new();
    for (row, (node, depth)) in rows.iter().enumerate() {
        last_of_depth.truncate(*depth);
        let above =
            last_of_depth.last().map_or(TableCell::Missing("none"), |above| TableCell::from(*above as f64));
        last_of_depth.push(row);
        let start = [tree.view.nodes[*node].label.as_str().into(), TableCell::from(*depth as f64), above];
        table.row(start.into_iter().chain(cost_cells(&tree.costs[*node], &tree.total)));
    }
    table
}
