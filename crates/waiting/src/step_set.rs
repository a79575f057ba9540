use hashbrown::HashMap;

/// Steps by their numbers, those that took longer and those that took less. Those of a processor lie beside each other, so there are few words.
#[derive(Debug, Default)]
pub(crate) struct StepSet {
    /// By the number of the first step of 64, which of them are there: of those that took longer, and of the others.
    words: HashMap<u64, [u64; 2]>,
}

impl StepSet {
    /// The steps of an ascending list, with how much longer they took.
    pub(crate) fn insert_all(&mut self, steps: &[(u64, i64)]) {
        for neighbours in steps.chunk_by(|(left, _), (right, _)| left / 64 == right / 64) {
            let words = self.words.entry(neighbours[0].0 / 64 * 64).or_default();
            for (step, time_ns) in neighbours {
                words[usize::from(*time_ns < 0)] |= 1 << (step % 64);
            }
        }
    }

    /// Those that took longer at least once, and those that took less, ascending.
    pub(crate) fn into_steps(self) -> [Vec<u64>; 2] {
        [0, 1].map(|sign| {
            let steps = self.words.iter().flat_map(|(first, words)| {
                let bits = words[sign];
                (0..64).filter(move |place| bits >> place & 1 == 1).map(move |place| first + place)
            });
            let mut steps: Vec<u64> = steps.collect();
            steps.sort_unstable();
            steps
        })
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
        set.insert_all(&[(5, 1), (64, 1), (70, -3), (u64::MAX, 1)]);
        assert_eq!(set.into_steps(), [vec![0, 5, 63, 64, 1000, u64::MAX], vec![64, 70]]);
    }
}
