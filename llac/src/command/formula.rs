use call_grammar::{Formula, Notation, suggest};

use super::{Command, CommandArguments};
use crate::data::SampleChange;
use crate::error::code;
use crate::found::SessionExperiment;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Message, Session};

pub const FORMULA: Command = Command {
    name: "formula",
    usage: "formula [EXPERIMENT =] FORMULA",
    summary: "give an experiment a formula",
    details: "`formula f = f[0] + f[1]*N*log(N)`: a sum of terms, each a constant times an expression over the \
        variables. The constants may have any name: `a[0] + a[1]*N` will do. The formula of the trace is \
        replaced until `undo`.",
    completions: &[Completion::Experiment, Completion::Nothing],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.required(0, "a formula", FORMULA.usage)?;
    let (text, start) = written(arguments);
    let (found, text, start) = match text.split_once('=') {
        Some((name, formula)) => {
            let name = Word::bare(name.trim(), start..start + name.trim_end().len());
            let found = session.experiment(&name)?;
            let at = start + (text.len() - formula.trim_start().len());
            (found, formula.trim().to_owned(), at)
        }
        None => match session.only_experiment() {
            Some(only) => (only, text, start),
            None => {
                return Err(Error::at(
                    code::MISSING_WORD,
                    start..start + text.len(),
                    "whose formula is this?",
                )
                .help("name the experiment: `formula EXPERIMENT = FORMULA`"));
            }
        },
    };
    let formula = parse(&found.experiment().name, &text, start)?;
    check(&formula, &found, start)?;
    let step =
        SampleChange::Formula { experiment: found.experiment().name.clone(), formula: formula.to_string() };
    let changed = found.set().with_step(step)?;
    session.change().set_data_of(&found, changed);
    let mut outcome = CommandOutcome::line(format!("{} = {formula}", found.name));
    outcome.notes.extend(forgotten(session, &found));
    Ok(outcome)
}

/// A note if sets of statements went with the formula before.
fn forgotten(session: &Session, before: &SessionExperiment) -> Option<Message> {
    let given = |found: &SessionExperiment| {
        found.experiment().source_counts.as_ref().is_some_and(|counts| !counts.given.is_empty())
    };
    let text = "the statements that were named for constants of the formula before are no longer: `upsilon` names others";
    let is_gone = given(before) && !session.find(&before.name).as_ref().is_some_and(given);
    is_gone.then(|| Message::new("sets-forgotten", text).about(&before.name))
}

/// The formula as it stands there, or what a single quoted word holds.
fn written(arguments: &CommandArguments) -> (String, usize) {
    let (text, start) = arguments.text_from(0).unwrap_or_default();
    match arguments.words() {
        [only] => (only.text.clone(), start + usize::from(text.starts_with(['"', '\'']))),
        _ => (text.to_owned(), start),
    }
}

/// A formula whose constants have the experiment's name or, all of them, some other. As in C or, where C knows no such thing, with
/// `**` and `^` for powers.
pub fn parse(experiment: &str, text: &str, start: usize) -> Result<Formula, Error> {
    let errors = match Formula::parse(experiment, text) {
        Ok(formula) => return Ok(formula),
        Err(errors) => errors,
    };
    let mut names = vec![experiment];
    for name in constants(text) {
        if !names.contains(&name) && names.len() < MOST_NAMES {
            names.push(name);
        }
    }
    let notations = [Notation::C, Notation::Powers];
    let spelt = notations.iter().flat_map(|notation| names.iter().map(move |name| (*notation, *name)));
    let named = |(notation, name)| Formula::parse_in(notation, name, text).ok();
    let formula = spelt.into_iter().find_map(named);
    formula.map(|formula| formula.renamed(experiment)).ok_or_else(|| Error::of_formula(&errors, start))
}

/// So many names are tried as that of the constants; a long formula has no more.
const MOST_NAMES: usize = 8;

/// Names before `[`.
fn constants(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('[').map(|(at, _)| {
        let before = text[..at].trim_end();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        &before[before.trim_end_matches(is_part).len()..]
    })
}

/// Whether the experiment, or the machine that it was measured on, has all variables of the formula.
fn check(formula: &Formula, found: &SessionExperiment, start: usize) -> Result<(), Error> {
    let experiment = found.experiment();
    let known = &experiment.samples.names;
    let has_table = found.set().machine().is_some_and(|machine| !machine.bsp.is_empty());
    for variable in formula.variables() {
        let is_of_machines = call_machine::number(variable.name()).is_some();
        let is_known = known.iter().any(|name| name == variable.name()) || (is_of_machines && has_table);
        if !is_known {
            let span = variable.first_use();
            if is_of_machines {
                let message = format!("`{}` has no variable `{}`", experiment.name, variable.name());
                return Err(Error::at(code::UNKNOWN_VARIABLE, start + span.start..start + span.end, message)
                    .help(crate::error::MACHINE_GIVES));
            }
            let names = known.iter().map(String::as_str);
            let message = format!("`{}` has no variable `{}`", experiment.name, variable.name());
            return Err(Error::at(code::UNKNOWN_VARIABLE, start + span.start..start + span.end, message)
                .suggesting(
                    suggest(variable.name(), names),
                    format!("it has {}", call_grammar::listed(known)),
                ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_may_have_any_name() {
        let check = |text: &str| parse("timings", text, 0).map(|formula| formula.to_string());
        let expected = "timings[0] + timings[1]*N*log(N)";
        assert_eq!(check("a[0]+a[1]*N*log(N)").unwrap(), expected);
        assert_eq!(check("timings[0] + timings[1]*N*log(N)").unwrap(), expected);
        assert_eq!(check("size[i]*c[0]").unwrap(), "timings[0]*size[i]");
        assert_eq!(check("a[0]*n**3").unwrap(), check("timings[0]*pow(n, 3)").unwrap());
        assert_eq!(check("a[0] + a[1]*n^2").unwrap(), check("a[0] + a[1]*pow(n, 2)").unwrap());
        assert!(check("a[0] + b[1]*N").is_err());
        assert!(check("N").is_err());
        assert!(check("[").is_err());
    }
}
