//! What stands in columns.

use crate::{Error, LeftOutReason};

/// A file may have so many values, whatever it says of itself.
pub(super) const MOST_VALUES: usize = 1 << 28;

/// Columns with their names.
pub(super) type NamedColumns = Vec<(String, RowValues)>;

/// What stands in a column, row by row.
pub(super) enum RowValues {
    /// NaN where nothing is.
    Numbers(Vec<f64>),
    /// Spans of time in seconds, NaN where nothing is.
    Seconds(Vec<f64>),
    /// None where nothing is.
    Texts(Vec<Option<String>>),
    /// It was left out.
    None(LeftOutReason),
}

impl RowValues {
    pub(super) fn len(&self) -> usize {
        match self {
            RowValues::Numbers(numbers) | RowValues::Seconds(numbers) => numbers.len(),
            RowValues::Texts(texts) => texts.len(),
            RowValues::None(_) => 0,
        }
    }
}

/// What the values of a file may take.
#[derive(Default)]
pub(super) struct ValueBudget(usize);

impl ValueBudget {
    /// Takes so much of it.
    ///
    /// # Errors
    /// If there is no more.
    pub(super) fn take(&mut self, values: usize) -> Result<(), Error> {
        self.0 = self.0.saturating_add(values);
        if self.0 > MOST_VALUES { Err(Error::TooManyValues { most: MOST_VALUES }) } else { Ok(()) }
    }
}
