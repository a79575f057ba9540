use std::io::IsTerminal;

use llac::{Outcome, Style};

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
        self.coded(code, text)
    }

    /// Text that is only proposed.
    pub fn faint(self, text: &str) -> String {
        self.coded("2", text)
    }

    fn coded(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// Columns of the terminal that shows the results, or those that every terminal has.
pub fn width() -> usize {
    let terminal = std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
    terminal.map_or(Outcome::NARROW, |(width, _)| usize::from(width.0))
}
