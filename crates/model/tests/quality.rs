//! Figures of quality against numpy and scipy, and of experiments that have little to say.

use crate::planted;
use std::collections::BTreeMap;

use call_model::{Forecaster, Judgement, MeasuringConditions, Model, Settings, Weighting};
use call_trace::{Experiment, Folding};

/// Made by `references/quality.py`.
const REFERENCES: &str = include_str!("../references/quality.txt");

fn references() -> BTreeMap<&'static str, Vec<f64>> {
    let lines = REFERENCES.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, numbers) = line.split_once(' ').unwrap();
            (name, numbers.split(' ').map(|number| number.parse().unwrap()).collect())
        })
        .collect()
}

fn experiment(formula: &str, n: &[f64], time_s: &[f64]) -> Experiment {
    let points: Vec<Vec<f64>> = n.iter().map(|n| vec![*n]).collect();
    planted::experiment(formula, &["N"], &points, time_s.to_vec())
}

fn judge(experiment: &Experiment, settings: &Settings) -> (Model, Judgement) {
    let model = Model::fit(&settings.prepare(experiment)).unwrap();
    let judgement =
        model.judge(&model.settings().prepare(experiment), &MeasuringConditions::default(), 0.95).unwrap();
    (model, judgement)
}

fn relative() -> Settings {
    Settings { weighting: Weighting::Relative, ..Settings::default() }
}

#[test]
fn figures_are_those_of_numpy() {
    let references = references();
    let experiment = experiment("f[0] + f[1]*N + f[2]*N*N", &references["n"], &references["time_s"]);
    let (model, judgement) = judge(&experiment, &relative());
    assert_eq!(model.cells().len(), 1);
    let quality = &judgement.quality;
    let check = |name: &str, found: Vec<f64>| {
        let expected = &references[name];
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{name}: {found} {expected}");
        }
    };
    let of =
        |value: fn(&call_model::Estimate) -> f64| quality.constants.iter().map(value).collect::<Vec<_>>();
    check("value", of(|constant| constant.value));
    check("standard_error", of(|constant| constant.standard_error));
    check("lower", of(|constant| constant.lower));
    check("upper", of(|constant| constant.upper));
    check("r_squared", vec![quality.r_squared.unwrap()]);
    check("smape_percent", vec![quality.smape_percent]);
    check("rms_relative", vec![quality.rms_relative]);
    check("worst_relative", vec![quality.worst_relative]);
    check("noise_relative", vec![quality.noise_relative]);
    let left_out = quality.leave_one_out.unwrap();
    check("left_out_rms", vec![left_out.rms_relative]);
    check("left_out_smape", vec![left_out.smape_percent]);
    check("left_out_s", judgement.residuals.iter().map(|residual| residual.left_out_s).collect());
    check("standardised", judgement.residuals.iter().map(|residual| residual.standardised).collect());
    assert_eq!((quality.samples, quality.points), (10, 10));

    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let forecast = forecaster.forecast(&[200.0], 0.9);
    check("noise_s", vec![forecast.noise_s]);
    check("constants_s", vec![forecast.constants_s]);
    // Rivals have their say as well, but among the samples they agree.
    let interval = &references["interval"];
    assert!((forecast.lower_s / interval[0] - 1.0).abs() < 0.02, "{forecast:?} {interval:?}");
    assert!((forecast.upper_s / interval[1] - 1.0).abs() < 0.02, "{forecast:?} {interval:?}");
}

/// With several cells, with repetitions, and with absolute weights: each sample left out of a fit of its cell.
#[test]
fn left_out_samples_are_predicted_as_by_fits_without_them() {
    let scenario = &planted::right()[5];
    let settings = Settings { weighting: Weighting::Absolute, folding: Folding::Each, ..Settings::default() };
    let mut experiment = scenario.measure(0.03, 3);
    let again = scenario.measure(0.03, 4).samples;
    experiment.samples.columns[0].extend(&again.columns[0]);
    experiment.samples.time_s.extend(&again.time_s);
    experiment.samples.run.extend(&again.run);
    experiment.samples.processor.extend(&again.processor);
    let (model, judgement) = judge(&experiment, &settings);
    let rows = &judgement.residuals;
    assert!(rows.len() == 48 && judgement.quality.points == 24);
    for (index, row) in rows.iter().enumerate() {
        let others = || {
            let others = rows.iter().enumerate().filter(|(other, _)| *other != index);
            others.map(|(_, other)| other).filter(|other| other.cell == row.cell)
        };
        let (one, n): (Vec<f64>, Vec<f64>) = others().map(|other| (1.0, other.point[0])).unzip();
        let observed: Vec<f64> = others().map(|other| other.measured_s).collect();
        let samples = call_fit::FitSamples { basis: vec![&one, &n], observed: &observed, weights: &[] };
        let fit = call_fit::least_squares(&samples).unwrap();
        let expected = row.measured_s - fit.coefficients[0] - fit.coefficients[1] * row.point[0];
        assert!((row.left_out_s - expected).abs() < 1e-9 * row.measured_s, "{row:?} {expected}");
    }
    assert!(model.cells().len() > 1);
}

#[test]
fn equal_times_have_figures_without_nan() {
    let n: Vec<f64> = (1..=10).map(f64::from).collect();
    for formula in ["f[0]", "f[0] + f[1]*N"] {
        let experiment = experiment(formula, &n, &[0.25; 10]);
        let (model, judgement) = judge(&experiment, &relative());
        let quality = &judgement.quality;
        assert_eq!(quality.r_squared, None);
        assert!(
            quality.smape_percent < 1e-10 && quality.rms_relative < 1e-12 && quality.noise_relative < 1e-12
        );
        assert!(quality.leave_one_out.unwrap().rms_relative < 1e-12);
        assert!(
            judgement.residuals.iter().all(|row| row.relative.is_finite() && row.standardised.is_finite())
        );
        let forecast = Forecaster::new(model.clone(), &model.settings().prepare(&experiment))
            .unwrap()
            .forecast(&[5.0; 1][..model.ranges().len()], 0.9);
        assert!(
            (forecast.lower_s - 0.25).abs() < 1e-9 && (forecast.upper_s - 0.25).abs() < 1e-9,
            "{forecast:?}"
        );
    }
}

#[test]
fn as_many_constants_as_samples_say_nothing_about_errors() {
    let experiment = experiment("f[0] + f[1]*N", &[1.0, 2.0], &[3.0, 5.0]);
    let (model, judgement) = judge(&experiment, &relative());
    assert_eq!(judgement.quality.leave_one_out, None);
    assert!(judgement.quality.noise_relative.is_nan());
    assert!(judgement.quality.constants.iter().all(|constant| constant.lower == f64::NEG_INFINITY));
    let forecast =
        Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap().forecast(&[3.0], 0.9);
    assert!((forecast.prediction.time_s - 7.0).abs() < 1e-12);
    assert_eq!((forecast.lower_s, forecast.upper_s), (0.0, f64::INFINITY));
}

/// The upper quarter of 12 sizes is missed by a straight line through a parabola, and met by a parabola.
#[test]
fn the_largest_values_are_held_out() {
    let n: Vec<f64> = (1..=12).map(f64::from).collect();
    let time_s: Vec<f64> = n.iter().map(|n| 1.0 + n * n).collect();
    let held_out =
        |formula| judge(&experiment(formula, &n, &time_s), &relative()).1.quality.held_out[0].clone();
    let right = held_out("f[0] + f[1]*N*N");
    assert_eq!((right.kept_to, right.largest, right.samples), (9.0, 12.0, 3));
    assert!(right.rms_relative < 1e-9 && right.smape_percent < 1e-7);
    let wrong = held_out("f[0] + f[1]*N");
    assert!(wrong.rms_relative > 0.1 && wrong.chance < 0.1, "{wrong:?}");
}
