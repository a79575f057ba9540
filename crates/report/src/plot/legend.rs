//! What the marks mean: a column on the right for several series with short names, rows below the plot otherwise, and a
//! colour bar where colours are a scale.

use super::canvas::CanvasPoint;
use super::data::FigureData;
use super::drawable::Drawable;
use super::font::Font;
use super::page::PicturePage;
use super::palette::{self, Rgb, SeriesStyle};
use super::text;
use super::ticks::Ticks;
use crate::timeline::TimelineActivity;
use crate::{Figure, ReferenceLine};

const MOST_ROWS: usize = 4;
/// Rows take at most this part of the page.
const MOST_HEIGHT: f64 = 0.15;

/// What stands before the text of an entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Symbol {
    Series {
        style: SeriesStyle,
        has_points: bool,
        has_curve: bool,
        has_bars: bool,
    },
    Points,
    /// A group of series.
    Colour(Rgb),
    /// A point of a surface.
    Ring,
    Repetitions,
    Spread,
    Curve,
    Extrapolated,
    Band,
    Reference,
    Activity(TimelineActivity),
    Chain,
    Part,
    /// Where a row shows several activities at once.
    Shares,
    None,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct LegendEntry {
    pub(super) mark: Symbol,
    pub(super) text: String,
    /// The middle of the left side, relative to the upper left corner of the legend.
    pub(super) place: CanvasPoint,
}

impl LegendEntry {
    pub(super) fn new(mark: Symbol, text: &str) -> LegendEntry {
        LegendEntry { mark, text: text::harmless(text.trim()), place: (0.0, 0.0) }
    }

    pub(super) fn width(&self, page: &PicturePage) -> f64 {
        page.mark_room + page.text_width(&self.text, Font::Legend)
    }

    pub(super) fn shortened(mut self, page: &PicturePage, room: f64) -> LegendEntry {
        self.text = text::shortened(page, &self.text, Font::Legend, room);
        self
    }
}

/// A bar of colours with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColourBar {
    pub(super) label: String,
    /// Ends, from 0 to 1, and colours.
    pub(super) steps: Vec<(f64, f64, Rgb)>,
    /// Places, from 0 to 1, and labels.
    pub(super) ticks: Vec<(f64, String)>,
}

impl ColourBar {
    pub(super) fn new(
        label: &str,
        steps: Vec<(f64, f64, Rgb)>,
        ticks: &Ticks,
        place: impl Fn(f64) -> f64,
    ) -> ColourBar {
        let ticks = ticks.labelled.iter().map(|tick| (place(tick.value), tick.label.clone()));
        ColourBar { label: label.to_owned(), steps, ticks: ticks.collect() }
    }
}

/// All that is to be explained.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Key {
    pub(super) series: Vec<LegendEntry>,
    pub(super) kinds: Vec<LegendEntry>,
    /// Whether the names of series stand beside their curves, if there is room.
    pub(super) is_at_curves: bool,
    /// Whether the entries of series are those of their groups, which a bar does not stand for.
    pub(super) has_groups: bool,
    /// Stands for the series, if there is no room for all of them.
    pub(super) bar: Option<ColourBar>,
}

/// Entries with their places.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Legend {
    pub(super) entries: Vec<LegendEntry>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Key {
    pub(super) fn of(figure: &Figure, data: &FigureData, bar: Option<ColourBar>) -> Key {
        let series = data.series.iter().map(|series| {
            let (has_points, has_curve) = (
                !series.points.is_empty() || !series.repetitions.is_empty() || !series.spread.is_empty(),
                !series.curve.is_empty() || !series.band.is_empty(),
            );
            let has_bars = !series.bars.is_empty() || !series.boxes.is_empty();
            LegendEntry::new(
                Symbol::Series { style: series.style, has_points, has_curve, has_bars },
                &series.label,
            )
        });
        let mut series: Vec<LegendEntry> = series.collect();
        if let Some([colours, markers]) = &data.groups {
            let any = |has: fn(&Drawable) -> bool| data.any(has);
            let has_points =
                any(|one| !one.points.is_empty() || !one.repetitions.is_empty() || !one.spread.is_empty());
            let has_curve = any(|one| !one.curve.is_empty() || !one.band.is_empty());
            let swatch =
                |(name, style): &(String, SeriesStyle)| LegendEntry::new(Symbol::Colour(style.colour), name);
            let marker = |(name, style): &(String, SeriesStyle)| {
                let style = SeriesStyle { colour: palette::AXIS, ..*style };
                LegendEntry::new(Symbol::Series { style, has_points, has_curve, has_bars: false }, name)
            };
            // A scale stands for many colours.
            let colours = colours.iter().map(swatch).filter(|_| bar.is_none());
            series = colours.chain(markers.iter().map(marker)).collect();
            return Key { series, kinds: kinds(figure, data), is_at_curves: false, has_groups: true, bar };
        }
        // A single series without a name needs no entry.
        if series.len() == 1 && series[0].text.is_empty() {
            series.clear();
        }
        Key {
            series,
            kinds: kinds(figure, data),
            is_at_curves: figure.names_at_curves,
            has_groups: false,
            bar,
        }
    }

    /// Whether the legend is a column on the right of a plot of this height.
    pub(super) fn is_column(&self, page: &PicturePage, height: f64) -> bool {
        self.series.len() > 2
            && page.width >= 4.0 * (longest_in_column(page) + page.mark_room)
            && self.has_names_within(page, longest_in_column(page))
            && (self.bar.is_none() || !self.has_groups && self.all_height(page) <= height)
    }

    /// Whether all names of series are this short.
    pub(super) fn has_names_within(&self, page: &PicturePage, longest: f64) -> bool {
        self.series.iter().all(|entry| page.text_width(&entry.text, Font::Legend) <= longest)
    }

    /// The key without the names of series.
    pub(super) fn of_kinds(&self) -> Key {
        Key { kinds: self.kinds.clone(), ..Key::default() }
    }

    fn all_height(&self, page: &PicturePage) -> f64 {
        let gap = if self.kinds.is_empty() { 0.0 } else { 0.5 };
        (self.series.len() as f64 + gap + self.kinds.len() as f64) * page.legend_line
    }

    /// A legend of one column.
    pub(super) fn column(&self, page: &PicturePage, room: f64) -> Legend {
        let row = page.legend_line;
        let kinds_height = self.all_height(page) - self.series.len() as f64 * row;
        let most = (((room - kinds_height) / row).max(1.0)) as usize;
        let mut entries = shown(&self.series, most);
        let series_end = entries.len() as f64 * row;
        let kinds_start = if page.is_pixels() { series_end + row / 2.0 } else { series_end };
        entries.extend(self.kinds.iter().cloned());
        let shown = entries.len() - self.kinds.len();
        let entries: Vec<LegendEntry> = entries
            .into_iter()
            .enumerate()
            .map(|(index, entry)| {
                let mut entry = entry.shortened(page, longest_in_column(page));
                entry.place.1 = if index < shown {
                    (index as f64 + 0.5) * row
                } else {
                    kinds_start + ((index - shown) as f64 + 0.5) * row
                };
                entry
            })
            .collect();
        let width = entries.iter().map(|entry| entry.width(page)).fold(0.0, f64::max);
        let height = entries.last().map_or(0.0, |last| last.place.1 + row / 2.0);
        Legend { entries, width, height }
    }

    /// A legend of rows that are filled one after another.
    pub(super) fn rows(&self, page: &PicturePage, room: f64) -> Legend {
        let series: &[LegendEntry] = if self.bar.is_some() && !self.has_groups { &[] } else { &self.series };
        let most_rows = ((page.height * MOST_HEIGHT / page.legend_line) as usize).clamp(1, MOST_ROWS);
        let mut most = series.len();
        // Names are cut to half a row only if there is no room for all of them.
        let mut longest = room - page.mark_room;
        loop {
            let mut entries = shown(series, most);
            entries.extend(self.kinds.iter().cloned());
            let mut entries: Vec<LegendEntry> =
                entries.into_iter().map(|entry| entry.shortened(page, longest)).collect();
            let rows = fill_rows(page, &mut entries, room);
            if rows <= most_rows || most <= 1 {
                entries.retain(|entry| entry.place.1 < most_rows as f64 * page.legend_line);
                let rows = rows.min(most_rows);
                let width = entries.iter().map(|entry| entry.place.0 + entry.width(page)).fold(0.0, f64::max);
                return Legend { entries, width, height: rows as f64 * page.legend_line };
            }
            let half = (room - page.entry_gap) / 2.0 - page.mark_room;
            if longest > half {
                longest = half;
            } else {
                most -= 1;
            }
        }
    }
}

fn longest_in_column(page: &PicturePage) -> f64 {
    if page.is_pixels() { 150.0 } else { 32.0 }
}

/// Gives the entries their places and returns the number of rows.
fn fill_rows(page: &PicturePage, entries: &mut [LegendEntry], room: f64) -> usize {
    let (mut rows, mut x) = (usize::from(!entries.is_empty()), 0.0);
    for entry in entries {
        if x > 0.0 && x + entry.width(page) > room {
            rows += 1;
            x = 0.0;
        }
        entry.place = (x, (rows as f64 - 0.5) * page.legend_line);
        x += entry.width(page) + page.entry_gap;
    }
    rows
}

/// At most so many entries; the last one counts what is left out.
fn shown(series: &[LegendEntry], most: usize) -> Vec<LegendEntry> {
    if series.len() <= most {
        return series.to_vec();
    }
    let shown = most.saturating_sub(1);
    let rest = LegendEntry::new(Symbol::None, &format!("and {} more", series.len() - shown));
    series[..shown].iter().cloned().chain([rest]).collect()
}

/// The kinds of marks, as far as there are several or they need a name.
fn kinds(figure: &Figure, data: &FigureData) -> Vec<LegendEntry> {
    let has_curves = data.any(|series| !series.curve.is_empty());
    let has_points = data.any(|series| !series.points.is_empty());
    let has_repetitions = data.any(|series| !series.repetitions.is_empty());
    let has_spread = data.any(|series| !series.spread.is_empty());
    let has_several = u8::from(has_curves) + u8::from(has_points) + u8::from(has_repetitions) > 1;
    let is_extrapolated = |series: &Drawable| {
        let outside = |x: f64| series.sampled.is_some_and(|(low, high)| x < low || x > high);
        series.curve.iter().flatten().any(|point| outside(point.0))
    };
    let names = &figure.kinds;
    let (x, y) = (&data.x.range, &data.y.range);
    let is_cut = |series: &Drawable| {
        let mut within = series.band.iter().flatten().filter(|bar| x.contains(bar.0));
        within.any(|bar| bar.2 > y.high || bar.1 < y.low)
    };
    let band = match data.any(is_cut) {
        true => format!("{}, cut off", names.band),
        false => names.band.clone(),
    };
    let kinds = [
        (has_points && has_several, Symbol::Points, &names.points),
        (has_repetitions, Symbol::Repetitions, &names.repetitions),
        (has_spread, Symbol::Spread, &names.spread),
        (has_curves && has_several, Symbol::Curve, &names.curve),
        (data.any(is_extrapolated), Symbol::Extrapolated, &names.extrapolated),
        (data.any(|series| !series.band.is_empty()), Symbol::Band, &band),
    ];
    let kinds = kinds.into_iter().filter(|(is_there, ..)| *is_there);
    let mut entries: Vec<LegendEntry> = kinds.map(|(_, mark, text)| LegendEntry::new(mark, text)).collect();
    let is_shown = |line: &ReferenceLine| match line {
        ReferenceLine::Horizontal(y) => data.y.range.contains(*y),
        ReferenceLine::Vertical(x) => data.x.range.contains(*x),
        ReferenceLine::Proportional(_) => true,
    };
    let references =
        data.references.iter().filter(|(label, line)| !label.trim().is_empty() && is_shown(line));
    entries.extend(references.map(|(label, _)| LegendEntry::new(Symbol::Reference, label)));
    entries
}
