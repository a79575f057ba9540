use super::{Arguments, Clauses, Command, GROUPS};
use crate::{Completion, Error, Markup, Outcome, Session, Style};

pub struct Help;

const CLAUSES: &str = "Commands of the analysis, `experiments` and `show` may end in `where CONDITION`, which holds for that command only, and in \
    `into FILE.csv` (.json, .tex, .txt), which writes the result to a file.";

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
            let width = super::all().map(|command| command.usage().chars().count()).max().unwrap_or(0);
            for (title, commands) in GROUPS {
                markup.line(Style::Strong, *title);
                for command in *commands {
                    let padding = " ".repeat(width - command.usage().chars().count());
                    markup.fragments([
                        (Style::Name, format!("  {}", command.usage())),
                        (Style::Plain, format!("{padding}  {}", command.summary())),
                    ]);
                }
            }
            markup.line(Style::Plain, "");
            markup.paragraph(CLAUSES);
            return Ok(Outcome::of(markup));
        };
        let command = super::named(word)?;
        markup.line(Style::Name, command.usage());
        markup.line(Style::Plain, command.summary());
        markup.paragraph(command.details());
        if command.clauses() != Clauses::None {
            markup.paragraph(CLAUSES);
        }
        Ok(Outcome::of(markup))
    }
}
