//! Who sends to whom, and how much: the sets Ω of equation (1) and the h-relation of equation (3).

use super::operation::{Arrival, NONE, PairOperation};
use super::per_processor::processor;
use super::{
    ExchangedBytes, InOut, MessageTarget, PerProcessor, PerProcessorArena, Send, Synchronisation,
    WaitRelation,
};

impl Synchronisation {
    /// For each processor i the largest of the numbers of the processors in Ω of i, to which i itself belongs.
    pub(crate) fn over_partners(
        &self,
        arena: &mut PerProcessorArena,
        processors: u32,
        values: PerProcessor,
    ) -> PerProcessor {
        match &self.waits {
            WaitRelation::Barrier => {
                let largest = arena.largest(values);
                arena.same(largest)
            }
            WaitRelation::Oblivious => self.sends.iter().fold(values, |largest, send| {
                let sent = send.of_senders(arena, values);
                let received = send.received(arena, processors, sent);
                arena.maximum(largest, received)
            }),
            WaitRelation::Partners(partners) => {
                let mut largest = arena.values(values, processors);
                for (number, ranges) in largest.iter_mut().zip(partners.iter()) {
                    for range in ranges {
                        *number = number.max(arena.largest_over(values, processors, range.clone()).0);
                    }
                }
                arena.of_slice(&largest)
            }
        }
    }

    /// The processor in Ω of `processor` whose number is the largest; `processor` itself if its own is.
    pub(super) fn latest_partner(
        &self,
        arena: &mut PerProcessorArena,
        processors: u32,
        values: PerProcessor,
        processor: u32,
    ) -> u32 {
        let own = arena.at(values, processors, processor);
        let candidates: Vec<u32> = match &self.waits {
            WaitRelation::Barrier => vec![arena.first_of_largest(values, processors)],
            WaitRelation::Oblivious => self
                .sends
                .iter()
                .filter_map(|send| send.latest_sender(arena, processors, values, processor))
                .collect(),
            WaitRelation::Partners(partners) => partners[processor as usize]
                .iter()
                .map(|range| arena.largest_over(values, processors, range.clone()).1)
                .collect(),
        };
        let mut latest = (processor, own);
        for candidate in candidates {
            let value = arena.at(values, processors, candidate);
            if value > latest.1 {
                latest = (candidate, value);
            }
        }
        latest.0
    }

    /// Bytes that go in and out of each processor.
    pub fn exchanged(&self, arena: &mut PerProcessorArena, processors: u32) -> ExchangedBytes {
        let zero = arena.same(0.0);
        let none = ExchangedBytes { in_bytes: zero, out_bytes: zero };
        self.sends.iter().fold(self.exchanged.unwrap_or(none), |sum, send| {
            let sent = arena.map(send.bytes, |bytes| bytes.max(0.0));
            let (out, received) =
                (send.out_bytes(arena, processors, sent), send.in_bytes(arena, processors, sent));
            ExchangedBytes {
                in_bytes: arena.add(sum.in_bytes, received),
                out_bytes: arena.add(sum.out_bytes, out),
            }
        })
    }

    /// Bytes of the h-relation of each processor: equation (3).
    pub fn h_relation(&self, arena: &mut PerProcessorArena, processors: u32, in_out: InOut) -> PerProcessor {
        let ExchangedBytes { in_bytes, out_bytes } = self.exchanged(arena, processors);
        let own = match in_out {
            InOut::Maximum => arena.maximum(in_bytes, out_bytes),
            InOut::Sum => arena.add(in_bytes, out_bytes),
        };
        self.over_partners(arena, processors, own)
    }
}

impl Send {
    /// The numbers of those that send, of all others [`NONE`].
    fn of_senders(&self, arena: &mut PerProcessorArena, values: PerProcessor) -> PerProcessor {
        arena.combine(PairOperation::Where, values, self.bytes)
    }

    /// For each processor the largest number of those that send to it.
    fn received(&self, arena: &mut PerProcessorArena, processors: u32, sent: PerProcessor) -> PerProcessor {
        match self.target {
            MessageTarget::ExclusiveOr(mask) => arena.exclusive_or(sent, processors, mask),
            MessageTarget::Shift(places) => arena.shift(sent, processors, places),
            MessageTarget::Rotate(places) => arena.rotate(sent, processors, places),
            MessageTarget::One(target) => {
                let (largest, none) = (arena.largest(sent), arena.same(NONE));
                arena.with(none, processors, target, largest)
            }
            // With its own number, which each processor takes into account anyway.
            MessageTarget::All => {
                let largest = arena.largest(sent);
                arena.same(largest)
            }
            MessageTarget::Each(targets) => arena.scatter(Arrival::Largest, sent, targets, processors),
        }
    }

    /// Bytes that come to each processor, of those that were sent.
    fn in_bytes(&self, arena: &mut PerProcessorArena, processors: u32, sent: PerProcessor) -> PerProcessor {
        match self.target {
            MessageTarget::ExclusiveOr(_) | MessageTarget::Shift(_) | MessageTarget::Rotate(_) => {
                let received = self.received(arena, processors, sent);
                arena.map(received, |bytes| bytes.max(0.0))
            }
            MessageTarget::One(target) => {
                let (sum, zero) = (arena.sum(sent, processors), arena.same(0.0));
                arena.with(zero, processors, target, sum)
            }
            MessageTarget::All => {
                let sum = arena.sum(sent, processors);
                arena.map(sent, |own| sum - own)
            }
            MessageTarget::Each(targets) => arena.scatter(Arrival::Sum, sent, targets, processors),
        }
    }

    /// Bytes that leave each processor, of those that were sent.
    fn out_bytes(&self, arena: &mut PerProcessorArena, processors: u32, sent: PerProcessor) -> PerProcessor {
        match self.target {
            MessageTarget::All => arena.map(sent, |bytes| f64::from(processors - 1) * bytes),
            _ => sent,
        }
    }

    /// Of those that send to a processor the one with the largest number.
    fn latest_sender(
        &self,
        arena: &mut PerProcessorArena,
        processors: u32,
        values: PerProcessor,
        receiver: u32,
    ) -> Option<u32> {
        let sent = self.of_senders(arena, values);
        let (own, count) = (i64::from(receiver), i64::from(processors));
        let sender = match self.target {
            MessageTarget::ExclusiveOr(mask) => i64::from(receiver ^ mask),
            MessageTarget::Shift(places) => own.saturating_sub(places),
            MessageTarget::Rotate(places) => (own - i64::from(places)).rem_euclid(count),
            MessageTarget::One(target) if target != receiver => return None,
            MessageTarget::One(_) | MessageTarget::All => i64::from(arena.first_of_largest(sent, processors)),
            MessageTarget::Each(targets) => {
                let mut latest: Option<(i64, f64)> = None;
                for sender in 0..processors {
                    let to = processor(arena.at(targets, processors, sender), processors);
                    let value = arena.at(sent, processors, sender);
                    if to == Some(receiver) && latest.is_none_or(|(_, known)| value > known) {
                        latest = Some((i64::from(sender), value));
                    }
                }
                latest?.0
            }
        };
        let sender = u32::try_from(sender).ok().filter(|sender| *sender < processors)?;
        (arena.at(sent, processors, sender) != NONE).then_some(sender)
    }
}
