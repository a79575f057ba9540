//! Counts in the variables that measurements take along.

use std::collections::{BTreeMap, BTreeSet};

use call_counting::{Atom, Polynomial, Quality, growth};

use super::super::block::BlockCounts;
use super::super::communication::PROCESSORS;
use super::super::region::MeasuredRegion;
use super::super::value::Environment;
use super::works::Works;
use super::{ExperimentCounts, ExperimentTerm};

/// Values of names that no measurement takes along, where they follow from some that are taken along.
pub fn in_recorded_names(environment: &Environment, region: &MeasuredRegion) -> Vec<(Atom, Polynomial)> {
    let is_recorded = |name: &str| region.variables.iter().any(|(_, expression)| expression == name);
    // A number that the source has once may be another one in the next version.
    let follows = |value: &Polynomial| {
        let atoms = value.atoms();
        !value.has_index()
            && atoms.iter().any(|atom| matches!(atom, Atom::Name(_)))
            && atoms.into_iter().all(|atom| match atom {
                Atom::Name(name) => is_recorded(name) && environment.get(name) == Ok(Polynomial::name(name)),
                Atom::Element { .. } => false,
                _ => true,
            })
    };
    let told = environment.known().filter(|(name, value)| !is_recorded(name) && follows(value));
    told.map(|(name, value)| (Atom::name(&name), value.clone())).collect()
}

/// What counts have functions of.
const FUNCTIONS: [&str; 7] = ["min", "max", "floor", "log2", "sqrt", "cbrt", "pow"];

/// Tells the counts in the variables of the formula.
pub fn in_variables(
    block: &BlockCounts,
    region: &MeasuredRegion,
    names: &[(Atom, Polynomial)],
    works: &mut Works,
) -> ExperimentCounts {
    let variable = |text: &str| {
        let text = without_brackets(text);
        region.variables.iter().find(|(_, expression)| *expression == text).map(|(variable, _)| variable)
    };
    let named = |atom: &Atom| Some(Polynomial::name(variable(&atom.to_string())?));
    // Both ends of a difference such as `(hi - lo)`, with each of which it grows.
    let ends = |name: &str| {
        let (high, low) = name.strip_prefix('(')?.strip_suffix(')')?.split_once(" - ")?;
        Some([variable(high)?, variable(low)?])
    };
    let in_variables = |its: Polynomial| {
        let replaced =
            names.iter().fold(its, |its, (name, value)| its.substituted(name, value).unwrap_or(its));
        replaced.mapped(&named).unwrap_or(replaced)
    };
    // All that stands in a difference such as `(min(n, hi) - lo)`.
    let are_recorded = |name: &str| {
        let words = name.split([' ', '(', ')', ',', '*', '/']).filter(|word| {
            word.starts_with(|first: char| first.is_alphabetic() || first == '_') && !FUNCTIONS.contains(word)
        });
        name.starts_with('(') && words.into_iter().all(|word| variable(word).is_some())
    };
    let is_name = |atom: &&Atom| matches!(atom, Atom::Name(_) | Atom::Element { .. });
    let is_variable = |atom: &&Atom| {
        let is_number_of_processors = block.knows_processors && **atom == Atom::name(PROCESSORS);
        is_number_of_processors || region.variables.iter().any(|(its, _)| Atom::name(its) == **atom)
    };
    let mut unrecorded = BTreeSet::new();
    let mut terms = Vec::new();
    // A condition on what nobody takes along is one on data.
    let is_open = |case: &usize| {
        let polynomials = works.cases[*case].iter().map(|its| in_variables(its.0.clone()));
        let of_data =
            |its: Polynomial| its.atoms().into_iter().any(|atom| is_name(&atom) && !is_variable(&atom));
        polynomials.into_iter().any(of_data)
    };
    let numbers: BTreeSet<usize> =
        block.terms.iter().flat_map(|term| &term.factors).map(|(id, _)| id.case).collect();
    let is_at_most = numbers.iter().any(is_open);
    for term in &block.terms {
        let basis = in_variables(Polynomial::from(term.basis.clone()));
        let others = basis.atoms().into_iter().filter(|atom| is_name(atom) && !is_variable(atom));
        let others = others.map(ToString::to_string).filter(|name| !are_recorded(name));
        unrecorded.extend(others);
        let growth = basis.single().and_then(|(monomial, _)| growth(monomial));
        let growth = growth.and_then(|growth| {
            let mut along: BTreeMap<String, (f64, u32)> = BTreeMap::new();
            for (name, (power, logarithms)) in growth {
                let names = if name.starts_with('(') { ends(&name)?.to_vec() } else { vec![&name] };
                for name in names {
                    let its = along.entry(name.clone()).or_default();
                    *its = (its.0 + power, its.1 + logarithms);
                }
            }
            Some(along)
        });
        terms.push(ExperimentTerm {
            basis: basis.to_string(),
            growth,
            statements: works.of(term, &in_variables),
        });
    }
    let known = block.statements.iter().filter(|statement| statement.times.is_some());
    ExperimentCounts {
        terms,
        quality: if is_at_most {
            Quality::AtMost
        } else {
            known.map(|statement| statement.quality).max().unwrap_or(Quality::Exact)
        },
        given: BTreeSet::new(),
        unrecorded: unrecorded.into_iter().collect(),
        unseen: region.unseen.clone(),
        unknown: block.unknown.clone(),
        uncounted: block.uncounted.clone(),
    }
}

/// An expression without blanks and without brackets around it.
pub fn without_brackets(text: &str) -> String {
    let text: String = text.split_whitespace().collect();
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    match inside {
        Some(inside) if !inside.contains(['(', ')']) => inside.to_owned(),
        _ => text,
    }
}
