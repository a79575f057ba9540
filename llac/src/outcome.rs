use crate::{Markup, Page, Style};

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

    /// The result, then the warnings, for a page.
    pub fn render(&self, page: &Page) -> String {
        self.value.render(page) + &self.render_warnings(page)
    }

    /// The warnings alone.
    pub fn render_warnings(&self, page: &Page) -> String {
        let mut markup = Markup::new();
        for warning in &self.warnings {
            let label = (Style::Warning, "warning:".to_owned());
            markup.fragments([label, (Style::Plain, format!(" {warning}"))]);
        }
        markup.render(page)
    }

    /// Result and warnings without styles, for a narrow terminal.
    pub fn to_plain_text(&self) -> String {
        self.render(&Page::plain(Page::NARROW))
    }
}
