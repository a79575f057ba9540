//! Where in `main` a measurement of all of it begins, and where it ends and is reported.

use std::ops::Range;

use call_compiler::BlockCounts;

use super::processors::{ProcessorBounds, is_word};

/// The lines of a source without comments, of which `body` are those between the braces of `main`; all are counted from 0.
pub struct MainBody<'a> {
    lines: &'a [&'a str],
    body: Range<usize>,
    processors: &'a ProcessorBounds,
}

impl<'a> MainBody<'a> {
    pub fn new(lines: &'a [&'a str], main: &BlockCounts, processors: &'a ProcessorBounds) -> MainBody<'a> {
        let (first, last) = (main.begin.line as usize - 1, main.end.line as usize - 1);
        MainBody { lines, body: first + 1..last.min(lines.len()), processors }
    }

    fn text(&self, line: usize) -> &'a str {
        self.lines[line].trim()
    }

    /// The lines before which a measurement of it begins and ends.
    pub fn measured(&self) -> Result<(usize, usize), &'static str> {
        let (begin, reports) = (self.begin()?, self.reports());
        match reports[..] {
            [end] if begin <= end && self.deeper(begin..end) == 0 => Ok((begin, end)),
            _ => Err("it ends in a block of its own: let it end where the report stands"),
        }
    }

    /// By how many braces the line behind others lies deeper than the first one of them.
    fn deeper(&self, lines: Range<usize>) -> isize {
        lines.map(|line| braces(self.text(line))).sum()
    }

    /// The line before which a measurement begins: the first one, or that behind the call that starts the processors.
    fn begin(&self) -> Result<usize, &'static str> {
        let starts = |line: &usize| self.processors.starts.iter().any(|name| calls(self.text(*line), name));
        let Some(start) = self.body.clone().find(starts) else { return Ok(self.body.start) };
        let text = self.text(start);
        let is_statement = text.ends_with(';') && text.matches('(').count() == text.matches(')').count();
        let is_alone =
            self.above(start).is_none_or(|above| above.ends_with([';', '{', '}']) || above.starts_with('#'));
        if !is_statement || !is_alone || text.starts_with(['}', '{']) {
            return Err("processors start inside it: let it begin behind that");
        }
        Ok(self.behind_condition(start + 1))
    }

    /// The lines before which all that was measured is reported, while there are processors still: that of a report that stands there,
    /// of the call that ends the processors, or those where `main` is left at its end.
    pub fn reports(&self) -> Vec<usize> {
        let reports = |line: &usize| self.lines[*line].contains("cll report");
        if let Some(line) = self.body.clone().rev().find(reports) {
            return vec![line];
        }
        let ends = |line: &usize| {
            let text = self.text(*line);
            let rest = self.processors.ends.iter().filter_map(|name| text.strip_prefix(name.as_str()));
            rest.into_iter().any(|rest| rest.trim_start().starts_with('('))
        };
        let end = self.body.clone().rev().find(ends).filter(|line| self.begins_statement(*line));
        end.map_or_else(|| self.ways_out(), |end| vec![self.above_conditions(end)])
    }

    /// Where `main` is left at its end: at a last statement that leaves it, in all branches of a last condition, or at the brace.
    fn ways_out(&self) -> Vec<usize> {
        let leaves = |line: &usize| leaves(self.text(*line)) && self.begins_statement(*line);
        let Some(last) = self.body.clone().rev().find(leaves) else { return vec![self.body.end] };
        let is_even = self.deeper(self.body.clone()) == 0;
        if !is_even || self.deeper(self.body.start..last) == 0 {
            return vec![self.above_conditions(last)];
        }
        let begins_outside = |line: &usize| {
            let text = self.text(*line);
            self.deeper(self.body.start..*line) == 0
                && !text.is_empty()
                && !text.starts_with(['#', '{', '}'])
                && !is_else(text)
        };
        let begin = self.body.clone().rev().find(begins_outside);
        let Some(condition) = begin.filter(|line| *line < last && self.text(*line).starts_with("if")) else {
            return vec![self.body.end];
        };
        let mut found: Vec<usize> = (condition..self.body.end).filter(leaves).collect();
        let mut branches_end = (condition..self.body.end)
            .filter(|line| self.text(*line).starts_with('}') && self.deeper(self.body.start..*line) == 1);
        let is_left = |end: usize| {
            let begins = |line: &usize| {
                let text = self.text(*line);
                !text.is_empty() && !text.starts_with('#') && self.begins_statement(*line)
            };
            (condition..end).rev().find(begins).is_some_and(|line| found.contains(&line))
        };
        let has_other = (condition..self.body.end).any(|line| {
            self.deeper(self.body.start..line) <= 1
                && is_else(self.text(line).trim_start_matches('}').trim_start())
                && !self.text(line).contains("if")
        });
        if !has_other || !branches_end.all(is_left) {
            found.push(self.body.end);
        }
        found
    }

    /// Whether a line begins a statement that no other one before it holds.
    fn begins_statement(&self, line: usize) -> bool {
        let before = self.above(line).unwrap_or("{");
        before.ends_with([';', '{', '}']) || before.starts_with('#')
    }

    /// A condition of the preprocessor around a line may not hold.
    fn above_conditions(&self, mut line: usize) -> usize {
        while let Some(above) =
            self.line_above(line).filter(|above| directive_word(self.lines[*above]).starts_with("if"))
        {
            line = above;
        }
        line
    }

    /// The next line above that is not empty.
    fn line_above(&self, line: usize) -> Option<usize> {
        (self.body.start..line).rev().find(|above| !self.text(*above).is_empty())
    }

    fn above(&self, line: usize) -> Option<&'a str> {
        self.line_above(line).map(|above| self.text(above))
    }

    /// The line itself, or that behind the condition of the preprocessor that ends there.
    fn behind_condition(&self, line: usize) -> usize {
        let next = (line..self.body.end).find(|line| !self.text(*line).is_empty());
        match next.map(|next| (next, directive_word(self.lines[next]))) {
            Some((next, "endif")) => self.behind_condition(next + 1),
            Some((next, "else" | "elif")) => {
                let end = (next..self.body.end).find(|line| directive_word(self.lines[*line]) == "endif");
                end.map_or(line, |end| self.behind_condition(end + 1))
            }
            _ => line,
        }
    }
}

/// `if` of `#  if N`; empty where it is no line for the preprocessor.
pub fn directive_word(line: &str) -> &str {
    let rest = line.trim_start().strip_prefix('#').unwrap_or_default().trim_start();
    rest.split(|character| !is_word(character)).next().unwrap_or_default()
}

/// How many braces a line opens and does not close.
fn braces(text: &str) -> isize {
    text.matches('{').count() as isize - text.matches('}').count() as isize
}

/// Whether a line begins with a statement that ends the program, as the last one of `main` does.
fn leaves(text: &str) -> bool {
    let rest = |word: &str| text.strip_prefix(word).filter(|rest| !rest.starts_with(is_word));
    rest("return").is_some() || rest("exit").is_some_and(|rest| rest.trim_start().starts_with('('))
}

fn is_else(text: &str) -> bool {
    text.strip_prefix("else").is_some_and(|rest| !rest.starts_with(is_word))
}

/// Whether a line calls a function.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_word) && text[at + name.len()..].trim_start().starts_with('(')
    })
}
