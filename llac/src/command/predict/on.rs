//! `predict … on MACHINE`: what was measured here, carried to machines that are known by their numbers.

use call_machine::Machine;
use call_model::{Forecaster, Model};
use call_report::number;

use super::carry::{Carried, Question};
use super::scale::scales;
use super::tables::{assumed, beyond, constants, predictions};
use super::{check_finite, warnings};
use crate::command::points::{Given, given, is_value, variables};
use crate::data::{Step, VARIABLES};
use crate::experiments::Found;
use crate::words::Word;
use crate::{Error, Markup, Outcome, Session, Style};

/// The words of the command line, taken apart.
pub struct Asked<'a> {
    /// `VARIABLE=VALUES`, wherever they stand.
    pub points: Vec<Word>,
    /// The word `on`.
    pub on: &'a Word,
    /// Machines, several of them joined by commas or one behind the other.
    pub machines: Vec<Word>,
    /// What stands behind `scale`.
    pub scales: Vec<Word>,
}

impl<'a> Asked<'a> {
    /// Takes `VARIABLE=VALUES… on MACHINE… [scale …]` apart; none if there is no `on`.
    pub fn of(words: &'a [Word]) -> Result<Option<Asked<'a>>, Error> {
        let place = |text: &str| words.iter().position(|word| word.text == text);
        let (on, scale) = (place("on"), place("scale"));
        let Some(on) = on else {
            return match scale {
                None => Ok(None),
                Some(scale) => Err(Error::at(words[scale].span.clone(), "`scale` needs a machine before it")
                    .help("`on MACHINE scale CONSTANT=RESOURCE`")),
            };
        };
        let end = scale.filter(|scale| *scale > on).unwrap_or(words.len());
        // A constant has an index, a variable none.
        let is_scale = |word: &&Word| {
            !is_value(word) || word.text.split('=').next().is_some_and(|name| name.contains('['))
        };
        let (machines, values): (Vec<Word>, Vec<Word>) =
            words[on + 1..end].iter().cloned().partition(|word| !is_value(word));
        let (scales, more): (Vec<&Word>, Vec<&Word>) = words.iter().skip(end + 1).partition(is_scale);
        let points = words[..on].iter().chain(&values).chain(more).cloned().collect();
        let scales = scales.into_iter().cloned().collect();
        Ok(Some(Asked { points, on: &words[on], machines, scales }))
    }
}

pub fn run(session: &mut Session, found: &Found, asked: &Asked) -> Result<Outcome, Error> {
    let here = found.set().machine().cloned().ok_or_else(|| {
        Error::at(asked.on.span.clone(), "it was not said on which machine these times were measured")
            .help("`machine use NAME` says it; `machine list` lists machines")
    })?;
    let model = session.model(found.experiment())?;
    let machines = session.machines_on(asked.on, &asked.machines)?;
    let all: Vec<&Machine> =
        machines.iter().map(|(machine, _)| machine.as_ref()).chain([here.as_ref()]).collect();
    let given = given(&asked.points)?;
    let numbers = numbers(&model, found, &given);
    let scales = scales(&model, &asked.scales, &all, &numbers)?;
    let forecaster = Forecaster::new(&model, &session.prepared(found.experiment()))
        .map_err(crate::command::model_error)?;
    let question =
        Question { model: &model, found, asked, here: &here, numbers: &numbers, given, scales: &scales };
    let mut rows = Vec::new();
    for (machine, word) in &machines {
        for (at_here, at_there, processors) in question.points(machine, word)? {
            let forecast = forecaster.forecast(&at_here, session.level());
            let names = variables(&model);
            check_finite(&found.experiment().name, &names, &at_here, &forecast.prediction)?;
            let carried = question.carry(machine, processors, (forecast, &at_here), at_there);
            check_finite(&found.experiment().name, &names, &carried.point, &carried.there.prediction)?;
            rows.push(carried);
        }
    }
    let mut outcome = outcome(&question, &rows, session.level());
    outcome.warnings.extend(numbers.iter().filter(|name| found.was_loaded_with(name)).map(|name| {
        format!("`{name}` of the samples is taken for that of the machine; if it is not, give `{name}=VALUE`")
    }));
    Ok(outcome)
}

/// Those of g and L that the formula has from the machine: not if `let` defines them, or the samples have them and a value is given.
fn numbers(model: &Model, found: &Found, given: &[Given]) -> Vec<&'static str> {
    let is_defined = |number: &str| {
        found.set().steps().any(|step| matches!(step, Step::Let { name, .. } if name == number))
    };
    let is_variable =
        |number: &str| found.was_loaded_with(number) && given.iter().any(|one| one.name == number);
    let names = variables(model);
    VARIABLES
        .into_iter()
        .filter(|number| names.contains(number) && !is_defined(number) && !is_variable(number))
        .collect()
}

fn outcome(question: &Question, rows: &[Carried], level: f64) -> Outcome {
    let mut markup = Markup::new();
    if let [row] = rows {
        markup.fragments([
            (Style::Name, question.found.name.clone()),
            (Style::Plain, format!(" on {} = ", row.machine.name)),
            (Style::Strong, number::seconds(row.there.prediction.time_s)),
            (
                Style::Plain,
                format!(", {} on {}", number::seconds(row.here.prediction.time_s), question.here.name),
            ),
        ]);
    }
    markup.table(predictions(question, rows, level));
    markup.table(constants(rows));
    let mut outcome = Outcome::of(markup);
    outcome.warnings = warnings(rows.iter().map(|row| &row.here));
    outcome.warnings.extend(assumed(rows));
    outcome.warnings.extend(beyond(rows, question.here));
    if question.numbers.is_empty() && question.asked.scales.is_empty() {
        outcome.notes.push(
            "no term has g or L, so all count as computation; `scale CONSTANT=g` names communication"
                .to_owned(),
        );
    }
    outcome.notes.push(format!(
        "measured on {} (here); intervals take the numbers of machines for exact",
        question.here.name
    ));
    outcome
}
