//! The user's file as the preprocessor sees it.

use crate::sources::line_marker;

/// Output of `cc -E`: its text, where each of its lines came from, and the pragmas that survived.
pub struct Preprocessed {
    /// Every byte that is not ASCII is `_`, so that offsets stay and names stay names.
    text: String,
    /// Offsets of the first bytes of the lines of the text.
    lines: Vec<usize>,
    /// From this line of the text on, the file and line it came from. Ascending.
    origins: Vec<LineOrigin>,
    files: Vec<OriginFile>,
    pragmas: Vec<Pragma>,
    includes: Vec<Include>,
}

/// A header that was read because of a line of another file. Files are positions in the list of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Include {
    includer: usize,
    line: u32,
    included: usize,
}

struct LineOrigin {
    text_line: usize,
    file: usize,
    line: u32,
}

/// A file that the preprocessor read, or that a `#line` directive names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OriginFile {
    pub path: String,
    /// Whether it is the translated file itself, under whichever name `#line` gave it.
    pub is_main: bool,
    /// Whether the compiler holds it for one of the system's.
    pub is_system: bool,
}

/// A pragma of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pragma {
    pub offset: usize,
    /// Behind its last byte.
    pub end: usize,
}

impl Preprocessed {
    pub fn read(output: &[u8], path: &str) -> Preprocessed {
        let mut reader = LineMarkerReader {
            read: Preprocessed {
                text: one_byte_each(output),
                lines: Vec::new(),
                origins: Vec::new(),
                files: Vec::new(),
                pragmas: Vec::new(),
                includes: Vec::new(),
            },
            open: Vec::new(),
            path: path.to_owned(),
            alias: None,
        };
        let main = reader.file(path, true, false);
        reader.read.origins.push(LineOrigin { text_line: 0, file: main, line: 1 });
        let text = std::mem::take(&mut reader.read.text);
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            reader.read.lines.push(offset);
            let first = line.bytes().find(|byte| !matches!(byte, b' ' | b'\t'));
            if first == Some(b'#') {
                reader.directive(line, offset);
            }
            offset += line.len();
        }
        reader.read.text = text;
        reader.read
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// The pragmas, ascending.
    pub fn pragmas(&self) -> &[Pragma] {
        &self.pragmas
    }

    /// The words of a pragma behind `pragma`.
    pub fn pragma_text(&self, pragma: Pragma) -> &str {
        let line = self.text[pragma.offset..pragma.end].trim_start();
        let behind_sign = line.trim_start_matches('#').trim_start();
        behind_sign.strip_prefix("pragma").unwrap_or(behind_sign).trim()
    }

    /// File and line from which an offset came.
    pub fn origin(&self, offset: usize) -> (&OriginFile, u32) {
        let text_line = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let index = self.origins.partition_point(|origin| origin.text_line <= text_line).saturating_sub(1);
        let origin = &self.origins[index];
        (&self.files[origin.file], origin.line.saturating_add((text_line - origin.text_line) as u32))
    }

    /// Which file's which line made the preprocessor read which other file.
    pub fn includes(&self) -> impl Iterator<Item = (&OriginFile, u32, &OriginFile)> {
        let file = |index: usize| &self.files[index];
        self.includes
            .iter()
            .map(move |include| (file(include.includer), include.line, file(include.included)))
    }

    /// Whether the preprocessor read a file of that path.
    pub fn has_file(&self, path: &str) -> bool {
        self.files.iter().any(|file| file.path == path)
    }

    /// The headers that the preprocessor read, those of the system apart.
    pub fn headers(&self) -> impl Iterator<Item = &str> {
        let files =
            self.files.iter().filter(|file| !file.is_main && !file.is_system && !file.path.starts_with('<'));
        files.map(|file| file.path.as_str())
    }
}

struct LineMarkerReader {
    read: Preprocessed,
    /// The headers that are being read, one inside another.
    open: Vec<usize>,
    /// What the user calls the file, and what the preprocessor calls it: some wrappers of compilers hand it an absolute path.
    path: String,
    alias: Option<String>,
}

impl LineMarkerReader {
    fn file(&mut self, path: &str, is_main: bool, is_system: bool) -> usize {
        let wanted = OriginFile { path: path.to_owned(), is_main, is_system };
        match self.read.files.iter().rposition(|file| *file == wanted) {
            Some(index) => index,
            None => {
                self.read.files.push(wanted);
                self.read.files.len() - 1
            }
        }
    }

    fn directive(&mut self, line: &str, offset: usize) {
        let content = line.trim();
        let text_line = self.read.lines.len() - 1;
        if let Some((number, name)) = line_marker(content) {
            let flags: Vec<&str> =
                content.rsplit('"').next().unwrap_or_default().split_whitespace().collect();
            let Some(name) = name else { return };
            let left = if flags.first() == Some(&"2") { self.open.pop() } else { None };
            let enters = flags.first() == Some(&"1");
            // `<built-in>` and the like are none; what comes from standard input is `<stdin>`.
            let is_main = self.open.is_empty() && !enters && (!name.starts_with('<') || name == self.path);
            let alias =
                if is_main { self.alias.get_or_insert_with(|| name.clone()).clone() } else { String::new() };
            let name = if is_main && name == alias { self.path.clone() } else { name };
            let file = self.file(&name, is_main, flags.contains(&"3"));
            if enters {
                self.open.push(file);
            }
            if let Some(included) = left {
                self.read.includes.push(Include { includer: file, line: number.saturating_sub(1), included });
            }
            self.read.origins.push(LineOrigin { text_line: text_line + 1, file, line: number });
        } else if content.trim_start_matches('#').trim_start().starts_with("pragma") {
            self.read.pragmas.push(Pragma { offset, end: offset + line.trim_end().len() });
        }
    }
}

/// The names of the macros in the output of `cc -E -dM`.
pub fn macro_names(output: &[u8]) -> std::collections::HashSet<String> {
    let lines = output.split(|byte| *byte == b'\n');
    let names = lines.filter_map(|line| line.strip_prefix(b"#define "));
    names
        .map(|rest| {
            let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
            name.map(|byte| char::from(*byte)).collect()
        })
        .collect()
}

fn one_byte_each(bytes: &[u8]) -> String {
    if bytes.is_ascii()
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return text.to_owned();
    }
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_know_where_they_came_from() {
        let output = b"# 0 \"x.c\"\n# 0 \"<built-in>\"\n# 1 \"/usr/include/p.h\" 1 3 4\n# 0 \"<command-line>\" 2\n# 1 \"x.c\"\n\
            int a;\n#pragma cll f f[0]\n# 1 \"y.h\" 1\n#pragma cll g g[0]\n# 9 \"x.c\" 2\n\n  #pragma cll end f\n# 20 \"x.y\"\nint z;\n";
        let read = Preprocessed::read(output, "x.c");
        let places: Vec<(&str, u32, bool)> = read
            .pragmas()
            .iter()
            .map(|pragma| read.origin(pragma.offset))
            .map(|(file, line)| (file.path.as_str(), line, file.is_main))
            .collect();
        assert_eq!(places, [("x.c", 2, true), ("y.h", 1, false), ("x.c", 10, true)]);
        assert_eq!(read.pragma_text(read.pragmas()[2]), "cll end f");
        let renamed = String::from_utf8_lossy(output).replace("\"x.c\"", "\"/tmp/x.c\"");
        let renamed = Preprocessed::read(renamed.as_bytes(), "x.c");
        assert_eq!(renamed.origin(renamed.pragmas()[0].offset).0.path, "x.c");
        assert_eq!(read.headers().collect::<Vec<_>>(), ["y.h"]);
        let end = read.text().find("int z").unwrap();
        assert_eq!(
            (read.origin(end).0.path.as_str(), read.origin(end).0.is_main, read.origin(end).1),
            ("x.y", true, 20)
        );
    }

    #[test]
    fn macros() {
        let names = macro_names(b"#define SIZE 10\n#define MAX(a, b) a\n#define __x86_64__ 1\n");
        assert!(names.contains("MAX") && names.contains("SIZE") && names.contains("__x86_64__"));
    }
}
