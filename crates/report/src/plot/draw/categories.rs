//! Bars and boxes beside their names.

use super::series::box_plot;
use crate::plot::canvas::{Canvas, Fill, LineRole, Stroke, TextAnchor};
use crate::plot::font::Font;
use crate::plot::layout::Layout;
use crate::plot::page::PicturePage;
use crate::plot::{geometry, palette, text};
use crate::{Category, CategoryValue};

/// Draws the rows that have room, and how many have none.
pub(super) fn rows(canvas: &mut dyn Canvas, page: &PicturePage, layout: &Layout, rows: &[&Category]) {
    let (slots, plot) = (&layout.slots, &layout.plot);
    let pitch = (plot.bottom - plot.top) / slots.count.max(1) as f64;
    let top = |index: usize| plot.top + index as f64 * pitch;
    let name_line = if slots.are_above { page.tick_line } else { 0.0 };
    let above = |canvas: &mut dyn Canvas, index: usize, name: &str| {
        let name = text::shortened(page, &text::harmless(name.trim()), Font::Tick, plot.right - plot.left);
        let lower = if page.is_pixels() { 3.0 } else { 0.0 };
        let place = (plot.left + page.tick_gap, top(index) + 0.5 * page.tick_line + lower);
        canvas.text(&name, place, TextAnchor::Start, Font::Tick, palette::TEXT);
    };
    for (index, row) in rows.iter().take(slots.shown).enumerate() {
        if slots.are_above {
            above(canvas, index, &row.label);
        }
        let room = pitch - name_line;
        let middle = top(index) + name_line + room / 2.0;
        let half = if page.is_pixels() { 0.36 * room } else { 0.5 * page.tick_line };
        match &row.shows {
            CategoryValue::Bar { value, interval, text } => {
                bar(canvas, page, layout, (middle, half), (*value, *interval), text);
            }
            CategoryValue::Box(distribution) => {
                let at = |value: f64, across: f64| (layout.x_place(value), middle + across);
                let half = if page.is_pixels() { 0.8 * half } else { half - 0.6 };
                box_plot(canvas, page, plot, distribution, palette::colour(0), half, &at);
            }
        }
    }
    if let Some(rest) = slots.rest(rows.len()).filter(|_| slots.are_above) {
        above(canvas, slots.shown, &rest);
    }
}

fn bar(
    canvas: &mut dyn Canvas,
    page: &PicturePage,
    layout: &Layout,
    (middle, half): (f64, f64),
    (value, interval): (f64, Option<(f64, f64)>),
    text: &str,
) {
    const CAP: f64 = 4.0;
    let zero = layout.x_place(0.0);
    let end = layout.x_place(value);
    let (left, right) = (zero.min(end), zero.max(end));
    let corners =
        [(left, middle - half), (right, middle - half), (right, middle + half), (left, middle + half)];
    let inside = geometry::clipped_polygon(&layout.plot, &corners);
    if inside.len() > 2 {
        canvas.area(&inside, palette::colour(0), Fill::Solid);
    }
    let mut behind = right;
    if let Some((low, high)) = interval {
        // Dots upon a bar of characters would make it seem shorter.
        let low = if page.is_pixels() { low } else { low.max(value) };
        let (low, high) = (layout.x_place(low), layout.x_place(high));
        behind = behind.max(high);
        let whisker = vec![(low, middle), (high, middle)];
        let caps = [low, high].map(|x| vec![(x, middle - CAP), (x, middle + CAP)]);
        let lines = [whisker].into_iter().chain(caps.into_iter().filter(|_| page.is_pixels()));
        for piece in lines.flat_map(|line| geometry::clipped_line(&layout.plot, &line)) {
            canvas.line(&piece, Stroke::new(LineRole::Data, 1.6, palette::TEXT));
        }
    }
    let text = text::harmless(text);
    let gap = page.tick_gap.max(1.0) + 2.0;
    let x = (behind + gap).min(page.width - page.edge - page.text_width(&text, Font::Tick));
    canvas.text(&text, (x.max(layout.plot.left), middle), TextAnchor::Start, Font::Tick, palette::TEXT);
}
