//! A formula beside the counts of the source: which statements stand behind each constant (the set Υ of the paper, section 2.1), and
//! where formula and source grow otherwise.

use call_grammar::Formula;
use call_trace::{CountQuality, SourceCounts, SourceTerm};

use crate::PROCESSORS;

/// Where growth is looked at: constant factors and what is left of smaller terms do not matter there, and powers are still numbers.
const FAR: [f64; 2] = [1_048_576.0, 1_099_511_627_776.0];

/// Values of the variables that do not grow.
const OTHERS: f64 = 3.0;

/// From one place to the other a logarithm doubles. What grows by less than this does not grow.
const GROWS: f64 = 1.4;

/// The terms of a formula and those of the source that grow alike.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceMatch<'a> {
    /// For each term of the formula the terms of the source that grow as it does.
    pub behind: Vec<Vec<&'a SourceTerm>>,
    /// Terms of the source that grow as none of the formula does.
    pub beside: Vec<&'a SourceTerm>,
    /// Terms of the source that outgrow all of the formula, which therefore says too little about large sizes.
    pub faster: Vec<&'a SourceTerm>,
    /// Positions of terms of the formula that outgrow all of the source, if nothing else takes time there.
    pub outgrown: Vec<usize>,
}

impl<'a> SourceMatch<'a> {
    /// Compares a formula with the counts of its block. `None` if the source has no terms, or the formula has variables that the traces do
    /// not know: `is_recorded` says which they do.
    pub fn of(
        formula: &Formula,
        counts: &'a SourceCounts,
        is_recorded: impl Fn(&str) -> bool,
    ) -> Option<SourceMatch<'a>> {
        let names: Vec<&str> = formula.variables().iter().map(|variable| variable.name()).collect();
        let known: Vec<&SourceTerm> = counts.terms.iter().filter(|term| term.growth.is_some()).collect();
        if known.is_empty() || !names.iter().all(|name| *name == PROCESSORS || is_recorded(name)) {
            return None;
        }
        let grown = || known.iter().filter_map(|term| term.growth.as_ref()).flat_map(|growth| growth.keys());
        let mut along: Vec<&str> = names.iter().copied().filter(|name| *name != PROCESSORS).collect();
        along.extend(grown().map(String::as_str));
        along.sort_unstable();
        along.dedup();
        let of_formula: Vec<Values> = formula
            .terms()
            .iter()
            .map(|term| {
                values(&along, |variable, x| {
                    let value = |name: &&str| if *name == variable { x } else { OTHERS };
                    term.basis.evaluate(&names.iter().map(value).collect::<Vec<f64>>()).abs()
                })
            })
            .collect();
        let of_source: Vec<Values> =
            known.iter().map(|term| values(&along, |variable, x| at(term, variable, x))).collect();
        let behind: Vec<Vec<&SourceTerm>> = of_formula
            .iter()
            .map(|own| {
                let alike = known.iter().zip(&of_source).filter(|(_, its)| is_alike(own, its));
                alike.map(|(term, _)| *term).collect()
            })
            .collect();
        let without = |is_met: &dyn Fn(&Values) -> bool| {
            let unmet = known.iter().zip(&of_source).filter(|(_, its)| !is_met(its));
            unmet.map(|(term, _)| *term).collect::<Vec<&SourceTerm>>()
        };
        let are_its_variables = counts.unrecorded.is_empty() && counts.unseen.is_empty();
        let is_as_often = counts.quality != CountQuality::AtMost && are_its_variables;
        let faster = if is_as_often {
            without(&|its| of_formula.iter().any(|own| !outgrows(its, own)))
        } else {
            Vec::new()
        };
        let is_outgrown = |own: &Values| of_source.iter().all(|its| outgrows(own, its));
        let outgrown = if counts.are_complete() {
            (0..of_formula.len()).filter(|term| is_outgrown(&of_formula[*term])).collect()
        } else {
            Vec::new()
        };
        let beside = without(&|its| of_formula.iter().any(|own| is_alike(own, its)));
        Some(SourceMatch { behind, beside, faster, outgrown })
    }
}

/// The logarithm of how much something grows between the two places, along each variable.
type Values = Vec<f64>;

fn values(along: &[&str], value: impl Fn(&str, f64) -> f64) -> Values {
    along.iter().map(|variable| (value(variable, FAR[1]) / value(variable, FAR[0])).ln()).collect()
}

fn at(term: &SourceTerm, variable: &str, x: f64) -> f64 {
    let growth = term.growth.as_ref().and_then(|growth| growth.get(variable));
    growth.map_or(1.0, |(power, logarithms)| x.powf(*power) * x.ln().powf(f64::from(*logarithms)))
}

/// Whether something grows faster than something else along some variable. What has no value there is not compared.
fn outgrows(one: &Values, other: &Values) -> bool {
    one.iter().zip(other).any(|(one, other)| one - other > GROWS.ln())
}

fn is_alike(one: &Values, other: &Values) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < GROWS.ln())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn term(basis: &str, growth: &[(&str, f64, u32)]) -> SourceTerm {
        let growth: BTreeMap<String, (f64, u32)> = growth
            .iter()
            .map(|(name, power, logarithms)| ((*name).to_owned(), (*power, *logarithms)))
            .collect();
        SourceTerm {
            basis: basis.to_owned(),
            growth: Some(growth),
            lines: vec!["3".to_owned()],
            ..SourceTerm::default()
        }
    }

    fn counts() -> SourceCounts {
        let terms = vec![
            term("1", &[]),
            term("n*m", &[("n", 1.0, 0), ("m", 1.0, 0)]),
            term("n*log2(n)", &[("n", 1.0, 1)]),
        ];
        SourceCounts { terms, quality: CountQuality::Exact, ..SourceCounts::default() }
    }

    /// What stands behind the terms, beside them, what outgrows them, and what they outgrow.
    fn told(formula: &str, counts: &SourceCounts) -> Option<[Vec<String>; 4]> {
        let formula = Formula::parse("f", formula).unwrap();
        let its = SourceMatch::of(&formula, counts, |name| name != "blocks")?;
        let bases =
            |terms: &[&SourceTerm]| terms.iter().map(|term| term.basis.clone()).collect::<Vec<String>>();
        let behind = its.behind.iter().map(|terms| bases(terms).join("|")).collect();
        let outgrown = its.outgrown.iter().map(ToString::to_string).collect();
        Some([behind, bases(&its.beside), bases(&its.faster), outgrown])
    }

    #[test]
    fn formulas_beside_the_source() {
        let none: [&str; 0] = [];
        let cases: [(&str, [&[&str]; 4]); 6] = [
            ("f[0]+f[1]*n*m+f[2]*n*log(n)", [&["1", "n*m", "n*log2(n)"], &none, &none, &none]),
            ("f[0]+f[1]*n*(m-1)/P+f[2]*n*log2(n)", [&["1", "n*m", "n*log2(n)"], &none, &none, &none]),
            ("f[0]+f[1]*n*m", [&["1", "n*m"], &["n*log2(n)"], &["n*log2(n)"], &none]),
            ("f[0]+f[1]*n*m*log(n)", [&["1", ""], &["n*m", "n*log2(n)"], &none, &["1"]]),
            ("f[0]+f[1]*n*n", [&["1", ""], &["n*m", "n*log2(n)"], &["n*m"], &["1"]]),
            ("f[0]*log(P)+f[1]*n*m+f[2]*n*log(n)", [&["1", "n*m", "n*log2(n)"], &none, &none, &none]),
        ];
        for (formula, expected) in cases {
            let found = told(formula, &counts()).unwrap();
            assert_eq!(
                found.each_ref().map(|list| list.iter().map(String::as_str).collect::<Vec<_>>()),
                expected,
                "{formula}"
            );
        }
    }

    #[test]
    fn what_is_not_known_contradicts_nothing() {
        let at_most = SourceCounts { quality: CountQuality::AtMost, ..counts() };
        assert!(told("f[0]+f[1]*n", &at_most).unwrap()[2].is_empty());
        let calls = SourceCounts { uncounted: vec!["line 9: `qsort`".to_owned()], ..counts() };
        assert!(told("f[0]+f[1]*n*n*m", &calls).unwrap()[3].is_empty());
        let macros = SourceCounts { unseen: vec!["n".to_owned()], ..counts() };
        let [_, _, faster, outgrown] = told("f[0]+f[1]*n*n*n", &macros).unwrap();
        assert!(faster.is_empty() && outgrown.is_empty());
        assert_eq!(told("f[0]+f[1]*blocks", &counts()), None);
        assert_eq!(told("f[0]", &SourceCounts::default()), None);
    }
}
