//! Texts at ticks, out of exact decimals.

use crate::DisplayUnit;

/// A decimal number, digits * 10^exponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) digits: i64,
    pub(super) exponent: i32,
}

impl Decimal {
    /// The nearest double.
    pub(super) fn value(self) -> f64 {
        let power = 10_f64.powi(self.exponent.abs());
        let digits = self.digits as f64;
        if self.exponent < 0 { digits / power } else { digits * power }
    }

    /// The exponent of the first digit.
    fn magnitude(self) -> i32 {
        self.exponent + self.digits.unsigned_abs().checked_ilog10().unwrap_or(0) as i32
    }

    /// The number times a power of ten, in full.
    fn plain(self, power: i32) -> String {
        let exponent = self.exponent + power;
        let digits = self.digits.unsigned_abs().to_string();
        let sign = if self.digits < 0 { "-" } else { "" };
        let Ok(decimals) = usize::try_from(-exponent) else {
            let zeros = if self.digits == 0 { 0 } else { exponent as usize };
            return format!("{sign}{digits}{}", "0".repeat(zeros));
        };
        let digits = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, decimals) = digits.split_at(digits.len() - decimals);
        if decimals.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") }
    }
}

/// Texts for equally spaced numbers, all of one form.
pub(super) fn linear(numbers: &[Decimal], unit: &DisplayUnit) -> Vec<String> {
    const LARGEST_PLAIN: i32 = 6;
    const SMALLEST_PLAIN: i32 = -4;
    let magnitude = numbers.iter().filter(|number| number.digits != 0).map(|number| number.magnitude()).max();
    let magnitude = magnitude.unwrap_or(0);
    let label = |number: &Decimal| match prefix(magnitude, unit) {
        _ if number.digits == 0 && !is_percent(unit) => "0".to_owned(),
        Some((power, symbol)) => format!("{} {symbol}", number.plain(-power)),
        None if (SMALLEST_PLAIN..=LARGEST_PLAIN).contains(&magnitude) => unit.behind(&number.plain(0)),
        None => unit.behind(&format!("{}×10{}", number.plain(-magnitude), superscript(magnitude))),
    };
    numbers.iter().map(label).collect()
}

/// Texts for numbers that are spaced by their logarithms, each with its own unit or power of ten.
pub(super) fn logarithmic(numbers: &[Decimal], unit: &DisplayUnit) -> Vec<String> {
    const LARGEST_PLAIN: i32 = 5;
    const SMALLEST_PLAIN: i32 = -3;
    let is_plain =
        numbers.iter().all(|number| (SMALLEST_PLAIN..=LARGEST_PLAIN).contains(&number.magnitude()));
    let label = |number: &Decimal| match prefix(number.magnitude(), unit) {
        Some((power, symbol)) => format!("{} {symbol}", number.plain(-power)),
        None if is_plain && !unit.has_prefixes() => unit.behind(&number.plain(0)),
        None if number.digits == 1 => unit.behind(&format!("10{}", superscript(number.exponent))),
        None => unit.behind(&format!("{}×10{}", number.digits, superscript(number.exponent))),
    };
    numbers.iter().map(label).collect()
}

/// The text for 2^exponent: in full, or with a binary prefix on an axis of large numbers.
pub(super) fn binary(exponent: u32, has_prefix: bool, unit: &DisplayUnit) -> String {
    const PREFIXES: [&str; 7] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    let steps = if has_prefix { exponent / 10 } else { 0 };
    match (PREFIXES.get(steps as usize), 1_u64.checked_shl(exponent - 10 * steps)) {
        (Some(prefix), Some(number)) if unit.is_none() => format!("{number}{prefix}"),
        (Some(prefix), Some(number)) => format!("{number} {prefix}{}", unit.symbol()),
        _ => unit.behind(&format!("2{}", superscript(exponent as i32))),
    }
}

/// The power of ten that numbers of this magnitude are divided by to be from 1 to 999, and the unit with its prefix.
fn prefix(magnitude: i32, unit: &DisplayUnit) -> Option<(i32, String)> {
    const LARGEST: i32 = 5;
    let (power, symbol) = unit.scaled(magnitude);
    (unit.has_prefixes() && (0..=LARGEST).contains(&(magnitude - power))).then_some((power, symbol))
}

fn is_percent(unit: &DisplayUnit) -> bool {
    unit.symbol() == "%"
}

fn superscript(number: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]);
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimals(numbers: &[(i64, i32)]) -> Vec<Decimal> {
        numbers.iter().map(|&(digits, exponent)| Decimal { digits, exponent }).collect()
    }

    #[test]
    fn equally_spaced_numbers_have_one_form() {
        let check = |numbers: &[(i64, i32)], unit: &str, expected: &[&str]| {
            assert_eq!(linear(&decimals(numbers), &DisplayUnit::parse(unit)), expected);
        };
        check(&[(0, -1), (5, -1), (10, -1)], "", &["0", "0.5", "1.0"]);
        check(&[(-2, 3), (0, 3), (2, 3)], "", &["-2000", "0", "2000"]);
        check(&[(5, 6), (10, 6), (15, 6)], "", &["0.5×10⁷", "1.0×10⁷", "1.5×10⁷"]);
        check(&[(2, -6), (4, -6)], "", &["2×10⁻⁶", "4×10⁻⁶"]);
        check(&[(0, -3), (5, -3), (10, -3)], "s", &["0", "5 ms", "10 ms"]);
        check(&[(5, -4), (10, -4), (15, -4)], "s", &["0.5 ms", "1.0 ms", "1.5 ms"]);
        check(&[(998, -5), (1000, -5)], "s", &["9.98 ms", "10.00 ms"]);
        check(&[(1, 7), (2, 7)], "s", &["1×10⁷ s", "2×10⁷ s"]);
        check(&[(-5, -1), (0, -1), (5, -1)], "%", &["-0.5 %", "0.0 %", "0.5 %"]);
    }

    #[test]
    fn logarithms_have_units_or_powers() {
        let check = |numbers: &[(i64, i32)], unit: &str, expected: &[&str]| {
            assert_eq!(logarithmic(&decimals(numbers), &DisplayUnit::parse(unit)), expected);
        };
        check(&[(1, -1), (2, 0), (5, 3)], "", &["0.1", "2", "5000"]);
        check(&[(1, -4), (1, 0), (2, 2)], "", &["10⁻⁴", "10⁰", "2×10²"]);
        let times = [(1, -9), (1, -5), (2, -3), (1, 0), (1, 3), (1, 6)];
        check(&times, "s", &["1 ns", "10 µs", "2 ms", "1 s", "1000 s", "10⁶ s"]);
    }

    #[test]
    fn powers_of_two_may_have_prefixes() {
        assert_eq!(
            [0, 9, 10, 16, 20, 69].map(|exponent| binary(exponent, true, &DisplayUnit::default())),
            ["1", "512", "1Ki", "64Ki", "1Mi", "512Ei"]
        );
        assert_eq!(
            [0, 9, 10, 16].map(|exponent| binary(exponent, false, &DisplayUnit::default())),
            ["1", "512", "1024", "65536"]
        );
        assert_eq!(binary(70, true, &DisplayUnit::default()), "2⁷⁰");
    }
}
