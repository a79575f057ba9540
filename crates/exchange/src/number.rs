//! Numbers of tables, which people write in many ways.
//!
//! `1.000` is one in some countries and a thousand in others, and `1,000` the other way round. What such fields mean is decided
//! for a column as a whole, by its other fields or else by the other columns of the file: `12,5` or `1.000,5` say that a comma
//! stands before decimals. Where nothing says so, that is told ([`Undecided`]).

use crate::PlaceInText;

/// What stands before decimals. The other one of the two, blanks and apostrophes may separate thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalSign {
    /// `12.5`
    Point,
    /// `12,5`
    Comma,
}

impl DecimalSign {
    /// The sign as it is written.
    pub fn symbol(self) -> char {
        match self {
            DecimalSign::Point => '.',
            DecimalSign::Comma => ',',
        }
    }

    pub(crate) fn other(self) -> DecimalSign {
        match self {
            DecimalSign::Point => DecimalSign::Comma,
            DecimalSign::Comma => DecimalSign::Point,
        }
    }

    /// The number that a field is if this is the decimal sign.
    pub(crate) fn number(self, field: &str) -> Option<f64> {
        let unsigned = field.strip_prefix(['-', '+']).unwrap_or(field);
        let (whole, decimals) = match unsigned.split_once(self.symbol()) {
            Some((whole, decimals)) => (whole, Some(decimals)),
            None => (unsigned, None),
        };
        let is_plain = whole.bytes().all(|byte| byte.is_ascii_digit());
        let digits = if is_plain { whole.to_owned() } else { without_groups(whole, self.other().symbol())? };
        let mut plain = String::from(if field.starts_with('-') { "-" } else { "" });
        plain.push_str(&digits);
        if let Some(decimals) = decimals {
            let end = decimals.find(|c: char| !c.is_ascii_digit()).unwrap_or(decimals.len());
            // `1,5e3` is one number, `1.000,5e3` none.
            if end < decimals.len() && !(is_plain && decimals[end..].starts_with(['e', 'E'])) {
                return None;
            }
            plain.push('.');
            plain.push_str(decimals);
        }
        plain.parse().ok()
    }
}

/// The digits of `1.000.000`: up to three, then threes, with one and the same between them. Numbers do not begin with zeros.
fn without_groups(whole: &str, sign: char) -> Option<String> {
    /// Blanks that do not break a line, the second one narrow; thin blanks; apostrophes.
    const SEPARATORS: [char; 6] = [' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '’'];
    let between = whole.chars().find(|c| !c.is_ascii_digit())?;
    if between != sign && !SEPARATORS.contains(&between) {
        return None;
    }
    let mut groups = whole.split(between);
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().filter(|first| are_digits(first) && (1..=3).contains(&first.len()))?;
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 || !are_digits(group) {
            return None;
        }
        digits.push_str(group);
    }
    (!first.starts_with('0')).then_some(digits)
}

/// What the fields of a column say about its decimal sign.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SignEvidence {
    /// A field is a number with a decimal point only, or with a decimal comma only.
    has_point: bool,
    has_comma: bool,
    /// A field is a number like `1.000.000`, or like an address.
    has_groups: bool,
    /// A field is no number with a decimal comma.
    has_others: bool,
    /// The first field that can be two numbers.
    ambiguous: Option<(PlaceInText, String)>,
}

impl SignEvidence {
    /// The number that a field is in all probability; [`SignEvidence::sign`] is what it is to be read by if it is ambiguous.
    #[inline]
    pub(crate) fn number(&mut self, field: &str, place: PlaceInText) -> Option<f64> {
        if let Ok(number) = field.parse() {
            if !self.has_point && field.bytes().any(|byte| byte == b'.') {
                self.take(field, Some(number), place);
            }
            return Some(number);
        }
        let is_start = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | ',' | '.');
        if !field.starts_with(is_start) {
            self.has_others = true;
            return None;
        }
        let with_point = DecimalSign::Point.number(field);
        let with_comma = self.take(field, with_point, place);
        with_point.or_else(|| with_comma.filter(|_| field.contains(',')))
    }

    /// Returns what the field is with a decimal comma.
    fn take(&mut self, field: &str, with_point: Option<f64>, place: PlaceInText) -> Option<f64> {
        let with_comma = DecimalSign::Comma.number(field);
        match (with_point, with_comma) {
            (Some(one), Some(other)) if one == other => {}
            (Some(_), Some(_)) => {
                self.ambiguous.get_or_insert_with(|| (place, field.to_owned()));
            }
            (Some(_), None) => (self.has_point, self.has_others) = (true, true),
            (None, Some(_)) if field.contains(',') => self.has_comma = true,
            (None, Some(_)) => self.has_groups = true,
            (None, None) => self.has_others = true,
        }
        with_comma
    }

    /// The decimal sign of the column, if its own fields tell it.
    pub(crate) fn sign(&self) -> Option<DecimalSign> {
        match (self.has_point, self.has_comma) {
            (true, false) => Some(DecimalSign::Point),
            (false, true) => Some(DecimalSign::Comma),
            (false, false) if self.has_groups && !self.has_others => Some(DecimalSign::Comma),
            _ => None,
        }
    }

    /// Whether all fields are numbers if a comma stands before decimals, and other ones than [`SignEvidence::number`] said.
    pub(crate) fn differs_with_comma(&self) -> bool {
        !self.has_others && (self.ambiguous.is_some() || self.has_groups)
    }

    /// The first field whose number is not known.
    pub(crate) fn undecided(&self, doubt: Doubt) -> Option<Undecided> {
        let (place, text) = self.ambiguous.clone()?;
        let is_undecided = doubt != Doubt::UnlessPoint || text.contains(',');
        is_undecided.then_some(Undecided { place, text, is_refused: doubt == Doubt::Refused })
    }
}

/// What becomes of fields that can be two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// They are refused: semicolons separate fields where a comma stands before decimals, but not only there.
    Refused,
    /// That a point stands before decimals is told.
    Told,
    /// The same, but for `1.000`: where commas separate fields, and in JSON, a point stands before decimals.
    UnlessPoint,
}

/// A field that can be two numbers, and nothing in the file says which.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Undecided {
    pub(crate) place: PlaceInText,
    pub(crate) text: String,
    pub(crate) is_refused: bool,
}

impl Undecided {
    /// What the field is with a decimal point and with a decimal comma.
    pub(crate) fn numbers(&self) -> [f64; 2] {
        [DecimalSign::Point, DecimalSign::Comma].map(|sign| sign.number(&self.text).unwrap_or(f64::NAN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbers_by_the_decimal_sign() {
        for (field, with_point, with_comma) in [
            ("1000", Some(1000.0), Some(1000.0)),
            ("12.5", Some(12.5), None),
            ("12,5", None, Some(12.5)),
            ("1.000", Some(1.0), Some(1000.0)),
            ("1,000", Some(1000.0), Some(1.0)),
            ("-1.250.000", None, Some(-1_250_000.0)),
            ("1,048,576", Some(1_048_576.0), None),
            ("1.048,5", None, Some(1048.5)),
            ("1,048.5", Some(1048.5), None),
            ("0.125", Some(0.125), None),
            ("0,125", None, Some(0.125)),
            (",5", None, Some(0.5)),
            ("-1,5e3", None, Some(-1500.0)),
            ("1.000e3", Some(1000.0), None),
            ("1 000 000", Some(1e6), Some(1e6)),
            ("1'000.5", Some(1000.5), None),
            ("1\u{202f}000,125", None, Some(1000.125)),
            ("1’048\u{a0}576", None, None),
            ("1,04", None, Some(1.04)),
            ("1,2,3", None, None),
            ("10 20", None, None),
            ("1.000.00", None, None),
            ("1234.567.890", None, None),
            ("01.02.2024", None, None),
            (",", None, None),
            ("", None, None),
            ("-", None, None),
        ] {
            assert_eq!(DecimalSign::Point.number(field), with_point, "{field} with a point");
            assert_eq!(DecimalSign::Comma.number(field), with_comma, "{field} with a comma");
        }
    }

    #[test]
    fn a_column_tells_its_sign_where_it_can() {
        let check = |fields: &[&str], sign: Option<DecimalSign>, is_undecided: bool| {
            let mut evidence = SignEvidence::default();
            for field in fields {
                evidence.number(field, PlaceInText::Line(2));
            }
            assert_eq!(
                (evidence.sign(), evidence.undecided(Doubt::Told).is_some()),
                (sign, is_undecided),
                "{fields:?}"
            );
        };
        check(&["1", "2"], None, false);
        check(&["1.000", "2.000"], None, true);
        check(&["1.000", "2.5"], Some(DecimalSign::Point), true);
        check(&["1,000", "2,5"], Some(DecimalSign::Comma), true);
        check(&["1.000", "1.000.000"], Some(DecimalSign::Comma), true);
        check(&["192.168.100.200", "10.0.0.1"], None, false);
        check(&["1.5", "1,5"], None, false);
    }
}
