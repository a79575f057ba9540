//! What terminals show: characters for what is in a cell, and colours, whose background may be dark or light.

use super::palette::{self, Rgb, WHITE};

/// Greys that can be read on black and on white.
const GREY: u8 = 245;
/// Darker colours are made lighter.
const DARKEST: f64 = 0.36;
/// Colours that resemble those of the scale, from dark to light; for lines only those that can be read on black.
const LINES: [u8; 12] = [90, 62, 26, 31, 30, 36, 35, 71, 113, 149, 185, 226];
const SCALE: [u8; 12] = [53, 54, 24, 31, 30, 36, 72, 71, 113, 149, 185, 226];

/// The nearest of the 216 colours that terminals share; none stands for the colour of texts.
pub(super) fn index(colour: Rgb) -> Option<u8> {
    const BLACK: Rgb = (0, 0, 0);
    match colour {
        BLACK => None,
        WHITE => Some(231),
        palette::TEXT => Some(16),
        (red, green, blue) if red == green && green == blue => Some(GREY),
        _ if palette::is_on_scale(colour) => Some(on(&LINES, colour)),
        _ => Some(nearest(colour)),
    }
}

/// The colour for an area of this colour of the scale.
pub(super) fn index_on_scale(colour: Rgb) -> u8 {
    on(&SCALE, colour)
}

fn on(scale: &[u8], colour: Rgb) -> u8 {
    let place = palette::place_by_lightness(colour) * scale.len() as f64;
    scale[(place as usize).min(scale.len() - 1)]
}

fn nearest(colour: Rgb) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let missing = (DARKEST - palette::lightness(colour)).max(0.0) / (1.0 - palette::lightness(colour));
    let part = |part: u8| {
        let lighter = f64::from(part) + missing * (255.0 - f64::from(part));
        let distance = |index: &u8| (f64::from(STEPS[usize::from(*index)]) - lighter).abs();
        (0..6_u8).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    };
    16 + 36 * part(colour.0) + 6 * part(colour.1) + part(colour.2)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_near_and_can_be_read() {
        assert_eq!([(0, 0, 0), WHITE, palette::AXIS].map(index), [None, Some(231), Some(GREY)]);
        assert_eq!(index((230, 159, 0)), Some(16 + 36 * 4 + 6 * 3));
        assert_eq!(index((68, 1, 84)), Some(LINES[0]));
        assert_eq!(index((0, 60, 60)), Some(59));
    }

    #[test]
    fn bands_of_the_scale_differ() {
        let of = |count: u32| -> Vec<u8> {
            let place = |band: u32| (f64::from(band) + 0.5) / f64::from(count);
            (0..count).map(|band| index_on_scale(palette::on_scale(place(band)))).collect()
        };
        for count in 2..=12 {
            let mut bands = of(count);
            bands.dedup();
            assert_eq!(bands.len(), count as usize);
        }
    }
}
