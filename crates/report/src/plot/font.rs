//! The fonts of texts and how wide their characters are.
//!
//! Widths are those of DejaVu Sans, which pictures of pixels embed. Viewers of SVG use fonts of their own, which are hardly ever
//! wider.

use std::sync::LazyLock;

use ttf_parser::Face;

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Font {
    Title,
    Note,
    Label,
    Tick,
    Border,
    Legend,
}

impl Font {
    /// In pixels.
    pub(super) fn size(self) -> f64 {
        match self {
            Font::Title => 19.0,
            Font::Note => 13.0,
            Font::Label => 15.0,
            Font::Tick | Font::Legend => 13.5,
            Font::Border => 12.0,
        }
    }

    pub(super) fn is_bold(self) -> bool {
        self == Font::Title
    }

    /// The width of a character in pixels.
    pub(super) fn char_width(self, c: char) -> f64 {
        char_width(c, self.is_bold()) * self.size()
    }
}

/// The width of a text in pixels.
pub(crate) fn text_width(text: &str, size_px: f64, is_bold: bool) -> f64 {
    text.chars().map(|c| char_width(c, is_bold)).sum::<f64>() * size_px
}

/// The width of a character in a font of size 1.
pub(crate) fn char_width(c: char, is_bold: bool) -> f64 {
    /// Where there is no font.
    const GUESSED: f64 = 0.64;
    static REGULAR: LazyLock<Option<Face>> = LazyLock::new(|| Face::parse(dejavu::sans::regular(), 0).ok());
    static BOLD: LazyLock<Option<Face>> = LazyLock::new(|| Face::parse(dejavu::sans::bold(), 0).ok());
    let face = if is_bold { &BOLD } else { &REGULAR };
    let advance = |face: &Face| {
        let glyph = face.glyph_index(c).unwrap_or_default();
        Some(f64::from(face.glyph_hor_advance(glyph)?) / f64::from(face.units_per_em()))
    };
    face.as_ref().and_then(advance).unwrap_or(GUESSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fonts_have_the_characters_of_ticks_and_formulas() {
        for font in [dejavu::sans::regular(), dejavu::sans::bold()] {
            let face = Face::parse(font, 0).unwrap();
            for c in "aZ09 µ×·−⁰¹²³⁴⁵⁶⁷⁸⁹⁻ℵΥΦξΩ∞…≤≥≈√".chars() {
                assert!(face.glyph_index(c).is_some(), "{c}");
            }
        }
        assert!((char_width('m', false) - 0.974).abs() < 0.001);
        assert!(char_width('m', true) > char_width('m', false));
    }
}
