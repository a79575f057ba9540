use super::{Command, CommandArguments, GROUPS};
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub const CLAUSES: &str = "Commands of the analysis, `experiments` and `show` may end in `where CONDITION`, which holds for that command only, and in \
    `into FILE.csv` (.json, .tex, .txt), which writes the result to a file.";

pub const HELP: Command = Command {
    name: "help",
    usage: "help [COMMAND [SETTING]]",
    summary: "list commands, or explain one",
    details: "`help set weights` explains a setting. Words with blanks in them are quoted, `#` starts a comment; behind a backslash, in \
        quotes and in brackets a command goes on in the next line.",
    completions: &[Completion::Command, Completion::Nothing],
    behind: &[("set", Completion::Setting)],
    run,
    ..Command::PLAIN
};

fn run(_: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(2, HELP.usage)?;
    let mut markup = Markup::new();
    let Some(word) = arguments.words().first() else {
        let width = super::all().map(|command| command.name.len()).max().unwrap_or(0);
        for (title, commands) in GROUPS {
            markup.line(Style::Strong, *title);
            for command in *commands {
                let padding = " ".repeat(width - command.name.len());
                markup.fragments([
                    (Style::Name, format!("  {}", command.name)),
                    (Style::Plain, format!("{padding}  {}", command.summary)),
                ]);
            }
        }
        markup.line(Style::Plain, "");
        markup.paragraph("`help COMMAND` says what stands behind it.");
        markup.paragraph(CLAUSES);
        return Ok(CommandOutcome::of(markup));
    };
    let command = super::named(word)?;
    if let Some(further) = arguments.words().get(1) {
        let nothing = || arguments.at_most(1, HELP.usage).map(|()| markup);
        return (command.explain)(further).unwrap_or_else(nothing).map(CommandOutcome::of);
    }
    markup.line(Style::Name, command.usage);
    markup.line(Style::Plain, command.summary);
    for paragraph in command.paragraphs() {
        markup.paragraph(paragraph);
    }
    Ok(CommandOutcome::of(markup))
}
