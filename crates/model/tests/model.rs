//! Models of planted data: what they predict, where, and what they warn of.

use call_grammar::CoefficientId;
use call_model::{
    Error, Forecaster, IntervalOf, Model, PointComparison, Settings, SignConstraint, Warning, Weighting,
    compare,
};
use call_trace::{Experiment, Folding, Joining, Samples, Unit};

/// Samples of one run on `P` processors: rows of (P, N, processor, time).
fn experiment(formula: Option<&str>, rows: &[(f64, f64, u32, f64)]) -> Experiment {
    let samples = Samples {
        names: vec!["P".to_owned(), "N".to_owned()],
        columns: vec![rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()],
        processor: rows.iter().map(|row| row.2).collect(),
        run: vec![0; rows.len()],
        time_s: rows.iter().map(|row| row.3).collect(),
        ..Samples::default()
    };
    let formula = formula.map(str::to_owned);
    Experiment { name: "f".to_owned(), formula, samples, ..Experiment::default() }
}

fn planted(n: f64) -> f64 {
    if n <= 40.0 { 1e-6 + 2e-8 * n } else { 3e-6 + 9e-8 * n }
}

fn two_intervals() -> Experiment {
    let rows: Vec<_> = (1..=100).map(|n| (1.0, f64::from(n), 0, planted(f64::from(n)))).collect();
    experiment(Some("f[0] + f[1]*N"), &rows)
}

#[test]
fn the_cell_of_the_point_gives_the_constants() {
    let model = Model::fit(&Settings::default().prepare(&two_intervals())).unwrap();
    let aleph = model.aleph(CoefficientId(1)).unwrap();
    assert_eq!(aleph.segments.len(), 2);
    let range = |segment: usize| aleph.segments[segment].ranges[0].clone();
    assert_eq!((range(0).lower, range(0).lower_included, range(0).upper), (1.0, true, 40.0));
    assert_eq!((range(1).lower, range(1).lower_included, range(1).upper), (40.0, false, f64::INFINITY));
    for n in [0.0, 1.0, 40.0, 41.0, 1000.0] {
        let prediction = model.predict(&[n]);
        assert!((prediction.time_s / planted(n) - 1.0).abs() < 1e-9, "{n}: {}", prediction.time_s);
        assert_eq!(prediction.cell, usize::from(n > 40.0));
        assert_eq!(prediction.beyond.is_empty(), (1.0..=100.0).contains(&n), "{n}");
        let sum: f64 = prediction.shares.iter().map(|share| share.time_s).sum();
        assert_eq!(sum, prediction.time_s);
    }
    assert_eq!(model.describe(&model.cells()[0]), "N <= 40");
    assert_eq!(model.describe(&model.cells()[1]), "N > 40");
    assert!(model.aleph(CoefficientId(7)).is_none());
    assert!(model.warnings().is_empty(), "{:?}", model.warnings());
}

/// Worked by hand: y = 1, 3 at N = 1 twice and 5 at N = 2, absolute weights: f[0] + f[1]*N passes through the means 2 and 5, so the
/// residual sum is 2 with one degree of freedom, s² = 2. With X'X = [[3, 4], [4, 6]], its inverse is [[3, -2], [-2, 1.5]], and the
/// variance of the prediction at N = 3 is 2 (3 - 12 + 13.5) = 9.
#[test]
fn the_standard_error_of_a_prediction() {
    let rows = [(1.0, 1.0, 0, 1.0), (1.0, 1.0, 0, 3.0), (1.0, 2.0, 0, 5.0)];
    let settings = Settings {
        weighting: Weighting::Absolute,
        sign: SignConstraint::Free,
        folding: Folding::Each,
        ..Settings::default()
    };
    let model = Model::fit(&settings.prepare(&experiment(Some("f[0] + f[1]*N"), &rows))).unwrap();
    let prediction = model.predict(&[3.0]);
    assert!((prediction.time_s - 8.0).abs() < 1e-12);
    assert!((prediction.standard_error_s - 3.0).abs() < 1e-12, "{}", prediction.standard_error_s);
}

#[test]
fn the_slowest_processor_counts_unless_told_otherwise() {
    let rows: Vec<_> = (1..=6)
        .flat_map(|n| {
            (0..3)
                .map(move |processor| (3.0, f64::from(n), processor, f64::from(n) * f64::from(processor + 1)))
        })
        .collect();
    let experiment = experiment(Some("f[0]*N"), &rows);
    for (joining, slope) in [(Joining::Maximum, 3.0), (Joining::Mean, 2.0)] {
        let model = Model::fit(&Settings { joining, ..Settings::default() }.prepare(&experiment)).unwrap();
        assert!((model.predict(&[10.0]).time_s - 10.0 * slope).abs() < 1e-12, "{joining:?}");
    }
}

/// Rank 0 computes half as fast: its rate is what the slowest one has. Of three repetitions one was disturbed and is a third.
#[test]
fn of_rates_the_least_is_the_slowest_and_the_largest_is_undisturbed() {
    let of_rates = |rows: &[(f64, f64, u32, f64)]| Experiment {
        unit: Unit::named("GFLOPS").unwrap(),
        ..experiment(Some("f[0]*N"), rows)
    };
    let sizes = || (1..=6).map(f64::from);
    let rank = |processor| if processor == 0 { 0.5 } else { 1.0 };
    let ranks: Vec<_> =
        sizes().flat_map(|n| (0..4).map(move |index| (4.0, n, index, n * rank(index)))).collect();
    let repetitions: Vec<_> =
        sizes().flat_map(|n| [1.0, 1.002, 0.33].map(|part| (1.0, n, 0, n * part))).collect();
    let predicted = |rows: &[(f64, f64, u32, f64)], settings: &Settings| {
        let experiment = of_rates(rows);
        Model::fit(&settings.prepare(&experiment)).unwrap().predict(&[10.0]).time_s
    };
    assert!((predicted(&ranks, &Settings::default()) - 5.0).abs() < 1e-9);
    let mean = Settings { joining: Joining::Mean, ..Settings::default() };
    assert!((predicted(&ranks, &mean) - 8.75).abs() < 1e-9);
    let minimum = Settings { folding: Folding::Minimum, ..Settings::default() };
    assert!((predicted(&repetitions, &minimum) - 10.02).abs() < 1e-9);
    // The interval is that of how near the two largest are, and not of the disturbed one.
    let prepared = minimum.prepare(&of_rates(&repetitions));
    let forecaster = Forecaster::new(Model::fit(&prepared).unwrap(), &prepared).unwrap();
    let forecast = forecaster.forecast(&[3.0], 0.9);
    assert!(forecast.lower_s > 2.9 && forecast.upper_s < 3.1, "{forecast:?}");
    // Times are as they were, and so are counts, of which nobody knows what is better.
    assert!((prepared.samples().time_s[0] - 1.002).abs() < 1e-12);
    let counts = Experiment { unit: Unit::named("visits").unwrap(), ..of_rates(&ranks) };
    assert!((Settings::default().prepare(&counts).samples().time_s[5] - 6.0).abs() < 1e-12);
}

/// Predictions beside measurements.
fn compared(model: &Model, measured: &Experiment) -> Vec<PointComparison> {
    let prepared = model.settings().prepare(measured);
    let forecaster = Forecaster::new(model.clone(), &prepared).unwrap();
    compare(&forecaster, &prepared, 0.9).unwrap().rows
}

#[test]
fn a_few_disturbed_repetitions_change_nothing() {
    let time = |n: u32, repetition| f64::from(n) * if repetition == n % 5 { 40.0 } else { 2.0 };
    let rows: Vec<_> = (1..=12)
        .flat_map(|n| (0..5).map(move |repetition| (1.0, f64::from(n), 0, time(n, repetition))))
        .collect();
    let experiment = experiment(Some("f[0]*N"), &rows);
    let predicted = |folding| {
        let model = Model::fit(&Settings { folding, ..Settings::default() }.prepare(&experiment)).unwrap();
        (model.predict(&[10.0]).time_s, compared(&model, &experiment)[0].measured_s)
    };
    for folding in [Folding::Median, Folding::Minimum] {
        let (time_s, measured_s) = predicted(folding);
        assert!((time_s - 20.0).abs() < 1e-12 && measured_s == 2.0, "{folding:?}: {time_s} {measured_s}");
    }
    assert!(predicted(Folding::Mean).0 > 90.0 && predicted(Folding::Each).0 > 90.0);
}

/// The shortest and the median of five are certain to 1 %, though one of them takes up to 20 times as long: a border where the time grows
/// by 30 % is real.
#[test]
fn disturbed_repetitions_hide_no_border() {
    let wobble = |n: u32, repetition: u32| 1.0 + f64::from((7 * n + 3 * repetition) % 11) / 1000.0;
    let time = |n: u32, repetition: u32| {
        let disturbed = if repetition >= 4 { f64::from(2 + (5 * n + repetition) % 19) } else { 1.0 };
        f64::from(n) * if n > 8 { 1.3 } else { 1.0 } * wobble(n, repetition) * disturbed
    };
    let rows: Vec<_> = (1..=16)
        .flat_map(|n| (0..5).map(move |repetition| (1.0, f64::from(n), 0, time(n, repetition))))
        .collect();
    for folding in [Folding::Median, Folding::Minimum] {
        let settings = Settings { folding, ..Settings::default() };
        let model = Model::fit(&settings.prepare(&experiment(Some("f[0]*N"), &rows))).unwrap();
        let borders: Vec<f64> = model.cells().iter().map(|cell| cell.intervals[0].upper).collect();
        assert_eq!(borders, [8.0, f64::INFINITY], "{folding:?}");
    }
}

/// Of five runs at each of twelve sizes one takes twice as long: intervals for single measurements are asked of each run, those for medians
/// of the medians.
#[test]
fn what_intervals_are_for_is_counted() {
    let wobble = |n: u32, repetition: u32| 1.0 + f64::from((7 * n + 3 * repetition) % 11) / 1000.0;
    let time =
        |n: u32, repetition: u32| f64::from(n * (1 + u32::from(repetition == 4))) * wobble(n, repetition);
    let rows: Vec<_> = (1..=12)
        .flat_map(|n| (0..5).map(move |repetition| (1.0, f64::from(n), 0, time(n, repetition))))
        .collect();
    let experiment = experiment(Some("f[0]*N"), &rows);
    // Made of undisturbed runs, its intervals are narrow.
    let quiet: Vec<_> = rows.iter().enumerate().filter(|(row, _)| row % 5 < 4).map(|(_, row)| *row).collect();
    let quiet = self::experiment(Some("f[0]*N"), &quiet);
    for (interval, expected) in [(IntervalOf::Measurement, 60), (IntervalOf::Repetitions, 12)] {
        let settings = Settings { interval, ..Settings::default() };
        let prepared = settings.prepare(&quiet);
        let forecaster = Forecaster::new(Model::fit(&prepared).unwrap(), &prepared).unwrap();
        let check = compare(&forecaster, &settings.prepare(&experiment), 0.9999).unwrap();
        let all: Vec<usize> = check.rows.iter().map(|row| row.measurements).collect();
        assert_eq!((check.measurements, all.iter().sum()), (expected, expected));
        assert_eq!(check.inside, if expected == 60 { 48 } else { 12 }, "{check:?}");
    }
}

/// The signs and sizes of the paper's Table 3, from its measured times.
#[test]
fn comparisons_have_the_signs_of_table_3() {
    let table = [(1.0, 11.7748), (2.0, 6.0036), (4.0, 3.2120)];
    let measured: Vec<_> = table.iter().map(|(p, time)| (*p, 1.0, 0, *time)).collect();
    let model = Model::fit(
        &Settings::default()
            .prepare(&experiment(Some("f[0]/P"), &[(1.0, 1.0, 0, 11.8096), (2.0, 1.0, 0, 5.9048)])),
    );
    let rows = compared(&model.unwrap(), &experiment(None, &measured));
    assert_eq!(rows.len(), 3);
    assert!((rows[0].error_percent - -0.30).abs() < 0.005, "{rows:?}");
    assert!((rows[1].error_percent - 1.65).abs() < 0.005, "{rows:?}");
    assert_eq!(rows[2].point, [4.0]);
}

#[test]
fn what_cannot_be_fitted_is_told() {
    let rows = [(1.0, 1.0, 0, 1.0)];
    let fit = |experiment: &Experiment| Model::fit(&Settings::default().prepare(experiment)).unwrap_err();
    assert!(matches!(fit(&experiment(None, &rows)), Error::NoFormula { .. }));
    assert!(matches!(fit(&experiment(Some("f[0]*"), &rows)), Error::Formula { .. }));
    assert!(
        matches!(fit(&experiment(Some("f[0]*M"), &rows)), Error::MissingVariable { variable, .. } if variable == "M")
    );
    assert!(matches!(fit(&experiment(Some("f[0]"), &[])), Error::NoSamples { .. }));
    assert!(matches!(fit(&experiment(Some("f[0]*log(N - 1)"), &rows)), Error::Fit { .. }));
}

#[test]
fn warnings_teach() {
    // On one processor log(P) is 0, and N and N*P are the same.
    let rows: Vec<_> = (1..=8).map(|n| (1.0, f64::from(n), 0, f64::from(n))).collect();
    let model =
        Model::fit(&Settings::default().prepare(&experiment(Some("f[0]*N + f[1]*N*P + f[2]*log(P)"), &rows)))
            .unwrap();
    let warnings = model.warnings();
    assert!(
        matches!(&warnings[..], [Warning::Undetermined { constants, .. }] if constants == &["f[0]", "f[1]", "f[2]"]),
        "{warnings:?}"
    );

    // A cubic cost under a linear formula: one straight line after the other, and still not good.
    let rows: Vec<_> = (1..=400).map(|n| (1.0, f64::from(n), 0, f64::from(n).powi(3))).collect();
    let settings = |error: f64, intervals| {
        let mut settings = Settings::default();
        settings.thresholds.error = error;
        settings.thresholds.intervals = intervals;
        settings
    };
    let model = Model::fit(&settings(0.001, 5).prepare(&experiment(Some("f[0]*N"), &rows))).unwrap();
    let warnings = model.warnings();
    assert!(
        matches!(&warnings[0], Warning::ManyIntervals { variable, count: 5 } if variable == "N"),
        "{warnings:?}"
    );
    assert!(matches!(&warnings[1], Warning::ErrorsRemain { .. }), "{warnings:?}");

    // A falling cost under a growing formula.
    let rows: Vec<_> = (1..=50).map(|n| (1.0, f64::from(n), 0, 100.0 - f64::from(n))).collect();
    let model = Model::fit(&Settings::default().prepare(&experiment(Some("f[0] + f[1]*N"), &rows))).unwrap();
    let warnings = model.warnings();
    assert!(
        matches!(&warnings[..], [Warning::Negative { constant, .. }] if constant == "f[1]"),
        "{warnings:?}"
    );
    for warning in warnings {
        assert!(!warning.to_string().is_empty());
    }

    // log(N) is not finite at N = 0.
    let mut rows: Vec<_> = (1..=8).map(|n| (1.0, f64::from(n), 0, f64::from(n).ln())).collect();
    rows.push((1.0, 0.0, 0, 1.0));
    let model = Model::fit(&Settings::default().prepare(&experiment(Some("f[0]*log(N)"), &rows))).unwrap();
    assert!(matches!(model.warnings()[..], [Warning::Dropped { samples: 1, .. }]), "{:?}", model.warnings());
}
