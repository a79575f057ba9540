//! Each warning where it belongs, with its numbers and its cure.

use crate::planted::{Dice, experiment, sizes};
use call_model::{
    Cure, Forecaster, MeasuringConditions, Model, Needed, Remark, Settings, Warning, Weighting, compare,
};
use call_trace::{Experiment, Folding, Unit};

fn settings() -> Settings {
    Settings { weighting: Weighting::Relative, ..Settings::default() }
}

fn warnings(experiment: &Experiment) -> Vec<Warning> {
    let model = Model::fit(&settings().prepare(experiment)).unwrap();
    model
        .judge(&model.settings().prepare(experiment), &MeasuringConditions::default(), 0.95)
        .unwrap()
        .warnings
}

fn line(formula: &str, n: &[f64], time_s: impl Fn(f64) -> f64) -> Experiment {
    let points: Vec<Vec<f64>> = n.iter().map(|n| vec![*n]).collect();
    experiment(formula, &["N"], &points, n.iter().map(|n| time_s(*n)).collect())
}

fn grid(formula: &str, points: &[(f64, f64)], time_s: impl Fn(f64, f64) -> f64) -> Experiment {
    let times = points.iter().map(|(n, p)| time_s(*n, *p)).collect();
    let points: Vec<Vec<f64>> = points.iter().map(|(n, p)| vec![*n, *p]).collect();
    experiment(formula, &["N", "P"], &points, times)
}

fn one_to(last: u32) -> Vec<f64> {
    (1..=last).map(f64::from).collect()
}

fn needed(variable: &str, values: &[f64]) -> Needed {
    Needed { variable: variable.into(), values: values.to_vec() }
}

#[test]
fn terms_alike_on_one_processor_need_other_numbers_of_processors() {
    let points: Vec<(f64, f64)> = one_to(12).into_iter().map(|n| (n, 1.0)).collect();
    let found = warnings(&grid("f[0]*N + f[1]*N/P", &points, |n, p| n * (1.0 + 1.0 / p)));
    let [warning @ Warning::Undetermined { constants, cure, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(constants, &["f[0]", "f[1]"]);
    assert_eq!(cure, &Some(Cure::Measure(vec![needed("P", &[2.0, 4.0])])));
    assert_eq!(
        warning.to_string(),
        "the samples cannot tell f[0], f[1] apart (all samples): only their sum is known; measure also P = 2, 4, the rest as it was"
    );
}

#[test]
fn sizes_that_grow_with_the_processors_hide_terms() {
    let points: Vec<(f64, f64)> =
        [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0].iter().map(|p| (100.0 * p, *p)).collect();
    let found = warnings(&grid("f[0]*N + f[1]*P", &points, |n, p| n + p));
    let [Warning::Undetermined { cure: Some(Cure::Measure(cure)), .. }] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(cure, &[needed("N", &[12800.0, 25600.0])]);
}

#[test]
fn terms_that_are_the_same_everywhere_have_no_cure() {
    let found = warnings(&line("f[0]*N + f[1]*(N + N)", &one_to(12), |n| n));
    let [warning @ Warning::Undetermined { cure, .. }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(cure, &Some(Cure::RemoveOne));
    assert!(
        warning.to_string().ends_with("no measurement will, as the terms are alike: leave one out"),
        "{warning}"
    );
}

/// One point tells nothing of any of three sizes, nor do two of them alone.
#[test]
fn each_of_many_variables_is_to_be_varied() {
    let names = ["a", "b", "c", "d"];
    let points = vec![vec![3.0, 5.0, 7.0, 9.0]; 4];
    let samples = experiment("f[0] + f[1]*a + f[2]*b + f[3]*c", &names, &points, vec![1.0; 4]);
    let found = warnings(&samples);
    let cures: Vec<&Cure> = found
        .iter()
        .filter_map(|warning| match warning {
            Warning::Undetermined { cure, .. } => cure.as_ref(),
            _ => None,
        })
        .collect();
    let wanted = [needed("a", &[6.0, 12.0]), needed("b", &[10.0, 20.0]), needed("c", &[14.0, 28.0])];
    assert_eq!(cures, [&Cure::MeasureEach(wanted.to_vec())]);
    let text = found[0].to_string();
    assert!(
        text.contains("measure also a = 6, 12; b = 10, 20; c = 14, 28, each with the rest as it was"),
        "{text}"
    );
}

#[test]
fn terms_alike_within_the_noise_need_a_wider_range() {
    let mut dice = Dice::new(5);
    let n: Vec<f64> = (0..24).map(|step| 1000.0 + 10.0 * f64::from(step)).collect();
    let noise: Vec<f64> = n.iter().map(|_| 1.0 + 0.05 * dice.normal()).collect();
    let experiment = line("f[0]*N + f[1]*N*log(N)", &n, |n| {
        1e-6 * n * (n.ln() + 7.0) * noise[((n - 1000.0) / 10.0) as usize]
    });
    let found = warnings(&experiment);
    let [warning @ Warning::Confused { constants, correlation, cure, .. }] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(constants, &["f[0]", "f[1]"]);
    assert!(*correlation < -0.99);
    assert_eq!(cure, &Some(Cure::Measure(vec![needed("N", &[2460.0, 4920.0])])));
    assert!(warning.to_string().contains("measure also N = 2460, 4920"), "{warning}");
}

#[test]
fn a_missing_term_is_named() {
    let mut dice = Dice::new(1);
    let points: Vec<(f64, f64)> =
        [16.0, 32.0, 64.0, 128.0].iter().flat_map(|n| [1.0, 2.0, 4.0, 8.0].map(|p| (*n, p))).collect();
    let noise: Vec<f64> = points.iter().map(|_| 1.0 + 0.01 * dice.normal()).collect();
    let at = |n, p| points.iter().position(|point| *point == (n, p)).unwrap();
    let found = warnings(&grid("f[0] + f[1]*N/P", &points, |n, p| {
        (1e-4 + 1e-5 * n / p + 2e-5 * p.ln()) * noise[at(n, p)]
    }));
    let [warning @ Warning::MissingTerm { term, share, .. }] = &found[..] else { panic!("{found:?}") };
    assert!(term == "log(P)" && *share > 0.8, "{warning}");
}

/// A cost that comes and goes with N has no simple term.
#[test]
fn waves_are_named_after_their_variable() {
    let mut dice = Dice::new(2);
    let noise: Vec<f64> = (0..=60).map(|_| 1.0 + 0.01 * dice.normal()).collect();
    let found =
        warnings(&line("f[0]*N", &one_to(60), |n| n * (1.0 + 0.04 * (n / 4.0).sin()) * noise[n as usize]));
    let [warning @ Warning::Trend { along, correlation, .. }] = &found[..] else { panic!("{found:?}") };
    assert!(along == "N" && *correlation > 0.5, "{warning}");
}

#[test]
fn constants_near_zero_are_doubted() {
    let mut dice = Dice::new(3);
    let noise: Vec<f64> = (0..=20).map(|_| 1.0 + 0.03 * dice.normal()).collect();
    let found = warnings(&line("f[0] + f[1]*N", &one_to(20), |n| n * noise[n as usize]));
    let [warning @ Warning::MayBeZero { constant, value, uncertainty, .. }] = &found[..] else {
        panic!("{found:?}")
    };
    assert!(constant == "f[0]" && value.abs() < *uncertainty, "{warning}");
}

/// Exact times of few sizes: what the formula lacks shows, and where nothing shows few points are not called noise.
#[test]
fn exact_times_of_few_sizes_are_no_noise() {
    type Time = fn(f64) -> f64;
    let cases: [(Time, &str); 3] = [
        (|n| 1e-5 + 2.5e-10 * n * n, "N*N"),
        (|n| 1e-12 * n * n * n, "N*N*N"),
        (|n| 1e-8 * n * n.log2(), "log(N)"),
    ];
    for points in 5..=7 {
        let sizes: Vec<f64> = (0..points).map(|power| 1000.0 * f64::from(1 << power)).collect();
        for (time_s, term) in cases {
            let found = warnings(&line("f[0] + f[1]*N", &sizes, time_s));
            let is_named = |warning: &Warning| matches!(warning, Warning::MissingTerm { term: found, .. } if found.contains(term));
            assert!(found.iter().any(is_named), "{points} points, {term}: {found:?}");
            assert!(!found.iter().any(|warning| matches!(warning, Warning::Noisy { .. })), "{found:?}");
        }
    }
    let mut dice = Dice::new(9);
    let noise: Vec<f64> = (0..6).map(|_| (0.6 * dice.normal()).exp()).collect();
    let found = warnings(&line("f[0]*N", &one_to(6), |n| n * noise[n as usize - 1]));
    let [warning @ Warning::Noisy { too_few: Some(6), .. }] = &found[..] else { panic!("{found:?}") };
    assert!(warning.to_string().contains("6 points do not tell"), "{warning}");
}

#[test]
fn few_points_and_noise_are_told() {
    let found = warnings(&line("f[0] + f[1]*N", &[1.0, 2.0, 4.0, 8.0], |n| 1.0 + n));
    assert!(matches!(&found[..], [Warning::TooFewPoints { points: 4, constants: 2, .. }]), "{found:?}");
    let mut dice = Dice::new(4);
    let noise: Vec<f64> = (0..=40).map(|_| (0.3 * dice.normal()).exp()).collect();
    let found = warnings(&line("f[0]*N", &one_to(40), |n| n * noise[n as usize]));
    assert!(matches!(&found[..], [Warning::Noisy { noise, .. }] if (0.2..0.4).contains(noise)), "{found:?}");
}

/// Where repetitions agree, sizes that are off are no noise.
#[test]
fn errors_far_above_the_scatter_of_repetitions_are_no_noise() {
    for (of_size, of_repetition) in [(0.3, 0.01), (0.01, 0.5)] {
        let mut dice = Dice::new(5);
        let factors: Vec<f64> = (0..30).map(|_| (of_size * dice.normal()).exp()).collect();
        let points: Vec<Vec<f64>> = (0..90).map(|row| vec![f64::from(row / 3 + 1)]).collect();
        let times = (0..90).map(|row| f64::from(row / 3 + 1) * factors[row as usize / 3]);
        let times = times.map(|time| time * (of_repetition * dice.normal()).exp()).collect();
        let found = warnings(&experiment("f[0]*N", &["N"], &points, times));
        let noisy: Vec<bool> = found
            .iter()
            .filter_map(|warning| match warning {
                Warning::Noisy { repetitions, .. } => Some(repetitions.is_some()),
                _ => None,
            })
            .collect();
        assert_eq!(noisy, [of_size > of_repetition], "{found:?}");
    }
}

/// The part of one processor leaves its cache: a border along N/P, which no box in N and P is.
#[test]
fn borders_along_a_quotient_are_told() {
    let mut dice = Dice::new(21);
    let (mut points, mut times) = (Vec::new(), Vec::new());
    for (n, p) in (10..19).flat_map(|n| (0..7).map(move |p| (f64::from(1 << n), f64::from(1 << p)))) {
        let slope = if n / p <= 8192.0 { 1e-9 } else { 3e-9 };
        points.push(vec![n, p]);
        times.push((1e-6 + slope * n / p + 2e-7 * p) * (1.0 + 0.01 * dice.normal()));
    }
    let formula = "f[0] + f[1]*N/P + f[2]*P";
    let found = warnings(&experiment(formula, &["N", "P"], &points, times.clone()));
    let [Warning::BordersAlong { expression, cells: 2, error, .. }, ..] = &found[..] else {
        panic!("{found:?}")
    };
    assert!(expression == "N/P" && *error < 0.012, "{found:?}");
    // A border in N alone is one.
    let of_n = |point: &Vec<f64>| {
        let slope = if point[0] <= 16384.0 { 1e-9 } else { 3e-9 };
        (1e-6 + slope * point[0] / point[1] + 2e-7 * point[1]) * (1.0 + 0.01 * dice.normal())
    };
    let times = points.iter().map(of_n).collect();
    let found = warnings(&experiment(formula, &["N", "P"], &points, times));
    assert!(!found.iter().any(|warning| matches!(warning, Warning::BordersAlong { .. })), "{found:?}");
}

/// All points but one at nearly the same place: that one alone has the slope.
#[test]
fn a_fit_that_hangs_on_one_point_is_told() {
    let mut dice = Dice::new(11);
    let n = [10.0, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 100.0];
    let noise: Vec<f64> = n.iter().map(|_| 1.0 + 0.05 * dice.normal()).collect();
    let at =
        |n| [10.0, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 100.0].iter().position(|known| *known == n).unwrap();
    let found = warnings(&line("f[0] + f[1]*N", &n, |n| (1.0 + n) * noise[at(n)]));
    let hangs = |warning: &Warning| matches!(warning, Warning::LeftOut { fitted, left_out, point } if left_out > fitted && point[0] == ("N".into(), 100.0));
    assert!(found.iter().any(hangs), "{found:?}");
}

#[test]
fn negative_predictions_are_told() {
    let mut negative =
        line("f[0] + f[1]*N", &[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], |n| n - 2.0 + 1e-3 * n * n);
    negative.samples.time_s[0] = 0.05;
    let settings = Settings { weighting: Weighting::Absolute, folding: Folding::Each, ..Settings::default() };
    let model = Model::fit(&settings.prepare(&negative)).unwrap();
    let found = model
        .judge(&model.settings().prepare(&negative), &MeasuringConditions::default(), 0.95)
        .unwrap()
        .warnings;
    let is_negative = |warning: &Warning| matches!(warning, Warning::NegativePrediction { time_s, point, .. } if *time_s < 0.0 && point[0].1 == 2.0);
    let is_prevented = model.predict(&[2.0]).time_s >= 0.0;
    assert!(is_prevented || found.iter().any(is_negative), "{found:?}");
}

/// Parts of an array: the end of the first lies before the begin of the last one, but no sample has both.
#[test]
fn what_no_sample_comes_near_is_not_predicted_as_sampled() {
    let parts: Vec<(f64, f64)> = (1..=4)
        .flat_map(|part| {
            [100.0, 200.0, 400.0].map(|size| (size * f64::from(part - 1), size * f64::from(part)))
        })
        .collect();
    let found = warnings(&grid("f[0] + f[1]*(P - N)", &parts, |low, high| 1.0 + (high - low)));
    assert!(found.iter().all(|warning| !matches!(warning, Warning::NegativePrediction { .. })), "{found:?}");
}

/// As of a program whose own variable P is 0 on all processors but the first: 1/P and log(P) have no value there.
#[test]
fn where_a_formula_has_no_value_samples_are_left_out_by_name() {
    let mut points = vec![(64.0, 0.0), (128.0, 0.0)];
    points.extend((1..=16).map(|n| (64.0 * f64::from(n), [1.0, 2.0, 4.0, 8.0][n as usize % 4])));
    let experiment = grid("f[0] + f[1]*N + f[2]*log(P)", &points, |n, p| 9.0 + n + p.max(1.0).ln());
    let found = warnings(&experiment);
    let is_told = |warning: &&Warning| matches!(warning, Warning::Dropped { samples: 2, point } if point[..] == [("N".into(), 64.0), ("P".into(), 0.0)]);
    let text = found.iter().find(is_told).unwrap().to_string();
    assert!(
        text.contains("2 samples are left out: the formula has no finite value at N = 64, P = 0"),
        "{text}"
    );
    assert!(found.iter().all(|warning| !matches!(warning, Warning::NegativePrediction { .. })), "{found:?}");

    let model = Model::fit(&settings().prepare(&experiment)).unwrap();
    let prepared = settings().prepare(&experiment);
    let check = compare(&Forecaster::new(model.clone(), &prepared).unwrap(), &prepared, 0.9).unwrap();
    assert_eq!(check.rows.len(), 18);
    assert!(
        check.mean_percent < 1e-6 && check.smape_percent < 1e-6 && check.worst_percent < 1e-6,
        "{check:?}"
    );
}

#[test]
fn times_of_few_clock_steps_are_told() {
    let experiment = line("f[0]*N", &one_to(20), |n| 1e-7 * n);
    let model = Model::fit(&settings().prepare(&experiment)).unwrap();
    let of = |resolution_s, empty_pair_s| {
        let conditions = MeasuringConditions {
            resolution_s: Some(resolution_s),
            empty_pair_s: Some(empty_pair_s),
            ..MeasuringConditions::default()
        };
        model.judge(&model.settings().prepare(&experiment), &conditions, 0.95).unwrap().warnings
    };
    let found = of(1e-8, 5e-9);
    let [step, pair] = &found[..] else { panic!("{found:?}") };
    assert!(matches!(step, Warning::NearResolution { samples: 4, total: 20, .. }), "{step}");
    assert!(matches!(pair, Warning::NearEmptyPair { samples: 2, total: 20, .. }), "{pair}");
    assert!(of(1e-9, 0.0).is_empty());
}

#[test]
fn absolute_weights_are_doubted_where_times_scatter_in_proportion() {
    let points: Vec<Vec<f64>> =
        (1..16).flat_map(|exponent| vec![vec![f64::powi(2.0, exponent)]; 5]).collect();
    let told = |grows: bool, weighting| {
        let mut dice = Dice::new(3);
        let time = |point: &Vec<f64>| {
            let time_s = 3e-4 + 1e-6 * point[0];
            time_s + 0.05 * dice.normal() * if grows { time_s } else { 3e-4 }
        };
        let experiment = experiment("f[0] + f[1]*N", &["N"], &points, points.iter().map(time).collect());
        let prepared = Settings { weighting, ..Settings::default() }.prepare(&experiment);
        let model = Model::fit(&prepared).unwrap();
        let warnings = model.judge(&prepared, &MeasuringConditions::default(), 0.95).unwrap().warnings;
        warnings.iter().find(|warning| warning.code() == "noise-grows").map(ToString::to_string)
    };
    let text = told(true, Weighting::Absolute).unwrap();
    assert!(text.contains("as asked, but repetitions scatter as time^"), "{text}");
    assert_eq!(told(true, Weighting::Automatic), None);
    assert_eq!(told(false, Weighting::Absolute), None);
}

#[test]
fn runs_that_others_disturbed_are_told() {
    let experiment = line("f[0]*N", &one_to(20), |n| 1e-3 * n);
    let warnings = |experiment: &Experiment, taken_shares: &[f64]| {
        let model = Model::fit(&settings().prepare(experiment)).unwrap();
        let conditions =
            MeasuringConditions { taken_shares: taken_shares.to_vec(), ..MeasuringConditions::default() };
        model.judge(&model.settings().prepare(experiment), &conditions, 0.95).unwrap().warnings
    };
    let found = warnings(&experiment, &[0.31, 0.01, 0.06, 0.0]);
    assert_eq!(found, [Warning::Disturbed { runs: 2, all: 4, most: 0.31 }]);
    assert!(found[0].to_string().starts_with(
        "in 2 of 4 runs processes waited while others had the processors, up to 31 % of the time: repeat"
    ));
    assert!(warnings(&experiment, &[0.04, 0.0]).is_empty() && warnings(&experiment, &[]).is_empty());
    // Bytes do not change with the time that passes.
    let bytes = Experiment { unit: Unit::Other("B".to_owned()), ..experiment };
    assert!(warnings(&bytes, &[0.31]).is_empty());
}

#[test]
fn extrapolation_is_told_with_its_factor() {
    let experiment = line("f[0]*N", &[10.0, 20.0, 30.0, 40.0, 50.0], |n| n);
    let model = Model::fit(&settings().prepare(&experiment)).unwrap();
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let factor = |n| forecaster.forecast(&[n], 0.9).extrapolation();
    assert_eq!((factor(10.0), factor(50.0), factor(200.0), factor(5.0)), (1.0, 1.0, 4.0, 2.0));
    let remarks = forecaster.forecast(&[200.0], 0.9).remarks;
    assert!(matches!(&remarks[..], [Remark::Beyond { beyond, .. }] if beyond.factor() == 4.0), "{remarks:?}");
}

/// Whatever the numbers are, there is a judgement, a forecast and no panic.
#[test]
fn odd_experiments_are_judged_too() {
    let odd = [0.0, -0.0, 1.0, 1.0, 1e-300, 1e300, -5.0, f64::NAN, f64::INFINITY, 5e-324, 3.0];
    let formulas =
        ["f[0]", "f[0] + f[1]*N", "f[0]*log(N) + f[1]/N", "f[0]*N*N*N + f[1]*exp(N)", "f[0]*(N - N)"];
    let mut dice = Dice::new(8);
    let mut judged = 0;
    for round in 0..400 {
        let rows = 1 + round % 14;
        let mut pick = || odd[(dice.uniform() * odd.len() as f64) as usize];
        let (n, times): (Vec<f64>, Vec<f64>) = (0..rows).map(|_| (pick(), pick())).unzip();
        let points: Vec<Vec<f64>> = n.iter().map(|n| vec![*n]).collect();
        let experiment = experiment(formulas[round % formulas.len()], &["N"], &points, times);
        for weighting in [Weighting::Relative, Weighting::Absolute] {
            let Ok(model) = Model::fit(&Settings { weighting, ..Settings::default() }.prepare(&experiment))
            else {
                continue;
            };
            let conditions = MeasuringConditions {
                resolution_s: Some(1e-9),
                empty_pair_s: Some(f64::NAN),
                taken_shares: vec![f64::NAN, 1.0],
                ..MeasuringConditions::default()
            };
            let judgement = model.judge(&model.settings().prepare(&experiment), &conditions, 0.95).unwrap();
            for warning in &judgement.warnings {
                assert!(!warning.to_string().is_empty());
            }
            let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
            for value in odd {
                let point = &[value][..model.ranges().len()];
                let forecast = forecaster.forecast(point, 0.9);
                assert!(!(forecast.lower_s < 0.0 || forecast.lower_s > forecast.upper_s), "{forecast:?}");
            }
            compare(&forecaster, &forecaster.model().settings().prepare(&experiment), 0.9).unwrap();
            let texts = [model.c_function("f"), model.gnuplot_function(), model.latex()];
            assert!(texts.iter().all(|text| !text.is_empty()));
            judged += 1;
        }
    }
    assert!(judged > 200, "{judged}");
}

/// Times that halve with each doubling of P, for a formula that knows only N, or P as well.
fn with_processors(formula: &str) -> Experiment {
    let mut rows = String::new();
    let mut count = 0;
    for p in [1, 2, 4] {
        for n in 4..=16 {
            let time_s =
                f64::from(n * 1000) / f64::from(p) * (1.0 + 0.01 * f64::from((n * 7 + p * 5) % 9 - 4)) * 1e-6;
            rows.push_str(&format!("f 0 {p} {} {time_s:.12}\n", n * 1000));
            count += 1;
        }
    }
    let text = format!(
        "# call-trace 1\n# program: x\n# processors: 1\n# experiment: f\n# formula: {formula}\n# variables: N\n\
         experiment processor P N time_s\n{rows}# end rows={count}\n"
    );
    call_trace::read(text.as_bytes()).unwrap().experiments.remove(0)
}

#[test]
fn a_variable_that_the_formula_lacks_is_named() {
    let absent = |formula: &str| {
        let experiment = with_processors(formula);
        let model = Model::fit(&Settings::default().prepare(&experiment)).unwrap();
        let judgement = model
            .judge(&model.settings().prepare(&experiment), &MeasuringConditions::default(), 0.9)
            .unwrap();
        let is_absent = |warning: &&Warning| matches!(warning, Warning::AbsentVariable { .. });
        judgement.warnings.iter().find(is_absent).map(ToString::to_string)
    };
    let text = absent("f[0] + f[1]*N").unwrap();
    assert!(text.starts_with("the measurements also depend on P, which explains 100 %"), "{text}");
    assert_eq!(absent("f[0] + f[1]*N/P"), None);
}

/// N/P without repetitions, for a formula without P: too few samples for certainty, and no noise at all.
#[test]
fn a_variable_is_looked_for_before_noise_is_blamed() {
    let points: Vec<Vec<f64>> = [(1, 1), (2, 2), (4, 4), (3, 3), (8, 8), (1, 16), (2, 16), (1, 5)]
        .map(|(n, p)| vec![f64::from(1000 * n), f64::from(p)])
        .to_vec();
    let warnings = |times: Vec<f64>| {
        let experiment = experiment("f[0] + f[1]*N", &["N", "P"], &points, times);
        let prepared = settings().prepare(&experiment);
        let model = Model::fit(&prepared).unwrap();
        model.judge(&prepared, &MeasuringConditions::default(), 0.95).unwrap().warnings
    };
    let of_p = warnings(points.iter().map(|point| 1e-4 * point[0] / point[1]).collect());
    // What it is instead of N says more than that P is absent.
    let other = |warning: &Warning| matches!(warning, Warning::OtherVariable { expression, .. } if expression == "N/P");
    assert!(of_p.iter().any(other), "{of_p:?}");
    assert!(!of_p.iter().any(|warning| matches!(warning, Warning::Noisy { .. })), "{of_p:?}");
    let mut dice = Dice::new(3);
    let noisy = warnings(points.iter().map(|point| 1e-4 * point[0] * (2.0 * dice.normal()).exp()).collect());
    assert!(noisy.iter().any(|warning| matches!(warning, Warning::Noisy { .. })), "{noisy:?}");
}

/// A formula in N whose work is divided among processors: a term may patch it, another variable makes it right.
#[test]
fn a_change_of_variable_is_proposed() {
    let points: Vec<Vec<f64>> =
        sizes(1024.0, 2.0, 8).iter().flat_map(|n| [1.0, 2.0, 4.0, 8.0].map(|p| vec![*n, p])).collect();
    let mut dice = Dice::new(11);
    let mut time = |point: &Vec<f64>| {
        let n = point[0] / point[1];
        (2e-5 + 3e-9 * n * n.ln()) * (1.0 + 0.02 * dice.normal())
    };
    let times: Vec<f64> = points.iter().map(&mut time).collect();
    for formula in ["f[0] + f[1]*N*log(N)", "f[0] + f[1]*N*log(N) + f[2]*log(P)"] {
        let prepared = Settings::default().prepare(&experiment(formula, &["N", "P"], &points, times.clone()));
        let judged =
            Model::fit(&prepared).unwrap().judge(&prepared, &MeasuringConditions::default(), 0.9).unwrap();
        let [Warning::OtherVariable { variable, expression, share }, ..] = &judged.warnings[..] else {
            panic!("{:?}", judged.warnings)
        };
        assert!(variable == "N" && expression == "N/P" && *share > 0.95, "{:?}", judged.warnings);
    }
}

/// Five runs of a line, each with a factor of its own, five repetitions at each of eight sizes with noise of 1 %.
fn of_runs(seed: u64, between: f64, are_alike: bool) -> Experiment {
    runs_of(seed, [5, 5], between, are_alike)
}

/// The same with so many runs of so many repetitions.
fn runs_of(seed: u64, [count, repetitions]: [u32; 2], between: f64, are_alike: bool) -> Experiment {
    let mut dice = Dice::new(seed);
    let (mut points, mut times, mut runs) = (Vec::new(), Vec::new(), Vec::new());
    for run in 0..count {
        let factor = 1.0 + between * dice.normal();
        for size in 0..8 {
            let n = 1000.0 * f64::powi(2.0, size) + if are_alike { 0.0 } else { f64::from(run) };
            for _ in 0..repetitions {
                points.push(vec![n]);
                times.push(factor * (1e-3 + 2e-7 * n) * (1.0 + 0.01 * dice.normal()));
                runs.push(run);
            }
        }
    }
    let mut all = experiment("f[0] + f[1]*N", &["N"], &points, times);
    all.samples.run = runs;
    all
}

/// Five runs that differ by 5 % say so, those that do not are taken for one; where each has sizes of its own, nobody can tell.
#[test]
fn runs_that_differ_beyond_their_own_scatter_are_told() {
    let told = |between: f64, are_alike: bool| {
        let found = (0..40).flat_map(|seed| warnings(&of_runs(seed, between, are_alike)));
        found.filter(|warning| matches!(warning, Warning::RunsDiffer { .. })).collect::<Vec<_>>()
    };
    assert!(told(0.0, true).len() <= 2);
    assert!(told(0.05, false).is_empty());
    let differ = told(0.05, true);
    assert!(differ.len() >= 39, "{}", differ.len());
    let spreads: Vec<f64> = differ
        .iter()
        .filter_map(|warning| match warning {
            Warning::RunsDiffer { runs: 5, spread, uncertainty, level } => {
                // t of 4 degrees of freedom, over the root of five runs, of which the median is taken.
                let expected = spread * 2.776 * (1.41 / 5.0_f64).sqrt();
                assert!((uncertainty / expected - 1.0).abs() < 2e-3 && *level == 0.95);
                Some(*spread)
            }
            _ => None,
        })
        .collect();
    let mean = spreads.iter().sum::<f64>() / spreads.len() as f64;
    assert!((0.04..0.055).contains(&mean), "{mean}");
    assert!(differ[0].to_string().contains("5 runs differ from each other by"), "{}", differ[0]);
}

/// The errors of constants of runs that differ are those of the program, not of just these runs.
#[test]
fn constants_of_runs_that_differ_lie_in_their_intervals() {
    let truth = [1e-3, 2e-7];
    let mut held = [0; 2];
    for seed in 1000..1200 {
        let experiment = of_runs(seed, 0.05, true);
        let prepared = Settings::default().prepare(&experiment);
        let model = Model::fit(&prepared).unwrap();
        let judged = model.judge(&prepared, &MeasuringConditions::default(), 0.9).unwrap();
        for ((held, truth), estimate) in held.iter_mut().zip(truth).zip(&judged.quality.constants) {
            *held += usize::from((estimate.lower..=estimate.upper).contains(&truth));
        }
    }
    assert!(held.iter().all(|held| (172..=194).contains(held)), "{held:?} of 200");
}

/// What was condensed has the mean of each run, by which its errors are those of all measurements.
#[test]
fn runs_differ_as_much_when_they_were_condensed() {
    let settings = Settings { folding: Folding::Mean, ..Settings::default() };
    for seed in 0..10 {
        let all = runs_of(seed, [8, 50], 0.004, true);
        let judged = |experiment: &Experiment| {
            let prepared = settings.prepare(experiment);
            let model = Model::fit(&prepared).unwrap();
            let judged = model.judge(&prepared, &MeasuringConditions::default(), 0.9).unwrap();
            let effect = judged.warnings.iter().find_map(|warning| match warning {
                Warning::RunsDiffer { spread, .. } => Some(*spread),
                _ => None,
            });
            (model.cells()[0].fit.standard_errors.clone(), effect)
        };
        let (errors, effect) = judged(&all);
        let (of_condensed, effect_of_condensed) = judged(&all.summed_up());
        let is_near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-6;
        assert!(
            errors.iter().zip(&of_condensed).all(|(one, other)| is_near(*one, *other)),
            "{seed}: {errors:?} {of_condensed:?}"
        );
        let [Some(effect), Some(other)] = [effect, effect_of_condensed] else { panic!("{seed}: not told") };
        assert!(is_near(effect, other) && (0.001..0.009).contains(&effect), "{seed}: {effect} {other}");
    }
}

/// Of thousands of runs the mean is off by next to nothing.
#[test]
fn nobody_needs_more_than_thousands_of_runs() {
    let told = |between: f64| {
        let found = warnings(&runs_of(7, [3000, 2], between, true));
        found
            .into_iter()
            .find(|warning| matches!(warning, Warning::RunsDiffer { .. }))
            .map(|its| its.to_string())
    };
    assert_eq!(told(0.01), None);
    assert!(told(0.05).unwrap().contains("about ± 0.2 % of each"));
}
