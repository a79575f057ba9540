use crate::{Markup, Style};

/// What a command has to show.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The result.
    pub value: Markup,
    /// What the user should know besides.
    pub warnings: Vec<String>,
    /// Whether the session ends.
    pub quit: bool,
}

impl Outcome {
    /// Columns that every terminal has.
    pub const NARROW: usize = 80;

    /// A result without warnings.
    pub fn of(value: Markup) -> Outcome {
        Outcome { value, ..Outcome::default() }
    }

    /// A result that is one line of text.
    pub(crate) fn line(text: impl Into<String>) -> Outcome {
        let mut markup = Markup::new();
        markup.line(Style::Plain, text);
        Outcome::of(markup)
    }

    /// The result, then the warnings, in lines of at most `width` characters, each fragment through `paint`.
    pub fn render(&self, width: usize, paint: &dyn Fn(Style, &str) -> String) -> String {
        self.value.render(width, paint) + &self.render_warnings(width, paint)
    }

    /// The warnings alone.
    pub fn render_warnings(&self, width: usize, paint: &dyn Fn(Style, &str) -> String) -> String {
        let mut markup = Markup::new();
        for warning in &self.warnings {
            let label = (Style::Warning, "warning:".to_owned());
            markup.fragments([label, (Style::Plain, format!(" {warning}"))]);
        }
        markup.render(width, paint)
    }

    /// Result and warnings without styles, for a narrow terminal.
    pub fn to_plain_text(&self) -> String {
        self.render(Self::NARROW, &|_, text| text.to_owned())
    }
}
