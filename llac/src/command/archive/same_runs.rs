//! Runs that several entries hold: added twice, a run is still one.

use std::collections::BTreeSet;

use call_grammar::listed;
use call_trace::Experiment;

use super::entry::Entry;
use super::of_entries;
use crate::command::model_file::numbers;
use crate::{CommandOutcome, Message};

/// So many entries are named.
const FEW: usize = 3;

/// The runs of the entries so far.
#[derive(Default)]
pub struct KnownRuns {
    contents: BTreeSet<u64>,
    /// Entries without a run of their own, and those with some that earlier ones have.
    again: Vec<String>,
    in_part: Vec<String>,
}

impl KnownRuns {
    /// The samples of the runs that no earlier entry has; none if there are none. Where nothing tells whether a run is the same, it is new.
    pub fn new_of(&mut self, samples: Experiment, entry: &Entry) -> Option<Experiment> {
        let runs = numbers(&samples);
        let is_new = |run: &u32| {
            let content = samples.of_runs(&[*run]).content();
            content.is_none_or(|content| self.contents.insert(content))
        };
        let new: Vec<u32> = runs.iter().copied().filter(is_new).collect();
        if new.len() == runs.len() {
            return Some(samples);
        }
        match new.is_empty() {
            true => self.again.push(entry.title()),
            false => self.in_part.push(entry.title()),
        }
        (!new.is_empty()).then(|| samples.of_runs(&new))
    }

    /// An entry that holds the measurements of an earlier one.
    pub fn is_again(&mut self, entry: &Entry) {
        self.again.push(entry.title());
    }

    /// Says what counts once.
    pub fn tell(&self, experiment: &str, outcome: &mut CommandOutcome) {
        let first = |titles: &[String]| match titles.len().saturating_sub(FEW) {
            0 => listed(titles),
            more => format!("{} and {more} more", listed(&titles[..FEW])),
        };
        let mut texts = Vec::new();
        if !self.again.is_empty() {
            texts.push(format!(
                "{}: the measurements are those of earlier entries, and count once",
                first(&self.again)
            ));
        }
        if let Some(one) = self.in_part.first() {
            texts.push(format!(
                "{}, the first {one}, {} runs of earlier entries, too, which count once: only what is new in an entry counts for it",
                of_entries(self.in_part.len()),
                if self.in_part.len() == 1 { "has" } else { "have" },
            ));
        }
        let messages = texts.into_iter().map(|text| Message::new("same-run", text).about(experiment));
        outcome.warnings.extend(messages);
    }
}
