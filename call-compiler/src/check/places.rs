//! Whether directives stand where statements may stand, and the lines of a block in the same block.

use call_grammar::{BlockLines, DirectiveKind};

use crate::c::function::DirectivePosition;
use crate::error::Error;
use crate::subject::DirectiveSubject;

pub fn check(subject: &DirectiveSubject) -> Vec<Error> {
    let mut errors = Vec::new();
    for occurrence in 0..subject.directives.len() {
        errors.extend(statement(subject, occurrence));
    }
    for (experiment, place) in subject.places() {
        errors.extend(block(subject, place.begin, place.end(), subject.name(experiment)));
        errors.extend(repeated_ends(subject, place, subject.name(experiment)));
    }
    for around in &subject.outline.loops {
        errors.extend(block(subject, around.begin, around.end, "for"));
    }
    errors
}

fn statement(subject: &DirectiveSubject, occurrence: usize) -> Option<Error> {
    let span = subject.span(occurrence);
    let is_end = match &subject.directives[occurrence].kind {
        DirectiveKind::Parallel(_) | DirectiveKind::Uses(_) | DirectiveKind::Script(_) => return None,
        DirectiveKind::End(_) | DirectiveKind::EndFor => true,
        _ => false,
    };
    if let Some(pragma) = pragma_before(subject, occurrence) {
        return Some(Error::BehindPragma { span, pragma });
    }
    match subject.surroundings.position(occurrence) {
        DirectivePosition::File if !is_end => Some(Error::OutsideFunction { span }),
        DirectivePosition::Inside if !is_end => Some(Error::InsideStatement { span }),
        DirectivePosition::Before(..)
            if matches!(subject.directives[occurrence].kind, DirectiveKind::Report(_)) =>
        {
            Some(Error::NeedsBraces { span, what: "report".to_owned() })
        }
        _ => None,
    }
}

/// The pragma directly before a directive that wants a statement or loop behind it.
fn pragma_before(subject: &DirectiveSubject, occurrence: usize) -> Option<String> {
    let pragmas = subject.preprocessed.pragmas();
    let offset = subject.occurrences[occurrence].offset;
    let index = pragmas.partition_point(|pragma| pragma.offset < offset);
    let tokens = &subject.surroundings.program.file.tokens.tokens;
    let last_token = tokens.partition_point(|token| (token.start as usize) < offset).checked_sub(1);
    let last_token_end = last_token.map_or(0, |last| tokens[last].end as usize);
    let before = pragmas[..index].iter().rev().take_while(|pragma| pragma.offset >= last_token_end);
    let mut texts = before.map(|pragma| subject.preprocessed.pragma_text(*pragma));
    texts.find(|text| wants_statement(text)).map(|text| {
        text.split(|c: char| c == '(' || c.is_whitespace())
            .take(3)
            .collect::<Vec<_>>()
            .join(" ")
            .trim()
            .to_owned()
    })
}

fn wants_statement(pragma: &str) -> bool {
    /// Directives of OpenMP that stand alone.
    const ALONE: &[&str] = &[
        "barrier",
        "flush",
        "taskwait",
        "taskyield",
        "threadprivate",
        "declare",
        "cancel",
        "cancellation",
        "end",
        "requires",
        "allocate",
        "assume",
        "error",
        "interop",
        "nothing",
        "depobj",
        "begin",
        "scan",
        "section",
    ];
    let mut words = pragma.split(|c: char| c == '(' || c.is_whitespace()).filter(|word| !word.is_empty());
    match (words.next(), words.next()) {
        (Some("omp"), Some("target")) => {
            !words.next().is_some_and(|word| matches!(word, "update" | "enter" | "exit"))
        }
        (Some("omp"), Some("ordered")) => !words.any(|clause| clause == "depend" || clause == "doacross"),
        (Some("omp"), Some(word)) => !ALONE.contains(&word),
        (Some("acc"), Some(word)) => {
            matches!(word, "parallel" | "kernels" | "loop" | "serial" | "data" | "atomic")
        }
        (Some("GCC"), Some(word)) => matches!(word, "ivdep" | "unroll"),
        (Some("unroll" | "ivdep" | "simd" | "vector"), _) => true,
        (Some("clang"), Some("loop")) => true,
        _ => false,
    }
}

fn block(subject: &DirectiveSubject, begin: usize, end: usize, name: &str) -> Option<Error> {
    if end == begin {
        return None;
    }
    let (span, begin_span, name) = (subject.span(end), subject.span(begin), name.to_owned());
    let surroundings = subject.surroundings;
    match (surroundings.position(begin), surroundings.position(end)) {
        (DirectivePosition::File | DirectivePosition::Inside, _) => None,
        _ if surroundings.around(begin, end).is_none() => {
            Some(Error::OtherFunction { span, name, begin: begin_span })
        }
        (DirectivePosition::Before(_, statement_end), _) => {
            let end_offset = subject.occurrences[end].offset;
            let is_next = statement_end <= end_offset && end_offset <= next_token(subject, statement_end);
            (!is_next).then_some(Error::BehindMore { span, name, begin: begin_span })
        }
        (here, there) => (here != there).then_some(Error::OtherBlock { span, name, begin: begin_span }),
    }
}

/// Start of the first token at or behind an offset of the preprocessed text.
pub fn next_token(subject: &DirectiveSubject, offset: usize) -> usize {
    let tokens = &subject.surroundings.program.file.tokens.tokens;
    let index = tokens.partition_point(|token| (token.start as usize) < offset);
    tokens.get(index).map_or(usize::MAX, |token| token.start as usize)
}

/// Further ends stand in inner blocks, directly before a statement that leaves.
fn repeated_ends(subject: &DirectiveSubject, place: &BlockLines, name: &str) -> Vec<Error> {
    let last = place.end();
    let Some((function, begin, _)) = subject.surroundings.around(place.begin, last) else {
        return Vec::new();
    };
    let begin_offset = function.places[begin].offset();
    let mut errors = Vec::new();
    for end in place.ends.iter().copied().filter(|end| *end != last) {
        let (span, last_span, name) = (subject.span(end), subject.span(last), name.to_owned());
        if let DirectivePosition::Before(..) = subject.surroundings.position(end) {
            errors.push(Error::NeedsBraces { span, what: format!("end {name}") });
            continue;
        }
        let next = next_token(subject, subject.occurrences[end].offset);
        let leaves = function.jumps.iter().any(|jump| {
            jump.start == next && function.leaves(jump, begin_offset, subject.occurrences[last].offset)
        });
        if leaves {
            continue;
        }
        errors.push(if subject.surroundings.position(end) == subject.surroundings.position(place.begin) {
            Error::RepeatedEnd { span: last_span, name, first: span }
        } else {
            Error::EndGoesOn { span, name, last: last_span }
        });
    }
    errors
}
