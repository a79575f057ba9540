//! `N=1024,4096 P=1:32:2`: points of the space of a formula's variables.

use std::ops::Range;

use call_model::PROCESSORS;
use call_report::number::exact;

use super::values::{MOST_POINTS, values};
use crate::Error;
use crate::error::code;
use crate::words::Word;

/// Values for the variables of a formula, in its order.
pub type PointValues = Vec<f64>;

/// Beyond, a processor's number has no place in the arithmetic of programs, nor has any machine so many.
const MOST_PROCESSORS: f64 = 1e9;

/// Values that the user gives to a variable.
pub struct GivenValues {
    pub name: String,
    pub values: Vec<f64>,
    pub span: Range<usize>,
}

impl GivenValues {
    /// A `VARIABLE=VALUES` word.
    pub fn of(word: &Word) -> Result<GivenValues, Error> {
        let Some((name, text)) = word.assignment() else {
            return Err(expected_value(word));
        };
        let values = values(text, word.span.clone())?;
        if name == PROCESSORS {
            let error = |message| word.error(code::WRONG_VALUE, message);
            values.iter().try_for_each(|value| check_processors(*value, error))?;
        }
        Ok(GivenValues { name: name.to_owned(), values, span: word.span.clone() })
    }

    /// A name whose values are what is looked for.
    pub fn asked(name: &str, span: Range<usize>) -> GivenValues {
        GivenValues { name: name.to_owned(), values: Vec::new(), span }
    }
}

/// Whether a word gives values: `NAME=VALUES`. Such words mean the same wherever they stand.
pub fn is_value(word: &Word) -> bool {
    word.text.contains('=')
}

/// What stands before the `=` of a word.
pub fn name_of(word: &Word) -> &str {
    word.assignment().map_or("", |(name, _)| name)
}

/// The error of a word that should give values.
pub fn expected_value(word: &Word) -> Error {
    word.error(code::UNEXPECTED_WORD, "expected VARIABLE=VALUE").help("for example `N=4096`")
}

/// The error of a name that has values already.
pub fn given_again(name: &str, span: Range<usize>) -> Error {
    Error::at(code::GIVEN_TWICE, span, format!("`{name}` is given twice"))
}

/// An error, made from its message, if so many processors cannot be.
pub fn check_processors(count: f64, error: impl FnOnce(String) -> Error) -> Result<(), Error> {
    if count.fract() == 0.0 && (1.0..=MOST_PROCESSORS).contains(&count) {
        return Ok(());
    }
    Err(error(format!("{PROCESSORS} = {} is no number of processors", exact(count)))
        .help(format!("{PROCESSORS} is a whole number from 1 to 1e9")))
}

/// All combinations of values; those of the last variable vary fastest.
pub fn combinations(given: &[&GivenValues]) -> Result<Vec<PointValues>, Error> {
    let count = given.iter().try_fold(1_usize, |count, one| count.checked_mul(one.values.len()));
    if count.is_none_or(|count| count > MOST_POINTS) {
        return Err(Error::new(code::TOO_LARGE, format!("these are more than {MOST_POINTS} points")));
    }
    let mut points: Vec<PointValues> = vec![Vec::new()];
    for one in given {
        let extend = |point: &PointValues| {
            let point = point.clone();
            one.values.iter().map(move |value| [point.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
        };
        points = points.iter().flat_map(extend).collect();
    }
    Ok(points)
}

/// The error of a variable that has no value; `end` is where the word would stand.
pub fn missing_value(name: &str, end: Range<usize>) -> Error {
    let error = Error::at(code::MISSING_VALUE, end, format!("the value of `{name}` is missing"));
    error.help(format!("add `{name}=VALUE`"))
}
