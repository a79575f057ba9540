//! Rectangles, what of lines and areas is inside of them, and less of what could not be seen.

use std::collections::BTreeMap;

use super::canvas::CanvasPoint;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Rect {
    pub(super) fn contains(&self, (x, y): CanvasPoint) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    pub(super) fn around(centre: CanvasPoint, width: f64, height: f64) -> Rect {
        let (half_width, half_height) = (width / 2.0, height / 2.0);
        Rect {
            left: centre.0 - half_width,
            right: centre.0 + half_width,
            top: centre.1 - half_height,
            bottom: centre.1 + half_height,
        }
    }

    pub(super) fn corners(&self) -> [CanvasPoint; 4] {
        [(self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)]
    }

    pub(super) fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// How far a place is inside of each side.
    fn depths(&self, (x, y): CanvasPoint) -> [f64; 4] {
        [x - self.left, self.right - x, y - self.top, self.bottom - y]
    }
}

/// The pieces of a line that are inside.
pub(super) fn clipped_line(rect: &Rect, places: &[CanvasPoint]) -> Vec<Vec<CanvasPoint>> {
    let mut pieces: Vec<Vec<CanvasPoint>> = Vec::new();
    let mut end = None;
    for pair in places.windows(2) {
        let Some((from, to)) = segment(rect, pair[0], pair[1]) else {
            end = None;
            continue;
        };
        match pieces.last_mut().filter(|_| end == Some(from)) {
            Some(piece) => piece.push(to),
            None => pieces.push(vec![from, to]),
        }
        end = Some(to);
    }
    pieces
}

/// The algorithm of Cyrus and Beck.
fn segment(rect: &Rect, from: CanvasPoint, to: CanvasPoint) -> Option<(CanvasPoint, CanvasPoint)> {
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    for (a, b) in rect.depths(from).into_iter().zip(rect.depths(to)) {
        match (a >= 0.0, b >= 0.0) {
            (true, true) => {}
            (false, true) => start = start.max(a / (a - b)),
            (true, false) => end = end.min(a / (a - b)),
            (false, false) => return None,
        }
    }
    let at = |part: f64| between(from, to, part);
    let from = if start > 0.0 { at(start) } else { from };
    let to = if end < 1.0 { at(end) } else { to };
    (start < end).then_some((from, to))
}

/// The algorithm of Sutherland and Hodgman.
pub(super) fn clipped_polygon(rect: &Rect, corners: &[CanvasPoint]) -> Vec<CanvasPoint> {
    (0..4).fold(corners.to_vec(), |corners, side| {
        let depth = |place: CanvasPoint| rect.depths(place)[side];
        let mut kept = Vec::with_capacity(corners.len());
        let Some(mut last) = corners.last().copied() else { return kept };
        for corner in corners {
            let (a, b) = (depth(last), depth(corner));
            if (a >= 0.0) != (b >= 0.0) {
                kept.push(between(last, corner, a / (a - b)));
            }
            if b >= 0.0 {
                kept.push(corner);
            }
            last = corner;
        }
        kept
    })
}

fn between(from: CanvasPoint, to: CanvasPoint, part: f64) -> CanvasPoint {
    (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1))
}

/// Where a horizontal line is inside of a polygon, by the sum of its turns.
pub(super) fn spans_inside(corners: &[CanvasPoint], y: f64) -> Vec<(f64, f64)> {
    let next = corners.iter().cycle().skip(1);
    let mut crossings: Vec<(f64, i32)> = Vec::new();
    for (a, b) in corners.iter().zip(next) {
        if (a.1 <= y) != (b.1 <= y) {
            let x = a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0);
            crossings.push((x, if b.1 > a.1 { 1 } else { -1 }));
        }
    }
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut spans = Vec::new();
    let (mut turns, mut start) = (0, 0.0);
    for (x, turn) in crossings {
        if turns == 0 {
            start = x;
        }
        turns += turn;
        if turns == 0 {
            spans.push((start, x));
        }
    }
    spans
}

/// No page is larger.
const LARGEST: f64 = 4000.0;

/// One place of each square; the squares grow until there are at most so many places.
pub(super) fn thinned_places(mut places: Vec<CanvasPoint>, mut square: f64, most: usize) -> Vec<CanvasPoint> {
    let farthest = places.iter().map(|place| place.0).fold(0.0, f64::max).min(LARGEST);
    let lowest = places.iter().map(|place| place.1).fold(0.0, f64::max).min(LARGEST);
    loop {
        let index = |coordinate: f64| (coordinate.clamp(0.0, LARGEST) / square).round() as usize;
        let columns = index(farthest) + 1;
        let mut is_taken = vec![false; columns * (index(lowest) + 1)];
        places.retain(|(x, y)| {
            let square = &mut is_taken[index(*y) * columns + index(*x)];
            !std::mem::replace(square, true)
        });
        if places.len() <= most.max(1) {
            return places;
        }
        square *= 1.5;
    }
}

/// The first, lowest, highest and last of consecutive places of a column.
pub(super) fn thinned_line(places: &[CanvasPoint], column: f64) -> Vec<CanvasPoint> {
    let of = |place: &CanvasPoint| (place.0 / column).floor();
    let mut thinned = Vec::new();
    for group in places.chunk_by(|a, b| of(a) == of(b)) {
        if group.len() <= 4 {
            thinned.extend_from_slice(group);
            continue;
        }
        let by_height = |a: &usize, b: &usize| group[*a].1.total_cmp(&group[*b].1);
        let lowest = (0..group.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..group.len()).max_by(by_height).unwrap_or(0);
        let mut kept = [0, lowest, highest, group.len() - 1];
        kept.sort_unstable();
        thinned.extend(kept.map(|index| group[index]));
    }
    thinned.dedup();
    thinned
}

/// One bar of each column, from the lowest to the highest end.
pub(super) fn thinned_bars(bars: &[(f64, f64, f64)], column: f64) -> Vec<(f64, f64, f64)> {
    let mut columns: BTreeMap<i64, (f64, f64, f64)> = BTreeMap::new();
    for &(x, low, high) in bars {
        let bar = columns.entry((x / column).round() as i64).or_insert((x, low, high));
        *bar = (bar.0, bar.1.max(low), bar.2.min(high));
    }
    columns.into_values().collect()
}

/// Whether things of these middles and sizes, in ascending or descending order, have a gap between each other.
pub(super) fn are_apart(things: impl Iterator<Item = (f64, f64)>, gap: f64) -> bool {
    let things: Vec<(f64, f64)> = things.collect();
    things.windows(2).all(|pair| (pair[1].0 - pair[0].0).abs() >= (pair[0].1 + pair[1].1) / 2.0 + gap)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Rect = Rect { left: 0.0, right: 1.0, top: 0.0, bottom: 1.0 };

    #[test]
    fn lines_end_at_the_sides() {
        let zigzag = [(0.5, 0.5), (0.5, 2.5), (1.0, 1.5), (0.5, 0.5), (-0.5, 0.5), (-0.5, 9.0), (-9.0, 9.0)];
        let pieces = clipped_line(&UNIT, &zigzag);
        assert_eq!(pieces, [vec![(0.5, 0.5), (0.5, 1.0)], vec![(0.75, 1.0), (0.5, 0.5), (0.0, 0.5)]]);
        assert_eq!(clipped_line(&UNIT, &[(-1.0, 0.5), (2.0, 0.5)]), [[(0.0, 0.5), (1.0, 0.5)]]);
        assert_eq!(clipped_line(&UNIT, &[(-1.0, 0.5), (0.5, 3.0)]), Vec::<Vec<CanvasPoint>>::new());
    }

    #[test]
    fn holes_stay_free() {
        let outer = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0), (0.0, 0.0)];
        let hole = [(2.0, 2.0), (2.0, 8.0), (8.0, 8.0), (8.0, 2.0), (2.0, 2.0)];
        let both = [outer.as_slice(), &hole, &[(0.0, 0.0)]].concat();
        assert_eq!(spans_inside(&both, 5.0), [(0.0, 2.0), (8.0, 10.0)]);
        // Interrupted where the parts are joined.
        assert_eq!(spans_inside(&both, 1.0), [(0.0, 1.0), (1.0, 10.0)]);
        assert_eq!(spans_inside(&both, 11.0), []);
    }

    #[test]
    fn areas_end_at_the_sides() {
        let corners = clipped_polygon(&UNIT, &[(0.25, -1.0), (0.75, -1.0), (0.75, 0.5), (0.25, 0.5)]);
        let mut sorted = corners.clone();
        sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(sorted, [(0.25, 0.0), (0.25, 0.5), (0.75, 0.0), (0.75, 0.5)]);
        assert_eq!(clipped_polygon(&UNIT, &[(2.0, 2.0), (3.0, 2.0), (3.0, 3.0)]), []);
        assert_eq!(clipped_polygon(&UNIT, &[]), []);
    }

    #[test]
    fn few_places_are_left() {
        let crowd: Vec<CanvasPoint> = (0..10_000).map(|k| (f64::from(k % 100), f64::from(k / 100))).collect();
        let left = thinned_places(crowd.clone(), 1.0, 1000);
        assert!((100..=1000).contains(&left.len()), "{}", left.len());
        assert_eq!(thinned_places(crowd.clone(), 0.5, 10_000), crowd);
        assert_eq!(thinned_places(Vec::new(), 0.5, 0), []);
    }

    #[test]
    fn lines_keep_their_peaks() {
        let mut noise: Vec<CanvasPoint> =
            (0..1000).map(|k| (f64::from(k) / 500.0, f64::from(k % 7))).collect();
        noise[123].1 = 99.0;
        let left = thinned_line(&noise, 1.0);
        assert_eq!(left.len(), 7);
        assert!(left.contains(&noise[123]) && left[0] == noise[0] && left[6] == noise[999]);
    }

    #[test]
    fn bars_of_a_column_are_joined() {
        // Downwards the coordinates grow.
        assert_eq!(
            thinned_bars(&[(0.1, 5.0, 3.0), (0.2, 6.0, 4.0), (7.0, 1.0, 0.0)], 1.0),
            [(0.1, 6.0, 3.0), (7.0, 1.0, 0.0)]
        );
    }
}
