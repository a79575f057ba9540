//! The user's files: the translated one and the headers whose directives are translated with it.

use call_grammar::Span;

/// The texts of several files in one sequence of bytes, so that a [`Span`] says which file it lies in.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    bytes: Vec<u8>,
    files: Vec<IndexedFile>,
}

#[derive(Debug, Clone)]
struct IndexedFile {
    path: String,
    span: Span,
    /// Offsets of the first bytes of the lines.
    lines: Vec<usize>,
    /// What `#line` directives make of line numbers: from this line on, the file and line that they say. Ascending.
    renamings: Vec<Renaming>,
}

#[derive(Debug, Clone)]
struct Renaming {
    line: u32,
    said_file: Option<String>,
    said_line: u32,
}

impl Sources {
    /// The first file is the one that is translated.
    pub fn new(path: &str, bytes: &[u8]) -> Sources {
        let mut sources = Sources::default();
        sources.add(path, bytes);
        sources
    }

    /// Adds a header.
    pub fn add(&mut self, path: &str, bytes: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        let end = self.bytes.len();
        let feeds = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let lines: Vec<usize> = std::iter::once(start).chain(feeds.map(|(at, _)| start + at + 1)).collect();
        let renamings = renamings(bytes, start, &lines);
        self.files.push(IndexedFile { path: path.to_owned(), span: Span::new(start, end), lines, renamings });
        // So that no span touches two files.
        self.bytes.push(b'\n');
    }

    /// All bytes; spans count them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many files there are.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// The file in which an offset lies.
    pub fn file_of(&self, offset: usize) -> usize {
        self.files.partition_point(|file| file.span.start <= offset).saturating_sub(1)
    }

    /// Path of a file, as the compiler's messages name it.
    pub fn path(&self, file: usize) -> &str {
        &self.files[file].path
    }

    /// Where a file stands among the bytes.
    pub fn span(&self, file: usize) -> Span {
        self.files[file].span
    }

    /// The text of a file.
    pub fn text(&self, file: usize) -> &[u8] {
        &self.bytes[self.files[file].span.start..self.files[file].span.end]
    }

    /// The line of an offset in its file, from 1.
    pub fn line(&self, offset: usize) -> u32 {
        self.files[self.file_of(offset)].lines.partition_point(|start| *start <= offset) as u32
    }

    /// The bytes of a line that the compiler names by `path`, or that of the translated file, and number; blanks around left out.
    pub fn line_span(&self, path: &str, is_main: bool, said_line: u32) -> Option<Span> {
        let index = if is_main { 0 } else { self.files.iter().position(|file| file.path == path)? };
        let file = &self.files[index];
        let line = file
            .renamings
            .iter()
            .rev()
            .find(|renaming| {
                renaming.said_line <= said_line && renaming.said_file.as_deref().unwrap_or(&file.path) == path
            })
            .map_or(said_line, |renaming| renaming.line.saturating_add(said_line - renaming.said_line));
        let start = *file.lines.get(line.checked_sub(1)? as usize)?;
        let end = file.lines.get(line as usize).map_or(file.span.end, |next| next - 1);
        let text = &self.bytes[start..end];
        let indent = text.len() - text.trim_ascii_start().len();
        Some(Span::new(start + indent, start + text.trim_ascii_end().len().max(indent)))
    }

    /// The text of a line of the translated file; none where `#line` gives numbers that several lines may have.
    pub fn line_text(&self, said_line: u32) -> Option<String> {
        if self.files.first().is_none_or(|file| !file.renamings.is_empty()) {
            return None;
        }
        let span = self.line_span(self.path(0), true, said_line)?;
        Some(String::from_utf8_lossy(&self.bytes[span.start..span.end]).into_owned())
    }

    /// File and line that the compiler believes an offset to lie at; `None` is the file's own path.
    pub fn said_place(&self, offset: usize) -> (Option<&str>, u32) {
        let line = self.line(offset);
        let renamings = &self.files[self.file_of(offset)].renamings;
        match renamings.partition_point(|renaming| renaming.line <= line).checked_sub(1) {
            Some(last) => {
                let renaming = &renamings[last];
                (renaming.said_file.as_deref(), renaming.said_line.saturating_add(line - renaming.line))
            }
            None => (None, line),
        }
    }
}

/// Reads `#line 7 "x.y"` and `# 7 "x.y"`. Whether conditional compilation leaves them out is not known here.
fn renamings(bytes: &[u8], start: usize, lines: &[usize]) -> Vec<Renaming> {
    let mut found: Vec<Renaming> = Vec::new();
    if memchr::memmem::find(bytes, b"line").is_none() && memchr::memmem::find(bytes, b"# ").is_none() {
        return found;
    }
    for (index, line_start) in lines.iter().enumerate() {
        let from = line_start - start;
        let Some(first) = bytes[from..].iter().position(|byte| !matches!(byte, b' ' | b'\t')) else {
            continue;
        };
        // A continued line is part of a string, a comment or another directive.
        let is_continued = bytes[..from]
            .strip_suffix(b"\n")
            .is_some_and(|before| before.strip_suffix(b"\r").unwrap_or(before).ends_with(b"\\"));
        if bytes[from + first] != b'#' || is_continued {
            continue;
        }
        let end = lines.get(index + 1).map_or(bytes.len(), |next| next - start);
        let text = String::from_utf8_lossy(&bytes[from + first..end]);
        if let Some((said_line, said_file)) = line_marker(text.trim()) {
            let said_file = said_file.or_else(|| found.last().and_then(|last| last.said_file.clone()));
            found.push(Renaming { line: index as u32 + 2, said_file, said_line });
        }
    }
    found
}

/// `# 12 "file.c" flags` or `#line 12 "file.c"`.
pub fn line_marker(line: &str) -> Option<(u32, Option<String>)> {
    let rest = line.strip_prefix('#')?.trim_start();
    let named = rest.strip_prefix("line");
    let rest = named.unwrap_or(rest).trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    // `# 4*n` is a comment of assembler code.
    let behind = rest[digits..].trim_start();
    if named.is_none() && !behind.is_empty() && !behind.starts_with('"') {
        return None;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers() {
        assert_eq!(line_marker("# 7 \"a \\\"b\\\\.c\" 2 3"), Some((7, Some("a \"b\\.c".to_owned()))));
        assert_eq!(line_marker("#line 12"), Some((12, None)));
        assert_eq!(line_marker("# 4*n(%esp): W[n]"), None);
        assert_eq!(line_marker("#pragma cll end f"), None);
        assert_eq!(line_marker("#define X 1"), None);
    }

    #[test]
    fn files_and_lines() {
        let mut sources = Sources::new("x.c", b"a\nb\n\nc");
        sources.add("y.h", b"d\n#line 7 \"z.y\"\ne\nf\n#line 3\ng\n");
        let lines: Vec<u32> = (0..6).map(|offset| sources.line(offset)).collect();
        assert_eq!(lines, [1, 1, 2, 2, 3, 4]);
        let start = sources.span(1).start;
        assert_eq!((sources.file_of(start - 1), sources.file_of(start), sources.path(1)), (0, 1, "y.h"));
        let place = |letter: u8| {
            let at = sources.bytes().iter().rposition(|byte| *byte == letter).unwrap();
            sources.said_place(at)
        };
        // In the middle of a string it is text.
        let text = b"h(\"nop\\n\\\n# 7\\\n# 9\\n\");\nint i;\n";
        let text = Sources::new("x.c", text);
        assert_eq!(text.said_place(text.bytes().len() - 4), (None, 4));
        assert_eq!(place(b'd'), (None, 1));
        assert_eq!(place(b'f'), (Some("z.y"), 8));
        assert_eq!(place(b'g'), (Some("z.y"), 3));
        assert_eq!(place(b'c'), (None, 4));
    }
}
