use std::collections::{BTreeMap, HashMap};

use call_trace::{CollectiveOperation, CommunicatorName, ProcessorEvents};

use crate::kind::WaitKind;
use crate::remark::{Remark, RemarkKind};
use crate::timeline::{Receive, Send, Timeline};
use crate::traffic::{Taker, traffic};

/// A call of a processor: places among all timelines and in the calls of that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CallPlace {
    pub(crate) timeline: usize,
    pub(crate) call: usize,
}

/// Calls of which each must be entered before others can return; the last one that is releases them.
#[derive(Debug, Clone)]
pub(crate) struct Release {
    pub(crate) by: Vec<CallPlace>,
    /// What must have been released, too.
    pub(crate) after: Option<usize>,
    /// A number of those who all come together in it, if they do: the same for all such releases of a communicator.
    pub(crate) group: Option<usize>,
    /// Which calls need it.
    pub(crate) waiting: Vec<(CallPlace, WaitKind)>,
}

/// Who needs whom, of all that the timelines have in common.
pub(crate) fn releases(
    recorded: &[&ProcessorEvents],
    timelines: &[Timeline],
    remarks: &mut Vec<Remark>,
) -> Vec<Release> {
    let timeline_of: HashMap<u32, usize> =
        timelines.iter().enumerate().map(|(number, timeline)| (timeline.processor, number)).collect();
    let mut found = Vec::new();
    match_messages(recorded, timelines, &timeline_of, &mut found, remarks);
    match_collectives(recorded, timelines, &timeline_of, &mut found, remarks);
    found
}

fn match_messages(
    recorded: &[&ProcessorEvents],
    timelines: &[Timeline],
    timeline_of: &HashMap<u32, usize>,
    found: &mut Vec<Release>,
    remarks: &mut Vec<Remark>,
) {
    let mut late = Vec::new();
    let mut unmatched: BTreeMap<(u32, u32, bool), usize> = BTreeMap::new();
    for (channel, its) in traffic(recorded, timelines) {
        for (sent, taken) in its.sends.iter().zip(&its.taken) {
            match *taken {
                (receiver, Taker::Receive(receive)) => {
                    match_message(timelines, *sent, (receiver, receive), found, &mut late);
                }
                (prober, Taker::Probe(probe)) => found.push(late_sender(*sent, prober, probe.call)),
            }
        }
        for (number, prober, probe) in &its.seen {
            found.extend(its.sends.get(*number).map(|sent| late_sender(*sent, *prober, probe.call)));
        }
        // What a probe took is there when it is received, but its sender may have waited for that.
        let probed = its.taken.iter().zip(&its.sends);
        let probed = probed.filter(|(taken, _)| matches!(taken.1, Taker::Probe(_)));
        for ((_, sent), received) in probed.zip(&its.taken_before) {
            match_message(timelines, *sent, *received, found, &mut late);
        }
        let (sends, taken) = (its.sends.len(), its.taken.len());
        // Who was not recorded cannot have sent; that is one remark, not one for each message.
        if taken > sends {
            *unmatched.entry((channel.to, channel.from, true)).or_default() += taken - sends;
        } else if sends > taken && timeline_of.contains_key(&channel.to) {
            *unmatched.entry((channel.from, channel.to, false)).or_default() += sends - taken;
        }
    }
    push_late(timelines, late, found);
    remarks.extend(unmatched.into_iter().map(|((processor, partner, is_receive), messages)| Remark {
        processor,
        kind: match is_receive {
            true => RemarkKind::NeverSent { sender: partner, messages },
            false => RemarkKind::NeverReceived { receiver: partner, messages },
        },
    }));
}

fn late_sender((sender, send): (usize, &Send), receiver: usize, call: usize) -> Release {
    Release {
        by: vec![CallPlace { timeline: sender, call: send.call }],
        after: None,
        group: None,
        waiting: vec![(CallPlace { timeline: receiver, call }, WaitKind::LateSender)],
    }
}

fn match_message(
    timelines: &[Timeline],
    (sender, send): (usize, &Send),
    (receiver, receive): (usize, &Receive),
    found: &mut Vec<Release>,
    late: &mut Vec<(Release, i64)>,
) {
    if let Some(call) = receive.completed_in {
        found.push(late_sender((sender, send), receiver, call));
    }
    if let Some(call) = send.completed_in {
        let sending = &timelines[sender].calls[call];
        let asked_ns = timelines[receiver].calls[receive.call].enter_ns;
        let release = || Release {
            by: vec![CallPlace { timeline: receiver, call: receive.call }],
            after: None,
            group: None,
            waiting: vec![(CallPlace { timeline: sender, call }, WaitKind::LateReceiver)],
        };
        // A message that was taken over by the library lets its sender go on.
        if send.is_synchronous {
            found.push(release());
        } else if sending.enter_ns < asked_ns && asked_ns < sending.leave_ns {
            late.push((release(), asked_ns));
        }
    }
}

/// Of sends that need not wait, those that seem to; that a call lasts as it receives something that comes later, too, tells nothing.
fn push_late(timelines: &[Timeline], late: Vec<(Release, i64)>, found: &mut Vec<Release>) {
    let mut latest_ns: HashMap<CallPlace, i64> = HashMap::new();
    for release in found.iter().filter(|release| matches!(release.waiting[..], [(_, WaitKind::LateSender)])) {
        for by in &release.by {
            let sent_ns = timelines[by.timeline].calls[by.call].enter_ns;
            let latest_ns = latest_ns.entry(release.waiting[0].0).or_insert(sent_ns);
            *latest_ns = sent_ns.max(*latest_ns);
        }
    }
    for (release, asked_ns) in late {
        if latest_ns.get(&release.waiting[0].0).is_none_or(|sent_ns| *sent_ns < asked_ns) {
            found.push(release);
        }
    }
}

/// One processor's part of a collective operation.
#[derive(Debug, Clone, Copy)]
struct Part {
    operation: CollectiveOperation,
    root: Option<u32>,
    entered: CallPlace,
    completed: Option<CallPlace>,
}

fn match_collectives(
    recorded: &[&ProcessorEvents],
    timelines: &[Timeline],
    timeline_of: &HashMap<u32, usize>,
    found: &mut Vec<Release>,
    remarks: &mut Vec<Remark>,
) {
    // By communicator and processor, in order.
    let mut parts: BTreeMap<CommunicatorName, BTreeMap<usize, Vec<Part>>> = BTreeMap::new();
    let mut members: HashMap<CommunicatorName, &[u32]> = HashMap::new();
    for (number, timeline) in timelines.iter().enumerate() {
        for together in &timeline.collectives {
            let communicator = &recorded[number].communicators[together.collective.communicator as usize];
            members.entry(communicator.name).or_insert(&communicator.processors);
            let place = |call| CallPlace { timeline: number, call };
            parts.entry(communicator.name).or_default().entry(number).or_default().push(Part {
                operation: together.collective.operation,
                root: together.collective.root,
                entered: place(together.call),
                completed: together.completed_in.map(place),
            });
        }
    }
    for (group, (name, by_timeline)) in parts.into_iter().enumerate() {
        let ranks: Vec<usize> =
            members[&name].iter().filter_map(|processor| timeline_of.get(processor).copied()).collect();
        let count = |timeline: &usize| by_timeline.get(timeline).map_or(0, Vec::len);
        let common = ranks.iter().map(count).min().unwrap_or(0);
        let most = ranks.iter().max_by_key(|timeline| count(timeline));
        if let Some(most) = most.filter(|most| count(most) > common) {
            let operations = count(most) - common;
            remarks.push(Remark {
                processor: timelines[*most].processor,
                kind: RemarkKind::NotTogether { operations },
            });
        }
        if ranks.len() < members[&name].len() {
            let processor = timelines[*by_timeline.keys().next().unwrap_or(&0)].processor;
            remarks.push(Remark { processor, kind: RemarkKind::NotTogether { operations: common } });
        }
        let of_rank: Vec<&[Part]> =
            ranks.iter().filter_map(|timeline| by_timeline.get(timeline)).map(Vec::as_slice).collect();
        for number in 0..common {
            let together: Vec<Part> = of_rank.iter().map(|parts| parts[number]).collect();
            match together
                .iter()
                .find(|part| (part.operation, part.root) != (together[0].operation, together[0].root))
            {
                None => release_together(group, &together, timelines, found),
                Some(part) => remarks.push(Remark {
                    processor: timelines[part.entered.timeline].processor,
                    kind: RemarkKind::Differs { number },
                }),
            }
        }
    }
}

/// The parts in the order of their ranks.
fn release_together(group: usize, parts: &[Part], timelines: &[Timeline], found: &mut Vec<Release>) {
    use CollectiveOperation::*;
    let operation = parts[0].operation;
    let is_root = |part: &Part| Some(timelines[part.entered.timeline].processor) == part.root;
    let mut push = |by: Vec<CallPlace>, waiting: Vec<&Part>, kind: WaitKind| {
        let waiting = waiting.into_iter().filter_map(|part| Some((part.completed?, kind))).collect();
        let group = matches!(kind, WaitKind::Barrier | WaitKind::AllToAll).then_some(group);
        found.push(Release { by, after: None, group, waiting });
    };
    let (roots, others): (Vec<&Part>, Vec<&Part>) = parts.iter().partition(|part| is_root(part));
    let entered = |parts: &[&Part]| parts.iter().map(|part| part.entered).collect();
    let all = || parts.iter().map(|part| part.entered).collect();
    match operation {
        Broadcast | Scatter => push(entered(&roots), others, WaitKind::LateBroadcast),
        Reduce | Gather => push(entered(&others), roots, WaitKind::EarlyReduce),
        Barrier | Fence | Initialise | Finalise => {
            push(all(), parts.iter().collect(), WaitKind::Barrier);
        }
        Allgather | Allreduce | Alltoall | ReduceScatter => {
            push(all(), parts.iter().collect(), WaitKind::AllToAll);
        }
        Scan | Exscan => {
            let mut after = None;
            for pair in parts.windows(2) {
                let waiting = pair[1].completed.map(|call| (call, WaitKind::Scan));
                found.push(Release {
                    by: vec![pair[0].entered],
                    after,
                    group: None,
                    waiting: waiting.into_iter().collect(),
                });
                after = Some(found.len() - 1);
            }
        }
    }
}
