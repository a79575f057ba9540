use super::Session;
use crate::command::{self, Command, CommandArguments, LineClauses};
use crate::error::code;
use crate::line::ParsedCommand;
use crate::words::{Word, joined, words};
use crate::{CommandOutcome, Error, Message};

/// Longer command lines are not meant.
const MOST_BYTES: usize = 4 << 20;

/// Words that begin a part of a line, and that variables may be called.
const CLAUSES: [&str; 4] = ["on", "scale", "where", "into"];

impl Session {
    /// Runs one command line. An empty line or a comment does nothing. A backslash before a line feed joins lines, and so do open brackets.
    ///
    /// # Errors
    /// What is wrong and where in the line; the session is then as before.
    pub fn run(&mut self, line: &str) -> Result<CommandOutcome, Error> {
        if line.len() > MOST_BYTES {
            let message = format!("the line has {} bytes, more than {MOST_BYTES}", line.len());
            return Err(Error::new(code::TOO_LARGE, message).help("give long lists as a table to `load`"));
        }
        let joined = joined(line);
        let has_clauses =
            |name: &str| command::find(name).is_some_and(|command| command.clauses != LineClauses::None);
        let Some(line) =
            ParsedCommand::parse(&joined, has_clauses).map_err(|error| self.or_quoted(error, &joined))?
        else {
            return Ok(CommandOutcome::default());
        };
        let command = command::named(&line.command)?;
        let before = self.state.clone();
        let hidden_before = before.hidden();
        let known = self.past.len();
        let mut outcome = self.run_command(command, line).map_err(|error| self.or_quoted(error, &joined));
        if command.is_about_history {
            // It has seen to the states itself.
        } else if outcome.is_err() {
            self.set_state(before);
            self.past.truncate(known);
        } else if self.state.revision != before.revision && self.past.len() == known {
            // A command that ran others has left their lines.
            self.past.push((before, joined));
            self.undone.clear();
        }
        if let Ok(outcome) = &mut outcome {
            let hidden = self.state.hidden().into_iter().filter(|one| !hidden_before.contains(one));
            outcome.warnings.extend(hidden.map(|(name, what)| {
                let text = format!(
                    "`{name}` means the experiment from now on, and no longer the {what}: rename one of them"
                );
                Message::new("hidden-name", text)
            }));
        }
        outcome
    }

    /// An error of a line with a word of the language that is a variable, too: quotes would make it that.
    fn or_quoted(&self, error: Error, line: &str) -> Error {
        let is_variable = |word: &&Word| {
            let mut experiments = self.state.data().experiments().iter();
            CLAUSES.iter().any(|clause| word.is(clause))
                && experiments.any(|its| its.samples.names.contains(&word.text))
        };
        let words = words(line).unwrap_or_default();
        let mut variables = words.iter().filter(is_variable);
        let place = error.span();
        let at_place = variables.clone().find(|word| Some(&word.span) == place.as_ref());
        let Some(Word { text, .. }) = at_place.or_else(|| variables.next()) else { return error };
        let cure = error.cure().map_or(String::new(), |cure| format!("{cure}; "));
        error.help(format!("{cure}the variable `{text}` stands in quotes: `'{text}'`"))
    }

    fn run_command(&mut self, command: &Command, mut line: ParsedCommand) -> Result<CommandOutcome, Error> {
        let into = line.into.take();
        let arguments = CommandArguments::new(line);
        let outcome = match arguments.condition() {
            Some(condition) if command.clauses == LineClauses::Samples => {
                let mut chosen = self.where_condition(condition, &arguments)?;
                (command.run)(&mut chosen, &arguments)?
            }
            _ => (command.run)(self, &arguments)?,
        };
        match into {
            None => Ok(outcome),
            Some(file) => command::write_into(self, outcome, &file),
        }
    }
}
