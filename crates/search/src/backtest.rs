use crate::Measurements;

/// Some of the points, and those beyond them, which were measured as well.
#[derive(Debug, Clone)]
pub(crate) struct Backtest {
    pub kept: Measurements,
    /// Points with their values.
    pub tested: Vec<(Vec<f64>, f64)>,
}

/// Of each variable, how many of its largest values a backtest holds back: so many that it looks about as far ahead as a prediction
/// at the point does. None where the point is not beyond.
pub(crate) fn held_back(levels: &[Vec<f64>], point: &[f64]) -> Vec<usize> {
    let of_variable = |(levels, value): (&Vec<f64>, &f64)| {
        let Some(largest) = levels.last().filter(|largest| value > largest) else { return 0 };
        let ahead = (value / largest).ln();
        let off = |count: &usize| ((largest / levels[levels.len() - 1 - count]).ln() - ahead).abs();
        // Three values have to be left for formulas to be told apart. Distances from values that are not positive are none and come last.
        let counts = 1..levels.len().saturating_sub(2);
        counts.min_by(|one, other| off(one).total_cmp(&off(other))).unwrap_or(1)
    };
    levels.iter().zip(point).map(of_variable).collect()
}

impl Backtest {
    /// What a prediction is like, among what was measured. Where it goes beyond variables, their largest values are held back, as many of each
    /// as given, and the points that have the very largest of all are tested. Where it does not, each of the points that no other is
    /// beyond of is held back alone; of many, some. Empty if nothing is left to learn from.
    pub fn all(measurements: &Measurements, held_back: &[usize]) -> Vec<Backtest> {
        let rows = 0..measurements.len();
        if held_back.iter().any(|count| *count > 0) {
            let borders: Vec<Option<(f64, f64)>> = measurements
                .points
                .iter()
                .zip(held_back)
                .map(|(column, count)| border(column, *count))
                .collect();
            let all_of = |row: usize, holds: fn(f64, (f64, f64)) -> bool| {
                let columns = measurements.points.iter().zip(&borders);
                columns.filter_map(|(column, border)| Some(holds(column[row], (*border)?))).all(|holds| holds)
            };
            let kept: Vec<usize> =
                rows.clone().filter(|row| all_of(*row, |value, border| value < border.0)).collect();
            let tested: Vec<usize> =
                rows.filter(|row| all_of(*row, |value, border| value >= border.1)).collect();
            return Backtest::of(measurements, &kept, &tested).into_iter().collect();
        }
        let is_beyond = |other: usize, row: usize| {
            other != row && measurements.points.iter().all(|column| column[other] >= column[row])
        };
        let outer: Vec<usize> =
            rows.clone().filter(|row| !rows.clone().any(|other| is_beyond(other, *row))).collect();
        let step = outer.len().div_ceil(MOST_ALONE).max(1);
        let alone = |row: &usize| {
            let kept: Vec<usize> = rows.clone().filter(|other| other != row).collect();
            Backtest::of(measurements, &kept, &[*row])
        };
        outer.iter().step_by(step).filter_map(alone).collect()
    }

    fn of(measurements: &Measurements, kept: &[usize], tested: &[usize]) -> Option<Backtest> {
        let with_value = |row: &usize| (measurements.point(*row), measurements.values[*row]);
        (kept.len() >= LEAST_POINTS && !tested.is_empty()).then(|| Backtest {
            kept: measurements.subset(kept),
            tested: tested.iter().map(with_value).collect(),
        })
    }
}

/// The smallest of the so many largest values, and the largest; none of none.
fn border(column: &[f64], count: usize) -> Option<(f64, f64)> {
    let mut levels = column.to_vec();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let smallest = levels.get(levels.len().saturating_sub(count))?;
    Some((*smallest, *levels.last()?))
}

/// Of fewer points nothing is learnt.
const LEAST_POINTS: usize = 2;

/// So many points are held back alone at most; of more, evenly chosen ones.
const MOST_ALONE: usize = 4;

#[cfg(test)]
mod tests {
    use super::{Backtest, held_back};
    use crate::Measurements;

    #[test]
    fn a_backtest_looks_as_far_ahead_as_the_prediction() {
        let levels = [vec![1.0, 2.0, 4.0, 8.0, 16.0], vec![10.0, 20.0]];
        assert_eq!(held_back(&levels, &[32.0, 20.0]), [1, 0]);
        assert_eq!(held_back(&levels, &[64.0, 40.0]), [2, 1]);
        assert_eq!(held_back(&levels, &[1e9, 5.0]), [2, 0]);
        assert_eq!(held_back(&[vec![-1.0, 0.0, 3.0]], &[6.0]), [1]);
        let (x, y): (Vec<f64>, Vec<f64>) =
            levels[0].iter().flat_map(|x| levels[1].iter().map(move |y| (*x, *y))).unzip();
        let values: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x + y).collect();
        let names = ["x".to_owned(), "y".to_owned()];
        let measurements = Measurements::new(&names, &[&x, &y], &values);
        let [test] = &Backtest::all(&measurements, &[2, 0])[..] else { panic!("one backtest") };
        assert_eq!(test.kept.points()[0], [1.0, 1.0, 2.0, 2.0, 4.0, 4.0]);
        assert_eq!(test.tested, [(vec![16.0, 10.0], 26.0), (vec![16.0, 20.0], 36.0)]);
        // Without the corner two points are outermost.
        let inner: Vec<usize> = (0..9).collect();
        let tests = Backtest::all(&measurements.subset(&inner), &[0, 0]);
        let tested: Vec<&[f64]> = tests.iter().map(|test| &test.tested[0].0[..]).collect();
        assert_eq!(tested, [[8.0, 20.0], [16.0, 10.0]]);
        assert!(tests.iter().all(|test| test.kept.values().len() == 8));
        assert!(Backtest::all(&measurements, &[9, 0]).is_empty());
    }
}
