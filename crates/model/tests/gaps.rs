//! Between the last sample of one interval and the first of the next nobody knows whose constants hold.

use crate::planted::{self, Dice};
use call_model::question::{ExtremeEnd, Limit};
use call_model::question::{NumberDomain, Objective, Slice, ValueRange, best, crossings, extreme, largest};
use call_model::{Forecast, Forecaster, Gap, Model, ModelFile, Predictor, Remark, Settings};
use call_trace::Experiment;

const LEVEL: f64 = 0.9;
const SIZES: [f64; 8] = [1000.0, 2000.0, 4000.0, 8000.0, 16000.0, 32000.0, 64000.0, 128_000.0];

/// 10 µs + 10 ns N up to a border between 16000 and 32000, four times the slope behind it.
fn time_s(n: f64, border: f64) -> f64 {
    1e-5 + n * if n <= border { 1e-8 } else { 4e-8 }
}

fn forecaster(experiment: &Experiment) -> Forecaster {
    let prepared = Settings::default().prepare(experiment);
    Forecaster::new(Model::fit(&prepared).unwrap(), &prepared).unwrap()
}

fn measured(border: f64, seed: u64) -> Experiment {
    let mut dice = Dice::new(seed);
    let points: Vec<Vec<f64>> = SIZES.iter().flat_map(|n| [vec![*n], vec![*n], vec![*n]]).collect();
    let times = points.iter().map(|point| time_s(point[0], border) * (1.0 + 0.02 * dice.normal()));
    planted::experiment("f[0] + f[1]*N", &["N"], &points, times.collect())
}

fn gap_told(forecast: &Forecast) -> Option<(String, f64, f64, Option<f64>)> {
    forecast.remarks.iter().find_map(|remark| match remark {
        Remark::BetweenIntervals { variable, below, above, middle, .. } => {
            Some((variable.clone(), *below, *above, *middle))
        }
        _ => None,
    })
}

#[test]
fn intervals_in_a_gap_hold_both_sides() {
    let (mut within, mut all) = (0, 0);
    for seed in 0..20 {
        let mut dice = Dice::new(500 + seed);
        let border = 16000.0 * 2.0_f64.powf(dice.uniform());
        let forecaster = forecaster(&measured(border, seed));
        for n in [16001.0, 18000.0, 22000.0, 26000.0, 31999.0] {
            let forecast = forecaster.forecast(&[n], LEVEL);
            let measured = time_s(n, border) * (1.0 + 0.02 * dice.normal());
            within += usize::from(forecast.lower_s <= measured && measured <= forecast.upper_s);
            all += 1;
            assert_eq!(gap_told(&forecast), Some(("N".to_owned(), 16000.0, 32000.0, Some(23000.0))));
            // The value is the upper side's, whose constants are shown.
            assert!((forecast.prediction.time_s / time_s(n, 0.0) - 1.0).abs() < 0.05);
            assert!(forecast.lower_s < 1.05 * time_s(n, n) && 0.95 * time_s(n, 0.0) < forecast.upper_s);
        }
    }
    assert!(within as f64 > 0.9 * all as f64, "{within} of {all}");
}

#[test]
fn nothing_changes_where_samples_are_and_outside_of_gaps() {
    let forecaster = forecaster(&measured(20000.0, 1));
    for n in SIZES.into_iter().chain([10.0, 500.0, 3000.0, 15999.0, 32000.5, 50000.0, 1e6]) {
        let forecast = forecaster.forecast(&[n], LEVEL);
        let side = forecaster.forecast_of_side(&[n], forecast.prediction.cell, LEVEL);
        assert_eq!((forecast, gap_told(&side)), (side, None), "{n}");
    }
}

/// The border is at N = 4000 to 8000 whatever P is; behind it P matters otherwise from 4 to 8 on.
#[test]
fn gaps_of_two_variables_are_where_their_intervals_meet() {
    let truth = |n: f64, p: f64| match (n <= 4000.0, p <= 4.0) {
        (true, _) => 1e-5 + 1e-8 * n / p,
        (false, true) => 1e-5 + 6e-8 * n / p,
        (false, false) => 1e-5 + 20e-8 * n / p,
    };
    let points: Vec<Vec<f64>> = SIZES
        .iter()
        .flat_map(|n| [1.0, 2.0, 4.0, 8.0, 16.0, 32.0].map(|p| vec![*n, p]))
        .flat_map(|point| [point.clone(), point])
        .collect();
    let mut dice = Dice::new(3);
    let times = points.iter().map(|point| truth(point[0], point[1]) * (1.0 + 0.01 * dice.normal()));
    let forecaster =
        forecaster(&planted::experiment("f[0] + f[1]*N/P", &["N", "P"], &points, times.collect()));
    assert_eq!(forecaster.model().cells().len(), 3, "{:?}", forecaster.model().segmentation().splits);
    for point in &points {
        let forecast = forecaster.forecast(point, LEVEL);
        assert_eq!(gap_told(&forecast), None, "{point:?}");
    }
    let holds = |point: [f64; 2], possible: &[f64], apart: Option<&str>| {
        let forecast = forecaster.forecast(&point, LEVEL);
        assert_eq!(gap_told(&forecast).map(|gap| gap.0).as_deref(), apart, "{point:?}");
        for constant in possible {
            let time_s = 1e-5 + constant * point[0] / point[1];
            assert!(forecast.lower_s <= time_s && time_s <= forecast.upper_s, "{point:?} {constant}");
        }
    };
    holds([6000.0, 2.0], &[1e-8, 6e-8], Some("N"));
    holds([6000.0, 16.0], &[1e-8, 20e-8], Some("N"));
    holds([6000.0, 6.0], &[1e-8, 6e-8, 20e-8], Some("N"));
    holds([16000.0, 6.0], &[6e-8, 20e-8], Some("P"));
    holds([2000.0, 6.0], &[1e-8], None);
}

/// Whatever the border is, what is surely within the limit is, and no larger size than the possible one.
#[test]
fn questions_know_gaps() {
    let forecaster = forecaster(&measured(20000.0, 1));
    let slice = Slice::new(&forecaster, &["N"], &[]);
    let span = ValueRange { lowest: 1.0, highest: 1e9 };
    for limit_s in [2e-4, 2.5e-4, 6e-4, 1e-3, 1.2e-3] {
        let answer = largest(&slice, limit_s, NumberDomain::Whole, span, LEVEL).unwrap();
        let (safe, possible) = (answer.safe.unwrap(), answer.possible.unwrap_or(answer.value));
        for border in [16000.0, 20000.0, 24000.0, 31999.0] {
            assert!(time_s(safe, border) < limit_s, "{limit_s} {border}: {safe}");
            let truth = (1..100_000).map(f64::from).rfind(|n| time_s(*n, border) <= limit_s).unwrap();
            assert!(truth <= 1.01 * possible, "{limit_s} {border}: {possible} {truth}");
        }
        assert_eq!(answer.possible.is_some(), gap_told(&answer.forecast).is_some());
    }
    let answer = largest(&slice, 6e-4, NumberDomain::Whole, span, LEVEL).unwrap();
    assert_eq!((answer.value, answer.safe, answer.possible), (16000.0, Some(16000.0), Some(31999.0)));
    let beyond = largest(&slice, 3e-3, NumberDomain::Whole, span, LEVEL).unwrap();
    assert_eq!((beyond.possible, gap_told(&beyond.forecast)), (None, None));
    let smallest =
        extreme(&slice, ExtremeEnd::Smallest, Limit::AtMost(2e-4), NumberDomain::Whole, span, LEVEL).unwrap();
    assert_eq!((smallest.value, smallest.possible), (1.0, None));
    let cheapest = |values: &[f64]| best(&slice, values, Objective::Time, LEVEL).unwrap();
    assert!(gap_told(&cheapest(&[5000.0, 20000.0]).forecast).is_none());
    assert!(gap_told(&cheapest(&[31000.0, 40000.0]).forecast).is_some());
    let fast = planted::experiment(
        "f[0] + f[1]*N",
        &["N"],
        &SIZES.map(|n| vec![n]),
        SIZES.iter().map(|n| 2e-5 + 2e-8 * n).collect(),
    );
    let fast = self::forecaster(&fast);
    let other = Slice::new(&fast, &["N"], &[]);
    let span = ValueRange { lowest: 2000.0, highest: 1e5 };
    let found = crossings([&slice, &other], span, LEVEL).unwrap();
    let [crossing] = &found.crossings[..] else { panic!("{found:?}") };
    assert!(crossing.is_jump && crossing.value == 16000.0 && gap_told(&crossing.forecasts[0]).is_some());
}

#[test]
fn a_file_keeps_the_gaps_of_its_model() {
    let experiment = measured(20000.0, 1);
    let file = ModelFile {
        forecaster: forecaster(&experiment),
        response: None,
        definitions: Vec::new(),
        machine: None,
        runs: Vec::new(),
        measured_columns: Vec::new(),
        call: String::new(),
    };
    let text = file.to_text();
    let read = ModelFile::read(&text).unwrap();
    let at = [22000.0];
    assert_eq!(read.forecaster.forecast(&at, LEVEL), file.forecaster.forecast(&at, LEVEL));
    assert_eq!(Predictor::gaps(&read.forecaster), Predictor::gaps(&file.forecaster));
    // Files of before have borders without the sample above.
    let before = text.replacen("\"above\": 32000.0", "\"above\": 16000.0", 1);
    assert_ne!(before, text);
    let read = ModelFile::read(&before).unwrap();
    assert_eq!(gap_told(&read.forecaster.forecast(&at, LEVEL)), None);
    let wrong = text.replacen("\"above\": 32000.0", "\"above\": 15999.0", 1);
    assert_eq!(ModelFile::read(&wrong).unwrap_err().to_string(), "borders[0].above is below the border");
}

#[test]
fn gaps_are_halved_by_round_numbers() {
    let middle = |sizes: &[f64]| {
        let points: Vec<Vec<f64>> = sizes.iter().flat_map(|n| [vec![*n], vec![*n]]).collect();
        let half = sizes[sizes.len() / 2];
        let times = points.iter().map(|point| point[0] * if point[0] < half { 1e-6 } else { 1e-5 }).collect();
        let forecaster = forecaster(&planted::experiment("f[0]*N", &["N"], &points, times));
        let gaps: Vec<Gap> = Predictor::gaps(&forecaster);
        let [gap] = &gaps[..] else { panic!("{gaps:?}") };
        gap.middle
    };
    assert_eq!(middle(&[1.0, 2.0, 4.0, 1000.0, 2000.0, 4000.0]), Some(63.0));
    assert_eq!(middle(&[996.0, 998.0, 1000.0, 1002.0, 1004.0, 1006.0]), Some(1001.0));
    assert_eq!(middle(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), None);
    assert_eq!(middle(&[1.0, 2.0, 3.0, 3.5, 5.0, 6.0]), Some(3.2));
}
