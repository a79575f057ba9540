//! Tables: a header line and rows, with commas, semicolons, tabulators, bars or blanks between the fields.

mod lines;
mod rows;
mod separator;

use std::collections::HashMap;

use csv::ByteRecord;

use crate::column::Column;
use crate::listed::excerpt_of;
use crate::roles::{arrange, has_names};
use crate::{Error, Format, Imported, Note, Options, Place};
use rows::Rows;
use separator::Separator;

/// Reads a table.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &Options) -> Result<Imported, Error> {
    let start = lines::Start::of(bytes).ok_or(Error::Empty)?;
    let separator = Separator::of(&start, path_name);
    let mut record = ByteRecord::new();
    let mut rows = Rows::new(start.from_header, start.line, separator);
    let Some(header_place) = rows.next(&mut record)? else { return Err(Error::Empty) };
    let header = match start.commented_header {
        Some(header) => {
            let mut header_record = ByteRecord::new();
            Rows::new(header, 1, separator).next(&mut header_record)?;
            rows = Rows::new(start.from_header, start.line, separator);
            header_record
        }
        None if is_numbers(&record, separator) => return Err(Error::NoHeader { place: header_place }),
        None => record.clone(),
    };
    let names = headings(&header, separator, header_place)?;
    let mut columns: Vec<Column> = names
        .into_iter()
        .map(|name| {
            let has_names = has_names(&name, options);
            Column::new(name, has_names)
        })
        .collect();
    let places = read_rows(&mut rows, &mut record, &mut columns, separator)?;
    if places.is_empty() {
        return Err(Error::HeaderOnly { place: header_place });
    }
    let mut notes: Vec<Note> = Vec::new();
    let trace = arrange(path_name, columns, places, options, &mut notes)?;
    Ok(Imported { format: Format::Table, trace, notes })
}

fn read_rows(
    rows: &mut Rows,
    record: &mut ByteRecord,
    columns: &mut Vec<Column>,
    separator: Separator,
) -> Result<Vec<Place>, Error> {
    let mut places = Vec::new();
    while let Some(place) = rows.next(record)? {
        let expected = columns.len();
        let fields = record.len();
        if places.is_empty() && fields == expected + 1 && !record[expected].is_empty() {
            // As R writes it: the names of the rows have no heading.
            columns.insert(0, Column::new(String::new(), false));
        } else if fields == expected + 1 && record[expected].is_empty() {
            record.truncate(expected);
        } else if fields != expected {
            if is_rule(record) {
                continue;
            }
            return Err(Error::FieldCount { place, expected, found: fields });
        }
        if is_rule(record) {
            continue;
        }
        let row = places.len();
        for (column, field) in columns.iter_mut().zip(record.iter()) {
            match std::str::from_utf8(field) {
                Ok(field) => column.push_field(row, field, separator == Separator::Byte(b';'), place),
                Err(_) => column.push_field(row, &String::from_utf8_lossy(field), false, place),
            }
        }
        places.push(place);
    }
    Ok(places)
}

/// The line below the header of Markdown.
fn is_rule(record: &ByteRecord) -> bool {
    record.iter().all(|field| field.len() >= 2 && field.iter().all(|byte| matches!(byte, b'-' | b':' | b'=')))
        && !record.is_empty()
}

fn is_numbers(record: &ByteRecord, separator: Separator) -> bool {
    let is_number = |field: &[u8]| {
        let text = String::from_utf8_lossy(field);
        let text =
            if separator == Separator::Byte(b';') { text.replace(',', ".") } else { text.into_owned() };
        text.trim().parse::<f64>().is_ok_and(f64::is_finite)
    };
    record.iter().all(is_number)
}

fn headings(header: &ByteRecord, separator: Separator, place: Place) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = Vec::with_capacity(header.len());
    for field in header {
        let name = String::from_utf8_lossy(field).trim().to_owned();
        match names.last_mut() {
            // `time (s)` without quotes among blanks.
            Some(last) if separator == Separator::Blanks && is_bracket(&name) => {
                *last = format!("{last} {name}")
            }
            _ => names.push(name),
        }
    }
    // A separator at the end of the line.
    while names.len() > 1 && names.last().is_some_and(String::is_empty) {
        names.pop();
    }
    let mut known: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    for (column, name) in names.iter().enumerate() {
        if let Some(first) = known.insert(name, column)
            && !name.is_empty()
        {
            let name = excerpt_of(name.as_bytes());
            return Err(Error::DuplicateColumn { place, name, first: first + 1, second: column + 1 });
        }
    }
    Ok(names)
}

fn is_bracket(field: &str) -> bool {
    field.starts_with(['(', '[']) && field.ends_with([')', ']'])
}
