use call_grammar::counted;

use super::model_file::file_of;
use super::{Command, CommandArguments, LineClauses, archive};
use crate::error::{code, no_formula};
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub const UNDO: Command = Command {
    name: "undo",
    usage: "undo",
    summary: "take the last change back",
    details: "Works for everything that changes data or settings, back to the start; `redo` does it again.",
    is_about_history: true,
    run: undo,
    ..Command::PLAIN
};

fn undo(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(0, UNDO.usage)?;
    match session.undo() {
        Some(line) => Ok(CommandOutcome::line(format!("taken back: {line}"))),
        None => Err(Error::new(code::NOTHING_TO_UNDO, "there is nothing to take back")),
    }
}

pub const REDO: Command = Command {
    name: "redo",
    usage: "redo",
    summary: "do again what was taken back",
    details: "As long as nothing else was changed since `undo`.",
    is_about_history: true,
    run: redo,
    ..Command::PLAIN
};

fn redo(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(0, REDO.usage)?;
    match session.redo() {
        Some(line) => Ok(CommandOutcome::line(format!("done again: {line}"))),
        None => Err(Error::new(code::NOTHING_TO_UNDO, "there is nothing to do again")),
    }
}

pub const HISTORY: Command = Command {
    name: "history",
    usage: "history | history [EXPERIMENT | CONSTANT] in FOLDER [all] [picture] [alarms SHARE] [FILE.svg]",
    summary: "list the changes that led here, or those of constants in an archive",
    details: "Alone: the lines that `save` writes; run again, they make the same state.\n\
        `history f in FOLDER` shows how constants went over the entries that `archive add` has made: levels, and changes with their size and where they are, each \
        with its interval of 90 %. Together, all constants of a history without a change show one in 1 of 100 cases at most (`alarms`). Single \
        spikes are no changes, and are named. Entries of another formula, machine or compiler are not compared. `all` shows each entry, `picture` or \
        FILE.svg draws them.",
    behind: &[("in", Completion::File)],
    clauses: LineClauses::Own,
    run: history,
    ..Command::PLAIN
};

fn history(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if !arguments.words().is_empty() {
        return archive::history(session, arguments);
    }
    let mut markup = Markup::new();
    for line in session.lines() {
        markup.line(Style::Plain, line);
    }
    if markup.blocks().is_empty() {
        markup.line(Style::Plain, "nothing was changed yet");
    }
    Ok(CommandOutcome::of(markup))
}

pub const SAVE: Command = Command {
    name: "save",
    usage: "save FILE.llac | save model [EXPERIMENT] into FILE.model.json",
    summary: "write a script that leads here, or a model",
    details: "The script has the changes of `history`; `llac FILE.llac` or `run FILE.llac` rebuilds the state \
        from the same files.\n\
        `save model f into f.model.json` writes the fitted model with all that its intervals need, `let`, the machine in use and \
        where the samples are from, but no samples. `load f.model.json` brings it back, elsewhere too: questions then have \
        the same answers to the last digit.",
    completions: &[Completion::File, Completion::Nothing],
    behind: &[("model", Completion::Experiment), ("into", Completion::File)],
    run: save,
    ..Command::PLAIN
};

fn save(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if let [first, rest @ ..] = arguments.words()
        && first.text == "model"
        && !rest.is_empty()
    {
        return save_model(session, arguments, rest);
    }
    let file = arguments.required(0, "the file", SAVE.usage)?;
    arguments.at_most(1, SAVE.usage)?;
    let lines: Vec<&str> = session.lines().collect();
    let text: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
    session.write(file, text.as_bytes())?;
    Ok(CommandOutcome::line(format!("{} written to {}", counted(lines.len(), "line"), file.text)))
}

/// `[EXPERIMENT] into FILE`.
fn save_model(
    session: &mut Session,
    arguments: &CommandArguments,
    words: &[Word],
) -> Result<CommandOutcome, Error> {
    const USAGE: &str = "usage: save model [EXPERIMENT] into FILE.model.json";
    let (name, file) = match words {
        [into, file] if into.text == "into" => (None, file),
        [name, into, file] if into.text == "into" => (Some(name), file),
        _ => {
            return Err(
                Error::at(code::MISSING_WORD, arguments.end(), "expected `into` and a file").help(USAGE)
            );
        }
    };
    let found = match name {
        Some(name) => session.experiment(name)?,
        None => session.unnamed(None, arguments.end())?,
    };
    if found.experiment().formula.is_none() {
        let message = format!("`{}` has no formula, and so no model to be saved", found.name);
        return Err(Error::new(code::NO_FORMULA, message).help(no_formula(&found.name)));
    }
    let forecaster = session.forecaster(&found)?;
    session.write(file, file_of(&found, &forecaster).to_text().as_bytes())?;
    Ok(CommandOutcome::line(format!("the model of {} written to {}", found.name, file.text)))
}
