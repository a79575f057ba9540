//! From a figure to its picture. Lengths are in pixels, with the origin in the upper left corner.

// Values and their places:
mod data;
mod range;

mod ticks;

mod tick_label;

// Marks on the picture:
mod canvas;
mod palette;
mod text;

// Where everything stands:
mod legend;

mod layout;

mod draw;

use crate::{Error, Figure};

pub(crate) fn svg(figure: &Figure) -> Result<String, Error> {
    let data = data::Data::of(figure)?;
    let layout = layout::Layout::new(figure, &data);
    draw::svg(figure, &data, &layout)
}
