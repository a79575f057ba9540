//! Words of the command line that begin like negative numbers, as `-3%`: they are no options, and what command they stand in says what is wrong.

use std::ffi::OsString;

/// No word of a command line has it.
const MARK: char = '\0';

/// The command line with such words marked.
pub fn marked(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    words.map(|word| match word.to_str() {
        Some(text) if begins_like_number(text) => format!("{MARK}{text}").into(),
        _ => word,
    })
}

/// A word as it was, and what is said of it.
pub fn unmarked(text: &str) -> String {
    text.replace(MARK, "")
}

fn begins_like_number(word: &str) -> bool {
    let behind = word.strip_prefix('-').map(|rest| rest.strip_prefix('.').unwrap_or(rest));
    behind.is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
}
