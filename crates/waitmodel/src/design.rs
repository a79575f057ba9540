use nalgebra::{DMatrix, DVector};

use crate::error::NoModel;

/// More points are not searched.
const MOST_POINTS: usize = 1000;

/// Exchanges that make the determinant larger by less are none.
const LARGER: f64 = 1.0 + 1e-9;

/// Which of some points to run first: those `count` that tell most of models that are linear in each variable, with the products of two
/// (D-optimal: the determinant of XᵀX is as large as exchanges of single points make it). Indices, ascending.
///
/// # Errors
/// If there are too many points, or so few are wanted that the models have more constants.
pub fn informative(points: &[Vec<f64>], count: usize) -> Result<Vec<usize>, NoModel> {
    if points.len() > MOST_POINTS {
        return Err(NoModel::TooManyPoints { most: MOST_POINTS });
    }
    let rows = rows(points);
    let constants = rows.first().map_or(1, |row| row.len());
    if count < constants || count > points.len() {
        return Err(NoModel::WrongCount { least: constants, most: points.len() });
    }
    let mut chosen: Vec<usize> = (0..count).map(|place| place * points.len() / count).collect();
    // Without the small part nothing would be gained where all points so far lie on a line.
    let mut matrix = DMatrix::identity(constants, constants) * 1e-6;
    chosen.iter().for_each(|point| matrix += &rows[*point] * rows[*point].transpose());
    while let Some(inverse) = matrix.clone().try_inverse() {
        let Some((place, point)) = best_exchange(&rows, &chosen, &inverse) else { break };
        matrix += &rows[point] * rows[point].transpose();
        matrix -= &rows[chosen[place]] * rows[chosen[place]].transpose();
        chosen[place] = point;
    }
    chosen.sort_unstable();
    Ok(chosen)
}

/// The place and the point that takes it, so that the determinant grows most; `None` if it grows no more (Fedorov).
fn best_exchange(rows: &[DVector<f64>], chosen: &[usize], inverse: &DMatrix<f64>) -> Option<(usize, usize)> {
    let product = |left: usize, right: usize| rows[left].dot(&(inverse * &rows[right]));
    let own: Vec<f64> = (0..rows.len()).map(|point| product(point, point)).collect();
    let mut best = None;
    let mut most = LARGER;
    for (place, old) in chosen.iter().enumerate() {
        let turned = inverse * &rows[*old];
        for new in (0..rows.len()).filter(|point| !chosen.contains(point)) {
            let both = rows[new].dot(&turned);
            let factor = (1.0 + own[new]) * (1.0 - own[*old]) + both * both;
            if factor > most {
                (most, best) = (factor, Some((place, new)));
            }
        }
    }
    best
}

/// 1, each variable on a scale from -1 to 1, and the products of two.
fn rows(points: &[Vec<f64>]) -> Vec<DVector<f64>> {
    let variables = points.first().map_or(0, Vec::len);
    let ends: Vec<(f64, f64)> = (0..variables)
        .map(|variable| {
            let values = points.iter().map(|point| point[variable]);
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
    points.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(informative(&points, 14).unwrap(), expected);
        assert_eq!(informative(&points, 4).unwrap(), [0, 4, 15, 19]);
    }

    #[test]
    fn no_other_choice_tells_more() {
        let points = grid(3, 4);
        let rows = rows(&points);
        for count in 4..=10 {
            let found = determinant(&rows, &informative(&points, count).unwrap());
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
        assert_eq!(informative(&grid(2, 3), 3).unwrap_err(), wrong);
        assert_eq!(informative(&grid(2, 3), 7).unwrap_err(), wrong);
        assert_eq!(informative(&[], 1).unwrap_err(), NoModel::WrongCount { least: 1, most: 0 });
        assert_eq!(informative(&grid(1, 5), 2).unwrap(), [0, 4]);
        assert_eq!(informative(&grid(40, 40), 9).unwrap_err(), NoModel::TooManyPoints { most: 1000 });
    }
}
