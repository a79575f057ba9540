use std::ops::Range;

use call_grammar::suggest;
use call_model::Model;

use crate::Error;
use crate::words::Word;

/// What stands behind a command's name.
pub struct Arguments {
    words: Vec<Word>,
    line_length: usize,
}

/// Values for the variables of a formula, in its order.
type Point = Vec<f64>;

/// At most this many points in one table.
const MOST_POINTS: usize = 10_000;

impl Arguments {
    pub fn new(words: Vec<Word>, line_length: usize) -> Arguments {
        Arguments { words, line_length }
    }

    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The word at a place, which has to be there.
    pub fn required(&self, place: usize, what: &str, usage: &str) -> Result<&Word, Error> {
        self.words.get(place).ok_or_else(|| {
            Error::at(self.line_length..self.line_length, format!("{what} is missing"))
                .help(format!("usage: {usage}"))
        })
    }

    /// An error if more words than `count` stand there.
    pub fn at_most(&self, count: usize, usage: &str) -> Result<(), Error> {
        match self.words.get(count) {
            None => Ok(()),
            Some(word) => Err(Error::at(word.span.clone(), format!("`{}` is one word too many", word.text))
                .help(format!("usage: {usage}"))),
        }
    }

    /// The points that `VARIABLE=VALUES` words from `place` on describe: all combinations, the last variable varies fastest.
    pub fn points(&self, place: usize, model: &Model) -> Result<Vec<Point>, Error> {
        let variables: Vec<&str> =
            model.formula().variables().iter().map(|variable| variable.name()).collect();
        let mut values: Vec<Option<Vec<f64>>> = vec![None; variables.len()];
        for word in self.words.iter().skip(place) {
            let Some((name, text)) = word.text.split_once('=') else {
                return Err(
                    Error::at(word.span.clone(), "expected VARIABLE=VALUE").help("for example `N=4096`")
                );
            };
            let index = variable(model, name, word)?;
            if values[index].is_some() {
                return Err(Error::at(word.span.clone(), format!("`{name}` is given twice")));
            }
            values[index] = Some(parse_values(text, word.span.clone())?);
        }
        let mut points: Vec<Point> = vec![Vec::new()];
        for (name, values) in variables.iter().zip(values) {
            let values = values.ok_or_else(|| {
                Error::at(self.line_length..self.line_length, format!("the value of `{name}` is missing"))
                    .help(format!("add `{name}=VALUE`"))
            })?;
            if points.len() * values.len() > MOST_POINTS {
                return Err(Error::new(format!("these are more than {MOST_POINTS} points")));
            }
            let extend = |point: &Point| {
                let point = point.clone();
                values.iter().map(move |value| [point.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
            };
            points = points.iter().flat_map(extend).collect();
        }
        Ok(points)
    }
}

/// The position of a variable in the formula of a model; `word` is where the user names it.
pub fn variable(model: &Model, name: &str, word: &Word) -> Result<usize, Error> {
    let variables: Vec<&str> = model.formula().variables().iter().map(|variable| variable.name()).collect();
    variables.iter().position(|variable| *variable == name).ok_or_else(|| {
        let all = match variables.is_empty() {
            true => "it has none at all".to_owned(),
            false => format!("its variables are {}", variables.join(", ")),
        };
        Error::at(word.span.clone(), format!("the formula has no variable `{name}`"))
            .suggesting(suggest(name, variables.iter().copied()), all)
    })
}

/// `8`, `1,2,4` or `1:32:2` (1, 2, 4, … 32).
fn parse_values(text: &str, span: Range<usize>) -> Result<Vec<f64>, Error> {
    let number = |part: &str| {
        part.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| {
            Error::at(span.clone(), format!("`{part}` is not a number")).help("write 8, or 1,2,4, or 1:32:2")
        })
    };
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [first, last, factor] => {
            let (first, last, factor) = (number(first)?, number(last)?, number(factor)?);
            if factor <= 1.0 || first <= 0.0 || last < first {
                return Err(Error::at(span, "FIRST:LAST:FACTOR wants 0 < FIRST <= LAST and FACTOR > 1"));
            }
            let values = std::iter::successors(Some(first), |value| Some(value * factor));
            Ok(values.take_while(|value| *value <= last).take(MOST_POINTS).collect())
        }
        [list] => list.split(',').map(number).collect(),
        _ => Err(Error::at(span, "expected FIRST:LAST:FACTOR").help("1:32:2 means 1, 2, 4, 8, 16, 32")),
    }
}
