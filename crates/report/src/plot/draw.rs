//! Draws what has its place.

mod frame;
mod key;
mod series;
mod surface;
mod timeline;

use super::canvas::Canvas;
use super::layout::Layout;
use super::page::Page;
use super::{Content, Scene};

pub(super) fn scene(canvas: &mut dyn Canvas, page: &Page, scene: &Scene, layout: &Layout) {
    match &scene.content {
        Content::Series { series, references } => {
            frame::texts(canvas, page, layout);
            frame::grid(canvas, layout);
            series::areas(canvas, layout, series);
            frame::axes(canvas, page, layout);
            frame::borders(canvas, layout);
            series::data(canvas, page, layout, series, references);
        }
        Content::Surface(values) => {
            frame::texts(canvas, page, layout);
            surface::surface(canvas, page, layout, values);
        }
        Content::Timeline { timeline, supersteps } => {
            frame::texts(canvas, page, layout);
            frame::upright_grid(canvas, layout);
            timeline::diagram(canvas, page, layout, timeline, supersteps);
            frame::axes(canvas, page, layout);
            frame::borders(canvas, layout);
            frame::spans(canvas, layout);
        }
    }
    key::names(canvas, page, layout);
    key::legend(canvas, page, layout);
    key::bar(canvas, page, layout);
}
