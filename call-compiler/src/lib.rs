//! The translator of CALL: annotated C in; instrumented C, a header and a batch script out.
//!
//! [`translate`] takes the bytes of a C file and what the user's own preprocessor made of it, and returns texts; it does no I/O.
//! The steps, one module each: `sources` and `preprocessed` (the two texts), `directives` (which directives the compiler sees, and
//! where), `surroundings` (what is known about each place: scope, types, position; the C of it is in `c`), `check` (what can be
//! wrong), `lower` (what each directive becomes), `emit` (the files). The user's bytes are never printed anew: the output is the
//! input with [`TextEdit`]s at the directives and around the statements that leave a block.
//!
//! ```
//! use call_compiler::{TranslationRequest, translate};
//!
//! let source = b"int main(void) {\n    int N = 3;\n#pragma cll f f[0]*N\n    N++;\n#pragma cll end f\n#pragma cll report all\n}\n";
//! // Without includes and macros the preprocessor changes nothing.
//! let preprocessed = [&b"# 1 \"x.c\"\n"[..], source].concat();
//! let translation = translate(&TranslationRequest::new("x.c", source, &preprocessed)).result.unwrap();
//! assert!(translation.c.windows(9).any(|bytes| bytes == b"CLL_OPEN("));
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod c;
mod capture;
mod check;
mod count;
mod directives;
mod edit;
mod emit;
mod error;
mod explanations;
mod findings;
mod headers;
mod locate;
mod lower;
mod preprocessed;
mod render;
mod sources;
mod subject;
mod surroundings;
mod team;
mod translate;
mod unused;

pub use call_counting::{Atom, Monomial, Polynomial, Quality, is_remainder};
pub use count::block::{BlockCounts, BlockKind, StatementCount};
pub use count::bounded::{is_bounded, may_be_bounded};
pub use count::communication::PROCESSORS;
pub use count::guarded::GuardedTerm;
pub use count::term::{CodeLine, CountedTerm, LineRemark};
pub use count::{CountedPart, count};
pub use edit::{TextEdit, apply};
pub use emit::{BatchPart, batch_parts, batch_script, is_unedited};
pub use explanations::explanations;
pub use findings::{Findings, FoundExperiment, FoundJump, FoundPlace, FoundVariable};
pub use headers::HeaderCopy;
pub use preprocessed::macro_names;
pub use render::render;
pub use sources::Sources;
pub use translate::{Outcome, Translation, TranslationRequest, translate};
