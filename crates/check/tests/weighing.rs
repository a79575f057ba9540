//! A constant weighs as much as it does where that is most, wherever in what was sampled that is.

use call_check::{CheckReport, CheckRequest, MeasuredRun, Verdict, check};
use call_model::{Model, Settings};
use call_trace::{Experiment, Samples};

/// Times of so many runs at these sizes, with noise of 0.2 % that is the same in every build.
fn measured(formula: &str, sizes: &[f64], first: u32, count: u32, time_s: impl Fn(f64) -> f64) -> Experiment {
    let mut samples =
        Samples { names: vec!["N".to_owned()], columns: vec![Vec::new()], ..Samples::default() };
    for run in 0..count {
        for (step, &n) in sizes.iter().enumerate() {
            let number = (step as u32 * 7919 + (run + first) * 104_729) % 1009;
            let noise = f64::from(number) / 504.5 - 1.0;
            samples.columns[0].push(n);
            samples.processor.push(0);
            samples.run.push(run);
            samples.time_s.push(time_s(n) * (1.0 + 0.002 * noise));
        }
    }
    Experiment { name: "k".to_owned(), formula: Some(formula.to_owned()), samples, ..Experiment::default() }
}

fn runs(model: &Model, experiment: &Experiment, count: u32) -> Vec<MeasuredRun> {
    let fit = |run| model.fit_run(&Settings::default().prepare(&experiment.of_runs(&[run]))).unwrap();
    let run = |run| MeasuredRun { name: format!("{run}"), machine: String::new(), fit: fit(run) };
    (0..count).map(run).collect()
}

fn report(
    formula: &str,
    sizes: &[f64],
    before: impl Fn(f64) -> f64,
    after: impl Fn(f64) -> f64,
) -> CheckReport {
    let old = measured(formula, sizes, 0, 10, before);
    let model = Model::fit(&Settings::default().prepare(&old)).unwrap();
    let new = measured(formula, sizes, 31, 4, after);
    check(&model, &runs(&model, &old, 10), &runs(&model, &new, 4), &CheckRequest::default())
}

fn sizes(from: f64, steps: u32) -> Vec<f64> {
    (0..steps).map(|step| (from * 2f64.powf(f64::from(step) / 3.0)).round()).collect()
}

#[test]
fn a_middle_interval_weighs_what_it_does_there() {
    let cached = |middle: f64| {
        move |n: f64| match n {
            ..=1500.0 => 1e-7 + 1e-9 * n,
            ..=20000.0 => 1e-7 + middle * n,
            _ => 1e-7 + 6e-9 * n,
        }
    };
    let sizes = sizes(100.0, 36);
    let rose = report("k[0] + k[1]*N", &sizes, cached(2.5e-9), cached(3e-9));
    assert_eq!(rose.verdict, Verdict::Worse);
    let worse: Vec<_> = rose.findings.iter().filter(|it| it.verdict == Verdict::Worse).collect();
    assert_eq!(worse.len(), 1);
    // At 20000 it is all but 0.2 % of the time.
    let level = 2.5e-9;
    assert!((worse[0].weight * level - 1.0).abs() < 0.02, "{}", worse[0].weight * level);
    assert_eq!(report("k[0] + k[1]*N", &sizes, cached(2.5e-9), cached(2.5e-9)).verdict, Verdict::Fine);
}

#[test]
fn a_term_between_others_weighs_what_it_does_in_the_midst() {
    let of = |slope: f64| move |n: f64| 1e-5 + slope * n + 1e-13 * n * n;
    let sizes = sizes(10.0, 60);
    let rose = report("k[0] + k[1]*N + k[2]*N*N", &sizes, of(1e-8), of(1.1e-8));
    let finding = &rose.findings[1];
    assert_eq!(finding.verdict, Verdict::Worse);
    // At 1e4 it is 1e-4 of 1.2e-4.
    assert!((0.78..0.86).contains(&(finding.weight * 1e-8)), "{}", finding.weight * 1e-8);
}
