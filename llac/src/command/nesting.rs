//! Which of several experiments run inside others: what they take is part of what those take.

use std::collections::BTreeSet;

use call_grammar::quoted;
use call_trace::{Experiment, LineRange, Run};

use super::question::ForecastRow;
use crate::Message;
use crate::found::SessionExperiment;

/// Whether each execution of an experiment is part of one of another experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Yes,
    No,
    /// Nothing that was recorded tells.
    Unknown,
}

/// What is known of that for the experiments of some rows.
pub struct Nesting {
    /// For each row, whether it runs inside another one.
    pub is_inside: Vec<bool>,
    /// The names of those that do, and of those of which nobody knows.
    inside: Vec<String>,
    open: Vec<String>,
}

impl Nesting {
    pub fn of(rows: &[ForecastRow]) -> Nesting {
        let found: Vec<Option<&SessionExperiment>> =
            rows.iter().map(|row| row.subject.found.as_ref()).collect();
        let place = |inner: usize, outer: usize| match (found[inner], found[outer]) {
            (Some(inner), Some(outer)) => of_pair(inner, outer),
            _ => Inside::Unknown,
        };
        let (mut is_inside, mut inside, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for (row, of) in rows.iter().enumerate() {
            let others = (0..rows.len()).filter(|other| *other != row);
            // Two that run inside each other are no parts of one another.
            let verdicts: BTreeSet<(bool, bool)> = others
                .map(|other| match (place(row, other), place(other, row)) {
                    (Inside::Yes, Inside::Yes) => (false, true),
                    (Inside::Yes, _) => (true, false),
                    (Inside::Unknown, Inside::No | Inside::Unknown) => (false, true),
                    (Inside::No, _) | (Inside::Unknown, Inside::Yes) => (false, false),
                })
                .collect();
            let is_its = verdicts.iter().any(|(is_inside, _)| *is_inside);
            let name = of.subject.predictor().name().to_owned();
            match (is_its, verdicts.iter().any(|(_, is_open)| *is_open)) {
                (true, _) => inside.push(name),
                (false, true) => open.push(name),
                (false, false) => {}
            }
            is_inside.push(is_its);
        }
        Nesting { is_inside, inside, open }
    }

    /// What there is to say of shares.
    pub fn notes(&self) -> Vec<Message> {
        let mut notes = Vec::new();
        if !self.inside.is_empty() {
            let names = quoted(&self.inside);
            let text = match self.inside.len() {
                1 => format!(
                    "{names} runs inside another one of these: shares are those of the sum of the others, which have its time"
                ),
                _ => format!(
                    "{names} run inside others of these: shares are those of the sum of the others, which have their times"
                ),
            };
            notes.push(Message::new("nested", text));
        }
        if !self.open.is_empty() {
            let text = format!(
                "nothing recorded tells whether {} inside another one of these: what does counts twice in the sum that shares are of",
                match &self.open[..] {
                    [one] => format!("{} runs", quoted(&[one])),
                    several => format!("some of {} run", quoted(several)),
                }
            );
            notes.push(Message::new("nesting-unknown", text));
        }
        notes
    }
}

fn of_pair(inner: &SessionExperiment, outer: &SessionExperiment) -> Inside {
    let is_same = |runs: [&[Run]; 2], of: fn(&Run) -> &str| {
        let [own, its]: [BTreeSet<&str>; 2] = runs.map(|runs| runs.iter().map(of).collect());
        (own.is_disjoint(&its), own == its && own.len() == 1)
    };
    let runs = [inner.runs(), outer.runs()];
    let (are_other_programs, _) = is_same(runs, |run| &run.header.program);
    let (_, is_one_source) = is_same(runs, |run| &run.header.source);
    let (its, around) = (inner.experiment(), outer.experiment());
    if are_other_programs && runs.iter().all(|runs| !runs.is_empty()) {
        Inside::No
    } else if !its.lines.is_empty() && !around.lines.is_empty() {
        if is_one_source { by_lines(its, around) } else { Inside::Unknown }
    } else if inner.set().is_inclusive() && outer.set().is_inclusive() {
        let below = its.name.strip_prefix(&around.name);
        if below.is_some_and(|rest| rest.starts_with('/')) { Inside::Yes } else { Inside::No }
    } else if [inner, outer].iter().all(|its| has_call_paths(its)) {
        // Nothing that is below them is in the times of call paths.
        Inside::No
    } else {
        Inside::Unknown
    }
}

fn has_call_paths(of: &SessionExperiment) -> bool {
    of.set().experiments().iter().any(|its| its.name.contains('/'))
}

/// By where the blocks stand and what statements the outer one was counted to run.
fn by_lines(inner: &Experiment, outer: &Experiment) -> Inside {
    let is_around = |around: &LineRange, range: &LineRange| {
        around.file == range.file
            && around.first <= range.first
            && range.last <= around.last
            && around != range
    };
    let is_within = |range: &&LineRange| outer.lines.iter().any(|around| is_around(around, range));
    let within = inner.lines.iter().filter(is_within).count();
    if within == inner.lines.len() {
        return Inside::Yes;
    }
    let Some(counts) = outer.source_counts.as_ref().filter(|_| within == 0) else { return Inside::Unknown };
    // Statements elsewhere are those of functions that it calls.
    let elsewhere: Vec<_> = counts
        .lines()
        .into_iter()
        .filter(|place| !outer.lines.iter().any(|own| own.contains(place)))
        .collect();
    let runs = |range: &LineRange| elsewhere.iter().any(|place| range.contains(place));
    let is_complete = !counts.terms.is_empty() && counts.unknown.is_empty() && counts.uncounted.is_empty();
    match (inner.lines.iter().all(runs), inner.lines.iter().any(runs), is_complete) {
        (true, _, _) => Inside::Yes,
        (false, false, true) => Inside::No,
        _ => Inside::Unknown,
    }
}
