//! The pictures of what can be drawn.

use crate::{AxisScale, CategoryChart, Error, Figure, Look, Surface, Timeline, plot};

macro_rules! pictures {
    ($($of:ident, $scene:ident, $size:literal;)*) => {$(
        impl $of {
            #[doc = concat!("Draws it as SVG, ", $size, ".")]
            ///
            /// # Errors
            /// If nothing can be drawn of it.
            pub fn svg(&self) -> Result<String, Error> {
                plot::svg(&plot::Scene::$scene(self)?)
            }

            /// Draws it as the bytes of a PNG file. Texts and lines grow with the picture.
            ///
            /// # Errors
            /// If nothing can be drawn of it, or the picture would be too small or too large.
            pub fn png(&self, width: u32, height: u32) -> Result<Vec<u8>, Error> {
                plot::png(&plot::Scene::$scene(self)?, width, height)
            }

            /// Draws it with characters: at most so many lines, none wider than `columns`.
            ///
            /// # Errors
            /// If nothing can be drawn of it, or the picture would be too small or too large.
            pub fn text(&self, columns: usize, rows: usize, look: Look) -> Result<String, Error> {
                plot::text(&plot::Scene::$scene(self)?, columns, rows, look)
            }
        }
    )*};
}

pictures! {
    Figure, of_figure, "in its size";
    Surface, of_surface, "in its size; the grid must be one";
    CategoryChart, of_categories, "in its size";
    Timeline, of_timeline, "900 pixels wide and as high as its rows need, see [`height`](Timeline::height)";
}

impl Figure {
    /// The scales of the horizontal and of the vertical axis as they are drawn: never [`AxisScale::Automatic`].
    pub fn scales(&self) -> (AxisScale, AxisScale) {
        let scale = |is_log: bool| if is_log { AxisScale::Logarithmic } else { AxisScale::Linear };
        let (x_is_log, y_is_log) = plot::are_logarithmic(self);
        (scale(x_is_log), scale(y_is_log))
    }
}

impl CategoryChart {
    /// The height in pixels that suits a picture of this width.
    pub fn height(&self, width: u32) -> u32 {
        (f64::from(width) * plot::categories_height(self) / plot::WIDTH).round() as u32
    }
}

impl Timeline {
    /// The height in pixels that suits a picture of this width.
    pub fn height(&self, width: u32) -> u32 {
        (f64::from(width) * plot::timeline_height(self) / plot::WIDTH).round() as u32
    }
}
