use call_model::{Forecast, Model, standard_error, student_quantile};

/// Less than this, of two numbers that come from the same ones, is no difference.
const ROUNDING: f64 = 1e-12;

/// A forecast for another machine: `point` is where it was made, `basis` what multiplies each constant of
/// the formula there, in the order of the terms.
///
/// What is not known of the measured times is as large a part of the carried ones: the interval and the standard deviations grow
/// as the time does. Where the terms do not grow alike, badly known constants may weigh more there than here: the relative variance
/// that x' C x (x the basis, C the covariance of the constants) has there beyond that here is added, on the logarithmic axis, so
/// that no time becomes negative. The numbers of the machines count as exact.
///
/// Where the time here is not positive nothing is known of the error there: the interval is [0, ∞).
///
/// # Panics
/// If the number of values is not that of the terms.
pub fn carried(model: &Model, forecast: &Forecast, point: &[f64], basis: &[f64]) -> Forecast {
    let here = &forecast.prediction;
    assert_eq!(basis.len(), here.shares.len(), "one value for each term");
    let fit = &model.cells()[here.cell].fit;
    let mut carried = forecast.clone();
    for ((share, value), basis) in carried.prediction.shares.iter_mut().zip(&fit.coefficients).zip(basis) {
        share.time_s = value * basis;
    }
    carried.prediction.time_s = carried.prediction.shares.iter().map(|share| share.time_s).sum();
    let basis_here: Vec<f64> =
        model.formula().terms().iter().map(|term| term.basis.evaluate(point)).collect();
    let error_here = standard_error(&fit.covariance, &basis_here);
    let error_there = standard_error(&fit.covariance, basis);
    carried.prediction.standard_error_s = error_there;
    let (time_here, time_there) = (here.time_s, carried.prediction.time_s);
    let ratio = time_there / time_here;
    if !(time_here > 0.0 && ratio > 0.0 && ratio.is_finite()) {
        (carried.lower_s, carried.upper_s) = (0.0, f64::INFINITY);
        (carried.noise_s, carried.constants_s, carried.formula_s) = (f64::NAN, f64::NAN, f64::NAN);
        return carried;
    }
    let growth = if error_here > 0.0 { error_there / error_here } else { ratio };
    carried.noise_s *= ratio;
    carried.formula_s *= ratio;
    carried.constants_s *= growth;
    let share = (carried.constants_s / time_there).powi(2);
    let excess = share - (forecast.constants_s / time_here).powi(2);
    let freedom = fit.degrees_of_freedom as f64;
    let quantile = student_quantile(0.5 + forecast.level / 2.0, freedom);
    let further = if excess > ROUNDING * share { quantile.powi(2) * excess } else { 0.0 };
    let widened = |end_s: f64| (end_s / time_here).ln().hypot(further.sqrt());
    if further > 0.0 {
        carried.lower_s = time_there * (-widened(forecast.lower_s)).exp();
        carried.upper_s = time_there * widened(forecast.upper_s).exp();
    } else {
        carried.lower_s *= ratio;
        carried.upper_s *= ratio;
    }
    carried
}
