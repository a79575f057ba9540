//! A formula beside the counts of the source: which statements stand behind each constant (the set Υ of the paper, section 2.1), and
//! where formula and source grow otherwise.

use call_grammar::{Formula, Variable};
use call_trace::{CountQuality, SourceCounts, SourceStatement, SourceTerm};

use crate::PROCESSORS;
use crate::statement_conditions::StatementConditions;
use crate::statement_set::{Portion, StatementSet};

/// Where growth is looked at: constant factors and what is left of smaller terms do not matter there, and powers are still numbers.
const FAR: [f64; 2] = [1_048_576.0, 1_099_511_627_776.0];

/// Values of the variables that do not grow.
const OTHERS: f64 = 3.0;

/// From one place to the other a logarithm doubles. What grows by less than this does not grow.
const GROWS: f64 = 1.4;

/// The statements behind the terms of a formula: those that the user names, else those that grow as the term does.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceMatch<'a> {
    /// For each term of the formula the statements behind its constant.
    pub behind: Vec<StatementSet<'a>>,
    /// Statements that are behind no constant.
    pub beside: Vec<Portion<'a>>,
    /// Statements that outgrow all of the formula, which therefore says too little about large sizes, unless the user put them behind one
    /// of its constants.
    pub faster: Vec<Portion<'a>>,
    /// Positions of terms of the formula that outgrow all of the source, if nothing else takes time there and the user named no statements.
    pub outgrown: Vec<usize>,
}

impl<'a> SourceMatch<'a> {
    /// Compares a formula with the counts of its block. `None` if nothing is known of them: the source has no terms, or the formula has
    /// variables that the traces do not know, and the user named no statements; `is_recorded` says which variables they do know.
    pub fn of(
        formula: &Formula,
        counts: &'a SourceCounts,
        is_recorded: impl Fn(&str) -> bool,
    ) -> Option<SourceMatch<'a>> {
        let names: Vec<&str> = formula.variables().iter().map(|variable| variable.name()).collect();
        let known: Vec<&SourceTerm> = counts.terms.iter().filter(|term| term.growth.is_some()).collect();
        let is_comparable = names.iter().all(|name| *name == PROCESSORS || is_recorded(name));
        if counts.terms.is_empty() || (counts.given.is_empty() && (known.is_empty() || !is_comparable)) {
            return None;
        }
        let is_alike =
            |one: &GrowthLogarithms, other: &GrowthLogarithms| is_comparable && is_alike(one, other);
        let outgrows = |one: &GrowthLogarithms, other: &GrowthLogarithms| {
            is_comparable && outgrows(one, other, &|_| true)
        };
        let grown = || known.iter().filter_map(|term| term.growth.as_ref()).flat_map(|growth| growth.keys());
        let mut along: Vec<&str> = names.iter().copied().filter(|name| *name != PROCESSORS).collect();
        along.extend(grown().map(String::as_str));
        along.sort_unstable();
        along.dedup();
        let of_formula: Vec<GrowthLogarithms> = formula
            .terms()
            .iter()
            .map(|term| {
                values(&along, |variable, x| {
                    let value = |name: &&str| if *name == variable { x } else { OTHERS };
                    term.basis.evaluate(&names.iter().map(value).collect::<Vec<f64>>()).abs()
                })
            })
            .collect();
        let of_source: Vec<GrowthLogarithms> =
            known.iter().map(|term| values(&along, |variable, x| at(term, variable, x))).collect();
        let constants: Vec<u32> = formula.terms().iter().map(|term| term.coefficient.0).collect();
        let is_given = |position: usize| counts.given.contains(&constants[position]);
        // What was said of a constant that this formula does not have says nothing.
        let is_free =
            |its: &SourceStatement| !its.constant.is_some_and(|constant| constants.contains(&constant));
        let portions = |terms: &mut dyn Iterator<Item = &'a SourceTerm>,
                        is_meant: &dyn Fn(&SourceStatement) -> bool| {
            terms.filter_map(|term| Portion::of(term, is_meant)).collect::<Vec<Portion>>()
        };
        let free = |is_meant: &dyn Fn(&GrowthLogarithms) -> bool| {
            let terms = known.iter().zip(&of_source).filter(|(_, its)| is_meant(its)).map(|(term, _)| *term);
            portions(&mut { terms }, &is_free)
        };
        let without_growth = || counts.terms.iter().filter(|term| term.growth.is_none());
        let behind: Vec<StatementSet> = (0..of_formula.len())
            .map(|position| StatementSet {
                is_given: is_given(position),
                portions: match is_given(position) {
                    true => {
                        portions(&mut counts.terms.iter(), &|its| its.constant == Some(constants[position]))
                    }
                    false => {
                        let mut its = free(&|its| is_alike(&of_formula[position], its));
                        let same = without_growth().filter(|term| is_same(formula, position, term));
                        its.extend(portions(&mut { same }, &is_free));
                        its
                    }
                },
            })
            .collect();
        let are_its_variables = counts.unrecorded.is_empty() && counts.unseen.is_empty();
        let is_as_often = counts.quality != CountQuality::AtMost && are_its_variables;
        // Along a variable that a condition bounds nothing grows.
        let is_faster = |statement: &SourceStatement, its: &GrowthLogarithms| {
            let goes_on: Vec<bool> = along.iter().map(|name| runs_far(statement, &along, name)).collect();
            of_formula.iter().all(|own| is_comparable && self::outgrows(its, own, &|place| goes_on[place]))
        };
        let faster = if is_as_often {
            let terms = known.iter().zip(&of_source);
            terms
                .filter_map(|(term, its)| {
                    Portion::of(term, |statement| is_free(statement) && is_faster(statement, its))
                })
                .collect()
        } else {
            Vec::new()
        };
        let is_outgrown = |position: &usize| {
            behind[*position].is_empty_or_automatic()
                && !of_source.is_empty()
                && of_source.iter().all(|its| outgrows(&of_formula[*position], its))
        };
        let outgrown = match counts.are_complete() {
            true => (0..of_formula.len()).filter(is_outgrown).collect(),
            false => Vec::new(),
        };
        let is_met = |position: usize, its: &GrowthLogarithms| {
            !is_given(position) && is_alike(&of_formula[position], its)
        };
        let mut beside = free(&|its| !(0..of_formula.len()).any(|position| is_met(position, its)));
        let is_met_by_none = |term: &&SourceTerm| {
            !(0..of_formula.len()).any(|position| !is_given(position) && is_same(formula, position, term))
        };
        beside.extend(portions(&mut without_growth().filter(is_met_by_none), &is_free));
        Some(SourceMatch { behind, beside, faster, outgrown })
    }
}

/// The logarithm of how much something grows between the two places, along each variable.
type GrowthLogarithms = Vec<f64>;

fn values(along: &[&str], value: impl Fn(&str, f64) -> f64) -> GrowthLogarithms {
    along.iter().map(|variable| (value(variable, FAR[1]) / value(variable, FAR[0])).ln()).collect()
}

fn at(term: &SourceTerm, variable: &str, x: f64) -> f64 {
    let growth = term.growth.as_ref().and_then(|growth| growth.get(variable));
    growth.map_or(1.0, |(power, logarithms)| x.powf(*power) * x.ln().powf(f64::from(*logarithms)))
}

/// Whether something grows faster than something else along some of the variables that are meant. What has no value there is not compared.
fn outgrows(one: &GrowthLogarithms, other: &GrowthLogarithms, is_meant: &dyn Fn(usize) -> bool) -> bool {
    one.iter().zip(other).enumerate().any(|(place, (one, other))| is_meant(place) && one - other > GROWS.ln())
}

/// Whether a statement may run where one variable is large, whatever the others are.
fn runs_far(statement: &SourceStatement, along: &[&str], variable: &str) -> bool {
    let others = |name: &str| along.contains(&name).then_some(OTHERS);
    runs_beyond(&StatementConditions::of(&statement.conditions), along, variable, &others)
}

/// Whether conditions may hold where one variable is large, and others are either as large, more or less, or as `value` says.
pub(crate) fn runs_beyond(
    conditions: &StatementConditions,
    along: &[&str],
    variable: &str,
    value: &dyn Fn(&str) -> Option<f64>,
) -> bool {
    let at = |others: &dyn Fn(&str) -> Option<f64>| {
        conditions.may_hold(&|name| if name == variable { Some(FAR[0]) } else { others(name) })
    };
    let large = [FAR[0] / 1024.0, FAR[0], FAR[0] * 1024.0];
    at(value) || large.iter().any(|x| at(&|name| along.contains(&name).then_some(*x)))
}

fn is_alike(one: &GrowthLogarithms, other: &GrowthLogarithms) -> bool {
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < GROWS.ln())
}

/// Whether a term of a formula is that of the source but for a factor, as with `min(n, m)`: it is looked at in some places.
fn is_same(formula: &Formula, position: usize, term: &SourceTerm) -> bool {
    const PLACES: [u64; 8] = [5, 11, 17, 29, 40, 63, 71, 83];
    let Ok(source) = Formula::parse("source", &format!("source[0]*{}", term.basis)) else { return false };
    let at = |formula: &Formula, place: u64, position: usize| {
        // Which one is larger differs from place to place.
        let value = |variable: &Variable| {
            let letters = variable.name().bytes().fold(0, |sum, letter| (sum * 31 + u64::from(letter)) % 97);
            (2 + letters * place % 97) as f64
        };
        let point: Vec<f64> = formula.variables().iter().map(value).collect();
        formula.terms()[position].basis.evaluate(&point)
    };
    let ratios = PLACES.map(|place| at(formula, place, position) / at(&source, place, 0));
    ratios.iter().all(|ratio| ratio.is_finite() && *ratio != 0.0 && (ratio / ratios[0] - 1.0).abs() < 1e-9)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use call_trace::{LineRange, SourceLine};

    use super::*;

    fn term(basis: &str, growth: &[(&str, f64, u32)]) -> SourceTerm {
        let growth: BTreeMap<String, (f64, u32)> = growth
            .iter()
            .map(|(name, power, logarithms)| ((*name).to_owned(), (*power, *logarithms)))
            .collect();
        SourceTerm {
            basis: basis.to_owned(),
            growth: Some(growth),
            statements: vec![SourceStatement::default()],
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
        let bases = |portions: &[Portion]| {
            portions.iter().map(|portion| portion.term.basis.clone()).collect::<Vec<String>>()
        };
        let behind = its.behind.iter().map(|set| bases(&set.portions).join("|")).collect();
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

    /// The same with statements of lines 1, 2 and 3 in the terms, some of which the user puts behind constants.
    fn told_with(formula: &str, given: &[(u32, &[u32])]) -> [Vec<String>; 4] {
        let mut counts = counts();
        for (line, term) in (1..).zip(&mut counts.terms) {
            term.statements[0].place = SourceLine { file: None, line };
        }
        for (constant, lines) in given {
            let lines: Vec<LineRange> =
                lines.iter().map(|line| LineRange { file: None, first: *line, last: *line }).collect();
            counts.give(*constant, &lines);
        }
        told(formula, &counts).unwrap()
    }

    #[test]
    fn what_the_user_says_counts() {
        let text = |lists: [&[&str]; 4]| {
            lists.map(|list| list.iter().map(|&its| its.to_owned()).collect::<Vec<_>>())
        };
        let formula = "f[0]+f[1]*n*m";
        // The statements that outgrow the formula are behind one of its constants.
        assert_eq!(told_with(formula, &[(1, &[2, 3])]), text([&["1", "n*m|n*log2(n)"], &[], &[], &[]]));
        // What is moved is taken away, what a set does not name is in none.
        assert_eq!(
            told_with(formula, &[(0, &[2])]),
            text([&["n*m", ""], &["1", "n*log2(n)"], &["n*log2(n)"], &[]])
        );
        assert_eq!(
            told_with(formula, &[(1, &[])]),
            text([&["1", ""], &["n*m", "n*log2(n)"], &["n*log2(n)"], &[]])
        );
        // A term that outgrows the source has statements, because the user says so.
        assert_eq!(told_with("f[0]+f[1]*n*n*m", &[(1, &[2, 3])])[3], [""; 0]);
        assert_eq!(told_with("f[0]+f[1]*n*n*m", &[(1, &[])])[3], ["1"]);
        // A constant that the formula does not have.
        assert_eq!(told_with(formula, &[(7, &[1, 2])]), told_with(formula, &[]));
    }

    #[test]
    fn statements_whose_growth_is_no_product_are_seen() {
        let mut counts = counts();
        counts.terms[2].growth = None;
        assert_eq!(told("f[0]+f[1]*n*m", &counts).unwrap()[1], ["n*log2(n)"]);
        counts.terms[2].statements[0].constant = Some(1);
        counts.given.insert(1);
        assert_eq!(told("f[0]+f[1]*n*m", &counts).unwrap()[0], ["1", "n*log2(n)"]);
    }

    /// Of which nobody says how it grows: by its values.
    #[test]
    fn the_lesser_one_of_two_values_is_known_again() {
        let mut counts = counts();
        counts.terms[2] = SourceTerm { basis: "min(m, n)*n".to_owned(), growth: None, ..term("", &[]) };
        let difference = SourceTerm { basis: "(n - max(m, 2))".to_owned(), growth: None, ..term("", &[]) };
        let of_difference = SourceCounts { terms: vec![term("1", &[]), difference], ..counts.clone() };
        let [found, ..] = told("f[0]+f[1]*(n - max(m, 2))", &of_difference).unwrap();
        assert_eq!(found, ["1", "(n - max(m, 2))"]);
        for (formula, behind) in [
            ("f[0]+f[1]*n*min(n, m)", ["1", "min(m, n)*n"]),
            ("f[0]+f[1]*2*n*min(n, m)", ["1", "min(m, n)*n"]),
            ("f[0]+f[1]*n*max(n, m)", ["1", ""]),
        ] {
            let [found, beside, ..] = told(formula, &counts).unwrap();
            assert_eq!(found, behind, "{formula}");
            assert_eq!(beside.contains(&"min(m, n)*n".to_owned()), behind[1].is_empty(), "{formula}");
        }
    }

    /// A cutoff, as of an insertion sort for short arrays: it does not grow along what bounds it.
    #[test]
    fn what_runs_for_small_sizes_only_outgrows_nothing() {
        let faster = |conditions: &[&str], formula: &str| {
            let mut counts = counts();
            counts.terms[1].statements[0].conditions = conditions.iter().map(|&its| its.to_owned()).collect();
            told(formula, &counts).unwrap()[2].clone()
        };
        let formula = "f[0]+f[1]*n*log(n)";
        assert_eq!(faster(&[], formula), ["n*m"]);
        assert_eq!(faster(&["31 >= n"], formula), ["n*m"]);
        assert_eq!(faster(&["31 >= m"], formula), [""; 0]);
        assert_eq!(faster(&["n >= 32"], formula), ["n*m"]);
        assert_eq!(faster(&["31 >= n", "31 >= m"], "f[0]"), ["n*log2(n)"]);
        // Variables that grow together, and some that nobody knows.
        assert_eq!(faster(&["n >= 2*m", "lda >= m"], formula), ["n*m"]);
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
        let mut said = counts();
        said.give(1, &[LineRange { file: None, first: 0, last: 0 }]);
        let none: [&str; 0] = [];
        let found = told("f[0]+f[1]*blocks", &said).unwrap();
        assert_eq!(found, [vec!["", "1|n*m|n*log2(n)"], none.to_vec(), none.to_vec(), none.to_vec()]);
        assert_eq!(told("f[0]", &SourceCounts::default()), None);
    }
}
