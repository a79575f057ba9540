use std::collections::HashMap;

use crate::listed::excerpt;
use crate::{Place, TimeUnit};

/// A column while rows are read. What its first value is, number or text, the others are to be, too.
pub(crate) struct Column {
    /// Its name in the file.
    pub(crate) name: String,
    pub(crate) values: Values,
    /// Whether numbers are texts here.
    has_names: bool,
}

pub(crate) enum Values {
    /// None so far.
    Empty,
    Numbers(Vec<f64>),
    /// Numbers with a unit of time in each field, in seconds.
    Seconds(Vec<f64>),
    Texts(Texts),
    /// Numbers and, here for the first time, something else.
    Mixed {
        place: Place,
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
pub(crate) enum Value<'a> {
    Missing,
    Number(f64),
    Seconds(f64),
    Text(&'a str),
}

impl<'a> Value<'a> {
    /// What a field of a table holds. With `comma`, a comma stands before decimals.
    pub(crate) fn of(field: &'a str, comma: bool) -> Value<'a> {
        let field = field.trim();
        if let Ok(number) = field.parse() {
            return Value::Number(number);
        }
        match field {
            "" | "-" | "?" | "NA" | "N/A" | "n/a" | "#N/A" | "null" | "NULL" | "None" | "none" => {
                Value::Missing
            }
            _ => with_commas(field, comma)
                .map(Value::Number)
                .or_else(|| duration_s(field).map(Value::Seconds))
                .unwrap_or(Value::Text(field)),
        }
    }
}

/// `1,5` where fields are separated by semicolons, and `1,048,576` in quotes elsewhere.
fn with_commas(field: &str, comma: bool) -> Option<f64> {
    if !field.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | ','))
        || !field.contains(',')
    {
        return None;
    }
    if comma {
        return (field.matches(',').count() == 1 && !field.contains('.'))
            .then(|| field.replace(',', ".").parse().ok())?;
    }
    let whole = field.split('.').next().unwrap_or_default();
    let mut groups = whole.trim_start_matches(['-', '+']).split(',');
    let is_first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
    (is_first && groups.all(|group| group.len() == 3)).then(|| field.replace(',', "").parse().ok())?
}

/// `12.5 ms`.
fn duration_s(field: &str) -> Option<f64> {
    let end = field.rfind(|c: char| c.is_ascii_digit() || c == '.')? + 1;
    let (number, unit) = field.split_at(end);
    let time: f64 = number.parse().ok()?;
    Some(TimeUnit::named(unit)?.seconds(time))
}

impl Column {
    /// A column without values; with `has_names`, numbers are texts.
    pub(crate) fn new(name: String, has_names: bool) -> Column {
        Column { name, values: Values::Empty, has_names }
    }

    /// Takes a field of a table.
    pub(crate) fn push_field(&mut self, row: usize, field: &str, comma: bool, place: Place) {
        if self.has_names {
            self.push(row, Value::Text(field.trim()), place);
            return;
        }
        self.push(row, Value::of(field, comma), place);
    }

    /// Takes the value of a row; rows without value may be passed over.
    pub(crate) fn push(&mut self, row: usize, value: Value, place: Place) {
        match (&mut self.values, value) {
            (_, Value::Missing) | (Values::Mixed { .. }, _) => {}
            (Values::Numbers(numbers), Value::Number(number))
            | (Values::Seconds(numbers), Value::Seconds(number)) => {
                numbers.resize(row, f64::NAN);
                numbers.push(number);
            }
            (Values::Texts(texts), Value::Text(text)) => texts.push(row, text),
            (Values::Texts(texts), Value::Number(number)) => texts.push(row, &number.to_string()),
            (Values::Texts(texts), Value::Seconds(time_s)) => texts.push(row, &format!("{time_s} s")),
            (Values::Numbers(_) | Values::Seconds(_), Value::Text(text)) => {
                self.values = Values::Mixed { place, text: excerpt(text) };
            }
            (Values::Numbers(_), Value::Seconds(number)) => {
                self.values = Values::Mixed { place, text: format!("{number} s") };
            }
            (Values::Seconds(_), Value::Number(number)) => {
                self.values = Values::Mixed { place, text: number.to_string() };
            }
            (Values::Empty, value) => {
                self.values = match value {
                    Value::Number(_) if !self.has_names => Values::Numbers(Vec::new()),
                    Value::Seconds(_) if !self.has_names => Values::Seconds(Vec::new()),
                    _ => Values::Texts(Texts::new()),
                };
                self.push(row, value, place);
            }
        }
    }

    /// Fills the column up to a number of rows. Names that are all numbers are numbers.
    pub(crate) fn finish(&mut self, rows: usize) {
        if let Values::Texts(texts) = &mut self.values {
            texts.numbers.resize(rows, 0);
        }
        if let Values::Numbers(numbers) | Values::Seconds(numbers) = &mut self.values {
            numbers.resize(rows, f64::NAN);
        }
    }

    /// Turns texts that are all numbers into numbers.
    pub(crate) fn numbers_of_names(&mut self) {
        let Values::Texts(texts) = &self.values else { return };
        let number = |text: &String| if text.is_empty() { Some(f64::NAN) } else { text.parse().ok() };
        let numbers: Option<Vec<f64>> = texts.distinct.iter().map(number).collect();
        if let Some(numbers) = numbers {
            self.values = Values::Numbers(texts.numbers.iter().map(|text| numbers[*text as usize]).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbers_in_many_spellings() {
        let number = |field: &str, comma: bool| match Value::of(field, comma) {
            Value::Number(number) => Some(number),
            _ => None,
        };
        assert_eq!((number(" 1e3 ", false), number("+.5", false)), (Some(1000.0), Some(0.5)));
        assert_eq!(
            (number("1,5", true), number("1,5", false), number("-1,5e3", true)),
            (Some(1.5), None, Some(-1500.0))
        );
        assert_eq!((number("1,048,576", false), number("1,048.5", false)), (Some(1_048_576.0), Some(1048.5)));
        assert_eq!(
            (number("1,04", false), number("a,048", false), number("1,2,3", true)),
            (None, None, None)
        );
        assert!(matches!(Value::of("12.5 ms", false), Value::Seconds(time_s) if time_s == 0.0125));
        assert!(matches!(Value::of("3s", false), Value::Seconds(3.0)));
        assert!(matches!(Value::of("v2", false), Value::Text("v2")));
        assert!(matches!(Value::of("NA", false), Value::Missing));
        assert!(matches!(Value::of("nan", false), Value::Number(number) if number.is_nan()));
    }

    #[test]
    fn rows_that_were_passed_over_are_missing() {
        let mut column = Column::new("N".to_owned(), false);
        column.push_field(2, "8", false, Place::Line(4));
        column.finish(4);
        assert!(
            matches!(&column.values, Values::Numbers(numbers) if numbers[2] == 8.0 && numbers.len() == 4 && numbers[3].is_nan())
        );

        let mut column = Column::new("kernel".to_owned(), true);
        column.push_field(1, "7", false, Place::Line(3));
        column.finish(3);
        assert!(
            matches!(&column.values, Values::Texts(texts) if texts.numbers == [0, 1, 0] && texts.distinct == ["", "7"])
        );
        column.numbers_of_names();
        assert!(matches!(&column.values, Values::Numbers(numbers) if numbers[1] == 7.0));
    }

    #[test]
    fn a_text_among_numbers_is_remembered() {
        let mut column = Column::new("N".to_owned(), false);
        column.push_field(0, "8", false, Place::Line(2));
        column.push_field(1, "x", false, Place::Line(3));
        column.push_field(2, "y", false, Place::Line(4));
        assert!(matches!(&column.values, Values::Mixed { place: Place::Line(3), text } if text == "x"));
    }
}
