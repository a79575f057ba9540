//! Where the values of a grid are above a level: marching squares.

use std::collections::BTreeMap;

use super::canvas::CanvasPoint;

/// A grid of values with the places of its columns and rows.
pub(super) struct ValueGrid {
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// A row after the other; holes are NaN.
    pub(super) values: Vec<f64>,
}

/// A place on the line around a region, and whether it is one where the level is crossed: others are at the border of the
/// grid or of a hole.
type ContourPoint = (CanvasPoint, bool);

/// A region above a level.
pub(super) struct ContourRegion {
    loops: Vec<Vec<ContourPoint>>,
}

/// The edge of the grid that starts at a node and goes to the right or down. Around the grid is a frame of nodes that are
/// below all levels, so that all lines are closed; so these numbers are one more than those of columns and rows.
type GridEdge = (usize, usize, bool);

impl ValueGrid {
    /// The value of a node of the framed grid; holes and the frame are below all levels.
    fn value(&self, column: usize, row: usize) -> f64 {
        let is_inside = (1..=self.x.len()).contains(&column) && (1..=self.y.len()).contains(&row);
        let value = if is_inside { self.values[(row - 1) * self.x.len() + column - 1] } else { f64::NAN };
        if value.is_nan() { f64::NEG_INFINITY } else { value }
    }

    fn place(&self, column: usize, row: usize) -> CanvasPoint {
        let nearest = |places: &[f64], index: usize| places[index.clamp(1, places.len()) - 1];
        (nearest(&self.x, column), nearest(&self.y, row))
    }

    fn crossing(&self, (column, row, is_right): GridEdge, level: f64) -> ContourPoint {
        let other = if is_right { (column + 1, row) } else { (column, row + 1) };
        let (a, b) = (self.value(column, row), self.value(other.0, other.1));
        let (from, to) = (self.place(column, row), self.place(other.0, other.1));
        if b == f64::NEG_INFINITY {
            return (from, false);
        }
        if a == f64::NEG_INFINITY {
            return (to, false);
        }
        let part = ((level - a) / (b - a)).clamp(0.0, 1.0);
        ((from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1)), true)
    }

    /// Where the values are this high or higher.
    pub(super) fn above(&self, level: f64) -> ContourRegion {
        let mut next: BTreeMap<GridEdge, GridEdge> = BTreeMap::new();
        for row in 0..=self.y.len() {
            for column in 0..=self.x.len() {
                self.cross_square(column, row, level, &mut next);
            }
        }
        let mut loops = Vec::new();
        while let Some((start, mut edge)) = next.pop_first() {
            let mut around = vec![self.crossing(start, level)];
            while edge != start {
                around.push(self.crossing(edge, level));
                let Some(following) = next.remove(&edge) else { break };
                edge = following;
            }
            loops.push(around);
        }
        ContourRegion { loops }
    }

    /// Enters which edge follows which around the region in one square.
    fn cross_square(&self, column: usize, row: usize, level: f64, next: &mut BTreeMap<GridEdge, GridEdge>) {
        let corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)];
        let edges =
            [(column, row, true), (column + 1, row, false), (column, row + 1, true), (column, row, false)];
        let values = corners.map(|(column, row)| self.value(column, row));
        let is_above = values.map(|value| value >= level);
        // Going around the square, where the region is left and where it is entered.
        let turns = |from: bool| {
            (0..4).filter(move |side| is_above[*side] == from && is_above[(side + 1) % 4] != from)
        };
        let (left, entered): (Vec<usize>, Vec<usize>) = (turns(true).collect(), turns(false).collect());
        let is_saddle = left.len() == 2;
        let is_joined = is_saddle && values.iter().sum::<f64>() / 4.0 >= level;
        for &exit in &left {
            let following = |distance: usize| {
                let side = (exit + distance) % 4;
                entered.contains(&side).then_some(side)
            };
            let entry = if is_joined { following(1) } else { following(3) };
            let entry = if is_saddle { entry } else { entered.first().copied() };
            if let Some(entry) = entry {
                next.insert(edges[exit], edges[entry]);
            }
        }
    }
}

impl ContourRegion {
    /// One polygon with holes: its parts are joined by lines that go to and fro.
    pub(super) fn polygon(&self) -> Vec<CanvasPoint> {
        let mut polygon = Vec::new();
        let Some(home) = self.loops.first().and_then(|around| around.first()) else { return polygon };
        for around in &self.loops {
            polygon.extend(around.iter().map(|crossing| crossing.0));
            polygon.extend(around.first().map(|crossing| crossing.0));
            polygon.push(home.0);
        }
        polygon
    }

    /// The lines at which the level is crossed.
    pub(super) fn lines(&self) -> Vec<Vec<CanvasPoint>> {
        let mut lines = Vec::new();
        for around in &self.loops {
            // A line that is interrupted starts behind an interruption.
            let start = around.iter().position(|crossing| !crossing.1);
            let turned = around.iter().cycle().skip(start.unwrap_or(0)).take(around.len() + 1);
            let turned: Vec<ContourPoint> = turned.copied().collect();
            let pieces = turned.split(|crossing| !crossing.1).filter(|piece| piece.len() > 1);
            lines.extend(
                pieces.map(|piece| piece.iter().map(|crossing| crossing.0).collect::<Vec<CanvasPoint>>()),
            );
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(polygon: &[CanvasPoint]) -> f64 {
        let next = polygon.iter().cycle().skip(1);
        polygon.iter().zip(next).map(|(a, b)| (a.0 * b.1 - b.0 * a.1) / 2.0).sum()
    }

    fn grid(columns: usize, rows: usize, value: impl Fn(f64, f64) -> f64) -> ValueGrid {
        let (x, y): (Vec<f64>, Vec<f64>) =
            ((0..columns).map(|i| i as f64).collect(), (0..rows).map(|j| j as f64).collect());
        let values = y.iter().flat_map(|y| x.iter().map(|x| value(*x, *y))).collect();
        ValueGrid { x, y, values }
    }

    #[test]
    fn a_plane_is_cut_by_straight_lines() {
        let plane = grid(5, 4, |x, _| x);
        let region = plane.above(1.5);
        assert_eq!(area(&region.polygon()).abs(), 2.5 * 3.0);
        let lines = region.lines();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].len() == 4 && lines[0].iter().all(|place| place.0 == 1.5), "{lines:?}");
        assert_eq!(area(&plane.above(-7.0).polygon()).abs(), 12.0);
        assert_eq!((plane.above(9.0).polygon(), plane.above(9.0).lines().len()), (vec![], 0));
    }

    #[test]
    fn rings_have_holes() {
        let ring = grid(101, 101, |x, y| -(((x - 50.0).hypot(y - 50.0) - 30.0).abs()));
        let region = ring.above(-10.0);
        let expected = std::f64::consts::PI * (40.0_f64.powi(2) - 20.0_f64.powi(2));
        assert!((area(&region.polygon()).abs() / expected - 1.0).abs() < 1e-3);
        assert_eq!(region.lines().len(), 2);
    }

    #[test]
    fn saddles_and_missing_values_close_all_lines() {
        let checkered = grid(6, 6, |x, y| if (x + y) % 2.0 == 0.0 { 1.0 } else { 0.0 });
        for level in [0.25, 0.5, 0.75] {
            let region = checkered.above(level);
            assert!(region.loops.iter().all(|around| around.len() > 2));
            assert!(area(&region.polygon()).abs() < 25.0);
        }
        let holed = grid(5, 5, |x, y| if (x, y) == (2.0, 2.0) { f64::NAN } else { 1.0 });
        assert_eq!(area(&holed.above(0.5).polygon()).abs(), 16.0 - 2.0);
        assert_eq!(holed.above(0.5).lines().len(), 0);
    }
}
