use call_grammar::{counted, suggest};
use call_profile::{Cost, CostQuantity, CriticalPath, NodeKind, Profile};
use call_report::{Column, ColumnKind, Table, TableCell, number};

use super::predicted::ends;
use super::source::LabelledProfile;
use super::values::{Charged, amount, name, ratio, summary, unit};
use crate::error::code;
use crate::words::Word;
use crate::{Error, Markup, Style};

/// Columns of a cost in full: counts, sums, and shares of the whole.
pub fn cost_columns() -> Vec<Column> {
    let exact = |key: String| Column::new(key.clone(), key, ColumnKind::Exact);
    let mut columns = vec![Column::right("synchronisations")];
    columns.extend(["time_s", "time_share", "latency_s", "saving_s"].map(|key| exact(key.to_owned())));
    for quantity in CostQuantity::ALL {
        let (name, unit) = (name(quantity), unit(quantity));
        for sum in ["max", "avg", "min", "largest_processor"] {
            columns.push(exact(format!("{name}_{sum}_{unit}")));
        }
        columns.extend(["share", "avg_of_max", "min_of_max"].map(|ratio| exact(format!("{name}_{ratio}"))));
    }
    columns
}

/// What stands in them.
pub fn cost_cells(cost: &Cost, total: &Cost) -> Vec<TableCell> {
    let mut numbers = vec![
        cost.synchronisations as f64,
        cost.time_s(),
        ratio(cost.time_s(), total.time_s()),
        cost.latency_s,
        cost.saving_s(),
    ];
    for quantity in CostQuantity::ALL {
        let its = cost.of(quantity);
        // A prediction has no single processors.
        let largest = if its.by_processor.is_empty() { f64::NAN } else { its.largest_processor() };
        numbers.extend([its.maximum, its.average, its.minimum, largest]);
        numbers.push(ratio(its.maximum, total.of(quantity).maximum));
        numbers.extend([ratio(its.average, its.maximum), ratio(its.minimum, its.maximum)]);
    }
    let cell = |number: f64| if number.is_nan() { TableCell::Missing("none") } else { number.into() };
    numbers.into_iter().map(cell).collect()
}

/// All nodes of the call graph.
pub fn nodes(graph: &Charged) -> Table {
    let columns = [Column::code("node"), Column::left("kind")];
    let mut table = Table::new(columns.into_iter().chain(cost_columns())).named("nodes");
    for (node, cost) in graph.view.nodes.iter().zip(&graph.costs) {
        let kind = if node.kind == NodeKind::Leaf { "leaf" } else { "procedure" };
        let start = [TableCell::from(node.label.as_str()), kind.into()];
        table.row(start.into_iter().chain(cost_cells(cost, &graph.total)));
    }
    table
}

/// All edges of the call graph, with what the callee costs this caller.
pub fn edges(graph: &Charged) -> Table {
    let columns = [
        Column::code("from"),
        Column::code("to"),
        Column::right("synchronisations"),
        Column::seconds("time"),
    ];
    let mut table = Table::new(columns).named("edges");
    for edge in &graph.view.edges {
        let cost = graph.profile.cost_of(&edge.centres);
        let labels = [edge.from, edge.to].map(|node| TableCell::from(graph.view.nodes[node].label.as_str()));
        let numbers = [cost.synchronisations as f64, cost.time_s()].map(TableCell::from);
        table.row(labels.into_iter().chain(numbers));
    }
    table
}

/// The shades of all nodes by the 17 critical paths, 0 red to 255 white.
pub fn shades(graph: &Charged) -> Table {
    let keys = CriticalPath::all().map(|path| Column::new(path.key(), path.key(), ColumnKind::Exact));
    let mut table = Table::new([Column::code("node")].into_iter().chain(keys)).named("shades");
    for (node, cost) in graph.view.nodes.iter().zip(&graph.costs) {
        let shades =
            CriticalPath::all().map(|path| TableCell::from(f64::from(path.shade(cost, &graph.total))));
        table.row([TableCell::from(node.label.as_str())].into_iter().chain(shades));
    }
    table
}

/// A node or a part of it, with the cost centres that are charged to it.
struct NodeRow<'a> {
    label: &'a str,
    centres: &'a [usize],
    cost: Cost,
}

/// Nodes with their costs: with percentages as people read them, in full for programs.
fn summaries(title: &str, rows: &[NodeRow], graph: &Charged, source: &LabelledProfile) -> Table {
    let mut columns = vec![Column::left(title), Column::right("syncs").key("synchronisations")];
    columns.extend(CostQuantity::ALL.map(|quantity| Column::code(name(quantity))));
    let mut shown = Table::new(columns);
    let mut columns = vec![Column::left(title)];
    columns.extend(cost_columns());
    if source.prediction.is_some() {
        columns.extend(CostQuantity::ALL.into_iter().flat_map(|quantity| {
            ["low", "high"].map(|end| {
                let key = format!("{}_{end}_{}", name(quantity), unit(quantity));
                Column::new(key.clone(), key, ColumnKind::Exact)
            })
        }));
    }
    let mut table = Table::new(columns).named(title.replace(' ', "_"));
    for NodeRow { label, centres, cost } in rows {
        let start = [TableCell::from(*label), TableCell::from(cost.synchronisations as f64)];
        let sums = CostQuantity::ALL.map(|quantity| TableCell::from(summary(quantity, cost.of(quantity))));
        shown.row(start.into_iter().chain(sums));
        let intervals = source.interval(centres).into_iter().flatten();
        let full = cost_cells(cost, &graph.total).into_iter();
        table.row(
            [TableCell::from(*label)].into_iter().chain(full).chain(intervals.flat_map(|its| ends(&its))),
        );
    }
    table.shown_as(shown)
}

/// A node, what it costs each of its callers, and what it has of all that it calls.
pub fn node(
    markup: &mut Markup,
    graph: &Charged,
    source: &LabelledProfile,
    word: &Word,
) -> Result<(), Error> {
    let node = named(graph, word)?;
    let nodes = &graph.view.nodes;
    let (label, centres) = (&nodes[node].label, &nodes[node].centres);
    let own = NodeRow { label, centres, cost: graph.costs[node].clone() };
    markup.table(summaries("node", &[own], graph, source));
    let apportioned = |is_meant: &dyn Fn(usize, usize) -> Option<usize>| -> Vec<NodeRow> {
        let edges = graph.view.edges.iter();
        let meant = edges.filter_map(|edge| is_meant(edge.from, edge.to).map(|other| (other, edge)));
        meant
            .map(|(other, edge)| NodeRow {
                label: &nodes[other].label,
                centres: &edge.centres,
                cost: graph.profile.cost_of(&edge.centres),
            })
            .collect()
    };
    let callers = apportioned(&|from, to| (to == node).then_some(from));
    let called = apportioned(&|from, to| (from == node).then_some(to));
    for (title, rows) in [("called by", callers), ("calls", called)] {
        if !rows.is_empty() {
            markup.table(summaries(title, &rows, graph, source));
        }
    }
    Ok(())
}

/// What each processor has of a node: a slice of each of the four pies.
pub fn pies(markup: &mut Markup, graph: &Charged, word: &Word) -> Result<(), Error> {
    let node = named(graph, word)?;
    let cost = &graph.costs[node];
    markup.line(
        Style::Plain,
        format!(
            "{}, {}: sums of each processor",
            graph.view.nodes[node].label,
            counted(cost.synchronisations as usize, "synchronisation")
        ),
    );
    let mut columns = vec![Column::right("processor")];
    columns.extend(CostQuantity::ALL.map(|quantity| Column::code(name(quantity))));
    let mut table = Table::new(columns);
    let small = small_slices(cost);
    let sum_of = |quantity, chosen: &[usize]| -> f64 {
        chosen.iter().map(|processor| cost.of(quantity).by_processor[*processor]).sum()
    };
    let mut row = |first: TableCell, chosen: &[usize]| {
        let slices = CostQuantity::ALL.map(|quantity| {
            let sum = sum_of(quantity, chosen);
            let share = 100.0 * ratio(sum, cost.of(quantity).by_processor.iter().sum());
            TableCell::from(format!("{} {share:.0} %", amount(quantity, sum)))
        });
        table.row([first].into_iter().chain(slices));
    };
    for processor in (0..graph.profile.processors).filter(|processor| !small.contains(processor)) {
        row(TableCell::from(processor as f64), &[processor]);
    }
    if !small.is_empty() {
        row(TableCell::from(format!("{} others", small.len())), &small);
    }
    markup.table(processors(cost).named("pies").shown_as(table));
    markup.data(processors(cost).named("processors"));
    for quantity in CostQuantity::ALL {
        let its = cost.of(quantity);
        let largest = its.by_processor.iter().position(|value| *value == its.largest_processor());
        if let Some(processor) = largest.filter(|_| its.maximum > 0.0) {
            markup.line(
                Style::Plain,
                format!(
                    "{}: processor {processor} has most, {}; the largest of each superstep add up to {}",
                    name(quantity),
                    amount(quantity, its.largest_processor()),
                    amount(quantity, its.maximum)
                ),
            );
        }
    }
    Ok(())
}

/// Up to so many processors each has a slice of its own.
const FEW_PROCESSORS: usize = 8;

/// Slices below the first share of the whole are combined as long as they are below the second one together, as by the Oxford toolset.
const SMALL_SLICE: f64 = 0.05;
const COMBINED_SLICES: f64 = 0.15;

/// The processors that have so little of everything that they are shown as one; none or several.
fn small_slices(cost: &Cost) -> Vec<usize> {
    let processors = cost.in_bytes.len();
    let shares = |processor: usize| {
        CostQuantity::ALL.map(|quantity| {
            let values = &cost.of(quantity).by_processor;
            ratio(values[processor], values.iter().sum())
        })
    };
    let largest = |processor: &usize| shares(*processor).into_iter().fold(0.0, f64::max);
    let mut candidates: Vec<usize> = (0..processors).filter(|its| largest(its) < SMALL_SLICE).collect();
    candidates.sort_by(|left, right| largest(left).total_cmp(&largest(right)));
    let mut together = [0.0; CostQuantity::ALL.len()];
    let mut fits = |processor: &usize| {
        together.iter_mut().zip(shares(*processor)).for_each(|(sum, share)| *sum += share);
        together.iter().all(|sum| *sum < COMBINED_SLICES)
    };
    let mut small: Vec<usize> = candidates.into_iter().take_while(&mut fits).collect();
    small.sort_unstable();
    if processors > FEW_PROCESSORS && small.len() > 1 { small } else { Vec::new() }
}

/// The same in full: each processor, with its share of all.
fn processors(cost: &Cost) -> Table {
    let mut columns = vec![Column::right("processor")];
    for quantity in CostQuantity::ALL {
        let key = format!("{}_{}", name(quantity), unit(quantity));
        columns.push(Column::new(key.clone(), key, ColumnKind::Exact));
    }
    columns.extend(["in_bytes", "out_bytes"].map(|key| Column::new(key, key, ColumnKind::Exact)));
    let shares = CostQuantity::ALL.map(|quantity| format!("{}_share", name(quantity)));
    columns.extend(shares.map(|key| Column::new(key.clone(), key, ColumnKind::Exact)));
    let mut table = Table::new(columns);
    for processor in 0..cost.in_bytes.len() {
        let sums = CostQuantity::ALL.map(|quantity| cost.of(quantity).by_processor[processor]);
        let bytes = [cost.in_bytes[processor], cost.out_bytes[processor]];
        let of_all = CostQuantity::ALL.map(|quantity| cost.of(quantity).by_processor.iter().sum());
        let shares = sums.iter().zip(of_all).map(|(sum, of_all)| ratio(*sum, of_all));
        table.row([processor as f64].into_iter().chain(sums).chain(bytes).chain(shares));
    }
    table
}

/// Cost centres by what perfect balance of their supersteps would save at most.
pub fn centres(markup: &mut Markup, profile: &Profile, hidden_share: f64) {
    let total_s = profile.total().time_s();
    let mut ranked: Vec<usize> = (0..profile.centres().len()).collect();
    let saving_s = |centre: &usize| profile.costs()[*centre].saving_s();
    ranked.sort_by(|left, right| saving_s(right).total_cmp(&saving_s(left)).then(left.cmp(right)));
    let mut table = Table::new([
        Column::left("cost centre"),
        Column::left("called in").key("call_stack"),
        Column::right("syncs").key("synchronisations"),
        Column::seconds("time"),
        Column::seconds("saving"),
        Column::percent("saving"),
    ])
    .named("centres");
    let is_shown = |centre: &&usize| saving_s(centre) >= hidden_share * total_s;
    let shown: Vec<usize> = ranked.iter().filter(is_shown).copied().collect();
    for number in &shown {
        let (centre, cost) = (&profile.centres()[*number], &profile.costs()[*number]);
        let texts = [centre.position.to_string(), centre.stack.join(" < ")].map(TableCell::from);
        let share = 100.0 * ratio(cost.saving_s(), total_s);
        let numbers = [cost.synchronisations as f64, cost.time_s(), cost.saving_s(), share];
        table.row(texts.into_iter().chain(numbers.map(TableCell::from)));
    }
    markup.table(table);
    if shown.len() < ranked.len() {
        let saving_s: f64 = ranked[shown.len()..].iter().map(saving_s).sum();
        markup.line(
            Style::Plain,
            format!(
                "hidden: {}, each of which would save less than {} % of the time, together {}; `hide 0` shows all",
                counted(ranked.len() - shown.len(), "cost centre"),
                number::short(100.0 * hidden_share),
                number::seconds(saving_s)
            ),
        );
    }
}

/// The node of that label; a file may have a procedure's name.
fn named(graph: &Charged, word: &Word) -> Result<usize, Error> {
    let found = graph.view.find(&word.text);
    found.first().copied().ok_or_else(|| {
        let labels = graph.view.nodes.iter().map(|node| node.label.as_str());
        word.error(code::UNKNOWN_NODE, format!("there is no node `{}`", word.text)).suggesting(
            suggest(&word.text, labels),
            "`profile hide 0` shows all; those of lines are called as in `\"sort.c line 80\"`",
        )
    })
}
