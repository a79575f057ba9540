use std::collections::BTreeMap;

use call_trace::{CommunicatorName, Message, ProcessorEvents};

use crate::timeline::{Probe, Receive, Send, Timeline};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Channel {
    communicator: CommunicatorName,
    pub(crate) from: u32,
    pub(crate) to: u32,
    tag: i32,
}

/// What goes through a channel: the n-th message is the n-th one that is taken. With each the place of its timeline.
#[derive(Debug, Default)]
pub(crate) struct Traffic<'a> {
    pub(crate) sends: Vec<(usize, &'a Send)>,
    pub(crate) taken: Vec<(usize, Taker<'a>)>,
    /// Probes that left the message there, with its number.
    pub(crate) seen: Vec<(usize, usize, &'a Probe)>,
    /// Receives of what probes had taken, in order.
    pub(crate) taken_before: Vec<(usize, &'a Receive)>,
}

/// What decides which message is received: the receive, in the order in which receives were asked for, or a probe that took it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Taker<'a> {
    Receive(&'a Receive),
    Probe(&'a Probe),
}

pub(crate) fn traffic<'a>(
    recorded: &[&ProcessorEvents],
    timelines: &'a [Timeline],
) -> BTreeMap<Channel, Traffic<'a>> {
    let mut traffic: BTreeMap<Channel, Traffic> = BTreeMap::new();
    for (number, timeline) in timelines.iter().enumerate() {
        let own = timeline.processor;
        let channel = |message: &Message, from, to| {
            let communicator = recorded[number].communicators[message.communicator as usize].name;
            Channel { communicator, from, to, tag: message.tag }
        };
        let incoming = |message: &Message| channel(message, message.partner, own);
        for send in timeline.sends.iter().filter(|send| !send.is_cancelled) {
            let channel = channel(&send.message, own, send.message.partner);
            traffic.entry(channel).or_default().sends.push((number, send));
        }
        let mut probes = timeline.probes.iter().peekable();
        // Others record the receive only.
        let probes_take = timeline.probes.iter().any(|probe| probe.takes);
        for (index, receive) in timeline.receives.iter().enumerate() {
            while let Some(probe) = probes.next_if(|probe| probe.receives_before <= index) {
                traffic.entry(incoming(&probe.message)).or_default().probe(number, probe);
            }
            if let Some(message) = &receive.message {
                traffic.entry(incoming(message)).or_default().receive(number, receive, probes_take);
            }
        }
        for probe in probes {
            traffic.entry(incoming(&probe.message)).or_default().probe(number, probe);
        }
    }
    traffic
}

impl<'a> Traffic<'a> {
    fn probe(&mut self, number: usize, probe: &'a Probe) {
        if probe.takes {
            self.taken.push((number, Taker::Probe(probe)));
        } else {
            self.seen.push((self.taken.len(), number, probe));
        }
    }

    fn receive(&mut self, number: usize, receive: &'a Receive, probes_take: bool) {
        if probes_take && receive.is_taken_before {
            self.taken_before.push((number, receive));
        } else {
            self.taken.push((number, Taker::Receive(receive)));
        }
    }
}
