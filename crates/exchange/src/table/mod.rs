//! Tables: a header line and rows, with commas, semicolons, tabulators, bars or blanks between the fields.

mod lines;
mod row_names;
mod rows;
mod wide;

use std::collections::HashMap;

use call_grammar::excerpt;
use csv::ByteRecord;

use crate::column::{DecimalSigns, FieldValue, FileColumn};
use crate::import::text;
use crate::number::{DecimalSign, Doubt};
use crate::roles::{arrange, has_names};
use crate::{Error, FileFormat, Imported, LeftOutReason, Note, PlaceInText, ReadOptions, google_benchmark};
use lines::{Separator, TableStart};
use row_names::RowNames;
use rows::TableRows;
use wide::Wide;

/// Reads a table. Only with its last row it is known what fields such as `1.000` mean; if some were misread, it is read again.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let start = TableStart::of(bytes).ok_or(Error::Empty)?;
    let separator = Separator::of(&start, path_name);
    let mut record = ByteRecord::new();
    let mut first = TableRows::new(start.from_header, start.line, separator);
    let Some(header_place) = first.next(&mut record)? else { return Err(Error::Empty) };
    if let Some(header) = start.commented_header {
        TableRows::new(header, 1, separator).next(&mut record)?;
    } else if is_numbers(&record) {
        return Err(Error::NoHeader { place: header_place });
    }
    let header = record.clone();
    let body = |record: &mut ByteRecord| -> Result<TableRows, Error> {
        let mut rows = TableRows::new(start.from_header, start.line, separator);
        if start.commented_header.is_none() {
            rows.next(record)?;
        }
        Ok(rows)
    };
    let names = headings(&header, separator, header_place)?;
    if options.format.is_none() && options.experiment_columns.is_empty() && google_benchmark::is_table(&names)
    {
        let mut rows = body(&mut record)?;
        let mut results = Vec::new();
        while rows.next(&mut record)?.is_some() {
            results.push(record.iter().map(|field| text(field).into_owned()).collect());
        }
        return google_benchmark::read(path_name, &google_benchmark::of_rows(&names, results), options);
    }
    let options = &options.of_columns(&names);
    let layout = TableLayout::of(names, options);
    let mut signs = DecimalSigns::new(options);
    let doubt = match separator {
        Separator::Byte(b';') => Doubt::Refused,
        Separator::Byte(b',') => Doubt::UnlessPoint,
        _ => Doubt::Told,
    };
    let (columns, places) = loop {
        let column = |name: &String| FileColumn::new(name.clone(), has_names(name, options), &signs);
        let mut columns: Vec<FileColumn> = layout.names.iter().map(column).collect();
        let places = read_rows(body(&mut record)?, &mut record, &mut columns, &layout)?;
        if !signs.decide(&mut columns, doubt) {
            break (columns, places);
        }
    };
    if places.is_empty() {
        return Err(Error::HeaderOnly { place: header_place });
    }
    let mut notes = layout.notes;
    let (measurements, header) = arrange(path_name, columns, places, options, &mut notes)?;
    measurements.import(FileFormat::Table, header, options, notes)
}

/// Which fields of a row become which columns.
struct TableLayout {
    /// How many fields a row has.
    fields: usize,
    /// Names of the columns: of those that stay, and of a wide table those that the others become.
    names: Vec<String>,
    stay: Vec<usize>,
    wide: Option<Wide>,
    notes: Vec<Note>,
}

impl TableLayout {
    fn of(names: Vec<String>, options: &ReadOptions) -> TableLayout {
        let of = |at: &Vec<usize>| -> Vec<String> { at.iter().map(|at| names[*at].clone()).collect() };
        let mut notes = Vec::new();
        let mut others: Vec<usize> = Vec::new();
        let mut leave_out = |at: Vec<usize>, reason| {
            if !at.is_empty() {
                notes.push(Note::LeftOut { names: of(&at), reason });
                others.extend(at);
            }
        };
        let mut wide = Wide::of(&names, options);
        if let Some(wide) = &wide {
            leave_out(wide.statistics.clone(), LeftOutReason::Statistic);
        } else if let Some(response) = &options.response
            && let Some(asked) = Wide::of(&names, &ReadOptions { response: None, ..options.clone() })
            && asked.statistics.iter().any(|at| names[*at] == *response)
        {
            leave_out(asked.columns, LeftOutReason::OtherTime);
        }
        if let Some(wide) = &wide {
            let values = wide.values.as_ref();
            let variable = values.map(|values| values.variable.clone());
            let is_assumed = values.is_some_and(|values| values.is_assumed);
            notes.insert(0, Note::Wide { columns: of(&wide.columns), variable, is_assumed });
            others.extend(&wide.columns);
        }
        let stay: Vec<usize> = (0..names.len()).filter(|at| !others.contains(at)).collect();
        let corner = wide.as_mut().and_then(|wide| wide.corner.take());
        let name = |at: &usize| match &corner {
            Some((corner, rows)) if corner == at => rows.clone(),
            _ => names[*at].clone(),
        };
        let mut of_columns: Vec<String> = stay.iter().map(name).collect();
        if let Some(wide) = &wide {
            of_columns.push(wide.response.clone());
            of_columns.extend(wide.values.as_ref().map(|values| values.variable.clone()));
        }
        TableLayout { fields: names.len(), names: of_columns, stay, wide, notes }
    }

    fn rows_of_each(&self) -> usize {
        self.wide.as_ref().map_or(1, |wide| wide.columns.len())
    }

    /// The fields of one of the rows that a row of the file becomes.
    fn fields_of(&self, further: usize) -> impl Iterator<Item = usize> {
        let own = self.wide.as_ref().map(|wide| wide.columns[further]);
        self.stay.iter().copied().chain(own)
    }

    fn value(&self, further: usize) -> Option<f64> {
        self.wide.as_ref()?.values.as_ref().map(|values| values.numbers[further])
    }
}

fn read_rows(
    mut rows: TableRows,
    record: &mut ByteRecord,
    columns: &mut Vec<FileColumn>,
    layout: &TableLayout,
) -> Result<Vec<PlaceInText>, Error> {
    let mut places = Vec::new();
    // How many fields stand before those with a heading.
    let mut before = 0;
    let mut row_names = RowNames::default();
    while let Some(place) = rows.next(record)? {
        let expected = layout.fields + before;
        let fields = record.len();
        if places.is_empty() && fields == expected + 1 && !record[expected].is_empty() {
            // As R writes it: the names of the rows have no heading.
            columns.insert(0, FileColumn::new(String::new(), false, &DecimalSigns::default()));
            before = 1;
            row_names.place = Some(place);
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
        if before == 1 {
            row_names.look(record, rows.is_quoted);
        }
        for further in 0..layout.rows_of_each() {
            let row = places.len();
            let fields = (0..before).chain(layout.fields_of(further).map(|at| at + before));
            for (column, at) in columns.iter_mut().zip(fields) {
                let field = &record[at];
                match std::str::from_utf8(field) {
                    Ok(field) => column.push_field(row, field, place),
                    Err(_) => column.push_field(row, &text(field), place),
                }
            }
            if let (Some(value), Some(column)) = (layout.value(further), columns.last_mut()) {
                column.push(row, FieldValue::Number(value), place);
            }
            places.push(place);
        }
    }
    match row_names.place.filter(|_| !row_names.are_names()) {
        Some(place) => Err(Error::FieldCount { place, expected: layout.fields, found: layout.fields + 1 }),
        None => Ok(places),
    }
}

/// The line below the header of Markdown.
fn is_rule(record: &ByteRecord) -> bool {
    record.iter().all(|field| field.len() >= 2 && field.iter().all(|byte| matches!(byte, b'-' | b':' | b'=')))
        && !record.is_empty()
}

fn is_numbers(record: &ByteRecord) -> bool {
    let is_number = |field: &[u8]| {
        let text = text(field);
        let text = text.trim();
        text.parse::<f64>().is_ok_and(f64::is_finite)
            || [DecimalSign::Point, DecimalSign::Comma].iter().any(|sign| sign.number(text).is_some())
    };
    record.iter().all(is_number)
}

fn headings(header: &ByteRecord, separator: Separator, place: PlaceInText) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = Vec::with_capacity(header.len());
    for field in header {
        let name = text(field).trim().to_owned();
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
            let name = excerpt(name);
            return Err(Error::DuplicateColumn { place, name, first: first + 1, second: column + 1 });
        }
    }
    Ok(names)
}

fn is_bracket(field: &str) -> bool {
    field.starts_with(['(', '[']) && field.ends_with([')', ']'])
}
