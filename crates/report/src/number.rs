//! Numbers as people read them. A rounded number keeps its zeros at the end; an exact one loses them: 6.010 ms is
//! something between 6.0095 and 6.0105 ms, 6.01 ms is that.

use std::ops::Bound;
use std::sync::LazyLock;

pub use digits::significant;

use crate::DisplayUnit;
use digits::{Rounded, TIME_DIGITS, without_digits};

pub(crate) mod digits;

/// Digits of the ends of an interval.
const INTERVAL_DIGITS: usize = 6;
/// A time with a unit that suits it: `11.77 s`, `6.004 ms`, `123.5 µs`, `42 ns`.
pub fn seconds(s: f64) -> String {
    static SECONDS: LazyLock<DisplayUnit> = LazyLock::new(DisplayUnit::seconds);
    SECONDS.text(s)
}

/// A number in full: as few digits as give it back.
pub fn exact(x: f64) -> String {
    const LARGEST: f64 = 1e15;
    const SMALLEST: f64 = 1e-5;
    match x.abs() {
        size if !x.is_finite() || size == 0.0 => without_digits(x),
        size if (SMALLEST..LARGEST).contains(&size) => x.to_string(),
        _ => format!("{x:e}"),
    }
}

/// A number in a sentence: in full if it has few digits, else rounded.
pub fn short(x: f64) -> String {
    const DIGITS: usize = 5;
    match Rounded::new(x, DIGITS + 1) {
        Some(rounded) if !rounded.is_exact => significant(x, DIGITS),
        rounded => exact(rounded.map_or(x, |rounded| rounded.value)),
    }
}

/// A number of percent with two decimals and without the sign `%`: `-0.30`. Huge ones are written as others are.
pub fn percent(x: f64) -> String {
    const LARGEST: f64 = 1e9;
    if !x.is_finite() || x.abs() >= LARGEST {
        return significant(x, TIME_DIGITS);
    }
    let text = format!("{x:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// An interval: `[1024, 65536]`, `(65536, ∞)`. Infinite ends are never included.
pub fn interval(lower: Bound<f64>, upper: Bound<f64>) -> String {
    let (open, lower) = match lower {
        Bound::Included(x) if x.is_finite() => ('[', significant(x, INTERVAL_DIGITS)),
        Bound::Included(x) | Bound::Excluded(x) => ('(', significant(x, INTERVAL_DIGITS)),
        Bound::Unbounded => ('(', "-∞".to_owned()),
    };
    let (upper, close) = match upper {
        Bound::Included(x) if x.is_finite() => (significant(x, INTERVAL_DIGITS), ']'),
        Bound::Included(x) | Bound::Excluded(x) => (significant(x, INTERVAL_DIGITS), ')'),
        Bound::Unbounded => ("∞".to_owned(), ')'),
    };
    format!("{open}{lower}, {upper}{close}")
}

/// A text without line ends and other characters that terminals obey.
pub(crate) fn one_line(text: String) -> String {
    text.replace(|c: char| c.is_control() || turns(c), " ")
}

/// Whether a character turns the direction of what follows.
pub(crate) fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use std::ops::Bound::{Excluded, Included, Unbounded};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_have_units() {
        let table = [
            (11.77, "11.77 s"),
            (0.006004, "6.004 ms"),
            (123.5e-6, "123.5 µs"),
            (123.4567e-6, "123.5 µs"),
            (42e-9, "42 ns"),
            (42.37e-9, "42.37 ns"),
            (0.00601, "6.01 ms"),
            (0.00600999, "6.010 ms"),
            (203e-6 * (1.0 + f64::EPSILON), "203 µs"),
            (203e-6 * (1.0 - 1e-10), "203 µs"),
            (0.0009999, "999.9 µs"),
            (0.00099996, "1.000 ms"),
            (0.99996, "1.000 s"),
            (9.9996, "10.00 s"),
            (1.0, "1 s"),
            (999.96, "1000 s"),
            (1234.5, "1234 s"),
            (12345.6, "12346 s"),
            (999999.9, "1.000e6 s"),
            (1e6, "1e6 s"),
            (2.5e9, "2.5e9 s"),
            (3.2e-10, "320 ps"),
            (1.5e-15, "1.5 fs"),
            (1.2345e-18, "1.235e-18 s"),
            (-0.006004, "-6.004 ms"),
            (0.0, "0 s"),
            (-0.0, "0 s"),
            (f64::NAN, "nan s"),
            (f64::INFINITY, "∞ s"),
        ];
        for (s, expected) in table {
            assert_eq!(seconds(s), expected, "{s:e}");
        }
    }

    #[test]
    fn digits_are_significant() {
        let table = [
            (1.0 / 3.0, 4, "0.3333"),
            (0.5, 4, "0.5"),
            (2.0, 4, "2"),
            (1.9999999, 4, "2.000"),
            (99.99, 3, "100"),
            (123.456, 3, "123"),
            (1234.56, 2, "1235"),
            (131072.0, 3, "131072"),
            (2097152.0, 3, "2097152"),
            (12345678.9, 4, "1.235e7"),
            (1e15, 4, "1e15"),
            (0.000123456, 4, "0.0001235"),
            (0.0000123456, 4, "1.235e-5"),
            (-1.5e-9, 4, "-1.5e-9"),
            (-12.345, 3, "-12.3"),
            (7.0, 0, "7"),
            (0.3, 99, "0.29999999999999999"),
            (0.0, 4, "0"),
            (f64::NAN, 4, "nan"),
            (f64::NEG_INFINITY, 4, "-∞"),
        ];
        for (x, digits, expected) in table {
            assert_eq!(significant(x, digits), expected, "{x:e} with {digits}");
        }
    }

    #[test]
    fn percents_have_two_decimals() {
        let table = [
            (-0.3, "-0.30"),
            (12.345, "12.35"),
            (-0.004, "0.00"),
            (0.0, "0.00"),
            (1e4, "10000.00"),
            (-1.25e300, "-1.25e300"),
            (f64::NAN, "nan"),
        ];
        for (x, expected) in table {
            assert_eq!(percent(x), expected);
        }
    }

    #[test]
    fn intervals_show_which_ends_belong_to_them() {
        let table = [
            (Included(1024.0), Included(65536.0), "[1024, 65536]"),
            (Excluded(65536.0), Unbounded, "(65536, ∞)"),
            (Excluded(65536.0), Included(f64::INFINITY), "(65536, ∞)"),
            (Included(f64::NEG_INFINITY), Included(0.5), "(-∞, 0.5]"),
            (Unbounded, Excluded(1.0 / 3.0), "(-∞, 0.333333)"),
            (Excluded(1.0), Included(2.0), "(1, 2]"),
        ];
        for (lower, upper, expected) in table {
            assert_eq!(interval(lower, upper), expected);
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_near(bits: u64, digits in 0..20_usize) {
            let x = f64::from_bits(bits);
            let _ = (seconds(x), percent(x));
            let text = significant(x, digits);
            if x.is_finite() {
                let shown: f64 = text.parse().unwrap();
                let error = 0.5 * 10_f64.powi(1 - digits.clamp(1, 17) as i32);
                prop_assert!((shown - x).abs() <= error * x.abs() * 1.0001 || shown.is_infinite(), "{x:e} as {text}");
            }
        }
    }
}
