//! Questions asked backwards, with answers known from brute force or by hand.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

mod planted;

use call_model::question::{
    Choice, NoAnswer, Numbers, Objective, Span, best, crossings, isoefficiency, largest, scaling,
};
use call_model::{Forecaster, Model, Settings};
use call_trace::Experiment;
use planted::Dice;

/// Times at a grid of N = 2, 4, …, 2048 and P = 1, 2, 4, 8 with noise of 1 %, or none.
fn measured(formula: &str, noise: f64, time_s: impl Fn(f64, f64) -> f64) -> Experiment {
    let points: Vec<Vec<f64>> =
        (1..=11).flat_map(|n| [1.0, 2.0, 4.0, 8.0].map(|p| vec![f64::powi(2.0, n), p])).collect();
    let mut dice = Dice::new(7);
    let times = points.iter().map(|point| time_s(point[0], point[1]) * (1.0 + noise * dice.normal()));
    planted::experiment(formula, &["N", "P"], &points, times.collect())
}

fn model(experiment: &Experiment) -> Model {
    Model::fit(&Settings::default().prepare(experiment)).unwrap()
}

fn span(lowest: f64, highest: f64) -> Span {
    Span { lowest, highest }
}

/// Jumps from 1e-6 N up to N = 64 to 1e-5 + 0.5e-6 N beyond: the times at 43 to 64 come again at 65 to 108.
fn jump(n: f64) -> f64 {
    if n <= 64.0 { 1e-6 * n } else { 6e-5 + 0.5e-6 * n }
}

#[test]
fn the_largest_size_is_that_of_brute_force() {
    let experiment = measured("f[0] + f[1]*N", 0.0, |n, _| jump(n));
    let model = model(&experiment);
    assert_eq!(model.cells().len(), 2);
    let forecaster = Forecaster::new(&model, &model.settings().prepare(&experiment)).unwrap();
    for limit_s in [1.5e-6, 3e-5, 6.4e-5, 8e-5, 9.3e-5, 1e-4, 5e-3] {
        let brute = (1..=20_000).map(f64::from).rfind(|n| model.predict(&[*n]).time_s <= limit_s).unwrap();
        let answer = largest(&forecaster, "N", &[], limit_s, Numbers::Whole, None, 0.9).unwrap();
        assert_eq!(answer.value, brute, "{limit_s}");
        assert!(!answer.is_end && answer.forecast.prediction.time_s <= limit_s);
        assert!(answer.safe.is_none_or(|safe| safe <= answer.value));
        let real = largest(&forecaster, "N", &[], limit_s, Numbers::Real, None, 0.9).unwrap().value;
        assert!(real.floor() == brute && model.predict(&[real]).time_s <= limit_s, "{real} {brute}");
    }
    let far = largest(&forecaster, "N", &[], 1.0, Numbers::Whole, None, 0.9).unwrap();
    assert!(far.forecast.extrapolation() > 900.0);
}

#[test]
fn a_dip_behind_a_jump_is_told() {
    let drop = |n: f64| if n <= 64.0 { 1e-6 * n } else { 2e-7 * n };
    let experiment = measured("f[0]*N", 0.0, |n, _| drop(n));
    let model = model(&experiment);
    let forecaster = Forecaster::new(&model, &model.settings().prepare(&experiment)).unwrap();
    let answer = largest(&forecaster, "N", &[], 4.05e-5, Numbers::Whole, None, 0.9).unwrap();
    assert_eq!((answer.value, answer.longer_from), (202.0, Some(41.0)));
}

#[test]
fn a_limit_may_be_out_of_reach() {
    let experiment = measured("f[0] + f[1]*N/P", 0.01, |n, p| 1e-3 + 1e-6 * n / p);
    let model = model(&experiment);
    let forecaster = Forecaster::new(&model, &model.settings().prepare(&experiment)).unwrap();
    let ask = |variable, fixed: &[(&str, f64)], limit_s, range| {
        largest(&forecaster, variable, fixed, limit_s, Numbers::Whole, range, 0.9)
    };
    let error = ask("N", &[("P", 2.0)], 1e-4, None).unwrap_err();
    assert!(matches!(error, NoAnswer::TooLong { value: 1.0, .. }), "{error}");
    let error = ask("P", &[("N", 100.0)], 1.0, None).unwrap_err();
    assert!(matches!(error, NoAnswer::NoLimit { .. }), "{error}");
    let answer = ask("P", &[("N", 100.0)], 1.0, Some(span(1.0, 64.0))).unwrap();
    assert!(answer.is_end && answer.value == 64.0);
    let safe = ask("N", &[("P", 1.0)], 0.01, None).unwrap();
    assert!(safe.safe.unwrap() < safe.value);

    let text = |error: NoAnswer| error.to_string();
    assert_eq!(
        text(ask("M", &[], 1.0, None).unwrap_err()),
        "the formula has no variable `M`: it has `N`, `P`"
    );
    assert_eq!(text(ask("N", &[], 1.0, None).unwrap_err()), "a value is needed for `P`");
    assert!(matches!(ask("N", &[("N", 1.0)], 1.0, None), Err(NoAnswer::GivenTwice { .. })));
    assert!(matches!(ask("N", &[("P", f64::NAN)], 1.0, None), Err(NoAnswer::NotFinite { .. })));
    assert!(matches!(ask("N", &[("P", 1.0)], f64::NAN, None), Err(NoAnswer::NotFinite { .. })));
    assert!(matches!(ask("N", &[("P", 1.0)], 1.0, Some(span(5.0, 2.0))), Err(NoAnswer::EmptyRange { .. })));
}

#[test]
fn misspelt_variables_get_a_suggestion() {
    let points: Vec<Vec<f64>> = (1..=8).map(|n| vec![f64::from(n)]).collect();
    let times = points.iter().map(|point| point[0]).collect();
    let experiment = planted::experiment("f[0]*size", &["size"], &points, times);
    let model = model(&experiment);
    let forecaster = Forecaster::new(&model, &model.settings().prepare(&experiment)).unwrap();
    let error = largest(&forecaster, "sieze", &[], 1.0, Numbers::Whole, None, 0.9).unwrap_err();
    assert_eq!(error.to_string(), "the formula has no variable `sieze`: did you mean `size`?");
}

/// c N / P + d P is least at P = sqrt(c N / d).
#[test]
fn the_best_number_of_processors() {
    let (c, d) = (1e-6, 1e-5);
    let experiment = measured("f[0]*N/P + f[1]*P", 0.0, |n, p| c * n / p + d * p);
    let model = model(&experiment);
    let forecaster = Forecaster::new(&model, &model.settings().prepare(&experiment)).unwrap();
    let ask = |choice, objective| best(&forecaster, "P", &[("N", 2000.0)], &choice, objective, 0.9).unwrap();
    let exact = f64::sqrt(c * 2000.0 / d);

    let real = ask(Choice::Real(span(1.0, 1000.0)), Objective::Time);
    assert!((real.best.value / exact - 1.0).abs() < 1e-6, "{} {exact}", real.best.value);
    assert!(!real.is_end && real.nearly.lowest < exact && exact < real.nearly.highest);
    let time = |p: f64| model.predict(&[2000.0, p]).time_s;
    let brute = (1..=1000).map(f64::from).min_by(|a, b| time(*a).total_cmp(&time(*b))).unwrap();
    assert_eq!(ask(Choice::Whole(span(1.0, 1000.0)), Objective::Time).best.value, brute);
    let twos = Choice::Factor { span: span(1.0, 1024.0), factor: 2.0 };
    assert_eq!(ask(twos.clone(), Objective::Time).best.value, 16.0);
    // Processor-seconds c N + d P² are least on one processor.
    let cheapest = ask(twos, Objective::ProcessorSeconds);
    assert!(cheapest.best.value == 1.0 && cheapest.is_end);
    let list = ask(Choice::List(vec![20.0, 12.0, 3.0, f64::NAN]), Objective::Time);
    assert!(list.best.value == 12.0 && list.best.cost == time(12.0));

    let fails = |choice| best(&forecaster, "P", &[("N", 8.0)], &choice, Objective::Time, 0.9).unwrap_err();
    assert!(matches!(fails(Choice::List(vec![f64::NAN])), NoAnswer::NoValues));
    assert!(matches!(fails(Choice::Whole(span(5.0, 2.0))), NoAnswer::EmptyRange { .. }));
    let huge =
        best(&forecaster, "P", &[("N", 8.0)], &Choice::Whole(span(1e300, 1e300)), Objective::Time, 0.9);
    assert_eq!(huge.unwrap().best.value, 1e300);
    assert!(matches!(fails(Choice::Whole(span(1.0, 1e9))), NoAnswer::TooMany { .. }));
    assert!(matches!(
        fails(Choice::Factor { span: span(0.0, 8.0), factor: 2.0 }),
        NoAnswer::EmptyRange { .. }
    ));
    assert!(matches!(fails(Choice::List(vec![-1.0])), NoAnswer::NoTime));
}

#[test]
fn all_crossings_are_found() {
    // 1e-8 N² and 1e-6 N + 2.1e-5 - ... cross where N² - 100 N + 2100 = 0, at 30 and 70.
    let first = measured("f[0]*N*N + f[1]", 0.0, |n, _| 1e-8 * n * n + 2.1e-5);
    let second = measured("f[0]*N", 0.0, |n, _| 1e-6 * n);
    let (a, b) = (model(&first), model(&second));
    let (a, b) = (
        Forecaster::new(&a, &a.settings().prepare(&first)).unwrap(),
        Forecaster::new(&b, &b.settings().prepare(&second)).unwrap(),
    );
    let found = crossings([&a, &b], "N", &[], span(1.0, 1e6), 0.9).unwrap();
    assert!(!found.first_is_faster_at_start);
    let values: Vec<f64> = found.crossings.iter().map(|crossing| crossing.value).collect();
    assert!(
        values.len() == 2 && (values[0] - 30.0).abs() < 1e-6 && (values[1] - 70.0).abs() < 1e-6,
        "{values:?}"
    );
    let ways = found.crossings.iter().map(|crossing| (crossing.first_is_faster_above, crossing.is_jump));
    assert_eq!(ways.collect::<Vec<_>>(), [(true, false), (false, false)]);
    assert!(crossings([&a, &b], "N", &[], span(100.0, 1e6), 0.9).unwrap().crossings.is_empty());
    assert!(matches!(crossings([&a, &a], "N", &[], span(1.0, 9.0), 0.9), Err(NoAnswer::Alike { .. })));
}

#[test]
fn models_may_change_places_by_a_jump() {
    let first = measured("f[0] + f[1]*N", 0.0, |n, _| jump(n));
    let second = measured("f[0]*N + f[1]*P", 0.0, |n, p| 1.1e-6 * n + 1e-12 * p);
    let (a, b) = (model(&first), model(&second));
    let (a, b) = (
        Forecaster::new(&a, &a.settings().prepare(&first)).unwrap(),
        Forecaster::new(&b, &b.settings().prepare(&second)).unwrap(),
    );
    let found = crossings([&a, &b], "N", &[("P", 1.0)], span(1.0, 2048.0), 0.9).unwrap();
    let [jump, smooth] = &found.crossings[..] else { panic!("{found:?}") };
    assert!(jump.is_jump && jump.value == 64.0 && !jump.first_is_faster_above);
    // 6e-5 + 0.5e-6 N = 1.1e-6 N at 100.
    assert!(!smooth.is_jump && (smooth.value - 100.0).abs() < 1e-3 && smooth.first_is_faster_above);
    assert!(matches!(
        crossings([&a, &b], "N", &[], span(1.0, 9.0), 0.9),
        Err(NoAnswer::MissingValues { .. })
    ));
}

/// Amdahl's law with a tenth that is not parallel: 1 / (0.1 + 0.9 / P).
#[test]
fn speed_up_is_amdahls() {
    let experiment = measured("f[0]*N + f[1]*N/P", 0.0, |n, p| 1e-6 * n * (0.1 + 0.9 / p));
    let model = model(&experiment);
    let forecaster = Forecaster::new(&model, &model.settings().prepare(&experiment)).unwrap();
    let curve = scaling(&forecaster, "P", &[("N", 512.0)], &[1.0, 8.0, 64.0], 1.0, 0.9).unwrap();
    for row in &curve.rows {
        let amdahl = 1.0 / (0.1 + 0.9 / row.processors);
        assert!((row.speedup / amdahl - 1.0).abs() < 1e-9 && row.efficiency == row.speedup / row.processors);
    }
    assert_eq!((curve.base_forecast.extrapolation(), curve.rows[2].forecast.extrapolation()), (1.0, 8.0));
    let from_four = scaling(&forecaster, "P", &[("N", 512.0)], &[4.0, 8.0], 4.0, 0.9).unwrap();
    assert!((from_four.rows[0].speedup - 4.0).abs() < 1e-12 && from_four.rows[0].efficiency == 1.0);
    assert!(matches!(
        scaling(&forecaster, "P", &[("N", 1.0)], &[0.0], 1.0, 0.9),
        Err(NoAnswer::NotPositive { .. })
    ));
    assert!(matches!(scaling(&forecaster, "P", &[("N", -1.0)], &[2.0], 1.0, 0.9), Err(NoAnswer::NoTime)));
}

/// With c N / P + d P the efficiency (c N + d) / (c N + d P²) is E at N = d (E P² - 1) / (c (1 - E)).
#[test]
fn isoefficiency_is_that_of_the_formula() {
    let (c, d) = (1e-6, 1e-5);
    let experiment = measured("f[0]*N/P + f[1]*P", 0.0, |n, p| c * n / p + d * p);
    let model = model(&experiment);
    let forecaster = Forecaster::new(&model, &model.settings().prepare(&experiment)).unwrap();
    let ask = |efficiency, highest| {
        let sizes = (span(1.0, highest), Numbers::Real);
        isoefficiency(&forecaster, ["P", "N"], &[], &[1.0, 2.0, 8.0, 64.0], efficiency, sizes, 0.9)
    };
    for needed in ask(0.8, 1e9).unwrap().sizes {
        let (size, efficiency, _) = needed.size.unwrap();
        let exact = f64::max(d * (0.8 * needed.processors.powi(2) - 1.0) / (c * (1.0 - 0.8)), 1.0);
        assert!((size / exact - 1.0).abs() < 1e-6, "{} {size} {exact}", needed.processors);
        assert!(efficiency >= 0.8 - 1e-9);
    }
    let few = ask(0.8, 1000.0).unwrap();
    assert!(matches!(few.sizes[3].size, Err(NoAnswer::NotReached { .. })), "{few:?}");
    assert!(matches!(ask(1.5, 10.0), Err(NoAnswer::Efficiency { .. })));
}
