use std::f64::consts::LN_2;

use crate::candidates::Candidates;
use crate::evidence::{WeightedValues, evidence};
use crate::fitted::{Fitted, FittedPiece, NoiseLaw};
use crate::forward::{OCCAMS_WINDOW, SearchReach, search};
use crate::grid::ShapeGrid;
use crate::rivals::with_rivals;

/// Denominators of exponents of formulas that hold everywhere.
const FINE: u8 = 4;

/// So many terms of formulas that hold everywhere are continued with each other one.
const FIRST_BEAM: usize = 64;

/// Denominators of exponents where part of the points is left out or explained otherwise: the rest has less to say about x^(2/3).
const COARSE: u8 = 2;

/// Probability that a measurement is disturbed: another program ran, the first call filled a cache.
pub(crate) const DISTURBED: f64 = 0.05;

/// A disturbed value is off by a factor of up to 100 in either direction, all alike on the logarithmic scale.
pub(crate) const DISTURBANCE: f64 = 100.0;

/// The prior of disturbances weighs as so many points.
const DISTURBED_POINTS: f64 = 10.0;

/// Up to so many points each is tried as the disturbed one, as it may bend every formula; of more, those that fit worst are.
const TRY_EACH: usize = 6;

/// So many breaks of a variable are tried; of more, evenly chosen ones: neighbours tell nearly the same.
const MOST_BREAKS: usize = 24;

/// Probability that a new measurement is disturbed, when `found` of `points` were.
pub(crate) fn disturbance_rate(found: f64, points: usize) -> f64 {
    (DISTURBED * DISTURBED_POINTS + found) / (DISTURBED_POINTS + points as f64)
}

/// The data of a search and the models found so far.
#[derive(Debug)]
pub(crate) struct Families<'a> {
    pub grid: &'a ShapeGrid,
    pub values: &'a WeightedValues,
    pub models: Vec<Fitted>,
    best: f64,
}

impl<'a> Families<'a> {
    pub fn new(grid: &'a ShapeGrid, values: &'a WeightedValues) -> Families<'a> {
        Families { grid, values, models: Vec::new(), best: f64::NEG_INFINITY }
    }

    fn points(&self) -> usize {
        self.values.values.len()
    }

    fn is_plausible(&self, log_weight: f64) -> bool {
        log_weight > self.best - OCCAMS_WINDOW
    }

    fn push(&mut self, model: Fitted) {
        self.best = self.best.max(model.log_weight);
        self.models.push(model);
    }

    /// Models of some points by one formula everywhere.
    fn one_formula(&mut self, rows: &[usize], disturbed: Vec<usize>, reach: SearchReach, log_prior: f64) {
        let is_whole = disturbed.is_empty();
        let mut candidates =
            Candidates::new(self.grid, rows, self.values, if is_whole { FINE } else { COARSE }, is_whole);
        let least = self.best - OCCAMS_WINDOW - log_prior;
        let mut nodes = search(&candidates, reach, least);
        if is_whole && self.grid.variables() > 1 && !self.values.signed {
            nodes = with_rivals(self.grid, rows, self.values, &mut candidates, nodes, least);
        }
        for node in nodes {
            if !self.is_plausible(node.log_weight + log_prior) {
                continue;
            }
            let piece = FittedPiece::new(self.grid, rows, &candidates, &node);
            let evidence = evidence(rows.len(), piece.squares, &self.values.noise, node.diagonal());
            let evidence = if is_whole { evidence } else { evidence.of_timings() };
            let log_weight = node.prior.log() + log_prior + evidence.log;
            if !self.is_plausible(log_weight) {
                continue;
            }
            self.push(Fitted {
                squares: piece.squares,
                freedom: rows.len().saturating_sub(node.count),
                noisy: evidence.noisy,
                pieces: vec![piece],
                split: None,
                disturbed: disturbed.clone(),
                law: NoiseLaw::Relative,
                log_prior: node.prior.log() + log_prior,
                log_weight,
                weight: 0.0,
            });
        }
    }

    /// One formula for all points.
    pub fn whole(&mut self) {
        let rows: Vec<usize> = (0..self.points()).collect();
        let reach = match self.grid.variables() {
            // All sums of two terms, and of the constant and two others.
            0 | 1 => SearchReach { terms: 3, beam: 2, first_beam: usize::MAX, constant_beam: usize::MAX },
            _ => SearchReach { terms: 4, beam: 2, first_beam: FIRST_BEAM, constant_beam: 0 },
        };
        self.one_formula(&rows, Vec::new(), reach, -LN_2);
    }

    /// One formula for all points but one or a few, which are disturbed.
    pub fn without_disturbed(&mut self) {
        let points = self.points();
        if points < 3 {
            return;
        }
        let log_odds = DISTURBED.ln() - (1.0 - DISTURBED).ln() - (2.0 * DISTURBANCE.ln()).ln();
        let mut sets: Vec<Vec<usize>> = match points <= TRY_EACH {
            true => (0..points).map(|row| vec![row]).collect(),
            false => [self.worst(log_odds)].into_iter().chain(self.ends()).collect(),
        };
        sets.retain(|disturbed| !disturbed.is_empty());
        sets.sort_unstable();
        sets.dedup();
        let reach = if points <= TRY_EACH { SearchReach::of_best(2, 1) } else { SearchReach::of_best(4, 4) };
        for disturbed in sets {
            let rows: Vec<usize> = (0..points).filter(|row| !disturbed.contains(row)).collect();
            let log_prior = disturbed.len() as f64 * log_odds - LN_2;
            self.one_formula(&rows, disturbed, reach, log_prior);
        }
    }

    /// The first and the last point of a single variable: a formula of all bends to them, so that others look disturbed.
    fn ends(&self) -> Vec<Vec<usize>> {
        let (1, points) = (self.grid.variables(), self.points()) else { return Vec::new() };
        let value = |row: &usize| self.grid.points(0)[*row];
        let by_value = |one: &usize, other: &usize| value(one).total_cmp(&value(other));
        let ends = [(0..points).min_by(by_value), (0..points).max_by(by_value)];
        ends.into_iter().flatten().map(|row| vec![row]).collect()
    }

    /// The points whose residual under the best model is explained better by a disturbance; at most a tenth of all, or one.
    fn worst(&self, log_odds: f64) -> Vec<usize> {
        let Some(best) =
            self.models.iter().max_by(|left, right| left.log_weight.total_cmp(&right.log_weight))
        else {
            return Vec::new();
        };
        let variables = self.grid.variables();
        let square = |row: usize| {
            let point: Vec<f64> = (0..variables).map(|variable| self.grid.points(variable)[row]).collect();
            let value = best.pieces[0].predict(&point, &[]).value;
            ((value - self.values.values[row]) * self.values.weights[row]).powi(2)
        };
        let mut squares: Vec<(f64, usize)> = (0..self.points()).map(|row| (square(row), row)).collect();
        squares.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        let mut rest: f64 = squares.iter().map(|(square, _)| square).sum();
        let mut disturbed = Vec::new();
        for (square, row) in squares.iter().take((self.points() / 10).max(1)) {
            rest = (rest - square).max(0.0);
            let left = self.points() - disturbed.len() - 1;
            let variance = rest / left as f64 + self.values.noise.floor + f64::EPSILON;
            let log_normal = -square / (2.0 * variance) - 0.5 * (2.0 * std::f64::consts::PI * variance).ln();
            if log_normal > log_odds {
                break;
            }
            disturbed.push(*row);
        }
        disturbed.sort_unstable();
        disturbed
    }

    /// Two formulas that meet at a value of a variable, as the intervals of CALL's constants do: a cache overflows, an algorithm
    /// changes. Each break is as likely as another, and all together as likely as none. The interval that reaches to the largest
    /// values has at least two of them: from one nothing can be said of its growth.
    pub fn last_interval(&mut self) {
        let all: Vec<usize> = (0..self.points()).collect();
        let mut breaks: Vec<(usize, f64)> = Vec::new();
        for variable in 0..self.grid.variables() {
            let levels = self.grid.levels(variable, &all);
            let inner = &levels[1..levels.len().max(2) - 1];
            let step = inner.len().div_ceil(MOST_BREAKS).max(1);
            breaks.extend(inner.iter().step_by(step).map(|level| (variable, *level)));
        }
        let log_prior = -LN_2 - (breaks.len() as f64).ln();
        for (variable, from) in breaks {
            self.split(variable, from, log_prior);
        }
    }

    fn split(&mut self, variable: usize, from: f64, log_prior: f64) {
        let column = self.grid.points(variable);
        let (last, first): (Vec<usize>, Vec<usize>) =
            (0..self.points()).partition(|row| column[*row] >= from);
        let reach = SearchReach::of_best(2, 1);
        let first_candidates = Candidates::new(self.grid, &first, self.values, COARSE, false);
        let last_candidates = Candidates::new(self.grid, &last, self.values, COARSE, false);
        let first_nodes = search(&first_candidates, reach, f64::NEG_INFINITY);
        let last_nodes = search(&last_candidates, reach, f64::NEG_INFINITY);
        for size in 1..=reach.terms {
            // What holds below does not enter a prediction, so the best of each size will do.
            let Some(below) = first_nodes.iter().find(|node| node.count == size) else { continue };
            let mut below_piece: Option<FittedPiece> = None;
            for above in &last_nodes {
                let count = below.count + above.count;
                let diagonal: Vec<f64> = below.diagonal().iter().chain(above.diagonal()).copied().collect();
                let squares = below.squares + above.squares;
                let evidence = evidence(self.points(), squares, &self.values.noise, &diagonal);
                let log_prior = log_prior + below.prior.log() + above.prior.log();
                let log_weight = log_prior + evidence.log;
                if count >= self.points() || !self.is_plausible(log_weight) {
                    continue;
                }
                let below = below_piece
                    .get_or_insert_with(|| FittedPiece::new(self.grid, &first, &first_candidates, below))
                    .clone();
                let above = FittedPiece::new(self.grid, &last, &last_candidates, above);
                self.push(Fitted {
                    squares: below.squares + above.squares,
                    freedom: self.points() - count,
                    noisy: evidence.noisy,
                    pieces: vec![below, above],
                    split: Some((variable, from)),
                    disturbed: Vec::new(),
                    law: NoiseLaw::Relative,
                    log_prior,
                    log_weight,
                    weight: 0.0,
                });
            }
        }
    }
}
