//! A call graph as SVG, without styles, as pages may forbid them.

use std::fmt::Write;

use super::{CallGraph, GraphLayout, GraphNode, shade_colour};
use crate::plot::{beginning, char_width, escaped, text_width};

const LINE: f64 = 15.0;
const PADDING: f64 = 7.0;
const FONT: f64 = 12.0;
const TITLE: f64 = 18.0;
const MARGIN: f64 = 16.0;
/// Longer labels are cut; the whole one is in the title of the node.
const WIDEST: f64 = 260.0;

pub(super) fn node_size(node: &GraphNode) -> (f64, f64) {
    let widest = std::iter::once(width_of(&node.label, true))
        .chain(node.lines.iter().map(|line| width_of(line, false)))
        .fold(40.0, f64::max);
    (widest.min(WIDEST) + 2.0 * PADDING, (node.lines.len() + 1) as f64 * LINE + 2.0 * PADDING - 3.0)
}

fn width_of(text: &str, is_bold: bool) -> f64 {
    text_width(text, FONT, is_bold)
}

/// Of the file, in pixels.
pub(super) fn size(graph: &CallGraph, layout: &GraphLayout) -> (f64, f64) {
    let texts = std::iter::once(text_width(&graph.title, TITLE, true))
        .chain(graph.notes.iter().map(|note| width_of(note, false)))
        .fold(200.0, f64::max);
    (layout.size.0.max(texts) + 2.0 * MARGIN, layout.size.1 + head(graph) + 2.0 * MARGIN)
}

/// The height of title and notes.
fn head(graph: &CallGraph) -> f64 {
    if graph.title.is_empty() && graph.notes.is_empty() {
        return 0.0;
    }
    TITLE * 1.5 + graph.notes.len() as f64 * LINE + 8.0
}

/// A file with title and notes.
pub(super) fn file(graph: &CallGraph, layout: &GraphLayout) -> String {
    let (width, height) = size(graph, layout);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"{FONT}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    if head(graph) > 0.0 {
        let title = escaped(&graph.title);
        let y = MARGIN + TITLE;
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"{y}\" font-size=\"{TITLE}\" font-weight=\"bold\">{title}</text>"
        );
        for (note, number) in graph.notes.iter().zip(1..) {
            let y = y + 6.0 + f64::from(number) * LINE;
            let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"#444444\">{}</text>", escaped(note));
        }
    }
    let _ = writeln!(svg, "<g transform=\"translate({MARGIN} {:.1})\">", MARGIN + head(graph));
    content(&mut svg, graph, layout);
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// For a page, without title and notes.
pub(super) fn element(graph: &CallGraph, layout: &GraphLayout) -> String {
    let (width, height) = (layout.size.0 + 2.0 * MARGIN, layout.size.1 + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"{:.0} {:.0} {width:.0} {height:.0}\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"{FONT}\">\n",
        -MARGIN, -MARGIN
    );
    content(&mut svg, graph, layout);
    svg.push_str("</svg>\n");
    svg
}

fn content(svg: &mut String, graph: &CallGraph, layout: &GraphLayout) {
    let sizes: Vec<(f64, f64)> = graph.nodes.iter().map(node_size).collect();
    svg.push_str("<g class=\"calls\" fill=\"none\" stroke=\"#808080\">\n");
    for (number, (from, to)) in graph.calls.iter().enumerate() {
        let path = route(layout, &sizes, (*from, *to), &layout.routes[number]);
        let _ = writeln!(svg, "<path id=\"c{number}\" d=\"{path}\"/>");
    }
    svg.push_str("</g>\n");
    for (number, node) in graph.nodes.iter().enumerate() {
        box_of(svg, node, number, layout.centres[number], sizes[number]);
    }
}

/// Curves from the right side of the caller to the left side of what it calls.
fn route(
    layout: &GraphLayout,
    sizes: &[(f64, f64)],
    call: (usize, usize),
    through: &[[(f64, f64); 2]],
) -> String {
    let (from, to) = call;
    let side = |node: usize, side: f64| {
        (layout.centres[node].0 + side * sizes[node].0 / 2.0, layout.centres[node].1)
    };
    if from == to {
        let ((x, y), half) = (side(from, 1.0), sizes[from].1 / 2.0);
        return format!("M{:.0} {:.0}c22 -4 22 {:.0} 0 {:.0}", x, y - half / 2.0, half + 4.0, half);
    }
    // A call back goes from left side to right side.
    let is_forward = layout.centres[from].0 < layout.centres[to].0;
    let (start, end) =
        if is_forward { (side(from, 1.0), side(to, -1.0)) } else { (side(from, -1.0), side(to, 1.0)) };
    let mut path = format!("M{:.0} {:.0}", start.0, start.1);
    let mut at = start;
    for [next, out] in through.iter().copied().chain([[end, end]]) {
        let middle = f64::midpoint(at.0, next.0);
        let _ =
            write!(path, "C{middle:.0} {:.0} {middle:.0} {:.0} {:.0} {:.0}", at.1, next.1, next.0, next.1);
        if out != next {
            let _ = write!(path, "H{:.0}", out.0);
        }
        at = out;
    }
    path
}

fn box_of(svg: &mut String, node: &GraphNode, number: usize, centre: (f64, f64), size: (f64, f64)) {
    let (left, top) = (centre.0 - size.0 / 2.0, centre.1 - size.1 / 2.0);
    let (red, green, blue) = shade_colour(node.shade);
    let (class, round) = if node.is_superstep { ("superstep", "") } else { ("procedure", " rx=\"6\"") };
    let _ = write!(svg, "<g id=\"n{number}\" class=\"{class}\" transform=\"translate({left:.1} {top:.1})\">");
    if beginning(&node.label, WIDEST, |c| FONT * char_width(c, true)) != node.label {
        let _ = write!(svg, "<title>{}</title>", escaped(&node.label));
    }
    let _ = write!(
        svg,
        "<rect width=\"{:.1}\" height=\"{:.1}\"{round} fill=\"#{red:02x}{green:02x}{blue:02x}\" stroke=\"#404040\"/>",
        size.0, size.1
    );
    let lines = std::iter::once((&node.label, true)).chain(node.lines.iter().map(|line| (line, false)));
    for ((line, is_bold), index) in lines.zip(1..) {
        let y = PADDING + f64::from(index) * LINE - 4.0;
        let weight = if is_bold { " font-weight=\"bold\"" } else { "" };
        let text = escaped(&beginning(line, WIDEST, |c| FONT * char_width(c, is_bold)));
        let _ = write!(svg, "<text x=\"{PADDING}\" y=\"{y}\"{weight}>{text}</text>");
    }
    svg.push_str("</g>\n");
}
