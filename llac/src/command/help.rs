use super::{ALL, Arguments, Command};
use crate::markup::wrap;
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Help;

impl Command for Help {
    fn name(&self) -> &'static str {
        "help"
    }

    fn usage(&self) -> &'static str {
        "help [COMMAND]"
    }

    fn summary(&self) -> &'static str {
        "list commands, or explain one"
    }

    fn details(&self) -> &'static str {
        "Words with blanks in them are quoted, `#` starts a comment."
    }

    fn completions(&self) -> &'static [Completion] {
        &[Completion::Command, Completion::Nothing]
    }

    fn run(&self, _: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.at_most(1, self.usage())?;
        let mut markup = Markup::new();
        let Some(word) = arguments.words().first() else {
            let width = ALL.iter().map(|command| command.usage().chars().count()).max().unwrap_or(0);
            for command in ALL {
                let padding = " ".repeat(width - command.usage().chars().count());
                markup.fragments([
                    (Style::Name, command.usage().to_owned()),
                    (Style::Plain, format!("{padding}  {}", command.summary())),
                ]);
            }
            return Ok(Outcome::of(markup));
        };
        let command = super::named(word)?;
        markup.line(Style::Name, command.usage());
        markup.line(Style::Plain, command.summary());
        for line in wrap(command.details()) {
            markup.line(Style::Plain, line);
        }
        Ok(Outcome::of(markup))
    }
}
