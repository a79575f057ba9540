use super::JudgedCase;
use crate::{SourceMatch, Warning};

/// Where the formula grows otherwise than its statements run.
pub(super) fn warnings(case: &JudgedCase, counts: Option<&call_trace::SourceCounts>) -> Vec<Warning> {
    let formula = &case.model.formula;
    let its = counts.filter(|_| case.prepared.unit().is_time());
    // Who gives the counts has looked whether the traces know all variables.
    let Some(its) = its.and_then(|counts| SourceMatch::of(formula, counts, |_| true)) else {
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
