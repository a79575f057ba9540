use std::collections::HashMap;

use crate::Samples;

/// Numbers the points of samples in the order in which they are met first. Consecutive samples of one point are cheap.
pub(crate) struct Points {
    of_key: HashMap<Box<[u64]>, usize>,
    key: Vec<u64>,
    previous: Vec<u64>,
    previous_point: usize,
}

impl Points {
    pub(crate) fn new() -> Points {
        Points { of_key: HashMap::new(), key: Vec::new(), previous: Vec::new(), previous_point: 0 }
    }

    /// The number of a sample's point: `place` and the values of all columns together.
    pub(crate) fn number(&mut self, samples: &Samples, index: usize, place: u64) -> usize {
        self.key.clear();
        self.key.push(place);
        self.key.extend(samples.columns.iter().map(|column| equality_bits(column[index])));
        if self.key != self.previous {
            self.previous_point = match self.of_key.get(self.key.as_slice()) {
                Some(&known) => known,
                None => {
                    let number = self.of_key.len();
                    self.of_key.insert(self.key.clone().into_boxed_slice(), number);
                    number
                }
            };
            std::mem::swap(&mut self.key, &mut self.previous);
        }
        self.previous_point
    }
}

/// Equal for equal values: both zeros are one value, and so are all NaNs.
fn equality_bits(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}
