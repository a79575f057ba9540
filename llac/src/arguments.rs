//! The command line of the shell, made of the table of commands.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, StyledStr};
use clap::{Arg, ArgAction, Args, Command, ValueHint, value_parser};
use clap_complete::Shell;
use llac::{GROUPS, MemoryWorkspace, Page, Session};

use crate::door::OutputFormat;
use crate::probe;

const ABOUT: &str = "Fits complexity formulas to measured times, finds the intervals where their constants hold, and predicts";

const LONG_ABOUT: &str = "\
Fits complexity formulas to measured times, finds the intervals where their constants hold, and predicts.

Without words it reads commands from the terminal or, if there is none, from standard input. A SCRIPT has a command a line. If the \
first word is the name of a command, that one is run: `llac ./fit` or `llac run fit` runs a script of that name.

A word behind a command is a FILE of samples if it ends in .dat, .csv, .tsv, .txt, .json, .jsonl, .ndjson, .xml, .cubex, .cube or .extra-p, if it is a path \
with a /, or if it has the wildcards * or ?; it is a model program if it ends in .obsp. Others stand behind --data or at the end behind \
--. A formula, as 'a[0] + a[1]*N', is given to the experiment.

Exit status: 0 all is well, 1 the answer of the last command is no (as of `largest` where no size is possible), 2 errors, 3 it cannot be told (as by \
`check` of too few runs). Of several `check` the worst answer counts: 1, then 3, then 0.";

const EXAMPLES: &str = "  llac fit timings.csv 'a[0] + a[1]*N*log(N)'
  llac predict fft.call.*.dat f N=1048576 P=1:32:2
  llac predict fft.call.*.dat fft.obsp N=1048576 P=1:32:2
  llac plot fft.call.*.dat f N picture.svg";

const COMPLETIONS: &str = "\
print what a shell needs to complete words of llac

`make install` puts it in place for bash, zsh and fish. By hand, for bash: `llac completions bash \
>~/.local/share/bash-completion/completions/llac`.";

/// Names of arguments.
pub mod id {
    pub const SCRIPTS: &str = "scripts";
    pub const COMMANDS: &str = "commands";
    pub const FORMAT: &str = "format";
    pub const WORDS: &str = "words";
    pub const DATA: &str = "data";
    pub const FILES: &str = "files";
    pub const EDIT: &str = "edit";
    pub const SHELL: &str = "shell";
    pub const DIRECTORY: &str = "directory";
}

/// What a command line is wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be taken apart and explained.
    Shell,
    /// In those of zsh, subcommands would stand behind all SCRIPTs.
    Completions,
    /// Manual pages break lines and list subcommands themselves.
    Manual,
}

/// The whole command line.
pub fn command(purpose: Purpose) -> Command {
    let scripts = Arg::new(id::SCRIPTS).value_name("SCRIPT").num_args(0..).value_hint(ValueHint::FilePath);
    Command::new("llac")
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .long_about(LONG_ABOUT)
        .override_usage("llac [OPTIONS] COMMAND [FILE…] [WORD…]\n       llac [OPTIONS] [SCRIPT…]")
        .help_template("{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}")
        .after_help(if purpose == Purpose::Manual { StyledStr::new() } else { overview() })
        .disable_help_subcommand(true)
        .args(options())
        .args((purpose != Purpose::Completions).then_some(scripts.help("Scripts to run, a command a line")))
        .subcommands(GROUPS.iter().flat_map(|(_, all)| *all).map(|its| subcommand(its, purpose)))
        .subcommands([completions_command(), manual_command()])
}

/// Options that may stand anywhere. Each subcommand has them, too: of what clap calls global options, those before the subcommand are
/// lost if there are some behind it.
fn options() -> [Arg; 2] {
    let command = Arg::new(id::COMMANDS).short('e').value_name("COMMAND").action(ArgAction::Append);
    let format = Arg::new(id::FORMAT).long("format").value_parser(value_parser!(OutputFormat));
    [
        command.help("Run this command of a session first; may be repeated"),
        format.value_name("FORMAT").hide_possible_values(true).help(
            "How results are written: text (if nothing is said), csv (the tables), json (one object), jsonl (an object for each command)",
        ),
    ]
}

/// A command of the session as one of the shell.
fn subcommand(command: &'static llac::Command, purpose: Purpose) -> Command {
    let made = Command::new(command.name)
        .about(command.summary)
        .long_about(format!("{}\n\n{}", command.summary, command.paragraphs().join("\n\n")))
        .override_usage(usage(command, purpose))
        .disable_help_subcommand(true)
        .args(options());
    let first = if purpose == Purpose::Completions { first_words(command) } else { Vec::new() };
    match command.name {
        "machine" => machine(made, first),
        _ if command.loads_files => made
            .args((command.name == "upsilon").then(edit))
            .arg(words().help("Files to load, formulas, and what stands behind the command"))
            .args(files()),
        _ if first.is_empty() => made.arg(words().help("What stands behind the command")),
        _ => made.arg(words().value_parser(PossibleValuesParser::new(first))),
    }
}

/// `machine`, and `machine probe`, which only the shell has; completions take what may stand behind `machine` for subcommands, too.
fn machine(made: Command, first: Vec<String>) -> Command {
    let made = made.args(first.is_empty().then(|| words().help("What stands behind the command")));
    let others = first.into_iter().filter(|word| word != "probe").map(|word| Command::new(word).arg(words()));
    let probe = probe::ProbeArguments::augment_args(Command::new("probe")).args(options());
    made.subcommand(probe).subcommands(others)
}

fn words() -> Arg {
    let words = Arg::new(id::WORDS).value_name("WORD").num_args(0..).allow_negative_numbers(true);
    words.value_hint(ValueHint::AnyPath)
}

/// As `edit` behind the experiment.
fn edit() -> Arg {
    Arg::new(id::EDIT).long("edit").action(ArgAction::SetTrue).help("Open a page that moves statements")
}

fn files() -> [Arg; 2] {
    let data = Arg::new(id::DATA).long("data").action(ArgAction::Append);
    let files = Arg::new(id::FILES).num_args(0..).last(true);
    let all = [
        data.help("Load this file, whatever it ends in; may be repeated"),
        files.help("Behind `--`: files to load, whatever they end in"),
    ];
    all.map(|argument| argument.value_name("FILE").value_hint(ValueHint::FilePath))
}

/// What can stand first behind a command before anything is loaded.
fn first_words(command: &llac::Command) -> Vec<String> {
    Session::new(Box::new(MemoryWorkspace::default())).complete(&format!("{} ", command.name)).words
}

fn usage(command: &llac::Command, purpose: Purpose) -> String {
    let arguments = command.usage.split_once(' ').map_or("", |(_, arguments)| arguments);
    let files = if command.loads_files { "[FILE…] " } else { "" };
    let usage = format!("llac {} [OPTIONS] {files}{arguments}", command.name);
    broken(usage.trim_end(), if purpose == Purpose::Manual { usize::MAX } else { Page::NARROW })
}

/// What a shell needs to complete words.
pub fn completions(shell: Shell) -> String {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command(Purpose::Completions), "llac", &mut text);
    let files = "'llac commands' commands \"$@\"";
    String::from_utf8_lossy(&text).replace(files, &format!("{files}; _files"))
}

fn completions_command() -> Command {
    let shell = Arg::new(id::SHELL).value_name("SHELL").required(true).value_parser(value_parser!(Shell));
    Command::new("completions")
        .about("print what a shell needs to complete words of llac")
        .long_about(COMPLETIONS)
        .arg(shell)
}

fn manual_command() -> Command {
    let directory =
        Arg::new(id::DIRECTORY).value_name("DIR").required(true).value_parser(value_parser!(PathBuf));
    Command::new("manual").about("write manual pages into a folder").hide(true).arg(directory)
}

/// The commands under headings, and examples.
fn overview() -> StyledStr {
    let width = Session::commands().map(str::len).max().unwrap_or(0);
    let mut text = "One command, its files first:\n".to_owned() + EXAMPLES;
    for (title, commands) in GROUPS {
        text.push_str(&format!("\n\nCommands: {title}"));
        for command in *commands {
            text.push_str(&format!("\n  {:width$}  {}", command.name, command.summary));
        }
    }
    text.push_str("\n\n`llac help COMMAND` or `llac COMMAND --help` says what stands behind it; `llac completions SHELL` prints \
        what bash, zsh, fish and others need to complete words.");
    text.into()
}

/// A usage in lines of at most `width` characters behind `Usage: `, broken at blanks.
fn broken(usage: &str, width: usize) -> String {
    let mut broken = String::new();
    let mut used = "Usage: ".len();
    for (index, word) in usage.split(' ').enumerate() {
        let length = word.chars().count() + 1;
        if index > 0 && used + length > width {
            broken.push_str("\n           ");
            used = 11;
        } else if index > 0 {
            broken.push(' ');
        }
        used += length;
        broken.push_str(word);
    }
    broken
}
