use crate::Forecast;

/// A forecast for another machine: the same prediction with other times of its terms, in the order of the formula.
///
/// The interval and the standard deviations grow as the time of all terms together does: what is not known about the measured
/// times is as large a part of the carried ones. The numbers of the machines count as exact. Where the time measured here is not
/// positive nothing is known of the error there: the interval is [0, ∞).
///
/// # Panics
/// If the number of times is not that of the terms.
pub fn carried(forecast: &Forecast, times_s: &[f64]) -> Forecast {
    let mut carried = forecast.clone();
    let prediction = &mut carried.prediction;
    assert_eq!(times_s.len(), prediction.shares.len(), "one time for each term");
    let here_s = prediction.time_s;
    for (share, time_s) in prediction.shares.iter_mut().zip(times_s) {
        share.time_s = *time_s;
    }
    prediction.time_s = times_s.iter().sum();
    let ratio = prediction.time_s / here_s;
    if here_s > 0.0 && ratio >= 0.0 && ratio.is_finite() {
        prediction.standard_error_s *= ratio;
        for value in [
            &mut carried.lower_s,
            &mut carried.upper_s,
            &mut carried.noise_s,
            &mut carried.constants_s,
            &mut carried.formula_s,
        ] {
            *value *= ratio;
        }
    } else {
        prediction.standard_error_s = f64::NAN;
        (carried.lower_s, carried.upper_s) = (0.0, f64::INFINITY);
        (carried.noise_s, carried.constants_s, carried.formula_s) = (f64::NAN, f64::NAN, f64::NAN);
    }
    carried
}
