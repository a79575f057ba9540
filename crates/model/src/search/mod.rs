//! Finding a formula.
mod evidence;
mod fitted;
mod forward;
mod measurements;
mod mixture;
mod pool;
pub mod shape;
mod student;
mod term;

pub use measurements::Measurements;
pub use shape::Shape;
pub use term::Term;

use evidence::{Noise, log_evidence};
use fitted::{Fitted, Piece};
use forward::OCCAMS_WINDOW;
use mixture::Component;
use pool::Grid;

/// Searches for formulas; keeps what kernels that were measured at the same points share.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    grid: Option<Grid>,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Finding {
    models: Vec<Fitted>,
    sign: f64,
    noise: Noise,
    variables: Vec<String>,
}

/// A combined prediction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Combined {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

const MOST_MODELS: usize = 40;

pub fn opt(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

impl Finder {
    pub fn find(&mut self, measurements: &Measurements) -> Finding {
        let sum: f64 = measurements.values.iter().map(|value| value.signum() * f64::from(u8::from(*value != 0.0))).sum();
        let sign = if sum < 0.0 { -1.0 } else { 1.0 };
        let values: Vec<f64> = measurements.values.iter().map(|value| sign * value).collect();
        let shortest = values.iter().copied().filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        let weights: Vec<f64> = values.iter().map(|value| 1.0 / value.abs().max(shortest)).collect();
        if !shortest.is_finite() {
            return Finding { models: Vec::new(), sign, noise: Noise { floor: 0.0, usual: 0.0, log_usual: 0.0, log_exact: 0.0 }, variables: measurements.variables.clone() };
        }
        let grid = match self.grid.take() {
            Some(grid) if grid.is_of(measurements) => grid,
            _ => Grid::new(measurements),
        };
        let pure = measurements.pure_error;
        let usual = match pure {
            Some(variance) => variance,
            None => opt("S0", 0.05).powi(2),
        };
        let exact = opt("EXACT", 0.2);
        let noise = Noise { floor: pure.unwrap_or(0.0), usual, log_usual: (1.0 - exact).ln(), log_exact: exact.ln() };
        let pool = grid.pool(measurements.len(), &weights, &values);
        let all: Vec<usize> = (0..measurements.len()).collect();
        let mut models = Vec::new();
        let beam = opt("BEAM", 6.0) as usize;
        let columns = pool.columns(&all, &weights, &values, noise);
        let most = if measurements.points.len() > 1 { 4 } else { 3 };
        for node in forward::search(&columns, most, beam).into_iter().take(MOST_MODELS) {
            let (piece, squares) = Piece::new(&pool, &columns, &node);
            let evidence = log_evidence(columns.points, squares, &noise, &node.diagonal[..node.count]);
            models.push(Fitted {
                pieces: vec![piece],
                split: None,
                squares,
                freedom: columns.points.saturating_sub(node.count),
                noisy: evidence.noisy,
                log_weight: node.log_weight + (1.0 - opt("PSPLIT", 0.5)).ln(),
            });
        }
        if opt("OUT", 1.0) > 0.0 {
            self.outliers(measurements, &grid, &weights, &values, noise, &mut models);
        }
        if opt("SPLIT", 1.0) > 0.0 {
            self.split(measurements, &grid, &weights, &values, noise, &mut models);
        }
        models.sort_by(|a, b| b.log_weight.total_cmp(&a.log_weight));
        let best = models.first().map_or(0.0, |m| m.log_weight);
        models.retain(|m| m.log_weight > best - OCCAMS_WINDOW);
        models.truncate(MOST_MODELS);
        let total: f64 = models.iter().map(|m| (m.log_weight - best).exp()).sum();
        for m in &mut models {
            m.log_weight = (m.log_weight - best).exp() / total;
        }
        self.grid = Some(grid);
        Finding { models, sign, noise, variables: measurements.variables.clone() }
    }

    fn outliers(&self, m: &Measurements, grid: &Grid, weights: &[f64], values: &[f64], noise: Noise, models: &mut Vec<Fitted>) {
        if m.len() < 3 { return; }
        let log_outlier = opt("POUT", 0.05).ln() - opt("OUTRANGE", 1e4f64).ln().ln();
        let keep: Vec<Vec<usize>> = if m.len() <= 12 {
            (0..m.len()).map(|out| (0..m.len()).filter(|row| *row != out).collect()).collect()
        } else {
            let Some(best) = models.first() else { return };
            let squares = |row: usize| {
                let (value, _) = best.pieces[0].predict(&m.point(row));
                ((value - values[row]) * weights[row]).powi(2)
            };
            let mut order: Vec<usize> = (0..m.len()).collect();
            order.sort_by(|a, b| squares(*b).total_cmp(&squares(*a)));
            let mut total = best.squares;
            let mut count = 0;
            for row in order.iter().take(m.len() / 10) {
                // Gain in log likelihood from leaving it out.
                let left = m.len() - count;
                let without = total - squares(*row);
                let scale = (without / (left - 1) as f64).max(noise.floor + 1e-15);
                let gain = 0.5 * squares(*row) / scale + 0.5 * (2.0 * std::f64::consts::PI * scale).ln() + log_outlier;
                if gain < 0.0 { break; }
                total = without;
                count += 1;
            }
            if count == 0 { return; }
            let out = &order[..count];
            vec![(0..m.len()).filter(|row| !out.contains(row)).collect()]
        };
        let log_in = (1.0 - opt("POUT", 0.05)).ln();
        for rows in keep {
            let pick = |column: &[f64]| rows.iter().map(|row| column[*row]).collect::<Vec<f64>>();
            let (weights, values) = (pick(weights), pick(values));
            let pool = grid.part(&rows).pool(rows.len(), &weights, &values);
            let all: Vec<usize> = (0..rows.len()).collect();
            let columns = pool.columns(&all, &weights, &values, noise);
            let penalty = (m.len() - rows.len()) as f64 * (log_outlier - log_in);
            let most = if m.len() > 12 { 4 } else { 2 };
            for node in forward::search(&columns, most, 4).into_iter().take(12) {
                let log_weight = node.log_weight + (1.0 - opt("PSPLIT", 0.5)).ln() + penalty;
                let best = models.iter().map(|m| m.log_weight).fold(f64::NEG_INFINITY, f64::max);
                if log_weight < best - OCCAMS_WINDOW {
                    continue;
                }
                let (piece, squares) = Piece::new(&pool, &columns, &node);
                let evidence = log_evidence(columns.points, squares, &noise, &node.diagonal[..node.count]);
                models.push(Fitted {
                    pieces: vec![piece],
                    split: None,
                    squares,
                    freedom: columns.points.saturating_sub(node.count),
                    noisy: evidence.noisy,
                    log_weight,
                });
            }
        }
    }

    fn split(&self, m: &Measurements, grid: &Grid, weights: &[f64], values: &[f64], noise: Noise, models: &mut Vec<Fitted>) {
        let mut breaks = Vec::new();
        for (variable, column) in m.points.iter().enumerate() {
            let mut levels = column.clone();
            levels.sort_by(f64::total_cmp);
            levels.dedup();
            let count = levels.len();
            let tail = opt("TAIL", 2.0) as usize;
            breaks.extend(levels.into_iter().take((count + 1).saturating_sub(tail)).skip(1).map(|level| (variable, level)));
        }
        let log_prior = opt("PSPLIT", 0.5).ln() - (breaks.len().max(1) as f64).ln();
        for (variable, from) in breaks {
            let (tail, head): (Vec<usize>, Vec<usize>) = (0..m.len()).partition(|row| m.points[variable][*row] >= from);
            let side = |rows: &[usize]| {
                let pick = |column: &[f64]| rows.iter().map(|row| column[*row]).collect::<Vec<f64>>();
                let (weights, values) = (pick(weights), pick(values));
                let pool = grid.part(rows).pool(rows.len(), &weights, &values);
                let all: Vec<usize> = (0..rows.len()).collect();
                let columns = pool.columns(&all, &weights, &values, noise);
                (pool, columns)
            };
            let (tail_pool, tail_columns) = side(&tail);
            let (head_pool, head_columns) = side(&head);
            let most = opt("PIECETERMS", 2.0) as usize;
            let tails = forward::search(&tail_columns, most, 3);
            let heads = forward::search(&head_columns, most, 3);
            for size in 1..=most {
                let Some(head) = heads.iter().find(|node| node.count == size) else { continue };
                for tail in tails.iter().take(12) {
                    let count = head.count + tail.count;
                    if m.len() < count + 1 {
                        continue;
                    }
                    let mut diagonal = head.diagonal[..head.count].to_vec();
                    diagonal.extend(&tail.diagonal[..tail.count]);
                    let squares = head.squares + tail.squares;
                    let evidence = log_evidence(m.len(), squares, &noise, &diagonal);
                    let log_weight = log_prior + head.log_prior + tail.log_prior + evidence.log;
                    let best = models.iter().map(|m| m.log_weight).fold(f64::NEG_INFINITY, f64::max);
                    if log_weight < best - OCCAMS_WINDOW {
                        continue;
                    }
                    let (head, _) = Piece::new(&head_pool, &head_columns, head);
                    let (tail, _) = Piece::new(&tail_pool, &tail_columns, tail);
                    models.push(Fitted {
                        pieces: vec![head, tail],
                        split: Some((variable, from)),
                        squares,
                        freedom: m.len() - count,
                        noisy: evidence.noisy,
                        log_weight,
                    });
                }
            }
        }
    }
}

impl Finding {
    fn components(&self, point: &[f64]) -> Vec<Component> {
        let mut parts: Vec<Component> = Vec::new();
        for model in &self.models {
            let (value, variance) = model.piece(point).predict(point);
            if !(value > 0.0 && value.is_finite()) {
                continue;
            }
            let factor = 1.0 + variance / (value * value);
            for (share, prior_freedom) in [(model.noisy, 1), (1.0 - model.noisy, 0)] {
                let freedom = (model.freedom + prior_freedom).max(1);
                let noise = (model.squares + prior_freedom as f64 * self.noise.usual) / freedom as f64;
                let noise = noise.max(self.noise.floor) * factor;
                if share > 1e-4 {
                    parts.push(Component { weight: model.log_weight * share, center: value.ln(), scale: noise.sqrt().max(1e-12), freedom });
                }
            }
        }
        let total: f64 = parts.iter().map(|part| part.weight).sum();
        parts.iter_mut().for_each(|part| part.weight /= total);
        parts
    }

    pub fn predict(&self, point: &[f64], level: f64) -> Combined {
        let parts = self.components(point);
        if parts.is_empty() {
            return Combined { value: 0.0, low: 0.0, high: 0.0 };
        }
        let value = match opt("POINT", 0.0) as i32 {
            0 => mixture::median(&parts),
            1 => mixture::quantile(&parts, 0.5),
            2 => parts.iter().map(|p| p.weight * p.center).sum(),
            _ => parts[0].center,
        };
        let (low, high) = (mixture::quantile(&parts, (1.0 - level) / 2.0), mixture::quantile(&parts, (1.0 + level) / 2.0));
        let (low, high) = (low.exp().min(value.exp()), high.exp().max(value.exp()));
        let value = self.sign * value.exp();
        let (low, high) = if self.sign < 0.0 { (-high, -low) } else { (low, high) };
        Combined { value, low, high }
    }

    pub fn describe(&self) -> Vec<String> {
        self.models
            .iter()
            .map(|m| {
                let pieces: Vec<String> = m
                    .pieces
                    .iter()
                    .map(|p| {
                        let terms: Vec<String> =
                            p.terms.iter().zip(&p.constants).map(|(t, c)| format!("{c:.4e}{}", t.text(&self.variables))).collect();
                        terms.join(" + ")
                    })
                    .collect();
                format!("{:.3} n={:.2} s={:.2e} nu={} {:?} {}", m.log_weight, m.noisy, (m.squares / m.freedom as f64).sqrt(), m.freedom, m.split, pieces.join(" | "))
            })
            .collect()
    }
}
