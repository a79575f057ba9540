//! What was typed in the shell, with the places of its words: errors in lines that were made of it are shown there.

use std::ops::Range;

use llac::{Error, Page};

/// Characters of a line that shows a place, beside its margin and the marks of what is left out.
const WIDEST: usize = Page::NARROW - 8;

/// A command as it was typed.
#[derive(Default)]
pub struct Typed {
    text: String,
    words: Vec<Range<usize>>,
}

/// A word as it stands in a line, and the place that it comes from.
#[derive(Clone)]
pub struct TypedWord {
    pub text: String,
    typed: Range<usize>,
}

/// A line of a session, each of whose words comes from somewhere in what was typed.
pub struct TypedLine {
    pub text: String,
    /// Where a word starts in the line, and where it comes from.
    places: Vec<(usize, Range<usize>)>,
}

impl TypedWord {
    /// Another word that comes from the same place.
    pub fn instead(&self, text: &str) -> TypedWord {
        TypedWord { text: text.to_owned(), ..self.clone() }
    }
}

impl Typed {
    /// Adds a word.
    pub fn push(&mut self, text: &str) -> TypedWord {
        self.text.push_str(if self.text.is_empty() { "" } else { " " });
        let start = self.text.len();
        self.text.push_str(text);
        self.words.push(start..self.text.len());
        TypedWord { text: text.to_owned(), typed: start..self.text.len() }
    }

    /// The error with what was typed, of which only the command and the words around the place are shown if there are many: the shell
    /// makes them of wildcards.
    pub fn render(&self, error: &Error) -> String {
        let Some(span) = error.span().filter(|_| self.text.chars().count() > WIDEST) else {
            return error.render(&self.text);
        };
        let shown = self.around(&span);
        let before = match shown.start {
            0 => String::new(),
            _ => format!("{} … ", &self.text[..self.words[1].end]),
        };
        let behind = if shown.end == self.text.len() { "" } else { " …" };
        let moved = |at: usize| before.len() + at - shown.start;
        let error = error.clone().with_span(moved(span.start)..moved(span.end));
        error.render(&format!("{before}{}{behind}", &self.text[shown]))
    }

    /// As many whole words around a place as a line holds beside the command.
    fn around(&self, span: &Range<usize>) -> Range<usize> {
        let last = self.words.len() - 1;
        let with = |at: usize| self.words.iter().position(|word| word.end >= at).unwrap_or(last);
        let (mut first, mut end) = (with(span.start), with(span.end));
        let part = |first: usize, end: usize| self.words[first].start..self.words[end].end;
        let has_room = |range: Range<usize>| {
            self.text[part(0, 1)].chars().count() + self.text[range].chars().count() < WIDEST
        };
        while end < last && has_room(part(first, end + 1)) {
            end += 1;
        }
        while first > 0 && has_room(part(first - 1, end)) {
            first -= 1;
        }
        // What would be left out between the command and the place is not less than the mark for it.
        if first <= 2 { part(0, end) } else { part(first, end) }
    }
}

impl TypedLine {
    /// A line of these words.
    pub fn new(command: TypedWord, words: Vec<TypedWord>) -> TypedLine {
        let mut line = TypedLine { text: String::new(), places: Vec::new() };
        for word in std::iter::once(command).chain(words) {
            line.text.push_str(if line.text.is_empty() { "" } else { " " });
            line.places.push((line.text.len(), word.typed));
            line.text.push_str(&word.text);
        }
        line
    }

    /// The error with its place in what was typed.
    pub fn as_typed(&self, error: &Error) -> Error {
        let Some(span) = error.span() else { return error.clone() };
        let at = |place: usize, is_end: bool| {
            let before = |(start, _): &&(usize, Range<usize>)| *start < place + usize::from(!is_end);
            let (start, typed) = self.places.iter().rev().find(before).unwrap_or(&self.places[0]);
            (typed.start + place.saturating_sub(*start)).min(typed.end)
        };
        let start = at(span.start, false);
        error.clone().with_span(start..at(span.end, true).max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was typed, and a line of the words but the first.
    fn line(words: &[&str]) -> (Typed, TypedLine) {
        let mut typed = Typed::default();
        typed.push("llac");
        let mut words: Vec<TypedWord> = words.iter().map(|word| typed.push(word)).collect();
        let command = words.remove(0);
        (typed, TypedLine::new(command.instead("load"), words))
    }

    #[test]
    fn places_are_those_of_what_was_typed() {
        let (typed, line) = line(&["fit", "\"t .csv\"", "--data", "u"]);
        assert_eq!(line.text, "load \"t .csv\" --data u");
        let place = |part: &str| {
            let start = line.text.find(part).unwrap();
            &typed.text[line.as_typed(&Error::at("x", start..start + part.len(), "")).span().unwrap()]
        };
        assert_eq!(
            (place("t .csv"), place("u"), place("load"), place("v\" --d")),
            ("t .csv", "u", "fit", "v\" --d")
        );
        let end = line.text.len();
        assert_eq!(
            line.as_typed(&Error::at("x", end..end, "")).span(),
            Some(typed.text.len()..typed.text.len())
        );
    }

    #[test]
    fn of_many_words_those_around_the_place_are_shown() {
        let files: Vec<String> = (0..64).map(|number| format!("fft.call.{number}.dat")).collect();
        let mut words = vec!["predict"];
        words.extend(files.iter().map(String::as_str).chain(["f", "N=x"]));
        let (typed, line) = line(&words);
        let shown = |part: &str| {
            let start = line.text.find(part).unwrap();
            typed.render(&line.as_typed(&Error::at("x", start..start + part.len(), "x")))
        };
        let end = "llac predict … fft.call.61.dat fft.call.62.dat fft.call.63.dat f N=x";
        assert_eq!(shown("N=x"), format!("error: x\n  | {end}\n  | {}^^^\n", " ".repeat(65)));
        let middle = shown("fft.call.30.dat");
        assert!(
            middle.contains("  | llac predict … fft.call.30.dat fft.call.31.dat fft.call.32.dat …\n"),
            "{middle}"
        );
        let start = shown("fft.call.0.dat");
        assert!(start.contains("  | llac predict fft.call.0.dat fft.call.1.dat fft.call.2.dat"), "{start}");
        assert!(shown(&line.text).contains("fft.call.63.dat"));
    }
}
