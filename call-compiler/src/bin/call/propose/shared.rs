//! Loops whose iterations the threads of a team share: each of `P` threads runs its part of them.

use std::ops::RangeInclusive;

use call_compiler::{BlockCounts, Line, Monomial, PROCESSORS, Part, Polynomial, Term};

use super::comments;
use super::main_body::directive_word;
use super::processors::is_word;

/// Divides by the number of processors what stands in loops that threads share. A block that lies inside of such a loop runs in one thread.
pub fn divide(source: &str, blocks: &mut [BlockCounts]) {
    let code = comments::blanked(source);
    // A variable of the program takes the place of the number of processors.
    if code.split(|character| !is_word(character)).any(|word| word == PROCESSORS) {
        return;
    }
    let loops = shared_loops(&code);
    let Some(per_processor) = Polynomial::name(PROCESSORS)
        .inverse()
        .and_then(|its| its.single().map(|(monomial, _)| monomial.clone()))
    else {
        return;
    };
    for block in blocks.iter_mut().filter(|block| block.begin.file.is_none()) {
        let lines = block.begin.line..=block.end.line;
        let own: Vec<&RangeInclusive<u32>> =
            loops.iter().filter(|its| lines.contains(its.start()) && lines.contains(its.end())).collect();
        if own.is_empty() {
            continue;
        }
        let is_shared: Vec<bool> = block.terms.iter().map(|term| is_shared(term, block, &own)).collect();
        for (term, _) in block.terms.iter_mut().zip(is_shared).filter(|(_, is_shared)| *is_shared) {
            term.basis = term.basis.times(&per_processor);
        }
    }
}

/// Whether all statements of a term stand in these loops, or in functions that are called there.
fn is_shared(term: &Term, block: &BlockCounts, loops: &[&RangeInclusive<u32>]) -> bool {
    let is_whole = loops.iter().any(|its| *its.start() == block.begin.line);
    let is_inside = |line: &Line| match &line.file {
        None => loops.iter().any(|its| its.contains(&line.line)) || is_whole,
        Some(_) => is_whole,
    };
    term.basis != Monomial::default()
        && term.statements.iter().all(is_inside)
        // Each thread begins the loop itself.
        && !loops.iter().any(|its| has_begin(term, block, *its.start()))
}

/// Whether the loop that begins in a line begins so often as the term says.
fn has_begin(term: &Term, block: &BlockCounts, line: u32) -> bool {
    let begin = block.statements.iter().find(|statement| {
        statement.function.is_none()
            && statement.part == Part::LoopEntry
            && statement.place == Line { file: None, line }
    });
    let times = begin.and_then(|begin| begin.times.as_ref());
    term.statements.contains(&Line { file: None, line })
        && times.is_none_or(|times| times.terms().any(|(monomial, _)| *monomial == term.basis))
}

/// The lines, from 1, of loops behind `#pragma omp for` and its like.
fn shared_loops(code: &str) -> Vec<RangeInclusive<u32>> {
    let mut found = Vec::new();
    let mut offset = 0;
    let mut is_behind_pragma = false;
    let mut goes_on = false;
    for line in code.split_inclusive('\n') {
        let text = line.trim();
        if goes_on {
            // The rest of a directive.
        } else if text.starts_with('#') {
            is_behind_pragma |= directive_word(text) == "pragma" && shares(text);
        } else if !text.is_empty() {
            let begin = offset + line.len() - line.trim_start().len();
            if std::mem::take(&mut is_behind_pragma) && first_word(&code[begin..]) == "for" {
                let line_of = |offset: usize| code[..offset].matches('\n').count() as u32 + 1;
                found.extend(end_of_statement(code, begin).map(|end| line_of(begin)..=line_of(end)));
            }
        }
        goes_on = text.ends_with('\\');
        offset += line.len();
    }
    found
}

/// Whether a pragma has the threads of a team share the loop behind it; `target` moves it elsewhere.
fn shares(pragma: &str) -> bool {
    let before_clauses = pragma.split('(').next().unwrap_or_default();
    let words: Vec<&str> =
        before_clauses.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect();
    words.starts_with(&["pragma", "omp"])
        && words.contains(&"for")
        && !words.iter().any(|word| matches!(*word, "target" | "distribute"))
}

fn first_word(text: &str) -> &str {
    text.split(|character| !is_word(character)).next().unwrap_or_default()
}

/// The last byte of the statement that begins there.
fn end_of_statement(code: &str, begin: usize) -> Option<usize> {
    let mut at = begin;
    loop {
        at += code[at..].len() - code[at..].trim_start().len();
        let rest = &code[at..];
        match first_word(rest) {
            _ if rest.starts_with('{') => return end_of_brackets(code, at),
            _ if rest.starts_with('#') => at += rest.find('\n')?,
            "for" | "while" | "if" | "switch" => at = end_of_brackets(code, at + rest.find('(')?)? + 1,
            _ => return Some(at + rest.find(';')?),
        }
    }
}

/// The bracket that closes the one there.
fn end_of_brackets(code: &str, begin: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate().skip(begin) {
        match byte {
            b'(' | b'{' => depth += 1,
            b')' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
