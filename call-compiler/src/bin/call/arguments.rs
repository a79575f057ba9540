use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::programs;

/// Translates C programs annotated with `#pragma cll` directives.
///
/// For each FILE NAME.c it writes NAME.call.c (the same program with measurements), NAME.call.h and NAME.call.sh (runs it for each
/// number of processors) beside it. Compile with `cc $(call cflags) NAME.call.c $(call libs) -o NAME`.
///
/// Exit status: 0 all is well, 1 warnings with --deny-warnings, 2 errors.
///
/// The environment variable CC names the compiler whose preprocessor is used (default: cc).
#[derive(Parser)]
#[command(
    name = "call",
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<CompilerCommand>,
    #[command(flatten)]
    pub translation: TranslationArguments,
}

#[derive(clap::Args)]
pub struct TranslationArguments {
    /// Annotated C programs; - for one from standard input, which is printed unless --output names a file
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the C program here, header and script beside it (one FILE only)
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["stdout", "check", "emit"])]
    pub output: Option<PathBuf>,
    /// Print the instrumented program, its header included; write no files
    #[arg(long, conflicts_with_all = ["check", "emit"])]
    pub stdout: bool,
    /// Only report what is wrong; write no files
    #[arg(long)]
    pub check: bool,
    /// Print what was found, one JSON object a line for each FILE; write no files
    #[arg(long, value_name = "FORMAT")]
    pub emit: Option<MessageFormat>,
    /// Take compiler and flags of each FILE from a compile_commands.json; without FILEs translate all of it that have directives
    #[arg(short = 'p', long, value_name = "JSON")]
    pub compile_commands: Option<PathBuf>,
    /// Exit with status 1 if there are warnings
    #[arg(long)]
    pub deny_warnings: bool,
    /// Tell errors and warnings only
    #[arg(short, long)]
    pub quiet: bool,
    /// Number of files to translate at the same time (default: one for each core)
    #[arg(short, long, value_name = "COUNT")]
    pub jobs: Option<usize>,
    /// When to colour messages
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColourChoice,
    /// Flags for the preprocessor, such as -I and -D; those of a whole compile command will do
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColourChoice {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub enum CompilerCommand {
    /// Print the compiler flags that instrumented programs need
    Cflags {
        /// For programs that are started with mpirun
        #[arg(long)]
        mpi: bool,
        /// The module `cll` as well, for Fortran programs: compile it first
        #[arg(long)]
        fortran: bool,
        /// Flags of your own: they are printed, too, and recorded in the traces
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FLAGS")]
        flags: Vec<String>,
    },
    /// Print the sources and libraries that instrumented programs are linked with
    Libs {
        /// For programs that are started with mpirun
        #[arg(long)]
        mpi: bool,
    },
    /// Translate, compile and run a program for each number of processors
    Run(RunArguments),
    /// Compile like the compiler that is named first (default: CC, else cc), translating what has directives: CC="call cc"
    ///
    /// Before the compiler may stand --mpi or --no-mpi: whether programs are linked for mpirun (default: if the compiler itself links
    /// MPI programs), and launchers such as ccache. CALL_BUILD names a folder where what is made on the way is kept (default: it is
    /// removed). The names call-cc, call-mpicc and call-oshcc mean `call cc`, `call cc mpicc` and `call cc oshcc`.
    #[command(disable_help_flag = true)]
    Cc {
        /// What the compiler is given
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMPILER AND ARGUMENTS")]
        words: Vec<String>,
    },
    /// Write the batch script of a compiled program, beside it: PROGRAM.call.sh
    Script {
        /// Do nothing for a program that has no such files
        #[arg(long)]
        if_any: bool,
        /// The program, with files that call translated
        #[arg(value_name = "PROGRAM")]
        program: PathBuf,
    },
    /// Propose formulas for the functions and outermost loops of programs, from their sources
    ///
    /// How often a statement runs is counted as a polynomial of what the block begins with; iterations of the bodies of loops are counted.
    /// What is not understood is said to be unknown, with its line.
    Propose(Propose),
    /// Explain a message: what it means, an example, what to do
    Explain {
        /// The code in the brackets of the message, such as call::not-canonical; without it, all codes
        #[arg(value_name = "CODE")]
        code: Option<String>,
    },
    /// Print what a shell needs to complete words of call
    Completions {
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Write manual pages into a folder
    #[command(hide = true)]
    Manual {
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

#[derive(clap::Args)]
pub struct RunArguments {
    /// The annotated sources of one program
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Flags for the compiler, in quotes: --flags='-O3 -lfftw3' (-O2 if no -O is among them)
    #[arg(long, value_name = "FLAGS", default_value = "", allow_hyphen_values = true)]
    pub flags: String,
    /// Numbers of processors, such as 1:8:2 for 1, 2, 4, 8, instead of those of the `parallel` directive
    #[arg(long, value_name = "FIRST:LAST:FACTOR")]
    pub procs: Option<String>,
    /// Runs for each number of processors
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    pub repeat: u32,
    /// Start the program with this command, where %P stands for the number of processors
    #[arg(long, value_name = "COMMAND")]
    pub launcher: Option<String>,
    /// Also run on more processors than this computer has cores, where times mean little
    #[arg(long)]
    pub oversubscribe: bool,
    /// Record the supersteps of a PUB or BSPlib program for `llac profile`; it needs no directive (CALL_PROFILE=1)
    #[arg(long)]
    pub profile: bool,
    /// Record the calls of an MPI program, or what the threads of an OpenMP program do together; it needs no directive, but an MPI
    /// compiler such as CC=mpicc, or for OpenMP CC=clang (CALL_EVENTS=1)
    #[arg(long)]
    pub events: bool,
    /// Of the program's time, what measuring may take, as 1%: of short experiments a part of the executions is measured (CALL_BUDGET)
    #[arg(long, value_name = "SHARE")]
    pub budget: Option<String>,
    /// Count accesses and misses of the caches instead of times, under valgrind's callgrind: once for each cache behind the first
    #[arg(long, conflicts_with_all = ["profile", "events", "budget"])]
    pub misses: bool,
    /// The caches to simulate, instead of those of this computer: bytes and ways, such as 32K/8,1M/16,32M/16
    #[arg(long, value_name = "L1,L2,…", requires = "misses")]
    pub caches: Option<String>,
    /// Run until `llac check` can tell whether the runs are worse than this baseline, first as many as --repeat says and up to
    /// eight times as many; with further words of `llac check` in quotes: 'f.model.json tolerance 5%'. The exit status is its
    /// answer: 0 fine, 1 worse, 3 cannot tell
    #[arg(long, value_name = "BASELINE", conflicts_with_all = ["profile", "events", "misses"])]
    pub until_sure: Option<String>,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub program_arguments: Vec<String>,
}

#[derive(clap::Args)]
pub struct Propose {
    /// C programs, with directives or without
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// These functions and loops only, by the names of their proposals
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Tell how often each statement runs, too
    #[arg(long)]
    pub statements: bool,
    /// Write the directives into the FILEs, and a report at the end of main: shows the difference and asks first
    #[arg(long, conflicts_with_all = ["statements", "format"])]
    pub insert: bool,
    /// Do not ask
    #[arg(long, requires = "insert")]
    pub yes: bool,
    /// Tell whose formulas grow faster in the second FILE than in the first; exit status 1 if there are any, else 3 if some are
    /// unknown now, or no bounds any more
    #[arg(long, conflicts_with_all = ["insert", "statements", "format", "only"])]
    pub diff: bool,
    /// Run COMMAND, which starts the program, and propose only for the blocks that take 90 % of its time (compile it with -g)
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["diff", "only", "all"])]
    pub hot: Option<String>,
    /// Functions without loops and calls as well
    #[arg(long)]
    pub all: bool,
    /// One JSON object a line for each FILE
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<MessageFormat>,
    /// Flags for the preprocessor, such as -I and -D
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

impl Arguments {
    /// Those of the command line.
    pub fn read() -> Arguments {
        let mut arguments = Arguments::parse_from(with_name());
        match &mut arguments.command {
            Some(CompilerCommand::Run(run)) => leave_out_outputs(&mut run.files),
            Some(CompilerCommand::Propose(propose)) => leave_out_outputs(&mut propose.files),
            None => leave_out_outputs(&mut arguments.translation.files),
            Some(_) => {}
        }
        arguments
    }
}

/// `*.c` finds what was translated before as well: it is left out where its source is there.
fn leave_out_outputs(files: &mut Vec<PathBuf>) {
    let all = files.clone();
    let source = |file: &PathBuf| Some(file.to_str()?.strip_suffix(".call.c")?.to_owned() + ".c");
    files.retain(|file| !source(file).is_some_and(|source| all.contains(&PathBuf::from(source))));
}

/// The words of the command line; a link named after a compiler means `call cc` with it.
fn with_name() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let name = words.first().map(|word| programs::name(&word.to_string_lossy())).unwrap_or_default();
    let meant: &[&str] = match name.as_str() {
        "call-cc" => &["cc"],
        "call-mpicc" => &["cc", "mpicc"],
        "call-oshcc" => &["cc", "oshcc"],
        _ => &[],
    };
    if !meant.is_empty() {
        words.splice(1..1, meant.iter().map(OsString::from));
    }
    words
}
