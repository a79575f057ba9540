//! What is in a picture.

use proptest::prelude::*;
use roxmltree::{Document, Node};
use unicode_width::UnicodeWidthChar;

/// The texts of a picture, which must be well-formed, in their order.
pub fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).expect("well-formed");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).map(|text| text.trim().to_owned()).collect()
}

/// The number of elements with this name and colour.
pub fn count(svg: &str, name: &str, attribute: &str, colour: &str) -> usize {
    let document = Document::parse(svg).expect("well-formed");
    let elements = document.descendants().filter(|node| node.has_tag_name(name));
    elements.filter(|node| node.attribute(attribute) == Some(colour)).count()
}

pub fn check_svg(svg: &str) -> Result<(), TestCaseError> {
    let document = Document::parse(svg).expect("well-formed");
    let page = document.root_element().attribute("viewBox").expect("a page");
    let page: Vec<f64> = page.split_whitespace().map(number).collect();
    for (name, place) in coordinates(&document) {
        let end = if name.contains('x') { page[2] } else { page[3] };
        prop_assert!((0.0..=end).contains(&place), "{} = {}", name, place);
    }
    for place in document.descendants().flat_map(corners) {
        prop_assert!((0.0..=page[2]).contains(&place.0) && (0.0..=page[3]).contains(&place.1), "{:?}", place);
    }
    Ok(())
}

pub fn check_text(text: &str, columns: usize, rows: usize) -> Result<(), TestCaseError> {
    prop_assert!(text.lines().count() <= rows);
    for line in text.lines() {
        let width: usize = line.chars().filter_map(UnicodeWidthChar::width).sum();
        prop_assert!(width <= columns, "{} wide: {}", width, line);
        prop_assert!(!line.ends_with(' '));
    }
    Ok(())
}

/// Places of lines, circles and texts, as far as they are written with these attributes.
fn coordinates<'a>(document: &'a Document<'a>) -> impl Iterator<Item = (&'a str, f64)> {
    let is_place = |name: &str| ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy"].contains(&name);
    let attributes = document.descendants().flat_map(|node| node.attributes());
    attributes
        .filter(move |attribute| is_place(attribute.name()))
        .map(|attribute| (attribute.name(), number(attribute.value())))
}

/// The corners of a line or an area.
pub fn corners(node: Node) -> Vec<(f64, f64)> {
    let pair = |pair: &str| {
        let (x, y) = pair.split_once(',').expect("two numbers");
        (number(x), number(y))
    };
    if let Some(points) = node.attribute("points") {
        return points.split_whitespace().map(pair).collect();
    }
    let Some(path) = node.attribute("d") else { return Vec::new() };
    let mut corners: Vec<(f64, f64)> = Vec::new();
    let starts = path.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(place, _)| place);
    let starts: Vec<usize> = starts.chain([path.len()]).collect();
    for ends in starts.windows(2) {
        let (step, numbers) = path[ends[0]..ends[1]].split_at(1);
        let last = corners.last().copied().unwrap_or((0.0, 0.0));
        corners.push(match step {
            "M" => pair(numbers),
            "h" => (last.0 + number(numbers), last.1),
            "v" => (last.0, last.1 + number(numbers)),
            "l" => (last.0 + pair(numbers).0, last.1 + pair(numbers).1),
            "z" => corners[0],
            other => panic!("{other}"),
        });
    }
    corners
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}
