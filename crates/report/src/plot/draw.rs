//! Draws what has its place: heading, axes and borders of intervals here, the content in the modules below.

use super::canvas::{Canvas, LineRole, Stroke, TextAnchor};
use super::font::Font;
use super::layout::Layout;
use super::page::PicturePage;
use super::palette::{self, Dash};
use super::{Content, Scene};

mod bars;
mod categories;
mod key;
mod series;
mod strips;
mod surface;
mod timeline;

pub(super) fn scene(canvas: &mut dyn Canvas, page: &PicturePage, scene: &Scene, layout: &Layout) {
    match &scene.content {
        Content::Series { series, references } => {
            texts(canvas, page, layout);
            grid(canvas, layout);
            series::areas(canvas, layout, series);
            axes(canvas, page, layout);
            borders(canvas, layout);
            series::data(canvas, page, layout, series, references);
        }
        Content::Surface(values) => {
            texts(canvas, page, layout);
            surface::content(canvas, page, layout, values);
        }
        Content::Categories(rows) => {
            texts(canvas, page, layout);
            upright_grid(canvas, layout);
            categories::rows(canvas, page, layout, rows);
            axes(canvas, page, layout);
        }
        Content::Timeline { timeline, supersteps } => {
            texts(canvas, page, layout);
            upright_grid(canvas, layout);
            timeline::diagram(canvas, page, layout, timeline, supersteps);
            axes(canvas, page, layout);
            borders(canvas, layout);
            spans(canvas, layout);
        }
    }
    key::names(canvas, page, layout);
    key::legend(canvas, page, layout);
    key::bar(canvas, page, layout);
}

const THIN: f64 = 1.0;

fn texts(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout) {
    for line in &layout.title {
        canvas.text(&line.text, (page.edge, line.y), TextAnchor::Start, Font::Title, palette::TEXT);
    }
    for line in &layout.notes {
        canvas.text(&line.text, (page.edge, line.y), TextAnchor::Start, Font::Note, palette::FAINT_TEXT);
    }
    let middle = f64::midpoint(layout.plot.left, layout.plot.right);
    if !layout.x_label.text.is_empty() {
        let place = (middle, layout.x_label.y);
        canvas.text(&layout.x_label.text, place, TextAnchor::Middle, Font::Label, palette::TEXT);
    }
    for (line, place) in &layout.y_label {
        canvas.rising_text(line, *place, Font::Label, palette::TEXT);
    }
}

/// Faint lines at the ticks of the horizontal axis.
fn upright_grid(canvas: &mut dyn Canvas, layout: &Layout) {
    let stroke = Stroke::new(LineRole::Grid, THIN, palette::GRID);
    let plot = &layout.plot;
    for tick in &layout.x_ticks.labelled {
        let x = layout.x_place(tick.value);
        canvas.line(&[(x, plot.top), (x, plot.bottom)], stroke);
    }
}

/// Faint lines at the ticks.
fn grid(canvas: &mut dyn Canvas, layout: &Layout) {
    let stroke = Stroke::new(LineRole::Grid, THIN, palette::GRID);
    let plot = &layout.plot;
    upright_grid(canvas, layout);
    for tick in &layout.y_ticks.labelled {
        let y = layout.y_place(tick.value);
        canvas.line(&[(plot.left, y), (plot.right, y)], stroke);
    }
}

fn axes(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout) {
    let plot = &layout.plot;
    // Axes of characters stand in cells of their own.
    let (left, bottom) = if page.is_pixels() {
        (plot.left, plot.bottom)
    } else {
        (plot.left - page.tick / 2.0, plot.bottom + page.tick / 2.0)
    };
    let frame = Stroke::new(LineRole::Frame, THIN, palette::AXIS);
    canvas.line(&[(left, plot.top), (left, bottom)], frame);
    canvas.line(&[(left, bottom), (plot.right, bottom)], frame);
    let tick = Stroke::new(LineRole::Tick, THIN, palette::AXIS);
    let gap = page.tick + page.tick_gap;
    for labelled in &layout.x_ticks.labelled {
        let x = layout.x_place(labelled.value);
        canvas.line(&[(x, bottom), (x, bottom + page.tick)], tick);
        let below = if page.is_pixels() { plot.bottom + gap } else { plot.bottom + page.tick_line };
        let place = (x, below + page.tick_line / 2.0);
        canvas.text(&labelled.label, place, TextAnchor::Middle, Font::Tick, palette::TEXT);
    }
    for labelled in &layout.y_ticks.labelled {
        let y = layout.y_place(labelled.value);
        canvas.line(&[(left, y), (left - page.tick, y)], tick);
        canvas.text(&labelled.label, (plot.left - gap, y), TextAnchor::End, Font::Tick, palette::TEXT);
    }
    if !page.is_pixels() {
        return;
    }
    for value in &layout.x_ticks.small {
        let x = layout.x_place(*value);
        canvas.line(&[(x, bottom), (x, bottom + page.tick / 2.0)], tick);
    }
    for value in &layout.y_ticks.small {
        let y = layout.y_place(*value);
        canvas.line(&[(left - page.tick / 2.0, y), (left, y)], tick);
    }
}

fn borders(canvas: &mut dyn Canvas, layout: &Layout) {
    let stroke = Stroke::new(LineRole::Border, 1.2, palette::BORDER).dashed(Dash::Dashed);
    for [top, bottom] in layout.border_lines() {
        canvas.line(&[bottom, top], stroke);
    }
    for border in &layout.borders {
        if let Some(label) = &border.label {
            let place = (label.x, label.line.y);
            canvas.text(&label.line.text, place, TextAnchor::Middle, Font::Border, palette::FAINT_TEXT);
        }
    }
}

/// Names of stretches of the horizontal axis.
fn spans(canvas: &mut dyn Canvas, layout: &Layout) {
    for label in &layout.spans {
        let place = (label.x, label.line.y);
        canvas.text(&label.line.text, place, TextAnchor::Middle, Font::Border, palette::FAINT_TEXT);
    }
}
