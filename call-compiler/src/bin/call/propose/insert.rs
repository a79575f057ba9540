//! Proposals written into the source.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use call_compiler::{BlockCounts, BlockKind};
use similar::udiff::UnifiedHunkHeader;
use similar::{DiffOp, DiffTag, group_diff_ops};

use super::main_body::{MainBody, directive_word};
use super::measured::MeasuredBlocks;
use super::often::Frequency;
use super::processors::{PRAGMA, ProcessorBounds, is_word};
use super::text::of_guarded;

/// Directives for a source, and what could not be put in.
#[derive(Default)]
pub struct Inserted {
    /// The source without its comments.
    code: String,
    /// What stands before a line, by its number from 0.
    before: BTreeMap<usize, Vec<String>>,
    pub left_out: Vec<String>,
    pub count: usize,
    /// Whether some blocks had directives before.
    pub is_measured: bool,
}

/// The directives of blocks, in the source that they are of; `code` is the same without comments and with the pragmas of macros.
pub fn inserted(
    source: &str,
    code: String,
    blocks: &[BlockCounts],
    (processors, frequency): (&ProcessorBounds, &Frequency),
) -> Inserted {
    let lines: Vec<&str> = code.split_inclusive('\n').collect();
    let measured = MeasuredBlocks::of(source, blocks);
    let mut loops: HashMap<u32, usize> = HashMap::new();
    for block in blocks.iter().filter(|block| block.kind == BlockKind::Loop) {
        *loops.entry(block.begin.line).or_insert(0) += 1;
    }
    let mut inserted = Inserted::default();
    for block in blocks {
        if let Some((name, why)) = block.read_under_condition() {
            inserted.left_out.push(format!(
                "line {}: {}: `{name}` is read under a condition only, {why}: put the directive in by hand",
                block.begin.line, block.name
            ));
            continue;
        }
        match places(&lines, block, &loops, processors) {
            Ok((begin, end)) => {
                if let Some(known) = measured.line_of(block, (begin, end), &lines) {
                    let (line, name) = (block.begin.line, &block.name);
                    let why = format!("line {line}: {name}: already measured, in line {known}");
                    inserted.left_out.push(why);
                    inserted.is_measured = true;
                    continue;
                }
                inserted.before.entry(begin).or_default().push(block.directive());
                // Of blocks that end at one place the innermost one ends first.
                let ending = format!("#pragma cll end {}", block.name);
                inserted.before.entry(end).or_default().insert(0, ending);
                inserted.count += 1;
                let told = block.guarded.iter().map(of_guarded).chain(frequency.why_often(block, &lines));
                inserted
                    .left_out
                    .extend(told.map(|why| format!("line {}: {}: {why}", block.begin.line, block.name)));
            }
            Err(why) => inserted.left_out.push(format!("line {}: {}: {why}", block.begin.line, block.name)),
        }
    }
    Inserted { code, ..inserted }
}

impl Inserted {
    /// The source without comments, with the pragmas of macros.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// A report where `main` ends, of the same source, and what kind of program it is.
    pub fn add_report(&mut self, main: &BlockCounts, processors: &ProcessorBounds, parallel: Option<&str>) {
        let lines: Vec<&str> = self.code.split_inclusive('\n').collect();
        let places = MainBody::new(&lines, main, processors).reports();
        for (number, place) in places.into_iter().enumerate() {
            let directives = self.before.entry(place).or_default();
            let kind = parallel.filter(|_| number == 0);
            directives.extend(kind.map(|kind| format!("#pragma cll parallel {kind}")));
            directives.push("#pragma cll report all".to_owned());
        }
    }

    /// The source with them.
    pub fn text(&self, source: &str) -> String {
        let line_end = line_end(source);
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let mut text = String::with_capacity(source.len() + 100 * self.count);
        for number in 0..=lines.len() {
            let directives = self.before.get(&number).into_iter().flatten();
            directives.for_each(|directive| text.extend([directive, line_end]));
            text.push_str(lines.get(number).copied().unwrap_or_default());
        }
        text
    }

    /// What changes, as `diff -u` shows it.
    pub fn difference(&self, path: &str, source: &str) -> String {
        const CONTEXT: usize = 3;
        let line_end = line_end(source);
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let mut text = format!("--- {path}\n+++ {path}\n");
        for hunk in group_diff_ops(self.changes(lines.len()), CONTEXT) {
            // Writing to a string cannot fail.
            _ = writeln!(text, "{}", UnifiedHunkHeader::new(&hunk));
            for change in hunk {
                let old = change.old_range();
                if change.tag() == DiffTag::Insert {
                    let directives = self.before.get(&old.start).into_iter().flatten();
                    directives.for_each(|directive| text.extend(["+", directive, line_end]));
                }
                lines[old].iter().for_each(|line| text.extend([" ", line]));
            }
        }
        if !text.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
        text
    }

    /// Lines are added to those that there are, and all others stay.
    fn changes(&self, lines: usize) -> Vec<DiffOp> {
        let mut changes = Vec::new();
        let (mut old_index, mut new_index) = (0, 0);
        let ends = self.before.iter().map(|(place, directives)| (*place, directives.len()));
        for (end, new_len) in ends.chain([(lines, 0)]) {
            let len = end - old_index;
            changes.push(DiffOp::Equal { old_index, new_index, len });
            (old_index, new_index) = (end, new_index + len);
            changes.push(DiffOp::Insert { old_index, new_index, new_len });
            new_index += new_len;
        }
        changes.pop();
        changes
    }
}

fn line_end(source: &str) -> &'static str {
    if source.contains("\r\n") { "\r\n" } else { "\n" }
}

/// The lines, from 0, before which the two directives of a block stand; `loops` says how many loops begin in each line.
fn places(
    lines: &[&str],
    block: &BlockCounts,
    loops: &HashMap<u32, usize>,
    processors: &ProcessorBounds,
) -> Result<(usize, usize), &'static str> {
    if block.begin.file.is_some() || block.end.file.is_some() {
        return Err("it stands in another file");
    }
    let (first, last) = (block.begin.line as usize - 1, block.end.line as usize - 1);
    let (Some(head), Some(foot)) = (lines.get(first), lines.get(last)) else {
        return Err("its lines are not those of the file");
    };
    let (head, foot) = (head.trim(), foot.trim());
    match block.kind {
        BlockKind::Function if !head.ends_with('{') || !foot.starts_with('}') => {
            Err("its braces share lines with other code")
        }
        BlockKind::Function if block.name == "main" => {
            let body = MainBody::new(lines, block, processors);
            body.measured()
        }
        BlockKind::Function if processors.starts.contains(&block.name) => Err("processors start inside it"),
        BlockKind::Function if processors.ends.contains(&block.name) => Err("processors end inside it"),
        BlockKind::Function => Ok((first + 1, last)),
        BlockKind::Loop => {
            // A macro may write a pragma before it.
            let behind = head.strip_prefix(PRAGMA).and_then(|rest| rest.split_once("\")"));
            let head = behind.map_or(head, |(_, rest)| rest.trim_start());
            let is_own_line = ["for", "while", "do"]
                .iter()
                .any(|word| head.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word)));
            let is_shared = loops.get(&block.begin.line).is_some_and(|count| *count > 1);
            if !is_own_line || !foot.ends_with(['}', ';']) || is_shared {
                return Err("it shares lines with other code");
            }
            Ok((above_pragmas(lines, first), last + 1))
        }
    }
}

/// Pragmas of others before a loop belong to it, also where the preprocessor chooses among them.
fn above_pragmas(lines: &[&str], loop_line: usize) -> usize {
    let mut first = loop_line;
    let mut line = loop_line;
    // Conditions of the preprocessor that end between here and the loop.
    let mut open = 0;
    while line > 0 {
        line -= 1;
        while line > 0 && lines[line - 1].trim_end().ends_with('\\') {
            line -= 1;
        }
        let text = lines[line].trim();
        match directive_word(text) {
            "pragma" if !text.contains("cll") => {}
            "endif" => open += 1,
            "else" | "elif" if open > 0 => {}
            "if" | "ifdef" | "ifndef" if open > 0 => open -= 1,
            _ if text.is_empty() => continue,
            _ => break,
        }
        if open == 0 {
            first = line;
        }
    }
    first
}
