use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::operation::NONE;
use super::per_processor::{PerProcessor, PerProcessorArena, VectorPart, first_half};

/// What the numbers of all processors, or of some, come to.
impl PerProcessorArena {
    /// The largest number.
    pub fn largest(&mut self, numbers: PerProcessor) -> f64 {
        match *self.part(numbers) {
            VectorPart::Same(value) => value.0,
            VectorPart::Each(ref values) => values.iter().map(|value| value.0).fold(NONE, f64::max),
            VectorPart::Halves(low, high) => {
                if let Some(known) = self.largest.get(&numbers) {
                    return *known;
                }
                let largest = self.largest(low).max(self.largest(high));
                self.largest.insert(numbers, largest);
                largest
            }
        }
    }

    /// The smallest number.
    pub fn smallest(&mut self, numbers: PerProcessor) -> f64 {
        let negative = self.map(numbers, |value| -value);
        -self.largest(negative)
    }

    /// The first processor that has the largest number.
    pub fn first_of_largest(&mut self, numbers: PerProcessor, processors: u32) -> u32 {
        match *self.part(numbers) {
            VectorPart::Same(_) => 0,
            VectorPart::Each(ref values) => {
                let largest = values.iter().map(|value| value.0).fold(NONE, f64::max);
                values.iter().position(|value| value.0 == largest).map_or(0, |place| place as u32)
            }
            VectorPart::Halves(low, high) => {
                let half = first_half(processors);
                if self.largest(low) >= self.largest(high) {
                    self.first_of_largest(low, half)
                } else {
                    half + self.first_of_largest(high, processors - half)
                }
            }
        }
    }

    /// The largest number of a range of processors, and the first one there that has it; [`NONE`] of an empty range.
    pub(crate) fn largest_over(
        &mut self,
        numbers: PerProcessor,
        processors: u32,
        range: RangeInclusive<u32>,
    ) -> (f64, u32) {
        let (first, last) = (*range.start(), *range.end());
        if range.is_empty() {
            return (NONE, first);
        }
        match *self.part(numbers) {
            VectorPart::Same(value) => (value.0, first),
            VectorPart::Each(ref values) => {
                let mut largest = (values[first as usize].0, first);
                for processor in range {
                    let value = values[processor as usize].0;
                    if value > largest.0 {
                        largest = (value, processor);
                    }
                }
                largest
            }
            VectorPart::Halves(..) if first == 0 && last == processors - 1 => {
                (self.largest(numbers), self.first_of_largest(numbers, processors))
            }
            VectorPart::Halves(low, high) => {
                let half = first_half(processors);
                if last < half {
                    return self.largest_over(low, half, range);
                }
                let (value, processor) =
                    self.largest_over(high, processors - half, first.saturating_sub(half)..=last - half);
                let of_high = (value, half + processor);
                if first >= half {
                    return of_high;
                }
                let of_low = self.largest_over(low, half, first..=half - 1);
                if of_low.0 >= of_high.0 { of_low } else { of_high }
            }
        }
    }

    /// A number of some processor that fulfils a condition.
    pub(crate) fn first_that(&self, numbers: PerProcessor, condition: impl Fn(f64) -> bool) -> Option<f64> {
        self.found(numbers, &condition, &mut HashSet::new())
    }

    fn found(
        &self,
        numbers: PerProcessor,
        condition: &dyn Fn(f64) -> bool,
        seen: &mut HashSet<PerProcessor>,
    ) -> Option<f64> {
        match *self.part(numbers) {
            VectorPart::Same(value) => condition(value.0).then_some(value.0),
            VectorPart::Each(ref values) => {
                values.iter().map(|value| value.0).find(|value| condition(*value))
            }
            VectorPart::Halves(..) if !seen.insert(numbers) => None,
            VectorPart::Halves(low, high) => {
                self.found(low, condition, seen).or_else(|| self.found(high, condition, seen))
            }
        }
    }

    /// The sum over all processors.
    pub fn sum(&self, numbers: PerProcessor, processors: u32) -> f64 {
        self.summed(numbers, processors, &mut HashMap::new())
    }

    fn summed(
        &self,
        numbers: PerProcessor,
        processors: u32,
        known: &mut HashMap<(PerProcessor, u32), f64>,
    ) -> f64 {
        match *self.part(numbers) {
            VectorPart::Same(value) => value.0 * f64::from(processors),
            VectorPart::Each(ref values) => values.iter().map(|value| value.0).sum(),
            VectorPart::Halves(low, high) => {
                if let Some(known) = known.get(&(numbers, processors)) {
                    return *known;
                }
                let half = first_half(processors);
                let sum = self.summed(low, half, known) + self.summed(high, processors - half, known);
                known.insert((numbers, processors), sum);
                sum
            }
        }
    }
}
