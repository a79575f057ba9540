//! `call cc`: a compiler that translates what has directives and passes the rest through, for `CC="call cc"` in builds.

mod artefacts;
mod command_line;
mod dependencies;
mod response_file;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::artefacts::Artefacts;
use self::command_line::{CommandLine, SourceArgument};
use crate::compile_commands::{Compile, for_preprocessor};
use crate::job::{Job, TranslationOutput};
use crate::{batch, preprocess, runtime_directory, runtime_library, standard_input};

/// Does what the compiler would do, with measurements.
pub fn compile(words: &[String]) -> Result<ExitCode, String> {
    compile_line(&CommandLine::new(words))
}

fn compile_line(line: &CommandLine) -> Result<ExitCode, String> {
    let sources = line.sources();
    if !line.only_asks() {
        refuse_preprocessed(line)?;
        tell_of_cpp(line);
    }
    if line.only_asks() || (sources.is_empty() && !line.links()) {
        return if sources.is_empty() { line.run_as_given() } else { line.run(&with_headers(line)?) };
    }
    // With -c each source has an object of its own.
    if line.compiles_only() && sources.len() > 1 {
        for source in &sources {
            let status = compile_line(&line.with_only(source))?;
            if status != ExitCode::SUCCESS {
                return Ok(status);
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut words = with_headers(line)?;
    // What is removed at the end stays until the compiler is through.
    let mut kept = Vec::new();
    for source in sources.iter().rev() {
        let program = match translate(line, source)? {
            Translated::Plain => continue,
            Translated::Refused => return Ok(ExitCode::from(2)),
            Translated::To(program) => program,
        };
        if sources.len() == 1 {
            words = line.replace(&words, source, &program.as_c(source));
            dependencies::remove(&mut words);
            words.splice(0..0, program.options(line, source)?);
            words.extend(line.default_output(source));
        } else {
            // The files that quoted names mean differ from source to source.
            let object = program.folder.join("translated.o");
            let status = line.run(&compile_apart(line, source, &program, &object)?)?;
            if status != ExitCode::SUCCESS {
                return Ok(status);
            }
            words = line.replace(&words, source, &line.as_object(source, &object));
        }
        kept.push(program);
    }
    words.extend(line.end_of_language());
    if line.links() && !line.has(&["-nostdlib"]) {
        let runtime = runtime_directory::prepare()?;
        words.extend(runtime_library::linked(&line.compiler, &line.words, line.mpi, &runtime)?);
        words.extend(["-lm".to_owned(), "-pthread".to_owned()]);
    }
    let status = line.run(&words)?;
    if status == ExitCode::SUCCESS && line.links() && !line.has(&["-shared"]) {
        write_script(Path::new(line.value_of("-o").unwrap_or("a.out")))?;
    }
    Ok(status)
}

/// One script for a program, whatever it was linked of, where artefacts are kept. `call script` makes others.
fn write_script(program: &Path) -> Result<(), String> {
    let Some(script) = Artefacts::script(program) else { return Ok(()) };
    let parts = batch::parts(program);
    if parts.is_empty() {
        return Ok(());
    }
    let folder = script.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let named = std::path::absolute(program)
        .map_err(|error| format!("cannot find {}: {error}", program.display()))?;
    batch::write(program, &named.display().to_string(), script, &parts)
}

/// What was preprocessed elsewhere, as by some settings of ccache and distcc, would lose its measurements in silence.
fn refuse_preprocessed(line: &CommandLine) -> Result<(), String> {
    match line.words.iter().find(|file| file.ends_with(".i") && has_directives(file)) {
        Some(file) => Err(format!(
            "{file} is preprocessed already, so its directives cannot be translated: give `call cc` the source (for ccache: run_second_cpp = true)"
        )),
        None => Ok(()),
    }
}

fn has_directives(file: &str) -> bool {
    fs::read(file).is_ok_and(|text| memchr::memmem::find(&text, b"#pragma cll").is_some())
}

/// C++ is compiled as it is, which would lose its measurements in silence.
fn tell_of_cpp(line: &CommandLine) {
    for file in line.words.iter().filter(|word| command_line::is_cpp(word) && has_directives(word)) {
        crate::tell(&crate::said(&format!(
            "{file} is C++, which is not translated: its directives measure nothing (call.h has macros for C++)"
        )));
    }
}

/// The words with the headers of the runtime, which come last, so that they hide nobody's.
fn with_headers(line: &CommandLine) -> Result<Vec<String>, String> {
    let mut words = line.words.clone();
    if !line.sources().is_empty() {
        let include = runtime_directory::prepare()?.join("include");
        words.extend(["-idirafter".to_owned(), include.display().to_string(), line.recorded_flags()]);
    }
    Ok(words)
}

/// One of several sources of a program, compiled to an object of its own.
fn compile_apart(
    line: &CommandLine,
    source: &SourceArgument,
    program: &InstrumentedSource,
    object: &Path,
) -> Result<Vec<String>, String> {
    let alone = line.with_only(source).without_linking();
    let mut words = with_headers(&alone)?;
    let only = alone.sources().pop().ok_or("the source is gone")?;
    words = alone.replace(&words, &only, &program.as_c(&only));
    dependencies::remove(&mut words);
    words.splice(0..0, program.options(line, source)?);
    words.extend(["-c".to_owned(), "-o".to_owned(), object.display().to_string()]);
    Ok(words)
}

enum Translated {
    /// Without directives, or not to be preprocessed: the compiler will say why.
    Plain,
    Refused,
    To(InstrumentedSource),
}

/// What a source became.
struct InstrumentedSource {
    file: PathBuf,
    folder: PathBuf,
    _artefacts: Artefacts,
}

impl InstrumentedSource {
    /// Its ending is not one of C, lest `*.c` in a build means it.
    fn as_c(&self, source: &SourceArgument) -> Vec<String> {
        let behind = source.language.clone().unwrap_or_else(|| "none".to_owned());
        let file = self.file.display().to_string();
        ["-x".to_owned(), "c".to_owned(), file, "-x".to_owned(), behind].into()
    }

    /// Quoted names mean files beside the source first, as they do there; in reports of coverage it is the source that counts. Which
    /// values may not be set is a guess of GCC's optimiser, which calls that are added can lead astray: it breaks no build.
    fn options(&self, line: &CommandLine, source: &SourceArgument) -> Result<Vec<String>, String> {
        let folder = Path::new(&source.path).parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut words = vec!["-iquote".to_owned(), folder.unwrap_or(Path::new(".")).display().to_string()];
        if line.has(&["-fcoverage-mapping"])
            && let Ok(path) = std::path::absolute(&source.path)
        {
            words.push(format!("-fcoverage-prefix-map={}={}", self.file.display(), path.display()));
        }
        if line.has(&["-Werror"]) && runtime_library::is_gcc(&line.compiler)? {
            words.push("-Wno-error=maybe-uninitialized".to_owned());
        }
        Ok(words)
    }
}

/// Translates a source into the folder of its object.
fn translate(line: &CommandLine, source: &SourceArgument) -> Result<Translated, String> {
    let include = runtime_directory::prepare()?.join("include");
    let mut flags: Vec<String> = for_preprocessor(&line.flags(), Some(Path::new(&source.path)));
    flags.extend(source.language.iter().flat_map(|language| ["-x".to_owned(), language.clone()]));
    let mut compile = Compile {
        file: PathBuf::from(&source.path),
        directory: PathBuf::new(),
        compiler: line.compiler.clone(),
        flags,
    };
    let Ok(preprocessed) = preprocess::preprocess(&compile, &include) else { return Ok(Translated::Plain) };
    let has_directives =
        memchr::memmem::find(&preprocessed, b"#pragma cll").is_some() || has_misspelt(&preprocessed);
    let output = line.output(source);
    if !has_directives {
        Artefacts::forget(&output, Path::new(&source.path));
        return Ok(Translated::Plain);
    }
    let Some(artefacts) = Artefacts::make(&output, Path::new(&source.path))? else {
        return Ok(Translated::Plain);
    };
    let folder = artefacts.folder()?;
    let path = if source.path == standard_input::NAME { "stdin" } else { &source.path };
    let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file = folder.join(format!("{stem}.call"));
    let wanted = TranslationOutput::Files(Some(file.clone()));
    let job = Job::among_others(&compile, &include, wanted);
    let outcome = job.run_on(Some(preprocessed));
    crate::tell(&outcome.messages);
    if outcome.has_errors {
        return Ok(Translated::Refused);
    }
    artefacts.remove_others(&outcome.files);
    // The compiler itself says what the user's own source depends on.
    let asked = dependencies::explicit(line, source);
    if !asked.is_empty() {
        compile.flags.extend(asked);
        preprocess::preprocess(&compile, &include)?;
    }
    Ok(Translated::To(InstrumentedSource { file, folder, _artefacts: artefacts }))
}

/// `#pragma ll` is no directive for the compiler, but may be meant as one: the translator tells.
fn has_misspelt(text: &[u8]) -> bool {
    [&b"#pragma cl "[..], b"#pragma ll ", b"#pragma clll "]
        .iter()
        .any(|near| memchr::memmem::find(text, near).is_some())
}
