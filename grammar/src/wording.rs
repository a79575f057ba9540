//! Names and texts in messages.

use std::borrow::Cow;

use strsim::osa_distance;

/// So many names of a list are in a message.
const MOST: usize = 12;
/// So many characters of a text are in one.
const LONGEST: usize = 60;
/// Longer words are no misspelt ones, and comparing them takes long.
const LONGEST_WORD: usize = 100;

/// Names for a message: `f, g, h`; of many the first ones and how many more there are, as `a, b, ... and 88 more`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    joined(names.iter().map(|name| name.as_ref().to_owned()), names.len())
}

/// The same with names that come from a file, in back-quotes and cut where they are long; `none` if there are none.
pub fn quoted(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    joined(names.iter().map(|name| format!("`{}`", excerpt(name.as_ref()))), names.len())
}

/// So many of something: `1 file`, `2 files`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn joined(names: impl Iterator<Item = String>, count: usize) -> String {
    let mut text = names.take(MOST).collect::<Vec<_>>().join(", ");
    if count > MOST {
        text.push_str(&format!(" and {} more", count - MOST));
    }
    text
}

/// A piece of a file for a message: on one line and not long.
pub fn excerpt(text: &str) -> String {
    let printable = |c: char| if c.is_control() || turns(c) { char::REPLACEMENT_CHARACTER } else { c };
    let mut short: String = text.chars().take(LONGEST).map(printable).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

/// A text without what terminals obey, line ends and tabulators aside, and without marks that turn the direction of writing: names
/// and headers come from files of others.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_obeyed = |c: char| (c.is_control() && c != '\n' && c != '\t') || turns(c);
    if text.contains(is_obeyed) { Cow::Owned(text.replace(is_obeyed, " ")) } else { Cow::Borrowed(text) }
}

/// Whether a character changes the direction in which others are shown.
fn turns(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The candidate nearest to a misspelt `word`, if one is near enough to be meant: at most a third of its letters differ.
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let count = word.chars().count();
    if count > LONGEST_WORD {
        return None;
    }
    let limit = (count / 3).max(1);
    candidates
        .into_iter()
        // So many insertions are needed at least.
        .filter(|candidate| {
            candidate.len() <= 4 * LONGEST_WORD && candidate.chars().count().abs_diff(count) <= limit
        })
        .map(|candidate| (osa_distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_short() {
        let names: Vec<String> = (0..100).map(|number| format!("c{number}")).collect();
        assert!(quoted(&names).ends_with("`c11` and 88 more"));
        assert!(listed(&names).ends_with("c11 and 88 more"));
        assert_eq!((quoted(&names[..2]), quoted(&names[..0])), ("`c0`, `c1`".to_owned(), "none".to_owned()));
        assert_eq!((listed(&["f", "g"]), listed(&names[..0])), ("f, g".to_owned(), String::new()));
        assert_eq!(excerpt("a\0b"), "a\u{fffd}b");
        assert_eq!(excerpt(&"x".repeat(61)), format!("{}...", "x".repeat(60)));
    }

    #[test]
    fn terminals_obey_nothing() {
        assert_eq!(printable("a\u{1b}]0;b\u{7}\u{9b}c\td\n\u{202e}e\u{200f}é"), "a ]0;b  c\td\n e é");
        assert_eq!(excerpt("a\u{2066}b"), "a\u{fffd}b");
    }

    #[test]
    fn only_near_words_are_suggested() {
        assert_eq!(suggest("lgo", ["exp", "log", "log2"]), Some("log"));
        assert_eq!(suggest("sieze", ["size", "n"]), Some("size"));
        assert_eq!(suggest("M", ["N", "P"]), None, "one letter for another is not a misspelling");
        assert_eq!(suggest("rows", ["columns"]), None);
        let long = "x".repeat(1_000_000);
        assert_eq!(suggest(&long, [long.as_str()]), None, "comparing these would take hours");
        assert_eq!(suggest("log", [long.as_str(), "lgo"]), Some("lgo"));
    }
}
