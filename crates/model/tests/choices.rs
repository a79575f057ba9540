//! What the data choose when the user says nothing: sets of each constant, weights, signs. And what is told of it.

use call_grammar::CoefficientId;
use call_model::{
    Forecaster, Loss, MeasuringConditions, Model, Settings, SignConstraint, SignReason, Warning, Weighting,
    WeightingReason, outliers,
};
use call_trace::{Experiment, Folding, Samples};

/// Samples of one run on one processor: rows of (N, time).
fn experiment(formula: &str, rows: &[(f64, f64)]) -> Experiment {
    let samples = Samples {
        names: vec!["P".to_owned(), "N".to_owned()],
        columns: vec![vec![1.0; rows.len()], rows.iter().map(|row| row.0).collect()],
        processor: vec![0; rows.len()],
        run: vec![0; rows.len()],
        time_s: rows.iter().map(|row| row.1).collect(),
        ..Samples::default()
    };
    Experiment { name: "f".to_owned(), formula: Some(formula.to_owned()), samples, ..Experiment::default() }
}

/// Pseudo-random number, normal with mean 0 and variance 1 (a sum of twelve uniform ones).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        let mut sum = -6.0;
        for _ in 0..12 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            sum += (self.0 >> 11) as f64 / (1u64 << 53) as f64;
        }
        sum
    }
}

/// Sizes as in examples/matrix_init, which has every other one, or every fourth of them.
fn sizes(step: usize) -> Vec<f64> {
    std::iter::successors(Some(32u32), |n| Some(n + n / 16))
        .take_while(|n| *n <= 2048)
        .step_by(step)
        .map(f64::from)
        .collect()
}

/// Five times for each size of a matrix that leaves the cache beyond N = 400, with 3 % noise.
fn matrix_init(step: usize) -> Experiment {
    let mut noise = Noise(1);
    let rows: Vec<(f64, f64)> = sizes(step)
        .into_iter()
        .flat_map(|n| [n; 5])
        .map(|n| {
            let element = if n <= 400.0 { 0.8e-9 } else { 2.4e-9 };
            (n, (4e-7 + 5e-9 * n + element * n * n) * (1.0 + 0.03 * noise.next()))
        })
        .collect();
    experiment("A[0] + A[1]*N + A[2]*N*N", &rows).renamed("A")
}

trait Renamed {
    fn renamed(self, name: &str) -> Self;
}

impl Renamed for Experiment {
    fn renamed(self, name: &str) -> Self {
        Experiment { name: name.to_owned(), ..self }
    }
}

/// Table 2 of the paper: A0 and A1 hold everywhere, A2 has two values. With 73 sizes and with 19.
#[test]
fn table_2_comes_out_of_matrix_init() {
    for step in [1, 4] {
        let model = Model::fit(&Settings::default().prepare(&matrix_init(step))).unwrap();
        let aleph = |index| model.aleph(CoefficientId(index)).unwrap().segments;
        assert_eq!(model.cells().len(), 2, "{:?}", model.segmentation().splits);
        for index in [0, 1] {
            let [segment] = &aleph(index)[..] else { panic!("A{index}: {:?}", aleph(index)) };
            assert_eq!((segment.ranges[0].lower, segment.ranges[0].upper), (32.0, f64::INFINITY));
            assert_eq!(segment.cells, [0, 1]);
        }
        let [low, high] = &aleph(2)[..] else { panic!("{:?}", aleph(2)) };
        let border = sizes(step).into_iter().rfind(|n| *n <= 400.0).unwrap();
        assert_eq!((low.ranges[0].upper, high.ranges[0].lower), (border, border));
        for (segment, planted) in [(low, 0.8e-9), (high, 2.4e-9)] {
            assert!((segment.value - planted).abs() < 3.0 * segment.standard_error, "{segment:?}");
            assert!((segment.value / planted - 1.0).abs() < 0.1, "{segment:?}");
        }
        // What is shared is the same in both cells, and predictions go by cells.
        assert_eq!(model.cells()[0].fit.coefficients[..2], model.cells()[1].fit.coefficients[..2]);
        let time = 4e-7 + 5e-9 * 3000.0 + 2.4e-9 * 9e6;
        assert!((model.predict(&[3000.0]).time_s / time - 1.0).abs() < 0.03);
    }
    let alone = Settings { sharing: false, ..Settings::default() };
    let model = Model::fit(&alone.prepare(&matrix_init(1))).unwrap();
    assert_eq!(model.aleph(CoefficientId(0)).unwrap().segments.len(), model.cells().len());
}

/// Ten times for each of 20 sizes with a standard deviation that grows as the time to some power.
fn scattering(exponent: f64, size: f64) -> Experiment {
    let mut noise = Noise(2);
    let rows: Vec<(f64, f64)> = (0..20)
        .map(|i| (16.0 * 1.5f64.powi(i)).round())
        .flat_map(|n| [n; 10])
        .map(|n| {
            let time = 1e-5 + 1e-7 * n;
            (n, time + size * time.powf(exponent) * noise.next())
        })
        .collect();
    experiment("f[0] + f[1]*N", &rows)
}

/// Many repetitions with noise of 1 % and a few disturbed ones, which are as long at each size: neither median nor minimum sees them,
/// nor does the scatter which decides the weights. By their standard deviation the errors would be the same in seconds, and intervals
/// around the longest times a third as wide as the times scatter.
#[test]
fn rare_spikes_do_not_choose_the_weights() {
    let mut noise = Noise(5);
    let rows: Vec<(f64, f64)> = (0..7)
        .map(|i| 20.0 * f64::from(1 << i))
        .flat_map(|n| [n; 300])
        .enumerate()
        .map(|(row, n)| {
            let spike = if row % 50 == 7 { 1.2e-6 * (row % 7) as f64 / 7.0 } else { 0.0 };
            (n, (5e-8 + 1e-9 * n) * (1.0 + 0.01 * noise.next()) + spike)
        })
        .collect();
    let measured = experiment("f[0] + f[1]*N", &rows);
    for folding in [Folding::Minimum, Folding::Median] {
        let settings = Settings { folding, ..Settings::default() };
        let (weighting, reason) = Model::fit(&settings.prepare(&measured)).unwrap().weighting();
        assert_eq!(weighting, Weighting::Relative, "{folding:?}: {reason:?}");
    }
    let prepared = Settings::default().prepare(&measured);
    let model = Model::fit(&prepared).unwrap();
    let forecaster = Forecaster::new(model, &prepared).unwrap();
    for longest in [20.0, 320.0, 1280.0] {
        let forecast = forecaster.forecast(&[longest], 0.9);
        let times: Vec<f64> = rows.iter().filter(|row| row.0 == longest).map(|row| row.1).collect();
        let within = times.iter().filter(|time| (forecast.lower_s..=forecast.upper_s).contains(time)).count();
        assert!((255..=290).contains(&within), "{within} of 300 at {longest}");
    }
}

#[test]
fn repetitions_choose_the_weights() {
    for folding in [Folding::Median, Folding::Each] {
        let settings = Settings { folding, ..Settings::default() };
        let chosen = |experiment: &Experiment| Model::fit(&settings.prepare(experiment)).unwrap().weighting();
        let (weighting, reason) = chosen(&scattering(1.0, 0.1));
        assert_eq!(weighting, Weighting::Relative);
        let WeightingReason::GrowingScatter { exponent, points: 20 } = reason else { panic!("{reason:?}") };
        assert!((exponent - 1.0).abs() < 0.15, "{exponent}");
        assert!(reason.to_string().starts_with("relative to the time: repetitions at 20 points scatter"));

        let (weighting, reason) = chosen(&scattering(0.0, 3e-6));
        assert_eq!(weighting, Weighting::Absolute, "{reason:?}");
        assert!(matches!(reason, WeightingReason::ConstantScatter { .. }));

        let (weighting, reason) = chosen(&scattering(0.5, 3e-4));
        assert_eq!(weighting, Weighting::Repetitions, "{reason:?}");

        let (weighting, reason) = chosen(&scattering(1.0, 0.001));
        assert_eq!(weighting, Weighting::Relative);
        assert!(matches!(reason, WeightingReason::SmallScatter { .. }), "{reason:?}");
    }
    let asked = Settings { weighting: Weighting::Absolute, ..Settings::default() };
    let model = Model::fit(&asked.prepare(&scattering(1.0, 0.1))).unwrap();
    assert_eq!(model.weighting(), (Weighting::Absolute, WeightingReason::Asked));
}

/// Weights from repetitions are worth having: the slope comes out closer than without, as the noise says.
#[test]
fn weights_from_repetitions_are_better_than_wrong_ones() {
    let off = |weighting| {
        let settings = Settings { weighting, sign: SignConstraint::Free, ..Settings::default() };
        let model = Model::fit(&settings.prepare(&scattering(0.0, 3e-6))).unwrap();
        let constants: Vec<f64> = model.cells()[0].fit.standard_errors.clone();
        constants[1]
    };
    assert!(off(Weighting::Repetitions) < 0.8 * off(Weighting::Relative));
}

#[test]
fn without_repetitions_the_residuals_choose() {
    let mut noise = Noise(3);
    let rows: Vec<(f64, f64)> =
        (1..=60).map(f64::from).map(|n| (n, 1e-3 + 1e-3 * n + 4e-4 * noise.next())).collect();
    let model = Model::fit(&Settings::default().prepare(&experiment("f[0] + f[1]*N", &rows))).unwrap();
    assert_eq!(model.weighting().0, Weighting::Absolute, "{}", model.weighting().1);
    let rows: Vec<(f64, f64)> =
        (1..=60).map(f64::from).map(|n| (n, (1e-3 + 1e-3 * n) * (1.0 + 0.05 * noise.next()))).collect();
    let model = Model::fit(&Settings::default().prepare(&experiment("f[0] + f[1]*N", &rows))).unwrap();
    assert_eq!(model.weighting().0, Weighting::Relative, "{}", model.weighting().1);
}

#[test]
fn a_negative_constant_that_fits_noise_is_zero() {
    // Nothing but f[1] N, measured with 10 % noise: f[0] comes out negative or positive by chance.
    let mut signs = [0; 2];
    for seed in 0..20 {
        let mut noise = Noise(seed);
        let rows: Vec<(f64, f64)> =
            (1..=30).map(f64::from).map(|n| (n, 1e-3 * n * (1.0 + 0.1 * noise.next()))).collect();
        let experiment = experiment("f[0] + f[1]*N", &rows);
        let model = Model::fit(&Settings::default().prepare(&experiment)).unwrap();
        let free =
            Model::fit(&Settings { sign: SignConstraint::Free, ..Settings::default() }.prepare(&experiment))
                .unwrap();
        let is_negative = free.cells()[0].fit.coefficients[0] < 0.0;
        signs[usize::from(is_negative)] += 1;
        if is_negative {
            assert_eq!(model.sign(), SignReason::NegativeIsNoise);
            for segment in model.aleph(CoefficientId(0)).unwrap().segments {
                assert!(segment.value >= 0.0 && (segment.value == 0.0) == segment.bounded, "{segment:?}");
                assert!(segment.standard_error > 0.0);
            }
        } else {
            assert_eq!(model.sign(), SignReason::NoneNegative);
        }
        assert!(model.predict(&[0.5]).time_s > 0.0);
    }
    assert!(signs[0] > 2 && signs[1] > 2, "{signs:?}");
}

/// A cost of N² that changes gradually between two values is bent to by negative constants, if they may be.
#[test]
fn a_negative_constant_that_bends_cells_is_zero() {
    let time = |n: f64, noise: f64| {
        let element = 0.38e-9 + 0.2e-9 / (1.0 + (500.0 / n).powi(12));
        element * n * n * (1.0 + 0.01 * noise)
    };
    let formula = "f[0] + f[1]*N + f[2]*N*N";
    let mut noise = Noise(3);
    let rows: Vec<(f64, f64)> = sizes(1).into_iter().map(|n| (n, time(n, noise.next()))).collect();
    let free = Settings { sign: SignConstraint::Free, ..Settings::default() };
    let free = Model::fit(&free.prepare(&experiment(formula, &rows))).unwrap();
    let has_negative = |model: &Model| {
        model.cells().iter().any(|cell| cell.fit.coefficients.iter().any(|value| *value < 0.0))
    };
    assert!(has_negative(&free));
    let model = Model::fit(&Settings::default().prepare(&experiment(formula, &rows))).unwrap();
    assert_eq!(model.sign(), SignReason::NegativeIsBending);
    assert!(!has_negative(&model));
    // Where the formula is right, the negative constant is, too, in as many cells as there are.
    let rows: Vec<(f64, f64)> = sizes(1)
        .into_iter()
        .map(|n| (n, if n <= 500.0 { 1e-9 * n * (n - 20.0) } else { 3e-9 * n * (n - 20.0) }))
        .collect();
    let model = Model::fit(&Settings::default().prepare(&experiment(formula, &rows))).unwrap();
    assert_eq!(model.sign(), SignReason::NegativeIsReal);
    assert_eq!(model.cells().len(), 2);
}

/// A constant that all cells share is judged by all samples, and told of once.
#[test]
fn a_shared_constant_is_judged_once() {
    let mut noise = Noise(5);
    let rows: Vec<(f64, f64)> = sizes(1)
        .into_iter()
        .map(|n| (n, (if n <= 400.0 { 1e-9 } else { 2e-9 }) * n * n * (1.0 + 0.02 * noise.next())))
        .collect();
    let prepared = Settings::default().prepare(&experiment("f[0] + f[1]*N + f[2]*N*N", &rows));
    let model = Model::fit(&prepared).unwrap();
    assert_eq!(model.cells().len(), 2);
    let warnings = model.judge(&prepared, &MeasuringConditions::default(), 0.95).unwrap().warnings;
    for index in [0, 1] {
        let segments = model.aleph(CoefficientId(index)).unwrap().segments;
        assert_eq!(segments.len(), 1);
        let of_it = |warning: &&Warning| warning.to_string().starts_with(&format!("f[{index}] "));
        let found: Vec<String> = warnings.iter().filter(of_it).map(ToString::to_string).collect();
        let [one] = &found[..] else { panic!("{warnings:?}") };
        assert!(one.contains("(all samples): leave its term out"), "{one}");
    }
    assert!(!warnings.iter().any(|warning| matches!(warning, Warning::Confused { .. })), "{warnings:?}");
}

#[test]
fn a_negative_constant_beyond_doubt_stays() {
    let rows: Vec<(f64, f64)> = (1..=50).map(f64::from).map(|n| (n, 100.0 - n)).collect();
    let model = Model::fit(&Settings::default().prepare(&experiment("f[0] + f[1]*N", &rows))).unwrap();
    assert_eq!(model.sign(), SignReason::NegativeIsReal);
    let bounded = Settings { sign: SignConstraint::NonNegative, ..Settings::default() };
    let model = Model::fit(&bounded.prepare(&experiment("f[0] + f[1]*N", &rows))).unwrap();
    assert!(model.cells().iter().all(|cell| cell.fit.coefficients[1] >= 0.0));
}

/// Rows of the experiment, disturbed ones among them, are named by their index.
#[test]
fn disturbed_measurements_are_named() {
    let mut rows: Vec<(f64, f64)> = Vec::new();
    let mut noise = Noise(4);
    for n in (1..=20).map(f64::from) {
        rows.extend((0..5).map(|_| (n, 1e-3 * (1.0 + n) * (1.0 + 0.02 * noise.next()))));
    }
    rows[33].1 *= 3.0;
    rows[71].1 *= 0.2;
    let experiment = experiment("f[0] + f[1]*N", &rows);
    let found = outliers(&Settings::default().for_outliers().prepare(&experiment), 6.0).unwrap();
    assert_eq!(found.iter().map(|outlier| outlier.row).collect::<Vec<_>>(), [33, 71]);
    assert!(found[0].deviations > 0.0 && found[1].deviations < 0.0);
    assert_eq!(found[0].point, [7.0]);
    assert!((found[0].time_s / found[0].expected_s / 3.0 - 1.0).abs() < 0.1);

    // The same disturbances without repetitions to take the median of: a robust loss keeps the constants.
    let settings = Settings { folding: Folding::Each, loss: Loss::Huber, ..Settings::default() };
    let model = Model::fit(&settings.prepare(&experiment)).unwrap();
    assert!((model.predict(&[100.0]).time_s / 0.101 - 1.0).abs() < 0.02);
}

/// A border in each of two variables, each point measured once: with noise of 3 % of the time, or of one size.
fn two_borders(seed: u64, is_relative: bool) -> Experiment {
    let mut noise = Noise(seed);
    let mut samples = Samples {
        names: vec!["N".to_owned(), "M".to_owned()],
        columns: vec![vec![], vec![]],
        ..Samples::default()
    };
    for i in 0..8 {
        for j in 0..6 {
            let (n, m) = (125.0 * 2f64.powi(i), 50.0 * 2f64.powi(j));
            let first = if n <= 1000.0 { 8e-9 } else { 2e-8 };
            let second = if m <= 300.0 { 3.2e-8 } else { 9.6e-8 };
            let time_s = 1e-6 + first * n + second * m;
            let error = 0.03 * noise.next() * if is_relative { time_s } else { 3e-5 };
            samples.columns[0].push(n);
            samples.columns[1].push(m);
            samples.processor.push(0);
            samples.run.push(0);
            samples.time_s.push(time_s + error);
        }
    }
    let formula = Some("f[0] + f[1]*N + f[2]*M".to_owned());
    Experiment { name: "f".to_owned(), formula, samples, ..Experiment::default() }
}

/// One fit to all samples is wrong by as many seconds for short times as for long ones, whatever the noise is: what is left in the cells decides.
#[test]
fn residuals_in_cells_choose_the_weights() {
    let chosen = |seed, is_relative| {
        let experiment = two_borders(seed, is_relative);
        Model::fit(&Settings::default().prepare(&experiment)).unwrap().weighting()
    };
    for seed in 1..=10 {
        let (weighting, reason) = chosen(seed, true);
        assert_eq!(weighting, Weighting::Relative, "{reason:?}");
        let (weighting, reason) = chosen(seed, false);
        assert_eq!(weighting, Weighting::Absolute, "{reason:?}");
    }
}
