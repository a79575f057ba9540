//! Runs with summaries beside runs with samples: what a fit sees of them.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use call_trace::{Dataset, Folding, Joining, Samples, read};

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
