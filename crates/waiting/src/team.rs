//! Experiments around parallel regions. Thread 0 measures them, and the others of its team compute in them, too: without that their steps and
//! its own would be different ones.

use std::borrow::Cow;

use call_trace::{Event, EventKind, EventList, ProcessorEvents};

use crate::threads::{PARALLEL, PARALLEL_END, are_threads};

/// When the main thread began a region, and the experiments that were open then, from the outermost.
struct Team {
    begin_ns: u64,
    experiments: Vec<String>,
}

/// The events of a run; of threads those beside the main one are, within its parallel regions, in the experiments that it had begun before them.
pub(crate) fn in_experiments_of_team<'a>(recorded: &[&'a ProcessorEvents]) -> Vec<Cow<'a, ProcessorEvents>> {
    let whole = |its: &&'a ProcessorEvents| Cow::Borrowed(*its);
    let Some((main, others)) =
        recorded.split_first().filter(|(main, _)| are_threads(std::slice::from_ref(main)))
    else {
        return recorded.iter().map(whole).collect();
    };
    let teams = teams(main);
    if teams.iter().all(|team| team.experiments.is_empty()) {
        return recorded.iter().map(whole).collect();
    }
    let member = |its: &&ProcessorEvents| Cow::Owned(in_experiments(its, &teams));
    std::iter::once(Cow::Borrowed(*main)).chain(others.iter().map(member)).collect()
}

fn teams(main: &ProcessorEvents) -> Vec<Team> {
    let mut open: Vec<u32> = Vec::new();
    let mut teams = Vec::new();
    for Event { at_ns, kind } in &main.events {
        match kind {
            EventKind::ExperimentBegin { experiment } => open.push(experiment),
            EventKind::ExperimentEnd { experiment } => {
                if let Some(place) = open.iter().rposition(|its| *its == experiment) {
                    open.remove(place);
                }
            }
            EventKind::Enter { region } if is(main, region, PARALLEL) => {
                let name = |its: &u32| main.experiments.get(*its as usize).cloned();
                teams.push(Team { begin_ns: at_ns, experiments: open.iter().filter_map(name).collect() });
            }
            _ => {}
        }
    }
    teams
}

fn is(recorded: &ProcessorEvents, region: u32, call: &str) -> bool {
    recorded.regions.get(region as usize).is_some_and(|its| its.call == call)
}

fn in_experiments(recorded: &ProcessorEvents, teams: &[Team]) -> ProcessorEvents {
    let mut experiments = recorded.experiments.clone();
    let mut events = EventList::new();
    let mut calls: Vec<u32> = Vec::new();
    let mut joined: Vec<u32> = Vec::new();
    for event in &recorded.events {
        let at_ns = event.at_ns;
        events.push(event);
        match event.kind {
            EventKind::Enter { region } => calls.push(region),
            EventKind::Leave => {
                let Some(region) = calls.pop() else { continue };
                if is(recorded, region, PARALLEL) {
                    let begun = teams.partition_point(|team| team.begin_ns <= at_ns).checked_sub(1);
                    for name in begun.map_or(&[][..], |team| &teams[team].experiments) {
                        let known = experiments.iter().position(|its| its == name);
                        let number = known.unwrap_or_else(|| {
                            experiments.push(name.clone());
                            experiments.len() - 1
                        });
                        joined.push(number as u32);
                        let kind = EventKind::ExperimentBegin { experiment: number as u32 };
                        events.push(Event { at_ns, kind });
                    }
                } else if is(recorded, region, PARALLEL_END) {
                    let ends =
                        joined.drain(..).rev().map(|experiment| EventKind::ExperimentEnd { experiment });
                    events.extend(ends.map(|kind| Event { at_ns, kind }));
                }
            }
            _ => {}
        }
    }
    ProcessorEvents { experiments, events, ..recorded.clone() }
}
