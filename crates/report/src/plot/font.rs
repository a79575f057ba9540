//! DejaVu Sans: its widths for the layout of all pictures, its outlines for those of pixels. Viewers of SVG use fonts of
//! their own, which are hardly ever wider.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Half of the height of small letters: the middle of a line is so far above its baseline.
pub(super) const MIDDLE: f64 = 0.27;
/// The width of a character where there is no font.
const GUESSED_WIDTH: f64 = 0.64;

static REGULAR: LazyLock<Option<Face<'static>>> =
    LazyLock::new(|| Face::parse(dejavu::sans::regular(), 0).ok());
static BOLD: LazyLock<Option<Face<'static>>> = LazyLock::new(|| Face::parse(dejavu::sans::bold(), 0).ok());

fn face(is_bold: bool) -> Option<&'static Face<'static>> {
    if is_bold { BOLD.as_ref() } else { REGULAR.as_ref() }
}

fn glyph(face: &Face, c: char) -> GlyphId {
    face.glyph_index(c).unwrap_or_default()
}

/// The width of a character in a font of size 1.
pub(super) fn width(c: char, is_bold: bool) -> f64 {
    let advance = |face: &Face| {
        Some(f64::from(face.glyph_hor_advance(glyph(face, c))?) / f64::from(face.units_per_em()))
    };
    face(is_bold).and_then(advance).unwrap_or(GUESSED_WIDTH)
}

/// Draws the outline of a character, whose coordinates go upwards, in a font of the size that is returned.
pub(super) fn outline(c: char, is_bold: bool, builder: &mut dyn OutlineBuilder) -> f64 {
    let Some(face) = face(is_bold) else { return 1.0 };
    face.outline_glyph(glyph(face, c), builder);
    f64::from(face.units_per_em())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_are_there_with_the_characters_of_ticks_and_formulas() {
        for is_bold in [false, true] {
            let face = face(is_bold).unwrap();
            for c in "aZ09 µ×·−⁰¹²³⁴⁵⁶⁷⁸⁹⁻ℵΥΦξΩ∞…≤≥≈√".chars() {
                assert!(face.glyph_index(c).is_some(), "{c}");
            }
        }
        assert!((width('m', false) - 0.974).abs() < 0.001 && width('m', true) > width('m', false));
    }
}
