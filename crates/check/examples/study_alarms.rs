//! How often the check alarms without reason, and how often it finds a change, on planted histories: `docs/check.md` has the table.
//!
//! A history is a number of runs of a program whose times are f[0] + f[1]*N/P + f[2]*P, at 20 points with 5 repetitions, with noise of
//! 2 % within runs (each measurement) and between them (the program as a whole, or each constant apart). The first runs are the baseline, the last are
//! new. Beside it: tests of the medians of the runs at the largest point, and of all repetitions there, each at 1 %.
//!
//! `cargo run --release -p call-check --example study_alarms [HISTORIES [FIRST]]`; other histories begin elsewhere than at 0.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a study that meets None has failed")]

mod noise;

use call_check::{CheckReport, CheckRequest, ComparisonSubject, MeasuredRun, Tolerance, Verdict, check};
use call_model::{Model, RunFit, Settings};
use call_trace::{Experiment, Samples};
use noise::{Dice, KINDS, Kind};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

const FORMULA: &str = "f[0] + f[1]*N/P + f[2]*P";
const TRUTH: [f64; 3] = [1e-4, 1e-8, 1e-5];
const REPETITIONS: usize = 5;
const WITHIN: f64 = 0.02;

#[derive(Clone, Copy)]
struct Plan {
    /// How often the new runs are looked at at most: before the last look at half of them, before that at a quarter, and so on.
    looks: u32,
    kind: Kind,
    between: f64,
    /// Whether each constant varies by itself from run to run.
    is_apart: bool,
    runs: (usize, usize),
    /// What the second constant of new runs is multiplied by.
    rise: f64,
    /// Whether new runs measure other sizes and numbers of processors than the baseline.
    is_elsewhere: bool,
}

/// The times of a run, repetition by repetition.
struct PlantedRun {
    experiment: Experiment,
    /// The repetitions at the largest point.
    largest: Vec<f64>,
}

fn points(is_elsewhere: bool) -> Vec<(f64, f64)> {
    let (sizes, processors): (&[f64], &[f64]) = match is_elsewhere {
        false => (&[1e4, 2e4, 4e4, 8e4], &[1.0, 2.0, 4.0, 8.0, 16.0]),
        true => (&[1.5e4, 5e4, 12e4], &[1.0, 3.0, 6.0, 12.0, 24.0]),
    };
    sizes.iter().flat_map(|&n| processors.iter().map(move |&p| (n, p))).collect()
}

fn history(plan: &Plan, dice: &mut Dice) -> Vec<PlantedRun> {
    let total = plan.runs.0 + plan.runs.1;
    let mut last = [0; 3].map(|_: i32| dice.normal());
    (0..total)
        .map(|run| {
            let common = plan.kind.next(dice, last[0]);
            last = [common, plan.kind.next(dice, last[1]), plan.kind.next(dice, last[2])];
            let own = if plan.is_apart { last } else { [common; 3] };
            let mut factors = own.map(|it| 1.0 + plan.between * it);
            if plan.kind == Kind::TwoStates {
                // Three of ten runs are on a machine that is 6 % slower.
                let slow = if dice.uniform() < 0.3 { 1.06 } else { 1.0 };
                factors = own.map(|it| slow * (1.0 + 0.25 * plan.between * it));
            }
            if plan.kind == Kind::Drift {
                // By as much as runs scatter from the first to the last.
                let drift = 1.0 + plan.between * run as f64 / (total - 1) as f64;
                factors = factors.map(|factor| factor * drift);
            }
            if run >= plan.runs.0 {
                factors[1] *= plan.rise;
            }
            planted(plan.kind, factors, plan.is_elsewhere && run >= plan.runs.0, dice)
        })
        .collect()
}

fn planted(kind: Kind, factors: [f64; 3], is_elsewhere: bool, dice: &mut Dice) -> PlantedRun {
    let points = points(is_elsewhere);
    let mut samples = Samples {
        names: vec!["N".to_owned(), "P".to_owned()],
        columns: vec![Vec::new(), Vec::new()],
        ..Samples::default()
    };
    let (mut largest, mut last) = (Vec::new(), dice.normal());
    for _ in 0..REPETITIONS {
        for &(n, p) in &points {
            last = kind.next(dice, last);
            let terms = [1.0, n / p, p];
            let time_s: f64 = (0..3).map(|k| TRUTH[k] * factors[k] * terms[k]).sum();
            let time_s = time_s * (1.0 + WITHIN * last);
            samples.columns[0].push(n);
            samples.columns[1].push(p);
            samples.processor.push(0);
            samples.run.push(0);
            samples.time_s.push(time_s);
            if n >= 8e4 && p == 1.0 {
                largest.push(time_s);
            }
        }
    }
    let experiment = Experiment {
        name: "f".to_owned(),
        formula: Some(FORMULA.to_owned()),
        samples,
        ..Experiment::default()
    };
    PlantedRun { experiment, largest }
}

fn report(runs: &[PlantedRun], baseline: usize, looks: u32) -> CheckReport {
    let settings = Settings::default();
    let mut pooled = runs[0].experiment.clone();
    for (run, planted) in runs[1..baseline].iter().enumerate() {
        let mut part = planted.experiment.clone();
        part.samples.run.fill(run as u32 + 1);
        pooled.merge(part).unwrap();
    }
    let model = Model::fit(&settings.prepare(&pooled)).unwrap();
    let fit = |run: &PlantedRun| -> RunFit { model.fit_run(&settings.prepare(&run.experiment)).unwrap() };
    let measured =
        |run: &PlantedRun| MeasuredRun { name: String::new(), machine: String::new(), fit: fit(run) };
    let (old, new) = runs.split_at(baseline);
    let [old, new] = [old, new].map(|runs| runs.iter().map(measured).collect::<Vec<_>>());
    let tolerance = Tolerance { usual: tolerance(), ..Tolerance::default() };
    check(&model, &old, &new, &CheckRequest { tolerance, ..CheckRequest::default() }.among_looks(looks))
}

/// The report of the look that tells, else of the last one.
fn last_report(plan: &Plan, runs: &[PlantedRun]) -> CheckReport {
    let (baseline, new) = plan.runs;
    (0..plan.looks)
        .map(|look| report(&runs[..baseline + (new >> (plan.looks - 1 - look))], baseline, plan.looks))
        .scan(false, |is_over, found| {
            let is_shown = !*is_over;
            *is_over |= found.verdict != Verdict::CannotTell;
            is_shown.then_some(found)
        })
        .last()
        .unwrap()
}

fn tolerance() -> f64 {
    std::env::var("TOLERANCE").ok().and_then(|text| text.parse().ok()).unwrap_or(Tolerance::default().usual)
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Whether the new values are longer by Student's t-test of two groups.
fn t_test(old: &[f64], new: &[f64]) -> bool {
    if old.len() < 2 || new.is_empty() {
        return false;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let squares = |values: &[f64]| values.iter().map(|it| (it - mean(values)).powi(2)).sum::<f64>();
    let freedom = (old.len() + new.len() - 2) as f64;
    let variance = (squares(old) + squares(new)) / freedom;
    let error = (variance * (1.0 / old.len() as f64 + 1.0 / new.len() as f64)).sqrt();
    StudentsT::new(0.0, 1.0, freedom).unwrap().sf((mean(new) - mean(old)) / error) < 0.01
}

/// Whether they are by the test of Mann and Whitney: exact for few values, else by the normal distribution.
fn mann_whitney(old: &[f64], new: &[f64]) -> bool {
    let above = new.iter().map(|it| old.iter().filter(|other| it > other).count()).sum::<usize>();
    let (m, n) = (old.len(), new.len());
    if m * n > 400 {
        let (mean, variance) = ((m * n) as f64 / 2.0, (m * n * (m + n + 1)) as f64 / 12.0);
        return Normal::standard().sf((above as f64 - 0.5 - mean) / variance.sqrt()) < 0.01;
    }
    // counts[j][u]: ways in which j new values among the first i values are above u old ones.
    let mut counts = vec![vec![0.0; m * n + 1]; n + 1];
    counts[0][0] = 1.0;
    for i in 0..m + n {
        for j in (0..n.min(i + 1)).rev() {
            let below = i - j;
            if below > m {
                continue;
            }
            for u in (0..=m * n).rev() {
                if counts[j][u] > 0.0 && u + below <= m * n {
                    counts[j + 1][u + below] += counts[j][u];
                }
            }
        }
    }
    let all: f64 = counts[n].iter().sum();
    counts[n][above..].iter().sum::<f64>() / all < 0.01
}

#[derive(Default)]
struct Counts {
    worse: usize,
    named: usize,
    cannot_tell: usize,
    t_of_medians: usize,
    whitney_of_medians: usize,
    t_of_all: usize,
    whitney_of_all: usize,
}

fn count(plan: &Plan, histories: std::ops::Range<usize>) -> Counts {
    let mut counts = Counts::default();
    for seed in histories {
        let mut dice = Dice(0x5eed + 7919 * seed as u64);
        let runs = history(plan, &mut dice);
        let found = last_report(plan, &runs);
        counts.worse += usize::from(found.verdict == Verdict::Worse);
        counts.cannot_tell += usize::from(found.verdict == Verdict::CannotTell);
        let named: Vec<usize> = found
            .findings
            .iter()
            .filter(|finding| finding.verdict == Verdict::Worse)
            .map(|finding| match &finding.subject {
                ComparisonSubject::Constant(constant) => constant.term,
                ComparisonSubject::Target(_) => usize::MAX,
            })
            .collect();
        counts.named += usize::from(named == [1]);
        let (old, new) = runs.split_at(plan.runs.0);
        let medians = |runs: &[PlantedRun]| runs.iter().map(|run| median(&run.largest)).collect::<Vec<_>>();
        let all = |runs: &[PlantedRun]| runs.iter().flat_map(|run| run.largest.clone()).collect::<Vec<_>>();
        counts.t_of_medians += usize::from(t_test(&medians(old), &medians(new)));
        counts.whitney_of_medians += usize::from(mann_whitney(&medians(old), &medians(new)));
        counts.t_of_all += usize::from(t_test(&all(old), &all(new)));
        counts.whitney_of_all += usize::from(mann_whitney(&all(old), &all(new)));
    }
    counts
}

fn main() {
    let argument = |place| std::env::args().nth(place).and_then(|text| text.parse::<usize>().ok());
    let (histories, first) = (argument(1).unwrap_or(1000), argument(2).unwrap_or(0));
    let percent = |count: usize| format!("{:.1}", 100.0 * count as f64 / histories as f64);
    println!(
        "| noise | between runs | baseline + new | rise | worse % | named alone % | cannot tell % | t, medians % | Mann-Whitney, medians % | t, all % | Mann-Whitney, all % |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    let show = |name: &str, plan: &Plan| {
        let counts = count(plan, first..first + histories);
        let (between, apart) = (100.0 * plan.between, if plan.is_apart { "each" } else { "all" });
        println!(
            "| {name} | {between:.1} % {apart} | {} + {} | {:.0} % | {} | {} | {} | {} | {} | {} | {} |",
            plan.runs.0,
            plan.runs.1,
            100.0 * (plan.rise - 1.0),
            percent(counts.worse),
            percent(counts.named),
            percent(counts.cannot_tell),
            percent(counts.t_of_medians),
            percent(counts.whitney_of_medians),
            percent(counts.t_of_all),
            percent(counts.whitney_of_all),
        );
    };
    let usual = Plan {
        kind: Kind::Normal,
        between: 0.02,
        is_apart: true,
        runs: (10, 3),
        rise: 1.0,
        is_elsewhere: false,
        looks: 1,
    };
    // As `call run --until-sure` looks.
    for (kind, name) in KINDS {
        show(&format!("{name}, four looks"), &Plan { kind, runs: (10, 24), looks: 4, ..usual });
    }
    for between in [0.0, 0.005, 0.01, 0.02] {
        for baseline in [5, 10, 20] {
            show(
                "normal, four looks",
                &Plan { between, runs: (baseline, 24), rise: 1.05, looks: 4, ..usual },
            );
        }
    }
    for is_apart in [false, true] {
        for (kind, name) in KINDS {
            for runs in [(10, 3), (20, 3), (10, 1)] {
                show(name, &Plan { kind, is_apart, runs, ..usual });
            }
        }
    }
    for between in [0.0, 0.005, 0.01, 0.02] {
        for runs in [(5, 3), (10, 3), (20, 3), (30, 3)] {
            show("normal", &Plan { between, runs, rise: 1.05, ..usual });
        }
    }
    // The tests of one point mean nothing here.
    for (kind, name) in KINDS {
        for (between, runs) in [(0.02, (10, 3)), (0.02, (20, 3)), (0.0, (10, 3))] {
            show(&format!("{name}, elsewhere"), &Plan { kind, between, runs, is_elsewhere: true, ..usual });
        }
    }
    for between in [0.0, 0.005, 0.01, 0.02] {
        for runs in [(10, 3), (20, 3)] {
            show("normal, elsewhere", &Plan { between, runs, rise: 1.05, is_elsewhere: true, ..usual });
        }
    }
}
