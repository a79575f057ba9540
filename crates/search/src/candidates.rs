use std::f64::consts::LN_2;

use crate::SourceLimits;
use crate::evidence::{NoiseBelief, WeightedValues};
use crate::grid::ShapeGrid;
use crate::prior::{ModelPrior, TermPrior};
use crate::shape::{catalogue, log_priors};
use crate::shortlist::shortlist;
use crate::term::{CONSTANT, Factors, MOST_VARIABLES, evaluate};

/// The candidate terms of a search at some of the points: weighted columns, each scaled so that its largest entry is 1. The first is
/// the constant term.
#[derive(Debug, Clone)]
pub(crate) struct Candidates {
    pub variables: usize,
    pub points: usize,
    pub factors: Vec<Factors>,
    /// Largest entry of a column before it was scaled.
    pub scale: Vec<f64>,
    pub priors: Vec<TermPrior>,
    entries: Vec<f64>,
    /// The weighted values.
    pub target: Vec<f64>,
    pub noise: NoiseBelief,
    /// Whether constants may be negative, and points beyond the data where the value then has to be positive.
    pub signed: bool,
    pub beyond: Vec<Vec<f64>>,
    /// Which terms the source allows.
    source: Option<SourceLimits>,
    /// Logarithm of the number of choices of variables that take part, but for the empty one, which is the constant term.
    log_choices: f64,
    /// How many different values each variable has at the points.
    pub levels: [usize; MOST_VARIABLES],
}

impl Candidates {
    /// All shapes of one variable with exponents of at most that denominator; of several the products of the shapes that follow the lines best,
    /// alone or, with pairs, two of them together.
    pub fn new(
        grid: &ShapeGrid,
        rows: &[usize],
        values: &WeightedValues,
        denominators: u8,
        with_pairs: bool,
    ) -> Candidates {
        let variables = grid.variables();
        let mut levels = [1; MOST_VARIABLES];
        for (variable, count) in levels.iter_mut().enumerate().take(variables) {
            *count = grid.levels(variable, rows).len();
        }
        let mut candidates = Candidates::empty(grid, rows, values, levels);
        let is_candidate = |variable: usize, shape: usize| {
            grid.is_usable(variable, shape)
                && catalogue()[shape].denominator() <= denominators
                && values.source.as_ref().is_none_or(|source| source.allow_shape(variable, shape))
        };
        let mut lists: Vec<Vec<usize>> = Vec::with_capacity(variables);
        for variable in 0..variables {
            let usable = || (0..catalogue().len()).filter(|shape| is_candidate(variable, *shape));
            lists.push(match (candidates.levels[variable], variables) {
                (0 | 1, _) => Vec::new(),
                (_, 1) => {
                    let mut all = Vec::with_capacity(catalogue().len());
                    all.extend(usable());
                    all
                }
                _ => shortlist(grid, variable, usable(), rows, values, with_pairs),
            });
        }
        let expected = lists.iter().map(|list| list.len() + 1).product();
        candidates.factors.reserve(expected);
        candidates.scale.reserve(expected);
        candidates.priors.reserve(expected);
        candidates.entries.reserve(expected * rows.len());
        let weights: Vec<f64> = rows.iter().map(|row| values.weights[*row]).collect();
        candidates.add(grid, rows, &lists, CONSTANT, 0, &weights);
        candidates
    }

    /// Given terms at some of the points; terms without a value there are missing.
    pub fn of_terms(
        grid: &ShapeGrid,
        rows: &[usize],
        values: &WeightedValues,
        terms: &[Factors],
    ) -> Candidates {
        let mut candidates = Candidates::empty(grid, rows, values, [0; MOST_VARIABLES]);
        for term in terms {
            candidates.push(*term, &column_of(grid, rows, values, term));
        }
        candidates
    }

    fn empty(
        grid: &ShapeGrid,
        rows: &[usize],
        values: &WeightedValues,
        levels: [usize; MOST_VARIABLES],
    ) -> Candidates {
        let varying = levels.iter().filter(|count| **count > 1).count();
        Candidates {
            variables: grid.variables(),
            points: rows.len(),
            factors: Vec::new(),
            scale: Vec::new(),
            priors: Vec::new(),
            entries: Vec::new(),
            target: rows.iter().map(|row| values.values[*row] * values.weights[*row]).collect(),
            noise: values.noise,
            signed: values.signed,
            beyond: if values.signed { beyond(grid, rows) } else { Vec::new() },
            source: values.source.clone(),
            log_choices: (2f64.powi(varying as i32) - 1.0).ln(),
            levels,
        }
    }

    /// The prior of a model without a term.
    pub fn prior_of_none(&self) -> ModelPrior {
        ModelPrior::new(self.source.as_ref().and_then(SourceLimits::expected))
    }

    /// Whether a model with these scaled constants is positive at the points and beyond them.
    pub fn is_positive(&self, columns: &[u16], constants: &[f64]) -> bool {
        let terms = || columns.iter().map(|column| usize::from(*column)).zip(constants);
        let at = |point: usize| {
            terms().map(|(term, constant)| self.entries[term * self.points + point] * constant).sum::<f64>()
        };
        let beyond = |point: &Vec<f64>| {
            terms()
                .map(|(term, constant)| evaluate(&self.factors[term], point) / self.scale[term] * constant)
                .sum::<f64>()
        };
        (0..self.points).all(|point| at(point) > 0.0) && self.beyond.iter().all(|point| beyond(point) > 0.0)
    }

    pub fn column(&self, index: usize) -> &[f64] {
        &self.entries[index * self.points..(index + 1) * self.points]
    }

    /// Adds the products of a term with the shapes of the variables from `variable` on.
    fn add(
        &mut self,
        grid: &ShapeGrid,
        rows: &[usize],
        lists: &[Vec<usize>],
        factors: Factors,
        variable: usize,
        column: &[f64],
    ) {
        let Some(list) = lists.get(variable) else {
            if self.source.as_ref().is_none_or(|source| source.allow(&factors)) {
                self.push(factors, column);
            }
            return;
        };
        self.add(grid, rows, lists, factors, variable + 1, column);
        let mut product = vec![0.0; rows.len()];
        for shape in list {
            let values = grid.shape(variable, *shape);
            for (entry, (row, before)) in product.iter_mut().zip(rows.iter().zip(column)) {
                *entry = before * values[*row];
            }
            let mut factors = factors;
            factors[variable] = *shape as u8 + 1;
            self.add(grid, rows, lists, factors, variable + 1, &product);
        }
    }

    /// Adds what a term becomes if one of its shapes is another one.
    pub fn add_rivals(&mut self, grid: &ShapeGrid, rows: &[usize], values: &WeightedValues, term: usize) {
        let term = self.factors[term];
        for variable in (0..self.variables).filter(|variable| term[*variable] > 0) {
            for shape in 0..catalogue().len() {
                let mut rival = term;
                rival[variable] = shape as u8 + 1;
                let is_allowed = self
                    .source
                    .as_ref()
                    .is_none_or(|source| source.allow_shape(variable, shape) && source.allow(&rival));
                if grid.is_usable(variable, shape) && is_allowed && !self.factors.contains(&rival) {
                    self.push(rival, &column_of(grid, rows, values, &rival));
                }
            }
        }
    }

    /// Prior of a term: each variable that varies takes part or not with even odds, with its shapes as the catalogue weighs them. It
    /// is normalised over the whole catalogue, not over the shortlists, which have looked at the data. The constant term is as likely
    /// as not.
    fn prior_of(&self, factors: &Factors) -> TermPrior {
        let sign = if self.signed { -LN_2 } else { 0.0 };
        if *factors == CONSTANT {
            return TermPrior { log: sign, of_source: None, is_constant: true };
        }
        let share = self.source.as_ref().and_then(|source| source.share(factors));
        let is_given = |variable: usize| {
            share.is_some() && self.source.as_ref().is_some_and(|source| source.limit(variable))
        };
        let used = factors[..self.variables].iter().enumerate();
        let used = used.filter(|(variable, factor)| **factor > 0 && !is_given(*variable));
        let shapes = used.map(|(_, factor)| log_priors()[usize::from(*factor) - 1]).sum::<f64>();
        let choice = share.map_or(-self.log_choices, f64::ln);
        TermPrior { log: shapes + choice + sign, of_source: share.map(|_| shapes), is_constant: false }
    }

    fn push(&mut self, factors: Factors, column: &[f64]) {
        let largest = largest(column);
        if !(largest > 0.0 && largest.is_finite()) {
            return;
        }
        self.entries.extend(column.iter().map(|entry| entry / largest));
        self.scale.push(largest);
        self.priors.push(self.prior_of(&factors));
        self.factors.push(factors);
    }
}

/// The weighted values of a term.
fn column_of(grid: &ShapeGrid, rows: &[usize], values: &WeightedValues, term: &Factors) -> Vec<f64> {
    let mut column: Vec<f64> = rows.iter().map(|row| values.weights[*row]).collect();
    for (variable, factor) in term.iter().enumerate().filter(|(_, factor)| **factor > 0) {
        let shape = grid.shape(variable, usize::from(*factor) - 1);
        column.iter_mut().zip(rows).for_each(|(entry, row)| *entry *= shape[*row]);
    }
    column
}

/// Points so many times as far as the largest values, in each variable and in all.
const BEYOND: f64 = 16.0;

fn beyond(grid: &ShapeGrid, rows: &[usize]) -> Vec<Vec<f64>> {
    let largest: Vec<f64> = (0..grid.variables())
        .map(|variable| rows.iter().map(|row| grid.points(variable)[*row]).fold(f64::MIN, f64::max))
        .collect();
    let farther = |value: f64| if value > 0.0 { BEYOND * value } else { value };
    let all = largest.iter().map(|value| farther(*value)).collect();
    let one = |variable: usize| {
        let mut point = largest.clone();
        point[variable] = farther(point[variable]);
        point
    };
    let several = if largest.len() > 1 { largest.len() } else { 0 };
    (0..several).map(one).chain([all]).collect()
}

/// The largest entry, infinite if one is not finite. Four at a time, which the compiler turns into vectors.
fn largest(column: &[f64]) -> f64 {
    let larger = |one: f64, other: f64| if one > other { one } else { other };
    let finite = |entry: f64| if entry <= f64::MAX { entry } else { f64::INFINITY };
    let mut lanes = [0.0; 4];
    let (parts, rest) = column.as_chunks::<4>();
    for part in parts {
        for (largest, entry) in lanes.iter_mut().zip(part) {
            *largest = larger(finite(*entry), *largest);
        }
    }
    rest.iter().map(|entry| finite(*entry)).chain(lanes).fold(0.0, larger)
}
