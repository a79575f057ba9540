use call_grammar::Formula;
use call_trace::Experiment;

use super::{Command, CommandArguments};
use crate::data::SampleChange;
use crate::error::code;
use crate::{CommandOutcome, Completion, Error, Session};

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
    let step = SampleChange::Merge { name: name.text.clone(), parts };
    let changed = session.state().data().with_step(step)?;
    session.change().set_data(changed);
    Ok(CommandOutcome::line(format!("{} has {count} samples", name.text)))
}

/// The experiment with constants of the new name in its formula; its own name stays, for messages.
fn renamed(experiment: &Experiment, name: &str) -> Experiment {
    let formula = experiment.formula.as_deref().and_then(|text| Formula::parse(&experiment.name, text).ok());
    Experiment { formula: formula.map(|formula| formula.renamed(name).to_string()), ..experiment.clone() }
}
