//! Which column holds the response, and in which unit.

use call_trace::Unit;

use super::{PROCESSOR, UNIT, UnassignedColumns, VALUE, is_own, tell_clocks, tell_undecided};
use crate::column::{ColumnValues, FileColumn};
use crate::measurements::{ImportedRows, Units};
use crate::response_name::{NameFit, metric_unit, unread_unit};
use crate::{Error, Note, ReadOptions};

impl UnassignedColumns {
    /// The position of the column with the response.
    pub(super) fn response(&self, options: &ReadOptions) -> Result<usize, Error> {
        if let Some(position) = options.response.as_ref().and_then(|name| self.position(name)) {
            return Ok(position);
        }
        let is_refused = |name: &String| {
            is_own(name)
                || options.leave_out.contains(name)
                || options.keep.contains(name)
                || options.processors_column.as_ref() == Some(name)
        };
        let is_number = |position: usize| {
            !matches!(self.columns[position], Some(FileColumn { values: ColumnValues::Texts(_), .. }) | None)
        };
        let is_candidate = |position: &usize| !is_refused(&self.names[*position]) && is_number(*position);
        let candidates: Vec<usize> = (0..self.names.len()).filter(is_candidate).collect();
        let own = self.position(VALUE).filter(|_| self.position(PROCESSOR).is_some());
        if let Some(value) = own.filter(|value| self.has_units() && candidates.contains(value)) {
            return Ok(value);
        }
        let fit = |position: usize| self.times[position].as_ref().map(|time| time.fit);
        let times =
            || candidates.iter().copied().filter(|at| fit(*at).is_some_and(|fit| fit != NameFit::Spread));
        let Some(best) = times().filter_map(fit).min() else { return self.metric(&candidates) };
        let found: Vec<usize> = times().filter(|at| fit(*at) == Some(best)).collect();
        match found.as_slice() {
            [position] => Ok(*position),
            _ => Err(Error::SeveralTimeColumns {
                columns: found.iter().map(|position| self.names[*position].clone()).collect(),
            }),
        }
    }

    /// The name of the response if it is there only as the user chose it.
    pub(super) fn chosen_response(&self, position: usize, options: &ReadOptions) -> Option<String> {
        let name = options.response.as_ref()?;
        let unsaid = ReadOptions { response: None, ..options.clone() };
        let is_other = self.response(&unsaid).ok() != Some(position);
        is_other.then(|| name.clone())
    }

    /// Where there are no times: `value` beside `unit`, or the last column, if it is the only one whose name speaks of something
    /// that is measured.
    fn metric(&self, candidates: &[usize]) -> Result<usize, Error> {
        if let Some(value) =
            self.position(VALUE).filter(|value| self.has_units() && candidates.contains(value))
        {
            return Ok(value);
        }
        let metrics: Vec<usize> =
            candidates.iter().copied().filter(|at| metric_unit(&self.names[*at]).is_some()).collect();
        match (metrics.as_slice(), candidates.last()) {
            ([metric], Some(last)) if metric == last => Ok(*metric),
            _ => Err(self.no_time(&metrics)),
        }
    }

    /// There is no time; what may have been measured else, rates first, since nothing else is one.
    fn no_time(&self, metrics: &[usize]) -> Error {
        let unit = |at: &usize| metric_unit(&self.names[*at]);
        let (rates, others): (Vec<usize>, Vec<usize>) =
            metrics.iter().copied().partition(|at| unit(at).is_some_and(|unit| unit.is_rate()));
        let option = |at: &usize| match self.names[*at].as_str() {
            name if name.contains(char::is_whitespace) => format!("`\"time={name}\"`"),
            name => format!("`time={name}`"),
        };
        let options: Vec<String> = rates.iter().chain(&others).map(option).collect();
        let cure = match options.is_empty() {
            true => "name the time column, or call it `time_s`".to_owned(),
            false => format!("name what was measured, as {}", options.join(" or ")),
        };
        Error::NoTimeColumn { columns: self.names.clone(), cure }
    }

    fn has_units(&self) -> bool {
        self.units_position().is_some()
    }

    /// The column that says the unit of each row.
    pub(super) fn units_position(&self) -> Option<usize> {
        let position = self.names.iter().position(|name| name == "time_unit" || name == UNIT)?;
        matches!(self.columns[position], Some(FileColumn { values: ColumnValues::Texts(_), .. }))
            .then_some(position)
    }

    /// Takes the response; returns the name of its column.
    pub(super) fn take_response(
        &mut self,
        position: usize,
        options: &ReadOptions,
        measurements: &mut ImportedRows,
        notes: &mut Vec<Note>,
    ) -> Result<String, Error> {
        let Some(column) = self.columns[position].take() else { return Ok(String::new()) };
        let name = column.name.clone();
        let said = options.unit.clone().or_else(|| match &self.times[position] {
            Some(time) => time.unit.clone(),
            None => metric_unit(name.strip_prefix(super::COUNTER).unwrap_or(&name)),
        });
        let mut is_assumed = said.is_none();
        let mut unit = said.clone().unwrap_or_default();
        measurements.units = Units::all(unit.clone());
        let mut undecided = Vec::new();
        tell_undecided(&name, column.undecided, &mut undecided)?;
        measurements.response = match column.values {
            ColumnValues::Seconds(_) if options.unit.as_ref().is_some_and(|unit| !unit.is_time()) => {
                return Err(Error::UnitOfTimes { column: name, unit });
            }
            ColumnValues::Seconds(mut times_s) => {
                tell_clocks(&name, column.clocks, said.as_ref(), &mut times_s, &mut undecided);
                (unit, is_assumed) = (Unit::Seconds, false);
                times_s
            }
            ColumnValues::Numbers(mut values) => {
                let units = if said.is_none() { self.take_units(&mut values, measurements)? } else { None };
                if let Some(units) = units {
                    let note = |unit| Note::Response { column: name.clone(), unit, is_assumed: false };
                    notes.extend(units.into_iter().map(note));
                    notes.append(&mut undecided);
                    measurements.response = values;
                    return Ok(name);
                }
                values.iter_mut().for_each(|value| *value = unit.to_base(*value));
                values
            }
            ColumnValues::Empty => vec![f64::NAN; measurements.places.len()],
            ColumnValues::Mixed { place, text } => return Err(Error::Number { place, column: name, text }),
            ColumnValues::Texts(texts) => {
                let text = texts.distinct.get(1).cloned().unwrap_or_default();
                let columns = self.names.clone();
                return Err(Error::WrongKind { name, role: "time", found: "texts", text, columns });
            }
        };
        if let Some(text) = unread_unit(&name).filter(|_| is_assumed) {
            return Err(Error::HeadingUnit { column: name, text });
        }
        notes.push(Note::Response { column: name.clone(), unit, is_assumed });
        notes.append(&mut undecided);
        Ok(name)
    }

    /// Takes the unit of each row, if a column says it, and converts the values; returns the units, of times the first one.
    fn take_units(
        &mut self,
        values: &mut [f64],
        measurements: &mut ImportedRows,
    ) -> Result<Option<Vec<Unit>>, Error> {
        let Some(position) = self.units_position() else { return Ok(None) };
        let Some(FileColumn { name, values: ColumnValues::Texts(texts), .. }) = self.columns[position].take()
        else {
            return Ok(None);
        };
        let named: Vec<Option<Unit>> = texts.distinct.iter().map(|text| Unit::named(text)).collect();
        let mut units = Units { column: name, ..Units::default() };
        let mut found = Vec::new();
        let mut positions = vec![None; named.len()];
        for (row, (value, &text)) in values.iter_mut().zip(&texts.numbers).enumerate() {
            let Some(unit) = &named[text as usize] else {
                let (place, column) = (measurements.places[row], units.column);
                return Err(Error::Unit { place, column, text: texts.distinct[text as usize].clone() });
            };
            *value = unit.to_base(*value);
            let position = *positions[text as usize].get_or_insert_with(|| units.position(&unit.base()));
            if position as usize == found.len() {
                found.push(unit.clone());
            }
            units.of_row.push(position);
        }
        measurements.units = units;
        Ok(Some(found))
    }
}
