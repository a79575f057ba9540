//! Rates beyond the processors that were measured: the truth is in the intervals, whatever law it follows.

use std::collections::BTreeMap;

use call_model::{Definitions, Predictor, Remark, SampledRange};
use call_search::{AveragedFormulas, Measurements, find};
use call_trace::Unit;

use crate::dice::Dice;

type Law = fn(f64) -> f64;

/// A law on 1 to 32 processors, three repetitions with 1 % of noise.
fn measured(law: Law, seed: u64, unit: &str) -> AveragedFormulas {
    let mut dice = Dice(seed);
    let processors: Vec<f64> = (0..18).map(|row| f64::powi(2.0, row / 3)).collect();
    let values: Vec<f64> = processors.iter().map(|p| law(*p) * (1.0 + 0.01 * dice.normal())).collect();
    let finding = find(&Measurements::new(&["P".to_owned()], &[&processors], &values));
    let sampled =
        BTreeMap::from([("P".to_owned(), SampledRange { lowest: 1.0, highest: 32.0, is_whole: true })]);
    AveragedFormulas::new("g", finding, Unit::named(unit).expect("a unit"), Definitions::default(), sampled)
}

const FAR: [f64; 4] = [48.0, 64.0, 128.0, 512.0];

/// In how many of 25 tables the interval of 90 % has the truth, for each of the far numbers of processors.
fn held(law: Law, unit: &str) -> [usize; FAR.len()] {
    let mut held = [0; FAR.len()];
    for seed in 0..25 {
        let averaged = measured(law, seed, unit);
        for (count, p) in held.iter_mut().zip(FAR) {
            let forecast = averaged.forecast(&[p], 0.9).expect("a forecast");
            *count += usize::from(forecast.lower_s <= law(p) && law(p) <= forecast.upper_s);
        }
    }
    held
}

fn amdahl(p: f64) -> f64 {
    2.0 / (0.05 + 0.95 / p)
}

#[test]
fn rates_that_saturate_grow_or_stay_lie_in_their_intervals() {
    let laws: [(&str, Law); 7] = [
        ("Amdahl", amdahl),
        ("logarithm", |p| 1.0 / (1.0 / p + 0.01 * p.log2())),
        ("ring", |p| 1.0 / (1.0 / p + 0.0005 * p)),
        ("linear", |p| 2.0 * p),
        ("constant", |_| 3.0),
        ("root", |p| 2.0 * p.sqrt()),
        ("offset", |p| 5.0 + 2.0 * p),
    ];
    for (name, law) in laws {
        let held = held(law, "GFLOPS");
        assert!(held.iter().all(|count| *count >= 20), "{name}: {held:?} of 25 at {FAR:?}");
    }
}

/// The prediction says that it is one by formulas of the reciprocal, which is Amdahl's law itself.
#[test]
fn amdahls_law_is_found_of_rates() {
    let averaged = measured(amdahl, 1, "GFLOPS");
    let forecast = averaged.forecast(&[512.0], 0.9).expect("a forecast");
    assert!((forecast.prediction.time_s / amdahl(512.0) - 1.0).abs() < 0.1, "{forecast:?}");
    let best = forecast.remarks.iter().find_map(|remark| match remark {
        Remark::Averaged { best, .. } => Some(best.as_str()),
        _ => None,
    });
    assert_eq!(best, Some("1/(g[0] + g[1]/P)"));
}
