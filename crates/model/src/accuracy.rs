//! How far predictions f are from measurements y.

/// 100 mean of 2 |y - f| / (|y| + |f|); 0 for no samples.
pub(crate) fn smape_percent(measured: &[f64], predicted: &[f64]) -> f64 {
    let parts = measured.iter().zip(predicted).map(|(measured, predicted)| {
        let size = measured.abs() + predicted.abs();
        if size == 0.0 { 0.0 } else { 200.0 * ((measured - predicted).abs() / size) }
    });
    parts.sum::<f64>() / measured.len().max(1) as f64
}

/// |y - f| / |y| of the samples with y other than 0.
pub(crate) fn relative_errors(measured: &[f64], predicted: &[f64]) -> impl Iterator<Item = f64> {
    let pairs = measured.iter().zip(predicted).filter(|(measured, _)| **measured != 0.0);
    pairs.map(|(measured, predicted)| ((measured - predicted) / measured).abs())
}

/// Root of the mean of the squares of the relative errors; 0 if there is none.
pub(crate) fn rms_relative(measured: &[f64], predicted: &[f64]) -> f64 {
    let (count, sum) = relative_errors(measured, predicted)
        .fold((0.0, 0.0), |(count, sum): (f64, f64), error| (count + 1.0, sum + error * error));
    if count == 0.0 { 0.0 } else { (sum / count).sqrt() }
}
