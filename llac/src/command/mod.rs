//! The commands, one to a file: name, help, completion and action together.

mod advise;
mod aleph;
mod arguments;
mod best;
mod compare;
mod completion;
mod constants_view;
mod crossover;
mod data;
mod diagram;
mod drop;
mod experiments;
mod export;
mod find;
mod fit;
mod forecast_view;
mod formula;
mod help;
mod history;
mod into;
mod isoefficiency;
mod judge;
mod largest;
mod let_variable;
mod load;
pub mod machine;
mod merge;
mod model_file;
mod named;
mod outliers;
pub mod plot;
mod points;
mod predict;
mod profile;
mod program;
mod question;
mod quit;
mod ranking;
mod replay;
mod restore;
mod run;
pub mod set;
mod show;
mod speedup;
mod speedups;
mod subject;
mod subset;
mod units;
mod values;

pub use arguments::Arguments;
pub use completion::Completion;
pub use into::write_into;
pub use run::commands;

use call_grammar::suggest;

use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Session, Style};

/// A command of the language.
pub trait Command: Sync {
    /// The word that calls it.
    fn name(&self) -> &'static str;

    /// Its arguments, as in `fit [EXPERIMENT…]`.
    fn usage(&self) -> &'static str;

    /// One line for the list of commands.
    fn summary(&self) -> &'static str;

    /// What `help COMMAND` adds to usage and summary.
    fn details(&self) -> &'static str;

    /// What help says below usage and summary.
    fn paragraphs(&self) -> Vec<&'static str> {
        let clauses = (self.clauses() != LineClauses::None).then_some(help::CLAUSES);
        self.details().lines().chain(clauses).collect()
    }

    /// What may stand in each place behind the name; the last holds for all further places.
    fn completions(&self) -> &'static [Completion];

    /// What may stand behind this word, wherever it stands; none if that depends on the place.
    fn completion_behind(&self, _word: &str) -> Option<Completion> {
        None
    }

    /// What may stand behind the arguments.
    fn clauses(&self) -> LineClauses {
        LineClauses::None
    }

    /// Whether samples and programs in files behind it are loaded before it runs, where one line is all there is, as in the shell.
    fn loads_files(&self) -> bool {
        self.clauses() != LineClauses::None
    }

    /// Whether its last word is a file that it writes, whatever it ends in.
    fn writes_last_word(&self) -> bool {
        false
    }

    /// What `help COMMAND WORD` says about a word that may stand behind it.
    fn explain(&self, _word: &Word) -> Option<Result<Markup, Error>> {
        None
    }

    /// Whether it moves in the history of states, rather than adding to it.
    fn is_about_history(&self) -> bool {
        false
    }

    /// Does it.
    fn run(&self, session: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error>;
}

/// Which clauses a command has: `where CONDITION` and `into FILE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineClauses {
    /// Neither.
    None,
    /// Both; the command sees only samples that fulfil the condition.
    Samples,
    /// Both; the command says what the condition means.
    Own,
}

/// The commands under headings, in the order of the help text.
pub const GROUPS: &[(&str, &[&dyn Command])] = &[
    ("data", &[&load::LoadCommand, &data::DataCommand, &experiments::ExperimentsCommand, &show::ShowCommand]),
    (
        "changes, which `undo` takes back",
        &[
            &subset::WhereCommand,
            &let_variable::LetCommand,
            &formula::FormulaCommand,
            &drop::DropCommand,
            &restore::RestoreCommand,
            &merge::MergeCommand,
            &program::ProgramCommand,
            &machine::MachineCommand,
            &set::SetCommand,
        ],
    ),
    (
        "analysis",
        &[
            &fit::FitCommand,
            &find::FindCommand,
            &advise::AdviseCommand,
            &aleph::AlephCommand,
            &judge::JudgeCommand,
            &outliers::OutliersCommand,
            &predict::PredictCommand,
            &compare::CompareCommand,
            &replay::ReplayCommand,
            &profile::ProfileCommand,
            &profile::PageCommand,
            &plot::PlotCommand,
            &export::ExportCommand,
        ],
    ),
    (
        "questions",
        &[
            &largest::LargestCommand,
            &best::BestCommand,
            &crossover::CrossoverCommand,
            &speedup::SpeedupCommand,
            &isoefficiency::IsoefficiencyCommand,
        ],
    ),
    (
        "session",
        &[
            &history::UndoCommand,
            &history::RedoCommand,
            &history::HistoryCommand,
            &history::SaveCommand,
            &run::RunCommand,
            &help::HelpCommand,
            &quit::QuitCommand,
        ],
    ),
];

/// What is shown of a file that was written.
fn wrote(file: &Word) -> Markup {
    let mut markup = Markup::new();
    markup.fragments([(Style::Plain, "wrote ".to_owned()), (Style::Name, file.text.clone())]);
    markup
}

/// The word for recorded runs among subjects.
pub const REPLAY: &str = "replay";

/// All commands.
pub fn all() -> impl Iterator<Item = &'static dyn Command> {
    GROUPS.iter().flat_map(|(_, commands)| commands.iter().copied())
}

/// The command that a word names.
pub fn named(word: &Word) -> Result<&'static dyn Command, Error> {
    find(&word.text).ok_or_else(|| {
        let suggestion = suggest(&word.text, all().map(|command| command.name()));
        Error::at(code::UNKNOWN_COMMAND, word.span.clone(), format!("there is no command `{}`", word.text))
            .suggesting(suggestion, "`help` lists the commands")
    })
}

/// The command of that name.
pub fn find(name: &str) -> Option<&'static dyn Command> {
    all().find(|command| command.name() == name)
}
