use std::cmp::Ordering;
use std::sync::Arc;

use call_model::question::ValueRange;
use call_model::{Predictor, Prepared, Slice};
use call_report::number;

use super::distinct;
use crate::command::known_names::{check_known, unknown};
use crate::command::question::Question;
use crate::command::subject::{Subject, SubjectKind};
use crate::error::code;
use crate::words::Word;
use crate::{Error, Session};

/// The names that a picture of a subject is over: its variables, or what they are computed from where the picture names that, or the
/// machine gives values.
pub struct Space<'a> {
    pub subject: &'a Subject,
    pub names: Vec<String>,
    /// The samples that are drawn, if there are any at such points.
    pub prepared: Option<Arc<Prepared>>,
    /// Whether curves are drawn at the values of the samples, rather than at those given.
    is_sampled: bool,
}

impl<'a> Space<'a> {
    pub fn of(session: &mut Session, subject: &'a Subject, question: &Question) -> Result<Space<'a>, Error> {
        let valued: Vec<_> =
            question.given.iter().chain(question.ranges.iter().map(|(one, _)| one)).collect();
        check_known(&[subject], &valued)?;
        let found = subject.found.as_ref();
        let prepared = found.map(|found| session.prepared(found.experiment()));
        let axes = question.words.iter().map(|word| word.text.as_str());
        let named: Vec<&str> = axes.chain(question.names()).collect();
        let has_column =
            |name: &str| prepared.as_ref().is_some_and(|known| known.samples().column(name).is_some());
        let predictor = subject.predictor();
        let was_sampled = |name: &str| subject.loaded.is_some() && predictor.sampled(name).is_some();
        let is_known = |name: &str| named.contains(&name) || has_column(name) || was_sampled(name);
        let inputs = predictor.definitions().inputs(predictor.variables(), &named, &is_known);
        let is_sampled = !matches!(subject.kind, SubjectKind::Program(_) | SubjectKind::Replayed(_));
        // What is not changed of a recorded run has no value.
        let is_shown =
            |name: &&str| !matches!(subject.kind, SubjectKind::Replayed(_)) || named.contains(name);
        let names: Vec<String> = inputs.into_iter().filter(is_shown).map(str::to_owned).collect();
        Ok(Space { subject, names, prepared, is_sampled })
    }

    /// The samples' values of a name.
    pub fn column(&self, name: &str) -> &[f64] {
        self.prepared.as_ref().and_then(|known| known.samples().column(name)).unwrap_or_default()
    }

    /// The predictor at values of the names.
    pub fn slice(&self) -> Slice<'_> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        Slice::new(self.subject.predictor(), &names, &[])
    }

    /// From where to where a variable was sampled, else from where to where its values are.
    pub fn sampled(&self, variable: usize) -> Option<(f64, f64)> {
        let name = &self.names[variable];
        if self.subject.loaded.is_some() && self.prepared.is_none() && self.is_sampled {
            let range = self.subject.predictor().sampled(name);
            return range.map(|range| (range.lowest, range.highest)).filter(|ends| ends.0 <= ends.1);
        }
        let column = self.column(name);
        let finite = || column.iter().copied().filter(|value| value.is_finite());
        let ends = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        (ends.0 <= ends.1).then_some(ends)
    }

    /// From where to where an axis goes: what is asked for, from the first to the last of several values of it too, or what was sampled.
    pub fn range(&self, axis: usize, question: &Question) -> Result<ValueRange, Error> {
        let name = &self.names[axis];
        let asked = question.ranges.iter().find(|(known, _)| known.name == *name).map(|(_, range)| *range);
        let listed = question.given.iter().find(|known| known.name == *name).map(|one| distinct(&one.values));
        let listed = listed.and_then(|values| match values[..] {
            [lowest, .., highest] => Some(ValueRange { lowest, highest }),
            _ => None,
        });
        let sampled = || self.sampled(axis).map(|(lowest, highest)| ValueRange { lowest, highest });
        asked.or(listed).or_else(sampled).ok_or_else(|| {
            Error::at(
                code::MISSING_VALUE,
                question.end.clone(),
                format!("from where to where `{name}` goes is not said"),
            )
            .help(format!("`{name}=1..1e6`, or values: `{name}=1:64:2`"))
        })
    }

    /// The position of the variable that a word names, else of one with a range, else of the sampled one with most values, rather
    /// without than with values that are given, of those given the one with most of them; none that is taken.
    pub fn axis(&self, word: Option<&Word>, taken: &[usize], question: &Question) -> Result<usize, Error> {
        if let Some(word) = word {
            let position = self.names.iter().position(|name| *name == word.text);
            return position.ok_or_else(|| unknown(&[self.subject], &word.text, word.span.clone()));
        }
        let values = |name: &str| {
            let given = question.given.iter().find(|one| one.name == name);
            given.map(|one| distinct(&one.values).len())
        };
        let preference = |index: usize| {
            let name = &self.names[index];
            let has_range = question.ranges.iter().any(|(known, _)| known.name == *name);
            match self.is_sampled {
                true => {
                    let count = distinct(self.column(name)).len();
                    (has_range, values(name).is_none(), values(name).unwrap_or(0), count, usize::MAX - index)
                }
                false => (has_range, false, values(name).unwrap_or(1), 0, index),
            }
        };
        (0..self.names.len())
            .filter(|index| !taken.contains(index))
            .max_by_key(|index| preference(*index))
            .ok_or_else(|| Error::new(code::NOTHING_TO_DRAW, "there is no variable to draw over"))
    }

    /// Combinations of the values of all variables but those at `axes`, ascending: those of the samples, with each of the values that
    /// the user gives. A combination has a value for every variable; at the axes it is NaN.
    pub fn combinations(&self, axes: &[usize], question: &Question) -> Result<Vec<Vec<f64>>, Error> {
        let values_of =
            |name: &String| question.given.iter().find(|one| one.name == *name).map(|one| &one.values);
        let given: Vec<Option<&Vec<f64>>> = (0..self.names.len())
            .map(|index| values_of(&self.names[index]).filter(|_| !axes.contains(&index)))
            .collect();
        let is_of_samples = |index: &usize| !axes.contains(index) && given[*index].is_none();
        let columns: Vec<&[f64]> = self.names.iter().map(|name| self.column(name)).collect();
        let missing = (0..self.names.len())
            .filter(is_of_samples)
            .find(|index| !self.is_sampled || columns[*index].is_empty());
        if let Some(index) = missing {
            return Err(crate::command::points::missing_value(&self.names[index], question.end.clone()));
        }
        let has_rows = self.is_sampled && (0..self.names.len()).any(|index| is_of_samples(&index));
        let rows = if has_rows { columns.iter().map(|column| column.len()).max().unwrap_or(0) } else { 1 };
        let of_row = |row: usize| {
            let value = |index: usize| if is_of_samples(&index) { columns[index][row] } else { f64::NAN };
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
        Ok(ascending(all))
    }

    /// `P = 4, M = 8` for the variables that are no axes.
    pub fn label(&self, axes: &[usize], point: &[f64]) -> String {
        self.labels(axes, point).join(", ")
    }

    /// `P = 4` for each variable that is no axis.
    pub fn labels(&self, axes: &[usize], point: &[f64]) -> Vec<String> {
        let parts = self.names.iter().zip(point).enumerate().filter(|(index, _)| !axes.contains(index));
        parts.map(|(_, (name, value))| format!("{name} = {}", number::short(*value))).collect()
    }

    /// The value of a variable at a point.
    pub fn value(&self, name: &str, point: &[f64]) -> Option<f64> {
        self.names.iter().zip(point).find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The variables that are no axes.
    pub fn others(&self, axes: &[usize]) -> Vec<&str> {
        let others = self.names.iter().enumerate().filter(|(index, _)| !axes.contains(index));
        others.map(|(_, name)| name.as_str()).collect()
    }

    /// What is drawn, for a small line under the title.
    pub fn note(&self) -> Option<String> {
        let predictor: &dyn Predictor = self.subject.predictor();
        predictor.formula().map(|formula| format!("{} = {formula}", predictor.name()))
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
