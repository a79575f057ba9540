//! Planted borders are found again, noise is left in one piece, and the first border is the best of all.

use call_fit::{FitSamples, Interval, SegmentOptions, Segmentation, StopReason, Thresholds, locate, segment};

/// A reproducible generator: the tests about rates need many samples, not many surprises.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Normal with mean 0 and variance 1 (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        (-2.0 * (1.0 - self.uniform()).ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

pub(crate) fn relative(observed: &[f64]) -> Vec<f64> {
    observed.iter().map(|y| 1.0 / (y * y)).collect()
}

/// Segments with relative weights.
pub(crate) fn search(
    basis: &[Vec<f64>],
    observed: &[f64],
    variables: &[&[f64]],
    options: &SegmentOptions,
) -> Segmentation {
    let weights = relative(observed);
    let basis = basis.iter().map(Vec::as_slice).collect();
    let found = segment(&FitSamples { basis, observed, weights: &weights }, variables, options)
        .expect("a segmentation");
    assert_partition(&found, variables, &options.thresholds);
    found
}

/// What holds of every segmentation: each sample lies in its cell and in no other, cells are in order.
fn assert_partition(found: &Segmentation, variables: &[&[f64]], thresholds: &Thresholds) {
    assert!(found.cells.len() <= thresholds.intervals);
    assert_eq!(found.splits.len() + 1, found.cells.len());
    let mut seen: Vec<usize> = found.unlocated.clone();
    for (index, cell) in found.cells.iter().enumerate() {
        assert_eq!(cell.fit.residuals.len(), cell.samples.len());
        assert!(cell.samples.is_sorted());
        for &sample in &cell.samples {
            let point: Vec<f64> = variables.iter().map(|column| column[sample]).collect();
            assert_eq!(locate(&found.cells, &point), Some(index));
            assert_eq!(found.cells.iter().filter(|cell| cell.contains(&point)).count(), 1);
        }
        seen.extend(&cell.samples);
    }
    seen.sort_unstable();
    let samples = variables.first().map_or(seen.len(), |column| column.len());
    assert_eq!(seen, (0..samples).collect::<Vec<_>>());
    let lowers =
        |cell: &call_fit::Cell| cell.intervals.iter().map(|interval| interval.lower).collect::<Vec<_>>();
    assert!(found.cells.is_sorted_by(|a, b| lowers(a) <= lowers(b)));
    let within = found.cells.iter().all(|cell| cell.fit.rms_relative_error <= thresholds.error);
    assert_eq!(within, found.outcome == StopReason::WithinThreshold);
}

fn assert_coefficients(found: &[f64], wanted: &[f64], sizes: &[f64]) {
    for ((found, wanted), size) in found.iter().zip(wanted).zip(sizes) {
        assert!((found - wanted).abs() * size < 1e-9, "{found} instead of {wanted}");
    }
}

/// Thresholds for exact data: an error above rounding is an error.
pub(crate) fn exact() -> SegmentOptions {
    at_most(1e-10, 8)
}

pub(crate) fn at_most(error: f64, intervals: usize) -> SegmentOptions {
    Thresholds { error, intervals }.into()
}

/// Pieces 1 + slope * N of a program whose slope changes at the given borders.
pub(crate) fn pieces(n: &[f64], borders: &[f64], pieces: &[[f64; 2]]) -> Vec<f64> {
    n.iter()
        .map(|&n| {
            let [a, b] = pieces[borders.iter().filter(|&&border| n > border).count()];
            a + b * n
        })
        .collect()
}

pub(crate) fn check_planted(n: &[f64], borders: &[f64], planted: &[[f64; 2]]) {
    let observed = pieces(n, borders, planted);
    let basis = [vec![1.0; n.len()], n.to_vec()];
    // The greedy first border of several need not be one of them: room for more cells must not lead to more,
    // and without that room borders must move.
    for intervals in [planted.len(), 8] {
        let found = search(&basis, &observed, &[n], &at_most(1e-10, intervals));
        let ends: Vec<f64> = found.cells.iter().map(|cell| cell.intervals[0].upper).collect();
        let wanted: Vec<f64> = borders.iter().copied().chain([f64::INFINITY]).collect();
        assert_eq!(ends, wanted, "at most {intervals}: {:?}", found.splits);
        for (cell, wanted) in found.cells.iter().zip(planted) {
            assert_coefficients(&cell.fit.coefficients, wanted, &[1.0, 100.0]);
        }
        assert_eq!(found.outcome, StopReason::WithinThreshold);
    }
}

pub(crate) fn to(end: i32) -> Vec<f64> {
    (1..=end).map(f64::from).collect()
}

#[test]
fn one_piece_stays_one() {
    check_planted(&to(50), &[], &[[3.0, 2.0]]);
}

#[test]
fn a_jump_is_found() {
    check_planted(&to(100), &[40.0], &[[3.0, 2.0], [5.0, 4.0]]);
}

#[test]
fn a_kink_is_found_at_its_sampled_point() {
    // Both pieces pass through N = 40, which belongs to the lower one.
    check_planted(&to(100), &[40.0], &[[3.0, 2.0], [3.0 - 80.0, 4.0]]);
}

#[test]
fn two_jumps_are_found() {
    check_planted(&to(120), &[30.0, 80.0], &[[3.0, 2.0], [5.0, 4.0], [50.0, 3.0]]);
}

#[test]
fn two_kinks_are_found() {
    check_planted(&to(120), &[30.0, 80.0], &[[3.0, 2.0], [3.0 - 60.0, 4.0], [3.0 - 60.0 - 240.0, 7.0]]);
}

#[test]
fn a_short_middle_piece_is_found() {
    check_planted(&to(200), &[90.0, 110.0], &[[3.0, 2.0], [3.0, 3.0], [3.0, 2.0]]);
}

#[test]
fn four_pieces_are_found() {
    check_planted(&to(400), &[50.0, 130.0, 300.0], &[[3.0, 2.0], [3.0, 2.5], [3.0, 4.0], [3.0, 9.0]]);
}

#[test]
fn samples_may_come_in_any_order_and_repeatedly() {
    let n: Vec<f64> = (0..300).map(|i| f64::from((i * 37) % 100 + 1)).collect();
    check_planted(&n, &[40.0], &[[3.0, 2.0], [5.0, 4.0]]);
}

/// Samples on the grid N = 1..=30 by P = 1, 2, 4, 8, 16, 32.
fn grid() -> (Vec<f64>, Vec<f64>) {
    let processors = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
    let points = (1..=30).flat_map(|n| processors.map(|p| (f64::from(n), p)));
    points.unzip()
}

#[test]
fn two_variables_one_border_on_the_second() {
    let (n, p) = grid();
    let observed: Vec<f64> =
        n.iter().zip(&p).map(|(n, p)| if *p <= 4.0 { 2.0 + n / p } else { 3.0 + 2.0 * n / p }).collect();
    let basis = [vec![1.0; n.len()], n.iter().zip(&p).map(|(n, p)| n / p).collect()];
    let found = search(&basis, &observed, &[&n, &p], &exact());
    assert_eq!(found.cells.len(), 2);
    assert_eq!(
        found.cells[0].intervals,
        [Interval::WHOLE, Interval { lower: f64::NEG_INFINITY, upper: 4.0 }]
    );
    assert_eq!((found.splits[0].variable, found.splits[0].at), (1, 4.0));
    assert_coefficients(&found.cells[0].fit.coefficients, &[2.0, 1.0], &[1.0, 10.0]);
    assert_coefficients(&found.cells[1].fit.coefficients, &[3.0, 2.0], &[1.0, 10.0]);
}

#[test]
fn two_variables_a_border_on_each() {
    // N <= 12 is one piece; above, P <= 8 and P > 8 differ.
    let (n, p) = grid();
    let observed: Vec<f64> = n
        .iter()
        .zip(&p)
        .map(|(&n, &p)| match (n <= 12.0, p <= 8.0) {
            (true, _) => 2.0 + n / p,
            (false, true) => 8.0 + 5.0 * n / p,
            (false, false) => 30.0 + 9.0 * n / p,
        })
        .collect();
    let basis = [vec![1.0; n.len()], n.iter().zip(&p).map(|(n, p)| n / p).collect()];
    let found = search(&basis, &observed, &[&n, &p], &exact());
    let intervals: Vec<[f64; 2]> =
        found.cells.iter().map(|cell| [cell.intervals[0].upper, cell.intervals[1].upper]).collect();
    let inf = f64::INFINITY;
    assert_eq!(intervals, [[12.0, inf], [inf, 8.0], [inf, inf]], "{:?}", found.splits);
    for (cell, wanted) in found.cells.iter().zip([[2.0, 1.0], [8.0, 5.0], [30.0, 9.0]]) {
        assert_coefficients(&cell.fit.coefficients, &wanted, &[1.0, 10.0]);
    }
}

#[test]
fn a_term_that_is_constant_in_a_cell_is_undetermined_there() {
    // With P = 1 alone, log P is zero and N / P is N.
    let (n, p) = grid();
    let log: Vec<f64> = p.iter().map(|p| p.ln()).collect();
    let observed: Vec<f64> = n
        .iter()
        .zip(&log)
        .zip(&p)
        .map(|((n, log), p)| if *p == 1.0 { 2.0 + n } else { 9.0 + log + 7.0 * n })
        .collect();
    let basis = [vec![1.0; n.len()], log, n.clone()];
    let alone = SegmentOptions { sharing: false, ..exact() };
    let found = search(&basis, &observed, &[&n, &p], &alone);
    assert_eq!(found.cells.len(), 2);
    assert_eq!(found.splits[0].at, 1.0);
    assert_eq!(found.cells[0].fit.undetermined(), [1]);
    assert_eq!(found.cells[0].fit.rank, 2);
    assert_eq!(found.cells[1].fit.undetermined(), [0usize; 0]);
    assert_coefficients(&found.cells[1].fit.coefficients, &[9.0, 1.0, 7.0], &[1.0, 1.0, 10.0]);
}

#[test]
fn no_cell_loses_a_term_that_counts() {
    // 1, log P and P need three values of P: a cell with P = 32 alone would fit exactly and tell nothing.
    let (n, p) = grid();
    let log: Vec<f64> = p.iter().map(|p| p.ln()).collect();
    let observed: Vec<f64> =
        n.iter().zip(&p).map(|(n, p)| if *p == 32.0 { 2.0 + 9.0 * n } else { 2.0 + n + p.ln() }).collect();
    let basis = [vec![1.0; n.len()], log, p.clone(), n.clone()];
    let found = search(&basis, &observed, &[&n, &p], &exact());
    assert!(found.splits.iter().all(|split| split.variable == 0 || split.at <= 4.0), "{:?}", found.splits);
    for cell in &found.cells {
        assert!(cell.fit.null_directions.is_empty(), "{:?}", cell.intervals);
    }
}

#[test]
fn one_value_is_no_interval() {
    // The times of N = 30 are of another kind, and the samples there would determine all constants.
    let (n, p) = grid();
    let observed: Vec<f64> = n
        .iter()
        .zip(&p)
        .map(|(n, p)| if *n == 30.0 { 900.0 - 20.0 * p } else { 2.0 + n + 3.0 * n / p })
        .collect();
    let basis = [vec![1.0; n.len()], n.clone(), n.iter().zip(&p).map(|(n, p)| n / (p + n)).collect()];
    let found = search(&basis, &observed, &[&n, &p], &exact());
    for split in &found.splits {
        assert!(split.variable == 1 || (split.at >= 2.0 && split.at <= 28.0), "{:?}", found.splits);
    }
}

#[test]
fn columns_that_depend_on_more_than_the_variables() {
    // The basis has a column that no variable explains: equal N does not mean equal rows.
    let mut random = Random(5);
    let n: Vec<f64> = (0..200).map(|i| f64::from(i / 4 + 1)).collect();
    let hidden: Vec<f64> = n.iter().map(|_| random.uniform() * 10.0).collect();
    let observed: Vec<f64> =
        n.iter().zip(&hidden).map(|(n, h)| if *n <= 20.0 { n + h } else { 2.0 * n + 3.0 * h }).collect();
    let found = search(&[n.clone(), hidden], &observed, &[&n], &exact());
    assert_eq!(found.cells.len(), 2);
    assert_eq!(found.splits[0].at, 20.0);
    assert_coefficients(&found.cells[1].fit.coefficients, &[2.0, 3.0], &[50.0, 10.0]);
}

/// Slopes change with N on one side of P = 4 only; the constant is the same everywhere.
#[test]
fn boxes_share_what_does_not_change() {
    let (n, p) = grid();
    let mut random = Random(6);
    let observed: Vec<f64> = n
        .iter()
        .zip(&p)
        .map(|(&n, &p)| {
            let slope = match (p <= 4.0, n <= 15.0) {
                (true, _) => 1.0,
                (false, true) => 4.0,
                (false, false) => 9.0,
            };
            (20.0 + slope * n) * (1.0 + 0.02 * random.normal().clamp(-3.0, 3.0))
        })
        .collect();
    let basis = [vec![1.0; n.len()], n.clone()];
    let found = search(&basis, &observed, &[&n, &p], &at_most(0.03, 8));
    assert_eq!(found.cells.len(), 3, "{:?}", found.splits);
    assert_eq!(found.sets, [vec![0, 0, 0], vec![0, 1, 2]], "{:?}", found.splits);
    let constants: Vec<f64> = found.cells.iter().map(|cell| cell.fit.coefficients[0]).collect();
    assert!(constants.iter().all(|value| *value == constants[0] && (value / 20.0 - 1.0).abs() < 0.05));
    // The joint fit knows the shared constant better than a cell alone does.
    let alone = search(&basis, &observed, &[&n, &p], &SegmentOptions { sharing: false, ..at_most(0.03, 8) });
    let error = |found: &Segmentation| found.cells[0].fit.standard_errors[0];
    assert!(error(&found) < error(&alone), "{} {}", error(&found), error(&alone));
    assert_eq!(found.cells[0].fit.degrees_of_freedom, n.len() - 4);
}

/// Shares of runs in which planted intervals, sets and constants are found again, by noise. The times are those of a
/// matrix of 37 sizes, each three times, whose element costs twice as much beyond N = 362.
#[test]
fn planted_breaks_and_constants_are_recovered() {
    let sizes: Vec<f64> = (0..37).map(|i| (32.0 * 64f64.powf(f64::from(i) / 36.0)).round()).collect();
    let n: Vec<f64> = sizes.iter().flat_map(|&n| [n; 3]).collect();
    let basis = [vec![1.0; n.len()], n.clone(), n.iter().map(|n| n * n).collect()];
    let element = |n: f64| if n <= 362.0 { 1e-9 } else { 2e-9 };
    let clean: Vec<f64> = n.iter().map(|&n| 2e-6 + 4e-9 * n + element(n) * n * n).collect();
    const RUNS: usize = 40;
    for (noise, wanted) in
        [(0.0, [40, 40, 40]), (0.01, [40, 40, 38]), (0.05, [39, 38, 30]), (0.1, [37, 35, 24])]
    {
        let mut random = Random(5);
        let mut counts = [0; 3];
        let (mut covered, mut constants) = (0, 0);
        for _ in 0..RUNS {
            let observed: Vec<f64> =
                clean.iter().map(|y| y * (1.0 + noise * random.normal().clamp(-4.0, 4.0))).collect();
            let weights = relative(&clean);
            let columns = basis.iter().map(Vec::as_slice).collect();
            let samples = FitSamples { basis: columns, observed: &observed, weights: &weights };
            let found = segment(&samples, &[&n], &SegmentOptions::default()).expect("a segmentation");
            if found.cells.len() != 2 {
                continue;
            }
            counts[0] += 1;
            let place = |border: f64| sizes.iter().filter(|&&n| n <= border).count();
            counts[1] += usize::from(place(found.splits[0].at).abs_diff(place(362.0)) <= 1);
            counts[2] += usize::from(found.sets == [vec![0, 0], vec![0, 0], vec![0, 1]]);
            for (cell, planted) in found.cells.iter().zip([[2e-6, 4e-9, 1e-9], [2e-6, 4e-9, 2e-9]]) {
                for (term, planted) in planted.iter().enumerate() {
                    let off = (cell.fit.coefficients[term] - planted).abs();
                    constants += 1;
                    covered += usize::from(off <= 3.0 * cell.fit.standard_errors[term] + 1e-9 * planted);
                }
            }
        }
        let is_enough = counts.iter().zip(wanted).all(|(count, wanted)| *count >= wanted);
        assert!(is_enough, "{noise}: intervals, borders, sets of {RUNS}: {counts:?}, wanted {wanted:?}");
        assert!(10 * covered >= 9 * constants, "{noise}: {covered} of {constants} constants");
    }
}
