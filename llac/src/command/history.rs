use super::model_file::file_of;
use super::{Arguments, Command};
use crate::error::{code, no_formula};
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub struct UndoCommand;
pub struct RedoCommand;
pub struct HistoryCommand;
pub struct SaveCommand;

impl Command for UndoCommand {
    fn name(&self) -> &'static str {
        "undo"
    }

    fn usage(&self) -> &'static str {
        "undo"
    }

    fn summary(&self) -> &'static str {
        "take the last change back"
    }

    fn details(&self) -> &'static str {
        "Works for everything that changes data or settings, back to the start; `redo` does it again."
    }

    fn completions(&self) -> &'static [Completion] {
        &[]
    }

    fn is_about_history(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
        arguments.at_most(0, self.usage())?;
        match session.undo() {
            Some(line) => Ok(CommandOutcome::line(format!("taken back: {line}"))),
            None => Err(Error::new(code::NOTHING_TO_UNDO, "there is nothing to take back")),
        }
    }
}

impl Command for RedoCommand {
    fn name(&self) -> &'static str {
        "redo"
    }

    fn usage(&self) -> &'static str {
        "redo"
    }

    fn summary(&self) -> &'static str {
        "do again what was taken back"
    }

    fn details(&self) -> &'static str {
        "As long as nothing else was changed since `undo`."
    }

    fn completions(&self) -> &'static [Completion] {
        &[]
    }

    fn is_about_history(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
        arguments.at_most(0, self.usage())?;
        match session.redo() {
            Some(line) => Ok(CommandOutcome::line(format!("done again: {line}"))),
            None => Err(Error::new(code::NOTHING_TO_UNDO, "there is nothing to do again")),
        }
    }
}

impl Command for HistoryCommand {
    fn name(&self) -> &'static str {
        "history"
    }

    fn usage(&self) -> &'static str {
        "history"
    }

    fn summary(&self) -> &'static str {
        "list the changes that led here"
    }

    fn details(&self) -> &'static str {
        "These are the lines that `save` writes: run again, they make the same state."
    }

    fn completions(&self) -> &'static [Completion] {
        &[]
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
        arguments.at_most(0, self.usage())?;
        let mut markup = Markup::new();
        for line in session.lines() {
            markup.line(Style::Plain, line);
        }
        if markup.blocks().is_empty() {
            markup.line(Style::Plain, "nothing was changed yet");
        }
        Ok(CommandOutcome::of(markup))
    }
}

impl Command for SaveCommand {
    fn name(&self) -> &'static str {
        "save"
    }

    fn usage(&self) -> &'static str {
        "save FILE.llac | save model [EXPERIMENT] into FILE.model.json"
    }

    fn summary(&self) -> &'static str {
        "write a script that leads here, or a model"
    }

    fn details(&self) -> &'static str {
        "The script has the changes of `history`; `llac FILE.llac` or `run FILE.llac` rebuilds the state \
         from the same files.\n\
         `save model f into f.model.json` writes the fitted model with all that its intervals need, `let`, the machine in use and \
         where the samples are from, but no samples. `load f.model.json` brings it back, elsewhere too: questions then have \
         the same answers to the last digit."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::File, Completion::Nothing]
    }

    fn completion_behind(&self, word: &str) -> Option<Completion> {
        match word {
            "model" => Some(Completion::Experiment),
            "into" => Some(Completion::File),
            _ => None,
        }
    }

    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
        if let [first, rest @ ..] = arguments.words()
            && first.text == "model"
            && !rest.is_empty()
        {
            return save_model(session, arguments, rest);
        }
        let file = arguments.required(0, "the file", self.usage())?;
        arguments.at_most(1, self.usage())?;
        let lines: Vec<&str> = session.lines().collect();
        let text: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
        session.write(file, text.as_bytes())?;
        let plural = if lines.len() == 1 { "" } else { "s" };
        Ok(CommandOutcome::line(format!("{} line{plural} written to {}", lines.len(), file.text)))
    }
}

/// `[EXPERIMENT] into FILE`.
fn save_model(session: &mut Session, arguments: &Arguments, words: &[Word]) -> Result<CommandOutcome, Error> {
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
