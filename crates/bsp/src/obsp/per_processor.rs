use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use super::operation::{Arrival, PairOperation};

/// A number for each processor of a machine, kept in [`PerProcessorArena`].
///
/// Equal vectors have equal handles, but in a store [of what differs](PerProcessorArena::of_differing).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PerProcessor(pub(super) u32);

/// The store of vectors over processors: processors in the same state are one.
///
/// A vector is one number for all processors, or the numbers of up to 64 of them, or two vectors: that of the first processors, as
/// many as the largest power of two below their number, and that of the rest. Parts that are equal are kept once, so what is the same
/// for many processors, or repeats itself, takes memory and time in the order of the logarithm of their number.
#[derive(Debug, Default)]
pub struct PerProcessorArena {
    pub(super) nodes: Vec<VectorPart>,
    handles: HashMap<VectorPart, PerProcessor>,
    pub(super) combined: HashMap<(PairOperation, PerProcessor, PerProcessor), PerProcessor>,
    pub(super) largest: HashMap<PerProcessor, f64>,
    pub(super) scattered: HashMap<(Arrival, PerProcessor, PerProcessor, u32), PerProcessor>,
    /// Whether only what is the same for all processors is looked for among what is known.
    pub(super) differs: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum VectorPart {
    Same(Exact),
    /// At most [`BLOCK`] numbers, not all the same.
    Each(Rc<[Exact]>),
    Halves(PerProcessor, PerProcessor),
}

/// A number that is equal to itself only.
#[derive(Debug, Clone, Copy)]
pub struct Exact(pub f64);

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Exact {}

impl Hash for Exact {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// About 600 bytes each, if all numbers differ.
const MOST_PARTS: usize = if cfg!(test) { 1 << 10 } else { 1 << 22 };

/// Vectors of so many processors are not divided: a power of two.
pub(super) const BLOCK: u32 = 64;

/// How many of the processors stand in the first half: the largest power of two below their number.
pub(super) fn first_half(processors: u32) -> u32 {
    processors.saturating_sub(1).checked_ilog2().map_or(0, |exponent| 1 << exponent)
}

/// The processor that a number means, if it is one of the machine.
pub(crate) fn processor(number: f64, processors: u32) -> Option<u32> {
    let is_processor = number >= 0.0 && number < f64::from(processors) && number.fract() == 0.0;
    is_processor.then_some(number as u32)
}

impl PerProcessorArena {
    /// An empty store.
    pub fn new() -> PerProcessorArena {
        PerProcessorArena::default()
    }

    /// An empty store for vectors that seldom repeat numbers that differ, such as recorded times: those are not looked for among what is
    /// known, so equal vectors may have different handles.
    pub fn of_differing() -> PerProcessorArena {
        PerProcessorArena { differs: true, ..PerProcessorArena::default() }
    }

    /// How many parts of vectors are kept.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are so many parts that memory would soon be full of them.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() > MOST_PARTS
    }

    /// Whether no vector was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The same number for every processor.
    pub fn same(&mut self, value: f64) -> PerProcessor {
        // Zeros of both signs are one.
        self.node(VectorPart::Same(Exact(value + 0.0)))
    }

    /// The numbers of at most [`BLOCK`] processors.
    pub(super) fn each(&mut self, values: impl Iterator<Item = f64>) -> PerProcessor {
        let values: Rc<[Exact]> = values.map(|value| Exact(value + 0.0)).collect();
        match values.first() {
            Some(first) if values.iter().all(|value| value == first) => self.node(VectorPart::Same(*first)),
            _ => self.node(VectorPart::Each(values)),
        }
    }

    /// One number for each processor.
    ///
    /// # Panics
    /// If there are none, or more than 2³².
    pub fn of_slice(&mut self, values: &[f64]) -> PerProcessor {
        assert!(!values.is_empty(), "a machine has a processor");
        let processors = u32::try_from(values.len()).expect("processors are counted by 32 bits");
        self.of_ranges(processors, &mut |_, first, last| (first == last).then(|| values[first as usize]))
    }

    /// The numbers that a function gives: for the processors from the first to the last of a range the number that all of them have, or
    /// nothing if it cannot tell; of one processor it can. It may look at vectors that are known.
    pub fn of_ranges(
        &mut self,
        processors: u32,
        value: &mut dyn FnMut(&PerProcessorArena, u32, u32) -> Option<f64>,
    ) -> PerProcessor {
        self.of_range(0, processors, value)
    }

    fn of_range(
        &mut self,
        first: u32,
        processors: u32,
        value: &mut dyn FnMut(&PerProcessorArena, u32, u32) -> Option<f64>,
    ) -> PerProcessor {
        match value(self, first, first + (processors - 1)) {
            Some(value) => self.same(value),
            None if processors <= BLOCK => {
                let values: Vec<f64> = (first..first + processors)
                    .map(|one| value(self, one, one).unwrap_or(f64::NAN))
                    .collect();
                self.each(values.into_iter())
            }
            None => {
                let half = first_half(processors);
                let low = self.of_range(first, half, value);
                let high = self.of_range(first + half, processors - half, value);
                self.halves(low, high)
            }
        }
    }

    fn node(&mut self, node: VectorPart) -> PerProcessor {
        let is_shared = !self.differs || matches!(node, VectorPart::Same(_));
        if let Some(known) = is_shared.then(|| self.handles.get(&node)).flatten() {
            return *known;
        }
        let made = PerProcessor(u32::try_from(self.nodes.len()).expect("memory ends before 2³² parts"));
        if is_shared {
            self.handles.insert(node.clone(), made);
        }
        self.nodes.push(node);
        made
    }

    pub(super) fn part(&self, numbers: PerProcessor) -> &VectorPart {
        &self.nodes[numbers.0 as usize]
    }

    pub(super) fn halves(&mut self, low: PerProcessor, high: PerProcessor) -> PerProcessor {
        if low == high && matches!(self.part(low), VectorPart::Same(_)) {
            return low;
        }
        self.node(VectorPart::Halves(low, high))
    }

    /// The vectors of the first half of the processors and of the rest.
    pub(super) fn split(&self, numbers: PerProcessor) -> (PerProcessor, PerProcessor) {
        match self.part(numbers) {
            VectorPart::Halves(low, high) => (*low, *high),
            VectorPart::Same(_) | VectorPart::Each(_) => (numbers, numbers),
        }
    }

    /// The number that all processors have, if they do.
    pub fn uniform(&self, numbers: PerProcessor) -> Option<f64> {
        match self.part(numbers) {
            VectorPart::Same(value) => Some(value.0),
            VectorPart::Each(_) | VectorPart::Halves(..) => None,
        }
    }

    /// The number of one of `processors` processors.
    pub fn at(&self, numbers: PerProcessor, processors: u32, processor: u32) -> f64 {
        match self.part(numbers) {
            VectorPart::Same(value) => value.0,
            VectorPart::Each(values) => values[processor as usize].0,
            VectorPart::Halves(low, high) => {
                let half = first_half(processors);
                if processor < half {
                    self.at(*low, half, processor)
                } else {
                    self.at(*high, processors - half, processor - half)
                }
            }
        }
    }

    /// The number that the processors from the first to the last have, if they have the same and it is seen from the parts.
    pub(crate) fn uniform_over(
        &self,
        numbers: PerProcessor,
        processors: u32,
        (first, last): (u32, u32),
    ) -> Option<f64> {
        match self.part(numbers) {
            VectorPart::Same(value) => Some(value.0),
            VectorPart::Each(values) => (first == last).then(|| values[first as usize].0),
            VectorPart::Halves(low, high) => {
                let half = first_half(processors);
                if last < half {
                    self.uniform_over(*low, half, (first, last))
                } else if first >= half {
                    self.uniform_over(*high, processors - half, (first - half, last - half))
                } else {
                    None
                }
            }
        }
    }

    /// All numbers, one for each processor.
    pub fn values(&self, numbers: PerProcessor, processors: u32) -> Vec<f64> {
        (0..processors).map(|processor| self.at(numbers, processors, processor)).collect()
    }
}
