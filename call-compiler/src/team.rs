//! What `P` is: in OpenMP programs the team that comes to a begin, or that of a parallel region inside the block; in any what the program
//! itself calls so.

use call_grammar::{BlockLines, ParallelKind};

use crate::check::places::next_token;
use crate::check::variables;
use crate::error::Error;
use crate::preprocessed::Preprocessed;
use crate::subject::DirectiveSubject;

/// The parallel regions that stand inside a block.
pub struct InnerTeam {
    /// C expression of the threads that the first one asks for; 0: it does not say it. The runtime takes it where it does not see which
    /// team runs a region.
    pub threads: String,
    /// Whether another region says something else.
    differ: bool,
}

impl InnerTeam {
    /// That of the regions between the begin of a block and its last end, as far as they are seen there.
    pub fn of(subject: &DirectiveSubject, place: &BlockLines) -> Option<InnerTeam> {
        let offset = |occurrence: usize| subject.occurrences[occurrence].offset;
        let regions = &subject.parallel_pragmas;
        let position = |occurrence| regions.partition_point(|(at, _)| *at < offset(occurrence));
        let (first, behind) = (position(place.begin), position(place.end()));
        let inside: Vec<&str> =
            regions[first..behind.max(first)].iter().map(|(_, text)| text.as_str()).collect();
        let first = inside.first()?;
        let clauses = |text: &str| (clause(text, "num_threads"), clause(text, "if"));
        let differ = inside.iter().any(|other| clauses(other) != clauses(first));
        let (threads, condition) = clauses(first);
        let is_known =
            |text: &Option<String>| text.as_ref().is_none_or(|text| is_computable(subject, place, text));
        if !is_known(&threads) || !is_known(&condition) {
            return Some(InnerTeam { threads: "0".to_owned(), differ });
        }
        let threads = threads.unwrap_or_else(|| "0".to_owned());
        let threads =
            condition.map_or(threads.clone(), |condition| format!("({condition}) ? ({threads}) : 1"));
        Some(InnerTeam { threads, differ })
    }
}

/// Says what `P` means in the formulas of blocks where that is not plain.
pub fn check(subject: &DirectiveSubject) -> Vec<Error> {
    let has_p = |experiment: usize| {
        subject.outline.experiments[experiment].variables.iter().any(|its| its.name() == "P")
    };
    let places = subject.places().filter(|(experiment, _)| has_p(*experiment));
    let of_place = |place: &BlockLines| match variables::is_processors(subject, place.begin, "P") {
        true => doubt(subject, place),
        false => own_p(subject, place.begin),
    };
    places.filter_map(|(_, place)| of_place(place)).collect()
}

/// A sequential program has no processors that a variable could be taken for.
fn own_p(subject: &DirectiveSubject, begin: usize) -> Option<Error> {
    let is_parallel = subject.kind().is_some_and(|kind| kind != ParallelKind::Sequential);
    let span = subject.begin(begin).filter(|_| is_parallel)?.name.span;
    Some(Error::OwnP { span })
}

fn doubt(subject: &DirectiveSubject, place: &BlockLines) -> Option<Error> {
    let inside = InnerTeam::of(subject, place);
    let is_in_region = is_in_region(subject, place.begin);
    let span = subject.begin(place.begin)?.name.span;
    let in_team =
        |meaning: &'static str, help: &'static str| Some(Error::TeamInDoubt { span, meaning, help });
    match (subject.kind(), inside, is_in_region) {
        (Some(ParallelKind::OpenMp), Some(InnerTeam { differ: true, .. }), _) => in_team(
            "the largest team that runs a parallel region inside the block",
            "the regions have different clauses: measure each for itself if it has another team",
        ),
        (Some(ParallelKind::OpenMp), Some(_), _) | (Some(ParallelKind::OpenMp), None, true) => None,
        (Some(ParallelKind::OpenMp), None, false) => in_team(
            "the team that comes to this begin; outside of parallel regions the largest that is started in the block, 1 if none is",
            "put the begin into the region if each thread is to measure for itself",
        ),
        (Some(ParallelKind::Sequential), Some(_), _) | (Some(ParallelKind::Sequential), None, true) => {
            Some(Error::TeamNotCounted { span })
        }
        _ => None,
    }
}

/// Offset and words of each pragma that opens a parallel region on this computer, ascending.
pub fn parallel_pragmas(preprocessed: &Preprocessed) -> Vec<(usize, String)> {
    let opening = preprocessed.pragmas().iter().filter_map(|pragma| {
        let text = preprocessed.pragma_text(*pragma);
        let directive = text.split('(').next().unwrap_or_default();
        let mut words = directive.split_whitespace();
        let is_parallel = words.next() == Some("omp") && {
            let mut names = words.take_while(|word| DIRECTIVE_WORDS.contains(word));
            names.any(|word| word == "parallel") && !directive.contains("target")
        };
        is_parallel.then(|| (pragma.offset, text.to_owned()))
    });
    opening.collect()
}

/// Of which the names of combined directives consist.
const DIRECTIVE_WORDS: &[&str] = &[
    "parallel",
    "for",
    "simd",
    "sections",
    "masked",
    "master",
    "taskloop",
    "loop",
    "workshare",
    "teams",
    "distribute",
];

/// What stands in the parentheses of a clause.
fn clause(pragma: &str, name: &str) -> Option<String> {
    let is_name = |at: usize| {
        let before = pragma[..at].chars().next_back();
        !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
            && pragma[at + name.len()..].trim_start().starts_with('(')
    };
    let at = pragma.match_indices(name).map(|(at, _)| at).find(|at| is_name(*at))?;
    let inside = pragma[at + name.len()..].trim_start().strip_prefix('(')?;
    let mut depth = 1;
    let close = inside.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    })?;
    let text = inside[..close.0].trim();
    let text = text
        .strip_prefix("parallel")
        .map(str::trim_start)
        .and_then(|rest| rest.strip_prefix(':'))
        .unwrap_or(text);
    Some(text.trim().to_owned())
}

fn is_computable(subject: &DirectiveSubject, place: &BlockLines, text: &str) -> bool {
    let mut errors = Vec::new();
    variables::check_expression(subject, place, text, subject.span(place.begin), &mut errors);
    errors.is_empty()
}

/// Whether a directive stands in the statement of a parallel region of its function.
fn is_in_region(subject: &DirectiveSubject, occurrence: usize) -> bool {
    let offset = subject.occurrences[occurrence].offset;
    let tokens = &subject.surroundings.program.file.tokens;
    subject.parallel_pragmas.iter().take_while(|(at, _)| *at < offset).any(|(at, _)| {
        let first = tokens.tokens.partition_point(|token| (token.start as usize) < next_token(subject, *at));
        let body = match tokens.text(first) {
            b"for" => tokens.partner(first + 1).map(|close| close + 1),
            _ => Some(first),
        };
        body.and_then(|body| tokens.partner(body))
            .is_some_and(|end| offset < tokens.tokens[end].start as usize)
    })
}
