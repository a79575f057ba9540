//! Call paths below each other.

use std::collections::BTreeMap;

use call_report::{Column, Table, TableCell};
use call_trace::Experiment;

use super::units;
use crate::Markup;

/// A call path by its calls, behind its metric.
type MetricOfCallPath<'a> = (&'a str, Vec<&'a str>);

/// A tree for each unit and metric. A path that nothing was measured of stands there for those below it.
pub fn of(experiments: &[Experiment]) -> Markup {
    let mut trees: Vec<(&Experiment, BTreeMap<MetricOfCallPath, Option<&Experiment>>)> = Vec::new();
    for experiment in experiments {
        let (path, metric) = experiment.name.split_once(':').unwrap_or((&experiment.name, ""));
        let calls: Vec<&str> = path.split('/').collect();
        let is_its = |(first, _): &(&Experiment, _)| first.unit == experiment.unit;
        let known = trees.iter().position(is_its);
        let at = known.unwrap_or_else(|| {
            trees.push((experiment, BTreeMap::new()));
            trees.len() - 1
        });
        let tree = &mut trees[at].1;
        for depth in 1..calls.len() {
            tree.entry((metric, calls[..depth].to_vec())).or_default();
        }
        tree.insert((metric, calls), Some(experiment));
    }
    let mut markup = Markup::new();
    for (first, tree) in trees {
        let mean = units::column("mean", &first.unit);
        let columns = [Column::code("call"), Column::right("samples"), mean, Column::code("experiment")];
        let mut table = Table::new(columns).named("tree");
        for ((metric, calls), experiment) in &tree {
            let name = calls.last().copied().unwrap_or_default();
            let metric = if metric.is_empty() { String::new() } else { format!(":{metric}") };
            let call = format!("{}{name}{metric}", "  ".repeat(calls.len() - 1));
            let full = format!("{}{metric}", calls.join("/"));
            let (samples, mean) =
                experiment.map_or((TableCell::Missing(""), TableCell::Missing("")), |its| {
                    let samples = if its.summaries.is_empty() { &its.samples } else { &its.summaries.points };
                    let executions = samples.executions() as f64;
                    let sum: f64 = (0..samples.len())
                        .map(|row| samples.count_of(row) as f64 * samples.time_s[row])
                        .sum();
                    (its.samples.len().into(), (sum / executions).into())
                });
            table.row([call.into(), samples, mean, full.into()]);
        }
        markup.table(table);
    }
    markup
}
