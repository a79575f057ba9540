//! An object a line, or a list of objects. Keys are columns, with the same rules as those of tables.

use std::collections::HashMap;

use crate::column::{ColumnValues, DecimalSigns, FieldValue, FileColumn};
use crate::json::{Json, lines};
use crate::measurements::check_padding;
use crate::number::Doubt;
use crate::roles::{arrange, has_names};
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, PlaceInText, ReadOptions};

/// Reads objects, each on a line of its own.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    import(path_name, options, |table| {
        lines(bytes).try_for_each(|(line, text)| {
            let object = Json::read_line(text, line)?;
            table.push(&object, PlaceInText::Line(line), options)
        })
    })
}

/// Makes a table of a list of objects.
pub(crate) fn of_list(path_name: &str, objects: &[Json], options: &ReadOptions) -> Result<Imported, Error> {
    import(path_name, options, |table| {
        (1..)
            .zip(objects)
            .try_for_each(|(number, object)| table.push(object, PlaceInText::Entry(number), options))
    })
}

/// Fills a table, once more if numbers in texts turn out to have a decimal comma.
fn import(
    path_name: &str,
    options: &ReadOptions,
    fill: impl Fn(&mut Objects) -> Result<(), Error>,
) -> Result<Imported, Error> {
    let mut signs = DecimalSigns::new(options);
    loop {
        let mut table = Objects { signs, ..Objects::default() };
        fill(&mut table)?;
        if !table.signs.decide(&mut table.columns, Doubt::UnlessPoint) {
            return table.finish(path_name, options);
        }
        signs = table.signs;
    }
}

#[derive(Default)]
struct Objects {
    signs: DecimalSigns,
    columns: Vec<FileColumn>,
    position_of: HashMap<String, usize>,
    places: Vec<PlaceInText>,
    values: usize,
    nested: Vec<String>,
}

impl Objects {
    fn push(&mut self, object: &Json, place: PlaceInText, options: &ReadOptions) -> Result<(), Error> {
        let Json::Object(entries) = object else {
            return Err(Error::NotAnObject { place, found: object.kind() });
        };
        let row = self.places.len();
        for (key, value) in entries {
            let position = match self.position_of.get(key) {
                Some(position) => *position,
                None => {
                    self.columns.push(FileColumn::new(key.clone(), has_names(key, options), &self.signs));
                    self.position_of.insert(key.clone(), self.columns.len() - 1);
                    self.columns.len() - 1
                }
            };
            let column = &mut self.columns[position];
            let value = match value {
                Json::Null => FieldValue::Missing,
                Json::Bool(true) => FieldValue::Text("true"),
                Json::Bool(false) => FieldValue::Text("false"),
                Json::Number(number) => FieldValue::Number(*number),
                Json::Text(text) => {
                    column.push_field(row, text, place);
                    self.values += 1;
                    continue;
                }
                Json::List(_) | Json::Object(_) => {
                    if !self.nested.contains(key) && self.nested.len() < 100 {
                        self.nested.push(key.clone());
                    }
                    FieldValue::Missing
                }
            };
            column.push(row, value, place);
            self.values += 1;
        }
        self.places.push(place);
        check_padding(self.columns.len(), self.places.len(), self.values, place)
    }

    fn finish(mut self, path_name: &str, options: &ReadOptions) -> Result<Imported, Error> {
        let mut notes = Vec::new();
        if !self.nested.is_empty() {
            self.columns.retain(|column| {
                !(matches!(column.values, ColumnValues::Empty) && self.nested.contains(&column.name))
            });
            notes.push(Note::LeftOut { names: self.nested, reason: LeftOutReason::Nested });
        }
        if self.places.is_empty() {
            return Err(Error::Empty);
        }
        let names: Vec<String> = self.columns.iter().map(|column| column.name.clone()).collect();
        let options = &options.of_columns(&names);
        let (measurements, header) = arrange(path_name, self.columns, self.places, options, &mut notes)?;
        measurements.import(FileFormat::JsonLines, header, options, notes)
    }
}
