use crate::{Markup, Style};

/// What a command has to show.
#[derive(Default)]
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

    /// Result and warnings as text, each fragment through `paint`.
    pub fn render(&self, paint: impl Fn(Style, &str) -> String) -> String {
        let mut text = self.value.render(&paint);
        for warning in &self.warnings {
            text.push_str(&paint(Style::Warning, "warning:"));
            text.push(' ');
            text.push_str(warning);
            text.push('\n');
        }
        text
    }

    /// Result and warnings without styles.
    pub fn to_plain_text(&self) -> String {
        self.render(|_, text| text.to_owned())
    }
}
