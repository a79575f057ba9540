use call_report::{Axis, AxisScale};

use crate::command::values::number;
use crate::command::values::span;
use crate::error::code;
use crate::words::Word;
use crate::{Error, Picture};

/// The words that say how a picture looks, before their `=`.
const NAMES: [&str; 9] =
    ["title", "size", "bins", "xscale", "yscale", "xrange", "yrange", "colour", "marker"];

/// How a picture looks, where that is said.
#[derive(Default)]
pub struct PictureStyle {
    title: Option<String>,
    size: Option<(u32, u32)>,
    bins: Option<(usize, Word)>,
    x: AxisStyle,
    y: AxisStyle,
    colour: Option<Word>,
    marker: Option<Word>,
    first: Option<Word>,
}

#[derive(Default)]
struct AxisStyle {
    scale: Option<AxisScale>,
    range: Option<(f64, f64)>,
}

impl PictureStyle {
    /// Takes the words of style out of others.
    pub fn take(words: Vec<Word>) -> Result<(PictureStyle, Vec<Word>), Error> {
        let name = |word: &Word| word.assignment().map(|(name, _)| name.to_owned());
        let is_style = |word: &Word| name(word).is_some_and(|name| NAMES.contains(&name.as_str()));
        let (styles, others): (Vec<Word>, Vec<Word>) = words.into_iter().partition(is_style);
        let mut style = PictureStyle::default();
        for word in styles {
            style.add(&word)?;
            style.first.get_or_insert(word);
        }
        Ok((style, others))
    }

    fn add(&mut self, word: &Word) -> Result<(), Error> {
        let (name, text) = word.assignment().unwrap_or((&word.text, ""));
        let fail = |help: &str| {
            word.error(code::WRONG_VALUE, format!("`{text}` is no {name} of a picture")).help(help.to_owned())
        };
        match name {
            "title" => self.title = Some(text.to_owned()),
            "size" => {
                self.size =
                    Some(size(text).ok_or_else(|| fail("`size=1200x800`, in pixels, from 150 to 8000"))?)
            }
            "bins" => {
                let bins = text.parse().ok().filter(|bins| (1..=1000).contains(bins));
                let bins = bins.ok_or_else(|| fail("`bins=20`, from 1 to 1000"))?;
                self.bins = Some((bins, word.clone()));
            }
            "colour" => self.colour = Some(word.clone()),
            "marker" => self.marker = Some(word.clone()),
            "xscale" | "yscale" => {
                let scale = match text {
                    "log" => AxisScale::Logarithmic,
                    "linear" => AxisScale::Linear,
                    _ => return Err(fail("`log` or `linear`")),
                };
                self.axis(name).scale = Some(scale);
            }
            _ => {
                let range = span(text).filter(|range| range.lowest < range.highest);
                let range = range.ok_or_else(|| fail("`xrange=1..100`"))?;
                self.axis(name).range = Some((range.lowest, range.highest));
            }
        }
        Ok(())
    }

    fn axis(&mut self, name: &str) -> &mut AxisStyle {
        if name.starts_with('x') { &mut self.x } else { &mut self.y }
    }

    /// Hands out how many bins a histogram has. What no picture takes is an error of [`PictureStyle::apply`].
    pub fn take_bins(&mut self) -> Option<usize> {
        self.bins.take().map(|(bins, _)| bins)
    }

    /// Hands out the words that name the variables by which curves get their colours and their markers, in this order.
    pub fn take_groupings(&mut self) -> [Option<Word>; 2] {
        [self.colour.take(), self.marker.take()]
    }

    /// Gives a picture its looks.
    ///
    /// # Errors
    /// If it has not what a word is about, or nothing has taken a word.
    pub fn apply(&self, picture: &mut Picture) -> Result<(), Error> {
        if let Some(word) = [&self.colour, &self.marker].into_iter().flatten().next() {
            let message = "this picture has no curves that could differ by it";
            return Err(word.error(code::NOT_APPLICABLE, message));
        }
        if let Some((_, word)) = &self.bins {
            return Err(word.error(code::NOT_APPLICABLE, "this picture has no bins"));
        }
        let has_axes = self.x.is_some() || self.y.is_some();
        let (title, size) = match picture {
            Picture::Figure(figure) => {
                self.x.apply(&mut figure.x);
                self.y.apply(&mut figure.y);
                (&mut figure.title, Some(&mut figure.size))
            }
            Picture::Surface(surface) => {
                self.x.apply(&mut surface.x);
                self.y.apply(&mut surface.y);
                (&mut surface.title, Some(&mut surface.size))
            }
            Picture::Categories(_) | Picture::Timeline(_) if has_axes => {
                return Err(self.fail("this picture has no axes whose scale or range could be chosen"));
            }
            Picture::Categories(chart) => (&mut chart.title, Some(&mut chart.size)),
            Picture::Timeline(timeline) => (&mut timeline.title, None),
        };
        if let Some(new) = &self.title {
            title.clone_from(new);
        }
        match (size, self.size) {
            (Some(size), Some(new)) => *size = Some(new),
            (None, Some(_)) => return Err(self.fail("this picture is as large as what it shows")),
            (_, None) => {}
        }
        Ok(())
    }

    fn fail(&self, message: &str) -> Error {
        match &self.first {
            Some(word) => word.error(code::NOT_APPLICABLE, message),
            None => Error::new(code::NOT_APPLICABLE, message),
        }
    }
}

impl AxisStyle {
    fn is_some(&self) -> bool {
        self.scale.is_some() || self.range.is_some()
    }

    fn apply(&self, axis: &mut Axis) {
        if let Some(scale) = self.scale {
            axis.scale = scale;
        }
        if let Some((from, to)) = self.range {
            (axis.from, axis.to) = (Some(from), Some(to));
        }
    }
}

/// `WIDTHxHEIGHT`.
fn size(text: &str) -> Option<(u32, u32)> {
    const PIXELS: std::ops::RangeInclusive<f64> = 150.0..=8000.0;
    let (width, height) = text.split_once('x')?;
    let pixels =
        |text: &str| number(text).filter(|pixels| PIXELS.contains(pixels)).map(|pixels| pixels as u32);
    Some((pixels(width)?, pixels(height)?))
}
