//! What to measure for a forecast of a given formula.

use call_model::{Explanation, Forecast, Forecaster, Gap, Predictor, Slice};

use crate::advise::{Advice, Voter, expected_left, worth_it};
use crate::pattern::candidates;
use crate::{Measurements, advise::distinct};

/// Where more is left, a measurement is not worth telling.
const WORTH_TELLING: f64 = 0.9995;

/// The same beside the question on which side of a border the target is.
const WORTH_TELLING_IN_GAP: f64 = 0.99;

/// Which point to measure next for a narrower forecast at the target, as [`FoundFormulas::advise`](crate::FoundFormulas::advise) says it where
/// there is no formula: candidates tell the formula and its rivals apart and fix their constants. The slice is of the forecaster
/// along the variables of the measurements.
///
/// In a gap between two intervals of the constants the first advice is to halve it: by a border that may be anywhere in it with the
/// same probability, on the logarithmic axis, what is expected to be left of the logarithm of upper / lower end is told. All else
/// narrows only what one side says.
pub fn advise_forecast(
    forecaster: &Forecaster,
    slice: &Slice,
    measurements: &Measurements,
    target: &[f64],
    level: f64,
) -> Vec<Advice> {
    let levels: Vec<Vec<f64>> = measurements.points().iter().map(|column| distinct(column)).collect();
    let there = slice.point(target);
    let forecast = forecaster.forecast(&there, level);
    let one_side = forecaster.forecast_of_side(&there, forecast.prediction.cell, level);
    let share = Some(width(&one_side) / width(&forecast)).filter(|share| share.is_finite()).unwrap_or(1.0);
    let advice = candidates(measurements, &levels).into_iter().filter_map(|point| {
        let here = slice.point(&point);
        let explanations = forecaster.explanations(&here, &there).into_iter();
        let voters: Vec<Voter> = explanations.map(|one| Voter::from(one).within(&one_side)).collect();
        let left = 1.0 - share * (1.0 - expected_left(&voters)?);
        let cost = forecaster.time_s(&here).ok().filter(|cost| cost.is_finite())?.abs();
        (left < WORTH_TELLING).then_some(Advice { point, cost, left })
    });
    let advice = worth_it(advice.collect());
    let halving: Vec<Advice> = forecaster
        .gaps()
        .iter()
        .filter(|gap| gap.contains(&there))
        .filter_map(|gap| halved(forecaster, slice, (gap, measurements), target, (&forecast, level)))
        .collect();
    if halving.is_empty() {
        return advice;
    }
    halving.into_iter().chain(advice.into_iter().filter(|one| one.left < WORTH_TELLING_IN_GAP)).collect()
}

/// Measuring in the middle of a gap that the target is in.
fn halved(
    forecaster: &Forecaster,
    slice: &Slice,
    (gap, measurements): (&Gap, &Measurements),
    target: &[f64],
    (forecast, level): (&Forecast, f64),
) -> Option<Advice> {
    let point = middle_of(forecaster, gap, measurements, target)?;
    let cost = forecaster.time_s(&slice.point(&point)).ok()?.abs();
    let there = slice.point(target);
    let (others, _) = forecaster.model().other_sides(&there, forecast.prediction.cell);
    // The side that is left if the border turns out not to be between the middle and the target.
    let above = forecast.prediction.cell;
    let below = *others.first()?;
    let side = |cell: usize| width(&forecaster.forecast_of_side(&there, cell, level)) / width(forecast);
    let (value, middle) = (there[gap.variable], gap.middle?);
    let left = if value == middle {
        (side(above) + side(below)) / 2.0
    } else {
        let known = side(if value > middle { above } else { below });
        (known + 1.0) / 2.0
    };
    Some(Advice { point, cost, left }).filter(|advice| advice.left.is_finite())
}

/// Where to measure to halve a gap: as the target, but in its middle. None where its variable cannot be chosen, or there is nothing
/// between the samples.
pub fn middle_of(
    forecaster: &Forecaster,
    gap: &Gap,
    measurements: &Measurements,
    target: &[f64],
) -> Option<Vec<f64>> {
    let name = &forecaster.variables()[gap.variable];
    let place = measurements.variables().iter().position(|known| known == name)?;
    let mut point = target.to_vec();
    point[place] = gap.middle?;
    Some(point)
}

/// The gaps below a target, or that it is in, whose sides disagree in their middle: where their intervals have nothing in common.
/// Each with the point that halves it.
pub fn gaps_that_matter(
    forecaster: &Forecaster,
    slice: &Slice,
    measurements: &Measurements,
    target: &[f64],
    level: f64,
) -> Vec<(Gap, Advice)> {
    let there = slice.point(target);
    let matters = |gap: Gap| {
        let point = middle_of(forecaster, &gap, measurements, target)?;
        let here = slice.point(&point);
        let own = forecaster.model().predict(&here);
        let (others, _) = forecaster.model().other_sides(&here, own.cell);
        let upper = forecaster.forecast_of_side(&here, own.cell, level);
        let is_apart = |cell: &usize| {
            let lower = forecaster.forecast_of_side(&here, *cell, level);
            lower.upper_s < upper.lower_s || upper.upper_s < lower.lower_s
        };
        let is_told = there[gap.variable] >= gap.above && others.iter().any(is_apart);
        is_told.then_some((gap, Advice { point, cost: own.time_s.abs(), left: 1.0 }))
    };
    forecaster.gaps().into_iter().filter_map(matters).collect()
}

impl Voter {
    /// What lies outside of an interval counts as its ends do: an improbable rival far out widens no interval, but any deviation.
    fn within(mut self, forecast: &Forecast) -> Voter {
        let [low, high] = [forecast.lower_s.ln(), forecast.upper_s.ln()];
        if !(low.is_finite() && high.is_finite() && low < high) {
            return self;
        }
        self.at_target = self.at_target.clamp(low, high);
        let share = ((high - low).powi(2) / 4.0 / self.variance_at_target).min(1.0);
        self.variance_at_target *= share;
        self.covariance *= share.sqrt();
        self
    }
}

fn width(forecast: &Forecast) -> f64 {
    (forecast.upper_s / forecast.lower_s).ln()
}

impl From<Explanation> for Voter {
    fn from(one: Explanation) -> Voter {
        Voter {
            weight: one.probability,
            at_target: one.second.0,
            variance_at_target: one.second.1,
            at_candidate: one.first.0,
            variance_at_candidate: one.first.1,
            covariance: one.covariance,
        }
    }
}
