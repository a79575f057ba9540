use call_grammar::{Expression, Formula};

/// A term that a formula does not have and might need.
#[derive(Debug, Clone)]
pub(crate) struct CandidateTerm {
    /// In the language of formulas, without a constant.
    pub(crate) text: String,
    /// Over the variables of the formula.
    pub(crate) basis: Expression,
}

/// With more variables the products alone would be hundreds.
const MOST_VARIABLES: usize = 4;

/// Powers between those of [`candidates`], as measured costs often seem to have (caches, trees, irregular work).
const POWERS: &[f64] = &[0.25, 0.75, 1.25, 1.75, 2.25, 2.5, 2.75];

/// The candidates, and powers between them: people would not write those, but predictions may be like them.
pub(crate) fn dense_candidates(formula: &Formula) -> Vec<CandidateTerm> {
    let names = formula.variables().iter().take(MOST_VARIABLES).map(|variable| variable.name());
    let texts = names.flat_map(|v| POWERS.iter().map(move |power| format!("pow({v}, {power})")));
    let mut all = candidates(formula);
    all.extend(parsed(formula, texts.collect()));
    all
}

/// What costs grow with: powers and logarithms of each variable, products and quotients of two, and the formula's own terms times
/// and over them. Terms that the formula has are among them; a fit tells.
pub(crate) fn candidates(formula: &Formula) -> Vec<CandidateTerm> {
    let names: Vec<&str> =
        formula.variables().iter().take(MOST_VARIABLES).map(|variable| variable.name()).collect();
    let mut texts: Vec<String> = vec!["1".to_owned()];
    for v in &names {
        texts.extend([
            format!("log({v})"),
            format!("sqrt({v})"),
            v.to_string(),
            format!("{v}*log({v})"),
            format!("{v}*sqrt({v})"),
            format!("{v}*{v}"),
            format!("{v}*{v}*log({v})"),
            format!("{v}*{v}*{v}"),
            format!("1/{v}"),
        ]);
    }
    for (index, u) in names.iter().enumerate() {
        for v in &names[index + 1..] {
            texts.extend([
                format!("{u}*{v}"),
                format!("{u}/{v}"),
                format!("{v}/{u}"),
                format!("{u}*log({v})"),
                format!("{v}*log({u})"),
                format!("log({u})*log({v})"),
                format!("{u}*sqrt({v})"),
                format!("{u}/sqrt({v})"),
                format!("{v}/sqrt({u})"),
            ]);
        }
    }
    for term in formula.terms() {
        let basis = match &term.basis {
            Expression::Negate(inside) => inside.as_ref(),
            basis => basis,
        };
        if matches!(basis, Expression::Number(_)) {
            continue;
        }
        let text = formula.text_of(basis);
        let text = if matches!(basis, Expression::Sum(_)) { format!("({text})") } else { text };
        for v in &names {
            texts.extend([
                format!("{text}*log({v})"),
                format!("{text}*sqrt({v})"),
                format!("{text}*{v}"),
                format!("{text}/{v}"),
            ]);
        }
    }
    let mut unique: Vec<String> = Vec::new();
    for text in texts {
        if !unique.contains(&text) {
            unique.push(text);
        }
    }
    parsed(formula, unique)
}

fn parsed(formula: &Formula, texts: Vec<String>) -> Vec<CandidateTerm> {
    texts.into_iter().filter_map(|text| CandidateTerm::parse(formula, text)).collect()
}

impl CandidateTerm {
    /// A further term of a formula, over its variables only.
    pub(crate) fn parse(formula: &Formula, text: String) -> Option<CandidateTerm> {
        let name = formula.experiment();
        let free = 1 + formula.terms().iter().map(|term| u64::from(term.coefficient.0)).max().unwrap_or(0);
        // Behind the formula's own terms the same variables get the same positions.
        let constants = call_grammar::constants_of(name);
        let whole = Formula::parse(name, &format!("{formula} + {constants}[{free}]*({text})")).ok()?;
        let is_one_term = whole.terms().len() == formula.terms().len() + 1;
        let knows_all = whole.variables().len() == formula.variables().len();
        let basis = whole.terms().last().filter(|_| is_one_term && knows_all)?.basis.clone();
        Some(CandidateTerm { text, basis })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_over_the_variables_of_the_formula() {
        let formula = Formula::parse("f", "f[0] + f[3]*(N + M)/P - f[1]*M").unwrap();
        let all = candidates(&formula);
        let value = |text: &str| {
            let found = all.iter().find(|candidate| candidate.text == text);
            found.unwrap_or_else(|| panic!("{text}")).basis.evaluate(&[2.0, 3.0, 4.0])
        };
        assert_eq!((value("N*N*N"), value("M/P"), value("1")), (8.0, 0.75, 1.0));
        assert_eq!((value("(N + M)/P*N"), value("M/P")), (2.5, 0.75));
        assert!(all.len() < 120, "{}", all.len());
        let none = Formula::parse("f", "f[0]").unwrap();
        assert_eq!(candidates(&none).len(), 1);
    }
}
