//! Sheets of Excel workbooks (`.xlsx`), as the tables that they would be if they were saved as text.

use std::io::Cursor;

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx, XlsxCellReader, XlsxError};

use crate::packed::Packed;
use crate::{DecimalSign, Error, FileFormat, Imported, Note, ReadOptions, table};

/// A sheet may become so large as text; there can be 17 thousand million cells.
const MOST_BYTES: usize = 1 << 30;

/// The entry that lists the sheets.
const WORKBOOK: &str = "xl/workbook.xml";

pub(crate) fn is_workbook(packed: &Packed) -> bool {
    packed.has(WORKBOOK)
}

/// Reads one sheet: the one that is asked for, else the first that holds anything. Rows keep their numbers as lines.
pub(crate) fn read(path_name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Imported, Error> {
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(damaged)?;
    let names = workbook.sheet_names();
    let filled = match &options.sheet {
        Some(name) if !names.contains(name) => {
            return Err(Error::UnknownSheet { name: name.clone(), sheets: names });
        }
        Some(name) => vec![name.clone()],
        None => {
            let mut filled = Vec::new();
            for name in names {
                if holds_anything(&mut workbook, &name)? {
                    filled.push(name);
                }
            }
            filled
        }
    };
    let (name, others) = filled.split_first().ok_or(Error::Empty)?;
    let text = as_text(&mut workbook, name)?;
    // Cells hold numbers, whatever signs the user's Excel shows them with.
    let options = ReadOptions { decimal: Some(DecimalSign::Point), ..options.clone() };
    let mut imported = match table::read(path_name, &text, &options) {
        Err(error @ Error::NoSamples { .. }) => {
            return Err(never_computed(&mut workbook, name)?.unwrap_or(error));
        }
        result => result?,
    };
    imported.format = FileFormat::Workbook;
    if !others.is_empty() {
        imported.notes.insert(0, Note::Sheet { name: name.clone(), others: others.to_vec() });
    }
    Ok(imported)
}

fn damaged(error: XlsxError) -> Error {
    Error::Packed { problem: format!("the workbook is damaged or of another kind ({error})") }
}

/// The cells of a sheet; none of one with a picture.
fn cells<'a, 'b>(
    workbook: &'b mut Xlsx<Cursor<&'a [u8]>>,
    name: &str,
) -> Result<Option<XlsxCellReader<'b, Cursor<&'a [u8]>>>, Error> {
    match workbook.worksheet_cells_reader(name) {
        Ok(cells) => Ok(Some(cells)),
        Err(XlsxError::NotAWorksheet(_)) => Ok(None),
        Err(error) => Err(damaged(error)),
    }
}

fn holds_anything(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<bool, Error> {
    let Some(mut cells) = cells(workbook, name)? else { return Ok(false) };
    while let Some(cell) = cells.next_cell().map_err(damaged)? {
        if *cell.get_value() != DataRef::Empty {
            return Ok(true);
        }
    }
    Ok(false)
}

/// That formulas of a sheet have no values, as where a program wrote the file that does not compute them.
fn never_computed(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Option<Error>, Error> {
    let Some(mut cells) = cells(workbook, name)? else { return Ok(None) };
    let (mut count, mut first) = (0, None);
    while let Some(cell) = cells.next_cell_with_formula().map_err(damaged)? {
        if cell.formula.is_some() && cell.value == DataRef::Empty {
            count += 1;
            first.get_or_insert(cell.pos);
        }
    }
    Ok(first.map(|(row, column)| Error::NeverComputed { cells: count, first: reference(row, column) }))
}

/// `B7`.
fn reference(row: u32, column: u32) -> String {
    let mut letters = String::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.insert(0, char::from(b'A' + ((rest - 1) % 26) as u8));
        rest = (rest - 1) / 26;
    }
    format!("{letters}{}", row + 1)
}

/// A sheet with commas between its fields and a line for each of its rows, also for those that are empty. It is read cell by cell: what a
/// sheet says of its size may be anything.
fn as_text(workbook: &mut Xlsx<Cursor<&[u8]>>, name: &str) -> Result<Vec<u8>, Error> {
    let Some(mut cells) = cells(workbook, name)? else { return Ok(Vec::new()) };
    let mut text = DelimitedText::default();
    while let Some(cell) = cells.next_cell().map_err(damaged)? {
        let (row, column) = cell.get_position();
        let field = match cell.get_value() {
            DataRef::Int(number) => number.to_string(),
            DataRef::Float(number) => number.to_string(),
            DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
            DataRef::SharedString(text) => (*text).to_owned(),
            DataRef::Bool(is_true) => is_true.to_string(),
            DataRef::DateTime(time) => as_shown(time),
            DataRef::Error(error) => error.to_string(),
            DataRef::Empty => continue,
        };
        text.push(row, column, &field)?;
    }
    Ok(text.finish())
}

/// Excel keeps dates and times as days, which alone would pass for seconds. A time of the day may be a moment or how long something took.
fn as_shown(time: &ExcelDateTime) -> String {
    if time.is_duration() {
        format!("{:.9} s", time.as_f64() * 86_400.0)
    } else {
        format!("day {}", time.as_f64())
    }
}

#[derive(Default)]
struct DelimitedText {
    bytes: Vec<u8>,
    /// The row at hand, from 0.
    row: u32,
    /// How many fields it has.
    fields: u32,
    /// How many the first row with any has: others have no fewer.
    of_header: Option<u32>,
}

impl DelimitedText {
    fn push(&mut self, row: u32, column: u32, field: &str) -> Result<(), Error> {
        if row < self.row || row == self.row && column < self.fields {
            return Err(Error::Packed {
                problem: format!("row {} of a sheet stands behind later ones", row + 1),
            });
        }
        if row > self.row {
            self.end_row();
            self.bytes.extend(std::iter::repeat_n(b'\n', (row - self.row) as usize));
            (self.row, self.fields) = (row, 0);
        }
        self.fill(column);
        self.begin_field();
        self.bytes.push(b'"');
        for byte in field.bytes() {
            match byte {
                b'"' => self.bytes.extend(b"\"\""),
                b'\n' | b'\r' => self.bytes.push(b' '),
                _ => self.bytes.push(byte),
            }
        }
        self.bytes.push(b'"');
        if self.bytes.len() > MOST_BYTES {
            return Err(Error::Packed { problem: format!("a sheet becomes larger than {MOST_BYTES} bytes") });
        }
        Ok(())
    }

    fn begin_field(&mut self) {
        if self.fields > 0 {
            self.bytes.push(b',');
        }
        self.fields += 1;
    }

    /// Cells that are left empty.
    fn fill(&mut self, fields: u32) {
        while self.fields < fields {
            self.begin_field();
        }
    }

    fn end_row(&mut self) {
        if self.fields > 0 {
            let fields = *self.of_header.get_or_insert(self.fields);
            self.fill(fields);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.end_row();
        self.bytes
    }
}
