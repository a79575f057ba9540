//! Which column holds the times, and in which unit.

use super::{Table, is_own};
use crate::column::{Column, Values};
use crate::measured::Measured;
use crate::time_name::Fit;
use crate::{Error, Note, Options, Place, TimeUnit};

impl Table {
    /// The position of the time column.
    pub(super) fn time(&self, options: &Options) -> Result<usize, Error> {
        if let Some(position) = options.time_column.as_ref().and_then(|name| self.position(name)) {
            return Ok(position);
        }
        let is_refused = |name: &String| {
            is_own(name)
                || options.leave_out.contains(name)
                || options.keep.contains(name)
                || options.processors_column.as_ref() == Some(name)
        };
        let is_number = |position: usize| {
            !matches!(self.columns[position], Some(Column { values: Values::Texts(_), .. }) | None)
        };
        let fits: Vec<(Fit, usize)> = (0..self.names.len())
            .filter(|position| !is_refused(&self.names[*position]) && is_number(*position))
            .filter_map(|position| Some((self.times[position]?.fit, position)))
            .filter(|(fit, _)| *fit != Fit::Spread)
            .collect();
        let Some(best) = fits.iter().map(|(fit, _)| *fit).min() else {
            return Err(Error::NoTimeColumn { columns: self.names.clone() });
        };
        let found: Vec<usize> =
            fits.iter().filter(|(fit, _)| *fit == best).map(|(_, position)| *position).collect();
        match found.as_slice() {
            [position] => Ok(*position),
            _ => Err(Error::SeveralTimeColumns {
                columns: found.iter().map(|position| self.names[*position].clone()).collect(),
            }),
        }
    }

    /// Takes the times; returns the name of their column.
    pub(super) fn take_time(
        &mut self,
        position: usize,
        options: &Options,
        measured: &mut Measured,
        notes: &mut Vec<Note>,
    ) -> Result<String, Error> {
        let rows = measured.places.len();
        let Some(column) = self.columns[position].take() else { return Ok(String::new()) };
        let said = options.time_unit.or_else(|| self.times[position]?.unit);
        let mut unit = said.unwrap_or_default();
        let mut is_assumed = said.is_none();
        measured.time_s = match column.values {
            Values::Seconds(times_s) => {
                (unit, is_assumed) = (TimeUnit::Seconds, false);
                times_s
            }
            Values::Numbers(mut times) => {
                let units = if said.is_none() { self.take_units(&measured.places)? } else { None };
                is_assumed &= units.is_none();
                for (row, time) in times.iter_mut().enumerate() {
                    *time = units.as_ref().map_or(unit, |units| units[row]).seconds(*time);
                }
                if let Some(units) = units {
                    unit = units.first().copied().unwrap_or_default();
                }
                times
            }
            Values::Empty => vec![f64::NAN; rows],
            Values::Mixed { place, text } => return Err(Error::Number { place, column: column.name, text }),
            Values::Texts(texts) => {
                let text = texts.distinct.get(1).cloned().unwrap_or_default();
                let name = column.name;
                return Err(Error::WrongKind {
                    name,
                    role: "time",
                    found: "texts",
                    text,
                    columns: self.names.clone(),
                });
            }
        };
        notes.push(Note::Time { column: column.name.clone(), unit, is_assumed });
        Ok(column.name)
    }

    /// The unit of each row, if a column tells it.
    fn take_units(&mut self, places: &[Place]) -> Result<Option<Vec<TimeUnit>>, Error> {
        let Some(position) = self.names.iter().position(|name| matches!(name.as_str(), "time_unit" | "unit"))
        else {
            return Ok(None);
        };
        let Some(Column { values: Values::Texts(texts), .. }) = &self.columns[position] else {
            return Ok(None);
        };
        let units: Vec<Option<TimeUnit>> = texts.distinct.iter().map(|text| TimeUnit::named(text)).collect();
        let of_row = |(row, text): (usize, &u32)| {
            units[*text as usize].ok_or_else(|| Error::Unit {
                place: places[row],
                column: self.names[position].clone(),
                text: texts.distinct[*text as usize].clone(),
            })
        };
        let units: Vec<TimeUnit> = texts.numbers.iter().enumerate().map(of_row).collect::<Result<_, _>>()?;
        self.columns[position] = None;
        Ok(Some(units))
    }
}
