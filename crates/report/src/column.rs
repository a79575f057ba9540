//! Columns of tables and what stands in them.

use crate::unit::key_of;
use crate::{DisplayUnit, number};

/// What the numbers of a column are, hence how they are written for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnKind {
    /// Texts.
    Text,
    /// Texts that are never cut, as they are to be copied.
    Code,
    /// Numbers in full: counts, values of variables.
    Exact,
    /// Numbers with a unit, such as seconds, with the prefix that suits them; percentages have two decimals.
    Quantity(DisplayUnit),
    /// Numbers with so many significant digits.
    Significant(usize),
}

/// A column of a [`Table`](crate::Table).
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub(crate) key: String,
    pub(crate) title: String,
    pub(crate) kind: ColumnKind,
}

impl Column {
    /// A column with a key for machines, which ends in the unit (`time_s`), and a title for people.
    pub fn new(key: impl Into<String>, title: impl Into<String>, kind: ColumnKind) -> Column {
        Column { key: key.into(), title: number::one_line(title.into()), kind }
    }

    /// A column of texts.
    pub fn left(title: impl Into<String>) -> Column {
        let title = title.into();
        Column::new(key_of(&title), title, ColumnKind::Text)
    }

    /// A column of texts that are never cut, such as formulas.
    pub fn code(title: impl Into<String>) -> Column {
        let title = title.into();
        Column::new(key_of(&title), title, ColumnKind::Code)
    }

    /// A column of numbers as they are: counts and values of variables.
    pub fn right(title: impl Into<String>) -> Column {
        let title = title.into();
        Column::new(key_of(&title), title, ColumnKind::Exact)
    }

    /// A column of numbers with a unit, which its key ends in: `predicted` in seconds has the key `predicted_s`, a column that is
    /// called as its unit just that. Where numbers do not show the unit, the title does: `predicted (visits)`.
    ///
    /// ```
    /// use call_report::{Column, Table, DisplayUnit};
    ///
    /// let mut table = Table::new([Column::quantity("memory", &DisplayUnit::parse("bytes"))]);
    /// table.row([1.5e9]);
    /// assert_eq!(table.keys().collect::<Vec<_>>(), ["memory_bytes"]);
    /// assert_eq!(table.to_string(), "memory\n──────\n1.5 GB\n");
    /// ```
    pub fn quantity(title: impl Into<String>, unit: &DisplayUnit) -> Column {
        let title = title.into();
        let key = key_of(&title);
        let key = match unit.key() {
            "" => key,
            unit if key == unit => key,
            unit => format!("{key}_{unit}"),
        };
        let title = if *unit == DisplayUnit::percent() {
            format!("{title} %")
        } else if unit.has_prefixes() || unit.is_none() || title == unit.symbol() {
            title
        } else {
            format!("{title} ({})", unit.symbol())
        };
        Column::new(key, title, ColumnKind::Quantity(unit.clone()))
    }

    /// A column of times, whose key gets the unit: `predicted` has the key `predicted_s`.
    pub fn seconds(title: impl Into<String>) -> Column {
        Column::quantity(title, &DisplayUnit::seconds())
    }

    /// A column of percentages: `error` has the key `error_percent` and the title `error %`.
    pub fn percent(title: impl Into<String>) -> Column {
        Column::quantity(title, &DisplayUnit::percent())
    }

    /// A column of numbers with so many significant digits.
    pub fn significant(title: impl Into<String>, digits: usize) -> Column {
        let title = title.into();
        Column::new(key_of(&title), title, ColumnKind::Significant(digits))
    }

    /// The same column with another key.
    pub fn key(self, key: impl Into<String>) -> Column {
        Column { key: key.into(), ..self }
    }
}

/// A value of a [`Table`](crate::Table).
#[derive(Debug, Clone, PartialEq)]
pub enum TableCell {
    /// A text.
    Text(String),
    /// A number in the unit of its column. What is not finite has no place in JSON and is null there.
    Number(f64),
    /// No number, and the word for people that tells why, such as `unknown`.
    Missing(&'static str),
}

impl TableCell {
    /// A number, or the word for it if it is NaN.
    pub fn number_or(value: f64, word: &'static str) -> TableCell {
        if value.is_nan() { TableCell::Missing(word) } else { TableCell::Number(value) }
    }

    /// As people read it.
    pub(crate) fn text(&self, kind: &ColumnKind) -> String {
        match (self, kind) {
            (TableCell::Text(text), _) => text.clone(),
            (TableCell::Missing(word), _) => (*word).to_owned(),
            (TableCell::Number(value), ColumnKind::Quantity(unit)) if *unit == DisplayUnit::percent() => {
                number::percent(*value)
            }
            (TableCell::Number(value), ColumnKind::Quantity(unit)) if unit.has_prefixes() => {
                unit.text(*value)
            }
            // The title has the unit.
            (TableCell::Number(value), ColumnKind::Quantity(_)) => {
                number::significant(*value, number::digits::TIME_DIGITS)
            }
            (TableCell::Number(value), ColumnKind::Significant(digits)) => {
                number::significant(*value, *digits)
            }
            (TableCell::Number(value), ColumnKind::Exact | ColumnKind::Text | ColumnKind::Code) => {
                number::exact(*value)
            }
        }
    }
}

impl From<String> for TableCell {
    fn from(text: String) -> TableCell {
        TableCell::Text(text)
    }
}

impl From<&str> for TableCell {
    fn from(text: &str) -> TableCell {
        TableCell::Text(text.to_owned())
    }
}

impl From<f64> for TableCell {
    fn from(value: f64) -> TableCell {
        TableCell::Number(value)
    }
}

impl From<usize> for TableCell {
    fn from(count: usize) -> TableCell {
        TableCell::Number(count as f64)
    }
}
