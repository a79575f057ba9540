use crate::candidates::Candidates;
use crate::forward::SearchNode;
use crate::grid::ShapeGrid;
use crate::orthogonal::{Orthogonal, PerTerm, solve_transposed, solve_upper};
use crate::prior::MOST_TERMS;
use crate::term::{Factors, MOST_VARIABLES, evaluate};

/// Some terms with their constants, fitted to some of the points.
#[derive(Debug, Clone)]
pub(crate) struct FittedPiece {
    pub count: usize,
    pub factors: [Factors; MOST_TERMS],
    /// In the unit of the values.
    pub constants: PerTerm,
    scale: PerTerm,
    triangle: [PerTerm; MOST_TERMS],
    effects: [LevelEffect; MOST_VARIABLES],
    points: usize,
    pub squares: f64,
}

/// What all points with the same value of a variable deviate by together, beyond noise: the machine is another one at another number
/// of processors, the cache another at another size. A prediction at a new value of the variable meets a new such effect.
#[derive(Debug, Clone, Copy, Default)]
struct LevelEffect {
    /// Relative variance.
    variance: f64,
    freedom: usize,
    levels: usize,
}

/// A value with the relative variances of its error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    pub value: f64,
    /// Variance by the constants, in units of that of the noise.
    pub constants: f64,
    /// Variance by effects of new levels.
    pub effects: f64,
    pub effects_freedom: usize,
}

impl FittedPiece {
    /// The fit of a model that a search has found.
    pub fn new(grid: &ShapeGrid, rows: &[usize], candidates: &Candidates, node: &SearchNode) -> FittedPiece {
        let (terms, count) = node.terms();
        let terms = &terms[..count];
        FittedPiece::of(grid, rows, candidates, terms, Orthogonal::new(candidates, terms))
    }

    /// The fit of all candidates together, if it has no negative constant.
    pub fn of_all(grid: &ShapeGrid, rows: &[usize], candidates: &Candidates) -> Option<FittedPiece> {
        let terms: Vec<u16> = (0..candidates.factors.len() as u16).collect();
        let orthogonal = Orthogonal::new(candidates, &terms);
        let is_valid = orthogonal.constants[..terms.len()].iter().all(|constant| *constant >= 0.0);
        is_valid.then(|| FittedPiece::of(grid, rows, candidates, &terms, orthogonal))
    }

    fn of(
        grid: &ShapeGrid,
        rows: &[usize],
        candidates: &Candidates,
        terms: &[u16],
        orthogonal: Orthogonal,
    ) -> FittedPiece {
        let count = terms.len();
        let mut piece = FittedPiece {
            count,
            factors: [[0; MOST_VARIABLES]; MOST_TERMS],
            constants: orthogonal.constants,
            scale: [1.0; MOST_TERMS],
            triangle: orthogonal.triangle,
            effects: [LevelEffect::default(); MOST_VARIABLES],
            points: rows.len(),
            squares: orthogonal.squares(),
        };
        for (index, term) in terms.iter().map(|term| usize::from(*term)).enumerate() {
            piece.factors[index] = candidates.factors[term];
            piece.scale[index] = candidates.scale[term];
            piece.constants[index] /= candidates.scale[term];
            if !candidates.signed {
                // Rounding may leave a constant of 0 negative.
                piece.constants[index] = piece.constants[index].max(0.0);
            }
        }
        // With one variable each level is a point, and its effect is part of the noise.
        if grid.variables() > 1 {
            for variable in 0..grid.variables() {
                piece.effects[variable] = piece.effect(grid, rows, variable, &orthogonal.residual);
            }
        }
        piece
    }

    /// The variance between the means of the residuals of the levels of a variable, less what noise alone would give.
    fn effect(&self, grid: &ShapeGrid, rows: &[usize], variable: usize, residual: &[f64]) -> LevelEffect {
        let levels = grid.levels(variable, rows);
        let mut sums = vec![(0.0, 0usize); levels.len()];
        for (row, residual) in rows.iter().zip(residual) {
            let level = levels.partition_point(|level| *level < grid.points(variable)[*row]);
            sums[level].0 += residual;
            sums[level].1 += 1;
        }
        let mut functions: Vec<u8> =
            self.factors[..self.count].iter().map(|factors| factors[variable]).collect();
        functions.sort_unstable();
        functions.dedup();
        let freedom = levels.len().saturating_sub(functions.len());
        if freedom == 0 {
            return LevelEffect::default();
        }
        let between: f64 = sums.iter().map(|(sum, count)| (sum / *count as f64).powi(2)).sum();
        let noise = self.squares / self.points.saturating_sub(self.count).max(1) as f64;
        let by_noise: f64 =
            sums.iter().map(|(_, count)| noise / *count as f64).sum::<f64>() / levels.len() as f64;
        LevelEffect {
            variance: (between / freedom as f64 - by_noise).max(0.0),
            freedom,
            levels: levels.len(),
        }
    }

    /// Diagonal of the triangle.
    pub fn diagonal(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.count).map(|term| self.triangle[term][term])
    }

    /// Standard errors of the constants, in units of the relative noise.
    pub fn standard_errors(&self) -> PerTerm {
        let mut errors = [0.0; MOST_TERMS];
        for column in 0..self.count {
            let mut inverse = [0.0; MOST_TERMS];
            inverse[column] = 1.0;
            solve_upper(&self.triangle, self.count, &mut inverse);
            errors.iter_mut().zip(&inverse).for_each(|(error, entry)| *error += entry * entry);
        }
        errors.iter_mut().zip(&self.scale).for_each(|(error, scale)| *error = error.sqrt() / scale);
        errors
    }

    /// The value at a point, and R⁻ᵀ times its terms: the products of two such vectors are covariances of the values at two points.
    pub fn value(&self, point: &[f64]) -> (f64, PerTerm) {
        let mut value = 0.0;
        let mut rotated = [0.0; MOST_TERMS];
        for (index, (entry, factors)) in rotated.iter_mut().zip(&self.factors).take(self.count).enumerate() {
            let basis = evaluate(factors, point);
            value += self.constants[index] * basis;
            *entry = basis / self.scale[index];
        }
        solve_transposed(&self.triangle, self.count, &mut rotated);
        (value, rotated)
    }

    /// The value at a point, and how far off it may be; `is_new` tells for each variable whether its value was not measured.
    pub fn predict(&self, point: &[f64], is_new: &[bool]) -> Spread {
        let (value, rotated) = self.value(point);
        let constants =
            rotated[..self.count].iter().map(|entry| entry * entry).sum::<f64>() / (value * value);
        let mut spread = Spread { value, constants, effects: 0.0, effects_freedom: usize::MAX };
        for (effect, _) in self.effects.iter().zip(is_new).filter(|(effect, new)| **new && effect.freedom > 0)
        {
            // The constants are uncertain as if each level were one point.
            let constants = constants * self.points as f64 / effect.levels as f64;
            spread.effects += effect.variance * (1.0 + constants);
            spread.effects_freedom = spread.effects_freedom.min(effect.freedom);
        }
        spread
    }
}

/// How noise grows with the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoiseLaw {
    /// In proportion to it: the machine is now and then slower by some percent.
    #[default]
    Relative,
    /// With its root: the value adds up from many independent parts, as counts do, or short times are disturbed more than long ones.
    Root,
}

impl NoiseLaw {
    /// The variance of the noise at a value, relative to the value, where it is 1 at a typical value.
    pub(crate) fn variance(self, typical: f64, value: f64) -> f64 {
        match self {
            NoiseLaw::Relative => 1.0,
            NoiseLaw::Root => typical / value,
        }
    }
}

/// A plausible model: one piece, or two that meet at a value of a variable.
#[derive(Debug, Clone)]
pub(crate) struct Fitted {
    pub pieces: Vec<FittedPiece>,
    /// The variable and its value from which on the second piece holds.
    pub split: Option<(usize, f64)>,
    /// Points that are taken for disturbed and left out.
    pub disturbed: Vec<usize>,
    pub law: NoiseLaw,
    /// Residual sum of squares of all pieces, in units of the noise law.
    pub squares: f64,
    pub freedom: usize,
    /// Probability that the data have noise, given the model.
    pub noisy: f64,
    pub log_prior: f64,
    /// Logarithm of prior times marginal likelihood.
    pub log_weight: f64,
    /// Probability of the model among those that were found.
    pub weight: f64,
}

impl Fitted {
    /// Relative variance of the noise, with what is believed beforehand.
    pub fn noise(&self, usual: f64) -> f64 {
        (self.squares + usual) / (self.freedom + 1) as f64
    }

    /// The piece that holds at a point.
    pub fn piece(&self, point: &[f64]) -> &FittedPiece {
        match self.split {
            Some((variable, from)) if point[variable] >= from => &self.pieces[1],
            _ => &self.pieces[0],
        }
    }

    /// The pieces that may hold at a point, each with the share that it has. Of two that meet somewhere between two measured values nobody knows
    /// where: anywhere between these is as likely, on the logarithmic scale.
    pub fn likely_pieces(&self, point: &[f64], levels: &[Vec<f64>]) -> Vec<(f64, &FittedPiece)> {
        let Some((variable, from)) = self.split else { return vec![(1.0, &self.pieces[0])] };
        let value = point[variable];
        let last_below =
            levels[variable].iter().copied().filter(|level| *level < from).fold(f64::NAN, f64::max);
        if !(last_below < value && value < from) {
            return vec![(1.0, self.piece(point))];
        }
        let scale = |value: f64| if last_below > 0.0 { value.ln() } else { value };
        let above = (scale(value) - scale(last_below)) / (scale(from) - scale(last_below));
        vec![(1.0 - above, &self.pieces[0]), (above, &self.pieces[1])]
    }
}
