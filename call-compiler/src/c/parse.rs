//! lang-c, and what keeps it from taking the program down.

use lang_c::driver::{Config, parse_preprocessed};

pub use lang_c::driver::Parse;

/// Nesting beyond this makes lang-c's recursive parser slow: 1,000 levels overflow a stack of 2 MB, 3,000 take 13 s.
pub const DEEPEST: usize = 256;

/// An expression with more operators and brackets than this would recurse too deep: a chain of casts needs 1.6 KB of stack each.
const LONGEST_EXPRESSION: usize = 200_000;

/// Likewise for `else if`, of which one needs 3 KB.
const MOST_ELSES: usize = 30_000;

/// lang-c takes each `++` for an operator or for two, one after the other where what follows is no C: each doubles its time.
const MOST_SIGNS: usize = 12;

/// The largest of these that the system grants. The memory is only reserved, not used.
const STACK_BYTES: [usize; 3] = [1 << 30, 512 << 20, 256 << 20];

/// Runs `work`, which may call [`parse`], on a stack that is large enough for it.
pub fn on_large_stack<T: Send>(work: impl Fn() -> T + Send + Sync) -> T {
    std::thread::scope(|scope| {
        let spawn =
            |size: usize| std::thread::Builder::new().stack_size(size).spawn_scoped(scope, &work).ok();
        match STACK_BYTES.into_iter().find_map(spawn).map(std::thread::ScopedJoinHandle::join) {
            Some(Ok(result)) => result,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => panic!("the system grants no thread a stack of {} MiB", STACK_BYTES[2] >> 20),
        }
    })
}

/// Runs `work` while `other` runs on a thread that has a large stack, too, and behind it where the system grants none.
pub fn beside<T: Send, U>(other: impl Fn() -> T + Send + Sync, work: impl FnOnce() -> U) -> (T, U) {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new().stack_size(STACK_BYTES[0]).spawn_scoped(scope, &other);
        let result = work();
        match spawned.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(others)) => (others, result),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => (other(), result),
        }
    })
}

/// Why a text was not parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Brackets are nested more than [`DEEPEST`] levels deep, or an expression is far too long, or has many signs in a row.
    TooDeep,
    /// A syntax that lang-c does not know, at this offset.
    Syntax(usize),
}

/// Parses normalised text.
pub fn parse(text: String) -> Result<Parse, Failure> {
    if is_too_deep(&text) {
        return Err(Failure::TooDeep);
    }
    parse_preprocessed(&Config::with_gcc(), text).map_err(|error| Failure::Syntax(error.offset))
}

fn is_too_deep(text: &str) -> bool {
    let (mut depth, mut prefixes, mut operators, mut signs) = (0usize, 0usize, 0usize, 0usize);
    for byte in text.bytes() {
        match byte {
            b'+' | b'-' => signs += 1,
            _ if byte.is_ascii_whitespace() => {}
            _ => signs = 0,
        }
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'!' | b'~' | b'-' | b'*' | b'&' | b'?' => prefixes += 1,
            _ => {}
        }
        match byte {
            b';' | b',' | b'{' | b'}' => (prefixes, operators) = (0, 0),
            _ => operators += usize::from(byte.is_ascii_punctuation()),
        }
        // A chain of unary operators recurses like brackets.
        if depth + prefixes / 8 > DEEPEST || operators > LONGEST_EXPRESSION || signs > MOST_SIGNS {
            return true;
        }
    }
    text.len() > 5 * MOST_ELSES && text.matches("else").count() > MOST_ELSES
}
