//! Colours and shapes of series. Both change with each series, so that neither alone must tell them apart.

pub(super) type Rgb = (u8, u8, u8);

/// The colours of Okabe and Ito, which people tell apart whatever kinds of colours they see; without yellow, which is too
/// faint on white.
const SERIES: [Rgb; 7] = [
    (0, 114, 178),   // blue
    (213, 94, 0),    // vermilion
    (0, 158, 115),   // bluish green
    (204, 121, 167), // reddish purple
    (230, 159, 0),   // orange
    (86, 180, 233),  // sky blue
    (0, 0, 0),       // black
];

/// So many series have colours that clearly differ.
pub(super) const DISTINCT: usize = SERIES.len();

/// Viridis, whose lightness grows evenly, so that it is a scale without colours, too.
const SCALE: [Rgb; 8] = [
    (68, 1, 84),
    (70, 50, 127),
    (54, 92, 141),
    (39, 127, 143),
    (31, 162, 136),
    (74, 194, 110),
    (160, 219, 57),
    (254, 232, 37),
];

pub(super) const WHITE: Rgb = (255, 255, 255);
pub(super) const BLACK: Rgb = (0, 0, 0);
/// As far from white as from black for the eye.
pub(super) const WAITING: Rgb = (190, 190, 190);
/// Vermilion and blue of the series.
pub(super) const CHAIN: Rgb = SERIES[1];
pub(super) const PART: Rgb = SERIES[0];
pub(super) const TEXT: Rgb = (34, 34, 34);
pub(super) const FAINT_TEXT: Rgb = (90, 90, 90);
pub(super) const AXIS: Rgb = (110, 110, 110);
pub(super) const GRID: Rgb = (229, 229, 229);
pub(super) const BORDER: Rgb = (125, 125, 125);
pub(super) const REFERENCE: Rgb = (70, 70, 70);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerShape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Tip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dash {
    Solid,
    Dashed,
    Dotted,
}

/// What tells a series from others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SeriesStyle {
    pub(super) colour: Rgb,
    pub(super) shape: MarkerShape,
    /// Of the curve, where it was measured.
    pub(super) dash: Dash,
}

impl Default for SeriesStyle {
    fn default() -> SeriesStyle {
        SeriesStyle { colour: AXIS, shape: MarkerShape::Circle, dash: Dash::Solid }
    }
}

pub(super) const SHAPES: [MarkerShape; 5] =
    [MarkerShape::Circle, MarkerShape::Square, MarkerShape::Triangle, MarkerShape::Diamond, MarkerShape::Tip];

pub(super) fn colour(series: usize) -> Rgb {
    SERIES[series % SERIES.len()]
}

pub(super) fn shape(series: usize) -> MarkerShape {
    SHAPES[series % SHAPES.len()]
}

/// Curves of one shape differ by their dashes.
pub(super) fn dash(series: usize) -> Dash {
    const DASHES: [Dash; 3] = [Dash::Solid, Dash::Dashed, Dash::Dotted];
    DASHES[series / SHAPES.len() % DASHES.len()]
}

/// Curves of groups differ by their dashes as far as these go.
pub(super) fn dash_of_group(group: usize) -> Dash {
    [Dash::Solid, Dash::Dashed, Dash::Dotted][group % 3]
}

/// The colour at a place from 0 to 1 of the scale.
pub(super) fn on_scale(place: f64) -> Rgb {
    let place = place.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let index = (place as usize).min(SCALE.len() - 2);
    let part = place - index as f64;
    let mix = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    let (a, b) = (SCALE[index], SCALE[index + 1]);
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

/// The colour at a place of the part of the scale that stands out from white.
pub(super) fn on_dark_scale(place: f64) -> Rgb {
    on_scale(0.88 * place.clamp(0.0, 1.0))
}

/// From 0, black, to 1, white.
pub(super) fn lightness(colour: Rgb) -> f64 {
    (0.299 * f64::from(colour.0) + 0.587 * f64::from(colour.1) + 0.114 * f64::from(colour.2)) / 255.0
}

/// Black or white, whichever can be read on the colour.
pub(super) fn contrast(background: Rgb) -> Rgb {
    if lightness(background) > 0.5 { TEXT } else { WHITE }
}

/// A character for a colour of the scale: the lighter the colour, the more of the cell is covered, as light on dark.
pub(super) fn shade(colour: Rgb, is_ascii: bool) -> char {
    const BLOCKS: [char; 5] = [' ', '░', '▒', '▓', '█'];
    const ASCII: [char; 9] = [' ', '.', ':', '-', '=', '+', '*', '%', '@'];
    let shades: &[char] = if is_ascii { &ASCII } else { &BLOCKS };
    let place = place_by_lightness(colour) * shades.len() as f64;
    shades[(place.max(0.0) as usize).min(shades.len() - 1)]
}

/// Where on the scale, from 0 to 1, a colour of this lightness is.
pub(super) fn place_by_lightness(colour: Rgb) -> f64 {
    let lightnesses = SCALE.map(lightness);
    let wanted = lightness(colour);
    let above = lightnesses.partition_point(|lightness| *lightness <= wanted).clamp(1, SCALE.len() - 1);
    let (low, high) = (lightnesses[above - 1], lightnesses[above]);
    let part = ((wanted - low) / (high - low)).clamp(0.0, 1.0);
    ((above - 1) as f64 + part) / (SCALE.len() - 1) as f64
}

pub(super) fn is_on_scale(colour: Rgb) -> bool {
    const ROUNDED: u8 = 3;
    let other = on_scale(place_by_lightness(colour));
    let is_near = |a: u8, b: u8| a.abs_diff(b) <= ROUNDED;
    is_near(colour.0, other.0) && is_near(colour.1, other.1) && is_near(colour.2, other.2)
}

impl MarkerShape {
    /// Corners of the shape whose area is that of a circle of radius 1; none for the circle.
    pub(super) fn corners(self) -> &'static [(f64, f64)] {
        match self {
            MarkerShape::Circle => &[],
            MarkerShape::Square => &[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)],
            MarkerShape::Triangle => &[(0.0, -1.45), (1.26, 0.8), (-1.26, 0.8)],
            MarkerShape::Diamond => &[(0.0, -1.35), (1.17, 0.0), (0.0, 1.35), (-1.17, 0.0)],
            MarkerShape::Tip => &[(0.0, 1.45), (1.26, -0.8), (-1.26, -0.8)],
        }
    }

    pub(super) fn glyph(self, is_ascii: bool) -> char {
        let (unicode, ascii) = match self {
            MarkerShape::Circle => ('●', 'o'),
            MarkerShape::Square => ('■', '#'),
            MarkerShape::Triangle => ('▲', '^'),
            MarkerShape::Diamond => ('◆', '*'),
            MarkerShape::Tip => ('▼', 'v'),
        };
        if is_ascii { ascii } else { unicode }
    }

    pub(super) fn open_glyph(self, is_ascii: bool) -> char {
        let unicode = match self {
            MarkerShape::Circle => '○',
            MarkerShape::Square => '□',
            MarkerShape::Triangle => '△',
            MarkerShape::Diamond => '◇',
            MarkerShape::Tip => '▽',
        };
        if is_ascii { self.glyph(true) } else { unicode }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn many_series_differ() {
        let looks: HashSet<String> =
            (0..35).map(|index| format!("{:?} {:?}", colour(index), shape(index))).collect();
        assert_eq!(looks.len(), 35);
    }

    #[test]
    fn fifteen_curves_differ_without_colours() {
        let looks: HashSet<String> =
            (0..15).map(|index| format!("{:?} {:?}", shape(index), dash(index))).collect();
        assert_eq!(looks.len(), 15);
    }

    #[test]
    fn activities_differ_without_colours() {
        let lightnesses = [BLACK, CHAIN, WAITING, WHITE].map(lightness);
        assert!(lightnesses.windows(2).all(|pair| pair[1] - pair[0] > 0.2), "{lightnesses:?}");
    }

    #[test]
    fn shapes_have_the_area_of_the_circle() {
        for shape in &SHAPES[1..] {
            let corners = shape.corners();
            let next = corners.iter().cycle().skip(1);
            let doubled: f64 = corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
            assert!((doubled.abs() / 2.0 - std::f64::consts::PI).abs() < 0.35, "{shape:?}: {doubled}");
        }
    }

    #[test]
    fn the_scale_gets_lighter() {
        let lightnesses: Vec<f64> = (0..=100).map(|k| lightness(on_scale(f64::from(k) / 100.0))).collect();
        assert!(lightnesses.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!([0.0, 0.5, 1.0].map(|place| shade(on_scale(place), false)), [' ', '▒', '█']);
        assert!([0.0, 0.3, 0.77, 1.0].map(on_scale).into_iter().all(is_on_scale));
        assert!(!SERIES.into_iter().any(is_on_scale));
        assert!((place_by_lightness(on_scale(0.4)) - 0.4).abs() < 0.01);
        assert_eq!((contrast(on_scale(0.0)), contrast(on_scale(1.0))), (WHITE, TEXT));
    }
}
