//! `call cc`: a compiler that translates what has directives and passes the rest through, for `CC="call cc"` in builds.

mod artefacts;
mod command_line;
mod dependencies;
mod response_file;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use self::command_line::{CommandLine, is_input};
use crate::compile_commands::{Compile, for_preprocessor};
use crate::job::{Job, Wanted};
use crate::{preprocess, runtime_directory, runtime_library};

/// Does what the compiler would do, with measurements.
pub fn compile(words: &[String]) -> Result<ExitCode, String> {
    let line = CommandLine::new(words)?;
    let sources = line.sources();
    let only_asks = line.has(&[
        "-E",
        "-M",
        "-MM",
        "-fsyntax-only",
        "-",
        "-v",
        "--version",
        "-dumpversion",
        "-dumpmachine",
    ]);
    if sources.is_empty() && (only_asks || !line.links()) {
        return line.run(&line.words);
    }
    let runtime = runtime_directory::prepare()?;
    if only_asks {
        return line.run(&with_headers(&line.words, &runtime));
    }
    if line.links() { link(&line, &sources, &runtime) } else { compile_each(&line, &sources, &runtime) }
}

/// With -c each source has an object of its own.
fn compile_each(line: &CommandLine, sources: &[usize], runtime: &Path) -> Result<ExitCode, String> {
    if let [only] = sources {
        return compile_one(line, *only, runtime);
    }
    for source in sources {
        let words = line.words.iter().enumerate();
        let one = words.filter(|(at, _)| at == source || !sources.contains(at)).map(|(_, word)| word.clone());
        let line = CommandLine { compiler: line.compiler.clone(), words: one.collect() };
        let status = compile_each(&line, &line.sources(), runtime)?;
        if status != ExitCode::SUCCESS {
            return Ok(status);
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn compile_one(line: &CommandLine, at: usize, runtime: &Path) -> Result<ExitCode, String> {
    match translate(line, &line.words[at], runtime)? {
        Translated::Plain => line.run(&with_headers(&line.words, runtime)),
        Translated::Refused => Ok(ExitCode::from(2)),
        Translated::To(output) => compile_translated(line, at, &output, runtime),
    }
}

fn compile_translated(
    line: &CommandLine,
    at: usize,
    output: &Output,
    runtime: &Path,
) -> Result<ExitCode, String> {
    // First of all folders, like that of the source itself.
    let folder = Path::new(&output.source).parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut words = vec!["-iquote".to_owned(), folder.unwrap_or(Path::new(".")).display().to_string()];
    words.extend(line.words.iter().cloned());
    words[at + 2] = output.program.display().to_string();
    let mut words = with_headers(&words, runtime);
    if !line.words.iter().any(|word| word.starts_with("-DCLL_FLAGS")) {
        words.push(format!("-DCLL_FLAGS={}", crate::recordable(&line.flags_that_matter().join(","))));
    }
    if line.value_of("-o").is_none() {
        words.extend(["-o".to_owned(), line.product(&output.source).display().to_string()]);
    }
    let status = line.run(&words)?;
    if status == ExitCode::SUCCESS {
        dependencies::correct(line, output);
    }
    Ok(status)
}

/// Sources with directives become objects of their own, which the program is linked of.
fn link(line: &CommandLine, sources: &[usize], runtime: &Path) -> Result<ExitCode, String> {
    let mut words = line.words.clone();
    for at in sources {
        let output = match translate(line, &line.words[*at], runtime)? {
            Translated::Plain => continue,
            Translated::Refused => return Ok(ExitCode::from(2)),
            Translated::To(output) => output,
        };
        let object = output.program.with_extension("o").display().to_string();
        let mut one = line.words_for(*at);
        one.extend(["-c".to_owned(), "-o".to_owned(), object.clone()]);
        let product = line.product(&output.source);
        if line.has(&["-MD", "-MMD"]) {
            if line.value_of("-MF").is_none() {
                let stem = Path::new(&output.source).file_stem().unwrap_or_default().to_string_lossy();
                let file = format!("{}-{stem}.d", product.with_extension("").display());
                one.extend(["-MF".to_owned(), file]);
            }
            if line.value_of("-MT").or(line.value_of("-MQ")).is_none() {
                one.extend(["-MT".to_owned(), product.display().to_string()]);
            }
        }
        let line = CommandLine { compiler: line.compiler.clone(), words: one };
        let own = line.sources().first().copied().ok_or("a source is gone from its own command")?;
        let status = compile_translated(&line, own, &output, runtime)?;
        if status != ExitCode::SUCCESS {
            return Ok(status);
        }
        words[*at] = object;
    }
    if !line.has(&["-nostdlib"]) {
        let library = runtime_library::build(&line.compiler, &line.words, runtime)?;
        words.extend([library.display().to_string(), "-lm".to_owned(), "-pthread".to_owned()]);
    }
    line.run(&if sources.is_empty() { words } else { with_headers(&words, runtime) })
}

/// Also for sources without directives: they may include bsp.h or pub.h.
fn with_headers(words: &[String], runtime: &Path) -> Vec<String> {
    let include = runtime.join("include").display().to_string();
    words.iter().cloned().chain(["-idirafter".to_owned(), include]).collect()
}

enum Translated {
    /// Without directives, or not to be preprocessed: the compiler will say why.
    Plain,
    Refused,
    To(Output),
}

/// What a source became.
struct Output {
    source: String,
    program: PathBuf,
    /// Copies of headers, with the headers.
    copies: Vec<(PathBuf, String)>,
}

/// Translates a source into the folder of this compilation.
fn translate(line: &CommandLine, source: &str, runtime: &Path) -> Result<Translated, String> {
    let compile = Compile {
        file: PathBuf::from(source),
        directory: PathBuf::new(),
        compiler: line.compiler.clone(),
        flags: for_preprocessor(&line.words, Some(Path::new(source)))
            .into_iter()
            .filter(|word| !is_input(word))
            .collect(),
    };
    let include = runtime.join("include");
    let Ok(preprocessed) = preprocess::preprocess(&compile, &include) else { return Ok(Translated::Plain) };
    if memchr::memmem::find(&preprocessed, b"#pragma cll").is_none() && !has_misspelt(&preprocessed) {
        return Ok(Translated::Plain);
    }
    let folder = artefacts::folder(&line.product(source), source, runtime)?;
    let stem = Path::new(source).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let output = folder.join(format!("{stem}.call.c"));
    let wanted = Wanted::Files(Some(output.clone()));
    let job = Job { compile: &compile, include: &include, wanted, quiet: true, colour: false };
    let outcome = job.run_on(Some(preprocessed));
    crate::tell(&outcome.messages);
    if outcome.has_errors {
        return Ok(Translated::Refused);
    }
    Ok(Translated::To(Output { source: source.to_owned(), program: output, copies: outcome.copies }))
}

/// `#pragma ll` is no directive for the compiler, but may be meant as one: the translator tells.
fn has_misspelt(text: &[u8]) -> bool {
    [&b"#pragma cl "[..], b"#pragma ll ", b"#pragma clll "]
        .iter()
        .any(|near| memchr::memmem::find(text, near).is_some())
}

/// Whether a compiler gives no output; used to ask it questions.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
