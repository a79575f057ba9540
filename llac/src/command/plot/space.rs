use std::cmp::Ordering;

use call_model::{Model, Prepared};
use call_report::number;

use super::{Request, borders, distinct};
use crate::Error;
use crate::command::definitions::Definitions;
use crate::command::points::{Given, variables};
use crate::command::sources::{Sources, check, definitions, unknown};
use crate::experiments::Found;
use crate::words::Word;

/// The variables that a picture of a model is over: those of its formula, or those that they are computed from where the picture names
/// these, or the machine gives values.
pub struct Space<'a> {
    names: Vec<String>,
    /// The samples' values of each.
    columns: Vec<&'a [f64]>,
    model: &'a Model,
    sources: Sources<'a>,
    found: &'a Found,
}

impl<'a> Space<'a> {
    pub fn of(
        found: &'a Found,
        model: &'a Model,
        prepared: &'a Prepared,
        request: &Request,
    ) -> Result<Space<'a>, Error> {
        let samples = prepared.samples();
        let definitions = definitions(found);
        let named = request.names();
        let is_known = |name: &str| named.contains(&name) || samples.column(name).is_some();
        let inputs = definitions.inputs(&variables(model), &named, &is_known);
        let names: Vec<String> = inputs.into_iter().map(str::to_owned).collect();
        let given: Vec<Given> = names.iter().map(|name| Given::asked(name, 0..0)).collect();
        let given: Vec<&Given> = given.iter().collect();
        let models = [(model, definitions)];
        check(&models, &[], &given, 0..0)?;
        let [(model, definitions)] = models;
        let columns = names.iter().map(|name| samples.column(name).unwrap_or_default()).collect();
        let sources = Sources::new(model, definitions, &[], names.clone());
        Ok(Space { columns, model, sources, found, names })
    }

    /// The point of the formula's variables.
    pub fn point(&self, values: &[f64]) -> Vec<f64> {
        self.sources.point(values)
    }

    /// The names of the variables, and the samples' values of each.
    pub fn columns(&self) -> (&[String], &[&'a [f64]]) {
        (&self.names, &self.columns)
    }

    /// From where to where a variable was sampled.
    pub fn sampled(&self, variable: usize) -> (f64, f64) {
        let finite = || self.columns[variable].iter().copied().filter(|value| value.is_finite());
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max))
    }

    /// Where the model's cells end along a variable.
    pub fn borders(&self, variable: usize) -> Vec<f64> {
        let own = variables(self.model).iter().position(|name| *name == self.names[variable]);
        own.map_or(Vec::new(), |own| borders(self.model, own))
    }

    /// The position of the variable that a word names, else of one with a range, else of the sampled one with most values, rather
    /// without than with values that are given; none that is taken.
    pub fn axis(&self, word: Option<&Word>, taken: &[usize], request: &Request) -> Result<usize, Error> {
        if let Some(word) = word {
            let position = self.names.iter().position(|name| *name == word.text);
            return position.ok_or_else(|| {
                let models: [(&Model, Definitions); 1] = [(self.model, definitions(self.found))];
                unknown(&models, &word.text, word.span.clone())
            });
        }
        let free = (0..self.names.len()).filter(|index| !taken.contains(index));
        let counts = free.map(|index| (index, distinct(self.columns[index]).len()));
        let preference = |index: usize| {
            let name = &self.names[index];
            (request.has_range(name), request.values_of(name).is_none())
        };
        counts
            .max_by_key(|(index, count)| (preference(*index), *count, usize::MAX - index))
            .map(|(index, _)| index)
            .ok_or_else(|| Error::new("the formula has no variable to draw over"))
    }

    /// Combinations of the values of all variables but those at `axes`, ascending: those of the samples, with each of the values that
    /// the user gives. A combination has a value for every variable; at the axes it is NaN.
    pub fn combinations(&self, axes: &[usize], request: &Request) -> Vec<Vec<f64>> {
        let given: Vec<Option<&[f64]>> = self
            .names
            .iter()
            .enumerate()
            .map(|(index, name)| request.values_of(name).filter(|_| !axes.contains(&index)))
            .collect();
        let is_of_samples = |index: usize| !axes.contains(&index) && given[index].is_none();
        let rows = self.columns.iter().map(|column| column.len()).max().unwrap_or(0);
        let of_row = |row: usize| {
            let value = |index: usize| if is_of_samples(index) { self.columns[index][row] } else { f64::NAN };
            (0..self.names.len()).map(value).collect::<Vec<f64>>()
        };
        let mut all = ascending((0..rows).map(of_row).collect());
        for (index, values) in given.iter().enumerate() {
            let Some(values) = values else { continue };
            let with = |point: &Vec<f64>| {
                let mut points = vec![point.clone(); values.len()];
                points.iter_mut().zip(*values).for_each(|(point, value)| point[index] = *value);
                points
            };
            all = all.iter().flat_map(with).collect();
        }
        ascending(all)
    }

    /// `P = 4, M = 8` for the variables that are no axes.
    pub fn label(&self, axes: &[usize], point: &[f64]) -> String {
        let parts = self.names.iter().zip(point).enumerate().filter(|(index, _)| !axes.contains(index));
        let parts = parts.map(|(_, (name, value))| format!("{name} = {}", number::short(*value)));
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The variables that are no axes.
    pub fn others(&self, axes: &[usize]) -> Vec<&str> {
        let others = self.names.iter().enumerate().filter(|(index, _)| !axes.contains(index));
        others.map(|(_, name)| name.as_str()).collect()
    }
}

/// Different points in ascending order.
fn ascending(mut points: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let order = |one: &Vec<f64>, other: &Vec<f64>| {
        let mut orders = one.iter().zip(other).map(|(a, b)| a.total_cmp(b));
        orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    points.sort_by(order);
    points.dedup_by(|one, other| order(one, other).is_eq());
    points
}
