use nalgebra::{DMatrix, DVector};

use crate::dominance::DominanceRegion;
use crate::error::NoModel;

/// More points are not searched.
const MOST_POINTS: usize = 1000;

/// Exchanges that make the determinant larger by less are none.
const LARGER: f64 = 1.0 + 1e-9;

/// Which of some points to run first: those `count` that tell most, beside the points `known` that were run, of models that are linear in each
/// variable, with the products of two (D-optimal: the determinant of XᵀX is as large as exchanges of single points make it), among choices with a
/// point of each of the regions. Indices, ascending.
///
/// # Errors
/// If there are too many points, or so few are wanted that the models have more constants, or that there are more regions.
pub fn informative(
    points: &[Vec<f64>],
    known: &[Vec<f64>],
    regions: &[DominanceRegion],
    count: usize,
) -> Result<Vec<usize>, NoModel> {
    if points.len() + known.len() > MOST_POINTS {
        return Err(NoModel::TooManyPoints { most: MOST_POINTS });
    }
    let rows = rows(points, known);
    let constants = rows.first().map_or(1, |row| row.len());
    let least = if known.is_empty() { constants } else { 1 };
    if count < least || count > points.len() {
        return Err(NoModel::WrongCount { least, most: points.len() });
    }
    if count < regions.len() {
        return Err(NoModel::TooFewForRegions { count, regions: regions.len() });
    }
    let mut design = Design::new(&rows, points.len(), count);
    design.improve(|_, _, _| true);
    for region in regions {
        if !design.chosen.iter().any(|point| region.contains(*point)) {
            let others: Vec<&DominanceRegion> = regions.iter().filter(|other| *other != region).collect();
            design.exchange(0.0, |chosen, place, new| {
                region.contains(new) && others.iter().all(|other| other.stays(chosen, place, new))
            });
        }
    }
    design.improve(|chosen, place, new| regions.iter().all(|region| region.stays(chosen, place, new)));
    design.chosen.sort_unstable();
    Ok(design.chosen)
}

impl DominanceRegion {
    fn contains(&self, point: usize) -> bool {
        self.points.contains(&point)
    }

    /// Has a chosen point if it had one, when a new one takes the place of another.
    fn stays(&self, chosen: &[usize], place: usize, new: usize) -> bool {
        let is_other = |its: usize| its != place && self.contains(chosen[its]);
        self.contains(new) || !self.contains(chosen[place]) || (0..chosen.len()).any(is_other)
    }
}

/// Some points, and what they tell with those that are known.
struct Design<'a> {
    rows: &'a [DVector<f64>],
    /// So many can be chosen; those behind are known.
    points: usize,
    chosen: Vec<usize>,
    matrix: DMatrix<f64>,
}

impl<'a> Design<'a> {
    fn new(rows: &'a [DVector<f64>], points: usize, count: usize) -> Design<'a> {
        let constants = rows.first().map_or(1, |row| row.len());
        let chosen: Vec<usize> = (0..count).map(|place| place * points / count).collect();
        // Without the small part nothing would be gained where all points so far lie on a line.
        let mut matrix = DMatrix::identity(constants, constants) * 1e-6;
        let all = chosen.iter().copied().chain(points..rows.len());
        all.for_each(|point| matrix += &rows[point] * rows[point].transpose());
        Design { rows, points, chosen, matrix }
    }

    /// Until no exchange that is allowed makes the determinant larger.
    fn improve(&mut self, is_allowed: impl Fn(&[usize], usize, usize) -> bool) {
        while self.exchange(LARGER, &is_allowed) {}
    }

    /// The exchange of one point by which the determinant grows most, if it grows by more than this factor (Fedorov).
    fn exchange(&mut self, more_than: f64, is_allowed: impl Fn(&[usize], usize, usize) -> bool) -> bool {
        let Some(inverse) = self.matrix.clone().try_inverse() else { return false };
        let Some((place, new)) = self.best_exchange(more_than, &inverse, is_allowed) else { return false };
        let old = std::mem::replace(&mut self.chosen[place], new);
        self.matrix += &self.rows[new] * self.rows[new].transpose();
        self.matrix -= &self.rows[old] * self.rows[old].transpose();
        true
    }

    /// The place and the point that takes it.
    fn best_exchange(
        &self,
        more_than: f64,
        inverse: &DMatrix<f64>,
        is_allowed: impl Fn(&[usize], usize, usize) -> bool,
    ) -> Option<(usize, usize)> {
        let rows = self.rows;
        let product = |left: usize, right: usize| rows[left].dot(&(inverse * &rows[right]));
        let own: Vec<f64> = (0..self.points).map(|point| product(point, point)).collect();
        let mut best = None;
        let mut most = more_than;
        for (place, old) in self.chosen.iter().enumerate() {
            let turned = inverse * &rows[*old];
            for new in (0..self.points).filter(|point| !self.chosen.contains(point)) {
                let both = rows[new].dot(&turned);
                let factor = (1.0 + own[new]) * (1.0 - own[*old]) + both * both;
                if factor > most && is_allowed(&self.chosen, place, new) {
                    (most, best) = (factor, Some((place, new)));
                }
            }
        }
        best
    }
}

/// 1, each variable on a scale from -1 to 1, and the products of two.
fn rows(points: &[Vec<f64>], known: &[Vec<f64>]) -> Vec<DVector<f64>> {
    let variables = points.first().map_or(0, Vec::len);
    let all = || points.iter().chain(known);
    let ends: Vec<(f64, f64)> = (0..variables)
        .map(|variable| {
            let values = all().map(|point| point[variable]);
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
        })
        .collect();
    // What has one value only tells nothing.
    let varying: Vec<usize> =
        (0..variables).filter(|variable| ends[*variable].0 < ends[*variable].1).collect();
    let row = |point: &Vec<f64>| {
        let scaled: Vec<f64> = varying
            .iter()
            .map(|variable| {
                let (lowest, highest) = ends[*variable];
                2.0 * (point[*variable] - lowest) / (highest - lowest) - 1.0
            })
            .collect();
        let pairs = (0..scaled.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let products: Vec<f64> = pairs.map(|(one, other)| scaled[one] * scaled[other]).collect();
        DVector::from_vec([&[1.0], scaled.as_slice(), products.as_slice()].concat())
    };
    all().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dominance::{Dominant, possible_regions};

    fn grid(p0: u32, p1: u32) -> Vec<Vec<f64>> {
        (1..=p0).flat_map(|a| (1..=p1).map(move |b| vec![f64::from(a), f64::from(b)])).collect()
    }

    /// As a reference: all ways to choose.
    fn determinant(rows: &[DVector<f64>], chosen: &[usize]) -> f64 {
        let size = rows[0].len();
        chosen
            .iter()
            .fold(DMatrix::zeros(size, size), |sum, point| sum + &rows[*point] * rows[*point].transpose())
            .determinant()
    }

    #[test]
    fn the_border_of_the_radars_grid_is_found() {
        let points = grid(4, 5);
        let border = |point: &Vec<f64>| [1.0, 4.0].contains(&point[0]) || [1.0, 5.0].contains(&point[1]);
        let expected: Vec<usize> = (0..points.len()).filter(|point| border(&points[*point])).collect();
        assert_eq!(informative(&points, &[], &possible_regions(&points), 14).unwrap(), expected);
        assert_eq!(informative(&points, &[], &possible_regions(&points), 4).unwrap(), [0, 4, 15, 19]);
    }

    #[test]
    fn no_other_choice_tells_more() {
        let points = grid(3, 4);
        let rows = rows(&points, &[]);
        for count in 4..=10 {
            let found = determinant(&rows, &informative(&points, &[], &[], count).unwrap());
            let choices = (0_u32..1 << points.len()).filter(|choice| choice.count_ones() as usize == count);
            let best = choices
                .map(|choice| {
                    (0..points.len()).filter(|point| choice >> point & 1 == 1).collect::<Vec<usize>>()
                })
                .map(|chosen| determinant(&rows, &chosen))
                .fold(0.0, f64::max);
            assert!(found > best * (1.0 - 1e-9), "{count}: {found}, not {best}");
        }
    }

    #[test]
    fn what_cannot_be_chosen_is_refused() {
        let wrong = NoModel::WrongCount { least: 4, most: 6 };
        assert_eq!(informative(&grid(2, 3), &[], &[], 3).unwrap_err(), wrong);
        assert_eq!(informative(&grid(2, 3), &[], &[], 7).unwrap_err(), wrong);
        assert_eq!(informative(&[], &[], &[], 1).unwrap_err(), NoModel::WrongCount { least: 1, most: 0 });
        assert_eq!(informative(&grid(1, 5), &[], &[], 2).unwrap(), [0, 4]);
        assert_eq!(
            informative(&grid(40, 40), &[], &[], 9).unwrap_err(),
            NoModel::TooManyPoints { most: 1000 }
        );
    }

    /// One of eight corners is left out: not one at which something may take longest that takes so nowhere else.
    #[test]
    fn each_region_has_a_point() {
        let corners: Vec<Vec<f64>> =
            (0..8).map(|bits| (0..3).map(|bit| f64::from(1 + (bits >> bit & 1) * 3)).collect()).collect();
        let regions = possible_regions(&corners);
        let dominant: Vec<(Dominant, &[usize])> =
            regions.iter().map(|region| (region.dominant, &region.points[..])).collect();
        let expected: [(Dominant, &[usize]); 4] = [
            (Dominant::FallsWith(0), &[6]),
            (Dominant::FallsWith(1), &[5]),
            (Dominant::FallsWith(2), &[3]),
            (Dominant::FallsWithNone, &[7]),
        ];
        assert_eq!(dominant, expected);
        let plain = informative(&corners, &[], &[], 7).unwrap();
        let missed: Vec<_> =
            regions.iter().filter(|region| !plain.iter().any(|point| region.contains(*point))).collect();
        assert_eq!(missed.len(), 1, "{plain:?}");
        let chosen = informative(&corners, &[], &regions, 7).unwrap();
        assert!(
            regions.iter().all(|region| chosen.iter().any(|point| region.contains(*point))),
            "{chosen:?}"
        );
        let rows = rows(&corners, &[]);
        let ratio = determinant(&rows, &chosen) / determinant(&rows, &plain);
        assert!((ratio - 1.0).abs() < 1e-9, "{ratio}");
    }

    /// Beside some that are known, against all ways to choose that have a point of each region.
    #[test]
    fn of_choices_with_all_regions_the_best_is_found() {
        let points = grid(3, 4);
        let known = vec![vec![1.0, 1.0], vec![3.0, 4.0], vec![1.0, 4.0], vec![2.0, 6.0]];
        let rows = rows(&points, &known);
        let region = |sum: usize, points: &[usize]| DominanceRegion {
            dominant: Dominant::Sum(sum),
            points: points.to_vec(),
        };
        let regions = [region(0, &[5, 6]), region(1, &[1, 2]), region(2, &[0, 3, 4, 7, 8, 9, 10, 11])];
        for count in 3..=8 {
            let chosen = informative(&points, &known, &regions, count).unwrap();
            let of = |chosen: Vec<usize>| {
                determinant(&rows, &chosen.into_iter().chain(12..16).collect::<Vec<_>>())
            };
            let choices = (0_u32..1 << 12).filter(|choice| choice.count_ones() as usize == count);
            let choices = choices
                .map(|choice| (0..12).filter(|point| choice >> point & 1 == 1).collect::<Vec<usize>>());
            let has_all = |chosen: &Vec<usize>| {
                regions.iter().all(|region| chosen.iter().any(|point| region.contains(*point)))
            };
            assert!(has_all(&chosen), "{chosen:?}");
            let best = choices.filter(has_all).map(of).fold(0.0, f64::max);
            assert!(of(chosen.clone()) > best * (1.0 - 1e-9), "{count}: {chosen:?}");
        }
        let few = informative(&points, &known, &regions, 2).unwrap_err();
        assert_eq!(few, NoModel::TooFewForRegions { count: 2, regions: 3 });
    }
}
