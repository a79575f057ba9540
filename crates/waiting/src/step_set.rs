use hashbrown::HashMap;

/// Steps by their numbers. Those of a processor lie beside each other, so there are few words.
#[derive(Debug, Default)]
pub(crate) struct StepSet {
    /// By the number of the first step of 64, which of them are there.
    words: HashMap<u64, u64>,
}

impl StepSet {
    /// The steps of an ascending list, with their times.
    pub(crate) fn insert_all(&mut self, steps: &[(u64, i64)]) {
        for neighbours in steps.chunk_by(|(left, _), (right, _)| left / 64 == right / 64) {
            let bits = neighbours.iter().fold(0, |bits, (step, _)| bits | 1 << (step % 64));
            *self.words.entry(neighbours[0].0 / 64 * 64).or_default() |= bits;
        }
    }

    /// All of them, ascending.
    pub(crate) fn into_steps(self) -> Vec<u64> {
        let words = self.words.into_iter();
        let steps = words.flat_map(|(first, bits)| {
            (0..64).filter(move |place| bits >> place & 1 == 1).map(move |place| first + place)
        });
        let mut steps: Vec<u64> = steps.collect();
        steps.sort_unstable();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_there_once_and_ascend() {
        let mut set = StepSet::default();
        set.insert_all(&[(0, 1), (63, 1), (64, -1), (1000, 5)]);
        set.insert_all(&[]);
        set.insert_all(&[(5, 1), (64, 1), (u64::MAX, 1)]);
        assert_eq!(set.into_steps(), [0, 5, 63, 64, 1000, u64::MAX]);
    }
}
