use call_trace::{SourceCounts, SourceStatement};

use super::JudgedCase;
use crate::source_match::runs_beyond;
use crate::{SourceMatch, StatementConditions, Warning};

/// Where the formula grows otherwise than its statements run.
pub(super) fn warnings(case: &JudgedCase, counts: Option<&SourceCounts>) -> Vec<Warning> {
    let formula = &case.model.formula;
    let its = counts.filter(|_| case.prepared.unit().is_time());
    let its = its.map(|counts| counts.only(|statement| runs(statement, case)));
    // Who gives the counts has looked whether the traces know all variables.
    let Some(its) = its.as_ref().and_then(|counts| SourceMatch::of(formula, counts, |_| true)) else {
        return Vec::new();
    };
    let faster = its
        .faster
        .last()
        .map(|portion| Warning::SourceOutgrows { term: portion.term.basis.clone(), lines: portion.lines() });
    let outgrown = its.outgrown.iter().map(|position| {
        let term = &formula.terms()[*position];
        Warning::TermOutgrows {
            constant: format!("{}[{}]", formula.experiment(), term.coefficient.0),
            term: formula.text_of(&term.basis),
        }
    });
    faster.into_iter().chain(outgrown).collect()
}

/// Whether a statement may run at some sample, or where some variable is larger than all of them.
fn runs(statement: &SourceStatement, case: &JudgedCase) -> bool {
    if statement.conditions.is_empty() {
        return true;
    }
    let conditions = StatementConditions::of(&statement.conditions);
    let samples = case.prepared.samples();
    let variables: Vec<&str> = samples.names.iter().map(String::as_str).collect();
    (0..samples.len()).any(|row| {
        let value = |name: &str| {
            let place = variables.iter().position(|known| *known == name)?;
            Some(samples.columns[place][row])
        };
        let is_beyond = |variable: &&str| runs_beyond(&conditions, &variables, variable, &value);
        conditions.may_hold(&value) || variables.iter().any(is_beyond)
    })
}
