//! What is to be reported of files while they are read.

use call_exchange::{Note, grouped, grouped_notes};
use call_grammar::{counted, listed};
use call_trace::{Experiment, FormulaChange, Trace};
use serde_json::json;

use super::oddities::{condensation, remarkable};
use crate::incompleteness::incompleteness;
use crate::{CommandOutcome, Message};

/// What is to be reported of files while they are read. What is the same of many is reported once.
#[derive(Debug, Default)]
pub struct ReadingRemarks {
    notes: Vec<(String, Note)>,
    pub(super) warnings: Vec<(String, String)>,
    /// What measuring cost the runs where it was much, as a share and in words.
    costs: Vec<(String, f64, String)>,
    /// What is missing of each file.
    missing: Vec<String>,
    /// Formulas that are not those of the newest run.
    changes: Vec<FormulaChange>,
    /// Files that are read already.
    known: Vec<String>,
    /// Runs that hold what others do, with the names of those.
    same: Vec<(String, String)>,
}

impl ReadingRemarks {
    /// Remembers what is to be known of a trace.
    pub(crate) fn look(&mut self, label: &str, trace: &Trace) {
        self.missing.extend(incompleteness(&trace.completeness).map(|text| format!("{label} {text}")));
        let warnings = remarkable(trace).into_iter().chain(trace.condensations.iter().map(condensation));
        self.warnings.extend(warnings.map(|warning| (label.to_owned(), warning)));
        let cost = crate::measuring_cost::of_trace(trace);
        self.costs.extend(cost.map(|(share, text)| (label.to_owned(), share, text)));
    }

    /// Remembers what was noticed of a file.
    pub(crate) fn note(&mut self, path: &str, notes: Vec<Note>) {
        self.notes.extend(notes.into_iter().map(|note| (path.to_owned(), note)));
    }

    /// Remembers what else is to be warned of.
    pub(crate) fn warn(&mut self, path: &str, text: &str) {
        self.warnings.push((path.to_owned(), text.to_owned()));
    }

    /// Remembers formulas that have changed.
    pub(crate) fn change(&mut self, changes: Vec<FormulaChange>) {
        self.changes.extend(changes);
    }

    /// Remembers that a file is read already.
    pub fn is_known(&mut self, path: String) {
        self.known.push(path);
    }

    /// Remembers that a run is left out, as it holds what another one does.
    pub(crate) fn is_copy(&mut self, label: String, of: String) {
        self.same.push((label, of));
    }

    /// Remembers experiments that were left out of a file as the measurements of a run that is read already; returns whether nothing else is in it.
    pub fn are_same(&mut self, names: Vec<String>, label: &str, run: String, rest: &Trace) -> bool {
        let is_whole = rest.experiments.iter().all(Experiment::is_empty);
        match is_whole {
            true => self.is_copy(label.to_owned(), run),
            false => self.is_known(format!("{} of {label}, as {run},", listed(&names))),
        }
        is_whole
    }

    /// Tells it all.
    pub fn tell(self, outcome: &mut CommandOutcome) {
        /// So many files are named.
        const FEW: usize = 3;
        match self.known.len() {
            ..=FEW => outcome.notes.extend(self.known.iter().map(|path| {
                Message::new("loaded-already", format!("{path} is loaded already"))
                    .with(json!({ "files": [path] }))
            })),
            many => outcome.notes.push(
                Message::new("loaded-already", format!("{many} files are loaded already"))
                    .with(json!({ "files": self.known })),
            ),
        }
        if let Some((first, of)) = self.same.first() {
            let more = match self.same.len() - 1 {
                0 => "holds".to_owned(),
                more => format!("(and {} likewise) holds", counted(more, "other file")),
            };
            let text = format!("{first} {more} the same measurements as {of}: one run, which counts once");
            let files: Vec<&String> = self.same.iter().map(|(file, _)| file).collect();
            outcome.warnings.push(Message::new("same-run", text).with(json!({ "files": files })));
        }
        let worst = self.costs.iter().max_by(|left, right| left.1.total_cmp(&right.1));
        outcome.notes.extend(worst.map(|(path, share, text)| {
            let others = self.costs.len() - 1;
            let others = if others > 0 {
                format!(" (likewise {})", counted(others, "other file"))
            } else {
                String::new()
            };
            Message::new("too-fine", format!("{path}{others}: {text}"))
                .with(json!({ "file": path, "measuring_share": share }))
        }));
        let notes = grouped_notes(self.notes);
        outcome.notes.extend(notes.iter().map(|note| Message::new("imported", note.to_string())));
        outcome.warnings.extend(self.missing.into_iter().map(|text| Message::new("incomplete", text)));
        let mut reported = Vec::new();
        for FormulaChange { experiment, newer, newer_file, older, older_file } in self.changes {
            let change = (experiment.clone(), older.clone());
            if !reported.contains(&change) {
                let text = format!(
                    "the formula of {experiment} has changed: `{newer}` of {newer_file} counts, `{older}` of {older_file} is older"
                );
                let fields = json!({ "experiment": experiment, "formula": newer, "older": older });
                outcome.warnings.push(Message::new("formula-changed", text).with(fields));
                reported.push(change);
            }
        }
        let warnings = grouped(self.warnings);
        outcome.warnings.extend(warnings.iter().map(|text| Message::new("trace", text.to_string())));
    }
}
