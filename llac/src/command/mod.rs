//! The commands, one to a file: name, help, completion and action together.

mod advise;
mod aleph;
mod archive;
mod arguments;
mod best;
mod between_intervals;
mod call_site_view;
mod check;
mod compare;
mod completion;
mod condense;
mod constants_view;
mod counted_misses;
mod crossover;
mod data;
mod diagram;
mod doubtful_places;
mod drop;
mod experiment_tree;
mod experiments;
mod export;
mod find;
mod fit;
mod forecast_view;
mod formula;
mod guessed_sets;
mod help;
mod history;
mod into;
mod isoefficiency;
mod judge;
mod known_names;
mod largest;
mod let_variable;
mod load;
pub mod machine;
mod merge;
mod model_file;
mod moved_borders;
mod named;
mod nesting;
mod outliers;
pub mod plot;
mod points;
mod predict;
mod profile;
mod program;
mod question;
mod quit;
mod ranking;
mod recorded_runs;
mod replay;
mod restore;
mod run;
mod run_facts;
pub mod set;
mod show;
mod speedup;
mod speedups;
mod subject;
mod subset;
mod units;
mod upsilon;
mod values;
mod waits;

pub use arguments::CommandArguments;
pub use check::formats as check_formats;
pub use completion::Completion;
pub use into::write_into;
pub use run::commands;

use call_grammar::suggest;

use crate::error::code;
use crate::words::Word;
use crate::{CommandOutcome, Error, Markup, Session, Style};

/// A command of the language.
pub struct Command {
    /// The word that calls it.
    pub name: &'static str,
    /// Its arguments, as in `fit [EXPERIMENT…]`.
    pub usage: &'static str,
    /// One line for the list of commands.
    pub summary: &'static str,
    /// What `help COMMAND` adds to usage and summary.
    pub details: &'static str,
    /// What may stand in each place behind the name; the last holds for all further places.
    pub completions: &'static [Completion],
    /// What may stand behind certain words, wherever those stand.
    pub behind: &'static [(&'static str, Completion)],
    /// What may stand behind the arguments.
    pub clauses: LineClauses,
    /// Whether samples and programs in files behind it are loaded before it runs, where one line is all there is, as in the shell.
    pub loads_files: bool,
    /// Whether its last word is a file that it writes, whatever it ends in.
    pub writes_last_word: bool,
    /// Whether it moves in the history of states, rather than adding to it.
    pub is_about_history: bool,
    /// What `help COMMAND WORD` says about a word that may stand behind it.
    pub explain: fn(&Word) -> Option<Result<Markup, Error>>,
    /// Does it.
    pub run: fn(&mut Session, &CommandArguments) -> Result<CommandOutcome, Error>,
}

impl Command {
    /// What most commands have in common.
    const PLAIN: Command = Command {
        name: "",
        usage: "",
        summary: "",
        details: "",
        completions: &[],
        behind: &[],
        clauses: LineClauses::None,
        loads_files: false,
        writes_last_word: false,
        is_about_history: false,
        explain: |_| None,
        run: |_, _| Ok(CommandOutcome::default()),
    };

    /// What most commands about samples have in common.
    const OF_SAMPLES: Command =
        Command { clauses: LineClauses::Samples, loads_files: true, ..Command::PLAIN };

    /// What most questions have in common.
    const QUESTION: Command = Command {
        completions: &[Completion::ExperimentOrProgram, Completion::Value],
        behind: &[("on", Completion::Machine)],
        ..Command::OF_SAMPLES
    };

    /// What help says below usage and summary.
    pub fn paragraphs(&self) -> Vec<&'static str> {
        let clauses = (self.clauses != LineClauses::None).then_some(help::CLAUSES);
        self.details.lines().chain(clauses).collect()
    }

    /// What may stand behind this word, wherever it stands; none if that depends on the place.
    pub fn completion_behind(&self, word: &str) -> Option<Completion> {
        self.behind.iter().find(|(known, _)| *known == word).map(|(_, completion)| *completion)
    }
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
pub const GROUPS: &[(&str, &[&Command])] = &[
    ("data", &[&load::LOAD, &condense::CONDENSE, &data::DATA, &experiments::EXPERIMENTS, &show::SHOW]),
    (
        "changes, which `undo` takes back",
        &[
            &subset::WHERE,
            &let_variable::LET,
            &formula::FORMULA,
            &drop::DROP,
            &restore::RESTORE,
            &merge::MERGE,
            &program::PROGRAM,
            &machine::MACHINE,
            &set::SET,
        ],
    ),
    (
        "analysis",
        &[
            &fit::FIT,
            &find::FIND,
            &upsilon::UPSILON,
            &advise::ADVISE,
            &aleph::ALEPH,
            &judge::JUDGE,
            &outliers::OUTLIERS,
            &predict::PREDICT,
            &compare::COMPARE,
            &check::CHECK,
            &archive::ARCHIVE,
            &replay::REPLAY,
            &profile::PROFILE,
            &waits::WAITS,
            &profile::PAGE,
            &plot::PLOT,
            &export::EXPORT,
        ],
    ),
    (
        "questions",
        &[
            &largest::LARGEST,
            &largest::SMALLEST,
            &best::BEST,
            &crossover::CROSSOVER,
            &speedup::SPEEDUP,
            &isoefficiency::ISOEFFICIENCY,
        ],
    ),
    (
        "session",
        &[
            &history::UNDO,
            &history::REDO,
            &history::HISTORY,
            &history::SAVE,
            &run::RUN,
            &help::HELP,
            &quit::QUIT,
            &quit::EXIT,
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
pub fn all() -> impl Iterator<Item = &'static Command> {
    GROUPS.iter().flat_map(|(_, commands)| commands.iter().copied())
}

/// The command that a word names.
pub fn named(word: &Word) -> Result<&'static Command, Error> {
    find(&word.text).ok_or_else(|| {
        let suggestion = suggest(&word.text, all().map(|command| command.name));
        word.error(code::UNKNOWN_COMMAND, format!("there is no command `{}`", word.text))
            .suggesting(suggestion, "`help` lists the commands")
    })
}

/// The command of that name.
pub fn find(name: &str) -> Option<&'static Command> {
    all().find(|command| command.name == name)
}
