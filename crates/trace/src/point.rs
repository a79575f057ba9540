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

/// The samples of each point together.
pub(crate) struct Repetitions {
    /// Indices of samples, ascending at each point, one point after another.
    members: Vec<usize>,
    /// Where the members of each point end.
    ends: Vec<usize>,
}

impl Repetitions {
    /// Points are told apart by what `place` says of a sample's index and by the values of all columns.
    pub(crate) fn of(samples: &Samples, place: impl Fn(usize) -> u64) -> Repetitions {
        let mut points = Points::new();
        let mut counts: Vec<usize> = Vec::new();
        let mut point_of = Vec::with_capacity(samples.len());
        for index in 0..samples.len() {
            let point = points.number(samples, index, place(index));
            if point == counts.len() {
                counts.push(0);
            }
            counts[point] += 1;
            point_of.push(point);
        }
        // Where the next member of each point belongs; in the end that is where its members end.
        let mut next = 0;
        let mut ends = counts;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        let mut members = vec![0; samples.len()];
        for (index, point) in point_of.into_iter().enumerate() {
            members[ends[point]] = index;
            ends[point] += 1;
        }
        Repetitions { members, ends }
    }

    /// The members of each point; there is at least one.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.members[start..*end])
    }
}
