//! Where a program gives the name of the number of processors to something else.

use call_compiler::{BlockCounts, BlockKind, PROCESSORS};

use super::outermost_lines::Lines;
use super::processors::is_word;

/// The lines that name something of the program as the number of processors is named: there it is not the number of processors.
pub struct ProcessorNames {
    /// Those within functions, which are these lines.
    in_functions: Vec<(Lines, u32)>,
    /// One elsewhere: all functions see it.
    elsewhere: Option<u32>,
}

impl ProcessorNames {
    /// Of a file without comments, and what is counted in it.
    pub fn of(code: &str, blocks: &[BlockCounts]) -> ProcessorNames {
        let lines: Vec<&str> = code.lines().collect();
        let is_function = |its: &&BlockCounts| its.kind == BlockKind::Function && its.begin.file.is_none();
        let functions: Vec<Lines> = blocks
            .iter()
            .filter(is_function)
            .map(|its| first_line(&lines, its.begin.line)..=its.end.line)
            .collect();
        let mut names = ProcessorNames { in_functions: Vec::new(), elsewhere: None };
        for (line, _) in (1..).zip(&lines).filter(|(_, text)| names_processors(text)) {
            match functions.iter().find(|its| its.contains(&line)) {
                Some(function) => names.in_functions.push((function.clone(), line)),
                None => names.elsewhere = names.elsewhere.or(Some(line)),
            }
        }
        names
    }

    /// The first such line that a block sees.
    pub fn seen_from(&self, block: &BlockCounts) -> Option<u32> {
        let own = self.in_functions.iter().find(|(function, _)| function.contains(&block.begin.line));
        own.map(|(_, line)| *line).or(self.elsewhere)
    }
}

/// The line in which a function begins whose body begins in a line: its parameters stand before that.
fn first_line(lines: &[&str], body: u32) -> u32 {
    let is_of_others = |line: &str| {
        line.trim().is_empty() || line.contains([';', '}']) || line.trim_start().starts_with('#')
    };
    let before = lines[..(body as usize - 1).min(lines.len())].iter().rev();
    body - before.take_while(|line| !is_of_others(line)).count() as u32
}

/// Directives that measure have it as what it is.
fn names_processors(line: &str) -> bool {
    let is_directive = line.trim_start().strip_prefix('#').is_some_and(|rest| {
        rest.trim_start().strip_prefix("pragma").is_some_and(|rest| rest.trim_start().starts_with("cll"))
    });
    !is_directive && line.split(|character| !is_word(character)).any(|word| word == PROCESSORS)
}
