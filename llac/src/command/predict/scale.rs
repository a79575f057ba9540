//! `scale f[1]=memory f[3]=g`: with what the time of a term is spent.

use std::collections::BTreeMap;

use call_grammar::{Expression, Quantity, suggest};
use call_machine::{Machine, Resource};
use call_model::Model;

use crate::Error;
use crate::command::points::variables;
use crate::words::Word;

/// What a term's time grows with from machine to machine.
pub enum Scale {
    /// Its constant is a number of operations, bytes or synchronisations: g or L stands in the term.
    Kept,
    /// As this resource costs.
    By(Resource),
    /// As loads in a working set cost, whose bytes are computed at each point.
    WorkingSet(Quantity),
}

/// For each term of the formula what it is scaled by: what the words say, else g and L where they stand in it, else s.
/// `numbers` are those of g and L that come from the machine.
pub fn scales(
    model: &Model,
    words: &[Word],
    machines: &[&Machine],
    numbers: &[&str],
) -> Result<Vec<Scale>, Error> {
    let mut asked = asked(model, words, machines)?;
    let mut scales = Vec::new();
    for (place, term) in model.formula().terms().iter().enumerate() {
        let has_number = numbers.iter().any(|number| stands(model, number, &term.basis));
        scales.push(match (asked.remove(&place), has_number) {
            (Some((_, word)), true) => {
                let message = "g or L stands in this term, so that its constant is kept";
                return Err(Error::at(word.span, message).help("scale terms without them"));
            }
            (Some((scale, _)), false) => scale,
            (None, true) => Scale::Kept,
            (None, false) => Scale::By(Resource::Computation),
        });
    }
    Ok(scales)
}

/// Whether a variable of the formula stands in a term.
pub fn stands(model: &Model, name: &str, basis: &Expression) -> bool {
    variables(model).iter().position(|known| *known == name).is_some_and(|place| basis.uses(place))
}

/// What the words say, by the position of the term.
fn asked(
    model: &Model,
    words: &[Word],
    machines: &[&Machine],
) -> Result<BTreeMap<usize, (Scale, Word)>, Error> {
    let mut asked = BTreeMap::new();
    for word in words {
        let Some((constant, resource)) = word.text.split_once('=') else {
            return Err(Error::at(word.span.clone(), "expected CONSTANT=RESOURCE")
                .help("for example `f[1]=memory`; resources are s, g, L, memory, memory(BYTES), operations and levels"));
        };
        let experiment = model.formula().experiment();
        let name = |place: usize| format!("{experiment}[{}]", model.formula().terms()[place].coefficient.0);
        let count = model.formula().terms().len();
        let Some(place) = (0..count).find(|place| name(*place) == constant) else {
            let all: Vec<String> = (0..count).map(name).collect();
            return Err(Error::at(word.span.clone(), format!("there is no constant `{constant}`"))
                .help(format!("the constants are {}", all.join(", "))));
        };
        let scale = scale(model, word, resource, machines)?;
        if asked.insert(place, (scale, word.clone())).is_some() {
            return Err(Error::at(word.span.clone(), format!("`{constant}` is scaled twice")));
        }
    }
    Ok(asked)
}

fn scale(model: &Model, word: &Word, resource: &str, machines: &[&Machine]) -> Result<Scale, Error> {
    if let Some(resource) = Resource::named(resource, machines) {
        return Ok(Scale::By(resource));
    }
    let Some(bytes) = resource.strip_prefix("memory(").and_then(|rest| rest.strip_suffix(')')) else {
        let near = suggest(resource, Resource::names(machines));
        let all = format!("there are {}", Resource::names(machines).join(", "));
        return Err(
            Error::at(word.span.clone(), format!("neither machine has `{resource}`")).suggesting(near, all)
        );
    };
    let fail = |message: String| Error::at(word.span.clone(), message);
    let quantity = Quantity::parse(bytes).map_err(|errors| {
        let why = errors.first().map_or(String::new(), |error| error.diagnostic().message);
        fail(format!("`{bytes}` is no size: {why}"))
    })?;
    let known = variables(model);
    match quantity.variables().iter().find(|variable| !known.contains(&variable.name())) {
        None => Ok(Scale::WorkingSet(quantity)),
        Some(unknown) => Err(fail(format!("the formula has no variable `{}`", unknown.name()))
            .help(format!("its variables are {}", known.join(", ")))),
    }
}

/// The resource at a point.
pub fn resource(model: &Model, scale: &Scale, point: &[f64]) -> Option<Resource> {
    match scale {
        Scale::Kept => None,
        Scale::By(resource) => Some(resource.clone()),
        Scale::WorkingSet(quantity) => {
            let names = variables(model);
            let value = |name: &str| {
                names.iter().position(|known| *known == name).and_then(|place| point.get(place)).copied()
            };
            let inputs: Vec<f64> = quantity
                .variables()
                .iter()
                .map(|variable| value(variable.name()).unwrap_or(f64::NAN))
                .collect();
            Some(Resource::WorkingSet(quantity.evaluate(&inputs)))
        }
    }
}
