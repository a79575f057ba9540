use std::collections::BTreeSet;

use call_grammar::counted;

use super::{Command, CommandArguments};
use crate::data::SampleChange;
use crate::error::code;
use crate::{CommandOutcome, Completion, Error, Session};

pub const DROP: Command = Command {
    name: "drop",
    usage: "drop [EXPERIMENT] NUMBER… | outliers",
    summary: "leave single samples out",
    details: "`show` numbers the samples; `drop f 3 17-20` leaves some of them out until `restore f`, `drop f outliers` those \
        that `outliers f` lists.",
    completions: &[Completion::Experiment, Completion::Nothing],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let (found, place) = session.first_experiment(arguments)?;
    arguments.required(place, "the number of a sample", DROP.usage)?;
    let count = found.experiment().samples.len();
    let known: BTreeSet<usize> = (0..count).map(|sample| found.number(sample)).collect();
    let mut numbers = BTreeSet::new();
    for word in &arguments.words()[place..] {
        if word.text == "outliers" {
            numbers.extend(super::outliers::numbers(session, &found)?);
            continue;
        }
        let (first, last) = word.text.split_once('-').unwrap_or((&word.text, &word.text));
        let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) else {
            return Err(word
                .error(code::WRONG_VALUE, format!("`{}` is no number of a sample", word.text))
                .help("write 3, or 17-20"));
        };
        let chosen: Vec<usize> = match first <= last {
            true => known.range(first..=last).copied().collect(),
            false => Vec::new(),
        };
        numbers.extend(&chosen);
        if chosen.is_empty() {
            return Err(word
                .error(code::NO_SAMPLES, format!("`{}` has no such samples", found.name))
                .help(format!("`show {}` lists them", found.name)));
        }
    }
    let dropped = numbers.len();
    if dropped == 0 {
        return Ok(CommandOutcome::line("there is nothing to drop"));
    }
    let step = SampleChange::Drop { experiment: found.experiment().name.clone(), numbers };
    let changed = found.set().with_step(step)?;
    session.change().set_data_of(&found, changed);
    Ok(CommandOutcome::line(format!("{} of {} dropped", counted(dropped, "sample"), found.name)))
}
