use std::collections::HashMap;

use super::operation::{NONE, PairOperation};
use super::per_processor::{PerProcessor, PerProcessorArena, VectorPart};

/// Numbers of each processor that become another one.
impl PerProcessorArena {
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
}
