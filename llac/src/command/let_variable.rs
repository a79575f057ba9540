use call_grammar::Quantity;

use super::{Command, CommandArguments};
use crate::data::SampleChange;
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub const LET: Command = Command {
    name: "let",
    usage: "let [NAME = EXPRESSION]",
    summary: "define a variable from others",
    details: "`let size = 16*N` gives every experiment that has N a variable `size`, for formulas, conditions \
        and pictures. A name that exists gets new values; `let time = time/steps` changes the times \
        themselves (seconds). Predictions, questions and pictures compute defined variables from those that they are \
        given.",
    completions: &[Completion::Nothing, Completion::Column],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let Some((text, start)) = arguments.text_from(0) else {
        return Ok(CommandOutcome::of(definitions(session)));
    };
    let Some((name, expression)) = text.split_once('=') else {
        return Err(Error::at(code::MISSING_WORD, arguments.end(), "`=` and an expression are missing")
            .help(format!("usage: {}", LET.usage)));
    };
    let word = Word::bare(name.trim(), start..start + name.trim_end().len());
    super::data::check_name(&word)?;
    if ["processor", "run"].contains(&word.text.as_str()) {
        return Err(Error::at(code::NAME_TAKEN, word.span, format!("`{}` cannot be changed", word.text)));
    }
    let skipped = name.len() + 1 + (expression.len() - expression.trim_start().len());
    let quantity =
        Quantity::parse(expression.trim()).map_err(|errors| Error::of_formula(&errors, start + skipped))?;
    let step = SampleChange::Let { name: word.text.clone(), quantity };
    let changed = session
        .state()
        .data()
        .with_step(step)
        .map_err(|error| error.with_span(start + skipped..start + text.len()))?;
    session.change().set_data(changed);
    Ok(CommandOutcome::line(format!("{} = {}", word.text, expression.trim())))
}

fn definitions(session: &Session) -> Markup {
    let mut markup = Markup::new();
    for step in session.state().data().steps() {
        if let SampleChange::Let { name, quantity } = step {
            markup.line(Style::Plain, format!("let {name} = {quantity}"));
        }
    }
    if markup.blocks().is_empty() {
        markup.line(Style::Plain, "nothing is defined");
    }
    markup
}
