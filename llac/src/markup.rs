use call_report::Table;

/// What a piece of text is, for front doors that can show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Running text.
    Plain,
    /// A heading or the main result.
    Strong,
    /// A name of an experiment, file or variable.
    Name,
    /// Something to be careful about.
    Warning,
}

/// A piece of text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// Its style.
    pub style: Style,
    /// The text.
    pub text: String,
}

/// Columns of running text: what every terminal has.
const WIDTH: usize = 80;

/// Running text in lines of at most 80 columns, broken at blanks.
pub(crate) fn wrap(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        if used > 0 && used + 1 + width > WIDTH {
            lines.push(String::new());
            used = 0;
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            line.push_str(word);
            used += width;
        }
    }
    lines
}

enum Block {
    Line(Vec<Fragment>),
    Table(Table),
}

/// Lines and tables, rendered by each front door in its own way.
#[derive(Default)]
pub struct Markup {
    blocks: Vec<Block>,
}

impl Markup {
    /// Nothing yet.
    pub fn new() -> Markup {
        Markup::default()
    }

    /// Adds a line in one style.
    pub fn line(&mut self, style: Style, text: impl Into<String>) {
        self.blocks.push(Block::Line(vec![Fragment { style, text: text.into() }]));
    }

    /// Adds a line of several pieces.
    pub fn fragments(&mut self, fragments: impl IntoIterator<Item = (Style, String)>) {
        let fragments = fragments.into_iter().map(|(style, text)| Fragment { style, text });
        self.blocks.push(Block::Line(fragments.collect()));
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.blocks.push(Block::Table(table));
    }

    /// Adds everything of another markup behind an empty line.
    pub fn append(&mut self, other: Markup) {
        if !self.blocks.is_empty() && !other.blocks.is_empty() {
            self.line(Style::Plain, "");
        }
        self.blocks.extend(other.blocks);
    }

    /// The text, each fragment through `paint`.
    pub fn render(&self, paint: impl Fn(Style, &str) -> String) -> String {
        let mut text = String::new();
        for block in &self.blocks {
            match block {
                Block::Line(fragments) => {
                    text.extend(fragments.iter().map(|fragment| paint(fragment.style, &fragment.text)));
                    text.push('\n');
                }
                Block::Table(table) => {
                    for line in table.to_string().lines() {
                        text.push_str("  ");
                        text.push_str(line);
                        text.push('\n');
                    }
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(wrap("a  b"), ["a b"]);
        assert_eq!(wrap(""), [""]);
        let lines = wrap(&"word ".repeat(40));
        assert_eq!(lines.iter().map(|line| line.len()).collect::<Vec<_>>(), [79, 79, 39]);
        assert_eq!(wrap(&"x".repeat(100)), ["x".repeat(100)]);
    }
}
