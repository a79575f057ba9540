use super::{Fixed, NoAnswer};
use crate::{Forecast, Forecaster};

/// A model along one or more variables, the others having fixed values.
pub(super) struct Line<'a, 'm> {
    pub(super) forecaster: &'a Forecaster<'m>,
    /// Positions of the free variables; none for one that the formula does not have.
    free: Vec<Option<usize>>,
    point: Vec<f64>,
}

impl<'a, 'm> Line<'a, 'm> {
    /// # Errors
    /// Unless each variable of the formula is free or has one finite value, and each name is known.
    pub(super) fn new(
        forecaster: &'a Forecaster<'m>,
        free: &[&str],
        fixed: &[Fixed],
    ) -> Result<Line<'a, 'm>, NoAnswer> {
        check_names(&[forecaster], free, fixed)?;
        Line::among_others(forecaster, free, fixed)
    }

    /// The same where names may belong to another model.
    pub(super) fn among_others(
        forecaster: &'a Forecaster<'m>,
        free: &[&str],
        fixed: &[Fixed],
    ) -> Result<Line<'a, 'm>, NoAnswer> {
        let names = names(forecaster);
        let value = |name: &String| fixed.iter().find(|(fixed, _)| fixed == name).map(|(_, value)| *value);
        let missing: Vec<String> = names
            .iter()
            .filter(|name| value(name).is_none() && !free.contains(&name.as_str()))
            .cloned()
            .collect();
        if !missing.is_empty() {
            return Err(NoAnswer::MissingValues { names: missing });
        }
        let free = free.iter().map(|free| names.iter().position(|name| name == free)).collect();
        let point = names.iter().map(|name| value(name).unwrap_or(f64::NAN)).collect();
        Ok(Line { forecaster, free, point })
    }

    /// The point where the free variables have these values.
    fn point(&self, values: &[f64]) -> Vec<f64> {
        let mut point = self.point.clone();
        for (position, value) in self.free.iter().zip(values) {
            if let Some(position) = position {
                point[*position] = *value;
            }
        }
        point
    }

    pub(super) fn time_s(&self, values: &[f64]) -> f64 {
        self.forecaster.model().predict(&self.point(values)).time_s
    }

    pub(super) fn forecast(&self, values: &[f64], level: f64) -> Forecast {
        self.forecaster.forecast(&self.point(values), level)
    }

    /// Where the model may jump along a free variable, ascending: the last values of its intervals.
    pub(super) fn borders(&self, free: usize) -> Vec<f64> {
        let Some(position) = self.free[free] else { return Vec::new() };
        let cells = self.forecaster.model().cells().iter();
        let mut borders: Vec<f64> =
            cells.map(|cell| cell.intervals[position].upper).filter(|upper| upper.is_finite()).collect();
        borders.sort_by(f64::total_cmp);
        borders.dedup();
        borders
    }

    /// Smallest and largest sampled value of a free variable.
    pub(super) fn sampled(&self, free: usize) -> Option<(f64, f64)> {
        let range = self.forecaster.model().ranges()[self.free[free]?];
        Some((range.lowest, range.highest))
    }
}

fn names(forecaster: &Forecaster) -> Vec<String> {
    forecaster.model().formula().variables().iter().map(|variable| variable.name().to_owned()).collect()
}

/// Each name is a variable of one of the models, none comes twice, and values are finite.
pub(super) fn check_names(
    forecasters: &[&Forecaster],
    free: &[&str],
    fixed: &[Fixed],
) -> Result<(), NoAnswer> {
    let mut known: Vec<String> = Vec::new();
    for name in forecasters.iter().flat_map(|forecaster| names(forecaster)) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let asked: Vec<&str> = free.iter().copied().chain(fixed.iter().map(|(name, _)| *name)).collect();
    for (position, name) in asked.iter().enumerate() {
        if !known.iter().any(|known| known == name) {
            let suggestion = call_grammar::suggest(name, known.iter().map(String::as_str)).map(str::to_owned);
            return Err(NoAnswer::UnknownVariable { name: (*name).to_owned(), suggestion, known });
        }
        if asked[..position].contains(name) {
            return Err(NoAnswer::GivenTwice { name: (*name).to_owned() });
        }
    }
    match fixed.iter().find(|(_, value)| !value.is_finite()) {
        Some((name, value)) => Err(NoAnswer::NotFinite { name: (*name).to_owned(), value: *value }),
        None => Ok(()),
    }
}
