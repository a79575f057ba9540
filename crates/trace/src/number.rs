//! Numbers out of bytes, exactly as [`str::parse`] reads them.

use crate::field;

/// Whole numbers up to here are doubles.
const LARGEST_EXACT: u64 = 1 << 53;
/// So many digits fit into 64 bits, whatever they are.
const SAFE_DIGITS: usize = 19;
/// The powers of ten that are doubles.
const POWERS_OF_TEN: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Reads the field at the start of `rest`: its value, if it is a number, and its length.
///
/// With at most [`SAFE_DIGITS`] digits, a mantissa up to [`LARGEST_EXACT`] and a power of ten among [`POWERS_OF_TEN`],
/// both are exact and one correctly rounded division gives the correctly rounded number. Everything else takes the slow
/// way.
#[inline]
pub(crate) fn real(rest: &[u8]) -> (Option<f64>, usize) {
    let is_negative = rest.first() == Some(&b'-');
    let whole_start = usize::from(is_negative);
    let (mut mantissa, whole_end) = digits(rest, whole_start, 0);
    let (mut end, mut decimals) = (whole_end, 0);
    if rest.get(whole_end) == Some(&b'.') {
        (mantissa, end) = digits(rest, whole_end + 1, mantissa);
        decimals = end - whole_end - 1;
    }
    let digit_count = whole_end - whole_start + decimals;
    let is_plain = field::ends_at(rest, end) && (1..=SAFE_DIGITS).contains(&digit_count);
    if !is_plain || mantissa > LARGEST_EXACT {
        return any_real(rest);
    }
    let mut value = mantissa as f64;
    if decimals > 0 {
        value /= POWERS_OF_TEN[decimals];
    }
    (Some(if is_negative { -value } else { value }), end)
}

/// Continues a mantissa with the digits at `at`; it is only good if there are not too many.
#[inline]
fn digits(rest: &[u8], mut at: usize, mut mantissa: u64) -> (u64, usize) {
    if let Some(value) = eight_digits(rest, at) {
        mantissa = mantissa.wrapping_mul(100_000_000).wrapping_add(value);
        at += 8;
    }
    while let Some(byte) = rest.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (mantissa, at)
}

/// The value of eight digits, which are read at once: times have nine decimals.
#[inline]
fn eight_digits(rest: &[u8], at: usize) -> Option<u64> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let bytes: [u8; 8] = rest.get(at..)?.first_chunk().copied()?;
    // The first digit is the lowest byte.
    let text = u64::from_le_bytes(bytes);
    // Digits are 0x30 to 0x39: the upper half of each byte is 3, also after 6 was added. A carry into the next byte comes
    // only from a byte whose upper half is wrong.
    let upper_halves = (text | text.wrapping_add(6 * ONES)) & (0xf0 * ONES);
    if upper_halves != 0x30 * ONES || text & (0xf0 * ONES) != 0x30 * ONES {
        return None;
    }
    let ones = text - 0x30 * ONES;
    // Numbers of two digits in every other byte, of four in every fourth, of eight at the end.
    let twos = (10 * ones + (ones >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (100 * twos + (twos >> 16)) & 0x0000_ffff_0000_ffff;
    Some((10_000 * fours + (fours >> 32)) & 0xffff_ffff)
}

#[cold]
fn any_real(rest: &[u8]) -> (Option<f64>, usize) {
    let field = field::first(rest);
    (std::str::from_utf8(field).ok().and_then(|text| text.parse().ok()), field.len())
}

/// Reads the field at the start of `rest` as a natural number of at most [`SAFE_DIGITS`] digits.
#[inline]
pub(crate) fn natural<T: TryFrom<u64>>(rest: &[u8]) -> (Option<T>, usize) {
    let (value, end) = digits(rest, 0, 0);
    if !field::ends_at(rest, end) || !(1..=SAFE_DIGITS).contains(&end) {
        return (None, field::first(rest).len());
    }
    (T::try_from(value).ok(), end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check_real(text: &str) {
        let (value, length) = real(format!("{text} 7\n").as_bytes());
        let expected: Option<f64> = text.parse().ok();
        assert_eq!(value.map(f64::to_bits), expected.map(f64::to_bits), "{text}");
        assert_eq!(length, text.len(), "{text}");
        assert_eq!(
            real(text.as_bytes()).0.map(f64::to_bits),
            expected.map(f64::to_bits),
            "{text} at the end"
        );
    }

    #[test]
    fn borders_of_the_fast_path_are_read_exactly() {
        let texts = "0 -0 0.0 -0.0 1. .5 -.5 . - + +1 -+1 1e5 1E-5 e5 nan NaN -nan inf -inf infinity 1_0 0x10 1.2.3 1-2 \
            9007199254740991 9007199254740992 9007199254740993 9007199254740995 900719925474099.3 -9007199254740993 \
            9999999999999999999 18446744073709551616 99999999999999999999 0.0000000000000000001 0.00000000000000000001 \
            0000000000000000000000001 0.000000001 4.9e-324 2.2250738585072011e-308 1.7976931348623157e308 1e999 \
            123456789.123456789 0.1 0.3 2.675";
        texts.split_whitespace().for_each(check_real);
    }

    #[test]
    fn naturals_have_digits_only() {
        let read = |text: &str| natural::<u32>(format!("{text} 7\n").as_bytes());
        assert_eq!(read("0"), (Some(0), 1));
        assert_eq!(read("4294967295"), (Some(u32::MAX), 10));
        assert_eq!(read("0000000000000000000000007"), (None, 25));
        for wrong in ["4294967296", "-1", "+1", "1.0", "x", "18446744073709551617"] {
            assert_eq!(read(wrong), (None, wrong.len()));
        }
    }

    proptest! {
        #[test]
        fn doubles_are_read_back(bits: u64) {
            let value = f64::from_bits(bits);
            check_real(&format!("{value}"));
            check_real(&format!("{value:e}"));
        }

        #[test]
        fn decimals_are_read_as_rust_reads_them(text in "-?[0-9]{0,21}(\\.[0-9]{0,24})?") {
            prop_assume!(!text.is_empty());
            check_real(&text);
        }

        #[test]
        fn nanoseconds_are_read_as_rust_reads_them(nanoseconds: u64) {
            check_real(&format!("{}.{:09}", nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000));
        }

        #[test]
        fn anything_is_read_as_rust_reads_it(text in "[-+.0-9eEinfatyNI_xℵ]{1,12}") {
            check_real(&text);
        }
    }
}
