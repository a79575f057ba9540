//! What a measured prediction becomes on another machine.

use std::sync::Arc;

use call_grammar::Expression;
use call_machine::{Entry, Factor, How, Lacking, Machine, Resource, Transfer, carried};
use call_model::{Forecast, Model};
use call_report::number;

use super::on::Asked;
use super::scale::{Scale, resource, stands};
use crate::Error;
use crate::command::definitions::Definitions;
use crate::command::points::{Given, PROCESSORS, points_of, variables};
use crate::data::Step;
use crate::experiments::Found;
use crate::words::Word;

/// A prediction for one machine at one point.
pub struct Carried {
    pub machine: Arc<Machine>,
    pub processors: f64,
    pub point: Vec<f64>,
    pub here: Forecast,
    pub there: Forecast,
    pub constants: Vec<Constant>,
}

/// What became of a constant.
pub struct Constant {
    pub name: String,
    pub fate: Fate,
    /// The resource, or the numbers of the machine that stand in its term.
    pub by: String,
    /// Which entries of the machines were used.
    pub entries: [String; 2],
    pub factor: Option<f64>,
}

pub enum Fate {
    /// The constant of the samples holds: g and L are those of the machine.
    Measured,
    /// Times the factor.
    Scaled,
    /// The constant of the samples, for want of a number.
    Assumed(Lacking),
}

/// What is asked, and what is known about it.
pub struct Question<'a> {
    pub model: &'a Model,
    pub found: &'a Found,
    pub asked: &'a Asked<'a>,
    pub here: &'a Machine,
    /// The variables of the formula that the machine gives.
    pub numbers: &'a [&'static str],
    pub given: Vec<Given>,
    pub scales: &'a [Scale],
}

/// The values of the variables here and there, and the number of processors.
pub type Place = (Vec<f64>, Vec<f64>, f64);

impl Question<'_> {
    /// The points here and there; `word` is where `there` was named.
    pub fn points(&self, there: &Machine, word: &Word) -> Result<Vec<Place>, Error> {
        if let Some(number) = self.given.iter().find(|one| self.numbers.contains(&one.name.as_str())) {
            return Err(Error::at(number.span.clone(), format!("`{}` comes from the machine", number.name)));
        }
        if let Some(name) = self.numbers.first() {
            for (machine, span) in [(self.here, &self.asked.on.span), (there, &word.span)] {
                if machine.bsp.is_empty() {
                    let message = format!("{} has no BSP table, which gives `{name}`", machine.name);
                    return Err(
                        Error::at(span.clone(), message).help("choose another machine, or measure this one")
                    );
                }
            }
        }
        let only = self.only_processors();
        let given: Vec<&Given> = self.given.iter().chain(&only).collect();
        let end = self.asked.on.span.start.saturating_sub(1);
        let points = |machine: &Machine| {
            let definitions = Definitions::of(self.found.set(), Some(machine));
            points_of(&given, end..end, self.model, definitions, &[PROCESSORS])
        };
        let split = |mut point: Vec<f64>| {
            let processors = point.pop().unwrap_or(f64::NAN);
            (point, processors)
        };
        let (at_here, at_there) = (points(self.here)?, points(there)?);
        let places = at_here.into_iter().map(split).zip(at_there.into_iter().map(split));
        Ok(places.map(|((here, processors), (there, _))| (here, there, processors)).collect())
    }

    /// P, where it need not be given: all samples have the same.
    fn only_processors(&self) -> Option<Given> {
        let is_free = !variables(self.model).contains(&PROCESSORS)
            && !self.given.iter().any(|one| one.name == PROCESSORS)
            && !self
                .found
                .set()
                .steps()
                .any(|step| matches!(step, Step::Let { name, .. } if name == PROCESSORS));
        let column = self.found.experiment().samples.column(PROCESSORS).filter(|_| is_free)?;
        let first = *column.first()?;
        column.iter().all(|processors| *processors == first).then(|| Given {
            name: PROCESSORS.to_owned(),
            values: vec![first],
            span: self.asked.on.span.clone(),
        })
    }

    /// Carries a forecast made at `at_here` to the point of another machine.
    pub fn carry(
        &self,
        there: &Arc<Machine>,
        processors: f64,
        (here, at_here): (Forecast, &[f64]),
        point: Vec<f64>,
    ) -> Carried {
        let transfer = Transfer::between(self.here, there, processors);
        let mut basis = Vec::new();
        let mut constants = Vec::new();
        for (term, scale) in self.model.formula().terms().iter().zip(self.scales) {
            let name = format!("{}[{}]", self.model.formula().experiment(), term.coefficient.0);
            let constant = match resource(self.model, scale, &point) {
                None => kept(name, &transfer, processors, &self.numbers_in(&term.basis)),
                Some(resource) => scaled(name, &transfer, &resource),
            };
            basis.push(term.basis.evaluate(&point) * constant.factor.unwrap_or(1.0));
            constants.push(constant);
        }
        let carried_there = carried(self.model, &here, at_here, &basis);
        Carried { machine: Arc::clone(there), processors, point, here, there: carried_there, constants }
    }

    /// Which of g and L stand in a term.
    fn numbers_in(&self, basis: &Expression) -> Vec<&'static str> {
        self.numbers.iter().copied().filter(|number| stands(self.model, number, basis)).collect()
    }
}

fn kept(name: String, transfer: &Transfer, processors: f64, numbers: &[&str]) -> Constant {
    let entry = |how: Option<How>| how.map_or(String::new(), |how| place(&Entry::Bsp { processors, how }));
    let hows = [transfer.here(), transfer.there()].map(|parameters| parameters.map(|known| known.how));
    Constant { name, fate: Fate::Measured, by: numbers.join(", "), entries: hows.map(entry), factor: None }
}

fn scaled(name: String, transfer: &Transfer, resource: &Resource) -> Constant {
    let by = resource.to_string();
    match transfer.factor(resource) {
        Ok(Factor { value, here, there }) => {
            let entries = [place(&here.entry), place(&there.entry)];
            Constant { name, fate: Fate::Scaled, by, entries, factor: Some(value) }
        }
        Err(lacking) => {
            Constant { name, fate: Fate::Assumed(lacking), by, entries: Default::default(), factor: None }
        }
    }
}

/// Where a number stands, in few characters.
fn place(entry: &Entry) -> String {
    match entry {
        Entry::Bsp { processors, how: How::Measured } => format!("P = {}", number::exact(*processors)),
        Entry::Bsp { how: How::Interpolated { between: (lower, upper) }, .. } => {
            format!("P = {lower} to {upper}")
        }
        Entry::Bsp { how: How::Extrapolated { from }, .. } => format!("P = {from}, nearest"),
        Entry::Operation(name) | Entry::Memory(name) => name.clone(),
    }
}
