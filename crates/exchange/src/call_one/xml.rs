//! XML: the root `cll_data`, below it `cll_experiment` with the keys as attributes and `machines`, `headers` and `sample`.

use roxmltree::{Document, Node, ParsingOptions};

use super::{Raw, RawExperiment};
use crate::listed::excerpt;
use crate::{Error, Format, Imported, Options, Place};

const ROOT: &str = "cll_data";
const EXPERIMENT: &str = "cll_experiment";

/// Reads a trace.
pub(crate) fn read(path_name: &str, text: &str, options: &Options) -> Result<Imported, Error> {
    check_attributes(text)?;
    let repaired;
    let document = match parse(text) {
        Err(roxmltree::Error::MalformedEntityReference(_) | roxmltree::Error::UnknownEntityReference(..)) => {
            repaired = with_escapes(text);
            parse(&repaired)
        }
        result => result,
    };
    let document = document.map_err(|error| {
        let at = error.pos();
        let text = error.to_string();
        let problem = text.split(" at ").next().unwrap_or(&text).to_owned();
        Error::Xml { place: Place::Character { line: u64::from(at.row), column: u64::from(at.col) }, problem }
    })?;
    let root = document.root_element();
    let mut raw = Raw::default();
    if root.tag_name().name().eq_ignore_ascii_case(EXPERIMENT) {
        raw.experiments.push(experiment(root, 1)?);
    } else if root.tag_name().name().eq_ignore_ascii_case(ROOT) {
        for attribute in root.attributes() {
            raw.set(&attribute.name().to_ascii_uppercase(), attribute.value().trim());
        }
        for (node, number) in elements(root, EXPERIMENT).zip(1..) {
            raw.experiments.push(experiment(node, number)?);
        }
    } else {
        return Err(Error::UnknownXml { root: excerpt(root.tag_name().name()) });
    }
    raw.import(Format::CallOneXml, path_name, options)
}

/// Attributes of an element are compared with one another, so that of a million the parser would not come back.
fn check_attributes(text: &str) -> Result<(), Error> {
    const MOST: usize = 1000;
    let mut elements = text.split('<').zip(0..).filter(|(element, _)| !element.starts_with(['!', '?']));
    let is_wide = |element: &str| {
        let inside = element.split('>').next().unwrap_or_default();
        inside.bytes().filter(|byte| *byte == b'=').count() > MOST
    };
    match elements.find(|(element, _)| is_wide(element)) {
        Some((_, number)) => Err(Error::Xml {
            place: Place::Entry(number),
            problem: format!("an element has more than {MOST} attributes"),
        }),
        None => Ok(()),
    }
}

/// The traces describe themselves in a document type.
fn parse(text: &str) -> Result<Document<'_>, roxmltree::Error> {
    Document::parse_with_options(text, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
}

/// The original wrote names such as `&bsp` as they are.
fn with_escapes(text: &str) -> String {
    let mut parts = text.split('&');
    let mut escaped = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_entity = part.split_once(';').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
        });
        escaped.push_str(if is_entity { "&" } else { "&amp;" });
        escaped.push_str(part);
    }
    escaped
}

fn elements<'a, 'input>(
    node: Node<'a, 'input>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> + use<'a, 'input> {
    node.children()
        .filter(move |child| child.is_element() && child.tag_name().name().eq_ignore_ascii_case(name))
}

/// The texts of the elements of one name in all elements of another.
fn texts(node: Node, outer: &'static str, inner: &'static str) -> Vec<String> {
    elements(node, outer).flat_map(|list| elements(list, inner)).map(text_of).collect()
}

fn text_of(node: Node) -> String {
    node.text().unwrap_or_default().trim().to_owned()
}

/// Where an element starts. The lines up to there are counted, so this is for errors only.
fn place(node: Node) -> Place {
    let at = node.document().text_pos_at(node.range().start);
    Place::Character { line: u64::from(at.row), column: u64::from(at.col) }
}

fn experiment(node: Node, number: u64) -> Result<RawExperiment, Error> {
    let mut raw = RawExperiment::default();
    for attribute in node.attributes() {
        let (key, value) = (attribute.name().to_ascii_uppercase(), attribute.value().trim());
        if key == "EXPERIMENT" {
            raw.name = value.trim_matches('"').to_owned();
        } else {
            raw.set(&key, value, Place::Entry(number))?;
        }
    }
    raw.nodes.extend(texts(node, "machines", "node"));
    raw.titles = texts(node, "headers", "h").iter().flat_map(|title| split(title)).collect();
    if raw.titles.is_empty() {
        raw.titles = raw.default_titles();
    }
    let mut values = Vec::new();
    let rows = elements(node, "sample").flat_map(|sample| elements(sample, "row"));
    for (row, number) in rows.zip(1..) {
        values.clear();
        for (at, cell) in elements(row, "c").enumerate() {
            let text = cell.text().unwrap_or_default();
            // An observable may write several values into one cell, as it writes several titles.
            for field in text.split_whitespace() {
                values.push(field.parse().map_err(|_| Error::Number {
                    place: place(cell),
                    column: raw.titles.get(at).cloned().unwrap_or_default(),
                    text: excerpt(field),
                })?);
            }
        }
        raw.push_row(&values, Place::Entry(number)).map_err(|error| match error {
            Error::FieldCount { expected, found, .. } => {
                Error::FieldCount { place: place(row), expected, found }
            }
            error => error,
        })?;
    }
    Ok(raw)
}

/// The titles of one element; those with parentheses hold no blanks.
fn split(title: &str) -> Vec<String> {
    title.split_whitespace().map(str::to_owned).collect()
}
