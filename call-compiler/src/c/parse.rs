//! lang-c, and what keeps it from taking the program down.

use lang_c::driver::{Config, parse_preprocessed};

pub use lang_c::driver::Parse;

/// Nesting beyond this makes lang-c's recursive parser slow: 1,000 levels overflow a stack of 2 MB, 3,000 take 13 s.
pub const DEEPEST: usize = 256;

const STACK_BYTES: usize = 1 << 30;

/// Runs `work`, which may call [`parse`], on a stack that is large enough for it. The memory is only reserved, not used.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
        match spawned.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("cannot start a thread: {error}"),
        }
    })
}

/// Why a text was not parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Brackets are nested more than [`DEEPEST`] levels deep.
    TooDeep,
    /// A syntax that lang-c does not know, at this offset.
    Syntax(usize),
}

/// Parses normalised text.
pub fn parse(text: String) -> Result<Parse, Failure> {
    if deepest_nesting(&text) > DEEPEST {
        return Err(Failure::TooDeep);
    }
    parse_preprocessed(&Config::with_gcc(), text).map_err(|error| Failure::Syntax(error.offset))
}

/// Brackets, and `else` and unary operators count as well: a chain of them recurses like brackets.
fn deepest_nesting(text: &str) -> usize {
    let (mut depth, mut chain, mut deepest) = (0usize, 0usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'!' | b'~' | b'-' | b'*' | b'&' | b'?' => chain += 1,
            b';' | b',' => chain = 0,
            _ => {}
        }
        deepest = deepest.max(depth + chain / 8);
    }
    deepest
}
