//! The directives that the compiler sees: those of the user's files, each with the places in the preprocessed text where it comes
//! up. A directive in a macro, or in a header that is read twice, comes up several times; one under `#if 0` never.

use std::collections::{HashMap, HashSet};

use call_grammar::{DirectiveForm, DirectiveText, Error, scan};

use crate::preprocessed::{Pragma, Preprocessed};
use crate::sources::Sources;

/// The directives of the user's files and where they come up.
pub struct Directives {
    /// As they stand in the files; spans count the bytes of [`Sources`].
    pub texts: Vec<DirectiveText>,
    /// Errors in their first words.
    pub errors: Vec<Error>,
    /// Which directive comes up where in the preprocessed text, ascending.
    pub occurrences: Vec<Occurrence>,
    /// Directives that the compiler sees and that were not found in the files.
    pub elsewhere: Vec<Pragma>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Index of the directive.
    pub directive: usize,
    /// Offset of the pragma in the preprocessed text.
    pub offset: usize,
}

impl Directives {
    pub fn find(sources: &Sources, preprocessed: &Preprocessed) -> Directives {
        let mut texts = Vec::new();
        let mut errors = Vec::new();
        for file in 0..sources.count() {
            let (found, scan_errors) = scan(sources.bytes(), sources.span(file));
            texts.extend(found);
            errors.extend(scan_errors);
        }
        let mut finder = DirectiveFinder::new(sources, preprocessed, &texts);
        for pragma in preprocessed.pragmas() {
            finder.place(*pragma);
        }
        let DirectiveFinder { occurrences, elsewhere, .. } = finder;
        Directives { texts, errors, occurrences, elsewhere }
    }
}

struct DirectiveFinder<'a> {
    preprocessed: &'a Preprocessed,
    /// Directives by file (`None`: the translated one under its own name) and line, as the compiler counts them.
    by_line: HashMap<(Option<&'a str>, u32), Vec<usize>>,
    /// Those that can come up on other lines than their own, or whose line `#line` may have told wrongly, by their text.
    by_text: HashMap<String, Vec<usize>>,
    main: &'a str,
    is_used: HashSet<usize>,
    occurrences: Vec<Occurrence>,
    elsewhere: Vec<Pragma>,
}

impl<'a> DirectiveFinder<'a> {
    fn new(
        sources: &'a Sources,
        preprocessed: &'a Preprocessed,
        texts: &[DirectiveText],
    ) -> DirectiveFinder<'a> {
        let mut by_line = HashMap::new();
        let mut by_text: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, text) in texts.iter().enumerate() {
            let file = sources.file_of(text.span.start);
            let own_name = if file == 0 { None } else { Some(sources.path(file)) };
            by_text.entry(squeezed(sources.bytes(), text)).or_default().push(index);
            if text.form == DirectiveForm::Line {
                let (said_file, first) = sources.said_place(text.span.start);
                let rows = sources.line(text.span.end) - sources.line(text.span.start);
                for line in first..=first.saturating_add(rows) {
                    by_line.entry((said_file.or(own_name), line)).or_insert_with(Vec::new).push(index);
                }
            }
        }
        DirectiveFinder {
            preprocessed,
            by_line,
            by_text,
            main: sources.path(0),
            is_used: HashSet::new(),
            occurrences: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    fn place(&mut self, pragma: Pragma) {
        let (file, line) = self.preprocessed.origin(pragma.offset);
        let name = if file.is_main && file.path == self.main { None } else { Some(file.path.as_str()) };
        let words = self.preprocessed.pragma_text(pragma);
        let body = words.strip_prefix("cll").filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
        let by_line = self.by_line.get(&(name, line));
        let alike = || {
            let body: String = body?.split_whitespace().collect();
            self.by_text.get(&body)
        };
        let is_free = |directive: &&usize| !self.is_used.contains(directive);
        let found = match by_line.map(Vec::as_slice) {
            Some([only]) => Some(*only),
            // `#line` gives several directives one line.
            Some(several) => {
                let here = || {
                    several.iter().filter(|directive| alike().is_none_or(|alike| alike.contains(directive)))
                };
                here().find(is_free).or(here().next()).or(several.first()).copied()
            }
            // `#line` may have told the lines of directives wrongly; each of them comes up once before one comes up again.
            None => alike().and_then(|alike| alike.iter().find(is_free).or(alike.first())).copied(),
        };
        match found {
            Some(directive) => {
                self.is_used.insert(directive);
                self.occurrences.push(Occurrence { directive, offset: pragma.offset });
            }
            None if body.is_some() => self.elsewhere.push(pragma),
            None => {}
        }
    }
}

/// The body of a directive without blanks, comments and continuations.
fn squeezed(bytes: &[u8], text: &DirectiveText) -> String {
    let tokens = crate::c::lex::lex(bytes, text.body.start, text.body.end);
    tokens.iter().map(|token| String::from_utf8_lossy(token.text(bytes)).into_owned()).collect()
}
