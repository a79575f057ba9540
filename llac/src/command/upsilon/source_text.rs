//! The lines of the source that an experiment has statements in, for people.

use std::collections::{BTreeMap, BTreeSet};

use call_grammar::printable;
use call_trace::{SourceCounts, SourceLine};
use serde_json::{Value, json};

use crate::Session;
use crate::found::SessionExperiment;

/// So many lines around those that are meant are shown, too.
const AROUND: u32 = 2;
/// Longer lines are cut.
const LONGEST: usize = 300;
/// Larger files are not read.
const LARGEST_BYTES: usize = 16 << 20;

/// What is shown of the source, as it was when it was read.
pub struct SourceText {
    path: String,
    /// Lines of the source with their numbers.
    lines: BTreeMap<u32, String>,
    /// Lines that read otherwise when the program was translated, or may have.
    stale: Vec<u32>,
    /// Why the source is not there.
    unread: Option<String>,
    /// Statements in other files.
    elsewhere: Vec<String>,
}

impl SourceText {
    /// Reads the source of an experiment. Where it cannot be read, its statements are shown alone.
    pub fn read(session: &Session, found: &SessionExperiment, counts: &SourceCounts) -> SourceText {
        let path = found.runs().first().map(|run| run.header.source.clone()).unwrap_or_default();
        let known = told(counts);
        let mut text = SourceText {
            path,
            lines: known.iter().map(|(line, text)| (*line, text.clone().unwrap_or_default())).collect(),
            stale: Vec::new(),
            unread: None,
            elsewhere: elsewhere(counts),
        };
        match session.workspace.read(&text.path) {
            Ok(bytes) if bytes.len() <= LARGEST_BYTES => text.take(&bytes, found, &known),
            Ok(_) => text.unread = Some("it is too large".to_owned()),
            Err(error) => text.unread = Some(error.to_string()),
        }
        text
    }

    fn take(&mut self, bytes: &[u8], found: &SessionExperiment, known: &BTreeMap<u32, Option<String>>) {
        let own = found.experiment().lines.iter().filter(|range| range.file.is_none());
        let block: Vec<(u32, u32)> = own.map(|range| (range.first, range.last)).collect();
        let ranges = known.keys().map(|line| (*line, *line)).chain(block);
        let around =
            |(first, last): (u32, u32)| first.saturating_sub(AROUND).max(1)..=last.saturating_add(AROUND);
        let wanted: Vec<_> = ranges.map(around).collect();
        self.lines.clear();
        for (number, line) in (1..).zip(String::from_utf8_lossy(bytes).lines()) {
            if wanted.iter().any(|range| range.contains(&number)) {
                self.lines.insert(number, line.to_owned());
            }
        }
        let differs = |(line, told): (&u32, &Option<String>)| {
            // What was not told cannot be compared.
            let is_same = |text: &String| {
                told.as_ref()
                    .is_some_and(|told| text.trim().chars().take(told.chars().count()).eq(told.chars()))
            };
            (!self.lines.get(line).is_some_and(is_same)).then_some(*line)
        };
        self.stale = known.iter().filter_map(differs).collect();
    }

    /// Whether the source is no longer what was translated.
    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// The file for the sets of an experiment.
    pub fn beside(&self, experiment: &str) -> String {
        format!("{}.{}.llac", self.path, experiment.replace('/', "."))
    }

    /// Name, lines and what there is to say of them.
    pub fn shown(&self) -> Value {
        let line = |(number, text): (&u32, &String)| json!({"line": number.to_string(), "text": shown(text)});
        let elsewhere = self.elsewhere.iter().map(|place| json!({"line": printable(place), "text": ""}));
        json!({
            "name": printable(&self.path),
            "lines": self.lines.iter().map(line).chain(elsewhere).collect::<Vec<_>>(),
            "stale": self.stale,
            "unread": self.unread.as_deref().map(printable),
        })
    }
}

/// The lines of statements in the source, with the text that they had when they were translated.
fn told(counts: &SourceCounts) -> BTreeMap<u32, Option<String>> {
    let statements = counts.terms.iter().flat_map(|term| &term.statements);
    let own = statements.filter(|its| its.place.file.is_none());
    own.map(|its| (its.place.line, its.text.clone())).collect()
}

fn elsewhere(counts: &SourceCounts) -> Vec<String> {
    let places: BTreeSet<&SourceLine> = counts.lines();
    places.into_iter().filter(|place| place.file.is_some()).map(ToString::to_string).collect()
}

/// A line without what turns or hides others, and not too long.
fn shown(text: &str) -> String {
    let text = printable(text).replace('\t', "    ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_harmless() {
        assert_eq!(shown("\ta\u{202e}b\u{7}"), "    a b ");
        assert_eq!(shown(&"x".repeat(9999)).chars().count(), LONGEST + 1);
    }
}
