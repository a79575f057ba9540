//! Limits of a search for segments, and what it is asked wrongly.

use crate::segments::{Random, at_most, exact, pieces, search, to};
use call_fit::{Error, FitSamples, Interval, Method, SegmentOptions, StopReason, locate, segment};

#[test]
fn the_number_of_intervals_is_a_limit() {
    let n = to(120);
    let observed = pieces(&n, &[30.0, 80.0], &[[3.0, 2.0], [5.0, 4.0], [50.0, 3.0]]);
    let basis = [vec![1.0; n.len()], n.clone()];
    for intervals in [1, 2] {
        let found = search(&basis, &observed, &[&n], &at_most(1e-10, intervals));
        assert_eq!(found.cells.len(), intervals);
        assert_eq!(found.outcome, StopReason::LimitReached);
    }
}

#[test]
fn too_few_samples_are_said_to_be() {
    let n = to(5);
    let observed = [1.0, 5.0, 2.0, 9.0, 3.0];
    let found = search(&[vec![1.0; 5], n.clone()], &observed, &[&n], &SegmentOptions::default());
    assert_eq!(found.outcome, StopReason::TooFewSamples);
    assert_eq!(found.cells[0].intervals, [Interval::WHOLE]);
}

#[test]
fn samples_that_cannot_be_placed_are_listed() {
    let n = [1.0, 2.0, f64::NAN, 4.0, 5.0, f64::INFINITY];
    let observed = [2.0, 4.0, 6.0, f64::NAN, 10.0, 12.0];
    let one = [1.0; 6];
    let samples = FitSamples { basis: vec![&one, &observed], observed: &observed, weights: &[] };
    let found = segment(&samples, &[&n], &SegmentOptions::default()).expect("a segmentation");
    assert_eq!(found.unlocated, [2, 5]);
    assert_eq!(found.cells[0].samples, [0, 1, 3, 4]);
    assert_eq!(found.cells[0].fit.samples_dropped, 1);
    assert!(found.cells[0].fit.residuals[2].is_nan());
}

#[test]
fn no_variables_make_one_cell() {
    let found = search(&[vec![1.0; 4]], &[1.0, 2.0, 3.0, 4.0], &[], &SegmentOptions::default());
    assert_eq!(found.cells.len(), 1);
    assert_eq!(found.outcome, StopReason::NoBetterSplit);
    assert_eq!(locate(&found.cells, &[]), Some(0));
}

#[test]
fn locating_points() {
    let n = to(100);
    let observed = pieces(&n, &[40.0], &[[3.0, 2.0], [5.0, 4.0]]);
    let cells = search(&[vec![1.0; 100], n.clone()], &observed, &[&n], &exact()).cells;
    for (point, wanted) in [
        (40.0, Some(0)),
        (40.5, Some(1)),
        (-1e300, Some(0)),
        (f64::NEG_INFINITY, Some(0)),
        (f64::INFINITY, Some(1)),
        (f64::NAN, None),
    ] {
        assert_eq!(locate(&cells, &[point]), wanted, "{point}");
    }
    assert_eq!(locate(&cells, &[]), None);
    assert_eq!(locate(&cells, &[1.0, 2.0]), None);
}

#[test]
fn every_misuse_has_its_error() {
    let (two, three) = ([1.0; 2], [1.0; 3]);
    let samples = FitSamples { basis: vec![&two], observed: &two, weights: &[] };
    let check = |variables: &[&[f64]], error: f64, intervals: usize, text: &str| {
        let found = segment(&samples, variables, &at_most(error, intervals)).expect_err("misuse");
        assert_eq!(found.to_string(), text);
    };
    check(&[&two, &three], 0.05, 8, "variable 1 has 3 entries, but there are 2 observations");
    check(&[&two], -0.05, 8, "the error threshold -0.05 is not a number >= 0");
    check(&[&two], f64::NAN, 8, "the error threshold NaN is not a number >= 0");
    check(&[&two], 0.05, 0, "the number-of-intervals threshold is 0, but at least one interval is needed");
    let nowhere = segment(&samples, &[&[f64::NAN; 2]], &SegmentOptions::default());
    assert_eq!(nowhere, Err(Error::NoSamples { samples: 2, dropped: 2 }));
}

/// What the paper says and no more: nothing is moved, removed or shared.
#[test]
fn the_method_of_the_paper_splits_until_a_threshold() {
    let n = to(120);
    let observed = pieces(&n, &[30.0, 80.0], &[[3.0, 2.0], [5.0, 4.0], [50.0, 3.0]]);
    let basis = [vec![1.0; n.len()], n.clone()];
    let paper = |error, intervals| SegmentOptions { method: Method::Paper, ..at_most(error, intervals) };
    let found = search(&basis, &observed, &[&n], &paper(1e-10, 8));
    assert_eq!(found.outcome, StopReason::WithinThreshold);
    assert!(found.cells.len() >= 3, "{:?}", found.splits);
    assert!(found.sets.iter().all(|sets| *sets == (0..found.cells.len()).collect::<Vec<_>>()));
    let found = search(&basis, &observed, &[&n], &paper(1e-10, 2));
    assert_eq!((found.cells.len(), found.outcome), (2, StopReason::LimitReached));

    // Noise is split as long as there are intervals left.
    let mut random = Random(11);
    let noisy: Vec<f64> =
        n.iter().map(|n| (5.0 + n) * (1.0 + 0.1 * random.normal().clamp(-3.0, 3.0))).collect();
    let found = search(&basis, &noisy, &[&n], &paper(0.05, 5));
    assert_eq!(found.cells.len(), 5);
    assert!(found.outcome >= StopReason::LimitReached);
    let found = search(&basis, &noisy, &[&n], &at_most(0.05, 5));
    assert_eq!((found.cells.len(), found.outcome), (1, StopReason::NoBetterSplit));
}

/// The limit is blamed only if one more cell would help.
#[test]
fn a_limit_that_does_not_matter_is_not_blamed() {
    let mut random = Random(4);
    let n = to(150);
    let observed: Vec<f64> = pieces(&n, &[60.0], &[[3.0, 2.0], [3.0, 6.0]])
        .iter()
        .map(|y| y * (1.0 + 0.1 * random.normal().clamp(-3.0, 3.0)))
        .collect();
    let found = search(&[vec![1.0; n.len()], n.clone()], &observed, &[&n], &at_most(0.05, 2));
    assert_eq!((found.cells.len(), found.outcome), (2, StopReason::NoBetterSplit));
}
