//! How the variables of formulas get their values: by their names, by `let` from others, or from the machine at a number of
//! processors. Whoever evaluates a model at points asks here.

use std::ops::Range;

use call_grammar::suggest;
use call_model::Model;

use super::definitions::{Definitions, Needed};
use super::points::{Given, PROCESSORS, missing_value, variables};
use crate::Error;
use crate::experiments::Found;
use crate::machines::UsedTables;
use crate::words::Word;

/// Where the values of a formula's variables come from, once these names have values.
pub struct Sources<'a> {
    variables: Vec<&'a str>,
    definitions: Definitions<'a>,
    names: Vec<String>,
}

impl<'a> Sources<'a> {
    /// Of names that [`check`] has seen; behind the variables of the formula stand `further` ones.
    pub fn new(
        model: &'a Model,
        definitions: Definitions<'a>,
        further: &[&'a str],
        names: Vec<String>,
    ) -> Sources<'a> {
        let variables = [&variables(model)[..], further].concat();
        Sources { variables, definitions, names }
    }

    /// The values of the formula's variables, then of the further ones, for a value of each name.
    pub fn point(&self, values: &[f64]) -> Vec<f64> {
        let known = |name: &str| {
            let position = self.names.iter().position(|known| known == name)?;
            values.get(position).copied()
        };
        self.variables.iter().map(|name| self.definitions.resolve(name, &known)).collect()
    }
}

/// What is known of the variables of an experiment: those that its samples have themselves are not the machine's.
pub fn definitions(found: &Found) -> Definitions<'_> {
    let machine = found.set().machine().map(AsRef::as_ref);
    Definitions::of(found.set(), machine).where_machine(|name| !found.was_loaded_with(name))
}

/// What a model that takes g or L from the machine in use finds in its table: for each value of P that is given, and for `more`.
pub fn beyond_own_table(model: &Model, found: &Found, given: &[&Given], more: &[f64]) -> Vec<String> {
    let definitions = definitions(found);
    let names: Vec<&str> = given.iter().map(|one| one.name.as_str()).collect();
    let mut used = UsedTables::default();
    if let Some(machine) =
        found.set().machine().filter(|_| definitions.takes_machine(&variables(model), &names))
    {
        let given = given.iter().filter(|one| one.name == PROCESSORS).flat_map(|one| &one.values);
        given.chain(more).for_each(|processors| used.add(machine, *processors));
    }
    used.warnings()
}

/// Whether the names give values to the variables of all models, and to `further` ones, and each name is needed by a model; `end` is
/// where a missing word would stand.
pub fn check(
    models: &[(&Model, Definitions)],
    further: &[&str],
    names: &[&Given],
    end: Range<usize>,
) -> Result<(), Error> {
    check_known(models, further, names)?;
    let needs = |model| [&variables(model)[..], further].concat();
    let mut is_used = vec![false; names.len()];
    for (model, definitions) in models {
        let mut needed = Needed { given: names, definitions, used: &mut is_used };
        for name in needs(model) {
            needed.require(name, 0).map_err(|missing| missing_value(&missing, end.clone()))?;
        }
    }
    match names.iter().zip(&is_used).find(|(_, is_used)| !**is_used) {
        None => Ok(()),
        Some((extra, _)) => {
            let message = format!("`{}` is not needed beside the others", extra.name);
            Err(Error::at(extra.span.clone(), message))
        }
    }
}

/// Whether variables of the models, or `further` ones, are of these names or computed from them.
pub fn check_known(
    models: &[(&Model, Definitions)],
    further: &[&str],
    names: &[&Given],
) -> Result<(), Error> {
    let needs = |model| [&variables(model)[..], further].concat();
    let is_known =
        |name: &str| models.iter().any(|(model, known)| known.reachable(&needs(model)).contains(name));
    match names.iter().find(|one| !is_known(&one.name)) {
        None => Ok(()),
        Some(one) => Err(unknown(models, &one.name, one.span.clone())),
    }
}

/// The error of a name that no formula needs.
pub fn unknown(models: &[(&Model, Definitions)], name: &str, span: Range<usize>) -> Error {
    let mut own: Vec<&str> = Vec::new();
    for variable in models.iter().flat_map(|(model, _)| variables(model)) {
        if !own.contains(&variable) {
            own.push(variable);
        }
    }
    let all = match own.is_empty() {
        true => "it has none at all".to_owned(),
        false => format!("its variables are {}", own.join(", ")),
    };
    let reachable = models.iter().flat_map(|(_, definitions)| definitions.reachable(&own));
    let formula = if models.len() > 1 { "neither formula has a" } else { "the formula has no" };
    Error::at(span, format!("{formula} variable `{name}`")).suggesting(suggest(name, reachable), all)
}

/// The position in the formula of an experiment of the variable that a word names; none of what it is computed from.
pub fn variable(model: &Model, found: &Found, word: &Word) -> Result<usize, Error> {
    let position = variables(model).iter().position(|variable| *variable == word.text);
    position.ok_or_else(|| unknown(&[(model, definitions(found))], &word.text, word.span.clone()))
}
