use std::io::IsTerminal;

use llac::Style;

/// Colours for a terminal, nothing for a file.
#[derive(Clone, Copy)]
pub struct Painter {
    colour: bool,
}

impl Painter {
    /// Colours if standard output is a terminal and the user does not mind (no-color.org).
    pub fn for_standard_output() -> Painter {
        let minds = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Painter { colour: std::io::stdout().is_terminal() && !minds }
    }

    /// The text in its style.
    pub fn paint(self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Plain => return text.to_owned(),
            Style::Strong => "1",
            Style::Name => "36",
            Style::Warning => "33",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
