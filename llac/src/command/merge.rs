use call_grammar::Formula;
use call_trace::{Experiment, Run};

use super::{Command, CommandArguments};
use crate::data::SampleChange;
use crate::error::code;
use crate::{CommandOutcome, Completion, Error, Message, Session};

pub const MERGE: Command = Command {
    name: "merge",
    usage: "merge EXPERIMENT… as NAME",
    summary: "make one experiment of several",
    details: "`merge f old.f as both` makes an experiment that has the samples of both. They need the same \
        variables; the formula is that of the first that has one.",
    completions: &[Completion::Experiment],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let [words @ .., as_word, name] = arguments.words() else {
        return Err(Error::at(code::MISSING_WORD, arguments.end(), "experiments and a name are missing")
            .help(format!("usage: {}", MERGE.usage)));
    };
    if as_word.text != "as" || words.is_empty() {
        return Err(as_word
            .error(code::MISSING_WORD, "the name of the new experiment is missing")
            .help(format!("usage: {}", MERGE.usage)));
    }
    super::data::check_name(name)?;
    if session.state().data().experiments().iter().any(|known| known.name == name.text) {
        return Err(name.error(code::NAME_TAKEN, format!("there is an experiment `{}` already", name.text)));
    }
    let mut parts = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for word in words {
        let found = session.experiment(word)?;
        if known.contains(&found.name) {
            let message = format!("`{}` is named twice, and its samples would count twice", found.name);
            return Err(word.error(code::GIVEN_TWICE, message));
        }
        known.push(found.name.clone());
        parts.push((found.runs().to_vec(), renamed(found.experiment(), &name.text)));
    }
    let count: usize = parts.iter().map(|(_, part)| part.samples.len()).sum();
    let warnings = doubts(&name.text, &known, &parts);
    let step = SampleChange::Merge { name: name.text.clone(), parts };
    let changed = session.state().data().with_step(step)?;
    session.change().set_data(changed);
    let mut outcome = CommandOutcome::line(format!("{} has {count} samples", name.text));
    outcome.warnings.extend(warnings);
    Ok(outcome)
}

/// What may not be meant: parts with the same samples, and with other formulas.
fn doubts(name: &str, names: &[String], parts: &[(Vec<Run>, Experiment)]) -> Vec<Message> {
    let mut found = Vec::new();
    for (place, (_, part)) in parts.iter().enumerate() {
        let is_same =
            |(_, other): &&(Vec<Run>, Experiment)| !part.samples.is_empty() && part.samples == other.samples;
        if let Some(first) = parts[..place].iter().position(|other| is_same(&other)) {
            let text = format!(
                "{} has the samples of {}: in {name} they count twice, as if they had been measured again",
                names[place], names[first]
            );
            found.push(Message::new("counted-twice", text));
        }
    }
    let formula = |part: &Experiment| part.formula.clone();
    let with_formula = parts.iter().zip(names).filter_map(|((_, part), name)| Some((name, formula(part)?)));
    let mut with_formula: Vec<(&String, String)> = with_formula.collect();
    with_formula.dedup_by(|later, earlier| later.1 == earlier.1);
    if let [(first, formula), (other, left_out), ..] = &with_formula[..] {
        let text = format!("{name} has the formula {formula} of {first}, and not {left_out} of {other}");
        found.push(Message::new("formula-changed", text));
    }
    found
}

/// The experiment with constants of the new name in its formula; its own name stays, for messages.
fn renamed(experiment: &Experiment, name: &str) -> Experiment {
    let formula = experiment.formula.as_deref().and_then(|text| Formula::parse(&experiment.name, text).ok());
    Experiment { formula: formula.map(|formula| formula.renamed(name).to_string()), ..experiment.clone() }
}
