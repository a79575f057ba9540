//! XML: the root `cll_data`, below it `cll_experiment` with the keys as attributes and `machines`, `headers` and `sample`.

use call_grammar::excerpt;
use roxmltree::{Document, Node, ParsingOptions};

use super::{Raw, RawExperiment, mended};
use crate::{Error, FileFormat, Imported, PlaceInText, ReadOptions};

const ROOT: &str = "cll_data";
const EXPERIMENT: &str = "cll_experiment";

/// Reads a trace, or several that stand one behind another.
pub(crate) fn read(path_name: &str, text: &str, options: &ReadOptions) -> Result<Imported, Error> {
    let mut raw = Raw::default();
    let (mut rest, mut lines_before) = (text, 0);
    loop {
        let (trace, behind) = split_behind_root(rest);
        push(&mut raw, trace, lines_before)?;
        if behind.trim().is_empty() {
            return raw.import(FileFormat::CallOneXml, path_name, options);
        }
        let blank = behind.len() - behind.trim_start().len();
        lines_before += rest[..trace.len() + blank].matches('\n').count() as u64;
        rest = behind.trim_start();
    }
}

/// The first trace and what stands behind it.
fn split_behind_root(text: &str) -> (&str, &str) {
    let close = format!("</{ROOT}>");
    text.split_at(text.find(&close).map_or(text.len(), |at| at + close.len()))
}

/// Adds the experiments of a trace, with so many lines of the file before it.
fn push(raw: &mut Raw, text: &str, lines_before: u64) -> Result<(), Error> {
    check_attributes(text)?;
    let repaired;
    let document = match parse(text) {
        Err(roxmltree::Error::MalformedEntityReference(_) | roxmltree::Error::UnknownEntityReference(..)) => {
            repaired = with_escapes(text);
            parse(&repaired)
        }
        result => result,
    };
    let closed;
    let document = match document {
        // Of a file whose end is missing the whole rows are read.
        Err(error) => match mended::closed_xml(&with_escapes(text)) {
            Some(whole_rows) if is_cut(text) => {
                closed = whole_rows;
                raw.is_cut = true;
                parse(&closed).map_err(|_| error)
            }
            _ => Err(error),
        },
        document => document,
    };
    let document = document.map_err(|error| {
        let at = error.pos();
        let text = error.to_string();
        let problem = text.split(" at ").next().unwrap_or(&text).to_owned();
        let place =
            PlaceInText::Character { line: lines_before + u64::from(at.row), column: u64::from(at.col) };
        Error::Xml { place, problem }
    })?;
    let root = document.root_element();
    let name = root.tag_name().name();
    if !name.eq_ignore_ascii_case(EXPERIMENT) && !name.eq_ignore_ascii_case(ROOT) {
        return Err(Error::UnknownXml { root: excerpt(name) });
    }
    if name.eq_ignore_ascii_case(ROOT) {
        for attribute in root.attributes() {
            raw.set(&attribute.name().to_ascii_uppercase(), attribute.value().trim());
        }
    }
    let is_experiment = |node: &Node| node.tag_name().name().eq_ignore_ascii_case(EXPERIMENT);
    for node in root.descendants().filter(|node| node.is_element() && is_experiment(node)) {
        let number = raw.experiments.len() as u64 + 1;
        raw.experiments.push(experiment(node, number)?);
    }
    Ok(())
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
            place: PlaceInText::Entry(number),
            problem: format!("an element has more than {MOST} attributes"),
        }),
        None => Ok(()),
    }
}

/// Whether a text stops before its root is closed.
fn is_cut(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let root = if text.contains(&format!("<{ROOT}")) { ROOT } else { EXPERIMENT };
    !text.contains(&format!("</{root}>"))
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
fn place(node: Node) -> PlaceInText {
    let at = node.document().text_pos_at(node.range().start);
    PlaceInText::Character { line: u64::from(at.row), column: u64::from(at.col) }
}

fn experiment(node: Node, number: u64) -> Result<RawExperiment, Error> {
    let mut raw = RawExperiment::default();
    for attribute in node.attributes() {
        let (key, value) = (attribute.name().to_ascii_uppercase(), attribute.value().trim());
        if key == "EXPERIMENT" {
            raw.name = value.trim_matches('"').to_owned();
        } else {
            raw.set(&key, value, PlaceInText::Entry(number))?;
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
        let has_cells = elements(row, "c").next().is_some();
        // Without cells the row holds the values itself.
        let cells = row.children().filter(|child| match has_cells {
            true => child.is_element() && child.tag_name().name().eq_ignore_ascii_case("c"),
            false => child.is_text(),
        });
        for (at, cell) in cells.enumerate() {
            let text = cell.text().unwrap_or_default();
            if text.trim().is_empty() && has_cells {
                values.push(f64::NAN);
            }
            // An observable may write several values into one cell, as it writes several titles.
            for field in text.split_whitespace() {
                values.push(field.parse().map_err(|_| Error::Number {
                    place: place(cell),
                    column: raw.titles.get(at).cloned().unwrap_or_default(),
                    text: excerpt(field),
                })?);
            }
        }
        if values.is_empty() {
            continue;
        }
        raw.push_row(&values, PlaceInText::Entry(number)).map_err(|error| match error {
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
