//! Dependency files name the user's files rather than what was made of them.

use std::fs;
use std::path::{Path, PathBuf};

use super::Output;
use super::command_line::CommandLine;

/// Corrects the dependency file of a compilation, if it wrote one.
pub fn correct(line: &CommandLine, output: &Output) {
    let Some(path) = file(line, output) else { return };
    let Ok(text) = fs::read_to_string(&path) else { return };
    let program = escaped(&output.program);
    let tables = escaped(&output.program.with_extension("h"));
    // Without a better name the preprocessor calls the object after the program.
    let stem = output.program.with_extension("o");
    let own_object = escaped(Path::new(stem.file_name().unwrap_or_default()));
    let object = own_object.replace(".call.o", ".o");
    let mut text = text.replace(&format!("{tables}:\n"), "").replace(&format!(" {tables}"), "");
    text = text.replace(&program, &escaped(Path::new(&output.source)));
    if let Some(rest) = text.strip_prefix(&own_object) {
        text = format!("{object}{rest}");
    }
    for (copy, header) in &output.copies {
        text = text.replace(&escaped(copy), &escaped(Path::new(header)));
    }
    // A dependency file that cannot be written any more only costs a build.
    let _ = fs::write(&path, text);
}

/// The file that the flags ask for.
fn file(line: &CommandLine, output: &Output) -> Option<PathBuf> {
    let of_preprocessor = line.words.iter().filter_map(|word| word.strip_prefix("-Wp,")).find_map(|rest| {
        let mut parts = rest.split(',');
        parts.find(|part| ["-MD", "-MMD", "-MF"].contains(part)).and_then(|_| parts.next())
    });
    if of_preprocessor.is_some() {
        return of_preprocessor.map(PathBuf::from);
    }
    line.has(&["-MD", "-MMD"]).then(|| {
        let beside = || line.product(&output.source).with_extension("d");
        line.value_of("-MF").map_or_else(beside, PathBuf::from)
    })
}

/// A path as make reads it.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace(' ', "\\ ").replace('#', "\\#").replace('$', "$$")
}
