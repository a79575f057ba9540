use std::io::IsTerminal;

use llac::{Look, Page, Style};

/// Characters of a line of standard error: those of its terminal, else any number.
pub fn width_of_standard_error() -> usize {
    let error = std::io::stderr();
    let terminal = error.is_terminal().then(|| terminal_size::terminal_size_of(&error)).flatten();
    terminal.map_or(usize::MAX, |(width, _)| usize::from(width.0))
}

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

    /// What is made for the page that standard output is.
    pub fn page(self, make: impl FnOnce(&Page) -> String) -> String {
        let terminal = std::io::stdout().is_terminal().then(terminal_size::terminal_size).flatten();
        let (width, height) = terminal
            .map_or((Page::NARROW, 24), |(width, height)| (usize::from(width.0), usize::from(height.0)));
        make(&Page {
            width,
            table_width: if terminal.is_some() { width } else { usize::MAX },
            // The prompt stays in sight.
            picture_rows: height.saturating_sub(3).clamp(Page::PICTURE_ROWS - 4, Page::PICTURE_ROWS + 12),
            look: if self.colour { Look::Coloured } else { Look::Unicode },
            paint: &|style, text| self.paint(style, text),
        })
    }

    fn coded(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
