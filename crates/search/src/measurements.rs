use call_fit::{group, median, relative_variance_of_medians, single_above_folded};
use call_trace::SourceCounts;

use crate::SourceLimits;

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
    /// How many samples each was folded from.
    pub(crate) repetitions: Vec<usize>,
    /// Square of the standard error of a folded value relative to it, pooled over all points; 0 without repetitions.
    pub(crate) pure_error: Option<f64>,
    /// By how much the relative variance of a single measurement exceeds that of a folded value.
    pub(crate) single_above_folded: f64,
    /// That, where intervals are for single measurements; 0 where they are for what is folded as the values are.
    pub(crate) single_variance: f64,
    /// What the source allows.
    pub(crate) source: Option<SourceLimits>,
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
        let columns: Vec<&[f64]> = columns.iter().map(|column| &column[..rows]).collect();
        let grouped = group(&columns, &values[..rows]);
        let members = grouped.members();
        let values_at = |members: &Vec<usize>| members.iter().map(|row| values[*row]).collect();
        let mut repetitions: Vec<Vec<f64>> = members.iter().map(values_at).collect();
        let pure_error = relative_variance_of_medians(repetitions.iter().map(Vec::as_slice));
        let single_above_folded = single_above_folded(repetitions.iter().map(Vec::as_slice), true);
        let mut folded = Measurements {
            points: grouped.variables,
            repetitions: members.iter().map(Vec::len).collect(),
            values: repetitions.iter_mut().map(|values| median(values)).collect(),
            variables,
            pure_error,
            single_above_folded,
            single_variance: 0.0,
            source: None,
        };
        folded.thin();
        folded
    }

    /// The same where the values are medians already: of these repetitions, point by point.
    pub fn of_medians<'a>(mut self, repetitions: impl Iterator<Item = &'a [f64]> + Clone) -> Measurements {
        self.pure_error = relative_variance_of_medians(repetitions.clone());
        self = self.folded_from(repetitions.clone());
        let counts: Vec<usize> = repetitions.map(<[f64]>::len).collect();
        if counts.len() == self.len() {
            self.repetitions = counts;
        }
        self
    }

    /// The same where each value was made of these repetitions, which tell how much more single ones scatter.
    pub fn folded_from<'a>(mut self, repetitions: impl Iterator<Item = &'a [f64]>) -> Measurements {
        self.single_above_folded = single_above_folded(repetitions, true);
        self
    }

    /// The same, whose intervals are for single measurements, which scatter more than what several are folded to.
    pub fn for_single(mut self) -> Measurements {
        self.single_variance = self.single_above_folded;
        self
    }

    /// The same, of an experiment whose statements were counted.
    pub fn of_source(mut self, counts: &SourceCounts) -> Measurements {
        self.source = SourceLimits::new(&self.variables, counts);
        self
    }

    /// Of rates the reciprocals, which are times for each of what is counted and scatter as much; none if there is one that is not
    /// positive. What the source says of them is another matter.
    pub(crate) fn reciprocal(&self) -> Option<Measurements> {
        let values: Vec<f64> = self.values.iter().map(|value| 1.0 / value).collect();
        let are_times = values.iter().all(|value| *value > 0.0 && value.is_finite());
        are_times.then(|| Measurements { values, source: None, ..self.clone() })
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

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn point(&self, row: usize) -> Vec<f64> {
        self.points.iter().map(|column| column[row]).collect()
    }

    /// Whether a measured point is as far as this one or farther, in all variables.
    pub(crate) fn reach(&self, point: &[f64]) -> bool {
        let is_as_far =
            |row: usize| self.points.iter().zip(point).all(|(column, value)| column[row] >= *value);
        (0..self.len()).any(is_as_far)
    }

    /// Some of the points.
    pub(crate) fn subset(&self, rows: &[usize]) -> Measurements {
        let pick = |column: &Vec<f64>| rows.iter().map(|row| column[*row]).collect();
        Measurements {
            variables: self.variables.clone(),
            points: self.points.iter().map(pick).collect(),
            values: pick(&self.values),
            repetitions: rows.iter().map(|row| self.repetitions[*row]).collect(),
            pure_error: self.pure_error,
            single_above_folded: self.single_above_folded,
            single_variance: self.single_variance,
            source: self.source.clone(),
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
