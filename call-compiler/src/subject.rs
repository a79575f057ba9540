//! Everything that is known about the program when its directives are checked and lowered.

use std::cell::OnceCell;
use std::collections::HashSet;

use call_grammar::{Begin, BlockLines, Directive, DirectiveKind, Outline, ParallelKind, Span};

use crate::directives::Occurrence;
use crate::preprocessed::Preprocessed;
use crate::sources::Sources;
use crate::surroundings::DirectiveSurroundings;

/// The macros that exist at the end of the file; asked for only when a name is not found otherwise.
pub struct Macros<'a> {
    names: OnceCell<HashSet<String>>,
    ask: &'a (dyn Fn() -> HashSet<String> + Sync),
}

impl<'a> Macros<'a> {
    pub fn new(ask: &'a (dyn Fn() -> HashSet<String> + Sync)) -> Macros<'a> {
        Macros { names: OnceCell::new(), ask }
    }

    pub fn has(&self, name: &str) -> bool {
        self.names.get_or_init(self.ask).contains(name)
    }
}

/// Directives, and with them begin and end lines, are named by their position in the list of occurrences.
pub struct DirectiveSubject<'a> {
    pub sources: &'a Sources,
    pub preprocessed: &'a Preprocessed,
    /// As `team::parallel_pragmas` finds them.
    pub parallel_pragmas: Vec<(usize, String)>,
    pub occurrences: &'a [Occurrence],
    pub directives: &'a [&'a Directive],
    pub outline: &'a Outline,
    pub surroundings: &'a DirectiveSurroundings<'a>,
    pub macros: Macros<'a>,
}

impl<'a> DirectiveSubject<'a> {
    pub fn kind(&self) -> Option<ParallelKind> {
        self.outline.parallel.as_ref().map(|parallel| parallel.kind)
    }

    pub fn span(&self, occurrence: usize) -> Span {
        self.directives[occurrence].span
    }

    pub fn begin(&self, occurrence: usize) -> Option<&'a Begin> {
        match &self.directives[occurrence].kind {
            DirectiveKind::Begin(begin) => Some(begin),
            _ => None,
        }
    }

    /// All blocks with the position of their experiment in the outline.
    pub fn places(&self) -> impl Iterator<Item = (usize, &'a BlockLines)> {
        let experiments = self.outline.experiments.iter().enumerate();
        experiments.flat_map(|(index, experiment)| experiment.places.iter().map(move |place| (index, place)))
    }

    pub fn name(&self, experiment: usize) -> &'a str {
        &self.outline.experiments[experiment].name
    }

    /// Whether a directive is written as an operator, which macros may hold.
    pub fn is_in_macro(&self, occurrence: usize) -> bool {
        self.sources.bytes()[self.span(occurrence).start..].starts_with(b"_Pragma")
    }

    /// The line of the user's files from which an offset of the preprocessed text came.
    pub fn line_of(&self, offset: usize) -> Option<Span> {
        let (origin, line) = self.preprocessed.origin(offset);
        self.sources.line_span(&origin.path, origin.is_main, line)
    }
}
