use super::Term;
use super::forward::{Columns, MOST_TERMS, Node, solve};
use super::pool::Pool;

/// Some terms with their constants, fitted to some of the points.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub terms: Vec<Term>,
    /// In the unit of the values.
    pub constants: Vec<f64>,
    scale: Vec<f64>,
    triangle: [[f64; MOST_TERMS]; MOST_TERMS],
}

impl Piece {
    pub fn new(pool: &Pool, columns: &Columns, node: &Node) -> (Piece, f64) {
        // The terms stand in the order of the pool, the constant term first.
        let chosen = &node.key()[..node.count];
        let solution = solve(columns, chosen);
        let index = |column: &u16| usize::from(*column);
        let scale: Vec<f64> = chosen.iter().map(|column| columns.scale[index(column)]).collect();
        let piece = Piece {
            terms: chosen.iter().map(|column| pool.terms[columns.term[index(column)]].clone()).collect(),
            constants: solution.constants.iter().zip(&scale).map(|(value, scale)| (value / scale).max(0.0)).collect(),
            triangle: solution.triangle,
            scale,
        };
        (piece, solution.squares)
    }

    /// Value at a point, and its variance in units of that of the weighted noise.
    pub fn predict(&self, point: &[f64]) -> (f64, f64) {
        let mut value = 0.0;
        let mut rotated = [0.0; MOST_TERMS];
        for (index, term) in self.terms.iter().enumerate() {
            let basis = term.evaluate(point);
            value += self.constants[index] * basis;
            rotated[index] = basis / self.scale[index];
        }
        // The variance is |R⁻ᵀ basis|².
        let mut variance = 0.0;
        for column in 0..self.terms.len() {
            for row in 0..column {
                rotated[column] -= self.triangle[row][column] * rotated[row];
            }
            rotated[column] /= self.triangle[column][column];
            variance += rotated[column] * rotated[column];
        }
        (value, variance)
    }
}

/// A plausible model: one piece, or two that meet at a value of a variable.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    pub pieces: Vec<Piece>,
    /// The variable and its value from which on the second piece holds.
    pub split: Option<(usize, f64)>,
    pub squares: f64,
    pub freedom: usize,
    pub noisy: f64,
    pub log_weight: f64,
}

impl Fitted {
    pub fn piece(&self, point: &[f64]) -> &Piece {
        match self.split {
            Some((variable, from)) if point[variable] >= from => &self.pieces[1],
            _ => &self.pieces[0],
        }
    }
}
