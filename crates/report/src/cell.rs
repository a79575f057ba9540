use crate::number;

/// What the numbers of a column are, hence how they are written for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Texts.
    Text,
    /// Texts that are never cut, as they are to be copied.
    Code,
    /// Numbers in full: counts, values of variables.
    Exact,
    /// Times in seconds, written with a unit that suits them.
    Seconds,
    /// Percentages, with two decimals.
    Percent,
    /// Numbers with so many significant digits.
    Significant(usize),
}

/// A value of a [`Table`](crate::Table).
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number in the unit of its column. What is not finite has no place in JSON and is null there.
    Number(f64),
    /// No number, and the word for people that tells why, such as `unknown`.
    Missing(&'static str),
}

impl Cell {
    /// A number, or the word for it if it is NaN.
    pub fn number_or(value: f64, word: &'static str) -> Cell {
        if value.is_nan() { Cell::Missing(word) } else { Cell::Number(value) }
    }

    /// As people read it.
    pub(crate) fn text(&self, quantity: Quantity) -> String {
        match (self, quantity) {
            (Cell::Text(text), _) => text.clone(),
            (Cell::Missing(word), _) => (*word).to_owned(),
            (Cell::Number(value), Quantity::Seconds) => number::seconds(*value),
            (Cell::Number(value), Quantity::Percent) => number::percent(*value),
            (Cell::Number(value), Quantity::Significant(digits)) => number::significant(*value, digits),
            (Cell::Number(value), Quantity::Exact | Quantity::Text | Quantity::Code) => number::exact(*value),
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Cell {
        Cell::Number(value)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Number(count as f64)
    }
}
