use std::borrow::Cow;

use call_fit::{Fit, locate};
use call_grammar::Expression;

use crate::columns::{basis_columns, columns, values_at_rows};
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
    /// What the noise of a row is proportional to; see [`Model::noise_scale_at`].
    pub(crate) scale_s: Vec<f64>,
    /// For fits: 1 / `scale_s`².
    pub(crate) weights: Vec<f64>,
    /// Its position among the prepared samples.
    pub(crate) sample: Vec<usize>,
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
        let basis = basis_columns(&model.formula, &columns, samples.len());
        let mut point = vec![0.0; columns.len()];
        let mut known: Vec<LocatedRow> = Vec::with_capacity(samples.len());
        for (row, group) in grouped.group_of.iter().enumerate() {
            let Some(group) = *group else { continue };
            if basis.iter().any(|column| !column[row].is_finite()) {
                continue;
            }
            for (value, column) in point.iter_mut().zip(&columns) {
                *value = column[row];
            }
            known.extend(locate(model.cells(), &point).map(|cell| LocatedRow { row, group, cell }));
        }
        known.sort_by_key(|known| known.group);
        let pick = |column: &[f64]| known.iter().map(|known| column[known.row]).collect::<Vec<f64>>();
        let basis: Vec<Vec<f64>> = basis.iter().map(|column| pick(column)).collect();
        let predicted_s = known.iter().enumerate().map(|(row, known)| {
            let constants = &model.cells()[known.cell].fit.coefficients;
            basis.iter().zip(constants).map(|(column, constant)| column[row] * constant).sum()
        });
        let predicted_s: Vec<f64> = predicted_s.collect();
        let scale = |(known, predicted_s): (&LocatedRow, &f64)| {
            model.noise_scale_at(*predicted_s, grouped.mean[known.group].max(shortest_s))
        };
        let scale_s: Vec<f64> = known.iter().zip(&predicted_s).map(scale).collect();
        Ok(Sampled {
            predicted_s,
            variables: columns.iter().map(|column| pick(column)).collect(),
            measured_s: pick(&samples.time_s),
            weights: weights(&scale_s),
            scale_s,
            sample: known.iter().map(|known| known.row).collect(),
            cell: known.iter().map(|known| known.cell).collect(),
            basis,
        })
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
        let starts: Vec<usize> =
            (0..self.len()).filter(|row| *row == 0 || !self.is_same_point(row - 1, *row)).collect();
        let pick = |column: &[f64]| starts.iter().map(|row| column[*row]).collect::<Vec<f64>>();
        let (mut measured_s, mut scale_s) = (Vec::new(), Vec::new());
        let ends = starts.iter().skip(1).copied().chain([self.len()]);
        for (start, end) in starts.iter().copied().zip(ends) {
            let rows = &self.measured_s[start..end];
            let count = rows.len() as f64;
            measured_s.push(rows.iter().map(|time| time / count).sum());
            scale_s.push(self.scale_s[start] / count.sqrt());
        }
        Sampled {
            variables: self.variables.iter().map(|column| pick(column)).collect(),
            basis: self.basis.iter().map(|column| pick(column)).collect(),
            measured_s,
            predicted_s: pick(&self.predicted_s),
            weights: weights(&scale_s),
            scale_s,
            sample: starts.iter().map(|row| self.sample[*row]).collect(),
            cell: starts.iter().map(|row| self.cell[*row]).collect(),
        }
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

    /// The formula's terms, and more columns if there are any, fitted to some rows, in ascending order, with the weights of the model.
    pub(crate) fn fit(&self, rows: &[usize], more: &[&[f64]]) -> Option<Fit> {
        let basis: Vec<&[f64]> = self.basis.iter().map(Vec::as_slice).chain(more.iter().copied()).collect();
        self.fit_columns(rows, &basis)
    }

    /// Columns fitted likewise.
    pub(crate) fn fit_columns(&self, rows: &[usize], basis: &[&[f64]]) -> Option<Fit> {
        let basis: Vec<Cow<[f64]>> = basis.iter().map(|column| self.pick(column, rows)).collect();
        call_fit::least_squares(&call_fit::FitSamples {
            basis: basis.iter().map(AsRef::as_ref).collect(),
            observed: &self.pick(&self.measured_s, rows),
            weights: &self.pick(&self.weights, rows),
        })
        .ok()
    }

    /// Without a copy if the rows are all.
    fn pick<'a>(&self, column: &'a [f64], rows: &[usize]) -> Cow<'a, [f64]> {
        match rows.len() == self.len() {
            true => Cow::Borrowed(column),
            false => Cow::Owned(rows.iter().map(|row| column[*row]).collect()),
        }
    }

    /// The value of an expression over the variables at each row.
    pub(crate) fn column(&self, expression: &Expression) -> Vec<f64> {
        let variables: Vec<&[f64]> = self.variables.iter().map(Vec::as_slice).collect();
        values_at_rows(expression, &variables, self.len())
    }
}

/// A row that a model says something about.
struct LocatedRow {
    row: usize,
    group: usize,
    cell: usize,
}

fn weights(scale_s: &[f64]) -> Vec<f64> {
    scale_s.iter().map(|scale| scale.powi(-2)).collect()
}

/// The shortest positive time: what a time of 0 counts as; 1 if there is none.
fn shortest(times_s: &[f64]) -> f64 {
    let shortest = times_s.iter().copied().filter(|time| *time > 0.0).fold(f64::INFINITY, f64::min);
    if shortest.is_finite() { shortest } else { 1.0 }
}
