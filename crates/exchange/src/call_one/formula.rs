use call_grammar::Formula;
use call_trace::Experiment;

use super::{RawExperiment, expression, postfix};
use crate::Note;

/// Texts are built anew at each operator, so longer ones would take long; nobody wrote them.
const LONGEST: usize = 10_000;

/// The formula of an experiment in canonical form, if the file has one that is. The user's text comes first, then the
/// components, each with a constant, then postfix notation. `observable` is what was taken as time, and `processors` is the name under which formulas may speak of the
/// number of processors.
pub(super) fn of(
    raw: &RawExperiment,
    experiment: &Experiment,
    observable: &str,
    processors: Option<&str>,
    notes: &mut Vec<Note>,
) -> Option<String> {
    let has = |name: &str| experiment.samples.names.iter().any(|known| known == name);
    let rename = |name: &str| {
        let is_constant = name == raw.name;
        let is_processors = processors.is_some_and(|processors| name.eq_ignore_ascii_case(processors));
        if is_constant {
            experiment.name.clone()
        } else if is_processors && !has(name) {
            "P".to_owned()
        } else {
            name.to_owned()
        }
    };
    let (described, infix) = sides(&raw.infix);
    if let Some(described) = described
        && described != observable
        && raw.titles.iter().any(|title| title == described)
    {
        let problem = format!("it describes `{described}`, so name that as the time to fit it");
        notes.push(Note::Formula { experiment: raw.name.clone(), text: infix.to_owned(), problem });
        return None;
    }
    let mut problem = None;
    let mut parse = |text: &str| match Formula::parse(&experiment.name, text) {
        Ok(formula) => match formula.variables().iter().find(|variable| !has(variable.name())) {
            None => Some(formula.to_string()),
            Some(unknown) => {
                problem = problem
                    .take()
                    .or_else(|| Some(format!("it uses `{}`, which the samples do not have", unknown.name())));
                None
            }
        },
        Err(errors) => {
            problem = problem.take().or_else(|| errors.first().map(ToString::to_string));
            None
        }
    };
    let in_c = |text: &str| if text.len() > LONGEST { None } else { expression::in_c(text, &rename) };
    let found = Some(infix).filter(|text| !text.is_empty()).and_then(|text| match in_c(text) {
        Some(text) => parse(&text),
        None => parse(text),
    });
    let found = found.or_else(|| parse(&components(raw, &experiment.name, &in_c)?));
    let found = found.or_else(|| {
        let postfix = Some(&raw.postfix).filter(|text| text.len() <= LONGEST)?;
        parse(&postfix::in_c(postfix, &rename)?)
    });
    if found.is_none() {
        let text = if infix.is_empty() { raw.postfix.trim() } else { infix };
        if !text.is_empty() {
            notes.push(Note::Formula {
                experiment: raw.name.clone(),
                text: text.to_owned(),
                problem: problem.unwrap_or_else(|| "it cannot be understood".to_owned()),
            });
        }
    }
    found
}

/// Of `PAPI_L1_DCM = k[0]+k[1]*N` the observable and the formula.
fn sides(infix: &str) -> (Option<&str>, &str) {
    let infix = infix.trim();
    match infix.split_once('=') {
        Some((name, formula)) if !name.contains(['+', '*', '/', '(', '[']) => {
            (Some(name.trim()), formula.trim())
        }
        _ => (None, infix),
    }
}

/// A constant for each component.
fn components(raw: &RawExperiment, name: &str, in_c: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    if raw.components.is_empty() || raw.dimension.is_some_and(|dimension| dimension != raw.components.len()) {
        return None;
    }
    let terms: Option<Vec<String>> = raw
        .components
        .iter()
        .enumerate()
        .map(|(index, component)| Some(format!("{name}[{index}]*({})", in_c(component)?)))
        .collect();
    Some(terms?.join(" + "))
}
