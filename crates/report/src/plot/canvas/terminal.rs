//! Colours of terminals, whose background may be dark or light.

use crate::plot::palette::{self, Colour, WHITE};

/// Greys that can be read on black and on white.
const GREY: u8 = 245;
/// Darker colours are made lighter.
const DARKEST: f64 = 0.36;
/// Colours that resemble those of the scale, from dark to light; for lines only those that can be read on black.
const LINES: [u8; 12] = [90, 62, 26, 31, 30, 36, 35, 71, 113, 149, 185, 226];
const SCALE: [u8; 12] = [53, 54, 24, 31, 30, 36, 72, 71, 113, 149, 185, 226];

/// The nearest of the 216 colours that terminals share; none stands for the colour of texts.
pub(super) fn index(colour: Colour) -> Option<u8> {
    const BLACK: Colour = (0, 0, 0);
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
pub(super) fn index_on_scale(colour: Colour) -> u8 {
    on(&SCALE, colour)
}

fn on(scale: &[u8], colour: Colour) -> u8 {
    let place = palette::place_by_lightness(colour) * scale.len() as f64;
    scale[(place as usize).min(scale.len() - 1)]
}

fn nearest(colour: Colour) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let missing = (DARKEST - palette::lightness(colour)).max(0.0) / (1.0 - palette::lightness(colour));
    let part = |part: u8| {
        let lighter = f64::from(part) + missing * (255.0 - f64::from(part));
        let distance = |index: &u8| (f64::from(STEPS[usize::from(*index)]) - lighter).abs();
        (0..6_u8).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    };
    16 + 36 * part(colour.0) + 6 * part(colour.1) + part(colour.2)
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
