//! The tables of a page, as they are without script.

use std::fmt::Write;

use super::{PageAmount, PageCosts, PageRun, ProfilePage};
use crate::plot::escaped;
use crate::{DisplayUnit, number};

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

/// The supersteps that are most critical on each path, a column for each run.
pub(super) fn paths(page: &ProfilePage) -> String {
    let mut table = "<table>\n<thead><tr><th scope=\"col\">critical path</th>".to_owned();
    for run in &page.runs {
        let of_run = if page.runs.len() == 1 { String::new() } else { format!(" of {}", escaped(&run.name)) };
        let _ = write!(table, "<th scope=\"col\">most critical supersteps{of_run}</th>");
    }
    table.push_str("</tr></thead>\n<tbody>\n");
    for (at, path) in page.paths.iter().enumerate() {
        let _ = write!(table, "<tr><th scope=\"row\">{}</th>", escaped(&path.name));
        for run in 0..page.runs.len() {
            let _ = write!(table, "<td>{}</td>", most_critical(page, run, at));
        }
        table.push_str("</tr>\n");
    }
    table.push_str("</tbody>\n</table>\n");
    table
}

fn most_critical(page: &ProfilePage, run: usize, path: usize) -> String {
    let shade = |costs: &PageCosts| costs.shades.get(path).copied().unwrap_or(255);
    let supersteps = page.nodes.iter().filter(|node| node.is_superstep);
    let mut critical: Vec<(u8, &str)> = supersteps
        .filter_map(|node| Some((shade(node.runs[run].as_ref()?), node.label.as_str())))
        .filter(|(shade, _)| *shade < 255)
        .collect();
    critical.sort_by_key(|(shade, _)| *shade);
    let names: Vec<String> = critical.iter().take(NAMED).map(|(_, name)| escaped(name)).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// A table for each run.
pub(super) fn nodes(page: &ProfilePage) -> String {
    (0..page.runs.len()).map(|run| nodes_of(page, run)).collect()
}

/// A row for each node that the run comes by.
fn nodes_of(page: &ProfilePage, run: usize) -> String {
    let mut table = format!("<table data-run=\"{run}\">\n");
    let PageRun { name, predicted, .. } = &page.runs[run];
    let mut caption = if page.runs.len() == 1 { String::new() } else { escaped(name) };
    if let Some(probability) = predicted {
        let separator = if caption.is_empty() { "" } else { ", " };
        let _ = write!(caption, "{separator}with {} % intervals", number::short(100.0 * probability));
    }
    if !caption.is_empty() {
        let _ = writeln!(table, "<caption>{caption}</caption>");
    }
    table.push_str("<thead>\n<tr><td></td><td></td>");
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
    let come_by =
        page.nodes.iter().enumerate().filter_map(|(at, node)| Some((at, node, node.runs[run].as_ref()?)));
    for (number, node, costs) in come_by.clone().take(MOST_ROWS) {
        let label = escaped(&node.label);
        let _ = write!(table, "<tr data-node=\"{number}\"><th scope=\"row\">{label}</th>");
        let _ = write!(table, "<td>{}</td>", costs.syncs);
        for (metric, its) in page.metrics.iter().zip(&costs.amounts) {
            cells(&mut table, its, &metric.unit);
        }
        table.push_str("</tr>\n");
    }
    table.push_str("</tbody>\n</table>\n");
    let without_row = come_by.count().saturating_sub(MOST_ROWS);
    if without_row > 0 {
        let _ = writeln!(table, "<p>{without_row} smaller nodes have no row.</p>");
    }
    table
}

fn cells(row: &mut String, its: &PageAmount, unit: &str) {
    let _ = write!(row, "<td>{}", amount(its.maximum, unit));
    if let Some([low, high]) = its.interval.map(|ends| ends.map(|end| amount(end, unit))) {
        let _ = write!(row, " <span class=\"interval\">[{low}, {high}]</span>");
    }
    row.push_str("</td>");
    for value in [its.average, its.minimum] {
        let _ = write!(row, "<td>{}</td>", percent(value, its.maximum));
    }
}
