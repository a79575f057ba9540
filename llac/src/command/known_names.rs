//! Whether the names of a question are those of its subjects, and what to do about one that is not.

use std::ops::Range;

use call_grammar::suggest;
use call_model::PROCESSORS;

use super::points::{GivenValues, missing_value};
use super::subject::{Subject, SubjectKind};
use crate::Error;
use crate::error::code;

/// Whether the names give values to all variables of the subjects, and each is needed by one; `end` is where a missing word would
/// stand.
pub fn check(subjects: &[&Subject], names: &[&GivenValues], end: &Range<usize>) -> Result<(), Error> {
    check_known(subjects, names)?;
    let given: Vec<&str> = names.iter().map(|one| one.name.as_str()).collect();
    let mut is_used = vec![false; names.len()];
    for subject in subjects {
        let predictor = subject.predictor();
        let used = predictor
            .definitions()
            .needed(predictor.variables(), &given)
            .map_err(|missing| missing_value(&missing, end.clone()))?;
        is_used.iter_mut().zip(used).for_each(|(known, used)| *known |= used);
    }
    match names.iter().zip(&is_used).find(|(_, is_used)| !**is_used) {
        None => Ok(()),
        Some((extra, _)) => Err(Error::at(
            code::UNEXPECTED_WORD,
            extra.span.clone(),
            format!("`{}` is not needed beside the others", extra.name),
        )),
    }
}

/// Whether a variable of the subject is of this name or computed from it.
pub fn knows(subject: &Subject, name: &str) -> bool {
    let predictor = subject.predictor();
    predictor.definitions().reachable(predictor.variables()).contains(name)
}

/// Whether variables of the subjects are of these names or computed from them.
pub fn check_known(subjects: &[&Subject], names: &[&GivenValues]) -> Result<(), Error> {
    for one in names {
        if !subjects.iter().any(|subject| knows(subject, &one.name)) {
            return Err(unknown(subjects, &one.name, one.span.clone()));
        }
        let is_of_machine = |subject: &&Subject| match &subject.kind {
            SubjectKind::Carried(carried) => carried.numbers().iter().any(|number| *number == one.name),
            _ => false,
        };
        if subjects.iter().any(is_of_machine) {
            return Err(Error::at(
                code::GIVEN_TWICE,
                one.span.clone(),
                format!("`{}` comes from the machine", one.name),
            ));
        }
    }
    Ok(())
}

/// The error of a name that no subject needs.
pub fn unknown(subjects: &[&Subject], name: &str, span: Range<usize>) -> Error {
    let mut own: Vec<String> = Vec::new();
    for variable in subjects.iter().flat_map(|subject| subject.predictor().variables()) {
        if !own.contains(variable) {
            own.push(variable.clone());
        }
    }
    let all = match own.is_empty() {
        true => "it has none at all".to_owned(),
        false => format!("its variables are {}", own.join(", ")),
    };
    let reachable = subjects.iter().flat_map(|subject| subject.predictor().definitions().reachable(&own));
    let near = suggest(name, reachable).map(str::to_owned);
    let message = match subjects {
        [one] => format!("{} has no variable `{name}`", one.noun()),
        both @ [_, _] if both.iter().all(|one| one.predictor().formula().is_some()) => {
            format!("neither formula has a variable `{name}`")
        }
        [_, _] => format!("neither of them has a variable `{name}`"),
        _ => format!("none of them has a variable `{name}`"),
    };
    let error = Error::at(code::UNKNOWN_VARIABLE, span, message);
    if let Some(cure) = processors_cure(subjects, name) {
        return error.help(cure);
    }
    match constant_of_samples(subjects, name) {
        Some(value) => {
            let value = call_report::number::short(value);
            error.help(format!(
                "`{name}` is {value} in all samples, so nothing is known of others: leave it out"
            ))
        }
        None => error.suggesting(near.as_deref(), all),
    }
}

/// How to tell which column is the number of processors, where samples have another one that looks like it.
pub fn processors_cure(subjects: &[&Subject], name: &str) -> Option<String> {
    if name != PROCESSORS || constant_of_samples(subjects, name) != Some(1.0) {
        return None;
    }
    let found = subjects.iter().filter_map(|subject| subject.found.as_ref());
    let mut columns =
        found.flat_map(|found| crate::data::column_names(&found.experiment().samples).map(str::to_owned));
    let column = columns.find(|column| column != PROCESSORS && call_exchange::is_processors(column));
    column.map(|column| {
        format!("`{PROCESSORS}` is 1 in all samples: load them with `processors={column}` if that column says how many measured")
    })
}

/// The one value that samples of the subjects have for a name.
fn constant_of_samples(subjects: &[&Subject], name: &str) -> Option<f64> {
    let found = subjects.iter().filter_map(|subject| subject.found.as_ref());
    let mut constants = found.filter_map(|found| {
        let mut values = found.experiment().samples.column(name)?.iter().filter(|value| !value.is_nan());
        let first = *values.next()?;
        values.all(|value| *value == first).then_some(first)
    });
    let first = constants.next()?;
    constants.all(|other| other == first).then_some(first)
}
