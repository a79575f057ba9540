//! The values that a measurement takes along: the variables of its formula and those named beside it, where their values come from, and when they are taken.

use std::collections::HashMap;

use call_grammar::{AtEnd, Begin, BlockLines, LetClause, Span};

use crate::c::types::Representation;
use crate::check::variables;
use crate::error::Error;
use crate::subject::DirectiveSubject;

/// A variable of an experiment as the trace has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedVariable {
    pub name: String,
    pub representation: Representation,
    pub at_end: bool,
}

/// What all blocks of an experiment take along: variables taken at the begin stand before those taken at the end.
pub fn variables(
    subject: &DirectiveSubject,
    experiment: usize,
    errors: &mut Vec<Error>,
) -> Vec<CapturedVariable> {
    let mut found: Vec<CapturedVariable> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for place in &subject.outline.experiments[experiment].places {
        for (variable, span) in of_place(subject, experiment, place, errors) {
            match by_name.get(&variable.name) {
                Some(&index) => {
                    let known = &mut found[index];
                    known.representation = known.representation.common(variable.representation);
                    if known.at_end != variable.at_end {
                        let experiment = subject.name(experiment).to_owned();
                        errors.push(Error::TakenDifferently { span, name: variable.name, experiment });
                    }
                }
                None => {
                    by_name.insert(variable.name.clone(), found.len());
                    found.push(variable);
                }
            }
        }
    }
    found.sort_by_key(|variable| variable.at_end);
    found
}

/// The C expression of each variable at a place, in the order of `variables`.
pub fn expressions(
    subject: &DirectiveSubject,
    experiment: usize,
    place: &BlockLines,
    variables: &[CapturedVariable],
) -> Vec<String> {
    let clauses = Clauses::of(subject, experiment, place);
    let expression = |variable: &CapturedVariable| match clauses.definition(&variable.name) {
        Some(definition) => definition.expression.text.clone(),
        None => variable.name.clone(),
    };
    variables.iter().map(expression).collect()
}

/// Whether a place takes values when its measurement ends.
pub fn takes_at_end(subject: &DirectiveSubject, experiment: usize, place: &BlockLines) -> bool {
    let clauses = Clauses::of(subject, experiment, place);
    subject.outline.experiments[experiment]
        .variables
        .iter()
        .any(|variable| clauses.is_at_end(variable.name()))
}

/// The clauses that hold for a place: its own, or those that stand with the variables.
struct Clauses<'a> {
    lets: &'a [LetClause],
    at_end: Option<&'a AtEnd>,
    /// Whether they stand at the place itself.
    are_own: bool,
}

impl<'a> Clauses<'a> {
    fn of(subject: &DirectiveSubject<'a>, experiment: usize, place: &BlockLines) -> Clauses<'a> {
        let places = &subject.outline.experiments[experiment].places;
        let own = subject.begin(place.begin);
        let with_variables =
            places.iter().filter_map(|place| subject.begin(place.begin)).find(|begin| begin.says_variables());
        let are_own = own.is_some_and(Begin::says_variables);
        let own_at_end = own.and_then(|begin| begin.at_end.as_ref());
        let from = if are_own { own } else { with_variables };
        match from {
            Some(begin) => {
                Clauses { lets: &begin.lets, at_end: own_at_end.or(begin.at_end.as_ref()), are_own }
            }
            None => Clauses { lets: &[], at_end: own_at_end, are_own },
        }
    }

    fn definition(&self, name: &str) -> Option<&'a LetClause> {
        self.lets.iter().find(|known| known.name.text == name)
    }

    fn is_at_end(&self, name: &str) -> bool {
        self.at_end.is_some_and(|clause| {
            clause.names.is_empty() || clause.names.iter().any(|listed| listed.text == name)
        })
    }
}

fn of_place(
    subject: &DirectiveSubject,
    experiment: usize,
    place: &BlockLines,
    errors: &mut Vec<Error>,
) -> Vec<(CapturedVariable, Span)> {
    let Some(begin) = subject.begin(place.begin) else { return Vec::new() };
    let clauses = Clauses::of(subject, experiment, place);
    let mut found = Vec::new();
    for variable in &subject.outline.experiments[experiment].variables {
        let name = variable.name();
        // A place that does not name the variable is blamed where it stands.
        let span = begin
            .recorded()
            .find(|its| its.name() == name)
            .map_or(begin.name.span, call_grammar::Variable::first_use);
        let at_end = clauses.is_at_end(name);
        let representation = match clauses.definition(name) {
            Some(definition) => {
                let span = if clauses.are_own { definition.expression.span } else { span };
                variables::check_expression(subject, place, &definition.expression.text, span, errors);
                Representation::Real
            }
            None if variables::is_processors(subject, place.begin, name) => continue,
            None => variables::check(subject, place, variable, span, at_end, errors),
        };
        found.push((CapturedVariable { name: name.to_owned(), representation, at_end }, span));
    }
    if clauses.are_own {
        check_clauses(&clauses, &found, errors);
    }
    found
}

fn check_clauses(clauses: &Clauses, found: &[(CapturedVariable, Span)], errors: &mut Vec<Error>) {
    let is_used = |name: &str| found.iter().any(|(variable, _)| variable.name == name);
    for unused in clauses.lets.iter().filter(|definition| !is_used(&definition.name.text)) {
        errors.push(Error::LetUnused { span: unused.name.span, name: unused.name.text.clone() });
    }
    let listed = clauses.at_end.iter().flat_map(|clause| &clause.names);
    for unknown in listed.filter(|name| !is_used(&name.text)) {
        errors.push(Error::NotInFormula { span: unknown.span, name: unknown.text.clone() });
    }
}
