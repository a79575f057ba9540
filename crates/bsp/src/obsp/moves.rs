//! Vectors whose numbers go to other processors.

use std::collections::HashMap;

use super::operation::{Arrival, NONE};
use super::per_processor::{BLOCK, PerProcessor, PerProcessorArena, VectorPart, first_half, processor};

/// The numbers of a machine whose first processor becomes processor `start`.
struct PlacedMachine {
    numbers: PerProcessor,
    processors: u32,
    start: u32,
}

impl PlacedMachine {
    /// The machine that a processor is in.
    fn of(parts: &[PlacedMachine], processor: u32) -> &PlacedMachine {
        &parts[parts.partition_point(|part| part.start <= processor) - 1]
    }
}

impl PerProcessorArena {
    /// The numbers of `count` processors from `first` on, which are counted from 0 then.
    pub fn slice(&mut self, numbers: PerProcessor, processors: u32, first: u32, count: u32) -> PerProcessor {
        self.sliced((numbers, processors, first, count), &mut HashMap::new())
    }

    fn sliced(
        &mut self,
        range: (PerProcessor, u32, u32, u32),
        known: &mut HashMap<(PerProcessor, u32, u32, u32), PerProcessor>,
    ) -> PerProcessor {
        let (numbers, processors, first, count) = range;
        if count == processors || matches!(self.part(numbers), VectorPart::Same(_)) {
            return numbers;
        }
        if count <= BLOCK {
            let values: Vec<f64> =
                (first..first + count).map(|one| self.at(numbers, processors, one)).collect();
            return self.each(values.into_iter());
        }
        let &VectorPart::Halves(low, high) = self.part(numbers) else { return numbers };
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
            let low = self.sliced((numbers, processors, first, new_half), known);
            let high = self.sliced((numbers, processors, first + new_half, count - new_half), known);
            self.halves(low, high)
        };
        known.insert(range, made);
        made
    }

    /// The vectors of machines, each with its number of processors, as that of one machine.
    pub fn join(&mut self, parts: &[(PerProcessor, u32)]) -> PerProcessor {
        let mut start = 0;
        let mut joined = Vec::with_capacity(parts.len());
        for &(numbers, processors) in parts {
            joined.push(PlacedMachine { numbers, processors, start });
            start += processors;
        }
        self.joined(&joined, 0, start)
    }

    fn joined(&mut self, parts: &[PlacedMachine], first: u32, count: u32) -> PerProcessor {
        let part = PlacedMachine::of(parts, first);
        if first - part.start + count <= part.processors {
            return self.slice(part.numbers, part.processors, first - part.start, count);
        }
        if count <= BLOCK {
            let at = |one| {
                let part = PlacedMachine::of(parts, one);
                self.at(part.numbers, part.processors, one - part.start)
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
    pub(super) fn with(
        &mut self,
        numbers: PerProcessor,
        processors: u32,
        processor: u32,
        value: f64,
    ) -> PerProcessor {
        let value = self.same(value);
        let behind = processors - processor - 1;
        let mut parts = Vec::with_capacity(3);
        if processor > 0 {
            parts.push((self.slice(numbers, processors, 0, processor), processor));
        }
        parts.push((value, 1));
        if behind > 0 {
            parts.push((self.slice(numbers, processors, processor + 1, behind), behind));
        }
        self.join(&parts)
    }

    /// Processor i gets the number of processor i - `places`; the first or last ones, whose number would come from outside, get
    /// [`NONE`].
    pub fn shift(&mut self, numbers: PerProcessor, processors: u32, places: i64) -> PerProcessor {
        let distance = places.unsigned_abs().min(u64::from(processors)) as u32;
        let kept = processors - distance;
        let none = self.same(NONE);
        if kept == 0 {
            return none;
        }
        let first = if places > 0 { 0 } else { distance };
        let rest = self.slice(numbers, processors, first, kept);
        match places {
            0 => numbers,
            1.. => self.join(&[(none, distance), (rest, kept)]),
            _ => self.join(&[(rest, kept), (none, distance)]),
        }
    }

    /// Processor i gets the number of processor i - `places`, counted round the machine.
    pub fn rotate(&mut self, numbers: PerProcessor, processors: u32, places: u32) -> PerProcessor {
        let places = places % processors;
        if places == 0 {
            return numbers;
        }
        let first = self.slice(numbers, processors, processors - places, places);
        let rest = self.slice(numbers, processors, 0, processors - places);
        self.join(&[(first, places), (rest, processors - places)])
    }

    /// Processor i gets the number of processor i ^ `mask`; [`NONE`] where there is none.
    pub fn exclusive_or(&mut self, numbers: PerProcessor, processors: u32, mask: u32) -> PerProcessor {
        if processors.is_power_of_two() && mask < processors {
            return self.flipped(numbers, processors, mask, &mut HashMap::new());
        }
        let values: Vec<f64> = (0..processors)
            .map(|processor| match processor ^ mask {
                partner if partner < processors => self.at(numbers, processors, partner),
                _ => NONE,
            })
            .collect();
        self.of_slice(&values)
    }

    /// Each processor gets the numbers of those whose target it is.
    pub(super) fn scatter(
        &mut self,
        arrival: Arrival,
        sent: PerProcessor,
        targets: PerProcessor,
        processors: u32,
    ) -> PerProcessor {
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
        numbers: PerProcessor,
        processors: u32,
        mask: u32,
        known: &mut HashMap<(PerProcessor, u32), PerProcessor>,
    ) -> PerProcessor {
        let (low, high) = match self.part(numbers).clone() {
            VectorPart::Same(_) => return numbers,
            VectorPart::Each(values) => {
                let partners = (0..values.len()).map(|one| values[one ^ mask as usize].0);
                return self.each(partners.collect::<Vec<_>>().into_iter());
            }
            VectorPart::Halves(low, high) => (low, high),
        };
        let half = processors / 2;
        if let Some(known) = known.get(&(numbers, processors)) {
            return *known;
        }
        let new_low = self.flipped(low, half, mask % half.max(1), known);
        let new_high = self.flipped(high, half, mask % half.max(1), known);
        let made =
            if mask & half == 0 { self.halves(new_low, new_high) } else { self.halves(new_high, new_low) };
        known.insert((numbers, processors), made);
        made
    }
}
