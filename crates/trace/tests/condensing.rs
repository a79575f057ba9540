//! Runs with summaries beside runs with samples: what a fit sees of them.

use call_trace::{Dataset, Experiment, Folding, Joining, Samples, read};

const NAMES: &str =
    "# program: p\n# processors: 2\n# experiment: f\n# variables: N\nexperiment processor P N time_s";

/// Two processors with summaries of N = 8, the first also of N = 16. The minimum of N = 8 is not among the kept samples.
const SUMMARIES: &str = " count sum_s sum_squares_s2 min_s max_s\n\
    f 0 2 8 2 5 10 30 0.5 6\nf 0 2 8 1 0 0 0 0 0\nf 0 2 8 4 0 0 0 0 0\nf 0 2 8 1.5 0 0 0 0 0\n\
    f 0 2 16 9 1 9 81 9 9\n\
    f 1 2 8 3 4 12 50 0.25 7\nf 1 2 8 2.5 0 0 0 0 0\n";

fn dataset(traces: &[String]) -> Dataset {
    let mut dataset = Dataset::new();
    for (number, text) in traces.iter().enumerate() {
        dataset.add(&number.to_string(), read(text.as_bytes()).unwrap()).unwrap();
    }
    dataset
}

fn summaries(rows: &str) -> String {
    format!("# call-trace 1\n# summaries: 3\n{NAMES}{rows}# end rows={}\n", rows.lines().count() - 1)
}

fn samples(rows: &str) -> String {
    format!("# call-trace 1\n{NAMES}\n{rows}# end rows={}\n", rows.lines().count())
}

/// Values of N, times and counts.
fn shown(samples: &Samples) -> Vec<(f64, f64, u64)> {
    let column = samples.column("N").unwrap();
    (0..samples.len()).map(|index| (column[index], samples.time_s[index], samples.count_of(index))).collect()
}

#[test]
fn processors_are_joined_where_each_is_folded() {
    let data = dataset(&[summaries(SUMMARIES)]);
    for (folding, joining, expected) in [
        (Folding::Minimum, Joining::Maximum, [(8.0, 0.5, 5), (16.0, 9.0, 1)]),
        (Folding::Mean, Joining::Maximum, [(8.0, 3.0, 4), (16.0, 9.0, 1)]),
        (Folding::Median, Joining::Maximum, [(8.0, 2.5, 4), (16.0, 9.0, 1)]),
        (Folding::Minimum, Joining::Mean, [(8.0, 0.375, 5), (16.0, 9.0, 1)]),
        (Folding::Median, Joining::Mean, [(8.0, 2.0, 5), (16.0, 9.0, 1)]),
        (Folding::Minimum, Joining::Each, [(8.0, 0.25, 9), (16.0, 9.0, 1)]),
    ] {
        let condensed = data.experiments[0].condense(joining, folding);
        assert_eq!(shown(&condensed), expected, "{folding:?} {joining:?}");
    }
}

#[test]
fn the_kept_samples_are_each_of_the_repetitions() {
    let data = dataset(&[summaries(SUMMARIES)]);
    let each = data.experiments[0].condense(Joining::Each, Folding::Each);
    assert_eq!(each.time_s, [1.0, 4.0, 1.5, 2.5]);
}

#[test]
fn without_kept_samples_the_mean_stands_for_the_median() {
    let data = dataset(&[summaries(" count sum_s sum_squares_s2 min_s max_s\nf 0 2 8 2 3 7 30 0.5 6\n")]);
    let median = data.experiments[0].condense(Joining::Maximum, Folding::Median);
    assert_eq!(shown(&median), [(8.0, 7.0 / 3.0, 3)]);
}

#[test]
fn a_summary_counts_as_often_as_was_measured() {
    let few = samples("f 0 2 8 100\nf 0 2 8 10\nf 1 2 8 20\nf 1 2 8 30\nf 0 2 32 1\n");
    let expected = |folding| match folding {
        // Joined, the samples are 100 and 30.
        Folding::Mean => [(8.0, (4.0 * 3.0 + 130.0) / 6.0, 6), (16.0, 9.0, 1), (32.0, 1.0, 1)],
        Folding::Minimum => [(8.0, 0.5, 7), (16.0, 9.0, 1), (32.0, 1.0, 1)],
        _ => [(8.0, 2.5, 6), (16.0, 9.0, 1), (32.0, 1.0, 1)],
    };
    for traces in [[few.clone(), summaries(SUMMARIES)], [summaries(SUMMARIES), few]] {
        let data = dataset(&traces);
        for folding in [Folding::Mean, Folding::Minimum, Folding::Median] {
            let mut found = shown(&data.experiments[0].condense(Joining::Maximum, folding));
            found.sort_by(|left, right| left.0.total_cmp(&right.0));
            assert_eq!(found, expected(folding), "{folding:?}");
        }
    }
}

#[test]
fn summaries_of_one_point_are_put_together() {
    // As the files of an unfinished run may have them.
    let data = dataset(&[summaries(
        " count sum_s sum_squares_s2 min_s max_s\nf 0 2 8 2 1 2 4 2 2\nf 0 2 8 3 3 9 27 1 3\nf 0 2 8 7 0 0 0 0 0\n",
    )]);
    let condensed = |folding| shown(&data.experiments[0].condense(Joining::Maximum, folding));
    assert_eq!(condensed(Folding::Mean), [(8.0, 2.75, 4)]);
    assert_eq!(condensed(Folding::Minimum), [(8.0, 1.0, 4)]);
    assert_eq!(condensed(Folding::Median), [(8.0, 7.0, 4)]);
}

#[test]
fn kept_samples_whose_summary_was_cut_are_folded() {
    let whole = summaries(SUMMARIES);
    let cut = whole.replace("f 1 2 8 3 4 12 50 0.25 7\n", "").replace("# end rows=7\n", "");
    let data = dataset(&[cut]);
    let condensed = data.experiments[0].condense(Joining::Maximum, Folding::Median);
    assert_eq!(shown(&condensed), [(8.0, 2.5, 1), (16.0, 9.0, 1)]);
}

/// Two runs of one processor, 50 measurements at each of two points, that scatter by a thousandth.
fn measured() -> Experiment {
    let samples = Samples {
        names: vec!["N".to_owned()],
        columns: vec![(0..200).map(|index| f64::from(index % 2)).collect()],
        processor: vec![0; 200],
        run: (0..200).map(|index| index / 100).collect(),
        time_s: (0..200)
            .map(|index| 1.0 + f64::from(index % 2) + 1e-3 * f64::from(index * index % 17))
            .collect(),
        ..Samples::default()
    };
    Experiment { samples, ..Experiment::default() }
}

#[test]
fn sums_tell_the_spread_of_all_measurements() {
    let (whole, summed) = (measured(), measured().summed_up());
    let spreads = |its: &Experiment, folding| its.gather(Joining::Maximum, folding).spreads;
    assert!(!summed.summaries.is_empty() && spreads(&whole, Folding::Mean).is_none());
    assert!(spreads(&summed, Folding::Median).is_none(), "a median is of what was kept");
    let spreads = spreads(&summed, Folding::Mean).unwrap();
    assert_eq!((&spreads.columns, &spreads.count), (&vec![vec![0.0, 1.0]], &vec![100, 100]));
    for point in 0..2 {
        let times: Vec<f64> =
            (0..200).filter(|index| index % 2 == point).map(|index| whole.samples.time_s[index]).collect();
        let mean = times.iter().sum::<f64>() / 100.0;
        let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
        assert!((spreads.mean_s[point] / mean - 1.0).abs() < 1e-14);
        assert!((spreads.sum_of_squares_s2[point] / squares - 1.0).abs() < 1e-8);
    }
}

#[test]
fn where_sums_do_not_tell_the_spread_nothing_is_told() {
    let mut several = measured();
    several.samples.processor = (0..200).map(|index| index / 2 % 2).collect();
    let spreads = |its: &Experiment, joining| its.gather(joining, Folding::Mean).spreads;
    assert!(spreads(&several.summed_up(), Joining::Maximum).is_none());
    assert_eq!(spreads(&several.summed_up(), Joining::One(1)).unwrap().count, [50, 50]);
    let mut executions = measured().summed_up();
    executions.summaries.sum_squares_s2[0] = f64::NAN;
    assert!(spreads(&executions, Joining::Maximum).is_none());
    let summed_up = several.summed_up().gather(Joining::Maximum, Folding::Mean).summed_up.unwrap();
    assert_eq!((summed_up.measurements, summed_up.joins_sums), (200, true));
    assert!(summed_up.kept < 200);
    assert!(several.gather(Joining::Maximum, Folding::Mean).summed_up.is_none());
}

/// With a budget counts are of executions, which were not all measured: their squares say nothing of how these scatter.
#[test]
fn the_scatter_of_executions_is_not_known() {
    let text = summaries(SUMMARIES).replace("# processors: 2\n", "# processors: 2\n# budget: 0.01\n");
    let found = &dataset(&[text]).experiments[0];
    assert!(found.summaries.sum_squares_s2.iter().all(|sum| sum.is_nan()));
    assert_eq!(found.summaries.sum_s[0], 10.0);
}
