use std::collections::{BTreeSet, HashMap, HashSet};

use call_grammar::{Diagnostic, Directive, Severity, Span, outline, parse};

use crate::c::parse::{DEEPEST, Failure, on_large_stack};
use crate::check;
use crate::count::experiment;
use crate::directives::{Directives, Occurrence};
use crate::edit::TextEdit;
use crate::emit;
use crate::error::Error;
use crate::findings::Findings;
use crate::headers::{self, HeaderCopy};
use crate::lower;
use crate::preprocessed::Preprocessed;
use crate::sources::Sources;
use crate::subject::{DirectiveSubject, Macros};
use crate::surroundings::DirectiveSurroundings;
use crate::team;
use crate::unused;

/// What to translate.
pub struct TranslationRequest<'a> {
    /// The file as the compiler's messages and the trace name it: the path that was given to the preprocessor.
    pub path: String,
    /// `NAME` of the files to write: `NAME.call.c`, `NAME.call.h`, `NAME.call.sh`, and of the traces.
    pub name: String,
    /// The bytes of the file.
    pub source: &'a [u8],
    /// The output of `cc -E` on it.
    pub preprocessed: &'a [u8],
    /// Reads a header of the user, by its path in the output of `cc -E`; asked for only if directives come from headers.
    pub read_header: &'a (dyn Fn(&str) -> Option<Vec<u8>> + Sync),
    /// The folder in which the outputs will stand, seen from where the paths start; empty for the same place.
    pub folder: String,
    /// The absolute path of the place where the paths start; empty if nobody knows.
    pub directory: String,
    /// The names of the macros that exist at the end of the file (`cc -E -dM`); asked for only if a name is not found otherwise.
    pub macros: &'a (dyn Fn() -> HashSet<String> + Sync),
    /// What all experiments count and their formulas describe (the first one), in place of what their directives say; empty: as these say.
    pub counters: &'a [&'a str],
}

impl<'a> TranslationRequest<'a> {
    /// A request for a path; the name is that of the file without its directory and ending. No headers, no macros.
    pub fn new(path: &str, source: &'a [u8], preprocessed: &'a [u8]) -> TranslationRequest<'a> {
        let file = path.rsplit('/').next().unwrap_or(path);
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
        TranslationRequest {
            path: path.to_owned(),
            name,
            source,
            preprocessed,
            read_header: &|_| None,
            folder: String::new(),
            directory: String::new(),
            macros: &HashSet::new,
            counters: &[],
        }
    }
}

/// The user's files and what became of them.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The files that the messages speak of.
    pub sources: Sources,
    /// The translation; or all messages of the file, in the order of their places, among them at least one error.
    pub result: Result<Translation, Vec<Diagnostic>>,
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
    /// Copies of headers that hold directives.
    pub headers: Vec<HeaderCopy>,
    /// The edits that made `c` from the source: taking them back gives the source again.
    pub edits: Vec<TextEdit>,
    /// What the file measures.
    pub findings: Findings,
    /// Messages that did not stop the translation.
    pub warnings: Vec<Diagnostic>,
}

/// Translates one C file.
pub fn translate(request: &TranslationRequest) -> Outcome {
    on_large_stack(|| {
        let mut sources = Sources::new(&request.path, request.source);
        let preprocessed = Preprocessed::read(request.preprocessed, &request.path);
        let mut found = Directives::find(&sources, &preprocessed);
        let wanted = headers::wanted(&preprocessed, &found.elsewhere);
        if !wanted.is_empty() {
            for path in wanted {
                if let Some(text) = (request.read_header)(&path) {
                    sources.add(&path, &text);
                }
            }
            found = Directives::find(&sources, &preprocessed);
        }
        let result = translate_found(request, &sources, &preprocessed, &found);
        Outcome { sources, result }
    })
}

fn translate_found(
    request: &TranslationRequest,
    sources: &Sources,
    preprocessed: &Preprocessed,
    found: &Directives,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let parsed = parse_all(sources, found, &mut diagnostics);
    let occurrences: Vec<Occurrence> = found
        .occurrences
        .iter()
        .filter(|occurrence| parsed.contains_key(&occurrence.directive))
        .copied()
        .collect();
    let directives: Vec<&Directive> =
        occurrences.iter().map(|occurrence| &parsed[&occurrence.directive]).collect();
    let (outline, outline_errors) = outline(&directives);

    let functions = experiment::program(preprocessed);
    let surroundings = DirectiveSurroundings::look(&functions, &occurrences);
    let subject = DirectiveSubject {
        sources,
        preprocessed,
        parallel_pragmas: team::parallel_pragmas(preprocessed),
        occurrences: &occurrences,
        directives: &directives,
        outline: &outline,
        surroundings: &surroundings,
        macros: Macros::new(request.macros),
    };
    // The other files of a program leave the report to the one with `main`.
    let has_main = functions.file.defines_function("main");
    let is_needed =
        |error: &&call_grammar::Error| has_main || !matches!(error, call_grammar::Error::NoReport { .. });
    diagnostics.extend(outline_errors.iter().filter(is_needed).map(call_grammar::Error::diagnostic));
    let mut errors = about_the_file(&subject, found);
    errors.extend(check::program::check(&subject));
    errors.extend(check::places::check(&subject));
    errors.extend(team::check(&subject));
    let (jumps, jump_errors) = check::jumps::check(&subject);
    errors.extend(jump_errors);
    let (mut program, lower_errors) = lower::lower(&subject, &jumps);
    program.count(request.counters);
    errors.extend(lower_errors);
    diagnostics.extend(errors.iter().map(Error::diagnostic));

    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.severity));
    diagnostics.dedup();
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Err(diagnostics);
    }
    let mut edits = emit::edits(sources, &found.texts, &occurrences, &program);
    let headers = headers::copies(
        sources,
        preprocessed,
        &mut edits,
        &request.name,
        (&request.directory, &request.folder),
    );
    let part = emit::BatchPart::new(&outline, &program, request);
    Ok(Translation {
        c: emit::source(
            sources,
            0,
            &edits,
            &format!(
                "#include \"{}.call.h\"
",
                request.name
            ),
            &unused::stand_ins(&subject, &program),
        ),
        header: emit::header(&program, sources, request, &part),
        script: emit::batch_script(&request.name, &request.name, &[part]),
        headers,
        edits,
        findings: Findings::of(&subject, &program, &jumps.leavings),
        warnings: diagnostics,
    })
}

/// The directives that come up somewhere, by their index.
fn parse_all(
    sources: &Sources,
    found: &Directives,
    diagnostics: &mut Vec<Diagnostic>,
) -> HashMap<usize, Directive> {
    let used: BTreeSet<usize> = found.occurrences.iter().map(|occurrence| occurrence.directive).collect();
    let mut parsed = HashMap::new();
    for index in used {
        let text = &found.texts[index];
        let inside = |place: usize| text.span.start <= place && place < text.span.end;
        let of_scan = found.errors.iter().filter(|error| inside(error.span().start));
        diagnostics.extend(of_scan.map(call_grammar::Error::diagnostic));
        let (directive, errors) = parse(sources.bytes(), text);
        diagnostics.extend(errors.iter().map(call_grammar::Error::diagnostic));
        parsed.extend(directive.map(|directive| (index, directive)));
    }
    parsed
}

fn about_the_file(subject: &DirectiveSubject, found: &Directives) -> Vec<Error> {
    let mut errors = Vec::new();
    for (occurrence, failure) in &subject.surroundings.failures {
        let reason = match failure {
            Failure::TooDeep => {
                format!("it is nested more than {DEEPEST} levels deep, or an expression is far too long")
            }
            Failure::Syntax(offset) => {
                let (origin, line) = subject.preprocessed.origin(*offset);
                format!("it stops at {}:{line}", origin.path)
            }
        };
        errors.push(Error::NotUnderstood { span: subject.span(*occurrence), reason });
    }
    for pragma in &found.elsewhere {
        let (origin, line) = subject.preprocessed.origin(pragma.offset);
        let place = format!("{}:{line}", origin.path);
        let own_line = subject.line_of(pragma.offset);
        let text = subject.preprocessed.pragma_text(*pragma).to_owned();
        errors.push(Error::Elsewhere { span: own_line.unwrap_or(Span::new(0, 0)), place, text });
    }
    errors
}
