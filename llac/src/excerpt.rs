//! A place in a text as people see it: its line, underlined.

use std::ops::Range;

use call_grammar::printable;

/// Longer lines of files are shown in part.
const WIDEST: usize = 120;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileExcerpt {
    /// Name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The character of the line, from 1.
    pub column: usize,
    /// From which byte of the file to which.
    pub bytes: Range<usize>,
    /// The line, underlined, without a line feed at the end.
    pub excerpt: String,
}

impl FileExcerpt {
    /// The place of a span in the text of a file.
    pub fn of(file: &str, text: &str, span: Range<usize>) -> FileExcerpt {
        let start = span.start.min(text.len());
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = text[line_start..].lines().next().unwrap_or("");
        let end = span.end.clamp(start, line_start + line.len().max(start - line_start));
        let before = text[line_start..start].chars().count();
        FileExcerpt {
            file: file.to_owned(),
            line: text[..start].matches('\n').count() + 1,
            column: before + 1,
            bytes: start..end,
            excerpt: underlined(line, before, text[start..end].chars().count(), WIDEST),
        }
    }
}

/// A line with its characters from `before` on underlined, in two lines of at most `widest` characters.
pub fn underlined(line: &str, before: usize, width: usize, widest: usize) -> String {
    let left_out = before.saturating_sub(widest / 2);
    let sign = if left_out > 0 { "…" } else { "" };
    // A tabulator is one character wide, so that the marks stand below what they mark.
    let line = printable(line).replace(['\n', '\t'], " ");
    let shown: String = sign.chars().chain(line.chars().skip(left_out)).take(widest).collect();
    let before = sign.chars().count() + before - left_out;
    let width = width.min(widest - before).max(1);
    format!("  | {shown}\n  | {}{}", " ".repeat(before), "^".repeat(width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_line_column_and_picture() {
        let text = "one\n\ttwo ℵ three\r\nfour";
        let place = FileExcerpt::of("a.obsp", text, 9..12);
        assert_eq!((place.file.as_str(), place.line, place.column), ("a.obsp", 2, 6));
        assert_eq!(place.bytes, 9..12);
        assert_eq!(place.excerpt, "  |  two ℵ three\n  |      ^");
        let end = FileExcerpt::of("a.obsp", text, 90..99);
        assert_eq!(end.bytes, text.len()..text.len());
        assert_eq!((end.line, end.column, end.excerpt.as_str()), (3, 5, "  | four\n  |     ^"));
    }

    #[test]
    fn long_lines_are_shown_around_the_place() {
        let shown = underlined(&"x".repeat(500), 300, 500, 120);
        let expected = format!("  | …{}\n  | {}{}", "x".repeat(119), " ".repeat(61), "^".repeat(59));
        assert_eq!(shown, expected);
    }
}
