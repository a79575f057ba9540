//! What stands behind `parallel`: the kind of program, its machine, its numbers of processors.

use crate::token::{Cursor, Token, TokenKind, on_one_line, text, tokens};
use crate::{Error, Parallel, ParallelKind, ProcessorRange, Span, Text, suggest};

/// `KIND [machine] { procs = a:b:f | supersteps | events }`.
pub(crate) fn parallel(cursor: &mut Cursor, source: &[u8]) -> Result<Parallel, Error> {
    let (kind, kind_span) = kind(cursor)?;
    let object = if cursor.at_end() || at_option(cursor) { None } else { Some(object(cursor, source)?) };
    let (mut processors, mut supersteps, mut events) = (None, None, None);
    loop {
        if processors.is_none() && at_processors(cursor) {
            processors = Some(processor_range(cursor)?);
        } else if supersteps.is_none() && at_word(cursor, "supersteps") {
            supersteps = Some(cursor.bump().span);
        } else if events.is_none() && at_word(cursor, "events") {
            events = Some(cursor.bump().span);
        } else {
            return Ok(Parallel { kind, kind_span, object, processors, supersteps, events });
        }
    }
}

fn kind(cursor: &mut Cursor) -> Result<(ParallelKind, Span), Error> {
    let span = cursor.peek().span;
    let TokenKind::Word(word) = &cursor.peek().kind else {
        return Err(Error::UnknownKind { span, word: String::new(), suggestion: None });
    };
    let mut spellings = ParallelKind::SPELLINGS.iter();
    let Some((_, kind)) = spellings.find(|(spelling, _)| spelling.eq_ignore_ascii_case(word)) else {
        let suggestion = suggest(word, ParallelKind::SPELLINGS.iter().map(|(spelling, _)| *spelling));
        return Err(Error::UnknownKind { span, word: word.clone(), suggestion });
    };
    cursor.bump();
    Ok((*kind, span))
}

/// The machine of the program; CALL 1.0 quoted it.
fn object(cursor: &mut Cursor, source: &[u8]) -> Result<Text, Error> {
    let is_of_before = matches!(&cursor.peek().kind, TokenKind::Word(word) if word == "BSP_MACHINE")
        && cursor.peek_behind(1).kind == TokenKind::Symbol('=');
    if !is_of_before {
        return machine(cursor, source);
    }
    cursor.bump();
    cursor.bump();
    let token = cursor.bump();
    if !matches!(token.kind, TokenKind::Quoted(_)) {
        return Err(not_a_machine(token, source));
    }
    // One that is not closed was reported.
    let inside = Span::new(token.span.start + 1, (token.span.end - 1).max(token.span.start + 1));
    let (quoted, errors) = tokens(source, inside);
    let mut inside = Cursor::new(&quoted);
    let machine = machine(&mut inside, source)?;
    match errors.into_iter().next() {
        Some(error) => Err(error),
        None if inside.at_end() => Ok(Text { span: token.span, ..machine }),
        None => Err(not_a_machine(inside.peek(), source)),
    }
}

/// A C expression that gives a machine, such as `&bsp`, `grid->comm`, `comms[level]`, `row_of(p)` or `(t_bsp *) context`.
pub(crate) fn machine(cursor: &mut Cursor, source: &[u8]) -> Result<Text, Error> {
    let start = cursor.peek().span.start;
    operand(cursor, source)?;
    while cursor.take('?') || cursor.take(':') {
        operand(cursor, source)?;
    }
    let end = cursor.before().map_or(start, |last| last.span.end);
    let span = Span::new(start, end);
    Ok(Text { text: on_one_line(source, span), span })
}

fn operand(cursor: &mut Cursor, source: &[u8]) -> Result<(), Error> {
    while cursor.take('&') || cursor.take('*') {}
    match cursor.peek().kind {
        TokenKind::Word(_) => drop(cursor.bump()),
        TokenKind::Symbol('(') => {
            brackets(cursor, source)?;
            // What stood there was the type of a cast.
            if matches!(cursor.peek().kind, TokenKind::Word(_) | TokenKind::Symbol('&' | '*'))
                && !at_option(cursor)
            {
                return operand(cursor, source);
            }
        }
        _ => return Err(not_a_machine(cursor.peek(), source)),
    }
    loop {
        match cursor.peek().kind {
            TokenKind::Symbol('(' | '[') => brackets(cursor, source)?,
            TokenKind::Symbol('.') | TokenKind::Arrow => {
                cursor.bump();
                if !matches!(cursor.peek().kind, TokenKind::Word(_)) {
                    return Err(not_a_machine(cursor.peek(), source));
                }
                cursor.bump();
            }
            _ => return Ok(()),
        }
    }
}

/// Passes what stands between brackets, and them.
fn brackets(cursor: &mut Cursor, source: &[u8]) -> Result<(), Error> {
    let mut open = Vec::new();
    loop {
        let token = cursor.bump();
        match token.kind {
            TokenKind::Symbol('(') => open.push((token.span, ')')),
            TokenKind::Symbol('[') => open.push((token.span, ']')),
            TokenKind::Symbol(symbol @ (')' | ']')) if open.last().is_some_and(|last| last.1 == symbol) => {
                open.pop();
                if open.is_empty() {
                    return Ok(());
                }
            }
            TokenKind::Symbol(')' | ']' | ';') => return Err(not_a_machine(token, source)),
            TokenKind::End => {
                let (opened, symbol) = open.last().copied().unwrap_or((token.span, ')'));
                return Err(Error::Unclosed { span: token.span, open: opened, symbol });
            }
            _ => {}
        }
    }
}

fn not_a_machine(token: &Token, source: &[u8]) -> Error {
    let is_end = token.kind == TokenKind::End;
    let found = if is_end { "end of line".to_owned() } else { text(source, token.span) };
    Error::NotAMachine { span: token.span, found }
}

fn at_option(cursor: &Cursor) -> bool {
    at_processors(cursor) || at_word(cursor, "supersteps") || at_word(cursor, "events")
}

/// `procs` with what belongs to it: a machine may be called so.
fn at_processors(cursor: &Cursor) -> bool {
    matches!(&cursor.peek().kind, TokenKind::Word(word) if word == "procs")
        && matches!(cursor.peek_behind(1).kind, TokenKind::Symbol('=') | TokenKind::Number(_))
}

/// The word as the last of the directive, or before another option: a machine may be called so.
fn at_word(cursor: &Cursor, word: &str) -> bool {
    let is = |token: &Token, wanted: &str| matches!(&token.kind, TokenKind::Word(word) if word == wanted);
    let next = cursor.peek_behind(1);
    let is_before_another =
        ["procs", "supersteps", "events"].iter().any(|other| *other != word && is(next, other));
    is(cursor.peek(), word) && (next.kind == TokenKind::End || is_before_another)
}

/// `procs = first:last:factor`.
fn processor_range(cursor: &mut Cursor) -> Result<ProcessorRange, Error> {
    cursor.bump();
    let start = cursor.peek().span;
    if !cursor.take('=') {
        return Err(Error::BadRange { span: start, reason: "`=` is missing" });
    }
    let start = cursor.peek().span;
    let mut numbers = Vec::new();
    loop {
        let token = cursor.bump();
        match token.kind {
            TokenKind::Number(value) if value.fract() == 0.0 && (1.0..=1e9).contains(&value) => {
                numbers.push(value as u32);
            }
            _ => {
                let reason = "each is a whole number from 1 to 1000000000";
                return Err(Error::BadRange { span: token.span, reason });
            }
        }
        if numbers.len() == 3 || !cursor.take(':') {
            return ProcessorRange::of(&numbers)
                .map_err(|reason| Error::BadRange { span: start.join(token.span), reason });
        }
    }
}
