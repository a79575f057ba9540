//! The histories of an archive as a part of a page.

use std::collections::BTreeSet;

use call_check::ChangePoint;
use call_grammar::counted;
use call_report::{PageExperiment, PageHistory};

use super::entry::Entry;
use super::folder::Archive;
use super::history::{ALARMS, changes, constancies, no_entries, partings, spikes};
use super::timeline::{Asked, Timeline};
use super::{of_entries, picture, tables};
use crate::words::Word;
use crate::{CommandOutcome, Error, Message, Session};

/// How the constants of all experiments of an archive went, those with the largest changes first. Together they have the rate of false alarms
/// that `history` has for one.
pub fn page_history(
    session: &Session,
    folder: &Word,
    outcome: &mut CommandOutcome,
) -> Result<PageHistory, Error> {
    let archive = Archive::at(folder, session);
    let entries = archive.entries(outcome)?;
    let names: BTreeSet<&str> = entries.iter().map(Entry::experiment).collect();
    if names.is_empty() {
        return Err(no_entries(folder));
    }
    let asked = Asked { term: None, alarms: ALARMS / names.len() as f64, level: session.level() };
    let mut found: Vec<(f64, PageExperiment)> = Vec::new();
    for name in &names {
        let own = entries.iter().filter(|entry| entry.experiment() == *name).cloned().collect();
        found.extend(parts(own, &asked, &archive, folder, outcome));
    }
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let summary = format!(
        "{}: {} of {}. Where no constant changed, all of them together show a change in at most one of {} such archives.",
        folder.text,
        of_entries(entries.len()),
        counted(names.len(), "experiment"),
        1.0 / ALARMS
    );
    Ok(PageHistory { summary, experiments: found.into_iter().map(|(_, experiment)| experiment).collect() })
}

/// An experiment in as many parts as cannot be compared, the newest first, each with its largest change.
fn parts(
    entries: Vec<Entry>,
    asked: &Asked,
    archive: &Archive,
    folder: &Word,
    outcome: &mut CommandOutcome,
) -> Vec<(f64, PageExperiment)> {
    let name = entries.first().map_or(String::new(), |entry| entry.experiment().to_owned());
    let count = of_entries(entries.len());
    let mut said = CommandOutcome::default();
    let timelines = Timeline::all(entries, asked, archive, &mut said, folder);
    let mut general = texts(&said.warnings);
    outcome.warnings.append(&mut said.warnings);
    let timelines = match timelines {
        Ok(timelines) => timelines,
        Err(error) => {
            general.push(error.to_string());
            let nothing =
                PageExperiment { label: name, entries: count, remarks: general, ..Default::default() };
            return vec![(0.0, nothing)];
        }
    };
    let parted = texts(&partings(&timelines));
    let mut found = Vec::new();
    for (at, timeline) in timelines.iter().enumerate().rev() {
        let (first, last) = timeline.days();
        let label = match parted.get(at) {
            None => name.clone(),
            Some(_) => format!("{name}, until {last}"),
        };
        let remarks = constancies(timeline).into_iter().chain(texts(&spikes(timeline)));
        let experiment = PageExperiment {
            label,
            formula: timeline.model().formula().to_string(),
            entries: format!("{}, {first} to {last}", of_entries(timeline.entries.len())),
            changes: changes(timeline),
            remarks: remarks.chain(parted.get(at).cloned()).chain(std::mem::take(&mut general)).collect(),
            figure: Some(picture::figure(timeline)),
            levels: tables::levels(timeline),
            values: tables::entries(timeline, true),
        };
        found.push((largest_change(timeline), experiment));
    }
    found
}

fn texts(messages: &[Message]) -> Vec<String> {
    messages.iter().map(|message| message.text.clone()).collect()
}

/// As a share of what was before; 0 without a change.
fn largest_change(timeline: &Timeline) -> f64 {
    let share = |change: &ChangePoint| ((change.after - change.before) / change.before).abs();
    let changes = timeline.constants.iter().flat_map(|line| &line.history.changes);
    changes.map(share).fold(0.0, f64::max)
}
