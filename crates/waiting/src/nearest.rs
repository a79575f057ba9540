/// What there are no more classes of at a site: further waits go to the nearest one.
pub(crate) const MOST_CLASSES: usize = 32;

/// Two waits are of one class if their shares differ by less, added up over all causes of both.
const ALIKE: f64 = 0.2;

/// The shares that each cause has in the whole of each class of a site, signs apart. A row has those of one cause, so a cause of a wait is
/// compared with that of all classes at once.
#[derive(Debug, Default)]
pub(crate) struct ClassShares {
    /// In nanoseconds.
    rows: Vec<[f64; MOST_CLASSES]>,
    /// By class, what makes shares of these.
    scales: [f64; MOST_CLASSES],
    /// All of a class together: 1, or 0 if its causes cancel each other.
    wholes: Vec<f64>,
}

impl ClassShares {
    /// The class that a wait with these shares, by the numbers of causes, belongs to; the next number if that is a new one.
    pub(crate) fn class_of(&self, shares: &[(usize, f64)]) -> usize {
        let classes = self.wholes.len();
        // What the wait does not have counts with all that it is in the class.
        let mut sums = [0.0; MOST_CLASSES];
        for (cause, share) in shares {
            let row = self.rows.get(*cause).unwrap_or(&[0.0; MOST_CLASSES]);
            for ((sum, time_ns), scale) in sums[..classes].iter_mut().zip(row).zip(&self.scales) {
                let own = time_ns * scale;
                *sum += (own - share).abs() - own.abs();
            }
        }
        let distances = self.wholes.iter().zip(sums).map(|(whole, sum)| (whole + sum).max(0.0));
        let nearest = distances.enumerate().min_by(|left, right| left.1.total_cmp(&right.1));
        match nearest {
            Some((number, distance)) if distance < ALIKE || classes == MOST_CLASSES => number,
            _ => classes,
        }
    }

    /// Some causes of a class are these now, nanoseconds by number, and all of them of this size together, signs apart.
    pub(crate) fn set(&mut self, class: usize, causes_ns: impl Iterator<Item = (usize, i64)>, size_ns: u128) {
        let size = size_ns as f64;
        let scale = 1.0 / size.max(1.0);
        if class >= self.wholes.len() {
            self.wholes.resize(class + 1, 0.0);
        }
        (self.wholes[class], self.scales[class]) = (size * scale, scale);
        for (cause, time_ns) in causes_ns {
            if cause >= self.rows.len() {
                self.rows.resize(cause + 1, [0.0; MOST_CLASSES]);
            }
            self.rows[cause][class] = time_ns as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn size_ns(causes_ns: &[i64]) -> u128 {
        causes_ns.iter().map(|time_ns| u128::from(time_ns.unsigned_abs())).sum()
    }

    fn shares(causes_ns: &[i64]) -> Vec<f64> {
        let size = (size_ns(causes_ns) as f64).max(1.0);
        causes_ns.iter().map(|time_ns| *time_ns as f64 / size).collect()
    }

    proptest! {
        /// By the definition: no class is nearer, and the wait is alike, or there are no more classes.
        #[test]
        fn classes_are_the_nearest_ones(
            classes in prop::collection::vec(prop::collection::vec(-9_i64..9, 5), 0..=MOST_CLASSES),
            wait in prop::collection::vec(-9_i64..9, 7),
        ) {
            let mut known = ClassShares::default();
            for (number, causes_ns) in classes.iter().enumerate() {
                // What was there before does not count.
                known.set(number, [3, 3, 3, 3, 3].into_iter().enumerate(), 15);
                known.set(number, causes_ns.iter().copied().enumerate(), size_ns(causes_ns));
            }
            let wanted = shares(&wait);
            let met: Vec<(usize, f64)> = wanted.iter().copied().enumerate().filter(|(_, share)| *share != 0.0).collect();
            let distance = |causes_ns: &Vec<i64>| {
                let own = shares(causes_ns).into_iter().chain([0.0, 0.0]);
                own.zip(&wanted).map(|(own, share)| (own - share).abs()).sum::<f64>()
            };
            let distances: Vec<f64> = classes.iter().map(distance).collect();
            let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
            match distances.get(known.class_of(&met)) {
                Some(found) => prop_assert!(*found < least + 1e-9 && (least < ALIKE + 1e-9 || classes.len() == MOST_CLASSES)),
                None => prop_assert!(least > ALIKE - 1e-9 && classes.len() < MOST_CLASSES),
            }
        }
    }
}
