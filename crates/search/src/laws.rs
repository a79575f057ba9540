use crate::candidates::Candidates;
use crate::evidence::{WeightedValues, evidence};
use crate::fitted::{Fitted, FittedPiece, NoiseLaw};
use crate::grid::ShapeGrid;

impl WeightedValues {
    /// The value at which both noise laws have the same weight: the geometric mean, so that the likelihoods of the laws need no further
    /// factor to be compared.
    pub fn typical(&self) -> f64 {
        let sum: f64 = self.weights.iter().map(|weight| weight.ln()).sum();
        (-sum / self.weights.len() as f64).exp()
    }

    /// Values with relative weights, with those of the root law.
    pub fn under_root_law(&self) -> WeightedValues {
        let typical = self.typical();
        let weights = self.weights.iter().map(|weight| (weight / typical).sqrt()).collect();
        WeightedValues { values: self.values.clone(), weights, source: self.source.clone(), ..*self }
    }
}

/// The same terms fitted under the root law; none if a constant would be negative. Both laws are as likely beforehand, and as every
/// model is tried under both, that needs no factor.
pub(crate) fn under_root_law(grid: &ShapeGrid, values: &WeightedValues, model: &Fitted) -> Option<Fitted> {
    let mut pieces = Vec::with_capacity(model.pieces.len());
    let mut diagonal: Vec<f64> = Vec::new();
    let (mut points, mut squares) = (0, 0.0);
    for (position, piece) in model.pieces.iter().enumerate() {
        let holds = |row: &usize| match model.split {
            Some((variable, from)) => (grid.points(variable)[*row] >= from) == (position == 1),
            None => !model.disturbed.contains(row),
        };
        let rows: Vec<usize> = (0..values.values.len()).filter(holds).collect();
        let terms = &piece.factors[..piece.count];
        let candidates = Candidates::of_terms(grid, &rows, values, terms);
        if candidates.factors.len() < terms.len() {
            return None;
        }
        let piece = FittedPiece::of_all(grid, &rows, &candidates)?;
        points += rows.len();
        diagonal.extend(piece.diagonal());
        squares += piece.squares;
        pieces.push(piece);
    }
    let evidence = evidence(points, squares, &values.noise, &diagonal);
    let evidence = if model.disturbed.is_empty() { evidence } else { evidence.of_timings() };
    Some(Fitted {
        pieces,
        split: model.split,
        disturbed: model.disturbed.clone(),
        law: NoiseLaw::Root,
        squares,
        freedom: model.freedom,
        noisy: evidence.noisy,
        log_prior: model.log_prior,
        log_weight: model.log_prior + evidence.log,
        weight: 0.0,
    })
}
