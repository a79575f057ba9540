//! What a profile is about: its metrics, its calls and how many locations measured. `anchor.xml` of new profiles and the XML of old ones.

use roxmltree::{Document, Node, ParsingOptions};

use super::LocationSeverities;
use crate::metrics::{PathRoom, TOO_LONG};
use crate::{Error, PlaceInText};

/// More elements than this are no profile that fits into memory.
const MOST_NODES: u32 = 50_000_000;

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Metric {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) unit: String,
    /// The type of its values in files.
    pub(super) data_type: String,
    /// Whether values of calls hold those of what they call; `None` of what is computed from other metrics.
    pub(super) is_inclusive: Option<bool>,
    /// Positions of the metrics that are parts of it.
    pub(super) parts: Vec<usize>,
}

/// A call, by the calls that led to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CallNode {
    pub(super) id: String,
    /// The names of the regions with `->` between them.
    pub(super) path: String,
    /// Positions of the calls in it.
    pub(super) calls: Vec<usize>,
}

/// A profile without its values.
#[derive(Debug, Default)]
pub(super) struct Anchor {
    pub(super) metrics: Vec<Metric>,
    /// In the order of the file, where callers stand before what they call.
    pub(super) calls: Vec<CallNode>,
    /// Positions of the calls that nothing calls.
    pub(super) roots: Vec<usize>,
    pub(super) locations: usize,
    /// The values, where the XML has them.
    pub(super) severities: Vec<LocationSeverities>,
}

/// Whether a text is the XML of a profile.
pub(crate) fn is_cube(text: &str) -> bool {
    let end = text.char_indices().nth(2000).map_or(text.len(), |(end, _)| end);
    text[..end].contains("<cube ") || text[..end].contains("<cube>")
}

fn place(node: Node) -> PlaceInText {
    let at = node.document().text_pos_at(node.range().start);
    PlaceInText::Character { line: u64::from(at.row), column: u64::from(at.col) }
}

fn fail(node: Node, problem: impl Into<String>) -> Error {
    Error::Xml { place: place(node), problem: problem.into() }
}

fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children().find(|child| child.has_tag_name(name))
}

fn text_of(node: Node, name: &str) -> String {
    child(node, name).and_then(|child| child.text()).unwrap_or("").trim().to_owned()
}

fn attribute<'a>(node: Node<'a, '_>, names: &[&str]) -> Result<&'a str, Error> {
    let found = names.iter().find_map(|name| node.attribute(*name));
    found.ok_or_else(|| fail(node, format!("`{}` has no `{}`", node.tag_name().name(), names[0])))
}

impl Anchor {
    pub(super) fn read(text: &str) -> Result<Anchor, Error> {
        // Without document types no entity can stand for more text than there is.
        let options =
            ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).map_err(|error| {
            let at = error.pos();
            let place = PlaceInText::Character { line: u64::from(at.row), column: u64::from(at.col) };
            Error::Xml { place, problem: without_place(&error.to_string()) }
        })?;
        let root = document.root_element();
        if !root.has_tag_name("cube") {
            return Err(Error::UnknownXml { root: call_grammar::excerpt(root.tag_name().name()) });
        }
        let mut anchor = Anchor::default();
        let section =
            |name: &str| child(root, name).ok_or_else(|| fail(root, format!("there is no `{name}`")));
        anchor.read_metrics(section("metrics")?)?;
        anchor.read_calls(section("program")?)?;
        let is_location = |node: &Node| node.has_tag_name("location") || node.has_tag_name("thread");
        anchor.locations = section("system")?.descendants().filter(is_location).count();
        if anchor.locations == 0 {
            return Err(fail(root, "nothing measured: there are no locations"));
        }
        if let Some(severity) = child(root, "severity") {
            anchor.read_severities(severity)?;
        }
        Ok(anchor)
    }

    fn read_metrics(&mut self, metrics: Node) -> Result<(), Error> {
        let mut parents: Vec<(usize, usize)> = Vec::new();
        for node in metrics.descendants().filter(|node| node.has_tag_name("metric")) {
            let start = node.range().start;
            while parents.pop_if(|(_, end)| *end <= start).is_some() {}
            let position = self.metrics.len();
            if let Some((parent, _)) = parents.last() {
                self.metrics[*parent].parts.push(position);
            }
            parents.push((position, node.range().end));
            let is_inclusive = match node.attribute("type") {
                Some("INCLUSIVE") => Some(true),
                Some("EXCLUSIVE") | None => Some(false),
                Some(_) => None,
            };
            self.metrics.push(Metric {
                id: attribute(node, &["id"])?.to_owned(),
                name: text_of(node, "uniq_name"),
                unit: text_of(node, "uom"),
                data_type: text_of(node, "dtype"),
                is_inclusive,
                parts: Vec::new(),
            });
        }
        Ok(())
    }

    fn read_calls(&mut self, program: Node) -> Result<(), Error> {
        let mut names = std::collections::HashMap::new();
        for region in program.children().filter(|node| node.has_tag_name("region")) {
            // Of C++, `operator->` would be two calls.
            let name = text_of(region, "name").replace("->", "_");
            names.insert(attribute(region, &["id"])?, name);
        }
        let mut paths = PathRoom::default();
        let mut callers: Vec<(usize, usize)> = Vec::new();
        for node in program.descendants().filter(|node| node.has_tag_name("cnode")) {
            let start = node.range().start;
            while callers.pop_if(|(_, end)| *end <= start).is_some() {}
            let callee = attribute(node, &["calleeId"])?;
            let name =
                names.get(callee).ok_or_else(|| fail(node, format!("there is no region `{callee}`")))?;
            let position = self.calls.len();
            let path = match callers.last() {
                Some((caller, _)) => {
                    self.calls[*caller].calls.push(position);
                    format!("{}->{name}", self.calls[*caller].path)
                }
                None => {
                    self.roots.push(position);
                    name.clone()
                }
            };
            if !paths.has_room_for(&path) {
                return Err(fail(node, TOO_LONG));
            }
            callers.push((position, node.range().end));
            self.calls.push(CallNode { id: attribute(node, &["id"])?.to_owned(), path, calls: Vec::new() });
        }
        Ok(())
    }

    fn read_severities(&mut self, severity: Node) -> Result<(), Error> {
        for matrix in severity.children().filter(|node| node.has_tag_name("matrix")) {
            let metric = attribute(matrix, &["metricId"])?;
            for row in matrix.children().filter(|node| node.has_tag_name("row")) {
                let words = row.text().unwrap_or("").split_whitespace();
                let wrong = |word: &str| fail(row, format!("`{}` is no number", call_grammar::excerpt(word)));
                let values: Vec<f64> =
                    words.map(|word| word.parse().map_err(|_| wrong(word))).collect::<Result<_, _>>()?;
                if values.len() > self.locations {
                    let (found, locations) = (values.len(), self.locations);
                    return Err(fail(row, format!("{found} values of {locations} locations")));
                }
                let call = attribute(row, &["cnodeId"])?.to_owned();
                self.severities.push(LocationSeverities { metric: metric.to_owned(), call, values });
            }
        }
        Ok(())
    }

    /// The calls in the order in which values of a metric stand: callers before what they call, or the calls of one before those in them.
    pub(super) fn order(&self, is_inclusive: bool) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.calls.len());
        let mut open: Vec<usize> = Vec::new();
        if is_inclusive {
            for root in &self.roots {
                order.push(*root);
                open.push(*root);
                while let Some(call) = open.pop() {
                    order.extend(&self.calls[call].calls);
                    open.extend(self.calls[call].calls.iter().rev());
                }
            }
        } else {
            open.extend(self.roots.iter().rev());
            while let Some(call) = open.pop() {
                order.push(call);
                open.extend(self.calls[call].calls.iter().rev());
            }
        }
        order
    }
}

/// The message without the place at its end, which stands before it.
fn without_place(message: &str) -> String {
    message.rsplit_once(" at ").map_or(message, |(before, _)| before).to_owned()
}
