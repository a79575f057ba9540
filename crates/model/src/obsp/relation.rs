//! Who sends to whom, and how much: the sets Ω of equation (1) and the h-relation of equation (3).

use super::profile::{NONE, Operation};
use super::{Exchanged, InOut, Profile, Profiles, Send, Synchronisation, Target, Waits};

impl Synchronisation {
    /// For each processor i the largest of the numbers of the processors in Ω of i, to which i itself belongs.
    pub(super) fn over_partners(&self, profiles: &mut Profiles, processors: u32, values: Profile) -> Profile {
        match self.waits {
            Waits::Barrier => {
                let largest = profiles.largest(values);
                profiles.same(largest)
            }
            Waits::Oblivious => self.sends.iter().fold(values, |largest, send| {
                let received = send.received(profiles, processors, values);
                profiles.maximum(largest, received)
            }),
        }
    }

    /// The processor in Ω of `processor` whose number is the largest; `processor` itself if its own is.
    pub(super) fn latest_partner(
        &self,
        profiles: &mut Profiles,
        processors: u32,
        values: Profile,
        processor: u32,
    ) -> u32 {
        let own = profiles.at(values, processors, processor);
        let candidates: Vec<u32> = match self.waits {
            Waits::Barrier => vec![profiles.first_of_largest(values, processors)],
            Waits::Oblivious => self
                .sends
                .iter()
                .filter_map(|send| send.latest_sender(profiles, processors, values, processor))
                .collect(),
        };
        let mut latest = (processor, own);
        for candidate in candidates {
            let value = profiles.at(values, processors, candidate);
            if value > latest.1 {
                latest = (candidate, value);
            }
        }
        latest.0
    }

    /// Bytes that go in and out of each processor.
    pub fn exchanged(&self, profiles: &mut Profiles, processors: u32) -> Exchanged {
        let zero = profiles.same(0.0);
        let none = Exchanged { in_bytes: zero, out_bytes: zero };
        self.sends.iter().fold(self.exchanged.unwrap_or(none), |sum, send| {
            let (sent, received) =
                (send.out_bytes(profiles, processors), send.in_bytes(profiles, processors));
            Exchanged {
                in_bytes: profiles.add(sum.in_bytes, received),
                out_bytes: profiles.add(sum.out_bytes, sent),
            }
        })
    }

    /// Bytes of the h-relation of each processor: equation (3).
    pub fn h_relation(&self, profiles: &mut Profiles, processors: u32, in_out: InOut) -> Profile {
        let Exchanged { in_bytes, out_bytes } = self.exchanged(profiles, processors);
        let own = match in_out {
            InOut::Maximum => profiles.maximum(in_bytes, out_bytes),
            InOut::Sum => profiles.add(in_bytes, out_bytes),
        };
        self.over_partners(profiles, processors, own)
    }
}

impl Send {
    /// The numbers of those that send, of all others none. Who sends to itself or to nobody is one of the others.
    fn of_senders(&self, profiles: &mut Profiles, processors: u32, values: Profile) -> Profile {
        let sending = match &self.target {
            Target::ExclusiveOr(0) | Target::Shift(0) => profiles.same(NONE),
            Target::Rotate(places) if places % processors == 0 => profiles.same(NONE),
            Target::ExclusiveOr(_) | Target::Rotate(_) => self.bytes,
            Target::All if processors == 1 => profiles.same(NONE),
            Target::All => self.bytes,
            Target::Shift(places) => {
                // Away and back again: those whose target exists stay.
                let away = profiles.shift(self.bytes, processors, *places);
                profiles.shift(away, processors, places.saturating_neg())
            }
            Target::One(target) => with(profiles, self.bytes, processors, *target, NONE),
            Target::Each(targets) => {
                let targets = targets.clone();
                let goes = |processor: u32| {
                    targets
                        .get(processor as usize)
                        .is_some_and(|target| *target < processors && *target != processor)
                };
                let bytes: Vec<f64> = (0..processors)
                    .map(|processor| match goes(processor) {
                        true => profiles.at(self.bytes, processors, processor),
                        false => NONE,
                    })
                    .collect();
                profiles.of_slice(&bytes)
            }
        };
        let sending = match self.target {
            // Only those whose partner exists.
            Target::ExclusiveOr(mask) if !processors.is_power_of_two() || mask >= processors => {
                let away = profiles.exclusive_or(sending, processors, mask);
                profiles.exclusive_or(away, processors, mask)
            }
            _ => sending,
        };
        profiles.combine(Operation::Where, values, sending)
    }

    /// For each processor the largest number of those that send to it.
    fn received(&self, profiles: &mut Profiles, processors: u32, values: Profile) -> Profile {
        let sent = self.of_senders(profiles, processors, values);
        match &self.target {
            Target::ExclusiveOr(mask) => profiles.exclusive_or(sent, processors, *mask),
            Target::Shift(places) => profiles.shift(sent, processors, *places),
            Target::Rotate(places) => profiles.rotate(sent, processors, *places),
            Target::One(target) => {
                let (largest, none) = (profiles.largest(sent), profiles.same(NONE));
                with(profiles, none, processors, *target, largest)
            }
            // With its own number, which each processor takes into account anyway.
            Target::All => {
                let largest = profiles.largest(sent);
                profiles.same(largest)
            }
            Target::Each(targets) => {
                let mut received = vec![NONE; processors as usize];
                for (processor, target) in (0..processors).zip(targets.iter()) {
                    if let Some(place) = received.get_mut(*target as usize) {
                        *place = place.max(profiles.at(sent, processors, processor));
                    }
                }
                profiles.of_slice(&received)
            }
        }
    }

    /// Bytes that come to each processor.
    fn in_bytes(&self, profiles: &mut Profiles, processors: u32) -> Profile {
        let out = self.of_senders(profiles, processors, self.bytes);
        let sent = profiles.map(out, |bytes| bytes.max(0.0));
        match &self.target {
            Target::ExclusiveOr(_) | Target::Shift(_) | Target::Rotate(_) => {
                let received = self.received(profiles, processors, self.bytes);
                profiles.map(received, |bytes| bytes.max(0.0))
            }
            Target::One(target) => {
                let (sum, zero) = (profiles.sum(sent, processors), profiles.same(0.0));
                with(profiles, zero, processors, *target, sum)
            }
            Target::All => {
                let sum = profiles.sum(sent, processors);
                profiles.map(sent, |own| sum - own)
            }
            Target::Each(targets) => {
                let mut received = vec![0.0; processors as usize];
                for (processor, target) in (0..processors).zip(targets.iter()) {
                    if let Some(place) = received.get_mut(*target as usize) {
                        *place += profiles.at(sent, processors, processor);
                    }
                }
                profiles.of_slice(&received)
            }
        }
    }

    /// Bytes that leave each processor.
    fn out_bytes(&self, profiles: &mut Profiles, processors: u32) -> Profile {
        let copies = if self.target == Target::All { f64::from(processors - 1) } else { 1.0 };
        let sent = self.of_senders(profiles, processors, self.bytes);
        profiles.map(sent, |bytes| copies * bytes.max(0.0))
    }

    /// Of those that send to a processor the one with the largest number.
    fn latest_sender(
        &self,
        profiles: &mut Profiles,
        processors: u32,
        values: Profile,
        processor: u32,
    ) -> Option<u32> {
        let sent = self.of_senders(profiles, processors, values);
        let (own, count) = (i64::from(processor), i64::from(processors));
        let sender = match &self.target {
            Target::ExclusiveOr(mask) => i64::from(processor ^ mask),
            Target::Shift(places) => own.saturating_sub(*places),
            Target::Rotate(places) => (own - i64::from(*places)).rem_euclid(count),
            Target::One(target) if *target != processor => return None,
            Target::One(_) | Target::All => i64::from(profiles.first_of_largest(sent, processors)),
            Target::Each(targets) => {
                let mut latest: Option<(i64, f64)> = None;
                for (sender, target) in (0..processors).zip(targets.iter()) {
                    let value = profiles.at(sent, processors, sender);
                    if *target == processor && latest.is_none_or(|(_, known)| value > known) {
                        latest = Some((i64::from(sender), value));
                    }
                }
                latest?.0
            }
        };
        let sender = u32::try_from(sender).ok().filter(|sender| *sender < processors)?;
        (profiles.at(sent, processors, sender) != NONE).then_some(sender)
    }
}

/// A profile with another number at one processor.
fn with(profiles: &mut Profiles, profile: Profile, processors: u32, processor: u32, value: f64) -> Profile {
    if processor >= processors {
        return profile;
    }
    let value = profiles.same(value);
    let behind = processors - processor - 1;
    let mut parts = Vec::new();
    if processor > 0 {
        parts.push((profiles.slice(profile, processors, 0, processor), processor));
    }
    parts.push((value, 1));
    if behind > 0 {
        parts.push((profiles.slice(profile, processors, processor + 1, behind), behind));
    }
    profiles.join(&parts)
}
