use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use super::response_file;
use crate::preprocess;

/// A compiler's command line as far as it matters here.
pub struct CommandLine {
    /// The compiler, behind what launches it.
    pub compiler: Vec<String>,
    pub words: Vec<String>,
}

impl CommandLine {
    /// Takes `CC="call cc mpicc"`, `call cc ccache gcc`, and the compiler of the environment if none is named.
    pub fn new(words: &[String]) -> Result<CommandLine, String> {
        let is_name = |word: &&String| !word.starts_with(['-', '@']) && !is_input(word);
        let launchers = words.iter().take_while(|word| is_launcher(word)).count();
        let named = launchers + usize::from(words.get(launchers).as_ref().is_some_and(is_name));
        let mut compiler = words[..named].to_vec();
        if named == launchers {
            compiler.extend(preprocess::compiler_behind_us());
        }
        Ok(CommandLine { compiler, words: response_file::expand(&words[named..])? })
    }

    pub fn has(&self, flags: &[&str]) -> bool {
        self.words.iter().any(|word| flags.contains(&word.as_str()))
    }

    /// Positions of the C files among the words.
    pub fn sources(&self) -> Vec<usize> {
        let is_source = |at: &usize| {
            self.words[*at].ends_with(".c") && !self.words[*at].starts_with('-') && !self.is_value(*at)
        };
        (0..self.words.len()).filter(is_source).collect()
    }

    pub fn value_of(&self, flag: &str) -> Option<&str> {
        let separate = self.words.iter().position(|word| word == flag).and_then(|at| self.words.get(at + 1));
        let attached =
            || self.words.iter().find_map(|word| word.strip_prefix(flag).filter(|rest| !rest.is_empty()));
        separate.map(String::as_str).or_else(attached)
    }

    /// The flags that change what the compiler makes of a source, for the record.
    pub fn flags_that_matter(&self) -> Vec<String> {
        let matters = |word: &&String| {
            ["-O", "-m", "-f", "-std", "-g", "-pg"].iter().any(|start| word.starts_with(start))
        };
        self.words.iter().filter(matters).cloned().collect()
    }

    pub fn compiles_only(&self) -> bool {
        self.has(&["-c", "-S"])
    }

    /// Whether objects become a program or a shared library.
    pub fn links(&self) -> bool {
        let has_input = self.words.iter().any(|word| is_input(word));
        has_input && !self.compiles_only() && !self.has(&["-E", "-M", "-MM", "-fsyntax-only", "-r"])
    }

    /// What the command writes for a source: its object, or the program.
    pub fn product(&self, source: &str) -> PathBuf {
        let ending = if self.has(&["-S"]) { "s" } else { "o" };
        let unnamed = || {
            let object = Path::new(source).with_extension(ending);
            PathBuf::from(if self.compiles_only() {
                object.file_name().unwrap_or_default()
            } else {
                OsStr::new("a.out")
            })
        };
        self.value_of("-o").map_or_else(unnamed, PathBuf::from)
    }

    /// The words that compile one of several sources, without what names a product or belongs to the linker.
    pub fn words_for(&self, source: usize) -> Vec<String> {
        let is_kept = |at: &usize| {
            let word = &self.words[*at];
            let names_product = |at: usize| self.words[at] == "-o" || is_linking(&self.words[at]);
            let is_other =
                (is_input(word) && !self.is_value(*at)) || word.starts_with("-o") || is_linking(word);
            *at == source || !(is_other || (*at > 0 && self.is_value(*at) && names_product(*at - 1)))
        };
        (0..self.words.len()).filter(is_kept).map(|at| self.words[at].clone()).collect()
    }

    pub fn run(&self, words: &[String]) -> Result<ExitCode, String> {
        let (program, first) = self.compiler.split_first().ok_or("no compiler is named")?;
        let status = Command::new(program)
            .args(first)
            .args(words)
            .status()
            .map_err(|error| format!("cannot run the C compiler `{program}`: {error}"))?;
        Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
    }

    fn is_value(&self, at: usize) -> bool {
        at > 0 && takes_value(&self.words[at - 1])
    }
}

/// Whether a word is a compiler cache or the like, which stands before the compiler.
fn is_launcher(word: &str) -> bool {
    let name = Path::new(word).file_name().and_then(OsStr::to_str);
    matches!(name, Some("ccache" | "sccache" | "distcc" | "icecc"))
}

pub fn is_input(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(OsStr::to_str);
    !word.starts_with('-')
        && matches!(ending, Some("c" | "o" | "a" | "so" | "s" | "S" | "i" | "lo" | "cc" | "cpp"))
}

fn is_linking(word: &str) -> bool {
    ["-l", "-L", "-Wl,", "-Xlinker", "-shared", "-static", "-rdynamic"]
        .iter()
        .any(|start| word.starts_with(start))
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
