//! Units of what is measured: seconds, bytes, joules, visits and so on.

use crate::number::digits::{Rounded, TIME_DIGITS, significant, without_digits};

/// The unit of a quantity: how its numbers are written for people, and how the keys of its columns end.
///
/// ```
/// use call_report::DisplayUnit;
///
/// assert_eq!(DisplayUnit::seconds().text(0.00601), "6.01 ms");
/// assert_eq!(DisplayUnit::parse("bytes").text(1.5e6), "1.5 MB");
/// assert_eq!(DisplayUnit::parse("flop/s").text(2.5e9), "2.5 Gflop/s");
/// assert_eq!(DisplayUnit::parse("visits").text(123_456.0), "123456 visits");
/// assert_eq!(DisplayUnit::parse("bytes/s").key(), "bytes_per_s");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DisplayUnit {
    symbol: String,
    key: String,
    prefixes: Prefixes,
}

/// Powers of a thousand that may stand before a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Prefixes {
    /// Counted things have none: there is no kilovisit.
    #[default]
    None,
    /// Bytes and operations are not divided.
    Large,
    /// Nobody says kilosecond.
    Small,
    All,
}

/// Words for a unit, its symbol, its name in keys, and its prefixes.
type KnownUnit = (&'static [&'static str], &'static str, &'static str, Prefixes);

const KNOWN: [KnownUnit; 8] = [
    (&["s", "second", "seconds"], "s", "s", Prefixes::Small),
    (&["B", "byte", "bytes"], "B", "bytes", Prefixes::Large),
    (&["flop", "flops"], "flop", "flops", Prefixes::Large),
    (&["op", "ops", "operations"], "op", "ops", Prefixes::Large),
    (&["J", "joule", "joules"], "J", "joules", Prefixes::All),
    (&["W", "watt", "watts"], "W", "watts", Prefixes::All),
    (&["Hz", "hertz"], "Hz", "hertz", Prefixes::Large),
    (&["%", "percent"], "%", "percent", Prefixes::None),
];

impl DisplayUnit {
    /// Times.
    pub fn seconds() -> DisplayUnit {
        DisplayUnit::parse("s")
    }

    /// Parts of a hundred.
    pub fn percent() -> DisplayUnit {
        DisplayUnit::parse("%")
    }

    /// The unit of this name or symbol, or a rate such as `bytes/s`. Names that are not known are counted things, whose numbers
    /// have no prefixes; without a name it is no unit.
    pub fn parse(name: &str) -> DisplayUnit {
        let name = name.trim();
        let (base, per) = match name.split_once('/') {
            Some((base, per)) => (base.trim_end(), Some(per.trim_start())),
            None => (name, None),
        };
        let known = KNOWN.iter().find(|(words, ..)| words.contains(&base));
        let (symbol, key, prefixes) = match known {
            Some((_, symbol, key, prefixes)) => (*symbol, (*key).to_owned(), *prefixes),
            None => (base, key_of(base), Prefixes::None),
        };
        match per {
            Some(per) => DisplayUnit {
                symbol: format!("{symbol}/{per}"),
                key: format!("{key}_per_{}", key_of(per)),
                prefixes,
            },
            None => DisplayUnit { symbol: symbol.to_owned(), key, prefixes },
        }
    }

    /// What stands behind numbers: `s`, `B`, `visits`; nothing if empty.
    pub fn symbol(&self) -> &str {
        &self.symbol
    }

    /// How keys for machines end: `s`, `bytes`, `visits`; nothing if empty.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether it is the second.
    pub fn is_time(&self) -> bool {
        self.symbol == "s"
    }

    /// Whether it is no unit at all.
    pub fn is_none(&self) -> bool {
        self.symbol.is_empty()
    }

    /// Whether numbers of it get the prefixes of the SI, so that each must show its unit.
    pub fn has_prefixes(&self) -> bool {
        self.prefixes != Prefixes::None
    }

    /// A number of it as people read it, with four digits.
    pub fn text(&self, x: f64) -> String {
        if self.is_none() {
            return significant(x, TIME_DIGITS);
        }
        if self.has_prefixes() { self.prefixed(x) } else { self.behind(&significant(x, TIME_DIGITS)) }
    }

    /// With the prefix that suits the number.
    fn prefixed(&self, x: f64) -> String {
        /// Numbers of so many digits are written in full where prefixes end.
        const MOST_DIGITS: i32 = 6;
        let Some(rounded) = Rounded::new(x, TIME_DIGITS) else { return self.behind(&without_digits(x)) };
        let (power, symbol) = self.scaled(rounded.exponent);
        match rounded.exponent - power {
            ..0 => self.behind(&significant(x, TIME_DIGITS)),
            exponent if exponent < TIME_DIGITS as i32 => format!("{} {symbol}", rounded.times_ten_to(-power)),
            exponent if exponent < MOST_DIGITS => format!("{:.0} {symbol}", x / 10_f64.powi(power)),
            _ => self.behind(&rounded.scientific()),
        }
    }

    /// The power of ten by which numbers of this magnitude, the exponent of their first digit, are divided so that they have one to
    /// three digits before the point, and the unit with its prefix. A number may have more where prefixes end.
    pub(crate) fn scaled(&self, magnitude: i32) -> (i32, String) {
        let (least, most) = self.steps();
        let steps = magnitude.div_euclid(3).clamp(least, most);
        (3 * steps, self.prefixed_symbol(steps))
    }

    /// What a number is multiplied by that has this text behind it: 1 for the unit itself, 1e6 for `MB`; `None` for another unit.
    pub fn factor(&self, text: &str) -> Option<f64> {
        if DisplayUnit::parse(text) == *self {
            return Some(1.0);
        }
        let (least, most) = self.steps();
        let steps = (least..=most).find(|steps| self.prefixed_symbol(*steps) == text)?;
        Some(10_f64.powi(3 * steps))
    }

    /// The least and the largest power of a thousand with a prefix.
    fn steps(&self) -> (i32, i32) {
        match self.prefixes {
            Prefixes::None => (0, 0),
            Prefixes::Large => (0, 5),
            Prefixes::Small => (-5, 0),
            Prefixes::All => (-5, 5),
        }
    }

    fn prefixed_symbol(&self, steps: i32) -> String {
        const NAMES: [&str; 11] = ["f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P"];
        const NONE: i32 = 5;
        let name = NAMES.get((NONE + steps) as usize).copied().unwrap_or_default();
        format!("{name}{}", self.symbol)
    }

    /// A number with the unit behind it.
    pub(crate) fn behind(&self, number: &str) -> String {
        if self.is_none() { number.to_owned() } else { format!("{number} {}", self.symbol) }
    }
}

/// A key for machines. Names of variables stay as they are; of titles that are no names, what is not a letter or digit becomes `_`.
pub(crate) fn key_of(title: &str) -> String {
    let is_name = !title.contains(char::is_whitespace);
    if is_name { title.to_owned() } else { title.replace(|c: char| !c.is_alphanumeric(), "_") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_prefixes_where_they_are_usual() {
        let table = [
            ("s", 123.4567e-6, "123.5 µs"),
            ("s", 12345.6, "12346 s"),
            ("bytes", 512.0, "512 B"),
            ("bytes", 999.96, "1.000 kB"),
            ("B", 65_536.0, "65.54 kB"),
            ("B", 0.25, "0.25 B"),
            ("B", 3e18, "3000 PB"),
            ("B", 1e25, "1e25 B"),
            ("B", -2e6, "-2 MB"),
            ("flops", 2.5e9, "2.5 Gflop"),
            ("J", 0.0123, "12.3 mJ"),
            ("joules", 1.5e-16, "1.5e-16 J"),
            ("J", 4.2e4, "42 kJ"),
            ("s/byte", 4e-9, "4 ns/byte"),
            ("visits", 1_234_567.0, "1234567 visits"),
            ("cache misses", 0.5, "0.5 cache misses"),
            ("%", 12.5, "12.5 %"),
            ("", 12.5, "12.5"),
            ("B", 0.0, "0 B"),
            ("B", f64::INFINITY, "∞ B"),
            ("J", f64::NAN, "nan J"),
        ];
        for (unit, x, expected) in table {
            assert_eq!(DisplayUnit::parse(unit).text(x), expected, "{x:e} {unit}");
        }
    }

    #[test]
    fn prefixes_are_factors() {
        let table = [
            ("bytes", "B", Some(1.0)),
            ("bytes", "bytes", Some(1.0)),
            ("bytes", "MB", Some(1e6)),
            ("bytes", "mB", None),
            ("bytes", "s", None),
            ("J", "mJ", Some(1e-3)),
            ("flop/s", "Gflop/s", Some(1e9)),
            ("visits", "visits", Some(1.0)),
            ("visits", "kvisits", None),
        ];
        for (unit, text, factor) in table {
            assert_eq!(DisplayUnit::parse(unit).factor(text), factor, "{text}");
        }
    }

    #[test]
    fn keys_name_the_unit() {
        let table = [
            ("seconds", "s"),
            ("B", "bytes"),
            ("flop/s", "flops_per_s"),
            ("cache misses", "cache_misses"),
            ("%", "percent"),
            (" ", ""),
        ];
        for (unit, key) in table {
            assert_eq!(DisplayUnit::parse(unit).key(), key);
        }
    }
}
