//! How values such as residuals or repeated times are distributed.

use crate::box_plot::sorted;
use crate::{Axis, AxisScale, Figure, Kinds, Reference, ReferenceLine, Series};

/// A histogram of the finite values in so many bins, at most 1000; the vertical axis counts them.
///
/// Without a number of bins their width is that of Freedman and Diaconis (1981), 2 IQR n^(-1/3), or of Scott (1979),
/// 3.49 s n^(-1/3), where half of the values or more are equal.
pub fn histogram(title: &str, x: Axis, values: &[f64], bins: Option<usize>) -> Figure {
    let sorted = sorted(values);
    let bars = columns(&sorted, bins).unwrap_or_default();
    Figure {
        title: title.into(),
        x: Axis { scale: AxisScale::Linear, ..x },
        y: Axis::linear("count"),
        series: vec![Series { bars, ..Series::default() }],
        ..Figure::default()
    }
}

/// The finite values in ascending order over the quantiles of the normal distribution, at (i - 1/2) / n: normally
/// distributed values stand along the line through their mean with their standard deviation as slope.
pub fn normal_plot(title: &str, y: Axis, values: &[f64]) -> Figure {
    let sorted = sorted(values);
    let count = sorted.len() as f64;
    let quantile = |index: usize| normal_quantile((index as f64 + 0.5) / count);
    let (mean, deviation) = moments(&sorted);
    let places: Vec<f64> = (0..sorted.len()).map(quantile).collect();
    let ends = [places.first(), places.last()].into_iter().flatten();
    Figure {
        title: title.into(),
        x: Axis::linear("quantile of the normal distribution"),
        y: Axis { scale: AxisScale::Linear, ..y },
        series: vec![Series {
            curve: ends.map(|x| (*x, mean + deviation * x)).collect(),
            points: places.iter().copied().zip(sorted).collect(),
            ..Series::default()
        }],
        references: vec![Reference { label: String::new(), line: ReferenceLine::Horizontal(0.0) }],
        kinds: Kinds { curve: "normal".into(), ..Kinds::default() },
        ..Figure::default()
    }
}

fn moments(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

fn columns(sorted: &[f64], bins: Option<usize>) -> Option<Vec<(f64, f64, f64)>> {
    const MOST_CHOSEN: f64 = 60.0;
    const MOST_WANTED: usize = 1000;
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    let count = sorted.len();
    let quartiles = sorted[3 * (count - 1) / 4] - sorted[(count - 1) / 4];
    let spread = if quartiles > 0.0 { 2.0 * quartiles } else { 3.49 * moments(sorted).1 };
    let width = spread / (count as f64).cbrt();
    let chosen = ((high - low) / width).ceil();
    let number = match bins {
        Some(bins) => bins.clamp(1, MOST_WANTED) as f64,
        None if chosen.is_finite() => chosen.clamp(1.0, MOST_CHOSEN),
        None => 1.0,
    };
    let (start, width) =
        if high > low { (low, (high - low) / number) } else { (low - 0.5, 1.0_f64.max(low.abs() * 1e-3)) };
    let mut counts = vec![0_u32; number as usize];
    for value in sorted {
        let index = ((value - start) / width) as usize;
        counts[index.min(number as usize - 1)] += 1;
    }
    let bar = |(index, count): (usize, &u32)| {
        let left = start + index as f64 * width;
        (left, left + width, f64::from(*count))
    };
    Some(counts.iter().enumerate().map(bar).collect())
}

/// The quantile of the standard normal distribution, relative error below 1.2e-9.
///
/// Rational approximations of P. J. Acklam (2003), "An algorithm for computing the inverse normal cumulative distribution
/// function".
fn normal_quantile(probability: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e1,
        2.209460984245205e2,
        -2.759285104469687e2,
        1.38357751867269e2,
        -3.066479806614716e1,
        2.506628277459239,
    ];
    const B: [f64; 6] = [
        -5.447609879822406e1,
        1.615858368580409e2,
        -1.556989798598866e2,
        6.680131188771972e1,
        -1.328068155288572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-3,
        -3.223964580411365e-1,
        -2.400758277161838,
        -2.549732539343734,
        4.374664141464968,
        2.938163982698783,
    ];
    const D: [f64; 5] =
        [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1.0];
    const TAIL: f64 = 0.02425;
    let polynomial = |coefficients: &[f64], x: f64| coefficients.iter().fold(0.0, |sum, c| sum * x + c);
    let tail = |probability: f64| {
        let q = (-2.0 * probability.ln()).sqrt();
        polynomial(&C, q) / polynomial(&D, q)
    };
    if probability < TAIL {
        tail(probability)
    } else if probability > 1.0 - TAIL {
        -tail(1.0 - probability)
    } else {
        let q = probability - 0.5;
        polynomial(&A, q * q) * q / polynomial(&B, q * q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        // scipy.stats.norm.ppf
        let expected = [
            (1e-6, -4.753424308822899),
            (0.01, -2.3263478740408408),
            (0.3, -0.5244005127080409),
            (0.5, 0.0),
            (0.975, 1.959963984540054),
            (0.999, 3.090232306167813),
        ];
        for (probability, quantile) in expected {
            assert!((normal_quantile(probability) - quantile).abs() < 1e-8, "{probability}");
        }
    }

    #[test]
    fn bins_hold_all_values() {
        let values: Vec<f64> = (0..1000).map(|k| f64::from(k % 37)).collect();
        let bars = columns(&sorted(&values), None).unwrap();
        assert_eq!(bars.iter().map(|bar| bar.2).sum::<f64>(), 1000.0);
        assert_eq!((bars[0].0, bars[bars.len() - 1].1), (0.0, 36.0));
        // 2 * 18 / 10 wide
        assert_eq!(bars.len(), 10);
        let four = columns(&sorted(&values), Some(4)).unwrap();
        assert_eq!(four.iter().map(|bar| bar.2).collect::<Vec<_>>(), [244.0, 243.0, 243.0, 270.0]);
    }

    #[test]
    fn equal_values_stand_in_one_bin() {
        assert_eq!(columns(&[5.0, 5.0], None).unwrap(), [(4.5, 5.5, 2.0)]);
        assert_eq!(columns(&[], None), None);
    }
}
