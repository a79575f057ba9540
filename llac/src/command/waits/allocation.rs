//! `best allocation`: how many processors each group of a program gets.

use call_report::number;
use call_waitmodel::{Allocation, best_allocations};

use super::model::{beyond, not_common};
use super::model_tables::{self, StepAndGroupNames};
use super::model_words::ModelWords;
use super::sampled_runs::SampledRuns;
use crate::command::CommandArguments;
use crate::command::points::missing_value;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Session, Style};

/// What at most may be given out.
const TOTAL: &str = "total";

/// `[SET] total=COUNT VARIABLE=VALUES…`.
pub fn best_allocation(
    session: &mut Session,
    words: &[Word],
    arguments: &CommandArguments,
) -> Result<CommandOutcome, Error> {
    let mut words = ModelWords::of(words)?;
    let total = words.take(TOTAL).ok_or_else(|| missing_value(TOTAL, arguments.end()))?;
    let count = match total.values[..] {
        [count] if count.fract() == 0.0 && (1.0..=1e9).contains(&count) => count as u64,
        _ => {
            let message = "`total` is a number of processors";
            return Err(Error::at(code::WRONG_VALUE, total.span, message).help("for example `total=12`"));
        }
    };
    let runs = SampledRuns::of(session, words.data)?;
    let model = runs.model()?;
    let allocating = model.allocating();
    words.check_counts(&runs, &allocating)?;
    let given = words.by_variable(&runs)?;
    for (variable, name) in runs.variables.iter().enumerate() {
        let values = given.iter().find(|(its, _)| *its == variable).map(|(_, given)| *given);
        match values {
            None if !allocating.is_empty() && !allocating.contains(&variable) => {
                return Err(missing_value(name, arguments.end()));
            }
            Some(given) if !allocating.contains(&variable) && given.values.len() != 1 => {
                let message = format!("`{name}` allocates no processors and needs a single value here");
                return Err(Error::at(code::WRONG_VALUE, given.span.clone(), message));
            }
            _ => {}
        }
    }
    let given: Vec<(usize, Vec<f64>)> =
        given.into_iter().map(|(variable, given)| (variable, given.values.clone())).collect();
    let level = session.level();
    let (band, fastest) = best_allocations(&model, &given, count, level)?;
    let names = StepAndGroupNames { runs: &runs, model: &model };
    let mut outcome = CommandOutcome { warnings: runs.warnings.clone(), ..CommandOutcome::default() };
    outcome.warnings.extend(not_common(&model));
    outcome.value = shown(&names, &band, fastest, level);
    outcome.warnings.extend(beyond(&runs, &model, band.iter().map(|one| (&one.point, &one.predicted))));
    Ok(outcome)
}

fn shown(names: &StepAndGroupNames, band: &[Allocation], fastest: usize, level: f64) -> Markup {
    let mut markup = Markup::new();
    let text = |one: &Allocation| {
        let values = names.runs.variables.iter().zip(&one.point);
        let values: Vec<String> =
            values.map(|(name, value)| format!("{name}={}", number::exact(*value))).collect();
        values.join(" ")
    };
    if let (Some(first), Some(best)) = (band.first(), band.get(fastest)) {
        markup.fragments([
            (Style::Plain, "the fastest allocation: ".to_owned()),
            (Style::Strong, text(best)),
            (Style::Plain, format!(", {}", number::seconds(best.predicted.time.value_s))),
        ]);
        if fastest != 0 {
            markup.paragraph(format!(
                "with fewer processors, and not to be told from it: {}, {}",
                text(first),
                number::seconds(first.predicted.time.value_s)
            ));
        }
    }
    markup.table(model_tables::allocations(names, band, level));
    markup
}
