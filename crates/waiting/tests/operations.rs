//! Random programs, and what is compared of them.

use std::collections::BTreeMap;

use crate::planted::{Planted, ReferenceWait};
use call_trace::{CollectiveOperation, Event, EventList};
use call_waiting::{Code, State, Waits};
use proptest::prelude::*;

/// What processors do, one operation after another.
#[derive(Debug, Clone)]
pub enum Operation {
    Work(u32, u8, i64),
    Eager(u32, u32, i64),
    Probed(u32, u32, bool, i64, i64),
    GivenUp(u32, u32, bool),
    Synchronous(u32, u32, i64),
    Exchange(u32, u32, i64, i64),
    Shift,
    Oblivious([u8; PROCESSORS as usize], i64),
    Collective(CollectiveOperation, u32, u32, i64),
}

pub const PROCESSORS: u32 = 5;
pub const GROUPS: [&[u32]; 2] = [&[0, 2, 4], &[3, 1]];

pub fn operation() -> impl Strategy<Value = Operation> {
    use CollectiveOperation::*;
    let pair = (0..PROCESSORS, 1..PROCESSORS).prop_map(|(from, by)| (from, (from + by) % PROCESSORS));
    let kinds =
        prop::sample::select(vec![Barrier, Broadcast, Reduce, Allreduce, Alltoall, Scan, Gather, Fence]);
    prop_oneof![
        4 => (0..PROCESSORS, 0..4_u8, 0..50_i64).prop_map(|(processor, code, ns)| Operation::Work(processor, code, ns)),
        2 => (pair.clone(), 0..5_i64).prop_map(|((from, to), ns)| Operation::Eager(from, to, ns)),
        1 => (pair.clone(), any::<bool>(), 0..30_i64, 0..5_i64)
            .prop_map(|((from, to), takes, work, ns)| Operation::Probed(from, to, takes, work, ns)),
        1 => (pair.clone(), any::<bool>()).prop_map(|((from, to), is_cancelled)| Operation::GivenUp(from, to, is_cancelled)),
        1 => (pair.clone(), 0..5_i64).prop_map(|((from, to), ns)| Operation::Synchronous(from, to, ns)),
        1 => (pair, 0..30_i64, 0..5_i64).prop_map(|((from, to), work, ns)| Operation::Exchange(from, to, work, ns)),
        1 => Just(Operation::Shift),
        1 => (any::<[u8; PROCESSORS as usize]>(), 0..5_i64).prop_map(|(needs, ns)| Operation::Oblivious(needs, ns)),
        1 => (kinds, 0..3_u32, 0..5_u32, 0..5_i64).prop_map(|(kind, group, root, ns)| Operation::Collective(kind, group, root, ns)),
    ]
}

fn members(group: u32) -> Vec<u32> {
    if group == 0 { (0..PROCESSORS).collect() } else { GROUPS[group as usize - 1].to_vec() }
}

pub fn planted(operations: &[Operation], scale: i64) -> Planted {
    planted_onto(Planted::new(PROCESSORS, &GROUPS), operations, scale)
}

pub fn planted_onto(mut planted: Planted, operations: &[Operation], scale: i64) -> Planted {
    for operation in operations {
        match operation {
            Operation::Work(processor, code, ns) => {
                planted.work(*processor, &format!("code{code}"), scale * ns)
            }
            Operation::Eager(from, to, ns) => planted.eager(*from, *to, scale * ns),
            Operation::Probed(from, to, takes, work, ns) => {
                planted.probed(*from, *to, *takes, scale * work, scale * ns)
            }
            Operation::GivenUp(from, to, is_cancelled) => planted.given_up(*from, *to, *is_cancelled),
            Operation::Synchronous(from, to, ns) => planted.synchronous(*from, *to, scale * ns),
            Operation::Exchange(from, to, work, ns) => {
                planted.exchange(*from, *to, "meanwhile", scale * work, scale * ns)
            }
            Operation::Shift => planted.shift(),
            Operation::Oblivious(needs, ns) => planted.oblivious(needs, scale * ns),
            Operation::Collective(kind, group, root, ns) => {
                let members = members(*group);
                planted.collective(*kind, *group, members[*root as usize % members.len()], scale * ns);
            }
        }
    }
    planted
}

/// By site and processor how long; by site, who, what and how the sum of the causes.
pub type Summary = (BTreeMap<(String, u32), i64>, BTreeMap<(String, bool, String, State), i64>);

pub fn summary_of_reference(waits: &[ReferenceWait]) -> Summary {
    let mut summary = Summary::default();
    for wait in waits {
        *summary.0.entry((wait.site.clone(), wait.processor)).or_default() += wait.waiting_ns;
        for ((processor, code, state), ns) in &wait.cause {
            let key = (wait.site.clone(), *processor == wait.processor, code.clone(), *state);
            *summary.1.entry(key).or_default() += ns;
        }
    }
    summary.1.retain(|_, ns| *ns != 0);
    summary
}

pub fn name(code: &Code) -> String {
    match code {
        Code::Experiment { name, .. } => name.clone(),
        Code::Region(site) => site.call.clone(),
        other => format!("{other:?}"),
    }
}

pub fn summary_of(waits: &Waits) -> Summary {
    let mut summary = Summary::default();
    for site in &waits.sites {
        for (number, ns) in site.waiting_by_processor_ns.iter().enumerate().filter(|(_, ns)| **ns != 0) {
            summary.0.insert((site.site.call.clone(), waits.processors[number]), *ns);
        }
        for cause in site.classes.iter().flat_map(|class| &class.causes) {
            let key = (site.site.call.clone(), cause.is_own, name(&waits.codes[cause.code]), cause.state);
            *summary.1.entry(key).or_default() += cause.time_ns;
        }
    }
    summary.1.retain(|_, ns| *ns != 0);
    summary
}

pub fn later(events: &EventList, shift_ns: u64) -> EventList {
    events.iter().map(|event| Event { at_ns: event.at_ns + shift_ns, ..event }).collect()
}
