//! Headers with directives: the program gets translated copies of them, and of the headers that include them. The copies stand
//! beside the translated program, and the `#include` lines name them.

use std::collections::{BTreeMap, BTreeSet};

use call_grammar::Span;

use crate::edit::TextEdit;
use crate::emit;
use crate::preprocessed::{OriginFile, Pragma, Preprocessed};
use crate::sources::Sources;

/// A translated copy of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderCopy {
    /// The header.
    pub path: String,
    /// Name of the copy, without a folder.
    pub name: String,
    /// Its text.
    pub text: Vec<u8>,
}

/// The headers of the user whose texts are needed to translate a file with directives `elsewhere`: those with directives, those on
/// the way to them, and all that could define a macro with a directive if there is one.
pub fn wanted(preprocessed: &Preprocessed, elsewhere: &[Pragma]) -> BTreeSet<String> {
    let mut wanted: BTreeSet<String> = BTreeSet::new();
    for pragma in elsewhere {
        let (origin, _) = preprocessed.origin(pragma.offset);
        if origin.is_main {
            wanted.extend(preprocessed.headers().map(str::to_owned));
        } else if !origin.is_system {
            wanted.insert(origin.path.clone());
        }
    }
    with_includers(preprocessed, wanted)
}

/// Adds the headers that include one of these.
fn with_includers(preprocessed: &Preprocessed, mut paths: BTreeSet<String>) -> BTreeSet<String> {
    loop {
        let count = paths.len();
        for (includer, _, included) in preprocessed.includes() {
            if !includer.is_main && paths.contains(&included.path) {
                paths.insert(includer.path.clone());
            }
        }
        if paths.len() == count {
            return paths;
        }
    }
}

/// Copies the headers in which `edits` lie, and those on the way to them, and adds the edits of `#include` lines to `edits`.
/// `name` and `folder` are those of the translated program.
pub fn copies(
    sources: &Sources,
    preprocessed: &Preprocessed,
    edits: &mut Vec<TextEdit>,
    name: &str,
    (directory, folder): (&str, &str),
) -> Vec<HeaderCopy> {
    let edited = edits.iter().map(|edit| sources.file_of(edit.span.start)).filter(|file| *file > 0);
    let edited: BTreeSet<String> = edited.map(|file| sources.path(file).to_owned()).collect();
    if edited.is_empty() {
        return Vec::new();
    }
    let names = copy_names(with_includers(preprocessed, edited), name);
    let mut included =
        IncludeEdits { sources, preprocessed, names: &names, directory, folder, edits: BTreeMap::new() };
    for (includer, line, header) in preprocessed.includes() {
        included.line(includer, line, header);
    }
    included.unread();
    edits.extend(included.edits.into_values());
    edits.sort_by_key(|edit| edit.span);
    let files =
        (1..sources.count()).filter_map(|file| names.get(sources.path(file)).map(|name| (file, name)));
    files
        .map(|(file, name)| HeaderCopy {
            path: sources.path(file).to_owned(),
            name: name.clone(),
            text: emit::source(sources, file, edits, "", ""),
        })
        .collect()
}

/// `kernel.h` of the program `fft` becomes `fft.call.kernel.h`.
fn copy_names(paths: BTreeSet<String>, name: &str) -> BTreeMap<String, String> {
    let mut taken = BTreeSet::new();
    let mut names = BTreeMap::new();
    for path in paths {
        let file = path.rsplit('/').next().unwrap_or(&path);
        let mut copy = format!("{name}.call.{file}");
        let mut number = 2;
        while !taken.insert(copy.clone()) {
            copy = format!("{name}.call.{number}.{file}");
            number += 1;
        }
        names.insert(path, copy);
    }
    names
}

struct IncludeEdits<'a> {
    sources: &'a Sources,
    preprocessed: &'a Preprocessed,
    names: &'a BTreeMap<String, String>,
    directory: &'a str,
    folder: &'a str,
    /// By the place of the file name.
    edits: BTreeMap<Span, TextEdit>,
}

impl IncludeEdits<'_> {
    /// Lets a line include the copy of a header, or the header itself from the folder of the copies.
    fn line(&mut self, includer: &OriginFile, line: u32, header: &OriginFile) {
        let is_copied = self.names.contains_key(&includer.path) && !includer.is_main;
        if !includer.is_main && !is_copied {
            return;
        }
        let Some(span) = self.sources.line_span(&includer.path, includer.is_main, line) else { return };
        let Some(written) = file_name(self.sources.bytes(), span) else { return };
        let replacement = match self.names.get(&header.path) {
            Some(copy) => format!("\"{copy}\""),
            None if is_copied && self.sources.bytes()[written.start] == b'"' => {
                format!("\"{}\"", relative(self.directory, self.folder, &header.path))
            }
            None => return,
        };
        self.edits.insert(written, TextEdit { span: written, replacement });
    }

    /// Lines that had no effect, because a guard kept the header from being read again, include the same files as those that had.
    fn unread(&mut self) {
        let bytes = self.sources.bytes();
        let known: BTreeMap<Vec<u8>, String> = self
            .edits
            .values()
            .map(|edit| (bytes[edit.span.start..edit.span.end].to_vec(), edit.replacement.clone()))
            .collect();
        for file in 0..self.sources.count() {
            if file > 0 && !self.names.contains_key(self.sources.path(file)) {
                continue;
            }
            let folder = self.sources.path(file).rsplit_once('/').map_or("", |(folder, _)| folder);
            for span in lines(bytes, self.sources.span(file)) {
                let Some(written) =
                    file_name(bytes, span).filter(|written| !self.edits.contains_key(written))
                else {
                    continue;
                };
                let text = &bytes[written.start..written.end];
                let beside = String::from_utf8_lossy(&text[1..text.len() - 1]).into_owned();
                let beside = if folder.is_empty() { beside } else { format!("{folder}/{beside}") };
                let replacement = match known.get(text) {
                    Some(replacement) => replacement.clone(),
                    None if file > 0 && text[0] == b'"' && self.preprocessed.has_file(&beside) => {
                        format!("\"{}\"", relative(self.directory, self.folder, &beside))
                    }
                    None => continue,
                };
                self.edits.insert(written, TextEdit { span: written, replacement });
            }
        }
    }
}

fn lines(bytes: &[u8], span: Span) -> Vec<Span> {
    let mut start = span.start;
    bytes[span.start..span.end]
        .split(|byte| *byte == b'\n')
        .map(|line| {
            let line_span = Span::new(start, start + line.len());
            start += line.len() + 1;
            line_span
        })
        .collect()
}

/// Where the `"file"` or `<file>` of an include line stands.
fn file_name(bytes: &[u8], line: Span) -> Option<Span> {
    let text = &bytes[line.start..line.end];
    let skip = |at: usize| at + text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let sign = skip(0);
    let keyword = skip(sign + usize::from(text.get(sign) == Some(&b'#')));
    let rest = text.get(keyword..)?.strip_prefix(b"include")?;
    let rest = rest.strip_prefix(b"_next").unwrap_or(rest);
    let open = skip(text.len() - rest.len());
    let close = match text.get(open)? {
        b'"' => b'"',
        b'<' => b'>',
        _ => return None,
    };
    let length = text[open + 1..].iter().position(|byte| *byte == close)?;
    Some(Span::new(line.start + open, line.start + open + length + 2))
}

/// The path of a file as seen from a folder, both as seen from the same directory.
fn relative(directory: &str, folder: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    let parts = |text: &str| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for part in text.split('/').filter(|part| !part.is_empty() && *part != ".") {
            match parts.last() {
                Some(last) if part == ".." && last != ".." => {
                    parts.pop();
                }
                _ => parts.push(part.to_owned()),
            }
        }
        parts
    };
    let (from, to) = (parts(folder), parts(path));
    if folder.starts_with('/') || from.iter().any(|part| part == "..") {
        return if directory.is_empty() { path.to_owned() } else { format!("{directory}/{path}") };
    }
    let common = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - common);
    up.chain(to[common..].iter().cloned()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths() {
        for (folder, path, expected) in [
            ("", "a/b.h", "a/b.h"),
            ("a", "a/b.h", "b.h"),
            ("out/x", "inc/b.h", "../../inc/b.h"),
            ("src", "./src/../inc/b.h", "../inc/b.h"),
            ("/out", "/usr/include/b.h", "/usr/include/b.h"),
            ("/out", "inc/b.h", "/project/inc/b.h"),
            ("../out", "b.h", "/project/b.h"),
        ] {
            assert_eq!(relative("/project", folder, path), expected, "{folder} {path}");
        }
    }

    #[test]
    fn names_of_included_files() {
        for (line, expected) in [
            ("#include \"a.h\" // x", Some("\"a.h\"")),
            ("  # include <sys/a.h>", Some("<sys/a.h>")),
            ("#include MACRO", None),
            ("#define include", None),
            ("", None),
        ] {
            let span = file_name(line.as_bytes(), Span::new(0, line.len()));
            assert_eq!(span.map(|span| &line[span.start..span.end]), expected, "{line}");
        }
    }
}
