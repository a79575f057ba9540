//! Characters for what is in a cell.

/// Directions in which an axis leaves a cell.
pub(super) const UP: u8 = 1;
pub(super) const DOWN: u8 = 2;
pub(super) const LEFT: u8 = 4;
pub(super) const RIGHT: u8 = 8;

/// A character for the eight dots of a cell.
pub(super) fn braille(dots: u8, is_ascii: bool) -> char {
    if !is_ascii {
        return char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' ');
    }
    let (upper, lower) = (dots & 0b0001_1011 != 0, dots & 0b1110_0100 != 0);
    match (upper, lower) {
        (true, false) => '\'',
        (false, true) => '.',
        _ => ':',
    }
}

/// A character for an axis that leaves a cell in these directions.
pub(super) fn axis(frame: u8, is_ascii: bool) -> char {
    let (is_vertical, is_horizontal) = (frame & (UP | DOWN) != 0, frame & (LEFT | RIGHT) != 0);
    match frame {
        _ if is_ascii && is_vertical && is_horizontal => '+',
        _ if is_ascii => {
            if is_vertical {
                '|'
            } else {
                '-'
            }
        }
        _ if frame == UP | DOWN | LEFT => '┤',
        _ if frame == LEFT | RIGHT | DOWN => '┬',
        _ if frame == LEFT | DOWN => '┐',
        _ if frame == UP | RIGHT => '└',
        _ if frame == UP | RIGHT | LEFT => '┴',
        _ if frame == UP | RIGHT | DOWN => '├',
        _ if is_vertical && is_horizontal => '┼',
        _ if is_vertical => '│',
        _ => '─',
    }
}

/// What stands for a character that ASCII does not have.
pub(super) fn ascii(c: char) -> char {
    match c {
        ' '..='~' => c,
        'µ' => 'u',
        '×' => 'x',
        '·' => '*',
        '−' | '–' | '—' | '⁻' => '-',
        '…' => '~',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁰' | '⁴'..='⁹' => char::from_digit(c as u32 - '⁰' as u32, 10).unwrap_or('?'),
        _ => '?',
    }
}
