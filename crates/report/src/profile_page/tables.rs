//! The tables of a page, as they are without script.

use std::fmt::Write;

use super::{PageAmount, PageCosts, ProfilePage};
use crate::DisplayUnit;
use crate::plot::escaped;

/// More rows nobody reads; the viewer finds the others.
const MOST_ROWS: usize = 500;
/// So many nodes of each critical path are named.
const NAMED: usize = 3;

pub(super) fn amount(value: f64, unit: &str) -> String {
    DisplayUnit::parse(unit).text(value)
}

pub(super) fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.0} %", 100.0 * part / whole) } else { "–".to_owned() }
}

/// The supersteps that are most critical on each path.
pub(super) fn paths(page: &ProfilePage) -> String {
    let mut table = "<table>\n<thead><tr><th scope=\"col\">critical path</th><th scope=\"col\">most critical supersteps</th></tr></thead>\n<tbody>\n".to_owned();
    for (at, path) in page.paths.iter().enumerate() {
        let shade = |costs: &PageCosts| costs.shades.get(at).copied().unwrap_or(255);
        let mut critical: Vec<(u8, &str)> = page
            .nodes
            .iter()
            .filter(|node| node.is_superstep)
            .filter_map(|node| Some((shade(node.first_run()?), node.label.as_str())))
            .filter(|(shade, _)| *shade < 255)
            .collect();
        critical.sort_by_key(|(shade, _)| *shade);
        let names: Vec<String> = critical.iter().take(NAMED).map(|(_, name)| escaped(name)).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let _ = writeln!(table, "<tr><th scope=\"row\">{}</th><td>{names}</td></tr>", escaped(&path.name));
    }
    table.push_str("</tbody>\n</table>\n");
    table
}

/// A row for each node.
pub(super) fn nodes(page: &ProfilePage) -> String {
    let mut table = "<table>\n<thead>\n<tr><td></td><td></td>".to_owned();
    for metric in &page.metrics {
        let _ = write!(table, "<th colspan=\"3\" scope=\"colgroup\">{}</th>", escaped(&metric.name));
    }
    table.push_str("</tr>\n<tr><th scope=\"col\">node</th><th scope=\"col\">synchronisations</th>");
    for _ in &page.metrics {
        table.push_str(
            "<th scope=\"col\">maximum</th><th scope=\"col\">average</th><th scope=\"col\">minimum</th>",
        );
    }
    table.push_str("</tr>\n</thead>\n<tbody>\n");
    for (number, node) in page.nodes.iter().enumerate().take(MOST_ROWS) {
        let Some(costs) = node.first_run() else { continue };
        let label = escaped(&node.label);
        let _ = write!(table, "<tr data-node=\"{number}\"><th scope=\"row\">{label}</th>");
        let _ = write!(table, "<td>{}</td>", costs.syncs);
        for (metric, its) in page.metrics.iter().zip(&costs.amounts) {
            let PageAmount { maximum, average, minimum, .. } = *its;
            let _ = write!(table, "<td>{}", amount(maximum, &metric.unit));
            if let Some([low, high]) = its.interval.map(|ends| ends.map(|end| amount(end, &metric.unit))) {
                let _ = write!(table, " <span class=\"interval\">[{low}, {high}]</span>");
            }
            table.push_str("</td>");
            for value in [average, minimum] {
                let _ = write!(table, "<td>{}</td>", percent(value, maximum));
            }
        }
        table.push_str("</tr>\n");
    }
    table.push_str("</tbody>\n</table>\n");
    if page.nodes.len() > MOST_ROWS {
        let _ = writeln!(table, "<p>{} smaller nodes have no row.</p>", page.nodes.len() - MOST_ROWS);
    }
    table
}
