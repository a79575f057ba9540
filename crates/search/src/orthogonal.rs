use crate::candidates::Candidates;
use crate::prior::MOST_TERMS;

/// A number for each term.
pub(crate) type PerTerm = [f64; MOST_TERMS];

/// Columns as Q R with orthonormal Q, by modified Gram-Schmidt: the columns are few and the search has found them independent.
#[derive(Debug, Clone)]
pub(crate) struct Orthogonal {
    /// Column after column.
    pub q: Vec<f64>,
    pub triangle: [PerTerm; MOST_TERMS],
    /// The least-squares constants of the scaled columns.
    pub constants: PerTerm,
    pub residual: Vec<f64>,
}

#[inline]
pub(crate) fn dot(left: &[f64], right: &[f64]) -> f64 {
    // Four sums at a time, which the compiler turns into vectors.
    let mut sums = [0.0; 4];
    let (left_parts, right_parts) = (left.chunks_exact(4), right.chunks_exact(4));
    let rest: f64 =
        left_parts.remainder().iter().zip(right_parts.remainder()).map(|(left, right)| left * right).sum();
    for (left, right) in left_parts.zip(right_parts) {
        for (sum, (left, right)) in sums.iter_mut().zip(left.iter().zip(right)) {
            *sum += left * right;
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

impl Orthogonal {
    pub fn new(candidates: &Candidates, chosen: &[u16]) -> Orthogonal {
        let points = candidates.points;
        let mut result = Orthogonal {
            q: Vec::with_capacity(chosen.len() * points),
            triangle: [[0.0; MOST_TERMS]; MOST_TERMS],
            constants: [0.0; MOST_TERMS],
            residual: candidates.target.clone(),
        };
        for (index, column) in chosen.iter().enumerate() {
            result.q.extend_from_slice(candidates.column(usize::from(*column)));
            let (before, rest) = result.q.split_at_mut(index * points);
            let projections = take_out(before, rest);
            result.triangle.iter_mut().zip(projections).for_each(|(row, its)| row[index] = its);
            let length = dot(rest, rest).sqrt();
            result.triangle[index][index] = length;
            rest.iter_mut().for_each(|rest| *rest /= length);
            let along = dot(rest, &result.residual);
            result.residual.iter_mut().zip(&*rest).for_each(|(residual, q)| *residual -= along * q);
            result.constants[index] = along;
        }
        solve_upper(&result.triangle, chosen.len(), &mut result.constants);
        result
    }

    /// Takes out of a column what the chosen ones say.
    pub fn take_out_of(&self, column: &mut [f64]) {
        take_out(&self.q, column);
    }

    pub fn squares(&self) -> f64 {
        dot(&self.residual, &self.residual)
    }
}

/// Takes orthonormal columns out of another one, and says how much of each there was.
fn take_out(orthonormal: &[f64], column: &mut [f64]) -> PerTerm {
    let mut projections = [0.0; MOST_TERMS];
    for (projection, q) in projections.iter_mut().zip(orthonormal.chunks_exact(column.len())) {
        *projection = dot(q, column);
        column.iter_mut().zip(q).for_each(|(entry, q)| *entry -= *projection * q);
    }
    projections
}

/// R⁻¹ v in place.
pub(crate) fn solve_upper(triangle: &[PerTerm; MOST_TERMS], count: usize, vector: &mut PerTerm) {
    for row in (0..count).rev() {
        for column in row + 1..count {
            vector[row] -= triangle[row][column] * vector[column];
        }
        vector[row] /= triangle[row][row];
    }
}

/// R⁻ᵀ v in place.
pub(crate) fn solve_transposed(triangle: &[PerTerm; MOST_TERMS], count: usize, vector: &mut PerTerm) {
    for column in 0..count {
        for row in 0..column {
            vector[column] -= triangle[row][column] * vector[row];
        }
        vector[column] /= triangle[column][column];
    }
}
