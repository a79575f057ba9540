//! `[SET] VARIABLE=VALUES…` behind `waits model` and `best allocation`.

use std::ops::Range;

use call_grammar::suggest;
use call_report::number;

use super::sampled_runs::SampledRuns;
use crate::Error;
use crate::command::points::{
    GivenValues, combinations, expected_value, given_again, is_value, missing_value,
};
use crate::command::values::{MOST_POINTS, span};
use crate::error::code;
use crate::words::Word;

/// The words, taken apart.
pub struct ModelWords<'a> {
    /// A data set or trace.
    pub data: Option<&'a Word>,
    /// No two of the same name.
    pub given: Vec<GivenValues>,
}

impl<'a> ModelWords<'a> {
    pub fn of(words: &'a [Word]) -> Result<ModelWords<'a>, Error> {
        let mut found = ModelWords { data: None, given: Vec::new() };
        for word in words {
            if !is_value(word) {
                match found.data {
                    None => found.data = Some(word),
                    Some(_) => return Err(expected_value(word)),
                }
                continue;
            }
            let one = given(word)?;
            if found.given.iter().any(|other| other.name == one.name) {
                return Err(given_again(&one.name, one.span));
            }
            found.given.push(one);
        }
        Ok(found)
    }

    /// Takes the values of a name out of those given.
    pub fn take(&mut self, name: &str) -> Option<GivenValues> {
        let place = self.given.iter().position(|one| one.name == name)?;
        Some(self.given.remove(place))
    }

    /// By the number of their variable; what has one value in all runs has no other here.
    pub fn by_variable(&self, runs: &SampledRuns) -> Result<Vec<(usize, &GivenValues)>, Error> {
        let mut found = Vec::new();
        for one in &self.given {
            if let Some(place) = runs.variables.iter().position(|name| *name == one.name) {
                found.push((place, one));
                continue;
            }
            let Some((name, value)) = runs.constants.iter().find(|(name, _)| *name == one.name) else {
                let known = runs.variables.iter().map(String::as_str);
                let message = format!("`{}` is no variable that differs between the runs", one.name);
                return Err(Error::at(code::UNKNOWN_VARIABLE, one.span.clone(), message).suggesting(
                    suggest(&one.name, known),
                    format!("these do: {}", runs.variables.join(", ")),
                ));
            };
            if one.values != [*value] {
                let value = number::exact(*value);
                let message = format!("`{name}` was {value} in all runs: nothing is known of others");
                return Err(Error::at(code::WRONG_VALUE, one.span.clone(), message)
                    .help(format!("record runs with other values of `{name}`")));
            }
        }
        Ok(found)
    }

    /// Whether what allocates processors has numbers of processors.
    pub fn check_counts(&self, runs: &SampledRuns, allocating: &[usize]) -> Result<(), Error> {
        for (_, one) in self.by_variable(runs)?.iter().filter(|(place, _)| allocating.contains(place)) {
            if one.values.iter().any(|value| *value < 1.0 || value.fract() != 0.0) {
                let message = format!("`{}` is a number of processors", one.name);
                return Err(Error::at(code::WRONG_VALUE, one.span.clone(), message)
                    .help("a whole number from 1 on: in each run there were as many that do the same"));
            }
        }
        Ok(())
    }

    /// All combinations of the values, each with one for every variable.
    pub fn points(&self, runs: &SampledRuns, end: Range<usize>) -> Result<Vec<Vec<f64>>, Error> {
        let given = self.by_variable(runs)?;
        let mut order = Vec::new();
        for (place, name) in runs.variables.iter().enumerate() {
            let one = given.iter().find(|(its, _)| *its == place);
            order.push(one.map(|(_, given)| *given).ok_or_else(|| missing_value(name, end.clone()))?);
        }
        combinations(&order)
    }
}

/// Also all whole numbers of a range.
fn given(word: &Word) -> Result<GivenValues, Error> {
    let range = word.assignment().and_then(|(name, text)| Some((name, span(text)?)));
    let Some((name, range)) = range else { return GivenValues::of(word) };
    let count = range.highest - range.lowest + 1.0;
    if range.lowest.fract() != 0.0 || !(1.0..=MOST_POINTS as f64).contains(&count) {
        return Err(word
            .error(code::WRONG_VALUE, "FROM..TO are whole numbers here, and not too many")
            .help(format!("for example `{name}=1..8`")));
    }
    let mut one = GivenValues::asked(name, word.span.clone());
    one.values = (0..count as usize).map(|step| range.lowest + step as f64).collect();
    Ok(one)
}
