//! Where statements run that stand under conditions on variables.

use call_grammar::{Condition, Quantity};

/// Conditions of which all must hold for a statement to run.
#[derive(Debug, Clone, Default)]
pub struct StatementConditions(Vec<Condition>);

impl StatementConditions {
    /// Those of a statement of traces, `n >= 32`. What is not understood may hold anywhere.
    pub fn of(texts: &[String]) -> StatementConditions {
        StatementConditions(texts.iter().filter_map(|text| Condition::parse(text).ok()).collect())
    }

    /// Whether they may hold where `value` gives the variables: what it does not know may have any value.
    pub fn may_hold(&self, value: &dyn Fn(&str) -> Option<f64>) -> bool {
        self.0.iter().all(|condition| holds(condition, value) != Some(false))
    }
}

/// `None`: not all of its values are known.
fn holds(condition: &Condition, value: &dyn Fn(&str) -> Option<f64>) -> Option<bool> {
    match condition {
        Condition::And(parts) => parts.iter().try_fold(true, |all, part| Some(all && holds(part, value)?)),
        Condition::Or(parts) => parts.iter().try_fold(false, |any, part| Some(any || holds(part, value)?)),
        Condition::Not(inside) => holds(inside, value).map(|it| !it),
        Condition::Chain(quantities, relations) => {
            let numbers: Vec<f64> =
                quantities.iter().map(|quantity| number(quantity, value)).collect::<Option<_>>()?;
            let mut pairs = relations.iter().zip(numbers.windows(2));
            Some(pairs.all(|(relation, pair)| relation.holds(pair[0], pair[1])))
        }
    }
}

fn number(quantity: &Quantity, value: &dyn Fn(&str) -> Option<f64>) -> Option<f64> {
    let names = quantity.variables().iter().map(|variable| value(variable.name()));
    let number = quantity.evaluate(&names.collect::<Option<Vec<f64>>>()?);
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_may_hold() {
        let at = |texts: &[&str], n: f64| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            StatementConditions::of(&texts).may_hold(&|name| (name == "n").then_some(n))
        };
        assert!(at(&[], 5.0));
        assert!(at(&["31 >= n"], 31.0) && !at(&["31 >= n"], 32.0));
        assert!(!at(&["n >= 2", "31 >= n"], 32.0) && !at(&["m >= n", "31 >= n"], 32.0));
        assert!(at(&["m >= n"], 32.0) && at(&["start[0] >= n"], 32.0));
        assert!(!at(&["2*n >= floor(n/2) + n*n"], 4.0));
    }
}
