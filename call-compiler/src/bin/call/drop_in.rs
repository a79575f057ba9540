//! `call cc`: a compiler that translates what has directives and passes the rest through, for `CC="call cc"` in builds.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::compile_commands::{Compile, for_preprocessor};
use crate::job::{Job, Wanted};
use crate::{preprocess, runtime_directory, runtime_library};

/// A compiler's command line as far as it matters here.
struct CommandLine {
    compiler: Vec<String>,
    words: Vec<String>,
}

impl CommandLine {
    fn new(words: &[String]) -> CommandLine {
        // `CC="call cc mpicc"`, and CMake's launchers, name the compiler first.
        let names_compiler =
            words.first().is_some_and(|word| !word.starts_with(['-', '@']) && !is_input(word));
        if names_compiler {
            CommandLine { compiler: words[..1].to_vec(), words: words[1..].to_vec() }
        } else {
            CommandLine { compiler: vec![preprocess::default_compiler()], words: words.to_vec() }
        }
    }

    fn has(&self, flags: &[&str]) -> bool {
        self.words.iter().any(|word| flags.contains(&word.as_str()))
    }

    /// Positions of the C files among the words.
    fn sources(&self) -> Vec<usize> {
        let is_value = |at: usize| at > 0 && takes_value(&self.words[at - 1]);
        let is_source = |at: &usize| {
            self.words[*at].ends_with(".c") && !self.words[*at].starts_with('-') && !is_value(*at)
        };
        (0..self.words.len()).filter(is_source).collect()
    }

    fn value_of(&self, flag: &str) -> Option<&str> {
        let separate = self.words.iter().position(|word| word == flag).and_then(|at| self.words.get(at + 1));
        let attached =
            || self.words.iter().find_map(|word| word.strip_prefix(flag).filter(|rest| !rest.is_empty()));
        separate.map(String::as_str).or_else(attached)
    }

    fn compiles_only(&self) -> bool {
        self.has(&["-c", "-S"])
    }

    /// Whether objects become a program or a shared library.
    fn links(&self) -> bool {
        let has_input = self.words.iter().any(|word| is_input(word));
        has_input && !self.compiles_only() && !self.has(&["-E", "-M", "-MM", "-fsyntax-only", "-r"])
    }

    fn run(&self, words: &[String]) -> Result<ExitCode, String> {
        let (program, first) = self.compiler.split_first().ok_or("no compiler is named")?;
        let status = Command::new(program)
            .args(first)
            .args(words)
            .status()
            .map_err(|error| format!("cannot run the C compiler `{program}`: {error}"))?;
        Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
    }
}

fn is_input(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(OsStr::to_str);
    !word.starts_with('-')
        && matches!(ending, Some("c" | "o" | "a" | "so" | "s" | "S" | "i" | "lo" | "cc" | "cpp"))
}

fn takes_value(word: &str) -> bool {
    matches!(
        word,
        "-o" | "-I"
            | "-D"
            | "-U"
            | "-include"
            | "-imacros"
            | "-isystem"
            | "-iquote"
            | "-idirafter"
            | "-x"
            | "-L"
            | "-l"
            | "-MF"
            | "-MT"
            | "-MQ"
            | "-Xlinker"
            | "-Xpreprocessor"
            | "-T"
            | "-u"
            | "-z"
            | "--param"
    )
}

/// Does what the compiler would do, with measurements.
pub fn compile(words: &[String]) -> Result<ExitCode, String> {
    let line = CommandLine::new(words);
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
    // Also for sources without directives: they may include bsp.h or pub.h.
    let headers = ["-idirafter".to_owned(), runtime.join("include").display().to_string()];
    if only_asks {
        return line.run(&[line.words.as_slice(), headers.as_slice()].concat());
    }
    // With -c each source has an object of its own.
    if line.compiles_only() && sources.len() > 1 {
        for source in &sources {
            let words = line.words.iter().enumerate();
            let one: Vec<String> = line
                .compiler
                .iter()
                .chain(words.filter(|(at, _)| at == source || !sources.contains(at)).map(|(_, word)| word))
                .cloned()
                .collect();
            let status = compile(&one)?;
            if status != ExitCode::SUCCESS {
                return Ok(status);
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut words = line.words.clone();
    let mut translated = Vec::new();
    for at in sources {
        match translate(&line, &line.words[at], &runtime)? {
            Translated::Plain => {}
            Translated::Refused => return Ok(ExitCode::from(2)),
            Translated::To(output) => {
                words[at] = output.program.display().to_string();
                translated.push(output);
            }
        }
    }
    for output in &translated {
        let folder = Path::new(&output.source).parent().filter(|folder| !folder.as_os_str().is_empty());
        words.push("-iquote".to_owned());
        words.push(folder.unwrap_or(Path::new(".")).display().to_string());
    }
    words.extend(headers);
    if !translated.is_empty() && line.compiles_only() && line.value_of("-o").is_none() {
        let ending = if line.has(&["-S"]) { "s" } else { "o" };
        let name = Path::new(&translated[0].source).with_extension(ending);
        words.push("-o".to_owned());
        words.push(Path::new(name.file_name().unwrap_or_default()).display().to_string());
    }
    if line.links() && !line.has(&["-nostdlib"]) {
        let library = runtime_library::build(&line.compiler, &line.words, &runtime)?;
        words.extend([library.display().to_string(), "-lm".to_owned(), "-pthread".to_owned()]);
    }
    let status = line.run(&words)?;
    if status == ExitCode::SUCCESS {
        correct_dependencies(&line, &translated);
    }
    Ok(status)
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

/// Translates a source beside the object that it becomes.
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
    let folder = line.value_of("-o").and_then(|output| Path::new(output).parent()).unwrap_or(Path::new(""));
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

/// Lets the dependency file name the user's files rather than what was made of them.
fn correct_dependencies(line: &CommandLine, translated: &[Output]) {
    if !line.has(&["-MD", "-MMD"]) {
        return;
    }
    let of_source =
        || translated.first().and_then(|output| Path::new(&output.source).file_name()).map(PathBuf::from);
    let beside_object = || {
        let object = line.value_of("-o").map(PathBuf::from).or_else(of_source);
        object.map(|object| object.with_extension("d"))
    };
    let Some(path) = line.value_of("-MF").map(PathBuf::from).or_else(beside_object) else { return };
    let Ok(mut text) = fs::read_to_string(&path) else { return };
    for output in translated {
        let tables = output.program.with_extension("h").display().to_string();
        text = text.replace(&format!(" {tables}"), "");
        text = text.replace(&output.program.display().to_string(), &output.source);
        for (copy, header) in &output.copies {
            text = text.replace(&copy.display().to_string(), header);
        }
    }
    // A dependency file that cannot be written any more only costs a build.
    let _ = fs::write(&path, text);
}

/// Whether a compiler gives no output; used to ask it questions.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
