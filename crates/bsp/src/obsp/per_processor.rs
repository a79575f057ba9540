use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::rc::Rc;

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
    combined: HashMap<(PairOperation, PerProcessor, PerProcessor), PerProcessor>,
    largest: HashMap<PerProcessor, f64>,
    pub(super) scattered: HashMap<(Arrival, PerProcessor, PerProcessor, u32), PerProcessor>,
    /// Whether only what is the same for all processors is looked for among what is known.
    differs: bool,
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

/// What two numbers become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PairOperation {
    Add,
    Maximum,
    /// The first where the second is not [`NONE`], which it is else.
    Where,
}

/// What several numbers that come to a processor are together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Arrival {
    /// [`NONE`] where nothing comes.
    Largest,
    /// 0 where nothing comes.
    Sum,
}

/// The number of a processor that has none, such as the length of a message that is not sent.
pub const NONE: f64 = f64::NEG_INFINITY;

impl PairOperation {
    fn apply(self, first: f64, second: f64) -> f64 {
        match self {
            PairOperation::Add => first + second,
            PairOperation::Maximum => first.max(second),
            PairOperation::Where if second == NONE => NONE,
            PairOperation::Where => first,
        }
    }
}

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
    fn split(&self, numbers: PerProcessor) -> (PerProcessor, PerProcessor) {
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

    pub(crate) fn combine(
        &mut self,
        operation: PairOperation,
        first: PerProcessor,
        second: PerProcessor,
    ) -> PerProcessor {
        match (operation, self.uniform(first), self.uniform(second)) {
            (_, Some(first), Some(second)) => return self.same(operation.apply(first, second)),
            (PairOperation::Add, Some(0.0), _) | (PairOperation::Maximum, Some(NONE), _) => return second,
            (PairOperation::Add, _, Some(0.0)) | (PairOperation::Maximum, _, Some(NONE)) => return first,
            (PairOperation::Where, _, Some(chosen)) => return if chosen == NONE { second } else { first },
            _ => {}
        }
        let known = (!self.differs).then(|| self.combined.get(&(operation, first, second))).flatten();
        if let Some(known) = known {
            return *known;
        }
        let made = match (self.part(first).clone(), self.part(second).clone()) {
            (VectorPart::Each(first), VectorPart::Each(second)) => {
                let pairs = first.iter().zip(second.iter());
                self.each(pairs.map(|(first, second)| operation.apply(first.0, second.0)))
            }
            (VectorPart::Each(first), VectorPart::Same(second)) => {
                self.each(first.iter().map(|first| operation.apply(first.0, second.0)))
            }
            (VectorPart::Same(first), VectorPart::Each(second)) => {
                self.each(second.iter().map(|second| operation.apply(first.0, second.0)))
            }
            _ => {
                let (first_low, first_high) = self.split(first);
                let (second_low, second_high) = self.split(second);
                let low = self.combine(operation, first_low, second_low);
                let high = self.combine(operation, first_high, second_high);
                self.halves(low, high)
            }
        };
        if !self.differs {
            self.combined.insert((operation, first, second), made);
        }
        made
    }

    /// The sum of two numbers at each processor.
    pub fn add(&mut self, first: PerProcessor, second: PerProcessor) -> PerProcessor {
        self.combine(PairOperation::Add, first, second)
    }

    /// The larger of two numbers at each processor.
    pub fn maximum(&mut self, first: PerProcessor, second: PerProcessor) -> PerProcessor {
        self.combine(PairOperation::Maximum, first, second)
    }

    /// A function of the number of each processor.
    pub fn map(&mut self, numbers: PerProcessor, function: impl Fn(f64) -> f64) -> PerProcessor {
        self.mapped(numbers, &function, &mut HashMap::new())
    }

    fn mapped(
        &mut self,
        numbers: PerProcessor,
        function: &dyn Fn(f64) -> f64,
        known: &mut HashMap<PerProcessor, PerProcessor>,
    ) -> PerProcessor {
        if let Some(known) = known.get(&numbers) {
            return *known;
        }
        let made = match self.part(numbers).clone() {
            VectorPart::Same(value) => self.same(function(value.0)),
            VectorPart::Each(values) => self.each(values.iter().map(|value| function(value.0))),
            VectorPart::Halves(low, high) => {
                let low = self.mapped(low, function, known);
                let high = self.mapped(high, function, known);
                self.halves(low, high)
            }
        };
        known.insert(numbers, made);
        made
    }

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
