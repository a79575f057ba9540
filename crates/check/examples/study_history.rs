//! How often a history without a change shows one, and how often it shows one that was planted: `docs/history.md` has the table.
//!
//! A value is what a run makes of a constant: 1, with noise of 2 % from run to run, of the kinds of `study_alarms`. In two states,
//! three of ten runs are 6 % slower; the drift is as much from the first to the last run as runs scatter.
//!
//! `cargo run --release -p call-check --example study_history [HISTORIES [FIRST]]`; other histories begin elsewhere than at 0.
#![allow(clippy::print_stdout, reason = "a study")]

mod noise;

use call_check::{HistoryRequest, RunHistory, RunValue, history};
use noise::{Dice, KINDS, Kind};

const BETWEEN: f64 = 0.02;

#[derive(Clone, Copy)]
struct Plan {
    kind: Kind,
    runs: usize,
    /// The first run that takes longer, and by what it is multiplied, up to the last of them.
    first: usize,
    rise: f64,
    last: usize,
}

fn values(plan: &Plan, dice: &mut Dice) -> Vec<RunValue> {
    let mut last = dice.normal();
    (0..plan.runs)
        .map(|run| {
            last = plan.kind.next(dice, last);
            let mut value = 1.0 + BETWEEN * last;
            if plan.kind == Kind::TwoStates {
                let slow = if dice.uniform() < 0.3 { 1.06 } else { 1.0 };
                value = slow * (1.0 + 0.25 * BETWEEN * last);
            }
            if plan.kind == Kind::Drift {
                value *= 1.0 + BETWEEN * run as f64 / (plan.runs - 1) as f64;
            }
            if (plan.first..=plan.last).contains(&run) {
                value *= plan.rise;
            }
            RunValue { value, variance: 0.0, rounding: 0.0 }
        })
        .collect()
}

#[derive(Default)]
struct Counts {
    any: usize,
    /// Found, with the place in its interval.
    found: usize,
    within: usize,
    exact: usize,
    false_beside: usize,
}

fn count(plan: &Plan, histories: std::ops::Range<usize>) -> Counts {
    let request = HistoryRequest { alarms: 0.01, level: 0.9, same_design: true };
    let mut counts = Counts::default();
    for seed in histories {
        let mut dice = Dice(0x0715 + 7919 * seed as u64);
        let found: RunHistory = history(&values(plan, &mut dice), &request);
        let drifts = found.levels.iter().any(|level| level.drift.is_some());
        counts.any += usize::from(!found.changes.is_empty() || drifts && plan.kind != Kind::Drift);
        let near = found.changes.iter().find(|change| change.first.abs_diff(plan.first) <= 3);
        counts.found += usize::from(near.is_some());
        let is_within = |it: &&call_check::ChangePoint| (it.earliest..=it.latest).contains(&plan.first);
        counts.within += usize::from(near.filter(is_within).is_some());
        counts.exact += usize::from(near.is_some_and(|change| change.first == plan.first));
        let ends = [plan.first, plan.last + 1];
        let is_false = |it: &call_check::ChangePoint| ends.iter().all(|end| it.first.abs_diff(*end) > 3);
        counts.false_beside += usize::from(found.changes.iter().any(is_false));
    }
    counts
}

fn main() {
    let argument = |place| std::env::args().nth(place).and_then(|text| text.parse::<usize>().ok());
    let (histories, first) = (argument(1).unwrap_or(1000), argument(2).unwrap_or(0));
    let all = first..first + histories;
    let percent = |count: usize, of: usize| format!("{:.1}", 100.0 * count as f64 / of.max(1) as f64);
    println!(
        "| noise | 10 runs | 12 | 15 | 20 | 25 | 30 | 40 | 100 |\n|---|---|---|---|---|---|---|---|---|"
    );
    for (kind, name) in KINDS {
        let alarms = [10, 12, 15, 20, 25, 30, 40, 100].map(|runs| {
            let plan = Plan { kind, runs, first: runs, rise: 1.0, last: runs };
            percent(count(&plan, all.clone()).any, histories)
        });
        println!("| {name} | {} |", alarms.join(" | "));
    }
    println!(
        "\n| noise | runs | rise | runs behind it | found | place within interval | exact | others |\n|---|---|---|---|---|---|---|---|"
    );
    let plans = [
        (30, 27, 99),
        (30, 25, 99),
        (30, 20, 99),
        (30, 15, 99),
        (100, 97, 199),
        (100, 90, 199),
        (100, 50, 199),
        (100, 40, 54),
    ];
    for (kind, name) in KINDS.into_iter().take(argument(3).unwrap_or(KINDS.len())) {
        for rise in [1.05, 1.1] {
            for (runs, first, last) in plans {
                let last = last.min(runs - 1);
                let plan = Plan { kind, runs, first, rise, last };
                let counts = count(&plan, all.clone());
                println!(
                    "| {name} | {runs} | {:.0} % | {} | {} | {} | {} | {} |",
                    100.0 * (rise - 1.0),
                    last + 1 - first,
                    percent(counts.found, histories),
                    percent(counts.within, counts.found),
                    percent(counts.exact, counts.found),
                    percent(counts.false_beside, histories),
                );
            }
        }
    }
}
