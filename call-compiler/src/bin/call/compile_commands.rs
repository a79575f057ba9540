//! Which compiler and flags a file is compiled with: from `compile_commands.json` or the command line.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{preprocess, standard_input};

/// How a file is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compile {
    /// As the compiler gets it, seen from the directory.
    pub file: PathBuf,
    /// Where the compiler runs; empty for the current directory.
    pub directory: PathBuf,
    pub compiler: Vec<String>,
    pub flags: Vec<String>,
}

impl Compile {
    /// A file of the command line, with the compiler of the environment.
    pub fn of_environment(file: &Path, flags: Vec<String>) -> Compile {
        let compiler = preprocess::compiler_of_environment();
        Compile { file: file.to_owned(), directory: PathBuf::new(), compiler, flags }
    }

    /// The file as seen from the current directory.
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.file)
    }

    /// What messages call the file.
    pub fn shown(&self) -> String {
        let is_input = standard_input::is(&self.file);
        if is_input { standard_input::SHOWN.to_owned() } else { self.file.display().to_string() }
    }

    /// The bytes of the file.
    pub fn source(&self) -> Result<Vec<u8>, String> {
        let is_input = standard_input::is(&self.file);
        let source =
            if is_input { standard_input::read().map(<[u8]>::to_vec) } else { fs::read(self.path()) };
        source.map_err(|error| format!("cannot read {}: {error}", self.shown()))
    }
}

#[derive(Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// The C files of a `compile_commands.json`.
pub fn read(path: &Path) -> Result<Vec<Compile>, String> {
    let text = fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let entries: Vec<CompileCommand> = serde_json::from_slice(&text)
        .map_err(|error| format!("{} is not a list of compile commands: {error}", path.display()))?;
    let beside = path.parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for entry in entries {
        if entry.file.extension().is_none_or(|ending| ending != "c") {
            continue;
        }
        let words = match (entry.arguments, entry.command) {
            (Some(words), _) => words,
            (None, Some(command)) => shlex::split(&command)
                .ok_or_else(|| format!("{}: a quote is not closed in: {command}", path.display()))?,
            (None, None) => {
                let file = entry.file.display();
                return Err(format!("{}: {file} has neither `arguments` nor `command`", path.display()));
            }
        };
        // Compiler caches and the like stand before the compiler.
        let first_flag = words.iter().position(|word| word.starts_with('-')).unwrap_or(words.len());
        let compiler = words[..first_flag].iter().take_while(|word| Path::new(word) != entry.file);
        let compiler: Vec<String> = compiler.cloned().collect();
        let flags = for_preprocessor(&words[compiler.len()..], Some(&entry.file));
        found.push(Compile { file: entry.file, directory: beside.join(entry.directory), compiler, flags });
    }
    Ok(found)
}

/// Leaves out what would make the compiler do something else than preprocess to its standard output.
pub fn for_preprocessor(words: &[String], file: Option<&Path>) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" | "-MJ" => {
                words.next();
            }
            "-c" | "-S" | "-E" | "-P" | "-MD" | "-MMD" | "-MP" | "-MG" | "-M" | "-MM" | "--" => {}
            other if other.starts_with("-Wp,-M") => {}
            other if other.starts_with("-MF") || other.starts_with("-MT") || other.starts_with("-MQ") => {}
            // `-ofile`, but not `-openmp`-like words of other compilers.
            other
                if other.starts_with("-o")
                    && Path::new(other).extension().is_some_and(|ending| ending == "o") => {}
            other if file.is_some_and(|file| Path::new(other) == file) => {}
            _ => flags.push(word.clone()),
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_for_the_preprocessor() {
        let words: Vec<String> =
            "-Iinc -c -o x.o -MD -MF x.d -DA=1 -fopenmp src/x.c -Wp,-MMD,y.d -include y.h"
                .split(' ')
                .map(str::to_owned)
                .collect();
        let flags = for_preprocessor(&words, Some(Path::new("src/x.c")));
        assert_eq!(flags.join(" "), "-Iinc -DA=1 -fopenmp -include y.h");
    }
}
