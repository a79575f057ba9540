use crate::Measurements;

/// Some of the points, and those beyond them, which were measured as well.
#[derive(Debug, Clone)]
pub(crate) struct Backtest {
    pub kept: Measurements,
    /// Points with their values.
    pub tested: Vec<(Vec<f64>, f64)>,
}

impl Backtest {
    /// What a prediction at a point is like, among what was measured: where a variable goes beyond its largest value there, all points
    /// with that largest value are held back, and those that have it in all such variables are tested. Where none does, the
    /// points that no other is beyond of are. None if nothing is left to learn from.
    pub fn new(measurements: &Measurements, goes_beyond: &[bool]) -> Option<Backtest> {
        let rows = 0..measurements.len();
        let largest = |column: &Vec<f64>| column.iter().copied().fold(f64::MIN, f64::max);
        let largest: Vec<f64> = measurements.points.iter().map(largest).collect();
        let beyond = || (0..largest.len()).filter(|variable| goes_beyond[*variable]);
        let at_largest =
            |row: usize, variable: usize| measurements.points[variable][row] >= largest[variable];
        let (kept, tested): (Vec<usize>, Vec<usize>) = if goes_beyond.contains(&true) {
            (
                rows.clone().filter(|row| !beyond().any(|variable| at_largest(*row, variable))).collect(),
                rows.filter(|row| beyond().all(|variable| at_largest(*row, variable))).collect(),
            )
        } else {
            let is_inner = |row: &usize| {
                let is_beyond = |column: &Vec<f64>, other: usize| column[other] >= column[*row];
                rows.clone().any(|other| {
                    other != *row && measurements.points.iter().all(|column| is_beyond(column, other))
                })
            };
            rows.clone().partition(is_inner)
        };
        if kept.len() < LEAST_POINTS || tested.is_empty() {
            return None;
        }
        let tested = tested.into_iter().map(|row| (measurements.point(row), measurements.values[row]));
        Some(Backtest { kept: measurements.subset(&kept), tested: tested.collect() })
    }
}

/// Of fewer points nothing is learnt.
const LEAST_POINTS: usize = 2;
