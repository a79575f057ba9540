use super::{Command, CommandArguments};
use crate::data::{SampleChange, SampleCondition};
use crate::{CommandOutcome, Completion, Error, Markup, Session, Style};

pub const WHERE: Command = Command {
    name: "where",
    usage: "where [CONDITION | all]",
    summary: "go on with a part of the samples",
    details: "`where P <= 16 and N >= 4096` leaves the other samples out, of all experiments that have these \
        variables. Conditions compare expressions with <, <=, >, >=, = and !=, and are joined by and, or, \
        not and parentheses; besides variables there are `time` (seconds), `processor`, `run` and \
        counters. Several of these commands hold together; `where all` takes all back. At the end of an \
        analysis, as in `fit f where P <= 16`, the condition holds for that command only.",
    completions: &[Completion::Column],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let data = session.state().data();
    let Some((text, start)) = arguments.text_from(0) else {
        return Ok(CommandOutcome::of(conditions(session)));
    };
    let changed = if text == "all" {
        data.without_steps(|step| matches!(step, SampleChange::Where(_)))
    } else {
        let condition = SampleCondition::parse(text, start)?;
        data.with_step(SampleChange::Where(condition))
    };
    let changed = changed.map_err(|error| error.with_span(start..start + text.len()))?;
    session.change().set_data(changed);
    let counts: Vec<String> = session
        .state()
        .data()
        .experiments()
        .iter()
        .map(|experiment| format!("{} of {}", experiment.samples.len(), experiment.name))
        .collect();
    Ok(CommandOutcome::line(format!("now samples: {}", call_grammar::listed(&counts))))
}

fn conditions(session: &Session) -> Markup {
    let mut markup = Markup::new();
    for step in session.state().data().steps() {
        if let SampleChange::Where(condition) = step {
            markup.line(Style::Plain, format!("where {condition}"));
        }
    }
    if markup.blocks().is_empty() {
        markup.line(Style::Plain, "no condition: all samples count");
    }
    markup
}
