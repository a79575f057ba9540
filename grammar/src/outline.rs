use crate::{Directive, DirectiveKind, Error, Formula, Parallel, Report, suggest};

/// One block of an experiment: positions of its two lines in the list of directives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Place {
    pub begin: usize,
    pub end: usize,
}

/// One sampling loop: positions of its two lines in the list of directives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Loop {
    pub begin: usize,
    pub end: usize,
}

/// An experiment with all its blocks.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// Its formula, if one of its begin lines carries one.
    pub formula: Option<Formula>,
    /// Its blocks in the order of the file.
    pub places: Vec<Place>,
}

/// The directives of a file put together.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// The `parallel` directive.
    pub parallel: Option<Parallel>,
    /// The experiments in order of their first begin.
    pub experiments: Vec<Experiment>,
    /// The sampling loops.
    pub loops: Vec<Loop>,
}

enum Open<'a> {
    Experiment(&'a str, usize),
    Loop(usize),
}

/// Pairs begin and end lines. Blocks nest; the errors say where they do not.
pub fn outline(directives: &[Directive]) -> (Outline, Vec<Error>) {
    let mut outline = Outline::default();
    let mut errors = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut parallel_span = None;
    for (position, directive) in directives.iter().enumerate() {
        let span = directive.span;
        match &directive.kind {
            DirectiveKind::Uses(_) | DirectiveKind::Script(_) | DirectiveKind::Report(_) => {}
            DirectiveKind::Parallel(parallel) => match parallel_span {
                Some(first) => errors.push(Error::ParallelTwice { span, first }),
                None => {
                    parallel_span = Some(span);
                    outline.parallel = Some(parallel.clone());
                }
            },
            DirectiveKind::For(_) => open.push(Open::Loop(position)),
            DirectiveKind::EndFor => match open.last() {
                Some(Open::Loop(begin)) => {
                    outline.loops.push(Loop { begin: *begin, end: position });
                    open.pop();
                }
                Some(Open::Experiment(name, begin))
                    if open.iter().any(|open| matches!(open, Open::Loop(_))) =>
                {
                    let (inner, opened) = ((*name).to_owned(), directives[*begin].span);
                    errors.push(Error::Crossing { span, name: "for".to_owned(), inner, opened });
                    close_down_to(&mut open, |open| matches!(open, Open::Loop(_)));
                }
                _ => errors.push(Error::EndForWithoutFor { span }),
            },
            DirectiveKind::Begin(begin) => {
                let name = begin.name.text.as_str();
                let around = open.iter().find_map(|open| match open {
                    Open::Experiment(other, begin) if *other == name => Some(*begin),
                    _ => None,
                });
                if let Some(around) = around {
                    let opened = directives[around].span;
                    errors.push(Error::InsideItself { span: begin.name.span, name: name.to_owned(), opened });
                }
                add_experiment(&mut outline, directives, begin, position, &mut errors);
                open.push(Open::Experiment(name, position));
            }
            DirectiveKind::End(end) => {
                let name = end.text.as_str();
                match open.last() {
                    Some(Open::Experiment(innermost, begin)) if *innermost == name => {
                        close(&mut outline, name, *begin, position);
                        open.pop();
                    }
                    Some(top) if open.iter().any(|open| is(open, name)) => {
                        let (inner, opened) = match top {
                            Open::Experiment(inner, begin) => ((*inner).to_owned(), directives[*begin].span),
                            Open::Loop(begin) => ("for".to_owned(), directives[*begin].span),
                        };
                        errors.push(Error::Crossing { span: end.span, name: name.to_owned(), inner, opened });
                        close_down_to(&mut open, |open| is(open, name));
                    }
                    _ => {
                        let names = open.iter().map(|open| match open {
                            Open::Experiment(name, _) => *name,
                            Open::Loop(_) => "for",
                        });
                        let suggestion = suggest(name, names).map(str::to_owned);
                        // A misspelt end is taken for the end that was meant, so that it causes no second error.
                        if let Some(meant) = &suggestion {
                            close_down_to(&mut open, |open| is(open, meant));
                        }
                        errors.push(Error::EndWithoutBegin {
                            span: end.span,
                            name: name.to_owned(),
                            suggestion,
                        });
                    }
                }
            }
        }
    }
    for left in open {
        errors.push(match left {
            Open::Loop(begin) => Error::ForNeverEnded { span: directives[begin].span },
            Open::Experiment(name, begin) => never_ended(&directives[begin], name),
        });
    }
    check_reports(directives, &outline, &mut errors);
    (outline, errors)
}

fn is(open: &Open, name: &str) -> bool {
    matches!(open, Open::Experiment(other, _) if *other == name)
}

fn close_down_to(open: &mut Vec<Open>, last: impl Fn(&Open) -> bool) {
    if let Some(position) = open.iter().rposition(last) {
        open.truncate(position);
    }
}

fn never_ended(directive: &Directive, name: &str) -> Error {
    let bare = matches!(&directive.kind, DirectiveKind::Begin(begin) if begin.formula_span.is_none());
    let meant = if bare { suggest(name, ["report", "parallel", "end", "script", "uses"]) } else { None };
    let span = match &directive.kind {
        DirectiveKind::Begin(begin) => begin.name.span,
        _ => directive.span,
    };
    Error::NeverEnded { span, name: name.to_owned(), meant }
}

fn add_experiment(
    outline: &mut Outline,
    directives: &[Directive],
    begin: &crate::Begin,
    position: usize,
    errors: &mut Vec<Error>,
) {
    let name = &begin.name.text;
    let Some(known) = outline.experiments.iter_mut().find(|experiment| experiment.name == *name) else {
        outline.experiments.push(Experiment {
            name: name.clone(),
            formula: begin.formula.clone(),
            places: vec![Place { begin: position, end: position }],
        });
        return;
    };
    known.places.push(Place { begin: position, end: position });
    match (&known.formula, &begin.formula) {
        (Some(first), Some(second)) if first.to_string() != second.to_string() => {
            let first = directives[..position].iter().find_map(|directive| match &directive.kind {
                DirectiveKind::Begin(other) if other.name.text == *name => other.formula_span,
                _ => None,
            });
            errors.push(Error::DifferentFormulas {
                span: begin.formula_span.unwrap_or(begin.name.span),
                name: name.clone(),
                first: first.unwrap_or(begin.name.span),
            });
        }
        (None, Some(formula)) => known.formula = Some(formula.clone()),
        _ => {}
    }
}

fn close(outline: &mut Outline, name: &str, begin: usize, end: usize) {
    let places = outline.experiments.iter_mut().filter(|experiment| experiment.name == name);
    for place in places.flat_map(|experiment| &mut experiment.places) {
        if place.begin == begin {
            place.end = end;
        }
    }
}

fn check_reports(directives: &[Directive], outline: &Outline, errors: &mut Vec<Error>) {
    let mut reported = false;
    for directive in directives {
        let DirectiveKind::Report(report) = &directive.kind else { continue };
        reported = true;
        if outline.experiments.is_empty() {
            errors.push(Error::NothingToReport { span: directive.span });
            continue;
        }
        let Report::Names(names) = report else { continue };
        for name in names {
            let mut known = outline.experiments.iter().map(|experiment| experiment.name.as_str());
            if !known.clone().any(|known| known == name.text) {
                let suggestion = suggest(&name.text, &mut known).map(str::to_owned);
                errors.push(Error::UnknownInReport { span: name.span, name: name.text.clone(), suggestion });
            }
        }
    }
    let first = outline.experiments.first().map(|experiment| directives[experiment.places[0].begin].span);
    if let (false, Some(span)) = (reported, first) {
        errors.push(Error::NoReport { span });
    }
}
