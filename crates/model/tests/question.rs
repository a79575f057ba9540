//! Questions asked backwards, with answers known from brute force or by hand.

use crate::planted;
use crate::planted::Dice;
use call_grammar::Quantity;
use call_model::question::{
    ExtremeEnd, Limit, NoAnswer, NumberDomain, Objective, Slice, SmallestSize, ValueRange, best, crossings,
    extreme, isoefficiency, largest, scaling, speedup,
};
use call_model::{Definition, Definitions, Forecaster, Model, Remark, Settings};
use call_trace::Experiment;

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

fn span(lowest: f64, highest: f64) -> ValueRange {
    ValueRange { lowest, highest }
}

/// The model of N and P along N.
fn along_n(forecaster: &Forecaster, processors: f64) -> Slice<'_> {
    Slice::new(forecaster, &["N"], &[("P", processors)])
}

/// The same along P.
fn along_p(forecaster: &Forecaster, n: f64) -> Slice<'_> {
    Slice::new(forecaster, &["P"], &[("N", n)])
}

/// A model of N alone.
fn of_n(forecaster: &Forecaster) -> Slice<'_> {
    Slice::new(forecaster, &["N"], &[])
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
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    for limit_s in [1.5e-6, 3e-5, 6.4e-5, 8e-5, 9.3e-5, 1e-4, 5e-3] {
        let brute = (1..=20_000).map(f64::from).rfind(|n| model.predict(&[*n]).time_s <= limit_s).unwrap();
        let line = of_n(&forecaster);
        let answer = largest(&line, limit_s, NumberDomain::Whole, span(1.0, 2e9), 0.9).unwrap();
        assert_eq!(answer.value, brute, "{limit_s}");
        assert!(!answer.is_end && answer.forecast.prediction.time_s <= limit_s);
        assert!(answer.safe.is_none_or(|safe| safe <= answer.value));
        let real = largest(&line, limit_s, NumberDomain::Real, span(1.0, 2e9), 0.9).unwrap().value;
        assert!(real.floor() == brute && model.predict(&[real]).time_s <= limit_s, "{real} {brute}");
    }
    let far = largest(&of_n(&forecaster), 1.0, NumberDomain::Whole, span(1.0, 2e9), 0.9).unwrap();
    assert!(far.forecast.extrapolation() > 900.0);
}

#[test]
fn a_dip_behind_a_jump_is_told() {
    let drop = |n: f64| if n <= 64.0 { 1e-6 * n } else { 2e-7 * n };
    let experiment = measured("f[0]*N", 0.0, |n, _| drop(n));
    let model = model(&experiment);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let answer = largest(&of_n(&forecaster), 4.05e-5, NumberDomain::Whole, span(1.0, 2e9), 0.9).unwrap();
    assert_eq!((answer.value, answer.longer_from), (202.0, Some(41.0)));
    let smallest = |range| {
        let line = of_n(&forecaster);
        let answer =
            extreme(&line, ExtremeEnd::Smallest, Limit::AtMost(4.05e-5), NumberDomain::Whole, range, 0.9)
                .unwrap();
        (answer.value, answer.is_end, answer.longer_from)
    };
    assert_eq!(smallest(span(1.0, 2e9)), (1.0, true, Some(41.0)));
    assert_eq!(smallest(span(50.0, 2e9)), (65.0, false, Some(203.0)));
    assert_eq!(smallest(span(50.0, 200.0)), (65.0, false, None));
}

/// A rate of 10 P / (1 + P / 8) on P processors.
#[test]
fn of_a_rate_the_largest_is_best_and_a_limit_is_reached() {
    let experiment = measured("f[0]*P/(1 + P/8)", 0.001, |_, p| 10.0 * p / (1.0 + p / 8.0));
    let model = model(&experiment);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let line = along_p(&forecaster, 100.0);
    let found = best(&line, &[1.0, 2.0, 4.0, 8.0], Objective::Rate, 0.9).unwrap();
    assert!(found.value == 8.0 && (found.cost - 40.0).abs() < 0.1 && found.nearly.lowest == 8.0, "{found:?}");
    let ask = |end, limit| extreme(&line, end, limit, NumberDomain::Whole, span(1.0, 64.0), 0.9);
    let fewest = ask(ExtremeEnd::Smallest, Limit::AtLeast(30.0)).unwrap();
    assert!(fewest.value == 5.0 && !fewest.is_end && fewest.longer_from.is_none(), "{fewest:?}");
    assert_eq!(fewest.safe, Some(5.0));
    let error = ask(ExtremeEnd::Smallest, Limit::AtLeast(90.0)).unwrap_err();
    assert!(matches!(error, NoAnswer::TooLittle { .. }) && error.is_no(), "{error}");
}

#[test]
fn a_limit_may_be_out_of_reach() {
    let experiment = measured("f[0] + f[1]*N/P", 0.01, |n, p| 1e-3 + 1e-6 * n / p);
    let model = model(&experiment);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let ask = |slice: Slice, limit_s, range| largest(&slice, limit_s, NumberDomain::Whole, range, 0.9);
    let error = ask(along_n(&forecaster, 2.0), 1e-4, span(1.0, 2e9)).unwrap_err();
    assert!(matches!(error, NoAnswer::TooLong { value: 1.0, .. }), "{error}");
    let answer = ask(along_p(&forecaster, 100.0), 1.0, span(1.0, 64.0)).unwrap();
    assert!(answer.is_end && answer.value == 64.0);
    let safe = ask(along_n(&forecaster, 1.0), 0.01, span(1.0, 2e9)).unwrap();
    assert!(safe.safe.unwrap() < safe.value);

    let fails = |limit_s, range| ask(along_n(&forecaster, 1.0), limit_s, range).unwrap_err();
    assert!(matches!(fails(f64::NAN, span(1.0, 9.0)), NoAnswer::Limit { .. }));
    assert!(matches!(fails(1.0, span(5.0, 2.0)), NoAnswer::EmptyRange { .. }));
}

/// A formula of m = N / P that jumps at m = 64, asked along N and along P.
#[test]
fn a_line_may_go_along_what_variables_are_computed_from() {
    let points: Vec<Vec<f64>> = (1..=11).map(|m| vec![f64::powi(2.0, m)]).collect();
    let times = points.iter().map(|point| jump(point[0])).collect();
    let experiment = planted::experiment("f[0] + f[1]*m", &["m"], &points, times);
    let model = model(&experiment);
    assert_eq!(model.cells().len(), 2);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let m = Definition::of_quantity("m", &Quantity::parse("N/P").unwrap());
    let forecaster = forecaster.known_as("f", Definitions::from_iter([m]));
    let along_n = along_n(&forecaster, 8.0);
    // Behind the jump m µs becomes 60 µs + m / 2: 93.6 µs are enough for m = 67.2, N = 537.6.
    let answer = largest(&along_n, 9.36e-5, NumberDomain::Whole, span(1.0, 1e6), 0.9).unwrap();
    assert_eq!(answer.value, 537.0);
    // 80 µs lie in the jump, whose last value before is N = 8 * 64.
    let answer = largest(&along_n, 8e-5, NumberDomain::Real, span(1.0, 1e6), 0.9).unwrap();
    assert_eq!((answer.value, answer.longer_from), (512.0, None));
    // m falls along P, and the jump is at P = 1024 / 64.
    let along_p = along_p(&forecaster, 1024.0);
    let crossing = |m: f64| {
        let constant = Slice::new(&forecaster, &["P"], &[("m", m)]);
        let found = crossings([&along_p, &constant], span(1.0, 64.0), 0.9).unwrap();
        let [only] = &found.crossings[..] else { panic!("{found:?}") };
        assert!(only.first_is_faster_above, "{only:?}");
        only.value
    };
    assert!((crossing(32.0) - 32.0).abs() < 1e-9 && (crossing(64.000_001) - 16.0).abs() < 1e-6);
}

/// Saw teeth of 64 that rise slowly: 5 ms + 0.1 ms for each N mod 64 + 0.01 ms for each N.
#[test]
fn narrow_windows_of_formulas_that_jump_are_found() {
    let teeth = |n: f64| 5e-3 + 1e-4 * (n % 64.0) + 1e-5 * n;
    let points: Vec<Vec<f64>> = (1..=60).map(|n| vec![f64::from(7 * n)]).collect();
    let times = points.iter().map(|point| teeth(point[0])).collect();
    let experiment = planted::experiment("f[0] + f[1]*fmod(N, 64) + f[2]*N", &["N"], &points, times);
    let model = model(&experiment);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let limit_s = 9.005e-3;
    let brute = (1..=1_000_000).map(f64::from).rfind(|n| teeth(*n) <= limit_s).unwrap();
    assert_eq!(brute, 385.0);
    let is_told = |remarks: &[Remark]| remarks.iter().any(|its| matches!(its, Remark::NotAllLookedAt { .. }));
    for (highest, is_open) in [(400.0, false), (1000.0, false), (4e8, true)] {
        let line = of_n(&forecaster);
        let answer = largest(&line, limit_s, NumberDomain::Whole, span(1.0, highest), 0.9).unwrap();
        assert_eq!((answer.value, is_told(&answer.forecast.remarks)), (brute, is_open), "{highest}");
        assert_eq!(answer.longer_from, Some(37.0));
    }
    // The last tooth begins at 320.
    let line = of_n(&forecaster);
    let (limit, range) = (Limit::AtMost(limit_s), span(300.0, 4e5));
    let first = extreme(&line, ExtremeEnd::Smallest, limit, NumberDomain::Whole, range, 0.9).unwrap();
    assert_eq!((first.value, is_told(&first.forecast.remarks)), (320.0, false));
    // Two of the same kind cross where the grid has no values.
    let other = planted::experiment("f[0]", &["N"], &points, vec![9.005e-3; 60]);
    let other = Forecaster::new(self::model(&other), &Settings::default().prepare(&other)).unwrap();
    let found = crossings([&of_n(&forecaster), &of_n(&other)], span(300.0, 400.0), 0.9).unwrap();
    let whole = (300..=400).map(f64::from);
    let is_faster: Vec<bool> = whole.map(|n| teeth(n) <= limit_s).collect();
    let changes = is_faster.windows(2).filter(|pair| pair[0] != pair[1]).count();
    assert_eq!((found.crossings.len(), found.more, found.remarks.len()), (changes, 0, 0), "{found:?}");
}

/// The efficiency that a size is found for is the one that `speedup` tells for it, whatever number of processors samples begin at.
#[test]
fn sizes_and_speedups_have_one_base() {
    let points: Vec<Vec<f64>> =
        (4..=11).flat_map(|n| [2.0, 4.0, 8.0].map(|p| vec![f64::powi(2.0, n), p])).collect();
    let times = points.iter().map(|point| 1e-3 + 1e-6 * point[0] / point[1] + 1e-4 * point[1]).collect();
    let experiment = planted::experiment("f[0] + f[1]*N/P + f[2]*P", &["N", "P"], &points, times);
    let forecaster = Forecaster::new(model(&experiment), &Settings::default().prepare(&experiment)).unwrap();
    let line = Slice::new(&forecaster, &["P", "N"], &[]);
    for (base, expected) in [(None, 2.0), (Some(1.0), 1.0), (Some(4.0), 4.0)] {
        let sizes = (span(1.0, 1e9), NumberDomain::Real);
        let found = isoefficiency(&line, &[8.0], base, 0.8, sizes, 0.9).unwrap();
        assert_eq!(found.base, expected);
        let needed = found.sizes[0].size.as_ref().unwrap();
        let told = speedup(&along_p(&forecaster, needed.size), &[8.0], base, 0.9).unwrap();
        assert_eq!(told.base, expected);
        assert!((told.rows[0].efficiency - 0.8).abs() < 1e-9 && (needed.efficiency - 0.8).abs() < 1e-9);
    }
}

/// At 0 the logarithm has no value: nobody is faster there.
#[test]
fn models_are_compared_where_both_predict() {
    let points: Vec<Vec<f64>> = (0..=11).map(|n| vec![f64::powi(2.0, n)]).collect();
    let model_of = |formula: &str, time: fn(f64) -> f64| {
        let times = points.iter().map(|point| time(point[0])).collect();
        let experiment = planted::experiment(formula, &["N"], &points, times);
        Forecaster::new(model(&experiment), &Settings::default().prepare(&experiment)).unwrap()
    };
    let logarithm = model_of("f[0] + f[1]*log(N)", |n| 1e-5 + 1e-6 * n.ln());
    let line = model_of("f[0]*N", |n| 1e-6 * n);
    let found = crossings([&of_n(&logarithm), &of_n(&line)], span(0.0, 100.0), 0.9).unwrap();
    assert!(found.start > 0.0 && found.start < 1.0 && !found.first_is_faster_at_start, "{found:?}");
    let [only] = &found.crossings[..] else { panic!("{found:?}") };
    assert!(only.first_is_faster_above && (only.value - 12.528).abs() < 1e-2, "{only:?}");
}

/// c N / P + d P is least at P = sqrt(c N / d).
#[test]
fn the_best_number_of_processors() {
    let (c, d) = (1e-6, 1e-5);
    let experiment = measured("f[0]*N/P + f[1]*P", 0.0, |n, p| c * n / p + d * p);
    let model = model(&experiment);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let line = along_p(&forecaster, 2000.0);
    let ask = |values: &[f64], objective| best(&line, values, objective, 0.9).unwrap();
    let exact = f64::sqrt(c * 2000.0 / d);

    let whole: Vec<f64> = (1..=1000).map(f64::from).collect();
    let time = |p: f64| model.predict(&[2000.0, p]).time_s;
    let brute = whole.iter().copied().min_by(|a, b| time(*a).total_cmp(&time(*b))).unwrap();
    let found = ask(&whole, Objective::Time);
    assert_eq!(found.value, brute);
    assert!(!found.is_end && found.nearly.lowest < exact && exact < found.nearly.highest);
    let twos: Vec<f64> = (0..=10).map(|power| f64::powi(2.0, power)).collect();
    assert_eq!(ask(&twos, Objective::Time).value, 16.0);
    // Processor-seconds c N + d P² are least on one processor.
    let cheapest = ask(&twos, Objective::ProcessorSeconds);
    assert!(cheapest.value == 1.0 && cheapest.is_end);
    let list = ask(&[20.0, 12.0, 3.0, f64::NAN], Objective::Time);
    assert!(list.value == 12.0 && list.cost == time(12.0));

    let short = along_p(&forecaster, 8.0);
    let fails = |values: &[f64]| best(&short, values, Objective::Time, 0.9).unwrap_err();
    assert!(matches!(fails(&[f64::NAN]), NoAnswer::NoValues));
    assert!(matches!(fails(&[]), NoAnswer::NoValues));
    assert_eq!(best(&short, &[1e300], Objective::Time, 0.9).unwrap().value, 1e300);
    assert!(matches!(fails(&[-1.0]), NoAnswer::NoTime));
}

#[test]
fn all_crossings_are_found() {
    // 1e-8 N² and 1e-6 N + 2.1e-5 - ... cross where N² - 100 N + 2100 = 0, at 30 and 70.
    let first = measured("f[0]*N*N + f[1]", 0.0, |n, _| 1e-8 * n * n + 2.1e-5);
    let second = measured("f[0]*N", 0.0, |n, _| 1e-6 * n);
    let (a, b) = (model(&first), model(&second));
    let (a, b) = (
        Forecaster::new(a.clone(), &a.settings().prepare(&first)).unwrap(),
        Forecaster::new(b.clone(), &b.settings().prepare(&second)).unwrap(),
    );
    let (a, b) = (of_n(&a), of_n(&b));
    let found = crossings([&a, &b], span(1.0, 1e6), 0.9).unwrap();
    assert!(!found.first_is_faster_at_start);
    let values: Vec<f64> = found.crossings.iter().map(|crossing| crossing.value).collect();
    assert!(
        values.len() == 2 && (values[0] - 30.0).abs() < 1e-6 && (values[1] - 70.0).abs() < 1e-6,
        "{values:?}"
    );
    let ways = found.crossings.iter().map(|crossing| (crossing.first_is_faster_above, crossing.is_jump));
    assert_eq!(ways.collect::<Vec<_>>(), [(true, false), (false, false)]);
    assert!(crossings([&a, &b], span(100.0, 1e6), 0.9).unwrap().crossings.is_empty());
    assert!(matches!(crossings([&a, &a], span(1.0, 9.0), 0.9), Err(NoAnswer::Alike { .. })));
}

#[test]
fn models_may_change_places_by_a_jump() {
    let first = measured("f[0] + f[1]*N", 0.0, |n, _| jump(n));
    let second = measured("f[0]*N + f[1]*P", 0.0, |n, p| 1.1e-6 * n + 1e-12 * p);
    let (a, b) = (model(&first), model(&second));
    let (a, b) = (
        Forecaster::new(a.clone(), &a.settings().prepare(&first)).unwrap(),
        Forecaster::new(b.clone(), &b.settings().prepare(&second)).unwrap(),
    );
    let found = crossings([&of_n(&a), &along_n(&b, 1.0)], span(1.0, 2048.0), 0.9).unwrap();
    let [jump, smooth] = &found.crossings[..] else { panic!("{found:?}") };
    assert!(jump.is_jump && jump.value == 64.0 && !jump.first_is_faster_above);
    // 6e-5 + 0.5e-6 N = 1.1e-6 N at 100.
    assert!(!smooth.is_jump && (smooth.value - 100.0).abs() < 1e-3 && smooth.first_is_faster_above);
}

/// Amdahl's law with a tenth that is not parallel: 1 / (0.1 + 0.9 / P).
#[test]
fn speed_up_is_amdahls() {
    let experiment = measured("f[0]*N + f[1]*N/P", 0.0, |n, p| 1e-6 * n * (0.1 + 0.9 / p));
    let model = model(&experiment);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let curve = scaling(&along_p(&forecaster, 512.0), &[1.0, 8.0, 64.0], 1.0, 0.9).unwrap();
    for row in &curve.rows {
        let amdahl = 1.0 / (0.1 + 0.9 / row.processors);
        assert!((row.speedup / amdahl - 1.0).abs() < 1e-9 && row.efficiency == row.speedup / row.processors);
    }
    assert_eq!((curve.base_forecast.extrapolation(), curve.rows[2].forecast.extrapolation()), (1.0, 8.0));
    let from_four = scaling(&along_p(&forecaster, 512.0), &[4.0, 8.0], 4.0, 0.9).unwrap();
    assert!((from_four.rows[0].speedup - 4.0).abs() < 1e-12 && from_four.rows[0].efficiency == 1.0);
    let fails = |n, processors| scaling(&along_p(&forecaster, n), &[processors], 1.0, 0.9).unwrap_err();
    assert!(matches!(fails(1.0, 0.0), NoAnswer::NotPositive { .. }));
    assert!(matches!(fails(-1.0, 2.0), NoAnswer::NoTime));
}

/// With c N / P + d P the efficiency (c N + d) / (c N + d P²) is E at N = d (E P² - 1) / (c (1 - E)).
#[test]
fn isoefficiency_is_that_of_the_formula() {
    let (c, d) = (1e-6, 1e-5);
    let experiment = measured("f[0]*N/P + f[1]*P", 0.0, |n, p| c * n / p + d * p);
    let model = model(&experiment);
    let forecaster = Forecaster::new(model.clone(), &model.settings().prepare(&experiment)).unwrap();
    let line = Slice::new(&forecaster, &["P", "N"], &[]);
    let ask = |efficiency, highest| {
        let sizes = (span(1.0, highest), NumberDomain::Real);
        isoefficiency(&line, &[1.0, 2.0, 8.0, 64.0], None, efficiency, sizes, 0.9)
    };
    for needed in ask(0.8, 1e9).unwrap().sizes {
        let SmallestSize { size, efficiency, is_start, .. } = needed.size.unwrap();
        assert_eq!(is_start, needed.processors == 1.0);
        let exact = f64::max(d * (0.8 * needed.processors.powi(2) - 1.0) / (c * (1.0 - 0.8)), 1.0);
        assert!((size / exact - 1.0).abs() < 1e-6, "{} {size} {exact}", needed.processors);
        assert!(efficiency >= 0.8 - 1e-9);
    }
    let few = ask(0.8, 1000.0).unwrap();
    assert!(matches!(few.sizes[3].size, Err(NoAnswer::NotReached { .. })), "{few:?}");
    assert!(matches!(ask(1.5, 10.0), Err(NoAnswer::Efficiency { .. })));
}
