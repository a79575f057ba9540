//! Predictions of blocks whose statements were counted.

use std::collections::BTreeMap;

use call_search::{Measurements, find};
use call_trace::{CountQuality, SourceCounts, SourceTerm};

use crate::dice::Dice;

/// Where the time is the sum of the terms that the source has, its intervals hold the truth and none of the laws that only look so at the samples.
#[test]
fn the_terms_of_the_source_go_on_together() {
    let powers = [0.0, 1.0, 2.0].map(|power| match power {
        0.0 => BTreeMap::new(),
        power => BTreeMap::from([("n".to_owned(), (power, 0))]),
    });
    let terms = powers.map(|growth| SourceTerm { growth: Some(growth), ..SourceTerm::default() });
    let source =
        SourceCounts { terms: terms.into(), quality: CountQuality::Exact, ..SourceCounts::default() };
    let law = |n: f64| 2e-5 + 4e-7 * n + 1.5e-9 * n * n;
    let sizes: Vec<f64> = (1..=6).map(|step| 16.0 * f64::from(step)).collect();
    let (mut held, mut is_near) = (0, 0);
    for seed in 0..40 {
        let mut dice = Dice(seed);
        let times: Vec<f64> = sizes.iter().map(|n| law(*n) * (1.0 + 0.01 * dice.normal())).collect();
        let measurements = Measurements::new(&["n".to_owned()], &[&sizes], &times).of_source(&source);
        let predicted = find(&measurements).predict(&[768.0], 0.9);
        let truth = law(768.0);
        held += usize::from((predicted.low..=predicted.high).contains(&truth));
        is_near += usize::from((predicted.value / truth - 1.0).abs() < 0.25);
    }
    assert!(held >= 34 && is_near >= 24, "{held} of 40 in their intervals, {is_near} within a quarter");
}
