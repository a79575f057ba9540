//! Whether the names of a formula stand for numbers, and for the same ones throughout the block.

use call_grammar::{BlockLines, Span, suggest};

use crate::c::lex::{CTokenKind, lex};
use crate::c::normalise::words;
use crate::c::types::{Representation, Type};
use crate::error::Error;
use crate::subject::DirectiveSubject;

/// Whether `P` means the processors in use: the C program declares none of its own.
pub fn is_processors(subject: &DirectiveSubject, occurrence: usize, name: &str) -> bool {
    name == "P" && !is_understood_variable(subject, occurrence, name) && !subject.macros.has(name)
}

fn is_understood_variable(subject: &DirectiveSubject, occurrence: usize, name: &str) -> bool {
    !matches!(subject.surroundings.lookup(occurrence, name), None | Some(Type::Unknown))
}

/// Whether all names of an expression are variables of C, not macros, whose values the compiler sees instead of them.
pub fn is_variable(subject: &DirectiveSubject, occurrence: usize, text: &str) -> bool {
    let bytes = text.as_bytes();
    let tokens = lex(bytes, 0, bytes.len());
    let is_member = |index: usize| index > 0 && matches!(tokens[index - 1].text(bytes), b"." | b"->");
    tokens.iter().enumerate().all(|(index, token)| {
        token.kind != CTokenKind::Word
            || is_member(index)
            || is_keyword(token.text(bytes))
            || is_understood_variable(subject, occurrence, &String::from_utf8_lossy(token.text(bytes)))
    })
}

/// Checks a variable of a formula at a place; how its value is kept.
pub fn check(
    subject: &DirectiveSubject,
    place: &BlockLines,
    variable: &call_grammar::Variable,
    span: Span,
    at_end: bool,
    errors: &mut Vec<Error>,
) -> Representation {
    let is_plain = variable.name() == variable.root();
    let name = variable.root().to_owned();
    let representation = match lookup(subject, place.begin, &name) {
        Some(Type::Arithmetic(representation)) if is_plain => representation,
        Some(Type::Other(what)) if is_plain => {
            errors.push(Error::NotArithmetic { span, name, what });
            return Representation::Real;
        }
        Some(Type::Name(_)) => {
            errors.push(Error::TypeName { span, name });
            return Representation::Real;
        }
        Some(_) => Representation::Real,
        None => {
            let suggestion = suggestion(subject, place.begin, &name);
            errors.push(Error::UnknownVariable { span, name, suggestion });
            return Representation::Real;
        }
    };
    errors.extend(same_throughout(subject, place, variable, span, at_end));
    representation
}

/// What a name stands for; macros, and parameters of the macro around, are taken to be numbers: the compiler will tell.
fn lookup(subject: &DirectiveSubject, occurrence: usize, name: &str) -> Option<Type> {
    let found = subject.surroundings.lookup(occurrence, name);
    let is_unknown = |kind: &Type| matches!(kind, Type::Unknown);
    if found.as_ref().is_none_or(is_unknown) && (subject.macros.has(name) || subject.is_in_macro(occurrence))
    {
        return Some(Type::Unknown);
    }
    found
}

fn suggestion(subject: &DirectiveSubject, occurrence: usize, name: &str) -> Option<String> {
    let visible = subject.surroundings.arithmetic_names(occurrence);
    suggest(name, visible.iter().map(String::as_str)).map(str::to_owned)
}

fn same_throughout(
    subject: &DirectiveSubject,
    place: &BlockLines,
    variable: &call_grammar::Variable,
    span: Span,
    at_end: bool,
) -> Option<Error> {
    let (function, begin, end) = subject.surroundings.around(place.begin, place.end())?;
    let (root, name) = (variable.root(), variable.name().to_owned());
    let file = &subject.surroundings.program.file;
    if at_end && function.declared_between(begin, end, root).is_some() {
        let name = root.to_owned();
        return Some(Error::OtherAtEnd { span: subject.span(place.end()), name, begin: span });
    }
    if !at_end && let Some(change) = function.change_between(begin, end, &name, root) {
        return Some(Error::Changes { span, name, change: subject.line_of(change.offset) });
    }
    function.hides(file, begin, root).map(|_| Error::Shadows { span, name: root.to_owned() })
}

/// Checks the C expression of a `let` clause: names must be known, and nothing may change.
pub fn check_expression(
    subject: &DirectiveSubject,
    place: &BlockLines,
    text: &str,
    span: Span,
    errors: &mut Vec<Error>,
) {
    let bytes = text.as_bytes();
    let tokens = lex(bytes, 0, bytes.len());
    let word = |index: usize| tokens.get(index).map_or(&b""[..], |token| token.text(bytes));
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or(&b""[..], &word);
        let name = String::from_utf8_lossy(token.text(bytes)).into_owned();
        match token.kind {
            CTokenKind::Punctuator if is_effect(token.text(bytes)) => {
                errors.push(Error::SideEffect { span, what: format!("`{name}`") });
            }
            CTokenKind::Word if matches!(before, b"." | b"->") || is_keyword(token.text(bytes)) => {}
            CTokenKind::Word if word(index + 1) == b"(" => {
                if matches!(lookup(subject, place.begin, &name), None | Some(Type::Other(_))) {
                    errors.push(Error::SideEffect { span, what: format!("a call of `{name}`") });
                }
            }
            CTokenKind::Word if lookup(subject, place.begin, &name).is_none() => {
                let suggestion = suggestion(subject, place.begin, &name);
                errors.push(Error::UnknownVariable { span, name, suggestion });
            }
            _ => {}
        }
    }
}

fn is_effect(punctuator: &[u8]) -> bool {
    matches!(
        punctuator,
        b"=" | b"++"
            | b"--"
            | b"*="
            | b"/="
            | b"%="
            | b"+="
            | b"-="
            | b"&="
            | b"^="
            | b"|="
            | b"<<="
            | b">>="
    )
}

fn is_keyword(word: &[u8]) -> bool {
    let others: &[&[u8]] = &[b"sizeof", b"_Alignof", b"alignof", b"_Generic", b"default"];
    words::is_type(word) || words::is_qualifier(word) || others.contains(&word)
}
