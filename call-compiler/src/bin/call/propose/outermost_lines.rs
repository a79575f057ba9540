//! Ranges of lines that lie in no other one.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

/// Lines from 1.
pub type Lines = RangeInclusive<u32>;

/// Those of some ranges that lie in no other one: the later one begins, the later it ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OutermostLines(Vec<Lines>);

impl OutermostLines {
    pub fn of<'l>(ranges: impl IntoIterator<Item = &'l Lines>) -> OutermostLines {
        let mut all: Vec<&Lines> = ranges.into_iter().collect();
        all.sort_by_key(|its| (*its.start(), Reverse(*its.end())));
        let mut outermost: Vec<Lines> = Vec::new();
        for its in all {
            if outermost.last().is_none_or(|last| last.end() < its.end()) {
                outermost.push(its.clone());
            }
        }
        OutermostLines(outermost)
    }

    /// One that has all of these lines.
    pub fn around(&self, lines: &Lines) -> Option<&Lines> {
        let begun = self.0.partition_point(|its| its.start() <= lines.start());
        self.0[..begun].last().filter(|its| lines.end() <= its.end())
    }

    pub fn has(&self, line: u32) -> bool {
        self.around(&(line..=line)).is_some()
    }

    /// Whether one begins in a line.
    pub fn begins_in(&self, line: u32) -> bool {
        self.0.binary_search_by_key(&line, |its| *its.start()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_ranges_are_left_out() {
        let outermost = OutermostLines::of(&[5..=9, 20..=30, 5..=12, 11..=15, 20..=30, 21..=22]);
        assert_eq!(outermost.0, [5..=12, 11..=15, 20..=30]);
        assert_eq!(outermost.around(&(11..=12)), Some(&(11..=15)));
        assert_eq!(outermost.around(&(6..=13)), None);
        assert_eq!([4, 5, 15, 16, 30].map(|line| outermost.has(line)), [false, true, true, false, true]);
        assert_eq!([5, 11, 12].map(|line| outermost.begins_in(line)), [true, true, false]);
    }
}
