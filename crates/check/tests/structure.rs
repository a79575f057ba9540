//! Borders that moved, terms that are missing and constants of parts are seen.

use call_check::{CheckRequest, ComparisonSubject, MeasuredRun, StructureChange, Verdict, check, structure};
use call_model::{Forecaster, Model, Prepared, Settings};
use call_trace::{Experiment, Samples};

/// Times of so many runs at N = 10, 20, … 240, with noise of 0.2 % that is the same in every build.
fn measured(formula: &str, runs: u32, seed: u32, time_s: impl Fn(f64) -> f64) -> Experiment {
    let mut samples =
        Samples { names: vec!["N".to_owned()], columns: vec![Vec::new()], ..Samples::default() };
    for run in 0..runs {
        for step in 1..=24u32 {
            let n = f64::from(10 * step);
            let noise = f64::from((step * 7919 + (run + seed) * 104_729) % 1009) / 504.5 - 1.0;
            samples.columns[0].push(n);
            samples.processor.push(0);
            samples.run.push(run);
            samples.time_s.push(time_s(n) * (1.0 + 0.002 * noise));
        }
    }
    Experiment { name: "f".to_owned(), formula: Some(formula.to_owned()), samples, ..Experiment::default() }
}

fn prepared(experiment: &Experiment) -> Prepared {
    Settings::default().prepare(experiment)
}

fn forecaster(experiment: &Experiment) -> Forecaster {
    let prepared = prepared(experiment);
    Forecaster::new(Model::fit(&prepared).unwrap(), &prepared).unwrap()
}

/// A cache that ends at `border`.
fn cached(border: f64) -> impl Fn(f64) -> f64 {
    move |n| 5.0 + if n <= border { 2.0 * n } else { 7.0 * n }
}

const LINE: &str = "f[0] + f[1]*N";

#[test]
fn a_border_that_moved_is_seen() {
    let baseline = forecaster(&measured(LINE, 6, 0, cached(120.0)));
    let changes =
        |border| structure(&baseline, &prepared(&measured(LINE, 3, 9, cached(border))), 0.9).unwrap();
    let is_border = |change: &StructureChange| matches!(change, StructureChange::Border { .. });
    assert!(!changes(120.0).iter().any(is_border), "{:?}", changes(120.0));
    let moved = StructureChange::Border { variable: "N".to_owned(), before: Some(120.0), after: Some(60.0) };
    assert!(changes(60.0).contains(&moved), "{:?}", changes(60.0));
}

#[test]
fn a_term_that_the_baseline_did_not_need_is_seen() {
    let line = |n: f64| 5.0 + 2.0 * n;
    let baseline = forecaster(&measured(LINE, 6, 0, line));
    let is_formula = |change: &StructureChange| matches!(change, StructureChange::Formula(_));
    let same = structure(&baseline, &prepared(&measured(LINE, 3, 9, line)), 0.9).unwrap();
    assert_eq!(same, []);
    let bent = |n: f64| line(n) + 0.01 * n * n;
    let found = structure(&baseline, &prepared(&measured(LINE, 3, 9, bent)), 0.9).unwrap();
    assert!(found.iter().any(is_formula), "{found:?}");
    assert!(found.iter().any(|change| matches!(change, StructureChange::Outside { .. })), "{found:?}");
}

fn runs(model: &Model, experiment: &Experiment, count: u32) -> Vec<MeasuredRun> {
    let fit = |run| model.fit_run(&prepared(&experiment.of_runs(&[run]))).unwrap();
    let run = |run| MeasuredRun { name: format!("{run}"), machine: String::new(), fit: fit(run) };
    (0..count).map(run).collect()
}

/// The terms of what is worse, with the places where.
fn worse(
    formula: &str,
    before: impl Fn(f64) -> f64,
    after: impl Fn(f64) -> f64,
) -> Vec<(usize, Option<String>)> {
    let old = measured(formula, 10, 0, before);
    let model = Model::fit(&prepared(&old)).unwrap();
    let report = check(
        &model,
        &runs(&model, &old, 10),
        &runs(&model, &measured(formula, 3, 31, after), 3),
        &CheckRequest::default(),
    );
    let found = report.findings.iter().filter(|finding| finding.verdict == Verdict::Worse);
    let place = |subject: &ComparisonSubject| match subject {
        ComparisonSubject::Constant(constant) => (constant.term, constant.place.clone()),
        ComparisonSubject::Target(_) => (usize::MAX, None),
    };
    found.map(|finding| place(&finding.subject)).collect()
}

#[test]
fn a_constant_is_named_where_it_rose() {
    let after = |n: f64| 5.0 + if n <= 120.0 { 2.0 * n } else { 7.7 * n };
    assert_eq!(worse(LINE, cached(120.0), after), [(1, Some("N > 120".to_owned()))]);
    assert_eq!(worse(LINE, cached(120.0), cached(120.0)), []);
}

#[test]
fn of_a_term_that_is_subtracted_less_is_worse() {
    let formula = "f[0]*N - f[1]";
    let of = |constant: f64| move |n: f64| 3.0 * n - constant;
    assert_eq!(worse(formula, of(10.0), of(8.0)), [(1, None)]);
    assert_eq!(worse(formula, of(10.0), of(12.0)), []);
}
