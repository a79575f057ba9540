//! Rational numbers: nearly all have small numerators and denominators, which need no memory of their own.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

/// A rational number of any size.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Number(NumberForm);

/// A number has one form only: the small one if it fits.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum NumberForm {
    /// Numerator, and denominator above 0, without a common divisor.
    Small(i64, i64),
    Large(Box<BigRational>),
}

impl Number {
    /// 0
    pub const ZERO: Number = Number(NumberForm::Small(0, 1));
    /// 1
    pub const ONE: Number = Number(NumberForm::Small(1, 1));

    fn reduced(numerator: i128, denominator: i128) -> Number {
        let divisor = gcd(numerator, denominator).max(1);
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        match (i64::try_from(numerator), i64::try_from(denominator)) {
            (Ok(numerator), Ok(denominator)) => Number(NumberForm::Small(numerator, denominator)),
            _ => Number(NumberForm::Large(Box::new(BigRational::new(numerator.into(), denominator.into())))),
        }
    }

    fn large(&self) -> BigRational {
        match &self.0 {
            NumberForm::Small(numerator, denominator) => {
                BigRational::new((*numerator).into(), (*denominator).into())
            }
            NumberForm::Large(value) => (**value).clone(),
        }
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        *self == Number::ZERO
    }

    /// Whether it is 1.
    pub fn is_one(&self) -> bool {
        *self == Number::ONE
    }

    /// Whether it is less than 0.
    pub fn is_negative(&self) -> bool {
        match &self.0 {
            NumberForm::Small(numerator, _) => *numerator < 0,
            NumberForm::Large(value) => value.is_negative(),
        }
    }

    /// Whether it is more than 0.
    pub fn is_positive(&self) -> bool {
        !self.is_negative() && !self.is_zero()
    }

    /// Whether it is a whole number.
    pub fn is_integer(&self) -> bool {
        match &self.0 {
            NumberForm::Small(_, denominator) => *denominator == 1,
            NumberForm::Large(value) => value.is_integer(),
        }
    }

    /// Its value, if that is a whole number that fits.
    pub fn integer(&self) -> Option<i64> {
        match self.0 {
            NumberForm::Small(numerator, 1) => Some(numerator),
            _ => None,
        }
    }

    /// The nearest number of the machine.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            NumberForm::Small(numerator, denominator) => *numerator as f64 / *denominator as f64,
            NumberForm::Large(value) => value.to_f64().unwrap_or(f64::NAN),
        }
    }

    /// The largest whole number that is not above it.
    pub fn floor(&self) -> Number {
        match &self.0 {
            NumberForm::Small(numerator, denominator) => Number::from(numerator.div_euclid(*denominator)),
            NumberForm::Large(value) => Number::from(value.floor()),
        }
    }

    /// Without its fraction.
    pub fn trunc(&self) -> Number {
        match &self.0 {
            NumberForm::Small(numerator, denominator) => Number::from(numerator / denominator),
            NumberForm::Large(value) => Number::from(value.trunc()),
        }
    }

    /// Without its sign.
    pub fn abs(&self) -> Number {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// Its inverse; `None` for 0.
    pub fn inverse(&self) -> Option<Number> {
        (!self.is_zero()).then(|| &Number::ONE / self)
    }

    /// The least whole number that this one and `common`, which is whole, divide.
    pub fn common_denominator(&self, common: &Number) -> Number {
        if self.is_integer() {
            return common.clone();
        }
        let quotient = common / &Number::from(BigRational::from(self.large().denom().clone()));
        &Number::from(BigRational::from(quotient.large().denom().clone())) * common
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number(NumberForm::Small(value, 1))
    }
}

impl From<BigRational> for Number {
    fn from(value: BigRational) -> Number {
        match (value.numer().to_i64(), value.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Number(NumberForm::Small(numerator, denominator)),
            _ => Number(NumberForm::Large(Box::new(value))),
        }
    }
}

/// The numerators and denominators of two small numbers.
fn small(left: &Number, right: &Number) -> Option<[i128; 4]> {
    match (&left.0, &right.0) {
        (NumberForm::Small(a, b), NumberForm::Small(c, d)) => Some([*a, *b, *c, *d].map(i128::from)),
        _ => None,
    }
}

impl Add for &Number {
    type Output = Number;
    fn add(self, other: &Number) -> Number {
        match small(self, other) {
            Some([a, b, c, d]) => Number::reduced(a * d + c * b, b * d),
            None => (self.large() + other.large()).into(),
        }
    }
}

impl Sub for &Number {
    type Output = Number;
    fn sub(self, other: &Number) -> Number {
        self + &-other
    }
}

impl Mul for &Number {
    type Output = Number;
    fn mul(self, other: &Number) -> Number {
        match small(self, other) {
            Some([a, b, c, d]) => Number::reduced(a * c, b * d),
            None => (self.large() * other.large()).into(),
        }
    }
}

impl Div for &Number {
    type Output = Number;
    /// The divisor is not 0.
    fn div(self, other: &Number) -> Number {
        match small(self, other) {
            Some([a, b, c, d]) if c != 0 => Number::reduced(a * d * c.signum(), b * c.abs()),
            _ => (self.large() / other.large()).into(),
        }
    }
}

impl Neg for &Number {
    type Output = Number;
    fn neg(self) -> Number {
        match &self.0 {
            NumberForm::Small(numerator, denominator) => {
                Number::reduced(-i128::from(*numerator), (*denominator).into())
            }
            NumberForm::Large(value) => Number::from(-&**value),
        }
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        match small(self, other) {
            Some([a, b, c, d]) => (a * d).cmp(&(c * b)),
            None => self.large().cmp(&other.large()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            NumberForm::Small(numerator, 1) => write!(out, "{numerator}"),
            NumberForm::Small(numerator, denominator) => write!(out, "{numerator}/{denominator}"),
            NumberForm::Large(value) => write!(out, "{value}"),
        }
    }
}

/// The greatest common divisor, which is positive unless both are 0.
pub fn gcd(left: i128, right: i128) -> i128 {
    let (mut left, mut right) = (left.saturating_abs(), right.saturating_abs());
    while right > 1 {
        (left, right) = (right, left % right);
    }
    if right == 1 { 1 } else { left }
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_traits::Zero;

    #[test]
    fn as_large_numbers() {
        let parts = [0, 1, -1, 2, 3, -7, 12, 1 << 31, i64::MAX, i64::MIN, i64::MAX - 1];
        let numbers = parts.iter().flat_map(|above| parts.iter().map(move |below| (*above, *below)));
        let large: Vec<BigRational> = numbers
            .filter(|(_, below)| *below != 0)
            .map(|(above, below)| BigRational::new(BigInt::from(above), BigInt::from(below)))
            .collect();
        for left in &large {
            let own = Number::from(left.clone());
            assert_eq!(-&own, Number::from(-left));
            assert_eq!(own.floor(), Number::from(left.floor()));
            assert_eq!(own.trunc(), Number::from(left.trunc()));
            assert_eq!(own.is_negative(), left.is_negative());
            assert_eq!(own.to_string(), left.to_string());
            for right in &large {
                let its = Number::from(right.clone());
                assert_eq!(&own + &its, Number::from(left + right), "{left} + {right}");
                assert_eq!(&own - &its, Number::from(left - right), "{left} - {right}");
                assert_eq!(&own * &its, Number::from(left * right), "{left}*{right}");
                assert_eq!(own.cmp(&its), left.cmp(right), "{left} < {right}");
                if !right.is_zero() {
                    assert_eq!(&own / &its, Number::from(left / right), "{left}/{right}");
                }
            }
        }
    }
}
