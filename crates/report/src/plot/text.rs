//! Texts and how much room they need. The fonts of the viewer are not known; the widths are those of DejaVu Sans and
//! Verdana, which are wider than others.

/// Width of a text in a font of this size.
pub(super) fn width(text: &str, font_size: f64) -> f64 {
    text.chars().map(relative_width).sum::<f64>() * font_size
}

fn relative_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '\\' | ' ' | '-' | 'I' | 'J' => 0.41,
        '⁰'..='⁹' | '⁻' | '¹' | '²' | '³' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '+' | '=' | '<' | '>' | '×' | '∞' | '…' | '—' => 0.98,
        'A'..='Z' => 0.73,
        _ if c.is_ascii() => 0.64,
        // Ideographs are as wide as they are high.
        '\u{2e80}'.. => 1.05,
        _ => 0.75,
    }
}

/// The text, or as much of its beginning as there is room for.
pub(super) fn shortened(text: &str, font_size: f64, room: f64) -> String {
    if width(text, font_size) <= room {
        return text.to_owned();
    }
    let room = room - width("…", font_size);
    let mut used = 0.0;
    let fits = |c: &char| {
        used += relative_width(*c) * font_size;
        used <= room
    };
    let beginning: String = text.chars().take_while(fits).collect();
    format!("{}…", beginning.trim_end())
}

/// The text in at most `most` lines, broken at blanks where there are any.
pub(super) fn wrapped(text: &str, font_size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while words.peek().is_some() {
        if lines.len() + 1 >= most {
            let rest: Vec<&str> = words.collect();
            lines.push(shortened(&rest.join(" "), font_size, room));
            break;
        }
        let mut line = shortened(words.next().unwrap_or_default(), font_size, room);
        while let Some(word) = words.next_if(|word| width(&format!("{line} {word}"), font_size) <= room) {
            line.push(' ');
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// The text without the characters that XML forbids.
pub(super) fn allowed(text: &str) -> String {
    let is_forbidden = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars()
        .map(|c| {
            if c.is_whitespace() {
                ' '
            } else if is_forbidden(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_shortened_to_their_room() {
        assert_eq!(shortened("measured", 10.0, 60.0), "measured");
        let short = shortened("measured on node7", 10.0, 60.0);
        assert!(short.ends_with('…') && width(&short, 10.0) <= 60.0, "{short}");
        assert_eq!(shortened("measured", 10.0, 0.0), "…");
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("aa bb  cc dd", 10.0, 35.0, 9), ["aa bb", "cc dd"]);
        assert_eq!(wrapped("aa bb cc dd ee", 10.0, 35.0, 2), ["aa bb", "cc d…"]);
        assert_eq!(wrapped("  ", 10.0, 35.0, 2), Vec::<String>::new());
        assert_eq!(wrapped("aaaaaaaaaaaaaaa b", 10.0, 35.0, 3), ["aaa…", "b"]);
    }

    #[test]
    fn forbidden_characters_are_replaced() {
        assert_eq!(allowed("a\nb\0c\u{ffff}ℵ<"), "a b\u{fffd}c\u{fffd}ℵ<");
    }
}
