use std::borrow::Cow;

use call_fit::{FitSamples, Weighting, least_squares, locate, proportional_scale};

use crate::aleph::in_words;
use crate::columns::{basis_columns, columns};
use crate::rounding::{Rounding, decimal_step, rounding_covariance};
use crate::{Error, Model, Prepared};

/// A constant with the place where it has one value.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedConstant {
    /// Position of its term in the formula.
    pub term: usize,
    /// Positions of the cells where it holds, in [`Model::cells`].
    pub cells: Vec<usize>,
    /// Where that is, if not everywhere: `N > 1024`.
    pub place: Option<String>,
}

/// The constants of a model as a single run has them, in the cells of the model and in the order of [`Model::placed_constants`].
#[derive(Debug, Clone, PartialEq)]
pub struct RunFit {
    /// The constants, which may be negative.
    pub constants: Vec<f64>,
    /// How uncertain the noise within the run leaves them, row by row; 0 where the fit is exact, NaN without degrees of freedom.
    pub covariance: Vec<f64>,
    /// Positions of those that the samples of the run do not determine.
    pub undetermined: Vec<usize>,
    /// The standard deviation of a sample of weight 1.
    pub residual_standard_error: f64,
    /// The same for runs that measured the same points; none if these are not known.
    pub design: Option<u64>,
    /// What rounding has hidden in the measurements; none where it does not matter.
    pub rounding: Option<Rounding>,
}

impl RunFit {
    /// Whether another one is of the same measurements: constants and what they leave are the same to the last digit. Where nothing is left, or the
    /// measurements have few digits, it is not known.
    pub fn is_same_run(&self, other: &RunFit) -> bool {
        self.residual_standard_error > 0.0 && self == other && !self.is_alike_by_rounding()
    }

    /// Whether other measurements may well be rounded to the same values: no constant scatters by much more than rounding leaves uncertain.
    fn is_alike_by_rounding(&self) -> bool {
        const MUCH: f64 = 100.0;
        let Some(rounding) = &self.rounding else { return false };
        let next = self.constants.len() + 1;
        let both = self.covariance.iter().zip(&rounding.covariance).step_by(next);
        both.into_iter().all(|(noise, hidden)| *noise < MUCH * hidden)
    }

    /// The time, or what else was measured, for the values of the terms at a point ([`Model::placed_terms`]) and its variance; none if the
    /// samples do not determine it.
    pub fn at(&self, terms: &[f64]) -> Option<(f64, f64)> {
        if self.undetermined.iter().any(|&position| terms[position] != 0.0) {
            return None;
        }
        let time_s = self.constants.iter().zip(terms).map(|(constant, term)| constant * term).sum();
        Some((time_s, crate::noise::quadratic(&self.covariance, terms)))
    }

    /// The variance of what rounding to multiples of `step` makes of the value that these terms have; 0 where it does not matter.
    pub fn rounding_variance(&self, terms: &[f64], step: f64) -> f64 {
        let of = |rounding: &Rounding| {
            crate::noise::quadratic(&rounding.covariance, terms) * (step / rounding.step).powi(2)
        };
        self.rounding.as_ref().map_or(0.0, of)
    }

    /// A constant and its variance; none if the samples do not determine it.
    pub fn constant(&self, position: usize) -> Option<(f64, f64)> {
        let is_determined = !self.undetermined.contains(&position);
        let variance = self.covariance[position * (self.constants.len() + 1)];
        is_determined.then(|| (self.constants[position], variance))
    }
}

/// Turns that fit and weights take, and the change of a fitted time from which on they have settled.
const TURNS: usize = 12;
const SETTLED: f64 = 1e-10;

impl Model {
    /// Each constant in each set of cells where it has one value: term by term, from the low to the high end of the variables.
    pub fn placed_constants(&self) -> Vec<PlacedConstant> {
        let mut placed = Vec::new();
        for (term, (sets, of_formula)) in self.segmentation.sets.iter().zip(self.formula.terms()).enumerate()
        {
            let segments = self.aleph(of_formula.coefficient).map_or(Vec::new(), |aleph| aleph.segments);
            for set in 0..=sets.iter().copied().max().unwrap_or(0) {
                let cells: Vec<usize> = (0..sets.len()).filter(|&cell| sets[cell] == set).collect();
                let boxes = segments.iter().filter(|segment| cells.contains(&segment.cells[0]));
                let place = boxes.map(|segment| in_words(&segment.ranges)).collect::<Vec<_>>().join(" or ");
                let place = (cells.len() < sets.len()).then_some(place);
                placed.push(PlacedConstant { term, cells, place });
            }
        }
        placed
    }

    /// The value that each placed constant is multiplied with at a point, without those that do not hold there.
    ///
    /// # Panics
    /// If the number of values is not that of the variables.
    pub fn placed_terms(&self, point: &[f64]) -> Vec<f64> {
        let cell = self.predict(point).cell;
        let sets = self.segmentation.sets.iter().zip(self.formula.terms());
        let mut values = Vec::new();
        for (sets, term) in sets {
            let first = values.len();
            values.resize(first + sets.iter().copied().max().unwrap_or(0) + 1, 0.0);
            values[first + sets[cell]] = term.basis.evaluate(point);
        }
        values
    }

    /// The constants as these samples have them, in the cells of this model and with its weights: by relative errors unless its are
    /// absolute. Nothing keeps them from being negative, so that they are off as often upwards as downwards. Points between two intervals
    /// ([`Model::between_intervals`]) are left out: as one of the cell where the model has them, each would move its constants.
    ///
    /// # Errors
    /// No samples, a variable without column, or nothing that can be fitted.
    pub fn fit_run(&self, prepared: &Prepared) -> Result<RunFit, Error> {
        let experiment = || self.formula.experiment().to_owned();
        let between = self.rows_between_intervals(prepared)?;
        let samples = match between.is_empty() {
            true => Cow::Borrowed(prepared.samples()),
            false => Cow::Owned(prepared.samples().select(|row| between.binary_search(&row).is_err())),
        };
        if samples.is_empty() {
            return Err(Error::NoSamples { experiment: experiment() });
        }
        let variables = columns(&self.formula, &samples.names, &samples.columns)?;
        let basis = basis_columns(&self.formula, &variables, samples.len());
        let row = |row: usize| variables.iter().map(|column| column[row]).collect::<Vec<f64>>();
        let cells: Vec<Option<usize>> =
            (0..samples.len()).map(|index| locate(self.cells(), &row(index))).collect();
        let placed = self.placed_constants();
        let column = |placed: &PlacedConstant| -> Vec<f64> {
            let values = basis[placed.term].iter().zip(&cells);
            let holds = |cell: &Option<usize>| cell.is_none_or(|cell| placed.cells.contains(&cell));
            values.map(|(value, cell)| if holds(cell) { *value } else { 0.0 }).collect()
        };
        let columns: Vec<Vec<f64>> = placed.iter().map(column).collect();
        let failed = |source| Error::Fit { experiment: experiment(), source };
        let mut weights = match self.weighting.0 {
            Weighting::Absolute => Vec::new(),
            _ => samples.time_s.iter().map(|time_s| time_s.powi(-2)).collect(),
        };
        let observed = &samples.time_s;
        let basis = || columns.iter().map(Vec::as_slice).collect();
        let mut fit =
            least_squares(&FitSamples { basis: basis(), observed, weights: &weights }).map_err(failed)?;
        for _ in 0..if weights.is_empty() { 0 } else { TURNS } {
            let fitted = observed.iter().zip(&fit.residuals).map(|(measured, residual)| measured - residual);
            let next: Vec<f64> = fitted
                .zip(observed)
                .map(|(fitted, measured)| proportional_scale(fitted, *measured).powi(-2))
                .collect();
            let is_settled = weights.iter().zip(&next).all(|(a, b)| (a - b).abs() <= SETTLED * a.abs());
            weights = next;
            fit =
                least_squares(&FitSamples { basis: basis(), observed, weights: &weights }).map_err(failed)?;
            if is_settled {
                break;
            }
        }
        let are_medians = prepared.repetitions().is_some();
        let step = (!prepared.is_of_events()).then(|| decimal_step(observed, are_medians)).flatten();
        let rounding = step.and_then(|step| {
            let covariance = rounding_covariance(&columns, observed, &weights, step)?;
            Some(Rounding { step, covariance })
        });
        Ok(RunFit {
            rounding,
            undetermined: fit.undetermined(),
            constants: fit.coefficients,
            covariance: fit.covariance,
            residual_standard_error: fit.residual_standard_error,
            design: Some(fingerprint(&variables)),
        })
    }

    /// The points of samples that lie between two intervals, where nobody knows whose constants hold ([`Model::gaps`]).
    ///
    /// # Errors
    /// A variable without column.
    pub fn between_intervals(&self, prepared: &Prepared) -> Result<Vec<Vec<f64>>, Error> {
        let samples = prepared.samples();
        let variables = columns(&self.formula, &samples.names, &samples.columns)?;
        let rows = self.rows_between_intervals(prepared)?.into_iter();
        let mut points: Vec<Vec<f64>> =
            rows.map(|row| variables.iter().map(|column| column[row]).collect()).collect();
        points.dedup();
        Ok(points)
    }

    /// Rows, ascending.
    fn rows_between_intervals(&self, prepared: &Prepared) -> Result<Vec<usize>, Error> {
        let samples = prepared.samples();
        let variables = columns(&self.formula, &samples.names, &samples.columns)?;
        let is_between = |row: &usize| {
            let point: Vec<f64> = variables.iter().map(|column| column[*row]).collect();
            self.gaps().iter().any(|gap| gap.contains(&point))
        };
        Ok((0..samples.len()).filter(is_between).collect())
    }

    /// The constants of the model itself, where nothing is known of single runs: those of all its samples as if they were of one.
    pub fn as_one_run(&self) -> RunFit {
        let placed = self.placed_constants();
        let fit_of = |placed: &PlacedConstant| &self.cells()[placed.cells[0]].fit;
        let count = placed.len();
        let terms = self.formula.terms().len();
        let mut covariance = vec![0.0; count * count];
        for (row, one) in placed.iter().enumerate() {
            for (column, other) in placed.iter().enumerate() {
                // Constants that share no cell were fitted apart, or it is not known how they vary together.
                if let Some(&cell) = one.cells.iter().find(|cell| other.cells.contains(cell)) {
                    let entry = self.cells()[cell].fit.covariance[one.term * terms + other.term];
                    covariance[row * count + column] = entry;
                }
            }
        }
        // Beside a constant that was kept at 0 the others are not those of a free fit.
        let is_undetermined = |placed: &PlacedConstant| {
            let is_bounded = |cell: &usize| !self.cells()[*cell].fit.bounded.is_empty();
            fit_of(placed).undetermined().contains(&placed.term) || placed.cells.iter().any(is_bounded)
        };
        RunFit {
            constants: placed.iter().map(|it| fit_of(it).coefficients[it.term]).collect(),
            covariance,
            undetermined: (0..count).filter(|&position| is_undetermined(&placed[position])).collect(),
            residual_standard_error: self.cells()[0].fit.residual_standard_error,
            design: None,
            rounding: None,
        }
    }
}

/// A number for the different rows of columns that are sorted by row: FNV-1a of their bits.
fn fingerprint(columns: &[&[f64]]) -> u64 {
    let rows = columns.first().map_or(0, |column| column.len());
    let is_new = |row: &usize| *row == 0 || columns.iter().any(|column| column[*row] != column[row - 1]);
    let bits =
        (0..rows).filter(is_new).flat_map(|row| columns.iter().map(move |column| column[row].to_bits()));
    bits.flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
