//! Proposals written into the source.

use std::collections::BTreeMap;

use call_compiler::{BlockCounts, BlockKind};
use similar::TextDiff;

/// Directives for a source, and what could not be put in.
#[derive(Default)]
pub struct Inserted {
    /// What stands before a line, by its number from 0.
    before: BTreeMap<usize, Vec<String>>,
    pub left_out: Vec<String>,
    pub count: usize,
}

/// The directives of blocks, in the source that they are of.
pub fn inserted(source: &str, blocks: &[BlockCounts]) -> Inserted {
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let mut inserted = Inserted::default();
    for block in blocks {
        match places(&lines, block, blocks) {
            Ok((begin, end)) => {
                inserted.before.entry(begin).or_default().push(block.directive());
                // Of blocks that end at one place the innermost one ends first.
                let ending = format!("#pragma cll end {}", block.name);
                inserted.before.entry(end).or_default().insert(0, ending);
                inserted.count += 1;
            }
            Err(why) => inserted.left_out.push(format!("line {}: {}: {why}", block.begin.line, block.name)),
        }
    }
    inserted
}

impl Inserted {
    /// A report at the end of `main`, of the same source, and what kind of program it is.
    pub fn add_report(&mut self, source: &str, main: &BlockCounts, parallel: Option<&str>) {
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let directives = self.before.entry(before_return(&lines, main)).or_default();
        directives.extend(parallel.map(|kind| format!("#pragma cll parallel {kind}")));
        directives.push("#pragma cll report all".to_owned());
    }

    /// The source with them.
    pub fn text(&self, source: &str) -> String {
        let line_end = if source.contains("\r\n") { "\r\n" } else { "\n" };
        let lines: Vec<&str> = source.split_inclusive('\n').collect();
        let mut text = String::with_capacity(source.len() + 100 * self.count);
        for number in 0..=lines.len() {
            for directive in self.before.get(&number).into_iter().flatten() {
                text.push_str(directive);
                text.push_str(line_end);
            }
            text.push_str(lines.get(number).copied().unwrap_or_default());
        }
        text
    }
}

/// The functions of other files that a block calls.
pub fn called(block: &BlockCounts) -> impl Iterator<Item = String> {
    block.uncounted.iter().map(|its| its.why.trim_matches('`').to_owned())
}

/// What the directive `parallel` says of a program: what it calls starts processors, or directives of OpenMP do. `None`: it is
/// sequential, or what starts its processors has a name that only the user knows.
pub fn parallel_kind(sources: &[&str], is_called: impl Fn(&str) -> bool) -> Option<&'static str> {
    let opens_team = |line: &str| {
        let words: Vec<&str> =
            line.split(|character| !is_word(character)).filter(|word| !word.is_empty()).collect();
        line.trim_start().starts_with('#')
            && words.starts_with(&["pragma", "omp"])
            && words.contains(&"parallel")
    };
    if ["MPI_Init", "MPI_Init_thread"].into_iter().any(&is_called) {
        Some("MPI MPI_COMM_WORLD")
    } else if ["bsp_init", "bsp_begin"].into_iter().any(&is_called) {
        Some("BSPlib")
    } else {
        sources.iter().flat_map(|source| source.lines()).any(opens_team).then_some("OpenMP")
    }
}

/// What changes, as `diff -u` shows it.
pub fn difference(path: &str, old: &str, new: &str) -> String {
    let mut text = TextDiff::from_lines(old, new).unified_diff().header(path, path).to_string();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The lines, from 0, before which the two directives of a block stand.
fn places(lines: &[&str], block: &BlockCounts, all: &[BlockCounts]) -> Result<(usize, usize), &'static str> {
    if block.begin.file.is_some() || block.end.file.is_some() {
        return Err("it stands in another file");
    }
    let (first, last) = (block.begin.line as usize - 1, block.end.line as usize - 1);
    let (Some(head), Some(foot)) = (lines.get(first), lines.get(last)) else {
        return Err("its lines are not those of the file");
    };
    let (head, foot) = (head.trim(), without_comment(foot));
    match block.kind {
        BlockKind::Function if !without_comment(head).ends_with('{') || !foot.trim().starts_with('}') => {
            Err("its braces share lines with other code")
        }
        BlockKind::Function => Ok((first + 1, last)),
        BlockKind::Loop => {
            let is_own_line = ["for", "while", "do"]
                .iter()
                .any(|word| head.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_word)));
            let is_shared = |other: &BlockCounts| {
                other.name != block.name
                    && other.kind == BlockKind::Loop
                    && other.begin.line == block.begin.line
            };
            if !is_own_line || !foot.ends_with(['}', ';']) || all.iter().any(is_shared) {
                return Err("it shares lines with other code");
            }
            Ok((above_pragmas(lines, first), last + 1))
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// A line without blanks at its ends and a comment at its end.
fn without_comment(line: &str) -> &str {
    let line = line.split("//").next().unwrap_or_default().trim();
    line.strip_suffix("*/").and_then(|line| line.rsplit_once("/*")).map_or(line, |(line, _)| line.trim_end())
}

/// Pragmas of others before a loop belong to it.
fn above_pragmas(lines: &[&str], loop_line: usize) -> usize {
    let mut line = loop_line;
    while let Some(above) = line.checked_sub(1) {
        let text = lines[above].trim();
        let goes_on = text.ends_with('\\');
        let is_pragma =
            text.starts_with('#') && text[1..].trim_start().starts_with("pragma") && !text.contains("cll");
        if !is_pragma && !goes_on {
            break;
        }
        line = above;
    }
    line
}

/// Where all is measured and a report can still be made: before the call that ends the machine, else before the last statement of `main` that
/// returns, else its end.
fn before_return(lines: &[&str], main: &BlockCounts) -> usize {
    let (first, last) = (main.begin.line as usize - 1, main.end.line as usize - 1);
    let body = first + 1..last.min(lines.len());
    let ends_machine = |text: &str| {
        ["MPI_Finalize", "bsp_end", "bsplib_done"]
            .iter()
            .any(|call| text.strip_prefix(call).is_some_and(|rest| rest.trim_start().starts_with('(')))
    };
    let returns = |text: &str| text.strip_prefix("return").is_some_and(|rest| !rest.starts_with(is_word));
    let statement = |is: &dyn Fn(&str) -> bool| {
        let number = body.clone().rev().find(|number| is(without_comment(lines[*number])))?;
        let mut above = (first..number).rev().filter(|above| !without_comment(lines[*above]).is_empty());
        let before = above.next().map(|above| without_comment(lines[above]))?;
        (before.ends_with([';', '{', '}']) || before.starts_with('#')).then_some(number)
    };
    let Some(mut number) = statement(&ends_machine).or_else(|| statement(&returns)) else { return last };
    // A condition of the preprocessor around it may not hold.
    let opens_condition = |number: &usize| {
        let directive = lines[*number].trim_start().strip_prefix('#');
        directive.is_some_and(|directive| directive.trim_start().starts_with("if"))
    };
    while let Some(above) =
        (first..number).rev().find(|above| !without_comment(lines[*above]).is_empty()).filter(opens_condition)
    {
        number = above;
    }
    number
}
