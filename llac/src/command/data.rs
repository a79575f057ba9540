use call_grammar::suggest;
use call_report::{Column, Table, TableCell};

use super::{Command, CommandArguments};
use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Completion, Error, Markup, Session};

pub const DATA: Command = Command {
    name: "data",
    usage: "data [SET]",
    summary: "list data sets, or go to another",
    details: "Samples live in named sets; the first is called `data`. `load FILE as SET` makes more. Names of \
        experiments mean those of the current set; `SET.f` is the f of another one.",
    completions: &[Completion::DataSet, Completion::Nothing],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(1, DATA.usage)?;
    let Some(word) = arguments.words().first() else { return Ok(CommandOutcome::of(list(session))) };
    let sets = session.state().sets();
    if !sets.contains_key(&word.text) {
        let names = sets.keys().map(String::as_str);
        let all = format!("there are {}", sets.keys().cloned().collect::<Vec<_>>().join(", "));
        return Err(word
            .error(code::UNKNOWN_DATA_SET, format!("there is no data set `{}`", word.text))
            .suggesting(suggest(&word.text, names), all));
    }
    session.change().use_set(&word.text);
    Ok(CommandOutcome::line(format!("the current data set is {}", word.text)))
}

/// Whether a word can name a data set or a variable.
pub fn check_name(word: &Word) -> Result<(), Error> {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_name =
        word.text.starts_with(is_start) && word.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name {
        return Ok(());
    }
    Err(word
        .error(code::NOT_A_NAME, format!("`{}` is not a name", word.text))
        .help("names have letters, digits and _, and start with no digit"))
}

fn list(session: &Session) -> Markup {
    let state = session.state();
    let mut table = Table::new([
        Column::left("set"),
        Column::left("current"),
        Column::right("files"),
        Column::right("samples"),
        Column::left("experiments"),
    ])
    .named("sets");
    for (name, set) in state.sets() {
        let files: usize = set.runs().iter().map(|run| run.files.len()).sum();
        let samples: usize = set.experiments().iter().map(|experiment| experiment.samples.len()).sum();
        let names: Vec<String> = set.experiments().iter().map(|experiment| experiment.name.clone()).collect();
        table.row([
            TableCell::from(name.as_str()),
            TableCell::from(if name == state.current() { "yes" } else { "" }),
            files.into(),
            samples.into(),
            call_grammar::listed(&names).into(),
        ]);
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup
}
