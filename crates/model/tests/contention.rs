//! More processors than were measured: what communication may cost more is in the upper end of intervals, and nowhere else.

use crate::planted;
use call_model::{Forecast, Forecaster, Model, Remark, Settings};
use call_trace::Unit;

/// Computation of 1e-8 N/P and communication of 4e-9 N (P - 1)/P, on 1 to 16 processors.
fn forecaster(formula: &str, names: &[&str]) -> Forecaster {
    forecaster_of(&[1.0, 2.0, 4.0, 8.0, 16.0], formula, names)
}

fn forecaster_of(processors: &[f64], formula: &str, names: &[&str]) -> Forecaster {
    let points = processors.iter().copied().flat_map(|p| {
        (10..18).map(move |exponent| vec![f64::powi(2.0, exponent), p, if p > 4.0 { 2e-9 } else { 1e-9 }])
    });
    let points: Vec<Vec<f64>> = points.collect();
    let is_by_gap = names.contains(&"g");
    let times = points.iter().map(|point| {
        let gap = if is_by_gap { 4.0 * point[2] } else { 4e-9 };
        point[0] * (1e-8 + gap * (point[1] - 1.0)) / point[1]
    });
    let experiment = planted::experiment(formula, names, &points, times.collect());
    let model = Model::fit(&Settings::default().prepare(&experiment)).unwrap();
    Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap()
}

fn contention(forecast: &Forecast) -> Option<(f64, f64)> {
    forecast.remarks.iter().find_map(|remark| match remark {
        Remark::Contention { processors, measured, .. } => Some((*processors, *measured)),
        _ => None,
    })
}

/// At P = 256, 16 times as far, a plane mesh has a quarter of the links for each processor: communication may take four times as long.
#[test]
fn communication_may_contend_where_nobody_measured() {
    let forecaster = forecaster("f[0]*N/P + f[1]*N*(P-1)/P", &["N", "P"]);
    let n = 65536.0;
    let at = |processors: f64, level: f64| forecaster.forecast(&[n, processors], level);
    let far = at(256.0, 0.9);
    let communication_s = 4e-9 * n * 255.0 / 256.0;
    let time_s = far.prediction.time_s;
    assert_eq!(contention(&far), Some((256.0, 16.0)));
    assert!((time_s - (1e-8 * n / 256.0 + communication_s)).abs() < 1e-6 * time_s, "{time_s}");
    assert!(far.upper_s >= time_s + 0.999 * 3.0 * communication_s, "{far:?}");
    assert!(far.lower_s > 0.9 * time_s, "{far:?}");
    // Half of the measurements lie nearer.
    let half = at(256.0, 0.5);
    let part = (half.upper_s - time_s) / (far.upper_s - time_s);
    assert!((part - 0.6745 / 1.6449).abs() < 0.02, "{part}");
    // Near what was measured there is nothing to say, and within nothing changes.
    for processors in [16.0, 24.0] {
        let near = at(processors, 0.9);
        assert!(contention(&near).is_none() && near.upper_s < 1.1 * near.prediction.time_s, "{near:?}");
    }
}

/// g is that of the machine at P, and knows.
#[test]
fn terms_with_the_numbers_of_the_machine_know_of_contention() {
    let forecaster = forecaster("f[0]*N/P + f[1]*N*(P-1)/P*g", &["N", "P", "g"]);
    let far = forecaster.forecast(&[65536.0, 256.0, 3e-9], 0.9);
    assert!(contention(&far).is_none() && far.upper_s < 1.1 * far.prediction.time_s, "{far:?}");
}

/// One processor has nobody to send to: what it measured says nothing of communication, and the interval neither.
#[test]
fn nothing_is_known_of_communication_that_was_not_measured() {
    let forecaster = forecaster_of(&[1.0], "f[0]*N/P + f[1]*N*(P-1)/P", &["N", "P"]);
    let alone = forecaster.forecast(&[65536.0, 1.0], 0.9);
    assert!(alone.upper_s < 1.1 * alone.prediction.time_s && alone.remarks.is_empty(), "{alone:?}");
    let far = forecaster.forecast(&[65536.0, 64.0], 0.9);
    assert_eq!((far.lower_s, far.upper_s), (0.0, f64::INFINITY));
    let constants = vec!["f[1]".to_owned()];
    assert!(far.remarks.contains(&Remark::Undetermined { constants }), "{far:?}");
    assert!(contention(&far).is_none());
}

/// A response that only depends on P, measured three times on 1 to 16 processors with little noise.
fn responding(unit: &str, formula: &str, value: impl Fn(f64) -> f64) -> Forecaster {
    let points = [1.0, 2.0, 4.0, 8.0, 16.0].iter().flat_map(|p| [-1.0, 0.0, 1.0].map(|off| (*p, off)));
    let (points, values): (Vec<Vec<f64>>, Vec<f64>) =
        points.map(|(p, off)| (vec![p], value(p) * (1.0 + 1e-4 * off))).unzip();
    let mut experiment = planted::experiment(formula, &["P"], &points, values);
    experiment.unit = Unit::named(unit).unwrap();
    let model = Model::fit(&Settings::default().prepare(&experiment)).unwrap();
    Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap()
}

/// Visits, bytes and joules are no messages.
#[test]
fn what_is_no_time_does_not_contend() {
    for unit in ["visits", "MB", "J"] {
        let far = responding(unit, "f[0] + f[1]*P", |p| 100.0 * p + 7.0).forecast(&[1024.0], 0.9);
        let value = far.prediction.time_s;
        assert!(contention(&far).is_none() && (value / 102_407.0 - 1.0).abs() < 1e-3, "{unit}: {far:?}");
        assert!(far.upper_s < 1.1 * value, "{unit}: {far:?}");
    }
}

/// Messages only make rates less: by nothing where the rate loses nothing with P, and else by what it loses.
#[test]
fn contention_lowers_rates() {
    let linear = responding("GFLOPS", "f[0]*P", |p| 2.0 * p).forecast(&[1024.0], 0.9);
    assert!(contention(&linear).is_none(), "{linear:?}");
    assert!(linear.upper_s < 1.1 * linear.prediction.time_s, "{linear:?}");
    // 3.2 of 4 are lost at P = 64, from 3.9 at P = 16 on: of the time a fifth or less remains without messages.
    let falling = responding("MB/s", "f[0] + f[1]*P", |p| 4.0 - 0.05 * p).forecast(&[64.0], 0.9);
    let rate = falling.prediction.time_s;
    assert_eq!(contention(&falling), Some((64.0, 16.0)));
    let lost = 0.05 * 48.0;
    let longer = 1.0 + lost / (rate + lost);
    assert!(falling.lower_s <= 1.001 * rate / longer && falling.lower_s > 0.0, "{falling:?}");
    assert!(falling.upper_s < 1.5 * rate, "{falling:?}");
}
