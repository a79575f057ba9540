//! Words that stand in files: `@file` on the command line of a compiler.

use std::fs;

/// Puts the words of `@file`s in their place. As for compilers, a file that cannot be read is a word like others.
pub fn expand(words: &[String]) -> Vec<String> {
    expand_within(words, 0)
}

/// A file that names itself comes to an end.
fn expand_within(words: &[String], depth: usize) -> Vec<String> {
    let text = |word: &String| word.strip_prefix('@').and_then(|path| fs::read_to_string(path).ok());
    let mut expanded = Vec::new();
    for word in words {
        match text(word).filter(|_| depth < 32) {
            Some(text) => expanded.extend(expand_within(&split(&text), depth + 1)),
            None => expanded.push(word.clone()),
        }
    }
    expanded
}

/// The words of a text between blanks; both quotes hold blanks together, and a backslash takes the next character as it is.
fn split(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

/// A word of a file that `split` reads back.
pub fn quoted(word: &str) -> String {
    let escaped: String = word
        .chars()
        .flat_map(|character| {
            let escape = matches!(character, '"' | '\\').then_some('\\');
            escape.into_iter().chain([character])
        })
        .collect();
    format!("\"{escaped}\"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_file() {
        let words = split("-c  'a b.c'\n-DX=\\\"y\\\" \"\" -o\tb\\ c.o # no comment");
        assert_eq!(words, ["-c", "a b.c", "-DX=\"y\"", "", "-o", "b c.o", "#", "no", "comment"]);
        for word in ["a b", "\"q\"\\", "'"] {
            assert_eq!(split(&quoted(word)), [word]);
        }
    }
}
