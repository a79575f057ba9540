use std::fmt;

use call_grammar::printable;
use call_report::Table;

use crate::outline::Outline;
use crate::{Page, Picture, Style};

/// A piece of text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fragment {
    /// Its style.
    pub style: Style,
    /// The text.
    pub text: String,
}

impl Fragment {
    fn printable(&self) -> Fragment {
        Fragment { style: self.style, text: printable(&self.text).into_owned() }
    }
}

/// A part of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkupBlock {
    /// Running text, broken into lines where it is too long.
    Line(Vec<Fragment>),
    /// A text of sentences, broken into lines without further marks.
    Paragraph(String),
    /// A tree of names with what belongs to them.
    Outline(Outline),
    /// A text in the format of another tool, which goes into any file as it is.
    Document(String),
    /// Values in rows and columns.
    Table(Table),
    /// Values for programs, which the text tells in words.
    Data(Table),
    /// A picture.
    Picture(Box<Picture>),
}

/// The parts of a result, rendered by each front door in its own way.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Markup {
    blocks: Vec<MarkupBlock>,
}

impl Markup {
    /// Nothing yet.
    pub fn new() -> Markup {
        Markup::default()
    }

    /// Adds a line in one style.
    pub fn line(&mut self, style: Style, text: impl Into<String>) {
        self.blocks.push(MarkupBlock::Line(vec![Fragment { style, text: text.into() }]));
    }

    /// Adds a line of several pieces.
    pub fn fragments(&mut self, fragments: impl IntoIterator<Item = (Style, String)>) {
        let fragments = fragments.into_iter().map(|(style, text)| Fragment { style, text });
        self.blocks.push(MarkupBlock::Line(fragments.collect()));
    }

    /// Adds an item of a list that belongs to the line above.
    pub fn item(&mut self, text: impl fmt::Display) {
        self.line(Style::Plain, format!("  – {text}"));
    }

    /// Adds a text of sentences; each of its lines is a paragraph.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(MarkupBlock::Paragraph(text.into()));
    }

    /// Adds a tree of names.
    pub fn outline(&mut self, outline: Outline) {
        self.blocks.push(MarkupBlock::Outline(outline));
    }

    /// Adds a text for another tool.
    pub fn document(&mut self, text: impl Into<String>) {
        self.blocks.push(MarkupBlock::Document(text.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.blocks.push(MarkupBlock::Table(table));
    }

    /// Adds a table for programs, whose values the text tells in words.
    pub fn data(&mut self, table: Table) {
        self.blocks.push(MarkupBlock::Data(table));
    }

    /// Adds a picture.
    pub fn picture(&mut self, picture: Picture) {
        self.blocks.push(MarkupBlock::Picture(Box::new(picture)));
    }

    /// Adds everything of another markup behind an empty line.
    pub fn append(&mut self, other: Markup) {
        if !self.blocks.is_empty() && !other.blocks.is_empty() {
            self.line(Style::Plain, "");
        }
        self.blocks.extend(other.blocks);
    }

    /// Its parts in their order.
    pub fn blocks(&self) -> &[MarkupBlock] {
        &self.blocks
    }

    /// The tables for who can have but one: the main ones, or all that people are shown.
    pub fn tables_for_one(&self) -> Vec<&Table> {
        let tables = self.blocks.iter().filter_map(|block| match block {
            MarkupBlock::Table(table) => Some((table, true)),
            MarkupBlock::Data(table) => Some((table, false)),
            _ => None,
        });
        let tables: Vec<(&Table, bool)> = tables.collect();
        let has_main = tables.iter().any(|(table, _)| table.is_main());
        let is_meant =
            |(table, is_shown): &(&Table, bool)| if has_main { table.is_main() } else { *is_shown };
        tables.into_iter().filter(is_meant).map(|(table, _)| table).collect()
    }

    /// The text for a page, in lines that fit where that can be had.
    pub fn render(&self, page: &Page) -> String {
        let mut text = String::new();
        for (index, block) in self.blocks.iter().enumerate() {
            // Two tables without a line between them would look like one.
            let is_second = index > 0 && matches!(self.blocks[index - 1], MarkupBlock::Table(_));
            if is_second && matches!(block, MarkupBlock::Table(_)) {
                text.push('\n');
            }
            match block {
                MarkupBlock::Line(fragments) => {
                    let fragments: Vec<Fragment> = fragments.iter().map(Fragment::printable).collect();
                    text.push_str(&wrapped(&fragments, page.width, page.paint));
                }
                MarkupBlock::Paragraph(paragraph) => {
                    for line in printable(paragraph).lines() {
                        text.push_str(&filled(line, page.width));
                    }
                }
                MarkupBlock::Document(lines) => text.push_str(&printable(lines)),
                MarkupBlock::Outline(outline) => {
                    text.push_str(&printable(&outline.render(page.table_width)));
                }
                MarkupBlock::Table(table) => {
                    for line in table.render(page.table_width.saturating_sub(INDENT.len())).lines() {
                        text.extend([INDENT, line, "\n"]);
                    }
                }
                MarkupBlock::Data(_) => {}
                MarkupBlock::Picture(picture) => match picture.text(page) {
                    Ok(drawn) => text.push_str(&drawn),
                    Err(error) => text.push_str(&format!("no picture: {error}\n")),
                },
            }
        }
        text
    }
}

/// What stands before tables and before the further lines of a text that was broken.
const INDENT: &str = "  ";

/// A text in lines of at most `width` characters, without styles.
pub fn wrapped_line(text: &str, width: usize) -> String {
    let fragment = Fragment { style: Style::Plain, text: text.to_owned() };
    wrapped(&[fragment], width, &|_, text| text.to_owned())
}

/// Fragments in lines of at most `width` characters, broken at blanks; further lines are indented as the first and two blanks more.
fn wrapped(fragments: &[Fragment], width: usize, paint: &dyn Fn(Style, &str) -> String) -> String {
    let length = |text: &str| text.chars().count();
    let total: usize = fragments.iter().map(|fragment| length(&fragment.text)).sum();
    if total <= width {
        let painted = fragments.iter().map(|fragment| paint(fragment.style, &fragment.text));
        return painted.collect::<String>() + "\n";
    }
    let first = fragments.first().map_or("", |fragment| &fragment.text);
    let indent = first.len() - first.trim_start_matches(' ').len();
    let further = format!("\n{}{INDENT}", " ".repeat(indent));
    let mut text = String::new();
    let mut used = 0;
    for fragment in fragments {
        // A piece is a word with the blanks before it, so that a line is broken there.
        let mut line = String::new();
        for piece in pieces(&fragment.text) {
            let word = piece.trim_start_matches(' ');
            if used + length(piece) > width && used > indent && !word.is_empty() && word.len() < piece.len() {
                if !line.is_empty() {
                    text.push_str(&paint(fragment.style, &line));
                    line.clear();
                }
                text.push_str(&further);
                line.push_str(word);
                used = further.len() - 1 + length(word);
            } else {
                line.push_str(piece);
                used += length(piece);
            }
        }
        if !line.is_empty() {
            text.push_str(&paint(fragment.style, &line));
        }
    }
    text + "\n"
}

/// A text in lines of at most `width` characters.
fn filled(text: &str, width: usize) -> String {
    let mut filled = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        let separator = match used {
            0 => "",
            _ if used + 1 + length > width => "\n",
            _ => " ",
        };
        used = if separator == " " { used + 1 + length } else { length };
        filled.extend([separator, word]);
    }
    filled + "\n"
}

/// Words, each with the blanks before it.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (at, character) in text.char_indices() {
        if character == ' ' && in_word {
            pieces.push(&text[start..at]);
            start = at;
        }
        in_word = character != ' ';
    }
    pieces.push(&text[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrap(fragments: &[(Style, &str)], width: usize) -> String {
        let mut markup = Markup::new();
        markup.fragments(fragments.iter().map(|(style, text)| (*style, (*text).to_owned())));
        let paint = |style: Style, text: &str| match style {
            Style::Name => format!("<{text}>"),
            _ => text.to_owned(),
        };
        markup.render(&Page { paint: &paint, ..Page::plain(width) })
    }

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(wrap(&[(Style::Plain, "a  b")], 80), "a  b\n");
        assert_eq!(wrap(&[(Style::Plain, "")], 80), "\n");
        assert_eq!(wrap(&[(Style::Plain, "  one two three four")], 10), "  one two\n    three\n    four\n");
        assert_eq!(wrap(&[(Style::Plain, &"x".repeat(100))], 80), "x".repeat(100) + "\n");
    }

    #[test]
    fn paragraphs_are_filled() {
        let mut markup = Markup::new();
        markup.paragraph("one two  three\nfour");
        assert_eq!(markup.render(&Page::plain(8)), "one two\nthree\nfour\n");
    }

    #[test]
    fn styles_go_through_breaks() {
        let shown = wrap(&[(Style::Name, "one two"), (Style::Plain, ": three four")], 12);
        assert_eq!(shown, "<one two>:\n  three four\n");
        assert_eq!(wrap(&[(Style::Name, "one two three")], 8), "<one two>\n  <three>\n");
    }
}
