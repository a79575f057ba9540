//! Where in `main` a measurement of all of it begins, and where it ends and is reported.

use std::ops::Range;

use call_compiler::BlockCounts;

use super::processors::{Processors, is_word};

/// The lines of a source without comments, of which `body` are those between the braces of `main`; all are counted from 0.
pub struct MainBody<'a> {
    lines: &'a [&'a str],
    body: Range<usize>,
    processors: &'a Processors,
}

impl<'a> MainBody<'a> {
    pub fn new(lines: &'a [&'a str], main: &BlockCounts, processors: &'a Processors) -> MainBody<'a> {
        let (first, last) = (main.begin.line as usize - 1, main.end.line as usize - 1);
        MainBody { lines, body: first + 1..last.min(lines.len()), processors }
    }

    fn text(&self, line: usize) -> &'a str {
        self.lines[line].trim()
    }

    /// The lines before which a measurement of it begins and ends.
    pub fn measured(&self) -> Result<(usize, usize), &'static str> {
        let (begin, end) = (self.begin()?, self.report());
        let between = (begin..end).map(|line| self.text(line));
        let deeper: isize =
            between.map(|text| text.matches('{').count() as isize - text.matches('}').count() as isize).sum();
        if begin > end || deeper != 0 {
            return Err("it ends in a block of its own: let it end where the report stands");
        }
        Ok((begin, end))
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

    /// The line before which a measurement ends and is reported: all is measured, and there are processors still. It is that of a report
    /// that stands there, of the call that ends the processors, of the last statement that returns, or of the brace.
    pub fn report(&self) -> usize {
        let reports = |line: &usize| self.lines[*line].contains("cll report");
        if let Some(line) = self.body.clone().rev().find(reports) {
            return line;
        }
        let ends = |text: &str| {
            let rest = self.processors.ends.iter().filter_map(|name| text.strip_prefix(name.as_str()));
            rest.into_iter().any(|rest| rest.trim_start().starts_with('('))
        };
        let returns = |text: &str| text.strip_prefix("return").is_some_and(|rest| !rest.starts_with(is_word));
        let statement = |is: &dyn Fn(&str) -> bool| {
            let line = self.body.clone().rev().find(|line| is(self.text(*line)))?;
            let before = self.above(line).unwrap_or("{");
            (before.ends_with([';', '{', '}']) || before.starts_with('#')).then_some(line)
        };
        let Some(mut line) = statement(&ends).or_else(|| statement(&returns)) else { return self.body.end };
        // A condition of the preprocessor around it may not hold.
        while let Some(above) =
            self.line_above(line).filter(|above| preprocessor_word(self.lines[*above]).starts_with("if"))
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
        match next.map(|next| (next, preprocessor_word(self.lines[next]))) {
            Some((next, "endif")) => self.behind_condition(next + 1),
            Some((next, "else" | "elif")) => {
                let end = (next..self.body.end).find(|line| preprocessor_word(self.lines[*line]) == "endif");
                end.map_or(line, |end| self.behind_condition(end + 1))
            }
            _ => line,
        }
    }
}

/// `if` of `#  if N`; empty where it is no line for the preprocessor.
fn preprocessor_word(line: &str) -> &str {
    let rest = line.trim_start().strip_prefix('#').unwrap_or_default().trim_start();
    rest.split(|character| !is_word(character)).next().unwrap_or_default()
}

/// Whether a line calls a function.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_word) && text[at + name.len()..].trim_start().starts_with('(')
    })
}
