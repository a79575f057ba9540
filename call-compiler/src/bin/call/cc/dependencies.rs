//! The options that ask for dependency files: asked of the user's own source, so that they name the user's files only.

use std::path::Path;

use super::command_line::{CommandLine, SourceArgument};

/// How many words an option that concerns dependencies has.
fn length(word: &str) -> Option<usize> {
    match word {
        "-MF" | "-MT" | "-MQ" | "-MJ" => Some(2),
        "-MD" | "-MMD" | "-MP" | "-MG" => Some(1),
        _ if word.starts_with("-Wp,-M") => Some(1),
        _ if ["-MF", "-MT", "-MQ", "-MJ"].iter().any(|option| word.starts_with(option)) => Some(1),
        _ => None,
    }
}

/// Takes them out of a command line.
pub fn remove(words: &mut Vec<String>) {
    let mut at = 0;
    while at < words.len() {
        match length(&words[at]) {
            Some(count) => drop(words.drain(at..(at + count).min(words.len()))),
            None => at += 1,
        }
    }
}

/// The options of a command line for a source, with file and target that the compiler would choose for its output.
pub fn explicit(line: &CommandLine, source: &SourceArgument) -> Vec<String> {
    let mut options = Vec::new();
    let mut at = 0;
    while at < line.words.len() {
        let count = length(&line.words[at]).unwrap_or(0);
        let words = line.words.iter().skip(at).take(count);
        options.extend(words.filter(|_| !line.words[at].starts_with("-MJ")).cloned());
        at += count.max(1);
    }
    if line.has(&["-MD", "-MMD"]) {
        let output = line.output(source);
        let has = |option: &str| options.iter().any(|word| word.starts_with(option));
        let (has_file, has_target) = (has("-MF"), has("-MT") || has("-MQ"));
        if !has_file {
            options.extend(["-MF".to_owned(), line.dependency_file(source).display().to_string()]);
        }
        if !has_target {
            options.extend(["-MQ".to_owned(), target(line, source, &output)]);
        }
    }
    options
}

/// What the compiler calls the output of a source.
fn target(line: &CommandLine, source: &SourceArgument, output: &Path) -> String {
    if line.links() && line.value_of("-o").is_none() {
        let object = Path::new(&source.path).with_extension("o");
        return Path::new(object.file_name().unwrap_or_default()).display().to_string();
    }
    output.display().to_string()
}
