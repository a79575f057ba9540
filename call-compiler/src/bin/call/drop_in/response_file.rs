//! `@FILE` among the words of a command stands for the words in that file.

use std::fs;

/// Response files may name others; this deep it is a circle.
const DEEPEST: usize = 16;

/// The words with those of response files in their places. Like compilers do, a file that is not there is left as a word.
pub fn expand(words: &[String]) -> Result<Vec<String>, String> {
    let mut expanded = Vec::new();
    add(words, 0, &mut expanded)?;
    Ok(expanded)
}

fn add(words: &[String], depth: usize, expanded: &mut Vec<String>) -> Result<(), String> {
    for word in words {
        match word.strip_prefix('@').map(fs::read_to_string) {
            Some(Ok(_)) if depth == DEEPEST => {
                return Err(format!("{word}: response files that name each other more than {DEEPEST} deep"));
            }
            Some(Ok(text)) => add(&split(&text), depth + 1, expanded)?,
            _ => expanded.push(word.clone()),
        }
    }
    Ok(())
}

/// Words stand between blanks; quotes keep blanks, and a backslash keeps any character.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (_, Some(open)) if character == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (_, None) if character.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_and_backslashes_keep_blanks() {
        assert_eq!(split("-DA='x y' \"b c.c\"\n-I\\ d '' # \n"), ["-DA=x y", "b c.c", "-I d", "", "#"]);
    }
}
