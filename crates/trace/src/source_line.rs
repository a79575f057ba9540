use std::fmt;

use serde::{Deserialize, Serialize};

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SourceLine {
    /// The file, if it is not [`Header::source`](crate::Header::source).
    pub file: Option<String>,
    /// Counted from 1.
    pub line: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match &self.file {
            None => write!(out, "{}", self.line),
            Some(file) => write!(out, "{file}:{}", self.line),
        }
    }
}

impl SourceLine {
    /// Lines as people write them, neighbours together: `34-36`, of other files `solver.h:7-12`. They are sorted.
    pub fn ranges<'a>(lines: impl IntoIterator<Item = &'a SourceLine>) -> Vec<String> {
        let mut found: Vec<(&SourceLine, u32)> = Vec::new();
        for place in lines {
            match found.last_mut() {
                Some((first, last))
                    if first.file == place.file && (*last..=last.saturating_add(1)).contains(&place.line) =>
                {
                    *last = place.line;
                }
                _ => found.push((place, place.line)),
            }
        }
        let range = |(first, last): (&SourceLine, u32)| match first.line == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        found.into_iter().map(range).collect()
    }
}

/// First and last line of a block, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct LineRange {
    /// Where the block stands, if not in [`Header::source`](crate::Header::source).
    pub file: Option<String>,
    pub first: u32,
    pub last: u32,
}

impl LineRange {
    /// Whether a line is one of these.
    pub fn contains(&self, place: &SourceLine) -> bool {
        self.file == place.file && (self.first..=self.last).contains(&place.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_lines() {
        let own = |line| SourceLine { file: None, line };
        let other = |line| SourceLine { file: Some("a.h".to_owned()), line };
        let lines = [own(3), own(4), own(4), own(9), own(u32::MAX), other(1), other(2)];
        assert_eq!(SourceLine::ranges(&lines), ["3-4", "9", "4294967295", "a.h:1-2"]);
    }
}
