//! The user's file as the preprocessor sees it.

use std::collections::HashSet;

/// Maps byte offsets to line numbers, both ways of counting as the compiler does: lines from 1.
pub struct LineTable {
    starts: Vec<usize>,
}

impl LineTable {
    pub fn new(source: &[u8]) -> LineTable {
        let behind_feeds =
            source.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        LineTable { starts: std::iter::once(0).chain(behind_feeds).collect() }
    }

    pub fn line(&self, offset: usize) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }
}

/// Output of `cc -E -dD`: which pragmas of the file survived, where they stand in this text, and which macros exist.
pub struct Preprocessed {
    text: String,
    /// Line in the user's file and offset in the text of every pragma that stands in the user's file.
    pragmas: Vec<(u32, usize)>,
    /// `file:line` of the directives that came from other files.
    foreign_directives: Vec<String>,
    macros: HashSet<String>,
}

impl Preprocessed {
    /// Reads the preprocessor's output. `path` is the name by which the preprocessor was given the file.
    pub fn read(output: &[u8], path: &str) -> Preprocessed {
        let text = one_byte_each(output);
        let mut pragmas = Vec::new();
        let mut foreign_directives = Vec::new();
        let mut macros = HashSet::new();
        let mut file = path.to_owned();
        let mut line = 1u32;
        let mut offset = 0;
        for text_line in text.split_inclusive('\n') {
            let content = text_line.trim();
            if let Some((marked, named)) = line_marker(content) {
                (file, line) = (named.unwrap_or(file), marked);
            } else {
                if let Some(rest) = pragma(content) {
                    if file == path {
                        pragmas.push((line, offset));
                    } else if rest == "cll" {
                        foreign_directives.push(format!("{file}:{line}"));
                    }
                } else if let Some(rest) = content.strip_prefix("#define ") {
                    let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                    macros.insert(rest[..name.unwrap_or(rest.len())].to_owned());
                } else if let Some(name) = content.strip_prefix("#undef ") {
                    macros.remove(name.trim());
                }
                line += 1;
            }
            offset += text_line.len();
        }
        Preprocessed { text, pragmas, foreign_directives, macros }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Offset in the text of the pragma that stands on one of these lines of the user's file; `None` if conditional
    /// compilation took it away.
    pub fn pragma_in(&self, first: u32, last: u32) -> Option<usize> {
        self.pragmas.iter().find(|(line, _)| (first..=last).contains(line)).map(|(_, offset)| *offset)
    }

    /// Whether a macro of that name exists at the end of the file.
    pub fn has_macro(&self, name: &str) -> bool {
        self.macros.contains(name)
    }

    /// Places of directives that the compiler sees and that are not among the lines `seen` of the user's file: in headers, in
    /// macros, or renamed by `#line`.
    pub fn directives_elsewhere(&self, seen: &[(u32, u32)]) -> Vec<String> {
        let unseen = self.pragmas.iter().filter(|(line, offset)| {
            self.text[*offset..].lines().next().and_then(pragma) == Some("cll")
                && !seen.iter().any(|(first, last)| (first..=last).contains(&line))
        });
        let unseen = unseen.map(|(line, _)| format!("a macro on line {line}"));
        self.foreign_directives.iter().cloned().chain(unseen).collect()
    }
}

/// The first word of a pragma.
fn pragma(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    rest.starts_with([' ', '\t']).then(|| rest.split_whitespace().next().unwrap_or_default())
}

/// `# 12 "file.c" flags` or `#line 12 "file.c"`.
fn line_marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"').map(|quoted| {
        let mut name = String::new();
        let mut characters = quoted.chars();
        while let Some(character) = characters.next() {
            match character {
                '"' => break,
                '\\' => name.extend(characters.next()),
                other => name.push(other),
            }
        }
        name
    });
    Some((number, name))
}

/// The text with every byte that is not ASCII replaced by `_`, so that offsets stay and lang-c sees identifiers.
fn one_byte_each(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_found_by_line() {
        let output = b"# 0 \"x.c\"\n# 1 \"<built-in>\"\n#define __x86_64__ 1\n# 1 \"x.c\"\n#define SIZE 10\n#define MAX(a, b) a\n\
            #undef SIZE\nint a;\n#pragma cll f f[0]\n# 1 \"y.h\" 1\n#pragma cll g g[0]\n# 9 \"x.c\" 2\n\n#pragma cll end f\n";
        let read = Preprocessed::read(output, "x.c");
        assert!(read.pragma_in(5, 5).is_some());
        assert!(read.pragma_in(4, 4).is_none());
        let end = read.pragma_in(9, 12).unwrap();
        assert!(read.text()[end..].starts_with("#pragma cll end f"));
        assert!(read.has_macro("MAX") && read.has_macro("__x86_64__") && !read.has_macro("SIZE"));
        assert_eq!(read.directives_elsewhere(&[(5, 5), (9, 12)]), ["y.h:1"]);
        assert_eq!(read.directives_elsewhere(&[(5, 5)]), ["y.h:1", "a macro on line 10"]);
    }

    #[test]
    fn line_markers() {
        assert_eq!(line_marker("# 7 \"a \\\"b\\\\.c\" 2 3"), Some((7, Some("a \"b\\.c".to_owned()))));
        assert_eq!(line_marker("#line 12"), Some((12, None)));
        assert_eq!(line_marker("#pragma cll end f"), None);
        assert_eq!(line_marker("#define X 1"), None);
    }

    #[test]
    fn lines() {
        let table = LineTable::new(b"a\nb\n\nc");
        let lines: Vec<u32> = (0..6).map(|offset| table.line(offset)).collect();
        assert_eq!(lines, [1, 1, 2, 2, 3, 4]);
    }
}
