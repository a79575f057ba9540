//! A profile as one page that opens anywhere: tables and picture are in its text, and the viewer of `page/` links them.

mod data;
mod history;
mod tables;
mod timeline;
mod waits;

use crate::call_graph::{CallGraph, GraphNode};
use crate::plot::{escaped, harmless};
use crate::{Error, MOST_NODES};
pub use history::{PageExperiment, PageHistory};
pub use waits::{PageChain, PageEfficiency, PageLink, PageSite, PageWaits};

/// `page/` makes these: `npm run build`.
const VIEWER: &str = include_str!("profile_page/viewer.js");
const WAITS_VIEWER: &str = include_str!("profile_page/waits.js");
const STYLE_SHEET: &str = include_str!("profile_page/page.css");

/// Digits of numbers that the viewer reads, each of which stands for itself in a text of JSON inside a script.
const DIGITS: &[u8; 91] =
    b"!#$%&'()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~";

/// More are too many to be opened.
const MOST_CALL_PATHS: usize = 20_000;

/// Longer names are cut.
const LONGEST_NAME: usize = 200;
/// Longer sentences are cut.
const LONGEST_TEXT: usize = 2000;

/// What a page shows of one run or of two that are compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProfilePage {
    /// Of the page: program, date, processors.
    pub title: String,
    /// What else there is to say, a line each.
    pub facts: Vec<String>,
    /// One run, or two: before and after.
    pub runs: Vec<PageRun>,
    /// What is counted, computation and communication first: a column each.
    pub metrics: Vec<PageMetric>,
    /// The critical paths.
    pub paths: Vec<PagePath>,
    /// The most important ones first: where there are too many, the last ones are not drawn.
    pub nodes: Vec<PageNode>,
    /// Positions of caller and callee among the nodes.
    pub calls: Vec<(usize, usize)>,
    /// How the program gets to its nodes, each path behind the one that it goes on from.
    pub call_paths: Vec<PageCallPath>,
    /// Who waits for whom, of one run.
    pub waits: Option<PageWaits>,
    /// How constants went over the entries of an archive.
    pub history: Option<PageHistory>,
}

/// A way through the calls of a program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageCallPath {
    /// Where it ends: a position among the nodes.
    pub node: usize,
    /// The path without its end, as a position among the paths; none where a program begins.
    pub above: Option<usize>,
    /// For each run what is spent there, seconds; none where the run does not come by.
    pub times_s: Vec<Option<f64>>,
}

/// A run of a page.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PageRun {
    pub name: String,
    pub processors: usize,
    /// Of what was not run but predicted: the probability of its intervals. Single processors have no values.
    pub predicted: Option<f64>,
}

/// Something that is counted for each node and processor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PageMetric {
    pub name: String,
    /// `s`, `words`, …
    pub unit: String,
}

/// A critical path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagePath {
    /// All of its name.
    pub name: String,
    /// Position of the metric; none for synchronisations.
    pub metric: Option<usize>,
    /// What makes a node critical: `absolute`, `relative imbalance`, …
    pub criterion: String,
}

/// A procedure or a superstep.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageNode {
    /// Its name.
    pub label: String,
    /// Whether it is a superstep rather than a procedure.
    pub is_superstep: bool,
    /// For each run what it costs; none where the run does not come by.
    pub runs: Vec<Option<PageCosts>>,
}

/// What a node costs in one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageCosts {
    /// How often it synchronised.
    pub syncs: u64,
    /// One for each metric.
    pub amounts: Vec<PageAmount>,
    /// For each critical path from 0, the most critical, to 255.
    pub shades: Vec<u8>,
}

/// How much of a metric a node has.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct PageAmount {
    pub maximum: f64,
    pub average: f64,
    pub minimum: f64,
    /// Of what is predicted: the interval of the maximum.
    pub interval: Option<[f64; 2]>,
    /// Between minimum and maximum, which are sums over supersteps and may be beyond all of them; empty if nobody knows.
    pub by_processor: Vec<f64>,
}

/// Where the style sheet of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StyleSheet<'a> {
    /// In the page.
    Inside,
    /// In a file of this name beside it, for servers that allow no others.
    Beside(&'a str),
}

impl PageNode {
    fn first_run(&self) -> Option<&PageCosts> {
        self.runs.iter().flatten().next()
    }
}

impl ProfilePage {
    /// The text of the style sheet, for [`StyleSheet::Beside`].
    pub fn style_sheet() -> &'static str {
        STYLE_SHEET
    }

    /// The page. It asks no network for anything, and is readable without script.
    ///
    /// # Errors
    /// If there is no node, and nothing of waits and histories.
    ///
    /// # Panics
    /// If a call is one of a node that is not there.
    pub fn html(self, style_sheet: StyleSheet) -> Result<String, Error> {
        let mut page = self.with_harmless_names();
        let paths_left_out = page.prune_call_paths();
        let graph = page.graph();
        let left_out = page.nodes.len() - graph.nodes.len();
        let mut facts = page.facts.clone();
        if left_out > 0 {
            facts.push(format!("{left_out} smaller nodes are not drawn."));
        }
        if paths_left_out > 0 {
            facts.push(format!("{paths_left_out} call paths on which less time is spent are left out."));
        }
        let style = match style_sheet {
            StyleSheet::Inside => format!("<style>{STYLE_SHEET}</style>"),
            StyleSheet::Beside(name) => format!("<link rel=\"stylesheet\" href=\"{}\">", escaped(name)),
        };
        let source = match style_sheet {
            StyleSheet::Inside => "'unsafe-inline'",
            StyleSheet::Beside(_) => "'self' file:",
        };
        let title = escaped(&page.title);
        let facts: String = facts.iter().map(|fact| format!("<p>{}</p>\n", escaped(fact))).collect();
        Ok(format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; \
             style-src {source}\">\n<title>{title}</title>\n{style}\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{facts}</header>\n\
             <main>\n{profile}{waits}{history}</main>\n<script type=\"application/json\" id=\"data\">{data}</script>\n\
             {waits_viewer}<script>{VIEWER}</script>\n</body>\n</html>\n",
            profile = page.profile(&graph)?,
            waits = page.waits.as_ref().map_or_else(String::new, PageWaits::sections),
            history = page.history.as_ref().map_or(Ok(String::new()), PageHistory::sections)?,
            waits_viewer = page
                .waits
                .as_ref()
                .map_or_else(String::new, |_| format!("<script>{WAITS_VIEWER}</script>\n")),
            data = data::json(&page),
        ))
    }

    /// The sections of the profile, if there is one.
    fn profile(&self, graph: &CallGraph) -> Result<String, Error> {
        if self.nodes.is_empty() && (self.waits.is_some() || self.history.is_some()) {
            return Ok(String::new());
        }
        let graph = section("graph", "Call graph", &graph.element()?);
        let overview = section("overview", "Critical paths", &tables::paths(self));
        Ok(graph + &overview + &section("nodes", "Nodes", &tables::nodes(self)))
    }

    fn with_harmless_names(mut self) -> ProfilePage {
        let labels = self.nodes.iter_mut().map(|node| &mut node.label);
        let runs = self.runs.iter_mut().map(|run| &mut run.name);
        for name in labels.chain(runs).chain([&mut self.title]) {
            *name = short(&harmless(name), LONGEST_NAME);
        }
        if let Some(waits) = &mut self.waits {
            waits.be_harmless();
        }
        if let Some(history) = &mut self.history {
            history.be_harmless();
        }
        self
    }

    /// Leaves those out on which the least time is spent; returns how many. What goes on from a path takes no longer than it.
    fn prune_call_paths(&mut self) -> usize {
        let excess = self.call_paths.len().saturating_sub(MOST_CALL_PATHS);
        let longest_s = |path: &PageCallPath| path.times_s.iter().flatten().copied().fold(0.0, f64::max);
        let mut order: Vec<usize> = (0..self.call_paths.len()).collect();
        order.sort_by(|one, other| {
            longest_s(&self.call_paths[*other]).total_cmp(&longest_s(&self.call_paths[*one]))
        });
        order.truncate(MOST_CALL_PATHS);
        order.sort_unstable();
        let mut place = vec![None; self.call_paths.len()];
        let mut kept: Vec<PageCallPath> = Vec::with_capacity(order.len());
        for old in order {
            let path = std::mem::take(&mut self.call_paths[old]);
            place[old] = Some(kept.len());
            kept.push(PageCallPath { above: path.above.and_then(|above| place[above]), ..path });
        }
        self.call_paths = kept;
        excess
    }

    /// What is drawn without script, shaded by the first path.
    fn graph(&self) -> CallGraph {
        let count = self.nodes.len().min(MOST_NODES);
        let nodes = self.nodes[..count].iter().map(|node| GraphNode {
            label: node.label.clone(),
            lines: self.lines(node),
            shade: node.first_run().and_then(|costs| costs.shades.first().copied()).unwrap_or(255),
            is_superstep: node.is_superstep,
        });
        let calls = self.calls.iter().copied().filter(|(from, to)| *from < count && *to < count).collect();
        CallGraph { nodes: nodes.collect(), calls, ..CallGraph::default() }
    }

    fn lines(&self, node: &PageNode) -> Vec<String> {
        let Some(costs) = node.first_run() else { return Vec::new() };
        let only = node
            .runs
            .first()
            .is_some_and(Option::is_none)
            .then(|| format!("only in {}", self.runs.last().map_or("", |run| &run.name)));
        let count = format!("{} synchronisation{}", costs.syncs, if costs.syncs == 1 { "" } else { "s" });
        let metrics = self.metrics.iter().zip(&costs.amounts).map(|(metric, its)| {
            let amount = tables::amount(its.maximum, &metric.unit);
            let shares = [its.average, its.minimum].map(|value| tables::percent(value, its.maximum));
            format!("{} {amount} ({} | {})", metric.name, shares[0], shares[1])
        });
        only.into_iter().chain([count]).chain(metrics).collect()
    }
}

fn section(id: &str, title: &str, content: &str) -> String {
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n{content}</section>\n"
    )
}

fn short(name: &str, longest: usize) -> String {
    match name.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
