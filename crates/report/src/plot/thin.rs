//! Less of what could not be seen.

use std::collections::BTreeMap;

use super::canvas::Place;

/// No page is larger.
const LARGEST: f64 = 4000.0;

/// One place of each square; the squares grow until there are at most so many places.
pub(super) fn places(mut places: Vec<Place>, mut square: f64, most: usize) -> Vec<Place> {
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
pub(super) fn line(places: &[Place], column: f64) -> Vec<Place> {
    let of = |place: &Place| (place.0 / column).floor();
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
pub(super) fn bars(bars: &[(f64, f64, f64)], column: f64) -> Vec<(f64, f64, f64)> {
    let mut columns: BTreeMap<i64, (f64, f64, f64)> = BTreeMap::new();
    for &(x, low, high) in bars {
        let bar = columns.entry((x / column).round() as i64).or_insert((x, low, high));
        *bar = (bar.0, bar.1.max(low), bar.2.min(high));
    }
    columns.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_places_are_left() {
        let crowd: Vec<Place> = (0..10_000).map(|k| (f64::from(k % 100), f64::from(k / 100))).collect();
        let left = places(crowd.clone(), 1.0, 1000);
        assert!((100..=1000).contains(&left.len()), "{}", left.len());
        assert_eq!(places(crowd.clone(), 0.5, 10_000), crowd);
        assert_eq!(places(Vec::new(), 0.5, 0), []);
    }

    #[test]
    fn lines_keep_their_peaks() {
        let mut noise: Vec<Place> = (0..1000).map(|k| (f64::from(k) / 500.0, f64::from(k % 7))).collect();
        noise[123].1 = 99.0;
        let left = line(&noise, 1.0);
        assert_eq!(left.len(), 7);
        assert!(left.contains(&noise[123]) && left[0] == noise[0] && left[6] == noise[999]);
    }

    #[test]
    fn bars_of_a_column_are_joined() {
        // Downwards the coordinates grow.
        assert_eq!(
            bars(&[(0.1, 5.0, 3.0), (0.2, 6.0, 4.0), (7.0, 1.0, 0.0)], 1.0),
            [(0.1, 6.0, 3.0), (7.0, 1.0, 0.0)]
        );
    }
}
