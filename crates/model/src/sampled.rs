use call_fit::{Fit, locate};

use crate::model::columns;
use crate::noise::{scale_s, weighting};
use crate::{Error, Model, Prepared};

/// The samples of an experiment as a model sees them: processors joined and repetitions folded as for the fit, one entry a row in
/// each column, sorted by the variables. Rows without finite values are left out.
pub(crate) struct Sampled {
    /// A column for each variable of the formula.
    pub(crate) variables: Vec<Vec<f64>>,
    /// A column for each term: its value without the constant.
    pub(crate) basis: Vec<Vec<f64>>,
    pub(crate) measured_s: Vec<f64>,
    pub(crate) predicted_s: Vec<f64>,
    /// What the noise of a row is proportional to; see [`scale_s`].
    pub(crate) scale_s: Vec<f64>,
    /// Position of the row's cell in [`Model::cells`].
    pub(crate) cell: Vec<usize>,
}

impl Sampled {
    /// # Errors
    /// If the samples lack a variable of the formula.
    pub(crate) fn of(model: &Model, prepared: &Prepared) -> Result<Sampled, Error> {
        let samples = prepared.samples();
        let columns = columns(&model.formula, &samples.names, &samples.columns)?;
        let grouped = call_fit::group(&columns, &samples.time_s);
        let shortest_s = shortest(&grouped.mean);
        let mut order: Vec<usize> =
            (0..samples.len()).filter(|row| grouped.group_of[*row].is_some()).collect();
        order.sort_by_key(|row| grouped.group_of[*row]);
        let mut sampled = Sampled {
            variables: vec![Vec::new(); columns.len()],
            basis: vec![Vec::new(); model.formula.terms().len()],
            measured_s: Vec::new(),
            predicted_s: Vec::new(),
            scale_s: Vec::new(),
            cell: Vec::new(),
        };
        for row in order {
            let point: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            let basis: Vec<f64> =
                model.formula.terms().iter().map(|term| term.basis.evaluate(&point)).collect();
            let (Some(group), Some(cell)) = (grouped.group_of[row], locate(model.cells(), &point)) else {
                continue;
            };
            if !basis.iter().all(|value| value.is_finite()) {
                continue;
            }
            let constants = &model.cells()[cell].fit.coefficients;
            sampled.measured_s.push(samples.time_s[row]);
            sampled
                .predicted_s
                .push(basis.iter().zip(constants).map(|(basis, constant)| basis * constant).sum());
            sampled.scale_s.push(scale_s(weighting(model), grouped.mean[group], shortest_s));
            sampled.cell.push(cell);
            for (column, value) in sampled.variables.iter_mut().zip(point) {
                column.push(value);
            }
            for (column, value) in sampled.basis.iter_mut().zip(basis) {
                column.push(value);
            }
        }
        Ok(sampled)
    }

    pub(crate) fn len(&self) -> usize {
        self.measured_s.len()
    }

    pub(crate) fn point(&self, row: usize) -> Vec<f64> {
        self.variables.iter().map(|column| column[row]).collect()
    }

    pub(crate) fn residual_s(&self, row: usize) -> f64 {
        self.measured_s[row] - self.predicted_s[row]
    }

    /// The residual in units of which the noise of all rows has the same number.
    pub(crate) fn scaled_residual(&self, row: usize) -> f64 {
        self.residual_s(row) / self.scale_s[row]
    }

    pub(crate) fn rows_of(&self, cell: usize) -> Vec<usize> {
        (0..self.len()).filter(|row| self.cell[*row] == cell).collect()
    }

    /// A row for each different point: the mean of its rows, whose noise is smaller by the root of their number. Fits of them are the
    /// same, and cheaper.
    pub(crate) fn condensed(&self) -> Sampled {
        let mut starts: Vec<usize> =
            (0..self.len()).filter(|row| *row == 0 || !self.is_same_point(row - 1, *row)).collect();
        let pick = |column: &[f64]| starts.iter().map(|row| column[*row]).collect::<Vec<f64>>();
        let mut condensed = Sampled {
            variables: self.variables.iter().map(|column| pick(column)).collect(),
            basis: self.basis.iter().map(|column| pick(column)).collect(),
            measured_s: Vec::new(),
            predicted_s: pick(&self.predicted_s),
            scale_s: Vec::new(),
            cell: starts.iter().map(|row| self.cell[*row]).collect(),
        };
        starts.push(self.len());
        for ends in starts.windows(2) {
            let rows = &self.measured_s[ends[0]..ends[1]];
            let count = rows.len() as f64;
            condensed.measured_s.push(rows.iter().map(|time| time / count).sum());
            condensed.scale_s.push(self.scale_s[ends[0]] / count.sqrt());
        }
        condensed
    }

    /// Whether the variables of two rows are equal.
    fn is_same_point(&self, row: usize, other: usize) -> bool {
        self.variables.iter().all(|column| column[row] == column[other])
    }

    /// How many different points some rows, in ascending order, have.
    pub(crate) fn distinct_points(&self, rows: &[usize]) -> usize {
        usize::from(!rows.is_empty())
            + rows.windows(2).filter(|pair| !self.is_same_point(pair[0], pair[1])).count()
    }

    /// The different values of a variable among some rows, ascending.
    pub(crate) fn values(&self, variable: usize, rows: &[usize]) -> Vec<f64> {
        let mut values: Vec<f64> = rows.iter().map(|row| self.variables[variable][*row]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    }

    /// The weighted residual sum of some rows that is rounding.
    pub(crate) fn rounding(&self, rows: &[usize]) -> f64 {
        let level = 16.0 * (self.basis.len() + 2) as f64 * f64::EPSILON;
        rows.iter().map(|row| (level * self.measured_s[*row] / self.scale_s[*row]).powi(2)).sum()
    }

    /// The formula's terms, and more columns if there are any, fitted to some rows with the weights of the model.
    pub(crate) fn fit(&self, rows: &[usize], more: &[&[f64]]) -> Option<Fit> {
        let pick = |column: &[f64]| rows.iter().map(|row| column[*row]).collect::<Vec<f64>>();
        let basis: Vec<Vec<f64>> =
            self.basis.iter().map(Vec::as_slice).chain(more.iter().copied()).map(pick).collect();
        let observed = pick(&self.measured_s);
        let weights: Vec<f64> = rows.iter().map(|row| self.scale_s[*row].powi(-2)).collect();
        call_fit::least_squares(&call_fit::Samples {
            basis: basis.iter().map(Vec::as_slice).collect(),
            observed: &observed,
            weights: &weights,
        })
        .ok()
    }
}

/// The shortest positive time: what a time of 0 counts as; 1 if there is none.
fn shortest(times_s: &[f64]) -> f64 {
    let shortest = times_s.iter().copied().filter(|time| *time > 0.0).fold(f64::INFINITY, f64::min);
    if shortest.is_finite() { shortest } else { 1.0 }
}
