//! The translator of CALL: annotated C in; instrumented C, a header and a batch script out.
//!
//! [`translate`] takes the bytes of a C file and what the user's own preprocessor made of it, and returns texts; it does no I/O.
//! The steps, one module each: `preprocessed` (which directives the compiler sees, which macros exist), `surroundings` (what
//! lang-c knows about each place: scope, types, position), `lower` (checks, and what each directive becomes), `emit` (the three
//! files). The user's bytes are never printed anew: the output is the input with [`TextEdit`]s at the directives.
//!
//! ```
//! use call_compiler::{Options, translate};
//!
//! let source = b"int main(void) {\n    int N = 3;\n#pragma cll f f[0]*N\n    N++;\n#pragma cll end f\n#pragma cll report all\n}\n";
//! // Without includes and macros the preprocessor changes nothing.
//! let preprocessed = [&b"# 1 \"x.c\"\n"[..], source].concat();
//! let translation = translate(source, &preprocessed, &Options::for_file("x.c")).unwrap();
//! assert!(translation.c.windows(10).any(|bytes| bytes == b"cll_begin("));
//! ```
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod edit;
mod emit;
mod error;
mod lower;
mod preprocessed;
mod render;
mod surroundings;
mod types;

pub use edit::{TextEdit, apply};
pub use error::Error;
pub use render::render;

use call_grammar::{Diagnostic, Severity, outline, parse, scan};

use crate::preprocessed::Preprocessed;

/// What `translate` needs to know besides the texts.
#[derive(Debug, Clone)]
pub struct Options {
    /// The file as the compiler's messages and the trace name it: the path that was given to the preprocessor.
    pub path: String,
    /// `NAME` of the files to write: `NAME.call.c`, `NAME.call.h`, `NAME.call.sh`, and of the traces.
    pub name: String,
}

impl Options {
    /// Options for a path; the name is that of the file without its directory and ending.
    pub fn for_file(path: &str) -> Options {
        let file = path.rsplit('/').next().unwrap_or(path);
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        Options { path: path.to_owned(), name: name.to_owned() }
    }
}

/// What became of a C file.
#[derive(Debug, Clone)]
pub struct Translation {
    /// `NAME.call.c`
    pub c: Vec<u8>,
    /// `NAME.call.h`
    pub header: String,
    /// `NAME.call.sh`
    pub script: String,
    /// The edits that made `c` from the source: taking them back gives the source again.
    pub edits: Vec<TextEdit>,
    /// Names of the experiments.
    pub experiments: Vec<String>,
    /// Messages that did not stop the translation.
    pub warnings: Vec<Diagnostic>,
}

/// Translates one C file. `preprocessed` is the output of `cc -E -dD` on it.
///
/// # Errors
/// All errors of the file, in the order of their places; warnings stand among them.
pub fn translate(
    source: &[u8],
    preprocessed: &[u8],
    options: &Options,
) -> Result<Translation, Vec<Diagnostic>> {
    let preprocessed = Preprocessed::read(preprocessed, &options.path);
    let (found, scan_errors) = scan(source);
    let lines = preprocessed::LineTable::new(source);

    let mut diagnostics = Vec::new();
    let mut directives = Vec::new();
    let mut offsets = Vec::new();
    let mut seen = Vec::new();
    for text in &found {
        let (first, last) = (lines.line(text.span.start), lines.line(text.span.end));
        let Some(pragma) = preprocessed.pragma_in(first, last) else { continue };
        seen.push((first, last));
        let inside = |place: usize| text.span.start <= place && place < text.span.end;
        diagnostics.extend(
            scan_errors
                .iter()
                .filter(|error| inside(error.span().start))
                .map(call_grammar::Error::diagnostic),
        );
        let (directive, errors) = parse(source, text);
        diagnostics.extend(errors.iter().map(call_grammar::Error::diagnostic));
        if let Some(directive) = directive {
            directives.push(directive);
            offsets.push(pragma);
        }
    }
    let (outline, outline_errors) = outline(&directives);
    diagnostics.extend(outline_errors.iter().map(call_grammar::Error::diagnostic));

    let elsewhere = preprocessed.directives_elsewhere(&seen);
    let surroundings = surroundings::surroundings(preprocessed.text(), &offsets);
    let (program, lower_errors) =
        lower::lower(&directives, &outline, &offsets, surroundings.as_deref(), &preprocessed, &lines);
    diagnostics.extend(lower_errors.iter().map(Error::diagnostic));
    diagnostics.extend(
        lower::warnings(&directives, surroundings.is_none(), elsewhere).iter().map(Error::diagnostic),
    );

    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.severity == Severity::Warning));
    diagnostics.dedup();
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    let edits = emit::edits(source, &directives, &program);
    Ok(Translation {
        c: emit::source(source, &edits, options),
        header: emit::header(&program, options),
        script: emit::script(&outline, &program, options),
        edits,
        experiments: program.experiments.iter().map(|experiment| experiment.name.clone()).collect(),
        warnings: diagnostics,
    })
}
