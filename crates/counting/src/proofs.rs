//! What was proved before: cases of conditions ask the same questions again and again.

use std::cell::RefCell;
use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::decide::{LeastSize, is_never_negative};
use crate::polynomial::Polynomial;

/// Answers to the question whether a polynomial is never negative where others are not.
#[derive(Debug, Default)]
pub struct Proofs(RefCell<HashMap<Polynomial, Vec<Answer>, FixedState>>);

#[derive(Debug)]
struct Answer {
    context: Vec<Polynomial>,
    least_size: Option<LeastSize>,
}

/// Of one question more answers than this are not kept.
const MOST_CONTEXTS: usize = 16;

impl Proofs {
    /// Whether `question >= 0` wherever each of `context` is: if it can be proved for parameters of at least some size, that size.
    pub fn is_never_negative(&self, question: &Polynomial, context: &[Polynomial]) -> Option<LeastSize> {
        if question.constant().is_some() {
            return is_never_negative(question, context);
        }
        if let Some(known) = self.0.borrow().get(question).and_then(|answers| {
            let answer = answers.iter().find(|answer| answer.context == context)?;
            Some(answer.least_size)
        }) {
            return known;
        }
        let least_size = is_never_negative(question, context);
        let mut all = self.0.borrow_mut();
        let answers = all.entry(question.clone()).or_default();
        if answers.len() < MOST_CONTEXTS {
            answers.push(Answer { context: context.to_vec(), least_size });
        }
        least_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_depend_on_what_is_known() {
        let proofs = Proofs::default();
        let (n, m) = (Polynomial::name("n"), Polynomial::name("m"));
        let question = &n - &m;
        for _ in 0..2 {
            assert_eq!(proofs.is_never_negative(&question, &[]), None);
            assert_eq!(proofs.is_never_negative(&question, std::slice::from_ref(&question)), Some(None));
            assert_eq!(proofs.is_never_negative(&n, &[]), Some(Some(0)));
        }
        assert_eq!(proofs.0.borrow()[&question].len(), 2);
    }
}
