//! Literals as lang-c reads them: their values do not matter, only that they are there.

/// Whether a number stays as it is: a plain decimal one.
pub fn is_plain_number(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_digit) && (text[0] != b'0' || text.len() == 1)
}

/// Replaces a number by `1`, or `1.` if it is no integer; plain decimal numbers stay.
pub fn simplify_number(text: &mut [u8]) {
    let is_hexadecimal = text.len() > 1 && text[0] == b'0' && matches!(text[1], b'x' | b'X');
    let is_binary = text.len() > 1 && text[0] == b'0' && matches!(text[1], b'b' | b'B');
    if is_plain_number(text) {
        return;
    }
    let has = |letters: &[u8]| text.iter().any(|byte| letters.contains(byte));
    let is_real = if is_hexadecimal {
        has(b".pP")
    } else {
        has(b"iIjJ")
            || (!is_binary && (has(b".eE") || text.last().is_some_and(|last| b"fFqQwWdD".contains(last))))
    } || (!is_hexadecimal && has(b"wW"));
    text.fill(b' ');
    text[0] = b'1';
    if is_real && text.len() > 1 {
        text[1] = b'.';
    }
}

/// Replaces a character literal by a number.
pub fn simplify_character(text: &mut [u8]) {
    text.fill(b'0');
    text[0] = b'1';
}

/// Empties a string literal. Its prefix stays, except that of raw strings.
pub fn simplify_string(text: &mut [u8]) {
    let quote = text.iter().position(|byte| *byte == b'"').unwrap_or(0);
    let prefix = text[..quote].to_vec();
    let end = text.len() - 1;
    text.fill(b' ');
    if end > quote {
        text[quote] = b'"';
        text[end] = b'"';
        if !prefix.contains(&b'R') {
            text[..quote].copy_from_slice(&prefix);
        }
    }
}
