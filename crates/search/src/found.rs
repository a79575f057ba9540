use crate::candidates::Candidates;
use crate::evidence::WeightedValues;
use crate::finder::prepare;
use crate::fitted::{Fitted, FittedPiece, NoiseLaw};
use crate::grid::ShapeGrid;
use crate::orthogonal::Orthogonal;
use crate::term::{Factors, text};
use crate::{FoundFormulas, Measurements};

/// A formula that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundModel {
    /// The formula where the variables are large, with its constants.
    pub formula: FoundFormula,
    /// If the formula holds from a value of a variable on: where, and what holds below.
    pub interval: Option<FoundInterval>,
    /// Points (one number for each variable) that were taken for disturbed and left out.
    pub disturbed: Vec<Vec<f64>>,
    /// How its noise grows with the value.
    pub noise_law: NoiseLaw,
    /// Probability of the model among those that were found; they add up to 1.
    pub probability: f64,
    /// Logarithm of prior times marginal likelihood, the criterion of the search; larger is better, differences count.
    pub log_evidence: f64,
    /// Root of the mean square of the residuals per degree of freedom, relative to the value (under [`NoiseLaw::Root`]: at a typical
    /// value); NaN without any.
    pub relative_error: f64,
    /// Median relative error at the points with the largest value of some variable, when the constants are fitted without them. None
    /// if too few points are left.
    pub held_out_error: Option<f64>,
}

/// A formula in canonical form with the values of its constants.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundFormula {
    /// As it stands in a pragma: `f[0] + f[1]*N*log(N)/P`.
    pub text: String,
    /// `f[0]`, `f[1]`, …, in the unit of the values per unit of the term.
    pub constants: Vec<f64>,
    /// Their standard errors.
    pub standard_errors: Vec<f64>,
}

/// The end of the interval of a formula.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundInterval {
    /// The variable.
    pub variable: String,
    /// Its smallest measured value for which the formula holds.
    pub from: f64,
    /// What holds below.
    pub below: FoundFormula,
}

impl FoundModel {
    /// Whether the two differ in nothing but the noise law and what it does to the constants.
    fn is_twin_of(&self, other: &FoundModel) -> bool {
        let place = |model: &FoundModel| {
            model.interval.as_ref().map(|interval| {
                (interval.variable.clone(), interval.from.to_bits(), interval.below.text.clone())
            })
        };
        self.formula.text == other.formula.text
            && self.disturbed == other.disturbed
            && place(self) == place(other)
    }
}

/// A point that most models leave out, by their weights.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOutPoint {
    /// Variables with their values.
    pub point: Vec<(String, f64)>,
    /// What was measured there / what the most plausible of these models says.
    pub factor: f64,
}

impl FoundFormulas {
    /// The points that the prediction takes for disturbed, at least as far as it is one by formulas.
    pub fn left_out(&self) -> Vec<LeftOutPoint> {
        let of_row = |row: usize| {
            let leaving = || self.models.iter().filter(|model| model.disturbed.contains(&row));
            if leaving().map(|model| model.weight).sum::<f64>() <= 0.5 {
                return None;
            }
            let point = self.measurements.point(row);
            let value = leaving().next()?.piece(&point).value(&point).0;
            let factor = self.measurements.values[row] / self.unit / value;
            Some(LeftOutPoint {
                point: self.measurements.variables.iter().cloned().zip(point).collect(),
                factor,
            })
        };
        (0..self.measurements.len()).filter_map(of_row).collect()
    }

    /// The formulas for an experiment of that name, the most plausible first. A formula that is plausible under both noise laws stands
    /// there once, as under the more plausible one, with the probability of both. Values that are all 0 have the constant 0.
    pub fn ranked(&self, experiment: &str) -> Vec<FoundModel> {
        if self.models.is_empty() && !self.measurements.is_empty() {
            return vec![nothing(experiment)];
        }
        let (values, _) = prepare(&self.measurements);
        let grid = ShapeGrid::new(&self.measurements);
        let mut ranked: Vec<FoundModel> = Vec::new();
        for model in &self.models {
            let found = self.found(experiment, model, &grid, &values);
            match ranked.iter_mut().find(|other| other.is_twin_of(&found)) {
                Some(other) => other.probability += found.probability,
                None => ranked.push(found),
            }
        }
        ranked.sort_by(|left, right| right.probability.total_cmp(&left.probability));
        ranked
    }

    fn found(
        &self,
        experiment: &str,
        model: &Fitted,
        grid: &ShapeGrid,
        values: &WeightedValues,
    ) -> FoundModel {
        let noise = model.noise(self.noise.usual).sqrt();
        let formula = |piece: &FittedPiece| self.formula(experiment, piece, noise);
        // The pieces stand in the order of the variable.
        let (below, last) = match &model.pieces[..] {
            [below, last] => (Some(below), last),
            pieces => (None, &pieces[0]),
        };
        let interval = model.split.zip(below).map(|((variable, from), below)| FoundInterval {
            variable: self.measurements.variables[variable].clone(),
            from,
            below: formula(below),
        });
        FoundModel {
            formula: formula(last),
            interval,
            disturbed: model.disturbed.iter().map(|row| self.measurements.point(*row)).collect(),
            noise_law: model.law,
            probability: model.weight,
            log_evidence: model.log_weight,
            relative_error: (model.squares / model.freedom as f64).sqrt(),
            held_out_error: held_out_error(&self.measurements, model, last, grid, values),
        }
    }

    fn formula(&self, experiment: &str, piece: &FittedPiece, noise: f64) -> FoundFormula {
        let errors = piece.standard_errors();
        FoundFormula {
            text: formula_text(experiment, &piece.factors[..piece.count], &self.measurements.variables),
            constants: piece.constants[..piece.count].iter().map(|value| self.unit * value).collect(),
            standard_errors: errors[..piece.count]
                .iter()
                .map(|error| error * noise * self.unit.abs())
                .collect(),
        }
    }
}

fn formula_text(experiment: &str, terms: &[Factors], variables: &[String]) -> String {
    let constants = call_grammar::constants_of(experiment);
    let terms = terms.iter().enumerate();
    let terms: Vec<String> =
        terms.map(|(index, factors)| format!("{constants}[{index}]{}", text(factors, variables))).collect();
    terms.join(" + ")
}

fn nothing(experiment: &str) -> FoundModel {
    FoundModel {
        formula: FoundFormula {
            text: format!("{}[0]", call_grammar::constants_of(experiment)),
            constants: vec![0.0],
            standard_errors: vec![0.0],
        },
        interval: None,
        disturbed: Vec::new(),
        noise_law: NoiseLaw::Relative,
        probability: 1.0,
        log_evidence: 0.0,
        relative_error: 0.0,
        held_out_error: None,
    }
}

/// How well the terms of the last piece, fitted without the largest points, predict these.
fn held_out_error(
    measurements: &Measurements,
    model: &Fitted,
    last: &FittedPiece,
    grid: &ShapeGrid,
    values: &WeightedValues,
) -> Option<f64> {
    let holds = |row: &usize| match model.split {
        Some((variable, from)) => measurements.points[variable][*row] >= from,
        None => true,
    };
    let rows: Vec<usize> =
        (0..measurements.len()).filter(|row| holds(row) && !model.disturbed.contains(row)).collect();
    let largest: Vec<f64> = (0..grid.variables())
        .map(|variable| grid.levels(variable, &rows))
        .map(|levels| if levels.len() > 1 { levels[levels.len() - 1] } else { f64::INFINITY })
        .collect();
    let is_large =
        |row: &usize| (0..grid.variables()).any(|variable| grid.points(variable)[*row] >= largest[variable]);
    let (large, small): (Vec<usize>, Vec<usize>) = rows.into_iter().partition(is_large);
    if large.is_empty() || small.len() < last.count {
        return None;
    }
    let candidates = Candidates::of_terms(grid, &small, values, &last.factors[..last.count]);
    if candidates.factors.len() < last.count {
        return None;
    }
    let columns: Vec<u16> = (0..last.count as u16).collect();
    let constants = Orthogonal::new(&candidates, &columns).constants;
    let error = |row: &usize| {
        let point = measurements.point(*row);
        let terms = last.factors[..last.count].iter().zip(constants.iter().zip(&candidates.scale));
        let value: f64 = terms
            .map(|(factors, (constant, scale))| constant / scale * crate::term::evaluate(factors, &point))
            .sum();
        ((value - values.values[*row]) * values.weights[*row]).abs()
    };
    let mut errors: Vec<f64> = large.iter().map(error).collect();
    errors.sort_by(f64::total_cmp);
    Some(errors[errors.len() / 2]).filter(|error| error.is_finite())
}
