//! Profiles whose numbers go to other processors.

use std::collections::HashMap;

use super::profile::{BLOCK, NONE, Node, first_half};
use super::task::processor;
use super::{Profile, Profiles};

/// What several numbers that come to a processor are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Arrival {
    /// [`NONE`] where nothing comes.
    Largest,
    /// 0 where nothing comes.
    Sum,
}

/// The profile of a machine whose first processor becomes processor `start`.
struct Joined {
    profile: Profile,
    processors: u32,
    start: u32,
}

impl Joined {
    /// The machine that a processor is in.
    fn of(parts: &[Joined], processor: u32) -> &Joined {
        &parts[parts.partition_point(|part| part.start <= processor) - 1]
    }
}

impl Profiles {
    /// The numbers of `count` processors from `first` on, which are counted from 0 then.
    pub fn slice(&mut self, profile: Profile, processors: u32, first: u32, count: u32) -> Profile {
        self.sliced((profile, processors, first, count), &mut HashMap::new())
    }

    fn sliced(
        &mut self,
        range: (Profile, u32, u32, u32),
        known: &mut HashMap<(Profile, u32, u32, u32), Profile>,
    ) -> Profile {
        let (profile, processors, first, count) = range;
        if count == processors || matches!(self.part(profile), Node::Same(_)) {
            return profile;
        }
        if count <= BLOCK {
            let values: Vec<f64> =
                (first..first + count).map(|one| self.at(profile, processors, one)).collect();
            return self.each(values.into_iter());
        }
        let &Node::Halves(low, high) = self.part(profile) else { return profile };
        if let Some(known) = known.get(&range) {
            return *known;
        }
        let half = first_half(processors);
        let made = if first + count <= half {
            self.sliced((low, half, first, count), known)
        } else if first >= half {
            self.sliced((high, processors - half, first - half, count), known)
        } else {
            let new_half = first_half(count);
            let low = self.sliced((profile, processors, first, new_half), known);
            let high = self.sliced((profile, processors, first + new_half, count - new_half), known);
            self.halves(low, high)
        };
        known.insert(range, made);
        made
    }

    /// The profiles of machines, each with its number of processors, as that of one machine.
    pub fn join(&mut self, parts: &[(Profile, u32)]) -> Profile {
        let mut start = 0;
        let mut joined = Vec::with_capacity(parts.len());
        for &(profile, processors) in parts {
            joined.push(Joined { profile, processors, start });
            start += processors;
        }
        self.joined(&joined, 0, start)
    }

    fn joined(&mut self, parts: &[Joined], first: u32, count: u32) -> Profile {
        let part = Joined::of(parts, first);
        if first - part.start + count <= part.processors {
            return self.slice(part.profile, part.processors, first - part.start, count);
        }
        if count <= BLOCK {
            let at = |one| {
                let part = Joined::of(parts, one);
                self.at(part.profile, part.processors, one - part.start)
            };
            let values: Vec<f64> = (first..first + count).map(at).collect();
            return self.each(values.into_iter());
        }
        let half = first_half(count);
        let low = self.joined(parts, first, half);
        let high = self.joined(parts, first + half, count - half);
        self.halves(low, high)
    }

    /// The same numbers but that of one processor.
    pub(super) fn with(&mut self, profile: Profile, processors: u32, processor: u32, value: f64) -> Profile {
        let value = self.same(value);
        let behind = processors - processor - 1;
        let mut parts = Vec::with_capacity(3);
        if processor > 0 {
            parts.push((self.slice(profile, processors, 0, processor), processor));
        }
        parts.push((value, 1));
        if behind > 0 {
            parts.push((self.slice(profile, processors, processor + 1, behind), behind));
        }
        self.join(&parts)
    }

    /// Processor i gets the number of processor i - `places`; the first or last ones, whose number would come from outside, get
    /// [`NONE`].
    pub fn shift(&mut self, profile: Profile, processors: u32, places: i64) -> Profile {
        let distance = places.unsigned_abs().min(u64::from(processors)) as u32;
        let kept = processors - distance;
        let none = self.same(NONE);
        if kept == 0 {
            return none;
        }
        let first = if places > 0 { 0 } else { distance };
        let rest = self.slice(profile, processors, first, kept);
        match places {
            0 => profile,
            1.. => self.join(&[(none, distance), (rest, kept)]),
            _ => self.join(&[(rest, kept), (none, distance)]),
        }
    }

    /// Processor i gets the number of processor i - `places`, counted round the machine.
    pub fn rotate(&mut self, profile: Profile, processors: u32, places: u32) -> Profile {
        let places = places % processors;
        if places == 0 {
            return profile;
        }
        let first = self.slice(profile, processors, processors - places, places);
        let rest = self.slice(profile, processors, 0, processors - places);
        self.join(&[(first, places), (rest, processors - places)])
    }

    /// Processor i gets the number of processor i ^ `mask`; [`NONE`] where there is none.
    pub fn exclusive_or(&mut self, profile: Profile, processors: u32, mask: u32) -> Profile {
        if processors.is_power_of_two() && mask < processors {
            return self.flipped(profile, processors, mask, &mut HashMap::new());
        }
        let values: Vec<f64> = (0..processors)
            .map(|processor| match processor ^ mask {
                partner if partner < processors => self.at(profile, processors, partner),
                _ => NONE,
            })
            .collect();
        self.of_slice(&values)
    }

    /// Each processor gets the numbers of those whose target it is.
    pub(super) fn scatter(
        &mut self,
        arrival: Arrival,
        sent: Profile,
        targets: Profile,
        processors: u32,
    ) -> Profile {
        let key = (arrival, sent, targets, processors);
        if let Some(known) = self.scattered.get(&key) {
            return *known;
        }
        let nothing = match arrival {
            Arrival::Largest => NONE,
            Arrival::Sum => 0.0,
        };
        let mut received = vec![nothing; processors as usize];
        for sender in 0..processors {
            let Some(target) = processor(self.at(targets, processors, sender), processors) else { continue };
            let number = self.at(sent, processors, sender);
            let place = &mut received[target as usize];
            *place = match arrival {
                Arrival::Largest => place.max(number),
                Arrival::Sum => *place + number,
            };
        }
        let made = self.of_slice(&received);
        self.scattered.insert(key, made);
        made
    }

    fn flipped(
        &mut self,
        profile: Profile,
        processors: u32,
        mask: u32,
        known: &mut HashMap<(Profile, u32), Profile>,
    ) -> Profile {
        let (low, high) = match self.part(profile).clone() {
            Node::Same(_) => return profile,
            Node::Each(values) => {
                let partners = (0..values.len()).map(|one| values[one ^ mask as usize].0);
                return self.each(partners.collect::<Vec<_>>().into_iter());
            }
            Node::Halves(low, high) => (low, high),
        };
        let half = processors / 2;
        if let Some(known) = known.get(&(profile, processors)) {
            return *known;
        }
        let new_low = self.flipped(low, half, mask % half.max(1), known);
        let new_high = self.flipped(high, half, mask % half.max(1), known);
        let made =
            if mask & half == 0 { self.halves(new_low, new_high) } else { self.halves(new_high, new_low) };
        known.insert((profile, processors), made);
        made
    }
}
