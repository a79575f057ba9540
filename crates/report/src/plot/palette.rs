//! Colours and shapes of series. Both change with each series, so that neither alone must tell them apart.

pub(super) type Colour = (u8, u8, u8);

/// The colours of Okabe and Ito, which people tell apart whatever kinds of colours they see; without yellow, which is too
/// faint on white.
const SERIES: [Colour; 7] = [
    (0, 114, 178),   // blue
    (213, 94, 0),    // vermilion
    (0, 158, 115),   // bluish green
    (204, 121, 167), // reddish purple
    (230, 159, 0),   // orange
    (86, 180, 233),  // sky blue
    (0, 0, 0),       // black
];

pub(super) const WHITE: Colour = (255, 255, 255);
pub(super) const TEXT: Colour = (34, 34, 34);
pub(super) const FAINT_TEXT: Colour = (90, 90, 90);
pub(super) const AXIS: Colour = (110, 110, 110);
pub(super) const GRID: Colour = (229, 229, 229);
pub(super) const BORDER: Colour = (125, 125, 125);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Tip,
}

const SHAPES: [Shape; 5] = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Tip];

pub(super) fn colour(series: usize) -> Colour {
    SERIES[series % SERIES.len()]
}

pub(super) fn shape(series: usize) -> Shape {
    SHAPES[series % SHAPES.len()]
}

impl Shape {
    /// Corners of the shape whose area is that of a circle of radius 1; none for the circle.
    pub(super) fn corners(self) -> &'static [(f64, f64)] {
        match self {
            Shape::Circle => &[],
            Shape::Square => &[(-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)],
            Shape::Triangle => &[(0.0, -1.45), (1.26, 0.8), (-1.26, 0.8)],
            Shape::Diamond => &[(0.0, -1.35), (1.17, 0.0), (0.0, 1.35), (-1.17, 0.0)],
            Shape::Tip => &[(0.0, 1.45), (1.26, -0.8), (-1.26, -0.8)],
        }
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
    fn shapes_have_the_area_of_the_circle() {
        for shape in &SHAPES[1..] {
            let corners = shape.corners();
            let next = corners.iter().cycle().skip(1);
            let doubled: f64 = corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
            assert!((doubled.abs() / 2.0 - std::f64::consts::PI).abs() < 0.35, "{shape:?}: {doubled}");
        }
    }
}
