//! Texts that fit into their room.

use super::font::Font;
use super::page::PicturePage;

/// A text with the middle of its line.
pub(super) struct TextLine {
    pub(super) text: String,
    pub(super) y: f64,
}

/// The text, or as much of its beginning as there is room for.
pub(super) fn shortened(page: &PicturePage, text: &str, font: Font, room: f64) -> String {
    beginning(text, room, |c| page.char_width(c, font))
}

/// The same with characters of any width.
pub(crate) fn beginning(text: &str, room: f64, width: impl Fn(char) -> f64) -> String {
    if text.chars().map(&width).sum::<f64>() <= room {
        return text.to_owned();
    }
    let room = room - width('…');
    let mut used = 0.0;
    let fits = |c: &char| {
        used += width(*c);
        used <= room
    };
    let beginning: String = text.chars().take_while(fits).collect();
    format!("{}…", beginning.trim_end())
}

/// The text in at most `most` lines, broken at blanks where there are any.
pub(super) fn wrapped(page: &PicturePage, text: &str, font: Font, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while words.peek().is_some() {
        if lines.len() + 1 >= most {
            let rest: Vec<&str> = words.collect();
            lines.push(shortened(page, &rest.join(" "), font, room));
            break;
        }
        let mut line = shortened(page, words.next().unwrap_or_default(), font, room);
        let mut used = page.text_width(&line, font);
        let blank = page.char_width(' ', font);
        while let Some(word) = words.next_if(|word| used + blank + page.text_width(word, font) <= room) {
            used += blank + page.text_width(word, font);
            line.push(' ');
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// The text without what viewers and terminals obey: the characters that XML forbids, and those that turn the direction of what
/// follows.
pub(crate) fn harmless(text: &str) -> String {
    let is_obeyed =
        |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') || crate::number::turns(c);
    let shown = |c: char| match c {
        c if c.is_whitespace() => ' ',
        c if is_obeyed(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// The harmless text for XML and HTML, also between quotes: nothing of it is markup.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in harmless(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> PicturePage {
        PicturePage::cells(80, 24)
    }

    #[test]
    fn texts_are_shortened_to_their_room() {
        assert_eq!(shortened(&cells(), "measured", Font::Note, 16.0), "measured");
        assert_eq!(shortened(&cells(), "measured on node7", Font::Note, 21.0), "measured…");
        assert_eq!(shortened(&cells(), "measured", Font::Note, 0.0), "…");
        let page = PicturePage::pixels(900.0, 600.0);
        let short = shortened(&page, "measured on node7", Font::Title, 90.0);
        assert!(short.ends_with('…') && page.text_width(&short, Font::Title) <= 90.0, "{short}");
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        let wrapped = |text, most| wrapped(&cells(), text, Font::Note, 10.0, most);
        assert_eq!(wrapped("aa bb  cc dd", 9), ["aa bb", "cc dd"]);
        assert_eq!(wrapped("aa bb cc dd ee", 2), ["aa bb", "cc d…"]);
        assert_eq!(wrapped("  ", 2), Vec::<String>::new());
        assert_eq!(wrapped("aaaaaaaaaaaaaaa b", 3), ["aaaa…", "b"]);
    }

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escaped("a<b>&\"'\u{202e}c\u{1b}"), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}c\u{fffd}");
    }

    #[test]
    fn forbidden_characters_are_replaced() {
        assert_eq!(harmless("a\nb\0c\u{ffff}ℵ<\u{1b}\u{202e}"), "a b\u{fffd}c\u{fffd}ℵ<\u{fffd}\u{fffd}");
    }
}
