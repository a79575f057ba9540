use std::collections::BTreeMap;

use crate::timeline::{Exchanged, Probe, Receive};

/// What goes through all channels, by their numbers: of a channel the n-th message is the n-th one that is taken.
#[derive(Debug)]
pub(crate) struct Traffic<'a> {
    exchanged: &'a [Exchanged],
    sends: ByChannel,
    taken: ByChannel,
    /// Probes that left the message there, with its number.
    seen: BTreeMap<u32, Vec<(usize, &'a Probe)>>,
    /// Receives of what probes had taken, in order.
    taken_before: BTreeMap<u32, Vec<&'a Receive>>,
}

/// What decides which message is received: the receive, in the order in which receives were asked for, or a probe that took it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Taker<'a> {
    Receive(&'a Receive),
    Probe(&'a Probe),
}

/// Places in the lists of one timeline for each channel, in order.
#[derive(Debug)]
struct ByChannel {
    /// Where those of each channel begin, and where the last ones end.
    starts: Vec<u32>,
    filled: Vec<u32>,
    places: Vec<u32>,
}

impl ByChannel {
    /// Has room for these.
    fn new(channels: usize, each: impl Iterator<Item = u32>) -> ByChannel {
        let mut starts = vec![0; channels + 1];
        each.for_each(|channel| starts[channel as usize + 1] += 1);
        for channel in 0..channels {
            starts[channel + 1] += starts[channel];
        }
        let places = vec![0; starts[channels] as usize];
        ByChannel { starts, filled: vec![0; channels], places }
    }

    fn push(&mut self, channel: u32, place: u32) {
        let filled = &mut self.filled[channel as usize];
        self.places[(self.starts[channel as usize] + *filled) as usize] = place;
        *filled += 1;
    }

    fn of(&self, channel: usize) -> &[u32] {
        &self.places[self.starts[channel] as usize..self.starts[channel + 1] as usize]
    }
}

/// The highest bit says that a place is one among the probes.
const IS_PROBE: u32 = 1 << 31;

impl<'a> Traffic<'a> {
    /// Of what each timeline exchanged, through so many channels.
    pub(crate) fn new(exchanged: &'a [Exchanged], channels: usize) -> Traffic<'a> {
        let sent = exchanged.iter().flat_map(|its| &its.sends);
        let sent = sent.filter(|send| !send.is_cancelled()).map(|send| send.channel.number());
        let taken = exchanged.iter().flat_map(|its| {
            let takes = takes(its);
            let receives = its.receives.iter().filter(move |receive| is_taken(receive, takes));
            let probes = its.probes.iter().filter(|probe| probe.takes).map(|probe| probe.channel);
            receives.map(|receive| receive.channel).chain(probes)
        });
        let mut traffic = Traffic {
            exchanged,
            sends: ByChannel::new(channels, sent),
            taken: ByChannel::new(channels, taken),
            seen: BTreeMap::new(),
            taken_before: BTreeMap::new(),
        };
        exchanged.iter().for_each(|its| traffic.add(its));
        traffic
    }

    fn add(&mut self, exchanged: &'a Exchanged) {
        for (place, send) in exchanged.sends.iter().enumerate().filter(|(_, send)| !send.is_cancelled()) {
            self.sends.push(send.channel.number(), place as u32);
        }
        let mut probes = exchanged.probes.iter().enumerate().peekable();
        let takes = takes(exchanged);
        for (place, receive) in exchanged.receives.iter().enumerate() {
            while let Some((number, probe)) = probes.next_if(|(_, probe)| probe.receives_before <= place) {
                self.probe(number, probe);
            }
            if is_taken(receive, takes) {
                self.taken.push(receive.channel, place as u32);
            } else if receive.completed_in.get().is_some() {
                self.taken_before.entry(receive.channel).or_default().push(receive);
            }
        }
        probes.for_each(|(number, probe)| self.probe(number, probe));
    }

    fn probe(&mut self, number: usize, probe: &'a Probe) {
        let channel = probe.channel;
        if probe.takes {
            self.taken.push(channel, number as u32 | IS_PROBE);
        } else {
            let before = self.taken.filled[channel as usize] as usize;
            self.seen.entry(channel).or_default().push((before, probe));
        }
    }

    /// Places among the sends of the timeline that sends through a channel.
    pub(crate) fn sends(&self, channel: usize) -> &[u32] {
        self.sends.of(channel)
    }

    /// What takes the messages of a channel, on the timeline that receives through it.
    pub(crate) fn taken(&self, channel: usize, timeline: usize) -> impl ExactSizeIterator<Item = Taker<'a>> {
        let Exchanged { receives, probes, .. } = &self.exchanged[timeline];
        self.taken.of(channel).iter().map(move |place| match place & IS_PROBE {
            0 => Taker::Receive(&receives[*place as usize]),
            _ => Taker::Probe(&probes[(*place & !IS_PROBE) as usize]),
        })
    }

    pub(crate) fn seen(&self, channel: usize) -> &[(usize, &'a Probe)] {
        self.seen.get(&(channel as u32)).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn taken_before(&self, channel: usize) -> &[&'a Receive] {
        self.taken_before.get(&(channel as u32)).map_or(&[], Vec::as_slice)
    }
}

/// Whether probes are known to take messages: others record the receive only.
fn takes(exchanged: &Exchanged) -> bool {
    exchanged.probes.iter().any(|probe| probe.takes)
}

/// Whether it is this receive that takes its message.
fn is_taken(receive: &Receive, probes_take: bool) -> bool {
    receive.completed_in.get().is_some() && !(probes_take && receive.is_taken_before())
}
