//! The histories of an archive as a part of a page.

use std::collections::BTreeMap;

use call_check::ChangePoint;
use call_grammar::counted;
use call_report::{PageExperiment, PageHistory};

use super::entry::Entry;
use super::folder::ArchiveFolder;
use super::history::{ALARMS, no_entries};
use super::sentence::{borders, changes, constancies, drifts, partings, spikes, ties};
use super::timeline::{ConstantHistory, HistoryCriteria};
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
    let archive = ArchiveFolder::at(folder, session);
    let mut of_experiments: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in archive.entries(outcome)? {
        of_experiments.entry(entry.experiment().to_owned()).or_default().push(entry);
    }
    if of_experiments.is_empty() {
        return Err(no_entries(folder));
    }
    let (experiments, entries) = (of_experiments.len(), of_experiments.values().map(Vec::len).sum());
    let asked =
        HistoryCriteria { constant: None, alarms: ALARMS / experiments as f64, level: session.level() };
    let mut found: Vec<(f64, PageExperiment)> = Vec::new();
    for (name, own) in of_experiments {
        found.extend(parts(&name, own, &asked, &archive, folder, outcome));
    }
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let summary = format!(
        "{}: {} of {}. Where no constant changed, all of them together show a change in at most one of {} such archives.",
        folder.text,
        of_entries(entries),
        counted(experiments, "experiment"),
        1.0 / ALARMS
    );
    Ok(PageHistory { summary, experiments: found.into_iter().map(|(_, experiment)| experiment).collect() })
}

/// An experiment in as many parts as cannot be compared, the newest first, each with its largest change.
fn parts(
    name: &str,
    entries: Vec<Entry>,
    asked: &HistoryCriteria,
    archive: &ArchiveFolder,
    folder: &Word,
    outcome: &mut CommandOutcome,
) -> Vec<(f64, PageExperiment)> {
    let count = of_entries(entries.len());
    let mut said = CommandOutcome::default();
    let timelines = ConstantHistory::all(entries, asked, archive, &mut said, folder);
    let mut general = texts(&said.warnings);
    outcome.warnings.append(&mut said.warnings);
    let timelines = match timelines {
        Ok(timelines) => timelines,
        Err(error) => {
            general.push(error.to_string());
            let nothing = PageExperiment {
                label: name.to_owned(),
                entries: count,
                remarks: general,
                ..Default::default()
            };
            return vec![(0.0, nothing)];
        }
    };
    let tied = ties(&timelines);
    general.extend(tied.iter().map(|tie| tie.text.clone()));
    outcome.warnings.extend(tied);
    general.extend(texts(&partings(&timelines)));
    let mut found = Vec::new();
    for (at, timeline) in timelines.iter().enumerate().rev() {
        let (first, last) = timeline.days();
        let label = match at + 1 == timelines.len() {
            true => name.to_owned(),
            false => format!("{name}, until {last}"),
        };
        let remarks = constancies(timeline).into_iter().chain(texts(&spikes(timeline)));
        let experiment = PageExperiment {
            label,
            formula: timeline.model().formula().to_string(),
            entries: format!("{}, {first} to {last}", of_entries(timeline.entries.len())),
            changes: changes(timeline).into_iter().chain(drifts(timeline)).chain(borders(timeline)).collect(),
            remarks: remarks.chain(std::mem::take(&mut general)).collect(),
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
fn largest_change(timeline: &ConstantHistory) -> f64 {
    let share = |change: &ChangePoint| ((change.after - change.before) / change.before).abs();
    let changes = timeline.constants.iter().flat_map(|line| &line.history.changes);
    let levels = timeline.constants.iter().flat_map(|line| &line.history.levels);
    let drifts = levels.filter_map(|level| level.drift);
    let drifts = drifts.map(|drift| ((drift.last - drift.first) / drift.first).abs());
    changes.map(share).chain(drifts).fold(0.0, f64::max)
}
