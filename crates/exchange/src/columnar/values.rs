//! What stands in columns.

use crate::{Error, Reason};

/// A file may have so many values, whatever it says of itself.
pub(super) const MOST_VALUES: usize = 1 << 28;

/// Columns with their names.
pub(super) type Columns = Vec<(String, Values)>;

/// What stands in a column, row by row.
pub(super) enum Values {
    /// NaN where nothing is.
    Numbers(Vec<f64>),
    /// Spans of time in seconds, NaN where nothing is.
    Seconds(Vec<f64>),
    /// None where nothing is.
    Texts(Vec<Option<String>>),
    /// It was left out.
    None(Reason),
}

impl Values {
    pub(super) fn len(&self) -> usize {
        match self {
            Values::Numbers(numbers) | Values::Seconds(numbers) => numbers.len(),
            Values::Texts(texts) => texts.len(),
            Values::None(_) => 0,
        }
    }
}

/// What the values of a file may take.
#[derive(Default)]
pub(super) struct Room(usize);

impl Room {
    /// Takes so much of it.
    ///
    /// # Errors
    /// If there is no more.
    pub(super) fn take(&mut self, values: usize) -> Result<(), Error> {
        self.0 = self.0.saturating_add(values);
        if self.0 > MOST_VALUES { Err(Error::TooManyValues { most: MOST_VALUES }) } else { Ok(()) }
    }
}
