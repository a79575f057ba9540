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

use evidence::log_evidence;
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
    floor: f64,
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
        let sum: f64 = measurements.values.iter().sum();
        let sign = if sum < 0.0 { -1.0 } else { 1.0 };
        let values: Vec<f64> = measurements.values.iter().map(|value| sign * value).collect();
        let shortest = values.iter().copied().filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        let weights: Vec<f64> = values.iter().map(|value| 1.0 / value.abs().max(shortest)).collect();
        if !shortest.is_finite() {
            return Finding { models: Vec::new(), sign, floor: 0.0, variables: measurements.variables.clone() };
        }
        let grid = match self.grid.take() {
            Some(grid) if grid.is_of(measurements) => grid,
            _ => Grid::new(measurements),
        };
        let floor = measurements.pure_error;
        let pool = grid.pool(measurements.len(), &weights, &values);
        let all: Vec<usize> = (0..measurements.len()).collect();
        let mut models = Vec::new();
        let beam = opt("BEAM", 6.0) as usize;
        let columns = pool.columns(&all, &weights, &values, floor);
        let most = if measurements.points.len() > 1 { 4 } else { 3 };
        for node in forward::search(&columns, most, beam).into_iter().take(MOST_MODELS) {
            let (piece, squares) = Piece::new(&pool, &columns, &node);
            models.push(Fitted {
                pieces: vec![piece],
                split: None,
                squares,
                freedom: columns.points.saturating_sub(node.count).max(1),
                log_weight: node.log_weight + opt("LNOSPLIT", -0.7),
            });
        }
        if opt("SPLIT", 1.0) > 0.0 {
            self.split(measurements, &grid, &weights, &values, floor, &mut models);
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
        Finding { models, sign, floor, variables: measurements.variables.clone() }
    }

    fn split(&self, m: &Measurements, grid: &Grid, weights: &[f64], values: &[f64], floor: f64, models: &mut Vec<Fitted>) {
        let pool = grid.pool(m.len(), weights, values);
        let mut breaks = Vec::new();
        for (variable, column) in m.points.iter().enumerate() {
            let mut levels = column.clone();
            levels.sort_by(f64::total_cmp);
            levels.dedup();
            breaks.extend(levels.into_iter().skip(1).map(|level| (variable, level)));
        }
        let log_prior = opt("LSPLIT", -0.7) - (breaks.len().max(1) as f64).ln();
        for (variable, from) in breaks {
            let (tail, head): (Vec<usize>, Vec<usize>) = (0..m.len()).partition(|row| m.points[variable][*row] >= from);
            let tail_columns = pool.columns(&tail, weights, values, floor);
            let head_columns = pool.columns(&head, weights, values, floor);
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
                    let log_weight = log_prior + head.log_prior + tail.log_prior
                        + log_evidence(m.len(), squares, floor, &diagonal);
                    let best = models.iter().map(|m| m.log_weight).fold(f64::NEG_INFINITY, f64::max);
                    if log_weight < best - OCCAMS_WINDOW {
                        continue;
                    }
                    let (head, _) = Piece::new(&pool, &head_columns, head);
                    let (tail, _) = Piece::new(&pool, &tail_columns, tail);
                    models.push(Fitted {
                        pieces: vec![head, tail],
                        split: Some((variable, from)),
                        squares,
                        freedom: m.len() - count,
                        log_weight,
                    });
                }
            }
        }
    }
}

impl Finding {
    fn components(&self, point: &[f64]) -> Vec<Component> {
        let mut parts: Vec<Component> = self
            .models
            .iter()
            .filter_map(|model| {
                let (value, variance) = model.piece(point).predict(point);
                let noise = (model.squares / model.freedom as f64).max(self.floor);
                let relative = noise * (1.0 + variance / (value * value));
                (value > 0.0 && value.is_finite()).then_some(Component {
                    weight: model.log_weight,
                    center: value.ln(),
                    scale: relative.sqrt().max(1e-12),
                    freedom: model.freedom,
                })
            })
            .collect();
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
                format!("{:.3} s={:.2e} nu={} {:?} {}", m.log_weight, (m.squares / m.freedom as f64).sqrt(), m.freedom, m.split, pieces.join(" | "))
            })
            .collect()
    }
}
