//! `call run`: from annotated sources to traces in one step: translate, compile, run for each number of processors.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use call_grammar::{ParallelKind, ProcessorRange, counted};

use crate::arguments::RunArguments;
use crate::batch::Otherwise;
use crate::compile_commands::{Compile, for_preprocessor};
use crate::job::{Job, TranslationOutput};
use crate::misses::Misses;
use crate::{batch, mentions, mpi_compiler, runtime_directory, runtime_library, said, tell, until_sure};

pub fn run(arguments: &RunArguments) -> Result<ExitCode, String> {
    let misses = arguments.misses.then(|| Misses::new(arguments)).transpose()?;
    let counters = misses.as_ref().map_or(Vec::new(), |misses| misses.caches.counters());
    let counters: Vec<&str> = counters.iter().map(String::as_str).collect();
    let runtime = runtime_directory::prepare()?;
    let include = runtime.join("include");
    let flags: Vec<String> = shlex::split(&arguments.flags).ok_or("a quote is not closed in --flags")?;
    let compiler = mpi_compiler::of_files(&arguments.files, &flags, &include, &runtime)?;

    let mut outputs = Vec::new();
    let mut kind = None;
    for file in &arguments.files {
        let compile = Compile {
            file: file.clone(),
            directory: PathBuf::new(),
            compiler: compiler.clone(),
            flags: for_preprocessor(&flags, None),
        };
        let output = PathBuf::from(file.with_extension("call.c").file_name().unwrap_or_default());
        let wanted = TranslationOutput::Files(Some(output.clone()));
        let job = Job { counters: &counters, ..Job::among_others(&compile, &include, wanted) };
        let outcome = job.run();
        tell(&outcome.messages);
        if outcome.has_errors {
            return Ok(ExitCode::from(2));
        }
        kind = kind.or(outcome.kind);
        outputs.push((file, output));
    }
    let Some(with_main) =
        arguments.files.iter().find(|file| mentions(file, "main")).or(arguments.files.first())
    else {
        return Err("no FILE is named (try --help)".to_owned());
    };
    let name = with_main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // What is recorded of each call is its address, and messages of the runtime tell it; -g tells the lines, and changes no instruction.
    let first_flags: &[&str] = if misses.is_some() { &["-g1", "-DCLL_WITH_CALLGRIND"] } else { &["-g1"] };
    let is_unsaid = kind.is_none();
    if arguments.events && is_unsaid {
        let is_mpi = runtime_library::is_mpi(&compiler, &runtime)?;
        kind = Some(if is_mpi { ParallelKind::Mpi } else { ParallelKind::OpenMp });
    }
    build(&compiler, &flags, first_flags, kind, &outputs, &name, &runtime)?;
    batch::beside(Path::new(&name), Otherwise::Script)?;
    let runs = Runs { arguments, kind, is_unsaid, name: &name, misses: misses.as_ref() };
    if let Some(question) = &arguments.until_sure {
        return until_sure::run(question, arguments.repeat, |repeat| runs.traces(repeat));
    }
    let Some(new) = runs.traces(arguments.repeat)? else { return Ok(ExitCode::from(2)) };
    tell_of(&new, arguments);
    Ok(ExitCode::SUCCESS)
}

fn build(
    compiler: &[String],
    flags: &[String],
    first_flags: &[&str],
    kind: Option<ParallelKind>,
    outputs: &[(&PathBuf, PathBuf)],
    name: &str,
    runtime: &Path,
) -> Result<(), String> {
    let (program, first) = compiler.split_first().ok_or("no compiler is named")?;
    let is_mpi = runtime_library::is_mpi(compiler, runtime)?;
    let mut words: Vec<String> = flags.to_vec();
    if !words.iter().any(|word| word.starts_with("-O")) {
        words.insert(0, "-O2".to_owned());
    }
    if kind == Some(ParallelKind::OpenMp) && !words.iter().any(|word| word == "-fopenmp") {
        words.push("-fopenmp".to_owned());
    }
    if kind == Some(ParallelKind::Mpi) && !is_mpi {
        return Err(format!("an MPI program takes an MPI compiler, not `{program}`: set CC=mpicc"));
    }
    // Compiled with the program, the runtime knows its flags and tells them in the traces.
    let own_source = runtime.join(runtime_library::source(is_mpi));
    let recorded = crate::recordable(&words.join(","));
    let mut command = Command::new(program);
    command
        .args(first)
        .args(first_flags)
        .arg(format!("-DCLL_FLAGS={recorded}"))
        .arg("-idirafter")
        .arg(runtime.join("include"));
    for (source, output) in outputs {
        if let Some(folder) = source.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            command.arg("-iquote").arg(folder);
        }
        // No option, whatever it begins with.
        command.arg(Path::new(".").join(output));
    }
    // Libraries among the flags come behind what uses them.
    command.arg(own_source).args(&words).args(["-lm", "-pthread", "-o", name]);
    let status =
        command.status().map_err(|error| format!("cannot run the C compiler `{program}`: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{}` did not compile the translated program", compiler.join(" ")))
    }
}

/// A program that was built, and how it is run.
struct Runs<'a> {
    arguments: &'a RunArguments,
    kind: Option<ParallelKind>,
    /// Whether no file says the kind.
    is_unsaid: bool,
    name: &'a str,
    misses: Option<&'a Misses>,
}

impl Runs<'_> {
    /// Runs the program so often for each number of processors, and gives the traces that it wrote; none if the script has told why not.
    fn traces(&self, repeat: u32) -> Result<Option<Vec<PathBuf>>, String> {
        let Runs { arguments, kind, is_unsaid, name, misses } = *self;
        let mut least_runs = repeat as usize;
        // The script of a program that says nothing of itself would start one process.
        let is_plain = arguments.events && is_unsaid;
        let mut counts = arguments.procs.as_deref().map(processors).transpose()?;
        // Without a launcher those beyond the cores are left out.
        if let Some(counts) = counts.as_ref().filter(|_| is_plain || arguments.launcher.is_some()) {
            least_runs *= counts.split(' ').count();
        }
        let mut launcher = arguments.launcher.clone();
        if let Some(misses) = misses {
            launcher = Some(misses.launcher(arguments, kind)?);
            counts = counts.or_else(|| (kind == Some(ParallelKind::OpenMp)).then(|| "1".to_owned()));
        } else if is_plain && kind == Some(ParallelKind::OpenMp) {
            let threads = counts.as_ref().map(|_| "env OMP_NUM_THREADS=%P".to_owned());
            launcher = launcher.or(threads);
        } else if is_plain {
            let cores = std::thread::available_parallelism().map_or(2, usize::from).max(2);
            counts = counts.or_else(|| Some(cores.to_string()));
            launcher = launcher.or_else(|| Some("mpirun -n %P".to_owned()));
        }
        let script = || script(arguments, repeat, name, counts.as_deref(), launcher.as_deref());
        let scripts: Vec<Command> = match misses {
            None => vec![script()],
            Some(misses) => {
                let simulated = misses.caches.simulations().map(|simulation| {
                    let mut script = script();
                    misses.simulate(&simulation, &mut script);
                    script
                });
                simulated.collect()
            }
        };
        let before = traces();
        for mut script in scripts {
            let status = script.status().map_err(|error| format!("cannot run ./{name}.call.sh: {error}"))?;
            if !status.success() {
                tell(&misses.map_or(String::new(), Misses::log));
                let (unfinished, _) = new_traces(&before);
                if !unfinished.is_empty() {
                    tell(&said(&reading(&unfinished, arguments)));
                }
                return Ok(None);
            }
        }
        let (unfinished, new) = new_traces(&before);
        if new.is_empty() {
            let question = match (arguments.profile, arguments.events) {
                (true, _) => "does it come to a bsp_end or bsplib_done?",
                (_, true) if kind == Some(ParallelKind::OpenMp) => {
                    "does it use OpenMP, and was it compiled by clang (CC=clang)?"
                }
                (_, true) => "does it come to its MPI_Finalize?",
                _ => "does it come to a `#pragma cll report`?",
            };
            return Err(format!("{name} wrote no trace: {question}{}", so_far(&unfinished, arguments)));
        }
        // A simulation whose processors all wait for each other ends as if nothing were wrong.
        if arguments.events && new.len() < least_runs {
            return Err(format!(
                "{name} wrote {} in {least_runs} runs: do all come to their ends?{}",
                counted(new.len(), "trace"),
                so_far(&unfinished, arguments)
            ));
        }
        Ok(Some(new))
    }
}

/// Which traces there are, and what to do with them.
fn tell_of(new: &[PathBuf], arguments: &RunArguments) {
    let words: Vec<String> = new.iter().map(|trace| in_words(trace)).collect();
    let names = words.join(" ");
    // Runs on different numbers of processors have profiles and waits of their own.
    let next = match (arguments.profile, arguments.events, words.last()) {
        (true, _, Some(last)) => format!("llac profile {last}"),
        (_, true, Some(last)) => format!("llac waits {last}"),
        _ => format!("llac -e 'load {names}'"),
    };
    let found = said(&format!("{}: {names}", counted(new.len(), "new trace")));
    tell(&(found + &said(&format!("next: {next}"))));
}

/// The batch script with what the user wants of the run.
fn script(
    arguments: &RunArguments,
    repeat: u32,
    name: &str,
    counts: Option<&str>,
    launcher: Option<&str>,
) -> Command {
    let mut script = Command::new(format!("./{name}.call.sh"));
    let options = [("--processors", counts), ("--launcher", launcher)];
    for (option, value) in options {
        script.args(value.into_iter().flat_map(|value| [option, value]));
    }
    script.args(arguments.oversubscribe.then_some("--oversubscribe"));
    script.arg("--repeat").arg(repeat.to_string()).arg("--").args(&arguments.program_arguments);
    if arguments.profile {
        script.env("CALL_PROFILE", "1");
    }
    if arguments.events {
        script.env("CALL_EVENTS", "1");
    }
    if let Some(share) = &arguments.budget {
        script.env("CALL_BUDGET", share);
    }
    script
}

/// What is there now and was not before: what runs have left that did not come to their ends, and traces.
fn new_traces(before: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let is_unfinished = |trace: &PathBuf| trace.to_string_lossy().contains(".call.unfinished.");
    traces().into_iter().filter(|trace| !before.contains(trace)).partition(is_unfinished)
}

/// What runs have left that did not come to their ends.
fn so_far(unfinished: &[PathBuf], arguments: &RunArguments) -> String {
    match unfinished {
        [] => String::new(),
        _ => format!("; {}", reading(unfinished, arguments)),
    }
}

/// How that is read; processes have files of their own.
fn reading(unfinished: &[PathBuf], arguments: &RunArguments) -> String {
    let words: Vec<String> = unfinished.iter().map(|trace| in_words(trace)).collect();
    let names = words.join(" ");
    let command = match (arguments.profile, arguments.events) {
        (true, _) => format!("llac profile {names}"),
        (_, true) => format!("llac waits {names}"),
        _ => format!("llac -e 'load {names}'"),
    };
    format!("what was recorded until then is read by: {command}")
}

/// A path as llac takes it.
fn in_words(path: &Path) -> String {
    let path = path.display().to_string();
    if path.contains(char::is_whitespace) { format!("\"{path}\"") } else { path }
}

/// `1:8:2` as the list `1 2 4 8` that the batch script takes.
fn processors(range: &str) -> Result<String, String> {
    let wrong =
        || format!("--procs {range}: it has the form FIRST:LAST:FACTOR, for example 1:8:2 for 1, 2, 4, 8");
    let numbers: Vec<u32> =
        range.split(':').map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
    let range = ProcessorRange::of(&numbers).map_err(|_| wrong())?;
    Ok(range.counts().map(|count| count.to_string()).collect::<Vec<_>>().join(" "))
}

/// The traces in the folder where they go, in the order of their numbers.
fn traces() -> Vec<PathBuf> {
    let output = std::env::var_os("CALL_OUTPUT").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let folder = output.as_deref().unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| PathBuf::from(entry.file_name()));
    let is_trace = |name: &PathBuf| {
        let name = name.to_string_lossy();
        name.contains(".call.") && name.ends_with(".dat")
    };
    let mut found: Vec<PathBuf> = names.filter(is_trace).collect();
    found.sort_by_key(|file| (file.as_os_str().len(), file.clone()));
    found.into_iter().map(|name| output.as_ref().map_or(name.clone(), |folder| folder.join(&name))).collect()
}
