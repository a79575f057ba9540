//! A compiler's command line as far as it matters here.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::response_file;
use crate::{preprocess, programs, standard_input};

/// Longer command lines go to the compiler in a file, as they came.
const LONGEST: usize = 100_000;

pub struct CommandLine {
    /// With what stands before it, as `ccache`.
    pub compiler: Vec<String>,
    /// The words behind it, those of response files in their places.
    pub words: Vec<String>,
    /// Whether its programs are to be MPI programs, where that is said.
    pub mpi: Option<bool>,
    given: Vec<String>,
}

/// A C file among the words.
pub struct SourceArgument {
    pub path: String,
    /// What `-x` says of it.
    pub language: Option<String>,
    at: usize,
}

impl CommandLine {
    pub fn new(words: &[String]) -> CommandLine {
        let (mpi, words) = match words.split_first() {
            Some((first, rest)) if first == "--mpi" => (Some(true), rest),
            Some((first, rest)) if first == "--no-mpi" => (Some(false), rest),
            _ => (None, words),
        };
        // `CC="call cc mpicc"`, and CMake's launchers, name the compiler first, perhaps behind another launcher.
        let may_be_program = |word: &str| !word.starts_with(['-', '@']) && !is_input(word);
        let mut count = usize::from(words.first().is_some_and(|word| may_be_program(word)));
        while count > 0
            && words.get(count).is_some_and(|word| may_be_program(word) && programs::find(word).is_some())
        {
            count += 1;
        }
        let compiler =
            if count > 0 { words[..count].to_vec() } else { preprocess::compiler_of_environment() };
        let given = words[count..].to_vec();
        let words = response_file::expand(&given).iter().flat_map(|word| short(word)).collect();
        CommandLine { compiler, words, mpi, given }
    }

    pub fn has(&self, flags: &[&str]) -> bool {
        self.words.iter().any(|word| flags.contains(&word.as_str()))
    }

    /// Whether the word at a place belongs to an option before it.
    fn is_value(&self, at: usize) -> bool {
        at > 0 && takes_value(&self.words[at - 1]) && !self.is_value(at - 1)
    }

    pub fn sources(&self) -> Vec<SourceArgument> {
        let mut language = None;
        let mut sources = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let of_option = word.strip_prefix("-x").filter(|rest| !rest.is_empty());
            let of_next = || self.words.get(at + 1).filter(|_| word == "-x").map(String::as_str);
            if self.is_value(at) {
            } else if let Some(named) = of_option.or_else(of_next) {
                language = Some(named.to_owned()).filter(|named| named != "none");
            } else if (!word.starts_with('-') || word == standard_input::NAME)
                && language.as_deref().map_or(word.ends_with(".c"), |language| language == "c")
            {
                sources.push(SourceArgument { path: word.clone(), language: language.clone(), at });
            }
        }
        sources
    }

    /// What `-x` says at the end, ended for what is added there.
    pub fn end_of_language(&self) -> Vec<String> {
        let is_said = self.words.iter().any(|word| word.starts_with("-x"));
        if is_said { vec!["-x".to_owned(), "none".to_owned()] } else { Vec::new() }
    }

    pub fn value_of(&self, flag: &str) -> Option<&str> {
        let found = (0..self.words.len())
            .rev()
            .find(|at| self.words[*at].starts_with(flag) && !self.is_value(*at))?;
        let attached = &self.words[found][flag.len()..];
        if attached.is_empty() { self.words.get(found + 1).map(String::as_str) } else { Some(attached) }
    }

    /// The flags that change what the compiler makes of a source, as a macro for the record in the traces.
    pub fn recorded_flags(&self) -> String {
        let matters = |word: &&String| {
            ["-O", "-m", "-f", "-std", "-g", "-pg"].iter().any(|start| word.starts_with(start))
        };
        let flags: Vec<&str> = self.words.iter().filter(matters).map(String::as_str).collect();
        format!("-DCLL_FLAGS={}", crate::recordable(&flags.join(",")))
    }

    pub fn compiles_only(&self) -> bool {
        self.has(&["-c", "-S"])
    }

    /// Whether nothing is compiled.
    pub fn only_asks(&self) -> bool {
        let asks = self.has(&[
            "-E",
            "-M",
            "-MM",
            "-fsyntax-only",
            "-###",
            "--version",
            "-dumpversion",
            "-dumpmachine",
        ]);
        // Build systems take the libraries of the compiler from what it tells with objects.
        asks || (self.has(&["-v"]) && self.sources().is_empty())
    }

    /// Whether objects become a program or a shared library.
    pub fn links(&self) -> bool {
        let has_input = self.words.iter().any(|word| is_input(word)) || !self.sources().is_empty();
        has_input && !self.compiles_only() && !self.only_asks() && !self.has(&["-r"])
    }

    /// What a source is compiled to.
    pub fn output(&self, source: &SourceArgument) -> PathBuf {
        match self.value_of("-o") {
            Some("-") => PathBuf::from("/dev/stdout"),
            Some(output) => PathBuf::from(output),
            None if self.compiles_only() => {
                let ending = if self.has(&["-S"]) { "s" } else { "o" };
                let name = Path::new(&source.path).with_extension(ending);
                PathBuf::from(name.file_name().unwrap_or_default())
            }
            None => PathBuf::from("a.out"),
        }
    }

    /// The option that names what a compiler would make of the source's own name.
    pub fn default_output(&self, source: &SourceArgument) -> Vec<String> {
        if self.compiles_only() && self.value_of("-o").is_none() {
            vec!["-o".to_owned(), self.output(source).display().to_string()]
        } else {
            Vec::new()
        }
    }

    /// Where the compiler writes what the output depends on, if it is not told.
    pub fn dependency_file(&self, source: &SourceArgument) -> PathBuf {
        if self.links() && self.value_of("-o").is_none() {
            let stem = Path::new(&source.path).file_stem().unwrap_or_default().to_string_lossy();
            return PathBuf::from(format!("a-{stem}.d"));
        }
        self.output(source).with_extension("d")
    }

    /// The words that are neither files nor say what they are.
    pub fn flags(&self) -> Vec<String> {
        let sources = self.sources();
        let is_source = |at: usize| sources.iter().any(|source| source.at == at);
        let is_flag = |at: &usize| {
            let is_language = (self.words[*at].starts_with("-x") && !self.is_value(*at))
                || (*at > 0 && self.words[*at - 1] == "-x");
            !is_language && (self.is_value(*at) || !(is_source(*at) || is_input(&self.words[*at])))
        };
        (0..self.words.len()).filter(is_flag).map(|at| self.words[at].clone()).collect()
    }

    /// The same for one of the sources.
    pub fn with_only(&self, source: &SourceArgument) -> CommandLine {
        let others: Vec<usize> =
            self.sources().iter().map(|other| other.at).filter(|at| *at != source.at).collect();
        let words = self.words.iter().enumerate().filter(|(at, _)| !others.contains(at));
        self.with_words(words.map(|(_, word)| word.clone()).collect())
    }

    /// The same without what concerns linking only.
    pub fn without_linking(&self) -> CommandLine {
        let sources = self.sources();
        let separate = ["-o", "-L", "-l", "-Xlinker", "-T", "-u", "-z"];
        let is_linking = |at: usize| {
            let word = self.words[at].as_str();
            if self.is_value(at) {
                return separate.contains(&self.words[at - 1].as_str());
            }
            matches!(word, "-shared" | "-static" | "-pie" | "-no-pie" | "-rdynamic" | "-s")
                || ["-l", "-L", "-Wl,", "-o", "-T", "-u", "-z"].iter().any(|start| word.starts_with(start))
                || word == "-Xlinker"
                || (is_input(word) && !sources.iter().any(|source| source.at == at))
        };
        let words = (0..self.words.len()).filter(|at| !is_linking(*at));
        self.with_words(words.map(|at| self.words[at].clone()).collect())
    }

    fn with_words(&self, words: Vec<String>) -> CommandLine {
        CommandLine { compiler: self.compiler.clone(), given: words.clone(), words, mpi: self.mpi }
    }

    /// Other words in the place of a source.
    pub fn replace(&self, words: &[String], source: &SourceArgument, by: &[String]) -> Vec<String> {
        [&words[..source.at], by, &words[source.at + 1..]].concat()
    }

    /// The object of a source in its place.
    pub fn as_object(&self, source: &SourceArgument, object: &Path) -> Vec<String> {
        let object = object.display().to_string();
        match &source.language {
            None => vec![object],
            Some(language) => {
                let [none, back] = ["none", language].map(|word| format!("-x{word}"));
                vec![none, object, back]
            }
        }
    }

    /// Lets the compiler do what it was asked.
    pub fn run_as_given(&self) -> Result<ExitCode, String> {
        self.start(&self.given)
    }

    pub fn run(&self, words: &[String]) -> Result<ExitCode, String> {
        let length: usize = words.iter().map(|word| word.len() + 1).sum();
        if length < LONGEST || !self.given.iter().any(|word| word.starts_with('@')) {
            return self.start(words);
        }
        let unable = |error| format!("cannot write a temporary file: {error} (set TMPDIR)");
        let text: String = words.iter().map(|word| response_file::quoted(word)).collect();
        let mut file = tempfile::NamedTempFile::new().map_err(unable)?;
        file.write_all(text.as_bytes()).map_err(unable)?;
        self.start(&[format!("@{}", file.path().display())])
    }

    fn start(&self, words: &[String]) -> Result<ExitCode, String> {
        let (program, first) = self.compiler.split_first().ok_or("no compiler is named")?;
        let mut command = Command::new(program);
        command.args(first).args(words);
        let reads_input = words.iter().any(|word| word == standard_input::NAME);
        let status = if reads_input {
            standard_input::start(&mut command).and_then(|mut child| child.wait())
        } else {
            command.status()
        };
        let status = status.map_err(|error| format!("cannot run the C compiler `{program}`: {error}"))?;
        Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
    }
}

/// The long spellings of what is looked at here, as short ones.
fn short(word: &str) -> Vec<String> {
    for (long, short) in [("--language", "-x"), ("--output", "-o")] {
        match word.strip_prefix(long).map(|rest| rest.strip_prefix('=').ok_or(rest)) {
            Some(Ok(value)) => return vec![short.to_owned(), value.to_owned()],
            Some(Err("")) => return vec![short.to_owned()],
            _ => {}
        }
    }
    let short = match word {
        "--compile" => "-c",
        "--assemble" => "-S",
        "--preprocess" => "-E",
        "--shared" => "-shared",
        "--dependencies" => "-M",
        "--user-dependencies" => "-MM",
        "--write-dependencies" => "-MD",
        "--write-user-dependencies" => "-MMD",
        _ => word,
    };
    vec![short.to_owned()]
}

fn is_input(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(OsStr::to_str);
    !word.starts_with(['-', '@'])
        && (matches!(ending, Some("c" | "o" | "a" | "so" | "s" | "S" | "i" | "lo"))
            || is_cpp(word)
            || word.contains(".so."))
}

/// Whether a word names a file that compilers take for C++.
pub fn is_cpp(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(OsStr::to_str);
    !word.starts_with('-') && matches!(ending, Some("cc" | "cpp" | "cxx" | "c++" | "cp" | "CPP" | "C"))
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
            | "-isysroot"
            | "-x"
            | "-L"
            | "-l"
            | "-MF"
            | "-MT"
            | "-MQ"
            | "-MJ"
            | "-Xlinker"
            | "-Xpreprocessor"
            | "-Xassembler"
            | "-T"
            | "-u"
            | "-z"
            | "-arch"
            | "-target"
            | "--param"
    )
}
