//! Predicted parts of a whole that is predicted, too.

use std::ops::RangeInclusive;

use call_search::Combined;

/// A number that is known but for an error, and lies between bounds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Part {
    value: f64,
    /// Half the width of its interval.
    error: f64,
    least: f64,
    most: f64,
}

/// Errors are at least this part of the largest number: what looks exact gives way, too, if nothing else can.
const LEAST_ERROR: f64 = 1e-6;

/// Halvings until numbers are as near to each other as they can be.
const HALVINGS: usize = 300;

impl Part {
    pub(crate) fn of(predicted: &Combined, least: f64, most: f64) -> Part {
        let least = least.min(most);
        let value = predicted.value.clamp(least, most);
        Part { value, error: (predicted.high - predicted.low).abs() / 2.0, least, most }
    }

    fn moved(&self, step: f64, least_error: f64) -> f64 {
        let error = self.error.max(least_error);
        (self.value + step * error * error).clamp(self.least, self.most)
    }
}

/// Parts that add up to the whole, which is one of these where several would do: each is moved in proportion to the square of its error, which
/// is least squares, and none over its bounds. Where those leave nothing else, the sum differs from the whole.
pub(crate) fn reconciled(parts: &[Part], wholes: RangeInclusive<f64>) -> Vec<f64> {
    let sum: f64 = parts.iter().map(|part| part.value).sum();
    let whole = sum.min(*wholes.end()).max(*wholes.start());
    let largest = parts.iter().map(|part| part.value).fold(whole, f64::max);
    let least_error = LEAST_ERROR * largest;
    let at = |step: f64| -> Vec<f64> { parts.iter().map(|part| part.moved(step, least_error)).collect() };
    if sum == whole {
        return at(0.0);
    }
    // The sum grows with the step.
    let farthest = (parts.len() as f64 + 1.0) * largest / (least_error * least_error);
    let (mut low, mut high) = (-farthest, farthest);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if at(middle).iter().sum::<f64>() > whole {
            high = middle;
        } else {
            low = middle;
        }
    }
    at(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(value: f64, error: f64, most: f64) -> Part {
        Part::of(&Combined { value, low: value - error, high: value + error }, 0.0, most)
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        let is_close = |(left, right): (&f64, &f64)| (left - right).abs() <= 1e-5;
        assert!(found.iter().zip(expected).all(is_close), "{found:?} {expected:?}");
    }

    #[test]
    fn what_is_least_sure_gives_way_within_its_bounds() {
        // Errors of 1, 2 and 0 share an excess of 5, as their squares do.
        let parts = [part(10.0, 1.0, 50.0), part(20.0, 2.0, 50.0), part(30.0, 0.0, 50.0)];
        assert_close(&reconciled(&parts, 54.0..=55.0), &[9.0, 16.0, 30.0]);
        assert_close(&reconciled(&parts, 65.0..=99.0), &[11.0, 24.0, 30.0]);
        assert_close(&reconciled(&parts, 55.0..=65.0), &[10.0, 20.0, 30.0]);
        // What has come to its bound leaves the rest to the others.
        let bounded = [part(10.0, 1.0, 12.0), part(20.0, 2.0, 21.0), part(30.0, 0.5, 50.0)];
        assert_close(&reconciled(&bounded, 70.0..=70.0), &[12.0, 21.0, 37.0]);
        assert_close(&reconciled(&bounded, 700.0..=700.0), &[12.0, 21.0, 50.0]);
        assert_close(&reconciled(&[part(0.0, 0.0, 0.0)], 0.0..=0.0), &[0.0]);
    }
}
