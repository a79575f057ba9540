//! The significant digits of a number.

/// Digits of a time, or of another quantity with a unit.
pub(crate) const TIME_DIGITS: usize = 4;
/// No double has more digits that tell anything.
const MOST_DIGITS: usize = 17;
/// A number that differs by less than this part of it from the one that is written is that number: a fit to exact times leaves so much.
const ARITHMETIC_NOISE: f64 = 1e-9;
/// Numbers from 10^-4 to 10^7 are written without exponent.
const PLAIN_EXPONENTS: std::ops::Range<i32> = -4..7;
/// Whole numbers below this are written in full.
const LARGEST_WHOLE: f64 = 1e15;

/// A number with so many significant digits, in scientific notation if it is very small or large. Digits before the point
/// are never replaced by zeros.
pub fn significant(x: f64, digits: usize) -> String {
    let Some(rounded) = Rounded::new(x, digits) else { return without_digits(x) };
    if x.fract() == 0.0 && x.abs() < LARGEST_WHOLE {
        format!("{x:.0}")
    } else if !PLAIN_EXPONENTS.contains(&rounded.exponent) {
        rounded.scientific()
    } else if usize::try_from(rounded.exponent).is_ok_and(|exponent| exponent >= rounded.digits.len()) {
        format!("{x:.0}")
    } else {
        rounded.times_ten_to(0)
    }
}

/// Zero, infinities and NaN.
pub(crate) fn without_digits(x: f64) -> String {
    match x {
        f64::INFINITY => "∞".to_owned(),
        f64::NEG_INFINITY => "-∞".to_owned(),
        _ if x.is_nan() => "nan".to_owned(),
        _ => "0".to_owned(),
    }
}

/// The significant digits of a number: sign d.ddd * 10^exponent.
pub(crate) struct Rounded {
    is_negative: bool,
    digits: String,
    pub(crate) exponent: i32,
    /// Whether nothing but noise of the arithmetic was rounded away.
    pub(crate) is_exact: bool,
    /// The number that is written.
    pub(crate) value: f64,
}

impl Rounded {
    /// `None` for zero, infinities and NaN.
    pub(crate) fn new(x: f64, digits: usize) -> Option<Rounded> {
        if !x.is_finite() || x == 0.0 {
            return None;
        }
        let text = format!("{x:.*e}", digits.clamp(1, MOST_DIGITS) - 1);
        let (mantissa, exponent) = text.split_once('e')?;
        let rounded: f64 = text.parse().ok()?;
        Some(Rounded {
            is_negative: x < 0.0,
            digits: mantissa.chars().filter(char::is_ascii_digit).collect(),
            exponent: exponent.parse().ok()?,
            is_exact: (rounded - x).abs() <= ARITHMETIC_NOISE * x.abs(),
            value: rounded,
        })
    }

    /// The number times a power of ten, without exponent.
    pub(crate) fn times_ten_to(&self, power: i32) -> String {
        let exponent = self.exponent + power;
        let zeros_before = usize::try_from(-exponent).unwrap_or(0);
        let whole_digits = usize::try_from(exponent).unwrap_or(0) + 1;
        let mut digits = "0".repeat(zeros_before) + &self.digits;
        while digits.len() < whole_digits {
            digits.push('0');
        }
        let (whole, decimals) = digits.split_at(whole_digits);
        self.signed(whole, decimals)
    }

    pub(crate) fn scientific(&self) -> String {
        let (whole, decimals) = self.digits.split_at(1);
        format!("{}e{}", self.signed(whole, decimals), self.exponent)
    }

    fn signed(&self, whole: &str, decimals: &str) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        let decimals = if self.is_exact { decimals.trim_end_matches('0') } else { decimals };
        let point = if decimals.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{decimals}")
    }
}
