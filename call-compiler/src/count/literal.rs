//! Numbers and characters as C writes them.

/// The value of a whole number or a plain character as C writes it.
pub fn whole_number(text: &str) -> Option<i64> {
    if let Some(character) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let mut bytes = character.bytes();
        return match (bytes.next()?, bytes.next(), bytes.next()) {
            (byte, None, _) if byte.is_ascii() => Some(i64::from(byte)),
            (b'\\', Some(b'n'), None) => Some(10),
            (b'\\', Some(b't'), None) => Some(9),
            (b'\\', Some(b'0'), None) => Some(0),
            _ => None,
        };
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']).replace('\'', "");
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (&digits[..], 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals() {
        for (text, expected) in [
            ("10", Some(10)),
            ("0x1F", Some(31)),
            ("017", Some(15)),
            ("0", Some(0)),
            ("0b101", Some(5)),
            ("1'000UL", Some(1000)),
            ("'a'", Some(97)),
            ("'\\n'", Some(10)),
            ("1.5", None),
            ("1e3", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(whole_number(text), expected, "{text}");
        }
    }
}
