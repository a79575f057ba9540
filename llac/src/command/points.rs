//! `N=1024,4096 P=1:32:2`: points of the space of a formula's variables.

use std::collections::BTreeSet;
use std::ops::Range;

use call_grammar::{Quantity, suggest};
use call_model::Model;

use super::definitions::{Definitions, Needed};
use crate::Error;
use crate::data::DataSet;
use crate::words::Word;

/// Values for the variables of a formula, in its order.
pub type Point = Vec<f64>;

/// At most this many points in one table.
const MOST_POINTS: usize = 10_000;

/// Values that the user gives to a variable.
pub struct Given {
    pub name: String,
    pub values: Vec<f64>,
    pub span: Range<usize>,
}

/// The `VARIABLE=VALUES` words.
pub fn given(words: &[Word]) -> Result<Vec<Given>, Error> {
    let mut all: Vec<Given> = Vec::new();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for word in words {
        let Some((name, text)) = word.text.split_once('=') else {
            return Err(Error::at(word.span.clone(), "expected VARIABLE=VALUE").help("for example `N=4096`"));
        };
        if !names.insert(name) {
            return Err(Error::at(word.span.clone(), format!("`{name}` is given twice")));
        }
        let values = values(text, word.span.clone())?;
        all.push(Given { name: name.to_owned(), values, span: word.span.clone() });
    }
    Ok(all)
}

/// The points that words describe: all combinations, the last variable varies fastest. Variables that `let` defines, and g and L
/// of the machine in use, need no value if those that they depend on have one; `end` is where a missing word would stand.
pub fn points(words: &[Word], end: Range<usize>, model: &Model, set: &DataSet) -> Result<Vec<Point>, Error> {
    let machine = set.machine().map(AsRef::as_ref);
    let given = given(words)?;
    let given: Vec<&Given> = given.iter().collect();
    points_of(&given, end, model, &Definitions::of(set, machine), &[])
}

/// The same with these definitions; behind the variables of the formula stand the values of `further` ones.
pub fn points_of(
    given: &[&Given],
    end: Range<usize>,
    model: &Model,
    definitions: &Definitions,
    further: &[&str],
) -> Result<Vec<Point>, Error> {
    let variables = [&variables(model)[..], further].concat();
    let reachable = definitions.reachable(&variables);
    if let Some(unknown_one) = given.iter().find(|one| !reachable.contains(one.name.as_str())) {
        return Err(unknown(model, &unknown_one.name, unknown_one.span.clone()));
    }
    let mut needed = Needed { given, definitions, used: vec![false; given.len()] };
    for name in &variables {
        needed.require(name, 0).map_err(|missing| missing_value(&missing, end.clone()))?;
    }
    let superfluous = given.iter().zip(&needed.used).find(|(_, used)| !**used);
    if let Some((extra, _)) = superfluous {
        let message = format!("`{}` is not needed beside the others", extra.name);
        return Err(Error::at(extra.span.clone(), message));
    }
    // The order of the formula's variables, then that of the line.
    let place = |name: &str| variables.iter().position(|known| *known == name).unwrap_or(usize::MAX);
    let mut order: Vec<&Given> = given.to_vec();
    order.sort_by_key(|one| place(&one.name));
    let combinations = combinations(&order)?;
    let value = |name: &str, values: &[f64]| {
        let known = |name: &str| {
            let position = order.iter().position(|one| one.name == name)?;
            values.get(position).copied()
        };
        definitions.resolve(name, &known)
    };
    let points = combinations.iter().map(|values| variables.iter().map(|name| value(name, values)).collect());
    Ok(points.collect())
}

/// All combinations of values; those of the last variable vary fastest.
pub fn combinations(given: &[&Given]) -> Result<Vec<Point>, Error> {
    let count = given.iter().try_fold(1_usize, |count, one| count.checked_mul(one.values.len()));
    if count.is_none_or(|count| count > MOST_POINTS) {
        return Err(Error::new(format!("these are more than {MOST_POINTS} points")));
    }
    let mut points: Vec<Point> = vec![Vec::new()];
    for one in given {
        let extend = |point: &Point| {
            let point = point.clone();
            one.values.iter().map(move |value| [point.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
        };
        points = points.iter().flat_map(extend).collect();
    }
    Ok(points)
}

/// The error of a variable that has no value; `end` is where the word would stand.
pub fn missing_value(name: &str, end: Range<usize>) -> Error {
    Error::at(end, format!("the value of `{name}` is missing")).help(format!("add `{name}=VALUE`"))
}

/// The names of a formula's variables.
pub fn variables(model: &Model) -> Vec<&str> {
    model.formula().variables().iter().map(|variable| variable.name()).collect()
}

/// The position of a variable in the formula of a model.
pub fn variable(model: &Model, word: &Word) -> Result<usize, Error> {
    variables(model)
        .iter()
        .position(|variable| *variable == word.text)
        .ok_or_else(|| unknown(model, &word.text, word.span.clone()))
}

fn unknown(model: &Model, name: &str, span: Range<usize>) -> Error {
    let variables = variables(model);
    let all = match variables.is_empty() {
        true => "it has none at all".to_owned(),
        false => format!("its variables are {}", variables.join(", ")),
    };
    Error::at(span, format!("the formula has no variable `{name}`"))
        .suggesting(suggest(name, variables.iter().copied()), all)
}

/// `8`, `1,2,4`, `1:32:2` (1, 2, 4, … 32) or `10:50:+10` (10, 20, … 50); each number may be an expression such as `2*1024`.
pub fn values(text: &str, span: Range<usize>) -> Result<Vec<f64>, Error> {
    const FORMS: &str = "write 8, or 1,2,4, or 1:32:2 (1, 2, 4, … 32), or 10:50:+10 (10, 20, … 50)";
    let number = |part: &str| {
        number(part).ok_or_else(|| Error::at(span.clone(), format!("`{part}` is not a number")).help(FORMS))
    };
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [first, last, step] => {
            let (first, last) = (number(first)?, number(last)?);
            let is_sum = step.starts_with('+');
            let step = number(step.strip_prefix('+').unwrap_or(step))?;
            if is_sum && (step <= 0.0 || last < first) {
                return Err(Error::at(span, "FIRST:LAST:+STEP wants FIRST <= LAST and STEP > 0"));
            }
            if !is_sum && (step <= 1.0 || first <= 0.0 || last < first) {
                return Err(Error::at(span, "FIRST:LAST:FACTOR wants 0 < FIRST <= LAST and FACTOR > 1"));
            }
            let at = |index: usize| {
                if is_sum { first + step * index as f64 } else { first * step.powi(index as i32) }
            };
            let values: Vec<f64> = (0..=MOST_POINTS).map(at).take_while(|value| *value <= last).collect();
            if values.len() > MOST_POINTS {
                let message = format!("`{text}` is more than {MOST_POINTS} values");
                return Err(Error::at(span, message).help("take larger steps"));
            }
            Ok(values)
        }
        [list] => list.split(',').map(number).collect(),
        _ => Err(Error::at(span, "expected FIRST:LAST:FACTOR").help(FORMS)),
    }
}

/// A number, or an expression without variables.
pub fn number(text: &str) -> Option<f64> {
    let value = match text.parse::<f64>() {
        Ok(value) => value,
        Err(_) => {
            let quantity = Quantity::parse(text).ok().filter(|quantity| quantity.variables().is_empty())?;
            quantity.evaluate(&[])
        }
    };
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_four_forms() {
        let check =
            |text: &str, expected: &[f64]| assert_eq!(values(text, 0..1).unwrap(), expected, "{text}");
        check("8", &[8.0]);
        check("1,2,2*1024", &[1.0, 2.0, 2048.0]);
        check("1:32:2", &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
        check("10:50:+20", &[10.0, 30.0, 50.0]);
        for wrong in
            ["x", "1:2", "4:1:2", "1:4:1", "1:4:+0", "", "1e999", "1:1e300:1.0000001", "1e300:2e300:+1"]
        {
            assert!(values(wrong, 0..1).is_err(), "{wrong}");
        }
    }
}
