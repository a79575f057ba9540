//! Columns of a table while its rows are read.

use std::collections::HashMap;

use call_grammar::excerpt;
use call_trace::Unit;

use crate::clock::{ClockEvidence, clock_s};
use crate::number::{DecimalSign, Doubt, SignEvidence, Undecided};
use crate::response_name::time_name;
use crate::{PlaceInText, ReadOptions};

/// A column while rows are read. What its first value is, number or text, the others are to be, too.
pub(crate) struct FileColumn {
    /// Its name in the file.
    pub(crate) name: String,
    pub(crate) values: ColumnValues,
    /// Whether numbers are texts here.
    has_names: bool,
    /// Whether its name speaks of times, so that `1:02:03` is none of the day and `killed` is none at all.
    is_time: bool,
    /// The decimal sign, if it is known.
    sign: Option<DecimalSign>,
    /// What its fields say about that, if it is not.
    evidence: SignEvidence,
    /// A field of which nobody knows what it means.
    pub(crate) undecided: Option<Undecided>,
    /// What its fields say about how clocks are read.
    pub(crate) clocks: ClockEvidence,
}

pub(crate) enum ColumnValues {
    /// None so far.
    Empty,
    Numbers(Vec<f64>),
    /// Numbers with a unit of time in each field, in seconds.
    Seconds(Vec<f64>),
    Texts(Texts),
    /// Numbers and, here for the first time, something else.
    Mixed {
        place: PlaceInText,
        text: String,
    },
}

/// Texts by number; number 0 is the empty one.
pub(crate) struct Texts {
    pub(crate) numbers: Vec<u32>,
    pub(crate) distinct: Vec<String>,
    number_of: HashMap<String, u32>,
}

impl Texts {
    fn new() -> Texts {
        let empty = String::new();
        Texts { numbers: Vec::new(), distinct: vec![empty.clone()], number_of: HashMap::from([(empty, 0)]) }
    }

    fn push(&mut self, row: usize, text: &str) {
        let number = self.number_of.get(text).copied().unwrap_or_else(|| {
            let number = u32::try_from(self.distinct.len()).unwrap_or(u32::MAX);
            self.distinct.push(text.to_owned());
            self.number_of.insert(text.to_owned(), number);
            number
        });
        self.numbers.resize(row, 0);
        self.numbers.push(number);
    }
}

/// A value of a row.
pub(crate) enum FieldValue<'a> {
    Missing,
    Number(f64),
    Seconds(f64),
    Text(&'a str),
}

/// The decimal signs that are known before rows are read: all by the user, or some from an earlier reading.
#[derive(Default)]
pub(crate) struct DecimalSigns {
    all: Option<DecimalSign>,
    of_column: HashMap<String, DecimalSign>,
}

impl DecimalSigns {
    pub(crate) fn new(options: &ReadOptions) -> DecimalSigns {
        DecimalSigns { all: options.decimal, of_column: HashMap::new() }
    }

    /// Decides what fields such as `1.000` are, when all rows are read: by their column, else by the other ones. Returns whether
    /// some are other numbers than was thought, so that the rows must be read again. A column whose fields stay undecided says so.
    pub(crate) fn decide(&mut self, columns: &mut [FileColumn], doubt: Doubt) -> bool {
        let mut signs =
            columns.iter().filter(|column| column.is_number()).filter_map(|its| its.evidence.sign());
        let first = signs.next();
        let of_file = first.filter(|first| signs.all(|sign| sign == *first));
        let mut is_again = false;
        for column in columns {
            match column.evidence.sign().or(of_file) {
                Some(DecimalSign::Comma) if column.evidence.differs_with_comma() => {
                    self.of_column.insert(column.name.clone(), DecimalSign::Comma);
                    is_again = true;
                }
                Some(_) => {}
                None => column.undecided = column.evidence.undecided(doubt),
            }
        }
        is_again
    }
}

impl FileColumn {
    /// A column without values; with `has_names`, numbers are texts.
    pub(crate) fn new(name: String, has_names: bool, signs: &DecimalSigns) -> FileColumn {
        let sign = signs.all.or_else(|| signs.of_column.get(&name).copied());
        let (values, evidence) = (ColumnValues::Empty, SignEvidence::default());
        let is_time = time_name(&name).is_some();
        let clocks = ClockEvidence::default();
        FileColumn { name, values, has_names, is_time, sign, evidence, undecided: None, clocks }
    }

    /// Takes a field of a table.
    #[inline]
    pub(crate) fn push_field(&mut self, row: usize, field: &str, place: PlaceInText) {
        let field = field.trim();
        let value = if self.has_names { FieldValue::Text(field) } else { self.value(field, place) };
        self.push(row, value, place);
    }

    fn value<'a>(&mut self, field: &'a str, place: PlaceInText) -> FieldValue<'a> {
        if is_missing(field) {
            return FieldValue::Missing;
        }
        if field.ends_with(char::is_alphabetic)
            && let Some(time_s) = self.duration_s(field, place)
        {
            self.clocks.is_decided = true;
            return FieldValue::Seconds(time_s);
        }
        match self.number(field, place) {
            Some(number) => FieldValue::Number(number),
            None if self.is_time && is_failure(field) => FieldValue::Missing,
            None => match clock_s(field).filter(|_| self.is_time) {
                Some(time_s) => {
                    self.clocks.take(field, place);
                    FieldValue::Seconds(time_s)
                }
                None => FieldValue::Text(field),
            },
        }
    }

    #[inline]
    fn number(&mut self, field: &str, place: PlaceInText) -> Option<f64> {
        match self.sign {
            None => self.evidence.number(field, place),
            Some(DecimalSign::Point) => field.parse().ok().or_else(|| DecimalSign::Point.number(field)),
            // What has no decimals may be spelt in other ways.
            Some(DecimalSign::Comma) => DecimalSign::Comma
                .number(field)
                .or_else(|| field.parse().ok().filter(|_| !field.contains('.'))),
        }
    }

    /// `12.5 ms`.
    fn duration_s(&mut self, field: &str, place: PlaceInText) -> Option<f64> {
        let end = field.rfind(|c: char| c.is_ascii_digit() || c == '.')? + 1;
        let (number, unit) = field.split_at(end);
        let unit = Unit::of_time(unit)?;
        self.number(number.trim_end(), place).map(|number| unit.to_base(number))
    }

    /// Whether its values are numbers, or would be with a decimal comma.
    fn is_number(&self) -> bool {
        match self.values {
            ColumnValues::Numbers(_) | ColumnValues::Seconds(_) => true,
            ColumnValues::Texts(_) | ColumnValues::Mixed { .. } => {
                !self.has_names && self.evidence.sign() == Some(DecimalSign::Comma)
            }
            ColumnValues::Empty => false,
        }
    }

    /// Takes the value of a row; rows without value may be passed over.
    pub(crate) fn push(&mut self, row: usize, value: FieldValue, place: PlaceInText) {
        match (&mut self.values, value) {
            (_, FieldValue::Missing) | (ColumnValues::Mixed { .. }, _) => {}
            (ColumnValues::Numbers(numbers), FieldValue::Number(number))
            | (ColumnValues::Seconds(numbers), FieldValue::Seconds(number)) => {
                numbers.resize(row, f64::NAN);
                numbers.push(number);
            }
            (ColumnValues::Texts(texts), FieldValue::Text(text)) => texts.push(row, text),
            (ColumnValues::Texts(texts), FieldValue::Number(number)) => texts.push(row, &number.to_string()),
            (ColumnValues::Texts(texts), FieldValue::Seconds(time_s)) => {
                texts.push(row, &format!("{time_s} s"))
            }
            (ColumnValues::Numbers(_) | ColumnValues::Seconds(_), FieldValue::Text(text)) => {
                self.values = ColumnValues::Mixed { place, text: excerpt(text) };
            }
            (ColumnValues::Numbers(_), FieldValue::Seconds(number)) => {
                self.values = ColumnValues::Mixed { place, text: format!("{number} s") };
            }
            (ColumnValues::Seconds(_), FieldValue::Number(number)) => {
                self.values = ColumnValues::Mixed { place, text: number.to_string() };
            }
            (ColumnValues::Empty, value) => {
                self.values = match value {
                    FieldValue::Number(_) if !self.has_names => ColumnValues::Numbers(Vec::new()),
                    FieldValue::Seconds(_) if !self.has_names => ColumnValues::Seconds(Vec::new()),
                    _ => ColumnValues::Texts(Texts::new()),
                };
                self.push(row, value, place);
            }
        }
    }

    /// Fills the column up to a number of rows. Names that are all numbers are numbers.
    pub(crate) fn finish(&mut self, rows: usize) {
        if let ColumnValues::Texts(texts) = &mut self.values {
            texts.numbers.resize(rows, 0);
        }
        if let ColumnValues::Numbers(numbers) | ColumnValues::Seconds(numbers) = &mut self.values {
            numbers.resize(rows, f64::NAN);
        }
    }

    /// Turns texts that are all numbers into numbers.
    pub(crate) fn numbers_of_names(&mut self) {
        let ColumnValues::Texts(texts) = &self.values else { return };
        let number = |text: &String| if text.is_empty() { Some(f64::NAN) } else { text.parse().ok() };
        let numbers: Option<Vec<f64>> = texts.distinct.iter().map(number).collect();
        if let Some(numbers) = numbers {
            self.values =
                ColumnValues::Numbers(texts.numbers.iter().map(|text| numbers[*text as usize]).collect());
        }
    }
}

fn is_missing(field: &str) -> bool {
    !field.starts_with(|c: char| c.is_ascii_digit())
        && matches!(field, "" | "-" | "?" | "NA" | "N/A" | "n/a" | "#N/A" | "null" | "NULL" | "None" | "none")
}

/// What tables write in the place of a time where there is none.
fn is_failure(field: &str) -> bool {
    const FAILURES: &[&str] = &[
        "timeout",
        "timedout",
        "killed",
        "fail",
        "failed",
        "failure",
        "error",
        "crash",
        "crashed",
        "oom",
        "outofmemory",
        "abort",
        "aborted",
        "canceled",
        "cancelled",
        "dnf",
        "skipped",
        "missing",
        "na",
    ];
    let letters: String =
        field.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    letters.is_empty() || FAILURES.contains(&letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(has_names: bool) -> FileColumn {
        FileColumn::new("N".to_owned(), has_names, &DecimalSigns::default())
    }

    #[test]
    fn fields_are_numbers_in_many_spellings() {
        let number = |field: &str| match column(false).value(field, PlaceInText::Line(1)) {
            FieldValue::Number(number) => Some(number),
            _ => None,
        };
        assert_eq!(
            (number("1e3"), number("+.5"), number("-1,5e3")),
            (Some(1000.0), Some(0.5), Some(-1500.0))
        );
        assert_eq!((number("1,048,576"), number("1,048.5")), (Some(1_048_576.0), Some(1048.5)));
        assert_eq!((number("a,048"), number("1,2,3"), number("nano")), (None, None, None));
        let value = |field| column(false).value(field, PlaceInText::Line(1));
        assert!(matches!(value("12.5 ms"), FieldValue::Seconds(time_s) if time_s == 0.0125));
        assert!(matches!(value("12,5 ms"), FieldValue::Seconds(time_s) if time_s == 0.0125));
        assert!(matches!(value("3s"), FieldValue::Seconds(3.0)));
        assert!(matches!(value("v2"), FieldValue::Text("v2")));
        assert!(matches!(value("NA"), FieldValue::Missing));
        assert!(matches!(value("nan"), FieldValue::Number(number) if number.is_nan()));
    }

    #[test]
    fn rows_that_were_passed_over_are_missing() {
        let mut numbers = column(false);
        numbers.push_field(2, "8", PlaceInText::Line(4));
        numbers.finish(4);
        assert!(
            matches!(&numbers.values, ColumnValues::Numbers(numbers) if numbers[2] == 8.0 && numbers.len() == 4 && numbers[3].is_nan())
        );

        let mut names = column(true);
        names.push_field(1, "7", PlaceInText::Line(3));
        names.finish(3);
        assert!(
            matches!(&names.values, ColumnValues::Texts(texts) if texts.numbers == [0, 1, 0] && texts.distinct == ["", "7"])
        );
        names.numbers_of_names();
        assert!(matches!(&names.values, ColumnValues::Numbers(numbers) if numbers[1] == 7.0));
    }

    #[test]
    fn a_text_among_numbers_is_remembered() {
        let mut column = column(false);
        column.push_field(0, "8", PlaceInText::Line(2));
        column.push_field(1, "x", PlaceInText::Line(3));
        column.push_field(2, "y", PlaceInText::Line(4));
        assert!(
            matches!(&column.values, ColumnValues::Mixed { place: PlaceInText::Line(3), text } if text == "x")
        );
    }
}
