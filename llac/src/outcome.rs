use crate::markup::wrap;
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
        const LABEL: &str = "warning:";
        for warning in &self.warnings {
            let lines = wrap(&format!("{LABEL} {warning}"));
            for (number, line) in lines.iter().enumerate() {
                match line.strip_prefix(LABEL) {
                    Some(rest) if number == 0 => text.push_str(&(paint(Style::Warning, LABEL) + rest)),
                    _ => text.push_str(line),
                }
                text.push('\n');
            }
        }
        text
    }

    /// Result and warnings without styles.
    pub fn to_plain_text(&self) -> String {
        self.render(|_, text| text.to_owned())
    }
}
