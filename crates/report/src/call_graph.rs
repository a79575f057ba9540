//! Call graphs: what is drawn of them, and where it stands.

mod draw;
mod layout;

use layout::GraphLayout;

use crate::Error;

/// A graph of procedures and of what they call, drawn by layers from left to right.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallGraph {
    /// Above the picture.
    pub title: String,
    /// Below the title, a line each.
    pub notes: Vec<String>,
    /// Whatever can be called.
    pub nodes: Vec<GraphNode>,
    /// Positions of caller and callee among the nodes.
    pub calls: Vec<(usize, usize)>,
}

/// A box of the graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphNode {
    /// The first line of the box.
    pub label: String,
    /// The lines below it.
    pub lines: Vec<String>,
    /// From 0, the most critical one, to 255.
    pub shade: u8,
    /// Whether it is a superstep rather than a procedure.
    pub is_superstep: bool,
}

/// The colour of a shade: red at 0, white at 255.
fn shade_colour(shade: u8) -> (u8, u8, u8) {
    (255, shade, shade)
}

/// More boxes make no picture that anybody can read, and take seconds to be laid out.
pub const MOST_NODES: usize = 1000;

/// Of each side of a picture.
const MOST_PIXELS: f64 = 8000.0;
/// Small pictures have two pixels for each of SVG.
const LARGEST_SCALE: f64 = 2.0;

impl CallGraph {
    /// Draws it as SVG, as large as its boxes need.
    ///
    /// # Errors
    /// If there is no node, or more than [`MOST_NODES`].
    ///
    /// # Panics
    /// If a call is one of a node that is not there.
    pub fn svg(&self) -> Result<String, Error> {
        Ok(draw::file(self, &self.checked_layout()?))
    }

    /// Draws it as the bytes of a PNG file, with at most 8000 pixels on each side.
    ///
    /// # Errors
    /// As [`svg`](CallGraph::svg).
    ///
    /// # Panics
    /// As [`svg`](CallGraph::svg).
    pub fn png(&self) -> Result<Vec<u8>, Error> {
        let layout = self.checked_layout()?;
        let (width, height) = draw::size(self, &layout);
        let scale = (MOST_PIXELS / width.max(height)).min(LARGEST_SCALE);
        let pixels = |length: f64| (length * scale).round().max(1.0) as u32;
        crate::plot::svg_to_png(&draw::file(self, &layout), pixels(width), pixels(height))
            .map_err(|cause| Error::Drawing { title: self.title.clone(), cause })
    }

    /// Draws it as an `svg` element for a page: node number `n` is the group `n{n}`, call number `c` the path `c{c}`.
    ///
    /// # Errors
    /// As [`svg`](CallGraph::svg).
    ///
    /// # Panics
    /// As [`svg`](CallGraph::svg).
    pub fn element(&self) -> Result<String, Error> {
        Ok(draw::element(self, &self.checked_layout()?))
    }

    fn checked_layout(&self) -> Result<GraphLayout, Error> {
        let (count, most) = (self.nodes.len(), MOST_NODES);
        if count == 0 || count > most {
            return Err(Error::Nodes { title: self.title.clone(), count, most });
        }
        let sizes: Vec<(f64, f64)> = self.nodes.iter().map(draw::node_size).collect();
        Ok(GraphLayout::of(&sizes, &self.calls))
    }
}
