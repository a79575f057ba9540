use std::cmp::Ordering;

/// What is measured: the variables and the values at distinct points.
///
/// Repetitions (samples at equal points) are folded to their median, which a few disturbed ones do not change; their spread is
/// kept as the *pure error*, below which no residual can count as a success of a formula.
#[derive(Debug, Clone)]
pub struct Measurements {
    pub(crate) variables: Vec<String>,
    /// One column for each variable, one entry for each distinct point.
    pub(crate) points: Vec<Vec<f64>>,
    pub(crate) values: Vec<f64>,
    /// Square of the standard error of a folded value relative to it, pooled over all points; 0 without repetitions.
    pub(crate) pure_error: Option<f64>,
}

/// More distinct points than this are thinned: shapes vary slowly, so neighbours tell the same, and time and memory of the search
/// stay bounded whatever comes in.
const MOST_POINTS: usize = 1024;

impl Measurements {
    /// Folds samples to distinct points.
    ///
    /// `columns` holds a column for each variable; `values` the measured times (or counts), one for each row of the columns. Rows
    /// with a number that is not finite are left out, columns that are too short end the data.
    pub fn new(variables: &[String], columns: &[&[f64]], values: &[f64]) -> Measurements {
        let rows = columns.iter().map(|column| column.len()).fold(values.len(), usize::min);
        let variables: Vec<String> = variables.iter().take(columns.len()).cloned().collect();
        let columns = &columns[..variables.len()];
        let finite =
            |row: &usize| values[*row].is_finite() && columns.iter().all(|column| column[*row].is_finite());
        let mut order: Vec<usize> = (0..rows).filter(finite).collect();
        let by_point = |left: &usize, right: &usize| {
            let compare = |column: &&[f64]| number(column[*left]).total_cmp(&number(column[*right]));
            columns.iter().map(compare).find(|order| *order != Ordering::Equal).unwrap_or(Ordering::Equal)
        };
        let by_point_and_value = |left: &usize, right: &usize| {
            by_point(left, right).then(values[*left].total_cmp(&values[*right]))
        };
        order.sort_unstable_by(by_point_and_value);

        let groups: Vec<&[usize]> = order.chunk_by(|left, right| by_point(left, right).is_eq()).collect();
        let mut folded = Measurements {
            points: columns
                .iter()
                .map(|column| groups.iter().map(|group| column[group[0]]).collect())
                .collect(),
            values: groups.iter().map(|group| median(group, values)).collect(),
            variables,
            pure_error: None,
        };
        folded.pure_error = pure_error(&groups, values);
        folded.thin();
        folded
    }

    /// The variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The distinct points as columns, one for each variable.
    pub fn points(&self) -> &[Vec<f64>] {
        &self.points
    }

    /// The folded values, one for each distinct point.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn point(&self, row: usize) -> Vec<f64> {
        self.points.iter().map(|column| column[row]).collect()
    }

    /// Some of the points.
    pub(crate) fn subset(&self, rows: &[usize]) -> Measurements {
        let pick = |column: &Vec<f64>| rows.iter().map(|row| column[*row]).collect();
        Measurements {
            variables: self.variables.clone(),
            points: self.points.iter().map(pick).collect(),
            values: pick(&self.values),
            pure_error: self.pure_error,
        }
    }

    /// Replaces neighbours by one of them, that with the median value, where there are too many points: cells of equal numbers of
    /// points along the variables. What stays was measured; an average of points would lie beside a curve.
    fn thin(&mut self) {
        if self.len() <= MOST_POINTS {
            return;
        }
        let parts =
            (MOST_POINTS as f64).powf(1.0 / self.points.len().max(1) as f64).floor().max(1.0) as usize;
        let mut cells: Vec<Vec<usize>> = vec![(0..self.len()).collect()];
        for column in &self.points {
            let split = |mut cell: Vec<usize>| {
                cell.sort_by(|left, right| column[*left].total_cmp(&column[*right]));
                let size = cell.len().div_ceil(parts).max(1);
                cell.chunks(size).map(<[usize]>::to_vec).collect::<Vec<_>>()
            };
            cells = cells.into_iter().flat_map(split).collect();
        }
        let middle = |mut cell: Vec<usize>| {
            cell.sort_by(|left, right| self.values[*left].total_cmp(&self.values[*right]));
            cell[(cell.len() - 1) / 2]
        };
        let mut rows: Vec<usize> = cells.into_iter().map(middle).collect();
        rows.sort_unstable();
        *self = self.subset(&rows);
    }
}

/// -0 and 0 are one point.
fn number(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}

/// The median of a group that is sorted by value.
fn median(group: &[usize], values: &[f64]) -> f64 {
    let middle = group.len() / 2;
    if group.len() % 2 == 1 {
        values[group[middle]]
    } else {
        values[group[middle - 1]] / 2.0 + values[group[middle]] / 2.0
    }
}

/// Relative variance of the folded values, from the repetitions: pooled over the points, so that few repetitions at each suffice.
/// The median of r normal numbers has the variance π/2 σ²/r.
fn pure_error(groups: &[&[usize]], values: &[f64]) -> Option<f64> {
    let (mut sum, mut freedom, mut count, mut points) = (0.0, 0usize, 0usize, 0usize);
    for group in groups.iter().filter(|group| group.len() > 1) {
        let center = median(group, values);
        if center == 0.0 {
            continue;
        }
        sum += group.iter().map(|row| (values[*row] / center - 1.0).powi(2)).sum::<f64>();
        freedom += group.len() - 1;
        count += group.len();
        points += 1;
    }
    if freedom == 0 {
        return None;
    }
    let variance = sum / freedom as f64;
    let repetitions = count as f64 / points as f64;
    let median_factor = if repetitions > 2.0 { std::f64::consts::FRAC_PI_2 } else { 1.0 };
    Some(variance * median_factor / repetitions)
}
