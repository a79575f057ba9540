use call_fit::{FitSamples, least_squares};

/// The finest power of ten that is looked for: clocks tell nothing below a nanosecond.
const FINEST_DIGIT: i32 = 9;

/// Values of so many steps are as good as exact.
const MANY_STEPS: f64 = 1e4;

/// What rounding has hidden in the values that a fit was made of: `time` prints hundredths of a second.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounding {
    /// The values are whole multiples of it, in their unit.
    pub step: f64,
    /// What the errors of rounding leave uncertain in the constants, row by row: each value may be off by half a step, and how far one is off says nothing of others. More
    /// repetitions that give the same value do not narrow it.
    pub covariance: Vec<f64>,
}

/// The largest power of ten up to 1 that all values are whole multiples of (of half of it where they are medians of several); none if
/// the values are of so many steps that it does not matter.
pub(crate) fn decimal_step(values: &[f64], are_medians: bool) -> Option<f64> {
    let halves = if are_medians { 2.0 } else { 1.0 };
    let is_multiple = |digits: i32| {
        values.iter().all(|value| {
            let steps = halves * value * 10f64.powi(digits);
            (steps - steps.round()).abs() <= 4.0 * f64::EPSILON * steps.abs()
        })
    };
    let least =
        values.iter().map(|value| value.abs()).filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
    let step = 10f64.powi(-(0..=FINEST_DIGIT).find(|digits| is_multiple(*digits))?);
    (least < MANY_STEPS * step).then_some(step)
}

/// The covariance of constants that were fitted to values rounded to multiples of `step`. Rows that are equal in all columns and in the value have the
/// same error; each is uniform within half a step on either side.
pub(crate) fn rounding_covariance(
    columns: &[Vec<f64>],
    observed: &[f64],
    weights: &[f64],
    step: f64,
) -> Option<Vec<f64>> {
    let count = columns.len();
    let inverse = inverse_information(columns, weights)?;
    let mut rows: Vec<usize> = (0..observed.len()).collect();
    let key = |row: usize| columns.iter().map(move |column| column[row]).chain([observed[row]]);
    rows.sort_by(|&a, &b| key(a).map(f64::to_bits).cmp(key(b).map(f64::to_bits)));
    let mut covariance = vec![0.0; count * count];
    for equal in rows.chunk_by(|&a, &b| key(a).eq(key(b))) {
        let weight: f64 = equal.iter().map(|&row| weights.get(row).copied().unwrap_or(1.0)).sum();
        let gain = |constant: usize| -> f64 {
            let entries = inverse[constant * count..][..count].iter().zip(columns);
            entries.map(|(entry, column)| entry * weight * column[equal[0]]).sum()
        };
        let gains: Vec<f64> = (0..count).map(gain).collect();
        for (row, one) in gains.iter().enumerate() {
            for (column, other) in gains.iter().enumerate() {
                covariance[row * count + column] += one * other * step * step / 12.0;
            }
        }
    }
    covariance.iter().all(|entry| entry.is_finite()).then_some(covariance)
}

/// (A' W A)^+: the covariance of a fit to each row twice, once above and once below, whose residuals are known not to be 0.
fn inverse_information(columns: &[Vec<f64>], weights: &[f64]) -> Option<Vec<f64>> {
    let twice: Vec<Vec<f64>> = columns.iter().map(|column| [&column[..], column].concat()).collect();
    let weights = [weights, weights].concat();
    let rows = 2 * columns.first()?.len();
    let deviation = |row: usize| weights.get(row).map_or(1.0, |weight| weight.sqrt().recip());
    let observed: Vec<f64> =
        (0..rows).map(|row| if row < rows / 2 { deviation(row) } else { -deviation(row) }).collect();
    let basis = twice.iter().map(Vec::as_slice).collect();
    let fit = least_squares(&FitSamples { basis, observed: &observed, weights: &weights }).ok()?;
    let scale = 2.0 / fit.residual_standard_error.powi(2);
    Some(fit.covariance.iter().map(|entry| scale * entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_is_the_last_decimal_that_some_value_needs() {
        assert_eq!(decimal_step(&[0.13, 2.7, 10.0], false), Some(0.01));
        assert_eq!(decimal_step(&[3.0, 20.0], false), Some(1.0));
        assert_eq!(decimal_step(&[0.135, 0.13], true), Some(0.01), "the median of two");
        assert_eq!(decimal_step(&[0.137, 0.13], true), Some(0.001));
        assert_eq!(decimal_step(&[130.01, 270.0], false), None, "13001 steps");
        assert_eq!(decimal_step(&[0.1 + 0.2, 1.0 / 3.0], false), None);
        assert_eq!(decimal_step(&[2e-9, 4.1e-8], false), Some(1e-9), "a clock of nanoseconds");
    }

    #[test]
    fn a_mean_of_different_points_is_less_uncertain_than_one_of_equal_values() {
        let one = vec![vec![1.0; 4]];
        let of = |values: &[f64]| rounding_covariance(&one, values, &[], 0.1).unwrap()[0];
        assert!((of(&[0.3; 4]) - 0.01 / 12.0).abs() < 1e-12);
        assert!((of(&[0.3, 0.4, 0.5, 0.6]) - 0.01 / 48.0).abs() < 1e-12);
    }

    #[test]
    fn it_is_how_constants_scatter_that_are_fitted_to_rounded_values() {
        // Against 20,000 fits of values that were rounded: constants of a + b n by relative errors.
        let sizes = [1.0, 2.0, 4.0, 7.0];
        let columns = vec![vec![1.0; 4], sizes.to_vec()];
        let truth = |n: f64, shift: f64| 1.0 + shift + 0.31 * n;
        let weights: Vec<f64> = sizes.iter().map(|&n| truth(n, 0.0).powi(-2)).collect();
        let step = 0.1;
        let mut squares = [0.0; 2];
        let count = 20_000;
        for turn in 0..count {
            let shift = |index: usize| {
                let mut z = (4 * turn + index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 * step
            };
            let exact: Vec<f64> =
                sizes.iter().enumerate().map(|(index, &n)| truth(n, shift(index))).collect();
            let errors: Vec<f64> = exact.iter().map(|value| (value / step).round() * step - value).collect();
            let basis = columns.iter().map(Vec::as_slice).collect();
            let fit = least_squares(&FitSamples { basis, observed: &errors, weights: &weights }).unwrap();
            squares.iter_mut().zip(&fit.coefficients).for_each(|(sum, error)| *sum += error * error);
        }
        let observed: Vec<f64> = sizes.iter().map(|&n| truth(n, 0.0)).collect();
        let told = rounding_covariance(&columns, &observed, &weights, step).unwrap();
        for (constant, sum) in squares.iter().enumerate() {
            let ratio = told[3 * constant] * f64::from(count as u32) / sum;
            assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
        }
    }
}
