/// A sum whose rounding errors are added up beside it (Neumaier 1974): after any number of values it is as good as one that was
/// rounded once.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CompensatedSum {
    sum: f64,
    lost: f64,
}

impl CompensatedSum {
    #[inline]
    pub(crate) fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost +=
            if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        self.sum = sum;
    }

    pub(crate) fn value(&self) -> f64 {
        // Of infinite values nothing finite is lost.
        if self.lost.is_finite() { self.sum + self.lost } else { self.sum }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_are_not_lost_beside_large_ones() {
        let mut sum = CompensatedSum::default();
        sum.add(1e16);
        (0..1000).for_each(|_| sum.add(1.0));
        sum.add(-1e16);
        assert_eq!(sum.value(), 1000.0);
        sum.add(f64::INFINITY);
        assert_eq!(sum.value(), f64::INFINITY);
    }
}
