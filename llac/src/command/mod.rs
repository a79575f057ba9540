//! The commands, one to a file: name, help, completion and action together.

mod aleph;
mod arguments;
mod compare;
mod experiments;
mod fit;
mod help;
mod load;
mod plot;
mod predict;
mod quit;
pub mod set;
mod show;

pub use arguments::Arguments;

use call_grammar::suggest;

use crate::words::Word;
use crate::{Completion, Error, Outcome, Session};

/// A command of the language.
pub trait Command: Sync {
    /// The word that calls it.
    fn name(&self) -> &'static str;

    /// Its arguments, as in `fit EXPERIMENT…`.
    fn usage(&self) -> &'static str;

    /// One line for the list of commands.
    fn summary(&self) -> &'static str;

    /// What `help COMMAND` adds to usage and summary.
    fn details(&self) -> &'static str;

    /// What may stand in each place behind the name; the last holds for all further places.
    fn completions(&self) -> &'static [Completion];

    /// Does it.
    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<Outcome, Error>;
}

/// All commands in the order of the help text.
pub const ALL: &[&dyn Command] = &[
    &load::Load,
    &experiments::Experiments,
    &show::Show,
    &fit::Fit,
    &aleph::Aleph,
    &predict::Predict,
    &compare::Compare,
    &plot::Plot,
    &set::Set,
    &help::Help,
    &quit::Quit,
];

/// The command that a word names.
pub fn named(word: &Word) -> Result<&'static dyn Command, Error> {
    find(&word.text).ok_or_else(|| {
        let suggestion = suggest(&word.text, ALL.iter().map(|command| command.name()));
        Error::at(word.span.clone(), format!("there is no command `{}`", word.text))
            .suggesting(suggestion, "`help` lists the commands")
    })
}

/// The command of that name.
pub fn find(name: &str) -> Option<&'static dyn Command> {
    ALL.iter().copied().find(|command| command.name() == name)
}
