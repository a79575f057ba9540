use std::collections::HashMap;

use crate::{
    Begin, Directive, DirectiveKind, Error, Formula, Name, Parallel, Report, Span, Variable, suggest,
};

/// One block of an experiment: positions of its lines in the list of directives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockLines {
    /// The begin line.
    pub begin: usize,
    /// The end lines. The last one ends the block, others end the measurement where the program leaves the block early.
    pub ends: Vec<usize>,
}

impl BlockLines {
    /// The line that ends the block; the begin line if there is none.
    pub fn end(&self) -> usize {
        self.ends.last().copied().unwrap_or(self.begin)
    }
}

/// One sampling loop: positions of its two lines in the list of directives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct SamplingLoop {
    pub begin: usize,
    pub end: usize,
}

/// An experiment with all its blocks.
#[derive(Debug, Clone)]
pub struct ExperimentOutline {
    /// Its name.
    pub name: String,
    /// Its formula, if one of its begin lines carries one.
    pub formula: Option<Formula>,
    /// The variables of its formula and those that its begin lines name beside it.
    pub variables: Vec<Variable>,
    /// What its formula describes instead of the time; one of its counters.
    pub observable: Option<String>,
    /// What is counted beside the time.
    pub counters: Vec<Name>,
    /// Its blocks in the order of the file.
    pub places: Vec<BlockLines>,
}

/// The directives of a program put together.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// The `parallel` directive.
    pub parallel: Option<Parallel>,
    /// The experiments in order of their first begin.
    pub experiments: Vec<ExperimentOutline>,
    /// The sampling loops, inner ones first.
    pub loops: Vec<SamplingLoop>,
}

/// Pairs begin and end lines. Blocks nest; the errors say where they do not.
pub fn outline(directives: &[&Directive]) -> (Outline, Vec<Error>) {
    let mut pairing = Pairing {
        directives,
        outline: Outline::default(),
        by_name: HashMap::new(),
        open: Vec::new(),
        parallel: None,
        errors: Vec::new(),
    };
    for (position, directive) in directives.iter().enumerate() {
        match &directive.kind {
            DirectiveKind::Uses(_) | DirectiveKind::Script(_) | DirectiveKind::Report(_) => {}
            DirectiveKind::Parallel(parallel) => pairing.parallel(parallel, position),
            DirectiveKind::For(_) => {
                pairing.open.push(OpenBlock { name: LOOP, begin: position, place: (0, 0) })
            }
            DirectiveKind::EndFor => pairing.end_loop(position),
            DirectiveKind::Begin(begin) => pairing.begin(begin, position),
            DirectiveKind::End(name) => pairing.end(name, position),
        }
    }
    let Pairing { outline, open, mut errors, .. } = pairing;
    for left in open {
        errors.push(match left.name {
            LOOP => Error::ForNeverEnded { span: directives[left.begin].span },
            name => never_ended(directives[left.begin], name),
        });
    }
    check_reports(directives, &outline, &mut errors);
    check_columns(&outline, &mut errors);
    (outline, errors)
}

/// `for` is reserved, so it can stand among the names of open experiments.
const LOOP: &str = "for";

struct OpenBlock<'a> {
    name: &'a str,
    begin: usize,
    /// Index of the experiment and of its place.
    place: (usize, usize),
}

/// What is known of an experiment while its blocks are gathered.
struct KnownExperiment {
    index: usize,
    /// Where its formula stands first.
    formula: Option<Span>,
    /// The place that was closed last.
    closed: Option<usize>,
}

struct Pairing<'a> {
    directives: &'a [&'a Directive],
    outline: Outline,
    by_name: HashMap<&'a str, KnownExperiment>,
    open: Vec<OpenBlock<'a>>,
    parallel: Option<Span>,
    errors: Vec<Error>,
}

impl<'a> Pairing<'a> {
    fn parallel(&mut self, parallel: &Parallel, position: usize) {
        let span = self.directives[position].span;
        match self.parallel {
            Some(first) => self.errors.push(Error::ParallelTwice { span, first }),
            None => {
                self.parallel = Some(span);
                self.outline.parallel = Some(parallel.clone());
            }
        }
    }

    fn begin(&mut self, begin: &'a Begin, position: usize) {
        let name = begin.name.text.as_str();
        if let Some(around) = self.open.iter().find(|open| open.name == name) {
            let opened = self.directives[around.begin].span;
            self.errors.push(Error::InsideItself { span: begin.name.span, name: name.to_owned(), opened });
        }
        let place = self.add(begin, BlockLines { begin: position, ends: Vec::new() });
        self.open.push(OpenBlock { name, begin: position, place });
    }

    /// Adds a place to the experiment that `begin` names.
    fn add(&mut self, begin: &'a Begin, place: BlockLines) -> (usize, usize) {
        let name = begin.name.text.as_str();
        let known = self.by_name.entry(name).or_insert_with(|| {
            self.outline.experiments.push(ExperimentOutline {
                name: name.to_owned(),
                formula: None,
                variables: Vec::new(),
                observable: None,
                counters: Vec::new(),
                places: Vec::new(),
            });
            KnownExperiment { index: self.outline.experiments.len() - 1, formula: None, closed: None }
        });
        let experiment = &mut self.outline.experiments[known.index];
        match (&experiment.formula, &begin.formula) {
            (Some(first_formula), Some(formula)) if first_formula.to_string() != formula.to_string() => {
                let span = begin.formula_span.unwrap_or(begin.name.span);
                let (name, first) = (name.to_owned(), known.formula.unwrap_or(span));
                self.errors.push(Error::DifferentFormulas { span, name, first });
            }
            (None, Some(formula)) => experiment.formula = Some(formula.clone()),
            _ => {}
        }
        known.formula = known.formula.or(begin.formula_span);
        for variable in begin.recorded() {
            if experiment.variables.iter().all(|known| known.name != variable.name) {
                experiment.variables.push(variable.clone());
            }
        }
        let counters: Vec<Name> = begin.counted().cloned().collect();
        let texts = |names: &[Name]| names.iter().map(|name| name.text.clone()).collect::<Vec<_>>();
        if let Some(counter) = counters.first() {
            match experiment.counters.first() {
                Some(first) if texts(&experiment.counters) != texts(&counters) => {
                    let (span, name, first) = (counter.span, name.to_owned(), first.span);
                    self.errors.push(Error::DifferentCounters { span, name, first });
                }
                Some(_) => {}
                None => {
                    experiment.observable = begin.counted_observable().map(|name| name.text.clone());
                    experiment.counters = counters;
                }
            }
        }
        experiment.places.push(place);
        (known.index, experiment.places.len() - 1)
    }

    fn end(&mut self, name: &Name, position: usize) {
        if let Some((index, place)) = self.close(&name.text, name.span) {
            self.outline.experiments[index].places[place].ends.push(position);
            if let Some(known) = self.by_name.get_mut(name.text.as_str()) {
                known.closed = Some(place);
            }
            return;
        }
        // A block that the program leaves early has several ends.
        let known = self.by_name.get(name.text.as_str());
        if let Some((index, place)) = known.and_then(|known| Some((known.index, known.closed?))) {
            self.outline.experiments[index].places[place].ends.push(position);
            return;
        }
        let suggestion = suggest(&name.text, self.open.iter().map(|open| open.name)).map(str::to_owned);
        // A misspelt end is taken for the end that was meant, so that it causes no second error.
        if let Some(meant) = &suggestion {
            self.open.retain(|open| open.name != meant);
        }
        self.errors.push(Error::EndWithoutBegin { span: name.span, name: name.text.clone(), suggestion });
    }

    fn end_loop(&mut self, position: usize) {
        let span = self.directives[position].span;
        match self.close_open(LOOP, span) {
            Some(open) => self.outline.loops.push(SamplingLoop { begin: open.begin, end: position }),
            None => self.errors.push(Error::EndForWithoutFor { span }),
        }
    }

    fn close(&mut self, name: &str, span: Span) -> Option<(usize, usize)> {
        self.close_open(name, span).map(|open| open.place)
    }

    /// Closes the innermost open block of that name; others that are still open inside it are an error and stay open.
    fn close_open(&mut self, name: &str, span: Span) -> Option<OpenBlock<'a>> {
        let index = self.open.iter().rposition(|open| open.name == name)?;
        if let Some(inner) = self.open[index + 1..].last() {
            let (inner, opened) = (inner.name.to_owned(), self.directives[inner.begin].span);
            self.errors.push(Error::Crossing { span, name: name.to_owned(), inner, opened });
        }
        Some(self.open.remove(index))
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

/// Counters and variables are columns of the trace, and no two columns have one name.
fn check_columns(outline: &Outline, errors: &mut Vec<Error>) {
    let variables: HashMap<&str, Span> = outline
        .experiments
        .iter()
        .flat_map(|experiment| &experiment.variables)
        .map(|variable| (variable.name(), variable.first_use()))
        .collect();
    for counter in outline.experiments.iter().flat_map(|experiment| &experiment.counters) {
        if let Some(variable) = variables.get(counter.text.as_str()) {
            let (span, name) = (counter.span, counter.text.clone());
            errors.push(Error::CounterIsVariable { span, name, variable: *variable });
        }
    }
}

fn check_reports(directives: &[&Directive], outline: &Outline, errors: &mut Vec<Error>) {
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
